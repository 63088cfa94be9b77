/* relax_parts: what the files of relax.h share. */
#ifndef ENGINES_SOLVER_RELATIONS_RELAX_PARTS_H
#define ENGINES_SOLVER_RELATIONS_RELAX_PARTS_H

#include "engines/solver/relations/relax.h"

struct relax_term {
    svar leaf;
    double coef;
    double weight; /* sum of the absolute values that coef was computed from */
};

/* v = sum of terms + constant, give or take `error`; leaves are finite wherever v is used */
struct relax_form {
    uint32_t first, n; /* terms */
    double constant, weight, error;
    uint8_t depth;
    bool known; /* not just v itself */
};

enum relax_kind { RELAX_LOWER, RELAX_UPPER, RELAX_EDGE };

/* LOWER: v - form(v) <= error; UPPER: form(v) - v <= error; EDGE: form(from) - form(to) <= error */
struct relax_row {
    enum relax_kind kind;
    uint32_t of; /* variable or edge */
};

struct relax {
    VEC(struct relax_term) terms;
    VEC(struct relax_form) forms;  /* by variable */
    VEC(struct relax_row) rows;    /* all that may come to hold */
    VEC(struct relax_row) active;  /* of the present program */
    struct ids columns, column_of; /* leaves of the present program; by variable: place + 1 */
    size_t built_for;              /* so many constraints existed */
    struct lits blame;
};

/* forms, relax_form.c */
void relax_build(struct solver *s);
const struct relax_form *relax_form_of(const struct relax *r, svar v);

/* The clause that multipliers y of the active rows prove, in r->blame. False: they prove nothing.
 * relax_blame.c */
bool relax_blame(struct solver *s, const double *y);

/* A row as terms: at most two forms with a sign, and the bound of a variable. */
struct relax_side {
    svar form[2]; /* 0: none */
    double sign[2];
    svar own; /* 0: none */
    double own_sign;
    double slack; /* the right-hand side */
};
struct relax_side relax_side_of(const struct solver *s, struct relax_row row);

#endif
