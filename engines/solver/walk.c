/* Local search: see walk.h. Values are bits, by variable. Each source has its cone: the constraints
 * that depend on it, arguments before results, so that a move costs one pass over the cone. What a
 * move changes is written down first, and taken back when the move is not kept. */
#include "engines/solver/walk.h"
#include "engines/solver/cone.h"
#include "engines/solver/prims.h"

#include <math.h>
#include <stdlib.h>

enum {
    MAX_CONES = 1 << 21, /* constraints in all cones together */
    TRIALS = 16,         /* of one direction search */
    PATIENCE = 60,       /* picks without gain before a new start */
    FIRST_BUDGET = 60000,
    SHARE = 6, /* the pause, in times of the effort */
};
#define BROKEN 64.0 /* of what has no distance */

struct saved {
    svar v;
    uint64_t bits;
};
struct saved_cost {
    uint32_t prim;
    double cost;
};

struct walk {
    struct solver *s;
    VEC(uint64_t) value;        /* bits by variable */
    VEC(double) cost;           /* by constraint: of itself and of its result's bounds */
    struct ids sources;         /* open variables without a definition */
    struct ids first, cones;    /* by source: its part of `cones` */
    struct ids violated, place; /* constraints that cost something; by constraint: index + 1 */
    struct ids stamp;
    VEC(struct saved) old_values;
    VEC(struct saved_cost) old_costs;
    double total;
};

void walk_restart(struct solver *s) {
    s->walk_at = s->stats.ticks + s->knobs.walk_first;
    s->walk_budget = FIRST_BUDGET;
}

bool walk_due(const struct solver *s) {
    return s->stats.ticks >= s->walk_at;
}

/* ---- values and violations ---- */

static bool value_nan(const struct walk *w, svar v) {
    sort_t sort = w->s->sort.data[v];
    uint64_t bits = w->value.data[v];
    return sort == SORT_F32   ? isnan(bits_f32(bits))
           : sort == SORT_F64 ? isnan(bits_f64(bits))
                              : false;
}

static int64_t value_ordinal(const struct walk *w, svar v) {
    return ordinal_of(w->s->sort.data[v], w->s->flags.data[v] & VAR_SIGNED, w->value.data[v]);
}

static double distance(int64_t a, int64_t b) {
    uint64_t d = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
    return 1 + log2(1 + (double)d);
}

/* How far the value of v is from its present bounds. */
static double bounds_cost(const struct walk *w, svar v) {
    const struct solver *s = w->s;
    svar nan = s->nan.data[v];
    if (value_nan(w, v))
        return nan && var_hi(s, nan) == 1 ? 0 : BROKEN;
    if (nan && var_lo(s, nan) == 1)
        return BROKEN;
    int64_t at = value_ordinal(w, v);
    return at < var_lo(s, v)   ? distance(at, var_lo(s, v))
           : at > var_hi(s, v) ? distance(at, var_hi(s, v))
                               : 0;
}

static double magnitude(const struct walk *w, svar v) {
    uint64_t bits = w->value.data[v];
    return fabs(w->s->sort.data[v] == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits));
}

/* x and sum must differ and do not, because what is added to x is too small: by how much. */
static double absorbed_cost(const struct walk *w, svar x, svar sum) {
    const struct solver *s = w->s;
    uint32_t prim = s->definition.data[sum];
    const struct prim_use *use = &s->prims.data[prim];
    enum op op = prim ? s->kinds.data[use->kind].op : OP_CONST;
    if ((op != OP_FADD && op != OP_FSUB) || (use->var[1] != x && use->var[2] != x))
        return 1;
    double added = magnitude(w, use->var[use->var[1] == x ? 2 : 1]);
    double needed = magnitude(w, x) * (s->sort.data[x] == SORT_F32 ? 0x1p-24 : 0x1p-53);
    if (!isfinite(needed) || (needed == 0 && added == 0))
        return BROKEN;
    if (added >= needed)
        return 1;
    return distance((int64_t)f64_bits(added), (int64_t)f64_bits(needed));
}

/* A comparison that has the wrong result: how far its arguments are apart. */
static double atom_cost(const struct walk *w, const struct prim_use *use) {
    const struct prim *kind = &w->s->kinds.data[use->kind];
    svar x = use->var[1], y = use->var[2];
    if (bounds_cost(w, use->var[0]) == 0)
        return 0;
    if (op_table[kind->op].arity != 2 || kind->sort[1] == SORT_BOOL || value_nan(w, x) ||
        value_nan(w, y))
        return BROKEN;
    if (w->value.data[x] == w->value.data[y] && sort_is_float(kind->sort[1]))
        return fmax(absorbed_cost(w, x, y), absorbed_cost(w, y, x));
    return distance(value_ordinal(w, x), value_ordinal(w, y));
}

static bool is_definition(const struct solver *s, uint32_t prim) {
    return s->definition.data[s->prims.data[prim].var[0]] == prim;
}

static uint64_t computed(const struct walk *w, const struct prim_use *use) {
    uint64_t args[3] = {0};
    for (int i = 0; i < op_table[w->s->kinds.data[use->kind].op].arity; i++)
        args[i] = w->value.data[use->var[i + 1]];
    return prims_value(&w->s->kinds.data[use->kind], args);
}

static double cost_of(struct walk *w, uint32_t prim, uint64_t result) {
    const struct prim_use *use = &w->s->prims.data[prim];
    svar z = use->var[0];
    if (w->s->sort.data[z] == SORT_BOOL && is_definition(w->s, prim))
        return atom_cost(w, use);
    if (is_definition(w->s, prim))
        return bounds_cost(w, z);
    if (result == w->value.data[z])
        return 0;
    return value_nan(w, z) || w->s->sort.data[z] == SORT_BOOL
               ? BROKEN
               : distance(value_ordinal(w, z),
                          ordinal_of(w->s->sort.data[z], w->s->flags.data[z] & VAR_SIGNED, result));
}

static void violated_set(struct walk *w, uint32_t prim, bool violated) {
    uint32_t at = w->place.data[prim];
    if (violated == (at != 0))
        return;
    if (violated) {
        vec_push(&w->violated, prim);
        w->place.data[prim] = (uint32_t)w->violated.len;
        return;
    }
    uint32_t last = vec_pop(&w->violated);
    if (last != prim) {
        w->violated.data[at - 1] = last;
        w->place.data[last] = at;
    }
    w->place.data[prim] = 0;
}

static void cost_set(struct walk *w, uint32_t prim, double cost) {
    w->total += cost - w->cost.data[prim];
    w->cost.data[prim] = cost;
    violated_set(w, prim, cost > 0);
}

static void value_set(struct walk *w, svar v, uint64_t bits) {
    vec_push(&w->old_values, (struct saved){v, w->value.data[v]});
    w->value.data[v] = bits;
}

static void run_one(struct walk *w, uint32_t prim) {
    const struct prim_use *use = &w->s->prims.data[prim];
    uint64_t result = computed(w, use);
    if (is_definition(w->s, prim) && result != w->value.data[use->var[0]])
        value_set(w, use->var[0], result);
    double cost = cost_of(w, prim, result);
    if (cost != w->cost.data[prim]) {
        vec_push(&w->old_costs, (struct saved_cost){prim, w->cost.data[prim]});
        cost_set(w, prim, cost);
    }
}

/* Source number `at` gets a value, and all that depends on it. */
static void move_to(struct walk *w, uint32_t at, int64_t ordinal) {
    svar v = w->sources.data[at];
    vec_clear(&w->old_values);
    vec_clear(&w->old_costs);
    value_set(w, v, ordinal_bits(w->s->sort.data[v], w->s->flags.data[v] & VAR_SIGNED, ordinal));
    for (uint32_t i = w->first.data[at]; i < w->first.data[at + 1]; i++)
        run_one(w, w->cones.data[i]);
    w->s->stats.ticks += 1 + (w->first.data[at + 1] - w->first.data[at]) / 2;
}

static void take_back(struct walk *w) {
    for (size_t i = w->old_costs.len; i-- > 0;)
        cost_set(w, w->old_costs.data[i].prim, w->old_costs.data[i].cost);
    for (size_t i = w->old_values.len; i-- > 0;)
        w->value.data[w->old_values.data[i].v] = w->old_values.data[i].bits;
}

/* ---- moves ---- */

static bool budget_left(const struct walk *w, uint64_t until) {
    return w->s->stats.ticks < until && !w->s->interrupted;
}

static int64_t clamp(const struct solver *s, svar v, int64_t from, uint64_t step, bool up) {
    int64_t lo = var_lo(s, v), hi = var_hi(s, v);
    if (up)
        return (uint64_t)hi - (uint64_t)from <= step ? hi : (int64_t)((uint64_t)from + step);
    return (uint64_t)from - (uint64_t)lo <= step ? lo : (int64_t)((uint64_t)from - step);
}

static bool try_move(struct walk *w, uint32_t at, int64_t to, bool level_too) {
    double before = w->total;
    if (value_ordinal(w, w->sources.data[at]) == to)
        return false;
    move_to(w, at, to);
    if (w->total < before - 1e-9 || (level_too && w->total <= before))
        return true;
    take_back(w);
    w->total = before;
    return false;
}

/* Steps in one direction, longer while they help and shorter while they do not. */
static bool climb(struct walk *w, uint32_t at, bool up) {
    const struct solver *s = w->s;
    svar v = w->sources.data[at];
    uint64_t width = (uint64_t)var_hi(s, v) - (uint64_t)var_lo(s, v);
    int bits = 0;
    while (bits < 63 && width >> bits)
        bits++;
    int k = (int)rng_below(&w->s->rng, (uint64_t)bits + 1);
    bool any = false;
    for (int trial = 0; trial < TRIALS && k >= 0 && w->total > 0; trial++) {
        int64_t from = value_ordinal(w, v);
        if (try_move(w, at, clamp(s, v, from, (uint64_t)1 << k, up), false)) {
            any = true;
            k += k < 62;
        } else {
            k -= any ? 2 : 5;
        }
    }
    return any;
}

/* A float of the box: evenly over the reals, or of a magnitude that sums and products survive. */
static double random_real(struct walk *w, double lo, double hi) {
    struct rng *rng = &w->s->rng;
    if (rng_below(rng, 2))
        return lo + rng_unit(rng) * (hi - lo);
    double x = exp2(20 * rng_unit(rng) - 10);
    return rng_below(rng, 2) ? x : -x;
}

/* A value anywhere in the box. */
static int64_t random_ordinal(struct walk *w, svar v) {
    struct solver *s = w->s;
    int64_t lo = var_lo(s, v), hi = var_hi(s, v);
    uint64_t width = (uint64_t)hi - (uint64_t)lo;
    sort_t sort = s->sort.data[v];
    if (sort_is_float(sort) && rng_below(&s->rng, 4)) {
        bool single = sort == SORT_F32;
        uint64_t a = ordinal_bits(sort, true, lo), b = ordinal_bits(sort, true, hi);
        double x = random_real(w, single ? (double)bits_f32(a) : bits_f64(a),
                               single ? (double)bits_f32(b) : bits_f64(b));
        int64_t at = ordinal_of(sort, true, single ? f32_bits((float)x) : f64_bits(x));
        if (isfinite(x) && at >= lo && at <= hi)
            return at;
    }
    return width == UINT64_MAX ? (int64_t)rng_next(&s->rng)
                               : (int64_t)((uint64_t)lo + rng_below(&s->rng, width + 1));
}

static bool jump(struct walk *w, uint32_t at) {
    const struct solver *s = w->s;
    svar v = w->sources.data[at];
    int64_t lo = var_lo(s, v), hi = var_hi(s, v);
    switch (rng_below(&w->s->rng, 4)) {
    case 0:
        return try_move(w, at, lo, true);
    case 1:
        return try_move(w, at, hi, true);
    case 2:
        return try_move(w, at, lo > 0 ? lo : hi < 0 ? hi : 0, true);
    default:
        return try_move(w, at, random_ordinal(w, v), true);
    }
}

/* From a violated constraint backwards along arguments to a source. */
static bool pick_source(struct walk *w, uint32_t *at) {
    struct solver *s = w->s;
    uint32_t prim = w->violated.data[rng_below(&s->rng, w->violated.len)];
    bool first = !is_definition(s, prim);
    for (;;) {
        const struct prim_use *use = &s->prims.data[prim];
        svar open[4];
        uint64_t n = 0;
        for (int i = first ? 0 : 1; i <= op_table[s->kinds.data[use->kind].op].arity; i++)
            if (!var_fixed(s, use->var[i]))
                open[n++] = use->var[i];
        if (n == 0)
            return false;
        svar v = open[rng_below(&s->rng, n)];
        if (w->stamp.data[v]) {
            *at = w->stamp.data[v] - 1;
            return true;
        }
        prim = s->definition.data[v];
        if (!prim)
            return false;
        first = false;
    }
}

static void start_anew(struct walk *w) {
    for (uint32_t at = 0; at < w->sources.len; at++)
        move_to(w, at, random_ordinal(w, w->sources.data[at]));
}

static bool search(struct walk *w, uint64_t until) {
    int idle = 0;
    while (w->violated.len > 0 && budget_left(w, until)) {
        uint32_t at;
        double before = w->total;
        if (idle > PATIENCE) {
            start_anew(w);
            idle = 0;
            continue;
        }
        idle++;
        w->s->stats.ticks++;
        if (!pick_source(w, &at))
            continue;
        bool up = rng_below(&w->s->rng, 2);
        if (rng_below(&w->s->rng, 8) == 0)
            jump(w, at);
        else if (!climb(w, at, up))
            climb(w, at, !up);
        if (w->total < before - 1e-9)
            idle = 0;
    }
    return w->violated.len == 0;
}

/* ---- setting up ---- */

static bool is_open_source(const struct solver *s, svar v) {
    sort_t sort = s->sort.data[v];
    return cone_has(s, v) && sort != SORT_BOOL && sort != SORT_NONE && !s->definition.data[v] &&
           !var_fixed(s, v) && (!s->nan.data[v] || var_hi(s, s->nan.data[v]) == 0);
}

static bool walkable(const struct solver *s, uint32_t prim) {
    const struct prim_use *use = &s->prims.data[prim];
    return !prim_is_form(use) && s->kinds.data[use->kind].op < OP_SIN;
}

static int ids_order(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The constraints that depend on source number `at`, in their order. */
static bool add_cone(struct walk *w, uint32_t at, uint8_t *reached) {
    const struct solver *s = w->s;
    struct ids todo = {0};
    size_t from = w->cones.len;
    bool fine = true;
    vec_push(&w->first, (uint32_t)from);
    vec_push(&todo, w->sources.data[at]);
    while (todo.len && fine) {
        svar v = vec_pop(&todo);
        for (size_t i = 0; i < s->uses.data[v].len; i++) {
            uint32_t prim = s->uses.data[v].data[i];
            const struct prim_use *use = &s->prims.data[prim];
            if (prim_is_form(use) || reached[prim] || !cone_has(s, use->var[0]))
                continue;
            reached[prim] = 1;
            vec_push(&w->cones, prim);
            fine &= walkable(s, prim) && w->cones.len < MAX_CONES;
            if (is_definition(s, prim) && use->var[0] != v && !var_fixed(s, use->var[0]))
                vec_push(&todo, use->var[0]);
        }
    }
    vec_free(&todo);
    if (w->cones.len > from)
        qsort(w->cones.data + from, w->cones.len - from, sizeof *w->cones.data, ids_order);
    for (size_t i = from; i < w->cones.len; i++)
        reached[w->cones.data[i]] = 0;
    w->s->stats.ticks += (w->cones.len - from) / 2;
    return fine;
}

/* Values to begin with: the phases; then everything is computed once. */
static void first_values(struct walk *w) {
    struct solver *s = w->s;
    vec_resize_zero(&w->value, (size_t)s->n_vars + 1);
    vec_resize_zero(&w->cost, s->prims.len);
    vec_resize_zero(&w->place, s->prims.len);
    for (svar v = 1; v <= s->n_vars; v++) {
        int64_t at = s->phase.data[v], lo = var_lo(s, v), hi = var_hi(s, v);
        svar nan = s->nan.data[v];
        bool is_nan = nan && var_lo(s, nan) == 1;
        w->value.data[v] = is_nan
                               ? (s->sort.data[v] == SORT_F32 ? 0x7fc00000u : 0x7ff8000000000000u)
                               : ordinal_bits(s->sort.data[v], s->flags.data[v] & VAR_SIGNED,
                                              at < lo   ? lo
                                              : at > hi ? hi
                                                        : at);
    }
    uint8_t *seen = mem_zalloc(s->prims.len, 1);
    for (size_t i = 0; i < w->cones.len; i++)
        seen[w->cones.data[i]] = 1;
    for (uint32_t prim = 1; prim < s->prims.len; prim++)
        if (seen[prim])
            run_one(w, prim);
    mem_free(seen);
    s->stats.ticks += s->prims.len / 2 + s->n_vars / 8;
}

static bool set_up(struct walk *w) {
    struct solver *s = w->s;
    bool fine = true;
    vec_resize_zero(&w->stamp, (size_t)s->n_vars + 1);
    for (svar v = 1; v <= s->n_vars; v++)
        if (is_open_source(s, v)) {
            vec_push(&w->sources, v);
            w->stamp.data[v] = (uint32_t)w->sources.len;
        }
    uint8_t *reached = mem_zalloc(s->prims.len, 1);
    for (uint32_t at = 0; at < w->sources.len && fine; at++)
        fine = add_cone(w, at, reached);
    mem_free(reached);
    vec_push(&w->first, (uint32_t)w->cones.len);
    return fine && w->sources.len > 0;
}

static void walk_free(struct walk *w) {
    vec_free(&w->value);
    vec_free(&w->cost);
    vec_free(&w->sources);
    vec_free(&w->first);
    vec_free(&w->cones);
    vec_free(&w->violated);
    vec_free(&w->place);
    vec_free(&w->stamp);
    vec_free(&w->old_values);
    vec_free(&w->old_costs);
}

bool walk_now(struct solver *s) {
    struct walk w = {.s = s};
    uint64_t start = s->stats.ticks;
    bool found = false;
    if (set_up(&w)) {
        first_values(&w);
        found = search(&w, s->stats.ticks + s->walk_budget);
    }
    for (size_t i = 0; i < w.sources.len && found; i++)
        s->phase.data[w.sources.data[i]] = value_ordinal(&w, w.sources.data[i]);
    walk_free(&w);
    s->walk_budget += s->walk_budget / 2; /* so does the pause, or the search would never end */
    s->walk_at = s->stats.ticks + s->walk_budget + SHARE * (s->stats.ticks - start);
    return found;
}
