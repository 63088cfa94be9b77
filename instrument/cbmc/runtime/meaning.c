/* What C leaves to the compiler, asked of CBMC before its answers count, in the data model of the
 * program. gcc and clang are asked the same in a test. Each question names its row of meaning.def;
 * values come from nondet functions, so that the solver has to find the answers. */
#ifdef GK_HOST_MEANING
#define ANY(type, name, value)                                                                     \
    volatile type name##_ = (value);                                                               \
    type name = name##_
#else
#define GK_MEANS(row, condition) __CPROVER_assert(condition, #row)
#define ANY(type, name, value)                                                                     \
    type nondet_##name(void);                                                                      \
    type name = nondet_##name();                                                                   \
    __CPROVER_assume(name == (value))
#endif

/* as instrument/weave/enums.h writes them */
typedef __typeof__((unsigned int)(enum {OFF, ON, FAULT})0) mode;
static const __typeof__((int)(enum {MINUS = -1, NONE})0) negative = MINUS;

struct bits {
    int s : 3;
    unsigned u : 3;
    signed int t : 5;
    unsigned char c : 2;
    unsigned long long w : 40;
    _Bool b : 1;
    mode m : 2;
};
struct __attribute__((packed)) packed {
    char a;
    int b;
    short c;
};
struct natural {
    char a;
    int b;
    short c[3];
};
struct wide {
    int a;
    long long b;
    double c;
};
union parts {
    unsigned u;
    unsigned char b[4];
    float f;
    struct {
        unsigned short lo, hi;
    } h;
};

static void integers(void) {
    ANY(int, m, -7);
    ANY(int, p, 2);
    unsigned um = (unsigned)m;
    unsigned char uc = (unsigned char)um;
    GK_MEANS(division, m / p == -3 && m % p == -1 && -m / -p == -3 && -m % -p == 1);
    GK_MEANS(division, (long long)m / p == -3 && m % 4 == -3 && 7 % (m + 3) == 3);
    GK_MEANS(shift, m >> 1 == -4 && um >> 1 == 0x7ffffffcu && um << p == 0xffffffe4u);
    GK_MEANS(shift, m << p == -28 && (signed char)(m << 5) == 32 && ((long long)m >> 40) == -1);
    GK_MEANS(promotion, uc << 8 == 0xf900 && ~uc < 0 && -uc == -249 && uc - 250 < 0);
    GK_MEANS(promotion, (unsigned short)(uc * uc * 3) == 54931 && m < (signed char)p && um > 1u);
    GK_MEANS(promotion, m > 1u && (_Bool)m == 1 && (_Bool)0.5 == 1 && sizeof(_Bool) == 1);
    GK_MEANS(overflow, p + 0x7fffffff == -0x7fffffff && (short)um == -7);
    GK_MEANS(overflow, m * 0x40000000 == 0x40000000 && (signed char)(uc + 7) == 0);
}

static void wide_integers(void) {
    ANY(long long, big, 0x123456789all);
    ANY(unsigned, um, 0xfffffff9u);
    GK_MEANS(wide, sizeof big == 8 && sizeof(long) == sizeof(void *) && big >> 32 == 0x12);
    GK_MEANS(wide, (int)big == 0x3456789a && -big >> 4 == -0x12345678all && um + 1ll > 0);
    GK_MEANS(wide,
             (sizeof(long) == 8) == (um + -1l < 0xfffffff9u + 1ull && um + 1l > 0 && (long)um > 0));
    GK_MEANS(wide, -7 / (big - 0x1234567898ll) == -3 && (big ^ -1ll) == -0x123456789bll);
}

static void characters(void) {
    ANY(unsigned char, byte, 0x80);
    char c = (char)byte;
    GK_MEANS(character, c == ((char)-1 < 0 ? -128 : 128) && sizeof c == 1);
    GK_MEANS(character_constant, '\xff' == (char)-1);
#ifdef __CHAR_UNSIGNED__
    GK_MEANS(character, c > 0);
#else
    GK_MEANS(character, c < 0);
#endif
}

static mode as_mode(unsigned value) {
    return (mode)value;
}

static void enumerations(void) {
    ANY(unsigned, high, 0xfffffffeu);
    mode m = as_mode(high), *at = &m;
    GK_MEANS(enumeration, m > OFF && *at > FAULT && m / 2 == 0x7fffffff && (long long)m > 0);
    GK_MEANS(enumeration, OFF - 1 < 0 && negative < 0 && sizeof(mode) == 4);
}

static void bit_fields(void) {
    ANY(int, m, -7);
    struct bits b;
    b.s = m + 14;
    b.u = (unsigned)m;
    b.t = m;
    b.c = (unsigned char)m;
    b.w = (unsigned long long)m;
    b.b = m;
    b.m = (mode)(m + 10);
    GK_MEANS(bit_field, b.s == -1 && b.u == 1 && b.t == -7 && b.c == 1 && b.b == 1 && b.m == 3);
    GK_MEANS(bit_field, b.w == 0xfffffffff9ull && b.u - 8 < 0 && b.c - 2 < 0 && b.m - 4 < 0);
}

static void structures(void) {
    ANY(unsigned, one, 0x3f800000u);
    struct packed k;
    union parts u;
    k.a = 1;
    k.b = -7;
    k.c = 3;
    GK_MEANS(packed, sizeof k == 7 && (char *)&k.b - (char *)&k == 1 && k.b == -7);
    GK_MEANS(packed, *(short *)((char *)&k + 5) == 3);
    GK_MEANS(layout, sizeof(struct natural) == 16 && __builtin_offsetof(struct natural, c) == 8);
    GK_MEANS(wide_layout, __builtin_offsetof(struct wide, b) == (sizeof(long) == 8 ? 8 : 4));
    u.u = one;
    GK_MEANS(overlay, u.f == 1.0f && u.b[3] == 0x3f && u.b[2] == 0x80 && u.h.hi == 0x3f80);
    u.b[0] = 1;
    GK_MEANS(overlay, u.u == 0x3f800001u);
}

static void floats(void) {
    ANY(double, d, -2.75);
    ANY(float, f, 16777216.0f);
    ANY(unsigned, um, 0xfffffff9u);
    ANY(int, odd, 16777217);
    GK_MEANS(float_to_int, (int)d == -2 && (signed char)d == -2 && (int)-d == 2);
    GK_MEANS(float_to_int, (unsigned)-d == 2u && (long long)d == -2 && (unsigned char)f == 0);
    GK_MEANS(int_to_float, (float)odd == f && (double)um == 4294967289.0 && (double)odd > f);
    GK_MEANS(int_to_float, (float)um == 4294967296.0f && (float)-odd == -f);
    GK_MEANS(rounding, f + 1.0f == f && f + 3.0f == 16777220.0f && (float)0.1 != 0.1);
    GK_MEANS(rounding, f * f == 0x1p48f && f * 0x1p104f > 3e38f && (float)(0.1 + d) == -2.65f);
    GK_MEANS(long_double, 1.0L + 0x1p-63L != 1.0L && 1.0L + 0x1p-64L == 1.0L);
}

/* Asked only where the program has to do with it: divisions take CBMC a while. */
#ifdef GK_ROUNDING_MODES
int fesetround(int mode);
int fegetround(void);

/* The numbers of the modes are those of x86: up, down, toward zero. */
static void rounding_modes(void) {
    ANY(int, up, 0x800);
    GK_MEANS(rounding_mode, fegetround() == 0 && fesetround(up) == 0 && fegetround() == up);
    ANY(double, d, 3.0);
    ANY(int, odd, 16777217);
    GK_MEANS(rounding_mode, 1.0 / d == 0x1.5555555555556p-2 && -1.0 / d == -0x1.5555555555555p-2);
    GK_MEANS(rounding_mode, (float)odd == 16777218.0f && (float)-odd == -16777216.0f);
    GK_MEANS(rounding_mode, fesetround(0x400) == 0 && fegetround() == 0x400);
    ANY(double, e, 3.0);
    ANY(double, minus, 0x1p-60);
    GK_MEANS(rounding_mode, e + minus == 3.0 && e - minus == 0x1.7ffffffffffffp1);
    GK_MEANS(rounding_mode, (float)(minus - e) == -3.0f);
    GK_MEANS(rounding_mode, fesetround(0xc00) == 0 && e - minus == 0x1.7ffffffffffffp1);
    ANY(double, below, -3.0);
    GK_MEANS(rounding_mode,
             below * 0x1.0000000000001p0 == -0x1.8000000000001p1 && below - minus == -3.0);
    GK_MEANS(rounding_mode, fesetround(0) == 0 && fegetround() == 0);
}
#endif

static void pointers(void) {
    static int a[4];
    ANY(int, i, 2);
    int *q = &a[i], *r = &a[i - 1];
    GK_MEANS(pointer, q > r && q - r == 1 && q != r && (char *)q - (char *)r == 4 && r + 1 == q);
    GK_MEANS(pointer, &a[4] > q && !(q < r) && *q == 0);
}

int main(void) {
    integers();
    wide_integers();
    characters();
    enumerations();
    bit_fields();
    structures();
    floats();
#ifdef GK_ROUNDING_MODES
    rounding_modes();
#endif
    pointers();
    return 0;
}
