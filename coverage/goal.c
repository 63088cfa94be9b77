#include "coverage/goal.h"

#include <string.h>

const struct criterion criteria[GOAL_KINDS] = {
#define CRITERION(name, has_value, on, robust, about) {#name, about, has_value, on, robust},
#include "coverage/criteria.def"
#undef CRITERION
};

int criterion_find(const char *name) {
    for (int kind = 0; kind < GOAL_KINDS; kind++)
        if (strcmp(criteria[kind].name, name) == 0)
            return kind;
    return -1;
}

const char *criterion_says(int kind, int64_t value) {
    assert(kind < GOAL_KINDS && value <= 1);
    if (value < 0)
        return "";
    if (kind == GOAL_mcdc)
        return value ? " decides the outcome as true" : " decides the outcome as false";
    return value ? " is true" : " is false";
}

void goals_free(struct goals *goals) {
    vec_free(&goals->list);
    vec_free(&goals->decisions);
    vec_free(&goals->implications);
    vec_free(&goals->limitations);
    vec_free(&goals->spare);
    arena_free(&goals->arena);
    goals->n_probes = 0;
}

const struct goal *goals_find(const struct goals *goals, uint64_t key) {
    for (size_t i = 0; i < goals->list.len; i++)
        if (goals->list.data[i].key == key)
            return &goals->list.data[i];
    return NULL;
}
