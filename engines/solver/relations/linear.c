/* Building linear forms: see linear.h. Evaluating them is linear_eval.c.
 *
 * A draft starts as the one leaf v. The leaf that was defined last is replaced by its definition,
 * again and again; since arguments are older than results, no leaf comes back. The draft is done
 * when a leaf has repeated and no younger leaf could still lead to it; then it goes on from there
 * in search of further repetitions, which give another form. At an if-then-else the draft splits in
 * two, each under its guard. */
#include "engines/solver/relations/linear_parts.h"
#include "engines/solver/relations/mix.h"
#include "engines/solver/prims.h"
#include "engines/solver/propagate.h"
#include "engines/solver/record.h"
#include "engines/solver/vars.h"

#include <math.h>

enum { MAX_DRAFTS = 8, MAX_STEPS = 24, MAX_FORMS = 4 };

struct draft {
    struct linear form; /* var[] holds leaves only, until the draft is finished */
    svar mid_var[MAX_OPERANDS];
    struct {
        uint8_t op;
        double constant[2];
        svar arg[2]; /* 0: the constant */
    } step[MAX_OPERANDS];
    svar guard_var[MAX_OPERANDS], chosen[MAX_OPERANDS], replaced[MAX_OPERANDS];
    int n_replaced;
    svar repeated[MAX_OPERANDS];
    int n_repeated;
    svar youngest_repeated; /* since the last form */
    bool again;             /* a form has been made of it */
    int steps;
};

/* Doubles hold sums and limits of these exactly. */
bool linear_too_wide(const struct solver *s, svar v) {
    sort_t sort = s->sort.data[v];
    return sort_is_int(sort) && sort > 48;
}

bool linear_constant(const struct solver *s, svar v, double *value) {
    struct range r = var_known_range(s, v);
    if (!range_is_point(r) || !r.num)
        return false;
    sort_t sort = s->sort.data[v];
    bool is_signed = s->flags.data[v] & VAR_SIGNED;
    if (sort_is_float(sort)) {
        uint64_t bits = ordinal_bits(sort, is_signed, r.lo);
        *value = sort == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
        return isfinite(*value);
    }
    *value = (double)r.lo;
    return !linear_too_wide(s, v);
}

static bool rule_scaled(const struct solver *s, const struct prim_use *use, enum op op,
                        struct linear_rule *rule) {
    assert(use->var[1] && use->var[2]);
    double k;
    if (!linear_constant(s, use->var[2], &k))
        return false;
    switch (op) {
    case OP_FMUL:
    case OP_MUL:
        rule->factor[0] = k;
        break;
    case OP_FDIV:
        rule->factor[0] = 1 / k;
        break;
    case OP_UDIV:
    case OP_SDIV: /* a divisor is positive in both orders */
        rule->factor[0] = k >= 1 && k < ldexp(1, s->sort.data[use->var[2]] - 1) ? 1 / k : INFINITY;
        break;
    case OP_SHL:
        rule->factor[0] = k >= 0 && k < 63 ? ldexp(1, (int)k) : INFINITY;
        break;
    default:
        rule->factor[0] = k >= 0 && k < 63 ? ldexp(1, -(int)k) : INFINITY;
    }
    rule->inexact = op == OP_FDIV || op == OP_UDIV || op == OP_SDIV;
    return isfinite(rule->factor[0]) && rule->factor[0] != 0;
}

static bool rule_of(const struct solver *s, const struct prim_use *use, struct linear_rule *rule) {
    enum op op = s->kinds.data[use->kind].op;
    *rule = (struct linear_rule){MID_EXACT, {1, 0}, false};
    switch (op) {
    case OP_FADD:
    case OP_FSUB:
        rule->error = MID_ROUND;
        rule->factor[1] = op == OP_FADD ? 1 : -1;
        return true;
    case OP_ADD:
    case OP_SUB:
        rule->factor[1] = op == OP_ADD ? 1 : -1;
        return true;
    case OP_FNEG:
        rule->factor[0] = -1;
        return true;
    case OP_F2F:
    case OP_S2F:
    case OP_U2F:
        rule->error = MID_ROUND;
        return true;
    case OP_F2S:
    case OP_F2U:
        rule->error = MID_TRUNC;
        return true;
    case OP_ZEXT:
    case OP_SEXT:
    case OP_TRUNC:
    case OP_B2I:
        return true;
    case OP_FMUL:
    case OP_FDIV:
        rule->error = MID_ROUND;
        return rule_scaled(s, use, op, rule);
    case OP_ASHR:
    case OP_LSHR:
    case OP_UDIV:
        rule->error = MID_FLOOR;
        return rule_scaled(s, use, op, rule);
    case OP_SDIV:
        rule->error = MID_TRUNC;
        return rule_scaled(s, use, op, rule);
    case OP_MUL:
    case OP_SHL:
        return rule_scaled(s, use, op, rule);
    default:
        return false;
    }
}

enum op linear_rule_of(const struct solver *s, svar v, struct linear_rule *rule) {
    assert(v && v <= s->n_vars);
    uint32_t prim = s->definition.data[v];
    if (!prim || linear_too_wide(s, v))
        return OP_CONST;
    const struct prim_use *use = &s->prims.data[prim];
    enum op op = s->kinds.data[use->kind].op;
    if (recording(s) && use->partition != s->partition)
        return OP_CONST;
    if (op == OP_ITE)
        return op;
    return rule_of(s, use, rule) && !linear_too_wide(s, use->var[1]) ? op : OP_CONST;
}

struct coef coef_times(struct coef a, double k) {
    assert(a.weight >= 0);
    struct coef c = {a.value * k, a.weight * fabs(k)};
    if (fma(a.value, k, -c.value) != 0)
        c.weight += fabs(c.value);
    return c;
}

struct coef coef_plus(struct coef a, struct coef b) {
    assert(a.weight >= 0 && b.weight >= 0);
    struct coef c = {a.value + b.value, a.weight + b.weight};
    double part = c.value - a.value;
    if ((a.value - (c.value - part)) + (b.value - part) != 0)
        c.weight += fabs(a.value) + fabs(b.value);
    return c;
}

static bool draft_add_leaf(const struct solver *s, struct draft *d, svar v, struct coef coef) {
    assert(v && v <= s->n_vars && coef.weight >= 0);
    struct linear *f = &d->form;
    double value;
    if (linear_constant(s, v, &value)) {
        f->constant += coef.value * value;
        f->constant_weight += (fabs(coef.value) + coef.weight) * fabs(value);
        return true;
    }
    for (int i = 0; i < f->n_leaves; i++)
        if (f->var[i] == v) {
            coef = coef_plus(coef, (struct coef){f->coef[i], f->weight[i]});
            f->coef[i] = coef.value;
            f->weight[i] = coef.weight;
            d->youngest_repeated = v > d->youngest_repeated ? v : d->youngest_repeated;
            if (d->n_repeated < MAX_OPERANDS)
                d->repeated[d->n_repeated++] = v;
            return true;
        }
    if (f->n_leaves + f->n_mids + f->n_guards + 2 > MAX_OPERANDS)
        return false;
    f->var[f->n_leaves] = v;
    f->coef[f->n_leaves] = coef.value;
    f->weight[f->n_leaves++] = coef.weight;
    return true;
}

static void draft_drop_leaf(struct draft *d, int i) {
    assert(0 <= i && i < d->form.n_leaves);
    struct linear *f = &d->form;
    f->n_leaves--;
    f->var[i] = f->var[f->n_leaves];
    f->coef[i] = f->coef[f->n_leaves];
    f->weight[i] = f->weight[f->n_leaves];
}

static bool has_repeated(const struct draft *d, svar v) {
    for (int i = 0; i < d->n_repeated; i++)
        if (d->repeated[i] == v)
            return true;
    return false;
}

static int youngest_expandable(const struct solver *s, const struct draft *d) {
    int best = -1;
    struct linear_rule rule;
    for (int i = 0; i < d->form.n_leaves; i++)
        if ((best < 0 || d->form.var[i] > d->form.var[best]) &&
            !(d->again && has_repeated(d, d->form.var[i])) &&
            linear_rule_of(s, d->form.var[i], &rule) != OP_CONST)
            best = i;
    return best;
}

/* Leaf i becomes a mid. */
static bool draft_expand(const struct solver *s, struct draft *d, int i,
                         const struct linear_rule *rule) {
    assert(s->definition.data[d->form.var[i]] && d->form.n_mids < MAX_OPERANDS);
    struct linear *f = &d->form;
    svar v = f->var[i];
    struct coef coef = {f->coef[i], f->weight[i]};
    const struct prim_use *use = &s->prims.data[s->definition.data[v]];
    int m = f->n_mids++;
    d->mid_var[m] = v;
    d->step[m].op = (uint8_t)s->kinds.data[use->kind].op;
    f->mid[m] = (struct linear_mid){.op = d->step[m].op, .error = rule->error, .coef = coef.value};
    draft_drop_leaf(d, i);
    for (int k = 0; k < 2; k++) {
        double factor = rule->factor[k];
        d->step[m].arg[k] = factor == 0 ? 0 : use->var[k + 1];
        d->step[m].constant[k] = 0;
        if (factor == 0)
            continue;
        if (linear_constant(s, use->var[k + 1], &d->step[m].constant[k]))
            d->step[m].arg[k] = 0;
        struct coef part = coef_times(coef, factor);
        part.weight += rule->inexact ? fabs(part.value) : 0;
        if (!draft_add_leaf(s, d, use->var[k + 1], part))
            return false;
    }
    if (rule->factor[1] == 0)
        d->step[m].constant[1] = rule->factor[0];
    return true;
}

/* Leaf i, an if-then-else, becomes one of its branches. */
static bool draft_choose(const struct solver *s, struct draft *d, int i, bool branch) {
    assert(d->n_replaced < MAX_OPERANDS && s->definition.data[d->form.var[i]]);
    struct linear *f = &d->form;
    svar v = f->var[i];
    struct coef coef = {f->coef[i], f->weight[i]};
    const struct prim_use *use = &s->prims.data[s->definition.data[v]];
    int g = 0;
    while (g < f->n_guards && d->guard_var[g] != use->var[1])
        g++;
    if (g < f->n_guards && f->guard[g] != branch)
        return false;
    if (g == f->n_guards) {
        d->guard_var[g] = use->var[1];
        f->guard[f->n_guards++] = branch;
    }
    svar to = use->var[branch ? 2 : 3];
    d->replaced[d->n_replaced] = v;
    d->chosen[d->n_replaced++] = to;
    draft_drop_leaf(d, i);
    return draft_add_leaf(s, d, to, coef);
}

/* ---- from a draft to a form ---- */

/* Later choices replace what earlier ones have led to. */
static svar follow(const struct draft *d, svar v) {
    for (int i = 0; i < d->n_replaced; i++)
        if (d->replaced[i] == v)
            v = d->chosen[i];
    return v;
}

static bool resolve_arg(const struct solver *s, const struct draft *d, const struct linear *f,
                        int m, int k, struct linear_mid *mid) {
    assert(m < d->form.n_mids && k < 2);
    mid->arg[k] = -1;
    mid->constant[k] = d->step[m].constant[k];
    if (!d->step[m].arg[k])
        return true;
    svar v = follow(d, d->step[m].arg[k]);
    if (linear_constant(s, v, &mid->constant[k]))
        return true;
    for (int i = 1; i < 1 + f->n_leaves + f->n_mids; i++)
        if (f->var[i] == v)
            mid->arg[k] = (int8_t)i;
    return mid->arg[k] > 0;
}

static bool draft_finish(const struct solver *s, const struct draft *d, struct linear *out) {
    assert(d->form.n_mids > 0);
    const struct linear *f = &d->form;
    *out = *f;
    out->n_mids = f->n_mids - 1;
    if (1 + f->n_leaves + out->n_mids + f->n_guards > MAX_OPERANDS)
        return false;
    int n = 0;
    out->var[n++] = d->mid_var[0];
    for (int i = 0; i < f->n_leaves; i++, n++) {
        out->var[n] = f->var[i];
        out->coef[n] = f->coef[i];
        out->weight[n] = f->weight[i];
    }
    for (int m = 1; m < f->n_mids; m++)
        out->var[n++] = d->mid_var[m];
    for (int g = 0; g < f->n_guards; g++)
        out->var[n++] = d->guard_var[g];
    for (int m = 0; m < f->n_mids; m++)
        for (int k = 0; k < 2; k++)
            if (!resolve_arg(s, d, out, m, k, &out->mid[m]))
                return false;
    return true;
}

static void linear_new(struct solver *s, const struct draft *d) {
    struct linear *form = mem_zalloc(1, sizeof *form);
    if (!draft_finish(s, d, form)) {
        mem_free(form);
        return;
    }
    uint32_t prim = (uint32_t)s->prims.len;
    struct prim_use use = {.kind = KIND_LINEAR, .family = FAMILY_LINEAR, .partition = s->partition};
    use.cost = 1 + (uint32_t)linear_operands(form) / 2;
    use.var[0] = form->var[0];
    use.var[1] = (uint32_t)s->linears.len;
    vec_push(&s->linears, form);
    vec_push(&s->prims, use);
    for (int i = 0; i < linear_operands(form); i++)
        prims_watch(s, form->var[i], prim);
    propagate_wake(s, prim);
}

/* Advances a draft by one step. False: it is finished, or leads nowhere (then it is emptied). */
static bool draft_step(const struct solver *s, struct draft *d, struct draft *other, bool *split) {
    struct linear_rule rule;
    int i = youngest_expandable(s, d);
    *split = false;
    if (i < 0 || (d->youngest_repeated && d->form.var[i] <= d->youngest_repeated))
        return false;
    bool fine = ++d->steps < MAX_STEPS && d->form.n_mids < MAX_OPERANDS - 1 &&
                d->n_replaced < MAX_OPERANDS - 1;
    if (fine && linear_rule_of(s, d->form.var[i], &rule) == OP_ITE) {
        *other = *d;
        *split = draft_choose(s, other, i, true);
        fine = draft_choose(s, d, i, false);
    } else if (fine) {
        fine = draft_expand(s, d, i, &rule);
    }
    if (!fine)
        d->youngest_repeated = 0;
    return fine;
}

bool linear_step(const struct solver *s, svar v, struct linear *one) {
    struct linear_rule rule;
    enum op op = linear_rule_of(s, v, &rule);
    if (op == OP_CONST || op == OP_ITE)
        return false;
    struct draft *d = mem_zalloc(1, sizeof *d);
    bool fine = draft_add_leaf(s, d, v, (struct coef){1, 0}) && d->form.n_leaves == 1 &&
                draft_expand(s, d, 0, &rule) && draft_finish(s, d, one);
    mem_free(d);
    return fine;
}

bool linear_is_sum(const struct solver *s, svar v) {
    uint32_t prim = s->definition.data[v];
    enum op op = prim ? s->kinds.data[s->prims.data[prim].kind].op : OP_CONST;
    return op == OP_FADD || op == OP_FSUB || op == OP_ADD || op == OP_SUB;
}

void linear_add(struct solver *s, svar v) {
    assert(level_of(s) == 0);
    if (!linear_is_sum(s, v) || linear_too_wide(s, v))
        return;
    struct draft *drafts = mem_zalloc(MAX_DRAFTS, sizeof *drafts);
    int n = 1, made = 1, forms = 0;
    draft_add_leaf(s, &drafts[0], v, (struct coef){1, 0});
    while (n > 0) {
        struct draft *d = &drafts[n - 1], other;
        bool split;
        if (draft_step(s, d, &other, &split)) {
            if (split && n < MAX_DRAFTS && made++ < MAX_DRAFTS)
                drafts[n++] = other;
            continue;
        }
        if (split) { /* this branch is closed, the other one goes on */
            *d = other;
            continue;
        }
        if (d->youngest_repeated && forms++ < MAX_FORMS) {
            linear_new(s, d);
            d->youngest_repeated = 0;
            d->again = true;
        } else {
            n--;
        }
    }
    mem_free(drafts);
}
