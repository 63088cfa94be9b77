/* Who stands behind the dead verdicts. */
#include "db/checkers.h"
#include "report/data.h"

#include <string.h>

const char *report_checkers(struct report_data *d, const char *set) {
    static const char *const words[][2] = {{"replay", "replay"},
                                           {"cbmc", "CBMC"},
                                           {"z3", "Z3"},
                                           {"bitwuzla", "Bitwuzla"},
                                           {"solver", "a fresh solver"}};
    enum { WORDS = sizeof words / sizeof *words };
    const char *found[WORDS] = {0}, *text = "";
    size_t n = 0;
    assert(set && WORDS == 5); /* as in db/checkers.h */
    for (size_t i = 0; i < WORDS; i++)
        if (checkers_have(set, words[i][0]))
            found[n++] = words[i][1];
    for (size_t i = 0; i < n; i++) {
        const char *between = i == 0 ? "" : i + 1 == n ? " and " : ", ";
        text = arena_printf(&d->arena, "%s%s%s", text, between, found[i]);
    }
    return text;
}

struct share {
    const char *set;
    size_t goals;
};
VEC_STRUCT(shares, struct share);

/* The largest first. */
static void count(const struct report_data *d, struct shares *shares) {
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        size_t at = 0;
        if (g->status != STATUS_DEAD || g->helper)
            continue;
        assert(*g->checked_by);
        while (at < shares->len && strcmp(shares->data[at].set, g->checked_by) != 0)
            at++;
        if (at == shares->len)
            vec_push(shares, (struct share){g->checked_by, 0});
        shares->data[at].goals++;
        for (; at > 0 && shares->data[at - 1].goals < shares->data[at].goals; at--) {
            struct share less = shares->data[at - 1];
            shares->data[at - 1] = shares->data[at];
            shares->data[at] = less;
        }
    }
}

const char *report_checks(struct report_data *d) {
    struct shares shares = {0};
    const char *text = "";
    size_t all = 0;
    count(d, &shares);
    for (size_t i = 0; i < shares.len; i++) {
        all += shares.data[i].goals;
        text = arena_printf(&d->arena, "%s%s%zu %sby %s", text, i ? ", " : "", shares.data[i].goals,
                            i ? "" : "checked ", report_checkers(d, shares.data[i].set));
    }
    vec_free(&shares);
    assert((all == 0) == (*text == '\0'));
    if (all == 0)
        return "";
    return arena_printf(&d->arena, "%zu dead verdict%s: %s", all, all == 1 ? "" : "s", text);
}
