/* From each use backwards to the definition: a value is live in the blocks in between. */
#include "instrument/lower/live.h"

#include "base/mem.h"

VEC_STRUCT(block_list, uint32_t);

struct walk {
    const struct lower_function *f;
    struct live *live;
    struct block_list *before; /* predecessors of each block */
    struct block_list stack;
    uint32_t slot, home; /* the value and the block of its definition */
};

bool lower_live_at(const struct live *live, uint32_t block, uint32_t slot) {
    assert(slot / 64 < live->words);
    return live->bits[block * live->words + slot / 64] >> slot % 64 & 1;
}

static void mark(struct walk *w, uint32_t block) {
    assert(block < w->f->blocks.len && w->slot < w->f->n_values);
    if (lower_live_at(w->live, block, w->slot))
        return;
    w->live->bits[block * w->live->words + w->slot / 64] |= UINT64_C(1) << w->slot % 64;
    vec_push(&w->stack, block);
}

/* Live at the end of the block: also at its start, unless it is defined there. */
static void mark_end(struct walk *w, uint32_t block) {
    if (block != w->home)
        mark(w, block);
}

static void close_walk(struct walk *w) {
    while (w->stack.len) {
        uint32_t block = vec_pop(&w->stack);
        assert(block < w->f->blocks.len);
        if (block == w->home)
            continue;
        const struct block_list *before = &w->before[block];
        for (size_t i = 0; i < before->len; i++)
            mark_end(w, before->data[i]);
    }
}

static bool find_block(const struct lower_function *f, LLVMBasicBlockRef block, uint32_t *index) {
    uint32_t *known = map_get(&f->block_index, (uint64_t)(uintptr_t)block);
    if (known)
        *index = *known;
    return known != NULL;
}

static void walk_phi_use(struct walk *w, LLVMValueRef phi, LLVMValueRef value) {
    assert(LLVMIsAPHINode(phi));
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        uint32_t from;
        if (LLVMGetIncomingValue(phi, i) == value &&
            find_block(w->f, LLVMGetIncomingBlock(phi, i), &from))
            mark_end(w, from);
    }
}

static void walk_value(struct walk *w, LLVMValueRef value, uint32_t home) {
    w->slot = lower_function_slot(w->f, value);
    w->home = home;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        uint32_t block;
        if (!LLVMIsAInstruction(user) || !find_block(w->f, LLVMGetInstructionParent(user), &block))
            continue;
        if (LLVMIsAPHINode(user))
            walk_phi_use(w, user, value);
        else if (block != home || LLVMIsAPHINode(value))
            mark(w, block);
    }
    if (LLVMIsAPHINode(value) && LLVMGetFirstUse(value))
        mark(w, home);
    close_walk(w);
    assert(w->stack.len == 0);
}

static void find_predecessors(const struct lower_function *f, struct block_list *before) {
    for (uint32_t b = 0; b < f->blocks.len; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(f->blocks.data[b].block);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            uint32_t to;
            if (find_block(f, LLVMGetSuccessor(end, i), &to))
                vec_push(&before[to], b);
        }
    }
}

static void walk_all(struct walk *w) {
    const struct lower_function *f = w->f;
    for (LLVMValueRef a = LLVMGetFirstParam(f->fn); a; a = LLVMGetNextParam(a))
        walk_value(w, a, UINT32_MAX);
    for (uint32_t b = 0; b < f->blocks.len; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(f->blocks.data[b].block);
        for (; i; i = LLVMGetNextInstruction(i))
            walk_value(w, i, b);
    }
}

const struct live *lower_live_of(struct lower_function *f) {
    if (f->live)
        return f->live;
    struct live *live = mem_zalloc(1, sizeof *live);
    live->words = f->n_values / 64 + 1;
    live->bits = mem_zalloc(f->blocks.len * live->words, sizeof *live->bits);
    struct walk w = {.f = f, .live = live};
    w.before = mem_zalloc(f->blocks.len, sizeof *w.before);
    find_predecessors(f, w.before);
    walk_all(&w);
    for (size_t b = 0; b < f->blocks.len; b++)
        vec_free(&w.before[b]);
    mem_free(w.before);
    vec_free(&w.stack);
    f->live = live;
    return live;
}

void lower_live_free(struct live *live) {
    if (!live)
        return;
    mem_free(live->bits);
    mem_free(live);
}
