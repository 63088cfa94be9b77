/* LLVM's builder folds operations on constants, to nearest even; frozen constants it leaves alone.
 */
#include "instrument/lower/constrained.h"

#include "base/str.h"

#include <assert.h>
#include <string.h>

#define CONSTRAINED "llvm.experimental.constrained."

/* ---- does it change the mode? ---- */

bool constrained_changes_mode(LLVMModuleRef module) {
    static const char *const names[] = {"fesetround", "fesetenv", "feupdateenv", "fesetmode"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef fn = LLVMGetNamedFunction(module, names[i]);
        if (fn && LLVMIsDeclaration(fn) && LLVMGetFirstUse(fn))
            return true;
    }
    return false;
}

void constrained_add_variable(LLVMModuleRef module) {
    LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
    assert(!LLVMGetNamedGlobal(module, ROUNDING_VARIABLE));
    LLVMValueRef mode = LLVMAddGlobal(module, type, ROUNDING_VARIABLE);
    LLVMSetInitializer(mode, LLVMConstNull(type));
    LLVMSetLinkage(mode, LLVMInternalLinkage);
}

/* ---- calls become instructions ---- */

struct site {
    LLVMBuilderRef builder;
    LLVMValueRef call;
    const char *name; /* "fadd.f64" */
};

static LLVMValueRef operand(const struct site *s, unsigned i) {
    LLVMValueRef v = LLVMGetOperand(s->call, i);
    return LLVMIsConstant(v) ? LLVMBuildFreeze(s->builder, v, "") : v;
}

static bool is_metadata(LLVMValueRef v) {
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMMetadataTypeKind;
}

static unsigned value_operands(const struct site *s) {
    unsigned n = 0;
    while (n < (unsigned)LLVMGetNumArgOperands(s->call) && !is_metadata(LLVMGetOperand(s->call, n)))
        n++;
    return n;
}

static bool says(LLVMValueRef metadata, const char *text) {
    unsigned len = 0;
    const char *own = LLVMGetMDString(metadata, &len);
    return own && len == strlen(text) && memcmp(own, text, len) == 0;
}

/* None of its operands gives it a mode of its own. */
static bool follows_the_mode(const struct site *s) {
    for (unsigned i = value_operands(s); i < (unsigned)LLVMGetNumArgOperands(s->call); i++) {
        unsigned len = 0;
        const char *own = LLVMGetMDString(LLVMGetOperand(s->call, i), &len);
        if (own && len > 6 && memcmp(own, "round.", 6) == 0 &&
            !says(LLVMGetOperand(s->call, i), "round.dynamic"))
            return false;
    }
    return true;
}

static bool is_named(const struct site *s, const char *base) {
    size_t len = strlen(base);
    return strncmp(s->name, base, len) == 0 && s->name[len] == '.';
}

static LLVMValueRef as_arithmetic(const struct site *s) {
    static const struct {
        const char *name;
        LLVMOpcode opcode;
    } rows[] = {{"fadd", LLVMFAdd},
                {"fsub", LLVMFSub},
                {"fmul", LLVMFMul},
                {"fdiv", LLVMFDiv},
                {"frem", LLVMFRem}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_named(s, rows[i].name))
            return LLVMBuildBinOp(s->builder, rows[i].opcode, operand(s, 0), operand(s, 1), "");
    return NULL;
}

static LLVMValueRef as_cast(const struct site *s) {
    static const struct {
        const char *name;
        LLVMOpcode opcode;
    } rows[] = {{"fptrunc", LLVMFPTrunc}, {"fpext", LLVMFPExt},   {"sitofp", LLVMSIToFP},
                {"uitofp", LLVMUIToFP},   {"fptosi", LLVMFPToSI}, {"fptoui", LLVMFPToUI}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_named(s, rows[i].name))
            return LLVMBuildCast(s->builder, rows[i].opcode, operand(s, 0), LLVMTypeOf(s->call),
                                 "");
    return NULL;
}

static LLVMValueRef as_comparison(const struct site *s) {
    static const struct {
        const char *name;
        LLVMRealPredicate predicate;
    } rows[] = {{"oeq", LLVMRealOEQ}, {"ogt", LLVMRealOGT}, {"oge", LLVMRealOGE},
                {"olt", LLVMRealOLT}, {"ole", LLVMRealOLE}, {"one", LLVMRealONE},
                {"ord", LLVMRealORD}, {"uno", LLVMRealUNO}, {"ueq", LLVMRealUEQ},
                {"ugt", LLVMRealUGT}, {"uge", LLVMRealUGE}, {"ult", LLVMRealULT},
                {"ule", LLVMRealULE}, {"une", LLVMRealUNE}};
    if (!is_named(s, "fcmp") && !is_named(s, "fcmps"))
        return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (says(LLVMGetOperand(s->call, 2), rows[i].name))
            return LLVMBuildFCmp(s->builder, rows[i].predicate, operand(s, 0), operand(s, 1), "");
    return NULL;
}

/* sqrt, rint, fma, lrint …: the function of that name. */
static LLVMValueRef as_function(const struct site *s) {
    struct str name = {0};
    unsigned n = value_operands(s);
    LLVMValueRef args[3];
    LLVMTypeRef types[2] = {LLVMTypeOf(s->call), n ? LLVMTypeOf(LLVMGetOperand(s->call, 0)) : NULL};
    size_t n_types = LLVMGetTypeKind(types[0]) == LLVMIntegerTypeKind ? 2 : 1;
    if (n == 0 || n > 3)
        return NULL;
    str_addf(&name, "llvm.%.*s", (int)strcspn(s->name, "."), s->name);
    unsigned id = LLVMLookupIntrinsicID(str_text(&name), name.len);
    str_free(&name);
    if (!id || !LLVMIntrinsicIsOverloaded(id))
        return NULL;
    for (unsigned i = 0; i < n; i++) {
        args[i] = operand(s, i);
        if (LLVMTypeOf(args[i]) != types[n_types - 1]) /* powi, ldexp */
            return NULL;
    }
    LLVMContextRef context = LLVMGetTypeContext(types[0]);
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetCalledValue(s->call));
    return LLVMBuildCall2(s->builder, LLVMIntrinsicGetType(context, id, types, n_types),
                          LLVMGetIntrinsicDeclaration(module, id, types, n_types), args, n, "");
}

static void rewrite(LLVMBuilderRef builder, LLVMValueRef call, const char *name) {
    struct site s = {builder, call, name};
    LLVMPositionBuilderBefore(builder, call);
    if (!follows_the_mode(&s))
        return;
    LLVMValueRef plain = as_arithmetic(&s);
    plain = plain ? plain : as_cast(&s);
    plain = plain ? plain : as_comparison(&s);
    plain = plain ? plain : as_function(&s);
    if (!plain)
        return;
    LLVMReplaceAllUsesWith(call, plain);
    LLVMInstructionEraseFromParent(call);
}

static void rewrite_function(LLVMBuilderRef builder, LLVMValueRef fn) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            size_t len;
            next = LLVMGetNextInstruction(i);
            const char *name =
                LLVMIsACallInst(i) ? LLVMGetValueName2(LLVMGetCalledValue(i), &len) : "";
            if (str_starts(name, CONSTRAINED))
                rewrite(builder, i, name + strlen(CONSTRAINED));
        }
}

void constrained_rewrite(LLVMModuleRef module) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef fn = LLVMGetFirstFunction(module); fn; fn = LLVMGetNextFunction(fn))
        if (!LLVMIsDeclaration(fn))
            rewrite_function(builder, fn);
    LLVMDisposeBuilder(builder);
}
