/* Slurm: job arrays of the tasks, each waiting for the ones before, and a job that collects. */
#include "app/fleet/plan.h"

#include "base/child.h"
#include "base/file.h"

#include <string.h>

/* Clusters allow arrays of 1,000 tasks unless somebody has raised it (MaxArraySize 1001). */
enum { MOST_IN_ARRAY = 1000, SPARE_MINUTES = 10, SPARE_MB = 1024, SUBMIT_SECONDS = 60 };

static unsigned minutes(double seconds) {
    return (unsigned)(seconds / 60) + 1 + SPARE_MINUTES;
}

static void add_head(struct fleet *f, const char *name, struct str *out) {
    str_addf(out, "#!/bin/bash\n# " FILE_MARK "\n#SBATCH --job-name=goalkeeper-%s\n", name);
    str_addf(out, "#SBATCH --requeue\n#SBATCH --open-mode=append\n");
    (void)f;
}

static void add_task_script(struct fleet *f, int phase) {
    struct str out = {0};
    const char *name = arena_printf(&f->arena, "tasks-%d.sbatch", phase);
    add_head(f, phase == 1 ? "modules" : phase == FLEET_CONFIRMS ? "confirm" : "shards", &out);
    str_addf(&out, "#SBATCH --cpus-per-task=%u\n#SBATCH --mem=%lluM\n#SBATCH --time=%u\n", f->jobs,
             (unsigned long long)(f->memory_mb * f->jobs + SPARE_MB), minutes(f->seconds));
    /* the run has a minute to store what it has found when Slurm ends the task */
    str_add(&out, "#SBATCH --signal=B:TERM@60\n");
    str_addf(&out, "exec bash %s %s %d $((SLURM_ARRAY_TASK_ID + ${1:-0}))\n",
             fleet_quote(&f->arena, path_join(&f->arena, f->dir, "task.sh")),
             fleet_quote(&f->arena, f->dir), phase);
    fleet_file(f, name, str_text(&out));
    str_free(&out);
}

void slurm_files(struct fleet *f) {
    struct str out = {0};
    for (int phase = 1; phase <= FLEET_PHASES; phase++)
        if (fleet_tasks(f, phase) > 0)
            add_task_script(f, phase);
    add_head(f, "collect", &out);
    str_addf(&out, "#SBATCH --cpus-per-task=1\n#SBATCH --mem=%uM\n", 2 * SPARE_MB);
    str_addf(&out, "exec bash %s %s\n",
             fleet_quote(&f->arena, path_join(&f->arena, f->dir, "collect.sh")),
             fleet_quote(&f->arena, f->dir));
    fleet_file(f, "collect.sbatch", str_text(&out));
    str_free(&out);
}

/* The number of the job that sbatch has made; NULL: it has made none. */
static const char *sbatch(struct fleet *f, const struct texts *options, struct err *err) {
    VEC(const char *) argv = {0};
    struct child_result result = {0};
    const char *id = NULL;
    vec_push(&argv, "sbatch");
    vec_push(&argv, "--parsable");
    vec_append(&argv, options->data, options->len);
    vec_push(&argv, NULL);
    struct child_spec spec = {.argv = argv.data, .wall_seconds = SUBMIT_SECONDS};
    if (child_run(&spec, &result, err)) {
        if (result.end == CHILD_EXITED && result.code == 0 && result.out.len > 0) {
            const char *text = str_text(&result.out);
            id = arena_strndup(&f->arena, text, strcspn(text, ";\n"));
        } else {
            const char *said = str_text(&result.err);
            err_set(err, ERR_USAGE, "sbatch makes no job: %.*s", (int)strcspn(said, "\n"), said);
            err_remedy(err,
                       "Slurm has to be here ('sinfo' lists its nodes); --on local needs none");
        }
        child_result_free(&result);
    }
    vec_free(&argv);
    return id;
}

static const char *wait_for(struct fleet *f, const char *jobs) {
    return arena_printf(&f->arena, "--dependency=afterany:%s", jobs);
}

/* All arrays of a phase; `before`: jobs that have to end first, "" none. */
static const char *submit_phase(struct fleet *f, int phase, const char *before, struct err *err) {
    const char *jobs = "", *id = "";
    size_t n = fleet_tasks(f, phase);
    for (size_t from = 0; id && from < n; from += MOST_IN_ARRAY) {
        struct texts words = {0};
        size_t here = n - from < MOST_IN_ARRAY ? n - from : MOST_IN_ARRAY;
        if (*before)
            vec_push(&words, wait_for(f, before));
        vec_push(&words, arena_printf(&f->arena, "--array=1-%zu", here));
        vec_push(&words, arena_printf(&f->arena, "--output=%s/log/%%x-%%A-%%a.log", f->dir));
        vec_push(&words, arena_printf(&f->arena, "%s/tasks-%d.sbatch", f->dir, phase));
        vec_push(&words, arena_printf(&f->arena, "%zu", from));
        id = sbatch(f, &words, err);
        if (id)
            jobs = arena_printf(&f->arena, "%s%s%s", jobs, *jobs ? ":" : "", id);
        vec_free(&words);
    }
    return id ? jobs : NULL;
}

static const char *submit_collection(struct fleet *f, const char *before, struct err *err) {
    struct texts words = {0};
    vec_push(&words, wait_for(f, before));
    vec_push(&words, arena_printf(&f->arena, "--output=%s/log/collect.log", f->dir));
    vec_push(&words, arena_printf(&f->arena, "%s/collect.sbatch", f->dir));
    const char *id = sbatch(f, &words, err);
    vec_free(&words);
    return id;
}

bool slurm_submit(struct fleet *f, struct err *err) {
    const char *all = "", *before = "";
    for (int phase = 1; before && phase <= FLEET_PHASES; phase++)
        if (fleet_tasks(f, phase) > 0) {
            before = submit_phase(f, phase, before, err);
            all = arena_printf(&f->arena, "%s%s:", all, before ? before : "");
        }
    const char *last = before ? submit_collection(f, before, err) : NULL;
    if (!last)
        return false;
    const char *jobs = arena_printf(&f->arena, "%s%s\n", all, last);
    return file_write(path_join(&f->arena, f->dir, "jobs"), jobs, strlen(jobs), err);
}
