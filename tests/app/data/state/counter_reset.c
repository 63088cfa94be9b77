/* Counters that saturate at 25450: reset, hold, and one step before the comparison. */
typedef unsigned char Bool;
typedef unsigned short UInt16;
typedef short Int16;

Bool In_Reset, In_Enable;
UInt16 Out_Late;
static UInt16 X_Counter;
static Int16 X_Debounce;

void counter_reset(void) {
    if (X_Counter > 25450) {
        Out_Late = 3; /* dead */
    }
    if (In_Reset != 0) {
        X_Counter = 0;
    } else if (In_Enable != 0 && X_Counter < 25450) {
        X_Counter++;
    }
    if (In_Enable != 0) {
        if (++X_Debounce >= 25450) {
            X_Debounce = 25450;
        }
    } else if (In_Reset != 0) {
        X_Debounce = 0;
    }
    Out_Late = (UInt16)(X_Counter >= 25450);
    if (X_Counter == 25451) {
        Out_Late = 2; /* dead */
    }
    if (X_Debounce < 0) {
        Out_Late = 4; /* dead */
    }
    if (X_Debounce > 25450) {
        Out_Late = 5; /* dead */
    }
}
