/* A woven program, by hand: messages with an alive counter and a checksum that holds the counter's
 * seed; what takes a thousand right ones in a row, also in a mode that wrong ones lead to. */
#ifndef GK_HOST
extern void gk_hit(unsigned probe);
extern unsigned char gk_input_u8(unsigned id);
#endif

unsigned char alive, data, sum;
unsigned char last;
unsigned char error;
unsigned char mode;
unsigned short good;

static unsigned char checksum(void) {
    unsigned char s = (unsigned char)(data ^ (alive * 29 + 7));
    return (unsigned char)(s << 1 | s >> 7);
}

void gk_init(void) {
    last = error = mode = 0;
    good = 0;
}

void gk_step(void) {
    alive = gk_input_u8(0);
    data = gk_input_u8(1);
    sum = gk_input_u8(2);
    if (sum == checksum() && (alive & 15) == ((last + 1) & 15)) {
        good = good < 1000 ? good + 1 : good;
        error = error > 0 ? error - 1 : 0;
    } else {
        good = 0;
        error = error < 20 ? error + 2 : error;
    }
    last = alive & 15;
    if (mode == 0 && good >= 20)
        mode = 1;
    if (mode == 1 && error >= 20)
        mode = 2;
    if (good >= 1000)
        gk_hit(0); /* a thousand right messages */
    if (mode == 2 && good >= 1000)
        gk_hit(1); /* the same behind twenty right and ten wrong ones */
    if (mode == 2)
        gk_hit(3);
    if (good > 500 && error > 0)
        gk_hit(2); /* dead */
}

#ifdef GK_NATIVE
struct gk_region {
    void *address;
    unsigned size;
};
const struct gk_region gk_regions[] = {
    {&alive, sizeof alive}, {&data, sizeof data}, {&sum, sizeof sum},   {&last, sizeof last},
    {&error, sizeof error}, {&mode, sizeof mode}, {&good, sizeof good},
};
const unsigned gk_region_count = sizeof gk_regions / sizeof *gk_regions;
struct gk_cell {
    void *address;
    char type;
    unsigned char bits;
    unsigned id;
};
const struct gk_cell gk_cells[] = {
    {&last, 'u', 8, 0},
    {&error, 'u', 8, 1},
    {&mode, 'u', 8, 2},
    {&good, 'u', 16, 3},
};
const unsigned gk_cell_count = sizeof gk_cells / sizeof *gk_cells;
unsigned long long gk_cell_read(unsigned index) {
    return index;
}
#endif
