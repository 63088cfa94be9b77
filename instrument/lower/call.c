/* Calls: arguments, callees chosen through pointers, and functions nobody defines. */
#include "instrument/lower/execute.h"

#include "instrument/lower/access.h"
#include "instrument/lower/lowering.h"
#include "instrument/syntax/task_calls.h"
#include "instrument/weave/known_names.h"

enum { HAVOC_MAX = 4096 }; /* cells an unknown function may write through one argument */

VEC_STRUCT(value_list, value_t);

struct scalar lower_argument(struct lowering *lw, const struct call *call, uint32_t i) {
    assert(i < call->n_args);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call->instruction, i));
    return value_as(lw, call->args[i], lower_sort(type));
}

/* ---- arguments ---- */

static LLVMTypeRef by_value_type(LLVMValueRef call, uint32_t i) {
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

/* A struct passed by value in memory: the callee gets a copy. */
static value_t copied_argument(struct lowering *lw, uint64_t key, value_t from, LLVMTypeRef type) {
    uint32_t object = object_local(lw, key, NULL, type, 1);
    value_t copy = pointer_to(lw, object, 0);
    lower_copy(lw, copy, from, LLVMABISizeOfType(lw->bc->layout, type));
    return copy;
}

static void collect_arguments(struct lowering *lw, struct frame *frame, LLVMValueRef call,
                              struct value_list *out) {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef operand = LLVMGetOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMMetadataTypeKind) {
            vec_push(out, VALUE_UNDEF);
            continue;
        }
        value_t v = lower_operand(lw, frame, operand);
        LLVMTypeRef by_value = by_value_type(call, i);
        vec_push(out, by_value && !lw->now.dead
                          ? copied_argument(lw, hash_mix((uint64_t)(uintptr_t)call, i), v, by_value)
                          : v);
    }
}

/* ---- functions nobody defines ---- */

static void reach_further(struct lowering *lw, value_t pointer, struct pointee_list *reached) {
    size_t n;
    if (!value_is(lw, pointer, VALUE_POINTER))
        return;
    const struct pointee *p = pointer_pointees(lw, pointer, &n);
    for (size_t i = 0; i < n; i++) {
        bool known = false;
        for (size_t j = 0; j < reached->len && !known; j++)
            known = reached->data[j].object == p[i].object &&
                    term_is_true(lw->ts, reached->data[j].cond);
        struct pointee further = {.cond = term_bool(lw->ts, true), .object = p[i].object};
        if (!known)
            vec_push(reached, further);
    }
}

/* Any value in each cell; objects that its pointers lead to are reached as well. */
static void havoc(struct lowering *lw, struct pointee p, struct pointee_list *reached) {
    const struct object *o = object_at(lw, p.object);
    if (o->kind == OBJECT_FUNCTION)
        lower_give_up(lw, "a function without a body gets a pointer to '%s' and may call it",
                      o->name);
    if (!object_accessible(lw, p.object) || o->constant)
        return;
    if (o->layout->n_cells > HAVOC_MAX) {
        lower_give_up(lw, "a function without a body may write a large object");
        return;
    }
    const struct layout *layout = o->layout;
    for (uint32_t i = 0; i < layout->n_cells && !lw->now.dead; i++) {
        struct cell_place at = layout_cell(layout, i);
        if (!at.type)
            continue;
        value_t any = lower_foreign(lw, at.type, "written");
        value_t old = lower_read(lw, p.object, at.offset, at.size);
        reach_further(lw, old, reached);
        lower_write(lw, p.object, at.offset, at.size, value_ite(lw, p.cond, any, old));
    }
}

/* Jumps between functions, and functions that may call back, cannot be replaced by any value. */
static bool changes_control(struct lowering *lw, const struct call *call) {
    static const char *const jumps[] = {"setjmp",      "_setjmp", "sigsetjmp",
                                        "__sigsetjmp", "longjmp", "_longjmp",
                                        "siglongjmp",  "fork",    "vfork"};
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++)
        if (str_same(call->name, jumps[i]))
            return true;
    for (uint32_t i = 0; i < call->n_args; i++) {
        if (!value_is(lw, call->args[i], VALUE_POINTER))
            continue;
        size_t n;
        const struct pointee *p = pointer_pointees(lw, call->args[i], &n);
        for (size_t j = 0; j < n; j++)
            if (object_at(lw, p[j].object)->kind == OBJECT_FUNCTION)
                return true;
    }
    return false;
}

/* Those of the C library keep the memory that they get, but for this one. */
static bool may_give_back(const struct call *call) {
    return str_same(call->name, "realloc") || !name_is_known(call->name);
}

static value_t unknown_call(struct lowering *lw, const struct call *call) {
    if (changes_control(lw, call)) {
        lower_give_up(lw, "function '%s' has no body and may call or jump to other places",
                      call->name);
        return VALUE_UNDEF;
    }
    lower_note(lw,
               "function '%s' has no body: it may return any value and write anything through "
               "its pointer arguments; define it, or a stub",
               call->name);
    for (uint32_t i = 0; i < call->n_args; i++) {
        if (!value_is(lw, call->args[i], VALUE_POINTER))
            continue;
        size_t n;
        struct pointee_list list = {0};
        const struct pointee *p = pointer_pointees(lw, call->args[i], &n);
        vec_append(&list, p, n);
        for (size_t j = 0; j < list.len && !lw->now.dead; j++) {
            havoc(lw, list.data[j], &list);
            if (object_at(lw, list.data[j].object)->heap && may_give_back(call))
                object_give_back(lw, list.data[j].object, list.data[j].cond);
        }
        vec_free(&list);
    }
    if (LLVMGetTypeKind(call->type) == LLVMVoidTypeKind)
        return VALUE_UNDEF;
    return lower_foreign(lw, call->type, call->name);
}

static value_t foreign_call(struct lowering *lw, const struct call *call) {
    value_t v = lower_harness_call(lw, call);
    if (!v)
        v = str_starts(call->name, "llvm.") ? lower_intrinsic(lw, call)
                                            : lower_library_call(lw, call);
    return v ? v : unknown_call(lw, call);
}

/* ---- one callee ---- */

/* Of a variable number those that have a name. */
static bool arguments_fit(LLVMValueRef call, LLVMValueRef fn) {
    LLVMTypeRef type = LLVMGlobalGetValueType(fn);
    unsigned given = LLVMGetNumArgOperands(call), n = LLVMCountParamTypes(type);
    if ((LLVMIsFunctionVarArg(type) ? given < n : given != n) ||
        LLVMGetReturnType(type) != LLVMTypeOf(call))
        return false;
    for (unsigned i = 0; i < n; i++)
        if (LLVMTypeOf(LLVMGetParam(fn, i)) != LLVMTypeOf(LLVMGetOperand(call, i)))
            return false;
    return true;
}

static bool asks_for_more(LLVMValueRef fn) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            size_t len;
            if (LLVMIsACallInst(i) &&
                str_starts(LLVMGetValueName2(LLVMGetCalledValue(i), &len), "llvm.va_start"))
                return true;
        }
    return false;
}

/* Arguments without a name do nothing where nobody asks for them, as in the stub of a function that
 * writes a log. One that stands for a function without a body may not get an address that somebody
 * else could write to. */
static bool variable_arguments_matter(LLVMValueRef call, LLVMValueRef fn) {
    LLVMTypeRef type = LLVMGlobalGetValueType(fn);
    if (!LLVMIsFunctionVarArg(type))
        return false;
    for (unsigned i = LLVMCountParamTypes(type); i < (unsigned)LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind &&
            !(LLVMIsAGlobalVariable(argument) && LLVMIsGlobalConstant(argument)))
            return true;
    }
    return asks_for_more(fn);
}

static value_t call_function(struct lowering *lw, LLVMValueRef instruction, LLVMValueRef fn,
                             const struct value_list *args) {
    size_t len;
    struct call call = {.instruction = instruction,
                        .name = LLVMGetValueName2(fn, &len),
                        .args = args->data,
                        .n_args = (uint32_t)args->len,
                        .type = LLVMTypeOf(instruction)};
    if (lw->options->task && task_call_kind(call.name) == TASK_ERROR)
        return lower_harness_call(lw, &call);
    if (!lw->options->task && str_same(call.name, "gk_opaque")) {
        lower_give_up(lw, "a volatile object is read as a whole struct, as a pointer, or through a "
                          "pointer to more than volatile objects");
        return VALUE_UNDEF;
    }
    if (str_same(call.name, "gk_unordered")) { /* weave/orders.h */
        lower_doubt(lw, "operands that C evaluates in any order");
        return VALUE_UNDEF;
    }
    if (LLVMIsDeclaration(fn))
        return foreign_call(lw, &call);
    if (variable_arguments_matter(instruction, fn)) {
        lower_give_up(lw, "function '%s' takes a variable number of arguments", call.name);
        return VALUE_UNDEF;
    }
    if (!arguments_fit(instruction, fn)) {
        lower_give_up(lw, "function '%s' is called with arguments that do not fit its parameters",
                      call.name);
        return VALUE_UNDEF;
    }
    return lower_run(lw, fn, args->data, LLVMCountParams(fn));
}

/* ---- callees through pointers ---- */

static bool is_callee(struct lowering *lw, const struct pointee *p) {
    return object_at(lw, p->object)->kind == OBJECT_FUNCTION && !p->index && !p->offset;
}

/* The callees of a pointer: the run ends where it is null. Where it points to data, or into a
 * function, there may be machine code, which nobody has looked at. */
static void collect_callees(struct lowering *lw, value_t pointer, struct pointee_list *out) {
    size_t n;
    struct pointee_list all = {0};
    const struct pointee *p = pointer_pointees(lw, pointer, &n);
    vec_append(&all, p, n);
    struct scalar callable = {term_bool(lw->ts, false), pointer_taint(lw, pointer)};
    for (size_t i = 0; i < n; i++) {
        enum object_kind kind = object_at(lw, all.data[i].object)->kind;
        if (kind == OBJECT_ABSOLUTE || kind == OBJECT_WILD)
            lower_give_up_where(lw, all.data[i].cond,
                                "a function is called through a pointer with unknown targets");
        else if (kind != OBJECT_NULL && !is_callee(lw, &all.data[i]))
            lower_give_up_where(lw, all.data[i].cond, "what is called is not a function");
        if (!is_callee(lw, &all.data[i]))
            continue;
        callable.term = term_or(lw->ts, callable.term, all.data[i].cond);
        vec_push(out, all.data[i]);
    }
    (void)lower_end_unless(lw, callable, "call through a pointer", false);
    vec_free(&all);
}

static value_t call_each(struct lowering *lw, LLVMValueRef call, const struct pointee_list *callees,
                         const struct value_list *args) {
    struct ways exits = {0};
    struct path before = lw->now;
    uint32_t branch = path_branch(lw, (uint32_t)callees->len);
    for (size_t i = 0; i < callees->len; i++) {
        const struct pointee *p = &callees->data[i];
        memory_fork(&lw->memory);
        lw->now = before;
        lw->now.guard = path_edge(lw, before.guard, branch, p->cond);
        value_t *result = arena_array(&lw->arena, value_t, 1);
        result[0] = call_function(lw, call, object_at(lw, p->object)->value, args);
        vec_push(&exits, (struct way){.path = lw->now, .values = result, .n_values = 1});
    }
    struct way way = lower_meet(lw, &exits);
    lw->now.guard = before.guard;
    vec_free(&exits);
    return way.values[0];
}

static value_t call_pointer(struct lowering *lw, struct frame *frame, LLVMValueRef call,
                            const struct value_list *args) {
    struct pointee_list callees = {0};
    value_t pointer = lower_operand(lw, frame, LLVMGetCalledValue(call));
    value_t v = VALUE_UNDEF;
    collect_callees(lw, pointer_of(lw, pointer), &callees);
    if (callees.len == 0) /* never set, or not known of before a later run over a kept loop */
        lw->now.dead = true;
    if (!lw->now.dead && callees.len == 1)
        v = call_function(lw, call, object_at(lw, callees.data[0].object)->value, args);
    else if (!lw->now.dead)
        v = call_each(lw, call, &callees, args);
    vec_free(&callees);
    return v;
}

value_t lower_call(struct lowering *lw, struct frame *frame, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMGetValueKind(callee) == LLVMInlineAsmValueKind) {
        lower_give_up(lw, "inline assembly is not supported");
        return VALUE_UNDEF;
    }
    struct value_list args = {0};
    frame->call = call;
    uint32_t first_object = (uint32_t)lw->objects.list.len;
    uint32_t first_cell = (uint32_t)lw->objects.cell_object.len;
    collect_arguments(lw, frame, call, &args);
    value_t v = VALUE_UNDEF;
    if (!lw->now.dead)
        v = LLVMIsAFunction(callee) ? call_function(lw, call, callee, &args)
                                    : call_pointer(lw, frame, call, &args);
    object_drop_locals(lw, first_object, first_cell);
    vec_free(&args);
    return v ? v : VALUE_UNDEF;
}
