/* Projects are collected from arguments, folders and lists, each once; the phases follow from
 * shards and checks asked for. All that a shell will read is quoted here, or refused. */
#include "app/fleet/plan.h"

#include "app/project/read.h"
#include "base/file.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_DEEP = 8, MOST_SHARDS = 1000, SPARE_MB = 1024 };

/* ---- modules ---- */

static const char *safe_name(struct arena *arena, const char *name) {
    char *safe = arena_strdup(arena, *name ? name : "module");
    for (char *p = safe; *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr("-_.", *p))
            *p = '_';
    if (strchr(".-", safe[0]))
        safe[0] = '_';
    return safe;
}

static bool is_taken(const struct fleet *f, const char *name) {
    for (size_t i = 0; i < f->modules.len; i++)
        if (strcasecmp(f->modules.data[i].name, name) == 0)
            return true;
    return false;
}

static bool has_line_ends(const char *path) {
    return strpbrk(path, "\n\t") != NULL;
}

/* Relative paths hold where the repository is checked out. */
static const char *project_path(struct fleet *f, const char *path, struct err *err) {
    if (has_line_ends(path)) {
        err_set(err, ERR_USAGE, "the name of a project file has a line end or a tabulator in it");
        return NULL;
    }
    if (f->portable) {
        if (path[0] != '/')
            return arena_strdup(&f->arena, path);
        err_set(err, ERR_USAGE, "%s: an absolute path, on another machine", path);
        err_remedy(err, "start from the top of the repository, with relative paths");
        return NULL;
    }
    char *real = realpath(path, NULL);
    const char *kept = arena_strdup(&f->arena, real ? real : path);
    free(real);
    return kept;
}

static void take_limits(struct fleet *f, const struct project *p) {
    const struct options *o = f->options;
    double seconds = option_given(o, OPT_seconds) ? o->seconds : p->total_seconds;
    uint64_t memory = option_given(o, OPT_memory_mb) ? o->memory_mb : p->memory_mb;
    unsigned jobs = option_given(o, OPT_jobs) ? (unsigned)o->jobs : p->jobs;
    jobs = jobs ? jobs : 1; /* more tasks at once are more than more processors for one */
    f->seconds = seconds > f->seconds ? seconds : f->seconds;
    f->memory_mb = memory > f->memory_mb ? memory : f->memory_mb;
    f->jobs = jobs > f->jobs ? jobs : f->jobs;
}

static uint64_t size_of(const char *file) {
    struct stat st;
    return stat(file, &st) == 0 ? (uint64_t)st.st_size : 0;
}

static bool add_project(struct fleet *f, const char *file, struct err *err) {
    struct project project;
    struct fleet_module m = {.project = project_path(f, file, err)};
    if (!m.project ||
        !project_read_below(file, f->options->allow_outside ? NULL : "", &project, err))
        return false;
    const char *wish = safe_name(&f->arena, project.name);
    m.name = wish;
    for (unsigned n = 2; is_taken(f, m.name); n++)
        m.name = arena_printf(&f->arena, "%s-%u", wish, n);
    take_limits(f, &project);
    for (size_t i = 0; i < project.sources.len; i++)
        m.bytes += size_of(path_join(&f->arena, project.dir, project.sources.data[i]));
    vec_push(&f->modules, m);
    project_free(&project);
    return true;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void find(struct fleet *f, const char *folder, int deep, struct texts *found) {
    const char *file = path_join(&f->arena, folder, "goalkeeper.json");
    DIR *dir = NULL;
    if (file_exists(file) && !file_is_dir(file))
        vec_push(found, file);
    else if (deep < MOST_DEEP)
        dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        const char *path = path_join(&f->arena, folder, e->d_name);
        if (e->d_name[0] != '.' && file_is_dir(path))
            find(f, path, deep + 1, found);
    }
    if (dir)
        closedir(dir);
}

static bool add_folder(struct fleet *f, const char *folder, struct err *err) {
    struct texts found = {0};
    find(f, folder, 0, &found);
    bool ok = found.len > 0;
    if (!ok) {
        err_set(err, ERR_USAGE, "%s: no goalkeeper.json in this folder or below", folder);
        err_remedy(err, "'goalkeeper init' writes one from the sources of a module");
    } else if (found.len > 1) {
        qsort(found.data, found.len, sizeof *found.data, by_text);
    }
    for (size_t i = 0; ok && i < found.len; i++)
        ok = add_project(f, found.data[i], err);
    vec_free(&found);
    return ok;
}

static bool add_argument(struct fleet *f, const char *path, bool lists, struct err *err);

/* A line each; paths are relative to the list. */
static bool add_list(struct fleet *f, const char *list, struct err *err) {
    struct str text = {0};
    const char *dir = path_dir(&f->arena, list);
    bool ok = file_read(list, &text, err);
    for (const char *at = str_text(&text); ok && *at; at += strcspn(at, "\n"), at += *at == '\n') {
        char *line = arena_strndup(&f->arena, at, strcspn(at, "\n"));
        line[strcspn(line, "\r#")] = '\0';
        for (size_t n = strlen(line); n > 0 && isspace((unsigned char)line[n - 1]); n--)
            line[n - 1] = '\0';
        if (*line)
            ok = add_argument(f, str_same(dir, ".") ? line : path_join(&f->arena, dir, line), false,
                              err);
    }
    str_free(&text);
    return ok;
}

static bool add_argument(struct fleet *f, const char *path, bool lists, struct err *err) {
    size_t n = strlen(path);
    if (file_is_dir(path))
        return add_folder(f, path, err);
    if (!lists || (n > 5 && str_same(path + n - 5, ".json")))
        return add_project(f, path, err);
    return add_list(f, path, err);
}

bool fleet_plan(struct fleet *f, const struct options *o, struct err *err) {
    char here[4096];
    f->options = o;
    f->portable = str_same(o->on, "gitlab") || str_same(o->on, "jenkins");
    f->dir = o->output ? o->output : "fleet";
    if (f->portable && f->dir[0] == '/')
        return err_set(err, ERR_USAGE, "fleet: -o %s is an absolute path, on another machine",
                       f->dir);
    if (o->shards > MOST_SHARDS)
        return err_set(err, ERR_USAGE, "fleet: at most %d shards", MOST_SHARDS);
    if (o->confirm_tasks > MOST_SHARDS)
        return err_set(err, ERR_USAGE, "fleet: at most %d tasks that confirm", MOST_SHARDS);
    if (!f->portable && f->dir[0] != '/' && getcwd(here, sizeof here))
        f->dir = path_join(&f->arena, arena_strdup(&f->arena, here), f->dir);
    bool ok = true;
    for (size_t i = 0; ok && i < o->arguments.len; i++)
        ok = add_argument(f, o->arguments.data[i], true, err);
    if (ok && f->modules.len == 0)
        ok = err_set(err, ERR_USAGE, "fleet: the list is empty");
    if (ok)
        fleet_order(f);
    return ok;
}

/* The phase that deals the goals; 0: nobody does. */
static int dealing_phase(const struct fleet *f) {
    return f->options->shards <= 1 ? 0 : f->options->first_task ? 2 : 1;
}

size_t fleet_tasks(const struct fleet *f, int phase) {
    int dealing = dealing_phase(f);
    assert(phase >= 1 && phase <= FLEET_PHASES);
    if (phase == FLEET_CONFIRMS)
        return f->modules.len * f->options->confirm_tasks;
    if (phase == dealing)
        return f->modules.len * f->options->shards;
    return phase == 1 ? f->modules.len : 0;
}

/* ---- files ---- */

const char *fleet_quote(struct arena *arena, const char *text) {
    struct str out = {0};
    str_addc(&out, '\'');
    for (; *text; text++)
        if (*text == '\'')
            str_add(&out, "'\\''");
        else
            str_addc(&out, *text);
    str_addc(&out, '\'');
    const char *kept = arena_strdup(arena, str_text(&out));
    str_free(&out);
    return kept;
}

void fleet_file(struct fleet *f, const char *name, const char *text) {
    vec_push(&f->files, (struct fleet_file){name, arena_strdup(&f->arena, text)});
}

static void add_number(struct str *out, const struct options *o, enum option_index option,
                       const char *name, uint64_t value) {
    if (option_given(o, option))
        str_addf(out, " --%s %llu", name, (unsigned long long)value);
}

static void add_seconds(struct str *out, const struct options *o, enum option_index option,
                        const char *name, double value) {
    if (option_given(o, option))
        str_addf(out, " --%s %.3f", name, value);
}

/* What the user has said of runs goes to all of them; the rest is in their projects. */
static void add_run_options(struct fleet *f, struct str *out) {
    const struct options *o = f->options;
    str_addf(out, "RUN_OPTIONS=(-j %u", f->jobs);
    add_seconds(out, o, OPT_seconds, "seconds", o->seconds);
    add_seconds(out, o, OPT_cpu_seconds, "cpu-seconds", o->cpu_seconds);
    add_seconds(out, o, OPT_goal_seconds, "goal-seconds", o->goal_seconds);
    add_number(out, o, OPT_goal_ticks, "goal-ticks", o->goal_ticks);
    add_number(out, o, OPT_memory_mb, "memory-mb", o->memory_mb);
    add_number(out, o, OPT_seed, "seed", o->seed);
    if (o->deterministic)
        str_add(out, " --deterministic");
    if (o->allow_outside)
        str_add(out, " --allow-outside");
    for (size_t i = 0; i < o->engines.len; i++)
        str_addf(out, "%s%s", i ? "," : " --engines ", o->engines.data[i]);
    str_add(out, ")\n");
    bool first = fleet_tasks(f, 2) > 0 && o->engines.len == 0;
    const char *later = o->confirm_tasks > 0 ? "--confirm later" : "";
    str_addf(out, "PHASE_1=(%s%s%s)\n", first ? "--engines simulate,houdini" : "",
             first && *later ? " " : "", later);
    str_addf(out, "PHASE_2=(%s)\nPHASE_3=(--confirm only)\n", later);
}

/* The program that runs now, unless another machine has its own. */
static const char *program(struct fleet *f) {
    char path[4096];
    ssize_t n = f->portable ? -1 : readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return "goalkeeper";
    return arena_strndup(&f->arena, path, (size_t)n);
}

static void add_conf(struct fleet *f) {
    const struct options *o = f->options;
    struct str out = {0};
    str_add(&out, "# " FILE_MARK ": what the scripts of this fleet read\n");
    str_addf(&out, "GOALKEEPER=%s\n", fleet_quote(&f->arena, program(f)));
    add_run_options(f, &out);
    str_addf(&out, "SHARDS=%llu\n", (unsigned long long)(dealing_phase(f) ? o->shards : 0));
    str_addf(&out, "CONFIRM_TASKS=%llu\n", (unsigned long long)o->confirm_tasks);
    str_addf(&out, "SAVE_SECONDS=%llu\n",
             (unsigned long long)(o->save_seconds ? o->save_seconds : 60));
    str_addf(&out, "MERGE_OPTIONS=(%s)\n", o->audit ? "--audit" : "");
    str_addf(&out, "REPORT_FORMATS=%s\n",
             fleet_quote(&f->arena, o->fleet_formats ? o->fleet_formats : ""));
    str_addf(&out, "GATE_OPTIONS=(%s)\n", o->gate_options ? o->gate_options : "");
    fleet_file(f, "fleet.conf", str_text(&out));
    str_free(&out);
}

static void add_parts(const struct fleet_module *m, uint64_t n, struct str *out) {
    for (uint64_t i = 1; i <= n; i++)
        str_addf(out, "%s\t%s\t%llu/%llu\n", m->name, m->project, (unsigned long long)i,
                 (unsigned long long)n);
}

static void add_tasks(struct fleet *f) {
    struct str modules = {0}, tasks[FLEET_PHASES] = {{0}};
    int dealing = dealing_phase(f);
    for (size_t i = 0; i < f->modules.len; i++) {
        const struct fleet_module *m = &f->modules.data[i];
        str_addf(&modules, "%s\t%s\n", m->name, m->project);
        if (dealing != 1)
            str_addf(&tasks[0], "%s\t%s\t-\n", m->name, m->project);
        if (dealing)
            add_parts(m, f->options->shards, &tasks[dealing - 1]);
        add_parts(m, f->options->confirm_tasks, &tasks[FLEET_CONFIRMS - 1]);
    }
    fleet_file(f, "modules", str_text(&modules));
    for (int i = 0; i < FLEET_PHASES; i++) {
        fleet_file(f, arena_printf(&f->arena, "tasks-%d", i + 1), str_text(&tasks[i]));
        str_free(&tasks[i]);
    }
    str_free(&modules);
}

extern const char fleet_task_sh[], fleet_collect_sh[], fleet_local_sh[];

void fleet_files(struct fleet *f) {
    assert(f->modules.len > 0 && f->jobs > 0);
    add_conf(f);
    add_tasks(f);
    fleet_file(f, "task.sh", fleet_task_sh);
    fleet_file(f, "collect.sh", fleet_collect_sh);
    fleet_file(f, "local.sh", fleet_local_sh);
    if (str_same(f->options->on, "slurm"))
        slurm_files(f);
    else if (str_same(f->options->on, "gitlab"))
        gitlab_files(f);
    else if (str_same(f->options->on, "jenkins"))
        jenkins_files(f);
}

void fleet_free(struct fleet *f) {
    vec_free(&f->modules);
    vec_free(&f->files);
    arena_free(&f->arena);
}
