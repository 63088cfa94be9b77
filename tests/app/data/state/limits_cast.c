/* Limits around casts to 16 bit: what is cast fits, and so nothing wraps. */
typedef unsigned char Bool;
typedef unsigned char UInt8;
typedef unsigned short UInt16;
typedef short Int16;
typedef int Int32;

Int16 In_Delta;
UInt8 In_Gain;
int Out_Code;
static Int16 X_Sum;
static Int16 X_Scaled;
static UInt16 X_Unsigned = 1000;

void limits_cast(void) {
    Int32 sum = (Int32)X_Sum + (Int32)In_Delta;
    Int32 product;
    Out_Code = 0;
    if (sum > 31000) {
        sum = 31000;
    } else if (sum < -32000) {
        sum = -32000;
    }
    X_Sum = (Int16)sum;
    if (X_Sum > 31000) {
        Out_Code = 1; /* dead */
    }
    product = ((Int32)X_Sum * (Int32)In_Gain) >> 8;
    if (product > 32767) {
        Out_Code = 2; /* dead */
    }
    if (X_Scaled < -32000) {
        Out_Code = 3; /* dead */
    }
    X_Scaled = (Int16)product;
    sum = (Int32)X_Unsigned + (Int32)In_Delta;
    X_Unsigned = sum < 0 ? (UInt16)0 : sum > 65000 ? (UInt16)65000 : (UInt16)sum;
    if (X_Unsigned > 65000) {
        Out_Code = 4; /* dead */
    }
}
