#include "maker.h"

/* Decisions: what && || ! are made of, and whatever controls an if, a loop, a ?:. A condition
 * starts where its first character stands in the plain text, so none begins with a bracket of its
 * own. */

struct tree {
    uint32_t decision; /* its number */
    uint32_t n;        /* conditions so far */
    uint32_t owed;     /* operands that must still come */
};

static uint32_t add_node(struct maker *m, char op, uint32_t left, uint32_t right) {
    struct decision_node node = {op, left, right};
    vec_push(&m->s->nodes, node);
    return (uint32_t)m->s->nodes.len - 1;
}

/* ---- conditions ---- */

static void put_comparison(struct maker *m) {
    static const char *const ops[] = {"==", "!=", "<", "<=", ">", ">="};
    put(m, " %s ", ops[pick(m, sizeof ops / sizeof *ops)]);
}

static bool can_be_tested(const struct maker *m, const struct place *p) {
    (void)m;
    return p->len == 0 && !p->is_output;
}

static bool can_change(const struct maker *m, const struct place *p) {
    (void)m;
    return p->can_write && p->len == 0 && p->is_local && p->n == 0 && !type_is_float(p->type) &&
           p->type != T_BOOL && p->type != T_MODE && p->type != T_LEVEL;
}

static bool can_be_assigned(const struct maker *m, const struct place *p) {
    (void)m;
    return p->can_write && p->len == 0;
}

/* One side effect, sequenced after everything else in the condition. */
static bool effect(struct maker *m) {
    const struct place *p;
    if (pick(m, 2)) {
        static const char *const forms[] = {"%s++ & ", "++%s < ", "--%s > ", "%s-- != "};
        if (!(p = pick_place(m, can_change)))
            return false;
        put(m, forms[pick(m, 4)], p->head);
        put_constant(m);
        return true;
    }
    const struct function *f = pick(m, 2) ? pick_function(m, false, false) : NULL;
    if (f) {
        make_call(m, f, 2);
    } else {
        if (!(p = pick_place(m, can_be_assigned)))
            return false;
        struct place to = *p;
        put(m, "(%s = ", to.head);
        make_bounded(m, &to);
        put(m, ")");
    }
    put_comparison(m);
    put_constant(m);
    return true;
}

static void condition_text(struct maker *m, int depth) {
    const struct place *p;
    if (m->inside == 0 && chance(m, 25) && effect(m))
        return;
    uint64_t form = pick(m, 8);
    if (form < 2 && (p = pick_place(m, can_be_tested))) {
        put_read(m, p);
    } else if (form < 4 && m->has[FEATURE_floats]) {
        make_float(m, depth);
        put_comparison(m);
        make_float(m, depth - 1);
    } else if (form < 5) {
        put(m, "0 != (");
        make_int(m, depth);
        put(m, " & %u)", 1u << pick(m, 4));
    } else {
        make_int(m, depth);
        put_comparison(m);
        if (pick(m, 2))
            put_constant(m);
        else
            make_int(m, depth - 1);
    }
}

static void open_condition(struct maker *m, struct tree *t) {
    uint32_t mark = mark_here(m, MARK_CONDITION), weight = 1;
    m->s->marks.data[mark].decision = t->decision;
    m->s->marks.data[mark].position = t->n;
    for (uint32_t i = 0; i < t->n; i++)
        weight *= 3;
    put_oracle(m, "gkt_condition(%u, %u, %u, !!(", t->decision, weight, mark);
}

static uint32_t condition(struct maker *m, struct tree *t, int depth) {
    open_condition(m, t);
    uint32_t position = t->n++;
    condition_text(m, depth);
    put_oracle(m, "))");
    return add_node(m, 'c', position, 0);
}

/* ---- trees ---- */

static uint32_t make_tree(struct maker *m, struct tree *t, int depth, bool top);

static uint32_t operands(struct maker *m, struct tree *t, uint32_t left, int depth, bool top,
                         char op) {
    put(m, " %c%c ", op, op);
    uint32_t right = make_tree(m, t, depth - 1, false);
    put(m, top ? "" : ")");
    return add_node(m, op, left, right);
}

/* A && or || that is not at the top stands in brackets. */
static uint32_t make_tree(struct maker *m, struct tree *t, int depth, bool top) {
    bool full = t->n + t->owed + 2 > CONDITIONS_MAX;
    uint64_t form = depth <= 0 || m->budget <= 0 || full ? 0 : pick(m, 8);
    if (form < 3)
        return condition(m, t, 1);
    m->budget--;
    if (form == 3) {
        put(m, "!(");
        uint32_t of = make_tree(m, t, depth - 1, true);
        put(m, ")");
        return add_node(m, '!', of, 0);
    }
    put(m, top ? "" : "(");
    t->owed++;
    uint32_t left = make_tree(m, t, depth - 1, false);
    t->owed--;
    return operands(m, t, left, depth, top, form < 6 ? '&' : '|');
}

static struct tree open_decision(struct maker *m) {
    struct decision none = {0};
    struct tree t = {.decision = (uint32_t)m->s->decisions.len};
    vec_push(&m->s->decisions, none);
    return t;
}

static void close_decision(struct maker *m, const struct tree *t, uint32_t root) {
    m->s->decisions.data[t->decision] = (struct decision){.root = root, .n_conditions = t->n};
    put_oracle(m, "))))");
}

static struct tree open_controlling(struct maker *m) {
    struct tree t = open_decision(m);
    uint32_t mark = mark_here(m, MARK_BRANCH);
    put_oracle(m, "(GKT_BEGIN(%u), gkt_branch(%u, %u, !!((", t.decision, t.decision, mark);
    return t;
}

void make_controlling(struct maker *m, int depth) {
    struct tree t = open_controlling(m);
    uint32_t root = make_tree(m, &t, depth, true);
    close_decision(m, &t, root);
}

void make_controlling_after(struct maker *m, const char *text, int depth) {
    struct tree t = open_controlling(m);
    open_condition(m, &t);
    t.n++;
    put(m, "%s", text);
    put_oracle(m, "))");
    uint32_t root = add_node(m, 'c', 0, 0);
    if (depth > 0 && pick(m, 2))
        root = operands(m, &t, root, depth, true, '&');
    close_decision(m, &t, root);
}

/* At least one operator: a lone condition is no decision in an expression. */
void make_decision(struct maker *m, int depth) {
    m->inside++;
    put(m, "(");
    struct tree t = open_decision(m);
    put_oracle(m, "(GKT_BEGIN(%u), gkt_decided(%u, !!((", t.decision, t.decision);
    t.owed = 1;
    uint32_t left = make_tree(m, &t, depth - 1, false);
    t.owed = 0;
    uint32_t root = operands(m, &t, left, depth, true, pick(m, 2) ? '&' : '|');
    close_decision(m, &t, root);
    put(m, ")");
    m->inside--;
}
