/* Goals that no engine decides soon: whether some products of unknown numbers have a value. */
typedef unsigned int uint32;

uint32 a, b, c; /* c has no range */
uint32 out;

static uint32 mix;

static uint32 stir(uint32 x, uint32 y) {
    uint32 z = x * 2654435761u + y * y * y;
    z = (z ^ (z >> 15)) * (y | 1u);
    return (z ^ (z >> 13)) * 3266489917u;
}

void hard(void) {
    mix = stir(a, stir(b, mix));
    if (mix == 305419896u && stir(mix, a) == 2271560481u)
        out = 1;
    if (stir(c, b) == 19088743u && stir(b, c) == 2309737967u)
        out = 2;
    if (a > 5u)
        out = 3;
}
