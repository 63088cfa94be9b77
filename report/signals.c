#include "report/signals.h"

#include "report/number.h"

#include <math.h>
#include <string.h>

static const char input_sql[] =
    "SELECT v.number, v.path, v.role, v.is_input, v.lsb, v.offset, v.type, v.bits, e.step, e.bits "
    "FROM witness_event e JOIN variable v ON v.is_input = 1 AND v.number = e.input "
    "WHERE e.witness = ?1 AND e.step <= ?2 ORDER BY e.input, e.number";

static const char cell_sql[] =
    "SELECT v.number, v.path, v.role, v.is_input, v.lsb, v.offset, v.type, v.bits, c.step, c.bits "
    "FROM witness_cell c JOIN variable v ON v.is_input = 0 AND v.number = c.cell "
    "WHERE c.witness = ?1 AND c.step <= ?2 ORDER BY c.cell, c.step";

static void add_point(struct signals *s, struct rows *r) {
    struct signal *signal = &vec_last(&s->list);
    enum var_type type = (enum var_type)rows_text(r, 6)[0];
    int bits = (int)rows_int(r, 7);
    uint64_t raw = (uint64_t)rows_int(r, 9);
    struct signal_point p = {rows_int(r, 8), number_value(type, bits, raw),
                             number_text(&s->arena, type, bits, raw)};
    if (!isfinite(p.value))
        p.value = NAN;
    bool first = signal->points.len == 0;
    if (!first && strcmp(vec_last(&signal->points).text, p.text) == 0)
        return;
    if (!first && vec_last(&signal->points).step > p.step) /* in a damaged database */
        return;
    signal->changes = signal->points.len > 0;
    signal->min = fmin(signal->min, p.value); /* fmin and fmax skip NaN */
    signal->max = fmax(signal->max, p.value);
    vec_push(&signal->points, p);
}

static bool read_signals(struct report_data *d, const struct report_goal *g, const char *sql,
                         struct signals *s, struct err *err) {
    struct rows *r = rows_open(d->db, sql, err);
    int64_t number = -1;
    rows_bind_int(r, 1, g->witness);
    rows_bind_int(r, 2, g->depth);
    while (rows_next(r)) {
        if (rows_int(r, 0) != number)
            vec_push(&s->list, (struct signal){.path = arena_strdup(&s->arena, rows_text(r, 1)),
                                               .role = arena_strdup(&s->arena, rows_text(r, 2)),
                                               .is_input = rows_int(r, 3) != 0,
                                               .lsb = rows_real(r, 4),
                                               .offset = rows_real(r, 5),
                                               .min = NAN,
                                               .max = NAN});
        number = rows_int(r, 0);
        add_point(s, r);
    }
    return rows_close(r, err);
}

bool signals_of(struct report_data *d, const struct report_goal *g, struct signals *s,
                struct err *err) {
    assert(g->status == STATUS_REACHABLE && g->witness > 0);
    s->last = g->depth > 0 ? g->depth : 0;
    return read_signals(d, g, input_sql, s, err) && read_signals(d, g, cell_sql, s, err);
}

void signals_free(struct signals *s) {
    for (size_t i = 0; i < s->list.len; i++)
        vec_free(&s->list.data[i].points);
    vec_free(&s->list);
    arena_free(&s->arena);
}
