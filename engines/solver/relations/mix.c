/* Building mixes: see mix.h. Evaluating them is mix_eval.c.
 *
 * Products of two variables are looked for a few linear steps below the sum, and each of their
 * factors is tried as the weight. A draft starts as the one leaf v. Leaves that lead to a product
 * with the weight are replaced by their definitions, then what the weight is multiplied with, until
 * a leaf has both a coefficient and an opposite slope: it is what the mean is taken of. */
#include "engines/solver/relations/mix.h"
#include "engines/solver/relations/linear_parts.h"
#include "engines/solver/prims.h"
#include "engines/solver/propagate.h"
#include "engines/solver/record.h"
#include "engines/solver/vars.h"

#include <math.h>

enum { MAX_DEPTH = 5, MAX_VISITS = 24, MAX_PRODUCTS = 3, MAX_STEPS = 16, MAX_MIXES = 3 };

struct mix_draft {
    svar weight;
    int n_leaves, n_mids, steps;
    svar leaf[MIX_LEAVES + 1];           /* [0] is the constant */
    struct coef part[MIX_LEAVES + 1][2]; /* of 1, of w */
    svar mid_var[MAX_OPERANDS], mid_arg[MAX_OPERANDS][2], by[MAX_OPERANDS];
    struct linear_mid mid[MAX_OPERANDS];
    struct mix_share share[MAX_OPERANDS];
    double slope_doubt[MAX_OPERANDS];
    bool repeated; /* a leaf has been found that a mean is taken of */
};

/* A product of two variables, in the partition that is being built. */
static const struct prim_use *product_of(const struct solver *s, svar v) {
    uint32_t prim = s->definition.data[v];
    if (!prim || linear_too_wide(s, v))
        return NULL;
    const struct prim_use *use = &s->prims.data[prim];
    enum op op = s->kinds.data[use->kind].op;
    double constant;
    if ((op != OP_MUL && op != OP_FMUL) || (recording(s) && use->partition != s->partition) ||
        linear_constant(s, use->var[1], &constant) || linear_constant(s, use->var[2], &constant))
        return NULL;
    return use;
}

static const struct prim_use *step_of(const struct solver *s, svar v, struct linear_rule *rule) {
    enum op op = linear_rule_of(s, v, rule);
    if (op == OP_CONST || op == OP_ITE)
        return NULL;
    return &s->prims.data[s->definition.data[v]];
}

/* The variable that h is a step away from: h = constant + factor * variable. */
static svar affine_source(const struct solver *s, svar h, struct linear *one) {
    struct linear_rule rule;
    if (!step_of(s, h, &rule) || !linear_step(s, h, one) || one->n_leaves != 1)
        return 0;
    return one->var[1];
}

static bool is_factor(const struct solver *s, svar h, svar w) {
    struct linear one;
    return h == w || affine_source(s, h, &one) == w;
}

/* Collects products a few linear steps below v, the youngest first as far as they are found. */
static int find_products(const struct solver *s, svar v, svar *products) {
    struct {
        svar v;
        int depth;
    } todo[MAX_VISITS];
    int n = 0, n_todo = 1;
    assert(v && v <= s->n_vars);
    todo[0].v = v;
    todo[0].depth = 0;
    for (int i = 0; i < n_todo && n < MAX_PRODUCTS; i++) {
        struct linear_rule rule;
        const struct prim_use *use;
        if (product_of(s, todo[i].v)) {
            products[n++] = todo[i].v;
            continue;
        }
        if (todo[i].depth == MAX_DEPTH || !(use = step_of(s, todo[i].v, &rule)))
            continue;
        for (int k = 0; k < 2 && n_todo < MAX_VISITS; k++)
            if (rule.factor[k] != 0) {
                todo[n_todo].v = use->var[k + 1];
                todo[n_todo++].depth = todo[i].depth + 1;
            }
    }
    return n;
}

/* Is there a product with w below v? */
static bool leads_to(const struct solver *s, svar v, svar w) {
    svar products[MAX_PRODUCTS];
    int n = find_products(s, v, products);
    for (int i = 0; i < n; i++) {
        const struct prim_use *use = product_of(s, products[i]);
        if (is_factor(s, use->var[1], w) || is_factor(s, use->var[2], w))
            return true;
    }
    return false;
}

/* ---- drafts ---- */

static bool is_zero(struct coef c) {
    return c.value == 0 && c.weight == 0;
}

static void part_add(struct mix_draft *d, int i, const struct coef part[2], double k) {
    for (int side = 0; side < 2; side++)
        d->part[i][side] = coef_plus(d->part[i][side], coef_times(part[side], k));
    d->repeated |= d->part[i][0].value * d->part[i][1].value < 0;
}

/* Adds (part[0] + part[1] * w) * v. */
static bool draft_add(const struct solver *s, struct mix_draft *d, svar v,
                      const struct coef part[2]) {
    double value;
    int i = 1;
    assert(v && v <= s->n_vars && d->weight);
    if (linear_constant(s, v, &value)) {
        part_add(d, 0, part, value);
        return true;
    }
    if (v == d->weight) {
        const struct coef turned[2] = {{0, 0}, part[0]};
        part_add(d, 0, turned, 1);
        return is_zero(part[1]);
    }
    while (i <= d->n_leaves && d->leaf[i] != v)
        i++;
    if (i > MIX_LEAVES || 2 + d->n_leaves + d->n_mids >= MAX_OPERANDS)
        return false;
    if (i > d->n_leaves) {
        d->n_leaves = i;
        d->leaf[i] = v;
        d->part[i][0] = d->part[i][1] = (struct coef){0, 0};
    }
    part_add(d, i, part, 1);
    return true;
}

static void draft_drop(struct mix_draft *d, int i) {
    assert(0 < i && i <= d->n_leaves);
    d->leaf[i] = d->leaf[d->n_leaves];
    d->part[i][0] = d->part[d->n_leaves][0];
    d->part[i][1] = d->part[d->n_leaves][1];
    d->n_leaves--;
}

/* A new mid: what its error is multiplied with. */
static int mid_new(struct mix_draft *d, svar v, const struct coef part[2], svar by) {
    assert(d->n_mids < MAX_OPERANDS && part[0].weight >= 0 && part[1].weight >= 0);
    int m = d->n_mids++;
    d->mid_var[m] = v;
    d->by[m] = by;
    d->share[m] = (struct mix_share){.constant = part[0].value, .slope = part[1].value};
    d->share[m].doubt = part[0].weight;
    d->slope_doubt[m] = part[1].weight;
    return m;
}

/* Leaf i becomes a mid, its arguments leaves. */
static bool expand_step(const struct solver *s, struct mix_draft *d, int i,
                        const struct prim_use *use, const struct linear_rule *rule) {
    struct coef part[2] = {d->part[i][0], d->part[i][1]};
    int m = mid_new(d, d->leaf[i], part, 0);
    d->mid[m] = (struct linear_mid){.op = (uint8_t)s->kinds.data[use->kind].op};
    d->mid[m].error = (uint8_t)rule->error;
    draft_drop(d, i);
    for (int k = 0; k < 2; k++) {
        double factor = rule->factor[k];
        struct coef next[2];
        if (factor == 0)
            continue;
        if (!linear_constant(s, use->var[k + 1], &d->mid[m].constant[k]))
            d->mid_arg[m][k] = use->var[k + 1];
        for (int side = 0; side < 2; side++) {
            next[side] = coef_times(part[side], factor);
            next[side].weight += rule->inexact ? fabs(next[side].value) : 0;
        }
        if (!draft_add(s, d, use->var[k + 1], next))
            return false;
    }
    if (rule->factor[1] == 0)
        d->mid[m].constant[1] = rule->factor[0];
    return true;
}

/* h = constant + factor * w, its error multiplied by `other` */
static bool expand_factor(struct mix_draft *d, svar h, svar other, const struct linear *one,
                          struct coef part[2]) {
    const struct coef whole[2] = {part[0], {0, 0}};
    if (d->n_mids + d->n_leaves + 2 >= MAX_OPERANDS)
        return false;
    int m = mid_new(d, h, whole, other);
    d->mid[m] = one->mid[0];
    for (int k = 0; k < 2; k++) {
        d->mid_arg[m][k] = one->mid[0].arg[k] >= 0 ? d->weight : 0;
        d->mid[m].constant[k] = one->mid[0].constant[k];
    }
    part[1] = coef_times(whole[0], one->coef[1]);
    part[1].weight += one->weight[1] * fabs(whole[0].value);
    part[0] = coef_times(whole[0], one->constant);
    part[0].weight += one->constant_weight * fabs(whole[0].value);
    return true;
}

/* Leaf i, a product with the weight. */
static bool expand_product(const struct solver *s, struct mix_draft *d, int i,
                           const struct prim_use *use) {
    struct coef part[2] = {d->part[i][0], d->part[i][1]};
    struct linear one;
    int at = is_factor(s, use->var[2], d->weight) ? 2 : 1;
    assert(0 < i && i <= d->n_leaves && d->leaf[i] == use->var[0]);
    svar h = use->var[at], other = use->var[3 - at];
    assert(is_zero(part[1]) && is_factor(s, h, d->weight));
    int m = mid_new(d, d->leaf[i], part, 0);
    d->mid[m] = (struct linear_mid){.op = (uint8_t)s->kinds.data[use->kind].op};
    d->mid[m].error = sort_is_float(s->sort.data[d->leaf[i]]) ? MID_ROUND : MID_EXACT;
    d->mid_arg[m][0] = use->var[1];
    d->mid_arg[m][1] = use->var[2];
    draft_drop(d, i);
    if (h == d->weight) {
        part[1] = part[0];
        part[0] = (struct coef){0, 0};
    } else if (affine_source(s, h, &one) != d->weight || !expand_factor(d, h, other, &one, part)) {
        return false;
    }
    return draft_add(s, d, other, part);
}

enum { TIER_NONE, TIER_ANY, TIER_SLOPE, TIER_PRODUCT };

/* How much it is wanted that leaf i is expanded. */
static int tier_of(const struct solver *s, const struct mix_draft *d, int i) {
    struct linear_rule rule;
    const struct prim_use *product = product_of(s, d->leaf[i]);
    bool flat = is_zero(d->part[i][1]);
    if (product && flat &&
        (is_factor(s, product->var[1], d->weight) || is_factor(s, product->var[2], d->weight)))
        return TIER_PRODUCT;
    if (product || !step_of(s, d->leaf[i], &rule))
        return TIER_NONE;
    if (flat && leads_to(s, d->leaf[i], d->weight))
        return TIER_PRODUCT;
    return flat ? TIER_ANY : TIER_SLOPE;
}

/* The leaf to expand: 0 when the draft is done. The youngest comes first: what a mean is taken of
 * is older than the product, so it stays a leaf although it may be an older mean with the same
 * weight (the last step of a filter). */
static int next_leaf(const struct solver *s, const struct mix_draft *d) {
    int best = 0, tier = TIER_NONE;
    for (int i = 1; i <= d->n_leaves; i++) {
        int t = tier_of(s, d, i);
        if (d->repeated && t < TIER_PRODUCT)
            continue;
        if (t > tier || (t == tier && t && d->leaf[i] > d->leaf[best])) {
            best = i;
            tier = t;
        }
    }
    return best;
}

static bool draft_run(const struct solver *s, struct mix_draft *d) {
    int i;
    while ((i = next_leaf(s, d)) != 0) {
        struct linear_rule rule;
        const struct prim_use *product = product_of(s, d->leaf[i]);
        if (++d->steps > MAX_STEPS || d->n_mids + d->n_leaves + 3 >= MAX_OPERANDS)
            return false;
        if (product ? !expand_product(s, d, i, product)
                    : !expand_step(s, d, i, step_of(s, d->leaf[i], &rule), &rule))
            return false;
    }
    return d->repeated;
}

/* ---- from a draft to a mix ---- */

/* The weight at which what a mean is taken of has no part in it any more. */
static double mean_end(const struct mix_draft *d) {
    for (int i = d->n_leaves; i >= 0; i--)
        if (d->part[i][0].value * d->part[i][1].value < 0)
            return -d->part[i][0].value / d->part[i][1].value;
    return 0;
}

static void fill_points(struct mix *mix, const struct mix_draft *d, double end) {
    /* close to 0, where the coefficients of slow filters are */
    static const double parts[MIX_POINTS] = {0,    0x1p-13, 0x1p-10, 0x1p-7, 0x1p-5, 0.125,
                                             0.25, 0.5,     0.75,    0.875,  1};
    for (int point = 0; point < MIX_POINTS; point++) {
        mix->at[point] = parts[point] * end;
        assert(point == 0 || mix->at[point] > mix->at[point - 1]);
        for (int i = 0; i <= d->n_leaves; i++) {
            struct coef c = coef_plus(d->part[i][0], coef_times(d->part[i][1], mix->at[point]));
            mix->coef[point][i] = c.value;
            mix->doubt[i] = fmax(mix->doubt[i], c.weight);
        }
    }
    for (int i = 0; i <= d->n_leaves; i++) {
        mix->slope[i] = d->part[i][1].value;
        mix->most[i] = fabs(d->part[i][0].value) + fabs(d->part[i][1].value) * end;
    }
}

static int operand_place(const struct mix *mix, svar v) {
    for (int i = 1; i < mix->n_operands; i++)
        if (mix->base.var[i] == v)
            return i;
    return -1;
}

static bool fill_mids(const struct solver *s, struct mix *mix, const struct mix_draft *d) {
    for (int m = 0; m < d->n_mids; m++) {
        struct linear_mid *mid = &mix->base.mid[m];
        *mid = d->mid[m];
        mix->share[m] = d->share[m];
        mix->share[m].by = d->by[m] ? (int8_t)operand_place(mix, d->by[m]) : 0;
        if (mix->share[m].by < 0)
            return false;
        for (int k = 0; k < 2; k++) {
            mid->arg[k] = -1;
            if (d->mid_arg[m][k] && !linear_constant(s, d->mid_arg[m][k], &mid->constant[k]) &&
                (mid->arg[k] = (int8_t)operand_place(mix, d->mid_arg[m][k])) < 0)
                return false;
        }
    }
    return true;
}

static bool draft_finish(const struct solver *s, const struct mix_draft *d, struct mix *mix) {
    assert(d->n_mids > 0 && d->n_leaves + d->n_mids + 1 <= MAX_OPERANDS);
    int n = 0;
    double end = mean_end(d);
    mix->base.n_leaves = d->n_leaves;
    mix->base.n_mids = d->n_mids - 1;
    mix->base.var[n++] = d->mid_var[0];
    for (int i = 1; i <= d->n_leaves; i++)
        mix->base.var[n++] = d->leaf[i];
    for (int m = 1; m < d->n_mids; m++)
        mix->base.var[n++] = d->mid_var[m];
    mix->base.var[n++] = d->weight;
    mix->n_operands = n;
    if (end < 0x1p-100 || end > 0x1p100 || !fill_mids(s, mix, d))
        return false;
    fill_points(mix, d, end);
    for (int m = 0; m < d->n_mids; m++)
        mix->share[m].doubt += 2 * d->slope_doubt[m] * end;
    return true;
}

static bool mix_new(struct solver *s, const struct mix_draft *d) {
    struct mix *mix = mem_zalloc(1, sizeof *mix);
    if (!draft_finish(s, d, mix)) {
        mem_free(mix);
        return false;
    }
    uint32_t prim = (uint32_t)s->prims.len;
    struct prim_use use = {.kind = KIND_MIX, .family = FAMILY_MIX, .partition = s->partition};
    use.cost = 4 + (uint32_t)mix->n_operands;
    use.var[0] = mix->base.var[0];
    use.var[1] = (uint32_t)s->mixes.len;
    vec_push(&s->mixes, mix);
    vec_push(&s->prims, use);
    for (int i = 0; i < mix->n_operands; i++)
        prims_watch(s, mix->base.var[i], prim);
    propagate_wake(s, prim);
    return true;
}

static bool try_weight(struct solver *s, svar v, svar w) {
    assert(w && w <= s->n_vars);
    struct mix_draft *d = mem_zalloc(1, sizeof *d);
    const struct coef one[2] = {{1, 0}, {0, 0}};
    d->weight = w;
    bool made = !linear_too_wide(s, w) && draft_add(s, d, v, one) && d->n_leaves == 1 &&
                draft_run(s, d) && mix_new(s, d);
    mem_free(d);
    return made;
}

void mix_add(struct solver *s, svar v) {
    assert(level_of(s) == 0);
    svar products[MAX_PRODUCTS], tried[4 * MAX_PRODUCTS];
    struct linear one;
    if (!linear_is_sum(s, v) || linear_too_wide(s, v))
        return;
    int n = find_products(s, v, products), n_tried = 0, made = 0;
    for (int i = 0; i < n; i++)
        for (int k = 1; k <= 4 && made < MAX_MIXES; k++) {
            svar w = product_of(s, products[i])->var[1 + k % 2];
            bool known = false;
            if (k > 2)
                w = affine_source(s, w, &one);
            for (int j = 0; j < n_tried; j++)
                known |= tried[j] == w;
            if (known || w == 0)
                continue;
            tried[n_tried++] = w;
            made += try_weight(s, v, w);
        }
}
