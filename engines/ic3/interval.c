/* Execution on boxes: see interval.h.
 *
 * First the state alone is executed, then walked backwards: a choice needs its condition and the
 * branch taken, a false conjunction one false argument, everything else all its arguments. Cells
 * that nothing needs are dropped at once. What is left is widened side by side: dropped if the box
 * still lands, else moved out by the greatest power of two that does, then bisected.
 */
#include "engines/ic3/interval.h"

#include "base/mem.h"
#include "engines/forward.h"

enum { WEIGHT_LIMIT = 1 << 20 };

/* What else is known of a node. */
struct role {
    uint32_t cell, input; /* NONE unless it is the variable of one */
    uint32_t weight;      /* cells below, counted with repetition: what it costs to need it */
};

struct interval {
    const struct system *sys;
    struct forward code;    /* the step, a term a node */
    VEC(struct role) roles; /* one per node */
    VEC(uint32_t) next;     /* [cell] index of its next-state term, NONE when not in the cone */
    VEC(uint32_t) var;      /* [cell] index of its variable, NONE when no term reads it */
    uint32_t step_ok, hit;
    /* of the run under way, [step * nodes.len + node] */
    VEC(struct range) value, trial;
    VEC(uint32_t) stamp; /* trial[i] is what a trial changed iff stamp[i] is its number */
    VEC(bool) needed;
    VEC(uint32_t) live;    /* needed places, ascending: steps one after the other */
    VEC(uint32_t) changed; /* by the trial */
    uint32_t trials;
    uint32_t n_steps;
    const struct cube *to;
    uint64_t ticks;
};

/* ---- building ---- */

static const struct term_var *variable(const struct system *sys, term_t t) {
    return &sys->terms->vars.data[term_get(sys->terms, t)->payload];
}

static void find_weights(struct interval *v) {
    for (size_t i = 0; i < v->roles.len; i++) {
        const struct forward_node *n = &v->code.nodes.data[i];
        uint32_t weight = v->roles.data[i].cell != NONE;
        for (int a = 0; a < n->arity; a++)
            weight += v->roles.data[n->arg[a]].weight;
        v->roles.data[i].weight = weight < WEIGHT_LIMIT ? weight : WEIGHT_LIMIT;
    }
}

static void find_roles(struct interval *v) {
    const struct system *sys = v->sys;
    const uint32_t *index = v->code.index.data;
    for (size_t i = 0; i < v->code.nodes.len; i++)
        vec_push(&v->roles, (struct role){NONE, NONE, 0});
    for (uint32_t i = 0; i < sys->cells.len; i++) {
        uint32_t at = index[sys->cells.data[i].var];
        vec_push(&v->var, at);
        vec_push(&v->next, index[sys->cells.data[i].next]);
        if (at != NONE)
            v->roles.data[at].cell = i;
    }
    for (uint32_t i = 0; i < sys->inputs.len; i++)
        if (index[sys->inputs.data[i].var] != NONE)
            v->roles.data[index[sys->inputs.data[i].var]].input = i;
    find_weights(v);
}

struct interval *interval_new(const struct system *sys, uint32_t target, struct solver *views) {
    struct interval *v = mem_zalloc(1, sizeof *v);
    VEC(term_t) roots = {0};
    v->sys = sys;
    for (size_t i = 0; i < sys->cells.len; i++)
        vec_push(&roots, sys->cells.data[i].next);
    vec_push(&roots, sys->step_ok);
    vec_push(&roots, sys->targets.data[target].hit);
    forward_init(&v->code, sys->terms, roots.data, roots.len, views);
    find_roles(v);
    v->step_ok = v->code.index.data[sys->step_ok];
    v->hit = v->code.index.data[sys->targets.data[target].hit];
    assert(v->step_ok != NONE && v->hit != NONE);
    vec_free(&roots);
    return v;
}

void interval_free(struct interval *v) {
    if (!v)
        return;
    forward_free(&v->code);
    vec_free(&v->roles);
    vec_free(&v->next);
    vec_free(&v->var);
    vec_free(&v->value);
    vec_free(&v->trial);
    vec_free(&v->stamp);
    vec_free(&v->needed);
    vec_free(&v->live);
    vec_free(&v->changed);
    mem_free(v);
}

uint64_t interval_ticks(const struct interval *v) {
    return v ? v->ticks : 0;
}

/* ---- executing ---- */

static struct range seen(const struct interval *v, uint32_t step, uint32_t node) {
    size_t at = step * v->code.nodes.len + node;
    return v->stamp.data[at] == v->trials ? v->trial.data[at] : v->value.data[at];
}

/* What a view of a next-state term says in the order of its cell. */
static struct range seen_cell(const struct interval *v, uint32_t step, uint32_t cell) {
    assert(v->next.data[cell] != NONE);
    const struct forward_node *n = &v->code.nodes.data[v->next.data[cell]];
    const struct term_var *var = variable(v->sys, v->sys->cells.data[cell].var);
    return forward_view(seen(v, step, v->next.data[cell]), var->sort, n->prim.is_signed[0],
                        var->is_signed);
}

/* Everything, on the state alone. */
static void execute_state(struct interval *v, const struct range *cells, const uint64_t *inputs) {
    size_t n = v->code.nodes.len;
    for (uint32_t j = 0; j < v->n_steps; j++)
        for (uint32_t i = 0; i < n; i++) {
            const struct forward_node *node = &v->code.nodes.data[i];
            const struct role *role = &v->roles.data[i];
            struct range *value = &v->value.data[j * n + i], args[3] = {{0}};
            for (int a = 0; a < node->arity; a++)
                args[a] = v->value.data[j * n + node->arg[a]];
            if (role->cell != NONE)
                *value = j == 0 ? cells[role->cell] : seen_cell(v, j - 1, role->cell);
            else if (role->input != NONE)
                *value = range_of_bits(node->prim.sort[0], node->prim.is_signed[0],
                                       inputs[j * v->sys->inputs.len + role->input]);
            else
                *value = node->arity ? forward_result(node, args) : node->full;
        }
    v->ticks += n * v->n_steps;
}

static bool is_true(struct range r) {
    return r.num && r.lo == 1;
}

static bool is_false(struct range r) {
    return r.num && r.hi == 0;
}

/* All values of the range satisfy the bound. NaN satisfies no bound on numbers. */
static bool satisfies(struct range r, struct bound b) {
    switch (b.kind) {
    case BOUND_GE:
        return !r.nan && r.num && r.lo >= b.ordinal;
    case BOUND_LE:
        return !r.nan && r.num && r.hi <= b.ordinal;
    case BOUND_NAN:
        return r.nan && !r.num;
    default:
        return !r.nan;
    }
}

static bool lands(const struct interval *v) {
    uint32_t last = v->n_steps - 1;
    assert(v->n_steps >= 1 && v->value.len == v->code.nodes.len * v->n_steps);
    for (uint32_t j = 0; j < (v->to ? v->n_steps : last); j++)
        if (!is_true(seen(v, j, v->step_ok)))
            return false;
    if (!v->to)
        return is_true(seen(v, last, v->hit));
    for (size_t i = 0; i < v->to->len; i++)
        if (!satisfies(seen_cell(v, last, v->to->data[i].cell), v->to->data[i]))
            return false;
    return true;
}

/* ---- what is needed ---- */

static void need(struct interval *v, uint32_t step, uint32_t node) {
    assert(step < v->n_steps && node < v->code.nodes.len);
    v->needed.data[step * v->code.nodes.len + node] = true;
}

/* One argument suffices: one that is needed anyway, else the one with the fewest cells below. */
static void need_one(struct interval *v, uint32_t step, const struct forward_node *n,
                     bool (*decides)(struct range)) {
    uint32_t best = NONE;
    size_t base = step * v->code.nodes.len;
    for (int a = 0; a < 2; a++) {
        uint32_t arg = n->arg[a];
        if (!decides(v->value.data[base + arg]))
            continue;
        if (v->needed.data[base + arg])
            return;
        if (best == NONE || v->roles.data[arg].weight < v->roles.data[best].weight)
            best = arg;
    }
    assert(best != NONE && "one of them decides");
    need(v, step, best);
}

static void need_arguments(struct interval *v, uint32_t step, const struct forward_node *n) {
    const struct range *value = &v->value.data[step * v->code.nodes.len];
    struct range own = value[n - v->code.nodes.data];
    if (n->prim.op == OP_AND && is_false(own)) {
        need_one(v, step, n, is_false);
    } else if (n->prim.op == OP_OR && is_true(own)) {
        need_one(v, step, n, is_true);
    } else if (n->prim.op == OP_ITE && range_is_point(value[n->arg[0]])) {
        need(v, step, n->arg[0]);
        need(v, step, n->arg[is_true(value[n->arg[0]]) ? 1 : 2]);
    } else {
        for (int a = 0; a < n->arity; a++)
            need(v, step, n->arg[a]);
    }
}

static void need_goals(struct interval *v) {
    uint32_t last = v->n_steps - 1;
    for (uint32_t j = 0; j < (v->to ? v->n_steps : last); j++)
        need(v, j, v->step_ok);
    if (!v->to)
        need(v, last, v->hit);
    for (size_t i = 0; v->to && i < v->to->len; i++)
        need(v, last, v->next.data[v->to->data[i].cell]);
}

static void find_needed(struct interval *v) {
    size_t n = v->code.nodes.len;
    need_goals(v);
    for (uint32_t j = v->n_steps; j-- > 0;)
        for (size_t i = n; i-- > 0;) {
            const struct forward_node *node = &v->code.nodes.data[i];
            const struct role *role = &v->roles.data[i];
            if (!v->needed.data[j * n + i])
                continue;
            if (role->cell != NONE && j > 0)
                need(v, j - 1, v->next.data[role->cell]);
            need_arguments(v, j, node);
        }
    for (uint32_t i = 0; i < n * v->n_steps; i++)
        if (v->needed.data[i])
            vec_push(&v->live, i);
        else
            v->value.data[i] = v->code.nodes.data[i % n].full;
}

/* ---- trials ---- */

static void set_trial(struct interval *v, uint32_t at, struct range r) {
    if (range_same(r, v->value.data[at]))
        return;
    v->trial.data[at] = r;
    v->stamp.data[at] = v->trials;
    vec_push(&v->changed, at);
}

static bool is_changed(const struct interval *v, size_t at) {
    return v->stamp.data[at] == v->trials;
}

static void execute_live(struct interval *v, uint32_t at) {
    uint32_t n = (uint32_t)v->code.nodes.len, step = at / n;
    const struct forward_node *node = &v->code.nodes.data[at % n];
    const struct role *role = &v->roles.data[at % n];
    struct range args[3] = {{0}};
    bool again = false;
    if (role->cell != NONE) {
        uint32_t from = v->next.data[role->cell];
        if (step > 0 && is_changed(v, (size_t)(step - 1) * n + from))
            set_trial(v, at, seen_cell(v, step - 1, role->cell));
        return;
    }
    for (int a = 0; a < node->arity; a++) {
        again |= is_changed(v, (size_t)step * n + node->arg[a]);
        args[a] = seen(v, step, node->arg[a]);
    }
    if (again) {
        v->ticks++;
        set_trial(v, at, forward_result(node, args));
    }
}

/* Does the box land with this range of a cell? Then the range stays. */
static bool try_range(struct interval *v, uint32_t cell, struct range r) {
    v->trials++;
    assert(v->needed.data[v->var.data[cell]]);
    vec_clear(&v->changed);
    set_trial(v, v->var.data[cell], r);
    for (size_t i = 0; i < v->live.len; i++)
        execute_live(v, v->live.data[i]);
    v->ticks += v->live.len / 16;
    if (!lands(v))
        return false;
    for (size_t i = 0; i < v->changed.len; i++)
        v->value.data[v->changed.data[i]] = v->trial.data[v->changed.data[i]];
    return true;
}

static struct range current(const struct interval *v, uint32_t cell) {
    return v->value.data[v->var.data[cell]];
}

/* The range with one side moved out by so many ordinals. */
static struct range moved(struct range r, bool low, uint64_t distance) {
    assert(r.num && distance > 0);
    if (low)
        r.lo = (int64_t)((uint64_t)r.lo - distance);
    else
        r.hi = (int64_t)((uint64_t)r.hi + distance);
    return r;
}

static void widen_side(struct interval *v, uint32_t cell, struct range full, bool low) {
    struct range start = current(v, cell);
    uint64_t room =
        low ? (uint64_t)start.lo - (uint64_t)full.lo : (uint64_t)full.hi - (uint64_t)start.hi;
    uint64_t good = 0, bad = room;
    assert(start.num && start.lo >= full.lo && start.hi <= full.hi);
    if (room == 0 || try_range(v, cell, moved(start, low, room)))
        return;
    /* `bad` fails: bisect on the magnitude first, then between neighbours. */
    for (uint64_t bit = UINT64_C(1) << 62; bit > 0; bit >>= 1)
        if (good + bit < bad) {
            if (try_range(v, cell, moved(start, low, good + bit)))
                good += bit;
            else
                bad = good + bit;
        }
}

static void widen_cell(struct interval *v, uint32_t cell) {
    const struct term_var *var = variable(v->sys, v->sys->cells.data[cell].var);
    struct range full = range_full(var->sort, var->is_signed), r = current(v, cell);
    if (try_range(v, cell, full) || !r.num)
        return;
    widen_side(v, cell, full, true);
    widen_side(v, cell, full, false);
    r = current(v, cell);
    r.nan = full.nan;
    if (full.nan)
        try_range(v, cell, r);
}

/* ---- cubes ---- */

static struct range cube_range(const struct cube *cube, uint32_t cell, struct range full) {
    struct range r = full;
    for (size_t i = 0; i < cube->len; i++) {
        struct bound b = cube->data[i];
        if (b.cell != cell)
            continue;
        if (b.kind == BOUND_NAN)
            return range_only_nan();
        r.nan &= b.kind != BOUND_NOT_NAN;
        if (b.kind == BOUND_GE)
            r.lo = b.ordinal;
        if (b.kind == BOUND_LE)
            r.hi = b.ordinal;
    }
    assert(r.lo <= r.hi);
    return r;
}

static void cube_add(struct cube *cube, uint32_t cell, struct range r, struct range full) {
    if (!r.num) {
        vec_push(cube, (struct bound){cell, BOUND_NAN, 0});
        return;
    }
    if (full.nan && !r.nan)
        vec_push(cube, (struct bound){cell, BOUND_NOT_NAN, 0});
    if (r.lo > full.lo)
        vec_push(cube, (struct bound){cell, BOUND_GE, r.lo});
    if (r.hi < full.hi)
        vec_push(cube, (struct bound){cell, BOUND_LE, r.hi});
}

static void begin(struct interval *v, const struct cube *cube, const uint64_t *inputs) {
    const struct system *sys = v->sys;
    size_t places = v->code.nodes.len * v->n_steps;
    struct range *cells = mem_alloc((sys->cells.len + 1) * sizeof *cells);
    for (uint32_t i = 0; i < sys->cells.len; i++) {
        const struct term_var *var = variable(sys, sys->cells.data[i].var);
        cells[i] = cube_range(cube, i, range_full(var->sort, var->is_signed));
    }
    vec_clear(&v->stamp);
    vec_clear(&v->needed);
    vec_clear(&v->live);
    vec_resize_zero(&v->value, places);
    vec_resize_zero(&v->trial, places);
    vec_resize_zero(&v->stamp, places);
    vec_resize_zero(&v->needed, places);
    v->trials = 1;
    execute_state(v, cells, inputs);
    mem_free(cells);
}

bool interval_land(struct interval *v, struct cube *cube, const uint64_t *inputs, uint32_t n_steps,
                   const struct cube *to) {
    assert(n_steps >= 1 && (!to || n_steps == 1));
    v->n_steps = n_steps;
    v->to = to;
    begin(v, cube, inputs);
    if (!lands(v))
        return false;
    find_needed(v);
    vec_clear(cube);
    for (uint32_t i = 0; i < v->sys->cells.len; i++) {
        uint32_t at = v->var.data[i];
        if (at == NONE || !v->needed.data[at])
            continue;
        const struct term_var *var = variable(v->sys, v->sys->cells.data[i].var);
        widen_cell(v, i);
        cube_add(cube, i, current(v, i), range_full(var->sort, var->is_signed));
    }
    return true;
}
