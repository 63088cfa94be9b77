/* Draw, then repair: bounds of the invariant and constants of the program are preferred values;
 * each clause that a draw breaks is mended by moving one cell of one literal, a few rounds long. */
#include "app/audit/states.h"

#include "base/map.h"
#include "instrument/syntax/sort.h"
#include "model/term/eval.h"
#include "model/term/ordinal.h"
#include "model/term/value.h"

#include <string.h>

enum { CONSTANTS_MAX = 400, REPAIRS = 40, NEAR = 3, FEW = 4 };

/* ---- between the program and the system ---- */

static const struct term_var *var_of(const struct states *s, uint32_t cell) {
    const struct terms *ts = s->sys->terms;
    return &ts->vars.data[term_get(ts, s->sys->cells.data[cell].var)->payload];
}

static sort_t sort_of(const struct module_var *v) {
    return v->type == TYPE_POINTER ? SORT_NONE : var_sort(v);
}

/* Cells that are always equal share their value. */
static void name_cells(const struct states *s, struct map *by_name) {
    for (uint32_t i = 0; i < s->sys->cells.len; i++)
        if (!s->sys->cells.data[i].is)
            map_put(by_name, hash_text(s->sys->cells.data[i].name), i);
    for (size_t i = 0; i < s->sys->folded.len; i++)
        if (s->sys->folded.data[i].same_as != NONE)
            map_put(by_name, hash_text(s->sys->folded.data[i].name),
                    s->sys->folded.data[i].same_as);
}

static void connect(struct states *s) {
    struct map by_name = {0};
    name_cells(s, &by_name);
    vec_resize_zero(&s->place, s->sys->cells.len + 1);
    vec_resize_zero(&s->input_of, s->sys->cells.len + 1);
    for (uint32_t i = 0; i < s->module->inputs.len; i++) {
        const struct module_var *v = &s->module->inputs.data[i];
        const uint32_t *cell = map_get(&by_name, hash_text(v->path));
        if (v->role != VAR_PARAMETER || !cell || var_of(s, *cell)->sort != sort_of(v))
            continue;
        s->place.data[*cell] = PLACE_PARAMETER;
        s->input_of.data[*cell] = i;
    }
    for (size_t i = 0; i < s->module->state.len; i++) {
        const struct module_var *v = &s->module->state.data[i];
        const uint32_t *cell = map_get(&by_name, hash_text(v->path));
        bool same = cell && var_of(s, *cell)->sort == sort_of(v);
        vec_push(&s->cell_of, same ? *cell : NONE);
        if (same && s->place.data[*cell] != PLACE_PARAMETER)
            s->place.data[*cell] = PLACE_SET;
    }
    map_free(&by_name);
}

void states_take(const struct states *s, const uint64_t *state, const uint64_t *inputs,
                 uint64_t *cells) {
    for (size_t i = 0; i < s->cell_of.len; i++)
        if (s->cell_of.data[i] != NONE)
            cells[s->cell_of.data[i]] = state[i];
    for (uint32_t c = 0; c < s->sys->cells.len; c++)
        if (s->place.data[c] == PLACE_PARAMETER)
            cells[c] = inputs[s->input_of.data[c]];
}

void states_set(const struct states *s, const uint64_t *cells, struct native_cells *set) {
    vec_clear(set);
    for (uint32_t i = 0; i < s->cell_of.len; i++) {
        uint32_t cell = s->cell_of.data[i];
        if (cell != NONE && s->place.data[cell] == PLACE_SET)
            vec_push(set, (struct native_cell){i, cells[cell]});
    }
}

/* ---- values ---- */

static void collect_constants(struct states *s) {
    const struct terms *ts = s->sys->terms;
    for (term_t t = 1; t < ts->nodes.len && s->constants.len < CONSTANTS_MAX; t++) {
        const struct term *node = term_get(ts, t);
        bool number = sort_is_int(node->sort) || sort_is_float(node->sort);
        if (node->op != OP_CONST || !number || bits_are_nan(node->sort, node->payload))
            continue;
        vec_push(&s->constants, ordinal_of(node->sort, true, node->payload));
    }
    if (s->constants.len == 0)
        vec_push(&s->constants, 1);
}

static int64_t clamp(int64_t v, int64_t low, int64_t high) {
    return v < low ? low : v > high ? high : v;
}

/* Any of them, all alike. */
static int64_t between(struct states *s, int64_t low, int64_t high) {
    uint64_t span = (uint64_t)high - (uint64_t)low;
    uint64_t by = span == UINT64_MAX ? rng_next(&s->rng) : rng_below(&s->rng, span + 1);
    return (int64_t)((uint64_t)low + by);
}

static int64_t near(struct states *s, int64_t v) {
    return (int64_t)((uint64_t)v + rng_below(&s->rng, 2 * NEAR + 1) - NEAR);
}

static int64_t constant(struct states *s) {
    int64_t v = s->constants.data[rng_below(&s->rng, s->constants.len)];
    return rng_below(&s->rng, 2) ? v : near(s, v);
}

static int64_t draw(struct states *s, int64_t low, int64_t high, int64_t present) {
    assert(low <= high);
    switch (rng_below(&s->rng, 9)) {
    case 0:
        return low;
    case 1:
        return high;
    case 2:
        return clamp(near(s, low), low, high);
    case 3:
        return clamp(near(s, high), low, high);
    case 4:
    case 8:
        return clamp(constant(s), low, high);
    case 5:
        return clamp(near(s, present), low, high);
    case 6:
        return clamp((int64_t)rng_below(&s->rng, FEW), low, high);
    default:
        return between(s, low, high);
    }
}

uint64_t states_input(struct states *s, uint32_t input) {
    const struct module_var *v = &s->module->inputs.data[input];
    sort_t sort = sort_of(v);
    bool is_signed = v->type == TYPE_SIGNED;
    if (sort == SORT_NONE)
        return v->min;
    int64_t low = ordinal_of(sort, is_signed, v->min), high = ordinal_of(sort, is_signed, v->max);
    return low > high ? v->min : ordinal_bits(sort, is_signed, draw(s, low, high, low));
}

/* ---- what is known of an invariant ---- */

static void add_cell(struct focus *f, const struct states *s, uint32_t cell) {
    if (s->place.data[cell] != PLACE_SET)
        return;
    for (size_t i = 0; i < f->cells.len; i++)
        if (f->cells.data[i] == cell)
            return;
    vec_push(&f->cells, cell);
}

/* The cells that a derived one is made of; false: some of them cannot be seen. */
static bool add_derived(struct focus *f, const struct states *s, uint32_t cell) {
    const struct terms *ts = s->sys->terms;
    VEC(bool) mark = {0};
    bool known = true;
    vec_resize_zero(&mark, ts->nodes.len);
    (void)term_mark(ts, &s->sys->cells.data[cell].is, 1, mark.data);
    for (uint32_t c = 0; c < s->sys->cells.len; c++)
        if (mark.data[s->sys->cells.data[c].var]) {
            known &= s->place.data[c] != PLACE_NONE;
            add_cell(f, s, c);
        }
    for (size_t i = 0; i < f->derived.len; i++)
        if (f->derived.data[i] == cell)
            cell = NONE;
    if (cell != NONE)
        vec_push(&f->derived, cell);
    vec_free(&mark);
    return known;
}

static bool add_literal(struct focus *f, const struct states *s, uint32_t cell) {
    if (s->sys->cells.data[cell].is)
        return add_derived(f, s, cell);
    add_cell(f, s, cell);
    return s->place.data[cell] != PLACE_NONE;
}

static void note_bound(struct focus *f, struct bound b) {
    if (bound_is_sum(b) || f->low.data[b.cell] > f->high.data[b.cell])
        return;
    if (b.kind == BOUND_GE && b.ordinal > f->low.data[b.cell])
        f->low.data[b.cell] = b.ordinal;
    if (b.kind == BOUND_LE && b.ordinal < f->high.data[b.cell])
        f->high.data[b.cell] = b.ordinal;
}

bool focus_open(struct focus *f, const struct states *s, const struct invariant *inv) {
    *f = (struct focus){.inv = inv};
    bool known = true;
    for (uint32_t c = 0; c < s->sys->cells.len; c++) {
        const struct term_var *v = var_of(s, c);
        vec_push(&f->low, ordinal_min(v->sort, v->is_signed));
        vec_push(&f->high, ordinal_max(v->sort, v->is_signed));
    }
    for (size_t i = 0; known && i < inv->clauses.len; i++) {
        const struct clause *c = &inv->clauses.data[i];
        for (size_t k = 0; known && k < c->len; k++) {
            known = add_literal(f, s, c->data[k].cell);
            if (known && bound_is_sum(c->data[k]))
                known = add_literal(f, s, c->data[k].other);
        }
        if (c->len == 1)
            note_bound(f, c->data[0]);
    }
    return known;
}

void focus_close(struct focus *f) {
    vec_free(&f->cells);
    vec_free(&f->low);
    vec_free(&f->high);
    vec_free(&f->derived);
}

bool states_holds(const struct states *s, const struct invariant *inv, const uint64_t *cells) {
    for (size_t i = 0; i < inv->clauses.len; i++)
        if (!clause_holds(&inv->clauses.data[i], s->sys, cells))
            return false;
    return true;
}

void states_derive(struct states *s, const struct focus *f, uint64_t *cells) {
    const struct terms *ts = s->sys->terms;
    if (f->derived.len == 0)
        return;
    for (uint32_t c = 0; c < s->sys->cells.len; c++)
        s->var_values.data[term_get(ts, s->sys->cells.data[c].var)->payload] = cells[c];
    for (size_t i = 0; i < f->derived.len; i++) {
        term_t is = s->sys->cells.data[f->derived.data[i]].is;
        term_eval(ts, &is, 1, s->var_values.data, s->values.data);
        cells[f->derived.data[i]] = s->values.data[is];
    }
}

/* ---- drawing ---- */

static void put(struct states *s, uint64_t *cells, uint32_t cell, int64_t ordinal) {
    const struct term_var *v = var_of(s, cell);
    int64_t low = ordinal_min(v->sort, v->is_signed), high = ordinal_max(v->sort, v->is_signed);
    cells[cell] = ordinal_bits(v->sort, v->is_signed, clamp(ordinal, low, high));
}

static int64_t value(const struct states *s, const uint64_t *cells, uint32_t cell) {
    const struct term_var *v = var_of(s, cell);
    return ordinal_of(v->sort, v->is_signed, cells[cell]);
}

static void change(struct states *s, const struct focus *f, uint64_t *cells, uint32_t cell) {
    int64_t low = f->low.data[cell], high = f->high.data[cell];
    if (low <= high)
        put(s, cells, cell, draw(s, low, high, value(s, cells, cell)));
}

static int64_t towards(struct states *s, enum bound_kind kind, int64_t limit) {
    int64_t by = rng_below(&s->rng, 2) ? 0 : (int64_t)rng_below(&s->rng, 16);
    return kind == BOUND_GE ? (limit > INT64_MAX - by ? limit : limit + by)
                            : (limit < INT64_MIN + by ? limit : limit - by);
}

/* factor * x + rest >= limit, or <=, solved for x; rounded to the side where it holds. */
static int64_t solved(enum bound_kind *kind, int64_t factor, int64_t rest, int64_t limit) {
    int64_t over = limit - rest;
    if (factor < 0) {
        *kind = *kind == BOUND_GE ? BOUND_LE : BOUND_GE;
        factor = -factor;
        over = -over;
    }
    int64_t floor = over / factor - (over % factor != 0 && over < 0);
    return *kind == BOUND_GE && floor * factor < over ? floor + 1 : floor;
}

static void repair_sum(struct states *s, uint64_t *cells, struct bound b) {
    bool first = s->place.data[b.cell] == PLACE_SET &&
                 (s->place.data[b.other] != PLACE_SET || rng_below(&s->rng, 2));
    uint32_t cell = first ? b.cell : b.other, other = first ? b.other : b.cell;
    int64_t factor = first ? b.factor : b.other_factor, by = first ? b.other_factor : b.factor;
    enum bound_kind kind = b.kind;
    if (s->place.data[cell] != PLACE_SET)
        return;
    int64_t limit = solved(&kind, factor, by * value(s, cells, other), b.ordinal);
    put(s, cells, cell, towards(s, kind, limit));
}

/* A term over cells: equal values make most of what engines ask for true. */
static void repair_derived(struct states *s, const struct focus *f, uint64_t *cells) {
    uint32_t cell = f->cells.data[rng_below(&s->rng, f->cells.len)];
    uint32_t other = f->cells.data[rng_below(&s->rng, f->cells.len)];
    if (var_of(s, cell)->sort == var_of(s, other)->sort && rng_below(&s->rng, 2))
        cells[cell] = cells[other];
    else
        change(s, f, cells, cell);
}

static void repair(struct states *s, const struct focus *f, uint64_t *cells, struct bound b) {
    sort_t sort = var_of(s, b.cell)->sort;
    if (bound_is_sum(b))
        repair_sum(s, cells, b);
    else if (s->sys->cells.data[b.cell].is)
        repair_derived(s, f, cells);
    else if (s->place.data[b.cell] != PLACE_SET)
        return;
    else if (b.kind == BOUND_NAN)
        cells[b.cell] = sort == SORT_F32 ? UINT64_C(0x7fc00000) : UINT64_C(0x7ff8000000000000);
    else if (b.kind == BOUND_NOT_NAN)
        cells[b.cell] = 0;
    else
        put(s, cells, b.cell, towards(s, (enum bound_kind)b.kind, b.ordinal));
}

static const struct clause *broken(const struct states *s, const struct focus *f,
                                   const uint64_t *cells) {
    for (size_t i = 0; i < f->inv->clauses.len; i++)
        if (!clause_holds(&f->inv->clauses.data[i], s->sys, cells))
            return &f->inv->clauses.data[i];
    return NULL;
}

bool states_draw(struct states *s, const struct focus *f, uint64_t *cells) {
    if (f->cells.len > 0) {
        size_t n = rng_below(&s->rng, 4) ? 1 + rng_below(&s->rng, FEW) : f->cells.len;
        for (size_t i = 0; i < n; i++)
            change(s, f, cells, f->cells.data[rng_below(&s->rng, f->cells.len)]);
    }
    uint32_t any = (uint32_t)rng_below(&s->rng, s->sys->cells.len + 1);
    if (any < s->sys->cells.len && s->place.data[any] == PLACE_SET)
        change(s, f, cells, any);
    for (int i = 0; i < REPAIRS; i++) {
        states_derive(s, f, cells);
        const struct clause *c = broken(s, f, cells);
        if (!c)
            return true;
        if (f->cells.len == 0 || c->len == 0)
            return false;
        repair(s, f, cells, c->data[rng_below(&s->rng, c->len)]);
    }
    return false;
}

void states_open(struct states *s, const struct system *sys, const struct module *module,
                 uint64_t seed) {
    *s = (struct states){.sys = sys, .module = module};
    assert(!module->task);
    rng_init(&s->rng, seed);
    vec_resize_zero(&s->var_values, sys->terms->vars.len + 1);
    vec_resize_zero(&s->values, sys->terms->nodes.len + 1);
    connect(s);
    collect_constants(s);
}

void states_close(struct states *s) {
    vec_free(&s->place);
    vec_free(&s->input_of);
    vec_free(&s->cell_of);
    vec_free(&s->constants);
    vec_free(&s->var_values);
    vec_free(&s->values);
}
