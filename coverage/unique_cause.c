#include "coverage/unique_cause.h"

#include <assert.h>
#include <string.h>

/* Rows are texts like "T F -": condition c is letter 2c. */
static char letter(const struct goal *row, int32_t condition) {
    assert(strlen(row->text) > 2 * (size_t)condition);
    return row->text[2 * condition];
}

static bool is_pair(const struct goal *t, const struct goal *f, int32_t condition, int32_t n) {
    if (letter(t, condition) != 'T' || letter(f, condition) != 'F' || t->value == f->value)
        return false;
    for (int32_t c = 0; c < n; c++) {
        char a = letter(t, c), b = letter(f, c);
        if (c != condition && a != b && a != '-' && b != '-')
            return false;
    }
    return true;
}

static bool is_row_of(const struct goal *goal, int32_t decision) {
    return goal->kind == GOAL_vector && goal->decision == decision;
}

void unique_cause_pairs(const struct goals *goals, int32_t decision, int32_t condition,
                        struct row_pairs *pairs) {
    assert(decision >= 0 && (size_t)decision < goals->decisions.len);
    int32_t n = goals->decisions.data[decision].n_conditions;
    VEC(uint32_t) rows = {0};
    for (uint32_t i = 0; i < goals->list.len; i++)
        if (is_row_of(&goals->list.data[i], decision))
            vec_push(&rows, i);
    for (size_t t = 0; t < rows.len; t++)
        for (size_t f = 0; f < rows.len; f++) {
            struct row_pair pair = {rows.data[t], rows.data[f]};
            if (is_pair(&goals->list.data[pair.t], &goals->list.data[pair.f], condition, n))
                vec_push(pairs, pair);
        }
    vec_free(&rows);
}

enum row_status unique_cause_status(const struct row_pairs *pairs, const enum row_status *status,
                                    struct row_pair *pair) {
    enum row_status all = ROW_DEAD;
    for (size_t i = 0; i < pairs->len; i++) {
        struct row_pair p = pairs->data[i];
        if (status[p.t] == ROW_REACHABLE && status[p.f] == ROW_REACHABLE) {
            if (pair)
                *pair = p;
            return ROW_REACHABLE;
        }
        if (status[p.t] != ROW_DEAD && status[p.f] != ROW_DEAD)
            all = ROW_OPEN;
    }
    return all;
}
