/* Goals are sorted by line, then folded in one pass. */
#include "report/lines.h"

#include <stdlib.h>
#include <string.h>

static int by_line(const void *a, const void *b) {
    const struct report_goal *x = *(const struct report_goal *const *)a;
    const struct report_goal *y = *(const struct report_goal *const *)b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void add_statement(struct report_line *l, const struct report_goal *g) {
    bool dead = g->status == STATUS_DEAD;
    l->all_dead = l->has_statement ? l->all_dead && dead : dead;
    l->has_statement = true;
    l->covered |= g->status == STATUS_REACHABLE;
}

static void add_goal(struct report_line *l, const struct report_goal *g) {
    if (g->criterion == GOAL_statement)
        add_statement(l, g);
    else if (g->criterion == GOAL_branch || g->criterion == GOAL_case)
        vec_push(&l->branches, g);
    else if (g->criterion == GOAL_mcdc)
        vec_push(&l->mcdc, g);
    else if (g->criterion == GOAL_function)
        vec_push(&l->functions, g);
}

void report_goals_of(const struct report_data *d, uint32_t file, struct goal_refs *goals) {
    assert(file < d->files.len);
    assert(goals->len == 0);
    for (size_t i = 0; i < d->goals.len; i++)
        if (d->goals.data[i].file == file)
            vec_push(goals, &d->goals.data[i]);
    if (goals->len > 1)
        qsort(goals->data, goals->len, sizeof *goals->data, by_line);
}

/* A decision may go over several lines; its MC/DC belongs together. */
static int line_of(const struct report_data *d, const struct report_goal *g) {
    const struct report_decision *decision =
        g->criterion == GOAL_mcdc ? report_decision_of(d, g) : NULL;
    return decision && decision->file == g->file ? decision->line : g->line;
}

struct placed {
    int line;
    const struct report_goal *goal;
};

static int by_place(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    return x->line != y->line ? (x->line < y->line ? -1 : 1) : by_line(&x->goal, &y->goal);
}

static int by_condition(const void *a, const void *b) {
    const struct report_goal *x = *(const struct report_goal *const *)a;
    const struct report_goal *y = *(const struct report_goal *const *)b;
    if (x->decision != y->decision)
        return x->decision < y->decision ? -1 : 1;
    if (x->condition != y->condition)
        return x->condition < y->condition ? -1 : 1;
    return x->value > y->value ? -1 : x->value < y->value;
}

void report_lines_of(const struct report_data *d, uint32_t file, struct report_lines *lines) {
    assert(lines->len == 0);
    VEC(struct placed) placed = {0};
    for (size_t i = 0; i < d->goals.len; i++)
        if (d->goals.data[i].file == file)
            vec_push(&placed, (struct placed){line_of(d, &d->goals.data[i]), &d->goals.data[i]});
    if (placed.len > 1)
        qsort(placed.data, placed.len, sizeof *placed.data, by_place);
    for (size_t i = 0; i < placed.len; i++) {
        if (lines->len == 0 || vec_last(lines).line != placed.data[i].line)
            vec_push(lines, (struct report_line){.line = placed.data[i].line});
        add_goal(&vec_last(lines), placed.data[i].goal);
    }
    for (size_t i = 0; i < lines->len; i++)
        if (lines->data[i].mcdc.len > 1)
            qsort(lines->data[i].mcdc.data, lines->data[i].mcdc.len,
                  sizeof *lines->data[i].mcdc.data, by_condition);
    vec_free(&placed);
}

bool report_line_is_listed(const struct report_line *l) {
    return l->has_statement || l->branches.len || l->mcdc.len || l->functions.len;
}

size_t report_line_taken(const struct report_line *l) {
    size_t taken = 0;
    for (size_t i = 0; i < l->branches.len; i++)
        taken += l->branches.data[i]->status == STATUS_REACHABLE;
    return taken;
}

bool report_line_is_hit(const struct report_line *l) {
    bool hit = l->covered || report_line_taken(l) > 0;
    for (size_t i = 0; i < l->mcdc.len; i++)
        hit |= l->mcdc.data[i]->status == STATUS_REACHABLE;
    for (size_t i = 0; i < l->functions.len; i++)
        hit |= l->functions.data[i]->status == STATUS_REACHABLE;
    return hit;
}

void report_lines_free(struct report_lines *lines) {
    for (size_t i = 0; i < lines->len; i++) {
        vec_free(&lines->data[i].branches);
        vec_free(&lines->data[i].mcdc);
        vec_free(&lines->data[i].functions);
    }
    vec_free(lines);
}
