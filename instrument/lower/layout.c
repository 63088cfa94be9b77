/* Layouts are built bottom-up and shared by type. A padding of more than 8 bytes (and a scalar that
 * no term can hold, such as an x87 number) is cut into pieces of 8. */
#include "instrument/lower/layout.h"

#include "base/mem.h"
#include "instrument/lower/lowering.h"

enum { PIECE = 8 };

void layouts_free(struct layouts *layouts) {
    for (size_t i = 0; i < layouts->list.len; i++) {
        vec_free(&layouts->list.data[i]->members);
        mem_free(layouts->list.data[i]);
    }
    vec_free(&layouts->list);
    map_free(&layouts->of_type);
}

static struct layout *new_layout(struct lowering *lw, enum layout_kind kind, LLVMTypeRef type,
                                 uint64_t size) {
    struct layout *l = mem_zalloc(1, sizeof *l);
    *l = (struct layout){.kind = kind, .type = type, .size = size, .n_cells = 1};
    vec_push(&lw->layouts.list, l);
    return l;
}

static void add_member(struct layout *l, const struct layout *member, uint64_t offset,
                       int element) {
    struct layout_member m = {member, offset, l->n_cells, element};
    vec_push(&l->members, m);
    l->n_cells += member->n_cells;
}

static void add_padding(struct lowering *lw, struct layout *l, uint64_t from, uint64_t to) {
    while (from < to) {
        uint64_t size = to - from < PIECE ? to - from : PIECE;
        add_member(l, new_layout(lw, LAYOUT_PADDING, NULL, size), from, -1);
        from += size;
    }
}

static struct layout *struct_layout(struct lowering *lw, LLVMTypeRef type) {
    struct layout *l = new_layout(lw, LAYOUT_STRUCT, type, LLVMABISizeOfType(lw->bc->layout, type));
    uint64_t end = 0;
    l->n_cells = 0;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
        uint64_t offset = LLVMOffsetOfElement(lw->bc->layout, type, i);
        const struct layout *member = layout_of(lw, LLVMStructGetTypeAtIndex(type, i));
        add_padding(lw, l, end, offset);
        add_member(l, member, offset, (int)i);
        end = offset + member->size;
    }
    add_padding(lw, l, end, l->size);
    return l;
}

static struct layout *array_layout(struct lowering *lw, LLVMTypeRef type, uint64_t count) {
    const struct layout *element = layout_of(lw, LLVMGetElementType(type));
    struct layout *l = new_layout(lw, LAYOUT_ARRAY, type, element->size * count);
    l->count = count;
    l->n_cells = 0;
    add_member(l, element, 0, 0);
    l->n_cells = (uint32_t)(element->n_cells * count);
    return l;
}

static struct layout *scalar_layout(struct lowering *lw, LLVMTypeRef type) {
    uint64_t size = LLVMABISizeOfType(lw->bc->layout, type);
    if (lower_sort(type) != SORT_NONE || LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return new_layout(lw, LAYOUT_SCALAR, type, size);
    struct layout *l = new_layout(lw, LAYOUT_STRUCT, type, size);
    l->n_cells = 0;
    add_padding(lw, l, 0, size);
    return l;
}

const struct layout *layout_of(struct lowering *lw, LLVMTypeRef type) {
    uint64_t key = (uint64_t)(uintptr_t)type;
    uint32_t *known = map_get(&lw->layouts.of_type, key);
    if (known)
        return lw->layouts.list.data[*known];
    const struct layout *l;
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        l = struct_layout(lw, type);
        break;
    case LLVMArrayTypeKind:
        l = array_layout(lw, type, LLVMGetArrayLength2(type));
        break;
    case LLVMVectorTypeKind:
        l = array_layout(lw, type, LLVMGetVectorSize(type));
        break;
    default:
        l = scalar_layout(lw, type);
        break;
    }
    for (size_t i = lw->layouts.list.len; i-- > 0;) {
        if (lw->layouts.list.data[i] != l)
            continue;
        map_put(&lw->layouts.of_type, key, (uint32_t)i);
        break;
    }
    return l;
}

static size_t member_by_offset(const struct layout *l, uint64_t offset) {
    size_t lo = 0, hi = l->members.len;
    while (hi - lo > 1) {
        size_t mid = (lo + hi) / 2;
        if (l->members.data[mid].offset <= offset)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static size_t member_by_cell(const struct layout *l, uint32_t cell) {
    size_t lo = 0, hi = l->members.len;
    while (hi - lo > 1) {
        size_t mid = (lo + hi) / 2;
        if (l->members.data[mid].first_cell <= cell)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static struct cell_place place_of(const struct layout *l, uint32_t cell, uint64_t offset) {
    return (struct cell_place){cell, offset, (uint32_t)l->size, l->type};
}

struct cell_place layout_find(const struct layout *layout, uint64_t offset) {
    uint32_t cell = 0;
    uint64_t base = 0;
    assert(offset < layout->size);
    while (layout->kind == LAYOUT_ARRAY || layout->kind == LAYOUT_STRUCT) {
        if (layout->kind == LAYOUT_ARRAY) {
            layout = layout->members.data[0].layout;
            uint64_t i = (offset - base) / layout->size;
            cell += (uint32_t)(i * layout->n_cells);
            base += i * layout->size;
        } else {
            const struct layout_member *m =
                &layout->members.data[member_by_offset(layout, offset - base)];
            cell += m->first_cell;
            base += m->offset;
            layout = m->layout;
        }
    }
    return place_of(layout, cell, base);
}

bool layout_array(const struct layout *layout, uint64_t offset, uint64_t count, uint64_t size,
                  struct byte_range *range) {
    uint64_t base = 0;
    bool inside = false;
    while (offset < base + layout->size &&
           (layout->kind == LAYOUT_ARRAY || layout->kind == LAYOUT_STRUCT)) {
        if (layout->kind == LAYOUT_STRUCT) {
            const struct layout_member *m =
                &layout->members.data[member_by_offset(layout, offset - base)];
            base += m->offset;
            layout = m->layout;
            inside = false;
            continue;
        }
        if (!inside)
            *range = (struct byte_range){base, base + layout->size};
        inside = true;
        const struct layout *element = layout->members.data[0].layout;
        if (offset == base && layout->count == count && element->size == size)
            return true;
        base += (offset - base) / element->size * element->size;
        layout = element;
    }
    return false;
}

/* Descends to a cell; path, when given, gets the way there. */
static struct cell_place descend(const struct layout *layout, uint32_t cell, struct str *path) {
    uint32_t rest = cell;
    uint64_t base = 0;
    assert(cell < layout->n_cells);
    while (layout->kind == LAYOUT_ARRAY || layout->kind == LAYOUT_STRUCT) {
        if (layout->kind == LAYOUT_ARRAY) {
            layout = layout->members.data[0].layout;
            uint32_t i = rest / layout->n_cells;
            rest -= i * layout->n_cells;
            base += i * layout->size;
            if (path)
                str_addf(path, "[%u]", i);
        } else {
            const struct layout_member *m = &layout->members.data[member_by_cell(layout, rest)];
            rest -= m->first_cell;
            base += m->offset;
            layout = m->layout;
            if (path && m->element >= 0)
                str_addf(path, ".%d", m->element);
            else if (path)
                str_addf(path, ".pad%llu", (unsigned long long)m->offset);
        }
    }
    return place_of(layout, cell, base);
}

struct cell_place layout_cell(const struct layout *layout, uint32_t cell) {
    return descend(layout, cell, NULL);
}

void layout_path(const struct layout *layout, uint32_t cell, struct str *path) {
    (void)descend(layout, cell, path);
}
