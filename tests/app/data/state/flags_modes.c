/* A machine of modes with a timer that runs in one of them. */
typedef unsigned char Bool;
typedef unsigned char UInt8;
typedef unsigned short UInt16;

enum mode { MODE_OFF, MODE_INIT, MODE_RUN, MODE_FAULT };

Bool In_Key, In_Error, In_Hold;
UInt8 Out_Code;
static enum mode X_Mode = MODE_OFF;
static UInt16 X_Time;
static Bool X_Ready;

void flags_modes(void) {
    Out_Code = 0;
    if (X_Mode == MODE_RUN && X_Ready == 0) {
        Out_Code = 10; /* dead */
    }
    if (X_Mode == MODE_OFF && X_Time > 0) {
        Out_Code = 11; /* dead */
    }
    switch (X_Mode) {
    case MODE_OFF:
        if (In_Key != 0) {
            X_Mode = MODE_INIT;
        }
        break;
    case MODE_INIT:
        X_Time++;
        if (In_Error != 0) {
            X_Mode = MODE_FAULT;
        } else if (X_Time >= 50) {
            X_Mode = MODE_RUN;
            X_Ready = 1;
        }
        break;
    case MODE_RUN:
        if (In_Error != 0) {
            X_Mode = MODE_FAULT;
            X_Ready = 0;
        }
        break;
    case MODE_FAULT:
        if (In_Key == 0 && In_Hold == 0) {
            X_Mode = MODE_OFF;
            X_Time = 0;
        }
        break;
    default:
        Out_Code = 12; /* dead */
        break;
    }
    if (X_Time > 50) {
        Out_Code = 13; /* dead */
    }
    if (X_Mode == MODE_FAULT && X_Ready != 0) {
        Out_Code = 14; /* dead */
    }
}
