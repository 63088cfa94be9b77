/* malloc(), calloc() and free() of verification tasks.
 *
 * 1. Each time that a place asks for memory, reached through certain calls, it gets an object of
 *    its own (object_heap). A counter of the place, part of the state, says the how many-th.
 * 2. A place that is passed a number of times that differs from run to run has a few objects;
 *    beyond, the model ends, and so does it beyond 200 at one place.
 * 3. It may also get a null pointer: C lets every request fail.
 * 4. An object that was given back is not accessed: the model ends there. Its address may be that
 *    of a later one, so it is compared with any result (pointer.c).
 * 5. A size that varies counts as its greatest one. */
#include "instrument/lower/execute.h"

#include "instrument/lower/lowering.h"

enum { ASKED_MAX = 200, VARYING_MAX = 4, SIZE_MAX_FIXED = 1 << 20, SIZE_MAX_VARYING = 4096 };
enum { HEAP_CELLS = 1 << 21 }; /* together; the last object may lie beyond */

/* The greatest size in bytes; 0: too large to be followed. */
static uint64_t greatest(struct lowering *lw, term_t size) {
    uint64_t most = lower_most_now(lw, size);
    uint64_t limit = term_is_const(lw->ts, size) ? SIZE_MAX_FIXED : SIZE_MAX_VARYING;
    return most > limit ? 0 : most ? most : 1;
}

static uint64_t greatest_argument(struct lowering *lw, const struct call *call, uint32_t i) {
    struct scalar size = lower_argument(lw, call, i);
    lower_use(lw, size.taint);
    return greatest(lw, size.term);
}

static uint64_t bytes_asked(struct lowering *lw, const struct call *call) {
    uint64_t bytes = greatest_argument(lw, call, 0);
    if (call->n_args == 2)
        bytes *= greatest_argument(lw, call, 1);
    if (bytes == 0 || bytes > SIZE_MAX_FIXED || lw->plan->heap_cells > HEAP_CELLS)
        lower_give_up(lw,
                      "'%s' asks for more memory than is followed here, or for a size that is "
                      "not known",
                      call->name);
    return bytes;
}

/* How often the place asked before, and once more from now on. */
static term_t count_request(struct lowering *lw, uint64_t site) {
    const char *name = arena_printf(&lw->arena, "%s::requests", lower_function_name(lw));
    uint32_t counter = object_counter(lw, hash_mix(site, 0), name);
    if (counter == UINT32_MAX)
        return term_int(lw->ts, 8, 0);
    uint32_t cell = object_at(lw, counter)->base;
    value_t before = memory_get(&lw->memory, lw->now.memory, cell);
    term_t n = value_as(lw, before ? before : lower_cell_default(lw, cell), 8).term;
    term_t next = term_op2(lw->ts, OP_ADD, n, term_int(lw->ts, 8, 1));
    lw->now.memory = memory_set(&lw->memory, lw->now.memory, cell, next);
    return n;
}

static void add_object(struct lowering *lw, struct pointee_list *out, uint32_t object, term_t cond,
                       bool zeroed) {
    object_begin(lw, object, cond, zeroed);
    vec_push(out, (struct pointee){.cond = cond, .object = object});
}

/* Objects number 0 to VARYING_MAX - 1, or the one that is meant. */
static void add_objects(struct lowering *lw, struct pointee_list *out, uint64_t site, term_t n,
                        uint64_t bytes, bool zeroed) {
    struct range range = lower_range_now(lw, n).u;
    sort_t sort = term_sort(lw->ts, n);
    uint64_t first = ordinal_bits(sort, false, range.lo),
             last = ordinal_bits(sort, false, range.hi);
    if (first != last && last >= VARYING_MAX)
        last = VARYING_MAX - 1;
    if (last >= ASKED_MAX)
        last = ASKED_MAX - 1;
    assert(term_sort(lw->ts, n) == 8);
    term_t more = term_op2(lw->ts, OP_ULT, term_int(lw->ts, 8, (int64_t)last), n);
    lower_give_up_where(lw, lower_decide(lw, more),
                        "memory is asked for more often here than is "
                        "followed");
    for (uint64_t i = first; i <= last && !lw->now.dead; i++) {
        term_t here = term_eq(lw->ts, n, term_int(lw->ts, 8, (int64_t)i));
        here = i == last && first == last ? term_bool(lw->ts, true) : here;
        add_object(lw, out, object_heap(lw, site, (uint32_t)i, bytes), here, zeroed);
    }
}

static value_t request(struct lowering *lw, const struct call *call) {
    uint64_t bytes = bytes_asked(lw, call);
    if (lw->now.dead || !lw->frames.len || bytes == 0)
        return VALUE_UNDEF;
    uint64_t site = hash_mix(vec_last(&lw->frames)->key, (uint64_t)(uintptr_t)call->instruction);
    struct pointee_list list = {0};
    term_t n = count_request(lw, site), yes = term_bool(lw->ts, true);
    add_objects(lw, &list, site, n, bytes, call->n_args == 2);
    term_t fails = lower_fresh(lw, SORT_BOOL, yes, "no_memory");
    for (size_t i = 0; i < list.len; i++)
        list.data[i].cond = term_and(lw->ts, term_not(lw->ts, fails), list.data[i].cond);
    vec_push(&list, (struct pointee){.cond = fails, .object = OBJECT_NULL});
    value_t v = pointer_make(lw, list.data, list.len, 0);
    vec_free(&list);
    return v;
}

static value_t give_back(struct lowering *lw, const struct call *call) {
    struct pointee_list list = {0};
    size_t n;
    value_t pointer = pointer_of(lw, call->args[0]);
    const struct pointee *p = pointer_pointees(lw, pointer, &n);
    vec_append(&list, p, n);
    for (size_t i = 0; i < list.len; i++)
        if (object_at(lw, list.data[i].object)->heap)
            object_give_back(lw, list.data[i].object, list.data[i].cond);
    vec_free(&list);
    return VALUE_UNDEF;
}

static bool asks(const struct call *call, const char *name, uint32_t n_args) {
    return str_same(call->name, name) && call->n_args == n_args;
}

value_t lower_heap_call(struct lowering *lw, const struct call *call) {
    bool is_pointer = LLVMGetTypeKind(call->type) == LLVMPointerTypeKind;
    assert(lw->options->task);
    if (is_pointer && (asks(call, "malloc", 1) || asks(call, "calloc", 2)))
        return request(lw, call);
    bool takes_pointer =
        call->n_args == 1 &&
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call->instruction, 0))) == LLVMPointerTypeKind;
    return takes_pointer && asks(call, "free", 1) ? give_back(lw, call) : VALUE_NONE;
}
