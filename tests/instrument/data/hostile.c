/* A woven program, by hand: one input chooses what goes wrong in the step. */
#ifndef GK_HOST
extern void gk_hit(unsigned probe);
extern void gk_assume(int condition);
extern unsigned char gk_input_u8(unsigned id);
extern int gk_input_i32(unsigned id);
extern float gk_input_f32(unsigned id);
#endif
extern void abort(void);
extern void exit(int code);
extern int kill(int pid, int signal);
extern int getppid(void);
extern int fork(void);
extern long syscall(long number, ...);
enum { EXIT_GROUP = sizeof(long) == 4 ? 252 : 231 };
static const char name_w[] = "w";
extern int getpid(void);

unsigned char select;
int value;
float number;
int result;
unsigned int counter;
int table[4];
volatile int sink;

static int deep(int n) {
    volatile int room[64];
    room[n & 63] = n;
    return n == 0x7fffffff ? 0 : room[n & 63] + deep(n + 1);
}

static void endless(void) {
    while (sink == 0)
        result++;
}

static int uninitialised(int set) {
    int local;
    if (set)
        local = 5;
    return local;
}

static void step(void) {
    counter++;
    gk_hit(0);
    switch (select) {
    case 1:
        result = 10 / value;
        gk_hit(1);
        break;
    case 2:
        *(volatile int *)0 = 1;
        gk_hit(2);
        break;
    case 3:
        *(volatile int *)0x7ffff000u = 1;
        break;
    case 4:
        result = deep(0);
        break;
    case 5:
        abort();
    case 6:
        endless();
        break;
    case 7:
        exit(3);
    case 8:
        result = (unsigned char)number;
        gk_hit(3);
        break;
    case 9:
        result = 1 << value;
        gk_hit(4);
        break;
    case 10:
        if (uninitialised(value > 0) == 0)
            gk_hit(5);
        break;
    case 11:
        if (uninitialised(value > 0) == 5)
            gk_hit(6);
        break;
    case 12:
        result = table[value];
        gk_hit(7);
        break;
    case 13:
        result = 0x7fffffff + value; /* wraps */
        if (result < 0)
            gk_hit(8);
        break;
    case 14: /* the same input is read three times */
        result = gk_input_i32(3) * 100;
        result += gk_input_i32(3) * 10;
        result += gk_input_i32(3);
        break;
    case 15: /* ends the process whatever the runtime does */
        syscall(EXIT_GROUP, 3);
        break;
    case 18:
        kill(getppid(), 9);
        break;
    case 19:
        fork();
        break;
    case 20: /* the 32-bit way, from whatever code: open("w", O_WRONLY | O_CREAT) */
        __asm__ volatile("int $0x80" : : "a"(5), "b"(name_w), "c"(0101), "d"(0600) : "memory");
        break;
    case 16: /* a pointer walks on and on */
        for (const volatile int *p = table; result < value; p++)
            result += 1 + (*p & 0);
        if (result == 6)
            gk_hit(8);
        break;
    case 17: /* neither 0 nor a negative number tells that anything is wrong */
        if (uninitialised(value > 0) < 6)
            gk_hit(8);
        break;
    default:
        result = value;
        break;
    }
    if (counter == 3)
        gk_hit(9);
}

void gk_init(void) {
    counter = 0;
    result = 0;
    gk_hit(10);
}

void gk_step(void) {
    select = gk_input_u8(0);
    gk_assume(select <= 20);
    value = gk_input_i32(1);
    number = gk_input_f32(2);
    step();
}

#ifdef GK_NATIVE
struct gk_region {
    void *address;
    unsigned size;
};
const struct gk_region gk_regions[] = {
    {&select, sizeof select}, {&value, sizeof value},     {&number, sizeof number},
    {&result, sizeof result}, {&counter, sizeof counter}, {table, sizeof table},
};
const unsigned gk_region_count = 6;
struct gk_cell {
    void *address;
    char type;
    unsigned char bits;
    unsigned id;
};
const struct gk_cell gk_cells[] = {{&result, 'i', 32, 0}, {0, 'u', 32, 1}};
const unsigned gk_cell_count = 2;
unsigned long long gk_cell_read(unsigned index) {
    return index == 0 ? (unsigned)result : counter;
}
#endif
