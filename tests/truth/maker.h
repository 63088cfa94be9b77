/* maker: a sample while it is made, for the files of the grammar.
 *
 * Everything is written to the plain text and to that of the oracle at once; put_plain and
 * put_oracle write to one of them. Every expression is free of what C leaves undefined: divisors
 * and widths of shifts are guarded, floats are cast to integers through a function that checks
 * them, nothing is read before it is written, and of two effects on one object in an expression one
 * is sequenced before the other, but for the features `lifetime` and `order`. */
#ifndef TESTS_TRUTH_MAKER_H
#define TESTS_TRUTH_MAKER_H

#include "sample.h"

enum type {
    T_S8,
    T_U8,
    T_S16,
    T_U16,
    T_S32,
    T_U32,
    T_S64,
    T_U64,
    T_CHAR,
    T_BOOL,
    T_MODE,
    T_LEVEL,
    T_F32,
    T_F64,
    TYPES
};

struct type_row {
    const char *name;
    bool is_signed;
    int bits;
};
extern const struct type_row type_rows[TYPES];

/* Something that can be read and perhaps written: head, or head[index & (len - 1)]tail. */
struct place {
    char head[32], tail[16];
    enum type type;
    uint32_t len; /* 0: no index */
    bool can_write, is_local, is_input;
    bool is_output;   /* written, and never read */
    int lo, n;        /* what a write must leave: lo .. lo + n - 1; n 0: anything */
    uint32_t choices; /* a volatile input: its number of values; 0: none */
    uint32_t file;    /* where it is known; FILE_HEADER: everywhere */
};
VEC_STRUCT(places, struct place);

struct function {
    char name[24];
    enum type returns, parameters[2];
    uint32_t n_parameters, file;
    bool is_static, is_pure;
};
VEC_STRUCT(functions, struct function);

struct maker {
    struct choices *c;
    struct sample *s;
    bool has[FEATURES];
    uint32_t file; /* that is being written */
    struct places places;
    struct functions functions;
    int indent, budget, loops, names;
    int inside;   /* depth of operands, where no effect is allowed */
    bool is_pure; /* the function being made touches nothing of the module's */
    bool hides_inputs;
    bool returns_value;
    enum type returns;
    bool in_switch;    /* break would leave it */
    const char *label; /* that goto may jump to, or NULL */
    bool label_used;
    bool has_pair, has_bump; /* what structs and pointers bring, in the file of the step */
};

uint64_t pick(struct maker *m, uint64_t n);
bool chance(struct maker *m, unsigned percent);
void put(struct maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
void put_plain(struct maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
void put_oracle(struct maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
void put_line(struct maker *m);
void put_to(struct maker *m, uint32_t file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
uint32_t mark_here(struct maker *m, enum mark_kind kind); /* its number */
bool type_is_float(enum type t);

/* Places: a random one that `wanted` accepts, NULL when there is none. */
typedef bool place_test(const struct maker *m, const struct place *p);
const struct place *pick_place(struct maker *m, place_test *wanted);
struct place *add_place(struct maker *m, enum type t, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool is_known(const struct maker *m, const struct place *p);
void put_read(struct maker *m, const struct place *p);
void put_lvalue(struct maker *m, const struct place *p);

/* Expressions; what they write is a primary one or binds like a cast. */
void make_int(struct maker *m, int depth);
void make_float(struct maker *m, int depth);
void make_value(struct maker *m, enum type t, int depth);  /* to be converted to `t` */
void make_bounded(struct maker *m, const struct place *p); /* a value that may be kept in `p` */
void make_call(struct maker *m, const struct function *f, int depth);
const struct function *pick_function(struct maker *m, bool pure_only, bool floats);
void put_constant(struct maker *m);

/* Decisions. */
void make_controlling(struct maker *m, int depth);
void make_decision(struct maker *m, int depth); /* && || ! in an expression */
/* && `text` as a condition in front of more: for loops that must end. */
void make_controlling_after(struct maker *m, const char *text, int depth);

/* The rest. */
void make_statement(struct maker *m, int depth);
void make_statements(struct maker *m, int depth, uint64_t n);
void make_special(struct maker *m);        /* features that need a shape of their own */
void make_rare(struct maker *m);           /* those of them that are seldom picked */
uint32_t begin_statement(struct maker *m); /* marks what follows; its mark */
void begin_function(struct maker *m, const char *head); /* with its opening brace */
void make_types(struct maker *m);
void make_data(struct maker *m);
void make_tools(struct maker *m);   /* functions that use the data of the file of the step */
void call_keepers(struct maker *m); /* at the start of the step: what they write is state */
void make_functions(struct maker *m);
void make_inputs(struct maker *m);
void make_step(struct maker *m);

#endif
