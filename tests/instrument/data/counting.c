/* A woven program, by hand: counters whose ends are far beyond runs of usual length. */
#ifndef GK_HOST
extern void gk_hit(unsigned probe);
extern void gk_assume(int condition);
extern unsigned char gk_input_u8(unsigned id);
#endif

unsigned char enable;
unsigned char before;
unsigned hours;
unsigned turns;
float sum;

static void step(void) {
    if (enable == 7)
        hours = hours < 0xffffffffU ? hours + 1 : hours;
    if (hours > 5000000U)
        gk_hit(0);
    turns = enable != before ? turns + 1 : 0;
    before = enable;
    if (turns >= 100000U)
        gk_hit(1); /* a change in each step */
    if (enable == 9)
        sum += 1.0f;
    if (sum == sum + 1.0f)
        gk_hit(2); /* 2 to the 24 */
    if (sum > 16777216.0f)
        gk_hit(3); /* dead */
}

void gk_init(void) {
    hours = turns = 0;
    before = 0;
    sum = 0.0f;
}

void gk_step(void) {
    enable = gk_input_u8(0);
    gk_assume(enable <= 20);
    step();
}

#ifdef GK_NATIVE
struct gk_region {
    void *address;
    unsigned size;
};
const struct gk_region gk_regions[] = {
    {&enable, sizeof enable}, {&before, sizeof before}, {&hours, sizeof hours},
    {&turns, sizeof turns},   {&sum, sizeof sum},
};
const unsigned gk_region_count = sizeof gk_regions / sizeof *gk_regions;
struct gk_cell {
    void *address;
    char type;
    unsigned char bits;
    unsigned id;
};
const struct gk_cell gk_cells[] = {
    {&before, 'u', 8, 0}, {&hours, 'u', 32, 1}, {&turns, 'u', 32, 2}, {&sum, 'f', 32, 3}};
const unsigned gk_cell_count = sizeof gk_cells / sizeof *gk_cells;
unsigned long long gk_cell_read(unsigned index) {
    return index;
}
#endif
