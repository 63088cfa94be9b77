/* module: what the module under analysis looks like from outside, in words every layer shares.
 *
 * A variable is one scalar memory cell or parameter with its C path. `inputs` are numbered: input i
 * is what gk_input_<type>(i) asks for in the woven program.
 */
#ifndef COVERAGE_MODULE_H
#define COVERAGE_MODULE_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum var_role {
    VAR_INPUT,     /* any value in its range before every step */
    VAR_PARAMETER, /* any value in its range, constant over the run (mode "range") */
    VAR_VOLATILE,  /* any value in its range at every read */
    VAR_STUB,      /* what a function without a body returns or writes */
    VAR_STATE,     /* kept over steps; no input id */
    VAR_OUTPUT,    /* state that the step function's environment may read */
};

/* The values are letters: they stand in the woven program and in databases. */
enum var_type {
#define VAR_TYPE(name, letter) TYPE_##name = letter,
#include "coverage/var_types.def"
#undef VAR_TYPE
};

struct module_var {
    const char *path;   /* "Bus.Speed", "Tab[3]", "pid::X_xi" */
    const char *c_expr; /* how the woven program names it */
    enum var_role role;
    enum var_type type;
    uint8_t bits;           /* 1..64; 32 or 64 of a float */
    bool has_range;         /* narrower than the type */
    uint64_t min, max;      /* bits in the variable's type */
    double lsb, offset;     /* physical = raw * lsb + offset; 1, 0 when unknown */
    const char *range_from; /* "project file", "comment at x.c:12", "type" */
    const char *file;
    int line;
    bool early;      /* input: init functions can read it, so they are given a value, too */
    bool only_early; /* no step reads it */
};

struct module {
    struct arena arena;
    const char *name;
    const char *step;              /* name of the step function */
    VEC(const char *) init;        /* names of the init functions */
    VEC(struct module_var) inputs; /* everything gk_input_* is called for; the index is the id */
    VEC(struct module_var) state;  /* all mutable scalars, outputs marked */
    VEC(const char *) assumptions; /* user constraints as C text */
    VEC(const char *) beliefs;     /* what no proof shows, of code that is not C or not there */
    VEC(const char *) warnings;    /* what may make this another program than the user means */
    bool ilp32, char_is_signed;
    /* A verification task: a program with main() whose only goal, probe 0, is its error. Its only
     * input is what the functions __VERIFIER_nondet_<type>() return, in the order of their calls;
     * "step n" of a run is the n-th of these values. */
    bool task;
};

bool var_type_known(char letter);
bool var_is_scaled(const struct module_var *v); /* its numbers stand for others */
/* The value that the bits of a scaled variable stand for. */
void var_add_physical(const struct module_var *v, uint64_t bits, struct str *out);
void module_free(struct module *module);

#endif
