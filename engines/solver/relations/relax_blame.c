/* From multipliers to a clause: see relax.h. The rows, each times its multiplier, add up to
 *
 *     sum of coef * operand <= rest
 *
 * where operands are leaves and results of sums. It is contradictory when the least value that the
 * bounds leave to the left side is above `rest`, by more than all roundings made on the way: less
 * than 2^-43 of what was added up, for fewer than 500 of them follow each other. */
#include "engines/solver/clause.h"
#include "engines/solver/relations/linear.h"
#include "engines/solver/relations/relax_parts.h"
#include "engines/solver/trail.h"

#include <math.h>
#include <stdlib.h>

#define SLACK 0x1p-42

enum { MAX_ROWS_BLAMED = 128 };

struct operand {
    svar v;
    double coef, weight;
    uint32_t at[2];   /* the trail entry of the bound that is used, 0: level 0 */
    int64_t bound[2]; /* by side */
    double least;
};
VEC_STRUCT(operands, struct operand);

struct combination {
    const struct solver *s;
    struct operands operands;
    struct map place; /* variable -> index in operands */
    double rest, rest_weight;
    double left; /* by how much it is contradictory, at least */
};

static double doubt(const struct operand *o) {
    return SLACK * (o->weight + 1e-290);
}

static bool uses_side(const struct operand *o, int side) {
    return side == 0 ? o->coef > -doubt(o) : o->coef < doubt(o);
}

static double least_of(const struct solver *s, const struct operand *o) {
    double d = doubt(o), lo = linear_value(s, o->v, o->bound[0]),
           hi = linear_value(s, o->v, ~o->bound[1]);
    if (!uses_side(o, 1))
        return o->coef * lo - d * fabs(lo);
    if (!uses_side(o, 0))
        return o->coef * hi - d * fabs(hi);
    return -(fabs(o->coef) + d) * fmax(fabs(lo), fabs(hi));
}

static void operand_add(struct combination *c, svar v, double coef, double weight) {
    const uint32_t *known = map_get(&c->place, v);
    if (!known) {
        struct operand o = {.v = v};
        for (uint32_t side = 0; side < 2; side++) {
            o.at[side] = c->s->trail_at.data[2 * v + side];
            o.bound[side] = c->s->bound.data[2 * v + side];
        }
        map_put(&c->place, v, (uint32_t)c->operands.len);
        vec_push(&c->operands, o);
    }
    struct operand *o = &c->operands.data[known ? *known : c->operands.len - 1];
    o->coef += coef;
    o->weight += weight;
}

static void combine_row(struct combination *c, struct relax_row row, double y) {
    const struct relax *r = c->s->relax;
    struct relax_side side = relax_side_of(c->s, row);
    for (int k = 0; k < 2 && side.form[k]; k++) {
        const struct relax_form *f = relax_form_of(r, side.form[k]);
        for (uint32_t i = f->first; i < f->first + f->n; i++) {
            const struct relax_term *t = &r->terms.data[i];
            operand_add(c, t->leaf, y * side.sign[k] * t->coef, y * t->weight);
        }
        c->rest -= y * side.sign[k] * f->constant;
        c->rest_weight += y * f->weight;
    }
    if (side.own)
        operand_add(c, side.own, y * side.own_sign, y);
    c->rest += y * side.slack;
    c->rest_weight += y * fabs(side.slack);
}

/* By how much the combination is contradictory; not above 0: it is not. */
static double excess(struct combination *c) {
    double sum = 0, weight = c->rest_weight;
    for (size_t i = 0; i < c->operands.len; i++) {
        struct operand *o = &c->operands.data[i];
        o->least = least_of(c->s, o);
        sum += o->least;
        weight += fabs(o->least);
    }
    double result = sum - c->rest - SLACK * weight;
    return isfinite(result) ? result : -1;
}

/* Uses a weaker bound of a side, which entry `at` makes true, when that still is enough. */
static bool weaken_to(struct combination *c, struct operand *o, uint32_t side, uint32_t at,
                      int64_t bound, double keep) {
    struct operand old = *o;
    o->at[side] = at;
    o->bound[side] = bound;
    o->least = least_of(c->s, o);
    double left = c->left - (old.least - o->least) - SLACK * (fabs(old.least) + fabs(o->least));
    if (isfinite(left) && left > keep) {
        c->left = left;
        return true;
    }
    *o = old;
    return false;
}

static bool weaken_to_base(struct combination *c, struct operand *o, uint32_t side) {
    return weaken_to(c, o, side, 0, c->s->base.data[2 * o->v + side], 0);
}

/* The weakest bound of a side that leaves `keep` of the contradiction. */
static void weaken_side(struct combination *c, struct operand *o, uint32_t side, double keep) {
    uint32_t vs = 2 * o->v + side, older = c->s->trail.data[o->at[side]].prev;
    while (older && weaken_to(c, o, side, older, trail_bound(c->s, vs, older), keep))
        older = c->s->trail.data[older].prev;
    int64_t weak = trail_bound(c->s, vs, older);
    while ((uint64_t)o->bound[side] - (uint64_t)weak > 1) {
        int64_t middle = weak + (int64_t)(((uint64_t)o->bound[side] - (uint64_t)weak) / 2);
        if (!weaken_to(c, o, side, o->at[side], middle, keep))
            weak = middle;
    }
}

struct side_ref {
    uint32_t at, operand, side;
};

static int newest_first(const void *a, const void *b) {
    const struct side_ref *x = a, *y = b;
    return x->at > y->at ? -1 : x->at < y->at;
}

/* As many bounds as possible are dropped, the newest first. The rest are weakened, each by an equal
 * share of what is left: were one to get all, the others would creep. */
static void weaken(struct combination *c) {
    VEC(struct side_ref) refs = {0};
    for (uint32_t i = 0; i < c->operands.len; i++)
        for (uint32_t side = 0; side < 2; side++) {
            const struct operand *o = &c->operands.data[i];
            if (o->at[side] && uses_side(o, (int)side))
                vec_push(&refs, (struct side_ref){o->at[side], i, side});
        }
    if (refs.len > 1)
        qsort(refs.data, refs.len, sizeof *refs.data, newest_first);
    for (size_t i = 0; i < refs.len; i++)
        weaken_to_base(c, &c->operands.data[refs.data[i].operand], refs.data[i].side);
    size_t n = 0;
    for (size_t i = 0; i < refs.len; i++)
        if (c->operands.data[refs.data[i].operand].at[refs.data[i].side])
            refs.data[n++] = refs.data[i];
    for (size_t i = 0; i < n; i++) {
        double keep = c->left * (double)(n - i - 1) / (double)(n - i);
        weaken_side(c, &c->operands.data[refs.data[i].operand], refs.data[i].side, keep);
    }
    vec_free(&refs);
}

static void blame_lit(const struct solver *s, struct lits *out, struct lit l) {
    if (s->base.data[l.vs] < l.bound)
        vec_push(out, lit_not(l));
}

/* An operand that may be NaN has no bounds: the program has no column for it. */
static void blame_operand(const struct solver *s, struct lits *out, const struct operand *o) {
    if (s->nan.data[o->v])
        blame_lit(s, out, lit_le(s->nan.data[o->v], 0));
    for (int side = 0; side < 2; side++)
        if (uses_side(o, side))
            blame_lit(s, out, (struct lit){o->bound[side], 2 * o->v + (uint32_t)side});
}

static void blame_guards(const struct solver *s, struct lits *out, struct relax_row row) {
    const struct order_edge *e = &s->order.edges.data[row.of];
    for (int i = 0; row.kind == RELAX_EDGE && i < e->n_guards; i++)
        blame_lit(s, out, e->guard[i]);
}

static bool numbers_only(const struct combination *c) {
    for (size_t i = 0; i < c->operands.len; i++) {
        svar nan = c->s->nan.data[c->operands.data[i].v];
        if (nan && var_hi(c->s, nan) == 1)
            return false;
    }
    return true;
}

bool relax_blame(struct solver *s, const double *y) {
    struct relax *r = s->relax;
    struct combination c = {.s = s};
    double most = 0;
    int rows = 0;
    vec_clear(&r->blame);
    for (size_t i = 0; i < r->active.len; i++)
        most = fmax(most, y[i]);
    for (size_t i = 0; i < r->active.len; i++) {
        if (!(y[i] > most * 0x1p-40))
            continue;
        rows++;
        combine_row(&c, r->active.data[i], y[i]);
        blame_guards(s, &r->blame, r->active.data[i]);
    }
    s->stats.ticks += c.operands.len;
    c.left = excess(&c);
    bool fine = rows > 0 && rows <= MAX_ROWS_BLAMED && c.left > 0 && numbers_only(&c);
    if (fine) {
        weaken(&c);
        fine = excess(&c) > 0;
    }
    for (size_t i = 0; i < c.operands.len && fine; i++)
        blame_operand(s, &r->blame, &c.operands.data[i]);
    vec_free(&c.operands);
    map_free(&c.place);
    return fine;
}
