/* Rows are read back from the texts of goals of kind vector; credits are those of coverage/mcdc.c.
 */
#include "report/truth.h"

#include <string.h>

/* Letter of a condition in a row "T F -". */
static int8_t value_in(const struct report_goal *row, size_t condition) {
    assert(strlen(row->text) > 2 * condition);
    char letter = row->text[2 * condition];
    return (int8_t)(letter == 'T' ? 1 : letter == 'F' ? 0 : -1);
}

static void add_row(const struct report_decision *d, const struct report_goal *g, struct truth *t) {
    size_t n = d->conditions.len;
    if (strlen(g->text) + 1 != 2 * n)
        return;
    struct truth_row row = {g, arena_array(&t->arena, bool, n)};
    int8_t *value = arena_array(&t->arena, int8_t, n);
    for (size_t c = 0; c < n; c++)
        value[c] = value_in(g, c);
    struct decision shape = {.n_conditions = (int)n, .structure = d->structure};
    mcdc_credit(&shape, value, row.credited);
    vec_push(&t->rows, row);
}

static void add_goal(const struct report_decision *d, const struct report_goal *g,
                     struct truth *t) {
    if (g->criterion == GOAL_vector)
        add_row(d, g, t);
    if (g->condition < 0 || (size_t)g->condition >= t->conditions.len || g->value < 0)
        return;
    struct truth_condition *c = &t->conditions.data[g->condition];
    if (g->criterion == GOAL_condition)
        c->outcome[g->value] = g;
    else if (g->criterion == GOAL_mcdc)
        c->mcdc[g->value] = g;
}

static enum row_status row_status(const struct report_goal *g, bool accept_justified) {
    if (g->status == STATUS_REACHABLE || (accept_justified && g->justified))
        return ROW_REACHABLE;
    return g->status == STATUS_DEAD ? ROW_DEAD : ROW_OPEN;
}

static enum row_status *statuses(struct truth *t, bool accept_justified) {
    enum row_status *status = arena_array(&t->arena, enum row_status, t->rows.len + 1);
    for (size_t r = 0; r < t->rows.len; r++)
        status[r] = row_status(t->rows.data[r].goal, accept_justified);
    return status;
}

/* The rows in the terms of coverage/, as goals of one decision. */
static void describe(const struct report_decision *d, const struct truth *t, struct goals *goals) {
    vec_push(&goals->decisions, (struct decision){.n_conditions = (int)d->conditions.len});
    for (size_t r = 0; r < t->rows.len; r++) {
        const struct report_goal *g = t->rows.data[r].goal;
        vec_push(&goals->list, (struct goal){.kind = GOAL_vector,
                                             .value = (int8_t)g->value,
                                             .text = g->text,
                                             .decision = 0,
                                             .condition = -1});
    }
}

static void derive_unique(const struct report_decision *d, struct truth *t) {
    struct goals goals = {0};
    describe(d, t, &goals);
    enum row_status *status = statuses(t, false), *accepted = statuses(t, true);
    for (size_t c = 0; c < t->conditions.len; c++) {
        struct truth_condition *condition = &t->conditions.data[c];
        struct row_pairs pairs = {0};
        unique_cause_pairs(&goals, 0, (int32_t)c, &pairs);
        condition->n_pairs = pairs.len;
        condition->unique = unique_cause_status(&pairs, status, &condition->pair);
        condition->unique_justified = condition->unique != ROW_REACHABLE &&
                                      unique_cause_status(&pairs, accepted, NULL) == ROW_REACHABLE;
        vec_free(&pairs);
    }
    vec_free(&goals.list);
    vec_free(&goals.decisions);
}

void truth_of(const struct report_decision *d, struct truth *t) {
    assert(t->rows.len == 0 && t->conditions.len == 0);
    for (size_t c = 0; c < d->conditions.len; c++)
        vec_push(&t->conditions, (struct truth_condition){.text = d->conditions.data[c]});
    for (size_t i = 0; i < d->goals.len; i++)
        add_goal(d, d->goals.data[i], t);
    if (t->rows.len > 0)
        derive_unique(d, t);
}

void truth_free(struct truth *t) {
    vec_free(&t->rows);
    vec_free(&t->conditions);
    arena_free(&t->arena);
}

struct report_count truth_unique_count(const struct report_data *data) {
    struct report_count count = {.criterion = "mcdc"};
    for (size_t i = 0; i < data->decisions.len; i++) {
        struct truth t = {0};
        truth_of(&data->decisions.data[i], &t);
        for (size_t c = 0; t.rows.len > 0 && t.conditions.len > 1 && c < t.conditions.len; c++) {
            const struct truth_condition *condition = &t.conditions.data[c];
            count.total++;
            count.reachable += condition->unique == ROW_REACHABLE;
            count.dead += condition->unique == ROW_DEAD;
            count.open += condition->unique == ROW_OPEN;
            count.justified += condition->unique_justified;
        }
        truth_free(&t);
    }
    assert(count.reachable + count.dead + count.open == count.total);
    return count;
}

/* Both outcomes as one: it is shown when both are, and dead when one is. */
static void count_condition(const struct report_goal *a, const struct report_goal *b,
                            struct report_count *count) {
    bool met = report_is_met(a) && report_is_met(b);
    bool dead = a->status == STATUS_DEAD || b->status == STATUS_DEAD;
    bool justified = !met && !report_needs_attention(a) && !report_needs_attention(b);
    count->total++;
    count->reachable += met;
    count->dead += dead;
    count->open += !met && !dead;
    count->justified += justified;
    count->accepted += justified && dead;
}

struct report_count truth_masking_count(const struct report_data *data) {
    struct report_count count = {.criterion = "mcdc"};
    for (size_t i = 0; i < data->decisions.len; i++) {
        struct truth t = {0};
        truth_of(&data->decisions.data[i], &t);
        for (size_t c = 0; c < t.conditions.len; c++) {
            const struct truth_condition *condition = &t.conditions.data[c];
            if (condition->mcdc[0] && condition->mcdc[1])
                count_condition(condition->mcdc[0], condition->mcdc[1], &count);
        }
        truth_free(&t);
    }
    assert(count.reachable + count.dead + count.open == count.total);
    return count;
}
