/* A module whose truth is known: what is marked "dead" needs the invariants of count and mode, or
 * the range of level; everything else is reachable, the alarm only after 150 undisturbed steps. */
typedef unsigned char uint8;
typedef signed short sint16;

uint8 button;
sint16 level;
uint8 out;

static uint8 count;
static uint8 mode;

void machine(void) {
    if (button != 0) {
        if (count < 200)
            count++;
    } else {
        count = 0;
    }
    if (count > 200)
        out = 1; /* dead */
    if (count == 150 && level > 50)
        mode = 1;
    else if (level < 0)
        mode = 0; /* dead */
    if (mode > 1)
        out = 2; /* dead */
    if (mode == 1 || level == 99)
        out = 3;
    if (level > 100)
        out = 4; /* dead */
}
