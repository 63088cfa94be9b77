/* An access is resolved in three steps: where can the pointer point (spots: places in one object
 * with a condition each), which of that is in bounds (the run ends elsewhere), and what is read or
 * written at each spot. Bytes move as values of cells; only where an access cuts a cell are values
 * taken apart or put together. */
#include "instrument/lower/access.h"

#include "instrument/lower/lowering.h"

/* ---- bytes of one object ---- */

static value_t cell_value(struct lowering *lw, uint32_t cell) {
    value_t v = memory_get(&lw->memory, lw->now.memory, cell);
    return v ? v : lower_cell_default(lw, cell);
}

static value_t extract_bytes(struct lowering *lw, value_t v, uint32_t total, uint32_t offset,
                             uint32_t size) {
    return value_extract(lw, v, total * 8, offset * 8, size * 8);
}

value_t lower_read(struct lowering *lw, uint32_t object, uint64_t offset, uint32_t size) {
    const struct object *o = object_at(lw, object);
    struct part_list parts = {0};
    for (uint64_t at = offset; at < offset + size;) {
        struct cell_place place = layout_find(o->layout, at);
        uint32_t skip = (uint32_t)(at - place.offset);
        uint64_t end = place.offset + place.size;
        uint32_t take = (uint32_t)((end < offset + size ? end : offset + size) - at);
        value_t v = cell_value(lw, o->base + place.cell);
        vec_push(&parts, (struct part){extract_bytes(lw, v, place.size, skip, take), take * 8});
        at += take;
    }
    value_t v = value_join(lw, parts.data, parts.len);
    vec_free(&parts);
    return v;
}

static value_t overwrite(struct lowering *lw, value_t old, uint32_t total, uint32_t offset,
                         uint32_t size, value_t v) {
    struct part parts[3];
    size_t n = 0;
    if (offset)
        parts[n++] = (struct part){extract_bytes(lw, old, total, 0, offset), offset * 8};
    parts[n++] = (struct part){v, size * 8};
    uint32_t rest = total - offset - size;
    if (rest)
        parts[n++] = (struct part){extract_bytes(lw, old, total, offset + size, rest), rest * 8};
    return value_join(lw, parts, n);
}

/* Constants take the type of the cell, so that zeroed floats and pointers meet their own kind. */
static value_t constant_as_cell(struct lowering *lw, struct cell_place place, value_t v) {
    if (!place.type || !value_is_plain(v) || !term_is_const(lw->ts, v) ||
        !sort_is_int(term_sort(lw->ts, v)))
        return v;
    sort_t sort = lower_sort(place.type);
    uint64_t bits = term_get(lw->ts, v)->payload;
    if (sort == SORT_NONE)
        return bits ? v : pointer_to(lw, OBJECT_NULL, 0);
    return sort_is_float(sort) && !bits_are_nan(sort, bits) ? term_const(lw->ts, sort, bits) : v;
}

void lower_write(struct lowering *lw, uint32_t object, uint64_t offset, uint32_t size, value_t v) {
    const struct object *o = object_at(lw, object);
    for (uint64_t at = offset; at < offset + size;) {
        struct cell_place place = layout_find(o->layout, at);
        uint32_t skip = (uint32_t)(at - place.offset);
        uint64_t end = place.offset + place.size;
        uint32_t take = (uint32_t)((end < offset + size ? end : offset + size) - at);
        value_t piece = extract_bytes(lw, v, size, (uint32_t)(at - offset), take);
        uint32_t cell = o->base + place.cell;
        if (take == place.size)
            piece = constant_as_cell(lw, place, piece);
        else
            piece = overwrite(lw, cell_value(lw, cell), place.size, skip, take, piece);
        lw->now.memory = memory_set(&lw->memory, lw->now.memory, cell, piece);
        at += take;
    }
}

/* ---- registers and bytes ---- */

/* Somebody reads the bits of what lies there: whoever reads them later gets the same. */
static void pun_cells(struct lowering *lw, uint32_t object, uint64_t offset, uint32_t size) {
    const struct object *o = object_at(lw, object);
    for (uint64_t at = offset; at < offset + size;) {
        struct cell_place place = layout_find(o->layout, at);
        uint32_t cell = o->base + place.cell;
        value_t v = cell_value(lw, cell), punned = value_punned(lw, v);
        if (punned != v)
            lw->now.memory = memory_set(&lw->memory, lw->now.memory, cell, punned);
        at = place.offset + place.size;
    }
}

static uint32_t store_size(struct lowering *lw, LLVMTypeRef type) {
    return (uint32_t)LLVMStoreSizeOfType(lw->bc->layout, type);
}

/* Registers of integer type keep what was in memory (a float, a pointer, several cells at once)
 * until they are used as a number: so structs that travel through integers lose nothing. */
value_t lower_typed(struct lowering *lw, value_t raw, LLVMTypeRef type) {
    sort_t sort = lower_sort(type);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return pointer_of(lw, raw);
    if (sort == SORT_NONE) {
        lower_give_up(lw, "a value of this type cannot be loaded");
        return VALUE_UNDEF;
    }
    if (sort_is_int(sort))
        raw = value_punned(lw, raw);
    if (value_is(lw, raw, VALUE_PUNNED) && term_sort(lw->ts, value_special(lw, raw)->term) == sort)
        return raw;
    bool keeps = value_is(lw, raw, VALUE_POINTER) || value_is(lw, raw, VALUE_PACK) ||
                 value_is(lw, raw, VALUE_PUNNED) ||
                 (value_is_plain(raw) && sort_is_float(term_sort(lw->ts, raw)));
    if (keeps && sort_is_int(sort) && sort == store_size(lw, type) * 8)
        return raw;
    return value_scalar(lw, value_as(lw, raw, sort));
}

static bool is_group(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind;
}

static value_t read_typed(struct lowering *lw, uint32_t object, uint64_t offset, LLVMTypeRef type) {
    if (!is_group(type)) {
        if (lower_sort(type) == SORT_NONE && LLVMGetTypeKind(type) != LLVMPointerTypeKind)
            return lower_typed(lw, VALUE_UNDEF, type);
        if (sort_is_int(lower_sort(type)))
            pun_cells(lw, object, offset, store_size(lw, type));
        return lower_typed(lw, lower_read(lw, object, offset, store_size(lw, type)), type);
    }
    const struct layout *l = layout_of(lw, type);
    VEC(value_t) members = {0};
    if (l->kind == LAYOUT_ARRAY) {
        const struct layout *element = l->members.data[0].layout;
        for (uint64_t i = 0; i < l->count; i++)
            vec_push(&members, read_typed(lw, object, offset + i * element->size, element->type));
    } else {
        for (size_t i = 0; i < l->members.len; i++)
            if (l->members.data[i].element >= 0)
                vec_push(&members, read_typed(lw, object, offset + l->members.data[i].offset,
                                              l->members.data[i].layout->type));
    }
    value_t group = value_group(lw, members.data, members.len);
    vec_free(&members);
    return group;
}

static void write_typed(struct lowering *lw, uint32_t object, uint64_t offset, LLVMTypeRef type,
                        value_t v) {
    if (!is_group(type)) {
        sort_t sort = lower_sort(type);
        uint32_t size = store_size(lw, type);
        /* the sort of the register may be narrower than the bytes: _Bool, 24-bit numbers */
        if (sort != SORT_NONE && sort_width(sort) != (int)size * 8)
            v = value_scalar(lw, value_as(lw, v, (sort_t)(size * 8)));
        lower_write(lw, object, offset, size, v);
        return;
    }
    const struct layout *l = layout_of(lw, type);
    uint32_t member = 0;
    if (l->kind == LAYOUT_ARRAY) {
        const struct layout *element = l->members.data[0].layout;
        for (; member < l->count; member++)
            write_typed(lw, object, offset + member * element->size, element->type,
                        value_member(lw, v, member));
        return;
    }
    for (size_t i = 0; i < l->members.len; i++)
        if (l->members.data[i].element >= 0)
            write_typed(lw, object, offset + l->members.data[i].offset,
                        l->members.data[i].layout->type, value_member(lw, v, member++));
}

/* ---- where a pointer may point ---- */

/* Elements first .. first + n - 1 of a stride in one object: element i lies at offset + i * scale
 * and is meant when the index is i. Without an index there is one element. */
struct spots {
    struct pointee pointee;
    int64_t first;
    uint32_t n; /* 0: no access through this pointee */
    term_t in_bounds;
};

static int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static struct spots find_spots(struct lowering *lw, const struct pointee *p, uint64_t size) {
    struct spots s = {.pointee = *p, .in_bounds = term_bool(lw->ts, false)};
    const struct object *o = object_at(lw, p->object);
    if (!object_accessible(lw, p->object) || size > o->size)
        return s;
    int64_t lo = p->hi ? p->lo : 0, hi = p->hi ? p->hi : (int64_t)o->size;
    int64_t last_offset = hi - (int64_t)size - p->offset;
    term_t valid = p->valid ? lower_decide(lw, p->valid) : term_bool(lw->ts, true);
    if (!p->index) {
        s.n = p->offset >= lo && last_offset >= 0 && !term_is_false(lw->ts, valid);
        s.in_bounds = s.n ? valid : term_bool(lw->ts, false);
        return s;
    }
    int64_t from = floor_div(lo - p->offset + p->scale - 1, p->scale);
    int64_t to = floor_div(last_offset, p->scale);
    struct views views = lower_range_now(lw, p->index);
    if (p->valid)
        ranges_narrow(&lw->ranges, p->valid, true, p->index, &views);
    struct range range = views.s;
    sort_t width = lower_pointer_sort(lw);
    if (from > to || range.hi < from || range.lo > to)
        return s;
    term_t low = term_op2(lw->ts, OP_SLE, term_int(lw->ts, width, from), p->index);
    term_t high = term_op2(lw->ts, OP_SLE, p->index, term_int(lw->ts, width, to));
    if (range.lo >= from)
        low = term_bool(lw->ts, true);
    if (range.hi <= to)
        high = term_bool(lw->ts, true);
    s.in_bounds = term_and(lw->ts, valid, term_and(lw->ts, low, high));
    s.first = from > range.lo ? from : range.lo;
    int64_t last = to < range.hi ? to : range.hi;
    s.n = (uint32_t)(last - s.first + 1);
    return s;
}

static uint64_t spot_offset(const struct spots *s, uint32_t i) {
    int64_t at = s->pointee.offset;
    if (s->pointee.index)
        at += (s->first + (int64_t)i) * s->pointee.scale;
    assert(at >= 0);
    return (uint64_t)at;
}

VEC_STRUCT(spots_list, struct spots);

static const char *bad_access(const struct lowering *lw, uint32_t object) {
    const struct object *o = object_at(lw, object);
    if (o->kind == OBJECT_ABSOLUTE)
        return "memory at an absolute address is accessed: declare a variable for it";
    if (o->kind == OBJECT_WILD) /* what lay there before may be the address of any object */
        return "a pointer is followed that was never set, or to a variable that is gone";
    if (o->undefined && o->size == 0)
        return "a variable of unknown size is accessed: define it, or declare its length";
    return NULL;
}

enum access { ACCESS_LOAD, ACCESS_STORE, ACCESS_FROM, ACCESS_TO };

/* All spots of a pointer; the run goes on only where one of them is meant and in bounds. Where it
 * is free whether it does (lower_end_unless), the result says when one of them is; else 0. */
static term_t resolve(struct lowering *lw, value_t pointer, uint64_t size, enum access how,
                      struct spots_list *out) {
    bool is_store = how == ACCESS_STORE || how == ACCESS_TO;
    size_t n, total = 0;
    struct pointee_list pointees = {0};
    pointer = pointer_of(lw, pointer);
    const struct pointee *p = pointer_pointees(lw, pointer, &n);
    vec_append(&pointees, p, n);
    struct scalar fine = {term_bool(lw->ts, false), pointer_taint(lw, pointer)};
    for (size_t i = 0; i < n && !lw->now.dead; i++) {
        struct spots s = find_spots(lw, &pointees.data[i], size);
        if (is_store && s.n && object_at(lw, s.pointee.object)->constant)
            s.n = 0;
        total += s.n && summary_wanted(lw, s.pointee.object, s.n) ? 0 : s.n;
        if (s.n) {
            term_t gone = object_given_back(lw, s.pointee.object);
            if (!term_is_false(lw->ts, gone))
                lower_give_up_where(lw, term_and(lw->ts, s.pointee.cond, gone),
                                    "memory is accessed that was given back");
            term_t meant = term_and(lw->ts, s.pointee.cond, s.in_bounds);
            fine.term = term_or(lw->ts, fine.term, meant);
            vec_push(out, s);
        } else if (bad_access(lw, s.pointee.object)) {
            lower_give_up_where(lw, s.pointee.cond, "%s", bad_access(lw, s.pointee.object));
        }
    }
    if (total > SPOTS_MAX)
        lower_give_up(lw, "an access may reach more than %d memory cells", SPOTS_MAX);
    bool may_go_on = how == ACCESS_LOAD || how == ACCESS_STORE;
    bool goes_on = lower_end_unless(lw, fine, "access", may_go_on);
    if (out->len == 0 && !goes_on) /* of a pointer never set, too, no choice is an object */
        lw->now.dead = true;
    vec_free(&pointees);
    return goes_on ? fine.term : 0;
}

/* ---- loads ---- */

static bool all_constant(const struct lowering *lw, const value_t *values, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (!value_is_plain(values[i]) || !term_is_const(lw->ts, values[i]) ||
            term_sort(lw->ts, values[i]) != term_sort(lw->ts, values[0]))
            return false;
    return true;
}

/* The index counted from the first spot, as narrow as the count allows. */
static term_t spot_index(struct lowering *lw, const struct spots *s) {
    sort_t width = lower_pointer_sort(lw);
    term_t first = term_int(lw->ts, width, s->first);
    return term_op2(lw->ts, OP_SUB, s->pointee.index, first);
}

static value_t load_table(struct lowering *lw, const struct spots *s, const value_t *values) {
    VEC(uint64_t) bits = {0};
    sort_t sort = term_sort(lw->ts, values[0]);
    for (uint32_t i = 0; i < s->n; i++)
        vec_push(&bits, term_get(lw->ts, values[i])->payload);
    if (sort == SORT_BOOL) {
        vec_free(&bits);
        return VALUE_NONE;
    }
    uint32_t table = term_add_table(lw->ts, sort, bits.data, bits.len);
    vec_free(&bits);
    return term_table_at(lw->ts, table, spot_index(lw, s));
}

/* A balanced tree over the index; equal neighbours fall together. */
static value_t load_tree(struct lowering *lw, const struct spots *s, value_t *values) {
    sort_t width = lower_pointer_sort(lw);
    for (uint32_t step = 1; step < s->n; step *= 2) {
        for (uint32_t i = 0; i + step < s->n; i += 2 * step) {
            term_t middle = term_int(lw->ts, width, s->first + (int64_t)(i + step));
            term_t below = term_op2(lw->ts, OP_SLT, s->pointee.index, middle);
            values[i] = value_ite(lw, below, values[i], values[i + step]);
        }
    }
    return values[0];
}

static value_t load_spots(struct lowering *lw, const struct spots *s, LLVMTypeRef type) {
    VEC(value_t) values = {0};
    for (uint32_t i = 0; i < s->n; i++)
        vec_push(&values, read_typed(lw, s->pointee.object, spot_offset(s, i), type));
    value_t v = VALUE_NONE;
    bool same = true;
    for (uint32_t i = 1; i < s->n; i++)
        same &= value_same(lw, values.data[0], values.data[i]);
    if (!same && all_constant(lw, values.data, s->n))
        v = load_table(lw, s, values.data);
    if (!v)
        v = load_tree(lw, s, values.data);
    vec_free(&values);
    return v;
}

value_t lower_load(struct lowering *lw, value_t pointer, LLVMTypeRef type) {
    struct spots_list spots = {0};
    bool scalar = lower_sort(type) != SORT_NONE;
    object_used_as(lw, pointer_of(lw, pointer), type);
    term_t fine =
        resolve(lw, pointer, store_size(lw, type), scalar ? ACCESS_LOAD : ACCESS_FROM, &spots);
    value_t v = VALUE_UNDEF;
    for (size_t i = spots.len; i-- > 0 && !lw->now.dead;) {
        value_t from = summary_is(lw, spots.data[i].pointee.object)
                           ? summary_load(lw, &spots.data[i].pointee, type, read_typed)
                           : load_spots(lw, &spots.data[i], type);
        v = i + 1 == spots.len ? from : value_ite(lw, spots.data[i].pointee.cond, from, v);
    }
    if (fine) {
        value_t any = lower_fresh(lw, lower_sort(type), term_not(lw->ts, fine), "outside");
        v = spots.len ? value_ite(lw, fine, v, any) : any;
    }
    vec_free(&spots);
    return v;
}

/* ---- stores ---- */

static term_t spot_meant(struct lowering *lw, const struct spots *s, uint32_t i) {
    if (!s->pointee.index)
        return s->pointee.cond;
    term_t at = term_int(lw->ts, lower_pointer_sort(lw), s->first + (int64_t)i);
    return term_and(lw->ts, s->pointee.cond, term_eq(lw->ts, s->pointee.index, at));
}

static void store_spots(struct lowering *lw, const struct spots *s, LLVMTypeRef type, value_t v) {
    for (uint32_t i = 0; i < s->n; i++) {
        uint64_t at = spot_offset(s, i);
        term_t meant = spot_meant(lw, s, i);
        value_t stored = v;
        if (!term_is_true(lw->ts, meant)) {
            value_t old = read_typed(lw, s->pointee.object, at, type);
            stored = value_ite(lw, meant, v, old);
        }
        write_typed(lw, s->pointee.object, at, type, stored);
    }
}

void lower_store(struct lowering *lw, value_t pointer, LLVMTypeRef type, value_t v) {
    struct spots_list spots = {0};
    object_used_as(lw, pointer_of(lw, pointer), type);
    (void)resolve(lw, pointer, store_size(lw, type), ACCESS_STORE, &spots);
    for (size_t i = 0; i < spots.len && !lw->now.dead; i++)
        if (summary_is(lw, spots.data[i].pointee.object))
            summary_store(lw, &spots.data[i].pointee, type, v, read_typed, write_typed);
        else
            store_spots(lw, &spots.data[i], type, v);
    vec_free(&spots);
}

/* ---- blocks of memory ---- */

static bool has_summary(const struct lowering *lw, const struct spots_list *spots) {
    for (size_t i = 0; i < spots->len; i++)
        if (summary_is(lw, spots->data[i].pointee.object))
            return true;
    return false;
}

/* The pieces in which a block is moved: cells of `spots`' first element. Pieces are raw. */
static uint32_t piece_size(struct lowering *lw, const struct spots *s, uint64_t done,
                           uint64_t size) {
    const struct object *o = object_at(lw, s->pointee.object);
    uint64_t at = spot_offset(s, 0) + done;
    struct cell_place place = layout_find(o->layout, at);
    uint64_t rest = place.offset + place.size - at;
    return (uint32_t)(rest < size - done ? rest : size - done);
}

static value_t read_piece(struct lowering *lw, const struct spots_list *from, uint64_t done,
                          uint32_t size) {
    value_t v = VALUE_UNDEF;
    for (size_t i = from->len; i-- > 0;) {
        const struct spots *s = &from->data[i];
        VEC(value_t) values = {0};
        for (uint32_t j = 0; j < s->n; j++)
            vec_push(&values, lower_read(lw, s->pointee.object, spot_offset(s, j) + done, size));
        value_t here = load_tree(lw, s, values.data);
        vec_free(&values);
        v = i + 1 == from->len ? here : value_ite(lw, s->pointee.cond, here, v);
    }
    return v;
}

static void write_piece(struct lowering *lw, const struct spots_list *to, uint64_t done,
                        uint32_t size, value_t v) {
    for (size_t i = 0; i < to->len; i++) {
        const struct spots *s = &to->data[i];
        for (uint32_t j = 0; j < s->n; j++) {
            uint64_t at = spot_offset(s, j) + done;
            term_t meant = spot_meant(lw, s, j);
            value_t stored = v;
            if (!term_is_true(lw->ts, meant))
                stored = value_ite(lw, meant, v, lower_read(lw, s->pointee.object, at, size));
            lower_write(lw, s->pointee.object, at, size, stored);
        }
    }
}

struct piece {
    uint64_t done;
    uint32_t size;
    value_t v;
};

void lower_copy(struct lowering *lw, value_t to, value_t from, uint64_t size) {
    struct spots_list target = {0}, source = {0};
    VEC(struct piece) pieces = {0};
    if (size == 0)
        return;
    (void)resolve(lw, from, size, ACCESS_FROM, &source);
    if (!lw->now.dead)
        (void)resolve(lw, to, size, ACCESS_TO, &target);
    if (!lw->now.dead && (has_summary(lw, &source) || has_summary(lw, &target)))
        lower_give_up(lw, "a block of a large array is copied");
    /* all is read before anything is written: the blocks may overlap */
    for (uint64_t done = 0; done < size && !lw->now.dead;) {
        struct piece piece = {done, piece_size(lw, &source.data[0], done, size), 0};
        piece.v = read_piece(lw, &source, done, piece.size);
        vec_push(&pieces, piece);
        done += piece.size;
    }
    for (size_t i = 0; i < pieces.len; i++)
        write_piece(lw, &target, pieces.data[i].done, pieces.data[i].size, pieces.data[i].v);
    vec_free(&pieces);
    vec_free(&target);
    vec_free(&source);
}

static value_t repeated(struct lowering *lw, value_t byte, uint32_t size) {
    struct part parts[8];
    assert(size <= 8);
    if (byte == VALUE_UNDEF)
        return VALUE_UNDEF;
    if (value_is_plain(byte) && term_is_const(lw->ts, byte)) {
        uint64_t bits = term_get(lw->ts, byte)->payload * UINT64_C(0x0101010101010101);
        return term_int(lw->ts, (sort_t)(size * 8), (int64_t)bits);
    }
    for (uint32_t i = 0; i < size; i++)
        parts[i] = (struct part){byte, 8};
    return value_join(lw, parts, size);
}

void lower_fill(struct lowering *lw, value_t to, value_t byte, uint64_t size) {
    struct spots_list target = {0};
    if (size == 0)
        return;
    (void)resolve(lw, to, size, ACCESS_TO, &target);
    if (!lw->now.dead && has_summary(lw, &target)) {
        if (target.len > 1 || !summary_fill(lw, &target.data[0].pointee, byte, size))
            lower_give_up(lw, "a block of a large array is filled");
        size = 0;
    }
    for (uint64_t done = 0; done < size && !lw->now.dead;) {
        uint32_t piece = piece_size(lw, &target.data[0], done, size);
        write_piece(lw, &target, done, piece, repeated(lw, byte, piece));
        done += piece;
    }
    vec_free(&target);
}
