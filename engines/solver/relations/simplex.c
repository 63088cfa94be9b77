/* The primal simplex method with bounds, on a dense dictionary: see simplex.h.
 *
 * Every basic variable is an affine function of the others; d[i][k] is its slope in the k-th of
 * these. Variables are numbered: columns, then t, then a slack a row (slack = rhs - coef * x -
 * slope * t >= 0). The start is feasible because t can be as small as the worst row wants. A
 * variable outside the basis may stand between its bounds, where the search began. */
#include "engines/solver/relations/simplex.h"
#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#define TINY_COST 1e-9
#define TINY_PIVOT 1e-8

struct dictionary {
    int m, n; /* basic variables, others */
    double *d, *cost;
    double *basic_value, *other_value;
    int *basic, *other; /* numbers of variables */
    double *lo, *hi;    /* by number */
};

void simplex_init(struct simplex *lp, int n_rows, int n_columns) {
    size_t m = (size_t)n_rows, n = (size_t)n_columns;
    assert(n_rows >= 1 && n_columns >= 1);
    *lp = (struct simplex){.n_rows = n_rows, .n_columns = n_columns};
    lp->coef = mem_zalloc(m * n, sizeof *lp->coef);
    lp->rhs = mem_zalloc(m, sizeof *lp->rhs);
    lp->slope = mem_zalloc(m, sizeof *lp->slope);
    lp->y = mem_zalloc(m, sizeof *lp->y);
    lp->lo = mem_zalloc(n, sizeof *lp->lo);
    lp->hi = mem_zalloc(n, sizeof *lp->hi);
    lp->x = mem_zalloc(n, sizeof *lp->x);
}

void simplex_free(struct simplex *lp) {
    mem_free(lp->coef);
    mem_free(lp->rhs);
    mem_free(lp->slope);
    mem_free(lp->y);
    mem_free(lp->lo);
    mem_free(lp->hi);
    mem_free(lp->x);
}

static void dictionary_free(struct dictionary *d) {
    mem_free(d->d);
    mem_free(d->cost);
    mem_free(d->basic_value);
    mem_free(d->other_value);
    mem_free(d->basic);
    mem_free(d->other);
    mem_free(d->lo);
    mem_free(d->hi);
}

static void dictionary_alloc(struct dictionary *d, int m, int n) {
    size_t rows = (size_t)m, others = (size_t)n;
    *d = (struct dictionary){.m = m, .n = n};
    d->d = mem_zalloc(rows * others, sizeof *d->d);
    d->cost = mem_zalloc(others, sizeof *d->cost);
    d->basic_value = mem_zalloc(rows, sizeof *d->basic_value);
    d->other_value = mem_zalloc(others, sizeof *d->other_value);
    d->basic = mem_zalloc(rows, sizeof *d->basic);
    d->other = mem_zalloc(others, sizeof *d->other);
    d->lo = mem_zalloc(rows + others, sizeof *d->lo);
    d->hi = mem_zalloc(rows + others, sizeof *d->hi);
}

/* Slacks are basic, t is the last of the others and still -infinity; its value comes from the row
 * that limits it most, which is returned. */
static int dictionary_start(struct dictionary *d, const struct simplex *lp) {
    int worst = 0, n = lp->n_columns;
    double t = INFINITY;
    for (int k = 0; k < n; k++) {
        d->other[k] = k;
        d->other_value[k] = lp->x[k];
        d->lo[k] = lp->lo[k];
        d->hi[k] = lp->hi[k];
    }
    d->other[n] = n;
    d->lo[n] = -INFINITY;
    d->hi[n] = INFINITY;
    d->cost[n] = 1;
    for (int i = 0; i < d->m; i++) {
        d->basic[i] = n + 1 + i;
        d->hi[n + 1 + i] = INFINITY;
        double slack = lp->rhs[i];
        for (int k = 0; k < n; k++) {
            d->d[i * d->n + k] = -lp->coef[i * n + k];
            slack -= lp->coef[i * n + k] * lp->x[k];
        }
        d->d[i * d->n + n] = -lp->slope[i];
        d->basic_value[i] = slack;
        if (slack / lp->slope[i] < t) {
            t = slack / lp->slope[i];
            worst = i;
        }
    }
    d->other_value[n] = t;
    for (int i = 0; i < d->m; i++)
        d->basic_value[i] -= lp->slope[i] * t;
    return worst;
}

/* Basic variable r and other variable k change places. */
static void pivot(struct dictionary *d, int r, int k) {
    double *row = d->d + r * d->n, p = row[k];
    for (int j = 0; j < d->n; j++)
        row[j] = -row[j] / p;
    row[k] = 1 / p;
    for (int i = 0; i <= d->m; i++) {
        double *to = i < d->m ? d->d + i * d->n : d->cost, f = to[k];
        if (i == r || f == 0)
            continue;
        to[k] = 0;
        for (int j = 0; j < d->n; j++)
            to[j] += f * row[j];
    }
    int number = d->basic[r];
    double value = d->basic_value[r];
    d->basic[r] = d->other[k];
    d->basic_value[r] = d->other_value[k];
    d->other[k] = number;
    d->other_value[k] = value;
}

/* The variable whose move raises t most; -1: t is as large as can be. *up: it grows. */
static int choose_other(const struct dictionary *d, bool *up) {
    int best = -1;
    for (int k = 0; k < d->n; k++) {
        double c = d->cost[k], value = d->other_value[k];
        int number = d->other[k];
        if (c > 0 ? value >= d->hi[number] : value <= d->lo[number])
            continue;
        if (fabs(c) > (best < 0 ? TINY_COST : fabs(d->cost[best])))
            best = k;
    }
    *up = best >= 0 && d->cost[best] > 0;
    return best;
}

/* How far variable k can go, and which basic variable (-1: none, its own bound) stops it. */
static double choose_basic(const struct dictionary *d, int k, double sign, int *stop) {
    int number = d->other[k];
    double far = sign > 0 ? d->hi[number] - d->other_value[k] : d->other_value[k] - d->lo[number];
    *stop = -1;
    for (int i = 0; i < d->m; i++) {
        double slope = d->d[i * d->n + k] * sign;
        if (fabs(slope) < TINY_PIVOT)
            continue;
        double room = slope > 0 ? d->hi[d->basic[i]] - d->basic_value[i]
                                : d->basic_value[i] - d->lo[d->basic[i]];
        double way = fmax(room, 0) / fabs(slope);
        if (way < far || (way == far && *stop >= 0 && fabs(slope) > fabs(d->d[*stop * d->n + k]))) {
            far = way;
            *stop = i;
        }
    }
    return far;
}

static void move(struct dictionary *d, int k, double by, int stop, bool to_upper) {
    for (int i = 0; i < d->m; i++)
        d->basic_value[i] += d->d[i * d->n + k] * by;
    d->other_value[k] += by;
    if (stop < 0) {
        d->other_value[k] = to_upper ? d->hi[d->other[k]] : d->lo[d->other[k]];
        return;
    }
    bool upper = d->d[stop * d->n + k] * by > 0 ||
                 (by == 0 && d->basic_value[stop] >= d->hi[d->basic[stop]]);
    d->basic_value[stop] = upper ? d->hi[d->basic[stop]] : d->lo[d->basic[stop]];
    pivot(d, stop, k);
}

static void read_result(struct simplex *lp, const struct dictionary *d) {
    int n = lp->n_columns;
    for (int i = 0; i < d->m; i++) {
        if (d->basic[i] < n)
            lp->x[d->basic[i]] = d->basic_value[i];
        if (d->basic[i] == n)
            lp->t = d->basic_value[i];
    }
    for (int k = 0; k < d->n; k++) {
        int number = d->other[k];
        if (number < n)
            lp->x[number] = d->other_value[k];
        else if (number == n)
            lp->t = d->other_value[k];
        else
            lp->y[number - n - 1] = fmax(-d->cost[k], 0);
    }
}

bool simplex_solve(struct simplex *lp) {
    struct dictionary d;
    bool up = false, best = false, endless = false;
    int limit = 50 + 8 * (lp->n_rows + lp->n_columns);
    dictionary_alloc(&d, lp->n_rows, lp->n_columns + 1);
    pivot(&d, dictionary_start(&d, lp), lp->n_columns);
    for (int steps = 0; steps < limit && !best && !endless; steps++) {
        int stop, k = choose_other(&d, &up);
        lp->effort += (uint64_t)d.m * (uint64_t)d.n;
        best = k < 0;
        if (best)
            break;
        double way = choose_basic(&d, k, up ? 1 : -1, &stop);
        endless = !isfinite(way);
        if (!endless)
            move(&d, k, up ? way : -way, stop, up);
    }
    read_result(lp, &d);
    dictionary_free(&d);
    return isfinite(lp->t) && (best || lp->t > 0);
}
