/* term: a hash-consed DAG of typed expressions.
 *
 * A term is an index into `struct terms`; equal terms have equal indices, arguments have smaller
 * indices than the terms that use them (so one loop upwards visits children first, and nothing
 * recurses on depth). Constructors simplify; each rule is tested against evaluation.
 *
 *     struct terms ts; terms_init(&ts);
 *     term_t x = term_var(&ts, "x", 32, true);
 *     term_t sum = term_op2(&ts, OP_ADD, x, term_int(&ts, 32, 1));
 *     terms_free(&ts);
 */
#ifndef MODEL_TERM_TERM_H
#define MODEL_TERM_TERM_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "model/term/ordinal.h"

typedef uint32_t term_t; /* 0 is "no term" */

enum op {
#define OP(name, arity, args, result, text) OP_##name,
#include "model/term/ops.def"
#undef OP
    OP_COUNT
};

struct op_info {
    const char *name; /* "FADD" */
    const char *text; /* "fadd" */
    int arity;
    const char *args; /* see ops.def */
    char result;
};
extern const struct op_info op_table[OP_COUNT];

struct term {
    uint16_t op; /* enum op */
    sort_t sort;
    uint8_t arity;
    term_t arg[3];
    uint64_t payload; /* CONST: bits, or index of a number; VAR: variable; TABLE: table */
};

/* Bits of an integer that are 0, or 1, whatever the variables are. */
struct known_bits {
    uint64_t zeros, ones;
};

/* A source of the DAG. What it stands for (cell, input …) is known to struct system. */
struct term_var {
    const char *name;
    sort_t sort;
    bool is_signed; /* how a person reads it, and the order its bounds use */
    term_t term;
};

struct term_table {
    sort_t sort;
    size_t len;
    uint64_t *values; /* bits */
};

struct terms {
    struct arena arena;
    VEC(struct term) nodes;       /* [0] is unused */
    VEC(struct known_bits) known; /* one per node */
    VEC(struct term_var) vars;
    VEC(struct term_table) tables;
    struct intern numbers; /* constants of unbounded sorts, by their canonical text */
    uint32_t *slots;       /* hash-cons table: term index, 0 is free */
    size_t slot_cap;
    uint32_t nesting; /* constructors under way: rules call constructors, to a bounded depth */
};

void terms_init(struct terms *ts);
void terms_free(struct terms *ts);
void check_terms(const struct terms *ts); /* all invariants, slow; bug() when broken */

static inline const struct term *term_get(const struct terms *ts, term_t t) {
    return &ts->nodes.data[t];
}
static inline sort_t term_sort(const struct terms *ts, term_t t) {
    return ts->nodes.data[t].sort;
}
static inline struct known_bits term_known_bits(const struct terms *ts, term_t t) {
    return ts->known.data[t];
}

/* leaves */
term_t term_var(struct terms *ts, const char *name, sort_t sort, bool is_signed); /* always new */
term_t term_const(struct terms *ts, sort_t sort, uint64_t bits);
term_t term_int(struct terms *ts, sort_t width, int64_t value); /* truncated to the width */
term_t term_f32(struct terms *ts, float value);
term_t term_f64(struct terms *ts, double value);
term_t term_bool(struct terms *ts, bool value);
uint32_t term_add_table(struct terms *ts, sort_t sort, const uint64_t *values, size_t len);
bool term_is_const(const struct terms *ts, term_t t);
bool term_is_true(const struct terms *ts, term_t t);
bool term_is_false(const struct terms *ts, term_t t);

/* operators with result sort derived from the arguments; they simplify */
term_t term_op1(struct terms *ts, enum op op, term_t a);
term_t term_op2(struct terms *ts, enum op op, term_t a, term_t b);
term_t term_op3(struct terms *ts, enum op op, term_t a, term_t b, term_t c);
/* operators whose result sort the caller gives (result 'p' in ops.def, except leaves and TABLE) */
term_t term_cast(struct terms *ts, enum op op, sort_t to, term_t a);
term_t term_table_at(struct terms *ts, uint32_t table, term_t index);

/* frequent ones */
term_t term_not(struct terms *ts, term_t a);
term_t term_and(struct terms *ts, term_t a, term_t b);
term_t term_or(struct terms *ts, term_t a, term_t b);
term_t term_implies(struct terms *ts, term_t a, term_t b);
term_t term_ite(struct terms *ts, term_t c, term_t a, term_t b);
term_t term_eq(struct terms *ts, term_t a, term_t b);

/* Copies the DAG below `roots` with variables replaced: map[var index] is the new term, 0 keeps
 * the variable. Results are written over `roots`. */
void term_substitute(struct terms *ts, const term_t *map, size_t map_len, term_t *roots, size_t n);

/* The same operator over other arguments (simplified). */
term_t term_rebuild(struct terms *ts, term_t t, const term_t *args);

/* Sets mark[t] for every term below the roots, themselves included; root 0 is skipped. `mark` has
 * room for all nodes and is zeroed by the caller. Returns the count. */
size_t term_mark(const struct terms *ts, const term_t *roots, size_t n, bool *mark);

#endif
