/* mix: sums that are a mean of two others, by a weight that is a variable.
 *
 * x + (y - x) * w and x * (1 - w) + y * w lie between x and y while 0 <= w <= 1: interpolation in a
 * table, a filter whose coefficient is a parameter, a cross-fade of two sensors. Boxes take the two
 * x (the two w) as independent, and no linear form has a product of two variables in it. So the
 * definition of a sum is expanded, through one product with w, into
 *
 *     z = sum of (c0 + c1 * w) * leaf + constant + the errors of the operations in between
 *
 * which is linear in w: for lo <= w <= hi its value lies between those at lo and at hi. These are
 * linear forms, each evaluated with its repeated leaves collected. With integers the product is
 * shifted or divided later on; then the mean is all y at w = 2^shift.
 *
 * A contractor has to be monotone to the last bit, so the form is not evaluated at the present
 * bounds of w (coefficients that move with a box are rounded this way and that), but at all points
 * of a fixed grid from 0 to where the mean reaches y that surround them. What w has beyond the
 * grid counts by its distance times c1.
 *
 *     y0 + (y1 - y0) * f         y0, y1 in [0, 100], f in [0, 1]: in [0, 100] and two roundings,
 *                                where boxes say [-100, 200]
 *
 * Errors are those of linear.h, times what the operation is multiplied with further on. Only the
 * result is narrowed. Operands, in this order: z, leaves, mids, the weight.
 */
#ifndef ENGINES_SOLVER_RELATIONS_MIX_H
#define ENGINES_SOLVER_RELATIONS_MIX_H

#include "engines/solver/core.h"

enum { MIX_LEAVES = 7, MIX_POINTS = 11 };

/* What the error of a mid is multiplied with: (constant + slope * w) * operand `by`. */
struct mix_share {
    double constant, slope;
    double doubt; /* of both, in units of SLACK (linear_parts.h) */
    int8_t by;    /* 0: none */
};

struct mix {
    struct linear base; /* var[]: the operands; n_leaves, n_mids, mid[]; no coefficients */
    int n_operands;
    double at[MIX_POINTS];                   /* of the weight, ascending from 0 */
    double coef[MIX_POINTS][MIX_LEAVES + 1]; /* by leaf; [0] is the constant */
    double slope[MIX_LEAVES + 1];            /* c1 */
    double most[MIX_LEAVES + 1],
        doubt[MIX_LEAVES + 1];            /* |c0| + |c1 * w| on the grid; its doubts */
    struct mix_share share[MAX_OPERANDS]; /* by mid, [0] is z itself */
};

/* Adds the mixes that variable v is, if it is one; v has just been defined. */
void mix_add(struct solver *s, svar v);

/* As contract(), for the result. */
bool mix_contract(const struct solver *s, const struct mix *mix, const struct range *r,
                  struct range *out);
/* False while the weight is far from the grid: then nothing is narrowed. */
bool mix_awake(const struct solver *s, const struct mix *mix);

#endif
