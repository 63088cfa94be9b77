/* A woven program, by hand: each step calls itself until the stack is full. */
extern void gk_hit(unsigned probe);

static volatile unsigned char deep;

static void fall(void) {
    if (deep)
        fall();
    deep++;
}

void gk_init(void) {
    deep = 1;
}

void gk_step(void) {
    gk_hit(0);
    fall();
    gk_hit(1);
}

#ifdef GK_NATIVE
struct gk_region {
    void *address;
    unsigned size;
};
const struct gk_region gk_regions[] = {{(void *)&deep, sizeof deep}};
const unsigned gk_region_count = 1;
struct gk_cell {
    void *address;
    char type;
    unsigned char bits;
    unsigned id;
};
const struct gk_cell gk_cells[] = {{(void *)&deep, 'u', 8, 0}};
const unsigned gk_cell_count = 1;
unsigned long long gk_cell_read(unsigned index) {
    return index;
}
#endif
