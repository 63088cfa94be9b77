/* Large arrays of verification tasks: of all elements one is followed, at a place k that is any and
 * stays the same for a run; what is read elsewhere is any value. (Cell abstraction: D. Monniaux, L.
 * Gonnord, Cell Morphing, SAS 2016, with one cell an array.)
 *
 * A run to an error reads the array last at some place. With k there, the model has that run, and
 * its last read is what the run reads; so a run of the model counts as one to the error only when
 * its last read of each such array was at k. Every run of the program stays among those, or comes
 * to a place where the model ends: that counts wherever was read last, for what the model reads
 * elsewhere may end it where the program goes on (a pointer that may lead anywhere). What is
 * reached here may be no run of the program, and is replayed as always.
 *
 * Arrays become such when an access may reach more than SPOTS_MAX of their cells; below, all
 * cells are followed, and relations between them. */
#include "instrument/lower/access.h"

#include "instrument/lower/lowering.h"

enum { ELEMENT_CELLS = 64 };

/* Elements of arrays of arrays count as those of one array. */
static const struct layout *element_of(const struct object *o) {
    const struct layout *l = o->layout;
    while (l && l->kind == LAYOUT_ARRAY)
        l = l->members.data[0].layout;
    return l;
}

static bool can_be_one(const struct lowering *lw, const struct object *o) {
    bool lasts = o->kind == OBJECT_GLOBAL && !o->constant && !o->undefined && !o->heap;
    if (!lw->options->task || !lasts || !o->layout || o->layout->n_cells <= SPOTS_MAX)
        return false;
    const struct layout *element = element_of(o);
    return element != o->layout && element->type && element->size > 0 &&
           element->n_cells <= ELEMENT_CELLS;
}

bool summary_wanted(struct lowering *lw, uint32_t object, uint32_t reached) {
    if (reached <= SPOTS_MAX || !can_be_one(lw, object_at(lw, object)))
        return false;
    if (summary_is(lw, object))
        return true;
    vec_push(&lw->plan->summaries, object);
    lw->plan->grown = true;
    return true;
}

bool summary_is(const struct lowering *lw, uint32_t object) {
    for (size_t i = 0; i < lw->plan->summaries.len; i++)
        if (lw->plan->summaries.data[i] == object)
            return true;
    return false;
}

/* ---- the element that is followed ---- */

struct summary {
    const struct layout *element;
    uint32_t at, cell, missed; /* objects: k, the element, the last read was elsewhere */
    uint64_t count;
};

static uint32_t part_of(struct lowering *lw, uint32_t object, const char *what, LLVMTypeRef type,
                        bool zeroed) {
    uint64_t key = hash_mix(hash_text(what), object);
    const char *name = arena_printf(&lw->arena, "%s[%s]", object_at(lw, object)->name, what);
    return cut_static(lw,
                      (struct static_local){
                          .key = key, .type = type, .count = 1, .name = name, .zeroed = zeroed});
}

/* False: its parts are not there before the next run. */
static bool open_summary(struct lowering *lw, uint32_t object, struct summary *s) {
    const struct object *o = object_at(lw, object);
    LLVMContextRef context = lw->bc->context;
    bool zeroed =
        o->value && LLVMIsAGlobalVariable(o->value) && LLVMIsNull(LLVMGetInitializer(o->value));
    s->element = element_of(o);
    s->count = o->size / s->element->size;
    s->at = part_of(lw, object, "k", LLVMIntTypeInContext(context, lower_pointer_sort(lw)), false);
    s->cell = part_of(lw, object, "at k", s->element->type, zeroed);
    s->missed = part_of(lw, object, "missed", LLVMInt8TypeInContext(context), true);
    return s->at != UINT32_MAX && s->cell != UINT32_MAX && s->missed != UINT32_MAX;
}

static term_t place_followed(struct lowering *lw, const struct summary *s) {
    sort_t width = lower_pointer_sort(lw);
    return value_as(lw, lower_read(lw, s->at, 0, width / 8u), width).term;
}

static void set_cells(struct lowering *lw, const struct summary *s, term_t cond, value_t byte) {
    for (uint32_t i = 0; i < s->element->n_cells; i++) {
        struct cell_place at = layout_cell(s->element, i);
        value_t v = VALUE_UNDEF;
        if (byte != VALUE_UNDEF) {
            struct part parts[8];
            assert(at.size <= 8);
            for (uint32_t k = 0; k < at.size; k++)
                parts[k] = (struct part){byte, 8};
            v = value_join(lw, parts, at.size);
        } else if (at.type) {
            v = lower_unset(lw, at.type);
        }
        if (!term_is_true(lw->ts, cond))
            v = value_ite(lw, cond, v, lower_read(lw, s->cell, at.offset, at.size));
        lower_write(lw, s->cell, at.offset, at.size, v);
    }
}

void summaries_begin(struct lowering *lw) {
    sort_t width = lower_pointer_sort(lw);
    for (size_t i = 0; i < lw->plan->summaries.len; i++) {
        struct summary s;
        if (!open_summary(lw, lw->plan->summaries.data[i], &s))
            continue;
        term_t k = lower_fresh(lw, width, term_bool(lw->ts, true), "place");
        lower_write(lw, s.at, 0, width / 8u, k);
        term_t count = term_int(lw->ts, width, (int64_t)s.count);
        path_assume(lw, &lw->now, term_op2(lw->ts, OP_ULT, k, count));
    }
}

term_t summaries_followed(struct lowering *lw) {
    term_t all = term_bool(lw->ts, true);
    for (size_t i = 0; i < lw->plan->summaries.len; i++) {
        struct summary s;
        if (!open_summary(lw, lw->plan->summaries.data[i], &s))
            continue;
        term_t missed = value_as(lw, lower_read(lw, s.missed, 0, 1), 8).term;
        all = term_and(lw->ts, all, term_eq(lw->ts, missed, term_int(lw->ts, 8, 0)));
    }
    return all;
}

void summary_forget(struct lowering *lw, uint32_t object) {
    struct summary s;
    if (open_summary(lw, object, &s))
        set_cells(lw, &s, term_bool(lw->ts, true), VALUE_UNDEF);
}

/* ---- accesses ---- */

/* Is the element at k accessed, and where in it? An access that may cut elements is given up. */
static bool find_element(struct lowering *lw, const struct pointee *p, uint64_t size,
                         struct summary *s, term_t *is_k, uint64_t *offset) {
    sort_t width = lower_pointer_sort(lw);
    if (!open_summary(lw, p->object, s)) {
        lw->now.dead = true;
        return false;
    }
    int64_t element = (int64_t)s->element->size, first = p->offset / element;
    first -= p->offset % element < 0;
    *offset = (uint64_t)(p->offset - first * element);
    if ((p->index && p->scale % element != 0) || *offset + size > s->element->size) {
        lower_give_up(lw, "a large array is accessed otherwise than by its elements");
        return false;
    }
    term_t at = term_int(lw->ts, width, first);
    if (p->index) {
        term_t factor = term_int(lw->ts, width, p->scale / element);
        at = term_op2(lw->ts, OP_ADD, at, term_op2(lw->ts, OP_MUL, p->index, factor));
    }
    *is_k = lower_decide(lw, term_eq(lw->ts, at, place_followed(lw, s)));
    return true;
}

value_t summary_load(struct lowering *lw, const struct pointee *p, LLVMTypeRef type,
                     summary_read *read) {
    struct summary s;
    term_t is_k;
    uint64_t offset;
    if (!find_element(lw, p, LLVMStoreSizeOfType(lw->bc->layout, type), &s, &is_k, &offset))
        return VALUE_UNDEF;
    value_t elsewhere = lower_any(lw, type, "element");
    if (elsewhere == VALUE_UNDEF) {
        lower_give_up(lw, "a structure in a large array is read as a whole");
        return VALUE_UNDEF;
    }
    value_t old = lower_read(lw, s.missed, 0, 1);
    value_t now = term_ite(lw->ts, is_k, term_int(lw->ts, 8, 0), term_int(lw->ts, 8, 1));
    lower_write(lw, s.missed, 0, 1, value_ite(lw, p->cond, now, old));
    value_t there = read(lw, s.cell, offset, type);
    return value_ite(lw, is_k, there, elsewhere);
}

void summary_store(struct lowering *lw, const struct pointee *p, LLVMTypeRef type, value_t v,
                   summary_read *read, summary_write *write) {
    struct summary s;
    term_t is_k;
    uint64_t offset;
    if (!find_element(lw, p, LLVMStoreSizeOfType(lw->bc->layout, type), &s, &is_k, &offset))
        return;
    term_t meant = term_and(lw->ts, p->cond, is_k);
    if (term_is_false(lw->ts, meant))
        return;
    if (!term_is_true(lw->ts, meant))
        v = value_ite(lw, meant, v, read(lw, s.cell, offset, type));
    write(lw, s.cell, offset, type, v);
}

bool summary_fill(struct lowering *lw, const struct pointee *p, value_t byte, uint64_t size) {
    struct summary s;
    sort_t width = lower_pointer_sort(lw);
    if (!open_summary(lw, p->object, &s)) {
        lw->now.dead = true;
        return true;
    }
    int64_t element = (int64_t)s.element->size;
    if (p->index || p->offset < 0 || p->offset % element || (int64_t)size % element)
        return false;
    term_t k = place_followed(lw, &s);
    term_t first = term_int(lw->ts, width, p->offset / element);
    term_t n = term_int(lw->ts, width, (int64_t)size / element);
    term_t inside = term_op2(lw->ts, OP_ULT, term_op2(lw->ts, OP_SUB, k, first), n);
    set_cells(lw, &s, term_and(lw->ts, p->cond, lower_decide(lw, inside)), byte);
    return true;
}
