/* Invariants:
 *   1. views[t] is known for every term below views.len, and holds every value of term t on every
 *      run that keeps the assumptions.
 *   2. No range is empty.
 *
 * How: forward, a term's range is what its operator's contract leaves of the full one; backward,
 * a literal with a known value leaves less of its arguments, and they less of what they are made
 * of by one operator. An argument goes into a contract in the view that holds fewer values (the
 * contract converts exactly); what comes out is asked for in both, and each view then narrows the
 * other, as the two are equal bits.
 *
 * Values of transcendental functions are the target's library's; nothing is decided by them here.
 */
#include "instrument/lower/range.h"

#include "model/contract/contract.h"
#include "model/term/simplify.h"

enum { NARROW_DEPTH = 8 };

void ranges_init(struct ranges *ranges, const struct terms *ts) {
    *ranges = (struct ranges){.ts = ts};
}

void ranges_free(struct ranges *ranges) {
    vec_free(&ranges->views);
}

static struct views full(sort_t sort) {
    return (struct views){range_full(sort, false), range_full(sort, true)};
}

static struct views point(sort_t sort, uint64_t bits) {
    return (struct views){range_of_bits(sort, false, bits), range_of_bits(sort, true, bits)};
}

static bool is_empty(struct views v) {
    return range_is_empty(v.u) || range_is_empty(v.s);
}

static struct views join(struct views a, struct views b) {
    return (struct views){range_join(a.u, b.u), range_join(a.s, b.s)};
}

/* Each view without what the other excludes. */
static struct views agreed(sort_t sort, struct views v) {
    struct prim same = {OP_EQ, {SORT_BOOL, sort, sort}, {false, false, true}};
    struct range r[4] = {range_point(1), v.u, v.s};
    struct views out;
    if (!sort_is_int(sort))
        return (struct views){v.u, v.u};
    (void)contract(&same, r, 1, &out.u);
    (void)contract(&same, r, 2, &out.s);
    return is_empty(out) ? v : out;
}

/* The view that holds fewer values. */
static struct range tighter(sort_t sort, struct views v, bool *is_signed) {
    *is_signed = sort_is_int(sort) && v.s.num && v.u.num &&
                 (uint64_t)v.s.hi - (uint64_t)v.s.lo < (uint64_t)v.u.hi - (uint64_t)v.u.lo;
    return *is_signed ? v.s : v.u;
}

/* What is left of operand `which` of the term: 0 is its result, 1.. are its arguments. */
static struct views contracted(const struct ranges *r, const struct term *t,
                               const struct views operands[4], int which) {
    struct prim p = {.op = (enum op)t->op, .sort = {t->sort}};
    struct range in[4] = {tighter(t->sort, operands[0], &p.is_signed[0])};
    assert(which <= t->arity);
    for (int i = 1; i <= t->arity; i++) {
        p.sort[i] = term_sort(r->ts, t->arg[i - 1]);
        in[i] = tighter(p.sort[i], operands[i], &p.is_signed[i]);
    }
    if (t->op == OP_TABLE)
        p.table = &r->ts->tables.data[t->payload];
    struct views out = operands[which];
    p.is_signed[which] = false;
    in[which] = operands[which].u;
    (void)contract(&p, in, which, &out.u);
    if (sort_is_int(p.sort[which])) {
        p.is_signed[which] = true;
        in[which] = operands[which].s;
        (void)contract(&p, in, which, &out.s);
    }
    return is_empty(out) ? operands[which] : agreed(p.sort[which], out);
}

static struct views of_choice(struct ranges *r, const struct term *t, const struct views *args) {
    struct views a = args[1], b = args[2];
    if (range_is_point(args[0].u))
        return args[0].u.lo ? a : b;
    ranges_narrow(r, t->arg[0], true, t->arg[1], &a);
    ranges_narrow(r, t->arg[0], false, t->arg[2], &b);
    return join(a, b);
}

struct views ranges_of_node(struct ranges *r, term_t at, const struct views *args) {
    const struct term *t = term_get(r->ts, at);
    struct views operands[4] = {full(t->sort)};
    if (t->op == OP_CONST)
        return point(t->sort, t->payload);
    if (t->op == OP_ITE)
        return of_choice(r, t, args);
    if (t->arity == 0 || op_is_transcendental((enum op)t->op))
        return operands[0];
    for (int i = 0; i < t->arity; i++)
        operands[i + 1] = args[i];
    return contracted(r, t, operands, 0);
}

static struct views views_of(struct ranges *r, term_t at) {
    const struct term *t = term_get(r->ts, at);
    struct views args[3] = {0};
    for (int i = 0; i < t->arity; i++)
        args[i] = r->views.data[t->arg[i]];
    return ranges_of_node(r, at, args);
}

struct views ranges_at(struct ranges *ranges, term_t t) {
    if (!ranges->views.len)
        vec_push(&ranges->views, (struct views){0}); /* no term 0 */
    while (ranges->views.len <= t) {
        struct views v = views_of(ranges, (term_t)ranges->views.len);
        vec_push(&ranges->views, v);
    }
    return ranges->views.data[t];
}

/* ---- narrowing by literals ---- */

/* Argument i of the literal is t, or an operator of one argument applied to t. */
static void narrow_argument(struct ranges *r, const struct term *literal, bool truth, int i,
                            term_t t, struct views *views) {
    struct views operands[4] = {point(SORT_BOOL, truth)}, part[4];
    const struct term *x = term_get(r->ts, literal->arg[i]);
    bool is_part = literal->arg[i] != t;
    if (is_part && (x->arity != 1 || x->arg[0] != t || op_is_transcendental((enum op)x->op)))
        return;
    for (int k = 0; k < literal->arity; k++)
        operands[k + 1] = ranges_at(r, literal->arg[k]);
    operands[i + 1] = is_part ? ranges_of_node(r, literal->arg[i], views) : *views;
    struct views left = contracted(r, literal, operands, i + 1);
    if (is_part) {
        part[0] = left;
        part[1] = *views;
        left = contracted(r, x, part, 1);
    }
    *views = left;
}

static void narrow_at(struct ranges *r, term_t literal, bool truth, term_t t, struct views *views,
                      int depth) {
    const struct term *c = term_get(r->ts, literal);
    if (depth == 0)
        return;
    if (c->op == OP_NOT) {
        narrow_at(r, c->arg[0], !truth, t, views, depth - 1);
    } else if (c->op == OP_AND || c->op == OP_OR) {
        if ((c->op == OP_AND) != truth)
            return;
        narrow_at(r, c->arg[0], truth, t, views, depth - 1);
        narrow_at(r, c->arg[1], truth, t, views, depth - 1);
    } else {
        for (int i = 0; i < c->arity; i++)
            narrow_argument(r, c, truth, i, t, views);
    }
}

void ranges_narrow(struct ranges *ranges, term_t literal, bool truth, term_t t,
                   struct views *views) {
    if (term_sort(ranges->ts, t) != SORT_BOOL)
        narrow_at(ranges, literal, truth, t, views, NARROW_DEPTH);
}

static void assume_at(struct ranges *r, term_t whole, term_t literal, int depth) {
    const struct term *c = term_get(r->ts, literal);
    if (depth == 0)
        return;
    if (c->op == OP_VAR && c->sort != SORT_BOOL)
        ranges_narrow(r, whole, true, literal, &r->views.data[literal]);
    for (int i = 0; i < c->arity; i++)
        assume_at(r, whole, c->arg[i], depth - 1);
}

void ranges_assume(struct ranges *ranges, term_t literal) {
    (void)ranges_at(ranges, literal);
    assume_at(ranges, literal, literal, NARROW_DEPTH);
}
