/* The walker checks who owns a variable, sorts and scopes, and names the first fault. */
#include "model/system/system.h"

#include "base/bug.h"
#include "base/mem.h"
#include "model/system/derive.h"
#include "model/term/simplify.h"

void system_init(struct system *sys, struct terms *terms) {
    assert(terms->nodes.len > 0); /* terms_init() was called */
    *sys = (struct system){.name = "", .terms = terms};
    sys->init_ok = sys->step_ok = term_bool(terms, true);
    sys->unspecified = sys->init_unspecified = term_bool(terms, false);
}

void system_free(struct system *sys) {
    vec_free(&sys->cells);
    vec_free(&sys->inputs);
    vec_free(&sys->targets);
    vec_free(&sys->overruns);
    vec_free(&sys->folded);
    arena_free(&sys->arena);
    *sys = (struct system){0};
}

const char *system_name(struct system *sys, const char *name) {
    assert(name);
    return arena_strdup(&sys->arena, name);
}

/* ---- checks ---- */

/* What a variable stands for, as a set of places where it may be read. */
enum { IN_INIT = 1, IN_STEP = 2 };

struct checker {
    const struct system *sys;
    struct str *fault;
    uint8_t *scope; /* one per variable */
    uint8_t *seen;  /* one per term: the places from which it was visited */
    VEC(term_t) stack;
};

__attribute__((format(printf, 2, 3))) static bool fault_in(struct checker *c, const char *format,
                                                           ...) {
    va_list args;
    va_start(args, format);
    str_vaddf(c->fault, format, args);
    va_end(args);
    return false;
}

static bool claim_var(struct checker *c, term_t var, uint8_t scope, const char *name) {
    const struct terms *ts = c->sys->terms;
    if (!name)
        return fault_in(c, "a cell or input has no name");
    if (var == 0 || var >= ts->nodes.len || !term_is(ts, var, OP_VAR))
        return fault_in(c, "'%s' has no variable", name);
    uint8_t *slot = &c->scope[term_bits(ts, var)];
    if (*slot)
        return fault_in(c, "the variable of '%s' is used twice", name);
    *slot = scope;
    return true;
}

static bool claim_vars(struct checker *c) {
    const struct system *sys = c->sys;
    for (size_t i = 0; i < sys->cells.len; i++)
        if (!claim_var(c, sys->cells.data[i].var, IN_STEP, sys->cells.data[i].name))
            return false;
    for (size_t i = 0; i < sys->inputs.len; i++) {
        const struct sys_input *in = &sys->inputs.data[i];
        if (!claim_var(c, in->var, in->at_init ? IN_INIT : IN_STEP, in->name))
            return false;
    }
    return true;
}

/* Every variable below `t` may be read in `place`. */
static bool scoped(struct checker *c, term_t t, uint8_t place, const char *what) {
    assert(place == IN_INIT || place == IN_STEP);
    const struct terms *ts = c->sys->terms;
    vec_clear(&c->stack);
    vec_push(&c->stack, t);
    while (c->stack.len > 0) {
        term_t at = vec_pop(&c->stack);
        if (c->seen[at] & place)
            continue;
        c->seen[at] |= place;
        const struct term *n = term_get(ts, at);
        if (n->op == OP_VAR && !(c->scope[n->payload] & place))
            return fault_in(c, "%s reads '%s', which has no value %s", what,
                            ts->vars.data[n->payload].name,
                            place == IN_INIT ? "during initialisation" : "in a step");
        for (int i = 0; i < n->arity; i++)
            vec_push(&c->stack, n->arg[i]);
    }
    return true;
}

static bool fits(struct checker *c, term_t t, sort_t sort, uint8_t place, const char *what) {
    const struct terms *ts = c->sys->terms;
    if (t == 0 || t >= ts->nodes.len)
        return fault_in(c, "%s is no term", what);
    if (term_sort(ts, t) != sort)
        return fault_in(c, "%s has sort %s instead of %s", what, sort_name(term_sort(ts, t)),
                        sort_name(sort));
    return scoped(c, t, place, what);
}

/* A derived cell is a term over cells before it that are not derived themselves. */
static bool derived_well(const struct system *sys, uint32_t cell) {
    bool *base = mem_zalloc(sys->cells.len, sizeof *base);
    for (uint32_t i = 0; i < cell; i++)
        base[i] = !sys->cells.data[i].is;
    bool good = system_can_derive(sys, sys->cells.data[cell].is) && cell_within(sys, cell, base);
    mem_free(base);
    return good;
}

static bool check_cells(struct checker *c) {
    const struct system *sys = c->sys;
    for (size_t i = 0; i < sys->cells.len; i++) {
        const struct cell *cell = &sys->cells.data[i];
        sort_t sort = term_sort(sys->terms, cell->var);
        struct str what = {0};
        str_addf(&what, "the initial value of '%s'", cell->name);
        bool ok = fits(c, cell->init, sort, IN_INIT, str_text(&what));
        str_clear(&what);
        str_addf(&what, "the next value of '%s'", cell->name);
        ok = ok && fits(c, cell->next, sort, IN_STEP, str_text(&what));
        str_clear(&what);
        str_addf(&what, "what '%s' always is", cell->name);
        ok = ok && (!cell->is || fits(c, cell->is, sort, IN_STEP, str_text(&what)));
        if (ok && cell->is && !derived_well(sys, (uint32_t)i))
            ok = fault_in(c, "'%s' is not over cells before it", cell->name);
        str_free(&what);
        if (!ok)
            return false;
    }
    return true;
}

static bool check_targets(struct checker *c) {
    const struct system *sys = c->sys;
    for (size_t i = 0; i < sys->targets.len; i++) {
        const struct target *t = &sys->targets.data[i];
        if (!t->name)
            return fault_in(c, "a target has no name");
        if (!fits(c, t->hit, SORT_BOOL, IN_STEP, "a target's hit"))
            return false;
        if (t->init_hit && !fits(c, t->init_hit, SORT_BOOL, IN_INIT, "a target's init_hit"))
            return false;
    }
    for (size_t i = 0; i < sys->overruns.len; i++) {
        uint32_t t = sys->overruns.data[i];
        if (t >= sys->targets.len || sys->targets.data[t].kind != TARGET_OVERRUN)
            return fault_in(c, "the list of overruns names a target that is none");
    }
    return true;
}

static bool check_rest(struct checker *c) {
    const struct system *sys = c->sys;
    for (size_t i = 0; i < sys->inputs.len; i++) {
        const struct sys_input *in = &sys->inputs.data[i];
        uint8_t place = in->at_init ? IN_INIT : IN_STEP;
        if (in->guard && !fits(c, in->guard, SORT_BOOL, place, "an input's guard"))
            return false;
    }
    for (size_t i = 0; i < sys->folded.len; i++) {
        const struct folded *f = &sys->folded.data[i];
        if (f->same_as != NONE && f->same_as >= sys->cells.len)
            return fault_in(c, "'%s' was folded into a cell that is none", f->name);
    }
    return fits(c, sys->init_ok, SORT_BOOL, IN_INIT, "init_ok") &&
           fits(c, sys->step_ok, SORT_BOOL, IN_STEP, "step_ok") &&
           fits(c, sys->unspecified, SORT_BOOL, IN_STEP, "unspecified") &&
           fits(c, sys->init_unspecified, SORT_BOOL, IN_INIT, "init_unspecified");
}

bool system_fault(const struct system *sys, struct str *fault) {
    assert(sys->terms && fault);
    struct checker c = {.sys = sys, .fault = fault};
    c.scope = mem_zalloc(sys->terms->vars.len, sizeof *c.scope);
    c.seen = mem_zalloc(sys->terms->nodes.len, sizeof *c.seen);
    bool ok = claim_vars(&c) && check_cells(&c) && check_targets(&c) && check_rest(&c);
    mem_free(c.scope);
    mem_free(c.seen);
    vec_free(&c.stack);
    return !ok;
}

void check_system(const struct system *sys) {
    struct str fault = {0};
    if (system_fault(sys, &fault))
        bug("system '%s': %s", sys->name, str_text(&fault));
    str_free(&fault);
}
