/* Reverse postorder by an explicit stack; dominators by the iterative method of Cooper, Harvey and
 * Kennedy ("A simple, fast dominance algorithm"); natural loops from back edges. */
#include "instrument/lower/function.h"

#include "instrument/lower/live.h"

#include "base/mem.h"

#include <assert.h>

VEC_STRUCT(numbers, uint32_t);

struct edges { /* successors or predecessors of block b: to[start[b]] .. to[start[b + 1]] */
    struct numbers start, to;
};

static uint64_t key_of(const void *pointer) {
    return (uint64_t)(uintptr_t)pointer;
}

uint32_t lower_function_block(const struct lower_function *f, LLVMBasicBlockRef block) {
    uint32_t *index = map_get(&f->block_index, key_of(block));
    assert(index);
    return *index;
}

uint32_t lower_function_slot(const struct lower_function *f, LLVMValueRef value) {
    uint32_t *slot = map_get(&f->value_index, key_of(value));
    assert(slot);
    return *slot;
}

struct visit {
    LLVMBasicBlockRef block;
    unsigned next; /* successor to look at */
};

static void postorder(LLVMValueRef fn, struct lower_function *f) {
    struct map seen = {0};
    VEC(struct visit) stack = {0};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(fn);
    vec_push(&stack, (struct visit){entry, 0});
    map_put(&seen, key_of(entry), 1);
    while (stack.len) {
        struct visit *top = &vec_last(&stack);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(top->block);
        if (top->next == LLVMGetNumSuccessors(end)) {
            vec_push(&f->blocks, (struct lower_block){.block = top->block});
            (void)vec_pop(&stack);
            continue;
        }
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, top->next++);
        if (!map_get(&seen, key_of(to))) {
            map_put(&seen, key_of(to), 1);
            vec_push(&stack, (struct visit){to, 0});
        }
    }
    vec_free(&stack);
    map_free(&seen);
}

static void number_blocks(struct lower_function *f) {
    postorder(f->fn, f);
    for (size_t i = 0, j = f->blocks.len - 1; i < j; i++, j--) {
        struct lower_block swap = f->blocks.data[i];
        f->blocks.data[i] = f->blocks.data[j];
        f->blocks.data[j] = swap;
    }
    for (size_t i = 0; i < f->blocks.len; i++)
        map_put(&f->block_index, key_of(f->blocks.data[i].block), (uint32_t)i);
}

static void number_values(struct lower_function *f) {
    for (LLVMValueRef a = LLVMGetFirstParam(f->fn); a; a = LLVMGetNextParam(a))
        map_put(&f->value_index, key_of(a), f->n_values++);
    f->n_args = f->n_values;
    for (size_t b = 0; b < f->blocks.len; b++) {
        struct lower_block *block = &f->blocks.data[b];
        LLVMValueRef i = LLVMGetFirstInstruction(block->block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            map_put(&f->value_index, key_of(i), f->n_values++);
            block->n_phis += LLVMGetInstructionOpcode(i) == LLVMPHI;
        }
    }
}

static void collect_successors(const struct lower_function *f, struct edges *out) {
    for (size_t b = 0; b < f->blocks.len; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(f->blocks.data[b].block);
        vec_push(&out->start, (uint32_t)out->to.len);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
            vec_push(&out->to, lower_function_block(f, LLVMGetSuccessor(end, i)));
    }
    vec_push(&out->start, (uint32_t)out->to.len);
}

static void reverse_edges(const struct edges *forward, struct edges *back) {
    size_t n = forward->start.len - 1;
    vec_resize_zero(&back->start, n + 2);
    vec_resize_zero(&back->to, forward->to.len);
    for (size_t i = 0; i < forward->to.len; i++)
        back->start.data[forward->to.data[i] + 2]++;
    for (size_t b = 2; b < n + 2; b++)
        back->start.data[b] += back->start.data[b - 1];
    for (size_t b = 0; b < n; b++)
        for (uint32_t i = forward->start.data[b]; i < forward->start.data[b + 1]; i++)
            back->to.data[back->start.data[forward->to.data[i] + 1]++] = (uint32_t)b;
    vec_truncate(&back->start, n + 1);
}

static void edges_free(struct edges *e) {
    vec_free(&e->start);
    vec_free(&e->to);
}

/* Immediate dominators by repeated intersection; numbers fall towards the entry. */
static void find_dominators(const struct edges *back, size_t n, struct numbers *idom) {
    vec_resize_zero(idom, n);
    for (size_t b = 1; b < n; b++)
        idom->data[b] = UINT32_MAX;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t b = 1; b < n; b++) {
            uint32_t best = UINT32_MAX;
            for (uint32_t i = back->start.data[b]; i < back->start.data[b + 1]; i++) {
                uint32_t p = back->to.data[i];
                if (idom->data[p] == UINT32_MAX)
                    continue;
                while (best != UINT32_MAX && best != p) {
                    if (p > best)
                        p = idom->data[p];
                    else
                        best = idom->data[best];
                }
                best = p;
            }
            changed |= idom->data[b] != best;
            idom->data[b] = best;
        }
    }
}

static bool dominates(const struct numbers *idom, uint32_t a, uint32_t b) {
    while (b > a)
        b = idom->data[b];
    return a == b;
}

/* Marks the natural loop of `header`: everything that reaches a back edge without passing it. */
static void mark_body(const struct edges *back, uint32_t header, struct numbers *stack,
                      uint32_t *mark) {
    while (stack->len) {
        uint32_t b = vec_pop(stack);
        if (mark[b] == header + 1)
            continue;
        mark[b] = header + 1;
        for (uint32_t i = back->start.data[b]; i < back->start.data[b + 1]; i++)
            vec_push(stack, back->to.data[i]);
    }
}

/* Blocks of inner loops are claimed first because headers are visited from the last to the
 * first: an inner header has a higher number than the header around it. */
static void claim_body(struct lower_function *f, uint32_t header, const uint32_t *mark,
                       uint32_t *of_header) {
    uint32_t loop = (uint32_t)f->loops.len;
    vec_push(&f->loops, (struct lower_loop){.header = header});
    of_header[header] = loop;
    for (uint32_t b = 0; b < f->blocks.len; b++) {
        if (mark[b] != header + 1)
            continue;
        if (!f->blocks.data[b].loop) {
            f->blocks.data[b].loop = loop;
            continue;
        }
        uint32_t outermost = f->blocks.data[b].loop;
        while (f->loops.data[outermost].parent)
            outermost = f->loops.data[outermost].parent;
        if (outermost != loop)
            f->loops.data[outermost].parent = loop;
    }
}

static void find_loops(struct lower_function *f, const struct edges *back,
                       const struct numbers *idom, uint32_t *of_header) {
    struct numbers stack = {0};
    uint32_t *mark = mem_zalloc(f->blocks.len, sizeof *mark);
    for (uint32_t h = (uint32_t)f->blocks.len; h-- > 0;) {
        bool is_header = false;
        for (uint32_t i = back->start.data[h]; i < back->start.data[h + 1]; i++) {
            uint32_t from = back->to.data[i];
            if (from < h)
                continue;
            if (!dominates(idom, h, from)) {
                f->irreducible = true;
                continue;
            }
            is_header = true;
            vec_push(&stack, from);
        }
        if (!is_header)
            continue;
        mark[h] = h + 1;
        mark_body(back, h, &stack, mark);
        claim_body(f, h, mark, of_header);
    }
    mem_free(mark);
    vec_free(&stack);
}

static void order_nodes(struct lower_function *f, const uint32_t *of_header) {
    for (uint32_t b = 0; b < f->blocks.len; b++) {
        uint32_t loop = f->blocks.data[b].loop;
        vec_push(&f->loops.data[loop].nodes, b);
        if (of_header[b] == loop && loop)
            vec_push(&f->loops.data[f->loops.data[loop].parent].nodes, b);
    }
    for (uint32_t l = 1; l < f->loops.len; l++)
        for (uint32_t p = l; p; p = f->loops.data[p].parent)
            f->loops.data[l].depth++;
}

static void analyse_loops(struct lower_function *f) {
    struct edges forward = {0}, back = {0};
    struct numbers idom = {0};
    uint32_t *of_header = mem_zalloc(f->blocks.len, sizeof *of_header);
    collect_successors(f, &forward);
    reverse_edges(&forward, &back);
    find_dominators(&back, f->blocks.len, &idom);
    vec_push(&f->loops, (struct lower_loop){0});
    find_loops(f, &back, &idom, of_header);
    order_nodes(f, of_header);
    mem_free(of_header);
    vec_free(&idom);
    edges_free(&forward);
    edges_free(&back);
}

struct lower_function *lower_function_new(LLVMValueRef fn) {
    struct lower_function *f = mem_zalloc(1, sizeof *f);
    size_t len;
    f->fn = fn;
    f->name = LLVMGetValueName2(fn, &len);
    number_blocks(f);
    number_values(f);
    analyse_loops(f);
    return f;
}

void lower_function_delete(struct lower_function *f) {
    lower_live_free(f->live);
    for (size_t i = 0; i < f->loops.len; i++)
        vec_free(&f->loops.data[i].nodes);
    vec_free(&f->loops);
    vec_free(&f->blocks);
    map_free(&f->block_index);
    map_free(&f->value_index);
    mem_free(f);
}
