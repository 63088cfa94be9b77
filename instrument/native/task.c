/* task: see task.h. The probes are put into the bitcode: reach_error() and __VERIFIER_error() begin
 * with a call of the host, and each __VERIFIER_nondet_*() that has no body becomes one. */
#include "instrument/native/task.h"

#include "base/child.h"
#include "base/sandbox/confine.h"
#include "base/file.h"
#include "base/sandbox/sandbox.h"
#include "base/texts.h"
#include "base/tool.h"
#include "instrument/lower/bitcode.h"
#include "instrument/syntax/compile.h"
#include "instrument/syntax/task_calls.h"
#include "instrument/syntax/float_modes.h"
#include "instrument/weave/known_names.h"
#include "instrument/lower/execute.h"
#include "instrument/lower/lowering.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

extern const char task_host_c[];

enum { REPLAY_OUTPUT = 1 << 16, MEMORY_MB = 2048, LARGE_BITCODE = 200000 };
static const double replay_seconds = 10, search_seconds = 60; /* on a busy machine */

/* ---- what the bitcode gets ---- */

static LLVMValueRef host_function(LLVMModuleRef module, const char *name, LLVMTypeRef type) {
    LLVMValueRef known = LLVMGetNamedFunction(module, name);
    return known ? known : LLVMAddFunction(module, name, type);
}

static void call_reached(LLVMModuleRef module, LLVMBuilderRef b) {
    LLVMTypeRef nothing = LLVMVoidTypeInContext(LLVMGetModuleContext(module));
    LLVMTypeRef type = LLVMFunctionType(nothing, NULL, 0, false);
    LLVMBuildCall2(b, type, host_function(module, "gk_task_reached", type), NULL, 0, "");
}

static void mark_error(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef fn) {
    assert(LLVMIsAFunction(fn));
    if (LLVMIsDeclaration(fn)) {
        LLVMContextRef context = LLVMGetModuleContext(module);
        LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, fn, ""));
        call_reached(module, b);
        LLVMBuildUnreachable(b);
        return;
    }
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fn)));
    call_reached(module, b);
}

static LLVMValueRef number_of(LLVMBuilderRef b, LLVMValueRef bits, LLVMTypeRef type) {
    LLVMContextRef context = LLVMGetTypeContext(type);
    sort_t sort = lower_sort(type);
    assert(sort != SORT_NONE && LLVMGetIntTypeWidth(LLVMTypeOf(bits)) == 64);
    if (sort == SORT_F64)
        return LLVMBuildBitCast(b, bits, type, "");
    if (sort == SORT_F32) {
        LLVMTypeRef half = LLVMInt32TypeInContext(context);
        return LLVMBuildBitCast(b, LLVMBuildTrunc(b, bits, half, ""), type, "");
    }
    return LLVMBuildTruncOrBitCast(b, bits, type, "");
}

static LLVMValueRef ask_host(LLVMModuleRef module, LLVMBuilderRef b, LLVMTypeRef type,
                             bool is_bool) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    sort_t sort = lower_sort(type);
    LLVMTypeRef word = LLVMInt32TypeInContext(context), words[2] = {word, word};
    LLVMTypeRef next = LLVMFunctionType(LLVMInt64TypeInContext(context), words, 2, false);
    unsigned bits = is_bool || sort == SORT_BOOL ? 1
                    : sort == SORT_F32           ? 32
                    : sort == SORT_F64           ? 64
                                                 : (unsigned)sort;
    LLVMValueRef args[2] = {LLVMConstInt(word, bits, false),
                            LLVMConstInt(word, sort_is_float(sort), false)};
    LLVMValueRef value =
        LLVMBuildCall2(b, next, host_function(module, "gk_task_next", next), args, 2, "");
    return number_of(b, value, type);
}

static void begin_body(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef fn) {
    assert(LLVMIsDeclaration(fn)); /* a body of the task's own stays */
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, fn, ""));
}

static void define_input(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef fn, bool is_bool) {
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(fn));
    begin_body(module, b, fn);
    LLVMBuildRet(b, ask_host(module, b, type, is_bool));
}

/* A function that exists nowhere: it does nothing and returns 0. */
static void define_nothing(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef fn) {
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(fn));
    begin_body(module, b, fn);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(b);
    else
        LLVMBuildRet(b, LLVMConstNull(type));
}

/* An array or a struct begins a new life (lower/bitcode.h). */
static bool is_forgotten(LLVMValueRef inst) {
    return LLVMIsAMemSetInst(inst) && LLVMIsUndef(LLVMGetOperand(inst, 1));
}

/* What a local holds before it is assigned: scalars as the host says, others as the build says. */
static void set_local(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef inst, int pattern) {
    assert(pattern >= 0 && pattern <= 0xff);
    LLVMTypeRef type = LLVMTypeOf(inst);
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(inst));
    if (is_forgotten(inst)) {
        LLVMSetOperand(inst, 1, LLVMConstInt(LLVMInt8TypeInContext(context), (unsigned)pattern, 0));
    } else if (LLVMGetInstructionOpcode(inst) == LLVMAlloca) {
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(inst));
        LLVMValueRef size = LLVMSizeOf(LLVMGetAllocatedType(inst));
        LLVMValueRef byte = LLVMConstInt(LLVMInt8TypeInContext(context), (unsigned)pattern, false);
        if ((kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind) &&
            LLVMIsConstant(LLVMGetOperand(inst, 0)))
            LLVMBuildMemSet(b, inst, byte, size, 1);
    } else if (LLVMGetFirstUse(inst) && lower_sort(type) != SORT_NONE) {
        LLVMReplaceAllUsesWith(inst, ask_host(module, b, type, false));
    } else if (LLVMGetFirstUse(inst)) {
        LLVMReplaceAllUsesWith(inst, LLVMConstNull(type));
    }
}

/* What other threads and processes do cannot be repeated: the run ends before they begin. */
static bool leaves_the_run(const char *name) {
    static const char *const names[] = {"pthread_create", "thrd_create", "fork", "vfork", "clone"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_same(name, names[i]))
            return true;
    return false;
}

static void define_end(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef fn) {
    LLVMTypeRef nothing = LLVMVoidTypeInContext(LLVMGetModuleContext(module));
    LLVMTypeRef type = LLVMFunctionType(nothing, NULL, 0, false);
    begin_body(module, b, fn);
    LLVMBuildCall2(b, type, host_function(module, "gk_task_end", type), NULL, 0, "");
    LLVMBuildUnreachable(b);
}

static bool is_unset(LLVMValueRef inst) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    if (is_forgotten(inst))
        return true;
    return opcode == LLVMAlloca || (opcode == LLVMFreeze && LLVMIsUndef(LLVMGetOperand(inst, 0)));
}

static void set_locals(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef fn, int pattern) {
    VEC(LLVMValueRef) unset = {0};
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i))
            if (is_unset(i))
                vec_push(&unset, i);
    for (size_t i = 0; i < unset.len; i++)
        set_local(module, b, unset.data[i], pattern);
    vec_free(&unset);
}

static bool is_input(LLVMValueRef fn, const char *name) {
    return LLVMIsDeclaration(fn) && task_call_kind(name) == TASK_INPUT &&
           lower_sort(LLVMGetReturnType(LLVMGlobalGetValueType(fn))) != SORT_NONE;
}

/* Assertions and assumptions that the task does not define. */
static bool is_condition(enum task_call_kind kind) {
    return kind == TASK_ASSUME || kind == TASK_ASSERT;
}

/* Whatever type the argument has: one that is not declared gets what the call gives it. */
static LLVMValueRef not_zero(LLVMBuilderRef b, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool real = kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind;
    return real ? LLVMBuildFCmp(b, LLVMRealUNE, value, LLVMConstNull(type), "")
                : LLVMBuildICmp(b, LLVMIntNE, value, LLVMConstNull(type), "");
}

static void ask_condition(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef call,
                          const char *host) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef word = LLVMInt32TypeInContext(context);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), &word, 1, false);
    LLVMPositionBuilderBefore(b, call);
    LLVMValueRef holds = LLVMBuildZExt(b, not_zero(b, LLVMGetOperand(call, 0)), word, "");
    LLVMBuildCall2(b, type, host_function(module, host, type), &holds, 1, "");
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(call, LLVMConstNull(LLVMTypeOf(call)));
    LLVMInstructionEraseFromParent(call);
}

static void define_condition(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef fn,
                             enum task_call_kind kind) {
    VEC(LLVMValueRef) calls = {0};
    assert(is_condition(kind));
    for (LLVMUseRef u = LLVMGetFirstUse(fn); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == fn &&
            LLVMGetNumArgOperands(user) > 0)
            vec_push(&calls, user);
    }
    for (size_t i = 0; i < calls.len; i++)
        ask_condition(module, b, calls.data[i],
                      kind == TASK_ASSUME ? "gk_task_assume" : "gk_task_assert");
    vec_free(&calls);
}

static bool is_bool_input(const char *name) {
    const char *type = task_input_type(name);
    return type && (str_same(type, "bool") || str_same(type, "_Bool"));
}

/* Data of the C library that programs declare by hand. */
static bool in_library(const char *name) {
    return !str_same(name, "errno") && name_in_c_library(name);
}

/* A variable that is defined nowhere has any value: a scalar the one that the host says, in the
 * order of the variables, as in the model; others what the build says. */
static void define_variables(LLVMModuleRef module, LLVMBuilderRef b, int pattern) {
    LLVMValueRef entry = LLVMGetNamedFunction(module, "main");
    LLVMValueRef first = entry && !LLVMIsDeclaration(entry)
                             ? LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(entry))
                             : NULL;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        size_t len;
        LLVMTypeRef type = LLVMGlobalGetValueType(g);
        if (!LLVMIsDeclaration(g) || !LLVMTypeIsSized(type) ||
            in_library(LLVMGetValueName2(g, &len)))
            continue;
        LLVMSetInitializer(g, LLVMConstNull(type));
        LLVMSetGlobalConstant(g, false);
        LLVMSetThreadLocal(g, false);
        LLVMSetLinkage(g, LLVMInternalLinkage); /* errno is another one in the C library */
        if (!first)
            continue;
        LLVMPositionBuilderBefore(b, first);
        LLVMTypeRef small = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
        if (lower_sort(type) != SORT_NONE)
            LLVMBuildStore(b, ask_host(module, b, type, false), g);
        else if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
            LLVMBuildMemSet(b, g, LLVMConstInt(small, (unsigned)pattern, false), LLVMSizeOf(type),
                            1);
    }
}

static const char *file_of(LLVMValueRef at) {
    unsigned len;
    const char *file = at ? LLVMGetDebugLocFilename(at, &len) : NULL;
    return file ? file : ""; /* a string of LLVM's, which ends with a NUL */
}

/* The host is told of the place of a call that is to come. */
static void tell_place(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef call) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef word = LLVMInt32TypeInContext(context), words[2] = {word, word};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), words, 2, false);
    bool own = str_same(file_of(call), file_of(LLVMGetNamedFunction(module, "main")));
    unsigned line = own ? LLVMGetDebugLocLine(call) : 0;
    LLVMValueRef place[2] = {LLVMConstInt(word, line, false),
                             LLVMConstInt(word, line ? LLVMGetDebugLocColumn(call) : 0, false)};
    LLVMPositionBuilderBefore(b, call);
    LLVMBuildCall2(b, type, host_function(module, "gk_task_at", type), place, 2, "");
}

static bool has_place(LLVMValueRef fn, const char *name) {
    enum task_call_kind kind = task_call_kind(name);
    return is_input(fn, name) || kind == TASK_ERROR || kind == TASK_ASSERT_FAIL ||
           kind == TASK_ASSERT;
}

static void tell_places(LLVMModuleRef module, LLVMBuilderRef b) {
    for (LLVMValueRef fn = LLVMGetFirstFunction(module); fn; fn = LLVMGetNextFunction(fn)) {
        size_t len;
        if (!has_place(fn, LLVMGetValueName2(fn, &len)))
            continue;
        for (LLVMUseRef u = LLVMGetFirstUse(fn); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == fn)
                tell_place(module, b, user);
        }
    }
}

static void add_probes(LLVMModuleRef module, int pattern) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    tell_places(module, b);
    define_variables(module, b, pattern);
    for (LLVMValueRef fn = LLVMGetFirstFunction(module); fn; fn = LLVMGetNextFunction(fn)) {
        size_t len;
        const char *name = LLVMGetValueName2(fn, &len);
        bool declared = LLVMIsDeclaration(fn);
        if (!declared)
            set_locals(module, b, fn, pattern);
        if (task_call_kind(name) == TASK_ERROR)
            mark_error(module, b, fn);
        else if (is_input(fn, name))
            define_input(module, b, fn, is_bool_input(name));
        else if (declared && is_condition(task_call_kind(name)))
            define_condition(module, b, fn, task_call_kind(name));
        else if (declared && (leaves_the_run(name) || float_mode_elsewhere(name)))
            define_end(module, b, fn);
        else if (declared && !str_starts(name, "llvm.") && !str_starts(name, "gk_task_") &&
                 task_call_kind(name) != TASK_ASSERT_FAIL && !name_in_c_library(name))
            define_nothing(module, b, fn);
    }
    LLVMDisposeBuilder(b);
}

/* ---- hints ---- */

static bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The numbers that stand in the text: what the program compares with is worth trying. */
static bool write_hints(const char *file, const char *text, struct err *err) {
    struct str hints = {0};
    for (const char *c = text; *c;) {
        bool digit = *c >= '0' && *c <= '9';
        char *end = NULL;
        if (digit)
            str_addf(&hints, "%llx\n", strtoull(c, &end, 0));
        if (end && end > c)
            c = end;
        while (in_name(*c))
            c++;
        while (*c && !in_name(*c))
            c++;
    }
    bool ok = file_write(file, str_text(&hints), hints.len, err);
    str_free(&hints);
    return ok;
}

/* ---- builds ---- */

/* Witnesses are confirmed by code that is not optimised: it does what the text says even where the
 * text has no meaning in C. */
static const struct {
    const char *name, *optimise;
    int pattern; /* byte that arrays and structs hold at first */
} builds[TASK_BUILDS] = {{"zero", "-O0", 0}, {"pattern", "-O0", 0xaa}, {"search", "-O1", 0}};

static void add_checks(struct texts *args) {
    vec_push(args, "-fsanitize=float-cast-overflow,shift-exponent,integer-divide-by-zero,null,"
                   "bounds");
    vec_push(args, "-fsanitize-trap=all");
    vec_push(args, "-fno-delete-null-pointer-checks");
    vec_push(args, "-fno-finite-loops");
    vec_push(args, NULL);
}

static bool write_bitcode(const struct task_native *native, struct err *err) {
    const struct native_program *program = native->program;
    struct arena arena = {0};
    struct texts args = {0};
    struct bitcode bc;
    add_checks(&args);
    struct bitcode_options how = {.ilp32 = program->module->ilp32,
                                  .char_is_signed = program->module->char_is_signed,
                                  .forgets = true,
                                  .follows_rounding = true,
                                  .extra = args.data,
                                  .total_seconds = program->total_seconds,
                                  .stop = program->stop,
                                  .stop_context = program->stop_context};
    bool ok = bitcode_compile(&bc, program->woven, &how, err);
    vec_free(&args);
    for (int i = 0; ok && i < TASK_BUILDS; i++) {
        LLVMModuleRef copy = LLVMCloneModule(bc.module);
        add_probes(copy, builds[i].pattern);
        ok =
            bitcode_write(copy, arena_printf(&arena, "%s/%s.bc", native->dir, builds[i].name), err);
        LLVMDisposeModule(copy);
        if (i + 1 == TASK_BUILDS || !ok)
            bitcode_free(&bc);
    }
    arena_free(&arena);
    return ok;
}

static bool run_clang(const struct task_native *native, struct texts *argv, struct err *err) {
    assert(argv->len > 0 && argv->data[0]);
    vec_push(argv, NULL);
    struct compile how = {.what = "the native program",
                          .total_seconds = native->program->total_seconds};
    const char *const reads[] = {native->dir, NULL};
    const struct confine confine = {.reads = reads, .writes = native->dir};
    struct child_spec spec = {.argv = argv->data,
                              .confine = &confine,
                              .memory_mb = 8192,
                              .wall_seconds = compile_seconds(&how, strlen(native->program->woven)),
                              .output_bytes = 1 << 20};
    struct child_result result;
    struct child *child = child_start(&spec, err);
    if (!child || !compile_finish(child, &spec, &how, &result, err))
        return false;
    bool ok = result.code == 0;
    if (!ok) {
        err_set(err, ERR_SOURCE, "the task cannot be built: %.400s", str_text(&result.err));
        err_remedy(err, "'goalkeeper doctor' checks the compiler and its 32-bit libraries");
    }
    child_result_free(&result);
    return ok;
}

static void add_target(struct texts *argv, const char *clang, bool ilp32) {
    static const char *const flags[] = {"-msse2",   "-mfpmath=sse",      "-w",
                                        "-fno-pic", "-ffp-contract=off", "-fbracket-depth=4096"};
    vec_push(argv, clang);
    vec_push(argv, ilp32 ? "-m32" : "-m64");
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        vec_push(argv, flags[i]);
}

static bool build_host(const struct task_native *native, const char *clang, const char *object,
                       struct err *err) {
    struct arena arena = {0};
    struct texts argv = {0};
    const char *dir = native->dir;
    const char *source = arena_printf(&arena, "%s/host%d.c", dir, (int)getpid());
    bool ok = file_write(source, task_host_c, strlen(task_host_c), err);
    add_target(&argv, clang, native->program->module->ilp32);
    vec_push(&argv, "-O1");
    vec_push(&argv, "-c");
    vec_push(&argv, source);
    vec_push(&argv, "-o");
    vec_push(&argv, object);
    ok = ok && run_clang(native, &argv, err);
    vec_free(&argv);
    arena_free(&arena);
    return ok;
}

/* Large programs take the compiler too long to optimise. */
static const char *optimisation(enum task_build number, const char *bitcode) {
    assert(number < TASK_BUILDS);
    struct stat s;
    bool large = stat(bitcode, &s) == 0 && s.st_size > LARGE_BITCODE;
    return large ? "-O0" : builds[number].optimise;
}

/* A build is made when it is needed first, perhaps by several processes at once: it appears as a
 * whole. */
static bool build(const struct task_native *native, enum task_build number, struct err *err) {
    struct arena arena = {0};
    struct texts argv = {0};
    const char *dir = native->dir, *name = builds[number].name;
    const char *executable = path_join(&arena, dir, name);
    char *clang = tool_clang(&arena);
    bool ok = clang || err_set(err, ERR_USAGE, "clang-19 was not found");
    if (ok && !file_exists(executable)) {
        const char *bits = arena_printf(&arena, "%s/%s.bc", dir, name);
        const char *host = arena_printf(&arena, "%s/host%d.o", dir, (int)getpid());
        const char *made = arena_printf(&arena, "%s/%s%d", dir, name, (int)getpid());
        ok = build_host(native, clang, host, err);
        add_target(&argv, clang, native->program->module->ilp32);
        const char *const rest[] = {optimisation(number, bits),
                                    "-no-pie",
                                    bits,
                                    host,
                                    "-o",
                                    made,
                                    "-lm",
                                    "-Wl,--unresolved-symbols=ignore-in-object-files"};
        for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
            vec_push(&argv, rest[i]);
        ok = ok && run_clang(native, &argv, err) && rename(made, executable) == 0;
    }
    vec_free(&argv);
    arena_free(&arena);
    return ok;
}

bool task_native_open(struct task_native *native, const struct native_program *program,
                      const char *dir, struct err *err) {
    struct arena arena = {0};
    assert(program->module->task && program->n_probes == 1);
    *native = (struct task_native){.dir = dir, .program = program};
    const char *hints = path_join(&arena, dir, "hints"); /* written last */
    bool ok = file_exists(hints) ||
              (write_bitcode(native, err) && write_hints(hints, program->woven, err));
    arena_free(&arena);
    return ok;
}

/* ---- runs ---- */

static bool write_values(const char *file, const struct task_values *values, struct err *err) {
    struct str text = {0};
    for (size_t i = 0; i < values->len; i++)
        str_addf(&text, "%llx\n", (unsigned long long)values->data[i]);
    bool ok = file_write(file, str_text(&text), text.len, err);
    str_free(&text);
    return ok;
}

static struct task_place read_place(const char **at) {
    struct task_place place = {0};
    char *end;
    place.line = (unsigned)strtoul(*at, &end, 10);
    place.column = (unsigned)strtoul(end, &end, 10);
    *at = end + (*end == '\n');
    return place;
}

/* The file is complete exactly when it ends with the word. */
static bool read_result(const char *file, struct task_values *values, struct task_places *places) {
    struct str text = {0};
    struct err ignored = {0};
    bool reached = file_exists(file) && file_read(file, &text, &ignored) &&
                   str_ends(str_text(&text), "reached\n");
    vec_clear(values);
    vec_clear(places);
    const char *at = str_text(&text);
    while (reached && !str_starts(at, "at ")) {
        char *end;
        vec_push(values, strtoull(at, &end, 16));
        reached = end > at;
        at = end;
        vec_push(places, read_place(&at));
    }
    at += 3 * reached;
    if (reached)
        vec_push(places, read_place(&at));
    err_clear(&ignored);
    str_free(&text);
    return reached;
}

/* One start of a build in a sandbox; `reached` and the values that were used come from the file
 * that it is given open. */
static bool run(const struct task_native *native, enum task_build number, const char *file,
                const char *const *environment, double seconds, struct child_result *result,
                struct err *err) {
    struct arena arena = {0};
    struct sandbox box;
    int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    sandbox_open_family(&box, path_join(&arena, native->dir, builds[number].name));
    struct child_spec spec = {.box = &box,
                              .keep = fd,
                              .environment = environment,
                              .dir = native->dir,
                              .wall_seconds = seconds,
                              .memory_mb = MEMORY_MB,
                              .output_bytes = REPLAY_OUTPUT};
    bool ok = fd >= 0 ? child_run(&spec, result, err)
                      : err_set(err, ERR_USAGE, "cannot write the file %s", file);
    if (fd >= 0)
        close(fd);
    sandbox_close(&box);
    arena_free(&arena);
    return ok;
}

bool task_native_places(const struct task_native *native, enum task_build number,
                        struct task_values *values, struct task_places *places, bool *reached,
                        struct err *err) {
    struct arena arena = {0};
    const char *file = path_join(&arena, native->dir, "result");
    const char *in = path_join(&arena, native->dir, "values");
    const char *environment[] = {arena_printf(&arena, "GK_TASK_VALUES=%s", in), NULL};
    struct child_result result = {0};
    struct task_values out = {0};
    file_remove_tree(file);
    bool ok = build(native, number, err) && write_values(in, values, err) &&
              run(native, number, file, environment, replay_seconds, &result, err);
    assert(ok || err->code != ERR_NONE);
    *reached = ok && read_result(file, &out, places);
    if (*reached) {
        vec_clear(values);
        vec_append(values, out.data, out.len);
    }
    vec_free(&out);
    child_result_free(&result);
    arena_free(&arena);
    return ok;
}

bool task_native_replay(const struct task_native *native, enum task_build number,
                        struct task_values *values, bool *reached, struct err *err) {
    struct task_places places = {0};
    bool ok = task_native_places(native, number, values, &places, reached, err);
    vec_free(&places);
    return ok;
}

bool task_native_search(const struct task_native *native, const struct task_search *search,
                        struct task_values *values, bool *reached, struct err *err) {
    struct arena arena = {0};
    const char *file = path_join(&arena, native->dir, "found");
    const char *environment[] = {
        arena_printf(&arena, "GK_TASK_SEARCH=%llu %u %u %d", (unsigned long long)search->seed,
                     search->runs, search->milliseconds, search->is_long),
        arena_printf(&arena, "GK_TASK_HINTS=%s", path_join(&arena, native->dir, "hints")), NULL};
    struct task_places places = {0};
    struct child_result result = {0};
    file_remove_tree(file);
    bool ok = build(native, TASK_SEARCH, err) &&
              run(native, TASK_SEARCH, file, environment, search_seconds, &result, err);
    *reached = ok && read_result(file, values, &places);
    vec_free(&places);
    child_result_free(&result);
    arena_free(&arena);
    return ok;
}
