/* The stores that clang has added are found by their metadata and pattern; a counter in the module
 * makes each fill differ. */
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
    LLVMValueRef counter; /* of initialisations: 32 bits in memory */
    unsigned annotation;  /* kind of the metadata that marks clang's initialisations */
};

/* 0 .. 63 as an integer of this type, another one each time. */
static LLVMValueRef build_count(const struct filling *f, LLVMTypeRef type) {
    LLVMTypeRef word = LLVMInt32TypeInContext(f->context);
    LLVMValueRef now = LLVMBuildLoad2(f->builder, word, f->counter, "");
    LLVMValueRef next = LLVMBuildAdd(f->builder, now, LLVMConstInt(word, 1, false), "");
    LLVMBuildStore(f->builder, next, f->counter);
    LLVMValueRef low = LLVMBuildAnd(f->builder, now, LLVMConstInt(word, 63, false), "");
    return LLVMBuildIntCast2(f->builder, low, type, false, "");
}

/* NULL for types that clang initialises otherwise. */
static LLVMValueRef build_value(const struct filling *f, LLVMTypeRef type) {
    uint64_t words[2];
    unsigned long long bits = LLVMSizeOfTypeInBits(f->layout, type);
    memset(words, FILL, sizeof words);
    if (bits > 64)
        return NULL;
    LLVMTypeRef integer = LLVMIntTypeInContext(f->context, (unsigned)bits);
    LLVMValueRef value = LLVMConstIntOfArbitraryPrecision(integer, 2, words);
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind && bits >= 8)
        value = LLVMBuildXor(f->builder, value, build_count(f, integer), "");
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return value;
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return LLVMBuildBitCast(f->builder, value, type, "");
    case LLVMPointerTypeKind:
        return LLVMConstIntToPtr(value, type);
    default:
        return NULL;
    }
}

/* True when the instruction has been replaced by another. */
static bool fill_call(const struct filling *f, LLVMValueRef call) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(f->context);
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t len;
    const char *name = LLVMGetValueName2(callee, &len);
    LLVMPositionBuilderBefore(f->builder, call);
    LLVMValueRef fill =
        LLVMBuildXor(f->builder, LLVMConstInt(byte, FILL, false), build_count(f, byte), "");
    if (strncmp(name, "llvm.memset.", 12) == 0)
        LLVMSetOperand(call, 1, fill);
    if (strncmp(name, "llvm.memcpy.", 12) != 0)
        return false;
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
    LLVMPositionBuilderBefore(f->builder, instruction);
    LLVMValueRef value = LLVMIsConstant(old) ? build_value(f, LLVMTypeOf(old)) : NULL;
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
    LLVMTypeRef word = LLVMInt32TypeInContext(context);
    f.counter = LLVMAddGlobal(module, word, "gk_filled");
    LLVMSetLinkage(f.counter, LLVMInternalLinkage);
    LLVMSetInitializer(f.counter, LLVMConstInt(word, 0, false));
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
