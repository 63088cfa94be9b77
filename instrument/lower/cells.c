/* The plan is a least fixed point from below: guess, run, compare, extend, repeat. Shapes of
 * pointers and words grow only, so it ends. */
#include "instrument/lower/cells.h"

#include "instrument/lower/access.h"
#include "instrument/lower/lowering.h"

#include <stdlib.h>

enum { TARGET_BITS = 16 };

void lower_plan_free(struct lower_plan *plan) {
    for (size_t i = 0; i < plan->cells.len; i++) {
        vec_free(&plan->cells.data[i].shape);
        vec_free(&plan->cells.data[i].fields);
    }
    vec_free(&plan->cells);
    vec_free(&plan->locations);
    vec_free(&plan->locals);
    vec_free(&plan->heaps);
    vec_free(&plan->summaries);
    arena_free(&plan->arena);
}

void state_free(struct state *state) {
    vec_free(&state->cells);
    vec_free(&state->of_cell);
    vec_free(&state->initial);
    vec_free(&state->names);
    vec_free(&state->is_signed);
    vec_free(&state->listed);
    vec_free(&state->places);
}

static struct plan_cell *plan_of(struct lowering *lw, uint32_t cell) {
    assert(cell < lw->plan->cells.len);
    return &lw->plan->cells.data[cell];
}

struct cell_place lower_cell_place(const struct lowering *lw, uint32_t cell) {
    const struct object *o = object_at(lw, lw->objects.cell_object.data[cell]);
    return layout_cell(o->layout, cell - o->base);
}

static bool is_pointer(struct cell_place place) {
    return place.type && LLVMGetTypeKind(place.type) == LLVMPointerTypeKind;
}

static bool is_mutable(const struct lowering *lw, uint32_t cell) {
    return !object_at(lw, lw->objects.cell_object.data[cell])->constant;
}

const char *lower_cell_name(struct lowering *lw, uint32_t cell) {
    if (lw->state.names.data[cell])
        return lw->state.names.data[cell];
    const struct object *o = object_at(lw, lw->objects.cell_object.data[cell]);
    struct str path = {0};
    str_add(&path, o->name);
    layout_path(o->layout, cell - o->base, &path);
    const char *name = arena_strdup(&lw->arena, str_text(&path));
    str_free(&path);
    return name;
}

/* The sort in which the cell's number is kept. */
static sort_t cell_sort(struct lowering *lw, uint32_t cell) {
    struct cell_place place = lower_cell_place(lw, cell);
    const struct plan_cell *p = plan_of(lw, cell);
    if (!place.type || p->as_bits)
        return (sort_t)(place.size * 8);
    if (p->is_bool && !p->any_byte)
        return SORT_BOOL;
    return lower_sort(place.type);
}

/* ---- the plan grows ---- */

static void cell_changes(struct lowering *lw, uint32_t cell) {
    struct plan_cell *p = plan_of(lw, cell);
    if (!p->changes)
        lw->plan->grown = p->changes = true;
}

/* Makes room for a pointee; true if the shape had to grow. */
static bool shape_include(struct lowering *lw, struct plan_cell *p, const struct pointee *q) {
    int64_t moving = q->index ? q->scale : 0;
    (void)lw;
    for (size_t i = 0; i < p->shape.len; i++) {
        struct shape_target *t = &p->shape.data[i];
        if (t->object != q->object)
            continue;
        int64_t scale = stride_gcd(stride_gcd(t->scale, moving), q->offset - t->offset);
        struct shape_target before = *t;
        t->scale = scale;
        if (t->hi && q->hi) {
            t->lo = q->lo < t->lo ? q->lo : t->lo;
            t->hi = q->hi > t->hi ? q->hi : t->hi;
        } else {
            t->lo = t->hi = 0;
        }
        return scale != before.scale || t->lo != before.lo || t->hi != before.hi;
    }
    vec_push(&p->shape, (struct shape_target){q->object, q->offset, moving, q->lo, q->hi});
    return true;
}

/* Locals die with the call: a pointer to one is as good as one never initialised. */
static struct pointee lasting(const struct lowering *lw, struct pointee p) {
    const struct object *o = object_at(lw, p.object);
    if (o->kind == OBJECT_LOCAL || o->kind == OBJECT_WILD || o->kind == OBJECT_ABSOLUTE) {
        p.object = o->kind == OBJECT_LOCAL ? OBJECT_WILD : p.object;
        p.offset = 0;
        p.index = 0;
        p.scale = p.lo = p.hi = 0;
    }
    return p;
}

static void plan_pointer(struct lowering *lw, uint32_t cell, value_t v) {
    size_t n;
    value_t pointer = pointer_of(lw, v);
    const struct pointee *pointees = pointer_pointees(lw, pointer, &n);
    for (size_t i = 0; i < n; i++) {
        struct pointee p = lasting(lw, pointees[i]);
        if (object_at(lw, pointees[i].object)->pending) /* it has a place in the next run */
            continue;
        if (shape_include(lw, plan_of(lw, cell), &p))
            lw->plan->grown = true;
    }
}

static bool is_zero_or_one(struct lowering *lw, value_t v) {
    if (v == VALUE_UNDEF)
        return false;
    struct scalar s = value_as(lw, v, 8);
    return ranges_at(&lw->ranges, s.term).u.hi <= 1;
}

static bool holds_integer(const struct lowering *lw, value_t v) {
    if (value_is(lw, v, VALUE_PACK))
        return true;
    term_t t = value_is_plain(v)                ? v
               : value_is(lw, v, VALUE_TAINTED) ? value_special(lw, v)->term
                                                : 0;
    return t && !sort_is_float(term_sort(lw->ts, t));
}

/* The plan must have room for this value of a cell that changes. */
static void plan_value(struct lowering *lw, uint32_t cell, value_t v) {
    struct cell_place place = lower_cell_place(lw, cell);
    struct plan_cell *p = plan_of(lw, cell);
    if (is_pointer(place)) {
        plan_pointer(lw, cell, v);
        return;
    }
    if (p->is_bool && !p->any_byte && !is_zero_or_one(lw, v))
        lw->plan->grown = p->any_byte = true;
    if (place.type && sort_is_float(lower_sort(place.type)) && !p->as_bits && holds_integer(lw, v))
        lw->plan->grown = p->as_bits = true;
}

/* ---- bit-fields ---- */

static void add_gap(struct lowering *lw, uint32_t cell, uint32_t from, uint32_t to) {
    if (from < to)
        vec_push(&plan_of(lw, cell)->fields, (struct plan_field){from, to - from, NULL, false});
}

/* Replaces the gap that holds the field by the field and what is left of the gap. */
void lower_state_add_field(struct lowering *lw, uint32_t cell, struct plan_field field) {
    struct plan_cell *p = plan_of(lw, cell);
    uint32_t total = lower_cell_place(lw, cell).size * 8, end = field.offset + field.bits;
    if (!p->fields.len)
        add_gap(lw, cell, 0, total);
    for (size_t i = 0; i < p->fields.len; i++) {
        struct plan_field gap = p->fields.data[i];
        if (gap.path || field.offset < gap.offset || end > gap.offset + gap.bits)
            continue;
        VEC(struct plan_field) after = {0};
        vec_append(&after, p->fields.data + i + 1, p->fields.len - i - 1);
        p->fields.len = i;
        add_gap(lw, cell, gap.offset, field.offset);
        vec_push(&p->fields, field);
        add_gap(lw, cell, end, gap.offset + gap.bits);
        vec_append(&p->fields, after.data, after.len);
        vec_free(&after);
        lw->plan->grown = true;
        return;
    }
}

/* ---- values at the start of a step ---- */

static term_t new_var(struct lowering *lw, uint32_t cell, const char *suffix, sort_t sort) {
    const char *name = arena_printf(&lw->arena, "%s%s", lower_cell_name(lw, cell), suffix);
    return term_var(lw->ts, name, sort, lw->state.is_signed.data[cell]);
}

static struct pointee target_pointee(struct lowering *lw, const struct state_cell *s, size_t k) {
    const struct plan_cell *p = plan_of(lw, s->cell);
    struct shape_target t = p->shape.data[k];
    struct pointee q = {.cond = term_bool(lw->ts, true), .object = t.object, .offset = t.offset};
    q.lo = t.lo;
    q.hi = t.hi;
    if (t.scale) {
        q.index = s->vars[1];
        q.scale = t.scale;
    }
    return q;
}

/* The last target of the shape is meant by every other number, too. */
static value_t decode_pointer(struct lowering *lw, const struct state_cell *s) {
    struct pointee_list list = {0};
    size_t n = plan_of(lw, s->cell)->shape.len;
    term_t others = term_bool(lw->ts, true);
    if (n == 0) /* only to objects that have a place in the next run */
        return pointer_of(lw, VALUE_UNDEF);
    for (size_t k = 0; k < n; k++) {
        struct pointee q = target_pointee(lw, s, k);
        term_t here = term_eq(lw->ts, s->vars[0], term_int(lw->ts, TARGET_BITS, (int64_t)k));
        q.cond = k + 1 == n ? others : here;
        others = term_and(lw->ts, others, term_not(lw->ts, here));
        vec_push(&list, q);
    }
    value_t v = pointer_make(lw, list.data, list.len, 0);
    vec_free(&list);
    return v;
}

static bool shape_moves(const struct plan_cell *p) {
    for (size_t k = 0; k < p->shape.len; k++)
        if (p->shape.data[k].scale)
            return true;
    return false;
}

static void new_pointer(struct lowering *lw, struct state_cell *s) {
    s->n_vars = shape_moves(plan_of(lw, s->cell)) ? 2 : 1;
    s->vars = arena_array(&lw->arena, term_t, s->n_vars);
    s->vars[0] = new_var(lw, s->cell, "", TARGET_BITS);
    if (s->n_vars == 2)
        s->vars[1] = new_var(lw, s->cell, "@offset", lower_pointer_sort(lw));
    s->value = decode_pointer(lw, s);
}

static void new_fields(struct lowering *lw, struct state_cell *s) {
    const struct plan_cell *p = plan_of(lw, s->cell);
    struct part_list parts = {0};
    s->n_vars = (uint32_t)p->fields.len;
    s->vars = arena_array(&lw->arena, term_t, s->n_vars);
    for (uint32_t i = 0; i < s->n_vars; i++) {
        struct plan_field f = p->fields.data[i];
        const char *name =
            f.path ? f.path
                   : arena_printf(&lw->arena, "%s@bit%u", lower_cell_name(lw, s->cell), f.offset);
        s->vars[i] = term_var(lw->ts, name, (sort_t)f.bits, f.is_signed);
        vec_push(&parts, (struct part){s->vars[i], f.bits});
    }
    s->value = value_join(lw, parts.data, parts.len);
    vec_free(&parts);
}

static struct state_cell new_state(struct lowering *lw, uint32_t cell) {
    struct state_cell s = {.cell = cell, .n_vars = 1};
    if (is_pointer(lower_cell_place(lw, cell))) {
        new_pointer(lw, &s);
        return s;
    }
    if (plan_of(lw, cell)->fields.len) {
        new_fields(lw, &s);
        return s;
    }
    sort_t sort = cell_sort(lw, cell);
    s.vars = arena_array(&lw->arena, term_t, 1);
    s.vars[0] = new_var(lw, cell, "", sort);
    s.value = sort == SORT_BOOL ? term_cast(lw->ts, OP_B2I, 8, s.vars[0]) : s.vars[0];
    return s;
}

const struct state_cell *lower_state_cell(struct lowering *lw, uint32_t cell) {
    struct state *state = &lw->state;
    assert(plan_of(lw, cell)->changes);
    if (!state->of_cell.data[cell]) {
        vec_push(&state->cells, new_state(lw, cell));
        state->of_cell.data[cell] = (uint32_t)state->cells.len;
    }
    return &state->cells.data[state->of_cell.data[cell] - 1];
}

value_t lower_state_value(struct lowering *lw, uint32_t cell) {
    if (!plan_of(lw, cell)->changes)
        return lw->state.initial.data[cell];
    return lower_state_cell(lw, cell)->value;
}

/* ---- encoding ---- */

static size_t shape_find(const struct plan_cell *p, uint32_t object) {
    for (size_t k = 0; k < p->shape.len; k++)
        if (p->shape.data[k].object == object)
            return k;
    return p->shape.len;
}

/* How many steps of the target's scale a pointee lies behind the target. */
static term_t steps_behind(struct lowering *lw, const struct pointee *q,
                           const struct shape_target *t) {
    sort_t width = lower_pointer_sort(lw);
    term_t steps = term_int(lw->ts, width, t->scale ? (q->offset - t->offset) / t->scale : 0);
    if (!q->index)
        return steps;
    term_t factor = term_int(lw->ts, width, q->scale / t->scale);
    return term_op2(lw->ts, OP_ADD, term_op2(lw->ts, OP_MUL, q->index, factor), steps);
}

static void encode_pointer(struct lowering *lw, const struct state_cell *s, value_t v,
                           struct scalar *out) {
    const struct plan_cell *p = plan_of(lw, s->cell);
    value_t pointer = pointer_of(lw, v);
    struct pointee_list list = {0};
    size_t n;
    const struct pointee *pointees = pointer_pointees(lw, pointer, &n);
    vec_append(&list, pointees, n);
    term_t which = 0, steps = 0;
    for (size_t i = 0; i < n; i++) {
        struct pointee q = lasting(lw, list.data[i]);
        size_t k = shape_find(p, q.object);
        assert(k < p->shape.len);
        term_t target = term_int(lw->ts, TARGET_BITS, (int64_t)k);
        term_t behind = steps_behind(lw, &q, &p->shape.data[k]);
        which = i ? term_ite(lw->ts, q.cond, target, which) : target;
        steps = i ? term_ite(lw->ts, q.cond, behind, steps) : behind;
    }
    vec_free(&list);
    out[0] = (struct scalar){which, pointer_taint(lw, pointer)};
    if (s->n_vars == 2)
        out[1] = (struct scalar){steps, pointer_taint(lw, pointer)};
}

static void encode_fields(struct lowering *lw, const struct state_cell *s, value_t v,
                          struct scalar *out) {
    const struct plan_cell *p = plan_of(lw, s->cell);
    uint32_t total = lower_cell_place(lw, s->cell).size * 8;
    for (uint32_t i = 0; i < s->n_vars; i++) {
        struct plan_field f = p->fields.data[i];
        out[i] = value_as(lw, value_extract(lw, v, total, f.offset, f.bits), (sort_t)f.bits);
    }
}

struct scalar *lower_state_encode(struct lowering *lw, const struct state_cell *s, value_t v) {
    struct scalar *out = arena_array(&lw->arena, struct scalar, s->n_vars);
    if (is_pointer(lower_cell_place(lw, s->cell)))
        encode_pointer(lw, s, v, out);
    else if (plan_of(lw, s->cell)->fields.len)
        encode_fields(lw, s, v, out);
    else
        out[0] = value_as(lw, v, cell_sort(lw, s->cell));
    return out;
}

/* ---- before and after the run ---- */

void lower_state_prepare(struct lowering *lw) {
    uint32_t n = lw->objects.n_global_cells;
    vec_resize_zero(&lw->plan->cells, n);
    vec_resize_zero(&lw->state.of_cell, n);
    vec_resize_zero(&lw->state.initial, n);
    vec_resize_zero(&lw->state.names, n);
    vec_resize_zero(&lw->state.is_signed, n);
    vec_resize_zero(&lw->state.listed, n);
    for (uint32_t cell = 0; cell < n; cell++)
        lw->state.is_signed.data[cell] = true;
}

static bool is_fixed(struct lowering *lw, value_t v) {
    if (value_is_plain(v))
        return term_is_const(lw->ts, v);
    if (!value_is(lw, v, VALUE_POINTER))
        return v == VALUE_UNDEF;
    size_t n;
    const struct pointee *p = pointer_pointees(lw, v, &n);
    return n == 1 && !p->index && !pointer_taint(lw, v);
}

/* What begins as an input, as parameters do, has its sign: bounds of both are read alike, by the
 * model and in C. The table says it of the state. */
static void take_sign(struct lowering *lw, uint32_t cell, value_t v) {
    if (!lw->state.listed.data[cell] && value_is_plain(v) && v && term_get(lw->ts, v)->op == OP_VAR)
        lw->state.is_signed.data[cell] = lw->ts->vars.data[term_get(lw->ts, v)->payload].is_signed;
}

void lower_state_begin(struct lowering *lw) {
    uint32_t n = lw->objects.n_global_cells;
    bool grown = lw->plan->grown;
    for (uint32_t cell = 0; cell < n; cell++) {
        value_t v = memory_get(&lw->memory, lw->now.memory, cell);
        if (!v || lw->now.dead)
            v = lw->objects.initial.data[cell];
        v = value_unpunned(lw, v);
        lw->state.initial.data[cell] = v;
        take_sign(lw, cell, v);
        if (!is_mutable(lw, cell))
            continue;
        if (!is_fixed(lw, v))
            cell_changes(lw, cell);
        if (plan_of(lw, cell)->changes)
            plan_value(lw, cell, v);
    }
    lw->plan->grown = grown; /* what follows from the initial values is used in this run already */
}

struct comparison {
    struct lowering *lw;
};

static void compare_cell(void *context, uint32_t cell, value_t a, value_t b) {
    struct lowering *lw = ((struct comparison *)context)->lw;
    (void)a;
    b = b ? value_unpunned(lw, b) : b;
    if (cell >= lw->objects.n_global_cells || !b)
        return;
    if (!plan_of(lw, cell)->changes && value_same(lw, b, lw->state.initial.data[cell]))
        return;
    if (!plan_of(lw, cell)->changes)
        plan_value(lw, cell, lw->state.initial.data[cell]);
    cell_changes(lw, cell);
    plan_value(lw, cell, b);
}

void lower_state_compare(struct lowering *lw) {
    struct comparison comparison = {lw};
    if (!lw->now.dead)
        memory_compare(&lw->memory, 0, lw->now.memory, compare_cell, &comparison);
}
