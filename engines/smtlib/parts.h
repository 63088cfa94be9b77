/* parts: what the files of the SMT-LIB front end share. Not for use outside smt*.c.
 *
 *   smtlib/read.c     text to s-expressions
 *   smtlib/elab.c     s-expressions to values: scopes, let, macros, application
 *   smtlib/core.c     Booleans, equality, if-then-else    smtlib/bv.c  bit-vectors    smtlib/fp.c
 * floats smtlib/overflow.c overflows and reductions of bit-vectors smtlib/number.c   literals and
 * their rounding smtlib/command.c  commands, assertion levels          smtlib/check.c  checks,
 * cores, models
 */
#ifndef ENGINES_SMTLIB_PARTS_H
#define ENGINES_SMTLIB_PARTS_H

#include "engines/smtlib/smt.h"
#include "base/map.h"
#include "base/mem.h"
#include "engines/smtlib/read.h"
#include "model/term/mode.h"

#include <gmp.h>

/* ---- sorts and values ---- */

/* SMT_REAL is a constant for to_fp, SMT_NUMBER a term of an unbounded sort (options.numbers). */
enum smt_kind { SMT_BOOL, SMT_BV, SMT_FLOAT, SMT_RM, SMT_REAL, SMT_NUMBER, SMT_OTHER };
/* A rounding mode is a term, too: its number in 3 bits. */

struct smt_sort {
    enum smt_kind kind;
    uint32_t a, b; /* BV: width; NUMBER: sort; FLOAT: bits of exponent and significand */
};

/* `why` is set when the value cannot be represented, and says what is missing; the sort may then
 * be SMT_OTHER and anything computed from it is like it. */
struct smt_value {
    struct smt_sort sort;
    term_t term;
    uint32_t real; /* REAL: index into smt->reals */
    const char *why;
};
VEC_STRUCT(smt_values, struct smt_value);

struct smt_real {
    mpq_t q;
};

static inline bool smt_sort_same(struct smt_sort x, struct smt_sort y) {
    return x.kind == y.kind && x.a == y.a && x.b == y.b;
}
/* The sort of terms, SORT_NONE when there is none. */
sort_t smt_term_sort(struct smt_sort s);
struct smt_sort smt_sort_of(sort_t sort);     /* of a term */
const char *smt_sort_lack(struct smt_sort s); /* why not, NULL when there is one */

/* ---- symbols ---- */

enum smt_global_kind { GLOBAL_NONE, GLOBAL_VALUE, GLOBAL_MACRO, GLOBAL_SORT };

struct smt_global {
    enum smt_global_kind kind;
    struct smt_value value;
    const struct sx *params, *body; /* MACRO; SORT without parameters: `value.sort` */
    struct smt_sort result;
};

struct smt_undo {
    uint32_t id;
    struct smt_global old;
};

struct smt_local {
    uint32_t id, shadowed; /* index + 1 of the one that it hides */
    struct smt_value value;
};

struct smt_task {
    int kind;
    const struct sx *x;
    size_t base;    /* where its values start */
    size_t barrier; /* MACRO_END: to restore */
};

/* ---- assertions ---- */

struct smt_assertion {
    term_t term;
    svar guard; /* 0: at level 0, for good */
    const char *name;
};

struct smt_level {
    svar guard;
    size_t assertions, undos, lacks, declared;
};

/* Two unspecified results of one operator on equal arguments are equal. */
struct smt_free_result {
    uint32_t op; /* which function, see smtlib/fp.c */
    term_t argument, result;
};

struct smt {
    struct smt_options options;
    struct smt_reader reader;
    struct terms terms;
    struct solver *solver;
    struct frame *frame;

    struct intern names;            /* the first ids are the rows of smt_builtins */
    VEC(struct smt_global) globals; /* by id */
    VEC(uint32_t) top;              /* by id: index + 1 of the innermost local */
    VEC(struct smt_local) locals;
    size_t barrier; /* locals below belong to callers of the macro that is being expanded */
    VEC(struct smt_undo) undos;

    struct smt_values values;
    VEC(struct smt_task) tasks;
    VEC(struct smt_real) reals;
    VEC(struct smt_free_result) free_results;
    term_t zero_choice[8]; /* smtlib/fp.c: which zero fp.min and fp.max give */

    VEC(struct smt_assertion) assertions;
    VEC(term_t) always;      /* hold at all levels: what unspecified results obey */
    VEC(const char *) lacks; /* what was asserted but cannot be represented */
    VEC(struct smt_level) levels;
    VEC(uint32_t) declared; /* ids of the constants that models show, in order */

    enum solver_result last;
    bool ended;
    volatile bool interrupted;
    int expected; /* of (set-info :status): 10, 20, 0 */
    bool print_success, cores_on;
    bool keep_declarations; /* a pop does not undo what names mean */
    bool check_proofs;      /* the solver records proofs: each unsat is checked */
    const char *reason;
    VEC(uint64_t) var_values;
    VEC(uint64_t) node_values;
    VEC(term_t) assumed;               /* of the last check-sat-assuming … */
    VEC(const struct sx *) assumed_as; /* … as they were written */
    VEC(uint32_t) failed;              /* those of them that contradict, after unsat */
    VEC(const char *) core;
};

/* ---- elaboration ---- */

/* The value of a term. */
bool smt_elaborate(struct smt *smt, const struct sx *x, struct smt_value *out, struct err *err);
bool smt_parse_sort(struct smt *smt, const struct sx *x, struct smt_sort *out, struct err *err);
uint32_t smt_name(struct smt *smt, const char *text);
/* Changes what a global name means until the level is popped. */
void smt_define(struct smt *smt, uint32_t id, struct smt_global global);
void smt_undo_to(struct smt *smt, size_t undos); /* names mean again what they did then */

/* ---- operators ---- */

struct smt_builtin;
struct smt_call {
    struct smt *smt;
    const struct sx *at;
    const struct smt_builtin *row;
    const struct sx *const *indices;
    uint32_t n_indices;
    const struct smt_value *args;
    uint32_t n;
    struct err *err;
};

/* One operator: `build` gets the right number of arguments and indices, all representable. */
struct smt_builtin {
    const char *name;
    uint32_t indices, least, most;
    bool (*build)(struct smt_call *c, struct smt_value *out);
    int detail; /* usually an enum op */
};
#define MANY UINT32_MAX
const struct smt_builtin *smt_builtin_at(uint32_t index); /* NULL past the end */

extern const struct smt_builtin smt_core_rows[], smt_bv_rows[], smt_overflow_rows[], smt_fp_rows[],
    smt_unbounded_rows[];
extern const uint32_t smt_core_count, smt_bv_count, smt_overflow_count, smt_fp_count,
    smt_unbounded_count;

static inline struct terms *smt_terms(struct smt_call *c) {
    return &c->smt->terms;
}
bool smt_fail(struct smt_call *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool smt_lack(struct smt_value *out, const char *why);              /* always true */
bool smt_give(struct smt_call *c, struct smt_value *out, term_t t); /* always true */
bool smt_expect(struct smt_call *c, uint32_t arg, enum smt_kind kind);
bool smt_same_sorts(struct smt_call *c, uint32_t from);
bool smt_index(struct smt_call *c, uint32_t i, uint32_t *value);
/* Asserts for good: what defines an unspecified result. */
void smt_assert_always(struct smt *smt, term_t t);
/* Before an assertion that holds for good is encoded: see smtlib/equations.c. */
void smt_equations(struct smt *smt, term_t asserted);

/* ---- numbers ---- */

/* The same constant as a term of Int or Real; +, -, *, / on such terms. */
bool smt_unbounded_literal(struct smt *smt, const mpq_t value, bool whole, struct smt_value *out);
bool smt_unbounded_arithmetic(struct smt_call *c, struct smt_value *out);

bool smt_literal(struct smt *smt, const struct sx *x, struct smt_value *out, struct err *err);
uint32_t smt_real_new(struct smt *smt); /* zero */
uint64_t smt_real_round(const mpq_t q, sort_t sort, enum rounding_mode rm);
void smt_print_value(struct str *out, struct smt_sort sort, uint64_t bits);
void smt_print_sort(struct str *out, struct smt_sort sort);
void smt_print_symbol(struct str *out, const char *name);

/* ---- commands ---- */

bool smt_command(struct smt *smt, const struct sx *x, struct str *out, struct err *err);
bool smt_assert(struct smt *smt, const struct sx *x, struct err *err);
void smt_push(struct smt *smt);
void smt_pop(struct smt *smt);
bool smt_check(struct smt *smt, const struct sx *assumptions, struct str *out, struct err *err);
bool smt_get_value(struct smt *smt, const struct sx *x, struct str *out, struct err *err);
bool smt_get_model(struct smt *smt, const struct sx *x, struct str *out, struct err *err);
bool smt_get_core(struct smt *smt, const struct sx *x, struct str *out, struct err *err);
bool smt_get_failed(struct smt *smt, const struct sx *x, struct str *out, struct err *err);
void smt_solver_start(struct smt *smt);
void smt_solver_stop(struct smt *smt);

#endif
