/* vector: one row of a decision's truth table, under short-circuit evaluation.
 *
 * A row has T, F or - (not evaluated) for each condition. Its test looks at the flags from left to
 * right: as long as those before agree with the row, the next condition of the row was evaluated.
 * The number of rows can grow exponentially with the conditions; tables above a limit are reported
 * and not listed. */
#include "instrument/goals/decision.h"

enum { MOST_ROWS = 1024 };

/* Rows, each a text of one letter a condition. */
VEC_STRUCT(rows, char *);

struct row_count {
    double when[2]; /* rows that end false, true */
};

static struct row_count count_rows(const struct shape *shape, uint32_t n) {
    const struct shape_node *node = &shape->nodes.data[n];
    if (node->kind == SHAPE_LEAF)
        return (struct row_count){{1, 1}};
    struct row_count a = count_rows(shape, node->a);
    if (node->kind == SHAPE_NOT)
        return (struct row_count){{a.when[1], a.when[0]}};
    struct row_count b = count_rows(shape, node->b), both;
    bool neutral = node->kind == SHAPE_AND;
    both.when[neutral] = a.when[neutral] * b.when[neutral];
    both.when[!neutral] = a.when[!neutral] + a.when[neutral] * b.when[!neutral];
    return both;
}

static void list_rows(struct lister *l, const struct shape *shape, uint32_t n, bool value,
                      struct rows *rows);

/* Every row of `a` where it is `a_value`, joined with every row of `b` where it is `value`. */
static void join_rows(struct lister *l, const struct shape *shape, const struct shape_node *node,
                      bool a_value, bool value, struct rows *rows) {
    struct rows left = {0}, right = {0};
    list_rows(l, shape, node->a, a_value, &left);
    list_rows(l, shape, node->b, value, &right);
    for (size_t i = 0; i < left.len; i++)
        for (size_t k = 0; k < right.len; k++) {
            char *row = arena_strdup(&l->scratch, left.data[i]);
            for (size_t c = 0; c < shape->leaves.len; c++)
                row[c] = right.data[k][c] != '-' ? right.data[k][c] : row[c];
            vec_push(rows, row);
        }
    vec_free(&left);
    vec_free(&right);
}

/* All rows in which node `n` has the value. */
static void list_rows(struct lister *l, const struct shape *shape, uint32_t n, bool value,
                      struct rows *rows) {
    const struct shape_node *node = &shape->nodes.data[n];
    if (node->kind == SHAPE_LEAF) {
        char *row = arena_alloc(&l->scratch, shape->leaves.len + 1);
        memset(row, '-', shape->leaves.len);
        row[node->condition] = value ? 'T' : 'F';
        vec_push(rows, row);
    } else if (node->kind == SHAPE_NOT) {
        list_rows(l, shape, node->a, !value, rows);
    } else {
        bool neutral = node->kind == SHAPE_AND;
        if (value != neutral)
            list_rows(l, shape, node->a, value, rows);
        join_rows(l, shape, node, neutral, value, rows);
    }
}

static const char *spaced(struct lister *l, const char *row) {
    struct str text = {0};
    for (; *row; row++)
        str_addf(&text, "%s%c", text.len ? " " : "", *row);
    const char *copy = lister_format(l, "%s", str_text(&text));
    str_free(&text);
    return copy;
}

static uint32_t row_goal(struct lister *l, const struct site *site, const char *row, bool value) {
    struct decision_site *d = site->decision;
    struct goal_request request = {.kind = GOAL_vector,
                                   .value = value,
                                   .base = hash_mix(d->path, hash_text(row)),
                                   .span = tree_at(l->tree, site->node)->span,
                                   .text = spaced(l, row),
                                   .decision = (int32_t)d->index,
                                   .condition = -1};
    uint32_t goal = lister_goal(l, &request, NO_PROBE);
    for (size_t c = 0; c < d->shape.leaves.len; c++)
        if (row[c] != '-')
            lister_implies(l, goal, d->leaves[c].goal[row[c] == 'T'], site->point);
    return goal;
}

/* "v0 && !v1 && v2" */
static void add_test(struct lister *l, struct decision_site *d, const char *row) {
    const char *sep = "";
    for (size_t c = 0; c < d->shape.leaves.len; c++)
        if (row[c] != '-') {
            str_addf(&d->after, "%s%s%s", sep, row[c] == 'T' ? "" : "!",
                     decision_value(l, d, d->shape.leaves.data[c]));
            sep = " && ";
        }
}

static void add_rows(struct lister *l, const struct site *site) {
    struct decision_site *d = site->decision;
    str_add(&d->after, d->after.len > 0 ? ", (" : "(");
    for (int value = 1; value >= 0; value--) {
        struct rows rows = {0};
        list_rows(l, &d->shape, 0, value, &rows);
        for (size_t i = 0; i < rows.len; i++) {
            uint32_t goal = row_goal(l, site, rows.data[i], value);
            add_test(l, d, rows.data[i]);
            str_addf(&d->after, " ? gk_hit(%u) : ", lister_probe_of(l, goal));
        }
        vec_free(&rows);
    }
    str_add(&d->after, "(void)0)");
}

static void report_table(struct lister *l, const struct site *site, double rows) {
    struct arena *arena = &l->goals->arena;
    struct place place = unit_place(l->tree->unit, tree_at(l->tree, site->node)->span.begin);
    struct limitation limitation = {
        .file = arena_strdup(arena, place.file),
        .line = place.line,
        .col = place.col,
        .function = l->function_name,
        .text = arena_printf(arena,
                             "truth table of %.0f rows: its vector goals are not listed (limit "
                             "%d); split the decision",
                             rows, MOST_ROWS)};
    vec_push(&l->goals->limitations, limitation);
}

void criterion_vector(struct lister *l, const struct site *site) {
    if (site->kind != SITE_DECISION || site->decision->shape.leaves.len < 2)
        return;
    struct row_count count = count_rows(&site->decision->shape, 0);
    double rows = count.when[0] + count.when[1];
    if (rows <= MOST_ROWS)
        add_rows(l, site);
    else if (!l->repeated)
        report_table(l, site, rows);
}
