/* Running clang and the two passes; the header says what must hold afterwards. */
#include "instrument/lower/bitcode.h"

#include "base/sandbox/confine.h"
#include "base/file.h"
#include "base/tool.h"
#include "base/vec.h"
#include "instrument/lower/constrained.h"
#include "instrument/lower/function.h"
#include "instrument/syntax/compile.h"
#include "instrument/weave/known_names.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <stdio.h>
#include <stdlib.h>

VEC_STRUCT(arguments, const char *);

static void add_arguments(struct arguments *args, const char *clang,
                          const struct bitcode_options *options) {
    static const char *const fixed[] = {"-x",
                                        "c",
                                        "-std=gnu17",
                                        "-w",
                                        "-Wno-error=implicit-function-declaration",
                                        "-Wno-error=implicit-int",
                                        "-Wno-error=return-mismatch",
                                        "-Wno-error=int-conversion",
                                        "-Wno-error=incompatible-function-pointer-types",
                                        "-fbracket-depth=4096",
                                        "-O0",
                                        "-Xclang",
                                        "-disable-O0-optnone",
                                        "-fwrapv",
                                        "-fno-strict-aliasing",
                                        "-ffp-contract=off",
                                        "-Dinline=", /* a body, whatever the standard is */
                                        "-D__inline=",
                                        "-D__inline__=",
                                        "-fno-stack-protector",
                                        "-fno-pic",
                                        "-gline-tables-only",
                                        "-emit-llvm",
                                        "-c",
                                        "-o",
                                        "-"};
    vec_push(args, clang);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        vec_push(args, fixed[i]);
    vec_push(args, options->ilp32 ? "-m32" : "-m64");
    vec_push(args, "-msse2");
    vec_push(args, "-mfpmath=sse");
    vec_push(args, options->char_is_signed ? "-fsigned-char" : "-funsigned-char");
    if (options->forgets)
        vec_push(args, "-ftrivial-auto-var-init=pattern");
    if (options->native_tables)
        vec_push(args, "-DGK_NATIVE");
    if (options->keeps_names)
        vec_push(args, "-fno-discard-value-names");
    for (const char *const *extra = options->extra; extra && *extra; extra++)
        vec_push(args, *extra);
}

enum { MEMORY_MB = 8192 };

/* Turns clang's first "file:line:col: error: message" into an error with that place. */
static bool clang_error(const char *output, struct err *err) {
    for (const char *line = output; *line;) {
        const char *end = strchr(line, '\n');
        int len = end ? (int)(end - line) : (int)strlen(line);
        const char *mark = strstr(line, "error: ");
        if (mark && mark - line < len) {
            int at_line = 0, at_col = 0, file_len = 0;
            err_set(err, ERR_SOURCE, "%.*s", (int)(line + len - mark - 7), mark + 7);
            if (sscanf(line, "%*[^:\n]%n:%d:%d", &file_len, &at_line, &at_col) == 2) {
                struct str file = {0};
                str_addn(&file, line, (size_t)file_len);
                err_at(err, str_text(&file), at_line, at_col);
                str_free(&file);
            }
            return false;
        }
        line += len + (end ? 1 : 0);
    }
    return err_set(err, ERR_USAGE, "clang failed: %.200s", output);
}

/* `unknown`: more arguments, for functions that clang would take for others. */
static bool run_clang(const char *text, const struct bitcode_options *options,
                      const struct arguments *unknown, struct child_result *result,
                      struct err *err) {
    struct arguments args = {0};
    struct arena arena = {0};
    const char *clang = tool_clang(&arena);
    if (!clang) {
        err_set(err, ERR_USAGE, "clang-19 was not found");
        return err_remedy(err, "'goalkeeper doctor' says how to get it");
    }
    add_arguments(&args, clang, options);
    for (size_t i = 0; i < unknown->len; i++)
        vec_push(&args, unknown->data[i]);
    vec_push(&args, "-");
    vec_push(&args, NULL);
    struct compile how = {.what = "the bitcode of the module",
                          .total_seconds = options->total_seconds,
                          .stop = options->stop,
                          .stop_context = options->stop_context};
    const char *const nothing[] = {NULL};
    const struct confine confine = {.reads = nothing};
    struct child_spec spec = {.argv = args.data,
                              .confine = &confine,
                              .input = text,
                              .input_size = strlen(text),
                              .memory_mb = MEMORY_MB};
    spec.wall_seconds = compile_seconds(&how, spec.input_size);
    struct child *child = child_start(&spec, err);
    bool ok = child && compile_finish(child, &spec, &how, result, err);
    if (ok && result->code != 0)
        ok = clang_error(str_text(&result->err), err);
    vec_free(&args);
    arena_free(&arena);
    return ok;
}

/* Without it LLVM would end the process at the first thing that it does not like. */
static void on_complaint(LLVMDiagnosticInfoRef info, void *context) {
    char *text = LLVMGetDiagInfoDescription(info);
    assert(text);
    err_set(context, ERR_USAGE, "clang's bitcode cannot be read: %s", text);
    LLVMDisposeMessage(text);
}

LLVMModuleRef bitcode_parse(LLVMContextRef context, LLVMMemoryBufferRef buffer, struct err *err) {
    LLVMModuleRef module = NULL;
    assert(context && buffer);
    LLVMContextSetDiagnosticHandler(context, on_complaint, err);
    bool failed = LLVMParseBitcodeInContext2(context, buffer, &module);
    LLVMContextSetDiagnosticHandler(context, NULL,
                                    NULL); /* err may be gone when it is used again */
    if (!failed)
        return module;
    err_set(err, ERR_USAGE, "clang's bitcode cannot be read");
    err_remedy(err, "is it clang 19? 'goalkeeper doctor' checks that");
    return NULL;
}

bool bitcode_write(LLVMModuleRef module, const char *path, struct err *err) {
    LLVMMemoryBufferRef bits = LLVMWriteBitcodeToMemoryBuffer(module);
    assert(bits && path);
    bool ok = file_write(path, LLVMGetBufferStart(bits), LLVMGetBufferSize(bits), err);
    LLVMDisposeMemoryBuffer(bits);
    return ok;
}

static bool parse(struct bitcode *bc, const struct str *bits, struct err *err) {
    assert(!bc->context && !bc->module);
    bc->context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(str_text(bits), bits->len, "woven");
    bc->module = bitcode_parse(bc->context, buffer, err);
    LLVMDisposeMemoryBuffer(buffer);
    if (!bc->module) {
        bitcode_free(bc);
        return false;
    }
    bc->layout = LLVMGetModuleDataLayout(bc->module);
    return true;
}

static bool is_scalar(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
           kind == LLVMPointerTypeKind;
}

static void initialise_local(LLVMBuilderRef builder, LLVMValueRef alloca) {
    assert(LLVMGetInstructionOpcode(alloca) == LLVMAlloca);
    LLVMTypeRef type = LLVMGetAllocatedType(alloca);
    if (!is_scalar(type))
        return;
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(alloca));
    LLVMValueRef any = LLVMBuildFreeze(builder, LLVMGetUndef(type), "");
    LLVMBuildStore(builder, any, alloca);
}

static void initialise_locals(LLVMModuleRef module, LLVMBuilderRef builder) {
    for (LLVMValueRef fn = LLVMGetFirstFunction(module); fn; fn = LLVMGetNextFunction(fn)) {
        if (LLVMIsDeclaration(fn))
            continue;
        LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(fn);
        for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
            if (LLVMGetInstructionOpcode(i) == LLVMAlloca)
                initialise_local(builder, i);
    }
}

/* ---- where a local begins a new life ---- */

/* clang has been asked to fill locals without an initialiser at their declaration, and marks what
 * it has added: from there on the local holds any value. True when the instruction goes. */
static bool forget_local(LLVMBuilderRef builder, LLVMValueRef added) {
    LLVMPositionBuilderBefore(builder, added);
    if (LLVMGetInstructionOpcode(added) == LLVMStore) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(added, 0));
        LLVMSetOperand(added, 0, LLVMBuildFreeze(builder, LLVMGetUndef(type), ""));
        return false;
    }
    if (LLVMGetInstructionOpcode(added) != LLVMCall)
        return false;
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(added)));
    LLVMBuildMemSet(builder, LLVMGetOperand(added, 0), LLVMGetUndef(byte), LLVMGetOperand(added, 2),
                    1);
    return true;
}

/* In the first block a local is new anyway. */
static void forget_locals_of(LLVMBuilderRef builder, LLVMValueRef fn, unsigned mark) {
    LLVMBasicBlockRef entry = LLVMIsDeclaration(fn) ? NULL : LLVMGetEntryBasicBlock(fn);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMGetMetadata(i, mark) && (b == entry || forget_local(builder, i)))
                LLVMInstructionEraseFromParent(i);
        }
}

static void forget_locals(LLVMModuleRef module, LLVMBuilderRef builder) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    unsigned mark = LLVMGetMDKindIDInContext(context, "annotation", strlen("annotation"));
    for (LLVMValueRef fn = LLVMGetFirstFunction(module); fn; fn = LLVMGetNextFunction(fn))
        forget_locals_of(builder, fn, mark);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module), next; g;
         g = next) { /* what it was filled with */
        next = LLVMGetNextGlobal(g);
        if (LLVMGetLinkage(g) == LLVMPrivateLinkage && !LLVMGetFirstUse(g))
            LLVMDeleteGlobal(g);
    }
}

/* LLVM's pass knows branches and switches only. */
static bool branches_only(LLVMValueRef fn) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMOpcode end = LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(b));
        if (end != LLVMBr && end != LLVMSwitch && end != LLVMRet && end != LLVMUnreachable)
            return false;
    }
    return true;
}

/* Some function jumps into a loop, and every one that does can be written without. */
static bool wants_straightening(LLVMModuleRef module) {
    bool wants = false, can = true;
    for (LLVMValueRef fn = LLVMGetFirstFunction(module); fn; fn = LLVMGetNextFunction(fn)) {
        if (LLVMIsDeclaration(fn))
            continue;
        struct lower_function *f = lower_function_new(fn);
        wants |= f->irreducible;
        can &= !f->irreducible || branches_only(fn);
        lower_function_delete(f);
    }
    return wants && can;
}

static bool run_passes(struct bitcode *bc, const struct bitcode_options *how, struct err *err) {
    struct str passes = {0};
    assert(bc->context && bc->module);
    str_add(&passes, how->one_thread ? "function(lower-atomic," : "function(");
    if (how->straightens && wants_straightening(bc->module))
        str_add(&passes, "lower-switch,fix-irreducible,");
    str_add(&passes, "mem2reg,lcssa)");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(bc->context);
    forget_locals(bc->module, builder);
    initialise_locals(bc->module, builder);
    LLVMDisposeBuilder(builder);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failure = LLVMRunPasses(bc->module, str_text(&passes), NULL, options);
    LLVMDisposePassBuilderOptions(options);
    str_free(&passes);
    if (!failure)
        return true;
    char *message = LLVMGetErrorMessage(failure);
    err_set(err, ERR_INTERNAL, "LLVM: %s", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

static bool compile(struct bitcode *bc, const char *text, const struct bitcode_options *options,
                    const struct arguments *unknown, struct err *err) {
    struct child_result result = {0};
    assert(!bc->module);
    bool ok = run_clang(text, options, unknown, &result, err) && parse(bc, &result.out, err);
    child_result_free(&result);
    return ok;
}

/* The program's own functions that clang takes for those of the library. */
static void find_own(struct arena *arena, LLVMModuleRef module, struct arguments *unknown) {
    for (LLVMValueRef fn = LLVMGetFirstFunction(module); fn; fn = LLVMGetNextFunction(fn)) {
        size_t len;
        const char *name = LLVMGetValueName2(fn, &len);
        if (!LLVMIsDeclaration(fn) && name_is_known(name))
            vec_push(unknown, arena_printf(arena, "-fno-builtin-%s", name));
    }
}

/* Which functions a text defines is known when it is compiled; those with the name of a library
 * function take a second time, and so does a program that changes the rounding mode. */
bool bitcode_compile(struct bitcode *bc, const char *text, const struct bitcode_options *options,
                     struct err *err) {
    assert(text && options);
    *bc = (struct bitcode){0};
    struct arguments unknown = {0};
    struct arena arena = {0};
    bool ok = compile(bc, text, options, &unknown, err);
    bool rounds = ok && options->follows_rounding && constrained_changes_mode(bc->module);
    if (ok)
        find_own(&arena, bc->module, &unknown);
    if (rounds)
        vec_push(&unknown, "-frounding-math");
    if (ok && unknown.len > 0) {
        bitcode_free(bc);
        ok = compile(bc, text, options, &unknown, err);
    }
    bc->changes_rounding = rounds;
    if (ok && !run_passes(bc, options, err)) {
        bitcode_free(bc);
        ok = false;
    }
    vec_free(&unknown);
    arena_free(&arena);
    return ok;
}

void bitcode_free(struct bitcode *bc) {
    if (bc->module)
        LLVMDisposeModule(bc->module);
    if (bc->context)
        LLVMContextDispose(bc->context);
    *bc = (struct bitcode){0};
}
