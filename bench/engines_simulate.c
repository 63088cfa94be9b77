#include "bench/engines.h"

#include "instrument/native/simulate.h"

enum { ROUND = 1000000 };

bool simulate_module(const struct bench_module *m, uint64_t steps, bool *known, struct err *err) {
    struct native_program program = {.woven = str_text(&m->woven.text),
                                     .module = &m->woven.module,
                                     .n_probes = m->woven.goals.n_probes,
                                     .spare = m->woven.goals.spare.data,
                                     .n_spare = m->woven.goals.spare.len};
    struct simulate_options options = {.seed = 1, .shards = 1};
    struct simulate_news news = {0};
    struct simulation *sim = simulate_open(&program, &options, err);
    if (!sim)
        return false;
    bool ok = true;
    for (uint64_t done = 0; ok && done < steps; done += ROUND)
        ok = simulate_step(sim, ROUND, &news, err);
    for (uint32_t p = 0; p < program.n_probes; p++)
        known[p] = simulate_knows(sim, p);
    simulate_news_free(&news);
    simulate_close(sim);
    return ok;
}
