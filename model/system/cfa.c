/* The walker checks locations, edges and variables apart, and names the first fault. */
#include "model/system/cfa.h"

#include "base/bug.h"
#include "base/mem.h"
#include "model/term/simplify.h"

void cfa_init(struct cfa *cfa, struct terms *terms) {
    *cfa = (struct cfa){.name = "", .terms = terms};
    cfa_add_location(cfa, CFA_INIT, "init");
}

void cfa_free(struct cfa *cfa) {
    for (size_t e = 0; e < cfa->edges.len; e++)
        vec_free(&cfa->edges.data[e].assigns);
    vec_free(&cfa->locations);
    vec_free(&cfa->cells);
    vec_free(&cfa->inputs);
    vec_free(&cfa->edges);
    vec_free(&cfa->targets);
    vec_free(&cfa->hits);
    arena_free(&cfa->arena);
}

uint32_t cfa_add_location(struct cfa *cfa, enum cfa_kind kind, const char *name) {
    assert((kind == CFA_INIT) == (cfa->locations.len == 0));
    const char *copy = arena_strdup(&cfa->arena, name);
    vec_push(&cfa->locations, (struct cfa_location){kind, copy, 0});
    return (uint32_t)(cfa->locations.len - 1);
}

uint32_t cfa_add_edge(struct cfa *cfa, uint32_t from, uint32_t to, term_t guard) {
    assert(from < cfa->locations.len && to < cfa->locations.len);
    vec_push(&cfa->edges, (struct cfa_edge){.from = from, .to = to, .guard = guard});
    return (uint32_t)(cfa->edges.len - 1);
}

void cfa_assign(struct cfa *cfa, uint32_t edge, uint32_t cell, term_t value) {
    assert(edge < cfa->edges.len && cell < cfa->cells.len);
    vec_push(&cfa->edges.data[edge].assigns, (struct cfa_assign){cell, value});
}

/* ---- checks ---- */

struct checker {
    const struct cfa *cfa;
    struct str *fault;
    uint32_t *home; /* one per variable: location of the input, ANY for cells, NONE for others */
    uint32_t *seen; /* one per term: 1 + the location from which it was last visited */
    VEC(term_t) stack;
};

#define ANY (UINT32_MAX - 1)

__attribute__((format(printf, 2, 3))) static bool fault_in(struct checker *c, const char *format,
                                                           ...) {
    va_list args;
    va_start(args, format);
    str_vaddf(c->fault, format, args);
    va_end(args);
    return false;
}

static bool claim(struct checker *c, term_t var, uint32_t home, const char *name) {
    const struct terms *ts = c->cfa->terms;
    if (!name || var == 0 || var >= ts->nodes.len || !term_is(ts, var, OP_VAR))
        return fault_in(c, "'%s' has no name or no variable", name ? name : "");
    if (c->home[term_bits(ts, var)] != NONE)
        return fault_in(c, "the variable of '%s' is used twice", name);
    c->home[term_bits(ts, var)] = home;
    return true;
}

static bool readable(const struct checker *c, uint64_t var, uint32_t location) {
    return c->home[var] == location || (c->home[var] == ANY && location != 0);
}

static bool fits(struct checker *c, term_t t, sort_t sort, uint32_t location, const char *what) {
    const struct terms *ts = c->cfa->terms;
    if (location >= c->cfa->locations.len)
        return fault_in(c, "%s is at no location", what);
    if (t == 0 || t >= ts->nodes.len || term_sort(ts, t) != sort)
        return fault_in(c, "%s is no term of sort %s", what, sort_name(sort));
    vec_clear(&c->stack);
    vec_push(&c->stack, t);
    while (c->stack.len > 0) {
        term_t at = vec_pop(&c->stack);
        const struct term *n = term_get(ts, at);
        if (c->seen[at] == location + 1)
            continue;
        c->seen[at] = location + 1;
        if (n->op == OP_VAR && !readable(c, n->payload, location))
            return fault_in(c, "%s reads '%s', which has no value at '%s'", what,
                            ts->vars.data[n->payload].name, c->cfa->locations.data[location].name);
        for (int i = 0; i < n->arity; i++)
            vec_push(&c->stack, n->arg[i]);
    }
    return true;
}

static bool check_locations(struct checker *c) {
    const struct cfa *cfa = c->cfa;
    for (size_t l = 0; l < cfa->locations.len; l++) {
        const struct cfa_location *at = &cfa->locations.data[l];
        if ((l == 0) != (at->kind == CFA_INIT))
            return fault_in(c, "location %zu: the first one is the start, no other", l);
        if (at->unspecified &&
            !fits(c, at->unspecified, SORT_BOOL, (uint32_t)l, "a location's unspecified"))
            return false;
    }
    return cfa->locations.len > 0 || fault_in(c, "there is no location");
}

static bool claim_vars(struct checker *c) {
    const struct cfa *cfa = c->cfa;
    for (size_t i = 0; i < cfa->cells.len; i++)
        if (!claim(c, cfa->cells.data[i].var, ANY, cfa->cells.data[i].name))
            return false;
    for (size_t i = 0; i < cfa->inputs.len; i++) {
        const struct cfa_input *in = &cfa->inputs.data[i];
        if (in->location >= cfa->locations.len)
            return fault_in(c, "input '%s' is at no location", in->name);
        if (!claim(c, in->var, in->location, in->name))
            return false;
    }
    return true;
}

static bool check_assigns(struct checker *c, const struct cfa_edge *edge) {
    const struct cfa *cfa = c->cfa;
    bool *assigned = mem_zalloc(cfa->cells.len, sizeof *assigned), ok = true;
    for (size_t i = 0; i < edge->assigns.len && ok; i++) {
        struct cfa_assign a = edge->assigns.data[i];
        if (a.cell >= cfa->cells.len || assigned[a.cell]) {
            ok = fault_in(c, "an edge assigns a cell twice, or one that is none");
            break;
        }
        assigned[a.cell] = true;
        sort_t sort = term_sort(cfa->terms, cfa->cells.data[a.cell].var);
        ok = fits(c, a.value, sort, edge->from, "an assigned value");
    }
    if (ok && edge->from == 0 && edge->assigns.len != cfa->cells.len)
        ok = fault_in(c, "an edge from the start does not assign every cell");
    mem_free(assigned);
    return ok;
}

static bool check_edges(struct checker *c) {
    const struct cfa *cfa = c->cfa;
    for (size_t e = 0; e < cfa->edges.len; e++) {
        const struct cfa_edge *edge = &cfa->edges.data[e];
        if (edge->to == 0 || edge->to >= cfa->locations.len)
            return fault_in(c, "edge %zu leads to the start or nowhere", e);
        if (!fits(c, edge->guard, SORT_BOOL, edge->from, "a guard") || !check_assigns(c, edge))
            return false;
    }
    return true;
}

static bool check_rest(struct checker *c) {
    const struct cfa *cfa = c->cfa;
    for (size_t i = 0; i < cfa->inputs.len; i++) {
        const struct cfa_input *in = &cfa->inputs.data[i];
        if (in->guard && !fits(c, in->guard, SORT_BOOL, in->location, "an input's guard"))
            return false;
    }
    for (size_t h = 0; h < cfa->hits.len; h++) {
        const struct cfa_hit *hit = &cfa->hits.data[h];
        if (hit->target >= cfa->targets.len)
            return fault_in(c, "a hit names a target that is none");
        if (!fits(c, hit->hit, SORT_BOOL, hit->location, "a hit"))
            return false;
    }
    return true;
}

bool cfa_fault(const struct cfa *cfa, struct str *fault) {
    struct checker c = {.cfa = cfa, .fault = fault};
    c.home = mem_alloc((cfa->terms->vars.len + 1) * sizeof *c.home);
    for (size_t v = 0; v < cfa->terms->vars.len; v++)
        c.home[v] = NONE;
    c.seen = mem_zalloc(cfa->terms->nodes.len, sizeof *c.seen);
    bool ok = claim_vars(&c) && check_locations(&c) && check_edges(&c) && check_rest(&c);
    mem_free(c.home);
    mem_free(c.seen);
    vec_free(&c.stack);
    return !ok;
}

void check_cfa(const struct cfa *cfa) {
    struct str fault = {0};
    if (cfa_fault(cfa, &fault))
        bug("automaton '%s': %s", cfa->name, str_text(&fault));
    str_free(&fault);
}
