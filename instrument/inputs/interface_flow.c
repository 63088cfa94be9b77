/* Where pointers point, what is reached, what is touched. */
#include "instrument/inputs/interface_scan.h"

#include "base/bug.h"

#include <assert.h>

static uint32_t place_id(struct scan *scan, uint32_t object, uint32_t pattern) {
    assert(object < scan->objects.len && pattern < scan->patterns.texts.len);
    uint64_t key = (uint64_t)object << 32 | pattern;
    uint32_t *known = map_get(&scan->place_ids, key);
    if (known)
        return *known;
    struct place_in place = {object, pattern, NOTHING, 0};
    vec_push(&scan->places, place);
    uint32_t id = (uint32_t)scan->places.len - 1;
    map_put(&scan->place_ids, key, id);
    return id;
}

static uint32_t place_node(struct scan *scan, uint32_t place) {
    assert(place < scan->places.len);
    struct place_in *p = &scan->places.data[place];
    struct object *o = &scan->objects.data[p->object];
    if (p->node == NOTHING) {
        p->node = p->pattern == 0 ? o->node : scan_new_node(scan);
        vec_push(&o->contents, place);
    }
    return p->node;
}

uint32_t scan_content(struct scan *scan, uint32_t object, const char *pattern) {
    return place_node(scan, place_id(scan, object, intern_id(&scan->patterns, pattern)));
}

void scan_add_flow(struct scan *scan, enum flow_kind kind, uint32_t to, uint32_t from,
                   uint32_t pattern) {
    struct flow flow = {kind, to, from, pattern};
    vec_push(&scan->flows, flow);
}

bool scan_overlap(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (*a == '\0' && (*b == '\0' || *b == '.' || *b == '[')) ||
           (*b == '\0' && (*a == '.' || *a == '['));
}

uint32_t scan_pattern_below(struct scan *scan, uint32_t a, uint32_t b) {
    struct str joined = {0};
    str_add(&joined, intern_text(&scan->patterns, a));
    str_add(&joined, intern_text(&scan->patterns, b));
    /* p = &p->next: beyond some depth the prefix stands for everything below it */
    uint32_t id = a;
    if (joined.len < 400)
        id = intern_id(&scan->patterns, str_text(&joined));
    str_free(&joined);
    return id;
}

static uint32_t place_below(struct scan *scan, uint32_t place, uint32_t pattern) {
    struct place_in base = scan->places.data[place];
    if (pattern == 0)
        return place;
    return place_id(scan, base.object, scan_pattern_below(scan, base.pattern, pattern));
}

/* Adds to a sorted set; true when it was new. */
static bool node_add(struct scan *scan, uint32_t node, uint32_t place) {
    assert(node < scan->nodes.len && place < scan->places.len);
    struct ids *set = &scan->nodes.data[node];
    size_t low = 0, high = set->len;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (set->data[mid] < place)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < set->len && set->data[low] == place)
        return false;
    vec_push(set, place);
    memmove(set->data + low + 1, set->data + low, (set->len - 1 - low) * sizeof *set->data);
    set->data[low] = place;
    return true;
}

static bool node_copy(struct scan *scan, uint32_t to, uint32_t from) {
    assert(to < scan->nodes.len && from < scan->nodes.len);
    bool changed = false;
    for (size_t i = 0; i < scan->nodes.data[from].len; i++)
        changed |= node_add(scan, to, scan->nodes.data[from].data[i]);
    return changed;
}

/* to ⊇ all pointers in what overlaps the place. */
static bool get_contents(struct scan *scan, uint32_t to, uint32_t place) {
    const struct place_in wanted = scan->places.data[place];
    const char *pattern = intern_text(&scan->patterns, wanted.pattern);
    bool changed = false;
    for (size_t i = 0; i < scan->objects.data[wanted.object].contents.len; i++) {
        uint32_t held = scan->objects.data[wanted.object].contents.data[i];
        const struct place_in *p = &scan->places.data[held];
        if (scan_overlap(intern_text(&scan->patterns, p->pattern), pattern))
            changed |= node_copy(scan, to, p->node);
    }
    return changed;
}

static bool flow_load(struct scan *scan, const struct flow *flow) {
    bool changed = false;
    for (size_t i = 0; i < scan->nodes.data[flow->from].len; i++) {
        uint32_t place = scan->nodes.data[flow->from].data[i];
        changed |= get_contents(scan, flow->to, place_below(scan, place, flow->pattern));
    }
    return changed;
}

static bool flow_store(struct scan *scan, const struct flow *flow) {
    bool changed = false;
    for (size_t i = 0; i < scan->nodes.data[flow->to].len; i++) {
        uint32_t place = place_below(scan, scan->nodes.data[flow->to].data[i], flow->pattern);
        changed |= node_copy(scan, place_node(scan, place), flow->from);
    }
    return changed;
}

static bool flow_offset(struct scan *scan, const struct flow *flow) {
    bool changed = false;
    for (size_t i = 0; i < scan->nodes.data[flow->from].len; i++) {
        uint32_t place = scan->nodes.data[flow->from].data[i];
        changed |= node_add(scan, flow->to, place_below(scan, place, flow->pattern));
    }
    return changed;
}

static bool flow_run(struct scan *scan, const struct flow *flow) {
    switch (flow->kind) {
    case FLOW_COPY:
        return node_copy(scan, flow->to, flow->from);
    case FLOW_PLACE:
        return node_add(scan, flow->to, place_id(scan, flow->from, flow->pattern));
    case FLOW_OFFSET:
        return flow_offset(scan, flow);
    case FLOW_GET:
        return get_contents(scan, flow->to, place_id(scan, flow->from, flow->pattern));
    case FLOW_PUT:
        return node_copy(scan, place_node(scan, place_id(scan, flow->to, flow->pattern)),
                         flow->from);
    case FLOW_LOAD:
        return flow_load(scan, flow);
    case FLOW_STORE:
        return flow_store(scan, flow);
    }
    return false;
}

static bool bind_call(struct scan *scan, const struct call *call, uint32_t callee) {
    const struct routine *function = &scan->functions.data[callee];
    bool changed = false;
    for (size_t i = 0; i < call->args.len && i < function->params.len; i++)
        if (call->args.data[i] != NOTHING)
            changed |= node_copy(scan, scan_content(scan, function->params.data[i], ""),
                                 call->args.data[i]);
    return changed | node_copy(scan, call->result, function->result);
}

/* Copying memory copies the pointers in it; the result is the destination. */
static bool bind_copying(struct scan *scan, const struct call *call) {
    if (call->args.len < 2 || call->args.data[0] == NOTHING)
        return false;
    bool changed = node_copy(scan, call->result, call->args.data[0]);
    if (call->args.data[1] == NOTHING)
        return changed;
    for (size_t i = 0; i < scan->nodes.data[call->args.data[0]].len; i++) {
        uint32_t to = place_node(scan, scan->nodes.data[call->args.data[0]].data[i]);
        struct flow load = {FLOW_LOAD, to, call->args.data[1], 0};
        changed |= flow_load(scan, &load);
    }
    return changed;
}

static bool call_run(struct scan *scan, const struct call *call) {
    bool changed = false;
    if (call->callee != NOTHING) {
        if (scan->functions.data[call->callee].has_body)
            return bind_call(scan, call, call->callee);
        return bind_copying(scan, call);
    }
    if (call->pointer == NOTHING)
        return false;
    for (size_t i = 0; i < scan->nodes.data[call->pointer].len; i++) {
        uint32_t place = scan->nodes.data[call->pointer].data[i];
        const struct object *object = &scan->objects.data[scan->places.data[place].object];
        if (object->kind == OBJECT_FUNCTION)
            changed |= bind_call(scan, call, object->function);
    }
    return changed;
}

static void check_node(const struct scan *scan, uint32_t node) {
    const struct ids *set = &scan->nodes.data[node];
    for (size_t i = 0; i < set->len; i++)
        if (set->data[i] >= scan->places.len || (i > 0 && set->data[i - 1] >= set->data[i]))
            bug("node %u: place %zu is wrong", node, i);
}

static void check_place(const struct scan *scan, uint32_t id) {
    const struct place_in *place = &scan->places.data[id];
    if (place->object >= scan->objects.len || place->pattern >= scan->patterns.texts.len)
        bug("place %u is nowhere", id);
    const uint32_t *known =
        map_get(&scan->place_ids, (uint64_t)place->object << 32 | place->pattern);
    if (!known || *known != id)
        bug("place %u is not in its table", id);
    if (place->node != NOTHING && place->node >= scan->nodes.len)
        bug("place %u has no node", id);
}

void check_scan(const struct scan *scan) {
    for (uint32_t i = 0; i < scan->nodes.len; i++)
        check_node(scan, i);
    for (uint32_t i = 0; i < scan->places.len; i++)
        check_place(scan, i);
    for (size_t i = 0; i < scan->objects.len; i++)
        if (scan->objects.data[i].node >= scan->nodes.len)
            bug("object '%s' has no node", scan->objects.data[i].path);
    if (scan->objects.len != scan->object_keys.texts.len ||
        scan->functions.len != scan->function_keys.texts.len)
        bug("keys and objects or functions differ in number");
}

void scan_flow(struct scan *scan) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < scan->flows.len; i++)
            changed |= flow_run(scan, &scan->flows.data[i]);
        for (size_t i = 0; i < scan->calls.len; i++)
            changed |= call_run(scan, &scan->calls.data[i]);
    }
    check_scan(scan);
}

void scan_points_to(struct scan *scan, uint32_t node, uint32_t object, const char *pattern) {
    struct flow flow = {FLOW_PLACE, node, object, intern_id(&scan->patterns, pattern)};
    vec_push(&scan->flows, flow);
}

bool scan_is_indexed(struct scan *scan, uint32_t object) {
    assert(object < scan->objects.len);
    bool found = false;
    for (size_t i = 0; i < scan->indexed.len && !found; i++) {
        const struct ids *set = &scan->nodes.data[scan->indexed.data[i]];
        for (size_t k = 0; k < set->len; k++) {
            const struct place_in *place = &scan->places.data[set->data[k]];
            found |= place->object == object && place->pattern == 0;
        }
    }
    return found;
}

struct ids scan_places(struct scan *scan, const struct lvalue *lvalue) {
    assert(lvalue->kind != LVALUE_DEREF || lvalue->base < scan->nodes.len);
    struct ids places = {0};
    if (lvalue->kind == LVALUE_DIRECT)
        vec_push(&places, place_id(scan, lvalue->base, lvalue->pattern));
    if (lvalue->kind == LVALUE_DEREF)
        for (size_t i = 0; i < scan->nodes.data[lvalue->base].len; i++) {
            uint32_t place = scan->nodes.data[lvalue->base].data[i];
            vec_push(&places, place_below(scan, place, lvalue->pattern));
        }
    return places;
}

static bool *reached(struct routine *function, bool step) {
    return step ? &function->by_step : &function->by_init;
}

/* Appends the functions that `id` may call. */
static void callees_of(const struct scan *scan, uint32_t id, struct ids *callees) {
    const struct routine *function = &scan->functions.data[id];
    vec_append(callees, function->calls.data, function->calls.len);
    for (size_t i = 0; i < function->pointer_calls.len; i++) {
        const struct ids *targets = &scan->nodes.data[function->pointer_calls.data[i]];
        for (size_t k = 0; k < targets->len; k++) {
            const struct place_in *place = &scan->places.data[targets->data[k]];
            const struct object *object = &scan->objects.data[place->object];
            if (object->kind == OBJECT_FUNCTION)
                vec_push(callees, object->function);
        }
    }
}

static void reach_from(struct scan *scan, uint32_t start, bool step) {
    assert(start < scan->functions.len);
    struct ids work = {0};
    vec_push(&work, start);
    *reached(&scan->functions.data[start], step) = true;
    while (work.len > 0) {
        uint32_t id = vec_pop(&work);
        struct ids callees = {0};
        callees_of(scan, id, &callees);
        for (size_t i = 0; i < callees.len; i++) {
            bool *mark = reached(&scan->functions.data[callees.data[i]], step);
            if (!*mark)
                vec_push(&work, callees.data[i]);
            *mark = true;
        }
        vec_free(&callees);
    }
    vec_free(&work);
}

static void touch(struct scan *scan, const struct access *access, unsigned flags) {
    if (flags == 0)
        return;
    struct ids places = scan_places(scan, &access->lvalue);
    for (size_t i = 0; i < places.len; i++) {
        struct place_in *place = &scan->places.data[places.data[i]];
        if (place->touch == 0)
            vec_push(&scan->objects.data[place->object].touched, places.data[i]);
        place->touch |= flags;
    }
    vec_free(&places);
}

static unsigned touch_flags(const struct routine *function, bool reads, bool writes) {
    unsigned flags = 0;
    if (function->by_step)
        flags |= (reads ? STEP_READS : 0u) | (writes ? STEP_WRITES : 0u);
    if (function->by_init)
        flags |= (reads ? INIT_READS : 0u) | (writes ? INIT_WRITES : 0u);
    return flags;
}

static bool points_to_const(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    return canonical.kind == CXType_Pointer &&
           clang_isConstQualifiedType(clang_getPointeeType(canonical));
}

static bool has_known_target(const struct scan *scan, const struct call *call) {
    if (call->callee != NOTHING)
        return scan->functions.data[call->callee].has_body;
    if (call->pointer == NOTHING)
        return false;
    const struct ids *targets = &scan->nodes.data[call->pointer];
    for (size_t i = 0; i < targets->len; i++) {
        const struct place_in *place = &scan->places.data[targets->data[i]];
        const struct object *object = &scan->objects.data[place->object];
        if (object->kind == OBJECT_FUNCTION && scan->functions.data[object->function].has_body)
            return true;
    }
    return false;
}

/* A function without a body reads what its pointer arguments point to and writes it, unless the
 * parameter points to const. The argument has the type of the parameter: casts are explicit in
 * clang's tree. */
static void touch_by_call(struct scan *scan, const struct call *call) {
    if (call->caller == NOTHING || has_known_target(scan, call))
        return;
    for (size_t i = 0; i < call->args.len; i++) {
        if (call->args.data[i] == NOTHING)
            continue;
        CXType type = clang_getCursorType(clang_Cursor_getArgument(call->cursor, (unsigned)i));
        struct access access = {.lvalue = {.kind = LVALUE_DEREF, .base = call->args.data[i]}};
        const struct routine *caller = &scan->functions.data[call->caller];
        touch(scan, &access, touch_flags(caller, true, !points_to_const(type)));
    }
}

static void forget(struct scan *scan) {
    for (size_t i = 0; i < scan->functions.len; i++)
        scan->functions.data[i].by_step = scan->functions.data[i].by_init = false;
    for (size_t i = 0; i < scan->places.len; i++)
        scan->places.data[i].touch = 0;
    for (size_t i = 0; i < scan->objects.len; i++)
        vec_clear(&scan->objects.data[i].touched);
}

void scan_reach(struct scan *scan, uint32_t step, const struct ids *init) {
    assert(step < scan->functions.len);
    forget(scan);
    reach_from(scan, step, true);
    for (size_t i = 0; i < init->len; i++)
        reach_from(scan, init->data[i], false);
    for (size_t i = 0; i < scan->accesses.len; i++) {
        const struct access *access = &scan->accesses.data[i];
        const struct routine *function = &scan->functions.data[access->function];
        touch(scan, access, touch_flags(function, access->reads, access->writes));
    }
    for (size_t i = 0; i < scan->calls.len; i++)
        touch_by_call(scan, &scan->calls.data[i]);
}

unsigned scan_touch(const struct scan *scan, uint32_t object, const char *pattern) {
    assert(object < scan->objects.len);
    const struct ids *touched = &scan->objects.data[object].touched;
    unsigned flags = 0;
    for (size_t i = 0; i < touched->len; i++) {
        const struct place_in *place = &scan->places.data[touched->data[i]];
        if (scan_overlap(intern_text(&scan->patterns, place->pattern), pattern))
            flags |= place->touch;
    }
    return flags;
}
