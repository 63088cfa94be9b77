/* interface_parts: what the steps of interface_weave() hand to each other.
 *
 *   interface_entry.c    step and init functions, and the objects made for their parameters
 *   interface_cells.c    every scalar of the module's memory
 *   interface_roles.c    which of them are inputs, parameters, state, outputs, and their ranges
 *   calibration.c        what tells calibration data from inputs
 *   interface_warn.c     what makes verdicts about another program than the user means
 *   hoist*.c             names of the woven program
 *   interface_volatile.c reads of volatile objects become inputs
 *   interface_module.c   what the other layers see of all this
 *   stubs.c              functions without a body
 *   harness*.c           gk_init, gk_step, assumptions, tables
 */
#ifndef INSTRUMENT_INPUTS_INTERFACE_PARTS_H
#define INSTRUMENT_INPUTS_INTERFACE_PARTS_H

#include "coverage/module.h"
#include "coverage/project.h"
#include "instrument/syntax/edits.h"
#include "instrument/inputs/interface_scan.h"
#include "instrument/inputs/layout.h"
#include "instrument/inputs/ranges.h"

enum cell_role {
    CELL_FIXED, /* never changes: constants */
    CELL_INPUT,
    CELL_PARAMETER, /* mode range */
    CELL_VOLATILE,  /* what a read of a volatile object returns */
    CELL_STATE,
    CELL_OUTPUT,  /* state that the environment may read */
    CELL_POINTER, /* points to an object made by the harness */
};

/* One scalar of an object. */
struct cell {
    uint32_t object;
    struct leaf leaf;
    const char *path;
    const char *c_expr; /* set when the names of the woven program are known */
    enum cell_role role;
    unsigned touch; /* STEP_READS ... */
    struct range range;
    const char *range_from;
    uint32_t named; /* by this project->vars, or NOTHING */
    uint32_t input; /* its id in module.inputs, or NOTHING */
    bool early;     /* CELL_INPUT: has a value of its range before the init functions run */
};

/* A parameter of the step function or of an init function. */
struct argument {
    uint32_t function, index;
    CXType type;
    uint32_t object; /* NOTHING: a null pointer is passed */
    bool by_value;
};

/* A pointer that the environment sets: the harness makes it point to `target`. */
struct made_pointer {
    uint32_t object;
    const char *path; /* of the leaf within the object */
    uint32_t target;  /* NOTHING: null, or a function */
    CXType function;  /* a pointer to a function of this type: kind CXType_Invalid if it is not */
    uint32_t input;   /* whether the function is there; known when the harness is written */
    const char *stub; /* its name */
};

/* Reads of one volatile place, or of one expression that reaches it through a pointer. */
struct volatile_group {
    const char *path;
    uint32_t object, function; /* NOTHING: through a pointer; in any function */
    uint32_t pattern;
    uint32_t cell;    /* CELL_VOLATILE */
    bool mixed;       /* the pointer may also lead to memory that keeps its value */
    struct ids reads; /* of scan.volatile_reads */
};

/* A stub as the fixture needs it: a definition in the words of the sources. */
struct stub_text {
    const char *name, *text;
    uint32_t unit;
    uint32_t first_input, end_input; /* the inputs that it asks for */
    bool system;                     /* the C library may define it */
};

/* What the comments of a declaration say: read once, for all cells that it declares. */
struct known_note {
    struct range_note note;
    size_t offset; /* of the comment */
    bool found;
};

struct interface {
    const struct project *project;
    const struct unit *units;
    size_t n_units;
    struct edits *edits;
    struct module *module;
    struct goals *goals;
    struct arena arena;
    struct scan scan;
    struct type_names type_names;
    uint32_t step;
    struct ids init;
    VEC(struct argument) arguments;
    VEC(struct cell) cells; /* by object, in the order of memory */
    VEC(struct made_pointer) made;
    VEC(struct volatile_group) volatiles;
    struct map note_of; /* by unit and offset of the declaration, an index into `notes` */
    VEC(struct known_note) notes;
    struct ids opaque_reads; /* of scan.volatile_reads: what they yield cannot be told */
    uint32_t guessed_length; /* of arrays whose length is unknown; 0: that is an error */
    size_t stubs;            /* written so far for single calls */
    VEC(struct stub_text) stub_texts;
    struct str front;          /* declarations that the units need, before the first */
    struct str *out;           /* the harness */
    VEC(const char *) regions; /* memory of the harness itself */
};

/* interface_explore.c: all that is found out before anything is written. The units are scanned and
 * the names chosen already. */
bool interface_explore(struct interface *in, struct err *err);
void interface_release(struct interface *in);

/* interface_entry.c */
bool interface_find_entries(struct interface *in, struct err *err);
bool interface_make_arguments(struct interface *in, struct err *err);
bool interface_make_pointees(struct interface *in, struct err *err);

/* interface_cells.c */
bool interface_collect_cells(struct interface *in, struct err *err);
/* The layout of an object, arrays made by the harness included. */
void interface_layout(struct interface *in, const struct object *object, struct layout *layout);
/* "p->x", "*p", "a[3].x": the path of a scalar in its object. */
const char *interface_path(struct interface *in, const struct object *object, const char *leaf);
/* One more than the largest index that the project gives to `path`: 4 for "Tab[3]"; 0: none. */
uint32_t interface_named_length(const struct interface *in, const char *path);
/* Position of the project entry, for messages. */
bool interface_err_var(const struct interface *in, uint32_t var, struct err *err);

/* interface_roles.c */
bool interface_decide_roles(struct interface *in, struct err *err);

/* calibration.c: why a variable that nothing writes is taken for calibration data, NULL: it is not.
 */
const char *interface_calibration_sign(const struct interface *in, const struct cell *cell);

/* interface_warn.c: fills module->warnings, when the stubs are written. */
void interface_warn(struct interface *in);

/* interface_volatile.c: between deciding roles and numbering inputs; edits are made at the end. */
bool interface_find_volatiles(struct interface *in, struct err *err);
void interface_edit_volatiles(struct interface *in);
/* Appends the function that reads what a mixed group leads to. */
void interface_write_mixed(struct interface *in, const struct volatile_group *group);

/* interface_module.c */
void interface_name_cells(struct interface *in);  /* c_expr, from the c_name of the objects */
void interface_fill_module(struct interface *in); /* numbers the inputs: cell.input */
/* An input that is no cell: what a stub returns. Its id. */
uint32_t interface_add_input(struct interface *in, const struct module_var *var);

/* True for objects that exist in the woven program and can change. */
bool object_is_memory(const struct object *object);

#endif
