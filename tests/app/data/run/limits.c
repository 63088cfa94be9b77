/* Goals behind a loop that the model does not follow to its end, and in a function that cannot be
 * analysed. */
typedef unsigned int uint32;

uint32 n;
uint32 out;

static uint32 laps(uint32 x) {
    uint32 i = 0;
    while (x != 1u && i < 100000u) {
        x = (x & 1u) ? 3u * x + 1u : x / 2u;
        i++;
    }
    return i;
}

static void assembly(void) {
    uint32 y = n;
    __asm__("" : "+r"(y) : : "memory");
    if (y > n)
        out = 1;
}

void limits(void) {
    assembly();
    if (laps(n) > 90000u)
        out = 2;
}
