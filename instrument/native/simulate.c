/* simulate: see simulate.h. Open, close and the round over the shards; what becomes of the finds is
 * in simulate_finds.c. */
#include "base/file.h"
#include "base/mem.h"
#include "instrument/syntax/sort.h"
#include "instrument/native/simulate_internal.h"
#include "model/term/ordinal.h"

#include <assert.h>
#include <unistd.h>

enum {
    DEFAULT_SHORTEN = 1000000,
    MOST_SHARDS = 64,
    TRACED_SHARE = 8,
    DRY_ROUNDS = 2,
    SHORTEN_SHARE = 2,
    MOST_SHORTEN = 10000000,
    MOST_LEARNT = 20000000 /* steps of a way: another takes longer than searching anew */
};

static void describe_input(struct simulation *sim, const struct module_var *var) {
    struct gk_input input = {.type = (uint8_t)var->type,
                             .bits = var->type == TYPE_BOOL ? 1 : var->bits};
    values_range(var, &input.min, &input.max);
    input.first_value = (uint32_t)sim->values.len;
    input.n_hot = values_for(&sim->literals, var, &sim->values);
    input.n_values = (uint32_t)sim->values.len - input.first_value;
    input.at_init = var->role == VAR_PARAMETER || var->only_early;
    input.early = var->early;
    input.many = var->role == VAR_VOLATILE || var->role == VAR_STUB;
    vec_push(&sim->inputs, input);
}

static unsigned count_shards(const struct simulate_options *options) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned wanted = options->shards ? options->shards : cores > 0 ? (unsigned)cores : 1;
    return wanted < MOST_SHARDS ? wanted : MOST_SHARDS;
}

/* Those that have begun already go on. */
static bool start_build(struct simulation *sim, enum native_kind kind, struct native **native,
                        struct err *err) {
    if (!*native)
        *native = native_start(&sim->program, kind, err);
    return *native != NULL;
}

static bool finish_build(struct native **native, struct err *err) {
    *native = native_finish(*native, err);
    return *native != NULL;
}

static bool make_dir(struct simulation *sim, struct err *err) {
    if (sim->program.build_dir)
        return true;
    sim->own_dir = file_temp_dir(&sim->dir, err);
    sim->program.build_dir = str_text(&sim->dir);
    return sim->own_dir;
}

/* Only the executables are used. */
static bool finish_search_build(struct native **native, struct err *err) {
    if (!finish_build(native, err))
        return false;
    process_kill(&(*native)->process);
    return true;
}

/* What is replayed with. */
static bool open_replay(struct simulation *sim, struct err *err) {
    return start_build(sim, NATIVE_ZERO, &sim->zero, err) &&
           start_build(sim, NATIVE_PATTERN, &sim->pattern, err) && finish_build(&sim->zero, err) &&
           finish_build(&sim->pattern, err);
}

/* While one is compiled, the next one is. */
static bool open_builds(struct simulation *sim, struct err *err) {
    return start_build(sim, NATIVE_FAST, &sim->fast, err) &&
           start_build(sim, NATIVE_ZERO, &sim->zero, err) && finish_search_build(&sim->fast, err) &&
           start_build(sim, NATIVE_PATTERN, &sim->pattern, err) && finish_build(&sim->zero, err) &&
           start_build(sim, NATIVE_TRACED, &sim->traced, err) && finish_build(&sim->pattern, err) &&
           finish_search_build(&sim->traced, err);
}

static void prepare(struct simulation *sim) {
    const struct module *module = sim->program.module;
    literals_read(&sim->literals, sim->program.woven);
    for (size_t i = 0; i < module->inputs.len; i++)
        describe_input(sim, &module->inputs.data[i]);
    sim->known = mem_zalloc(sim->program.n_probes + 1, sizeof *sim->known);
    sim->refused = mem_zalloc(sim->program.n_probes + 1, sizeof *sim->refused);
    sim->cells = mem_zalloc(module->state.len + 1, sizeof *sim->cells);
    sim->options.shards = count_shards(&sim->options);
    sim->built = !sim->options.replay_first;
    if (!sim->options.shorten_steps)
        sim->options.shorten_steps = DEFAULT_SHORTEN;
    sim->shorten_left = 2 * sim->options.shorten_steps;
}

struct simulation *simulate_open(const struct native_program *program,
                                 const struct simulate_options *options, struct err *err) {
    struct simulation *sim = mem_zalloc(1, sizeof *sim);
    sim->program = *program;
    sim->options = *options;
    bool ok = make_dir(sim, err);
    if (ok && program->module->task) {
        ok = simulate_task_open(sim, err);
    } else if (ok && (ok = options->replay_first ? open_replay(sim, err) : open_builds(sim, err))) {
        prepare(sim);
    }
    if (ok)
        return sim;
    simulate_close(sim);
    return NULL;
}

static void forget_learnt(struct simulation *sim) {
    for (size_t i = 0; i < sim->learnt.len; i++)
        scenario_free(&sim->learnt.data[i]);
    vec_free(&sim->learnt);
}

void simulate_close(struct simulation *sim) {
    if (!sim)
        return;
    for (unsigned i = 0; sim->shards && i < sim->n_shards; i++)
        process_free(&sim->shards[i].process);
    native_build_free(&sim->build[0]);
    native_build_free(&sim->build[1]);
    native_close(sim->fast);
    native_close(sim->traced);
    native_close(sim->zero);
    native_close(sim->pattern);
    if (sim->own_dir)
        file_remove_tree(str_text(&sim->dir));
    str_free(&sim->dir);
    arena_free(&sim->arena);
    mem_free(sim->shards);
    mem_free(sim->known);
    mem_free(sim->refused);
    mem_free(sim->cells);
    vec_free(&sim->literals);
    vec_free(&sim->values);
    vec_free(&sim->inputs);
    forget_learnt(sim);
    vec_free(&sim->fresh);
    vec_free(&sim->to_forget);
    mem_free(sim);
}

void simulate_see_cell(struct simulation *sim, uint32_t index, const struct gk_cell_seen *seen) {
    const struct module_var *var = &sim->program.module->state.data[index];
    struct simulate_cell *cell = &sim->cells[index];
    sort_t sort = var_sort(var);
    bool is_signed = var->type == TYPE_SIGNED;
    if (!seen->seen)
        return;
    if (!cell->seen ||
        ordinal_of(sort, is_signed, seen->min) < ordinal_of(sort, is_signed, cell->min))
        cell->min = seen->min;
    if (!cell->seen ||
        ordinal_of(sort, is_signed, seen->max) > ordinal_of(sort, is_signed, cell->max))
        cell->max = seen->max;
    cell->seen = true;
}

const struct simulate_cell *simulate_cells(const struct simulation *sim) {
    return sim->cells;
}

struct simulate_statistics simulate_statistics(const struct simulation *sim) {
    struct simulate_statistics statistics = sim->statistics;
    for (unsigned i = 0; i < sim->n_shards; i++) {
        const struct shard *shard = &sim->shards[i];
        const struct gk_shared *shared = shard->process.shared;
        statistics.steps += shard->steps + (shard->opened ? shared->search.steps : 0);
        statistics.runs += shard->runs + (shard->opened ? shared->search.runs : 0);
        statistics.entries += shard->entries;
    }
    return statistics;
}

struct native *simulate_zero(struct simulation *sim) {
    return sim->zero;
}

struct native *simulate_pattern(struct simulation *sim) {
    return sim->pattern;
}

bool simulate_knows(const struct simulation *sim, uint32_t probe) {
    assert(probe < sim->program.n_probes);
    return sim->known[probe];
}

/* Everything that has to be told to the shards goes through `fresh`. */
void simulate_know(struct simulation *sim, uint32_t probe) {
    assert(probe < sim->program.n_probes);
    if (!sim->known[probe])
        vec_push(&sim->fresh, probe);
    sim->known[probe] = true;
}

/* Probes known meanwhile, by whomever. */
static void tell_shards(struct simulation *sim) {
    for (unsigned i = 0; i < sim->n_shards; i++) {
        struct shard *shard = &sim->shards[i];
        if (shard->opened && !shard_probes(shard, GK_KNOW, sim->fresh.data, sim->fresh.len))
            shard_died(sim, shard, NULL);
    }
    vec_clear(&sim->fresh);
}

/* Number of fast ones; with only the traced one left it has to do the work. */
static unsigned ready_shards(struct simulation *sim, struct err *err) {
    unsigned n = 0;
    bool any = false;
    for (unsigned i = 0; i < sim->n_shards; i++) {
        bool ready = shard_ready(sim, &sim->shards[i], err);
        n += ready && !sim->shards[i].traced;
        any |= ready;
    }
    if (any && n == 0)
        n = 1;
    if (n == 0)
        err_set(err, ERR_INTERNAL, "the program under analysis ends every process that runs it");
    return n;
}

static double search_seconds(const struct simulation *sim) {
    double seconds = 0;
    for (unsigned i = 0; i < sim->n_shards; i++)
        seconds += process_cpu_seconds(&sim->shards[i].process);
    return seconds;
}

static void run_shards(struct simulation *sim, uint64_t steps, struct simulate_news *news) {
    double before = search_seconds(sim), spent;
    VEC(struct shard *) running = {0};
    /* what is easy has been found: watch comparisons more */
    uint64_t share = sim->dry_rounds < DRY_ROUNDS ? TRACED_SHARE : 1;
    for (unsigned i = 0; i < sim->n_shards; i++) {
        struct shard *shard = &sim->shards[i];
        if (!shard->opened)
            continue;
        if (shard_begin(shard, shard->traced ? steps / share : steps))
            vec_push(&running, shard);
        else
            shard_died(sim, shard, news);
    }
    for (size_t i = 0; i < running.len; i++)
        if (!shard_end(sim, running.data[i]))
            shard_died(sim, running.data[i], news);
    spent = search_seconds(sim) - before; /* less than nothing where a process has died */
    sim->statistics.cpu_seconds += spent > 0 ? spent / sim->options.shards : 0;
    vec_free(&running);
}

static void news_clear(struct simulate_news *news) {
    for (size_t i = 0; i < news->scenarios.len; i++)
        scenario_free(&news->scenarios.data[i]);
    for (size_t i = 0; i < news->crashes.len; i++)
        vec_free(&news->crashes.data[i].events);
    vec_clear(&news->scenarios);
    vec_clear(&news->crashes);
}

void simulate_news_free(struct simulate_news *news) {
    news_clear(news);
    vec_free(&news->scenarios);
    vec_free(&news->crashes);
}

static bool import(struct simulation *sim, const struct input_events *events, uint32_t n_steps,
                   struct err *err) {
    if (ready_shards(sim, err) == 0)
        return false;
    for (unsigned i = 0; i < sim->n_shards; i++) {
        struct shard *shard = &sim->shards[i];
        if (shard->opened && !shard_import(shard, events, n_steps))
            shard_died(sim, shard, NULL);
    }
    return true;
}

static bool build_search(struct simulation *sim, struct err *err) {
    sim->built = start_build(sim, NATIVE_FAST, &sim->fast, err) &&
                 start_build(sim, NATIVE_TRACED, &sim->traced, err) &&
                 finish_search_build(&sim->fast, err) && finish_search_build(&sim->traced, err);
    if (sim->built)
        return true;
    native_close(sim->fast);
    native_close(sim->traced);
    sim->fast = sim->traced = NULL;
    return false;
}

/* The searches, with what was learnt before there were any. */
static bool begin_search(struct simulation *sim, struct err *err) {
    if (!sim->built && !build_search(sim, err))
        return false;
    sim->shards = mem_zalloc(sim->options.shards + 1, sizeof *sim->shards);
    sim->n_shards = sim->options.shards + 1;
    for (unsigned i = 0; i < sim->n_shards; i++)
        shard_init(sim, i);
    bool ok = true;
    for (size_t i = 0; ok && i < sim->learnt.len; i++)
        ok = import(sim, &sim->learnt.data[i].events, sim->learnt.data[i].n_steps, err);
    forget_learnt(sim);
    return ok;
}

bool simulate_step(struct simulation *sim, uint64_t steps, struct simulate_news *news,
                   struct err *err) {
    news_clear(news);
    if (sim->program.module->task)
        return simulate_task_step(sim, steps, news, err);
    if (sim->n_shards == 0 && !begin_search(sim, err))
        return false;
    unsigned ready = ready_shards(sim, err);
    if (ready == 0)
        return false;
    tell_shards(sim);
    rebuild_turn(sim);
    sim->shorten_left += steps / SHORTEN_SHARE;
    if (sim->shorten_left > MOST_SHORTEN)
        sim->shorten_left = MOST_SHORTEN;
    run_shards(sim, (steps + ready - 1) / ready, news);
    bool ok = true;
    for (unsigned i = 0; ok && i < sim->n_shards; i++)
        if (sim->shards[i].opened)
            ok = finds_collect(sim, &sim->shards[i], news, err);
    sim->dry_rounds = news->scenarios.len ? 0 : sim->dry_rounds + 1;
    return ok;
}

bool simulate_learn(struct simulation *sim, const struct input_events *events, uint32_t n_steps,
                    struct err *err) {
    if (n_steps > MOST_LEARNT || sim->program.module->task)
        return true;
    if (sim->n_shards > 0)
        return import(sim, events, n_steps, err);
    struct scenario way = {.n_steps = n_steps};
    vec_append(&way.events, events->data, events->len);
    vec_push(&sim->learnt, way);
    return true;
}
