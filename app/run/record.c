/* Rows are written when the run begins, and again when it ends: a run that was killed has the
 * first. */
#include "app/run/record.h"
#include "app/run/budget.h"

#include "app/project/repository.h"
#include "base/child.h"
#include "base/file.h"
#include "base/tool.h"

#include <string.h>
#include <time.h>

const char *record_version(struct arena *arena, const char *program) {
    const char *argv[] = {program, "--version", NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = 10, .output_bytes = 1 << 16};
    struct child_result result = {0};
    struct err err = {0};
    const char *line = "not found";
    if (program && child_run(&spec, &result, &err)) {
        const char *text = str_text(&result.out);
        if (result.end == CHILD_EXITED && result.code == 0 && *text)
            line = arena_strndup(arena, text, strcspn(text, "\n"));
        child_result_free(&result);
    }
    err_clear(&err);
    return line;
}

/* ---- what the project says ---- */

/* "branch,mcdc": a criterion without goals is told from one that nobody asked for. */
static const char *criteria_asked(const struct project *project, struct arena *arena) {
    const char *names = "";
    for (int k = 0; k < GOAL_KINDS; k++)
        if (project->criteria[k])
            names = arena_printf(arena, "%s%s%s", names, *names ? "," : "", criteria[k].name);
    return names;
}

static const char *assumptions(const struct project *project, struct arena *arena) {
    const char *all = "";
    for (size_t i = 0; i < project->assumptions.len; i++)
        all = arena_printf(arena, "%s%s%s", all, i ? "; " : "", project->assumptions.data[i]);
    return all;
}

bool record_listing(struct store *db, const struct project *project, const struct woven *woven,
                    struct err *err) {
    struct arena arena = {0};
    const struct {
        const char *key, *value;
    } rows[] = {
        {"name", project->name},
        {"step", project->step},
        {"form", woven->module.task ? "task" : "module"},
        {"target", project_target(project)},
        {"char", project_char(project)},
        {"mcdc", project->mcdc_unique_cause ? "unique-cause" : "masking"},
        {"criteria", criteria_asked(project, &arena)},
        {"assumptions", assumptions(project, &arena)},
    };
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof rows / sizeof *rows; i++)
        ok = store_info(db, rows[i].key, rows[i].value, err);
    arena_free(&arena);
    return ok && store_warnings(db, &woven->module, err);
}

/* ---- what the run says ---- */

/* How the program was called, word by word. */
static const char *command(struct session *s) {
    struct str text = {0};
    struct err ignored = {0};
    const char *words = "";
    if (file_read("/proc/self/cmdline", &text, &ignored) && text.len > 0) {
        for (size_t i = 0; i + 1 < text.len; i++)
            if (text.data[i] == '\0')
                text.data[i] = ' ';
        words = arena_strndup(&s->arena, text.data, text.len);
    }
    err_clear(&ignored);
    str_free(&text);
    return words;
}

static const char *now(struct session *s) {
    char text[32];
    time_t t = time(NULL);
    struct tm utc;
    size_t len = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &utc));
    assert(len > 0);
    return arena_strndup(&s->arena, text, len);
}

bool record_start(struct session *s, struct err *err) {
    assert(s->db);
    const struct {
        const char *key, *value;
    } rows[] = {
        {"cc_version", record_version(&s->arena, tool_cc(&s->arena))},
        {"clang_version", record_version(&s->arena, tool_clang(&s->arena))},
        {"cbmc_version", record_version(&s->arena, tool_cbmc(&s->arena))},
        {"command", command(s)},
        {"revision", repository_revision(&s->arena, *s->project.dir ? s->project.dir : ".")},
        {"started", now(s)},
    };
    if (!store_begin(s->db, err))
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!store_info(s->db, rows[i].key, rows[i].value, err))
            return false;
    return store_commit(s->db, err);
}

/* What simulation has done, and at which rate. */
static bool record_simulation(struct session *s, struct err *err) {
    struct simulate_statistics sim = simulate_statistics(s->simulation);
    const struct {
        const char *key;
        double value;
    } rows[] = {
        {"simulate:steps", (double)sim.steps},
        {"simulate:runs", (double)sim.runs},
        {"simulate:corpus", (double)sim.entries},
        {"simulate:cpu", sim.cpu_seconds},
        {"simulate:steps_a_second", sim.cpu_seconds > 0 ? (double)sim.steps / sim.cpu_seconds : 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!store_info(s->db, rows[i].key, arena_printf(&s->arena, "%.15g", rows[i].value), err))
            return false;
    return true;
}

bool record_end(struct session *s, struct err *err) {
    double seconds = clock_seconds() - s->started;
    assert(seconds >= 0);
    session_phase(s, PHASE_end);
    if (s->has_native && !record_simulation(s, err))
        return false;
    return phases_store(&s->phases, s->db, err) && store_info(s->db, "finished", now(s), err) &&
           store_info(s->db, "seconds", arena_printf(&s->arena, "%.1f", seconds), err);
}
