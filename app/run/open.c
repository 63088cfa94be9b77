/* In order: options and project, the woven program and its probes, then the database, in one
 * transaction with what an earlier run has left in it. */
#include "app/run/open.h"

#include "app/cli/build_id.h"
#include "app/export/fixture_file.h"
#include "app/run/record.h"
#include "app/run/resume.h"
#include "app/verify/verify.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "coverage/place.h"
#include "db/seal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void make_probes(struct session *s) {
    vec_resize_zero(&s->probes, s->woven.goals.n_probes);
    for (size_t i = 0; i < s->probes.len; i++) {
        s->probes.data[i].target = NONE;
        s->probes.data[i].bound = -1;
    }
    for (uint32_t g = 0; g < s->woven.goals.list.len; g++) {
        struct probe *p = &s->probes.data[s->woven.goals.list.data[g].probe];
        vec_push(&p->goals, g);
    }
}

static bool is_source(const struct session *s, const char *name) {
    for (size_t i = 0; i < s->project.sources.len; i++)
        if (str_same(s->project.sources.data[i], name))
            return true;
    return false;
}

static bool has_goals(const struct session *s, const char *name) {
    for (size_t i = 0; i < s->woven.goals.list.len; i++)
        if (str_same(s->woven.goals.list.data[i].file, name))
            return true;
    return false;
}

/* A file that the run has read, and its hash; `kept`: as what it is kept whole, NULL: it is not.
 * Markers of preprocessed text may name files that are not here, or are none of theirs. */
static bool store_file(struct session *s, const char *kept, const char *name, struct err *err) {
    char *path = path_join(&s->arena, s->project.dir, name);
    struct str text = {0};
    struct err ignored = {0};
    bool ok = true;
    if (place_allows(&s->project, name) && file_exists(path) && !file_is_dir(path) &&
        file_read(path, &text, &ignored)) {
        char hash[SHA256_HEX];
        sha256_hex(str_text(&text), text.len, hash);
        ok = store_info(s->db, arena_printf(&s->arena, "sha256:%s", name), hash, err) &&
             (!kept || store_artifact(s->db, arena_printf(&s->arena, "%s:%s", kept, name),
                                      text.data, text.len, err));
    }
    err_clear(&ignored);
    str_free(&text);
    return ok;
}

/* Sources, headers, the project file: what input_changes() compares later (app/project/changes.h),
 * and what audit lists again (app/audit/again.h). */
static bool store_files(struct session *s, struct err *err) {
    const char *slash = strrchr(s->project.file, '/');
    char *here = realpath(s->project.dir, NULL);
    bool ok = store_forget_info(s->db, "sha256:", err) &&
              store_forget_artifacts(s->db, "source:", err) &&
              store_forget_artifacts(s->db, "header:", err) &&
              store_info(s->db, "project_dir", here ? here : "", err) &&
              store_info(s->db, "listed_with", options_on_top(s->options, &s->arena), err);
    for (size_t i = 0; ok && i < s->project.sources.len; i++)
        ok = store_file(s, "source", s->project.sources.data[i], err);
    for (size_t i = 0; ok && i < s->woven.files.len; i++) {
        const char *name = s->woven.files.data[i];
        if (!is_source(s, name))
            ok = store_file(s, has_goals(s, name) ? "source" : "header", name, err);
    }
    if (ok && *s->project.file)
        ok = store_file(s, NULL, slash ? slash + 1 : s->project.file, err);
    if (ok && s->project.compile_commands)
        ok = store_file(s, "header", s->project.compile_commands, err);
    free(here);
    return ok;
}

static bool store_project(struct session *s, struct err *err) {
    struct str text = {0};
    bool ok = !*s->project.file || file_read(s->project.file, &text, err);
    ok = ok && store_artifact(s->db, "project.json", text.data, text.len, err);
    str_free(&text);
    return ok;
}

static bool store_run(struct session *s, struct err *err) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return store_info(s->db, "tool_version", GK_VERSION, err) &&
           store_info(s->db, "tool_build", build_id(&s->arena), err) &&
           store_info(s->db, "asil", s->project.asil, err) &&
           record_listing(s->db, &s->project, &s->woven, err) &&
           store_info(s->db, "asil_named", project_names_asil(&s->project) ? "yes" : "no", err) &&
           store_info(s->db, "host", host, err) && store_project(s, err) && store_files(s, err) &&
           (s->woven.module.task || fixture_store(s->db, &s->woven.fixture, err));
}

static bool open_database(struct session *s, struct err *err) {
    char *path = options_run_database(s->options, &s->project);
    if (s->woven.module.task && !s->options->db) {
        if (!file_temp_dir(&s->scratch, err))
            return false;
        path = path_join(&s->arena, str_text(&s->scratch), "task.db");
    }
    if (!store_open(&s->db, path, STORE_CREATE, err))
        return false;
    return store_begin(s->db, err) && seal_remove(s->db, err) && resume_goals(s, err) &&
           store_run(s, err) && store_commit(s->db, err);
}

bool session_open(struct session *s, const struct options *o, struct err *err) {
    *s = (struct session){.options = o, .log = o->log, .started = clock_seconds()};
    invariant_init(&s->proofs.lemmas);
    invariant_init(&s->proofs.ground);
    phases_begin(&s->phases);
    if (o->trace && !events_open(s->events = &s->trace, o->trace, err))
        return false;
    log_phase(s->log, "reading the sources");
    s->proofs.confirming = str_same(o->confirm, "only")    ? CONFIRM_ONLY
                           : str_same(o->confirm, "later") ? CONFIRM_LATER
                                                           : CONFIRM_BESIDE;
    if (!options_shard(o, &s->shard, &s->shards, err) || !options_knobs(o, NULL, &s->knobs, err) ||
        !options_project(o, &s->project, err) ||
        !options_knobs(o, &s->project.engine_options, &s->knobs, err) ||
        !(o->verify ? verify_weave : weave)(&s->project, &s->woven, err))
        return false;
    make_probes(s);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    s->jobs = s->project.jobs ? s->project.jobs : cores > 0 ? (unsigned)cores : 1;
    return open_database(s, err);
}

static void claims_free(struct claims *claims) {
    for (size_t i = 0; i < claims->len; i++)
        invariant_free(&claims->data[i].invariant);
    vec_free(claims);
}

void session_close(struct session *s) {
    for (size_t i = 0; i < s->probes.len; i++) {
        vec_free(&s->probes.data[i].goals);
        str_free(&s->probes.data[i].tried);
    }
    vec_free(&s->probes);
    vec_free(&s->model.target_probe);
    vec_free(&s->model.cell_of_state);
    vec_free(&s->earlier);
    claims_free(&s->proofs.waiting);
    claims_free(&s->proofs.unconfirmed);
    claims_free(&s->proofs.unasked);
    claims_free(&s->proofs.held);
    invariant_free(&s->proofs.ground);
    mem_free(s->seen);
    map_free(&s->climbed);
    mem_free(s->model.choice);
    invariant_free(&s->proofs.lemmas);
    simulate_close(s->simulation);
    if (s->model.present) {
        lowered_free(&s->model.lowered);
        slicer_close(s->model.slicer);
        mem_free(s->model.slicer);
        system_free(&s->model.sys);
        terms_free(&s->model.terms);
    }
    store_close(s->db);
    if (s->events)
        events_close(s->events);
    if (s->scratch.len)
        file_remove_tree(str_text(&s->scratch));
    str_free(&s->scratch);
    woven_free(&s->woven);
    project_free(&s->project);
    arena_free(&s->arena);
}
