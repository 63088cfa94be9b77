/* Two counters that go against each other: only together they are limited. */
typedef unsigned char Bool;
typedef unsigned short UInt16;

Bool In_Error;
UInt16 Out_Code;
static UInt16 X_Good;
static UInt16 X_Bad;

void counter_pair(void) {
    if (In_Error != 0) {
        X_Good = 0;
        if (X_Bad < 500) {
            X_Bad += 4;
        }
    } else {
        if (X_Good < 600) {
            X_Good++;
        }
        if (X_Bad > 2) {
            X_Bad -= 2;
        } else {
            X_Bad = 0;
        }
    }
    Out_Code = 0;
    if (X_Good >= 300 && X_Bad > 0) {
        Out_Code = 1; /* dead */
    }
    if (X_Bad > 503) {
        Out_Code = 2; /* dead */
    }
    if (X_Good > 100 && X_Bad > 400) {
        Out_Code = 3; /* dead */
    }
}
