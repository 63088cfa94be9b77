/* Three goals are dead: because of a range, of a switch, of a float. */
const float Cal_Gain = 0.25F;
const unsigned char Cal_Extra = 0 /* variant without */;
short In_Temp;
int Out;
static float X_Slow;

void heat(void) {
    if (In_Temp > 2000)
        Out = 1;
    if (Cal_Extra)
        Out = 2;
    X_Slow = Cal_Gain * (float)In_Temp;
    if (X_Slow > 600.0F)
        Out = 3;
}
