/* First-order filters in double precision, one with two gains. */
typedef unsigned char Bool;
typedef double Float64;

Float64 In_Value;
Bool In_Fast;
int Out_Code;
static Float64 X_Mean;
static Float64 X_Gain;

void filter_double(void) {
    const Float64 a = 0.9;
    Float64 k = In_Fast != 0 ? 0.5 : 0.01;
    Out_Code = 0;
    X_Mean = a * X_Mean + (1.0 - a) * In_Value;
    if (X_Mean > 251.0) {
        Out_Code = 1; /* dead */
    }
    if (X_Mean < -41.0) {
        Out_Code = 2; /* dead */
    }
    X_Gain = X_Gain + k * (In_Value - X_Gain);
    if (X_Gain > 300.0) {
        Out_Code = 3; /* dead */
    }
    if (X_Gain < -300.0) {
        Out_Code = 4; /* dead */
    }
}
