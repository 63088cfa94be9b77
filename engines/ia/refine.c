/* refine: predicates that exclude a spurious path s_0 … s_(n-1).
 *
 * Along the path, a sequence L_0 … L_(n-1) of clauses is looked for with
 *
 *     initial and s_0 imply L_0;  L_j, s_j, the step and s_(j+1)' imply L_(j+1)';  L_(n-1), s_(n-1)
 *     exclude the hit
 *
 * which is a sequence interpolant (2.5.2); its atoms are the new predicates, and Theorem 2 says
 * that no abstract path within s_0 … s_(n-1) is left. It is found backwards, as IC3 finds frames,
 * but with conditions in place of states: what leads to the hit is projected onto the cells
 * (weakest preconditions where steps are functions, query/project.h), and is blocked at its step by
 * a core of its literals, or preceded by a condition one step earlier. As the path is spurious none
 * of them reaches the start.
 */
#include "engines/ia/core.h"

#include "model/term/number.h"

struct region {
    struct query_terms lits; /* over the cells: each state of it within s_j leads on to the hit */
    uint32_t step;
};

struct refinement {
    struct ia *ia;
    const struct ia_cube *path;
    uint32_t n;
    const uint32_t *levels; /* s_j is in this frame, which holds after j steps */
    struct qlits on;        /* L_j as clauses over `now` */
    VEC(struct region) regions;
};

static term_t value_now(void *context, term_t var) {
    struct ia *ia = context;
    return query_value(ia->q, ia->now, var);
}

static bool project_now(struct ia *ia, const struct query_terms *roots, struct query_terms *out) {
    struct projection_input in = {ia->ts, ia->kept, ia->n_kept, value_now, ia};
    return project(&in, roots->data, roots->len, out);
}

/* ---- questions along the path ---- */

static void assume_before(struct refinement *r, uint32_t step, struct qlits *ask) {
    assert(step < r->n && (step == 0 || r->levels[step] >= step));
    ia_assume_frame(r->ia, r->levels[step], ask);
    vec_push(ask, r->on.data[step]);
    ia_assume_cube(r->ia, &r->path[step], false, ask);
}

static void assume_region(struct refinement *r, const struct region *g, bool then,
                          struct qlits *ask) {
    uint32_t frame = then ? r->ia->then : r->ia->now;
    for (size_t i = 0; i < g->lits.len; i++)
        vec_push(ask, query_literal(r->ia->q, frame, g->lits.data[i]));
}

/* Can the region be entered at its step, along the path? */
static enum solver_result ask_region(struct refinement *r, const struct region *g) {
    struct ia *ia = r->ia;
    struct qlits ask = {0};
    if (g->step == 0) {
        ia_assume_frame(ia, 0, &ask);
        ia_assume_cube(ia, &r->path[0], false, &ask);
    } else {
        assume_before(r, g->step - 1, &ask);
        vec_push(&ask, ia->stepping);
        ia_assume_cube(ia, &r->path[g->step], true, &ask);
    }
    assume_region(r, g, g->step > 0, &ask);
    enum solver_result said = ia_ask(ia, ia->q, &ask);
    vec_free(&ask);
    return said;
}

/* ---- regions ---- */

static void push_region(struct refinement *r, struct query_terms *lits, uint32_t step) {
    assert(step < r->n);
    vec_push(&r->regions, (struct region){*lits, step});
    *lits = (struct query_terms){0};
}

static void pop_region(struct refinement *r) {
    struct region g = vec_pop(&r->regions);
    vec_free(&g.lits);
}

/* Terms of the cells as they will be after the step. */
static void substitute_next(struct ia *ia, struct query_terms *terms) {
    struct query_terms map = {0};
    vec_resize_zero(&map, ia->ts->vars.len);
    for (size_t i = 0; i < ia->sys->cells.len; i++) {
        const struct cell *c = &ia->sys->cells.data[i];
        map.data[term_get(ia->ts, c->var)->payload] = c->next;
    }
    term_substitute(ia->ts, map.data, map.len, terms->data, terms->len);
    assert(map.len <= ia->ts->vars.len);
    vec_free(&map);
}

/* The model is a step into the region: what leads there as it does. */
static bool add_predecessor(struct refinement *r, const struct region *g) {
    struct ia *ia = r->ia;
    struct query_terms roots = {0}, lits = {0};
    assert(g->step > 0);
    uint32_t step = g->step - 1;
    for (size_t i = 0; i < r->path[g->step].len; i++)
        vec_push(&roots, ia_term(ia, r->path[g->step].data[i]));
    vec_append(&roots, g->lits.data, g->lits.len);
    substitute_next(ia, &roots);
    vec_push(&roots, ia->sys->step_ok);
    bool ok = project_now(ia, &roots, &lits);
    if (ok)
        push_region(r, &lits, step);
    vec_free(&lits);
    vec_free(&roots);
    return ok;
}

/* ---- lemmas ---- */

/* The literals of the region that the core needs. */
static void core_of(struct refinement *r, const struct region *g, struct query_terms *out) {
    struct ia *ia = r->ia;
    size_t n;
    const qlit *core = query_core(ia->q, &n);
    uint32_t frame = g->step > 0 ? ia->then : ia->now;
    vec_clear(out);
    for (size_t i = 0; i < g->lits.len; i++) {
        qlit lit = query_literal(ia->q, frame, g->lits.data[i]);
        bool there = false;
        for (size_t c = 0; c < n && !there; c++)
            there = core[c] == lit;
        if (there)
            vec_push(out, g->lits.data[i]);
    }
}

static bool is_known(const struct ia *ia, term_t lit) {
    term_t atom = term_get(ia->ts, lit)->op == OP_NOT ? term_get(ia->ts, lit)->arg[0] : lit;
    return map_get(&ia->predicate_of, atom) != NULL;
}

/* Is the region of these literals blocked, too? Then `core` is what of them that needs. */
static enum ia_answer also_blocked(struct refinement *r, struct query_terms *lits, uint32_t step,
                                   struct query_terms *core) {
    struct region g = {*lits, step};
    enum solver_result said = ask_region(r, &g);
    if (said == SOLVER_UNSAT)
        core_of(r, &g, core);
    return said == SOLVER_UNSAT ? IA_YES : said == SOLVER_SAT ? IA_NO : IA_STOPPED;
}

/* All literals but i and k, and this one if there is one. */
static void replaced(const struct query_terms *lits, size_t i, size_t k, term_t by,
                     struct query_terms *out) {
    vec_clear(out);
    for (size_t l = 0; l < lits->len; l++)
        if (l != i && l != k)
            vec_push(out, lits->data[l]);
    if (by)
        vec_push(out, by);
}

/* Fewer literals, those that are predicates last: each one less is a predicate less. */
static bool shrink(struct refinement *r, struct query_terms *core, uint32_t step) {
    struct query_terms less = {0};
    enum ia_answer said = IA_NO;
    for (int known = 0; known < 2; known++)
        for (size_t i = 0; i < core->len && core->len > 1 && said != IA_STOPPED; i++) {
            if (is_known(r->ia, core->data[i]) != (known != 0))
                continue;
            replaced(core, i, i, 0, &less);
            said = also_blocked(r, &less, step, core);
            if (said == IA_YES)
                i = (size_t)-1;
        }
    vec_free(&less);
    return said != IA_STOPPED;
}

/* ---- sums of bounds ---- */

static term_t bound_atom(const struct terms *ts, term_t lit) {
    term_t atom = term_get(ts, lit)->op == OP_NOT ? term_get(ts, lit)->arg[0] : lit;
    return term_get(ts, atom)->op == OP_NLE ? atom : 0;
}

/* What follows from two bounds together, 0 if nothing does. */
static term_t sum_of_bounds(struct terms *ts, term_t a, term_t b) {
    term_t x = bound_atom(ts, a), y = bound_atom(ts, b);
    if (!x || !y ||
        term_sort(ts, term_get(ts, x)->arg[1]) != term_sort(ts, term_get(ts, y)->arg[1]))
        return 0;
    struct sum sum;
    bool strict_a, strict_b;
    sort_t sort = term_sort(ts, term_get(ts, x)->arg[1]);
    sum_init(&sum);
    sum_add_bound(ts, &sum, a, &strict_a);
    sum_add_bound(ts, &sum, b, &strict_b);
    mpq_t minus;
    mpq_init(minus);
    mpq_set_si(minus, -1, 1);
    bool strict = strict_a || strict_b;
    sum_tidy(&sum);
    if (strict && sum.parts.len > 0) /* not: -sum <= 0 */
        sum_scale(&sum, minus);
    term_t t = sum.parts.len > 0 ? sum_bound(ts, sort, &sum) : 0;
    mpq_clear(minus);
    sum_free(&sum);
    return t && strict ? term_not(ts, t) : t;
}

/* One of the bounds that an equality of numbers consists of. */
static term_t side_of(struct terms *ts, term_t lit, bool upper) {
    const struct term *n = term_get(ts, lit);
    if (n->op != OP_EQ || !sort_is_number(term_sort(ts, n->arg[0])))
        return 0;
    return upper ? term_op2(ts, OP_NLE, n->arg[0], n->arg[1])
                 : term_op2(ts, OP_NLE, n->arg[1], n->arg[0]);
}

/* A weaker literal in place of one or two, while what is left is blocked: relations come of sums,
 * as they do in interpolants of linear arithmetic. */
static bool weaken(struct refinement *r, struct query_terms *core, uint32_t step) {
    struct terms *ts = r->ia->ts;
    struct query_terms other = {0};
    enum ia_answer said = IA_NO;
    for (size_t i = 0; i < core->len && said != IA_STOPPED; i++)
        for (size_t k = 0; k <= i + 1 && i < core->len && said != IA_STOPPED; k++) {
            /* k = i, i + 1: the sides of an equality */
            term_t by = k < i ? sum_of_bounds(ts, core->data[i], core->data[k])
                              : side_of(ts, core->data[i], k == i);
            if (!by)
                continue;
            replaced(core, i, k < i ? k : i, by, &other);
            said = also_blocked(r, &other, step, core);
            if (said == IA_YES)
                i = k = 0;
        }
    vec_free(&other);
    return said != IA_STOPPED;
}

/* L_step gets the clause that not all of these hold; they become predicates. */
static void add_lemma(struct refinement *r, const struct query_terms *core, uint32_t step) {
    struct ia *ia = r->ia;
    struct qlits clause = {0};
    vec_push(&clause, -r->on.data[step]);
    for (size_t i = 0; i < core->len; i++) {
        bool fresh;
        ia_predicate(ia, core->data[i], &fresh);
        vec_push(&clause, -query_literal(ia->q, ia->now, core->data[i]));
    }
    query_clause(ia->q, clause.data, clause.len);
    vec_free(&clause);
}

/* ---- the search ---- */

static enum ia_answer work_on(struct refinement *r) {
    struct query_terms core = {0};
    struct region g = vec_last(&r->regions);
    enum solver_result said = ask_region(r, &g);
    enum ia_answer answer = IA_YES;
    assert(g.step < r->n);
    if (said == SOLVER_UNKNOWN)
        return IA_STOPPED;
    if (said == SOLVER_SAT)
        return g.step > 0 && add_predecessor(r, &g) ? IA_YES : IA_NO;
    core_of(r, &g, &core);
    if (shrink(r, &core, g.step) && weaken(r, &core, g.step)) {
        add_lemma(r, &core, g.step);
        pop_region(r);
    } else {
        answer = IA_STOPPED;
    }
    vec_free(&core);
    return answer;
}

/* The last question: does L_(n-1) exclude the hit? IA_YES: it does. IA_NO: another region. */
static enum ia_answer ask_hit(struct refinement *r) {
    struct ia *ia = r->ia;
    struct qlits ask = {0};
    struct query_terms roots = {0}, lits = {0};
    assume_before(r, r->n - 1, &ask);
    vec_push(&ask, ia->hit);
    enum solver_result said = ia_ask(ia, ia->q, &ask);
    enum ia_answer answer = said == SOLVER_UNSAT ? IA_YES : said == SOLVER_SAT ? IA_NO : IA_STOPPED;
    vec_push(&roots, ia->sys->targets.data[ia->target].hit);
    if (answer == IA_NO && project_now(ia, &roots, &lits))
        push_region(r, &lits, r->n - 1);
    vec_free(&lits);
    vec_free(&roots);
    vec_free(&ask);
    return answer;
}

static enum ia_answer search(struct refinement *r) {
    for (;;) {
        enum ia_answer said = ask_hit(r);
        if (said != IA_NO || r->regions.len == 0)
            return said;
        while (r->regions.len > 0 && (said = work_on(r)) == IA_YES)
            ;
        if (r->regions.len > 0)
            return said;
    }
}

enum ia_answer ia_refine(struct ia *ia, const struct ia_cube *path, uint32_t n,
                         const uint32_t *levels) {
    struct refinement r = {.ia = ia, .path = path, .n = n, .levels = levels};
    size_t before = ia->predicates.len;
    for (uint32_t j = 0; j < n; j++)
        vec_push(&r.on, query_activation(ia->q));
    enum ia_answer said = search(&r);
    assert((said != IA_YES || ia->predicates.len > before) && "the path is excluded");
    for (uint32_t j = 0; j < n; j++)
        query_clause(ia->q, (qlit[]){-r.on.data[j]}, 1);
    assert(r.on.len == n);
    while (r.regions.len > 0)
        pop_region(&r);
    vec_free(&r.regions);
    vec_free(&r.on);
    ia->stats.refinements++;
    WINDOW_ADD(ia->options.window, stats.restarts, 1);
    WINDOW_ADD(ia->options.window, stats.predicates, ia->predicates.len - before);
    WINDOW_EVENT(ia->options.window, "restart", "\"target\":%u,\"predicates\":%zu", ia->target,
                 ia->predicates.len);
    ia->temporary += n;
    return said;
}
