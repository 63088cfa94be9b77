/* equations: asserted equations x = t as definitions.
 *
 * Unrolled programs are conjunctions of equations, one for each variable of each step. As an atom
 * such an equation leaves x a source that has to be decided and t something to be compared with
 * it. When x has no solver variable yet, it becomes another name of t's instead. Only what is
 * asserted for good may define; equations in a circle leave one variable free. */
#include "engines/smtlib/parts.h"

#include <assert.h>

enum { UNSEEN, OPEN, DONE };

struct definer {
    struct smt *smt;
    term_t *of;     /* by term: what the variable is to be, or 0 */
    uint8_t *state; /* by term */
    VEC(term_t) stack;
    size_t found;
};

static bool definable(const struct definer *d, term_t x, term_t t) {
    const struct term *var = term_get(&d->smt->terms, x);
    return var->op == OP_VAR && sort_is_float(var->sort) && x != t && !d->of[x] && d->of[t] != x &&
           !solver_encoded(d->smt->frame, x);
}

static void note_equation(struct definer *d, const struct term *eq) {
    term_t a = eq->arg[0], b = eq->arg[1];
    if (definable(d, a, b))
        d->of[a] = b;
    else if (definable(d, b, a))
        d->of[b] = a;
    else
        return;
    d->found++;
}

static void note_conjuncts(struct definer *d, term_t root) {
    vec_push(&d->stack, root);
    while (d->stack.len > 0) {
        term_t t = vec_pop(&d->stack);
        const struct term *term = term_get(&d->smt->terms, t);
        if (d->state[t] == DONE)
            continue;
        d->state[t] = DONE;
        if (term->op == OP_EQ) {
            note_equation(d, term);
        } else if (term->op == OP_AND) {
            vec_push(&d->stack, term->arg[1]);
            vec_push(&d->stack, term->arg[0]);
        }
    }
}

/* What t stands for and rests on, pushed as far as it is unseen. False: nothing is. */
static bool push_below(struct definer *d, term_t t) {
    const struct term *term = term_get(&d->smt->terms, t);
    size_t before = d->stack.len;
    if (d->of[t] && d->state[d->of[t]] == UNSEEN)
        vec_push(&d->stack, d->of[t]);
    for (int i = 0; i < term->arity; i++)
        if (d->state[term->arg[i]] == UNSEEN)
            vec_push(&d->stack, term->arg[i]);
    return d->stack.len > before;
}

/* A variable that is still open below its own definition was made a source there. */
static void define(struct definer *d, term_t x) {
    struct smt *smt = d->smt;
    svar v = solver_encode(smt->solver, smt->frame, d->of[x]);
    if (!solver_encoded(smt->frame, x))
        solver_frame_bind(smt->solver, smt->frame, x, v);
}

static void define_below(struct definer *d, term_t root) {
    vec_push(&d->stack, root);
    while (d->stack.len > 0) {
        term_t t = vec_last(&d->stack);
        if (d->state[t] == UNSEEN) {
            d->state[t] = OPEN;
            if (push_below(d, t))
                continue;
        }
        (void)vec_pop(&d->stack);
        if (d->state[t] == OPEN && d->of[t])
            define(d, t);
        d->state[t] = DONE;
    }
}

void smt_equations(struct smt *smt, term_t asserted) {
    size_t n = smt->terms.nodes.len;
    assert(smt->levels.len == 0 && asserted < n);
    uint8_t op = term_get(&smt->terms, asserted)->op;
    if (op != OP_EQ && op != OP_AND)
        return;
    struct definer d = {.smt = smt};
    d.of = mem_zalloc(n, sizeof *d.of);
    d.state = mem_zalloc(n, sizeof *d.state);
    note_conjuncts(&d, asserted);
    memset(d.state, UNSEEN, n);
    if (d.found > 0)
        define_below(&d, asserted);
    vec_free(&d.stack);
    mem_free(d.of);
    mem_free(d.state);
}
