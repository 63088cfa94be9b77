/* A woven program, by hand: what simulation has to find, and what it must not. */
#ifndef GK_HOST
extern void gk_hit(unsigned probe);
extern void gk_assume(int condition);
extern unsigned char gk_input_u8(unsigned id);
extern short gk_input_i16(unsigned id);
extern unsigned short gk_input_u16(unsigned id);
extern float gk_input_f32(unsigned id);
#endif

float torque;
short speed;
unsigned char button;
unsigned short limit;
float last_torque;
unsigned short timer;
unsigned char mode;
unsigned char presses;
double charge;
unsigned char alive;

static void quiet(void) {
    if (torque == last_torque && speed > 600)
        timer = timer < 25450 ? timer + 1 : timer;
    else
        timer = 0;
    if (timer >= 25450)
        gk_hit(0); /* 25,450 steps at rest */
    if (timer > 25450)
        gk_hit(1); /* dead */
    last_torque = torque;
}

static void chart(void) {
    switch (mode) {
    case 0:
        if (button == 17)
            mode = 1;
        break;
    case 1:
        gk_hit(2);
        presses = button == 99 ? presses + 1 : 0;
        if (presses == 5)
            mode = 2;
        break;
    case 2:
        gk_hit(3); /* five steps with the right button in mode 1 */
        break;
    default:
        gk_hit(4); /* dead */
    }
}

static void integrate(void) {
    charge += speed * 1e-6;
    if (charge > 1.0)
        charge = 1.0;
    if (charge < 0.0)
        charge = 0.0;
    if (charge >= 0.9375)
        gk_hit(5); /* a thousand steps uphill */
}

static void unspecified(void) {
    int unset;
    if (button == 3)
        unset = speed;
    if (button == 3 && unset == 4)
        gk_hit(6);
    if (button == 4 && unset == 0)
        gk_hit(7); /* only by what happens to be in memory */
    if (speed == 77) {
        unsigned char wrapped = (unsigned char)(torque * 1000.0f);
        if (torque > 5.0f)
            gk_hit(8 + (wrapped & 0)); /* only behind an unspecified value */
    }
}

static void step(void) {
    quiet();
    chart();
    integrate();
    unspecified();
    alive = gk_input_u8(4);
    if (alive != gk_input_u8(4))
        gk_hit(9); /* a register that is read twice */
    if (limit == 1234)
        gk_hit(10); /* a parameter */
    if (1000 / (speed - 555) == 1000)
        gk_hit(11); /* beside a division by zero */
}

void gk_init(void) {
    limit = gk_input_u16(3);
    gk_assume(limit >= 1000 && limit <= 2000);
    timer = 0;
    mode = 0;
    presses = 0;
    charge = 0.5;
    last_torque = 0.0f;
    gk_hit(12);
}

void gk_step(void) {
    torque = gk_input_f32(0);
    gk_assume(torque >= -10.0f && torque <= 10.0f);
    speed = gk_input_i16(1);
    gk_assume(speed >= -1000 && speed <= 1000);
    button = gk_input_u8(2);
    step();
}

#ifdef GK_NATIVE
struct gk_region {
    void *address;
    unsigned size;
};
const struct gk_region gk_regions[] = {
    {&torque, sizeof torque}, {&speed, sizeof speed},     {&button, sizeof button},
    {&limit, sizeof limit},   {&timer, sizeof timer},     {&mode, sizeof mode},
    {&charge, sizeof charge}, {&presses, sizeof presses}, {&last_torque, sizeof last_torque},
    {&alive, sizeof alive},
};
const unsigned gk_region_count = sizeof gk_regions / sizeof *gk_regions;
struct gk_cell {
    void *address;
    char type;
    unsigned char bits;
    unsigned id;
};
const struct gk_cell gk_cells[] = {
    {&last_torque, 'f', 32, 0}, {&timer, 'u', 16, 1},  {&mode, 'u', 8, 2},
    {&presses, 'u', 8, 3},      {&charge, 'f', 64, 4},
};
const unsigned gk_cell_count = sizeof gk_cells / sizeof *gk_cells;
unsigned long long gk_cell_read(unsigned index) {
    return index;
}
#endif
