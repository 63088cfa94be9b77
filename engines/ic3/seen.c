/* Steps that answers have shown. Most questions of IC3 are asked again in a little other form: each
 * new frame tries to push every lemma, each lemma that fails to hold for ever is tried with other
 * bounds. A step that an earlier answer has found, from a state that no lemma of the level has
 * blocked since, answers them without the solver.
 *
 * A state is known to be in F_l unless a lemma of level l or above contains it; `blocked` is the
 * highest level of such a lemma. Only "no" is ever said here, so nothing sound rests on it.
 */
#include "engines/ic3/ic3.h"

enum { MAX_SEEN = 256, SCANS_A_TICK = 16, EXECUTED_A_TICK = 4 };
enum { SEEN_NOTHING, SEEN_NUMBER, SEEN_NAN };

static size_t place_of(const struct ic3 *c, uint32_t slot, bool after) {
    return (2 * (size_t)slot + after) * c->sys->cells.len;
}

/* The state lies in the cube. A cell that was not in the solver may have any value: `unknown`. */
static bool state_within(const struct ic3 *c, size_t place, const struct cube *cube, bool unknown) {
    for (size_t i = 0; i < cube->len; i++) {
        struct bound b = cube->data[i];
        uint8_t what = bound_is_sum(b) ? SEEN_NOTHING : c->seen.what.data[place + b.cell];
        int64_t value = what == SEEN_NUMBER ? c->seen.ordinals.data[place + b.cell] : 0;
        bool inside = what == SEEN_NOTHING      ? unknown
                      : b.kind == BOUND_NAN     ? what == SEEN_NAN
                      : b.kind == BOUND_NOT_NAN ? what == SEEN_NUMBER
                      : what == SEEN_NAN        ? false
                      : b.kind == BOUND_GE      ? value >= b.ordinal
                                                : value <= b.ordinal;
        if (!inside)
            return false;
    }
    return true;
}

/* What the machine is in. */
static void note_state(struct ic3 *c, const struct frame *frame, uint32_t slot, bool after) {
    size_t place = place_of(c, slot, after);
    for (size_t i = 0; i < c->sys->cells.len; i++) {
        term_t var = c->sys->cells.data[i].var;
        sort_t sort = term_sort(c->sys->terms, var);
        uint64_t bits = c->seen.machine.cells.data[i];
        bool is_signed = c->sys->terms->vars.data[term_get(c->sys->terms, var)->payload].is_signed;
        bool nan = bits_are_nan(sort, bits);
        bool known = solver_encoded(frame, var) != 0;
        c->seen.what.data[place + i] = !known ? SEEN_NOTHING : nan ? SEEN_NAN : SEEN_NUMBER;
        c->seen.ordinals.data[place + i] = nan ? 0 : ordinal_of(sort, is_signed, bits);
    }
}

/* Executes the step of the model: of what did not matter the model may say anything. False when
 * the step does not end. */
static bool execute(struct ic3 *c, const struct frame_solver *f, uint32_t slot) {
    struct machine *m = &c->seen.machine;
    VEC(uint64_t) inputs = {0};
    if (!m->sys)
        machine_init(m, c->sys);
    for (size_t i = 0; i < c->sys->cells.len; i++) {
        term_t var = c->sys->cells.data[i].var;
        m->cells.data[i] = unroll_value(&f->unroll, 0, var);
        m->var_values.data[term_get(c->sys->terms, var)->payload] = m->cells.data[i];
    }
    note_state(c, f->unroll.steps.data[0], slot, false);
    for (size_t i = 0; i < c->sys->inputs.len; i++)
        vec_push(&inputs, unroll_value(&f->unroll, 0, c->sys->inputs.data[i].var));
    vec_push(&inputs, 0);
    m->ended = false;
    machine_step(m, inputs.data);
    note_state(c, f->unroll.steps.data[0], slot, true);
    vec_free(&inputs);
    return !m->ended;
}

static void note_blocked(struct ic3 *c, uint32_t slot, const struct lemma *lemma) {
    uint32_t *blocked = &c->seen.blocked.data[slot];
    if (lemma->level > *blocked && state_within(c, place_of(c, slot, false), &lemma->cube, true))
        *blocked = lemma->level;
}

void seen_add(struct ic3 *c, const struct frame_solver *f) {
    struct seen_steps *s = &c->seen;
    if (!c->knobs.remember)
        return;
    assert(f->knows_lemmas && f->unroll.steps.len == 2);
    uint32_t slot = s->next++ % MAX_SEEN;
    if (slot >= s->blocked.len) {
        vec_push(&s->blocked, 0);
        vec_resize_zero(&s->ordinals, place_of(c, slot + 1, false));
        vec_resize_zero(&s->what, place_of(c, slot + 1, false));
    }
    s->blocked.data[slot] = execute(c, f, slot) ? 0 : LEVEL_INFINITE;
    for (size_t i = 0; i < c->lemmas.len; i++)
        note_blocked(c, slot, &c->lemmas.data[i]);
    c->ticks_before += c->lemmas.len / SCANS_A_TICK + bmc_step_effort(c->base) / EXECUTED_A_TICK;
}

void seen_lemma(struct ic3 *c, const struct lemma *lemma) {
    for (uint32_t slot = 0; slot < c->seen.blocked.len; slot++)
        note_blocked(c, slot, lemma);
    c->ticks_before += c->seen.blocked.len / SCANS_A_TICK;
}

bool seen_reached(struct ic3 *c, const struct cube *cube, uint32_t level) {
    assert(level >= 1);
    c->ticks_before += c->seen.blocked.len / SCANS_A_TICK;
    for (uint32_t slot = 0; slot < c->seen.blocked.len; slot++)
        if (c->seen.blocked.data[slot] < level &&
            state_within(c, place_of(c, slot, true), cube, false) &&
            !state_within(c, place_of(c, slot, false), cube, true))
            return true;
    return false;
}

void seen_free(struct ic3 *c) {
    vec_free(&c->seen.ordinals);
    vec_free(&c->seen.what);
    vec_free(&c->seen.blocked);
    if (c->seen.machine.sys)
        machine_free(&c->seen.machine);
    c->seen.machine = (struct machine){0};
    c->seen.next = 0;
}
