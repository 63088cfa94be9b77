/* A first guess at the cells that steps change: those that a store can be seen to reach without
 * running anything. It only saves repetitions; the plan is checked after every run. */
#include "instrument/lower/seed.h"

#include "instrument/lower/lowering.h"

static void mark_cells(struct lowering *lw, uint32_t object, uint64_t from, uint64_t size) {
    const struct object *o = object_at(lw, object);
    if (o->kind != OBJECT_GLOBAL || o->constant)
        return;
    uint64_t end = size < o->size - from ? from + size : o->size;
    for (uint64_t at = from; at < end;) {
        struct cell_place place = layout_find(o->layout, at);
        lw->plan->cells.data[o->base + place.cell].changes = true;
        at = place.offset + place.size;
    }
}

/* Through a constant address: the bytes stored; through an index: the whole object. */
static void mark_store(struct lowering *lw, LLVMValueRef pointer, uint64_t size) {
    size_t n;
    while (LLVMIsAGetElementPtrInst(pointer)) {
        pointer = LLVMGetOperand(pointer, 0);
        size = UINT64_MAX;
    }
    if (!LLVMIsConstant(pointer) || LLVMIsUndef(pointer))
        return;
    if (size == UINT64_MAX && LLVMIsAGlobalVariable(pointer)) {
        const struct pointee *p = pointer_pointees(lw, lower_constant(lw, pointer), &n);
        mark_cells(lw, p->object, 0, size);
        return;
    }
    const struct pointee *p = pointer_pointees(lw, pointer_of(lw, lower_constant(lw, pointer)), &n);
    const struct object *o = object_at(lw, p->object);
    if (n == 1 && !p->index && p->offset >= 0 && (uint64_t)p->offset < o->size)
        mark_cells(lw, p->object, (uint64_t)p->offset, size);
}

static void visit_instruction(struct lowering *lw, LLVMValueRef inst) {
    if (LLVMIsAStoreInst(inst)) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, 0));
        mark_store(lw, LLVMGetOperand(inst, 1), LLVMStoreSizeOfType(lw->bc->layout, type));
    } else if (LLVMIsAMemIntrinsic(inst)) {
        LLVMValueRef size = LLVMGetOperand(inst, 2);
        mark_store(lw, LLVMGetOperand(inst, 0),
                   LLVMIsConstant(size) ? LLVMConstIntGetZExtValue(size) : UINT64_MAX);
    }
}

VEC_STRUCT(function_stack, LLVMValueRef);

static void reach(struct map *seen, struct function_stack *stack, LLVMValueRef v) {
    if (!LLVMIsAFunction(v) || map_get(seen, (uint64_t)(uintptr_t)v))
        return;
    map_put(seen, (uint64_t)(uintptr_t)v, 1);
    vec_push(stack, v);
}

static void visit_function(struct lowering *lw, struct map *seen, struct function_stack *stack,
                           LLVMValueRef fn) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            visit_instruction(lw, i);
            for (int k = 0; k < LLVMGetNumOperands(i); k++)
                reach(seen, stack, LLVMGetOperand(i, (unsigned)k));
        }
}

void lower_seed_plan(struct lowering *lw, LLVMValueRef entry) {
    struct map seen = {0};
    struct function_stack stack = {0};
    reach(&seen, &stack, entry);
    while (stack.len)
        visit_function(lw, &seen, &stack, vec_pop(&stack));
    vec_free(&stack);
    map_free(&seen);
    lw->plan->seeded = true;
}
