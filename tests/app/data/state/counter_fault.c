/* Error counting: up by 7, down by 3, in ticks of 10 ms, with a latch at the end. */
typedef unsigned char Bool;
typedef unsigned short UInt16;
typedef short Int16;

Bool In_Fault, In_Clear;
Bool Out_Latched;
UInt16 Out_Code;
static Int16 X_Errors;
static UInt16 X_Millis;
static Bool X_Latched;

void counter_fault(void) {
    if (X_Latched != 0 && X_Errors < 25450) {
        Out_Code = 9; /* dead */
    }
    if (In_Clear != 0) {
        X_Errors = 0;
        X_Latched = 0;
        X_Millis = 0;
    } else if (X_Latched == 0) {
        if (In_Fault != 0) {
            X_Errors += 7;
            if (X_Errors > 25450) {
                X_Errors = 25450;
            }
        } else if (X_Errors > 3) {
            X_Errors -= 3;
        } else {
            X_Errors = 0;
        }
        X_Latched = (Bool)(X_Errors == 25450);
        X_Millis += 10;
        if (X_Millis >= 25450) {
            X_Millis = 0;
        }
    }
    Out_Latched = X_Latched;
    if (X_Errors > 25450) {
        Out_Code = 1; /* dead */
    }
    if (X_Errors < 0) {
        Out_Code = 2; /* dead */
    }
    if (X_Millis >= 25460) {
        Out_Code = 3; /* dead */
    }
}
