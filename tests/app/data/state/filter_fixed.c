/* First-order filters in whole numbers. */
typedef unsigned char Bool;
typedef unsigned short UInt16;
typedef short Int16;
typedef int Int32;

UInt16 In_Adc;
Int16 In_Signed;
Bool In_Hold;
int Out_Code;
static Int32 X_Mean;
static UInt16 X_Small;
static Int16 X_Shift;

void filter_fixed(void) {
    Out_Code = 0;
    X_Mean = (X_Mean * 15 + (Int32)In_Adc) / 16;
    if (X_Mean > 4095) {
        Out_Code = 1; /* dead */
    }
    if (X_Mean < 0) {
        Out_Code = 2; /* dead */
    }
    if (In_Hold == 0) {
        X_Small = (UInt16)((X_Small * 7u + In_Adc + 4u) >> 3);
    }
    if (X_Small > 4100) {
        Out_Code = 3; /* dead */
    }
    X_Shift = (Int16)(X_Shift + (((Int32)In_Signed - (Int32)X_Shift) >> 4));
    if (X_Shift > 2047) {
        Out_Code = 4; /* dead */
    }
    if (X_Shift < -2049) {
        Out_Code = 5; /* dead */
    }
}
