#include "app/run/simulator.h"
#include "app/run/budget.h"

#include "app/run/evidence.h"

#include <sys/resource.h>

void simulator_init(struct simulator *sim, struct session *s) {
    *sim = (struct simulator){.session = s, .pace = policy_pace(s->woven.goals.n_probes)};
}

bool simulator_ready(const struct simulator *sim) {
    const struct session *s = sim->session;
    return s->has_native && !sim->lost && session_wants(s, "simulate");
}

/* Of the processor: the search, what was found, and what became of it. */
static double used_seconds(const struct simulator *sim) {
    struct simulation *simulation = sim->session->simulation;
    return simulate_statistics(simulation).cpu_seconds +
           native_cpu_seconds(simulate_zero(simulation)) + clock_cpu(RUSAGE_SELF);
}

static bool take_news(struct simulator *sim, const struct simulate_news *news, uint32_t *found,
                      struct err *err) {
    struct session *s = sim->session;
    for (size_t i = 0; i < news->scenarios.len; i++)
        if (!evidence_scenario(s, "simulate", &news->scenarios.data[i], session_elapsed(s), found,
                               err))
            return false;
    for (size_t i = 0; i < news->crashes.len; i++)
        evidence_crash(s, &news->crashes.data[i]);
    return true;
}

/* Where no process can be run any more, the run goes on without simulation. */
static bool step(struct simulator *sim, struct simulate_news *news) {
    struct err why = {0};
    struct session *s = sim->session;
    sim->lost = !simulate_step(s->simulation, sim->pace.slice, news, &why);
    if (sim->lost && !session_must_end(s))
        session_warn(s, "simulation ends", &why);
    err_clear(&why); /* also of a process that others go on without */
    return !sim->lost;
}

bool simulator_slice(struct simulator *sim, struct err *err) {
    struct simulate_news news = {0};
    uint32_t found = 0;
    double began = clock_seconds(), used = used_seconds(sim);
    bool ok = true;
    assert(simulator_ready(sim));
    if (step(sim, &news)) {
        ok = take_news(sim, &news, &found, err);
        double wall = clock_seconds() - began;
        used = used_seconds(sim) - used;
        used = used > 0 ? used : 0; /* processes that have ended took theirs with them */
        bool by_steps = sim->session->options->deterministic;
        policy_spent(&sim->yield, used, found);
        policy_slice_done(&sim->pace, by_steps ? 0 : used, by_steps ? 0 : wall, found > 0);
    }
    simulate_news_free(&news);
    return ok;
}
