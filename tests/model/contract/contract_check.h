/* contract_check: brute force for contractors over sorts small enough to enumerate.
 *
 * A universe lists the values of one operand: ordinals lo..hi and, for floats, NaN. The operator
 * is given as a table over all argument values; hulls of solutions come from it by enumeration.
 */
#ifndef TESTS_MODEL_CONTRACT_CONTRACT_CHECK_H
#define TESTS_MODEL_CONTRACT_CONTRACT_CHECK_H

#include "base/rng.h"
#include "base/mem.h"
#include "model/contract/contract.h"

#include "unity.h"

#include <stdio.h>

enum { VALUE_NAN = 1 << 20 };

struct universe {
    int lo, hi;
    bool nan;
};

struct relation {
    char name[64];
    int arity;
    struct universe of[4];
    int *result; /* [x][y][w], by index */
    struct range (*contract)(const struct relation *rel, const struct range r[4], int which);
    const void *context;
    struct prim prim;
};

static inline int universe_size(struct universe u) {
    return u.hi - u.lo + 1 + u.nan;
}
static inline int universe_value(struct universe u, int index) {
    return u.lo + index > u.hi ? VALUE_NAN : u.lo + index;
}
static inline bool value_in(struct range r, int value) {
    return value == VALUE_NAN ? r.nan : range_has(r, value);
}
static inline struct range value_range(int value) {
    return value == VALUE_NAN ? range_only_nan() : range_point(value);
}

static inline size_t relation_size(const struct relation *rel) {
    size_t n = 1;
    for (int i = 1; i <= rel->arity; i++)
        n *= (size_t)universe_size(rel->of[i]);
    return n;
}

/* The values of a universe that a range has, and their places in it. */
struct members {
    int n, value[300], index[300];
};

static inline void members_of(struct universe u, struct range r, struct members *m) {
    m->n = 0;
    for (int i = 0, n = universe_size(u); i < n; i++)
        if (value_in(r, universe_value(u, i))) {
            m->index[m->n] = i;
            m->value[m->n++] = universe_value(u, i);
        }
}

static inline void hull_add(struct range *hull, int value) {
    if (value == VALUE_NAN) {
        hull->nan = true;
    } else if (!hull->num) {
        hull->lo = hull->hi = value;
        hull->num = true;
    } else {
        hull->lo = value < hull->lo ? value : hull->lo;
        hull->hi = value > hull->hi ? value : hull->hi;
    }
}

/* The hulls of the operands of all solutions inside `r`. */
static inline void relation_hull(const struct relation *rel, const struct range r[4],
                                 struct range hull[4]) {
    static struct members m[4];
    int n[4] = {1, 1, 1, 1};
    for (int i = 0; i < 4; i++)
        hull[i] = range_empty();
    for (int i = 1; i < 4; i++) {
        m[i].n = 1;
        m[i].value[0] = m[i].index[0] = 0;
        if (i > rel->arity)
            continue;
        n[i] = universe_size(rel->of[i]);
        members_of(rel->of[i], r[i], &m[i]);
    }
    for (int a = 0; a < m[1].n; a++)
        for (int b = 0; b < m[2].n; b++)
            for (int c = 0; c < m[3].n; c++) {
                size_t at = (size_t)m[1].index[a] * (size_t)n[2] + (size_t)m[2].index[b];
                int z = rel->result[at * (size_t)n[3] + (size_t)m[3].index[c]];
                if (!value_in(r[0], z))
                    continue;
                hull_add(&hull[0], z);
                hull_add(&hull[1], m[1].value[a]);
                hull_add(&hull[2], m[2].value[b]);
                hull_add(&hull[3], m[3].value[c]);
            }
}

static inline void relation_fail(const struct relation *rel, const struct range r[4], int which,
                                 struct range got, struct range want, const char *what) {
    char text[512];
    int at = snprintf(text, sizeof text, "%s %s operand %d:", rel->name, what, which);
    for (int i = 0; i <= rel->arity; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, " [%d,%d]%s%s", (int)r[i].lo,
                       (int)r[i].hi, r[i].num ? "" : "!", r[i].nan ? "+nan" : "");
    snprintf(text + at, sizeof text - (size_t)at, " got [%d,%d]%s%s want [%d,%d]%s%s", (int)got.lo,
             (int)got.hi, got.num ? "" : "!", got.nan ? "+nan" : "", (int)want.lo, (int)want.hi,
             want.num ? "" : "!", want.nan ? "+nan" : "");
    TEST_FAIL_MESSAGE(text);
}

/* How often the narrowed range was the hull itself. */
struct tightness {
    uint64_t exact, total;
};

/* Checks soundness; with `must` also that the bounds are attained. */
static inline void relation_check(const struct relation *rel, const struct range r[4], bool must,
                                  struct tightness *tight) {
    struct range hull[4];
    relation_hull(rel, r, hull);
    for (int which = 0; which <= rel->arity; which++) {
        struct range got = rel->contract(rel, r, which);
        if (!range_inside(got, r[which]) || !range_inside(hull[which], got))
            relation_fail(rel, r, which, got, hull[which], "is unsound");
        bool same = range_same(got, hull[which]);
        if (must && !same)
            relation_fail(rel, r, which, got, hull[which], "is not tight");
        tight->exact += same;
        tight->total++;
    }
}

/* A range of the universe: all, a point, near an end or zero, or anything. */
static inline struct range universe_random(struct universe u, struct rng *rng) {
    uint64_t n = (uint64_t)(u.hi - u.lo + 1);
    int a = u.lo + (int)rng_below(rng, n), b = u.lo + (int)rng_below(rng, n);
    switch (rng_below(rng, 6)) {
    case 0:
        b = a;
        break;
    case 1:
        a = u.lo;
        break;
    case 2:
        b = u.hi;
        break;
    case 3:
        a = u.lo <= 0 && 0 <= u.hi ? -(int)rng_below(rng, 2) : a;
        a = a < u.lo ? u.lo : a;
        break;
    }
    struct range r = range_between(a < b ? a : b, a < b ? b : a);
    if (u.nan) {
        r.nan = rng_below(rng, 3) == 0;
        r.num = !r.nan || rng_below(rng, 4) != 0;
    }
    return r;
}

/* Enlarges every operand a little: the narrowed ranges may only grow. */
static inline void relation_check_monotone(const struct relation *rel, const struct range r[4],
                                           struct rng *rng) {
    struct range larger[4];
    for (int i = 0; i <= rel->arity; i++)
        larger[i] = rng_below(rng, 2) ? r[i] : range_join(r[i], universe_random(rel->of[i], rng));
    for (int which = 0; which <= rel->arity; which++) {
        struct range small = rel->contract(rel, r, which);
        struct range large = rel->contract(rel, larger, which);
        if (!range_inside(small, large))
            relation_fail(rel, r, which, small, large, "is not monotone at");
    }
}

static inline void relation_random(const struct relation *rel, int arity, struct range r[4],
                                   struct rng *rng) {
    for (int i = 0; i <= arity; i++)
        r[i] = universe_random(rel->of[i], rng);
}

/* ---- all ranges of two arguments ---- */

static inline struct range universe_numbers(struct universe u) {
    struct range r = range_between(u.lo, u.hi);
    r.nan = u.nan;
    return r;
}

static inline int relation_value(const struct relation *rel, int x, int y) {
    int n = universe_size(rel->of[2]);
    return rel->result[(size_t)(x - rel->of[1].lo) * (size_t)n + (size_t)(y - rel->of[2].lo)];
}

/* For every range of x, of y, and the whole result: the narrowed result is the hull. */
static inline void relation_check_forward(const struct relation *rel) {
    struct universe ux = rel->of[1], uy = rel->of[2];
    struct range r[4] = {universe_numbers(rel->of[0])};
    struct range *column = mem_zalloc((size_t)universe_size(uy), sizeof *column);
    for (int a = ux.lo; a <= ux.hi; a++) {
        for (int y = uy.lo; y <= uy.hi; y++)
            column[y - uy.lo] = range_empty();
        for (int b = a; b <= ux.hi; b++) {
            for (int y = uy.lo; y <= uy.hi; y++)
                column[y - uy.lo] =
                    range_join(column[y - uy.lo], value_range(relation_value(rel, b, y)));
            r[1] = range_between(a, b);
            for (int c = uy.lo; c <= uy.hi; c++) {
                struct range hull = range_empty();
                for (int d = c; d <= uy.hi; d++) {
                    hull = range_join(hull, column[d - uy.lo]);
                    r[2] = range_between(c, d);
                    struct range got = rel->contract(rel, r, 0);
                    if (!range_same(got, hull))
                        relation_fail(rel, r, 0, got, hull, "is not the hull at");
                }
            }
        }
    }
    mem_free(column);
}

/* For every range of the result and every value of the other argument: the narrowed argument is
 * the hull of the solutions. */
static inline void relation_check_back(const struct relation *rel, int which) {
    struct universe u = rel->of[which], other = rel->of[3 - which], uz = rel->of[0];
    struct range r[4];
    size_t n = (size_t)(uz.hi - uz.lo + 1);
    struct range *by_result = mem_zalloc(n, sizeof *by_result);
    for (int fixed = other.lo; fixed <= other.hi; fixed++) {
        for (size_t i = 0; i < n; i++)
            by_result[i] = range_empty();
        for (int v = u.lo; v <= u.hi; v++) {
            int z = which == 1 ? relation_value(rel, v, fixed) : relation_value(rel, fixed, v);
            if (z != VALUE_NAN)
                by_result[z - uz.lo] = range_join(by_result[z - uz.lo], range_point(v));
        }
        r[which] = range_between(u.lo, u.hi);
        r[3 - which] = range_point(fixed);
        for (int c = uz.lo; c <= uz.hi; c++) {
            struct range hull = range_empty();
            for (int d = c; d <= uz.hi; d++) {
                hull = range_join(hull, by_result[d - uz.lo]);
                r[0] = range_between(c, d);
                struct range got = rel->contract(rel, r, which);
                if (!range_same(got, hull))
                    relation_fail(rel, r, which, got, hull, "is not the hull at");
            }
        }
    }
    mem_free(by_result);
}

#endif
