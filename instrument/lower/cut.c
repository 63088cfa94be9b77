/* What is live at a cut is made static before the run: one object for each local and register on
 * each chain of calls. Then each segment runs from its location with a state that is free. */
#include "instrument/lower/cut.h"

#include "instrument/lower/access.h"
#include "instrument/lower/execute.h"
#include "instrument/lower/live.h"
#include "instrument/lower/lowering.h"

#include "base/mem.h"

enum {
    KEPT_DEFAULT = 64,
    PATIENCE_INPUT = 4,
    PATIENCE_GROWTH = 16,
    PATIENCE = 1000,
    LOCATIONS_MAX = 4096,
    RECURSION_KEPT = 8 /* calls of a function inside of each other whose loops are kept */
};

static uint64_t location_key(const struct frame *frame, uint32_t loop) {
    assert(loop > 0 && loop < frame->fn->loops.len); /* loop 0 is the function itself */
    return hash_mix(frame->key, loop + 1);
}

static uint32_t location_number(const struct lowering *lw, const struct frame *frame,
                                uint32_t loop) {
    uint64_t key = location_key(frame, loop);
    for (uint32_t i = 0; i < lw->plan->locations.len; i++)
        if (lw->plan->locations.data[i].key == key)
            return i;
    return UINT32_MAX;
}

bool cut_is_location(const struct lowering *lw, const struct frame *frame, uint32_t loop) {
    return location_number(lw, frame, loop) != UINT32_MAX;
}

/* ---- choosing locations ---- */

static void add_location(struct lowering *lw, uint32_t depth, uint32_t loop) {
    assert(depth < lw->frames.len);
    const struct frame *frame = lw->frames.data[depth];
    if (cut_is_location(lw, frame, loop))
        return;
    struct arena *arena = &lw->plan->arena;
    struct location l = {.key = location_key(frame, loop), .depth = depth, .loop = loop};
    l.functions = arena_array(arena, LLVMValueRef, depth + 1);
    l.calls = arena_array(arena, LLVMValueRef, depth + 1);
    for (uint32_t i = 0; i <= depth; i++) {
        l.functions[i] = lw->frames.data[i]->fn->fn;
        l.calls[i] = i < depth ? lw->frames.data[i]->call : NULL;
    }
    LLVMBasicBlockRef header = frame->fn->blocks.data[frame->fn->loops.data[loop].header].block;
    l.name = arena_printf(arena, "%s:%u", frame->fn->name,
                          LLVMGetDebugLocLine(LLVMGetBasicBlockTerminator(header)));
    vec_push(&lw->plan->locations, l);
    lw->plan->grown = true;
}

static void add_loops_around(struct lowering *lw, uint32_t depth, uint32_t loop) {
    const struct lower_function *fn = lw->frames.data[depth]->fn;
    for (; loop; loop = fn->loops.data[loop].parent)
        add_location(lw, depth, loop);
}

static bool worth_cutting(struct lowering *lw, const struct loop_progress *p) {
    assert(lw->frames.len > 0 && !lw->now.dead);
    uint32_t limit = lw->options->unroll ? lw->options->unroll : KEPT_DEFAULT;
    if (!lw->options->task) /* the loop around all steps, and long ones */
        return lw->frames.len == 1 || p->iterations >= limit;
    bool branched = lw->now.guard != p->guard || lw->inputs.len != p->inputs;
    if (p->iterations >= PATIENCE)
        return true;
    if (p->iterations >= PATIENCE_GROWTH && lw->ts->nodes.len - p->terms > 64u * p->iterations)
        return true;
    return p->iterations >= PATIENCE_INPUT && branched;
}

/* Each call in a chain has locations of its own, so a function that calls itself is kept as often
 * as it does, up to a limit. */
static bool is_deep(const struct lowering *lw) {
    for (size_t i = 0; i < lw->frames.len; i++) {
        uint32_t same = 0;
        for (size_t j = 0; j < i; j++)
            same += lw->frames.data[i]->fn == lw->frames.data[j]->fn;
        if (same >= RECURSION_KEPT)
            return true;
    }
    return false;
}

bool cut_wanted(struct lowering *lw, struct frame *frame, uint32_t loop,
                const struct loop_progress *progress) {
    uint32_t depth = (uint32_t)lw->frames.len - 1;
    assert(lw->frames.data[depth] == frame);
    if (!lw->options->cut || !worth_cutting(lw, progress) ||
        lw->plan->locations.len >= LOCATIONS_MAX)
        return false;
    if (is_deep(lw))
        return false;
    add_loops_around(lw, depth, loop);
    for (uint32_t i = 0; i < depth; i++) {
        const struct frame *caller = lw->frames.data[i];
        uint32_t b = lower_function_block(caller->fn, LLVMGetInstructionParent(caller->call));
        add_loops_around(lw, i, caller->fn->blocks.data[b].loop);
    }
    return true;
}

/* ---- static objects ---- */

uint32_t cut_static(struct lowering *lw, struct static_local l) {
    uint32_t *known = map_get(&lw->objects.of_key, l.key);
    if (known)
        return *known;
    for (size_t i = 0; i < lw->plan->locals.len; i++)
        if (lw->plan->locals.data[i].key == l.key)
            return UINT32_MAX; /* found in this run */
    l.name = arena_strdup(&lw->plan->arena, l.name);
    vec_push(&lw->plan->locals, l);
    lw->plan->grown = true;
    return UINT32_MAX;
}

uint32_t cut_static_object(struct lowering *lw, uint64_t key, LLVMTypeRef type, uint64_t count,
                           const char *name) {
    return cut_static(
        lw, (struct static_local){.key = key, .type = type, .count = count, .name = name});
}

static uint32_t pc_object(struct lowering *lw) {
    LLVMTypeRef type = LLVMInt16TypeInContext(lw->bc->context);
    return cut_static_object(lw, hash_text(LOWER_PLACE), type, 1, LOWER_PLACE);
}

static bool can_keep(LLVMTypeRef type) {
    return lower_sort(type) != SORT_NONE || LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

/* A variable as it is called in the text; what was read from one as that one; of other values the
 * line. What stands behind the point tells those with one name apart. */
static const char *register_name(struct lowering *lw, const struct frame *frame, LLVMValueRef v,
                                 uint32_t slot) {
    size_t len = 0;
    const char *own = LLVMGetValueName2(v, &len);
    if (len > 0 && (LLVMIsAArgument(v) || (LLVMIsAPHINode(v) && strchr(own, '.'))))
        return arena_printf(&lw->arena, "%s::%s", frame->fn->name, own);
    own = LLVMIsALoadInst(v) ? LLVMGetValueName2(LLVMGetOperand(v, 0), &len) : "";
    if (*own)
        return arena_printf(&lw->arena, "%s::%s.%u", frame->fn->name, own, slot);
    unsigned line = LLVMIsAInstruction(v) ? LLVMGetDebugLocLine(v) : 0;
    return arena_printf(&lw->arena, "%s::line%u.%u", frame->fn->name, line, slot);
}

static uint32_t register_object(struct lowering *lw, const struct frame *frame, LLVMValueRef v,
                                uint32_t slot) {
    assert(slot < frame->fn->n_values && can_keep(LLVMTypeOf(v)));
    const char *name = register_name(lw, frame, v, slot);
    return cut_static_object(lw, hash_mix(frame->key, UINT64_C(1) << 40 | slot), LLVMTypeOf(v), 1,
                             name);
}

/* ---- what is live ---- */

VEC_STRUCT(live_values, LLVMValueRef);

/* Somebody behind `call` uses it: in its block, in another, or in the block's next round. */
static bool is_used_behind(LLVMValueRef v, LLVMValueRef call, const struct map *behind) {
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMGetInstructionParent(user) != LLVMGetInstructionParent(call) ||
            LLVMIsAPHINode(user) || map_get(behind, (uintptr_t)user))
            return true;
    }
    return false;
}

/* Registers of a block that come before `call`, whose block is left in the middle. */
static void collect_before(LLVMBasicBlockRef block, LLVMValueRef call, struct live_values *out) {
    struct map behind = {0};
    for (LLVMValueRef i = call; (i = LLVMGetNextInstruction(i));)
        map_put(&behind, (uintptr_t)i, 1);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != call; i = LLVMGetNextInstruction(i))
        if (is_used_behind(i, call, &behind))
            vec_push(out, i);
    map_free(&behind);
}

/* What is live at the start of a block, or (`call`) at that instruction of it. */
static void collect_live(struct lower_function *fn, uint32_t block, LLVMValueRef call,
                         struct live_values *out) {
    const struct live *live = lower_live_of(fn);
    for (LLVMValueRef a = LLVMGetFirstParam(fn->fn); a; a = LLVMGetNextParam(a))
        if (lower_live_at(live, block, lower_function_slot(fn, a)))
            vec_push(out, a);
    assert(block < fn->blocks.len);
    for (uint32_t b = 0; b < fn->blocks.len; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(fn->blocks.data[b].block);
        for (; i && (b != block || !call); i = LLVMGetNextInstruction(i))
            if (lower_live_at(live, block, lower_function_slot(fn, i)))
                vec_push(out, i);
    }
    if (call)
        collect_before(fn->blocks.data[block].block, call, out);
}

static void save_registers(struct lowering *lw, struct frame *frame, uint32_t block,
                           LLVMValueRef call) {
    struct live_values live = {0};
    collect_live(frame->fn, block, call, &live);
    for (size_t i = 0; i < live.len && !lw->now.dead; i++) {
        uint32_t slot = lower_function_slot(frame->fn, live.data[i]);
        value_t v = frame->values[slot];
        if (!v || v == VALUE_UNDEF)
            continue;
        if (!can_keep(LLVMTypeOf(live.data[i]))) {
            lower_give_up(lw, "a struct or vector is kept over an iteration of a loop");
            break;
        }
        uint32_t object = register_object(lw, frame, live.data[i], slot);
        if (object != UINT32_MAX)
            lower_store(lw, pointer_to(lw, object, 0), LLVMTypeOf(live.data[i]), v);
    }
    vec_free(&live);
}

static void load_registers(struct lowering *lw, struct frame *frame, uint32_t block,
                           LLVMValueRef call) {
    struct live_values live = {0};
    collect_live(frame->fn, block, call, &live);
    for (size_t i = 0; i < live.len; i++) {
        LLVMTypeRef type = LLVMTypeOf(live.data[i]);
        uint32_t slot = lower_function_slot(frame->fn, live.data[i]);
        if (!can_keep(type))
            continue;
        uint32_t object = register_object(lw, frame, live.data[i], slot);
        frame->values[slot] = VALUE_UNDEF; /* until a later run knows of it */
        if (object != UINT32_MAX)
            frame->values[slot] = lower_load(lw, pointer_to(lw, object, 0), type);
    }
    vec_free(&live);
}

/* ---- the end of a segment ---- */

static void save_phis(struct frame *frame, uint32_t header, const struct way *way) {
    LLVMValueRef phi = LLVMGetFirstInstruction(frame->fn->blocks.data[header].block);
    for (uint32_t i = 0; i < way->n_values; i++, phi = LLVMGetNextInstruction(phi))
        frame->values[lower_function_slot(frame->fn, phi)] = way->values[i];
}

/* The next step starts from the state alone. Arrivals in other calls have other locals in the same
 * cells, and calls that have returned by the time they are joined have none. */
static void forget_locals(struct lowering *lw) {
    for (uint32_t cell = lw->objects.n_global_cells; cell < lw->objects.cell_object.len; cell++)
        lw->now.memory = memory_set(&lw->memory, lw->now.memory, cell, VALUE_NONE);
}

void cut_arrive(struct lowering *lw, struct frame *frame, uint32_t loop, const struct way *way) {
    uint32_t number = location_number(lw, frame, loop);
    uint32_t header = frame->fn->loops.data[loop].header;
    if (lw->now.dead)
        return;
    assert(number != UINT32_MAX && way->n_values == frame->fn->blocks.data[header].n_phis);
    save_phis(frame, header, way);
    for (size_t i = 0; i + 1 < lw->frames.len; i++) {
        struct frame *caller = lw->frames.data[i];
        LLVMBasicBlockRef block = LLVMGetInstructionParent(caller->call);
        save_registers(lw, caller, lower_function_block(caller->fn, block), caller->call);
    }
    save_registers(lw, frame, header, NULL);
    uint32_t pc = pc_object(lw);
    if (pc != UINT32_MAX && !lw->now.dead)
        lower_write(lw, pc, 0, 2, term_int(lw->ts, 16, number + 1));
    if (lw->now.dead) /* what is live here cannot be kept: the model ends */
        return;
    forget_locals(lw);
    memory_fork(&lw->memory);
    vec_push(&lw->arrivals, (struct way){.path = lw->now});
    lw->now.dead = true;
}

/* A run arrives once, so the full conditions of the arrivals exclude each other; their guards alone
 * need not: where a function returns, its guard is that of its call again, and only `alive` tells
 * that the run has not arrived inside. */
void cut_join_arrivals(struct lowering *lw) {
    if (lw->arrivals.len == 0) {
        lw->now.dead = true;
        return;
    }
    uint32_t branch = path_branch(lw, (uint32_t)lw->arrivals.len + 1); /* the run may end, too */
    for (size_t i = 0; i < lw->arrivals.len; i++) {
        struct path *path = &lw->arrivals.data[i].path;
        assert(!path->dead);
        term_t here = path_term(lw, path);
        *path = (struct path){.memory = path->memory};
        path->guard = path_edge(lw, 0, branch, here);
    }
    (void)lower_meet(lw, &lw->arrivals);
}

/* ---- segments that start at a location ---- */

static value_t resume(struct lowering *lw, const struct location *l, uint32_t depth);

/* Goes on after the call that leads to the location, once the callee has returned. */
static uint32_t resume_call(struct lowering *lw, struct frame *frame, const struct location *l,
                            uint32_t depth) {
    LLVMValueRef call = l->calls[depth];
    assert(depth < l->depth && call); /* at l->depth there is the loop instead */
    uint32_t b = lower_function_block(frame->fn, LLVMGetInstructionParent(call));
    load_registers(lw, frame, b, call);
    frame->call = call;
    value_t result = resume(lw, l, depth + 1);
    lower_continue(lw, frame, call, result);
    return frame->fn->blocks.data[b].loop;
}

static uint32_t resume_head(struct lowering *lw, struct frame *frame, const struct location *l) {
    uint32_t header = frame->fn->loops.data[l->loop].header;
    const struct lower_block *block = &frame->fn->blocks.data[header];
    struct way way = {.n_values = block->n_phis};
    way.values = arena_array(&lw->arena, value_t, block->n_phis);
    load_registers(lw, frame, header, NULL);
    LLVMValueRef phi = LLVMGetFirstInstruction(block->block);
    for (uint32_t i = 0; i < block->n_phis; i++, phi = LLVMGetNextInstruction(phi)) {
        value_t v = frame->values[lower_function_slot(frame->fn, phi)];
        way.values[i] = v ? v : VALUE_UNDEF;
    }
    way.path = lw->now;
    vec_push(&frame->waiting[header], way);
    return l->loop;
}

static value_t resume(struct lowering *lw, const struct location *l, uint32_t depth) {
    struct frame frame;
    if (!lower_frame_open(lw, &frame, l->functions[depth]))
        return VALUE_UNDEF;
    struct path entry = lw->now;
    uint32_t loop =
        depth < l->depth ? resume_call(lw, &frame, l, depth) : resume_head(lw, &frame, l);
    lower_run_outwards(lw, &frame, loop, depth == l->depth);
    return lower_frame_close(lw, &frame, entry);
}

void cut_run_segments(struct lowering *lw) {
    assert(lw->options->cut && !lw->in_init && lw->arrivals.len == 0);
    uint32_t pc = pc_object(lw), n = (uint32_t)lw->plan->locations.len;
    if (pc == UINT32_MAX || n == 0) {
        lw->now.dead = true;
        return;
    }
    term_t at = value_as(lw, lower_read(lw, pc, 0, 2), 16).term;
    uint32_t branch = path_branch(lw, n + 1);
    struct path start = lw->now;
    memory_fork(&lw->memory);
    for (uint32_t i = 0; i < n; i++) {
        term_t here = lower_decide(lw, term_eq(lw->ts, at, term_int(lw->ts, 16, i + 1)));
        if (term_is_false(lw->ts, here))
            continue;
        lw->now = start;
        if (!term_is_true(lw->ts, here))
            lw->now.guard = path_edge(lw, start.guard, branch, here);
        struct location l = lw->plan->locations.data[i]; /* the list may grow meanwhile */
        (void)resume(lw, &l, 0);
        lw->now = start;
    }
    cut_join_arrivals(lw);
}
