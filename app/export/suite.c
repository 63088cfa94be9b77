/* A small set of runs that hits all that the runs hit together.
 *
 * Greedy set cover (V. Chvatal, A greedy heuristic for the set-covering problem, 1979): again and
 * again the run that hits most of what is missing, of equal ones the shortest, then the one that
 * was found first. Afterwards every run that the others make redundant is dropped, the longest
 * first, so that no run of the result can be left out. */
#include "app/export/runs.h"

#include "base/mem.h"

#include <assert.h>

struct cover {
    struct runs *runs;
    bool *wanted;    /* [n_probes] a reachable goal has it */
    uint32_t *count; /* [n_probes] runs of the suite that hit it */
};

static size_t news_of(const struct cover *c, const struct run *run) {
    size_t n = 0;
    for (size_t i = 0; i < run->scenario.hits.len; i++) {
        uint32_t probe = run->scenario.hits.data[i].probe;
        assert(probe < c->runs->file.n_probes);
        n += c->wanted[probe] && c->count[probe] == 0;
    }
    return n;
}

static void add(struct cover *c, struct run *run) {
    assert(!run->in_suite);
    run->in_suite = true;
    for (size_t i = 0; i < run->scenario.hits.len; i++)
        c->count[run->scenario.hits.data[i].probe]++;
}

static struct run *best(const struct cover *c) {
    struct run *found = NULL;
    size_t most = 0;
    for (size_t i = 0; i < c->runs->list.len; i++) {
        struct run *run = &c->runs->list.data[i];
        if (run->problem || run->in_suite)
            continue;
        size_t n = news_of(c, run);
        bool shorter = found && run->scenario.n_steps < found->scenario.n_steps;
        if (n > most || (n > 0 && n == most && shorter)) {
            found = run;
            most = n;
        }
    }
    return found;
}

static bool redundant(const struct cover *c, const struct run *run) {
    assert(run->in_suite && !run->problem);
    for (size_t i = 0; i < run->scenario.hits.len; i++) {
        uint32_t probe = run->scenario.hits.data[i].probe;
        assert(c->count[probe] > 0);
        if (c->wanted[probe] && c->count[probe] == 1)
            return false;
    }
    return true;
}

static struct run *longest_redundant(const struct cover *c) {
    struct run *found = NULL;
    for (size_t i = 0; i < c->runs->list.len; i++) {
        struct run *run = &c->runs->list.data[i];
        if (run->in_suite && redundant(c, run) &&
            (!found || run->scenario.n_steps > found->scenario.n_steps))
            found = run;
    }
    return found;
}

void runs_choose_suite(struct runs *runs) {
    struct cover c = {.runs = runs};
    c.wanted = mem_zalloc(runs->file.n_probes + 1, sizeof *c.wanted);
    c.count = mem_zalloc(runs->file.n_probes + 1, sizeof *c.count);
    for (size_t i = 0; i < runs->goals.len; i++)
        c.wanted[runs->goals.data[i].probe] = true;
    for (struct run *run; (run = best(&c));)
        add(&c, run);
    for (struct run *run; (run = longest_redundant(&c));) {
        run->in_suite = false;
        for (size_t i = 0; i < run->scenario.hits.len; i++)
            c.count[run->scenario.hits.data[i].probe]--;
    }
    mem_free(c.wanted);
    mem_free(c.count);
}
