#include "instrument/native/positive.h"

#include "instrument/lower/bitcode.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <assert.h>
#include <stdint.h>
#include <string.h>

#define FILL 0x55

struct filling {
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    unsigned annotation; /* kind of the metadata that marks clang's initialisations */
};

/* NULL for types that clang initialises otherwise. */
static LLVMValueRef constant_of(const struct filling *f, LLVMTypeRef type) {
    uint64_t words[2];
    unsigned long long bits = LLVMSizeOfTypeInBits(f->layout, type);
    memset(words, FILL, sizeof words);
    if (bits > 64)
        return NULL;
    LLVMTypeRef integer = LLVMIntTypeInContext(f->context, (unsigned)bits);
    LLVMValueRef value = LLVMConstIntOfArbitraryPrecision(integer, 2, words);
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return value;
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return LLVMConstBitCast(value, type);
    case LLVMPointerTypeKind:
        return LLVMConstIntToPtr(value, type);
    default:
        return NULL;
    }
}

/* True when the instruction has been replaced by another. */
static bool fill_call(const struct filling *f, LLVMValueRef call) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(f->context);
    LLVMValueRef fill = LLVMConstInt(byte, FILL, false), callee = LLVMGetCalledValue(call);
    size_t len;
    const char *name = LLVMGetValueName2(callee, &len);
    if (strncmp(name, "llvm.memset.", 12) == 0)
        LLVMSetOperand(call, 1, fill);
    if (strncmp(name, "llvm.memcpy.", 12) != 0)
        return false;
    LLVMPositionBuilderBefore(f->builder, call);
    LLVMBuildMemSet(f->builder, LLVMGetOperand(call, 0), fill, LLVMGetOperand(call, 2), 1);
    return true;
}

static bool fill_one(const struct filling *f, LLVMValueRef instruction) {
    if (!LLVMGetMetadata(instruction, f->annotation))
        return false;
    if (LLVMGetInstructionOpcode(instruction) == LLVMCall)
        return fill_call(f, instruction);
    if (LLVMGetInstructionOpcode(instruction) != LLVMStore)
        return false;
    LLVMValueRef old = LLVMGetOperand(instruction, 0);
    LLVMValueRef value = LLVMIsConstant(old) ? constant_of(f, LLVMTypeOf(old)) : NULL;
    if (value)
        LLVMSetOperand(instruction, 0, value);
    return false;
}

static void fill_function(const struct filling *f, LLVMValueRef function) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (fill_one(f, i))
                LLVMInstructionEraseFromParent(i);
        }
}

static void fill_module(LLVMContextRef context, LLVMModuleRef module) {
    struct filling f = {.context = context, .layout = LLVMGetModuleDataLayout(module)};
    f.builder = LLVMCreateBuilderInContext(context);
    f.annotation = LLVMGetMDKindIDInContext(context, "annotation", strlen("annotation"));
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        fill_function(&f, function);
    LLVMDisposeBuilder(f.builder);
}

bool positive_locals(const char *path, struct err *err) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer = NULL;
    LLVMModuleRef module = NULL;
    char *message = NULL;
    bool ok = !LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message);
    ok = ok && (module = bitcode_parse(context, buffer, err));
    if (ok) {
        fill_module(context, module);
        ok = bitcode_write(module, path, err);
    } else {
        err_set(err, ERR_USAGE, "clang's bitcode cannot be read: %s", message);
    }
    LLVMDisposeMessage(message);
    if (module)
        LLVMDisposeModule(module);
    if (buffer)
        LLVMDisposeMemoryBuffer(buffer);
    LLVMContextDispose(context);
    return ok;
}
