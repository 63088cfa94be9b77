/* program: random C programs with the harness of a woven text, from a list of choices.
 *
 * They use every integer and float type, all operators and casts, arrays, constant tables, structs
 * with bit-fields, unions, pointers (also kept over steps), loops, switch, early returns, and calls
 * through a table of functions. Most operations are kept inside what C defines; now and then one is
 * not. All state is read at the start of each step, so that it counts. */
#ifndef TESTS_FUZZ_PROGRAM_H
#define TESTS_FUZZ_PROGRAM_H

#include "choices.h"

#include "base/str.h"
#include "coverage/module.h"

/* A marked program says where its goals are. A mark is written as \1 kind number \2, in front of a
 * statement or a label, or around an expression that ends with \3. */
enum mark_kind {
    MARK_STATEMENT = 'S',
    MARK_LABEL = 'L',
    MARK_CONTROLLING = 'B', /* the decision of an if, a loop, a ?: */
    MARK_DECISION = 'D',    /* another expression with && || ! */
    MARK_CONDITION = 'C',
    MARK_CALL = 'K', /* around the name of the function */
    MARK_SWITCH = 'W',
    MARK_VOLATILE = 'V', /* a read of a volatile input, which has a new value each time */
    MARK_INDEX = 'X'     /* an index of an array of TABLE_LEN: outside, the run ends */
};

enum { LABEL_DEFAULT = -1 };

struct program_mark {
    enum mark_kind kind;
    uint32_t about; /* decisions: the root of their tree; labels: the mark of their switch */
    int label;
};

struct program_node {
    char op;              /* & | ! c */
    uint32_t left, right; /* c: left is the mark */
};

/* An input or a parameter of a module takes one of a few values. */
struct program_input {
    char name[24];
    const char *type;
    struct str values;  /* C constants, separated by commas */
    struct str project; /* what goalkeeper.json says of it */
    bool is_parameter;  /* the same value for the whole run */
};

VEC_STRUCT(program_marks, struct program_mark);
VEC_STRUCT(program_nodes, struct program_node);
VEC_STRUCT(program_inputs, struct program_input);

struct program {
    struct str text;
    struct module module;
    uint32_t n_probes;
    struct program_marks marks;
    struct program_nodes nodes;
    struct program_inputs inputs;
    struct str assumptions; /* C conditions, one a line */
    struct str step_call;   /* of the module, with its arguments */
    bool has_init;          /* a function module_init() */
};

enum { TABLE_LEN = 8, VOLATILE_VALUES = 3 };

void program_make(struct program *p, struct choices *c, bool ilp32);

/* A module with a function step(), marked, of few states: its inputs have few values, and between
 * steps it keeps a few bits. Nothing in it is left open by C. */
void program_make_module(struct program *p, struct choices *c, bool ilp32);
void program_free(struct program *p);

#endif
