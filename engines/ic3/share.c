/* What is inductive on its own, "F_infinity": of all lemmas of a run that ends without an answer,
 * the greatest set that holds for ever. Initial states and step are the same for all goals, so this
 * set is known to the next attempt (a restart, another target) and, as a fact, to other engines.
 *
 * No lemma excludes an initial state; what is left after dropping every clause that a step from all
 * others can break is inductive relative to what was known before, which stands alone itself: no
 * circle can arise, neither through the property (it is not assumed) nor through frames.
 */
#include "engines/ic3/ic3.h"

struct candidates {
    struct ic3 *c;
    struct frame_solver *f;
    VEC(struct clause) clauses; /* negated cubes */
    VEC(svar) active;           /* asserts the clause in step 0 */
    VEC(bool) dropped;
};

static void add_candidates(struct candidates *s) {
    for (size_t i = 0; i < s->c->lemmas.len; i++) {
        struct clause clause = {0};
        svar active = solver_new_bool(s->f->solver);
        struct slit off = slit_false(active);
        cube_negate(&s->c->lemmas.data[i].cube, &clause);
        unroll_clause(&s->f->unroll, 0, clause.data, clause.len, &off, 1);
        vec_push(&s->clauses, clause);
        vec_push(&s->active, active);
    }
    assert(s->active.len == s->clauses.len);
    vec_resize_zero(&s->dropped, s->clauses.len);
}

/* Can a step from states that satisfy all clauses left leave this one? */
static bool holds_next(struct candidates *s, size_t i) {
    assert(!s->dropped.data[i] && s->f->unroll.steps.len == 2);
    struct slits before = {0};
    struct literals next = {0};
    for (size_t k = 0; k < s->active.len; k++)
        if (!s->dropped.data[k])
            vec_push(&before, slit_true(s->active.data[k]));
    bool holds = !cube_literals(s->f, 1, &s->c->lemmas.data[i].cube, &next) ||
                 frames_solve(s->c, s->f, &before, &next.lits) == SOLVER_UNSAT;
    vec_free(&before);
    literals_free(&next);
    return holds;
}

static bool drop_broken(struct candidates *s) {
    bool dropped = false;
    for (size_t i = 0; i < s->clauses.len && !s->c->out_of_ticks; i++)
        if (!s->dropped.data[i] && !holds_next(s, i))
            s->dropped.data[i] = dropped = true;
    return dropped;
}

/* A run that was interrupted before has shared most of its lemmas already. */
static size_t keep_in_known(struct candidates *s) {
    size_t kept = 0;
    for (size_t i = 0; i < s->clauses.len; i++)
        if (!s->dropped.data[i] && !invariant_has(s->c->known, &s->clauses.data[i])) {
            invariant_add(s->c->known, s->clauses.data[i].data, s->clauses.data[i].len);
            kept++;
        }
    return kept;
}

static void report_lemmas(struct ic3 *c) {
    assert(c->known->clauses.len > 0);
    struct fact fact = {.kind = FACT_LEMMA, .target = NONE};
    invariant_init(&fact.invariant);
    invariant_copy(&fact.invariant, c->known);
    vec_clear(&fact.invariant.targets);
    fact.invariant.k = 1;
    engine_report(c->input, &fact);
    fact_free(&fact);
}

void share_inductive(struct ic3 *c, uint64_t ticks) {
    if (!c->knobs.share_infinite || c->lemmas.len == 0)
        return;
    struct frame_solver f;
    struct candidates s = {.c = c, .f = &f};
    uint64_t until = c->until;
    bool out_of_ticks = c->out_of_ticks;
    c->out_of_ticks = false;
    c->until = frames_ticks(c) + ticks;
    frame_solver_open(c, &f, UNROLL_FROM_ANY, 1, false);
    add_candidates(&s);
    while (drop_broken(&s))
        ;
    if (!c->out_of_ticks && keep_in_known(&s) > 0)
        report_lemmas(c);
    frame_solver_close(c, &f);
    c->until = until;
    c->out_of_ticks = out_of_ticks;
    for (size_t i = 0; i < s.clauses.len; i++)
        vec_free(&s.clauses.data[i]);
    vec_free(&s.clauses);
    vec_free(&s.active);
    vec_free(&s.dropped);
}
