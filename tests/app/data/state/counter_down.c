/* Counters that are started at 25450 and count down, by one and by more. */
typedef unsigned char Bool;
typedef unsigned short UInt16;
typedef int Int32;

Bool In_Start, In_Fast;
UInt16 Out_State;
static UInt16 X_Timer;
static Int32 X_Budget = 25450;

void counter_down(void) {
    if (In_Start != 0) {
        X_Timer = 25450;
    } else if (X_Timer != 0) {
        X_Timer--;
    }
    if (X_Timer > 25450) {
        Out_State = 1; /* dead */
    }
    if (In_Fast != 0) {
        X_Budget -= 37;
        if (X_Budget < 0) {
            X_Budget = 0;
        }
    } else if (X_Budget < 25450) {
        X_Budget += 3;
    }
    if (X_Budget < 0) {
        Out_State = 2; /* dead */
    }
    if (X_Budget > 25452) {
        Out_State = 3; /* dead */
    }
    if (X_Budget > 25452 - X_Timer + 25450) {
        Out_State = 4; /* dead */
    }
}
