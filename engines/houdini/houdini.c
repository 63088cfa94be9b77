/* The engine: see houdini.h. */
#include "engines/houdini/houdini.h"

#include "base/mem.h"
#include "engines/invariant/tell.h"

enum { ASKED_AGAIN = 4, LEAST_GUARDED = 48, MOST_GUARDED = 1000, WORTH_TELLING = 4000000 };

/* ---- results ---- */

/* Without "or NaN" where the cell is a number for sure. */
static void drop_nan(const struct houdini *h, struct clause *c) {
    size_t kept = 0;
    for (size_t i = 0; i < c->len; i++)
        if (c->data[i].kind != BOUND_NAN || chains_range(h, c->data[i].cell).nan)
            c->data[kept++] = c->data[i];
    c->len = kept;
}

/* Of all chains when they are settled, else of those that are kept. */
static void invariant_of(struct houdini *h, struct invariant *inv) {
    bool all = h->settled == h->chains.len;
    invariant_init(inv);
    inv->k = 1;
    if (h->input.lemmas)
        invariant_copy(inv, h->input.lemmas);
    vec_clear(&inv->targets);
    for (size_t i = 0; i < h->chains.len; i++) {
        const struct chain *c = &h->chains.data[i];
        struct clause clause = {0};
        if (!chain_has_bound(c) || (!all && !chain_is_kept(c)))
            continue;
        chain_clause(h, c, &clause);
        drop_nan(h, &clause);
        invariant_add(inv, clause.data, clause.len);
        vec_free(&clause);
    }
}

static bool report_all(struct houdini *h) {
    assert(h->phase > HOUDINI_BOXES && h->dead.len == h->input.n_targets);
    struct invariant inv;
    invariant_of(h, &inv);
    bool all = tell_dead(&h->input, &inv, h->dead.data);
    if (!h->too_many_sums)
        tell_lemma(&h->input, &inv);
    invariant_free(&inv);
    h->untold = false;
    return all;
}

/* ---- the engine ---- */

static void *houdini_open(const struct engine_input *input) {
    struct houdini *h = mem_zalloc(1, sizeof *h);
    struct solver_options options = engine_solver(input);
    h->input = *input;
    h->first = solver_new(&options);
    h->step = solver_new(&options);
    unroll_init(&h->from_init, input->sys, h->first, UNROLL_FROM_INIT, NULL);
    unroll_to(&h->from_init, 0);
    unroll_init(&h->from_any, input->sys, h->step, UNROLL_FROM_ANY, input->lemmas);
    unroll_to(&h->from_any, 1);
    chains_of_cells(h);
    vec_resize_zero(&h->dead, input->n_targets);
    return h;
}

static void houdini_close(void *state) {
    struct houdini *h = state;
    unroll_free(&h->from_init);
    unroll_free(&h->from_any);
    solver_free(h->first);
    solver_free(h->step);
    chains_free(h);
    mem_free(h);
}

/* So many guarded chains that they may settle within the ticks: each is asked about some times. */
static size_t affordable(const struct houdini *h, uint64_t until) {
    uint64_t now = solver_stats(h->step)->ticks, left = until > now ? until - now : 0;
    uint64_t most = left / (ASKED_AGAIN * (now / (h->asked + 1) + 1));
    return most < LEAST_GUARDED ? LEAST_GUARDED : most < MOST_GUARDED ? (size_t)most : MOST_GUARDED;
}

static bool add_guarded(struct houdini *h, uint64_t until) {
    size_t from = h->chains.len;
    if (!chains_with_guards(h, affordable(h, until)))
        return false;
    settle_from_init(h, from);
    return true;
}

static bool settle_guarded(struct houdini *h, uint64_t until) {
    do {
        if (!settle(h, until))
            return false;
        settle_keep(h);
    } while (add_guarded(h, until));
    h->cursor = 0;
    return true;
}

/* The work of a phase; false: the ticks are used up in it. */
static bool work(struct houdini *h, uint64_t until) {
    assert(h->phase < HOUDINI_FINISHED &&
           (h->phase >= HOUDINI_GUARDED || h->chains.len == h->first_guarded));
    switch (h->phase) {
    case HOUDINI_START:
        settle_from_init(h, 0);
        return true;
    case HOUDINI_BOXES:
        if (!settle(h, until))
            return false;
        settle_keep(h);
        h->cursor = 0;
        return true;
    case HOUDINI_NARROW:
        return settle_narrow(h, 0, until);
    case HOUDINI_FILTERS:
        filters_try(h);
        settle_keep(h);
        add_guarded(h, until);
        return true;
    case HOUDINI_GUARDED:
        return settle_guarded(h, until);
    case HOUDINI_SHARPEN:
        return settle_narrow(h, 0, until); /* boxes may follow from cases */
    case HOUDINI_TELL:
        if (report_all(h))
            h->phase = HOUDINI_FINISHED - 1;
        else
            sums_of_counters(h);
        return true;
    case HOUDINI_RELATED:
        if (!settle(h, until))
            return false;
        sums_with_guards(h);
        return true;
    case HOUDINI_MODES:
        return settle(h, until);
    case HOUDINI_TIGHTEN:
        if (!settle_narrow(h, h->first_sum, until))
            return false;
        sums_prune(h);
        return true;
    case HOUDINI_FINISHED:
        break;
    }
    return true;
}

static bool all_dead(const struct houdini *h) {
    for (size_t i = 0; i < h->dead.len; i++)
        if (!h->dead.data[i])
            return false;
    return true;
}

/* Chains are never taken away, only emptied. */
static void note_candidates(struct houdini *h) {
    struct window *w = h->input.window;
    if (!w || w->stats.candidates == h->chains.len)
        return;
    w->stats.candidates = h->chains.len;
    WINDOW_EVENT(w, "candidates", "\"phase\":%d,\"clauses\":%zu", (int)h->phase, h->chains.len);
}

static enum engine_status houdini_step(void *state, uint64_t ticks) {
    struct houdini *h = state;
    uint64_t until = solver_stats(h->step)->ticks + ticks;
    if (h->phase == HOUDINI_FINISHED)
        return ENGINE_GAVE_UP;
    for (; h->phase != HOUDINI_FINISHED; h->phase++) {
        bool enough = h->phase > HOUDINI_TELL && until > h->sums_until;
        bool done = work(h, enough ? h->sums_until : until);
        note_candidates(h);
        if (done)
            continue;
        if (!enough && h->untold && ticks >= WORTH_TELLING)
            report_all(h); /* whoever gives so much at once may give no more */
        if (!enough)
            return ENGINE_MORE;
        h->phase = HOUDINI_FINISHED;
        return ENGINE_GAVE_UP;
    }
    if (sums_survive(h))
        report_all(h);
    return all_dead(h) ? ENGINE_DONE : ENGINE_GAVE_UP;
}

const struct engine engine_houdini = {
    .open = houdini_open,
    .step = houdini_step,
    .close = houdini_close,
};
