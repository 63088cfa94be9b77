/* program_parts: a random program while it is made, for the files of the generator. */
#ifndef TESTS_FUZZ_PROGRAM_PARTS_H
#define TESTS_FUZZ_PROGRAM_PARTS_H

#include "program.h"

#include "model/system/system.h"

enum type { S8, U8, S16, U16, S32, U32, S64, U64, F32, F64, TYPES };

struct type_info {
    const char *name, *suffix;
    char letter;
    int bits;
};
extern const struct type_info gen_types[TYPES];

enum { SCALARS = 8, INPUTS = 5, TABLES = 3, ARRAYS = 3, FUNCTIONS = 4, LOCALS_MAX = 12 };

struct variable {
    char name[24];
    enum type type;
    bool is_const; /* loop counters and parameters that must not be assigned */
};

struct gen {
    struct choices *c;
    struct program *p;
    struct str *out;
    struct variable scalars[SCALARS], inputs[INPUTS], tables[TABLES], arrays[ARRAYS];
    struct variable locals[LOCALS_MAX];
    int n_locals, indent, depth_of_loops;
    int number; /* number of the function being made; calls go to lower ones */
    int n_names, budget;
    bool in_step; /* where the arguments of the step function are known */
};

uint64_t gen_pick(struct gen *g, uint64_t n);
bool gen_is_float(enum type t);
void gen_put(struct gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The parts of a program. */
void gen_statement(struct gen *g, int depth);
void gen_line(struct gen *g);
void gen_declarations(struct gen *g);
void gen_helper(struct gen *g, int number);

/* Expressions of at most `depth` levels; past the budget only leaves. */
void gen_int(struct gen *g, int depth);
void gen_float(struct gen *g, int depth);
void gen_controlling(struct gen *g, int depth); /* a truth value, of an if, a loop, a ?: */
void gen_constant_int(struct gen *g);
void gen_binary(struct gen *g, const char *op, int depth, void (*side)(struct gen *, int));
void gen_element(struct gen *g, const struct variable *from, int depth); /* from[…] */

#endif
