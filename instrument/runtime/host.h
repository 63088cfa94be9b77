/* host: what the woven program calls, inlined into it.
 *
 * Put in front of the woven text (with GK_HOST and GK_NATIVE defined). No standard header: the
 * user's program brings its own declarations.
 *
 * A channel is an input as the program sees it: `bits` is the value that the next read returns
 * unless `pending` says that something has to be looked up first. So a held input costs one test
 * and one load.
 */
struct gk_channel {
    unsigned long long bits;
    unsigned pending, head;
};
extern struct gk_channel gk_channels[];
extern unsigned char gk_seen[]; /* a probe that nobody needs to hear of again */

extern void gk_refill(unsigned id);
extern void gk_new_hit(unsigned probe);
extern void gk_failed_assumption(void);

static inline __attribute__((always_inline)) void gk_hit(unsigned probe) {
    if (__builtin_expect(!gk_seen[probe], 0))
        gk_new_hit(probe);
}

static inline __attribute__((always_inline)) void gk_assume(int condition) {
    if (__builtin_expect(!condition, 0))
        gk_failed_assumption();
}

static inline __attribute__((always_inline)) unsigned long long gk_read(unsigned id) {
    if (__builtin_expect(gk_channels[id].pending, 0))
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
