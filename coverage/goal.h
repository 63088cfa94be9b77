/* goal: one thing to be covered, with a stable key; and the list of all of them.
 *
 * Goals are numbered densely. Several goals share a *probe*: the number passed to gk_hit() in the
 * woven program (statements of one straight-line block, for example). Engines know probes as
 * targets; a verdict on a probe is a verdict on all its goals.
 */
#ifndef COVERAGE_GOAL_H
#define COVERAGE_GOAL_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

#include <stdint.h>

enum goal_kind {
#define CRITERION(name, has_value, on, robust, about) GOAL_##name,
#include "coverage/criteria.def"
#undef CRITERION
    GOAL_KINDS
};

struct criterion {
    const char *name, *about;
    bool has_value, on, robustness;
};
extern const struct criterion criteria[GOAL_KINDS];
int criterion_find(const char *name); /* -1 when unknown */
/* What is said of a goal's text: " is true", " decides the outcome as true"; "" without a value.
 * `kind` may be unknown. */
const char *criterion_says(int kind, int64_t value);

struct goal {
    uint64_t key; /* stable: function, AST path, occurrence, kind, value */
    enum goal_kind kind;
    int8_t value; /* 1, 0; -1 where the kind has no value */
    uint32_t probe;
    const char *file; /* as the user knows it (line markers applied) */
    int line, col, end_line, end_col;
    const char *function;
    const char *text;      /* one line, as the user has written it */
    const char *expansion; /* what the preprocessor has made of it; NULL: the same */
    int32_t decision;      /* index into goals.decisions, -1 */
    int32_t condition;     /* index within the decision, -1 */
    const char *block;     /* of the model that the code comes from; NULL: not known */
    const char *reason;    /* NULL, or why this goal cannot be analysed: it stays open */
};

struct decision {
    const char *file, *function, *text;
    int line, col;
    int n_conditions;
    const char *const *condition_text; /* n_conditions texts */
    const char *structure;             /* "(0&&1)||!2": masking can be recomputed from it */
};

/* a => b: whoever hits goal a has hit goal b; so b dead makes a dead. Both ways may be listed: such
 * goals are hit together. */
struct implication {
    uint32_t a, b;
};

/* Something that cannot be analysed, with its place. */
struct limitation {
    const char *file;
    int line, col;
    const char *function;
    const char *text; /* what, and what to do about it */
};

struct goals {
    struct arena arena;
    VEC(struct goal) list;
    VEC(struct decision) decisions;
    VEC(struct implication) implications; /* transitively reduced, on goal indices */
    VEC(struct limitation) limitations;
    uint32_t n_probes;
    /* Probes that a search need not watch: a run that hits one also hits another that is watched
     * and cannot be hit without it, unless the run ends in between. */
    VEC(uint32_t) spare;
};

void goals_free(struct goals *goals);
const struct goal *goals_find(const struct goals *goals, uint64_t key); /* NULL when absent */

/* Masking MC/DC: given one evaluation of a decision (value[i] is 1, 0, or -1 when short-circuited),
 * sets credited[i] where condition i was shown to decide the outcome, which is returned. Values of
 * conditions that are not evaluated become -1, so that any values are good enough. */
bool mcdc_credit(const struct decision *d, int8_t *value, bool *credited);

#endif
