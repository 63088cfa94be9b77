/* Offsets of one pointee are kept as offset + index * scale with one index, so that an access can
 * see which elements of an array it may reach. Indices are signed numbers of pointer width and are
 * taken mathematically: an index that would wrap around the address space is out of bounds. */
#include "instrument/lower/pointer.h"

#include "instrument/lower/lowering.h"

#include <stdlib.h>

const struct pointee *pointer_pointees(struct lowering *lw, value_t pointer, size_t *n) {
    assert(value_is(lw, pointer, VALUE_POINTER));
    const struct special *s = value_special(lw, pointer);
    *n = s->n;
    return &lw->values.pointees.data[s->first];
}

term_t pointer_taint(struct lowering *lw, value_t pointer) {
    assert(value_is(lw, pointer, VALUE_POINTER));
    return value_special(lw, pointer)->taint;
}

value_t pointer_make(struct lowering *lw, const struct pointee *pointees, size_t n, term_t taint) {
    assert(n > 0);
    if (taint && term_is_false(lw->ts, taint))
        taint = 0;
    struct special s = {.kind = VALUE_POINTER,
                        .taint = taint,
                        .first = (uint32_t)lw->values.pointees.len,
                        .n = (uint32_t)n};
    vec_append(&lw->values.pointees, pointees, n);
    vec_push(&lw->values.specials, s);
    return (value_t)(lw->values.specials.len - 1) | VALUE_SPECIAL;
}

value_t pointer_to(struct lowering *lw, uint32_t object, int64_t offset) {
    struct pointee p = {.cond = term_bool(lw->ts, true), .object = object, .offset = offset};
    return pointer_make(lw, &p, 1, 0);
}

static void copy_pointees(struct lowering *lw, value_t pointer, struct pointee_list *out) {
    size_t n;
    const struct pointee *p = pointer_pointees(lw, pointer, &n);
    vec_append(out, p, n);
}

/* The index as a number of pointer width; a constant one moves into the offset. */
static struct pointee with_index(struct lowering *lw, struct pointee p, term_t index,
                                 int64_t scale) {
    sort_t width = lower_pointer_sort(lw);
    sort_t from = term_sort(lw->ts, index);
    assert(sort_is_int(from));
    if (from != width)
        index = term_cast(lw->ts, from < width ? OP_SEXT : OP_TRUNC, width, index);
    p.index = index;
    p.scale = scale;
    if (!term_is_const(lw->ts, index))
        return p;
    uint64_t bits = term_get(lw->ts, index)->payload;
    p.offset += ordinal_of(width, true, bits) * scale;
    p.index = 0;
    p.scale = 0;
    return p;
}

int64_t stride_gcd(int64_t a, int64_t b) {
    a = llabs(a);
    b = llabs(b);
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static term_t scaled(struct lowering *lw, term_t index, int64_t factor) {
    sort_t width = lower_pointer_sort(lw);
    if (factor == 1)
        return index;
    return term_op2(lw->ts, OP_MUL, index, term_int(lw->ts, width, factor));
}

static struct pointee add_index(struct lowering *lw, struct pointee p, term_t index,
                                int64_t scale) {
    struct pointee with = with_index(lw, p, index, scale);
    if (!with.index || !p.index) {
        if (!with.index) {
            with.index = p.index;
            with.scale = p.scale;
        }
        return with;
    }
    int64_t g = stride_gcd(p.scale, scale);
    term_t sum = term_op2(lw->ts, OP_ADD, scaled(lw, p.index, p.scale / g),
                          scaled(lw, with.index, scale / g));
    return with_index(lw, p, sum, g);
}

static value_t with_pointees(struct lowering *lw, value_t pointer, struct pointee_list *list,
                             term_t taint) {
    value_t v =
        pointer_make(lw, list->data, list->len, taint_or(lw, pointer_taint(lw, pointer), taint));
    vec_free(list);
    return v;
}

value_t pointer_add(struct lowering *lw, value_t pointer, struct scalar index, int64_t scale) {
    struct pointee_list list = {0};
    copy_pointees(lw, pointer, &list);
    for (size_t i = 0; i < list.len && scale; i++) {
        list.data[i] = add_index(lw, list.data[i], index.term, scale);
        list.data[i].valid = 0; /* the sum may be back inside */
    }
    return with_pointees(lw, pointer, &list, index.taint);
}

value_t pointer_member(struct lowering *lw, value_t pointer, int64_t offset, int64_t array) {
    struct pointee_list list = {0};
    copy_pointees(lw, pointer, &list);
    for (size_t i = 0; i < list.len; i++) {
        struct pointee *p = &list.data[i];
        p->offset += offset;
        if (array && p->index)
            p->lo = p->hi = 0;
        else if (array) {
            p->lo = p->offset;
            p->hi = p->offset + array;
        }
    }
    return with_pointees(lw, pointer, &list, 0);
}

/* An array at a constant place has constant bounds, with those around it. */
static void find_bounds(struct lowering *lw, struct pointee *p, int64_t size, int64_t count) {
    struct byte_range range;
    const struct object *o = object_at(lw, p->object);
    if (p->hi || p->index || count <= 1 || !o->layout || p->offset < 0)
        return;
    if (!layout_array(o->layout, (uint64_t)p->offset, (uint64_t)count, (uint64_t)size, &range))
        return;
    p->lo = (int64_t)range.lo;
    p->hi = (int64_t)range.hi;
}

/* The bounds of the array move with an outer index: then the inner one is compared instead. */
static term_t element_valid(struct lowering *lw, const struct pointee *p, term_t index,
                            int64_t count) {
    sort_t width = lower_pointer_sort(lw), from = term_sort(lw->ts, index);
    if (!p->index || count <= 1)
        return p->valid;
    if (from != width)
        index = term_cast(lw->ts, from < width ? OP_SEXT : OP_TRUNC, width, index);
    term_t low = term_op2(lw->ts, OP_SLE, term_int(lw->ts, width, 0), index);
    term_t high = term_op2(lw->ts, OP_SLT, index, term_int(lw->ts, width, count));
    term_t valid = term_and(lw->ts, low, high);
    return p->valid ? term_and(lw->ts, p->valid, valid) : valid;
}

value_t pointer_element(struct lowering *lw, value_t pointer, struct scalar index, int64_t scale,
                        int64_t count) {
    struct pointee_list list = {0};
    copy_pointees(lw, pointer, &list);
    for (size_t i = 0; i < list.len && scale; i++) {
        find_bounds(lw, &list.data[i], scale, count);
        term_t valid = element_valid(lw, &list.data[i], index.term, count);
        list.data[i] = add_index(lw, list.data[i], index.term, scale);
        list.data[i].valid = valid;
    }
    return with_pointees(lw, pointer, &list, index.taint);
}

/* ---- numbers and pointers ---- */

static value_t absolute(struct lowering *lw, struct scalar number) {
    term_t yes = term_bool(lw->ts, true);
    sort_t width = lower_pointer_sort(lw);
    struct pointee p[2] = {{.cond = yes, .object = OBJECT_NULL},
                           {.cond = yes, .object = OBJECT_ABSOLUTE}};
    term_t is_null = term_eq(lw->ts, number.term, term_int(lw->ts, width, 0));
    p[1] = with_index(lw, p[1], number.term, 1);
    if (term_is_const(lw->ts, number.term))
        return pointer_make(lw, term_is_true(lw->ts, is_null) ? &p[0] : &p[1], 1, number.taint);
    p[0].cond = is_null;
    p[1].cond = term_not(lw->ts, is_null);
    return pointer_make(lw, p, 2, number.taint);
}

value_t pointer_of(struct lowering *lw, value_t v) {
    if (value_is(lw, v, VALUE_POINTER))
        return v;
    if (v == VALUE_UNDEF) {
        struct pointee wild = {.cond = term_bool(lw->ts, true), .object = OBJECT_WILD};
        return pointer_make(lw, &wild, 1, indeterminate_taint(lw));
    }
    return absolute(lw, value_as(lw, v, lower_pointer_sort(lw)));
}

/* ---- choice ---- */

/* Same object: the offset is chosen by `cond`, as a number of steps of the largest size that fits
 * both. */
static struct pointee choose_offset(struct lowering *lw, term_t cond, struct pointee a,
                                    struct pointee b) {
    struct pointee r = b;
    term_t yes = term_bool(lw->ts, true);
    if (a.valid != b.valid)
        r.valid = term_ite(lw->ts, cond, a.valid ? a.valid : yes, b.valid ? b.valid : yes);
    r.lo = a.hi && b.hi && a.lo < b.lo ? a.lo : b.lo;
    r.hi = a.hi && b.hi ? (a.hi > b.hi ? a.hi : b.hi) : 0;
    if (a.offset == b.offset && a.index == b.index && a.scale == b.scale)
        return r;
    int64_t apart = a.offset - b.offset;
    int64_t g = stride_gcd(stride_gcd(a.index ? a.scale : 0, b.index ? b.scale : 0), apart);
    sort_t width = lower_pointer_sort(lw);
    term_t zero = term_int(lw->ts, width, 0);
    term_t steps_a = a.index ? scaled(lw, a.index, a.scale / g) : zero;
    term_t steps_b = b.index ? scaled(lw, b.index, b.scale / g) : zero;
    steps_a = term_op2(lw->ts, OP_ADD, steps_a, term_int(lw->ts, width, apart / g));
    r.index = 0;
    return with_index(lw, r, term_ite(lw->ts, cond, steps_a, steps_b), g);
}

static struct pointee *find_object(struct pointee_list *list, uint32_t object) {
    for (size_t i = 0; i < list->len; i++)
        if (list->data[i].object == object)
            return &list->data[i];
    return NULL;
}

value_t pointer_ite(struct lowering *lw, term_t cond, value_t a, value_t b) {
    struct pointee_list from_a = {0}, all = {0};
    a = pointer_of(lw, a);
    b = pointer_of(lw, b);
    copy_pointees(lw, a, &from_a);
    copy_pointees(lw, b, &all);
    term_t no = term_bool(lw->ts, false);
    for (size_t i = 0; i < all.len; i++) {
        struct pointee *p = find_object(&from_a, all.data[i].object);
        term_t cond_b = all.data[i].cond;
        if (p)
            all.data[i] = choose_offset(lw, cond, *p, all.data[i]);
        all.data[i].cond = term_ite(lw->ts, cond, p ? p->cond : no, cond_b);
    }
    for (size_t i = 0; i < from_a.len; i++) {
        struct pointee p = from_a.data[i];
        if (find_object(&all, p.object))
            continue;
        p.cond = term_and(lw->ts, cond, p.cond);
        vec_push(&all, p);
    }
    term_t taint_a = pointer_taint(lw, a), taint_b = pointer_taint(lw, b);
    term_t taint = 0;
    if (taint_a || taint_b)
        taint = term_ite(lw->ts, cond, taint_a ? taint_a : no, taint_b ? taint_b : no);
    value_t merged = pointer_make(lw, all.data, all.len, taint);
    vec_free(&from_a);
    vec_free(&all);
    return merged;
}

/* ---- comparison ---- */

struct pair {
    struct lowering *lw;
    struct scalar result;
    term_t covered; /* pairs of the same object */
};

typedef term_t pair_op(struct lowering *lw, const struct pointee *a, const struct pointee *b);

/* Nothing is known of an uninitialised pointer, nor of one that a function without a body
 * returned. */
static bool has_place(const struct lowering *lw, const struct pointee *p) {
    enum object_kind kind = object_at(lw, p->object)->kind;
    return kind != OBJECT_WILD && (kind != OBJECT_ABSOLUTE || p->index || p->offset);
}

/* result: the operation on pointees of the same object; covered: when there is one */
static struct pair for_same_object(struct lowering *lw, value_t a, value_t b, pair_op *op,
                                   term_t otherwise) {
    struct pair pair = {lw,
                        {otherwise, taint_or(lw, pointer_taint(lw, a), pointer_taint(lw, b))},
                        term_bool(lw->ts, false)};
    struct pointee_list of_a = {0}, of_b = {0};
    copy_pointees(lw, a, &of_a);
    copy_pointees(lw, b, &of_b);
    for (size_t i = 0; i < of_a.len; i++) {
        struct pointee *p = &of_a.data[i], *q = find_object(&of_b, p->object);
        if (!q || !has_place(lw, p) || !has_place(lw, q))
            continue;
        term_t both = term_and(lw->ts, p->cond, q->cond);
        pair.result.term = term_ite(lw->ts, both, op(lw, p, q), pair.result.term);
        pair.covered = term_or(lw->ts, pair.covered, both);
    }
    vec_free(&of_a);
    vec_free(&of_b);
    return pair;
}

/* a - b in steps of *step bytes; 0 offset stays apart so that equal indices cancel */
static term_t steps_between(struct lowering *lw, const struct pointee *a, const struct pointee *b,
                            int64_t *step) {
    sort_t width = lower_pointer_sort(lw);
    int64_t apart = a->offset - b->offset;
    int64_t g = stride_gcd(stride_gcd(a->index ? a->scale : 0, b->index ? b->scale : 0), apart);
    *step = g ? g : 1;
    term_t left = a->index ? scaled(lw, a->index, a->scale / *step) : term_int(lw->ts, width, 0);
    term_t right = b->index ? scaled(lw, b->index, b->scale / *step) : term_int(lw->ts, width, 0);
    left = term_op2(lw->ts, OP_ADD, left, term_int(lw->ts, width, apart / *step));
    return term_op2(lw->ts, OP_SUB, left, right);
}

static term_t same_place(struct lowering *lw, const struct pointee *a, const struct pointee *b) {
    int64_t step;
    term_t steps = steps_between(lw, a, b, &step);
    return term_eq(lw->ts, steps, term_int(lw->ts, lower_pointer_sort(lw), 0));
}

static term_t before(struct lowering *lw, const struct pointee *a, const struct pointee *b) {
    int64_t step;
    term_t steps = steps_between(lw, a, b, &step);
    return term_op2(lw->ts, OP_SLT, steps, term_int(lw->ts, lower_pointer_sort(lw), 0));
}

static term_t bytes_between(struct lowering *lw, const struct pointee *a, const struct pointee *b) {
    int64_t step;
    term_t steps = steps_between(lw, a, b, &step);
    return scaled(lw, steps, step);
}

/* Two literals in the program may be one object or two, or one the end of the other; clang has made
 * one of those that are equal before they come here. */
static bool may_share(const struct object *a, const struct object *b) {
    const struct object *both[] = {a, b};
    const char *text[2];
    size_t len[2];
    for (int i = 0; i < 2; i++) {
        if (both[i]->kind != OBJECT_GLOBAL || !both[i]->constant ||
            LLVMGetUnnamedAddress(both[i]->value) != LLVMGlobalUnnamedAddr)
            return false;
        LLVMValueRef init = LLVMGetInitializer(both[i]->value);
        text[i] = LLVMIsConstantString(init) ? LLVMGetAsString(init, &len[i]) : NULL;
    }
    if (a == b || !text[0] || !text[1])
        return a == b;
    size_t common = len[0] < len[1] ? len[0] : len[1];
    return memcmp(text[0] + len[0] - common, text[1] + len[1] - common, common) == 0;
}

/* A number that is used as an address may be that of any object, and a local that is gone has left
 * its place to another. */
static bool may_be_equal(struct lowering *lw, const struct pointee *a, const struct pointee *b) {
    const struct object *p = object_at(lw, a->object), *q = object_at(lw, b->object);
    enum object_kind x = p->kind, y = q->kind;
    if (!has_place(lw, a) || !has_place(lw, b))
        return true;
    if (may_share(p, q) || (a->object != b->object && (p->dead || q->dead)))
        return true;
    return x != y && x != OBJECT_NULL && y != OBJECT_NULL &&
           (x == OBJECT_ABSOLUTE || y == OBJECT_ABSOLUTE);
}

/* The pointer is `offset` bytes behind the start of its object. */
static term_t stands_at(struct lowering *lw, const struct pointee *p, int64_t offset) {
    struct pointee there = {.object = p->object, .offset = offset};
    return same_place(lw, p, &there);
}

/* What ends where another object begins: C does not say which objects lie side by side. */
static term_t may_touch(struct lowering *lw, const struct pointee *a, const struct pointee *b) {
    const struct object *p = object_at(lw, a->object), *q = object_at(lw, b->object);
    bool apart = a->object != b->object && p->layout && q->layout;
    if (!apart)
        return term_bool(lw->ts, false);
    term_t before = term_and(lw->ts, stands_at(lw, a, (int64_t)p->size), stands_at(lw, b, 0));
    term_t behind = term_and(lw->ts, stands_at(lw, a, 0), stands_at(lw, b, (int64_t)q->size));
    return term_or(lw->ts, before, behind);
}

/* Where the answer depends on where objects lie, or on what was never set. */
static term_t pair_unknown(struct lowering *lw, const struct pointee *a, const struct pointee *b) {
    term_t both = term_and(lw->ts, a->cond, b->cond);
    if (may_be_equal(lw, a, b))
        return both;
    term_t unknown = may_touch(lw, a, b);
    bool apart = a->object != b->object; /* what was given back may be there again */
    if (apart && object_at(lw, a->object)->heap && object_at(lw, b->object)->heap)
        unknown = term_or(
            lw->ts, unknown,
            term_or(lw->ts, object_given_back(lw, a->object), object_given_back(lw, b->object)));
    return term_and(lw->ts, both, unknown);
}

static term_t equality_unknown(struct lowering *lw, value_t a, value_t b) {
    struct pointee_list of_a = {0}, of_b = {0};
    term_t unknown = term_bool(lw->ts, false);
    copy_pointees(lw, a, &of_a);
    copy_pointees(lw, b, &of_b);
    for (size_t i = 0; i < of_a.len; i++)
        for (size_t k = 0; k < of_b.len; k++)
            unknown = term_or(lw->ts, unknown, pair_unknown(lw, &of_a.data[i], &of_b.data[k]));
    vec_free(&of_a);
    vec_free(&of_b);
    return lower_decide(lw, unknown);
}

/* The same value may have come from two literals of the same text. */
static bool is_same(struct lowering *lw, value_t a, value_t b) {
    size_t n;
    bool same = a == b;
    const struct pointee *p = pointer_pointees(lw, a, &n);
    for (size_t i = 0; same && i < n; i++) {
        const struct object *o = object_at(lw, p[i].object);
        same = !may_share(o, o);
    }
    return same;
}

struct scalar pointer_equal(struct lowering *lw, value_t a, value_t b) {
    if (is_same(lw, a, b))
        return (struct scalar){term_bool(lw->ts, true), pointer_taint(lw, a)};
    struct scalar s = for_same_object(lw, a, b, same_place, term_bool(lw->ts, false)).result;
    term_t unknown = equality_unknown(lw, a, b);
    if (term_is_false(lw->ts, unknown))
        return s;
    term_t any = lower_fresh(lw, SORT_BOOL, unknown, "address");
    return (struct scalar){term_ite(lw->ts, unknown, any, s.term), taint_or(lw, s.taint, unknown)};
}

/* Between different objects C leaves the answer open. */
static struct scalar open_elsewhere(struct lowering *lw, value_t a, value_t b, pair_op *op,
                                    sort_t sort) {
    struct pair pair = for_same_object(lw, a, b, op, term_const(lw->ts, sort, 0));
    term_t apart = lower_decide(lw, term_not(lw->ts, pair.covered));
    if (term_is_false(lw->ts, apart))
        return pair.result;
    term_t any = lower_fresh(lw, sort, apart, "pointers_apart");
    return (struct scalar){term_ite(lw->ts, apart, any, pair.result.term),
                           taint_or(lw, pair.result.taint, apart)};
}

struct scalar pointer_less(struct lowering *lw, value_t a, value_t b) {
    return open_elsewhere(lw, a, b, before, SORT_BOOL);
}

struct scalar pointer_difference(struct lowering *lw, value_t a, value_t b) {
    return open_elsewhere(lw, a, b, bytes_between, lower_pointer_sort(lw));
}
