/* Native builds and the model: what the engines need. */
#include "app/run/open.h"
#include "app/run/session.h"
#include "app/run/budget.h"
#include "app/run/verdict.h"
#include "app/run/carry.h"
#include "app/run/loops.h"
#include "app/run/resume.h"
#include "app/run/shard.h"
#include "app/run/vacuity.h"
#include "base/mem.h"
#include "base/tool.h"
#include "instrument/cbmc/meaning.h"
#include "model/system/choice.h"

#include <string.h>

enum {
    SAME_SHARDS = 2 /* of a deterministic run */
};

/* What only clang has compiled rests on clang's choices. */
static void build_by_gcc(struct session *s) {
    struct err err = {0};
    if (!native_gcc(simulate_pattern(s->simulation), &err) && !session_must_end(s))
        session_warn(s, "no build by gcc, so witnesses are confirmed by builds of clang alone",
                     &err);
    err_clear(&err);
}

static bool build_native(struct session *s) {
    struct err err = {0};
    s->program = (struct native_program){.woven = str_text(&s->woven.text),
                                         .module = &s->woven.module,
                                         .n_probes = s->woven.goals.n_probes,
                                         .spare = s->woven.goals.spare.data,
                                         .n_spare = s->woven.goals.spare.len,
                                         .total_seconds = s->project.total_seconds,
                                         .stop = session_must_end,
                                         .cut = session_must_cut,
                                         .stop_context = s};
    if (!s->options->no_cache)
        s->program.cache = (struct cache){.dir = s->options->cache ? s->options->cache
                                                                   : cache_default_dir(&s->arena),
                                          .limit_mb = CACHE_LIMIT_MB};
    /* how many there are is part of what simulation finds */
    struct simulate_options options = {.seed = s->project.seed,
                                       .shards = s->options->deterministic ? SAME_SHARDS : s->jobs,
                                       .replay_first = s->earlier.len > 0,
                                       .stop = session_must_end,
                                       .stop_context = s};
    s->simulation = simulate_open(&s->program, &options, &err);
    if (!s->simulation && !session_must_end(s))
        session_warn(s, "no native build, so nothing can be shown to be reachable", &err);
    err_clear(&err);
    if (s->simulation && !s->woven.module.task)
        build_by_gcc(s);
    return s->simulation != NULL;
}

/* False with an error: the task is no program. Modules have been parsed before. */
static bool build_model(struct session *s, struct err *fatal) {
    struct err err = {0};
    struct lower_options options = {.n_probes = s->woven.goals.n_probes,
                                    .total_seconds = s->project.total_seconds,
                                    .stop = session_must_end,
                                    .stop_context = s};
    loops_ask(&options);
    terms_init(&s->model.terms);
    system_init(&s->model.sys, &s->model.terms);
    if (lower(str_text(&s->woven.text), &s->woven.module, &options, &s->model.sys,
              &s->model.lowered, &err))
        return true;
    if (s->woven.module.task && err.code == ERR_SOURCE)
        *fatal = err;
    else if (!session_must_end(s))
        session_warn(s, "no model, so nothing can be proved dead", &err);
    else
        err_clear(&err);
    system_free(&s->model.sys);
    terms_free(&s->model.terms);
    return false;
}

static void connect_targets(struct session *s) {
    for (uint32_t t = 0; t < s->model.sys.targets.len; t++) {
        const struct target *target = &s->model.sys.targets.data[t];
        uint32_t probe = target->id;
        if (target->kind == TARGET_OVERRUN) {
            probe = (uint32_t)s->probes.len;
            vec_push(&s->probes, (struct probe){.overrun = true, .bound = -1});
        }
        assert(probe < s->probes.len);
        s->probes.data[probe].target = t;
        vec_push(&s->model.target_probe, probe);
    }
}

/* A probe that clang has left out of the bitcode, as code behind a constant condition: never hit.
 */
static void add_missing_targets(struct session *s) {
    for (uint32_t p = 0; p < s->woven.goals.n_probes; p++) {
        if (s->probes.data[p].target != NONE || s->probes.data[p].goals.len == 0)
            continue;
        struct target target = {.kind = TARGET_GOAL,
                                .id = p,
                                .name = "left out by the compiler",
                                .hit = term_bool(&s->model.terms, false)};
        s->probes.data[p].target = (uint32_t)s->model.sys.targets.len;
        vec_push(&s->model.sys.targets, target);
        vec_push(&s->model.target_probe, p);
    }
}

void session_connect(struct session *s) {
    if (s->model.slicer)
        slicer_close(s->model.slicer);
    else
        s->model.slicer = mem_zalloc(1, sizeof *s->model.slicer);
    slicer_open(s->model.slicer, &s->model.sys);
    connect_targets(s);
    session_connect_cells(s);
    add_missing_targets(s);
    mem_free(s->model.choice);
    s->model.choice = mem_zalloc(s->model.sys.targets.len + 1, sizeof *s->model.choice);
    choice_find(&s->model.sys, s->model.choice);
}

/* Its answers count only after it has shown that it can tell true from false, and reads the C of
 * this program as compilers do. */
static bool open_cbmc(struct session *s) {
    struct str why = {0};
    const char *program = tool_cbmc(&s->arena);
    bool ok = cbmc_open(&s->cbmc, program, &why) &&
              cbmc_understands(&s->cbmc, &s->woven.module, str_text(&s->woven.text), &why);
    if (!ok && program)
        log_warning(s->log, "CBMC is not used: %s", str_text(&why));
    else if (!ok)
        log_note(s->log, "without CBMC: proofs are checked by a second run of our own solver");
    else
        log_detail(s->log, "CBMC %s (%s)", s->cbmc.version, program);
    str_free(&why);
    return ok;
}

/* Nobody misses it, so one that is not there is no word worth. */
static bool open_bitwuzla(struct session *s) {
    struct str why = {0};
    const char *program = tool_bitwuzla(&s->arena);
    bool ok = bitwuzla_open(&s->bitwuzla, program, &why);
    if (!ok && program)
        log_warning(s->log, "Bitwuzla is not used: %s", str_text(&why));
    else if (ok)
        log_detail(s->log, "Bitwuzla %s (%s)", s->bitwuzla.version, program);
    str_free(&why);
    return ok;
}

/* They are in the reports; of a task, which mostly gets none, they are also said. */
static bool take_limitations(struct session *s, struct err *err) {
    for (size_t i = 0; i < s->model.lowered.limitations.len; i++) {
        const struct limitation *l = &s->model.lowered.limitations.data[i];
        if (s->woven.module.task)
            log_note(s->log, "%s:%d: in '%s': %s", l->file, l->line, l->function, l->text);
        if (!store_limitation(s->db, l, err))
            return false;
    }
    return true;
}

static void open_native(struct session *s) {
    session_phase(s, PHASE_build);
    log_phase(s->log, "building the program for simulation");
    s->has_native = build_native(s);
    session_phase(s, PHASE_prepare);
}

bool session_prepare(struct session *s, struct err *err) {
    session_phase(s, PHASE_model);
    log_phase(s->log, "making the model");
    s->model.present = !session_must_end(s) && build_model(s, err);
    if (err->code != ERR_NONE)
        return false;
    session_phase(s, PHASE_build);
    s->has_cbmc = open_cbmc(s);
    s->has_bitwuzla = open_bitwuzla(s);
    if (!s->resumed.same)
        open_native(s);
    session_phase(s, PHASE_prepare);
    s->no_time = session_must_end(s);
    if (s->model.present) {
        session_connect(s);
        if (!take_limitations(s, err) || !shard_deal(s, err))
            return false;
        if (!s->woven.module.task && (!vacuity_check(s, err) || !session_try_loops(s, err)))
            return false;
    }
    if ((!s->model.present && !shard_deal(s, err)) || !resume_witnesses(s, err) ||
        (s->model.present && !carry_dead(s, err)))
        return false;
    resume_count(s);
    if (s->resumed.same && !session_decided(s))
        open_native(s);
    if (!s->model.present || !(s->has_cbmc || s->has_bitwuzla))
        return true;
    return session_overruns_dead(s) ? resume_unconfirmed(s, err) : resume_overruns(s, err);
}
