/* Literal rotation, "ICP and IC3" III-A, with bound generalisation, III-B.
 *
 * After an UNSAT answer the core's first literal is the assumption that was already false when its
 * turn came; the others are the decisions responsible. That literal goes to the front, the others
 * keep their order, and the question is asked again: now another one fails. Each round may lose
 * literals and replace the failing bound by the weakest one that still fails. Stops after as many
 * rounds as literals are left. These questions need no decisions of their own: they are cheap.
 */
#include "engines/ic3/ic3.h"

static bool same_side(struct slit a, struct slit b) {
    return a.var == b.var && a.ge == b.ge;
}

static void keep(struct literals *kept, const struct literals *list, size_t i) {
    assert(i < list->lits.len && list->lits.len == list->bounds.len);
    vec_push(&kept->lits, list->lits.data[i]);
    vec_push(&kept->bounds, list->bounds.data[i]);
}

static size_t position(const struct literals *list, struct slit lit) {
    for (size_t i = 0; i < list->lits.len; i++)
        if (same_side(list->lits.data[i], lit))
            return i;
    return list->lits.len;
}

static bool in_core(const struct slit *core, size_t n, struct slit lit) {
    for (size_t i = 0; i < n; i++)
        if (same_side(core[i], lit) && core[i].ordinal == lit.ordinal)
            return true;
    return false;
}

static bool is_bound(struct bound b) {
    return b.kind == BOUND_GE || b.kind == BOUND_LE;
}

/* The list becomes (failed literal, other core literals in their order). */
static void reorder(struct ic3 *c, struct frame_solver *f, struct literals *list) {
    size_t n;
    const struct slit *core = solver_core(f->solver, &n);
    struct literals kept = {0};
    size_t failed = n > 0 ? position(list, core[0]) : list->lits.len;
    if (failed < list->lits.len && !in_core(core, n, list->lits.data[failed]))
        failed = list->lits.len;
    if (failed < list->lits.len) {
        keep(&kept, list, failed);
        struct slit weak = solver_core_weakest(f->solver);
        if (c->knobs.bound_generalisation && is_bound(kept.bounds.data[0]) &&
            same_side(weak, kept.lits.data[0])) {
            kept.lits.data[0] = weak;
            kept.bounds.data[0].ordinal = weak.ordinal;
        }
    }
    for (size_t i = 0; i < list->lits.len; i++)
        if (i != failed && in_core(core, n, list->lits.data[i]))
            keep(&kept, list, i);
    assert(kept.lits.len <= list->lits.len && "rotation only loses literals");
    literals_free(list);
    *list = kept;
}

void rotate(struct ic3 *c, struct frame_solver *f, const struct slits *before,
            struct literals *list) {
    for (size_t i = 0;;) {
        reorder(c, f, list);
        if (++i >= list->lits.len)
            return;
        enum solver_result result = frames_solve(c, f, before, &list->lits);
        assert(result != SOLVER_SAT);
        if (result == SOLVER_UNKNOWN)
            return; /* what is left is known to be contradictory */
    }
}
