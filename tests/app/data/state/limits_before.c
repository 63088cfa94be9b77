/* Values that are limited before something is added: they end beyond the limit. */
typedef unsigned char Bool;
typedef short Int16;
typedef int Int32;

Int16 In_Torque;
Bool In_Run;
int Out_Code;
static Int32 X_Sum;
static Int32 X_Far;
static Int16 X_Ramp;

void limits_before(void) {
    Int32 limited = X_Sum;
    Int16 target = In_Torque;
    Out_Code = 0;
    if (limited > 500) {
        limited = 500;
    }
    if (limited < -400) {
        limited = -400;
    }
    if (In_Run != 0) {
        X_Sum = limited + In_Torque;
        X_Far = 3 * X_Sum - 7;
    }
    if (X_Sum > 531) {
        Out_Code = 1; /* dead */
    }
    if (X_Sum < -450) {
        Out_Code = 2; /* dead */
    }
    if (X_Far > 2000) {
        Out_Code = 3; /* dead */
    }
    if (target > X_Ramp + 4) {
        target = (Int16)(X_Ramp + 4);
    }
    if (target < X_Ramp - 9) {
        target = (Int16)(X_Ramp - 9);
    }
    X_Ramp = target;
    if (X_Ramp > 30 || X_Ramp < -20) {
        Out_Code = 4; /* dead */
    }
}
