/* The linear program of the present bounds, and what follows from its solution: see relax.h. */
#include "engines/solver/relations/relax.h"
#include "engines/solver/clause.h"
#include "engines/solver/relations/linear.h"
#include "engines/solver/record.h"
#include "engines/solver/relations/relax_parts.h"
#include "engines/solver/relations/simplex.h"

#include <math.h>

enum { MAX_ROWS = 400, MAX_COLUMNS = 160 };
/* The pause after a program, in times of its cost: after a contradiction, at most after a point,
 * and at most when nothing came of it. */
enum { COST_SHARE = 4, POINT_SHARE = 16, MOST_SHARE = 4096 };

void relax_restart(struct solver *s) {
    s->relax_at = s->stats.ticks + s->knobs.relax_first;
    s->relax_share = COST_SHARE;
    s->diving = s->relax_deeper = false;
    s->dive_at = s->dives = 0;
}

bool relax_due(const struct solver *s) {
    return s->stats.ticks >= s->relax_at && !recording(s);
}

struct box {
    double lo, hi;
};

static struct box box_of(const struct solver *s, svar v) {
    svar nan = s->nan.data[v];
    if (nan && var_hi(s, nan) == 1)
        return (struct box){-INFINITY, INFINITY};
    return (struct box){linear_value(s, v, var_lo(s, v)), linear_value(s, v, var_hi(s, v))};
}

static bool holds(const struct solver *s, struct relax_row row) {
    if (row.kind != RELAX_EDGE)
        return true;
    const struct order_edge *e = &s->order.edges.data[row.of];
    for (int i = 0; i < e->n_guards; i++)
        if (!lit_true(s, e->guard[i]))
            return false;
    return true;
}

/* The right-hand side once the constants and the row's own variable are put in. */
static double right_side(const struct solver *s, const struct relax_side *side) {
    double rest = side->slack;
    for (int k = 0; k < 2 && side->form[k]; k++)
        rest -= side->sign[k] * relax_form_of(s->relax, side->form[k])->constant;
    if (side->own) {
        struct box b = box_of(s, side->own);
        rest -= side->own_sign > 0 ? b.lo : -b.hi;
    }
    return rest;
}

/* The greatest value that the left side can have in the box. */
static double most_of(const struct solver *s, const struct relax_side *side) {
    const struct relax *r = s->relax;
    double most = 0;
    for (int k = 0; k < 2 && side->form[k]; k++) {
        const struct relax_form *f = relax_form_of(r, side->form[k]);
        for (uint32_t i = f->first; i < f->first + f->n; i++) {
            double coef = side->sign[k] * r->terms.data[i].coef;
            struct box b = box_of(s, r->terms.data[i].leaf);
            if (coef != 0)
                most += coef > 0 ? coef * b.hi : coef * b.lo;
        }
    }
    return most;
}

static void columns_add(struct solver *s, const struct relax_side *side) {
    struct relax *r = s->relax;
    for (int k = 0; k < 2 && side->form[k]; k++) {
        const struct relax_form *f = relax_form_of(r, side->form[k]);
        for (uint32_t i = f->first; i < f->first + f->n; i++) {
            svar leaf = r->terms.data[i].leaf;
            if (r->column_of.data[leaf] || var_fixed(s, leaf))
                continue;
            vec_push(&r->columns, leaf);
            r->column_of.data[leaf] = (uint32_t)r->columns.len;
        }
    }
}

/* Picks the rows that hold and say something. False: too many. */
static bool pick_rows(struct solver *s) {
    struct relax *r = s->relax;
    for (size_t i = 0; i < r->columns.len; i++)
        r->column_of.data[r->columns.data[i]] = 0;
    vec_clear(&r->columns);
    vec_clear(&r->active);
    vec_resize_zero(&r->column_of, (size_t)s->n_vars + 1);
    for (size_t i = 0; i < r->rows.len; i++) {
        struct relax_row row = r->rows.data[i];
        if (!holds(s, row))
            continue;
        struct relax_side side = relax_side_of(s, row);
        double right = right_side(s, &side);
        if (!isfinite(right) || most_of(s, &side) <= right)
            continue;
        vec_push(&r->active, row);
        columns_add(s, &side);
        if (r->active.len > MAX_ROWS || r->columns.len > MAX_COLUMNS)
            return false;
    }
    s->stats.ticks += r->rows.len / 4;
    return r->active.len > 0 && r->columns.len > 0;
}

static void fill_columns(const struct solver *s, struct simplex *lp, double *width) {
    const struct relax *r = s->relax;
    for (size_t k = 0; k < r->columns.len; k++) {
        svar v = r->columns.data[k];
        struct box b = box_of(s, v);
        double at = linear_value(s, v, s->phase.data[v]);
        width[k] = isfinite(b.hi - b.lo) && b.hi > b.lo ? b.hi - b.lo : 1;
        lp->lo[k] = b.lo / width[k];
        lp->hi[k] = b.hi / width[k];
        at = isfinite(at) ? at / width[k] : 0;
        lp->x[k] = fmin(fmax(at, lp->lo[k]), lp->hi[k]);
    }
}

/* Columns are measured in widths of their boxes, rows are scaled to a greatest coefficient of 1. */
static void fill_row(const struct solver *s, struct simplex *lp, size_t at, const double *width,
                     double *scale) {
    const struct relax *r = s->relax;
    struct relax_side side = relax_side_of(s, r->active.data[at]);
    double *row = lp->coef + at * r->columns.len, greatest = 0, sum = 0;
    double right = right_side(s, &side);
    for (int k = 0; k < 2 && side.form[k]; k++) {
        const struct relax_form *f = relax_form_of(r, side.form[k]);
        for (uint32_t i = f->first; i < f->first + f->n; i++) {
            const struct relax_term *t = &r->terms.data[i];
            uint32_t column = r->column_of.data[t->leaf];
            if (column)
                row[column - 1] += side.sign[k] * t->coef * width[column - 1];
            else
                right -= side.sign[k] * t->coef * box_of(s, t->leaf).lo;
        }
    }
    for (size_t k = 0; k < r->columns.len; k++)
        greatest = fmax(greatest, fabs(row[k]));
    greatest = greatest > 0 && isfinite(greatest) ? greatest : 1;
    for (size_t k = 0; k < r->columns.len; k++) {
        row[k] /= greatest;
        sum += fabs(row[k]);
    }
    lp->rhs[at] = right / greatest;
    lp->slope[at] = fmax(sum, 1);
    scale[at] = greatest;
}

static bool solve_program(struct solver *s, struct simplex *lp, double *width, double *scale) {
    const struct relax *r = s->relax;
    fill_columns(s, lp, width);
    for (size_t i = 0; i < r->active.len; i++) {
        fill_row(s, lp, i, width, scale);
        if (!isfinite(lp->rhs[i]))
            return false;
    }
    bool solved = simplex_solve(lp);
    s->stats.ticks += lp->effort / 32;
    for (size_t i = 0; i < r->active.len; i++)
        lp->y[i] /= scale[i];
    for (size_t k = 0; k < r->columns.len; k++)
        lp->x[k] *= width[k];
    return solved;
}

/* The ordinal next to x, within the bounds of v. */
static int64_t ordinal_near(const struct solver *s, svar v, double x) {
    sort_t sort = s->sort.data[v];
    int64_t lo = var_lo(s, v), hi = var_hi(s, v), near;
    if (x <= linear_value(s, v, lo))
        return lo;
    if (x >= linear_value(s, v, hi))
        return hi;
    if (sort == SORT_F64)
        near = ordinal_of(sort, true, f64_bits(x));
    else if (sort == SORT_F32)
        near = ordinal_of(sort, true, f32_bits((float)x));
    else
        near = llround(x);
    return near < lo ? lo : near > hi ? hi : near;
}

static enum relax_result take_point(struct solver *s, const struct simplex *lp) {
    const struct relax *r = s->relax;
    for (size_t k = 0; k < r->columns.len; k++) {
        svar v = r->columns.data[k];
        if (isfinite(lp->x[k]))
            s->phase.data[v] = ordinal_near(s, v, lp->x[k]);
    }
    return RELAX_POINT;
}

static enum relax_result run(struct solver *s) {
    struct relax *r = s->relax;
    enum relax_result result = RELAX_NOTHING;
    struct simplex lp;
    simplex_init(&lp, (int)r->active.len, (int)r->columns.len);
    double *width = mem_zalloc(r->columns.len, sizeof *width);
    double *scale = mem_zalloc(r->active.len, sizeof *scale);
    if (solve_program(s, &lp, width, scale)) {
        if (lp.t > 0)
            result = take_point(s, &lp);
        else if (relax_blame(s, lp.y) && ++s->stats.linear_conflicts)
            result = clause_add_lemma(s, &r->blame) ? RELAX_LEMMA : RELAX_CONFLICT;
    }
    simplex_free(&lp);
    mem_free(width);
    mem_free(scale);
    return result;
}

enum relax_result relax_now(struct solver *s) {
    uint64_t start = s->stats.ticks;
    enum relax_result result = RELAX_NOTHING;
    if (!s->relax)
        s->relax = mem_zalloc(1, sizeof *s->relax);
    if (s->relax->built_for != s->prims.len)
        relax_build(s);
    if (s->relax->rows.len > 0 && pick_rows(s))
        result = run(s);
    uint64_t cost = s->stats.ticks - start;
    uint64_t most = result == RELAX_NOTHING ? MOST_SHARE : POINT_SHARE;
    if (result == RELAX_LEMMA || result == RELAX_CONFLICT)
        s->relax_share = COST_SHARE;
    else
        s->relax_share = 2 * s->relax_share < most ? 2 * s->relax_share : most;
    s->relax_at = s->stats.ticks + s->relax_share * cost;
    return result;
}

void relax_free(struct solver *s) {
    struct relax *r = s->relax;
    if (!r)
        return;
    vec_free(&r->terms);
    vec_free(&r->forms);
    vec_free(&r->rows);
    vec_free(&r->active);
    vec_free(&r->columns);
    vec_free(&r->column_of);
    vec_free(&r->blame);
    mem_free(r);
}
