/* Summaries of functions are made when they are first asked for and kept (mod-ref analysis); a
 * call puts what is behind its arguments in the place of parameters. Recursion adds nothing: see
 * summary(). */
#include "instrument/inputs/effects.h"

#include "base/mem.h"
#include "instrument/syntax/float_modes.h"

#include <assert.h>

enum { DEEPEST = 24 }; /* flows followed to where a pointer comes from */
enum { UNKNOWN, AT_WORK, DONE };

/* ---- where a pointer comes from ---- */

static void note_flow(struct effects *e, uint32_t i) {
    const struct flow *flow = &e->scan->flows.data[i];
    if (flow->kind == FLOW_PUT)
        e->kept[flow->to] = false;
    if (flow->kind == FLOW_PLACE)
        e->kept[flow->from] = false;
    if (flow->kind != FLOW_PUT && flow->kind != FLOW_STORE)
        vec_push(&e->incoming[flow->to], i);
}

static void note_nodes(struct effects *e) {
    const struct scan *scan = e->scan;
    for (size_t i = 0; i < scan->places.len; i++)
        if (scan->places.data[i].node != NOTHING)
            e->opaque[scan->places.data[i].node] = true;
    for (size_t i = 0; i < scan->objects.len; i++)
        e->opaque[scan->objects.data[i].node] = true;
    for (size_t i = 0; i < scan->calls.len; i++)
        e->opaque[scan->calls.data[i].result] = true;
    for (size_t i = 0; i < scan->functions.len; i++)
        e->opaque[scan->functions.data[i].result] = true;
}

void effects_open(struct effects *e, struct scan *scan) {
    assert(!e->scan);
    e->scan = scan;
    e->n_functions = scan->functions.len;
    e->n_nodes = scan->nodes.len;
    vec_resize_zero(&e->summaries, e->n_functions);
    e->state = mem_zalloc(e->n_functions + 1, sizeof *e->state);
    e->accesses = mem_zalloc(e->n_functions + 1, sizeof *e->accesses);
    e->calls = mem_zalloc(e->n_functions + 1, sizeof *e->calls);
    e->incoming = mem_zalloc(e->n_nodes + 1, sizeof *e->incoming);
    e->opaque = mem_zalloc(e->n_nodes + 1, sizeof *e->opaque);
    e->kept = mem_zalloc(scan->objects.len + 1, sizeof *e->kept);
    for (size_t i = 0; i < scan->objects.len; i++)
        e->kept[i] = true;
    for (uint32_t i = 0; i < scan->flows.len; i++)
        note_flow(e, i);
    note_nodes(e);
    for (uint32_t i = 0; i < scan->accesses.len; i++)
        vec_push(&e->accesses[scan->accesses.data[i].function], i);
    for (uint32_t i = 0; i < scan->calls.len; i++)
        if (scan->calls.data[i].caller != NOTHING)
            vec_push(&e->calls[scan->calls.data[i].caller], i);
}

void effects_close(struct effects *e) {
    for (size_t i = 0; i < e->n_functions; i++) {
        effects_free(&e->summaries.data[i]);
        vec_free(&e->accesses[i]);
        vec_free(&e->calls[i]);
    }
    for (size_t i = 0; i < e->n_nodes; i++)
        vec_free(&e->incoming[i]);
    vec_free(&e->summaries);
    mem_free(e->state);
    mem_free(e->accesses);
    mem_free(e->calls);
    mem_free(e->incoming);
    mem_free(e->opaque);
    mem_free(e->kept);
    arena_free(&e->arena);
    *e = (struct effects){0};
}

static uint32_t parameter_of(const struct effects *e, uint32_t function, uint32_t object) {
    const struct ids *params = &e->scan->functions.data[function].params;
    for (uint32_t k = 0; k < params->len; k++)
        if (params->data[k] == object)
            return k;
    return NOTHING;
}

static uint32_t first_with(const struct effect_list *list, const struct effect *like) {
    const uint32_t *first = map_get(&list->first, (uint64_t)like->base << 1 | like->of_parameter);
    return first ? *first : NOTHING;
}

void effects_free(struct effect_list *list) {
    vec_free(&list->all);
    map_free(&list->first);
}

static void add(struct effect_list *list, struct effect effect) {
    effect.next = first_with(list, &effect);
    for (uint32_t i = effect.next; i != NOTHING; i = list->all.data[i].next) {
        struct effect *known = &list->all.data[i];
        if (known->pattern == effect.pattern) {
            known->reads |= effect.reads;
            known->writes |= effect.writes;
            return;
        }
    }
    map_put(&list->first, (uint64_t)effect.base << 1 | effect.of_parameter,
            (uint32_t)list->all.len);
    vec_push(&list->all, effect);
}

static void add_node(const struct effects *e, uint32_t node, uint32_t pattern, struct effect how,
                     struct effect_list *list) {
    for (size_t i = 0; i < e->scan->nodes.data[node].len; i++) {
        const struct place_in *place = &e->scan->places.data[e->scan->nodes.data[node].data[i]];
        how.of_parameter = false;
        how.base = place->object;
        how.pattern = scan_pattern_below(e->scan, place->pattern, pattern);
        add(list, how);
    }
}

static void add_behind(struct effects *e, uint32_t function, uint32_t node, uint32_t depth,
                       struct effect how, struct effect_list *list);

/* False: what the flow brings is not known better than as a set of places. */
static bool add_flow(struct effects *e, uint32_t function, const struct flow *flow, uint32_t depth,
                     struct effect how, struct effect_list *list) {
    switch (flow->kind) {
    case FLOW_COPY:
        add_behind(e, function, flow->from, depth, how, list);
        return true;
    case FLOW_OFFSET:
        how.pattern = scan_pattern_below(e->scan, flow->pattern, how.pattern);
        add_behind(e, function, flow->from, depth, how, list);
        return true;
    case FLOW_PLACE:
        how.base = flow->from;
        how.pattern = scan_pattern_below(e->scan, flow->pattern, how.pattern);
        add(list, how);
        return true;
    case FLOW_GET:
        how.base = parameter_of(e, function, flow->from);
        how.of_parameter = true;
        if (how.base == NOTHING || !e->kept[flow->from] || flow->pattern != 0)
            return false;
        add(list, how);
        return true;
    default:
        return false;
    }
}

/* how.pattern behind the pointers in `node`. */
static void add_behind(struct effects *e, uint32_t function, uint32_t node, uint32_t depth,
                       struct effect how, struct effect_list *list) {
    assert(node < e->n_nodes);
    const struct ids *incoming = &e->incoming[node];
    bool known = depth < DEEPEST && !e->opaque[node] && incoming->len > 0;
    for (size_t i = 0; i < incoming->len && known; i++)
        known =
            add_flow(e, function, &e->scan->flows.data[incoming->data[i]], depth + 1, how, list);
    if (!known)
        add_node(e, node, how.pattern, how, list);
}

static void add_lvalue(struct effects *e, uint32_t function, const struct lvalue *lvalue,
                       struct effect how, struct effect_list *list) {
    how.base = lvalue->base;
    how.pattern = lvalue->pattern;
    if (lvalue->kind == LVALUE_DIRECT)
        add(list, how);
    else if (lvalue->kind == LVALUE_DEREF)
        add_behind(e, function, lvalue->base, 0, how, list);
}

/* ---- calls ---- */

static const struct effect_list *summary(struct effects *e, uint32_t function);

static bool ends_run(const char *name) {
    static const char *const names[] = {"exit",       "_exit",   "_Exit",      "abort",
                                        "quick_exit", "longjmp", "siglongjmp", "__assert_fail"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_same(name, names[i]))
            return true;
    return false;
}

static bool only_asks_for_mode(const char *name) {
    return str_starts(name, "feget") || str_same(name, "_mm_getcsr");
}

static bool points_to_const(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    return canonical.kind == CXType_Pointer &&
           clang_isConstQualifiedType(clang_getPointeeType(canonical));
}

static void call_of_unknown(struct effects *e, const struct call *call, struct effect_list *list) {
    for (size_t i = 0; i < call->args.len; i++) {
        CXType type = clang_getCursorType(clang_Cursor_getArgument(call->cursor, (unsigned)i));
        struct effect how = {.reads = true, .writes = !points_to_const(type)};
        if (call->args.data[i] != NOTHING)
            add_behind(e, call->caller, call->args.data[i], 0, how, list);
    }
}

static void call_of(struct effects *e, const struct call *call, uint32_t callee,
                    struct effect_list *list) {
    const struct routine *function = &e->scan->functions.data[callee];
    if (ends_run(function->name))
        add(list, (struct effect){.base = END_OF_RUN, .writes = true});
    if (!function->has_body && float_mode_on_host(function->name))
        add(list, (struct effect){.base = ROUNDING_MODE,
                                  .reads = true,
                                  .writes = !only_asks_for_mode(function->name)});
    if (!function->has_body) {
        call_of_unknown(e, call, list);
        return;
    }
    const struct effect_list *inside = summary(e, callee);
    for (size_t i = 0; i < inside->all.len; i++) {
        struct effect effect = inside->all.data[i];
        uint32_t argument = effect.base;
        effect.of_parameter = false;
        if (!inside->all.data[i].of_parameter)
            add(list, effect);
        else if (argument < call->args.len && call->args.data[argument] != NOTHING)
            add_behind(e, call->caller, call->args.data[argument], 0, effect, list);
    }
}

static void call_effects(struct effects *e, const struct call *call, struct effect_list *list) {
    if (call->callee != NOTHING) {
        call_of(e, call, call->callee, list);
        return;
    }
    call_of_unknown(e, call, list);
    if (call->pointer == NOTHING)
        return;
    const struct ids *targets = &e->scan->nodes.data[call->pointer];
    for (size_t i = 0; i < targets->len; i++) {
        const struct place_in *place = &e->scan->places.data[targets->data[i]];
        const struct object *object = &e->scan->objects.data[place->object];
        if (object->kind == OBJECT_FUNCTION)
            call_of(e, call, object->function, list);
    }
}

/* A call has variables of its own. */
static bool is_own(const struct effects *e, uint32_t function, const struct effect *effect) {
    if (effect->of_parameter || effect->base == END_OF_RUN || effect->base == ROUNDING_MODE)
        return false;
    const struct object *object = &e->scan->objects.data[effect->base];
    return object->kind == OBJECT_LOCAL && object->function == function;
}

static void add_others(const struct effects *e, uint32_t function, const struct effect_list *from,
                       struct effect_list *to) {
    for (size_t i = 0; i < from->all.len; i++)
        if (!is_own(e, function, &from->all.data[i]))
            add(to, from->all.data[i]);
}

/* Recursion adds nothing: what is found outside it is all there is, or the run has a limitation
 * that says so. */
static const struct effect_list *summary(struct effects *e, uint32_t function) {
    struct effect_list list = {0};
    if (e->state[function] != UNKNOWN)
        return &e->summaries.data[function];
    e->state[function] = AT_WORK;
    for (size_t i = 0; i < e->accesses[function].len; i++) {
        const struct access *access = &e->scan->accesses.data[e->accesses[function].data[i]];
        struct effect how = {.reads = access->reads, .writes = access->writes};
        add_lvalue(e, function, &access->lvalue, how, &list);
    }
    for (size_t i = 0; i < e->calls[function].len; i++)
        call_effects(e, &e->scan->calls.data[e->calls[function].data[i]], &list);
    add_others(e, function, &list, &e->summaries.data[function]);
    effects_free(&list);
    e->state[function] = DONE;
    return &e->summaries.data[function];
}

/* ---- evaluations ---- */

void effects_of(struct effects *e, uint32_t function, const struct evaluation *evaluation,
                struct effect_list *list) {
    struct effect how = {.reads = evaluation->reads, .writes = evaluation->writes};
    if (evaluation->call == NOTHING)
        add_lvalue(e, function, &evaluation->lvalue, how, list);
    else
        call_effects(e, &e->scan->calls.data[evaluation->call], list);
    size_t n = list->all.len;
    for (size_t i = 0; i < n; i++) { /* two parameters may point to one object */
        struct effect effect = list->all.data[i];
        const struct ids *params = &e->scan->functions.data[function].params;
        if (effect.of_parameter)
            add_node(e, e->scan->objects.data[params->data[effect.base]].node, effect.pattern,
                     effect, list);
    }
}

static bool overlap(const struct effects *e, const struct effect *a, const struct effect *b) {
    return scan_overlap(intern_text(&e->scan->patterns, a->pattern),
                        intern_text(&e->scan->patterns, b->pattern));
}

bool effects_clash(const struct effects *e, const struct effect_list *a,
                   const struct effect_list *b, struct effect *clash) {
    for (size_t i = 0; i < a->all.len; i++) {
        const struct effect *x = &a->all.data[i];
        for (uint32_t k = first_with(b, x); k != NOTHING; k = b->all.data[k].next) {
            const struct effect *y = &b->all.data[k];
            if ((x->writes || y->writes) && overlap(e, x, y)) {
                *clash = *x;
                return true;
            }
        }
    }
    return false;
}
