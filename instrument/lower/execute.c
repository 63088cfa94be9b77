/* Symbolic execution with merging: a block runs once, under the disjunction of the ways into it,
 * with values chosen by their conditions. */
#include "instrument/lower/execute.h"

#include "base/mem.h"
#include "instrument/lower/access.h"
#include "instrument/lower/cut.h"
#include "instrument/lower/lowering.h"

enum {
    UNROLL_DEFAULT = 1000,
    RECURSION_MAX = 50,
    RECURSIVE_CALLS_MAX = 10000,
    VARIABLE_MAX = 1024
};
enum { TERMS_DEFAULT = 6000000, STEPS_DEFAULT = 20000000, STEPS_TASK = 1000000 };

struct way lower_meet(struct lowering *lw, struct ways *ways) {
    /* values that must be made up while merging are made up unconditionally */
    assert(ways->len > 0);
    lw->now = (struct path){.memory = lw->now.memory};
    struct way way = path_merge(lw, ways);
    vec_clear(ways);
    lw->now = way.path;
    return way;
}

/* ---- from block to block ---- */

static void push_exit(struct lowering *lw, struct frame *frame, value_t result) {
    assert(result != VALUE_NONE);
    struct way way = {.path = lw->now, .n_values = 1};
    way.values = arena_array(&lw->arena, value_t, 1);
    way.values[0] = result;
    vec_push(&frame->exits, way);
}

static void die(struct lowering *lw, struct frame *frame) {
    lw->now.dead = true;
    push_exit(lw, frame, VALUE_UNDEF);
}

/* What the phi nodes of `to` take on the edge from the block that `terminator` ends. */
static value_t *phi_values(struct lowering *lw, struct frame *frame, LLVMValueRef terminator,
                           uint32_t to) {
    const struct lower_block *block = &frame->fn->blocks.data[to];
    LLVMBasicBlockRef from = LLVMGetInstructionParent(terminator);
    value_t *values = arena_array(&lw->arena, value_t, block->n_phis);
    LLVMValueRef phi = LLVMGetFirstInstruction(block->block);
    for (uint32_t i = 0; i < block->n_phis; i++, phi = LLVMGetNextInstruction(phi))
        for (unsigned j = 0; j < LLVMCountIncoming(phi); j++)
            if (LLVMGetIncomingBlock(phi, j) == from) {
                values[i] = lower_operand(lw, frame, LLVMGetIncomingValue(phi, j));
                break;
            }
    return values;
}

static void push_way(struct lowering *lw, struct frame *frame, LLVMValueRef terminator, uint32_t to,
                     struct path path) {
    struct way way = {.path = path, .n_values = frame->fn->blocks.data[to].n_phis};
    way.values = phi_values(lw, frame, terminator, to);
    vec_push(&frame->waiting[to], way);
}

struct edge {
    uint32_t to;
    term_t literal;
};
VEC_STRUCT(edge_list, struct edge);

/* Sends the run along the edges; their literals exclude each other and one holds. */
static void take_edges(struct lowering *lw, struct frame *frame, LLVMValueRef terminator,
                       const struct edge_list *edges) {
    size_t live = 0, only = 0;
    assert(edges->len > 0 && !lw->now.dead);
    for (size_t i = 0; i < edges->len; i++) {
        if (term_is_false(lw->ts, edges->data[i].literal))
            continue;
        only = i;
        live++;
    }
    if (live == 0) {
        die(lw, frame);
        return;
    }
    if (live == 1) {
        push_way(lw, frame, terminator, edges->data[only].to, lw->now);
        return;
    }
    uint32_t branch = path_branch(lw, (uint32_t)live);
    memory_fork(&lw->memory);
    for (size_t i = 0; i < edges->len; i++) {
        if (term_is_false(lw->ts, edges->data[i].literal))
            continue;
        struct path path = lw->now;
        path.guard = path_edge(lw, path.guard, branch, edges->data[i].literal);
        push_way(lw, frame, terminator, edges->data[i].to, path);
    }
}

/* Two edges to one block are one edge. */
static void add_edge(struct lowering *lw, struct edge_list *edges, uint32_t to, term_t literal) {
    for (size_t i = 0; i < edges->len; i++) {
        if (edges->data[i].to != to)
            continue;
        edges->data[i].literal = term_or(lw->ts, edges->data[i].literal, literal);
        return;
    }
    vec_push(edges, (struct edge){to, literal});
}

/* Loops are left as the program says: else they would never end. */
static bool stays_in_loop(const struct frame *frame, LLVMValueRef branch) {
    const struct lower_function *fn = frame->fn;
    uint32_t from = lower_function_block(fn, LLVMGetInstructionParent(branch));
    uint32_t loop = fn->blocks.data[from].loop;
    bool stays = true;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++) {
        uint32_t to = lower_function_block(fn, LLVMGetSuccessor(branch, i));
        stays &= fn->blocks.data[to].loop == loop && (loop == 0 || to > from);
    }
    return stays;
}

static void run_branch(struct lowering *lw, struct frame *frame, LLVMValueRef branch) {
    struct edge_list edges = {0};
    uint32_t first = lower_function_block(frame->fn, LLVMGetSuccessor(branch, 0));
    if (!LLVMIsConditional(branch)) {
        push_way(lw, frame, branch, first, lw->now);
        return;
    }
    struct scalar cond =
        value_as(lw, lower_operand(lw, frame, LLVMGetCondition(branch)), SORT_BOOL);
    cond = indeterminate_seen(lw, cond);
    lower_use(lw, cond.taint);
    cond.term = lower_decide(lw, cond.term);
    if (stays_in_loop(frame, branch))
        cond = lower_as_line_says(lw, cond);
    add_edge(lw, &edges, first, cond.term);
    add_edge(lw, &edges, lower_function_block(frame->fn, LLVMGetSuccessor(branch, 1)),
             term_not(lw->ts, cond.term));
    take_edges(lw, frame, branch, &edges);
    vec_free(&edges);
}

static void run_switch(struct lowering *lw, struct frame *frame, LLVMValueRef inst) {
    struct edge_list edges = {0};
    LLVMValueRef on = LLVMGetOperand(inst, 0);
    sort_t sort = lower_sort(LLVMTypeOf(on));
    struct scalar x = value_as(lw, lower_operand(lw, frame, on), sort);
    term_t any_case = term_bool(lw->ts, false);
    x = indeterminate_seen(lw, x);
    lower_use(lw, x.taint);
    if (stays_in_loop(frame, inst))
        x = lower_as_line_says(lw, x);
    for (unsigned i = 2; i + 1 < (unsigned)LLVMGetNumOperands(inst); i += 2) {
        term_t label = term_const(lw->ts, sort, LLVMConstIntGetZExtValue(LLVMGetOperand(inst, i)));
        term_t literal = lower_decide(lw, term_eq(lw->ts, x.term, label));
        LLVMBasicBlockRef to = LLVMValueAsBasicBlock(LLVMGetOperand(inst, i + 1));
        add_edge(lw, &edges, lower_function_block(frame->fn, to), literal);
        any_case = term_or(lw->ts, any_case, literal);
    }
    term_t otherwise = lower_decide(lw, term_not(lw->ts, any_case));
    add_edge(lw, &edges, lower_function_block(frame->fn, LLVMGetSwitchDefaultDest(inst)),
             otherwise);
    take_edges(lw, frame, inst, &edges);
    vec_free(&edges);
}

static void run_return(struct lowering *lw, struct frame *frame, LLVMValueRef inst) {
    value_t result = VALUE_UNDEF;
    if (LLVMGetNumOperands(inst) > 0)
        result = lower_operand(lw, frame, LLVMGetOperand(inst, 0));
    push_exit(lw, frame, result);
}

static void run_terminator(struct lowering *lw, struct frame *frame, LLVMValueRef inst) {
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMRet:
        run_return(lw, frame, inst);
        return;
    case LLVMBr:
        run_branch(lw, frame, inst);
        return;
    case LLVMSwitch:
        run_switch(lw, frame, inst);
        return;
    case LLVMUnreachable:
        die(lw, frame);
        return;
    default:
        lower_give_up(lw, "a computed goto (or another unusual jump) is not supported");
        die(lw, frame);
    }
}

/* ---- one instruction ---- */

/* An array whose length varies has its greatest one: what lies behind its end in one run is not
 * looked at without leaving the program's meaning, and here it is any value. */
static value_t run_alloca(struct lowering *lw, struct frame *frame, LLVMValueRef inst) {
    LLVMValueRef operand = LLVMGetOperand(inst, 0);
    struct scalar count =
        value_as(lw, lower_operand(lw, frame, operand), lower_sort(LLVMTypeOf(operand)));
    uint64_t key = (uint64_t)(uintptr_t)inst, n = lower_most_now(lw, count.term);
    bool varies = !term_is_const(lw->ts, count.term);
    if (varies && n > VARIABLE_MAX) {
        lower_give_up(lw, "an array has a variable length, which may be above %d", VARIABLE_MAX);
        return VALUE_UNDEF;
    }
    if (n >= MEMORY_CELLS) {
        lower_give_up(lw, "the local variables need too many memory cells");
        return VALUE_UNDEF;
    }
    uint32_t object = object_local(lw, varies ? hash_mix(key, n) : key, inst,
                                   LLVMGetAllocatedType(inst), varies && !n ? 1 : n);
    if (lw->objects.cell_object.len >= MEMORY_CELLS)
        lower_give_up(lw, "the local variables need too many memory cells");
    return pointer_to(lw, object, 0);
}

/* The weave has made inputs of all reads that may yield something else; of a task's variables those
 * that are const or automatic are left. */
static bool keeps_its_value(struct lowering *lw, value_t pointer) {
    size_t n;
    if (!lw->options->task)
        return true;
    const struct pointee *p = pointer_pointees(lw, pointer_of(lw, pointer), &n);
    for (size_t i = 0; i < n; i++) {
        const struct object *o = object_at(lw, p[i].object);
        if (object_accessible(lw, p[i].object) && !o->constant && o->kind != OBJECT_LOCAL &&
            !o->is_static)
            return false;
    }
    return true;
}

static value_t run_load(struct lowering *lw, struct frame *frame, LLVMValueRef inst) {
    LLVMTypeRef type = LLVMTypeOf(inst);
    value_t pointer = lower_operand(lw, frame, LLVMGetOperand(inst, 0));
    value_t v = lower_load(lw, pointer, type);
    if (lw->now.dead || !LLVMGetVolatile(inst) || keeps_its_value(lw, pointer))
        return v;
    lower_note(lw, "a volatile variable is read that is not declared as one: its value counts as "
                   "unknown");
    return lower_foreign(lw, type, "volatile");
}

static void run_store(struct lowering *lw, struct frame *frame, LLVMValueRef inst) {
    LLVMValueRef stored = LLVMGetOperand(inst, 0);
    bool undefined =
        !lw->options->task && LLVMGetInstructionOpcode(stored) == LLVMFreeze &&
        LLVMIsUndef(LLVMGetOperand(stored, 0)); /* of a local: any value at each read */
    value_t v = undefined ? VALUE_UNDEF : lower_operand(lw, frame, stored);
    if (value_is_plain(v) && v)
        v = lower_as_line_says(lw, scalar_plain(v)).term;
    lower_store(lw, lower_operand(lw, frame, LLVMGetOperand(inst, 1)), LLVMTypeOf(stored), v);
}

static value_t run_instruction(struct lowering *lw, struct frame *frame, LLVMValueRef inst) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    switch (opcode) {
    case LLVMAlloca:
        return run_alloca(lw, frame, inst);
    case LLVMLoad:
        return run_load(lw, frame, inst);
    case LLVMStore:
        run_store(lw, frame, inst);
        return VALUE_UNDEF;
    case LLVMCall:
        return lower_call(lw, frame, inst);
    case LLVMFence:
        return VALUE_UNDEF;
    default:
        break;
    }
    value_t v = lower_operation(lw, frame, inst, opcode);
    if (!v)
        lower_give_up(lw, "this kind of instruction is not supported");
    return v ? v : VALUE_UNDEF;
}

/* From `inst` to the end of its block, and to where that leads. */
static void run_from(struct lowering *lw, struct frame *frame, LLVMValueRef inst) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(inst));
    for (; inst != end; inst = LLVMGetNextInstruction(inst)) {
        lw->at = inst;
        lw->n_steps++;
        value_t v = run_instruction(lw, frame, inst);
        if (lw->now.dead) {
            die(lw, frame);
            return;
        }
        frame->values[lower_function_slot(frame->fn, inst)] = v;
    }
    lw->at = end;
    run_terminator(lw, frame, end);
}

static void run_block(struct lowering *lw, struct frame *frame, uint32_t b) {
    const struct lower_block *block = &frame->fn->blocks.data[b];
    struct way way = lower_meet(lw, &frame->waiting[b]);
    if (way.path.dead) {
        die(lw, frame);
        return;
    }
    assert(way.n_values == block->n_phis);
    LLVMValueRef inst = LLVMGetFirstInstruction(block->block);
    for (uint32_t i = 0; i < block->n_phis; i++, inst = LLVMGetNextInstruction(inst))
        frame->values[lower_function_slot(frame->fn, inst)] = way.values[i];
    run_from(lw, frame, inst);
}

void lower_continue(struct lowering *lw, struct frame *frame, LLVMValueRef call, value_t result) {
    if (lw->now.dead) {
        die(lw, frame);
        return;
    }
    frame->values[lower_function_slot(frame->fn, call)] = result;
    run_from(lw, frame, LLVMGetNextInstruction(call));
}

/* ---- loops ---- */

/* Programs with locations are run again for each one found: that counts as well. */
static bool out_of_steps(const struct lowering *lw) {
    if (!lw->options->cut)
        return lw->n_steps > STEPS_DEFAULT;
    return lw->n_steps + lw->result->instructions / 4 > STEPS_TASK;
}

static bool may_go_on(struct lowering *lw, uint32_t iterations) {
    const struct lower_options *o = lw->options;
    if (iterations >= (o->unroll ? o->unroll : UNROLL_DEFAULT))
        return false;
    if (o->stop && o->stop(o->stop_context))
        return false;
    return lw->ts->nodes.len <= (o->max_terms ? o->max_terms : TERMS_DEFAULT) && !out_of_steps(lw);
}

/* Questions cost time: they are asked at 2, 3, 4, 6, 8, 12, 16, … iterations. */
static bool is_time_to_ask(uint32_t iterations) {
    while (iterations > 3 && iterations % 2 == 0)
        iterations /= 2;
    return iterations == 2 || iterations == 3;
}

/* A search by halves ends, but neither constants nor bounds say so: both ends of the interval
 * depend on the same comparisons. What has been decided since the loop was entered is asked about.
 */
static bool is_at_its_end(struct lowering *lw, const struct loop_progress *progress) {
    const struct lower_options *o = lw->options;
    if (!o->satisfiable || o->cut || !is_time_to_ask(progress->iterations))
        return false;
    term_t taken = term_bool(lw->ts, true);
    for (uint32_t g = lw->now.guard; g && g != progress->guard; g = lw->paths.guards.data[g].parent)
        taken = term_and(lw->ts, taken, lw->paths.guards.data[g].literal);
    return !term_is_true(lw->ts, taken) && !o->satisfiable(o->context, lw->ts, taken);
}

static void run_nodes(struct lowering *lw, struct frame *frame, uint32_t loop);

/* Before an iteration, at its head: does the run go on into it? */
static bool enter_iteration(struct lowering *lw, struct frame *frame, uint32_t loop,
                            const struct loop_progress *progress) {
    uint32_t header = frame->fn->loops.data[loop].header;
    lw->at = LLVMGetBasicBlockTerminator(frame->fn->blocks.data[header].block);
    if (!lw->now.dead && cut_wanted(lw, frame, loop, progress))
        lw->now.dead = true;
    else if (!lw->now.dead && !may_go_on(lw, progress->iterations))
        lower_give_up(lw, "a loop that does not end within %u iterations", progress->iterations);
    else if (!lw->now.dead && is_at_its_end(lw, progress))
        lower_expect_none(lw, "a loop that goes on");
    return !lw->now.dead;
}

static void run_loop(struct lowering *lw, struct frame *frame, uint32_t loop) {
    assert(loop > 0 && loop < frame->fn->loops.len);
    struct ways *waiting = &frame->waiting[frame->fn->loops.data[loop].header];
    struct loop_progress progress = {.inputs = lw->inputs.len, .terms = lw->ts->nodes.len};
    for (; waiting->len; progress.iterations++) {
        struct way way = lower_meet(lw, waiting);
        if (progress.iterations == 0)
            progress.guard = lw->now.guard;
        if (lw->options->cut && cut_is_location(lw, frame, loop))
            cut_arrive(lw, frame, loop, &way);
        if (!enter_iteration(lw, frame, loop, &progress)) {
            die(lw, frame);
            return;
        }
        if (progress.iterations > lw->result->iterations)
            lw->result->iterations = progress.iterations;
        vec_push(waiting, way);
        run_nodes(lw, frame, loop);
    }
}

static void run_node(struct lowering *lw, struct frame *frame, uint32_t loop, uint32_t b) {
    if (!frame->waiting[b].len)
        return;
    if (frame->fn->blocks.data[b].loop == loop)
        run_block(lw, frame, b);
    else
        run_loop(lw, frame, frame->fn->blocks.data[b].loop);
}

static void run_nodes(struct lowering *lw, struct frame *frame, uint32_t loop) {
    const struct lower_loop *l = &frame->fn->loops.data[loop];
    for (size_t i = 0; i < l->nodes.len; i++)
        run_node(lw, frame, loop, l->nodes.data[i]);
}

void lower_run_outwards(struct lowering *lw, struct frame *frame, uint32_t loop, bool at_head) {
    for (;; at_head = false) {
        const struct lower_loop *l = &frame->fn->loops.data[loop];
        assert(l->nodes.len > 0 && l->nodes.data[0] == l->header);
        if (at_head)
            run_node(lw, frame, loop, l->header);
        for (size_t i = 1; i < l->nodes.len; i++)
            run_node(lw, frame, loop, l->nodes.data[i]);
        if (loop == 0)
            return;
        run_loop(lw, frame, loop); /* what came back to its head */
        loop = l->parent;
    }
}

/* ---- functions ---- */

static struct lower_function *function_info(struct lowering *lw, LLVMValueRef fn) {
    uint64_t key = (uint64_t)(uintptr_t)fn;
    uint32_t *known = map_get(&lw->functions, key);
    if (known)
        return lw->function_list.data[*known];
    struct lower_function *f = lower_function_new(fn);
    map_put(&lw->functions, key, (uint32_t)lw->function_list.len);
    vec_push(&lw->function_list, f);
    return f;
}

static bool can_run(struct lowering *lw, const struct lower_function *f) {
    uint32_t depth = 0;
    for (size_t i = 0; i < lw->calls.len; i++)
        depth += lw->calls.data[i] == f->fn;
    lw->n_recursive_calls += depth > 0;
    if (depth >= RECURSION_MAX)
        lower_give_up(lw, "function '%s' calls itself more than %d times", f->name, RECURSION_MAX);
    else if (lw->n_recursive_calls > RECURSIVE_CALLS_MAX) /* they double with each call inside */
        lower_give_up(lw, "function '%s' calls itself again and again: %d calls", f->name,
                      RECURSIVE_CALLS_MAX);
    else if (f->irreducible)
        lower_give_up(lw, "function '%s' jumps into a loop", f->name);
    else if (out_of_steps(lw))
        lower_give_up(lw, "the program runs for too long");
    return !lw->now.dead;
}

bool lower_frame_open(struct lowering *lw, struct frame *frame, LLVMValueRef fn) {
    const struct frame *caller = lw->frames.len ? vec_last(&lw->frames) : NULL;
    *frame = (struct frame){.fn = function_info(lw, fn), .at = lw->at};
    if (!can_run(lw, frame->fn))
        return false;
    frame->key = hash_mix(caller ? caller->key : 1, (uint64_t)(uintptr_t)fn);
    if (caller)
        frame->key = hash_mix(frame->key, (uint64_t)(uintptr_t)caller->call);
    frame->first_object = (uint32_t)lw->objects.list.len;
    frame->first_cell = (uint32_t)lw->objects.cell_object.len;
    frame->values = mem_zalloc(frame->fn->n_values + 1, sizeof *frame->values);
    frame->waiting = mem_zalloc(frame->fn->blocks.len, sizeof *frame->waiting);
    vec_push(&lw->calls, fn);
    vec_push(&lw->frames, frame);
    return true;
}

value_t lower_frame_close(struct lowering *lw, struct frame *frame, struct path entry) {
    assert(vec_last(&lw->frames) == frame && lw->frames.len == lw->calls.len);
    struct way way = lower_meet(lw, &frame->exits);
    lw->now.guard = entry.guard; /* every path of the function ends, so they cover the entry */
    (void)vec_pop(&lw->calls);
    (void)vec_pop(&lw->frames);
    object_drop_locals(lw, frame->first_object, frame->first_cell);
    object_forget_statics(lw, frame->key);
    for (size_t i = 0; i < frame->fn->blocks.len; i++)
        vec_free(&frame->waiting[i]);
    vec_free(&frame->exits);
    mem_free(frame->waiting);
    mem_free(frame->values);
    lw->at = frame->at;
    return way.values[0];
}

value_t lower_run(struct lowering *lw, LLVMValueRef fn, const value_t *args, uint32_t n_args) {
    struct frame frame;
    if (!lower_frame_open(lw, &frame, fn))
        return VALUE_UNDEF;
    assert(n_args == frame.fn->n_args);
    struct path entry = lw->now;
    for (uint32_t i = 0; i < n_args; i++)
        frame.values[i] = args[i];
    vec_push(&frame.waiting[0], (struct way){.path = entry});
    run_nodes(lw, &frame, 0);
    return lower_frame_close(lw, &frame, entry);
}
