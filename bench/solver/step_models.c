/* The models: see step_models.h. */
#include "step_models.h"

static term_t f32(struct step_model *m, double value) {
    return term_f32(&m->ts, (float)value);
}
static term_t op2(struct step_model *m, enum op op, term_t a, term_t b) {
    return term_op2(&m->ts, op, a, b);
}
static term_t ite(struct step_model *m, term_t c, term_t a, term_t b) {
    return term_ite(&m->ts, c, a, b);
}
static term_t both(struct step_model *m, term_t a, term_t b) {
    return term_and(&m->ts, a, b);
}

static term_t add_input(struct step_model *m, sort_t sort, term_t lo, term_t hi) {
    term_t t = term_var(&m->ts, "input", sort, true);
    enum op le = sort_is_float(sort) ? OP_FLE : OP_SLE;
    m->input[m->n_inputs] = t;
    m->input_ok[m->n_inputs++] =
        lo ? both(m, op2(m, le, lo, t), op2(m, le, t, hi)) : term_bool(&m->ts, true);
    return t;
}
static term_t add_cell(struct step_model *m, sort_t sort, term_t init) {
    m->cell[m->n_cells] = term_var(&m->ts, "cell", sort, true);
    m->init[m->n_cells] = init;
    return m->cell[m->n_cells++];
}
static void add_target(struct step_model *m, term_t t) {
    m->target[m->n_targets++] = t;
}
static term_t clamp(struct step_model *m, term_t x, term_t lo, term_t hi) {
    return ite(m, op2(m, OP_FLT, hi, x), hi, ite(m, op2(m, OP_FLT, x, lo), lo, x));
}

/* PI controller with saturated integrator on a first-order plant */
static void pi_controller(struct step_model *m) {
    term_t ref = add_input(m, SORT_F32, f32(m, -10), f32(m, 10));
    term_t noise = add_input(m, SORT_F32, f32(m, -0.01), f32(m, 0.01));
    term_t integ = add_cell(m, SORT_F32, f32(m, 0)), y = add_cell(m, SORT_F32, f32(m, 0));
    term_t err = op2(m, OP_FSUB, ref, op2(m, OP_FADD, y, noise));
    term_t i =
        clamp(m, op2(m, OP_FADD, integ, op2(m, OP_FMUL, err, f32(m, 0.05))), f32(m, -5), f32(m, 5));
    term_t u =
        clamp(m, op2(m, OP_FADD, op2(m, OP_FMUL, err, f32(m, 1.25)), i), f32(m, -8), f32(m, 8));
    m->next[0] = i;
    m->next[1] = op2(m, OP_FADD, op2(m, OP_FMUL, y, f32(m, 0.9)), op2(m, OP_FMUL, u, f32(m, 0.1)));
    add_target(m, op2(m, OP_FLT, f32(m, 5), integ));
    add_target(m, op2(m, OP_FLT, f32(m, 7.5), y));
    add_target(m, op2(m, OP_FLT, f32(m, 8.5), y));
    add_target(m, both(m, op2(m, OP_FLE, f32(m, 5), integ), op2(m, OP_FLT, y, f32(m, 0.5))));
}

/* rate limiter: the output moves by at most 0.25 a step */
static void rate_limiter(struct step_model *m) {
    term_t in = add_input(m, SORT_F32, f32(m, -100), f32(m, 100));
    term_t out = add_cell(m, SORT_F32, f32(m, 0)), last = add_cell(m, SORT_F32, f32(m, 0));
    term_t d = op2(m, OP_FSUB, in, out);
    term_t up = op2(m, OP_FADD, out, f32(m, 0.25)), down = op2(m, OP_FSUB, out, f32(m, 0.25));
    m->next[0] = ite(m, op2(m, OP_FLT, f32(m, 0.25), d), up,
                     ite(m, op2(m, OP_FLT, d, f32(m, -0.25)), down, in));
    m->next[1] = out;
    add_target(m, op2(m, OP_FLT, f32(m, 0.5), op2(m, OP_FSUB, out, last)));
    add_target(m, op2(m, OP_FLT, f32(m, 3), out));
    add_target(m, op2(m, OP_FLT, f32(m, 101), out));
    add_target(m, both(m, op2(m, OP_FLT, f32(m, 0.9), out), op2(m, OP_FLT, out, f32(m, 1))));
}

/* low-pass of two stages, hysteresis, debounce counter */
static void filter_debounce(struct step_model *m) {
    term_t in = add_input(m, SORT_F32, f32(m, -40), f32(m, 150));
    term_t a = add_cell(m, SORT_F32, f32(m, 20)), b = add_cell(m, SORT_F32, f32(m, 20));
    term_t hot = add_cell(m, SORT_BOOL, term_bool(&m->ts, false));
    term_t count = add_cell(m, 16, term_int(&m->ts, 16, 0));
    term_t a1 = op2(m, OP_FADD, a, op2(m, OP_FMUL, op2(m, OP_FSUB, in, a), f32(m, 0.3)));
    term_t b1 = op2(m, OP_FADD, b, op2(m, OP_FMUL, op2(m, OP_FSUB, a1, b), f32(m, 0.2)));
    term_t h1 = ite(m, op2(m, OP_FLT, f32(m, 110), b1), term_bool(&m->ts, true),
                    ite(m, op2(m, OP_FLT, b1, f32(m, 100)), term_bool(&m->ts, false), hot));
    term_t full = op2(m, OP_SLE, term_int(&m->ts, 16, 200), count);
    term_t inc = op2(m, OP_ADD, count, term_int(&m->ts, 16, 1));
    m->next[0] = a1;
    m->next[1] = b1;
    m->next[2] = h1;
    m->next[3] = ite(m, h1, ite(m, full, count, inc), term_int(&m->ts, 16, 0));
    add_target(m, both(m, hot, op2(m, OP_FLT, b, f32(m, 99))));
    add_target(m, op2(m, OP_SLT, term_int(&m->ts, 16, 200), count));
    add_target(m, op2(m, OP_SLE, term_int(&m->ts, 16, 10), count));
    add_target(m, op2(m, OP_FLT, f32(m, 160), b));
}

/* interpolation in a table of four points, with a division */
static void interpolation(struct step_model *m) {
    static const double xs[] = {0, 10, 25, 60}, ys[] = {1, 4, 3.5, 9};
    term_t x = add_input(m, SORT_F32, f32(m, -20), f32(m, 100));
    term_t y = add_cell(m, SORT_F32, f32(m, 1)), peak = add_cell(m, SORT_F32, f32(m, 1));
    term_t value = f32(m, ys[3]);
    for (int i = 2; i >= 0; i--) {
        term_t part = op2(m, OP_FDIV, op2(m, OP_FSUB, x, f32(m, xs[i])), f32(m, xs[i + 1] - xs[i]));
        term_t v = op2(m, OP_FADD, f32(m, ys[i]), op2(m, OP_FMUL, part, f32(m, ys[i + 1] - ys[i])));
        value = ite(m, op2(m, OP_FLT, x, f32(m, xs[i + 1])), v, value);
    }
    value = ite(m, op2(m, OP_FLE, x, f32(m, xs[0])), f32(m, ys[0]), value);
    m->next[0] = value;
    m->next[1] = ite(m, op2(m, OP_FLT, peak, value), value, peak);
    add_target(m, op2(m, OP_FLT, f32(m, 9.01), y));
    add_target(m, op2(m, OP_FLT, y, f32(m, 0.99)));
    add_target(m, op2(m, OP_FLT, peak, y));
    add_target(m, both(m, op2(m, OP_FLT, f32(m, 5), peak), op2(m, OP_FLT, y, f32(m, 2))));
}

/* fixed point: scaling by a shift, saturation, accumulation in 32 bit */
static void fixed_point(struct step_model *m) {
    sort_t w = 32;
    term_t in = add_input(m, w, term_int(&m->ts, w, -32768), term_int(&m->ts, w, 32767));
    term_t acc = add_cell(m, w, term_int(&m->ts, w, 0)),
           mode = add_cell(m, w, term_int(&m->ts, w, 0));
    term_t scaled =
        op2(m, OP_ASHR, op2(m, OP_MUL, in, term_int(&m->ts, w, 41943)), term_int(&m->ts, w, 16));
    term_t sum = op2(m, OP_ADD, acc, scaled);
    term_t hi = term_int(&m->ts, w, 1000000), lo = term_int(&m->ts, w, -1000000);
    m->next[0] = ite(m, op2(m, OP_SLT, hi, sum), hi, ite(m, op2(m, OP_SLT, sum, lo), lo, sum));
    term_t step = op2(m, OP_ADD, mode, term_int(&m->ts, w, 1));
    m->next[1] = ite(m, op2(m, OP_SLT, term_int(&m->ts, w, 50000), acc),
                     ite(m, op2(m, OP_SLT, mode, term_int(&m->ts, w, 7)), step, mode),
                     term_int(&m->ts, w, 0));
    add_target(m, op2(m, OP_SLT, hi, acc));
    add_target(m, op2(m, OP_SLT, term_int(&m->ts, w, 90000), acc));
    add_target(m, op2(m, OP_SLT, term_int(&m->ts, w, 7), mode));
    add_target(m, op2(m, OP_SLE, term_int(&m->ts, w, 4), mode));
}

/* state machine with float guards and timers */
static void state_machine(struct step_model *m) {
    sort_t w = 8;
    term_t speed = add_input(m, SORT_F32, f32(m, 0), f32(m, 250));
    term_t brake = add_input(m, SORT_BOOL, 0, 0), set = add_input(m, SORT_BOOL, 0, 0);
    term_t state = add_cell(m, w, term_int(&m->ts, w, 0));
    term_t want = add_cell(m, SORT_F32, f32(m, 0)), timer = add_cell(m, w, term_int(&m->ts, w, 0));
    term_t is[4], to[4];
    for (int i = 0; i < 4; i++) {
        to[i] = term_int(&m->ts, w, i);
        is[i] = op2(m, OP_EQ, state, to[i]);
    }
    term_t fast = op2(m, OP_FLT, f32(m, 40), speed);
    term_t near = op2(m, OP_FLT, op2(m, OP_FSUB, speed, want), f32(m, 2));
    term_t expired = op2(m, OP_SLE, term_int(&m->ts, w, 5), timer);
    term_t off = to[0], on = ite(m, brake, to[2], ite(m, near, to[1], to[3]));
    term_t next = ite(m, is[0], ite(m, both(m, set, fast), to[1], off), on);
    next = ite(m, is[2], ite(m, expired, to[0], to[2]), next);
    m->next[0] = next;
    m->next[1] = ite(m, both(m, is[0], set), speed, want);
    m->next[2] =
        ite(m, is[2], op2(m, OP_ADD, timer, term_int(&m->ts, w, 1)), term_int(&m->ts, w, 0));
    add_target(m, op2(m, OP_SLT, to[3], state));
    add_target(m, op2(m, OP_SLT, term_int(&m->ts, w, 6), timer));
    add_target(m, both(m, is[3], op2(m, OP_FLE, want, f32(m, 40))));
    add_target(m, both(m, is[2], expired));
}

/* charge of a battery in double: current times step over capacity, limited, with a fault latch */
static void battery(struct step_model *m) {
    struct terms *ts = &m->ts;
    term_t amps = add_input(m, SORT_F64, term_f64(ts, -200), term_f64(ts, 300));
    term_t soc = add_cell(m, SORT_F64, term_f64(ts, 0.8));
    term_t fault = add_cell(m, SORT_BOOL, term_bool(ts, false));
    term_t used = op2(m, OP_FDIV, op2(m, OP_FMUL, amps, term_f64(ts, 0.1)), term_f64(ts, 72000));
    term_t raw = op2(m, OP_FSUB, soc, used);
    m->next[0] = clamp(m, raw, term_f64(ts, 0), term_f64(ts, 1));
    m->next[1] = term_or(ts, fault, op2(m, OP_FLT, op2(m, OP_FSUB, soc, raw), term_f64(ts, -1e-3)));
    add_target(m, op2(m, OP_FLT, term_f64(ts, 1), soc));
    add_target(m, fault);
    add_target(m, op2(m, OP_FLT, soc, term_f64(ts, 0.799)));
    add_target(m, op2(m, OP_FLT, soc, term_f64(ts, 0.7)));
}

static const struct {
    const char *name;
    void (*make)(struct step_model *m);
} models[] = {
    {"pi_controller", pi_controller},
    {"rate_limiter", rate_limiter},
    {"filter_debounce", filter_debounce},
    {"interpolation", interpolation},
    {"fixed_point", fixed_point},
    {"state_machine", state_machine},
    {"battery", battery},
};

size_t step_model_count(void) {
    return sizeof models / sizeof *models;
}

void step_model_make(size_t index, struct step_model *m) {
    *m = (struct step_model){.name = models[index].name};
    terms_init(&m->ts);
    models[index].make(m);
}

void step_model_free(struct step_model *m) {
    terms_free(&m->ts);
}
