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
    assert(l->line == g->line);
    if (strcmp(g->kind, "statement") == 0)
        add_statement(l, g);
    else if (strcmp(g->kind, "branch") == 0 || strcmp(g->kind, "case") == 0)
        vec_push(&l->branches, g);
    else if (strcmp(g->kind, "mcdc") == 0)
        vec_push(&l->mcdc, g);
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

void report_lines_of(const struct report_data *d, uint32_t file, struct report_lines *lines) {
    assert(lines->len == 0);
    struct goal_refs goals = {0};
    report_goals_of(d, file, &goals);
    for (size_t i = 0; i < goals.len; i++) {
        if (lines->len == 0 || vec_last(lines).line != goals.data[i]->line)
            vec_push(lines, (struct report_line){.line = goals.data[i]->line});
        add_goal(&vec_last(lines), goals.data[i]);
    }
    vec_free(&goals);
}

void report_lines_free(struct report_lines *lines) {
    for (size_t i = 0; i < lines->len; i++) {
        vec_free(&lines->data[i].branches);
        vec_free(&lines->data[i].mcdc);
    }
    vec_free(lines);
}
