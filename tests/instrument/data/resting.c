/* A woven program, by hand: four volatiles that must all stay where they are for a while, and a
 * message that is read twice, as a number and a command, which must both stay. */
#ifndef GK_HOST
extern void gk_hit(unsigned probe);
extern unsigned char gk_input_u8(unsigned id);
#endif

unsigned char healthy;
unsigned char held;
unsigned char number;

void gk_init(void) {
    healthy = held = number = 0;
}

static int in_place(unsigned id) {
    return gk_input_u8(id) < 16;
}

void gk_step(void) {
    unsigned char read = gk_input_u8(4);
    unsigned char command = gk_input_u8(4);
    int all = in_place(0) & in_place(1) & in_place(2) & in_place(3);
    healthy = !all ? 0 : healthy < 200 ? healthy + 1 : healthy;
    held = read != number || command != (read ^ 90) ? 0 : held < 100 ? held + 1 : held;
    number = read;
    if (healthy >= 200)
        gk_hit(0);
    if (held >= 100)
        gk_hit(1);
    if (healthy == 0 && held > 0 && number != read)
        gk_hit(2); /* dead */
}

#ifdef GK_NATIVE
struct gk_region {
    void *address;
    unsigned size;
};
const struct gk_region gk_regions[] = {
    {&healthy, sizeof healthy},
    {&held, sizeof held},
    {&number, sizeof number},
};
const unsigned gk_region_count = sizeof gk_regions / sizeof *gk_regions;
struct gk_cell {
    void *address;
    char type;
    unsigned char bits;
    unsigned id;
};
const struct gk_cell gk_cells[] = {
    {&healthy, 'u', 8, 0},
    {&held, 'u', 8, 1},
    {&number, 'u', 8, 2},
};
const unsigned gk_cell_count = sizeof gk_cells / sizeof *gk_cells;
unsigned long long gk_cell_read(unsigned index) {
    return index;
}
#endif
