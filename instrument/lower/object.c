/* Objects are rows of a table with their cells beside each other; constants of the program are
 * made into values when they are first asked for. */
#include "instrument/lower/object.h"

#include "instrument/lower/access.h"
#include "instrument/lower/cut.h"
#include "instrument/lower/instruction.h"
#include "instrument/lower/lowering.h"

enum { SETTLED_CELLS = 1024 }; /* of larger locals a value is made up anew when it is read */

static uint64_t key_of(const void *pointer) {
    return (uint64_t)(uintptr_t)pointer;
}

const struct object *object_at(const struct lowering *lw, uint32_t object) {
    assert(object < lw->objects.list.len);
    return &lw->objects.list.data[object];
}

bool object_accessible(const struct lowering *lw, uint32_t object) {
    const struct object *o = object_at(lw, object);
    return (o->kind == OBJECT_GLOBAL || o->kind == OBJECT_LOCAL) && !o->dead;
}

void objects_free(struct objects *objects) {
    vec_free(&objects->list);
    vec_free(&objects->cell_object);
    vec_free(&objects->initial);
    map_free(&objects->of_global);
    map_free(&objects->of_key);
}

static uint32_t add_object(struct lowering *lw, struct object object) {
    uint32_t index = (uint32_t)lw->objects.list.len;
    object.base = (uint32_t)lw->objects.cell_object.len;
    if (object.layout)
        for (uint32_t i = 0; i < object.layout->n_cells; i++)
            vec_push(&lw->objects.cell_object, index);
    vec_push(&lw->objects.list, object);
    return index;
}

static const char *local_name(struct lowering *lw, LLVMValueRef variable) {
    size_t len = 0;
    const char *own = variable ? LLVMGetValueName2(variable, &len) : "";
    return arena_printf(&lw->arena, "%s::%s", lower_function_name(lw), len ? own : "local");
}

/* A task reads the same value each time, whatever it is. (Scalars are set by their own store.) */
static value_t first_value(struct lowering *lw, const struct object *o, uint32_t cell) {
    assert(cell < o->layout->n_cells);
    struct cell_place at = layout_cell(o->layout, cell);
    if (!lw->options->task || !at.type || o->layout->kind == LAYOUT_SCALAR ||
        o->layout->n_cells > SETTLED_CELLS)
        return VALUE_UNDEF;
    return lower_unset(lw, at.type);
}

/* A local starts a new life: nothing is left of the last one. */
static uint32_t revive(struct lowering *lw, uint32_t object, uint64_t owner) {
    struct object o = *object_at(lw, object);
    assert(o.layout && !o.constant && !o.dead);
    lw->objects.list.data[object].owner = owner;
    if (summary_is(lw, object)) {
        summary_forget(lw, object);
        return object;
    }
    for (uint32_t i = 0; i < o.layout->n_cells; i++)
        lw->now.memory =
            memory_set(&lw->memory, lw->now.memory, o.base + i, first_value(lw, &o, i));
    return object;
}

uint32_t object_local(struct lowering *lw, uint64_t key, LLVMValueRef variable, LLVMTypeRef type,
                      uint64_t count) {
    bool pending = false;
    if (lw->options->cut && lw->frames.len) {
        uint64_t owner = vec_last(&lw->frames)->key;
        uint64_t own = hash_mix(owner, key);
        uint32_t object = cut_static_object(lw, own, type, count, local_name(lw, variable));
        if (object != UINT32_MAX)
            return revive(lw, object, owner);
        pending = true;
    }
    const struct layout *layout = layout_of(lw, count == 1 ? type : LLVMArrayType2(type, count));
    uint32_t object = add_object(
        lw, (struct object){
                .kind = OBJECT_LOCAL, .layout = layout, .size = layout->size, .pending = pending});
    return lw->options->task ? revive(lw, object, 0) : object;
}

void object_drop_locals(struct lowering *lw, uint32_t first_object, uint32_t first_cell) {
    struct objects *all = &lw->objects;
    assert(first_object <= all->list.len && first_cell <= all->cell_object.len);
    assert(first_cell >= all->n_global_cells); /* globals and static locals stay */
    for (size_t i = first_object; i < all->list.len; i++)
        all->list.data[i].dead = true;
    for (uint32_t cell = first_cell; cell < all->cell_object.len && !lw->now.dead; cell++)
        lw->now.memory = memory_set(&lw->memory, lw->now.memory, cell, VALUE_NONE);
    vec_truncate(&all->cell_object, first_cell);
}

void object_forget_statics(struct lowering *lw, uint64_t owner) {
    for (uint32_t i = 0; i < lw->plan->locals.len && !lw->now.dead; i++) {
        uint32_t *known = map_get(&lw->objects.of_key, lw->plan->locals.data[i].key);
        const struct object *o = known ? object_at(lw, *known) : NULL;
        for (uint32_t k = 0; o && o->owner == owner && k < o->layout->n_cells; k++)
            lw->now.memory = memory_set(&lw->memory, lw->now.memory, o->base + k, VALUE_NONE);
    }
}

/* ---- memory that is asked for ---- */

static uint32_t heap_site(struct lowering *lw, uint64_t key) {
    for (uint32_t i = 0; i < lw->plan->heaps.len; i++)
        if (lw->plan->heaps.data[i].key == key)
            return i;
    vec_push(&lw->plan->heaps, (struct plan_heap){.key = key});
    return (uint32_t)lw->plan->heaps.len - 1;
}

/* Nothing has been seen of it yet: numbers, as wide as its size allows. */
static LLVMTypeRef unknown_type(struct lowering *lw, uint64_t size) {
    unsigned bytes = 8;
    while (size % bytes)
        bytes /= 2;
    return LLVMIntTypeInContext(lw->bc->context, bytes * 8);
}

uint32_t object_heap(struct lowering *lw, uint64_t site, uint32_t number, uint64_t size) {
    assert(lw->options->cut && lw->options->task && size > 0);
    uint32_t heap = heap_site(lw, site);
    LLVMTypeRef type = lw->plan->heaps.data[heap].type;
    type = type ? type : unknown_type(lw, size);
    uint64_t element = LLVMABISizeOfType(lw->bc->layout, type), own = hash_mix(site, number + 1);
    uint64_t count = (size + element - 1) / element;
    struct static_local l = {.type = type, .count = count, .heap = heap + 1};
    l.freed = hash_mix(own, 1);
    l.key = hash_mix(hash_mix(own, (uint64_t)(uintptr_t)type), count);
    l.name = arena_printf(&lw->arena, "%s::heap%u[%u]", lower_function_name(lw), heap, number);
    const struct layout *layout = layout_of(lw, LLVMArrayType2(type, count));
    size_t known = lw->plan->locals.len;
    uint32_t object = cut_static(lw, l);
    lw->plan->heap_cells += lw->plan->locals.len > known ? layout->n_cells : 0;
    if (object == UINT32_MAX) {
        object = add_object(lw, (struct object){.kind = OBJECT_LOCAL,
                                                .layout = layout,
                                                .size = layout->size,
                                                .pending = true,
                                                .heap = heap + 1});
    }
    return object;
}

void object_begin(struct lowering *lw, uint32_t object, term_t cond, bool zeroed) {
    struct object o = *object_at(lw, object);
    assert(o.heap && o.layout && !o.dead);
    for (uint32_t i = 0; i < o.layout->n_cells; i++) {
        struct cell_place at = layout_cell(o.layout, i);
        uint32_t cell = o.base + i;
        bool settled = at.type && o.layout->n_cells <= SETTLED_CELLS;
        value_t first = zeroed    ? lower_zero(lw, at)
                        : settled ? lower_unset(lw, at.type)
                                  : VALUE_UNDEF;
        value_t old = memory_get(&lw->memory, lw->now.memory, cell);
        if (!term_is_true(lw->ts, cond))
            first = value_ite(lw, cond, first, old ? old : lower_cell_default(lw, cell));
        lw->now.memory = memory_set(&lw->memory, lw->now.memory, cell, first);
    }
}

static bool is_aggregate(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ||
           LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

/* Structs say more than numbers, and large ones more than what may be their first member. */
static bool says_more(struct lowering *lw, LLVMTypeRef a, LLVMTypeRef b) {
    if (!b || is_aggregate(a) != is_aggregate(b))
        return !b || is_aggregate(a);
    uint64_t size_a = LLVMABISizeOfType(lw->bc->layout, a);
    uint64_t size_b = LLVMABISizeOfType(lw->bc->layout, b);
    bool leads = LLVMGetTypeKind(a) == LLVMPointerTypeKind;
    return size_a > size_b ||
           (size_a == size_b && leads && LLVMGetTypeKind(b) != LLVMPointerTypeKind);
}

void object_used_as(struct lowering *lw, value_t pointer, LLVMTypeRef type) {
    size_t n;
    if (!lw->plan->heaps.len || !LLVMTypeIsSized(type))
        return;
    uint64_t size = LLVMABISizeOfType(lw->bc->layout, type);
    const struct pointee *p = pointer_pointees(lw, pointer, &n);
    for (size_t i = 0; i < n; i++) {
        const struct object *o = object_at(lw, p[i].object);
        if (!o->heap || p[i].offset || size == 0 || size > o->size)
            continue;
        struct plan_heap *heap = &lw->plan->heaps.data[o->heap - 1];
        if (says_more(lw, type, heap->type)) {
            heap->type = type;
            lw->plan->grown = true;
        }
    }
}

uint32_t object_counter(struct lowering *lw, uint64_t key, const char *name) {
    LLVMTypeRef type = LLVMInt8TypeInContext(lw->bc->context);
    return cut_static(lw, (struct static_local){
                              .key = key, .type = type, .count = 1, .name = name, .zeroed = true});
}

static uint32_t freed_flag(struct lowering *lw, const struct object *o) {
    return object_counter(lw, o->freed, arena_printf(&lw->arena, "freed(%s)", o->name));
}

static value_t first_cell(struct lowering *lw, const struct object *o) {
    value_t v = memory_get(&lw->memory, lw->now.memory, o->base);
    return v ? v : lower_cell_default(lw, o->base);
}

void object_give_back(struct lowering *lw, uint32_t object, term_t cond) {
    struct object o = *object_at(lw, object);
    assert(o.heap);
    if (!lw->plan->frees)
        lw->plan->frees = lw->plan->grown = true;
    uint32_t flag = o.pending ? UINT32_MAX : freed_flag(lw, &o);
    if (flag == UINT32_MAX)
        return;
    const struct object *f = object_at(lw, flag);
    value_t yes = term_int(lw->ts, 8, 1);
    lw->now.memory = memory_set(&lw->memory, lw->now.memory, f->base,
                                value_ite(lw, cond, yes, first_cell(lw, f)));
}

term_t object_given_back(struct lowering *lw, uint32_t object) {
    struct object o = *object_at(lw, object);
    uint32_t flag = o.heap && !o.pending && lw->plan->frees ? freed_flag(lw, &o) : UINT32_MAX;
    if (flag == UINT32_MAX)
        return term_bool(lw->ts, false);
    struct scalar f = value_as(lw, first_cell(lw, object_at(lw, flag)), 8);
    return term_not(lw->ts, term_eq(lw->ts, f.term, term_int(lw->ts, 8, 0)));
}

/* ---- globals ---- */

static struct object global_object(struct lowering *lw, LLVMValueRef global) {
    size_t len;
    struct object o = {.kind = OBJECT_GLOBAL, .value = global};
    o.name = LLVMGetValueName2(global, &len);
    o.layout = layout_of(lw, LLVMGlobalGetValueType(global));
    o.size = o.layout->size;
    o.undefined = LLVMIsDeclaration(global);
    o.constant = LLVMIsGlobalConstant(global) && !o.undefined;
    return o;
}

static void add_named(struct lowering *lw, LLVMValueRef value, struct object object) {
    map_put(&lw->objects.of_global, key_of(value), add_object(lw, object));
}

static void fill(struct lowering *lw, const struct layout *layout, uint32_t base,
                 LLVMValueRef constant) {
    bool zero = !constant || LLVMIsNull(constant) || LLVMIsUndef(constant);
    if (zero) {
        for (uint32_t i = 0; i < layout->n_cells; i++)
            lw->objects.initial.data[base + i] = lower_zero(lw, layout_cell(layout, i));
    } else if (layout->kind == LAYOUT_ARRAY) {
        const struct layout *element = layout->members.data[0].layout;
        for (uint32_t i = 0; i < layout->count; i++)
            fill(lw, element, base + i * element->n_cells, LLVMGetAggregateElement(constant, i));
    } else if (layout->kind == LAYOUT_STRUCT) {
        for (size_t i = 0; i < layout->members.len; i++) {
            const struct layout_member *m = &layout->members.data[i];
            LLVMValueRef element =
                m->element < 0 ? NULL : LLVMGetAggregateElement(constant, (unsigned)m->element);
            fill(lw, m->layout, base + m->first_cell, element);
        }
    } else {
        lw->objects.initial.data[base] = lower_constant(lw, constant);
    }
}

static void fill_undefined(struct lowering *lw, const struct object *o) {
    for (uint32_t i = 0; i < o->layout->n_cells; i++) {
        struct cell_place at = layout_cell(o->layout, i);
        lw->objects.initial.data[o->base + i] =
            at.type ? lower_foreign(lw, at.type, o->name) : VALUE_UNDEF;
        if (lw->options->task && o->layout->n_cells == 1 && at.type &&
            lower_sort(at.type) != SORT_NONE)
            lower_supply(lw); /* a witness says which */
    }
    lower_note(lw,
               "variable '%s' is not defined in the module: its initial value counts as "
               "unknown",
               o->name);
}

static void add_statics(struct lowering *lw) {
    for (size_t i = 0; i < lw->plan->locals.len; i++) {
        const struct static_local *l = &lw->plan->locals.data[i];
        LLVMTypeRef type = l->count == 1 ? l->type : LLVMArrayType2(l->type, l->count);
        struct object o = {.kind = OBJECT_GLOBAL, .name = l->name, .is_static = true};
        o.heap = l->heap;
        o.freed = l->freed;
        o.zeroed = l->zeroed;
        o.layout = layout_of(lw, type);
        o.size = o.layout->size;
        assert(!map_get(&lw->objects.of_key, l->key));
        map_put(&lw->objects.of_key, l->key, add_object(lw, o));
    }
}

static void fill_static(struct lowering *lw, const struct object *o) {
    for (uint32_t i = 0; i < o->layout->n_cells; i++)
        lw->objects.initial.data[o->base + i] =
            o->zeroed ? lower_zero(lw, layout_cell(o->layout, i)) : VALUE_UNDEF;
}

bool objects_init(struct lowering *lw, struct err *err) {
    static const enum object_kind fixed[] = {OBJECT_NULL, OBJECT_ABSOLUTE, OBJECT_WILD};
    for (int i = 0; i < 3; i++)
        (void)add_object(lw, (struct object){.kind = fixed[i]});
    LLVMModuleRef module = lw->bc->module;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        add_named(lw, g, global_object(lw, g));
        if (lw->objects.cell_object.len > MEMORY_CELLS / 2)
            return err_set(err, ERR_SOURCE, "the module has more than %d memory cells",
                           MEMORY_CELLS / 2);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t len;
        const char *name = LLVMGetValueName2(f, &len);
        add_named(lw, f, (struct object){.kind = OBJECT_FUNCTION, .value = f, .name = name});
    }
    add_statics(lw); /* last: their number grows, and the plan knows objects by their numbers */
    lw->objects.n_global_cells = (uint32_t)lw->objects.cell_object.len;
    vec_resize_zero(&lw->objects.initial, lw->objects.n_global_cells);
    for (size_t i = 0; i < lw->objects.list.len; i++) {
        struct object o = lw->objects.list.data[i];
        if (o.kind != OBJECT_GLOBAL)
            continue;
        if (o.undefined)
            fill_undefined(lw, &o);
        else if (o.is_static)
            fill_static(lw, &o);
        else
            fill(lw, o.layout, o.base, LLVMGetInitializer(o.value));
    }
    return true;
}

value_t lower_cell_default(struct lowering *lw, uint32_t cell) {
    assert(cell < lw->objects.cell_object.len);
    const struct object *o = object_at(lw, lw->objects.cell_object.data[cell]);
    if (o->kind == OBJECT_LOCAL)
        return VALUE_UNDEF;
    if (o->constant || lw->in_init)
        return lw->objects.initial.data[cell];
    return lower_state_value(lw, cell);
}

/* ---- constants ---- */

value_t lower_zero(struct lowering *lw, struct cell_place place) {
    if (!place.type)
        return term_int(lw->ts, (sort_t)(place.size * 8), 0);
    if (LLVMGetTypeKind(place.type) == LLVMPointerTypeKind)
        return pointer_to(lw, OBJECT_NULL, 0);
    return term_const(lw->ts, lower_sort(place.type), 0);
}

static value_t zero_of(struct lowering *lw, LLVMTypeRef type) {
    const struct layout *l = layout_of(lw, type);
    if (l->kind == LAYOUT_SCALAR)
        return lower_zero(lw, layout_cell(l, 0));
    VEC(value_t) members = {0};
    if (l->kind == LAYOUT_ARRAY)
        for (uint64_t i = 0; i < l->count; i++)
            vec_push(&members, zero_of(lw, l->members.data[0].layout->type));
    else
        for (size_t i = 0; i < l->members.len; i++)
            if (l->members.data[i].element >= 0)
                vec_push(&members, zero_of(lw, l->members.data[i].layout->type));
    value_t group = value_group(lw, members.data, members.len);
    vec_free(&members);
    return group;
}

static value_t constant_group(struct lowering *lw, LLVMValueRef constant, unsigned n) {
    VEC(value_t) members = {0};
    for (unsigned i = 0; i < n; i++)
        vec_push(&members, lower_constant(lw, LLVMGetAggregateElement(constant, i)));
    value_t group = value_group(lw, members.data, members.len);
    vec_free(&members);
    return group;
}

static unsigned group_size(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        return LLVMCountStructElementTypes(type);
    case LLVMVectorTypeKind:
        return LLVMGetVectorSize(type);
    case LLVMArrayTypeKind:
        return (unsigned)LLVMGetArrayLength2(type);
    default:
        return 0;
    }
}

static value_t any_value(struct lowering *lw, LLVMTypeRef type, const char *what, term_t taint) {
    sort_t sort = lower_sort(type);
    term_t yes = term_bool(lw->ts, true);
    if (sort != SORT_NONE)
        return value_scalar(lw, (struct scalar){lower_fresh(lw, sort, yes, what), taint});
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
        struct pointee wild = {.cond = yes, .object = OBJECT_WILD};
        return pointer_make(lw, &wild, 1, taint);
    }
    return VALUE_UNDEF;
}

value_t lower_any(struct lowering *lw, LLVMTypeRef type, const char *what) {
    return any_value(lw, type, what, term_bool(lw->ts, true));
}

value_t lower_unset(struct lowering *lw, LLVMTypeRef type) {
    return any_value(lw, type, "uninitialised", indeterminate_taint(lw));
}

value_t lower_foreign(struct lowering *lw, LLVMTypeRef type, const char *what) {
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
        return lower_any(lw, type, what);
    struct pointee unknown = {.cond = term_bool(lw->ts, true), .object = OBJECT_ABSOLUTE};
    return pointer_make(lw, &unknown, 1, unknown.cond);
}

static value_t constant_number(struct lowering *lw, LLVMValueRef constant, sort_t sort) {
    if (LLVMGetValueKind(constant) != LLVMConstantFPValueKind)
        return term_const(lw->ts, sort, LLVMConstIntGetZExtValue(constant));
    LLVMBool loses;
    double value = LLVMConstRealGetDouble(constant, &loses);
    return sort == SORT_F32 ? term_f32(lw->ts, (float)value) : term_f64(lw->ts, value);
}

static value_t make_constant(struct lowering *lw, LLVMValueRef constant) {
    LLVMTypeRef type = LLVMTypeOf(constant);
    sort_t sort = lower_sort(type);
    switch (LLVMGetValueKind(constant)) {
    case LLVMFunctionValueKind:
    case LLVMGlobalVariableValueKind:
        return pointer_to(lw, *map_get(&lw->objects.of_global, key_of(constant)), 0);
    case LLVMGlobalAliasValueKind:
        return lower_constant(lw, LLVMAliasGetAliasee(constant));
    case LLVMConstantExprValueKind:
        return lower_operation(lw, NULL, constant, LLVMGetConstOpcode(constant));
    case LLVMConstantPointerNullValueKind:
        return pointer_to(lw, OBJECT_NULL, 0);
    case LLVMConstantAggregateZeroValueKind:
        return zero_of(lw, type);
    case LLVMConstantIntValueKind:
    case LLVMConstantFPValueKind:
        if (sort != SORT_NONE)
            return constant_number(lw, constant, sort);
        break;
    default:
        if (group_size(type))
            return constant_group(lw, constant, group_size(type));
        break;
    }
    lower_give_up(lw, "a constant of this type is not supported");
    return VALUE_UNDEF;
}

value_t lower_constant(struct lowering *lw, LLVMValueRef constant) {
    if (LLVMIsUndef(constant)) /* poison too */
        return lower_unset(lw, LLVMTypeOf(constant));
    uint32_t *known = map_get(&lw->constants, key_of(constant));
    if (known)
        return *known;
    value_t v = make_constant(lw, constant);
    map_put(&lw->constants, key_of(constant), v);
    return v;
}
