/* host: what the woven program calls, inlined into it.
 *
 * Put in front of the woven text (with GK_HOST and GK_NATIVE defined). No standard header: the
 * user's program brings its own declarations.
 *
 * A channel is an input as the program sees it: `bits` is the value that the next read returns.
 * Those of gk_many (the native build puts this table in front) may return another value at each
 * read: if `pending`, it has to be looked up first. All others cost one load.
 *
 * A hit is told at once, the first time. For simulation (GK_FAST) it is only stored, without a
 * branch; whoever wants to know compares gk_hits with what he has seen. Probes of gk_known (a table
 * in front, like gk_many) are of no interest any more, and the compiler removes them with all that
 * was computed only for them.
 */
struct gk_channel {
    unsigned long long bits;
    unsigned pending, head;
};
extern struct gk_channel gk_channels[];
extern unsigned char gk_hits[];

extern void gk_refill(unsigned id);
extern void gk_new_hit(unsigned probe);
extern void gk_failed_assumption(void);

#ifdef GK_FAST
extern unsigned char gk_held; /* inputs need not be read again */
#define GK_HELD gk_held
static inline __attribute__((always_inline)) void gk_hit(unsigned probe) {
    if (!gk_known[probe])
        gk_hits[probe] = 1;
}
#else
static inline __attribute__((always_inline)) void gk_hit(unsigned probe) {
    if (__builtin_expect(!gk_hits[probe], 0))
        gk_new_hit(probe);
}
#endif

static inline __attribute__((always_inline)) void gk_assume(int condition) {
    if (__builtin_expect(!condition, 0))
        gk_failed_assumption();
}

static inline __attribute__((always_inline)) unsigned long long gk_read(unsigned id) {
    if (gk_many[id] && gk_channels[id].pending)
        gk_refill(id);
    return gk_channels[id].bits;
}

static inline float gk_input_f32(unsigned id) {
    unsigned bits = (unsigned)gk_read(id);
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double gk_input_f64(unsigned id) {
    unsigned long long bits = gk_read(id);
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

static inline _Bool gk_input_b(unsigned id) {
    return (_Bool)(gk_read(id) & 1u);
}
static inline signed char gk_input_i8(unsigned id) {
    return (signed char)gk_read(id);
}
static inline unsigned char gk_input_u8(unsigned id) {
    return (unsigned char)gk_read(id);
}
static inline short gk_input_i16(unsigned id) {
    return (short)gk_read(id);
}
static inline unsigned short gk_input_u16(unsigned id) {
    return (unsigned short)gk_read(id);
}
static inline int gk_input_i32(unsigned id) {
    return (int)gk_read(id);
}
static inline unsigned gk_input_u32(unsigned id) {
    return (unsigned)gk_read(id);
}
static inline long long gk_input_i64(unsigned id) {
    return (long long)gk_read(id);
}
static inline unsigned long long gk_input_u64(unsigned id) {
    return gk_read(id);
}
