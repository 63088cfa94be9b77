/* constrained: a program that changes the rounding mode, as bitcode.
 *
 * clang -frounding-math folds nothing and writes each operation on floats as a call of
 * llvm.experimental.constrained.NAME, with what it knows of the mode. All of the lowering reads
 * ordinary instructions, so that is what they become again; the mode is a variable of the program,
 * which lower/library/rounding.c sets and reads.
 *
 * constrained_rewrite() does that, and constrained_add_variable() adds the variable where something
 * changes the mode.
 */
#ifndef INSTRUMENT_LOWER_CONSTRAINED_H
#define INSTRUMENT_LOWER_CONSTRAINED_H

#include <llvm-c/Core.h>

#include <stdbool.h>

#define ROUNDING_VARIABLE "(rounding)"

/* It calls a function that can change the mode, one that this machine has. */
bool constrained_changes_mode(LLVMModuleRef module);
/* Operations that round in the mode of the moment become instructions; others stay as they are. */
void constrained_rewrite(LLVMModuleRef module);
/* Adds the variable: to nearest even at first. */
void constrained_add_variable(LLVMModuleRef module);

#endif
