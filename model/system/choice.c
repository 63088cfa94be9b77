#include "model/system/choice.h"

#include "base/mem.h"

struct spread {
    const struct system *sys;
    bool *open; /* by term */
};

/* Arguments come before the terms that use them. */
static void spread_upwards(struct spread *s) {
    const struct terms *ts = s->sys->terms;
    for (term_t t = 1; t < ts->nodes.len; t++) {
        const struct term *node = term_get(ts, t);
        for (int i = 0; i < node->arity; i++)
            s->open[t] |= s->open[node->arg[i]];
    }
}

/* True when a further cell depends on a choice. */
static bool spread_over_steps(struct spread *s) {
    bool more = false;
    for (size_t i = 0; i < s->sys->cells.len; i++) {
        const struct cell *c = &s->sys->cells.data[i];
        bool open = (c->init && s->open[c->init]) || (c->next && s->open[c->next]) ||
                    (c->is && s->open[c->is]);
        more |= open && !s->open[c->var];
        s->open[c->var] |= open;
    }
    return more;
}

void choice_find(const struct system *sys, bool *rests) {
    struct spread s = {sys, mem_zalloc(sys->terms->nodes.len, sizeof *s.open)};
    for (size_t i = 0; i < sys->inputs.len; i++)
        s.open[sys->inputs.data[i].var] = sys->inputs.data[i].unspecified;
    do
        spread_upwards(&s);
    while (spread_over_steps(&s));
    bool all = s.open[sys->init_ok] || s.open[sys->step_ok];
    for (size_t i = 0; i < sys->targets.len; i++) {
        const struct target *t = &sys->targets.data[i];
        rests[i] = all || s.open[t->hit] || (t->init_hit && s.open[t->init_hit]);
    }
    mem_free(s.open);
}

bool choice_in(const struct system *sys, const uint32_t *targets, size_t n) {
    bool *rests = mem_zalloc(sys->targets.len + 1, sizeof *rests), found = false;
    choice_find(sys, rests);
    for (size_t i = 0; i < n; i++)
        found |= rests[targets[i]];
    mem_free(rests);
    return found;
}
