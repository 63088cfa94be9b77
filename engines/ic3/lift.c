/* Proof obligations are generalised by execution on boxes (interval.h) where the operators are
 * functions, otherwise with the negated transition relation (GeNTR),
 * "ICP and IC3" III-D: for a predecessor e of c under inputs i the formula
 *
 *     e(s0) and i and not (step_ok(s0, i) and c(next(s0, i)))
 *
 * is contradictory; rotation over the bounds of e keeps what that needs. next is a function of
 * state and inputs here, so T needs no other negation. For bad states the negated part is "the
 * suffix runs through and hits the target in its last step".
 */
#include "engines/ic3/ic3.h"

/* Adds "not all of these" behind a temporary activation literal. */
static svar assert_not_reached(struct ic3 *c, uint32_t n_steps, const struct cube *to) {
    struct frame_solver *f = &c->lift;
    svar temporary = solver_new_bool(f->solver);
    struct slits before = {0};
    vec_push(&before, slit_false(temporary));
    assert(n_steps < f->unroll.steps.len || !to);
    uint32_t checked = to ? n_steps : n_steps - 1;
    for (uint32_t j = 0; j < checked; j++)
        vec_push(&before, slit_false(unroll_term(&f->unroll, j, c->sys->step_ok)));
    struct clause clause = {0};
    if (to)
        cube_negate(to, &clause);
    else
        vec_push(&before, slit_false(unroll_term(&f->unroll, n_steps - 1,
                                                 c->sys->targets.data[c->target].hit)));
    unroll_clause(&f->unroll, n_steps, clause.data, clause.len, before.data, before.len);
    vec_free(&clause);
    vec_free(&before);
    return temporary;
}

static void fix_input(struct frame_solver *f, svar v, sort_t sort, uint64_t bits,
                      struct slits *before) {
    bool is_signed = solver_is_signed(f->solver, v);
    svar nan = solver_nan(f->solver, v);
    bool is_nan = bits_are_nan(sort, bits);
    if (nan)
        vec_push(before, is_nan ? slit_true(nan) : slit_false(nan));
    if (is_nan)
        return;
    int64_t value = ordinal_of(sort, is_signed, bits);
    assert(value >= ordinal_min(sort, is_signed) && value <= ordinal_max(sort, is_signed));
    if (value > ordinal_min(sort, is_signed))
        vec_push(before, slit_ge(v, value));
    if (value < ordinal_max(sort, is_signed))
        vec_push(before, slit_le(v, value));
}

static void fix_inputs(struct ic3 *c, const uint64_t *inputs, uint32_t n_steps,
                       struct slits *before) {
    const struct system *sys = c->sys;
    for (uint32_t j = 0; j < n_steps; j++)
        for (size_t i = 0; i < sys->inputs.len; i++) {
            svar v = solver_encoded(c->lift.unroll.steps.data[j], sys->inputs.data[i].var);
            if (v)
                fix_input(&c->lift, v, term_sort(sys->terms, sys->inputs.data[i].var),
                          inputs[j * sys->inputs.len + i], before);
        }
}

void lift(struct ic3 *c, struct cube *cube, const uint64_t *inputs, uint32_t n_steps,
          const struct cube *to) {
    assert(!to || n_steps == 1);
    if (cube->len == 0 || (c->interval && interval_land(c->interval, cube, inputs, n_steps, to)) ||
        !c->knobs.gentr)
        return;
    struct frame_solver *f = &c->lift;
    svar temporary = assert_not_reached(c, n_steps, to);
    struct slits before = {0};
    struct literals list = {0};
    vec_push(&before, slit_true(temporary));
    fix_inputs(c, inputs, n_steps, &before);
    /* Not contradictory only where an operator is an enclosure, not a function. */
    bool possible = cube_literals(f, 0, cube, &list);
    if (possible && c->knobs.shuffle_lift)
        literals_shuffle(c, &list);
    if (possible && frames_solve(c, f, &before, &list.lits) == SOLVER_UNSAT) {
        rotate(c, f, &before, &list);
        vec_clear(cube);
        vec_append(cube, list.bounds.data, list.bounds.len);
    }
    frame_solver_retire(f, temporary);
    vec_free(&before);
    literals_free(&list);
}
