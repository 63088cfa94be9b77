/* An integrator between limits that are not symmetric, with a limited step. */
typedef unsigned char Bool;
typedef short Int16;
typedef int Int32;

Bool In_Freeze;
Int16 In_Error;
int Out_Code;
static Int32 X_Integral;
static Int32 X_Last;

void limits_asymmetric(void) {
    Int32 step = In_Error;
    Out_Code = 0;
    if (X_Integral > 2500) {
        Out_Code = 1; /* dead */
    }
    if (X_Integral < -1000) {
        Out_Code = 2; /* dead */
    }
    if (step > 300) {
        step = 300;
    } else if (step < -200) {
        step = -200;
    }
    X_Last = X_Integral;
    if (In_Freeze == 0) {
        X_Integral += step;
    }
    if (X_Integral > 2800) {
        Out_Code = 3; /* dead */
    }
    if (X_Integral > 2500) {
        X_Integral = 2500;
    }
    if (X_Integral < -1000) {
        X_Integral = -1000;
    }
    if (X_Integral - X_Last > 3500) {
        Out_Code = 4; /* dead */
    }
}
