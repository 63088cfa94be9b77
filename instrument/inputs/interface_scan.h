/* interface_scan: which objects and functions the module has, and who touches what.
 *
 * One pass over each unit registers every variable and function and notes every access to memory:
 * an access names a place directly (`Bus.Speed`) or through a pointer (`p->Speed`). Pointers are
 * then resolved by a flow-insensitive, inclusion-based points-to analysis (L. O. Andersen, Program
 * Analysis and Specialization for the C Programming Language, 1994, chapter 4): objects are the
 * variables, a place is an object and a pattern below it (array indices are all the same, a union
 * is one place), and each place holds a set of pointers; reading a place reads all that overlap
 * it.
 *
 *     struct scan scan = {0};
 *     scan_units(&scan, units, n, goals);
 *     scan_flow(&scan);                          // may be repeated after scan_points_to()
 *     scan_reach(&scan, step, &init);
 *     unsigned touch = scan_touch(&scan, object, ".Speed");
 *     scan_free(&scan);
 *
 * The result errs towards "accessed": what is not reported as written is not written by the code
 * of the units, integers cast to pointers apart.
 */
#ifndef INSTRUMENT_INPUTS_INTERFACE_SCAN_H
#define INSTRUMENT_INPUTS_INTERFACE_SCAN_H

#include "base/map.h"
#include "coverage/goal.h"
#include "instrument/syntax/unit.h"

#define NOTHING UINT32_MAX

VEC_STRUCT(ids, uint32_t);
VEC_STRUCT(cursors, CXCursor);

enum object_kind {
    OBJECT_GLOBAL,       /* external linkage: one for all units */
    OBJECT_FILE_STATIC,  /* internal linkage */
    OBJECT_LOCAL_STATIC, /* static in a function */
    OBJECT_LOCAL,        /* automatic variables and parameters */
    OBJECT_ARGUMENT,     /* made by the harness: what a pointer from outside points to */
    OBJECT_FUNCTION,     /* a function as something to point to */
};

struct object {
    enum object_kind kind;
    const char *name;   /* as declared */
    const char *path;   /* C path: "X", "pid::X_xi", "pISV" */
    const char *c_name; /* in the woven program */
    uint32_t unit;
    uint32_t function; /* of locals, else NOTHING */
    CXCursor decl;     /* the definition, or the declaration that tells most */
    CXType type;
    bool defined;         /* in the units, tentatively or not */
    bool initialised;     /* has an initialiser */
    bool used;            /* by a body, or its address is taken */
    bool by_value;        /* OBJECT_ARGUMENT: a parameter that is no pointer */
    uint32_t open_length; /* of an array that declares no length; 0: unknown, or no array */
    bool calibration;     /* OBJECT_ARGUMENT: what calibration data point to */
    bool guessed_length;  /* open_length is made up */
    uint32_t node;        /* the pointers stored in it as a whole */
    struct ids contents;  /* places of this object that hold pointers */
    struct ids touched;   /* places of this object that are accessed */
};

struct routine {
    const char *name;
    const char *c_name; /* in the woven program */
    uint32_t unit;
    CXCursor decl; /* the definition when there is one */
    bool has_body, is_static;
    bool by_step, by_init;    /* runs in a step, during initialisation */
    bool called;              /* by another function of the module */
    bool declared;            /* not only by being called */
    bool has_assembly;        /* that changes something, and is followed */
    struct ids params;        /* objects */
    struct ids calls;         /* functions, sorted, once each */
    struct ids pointer_calls; /* nodes that hold the functions called */
    uint32_t result;          /* node */
    uint32_t object;          /* OBJECT_FUNCTION; NOTHING until its address is taken */
};

/* An lvalue: a place, or what a pointer points to and a pattern below that. */
struct lvalue {
    enum { LVALUE_NONE, LVALUE_DIRECT, LVALUE_DEREF } kind;
    uint32_t base;    /* object, or node */
    uint32_t pattern; /* id in scan.patterns */
    bool in_union;    /* the pattern ends here */
};

struct access {
    struct lvalue lvalue;
    uint32_t function;
    bool reads, writes;
};

/* One access or call as it is evaluated, those of local variables, too. */
struct evaluation {
    struct lvalue lvalue;
    uint32_t call; /* NOTHING: an access */
    bool reads, writes;
};

/* An expression whose operands C evaluates in no particular order: operand k is what was noted in
 * [marks[first + k], marks[first + k + 1]) of the evaluations. Only those are kept in which
 * something is called or written. */
struct operands {
    CXCursor cursor;
    uint32_t unit, function;
    uint32_t first, n; /* marks, operands */
    bool stores;       /* the last "operand" is the access that stores the result */
};

/* A use of a volatile scalar: what the harness turns into an input; or of a struct that holds one.
 */
struct volatile_use {
    struct lvalue lvalue;
    CXCursor place;     /* the lvalue expression */
    CXCursor operation; /* the same for a plain read; else the op= or ++ around it */
    uint32_t function, unit;
    bool whole; /* a struct, read as such */
};

VEC_STRUCT(volatile_uses, struct volatile_use);

struct call {
    uint32_t caller;
    uint32_t callee;  /* function, NOTHING when called through a pointer */
    uint32_t pointer; /* node that holds the function */
    uint32_t result;  /* node */
    struct ids args;  /* nodes, NOTHING for what is no pointer */
    CXCursor cursor;
    uint32_t unit;
};

enum flow_kind {
    FLOW_COPY,   /* to ⊇ from */
    FLOW_PLACE,  /* to ∋ place(from, pattern); from is an object */
    FLOW_OFFSET, /* to ⊇ { q + pattern | q ∈ from } */
    FLOW_GET,    /* to ⊇ the pointers in place(from, pattern); from is an object */
    FLOW_PUT,    /* the pointers in place(to, pattern) ⊇ from; to is an object */
    FLOW_LOAD,   /* to ⊇ the pointers in q + pattern, q ∈ from */
    FLOW_STORE,  /* the pointers in q + pattern, q ∈ to, ⊇ from */
};

struct flow {
    enum flow_kind kind;
    uint32_t to, from, pattern;
};

struct place_in {
    uint32_t object, pattern;
    uint32_t node;  /* the pointers in it; NOTHING: none was ever stored */
    unsigned touch; /* STEP_READS ... */
};

enum { STEP_READS = 1, STEP_WRITES = 2, INIT_READS = 4, INIT_WRITES = 8 };

struct scan {
    struct arena arena;
    const struct unit *units;
    size_t n_units;
    struct goals *goals; /* receives the limitations */
    VEC(struct object) objects;
    VEC(struct routine) functions;
    struct intern object_keys, function_keys; /* ids are indices of the vectors above */
    struct intern patterns;                   /* id 0 is "" */
    VEC(struct access) accesses;
    struct volatile_uses volatile_reads;
    struct volatile_uses volatile_writes; /* through pointers */
    VEC(struct call) calls;
    VEC(struct evaluation) evaluations; /* of function bodies, in the order of the visit */
    VEC(struct operands) operands;
    struct ids marks;
    VEC(struct flow) flows;
    struct ids indexed;    /* nodes whose pointers are moved or indexed: what they point to must
                              be an array */
    VEC(struct ids) nodes; /* the places each node points to, sorted */
    VEC(struct place_in) places;
    struct map place_ids; /* object and pattern -> place */
    uint32_t function;    /* being visited, NOTHING between functions */
    uint32_t unit;
    bool has_assembly; /* outside of functions */
};

/* The units must outlive the scan. */
void scan_units(struct scan *scan, const struct unit *units, size_t n, struct goals *goals);
void scan_free(struct scan *scan);

/* All ids within bounds, sets sorted, places and their table agree; bug() when not. */
void check_scan(const struct scan *scan);

/* Resolves the pointers. More may be added and the flow run again. */
void scan_flow(struct scan *scan);
void scan_points_to(struct scan *scan, uint32_t node, uint32_t object, const char *pattern);
/* The node of the pointers stored in a place. */
uint32_t scan_content(struct scan *scan, uint32_t object, const char *pattern);
bool scan_is_indexed(struct scan *scan, uint32_t object); /* through a pointer to it as a whole */
/* Fills by_step, by_init and the touches; may be repeated. */
void scan_reach(struct scan *scan, uint32_t step, const struct ids *init);

/* STEP_READS ... of the part of the object that `pattern` names. */
unsigned scan_touch(const struct scan *scan, uint32_t object, const char *pattern);
/* The same for what the lvalue may be. */
struct ids scan_places(struct scan *scan, const struct lvalue *lvalue); /* the caller frees */
bool scan_overlap(const char *a, const char *b); /* patterns: one names the other or a part of it */
/* Pattern a, and b below it. */
uint32_t scan_pattern_below(struct scan *scan, uint32_t a, uint32_t b);

uint32_t scan_function(const struct scan *scan, const char *name); /* NOTHING when absent */
uint32_t scan_object_of(const struct scan *scan, uint32_t unit, CXCursor cursor); /* or NOTHING */
uint32_t scan_function_of(const struct scan *scan, uint32_t unit, CXCursor cursor);
uint32_t scan_new_object(struct scan *scan, const char *key, const struct object *object);

/* What cannot be analysed. `function` may be NULL. */
void limit_at(struct goals *goals, const struct unit *unit, size_t offset, const char *function,
              const char *format, ...) __attribute__((format(printf, 5, 6)));

/* For the parts of the scan only. */
uint32_t scan_intern_object(struct scan *scan, CXCursor cursor);
uint32_t scan_intern_function(struct scan *scan, CXCursor cursor);
uint32_t scan_new_node(struct scan *scan);
void scan_add_flow(struct scan *scan, enum flow_kind kind, uint32_t to, uint32_t from,
                   uint32_t pattern);
void scan_body(struct scan *scan, CXCursor function); /* interface_access.c */
void scan_initialiser(struct scan *scan, uint32_t object, CXCursor value);
void cursor_children(CXCursor cursor, struct cursors *children); /* appends */

#endif
