#include "report/component/component.h"

#include <string.h>

static size_t count_sql(struct report_data *d, const char *sql) {
    return (size_t)rows_single_int(d->db, sql);
}

static void count_goals(const struct report_data *d, struct component_row *row) {
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        row->goals++;
        row->reachable += g->status == STATUS_REACHABLE;
        row->dead += g->status == STATUS_DEAD;
        row->open += g->status == STATUS_OPEN;
        row->justified += g->justified && !report_is_met(g);
        row->met_or_justified += g->justified || report_is_met(g);
        row->attention += report_needs_attention(g);
    }
}

static bool needed_attention(const struct baseline_goal *g) {
    return g->finding != FINDING_NONE && !g->justified;
}

static void compare(const struct report_data *d, const struct baseline *b,
                    struct component_row *row) {
    row->compared = true;
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        const struct baseline_goal *before = baseline_find(b, g->key);
        row->worse += baseline_is_worse(g, before);
        row->better += before && needed_attention(before) && !report_needs_attention(g);
    }
}

struct component_row *component_add(struct component *c, const char *module, const char *database,
                                    struct report_data *d, const struct baseline *baseline) {
    assert(*module && d->db);
    struct component_row row = {.module = arena_strdup(&c->arena, module),
                                .database = arena_strdup(&c->arena, database)};
    count_goals(d, &row);
    row.causes = count_sql(d, "SELECT count(*) FROM cause WHERE class NOT LIKE 'waits for%'");
    row.alarms = count_sql(d, "SELECT count(*) FROM alarm");
    for (size_t i = 0; i < d->justifications.len; i++)
        row.alarms += d->justifications.data[i].alarm;
    if (baseline)
        compare(d, baseline, &row);
    c->version = arena_strdup(&c->arena, d->version);
    assert(row.met_or_justified <= row.goals && row.attention <= row.goals);
    assert(row.reachable + row.dead + row.open == row.goals);
    vec_push(&c->rows, row);
    return &vec_last(&c->rows);
}

struct component_row component_all(const struct component *c) {
    struct component_row all = {.module = "all", .database = ""};
    for (size_t i = 0; i < c->rows.len; i++) {
        const struct component_row *row = &c->rows.data[i];
        all.goals += row->goals;
        all.reachable += row->reachable;
        all.dead += row->dead;
        all.open += row->open;
        all.justified += row->justified;
        all.met_or_justified += row->met_or_justified;
        all.attention += row->attention;
        all.causes += row->causes;
        all.alarms += row->alarms;
        all.compared |= row->compared;
        all.worse += row->worse;
        all.better += row->better;
    }
    return all;
}

double component_percent(const struct component_row *row) {
    return report_percent(row->met_or_justified, row->goals);
}

void component_free(struct component *c) {
    vec_free(&c->rows);
    arena_free(&c->arena);
}
