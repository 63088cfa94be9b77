/* Limits that stay in order although each of them moves. */
typedef unsigned char Bool;

float In_Value;
unsigned long In_Count;
Bool In_Up, In_Reset;
int Out_Code;
static Bool X_Started;
static float X_Min, X_Max;
static unsigned long X_Low, X_High;

void relation_limits(void) {
    Out_Code = 0;
    if (X_Max < X_Min) {
        Out_Code = 1; /* dead */
    }
    if (X_Low > X_High) {
        Out_Code = 2; /* dead */
    }
    if (X_Started != 0 && X_Min > X_Max) {
        Out_Code = 3; /* dead */
    }
    if (X_Started == 0 || In_Reset != 0) {
        X_Min = In_Value;
        X_Max = In_Value;
        X_Started = 1;
    } else if (In_Up != 0) {
        if (In_Value > X_Max) {
            X_Max = In_Value;
        }
    } else if (In_Value < X_Min) {
        X_Min = In_Value;
    }
    if (In_Up != 0) {
        if (In_Count <= X_High) {
            X_Low = In_Count;
        }
    } else if (In_Count >= X_Low) {
        X_High = In_Count;
    }
    if (X_Max == X_Min && In_Up != 0) {
        Out_Code = 4;
    }
}
