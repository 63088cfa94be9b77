/* Latches where two imply a third. */
typedef unsigned char Bool;

Bool In_Enable, In_Speed, In_Brake, In_Reset;
int Out_Code;
static Bool X_Speed, X_Brake, X_Ready, X_Warned;

void flags_three(void) {
    Out_Code = 0;
    if (X_Speed != 0 && X_Brake != 0 && X_Ready == 0) {
        Out_Code = 1; /* dead */
    }
    if (X_Warned != 0 && X_Ready == 0) {
        Out_Code = 2; /* dead */
    }
    if (In_Enable == 0) {
        return;
    }
    if (In_Reset != 0) {
        X_Speed = 0;
        X_Brake = 0;
        X_Ready = 0;
        X_Warned = 0;
    } else {
        if (In_Speed != 0) {
            X_Speed = 1;
        }
        if (In_Brake != 0) {
            X_Brake = 1;
        }
        if (X_Speed != 0 && X_Brake != 0) {
            if (X_Ready != 0 && In_Brake != 0) {
                X_Warned = 1;
            }
            X_Ready = 1;
        }
    }
    if (X_Ready != 0 && X_Speed == 0) {
        Out_Code = 3; /* dead */
    }
    if (X_Speed > 1) {
        Out_Code = 4; /* dead */
    }
}
