/* First-order filters in single precision; one of them of a value that can be NaN. */
typedef unsigned char Bool;
typedef float Float32;

Float32 In_Value;
Float32 In_Raw;
Bool In_Valid;
int Out_Code;
static Float32 X_Slow;
static Float32 X_Second;
static Float32 X_Raw;

void filter_float(void) {
    Float32 raw = In_Raw;
    Out_Code = 0;
    X_Slow += (In_Value - X_Slow) * 0.05F;
    X_Second += (X_Slow - X_Second) * 0.125F;
    if (X_Slow > 10.5F) {
        Out_Code = 1; /* dead */
    }
    if (X_Slow < -10.5F) {
        Out_Code = 2; /* dead */
    }
    if (X_Second > 11.0F) {
        Out_Code = 3; /* dead */
    }
    if (X_Second != X_Second) {
        Out_Code = 4; /* dead */
    }
    if (raw > 100.0F) {
        raw = 100.0F;
    }
    if (raw < -5.0F) {
        raw = -5.0F;
    }
    if (In_Valid != 0) {
        X_Raw = 0.75F * X_Raw + 0.25F * raw;
    }
    if (X_Raw > 101.0F) {
        Out_Code = 5; /* dead */
    }
}
