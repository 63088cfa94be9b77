/* Flags that say within which range a value is. */
typedef unsigned char Bool;
typedef short Int16;

Bool In_Activate, In_Boost, In_Hold;
Int16 In_Level;
int Out_Code;
static Bool X_Active, X_Boost;
static Int16 X_Level;

void flags_ranges(void) {
    Out_Code = 0;
    if (X_Active == 0 && X_Level != 0) {
        Out_Code = 1; /* dead */
    }
    if (X_Boost == 0 && X_Level > 100) {
        Out_Code = 2; /* dead */
    }
    if (X_Boost != 0 && X_Active == 0) {
        Out_Code = 3; /* dead */
    }
    if (In_Hold != 0) {
        return;
    }
    X_Active = In_Activate;
    X_Boost = (Bool)(In_Activate != 0 && In_Boost != 0);
    if (X_Active == 0) {
        X_Level = 0;
    } else {
        X_Level = In_Level;
        if (X_Boost != 0) {
            if (X_Level > 250) {
                X_Level = 250;
            }
        } else if (X_Level > 100) {
            X_Level = 100;
        }
        if (X_Level < -20) {
            X_Level = -20;
        }
    }
    if (X_Level > 250 || X_Level < -20) {
        Out_Code = 4; /* dead */
    }
}
