/* fleet: writes what decides many modules as jobs, and hands it to the engine that is there. */
#include "app/cli/command.h"
#include "app/fleet/plan.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_files(const struct fleet *f) {
    for (size_t i = 0; i < f->files.len; i++)
        printf("== %s/%s\n%s\n", f->dir, f->files.data[i].name, f->files.data[i].text);
}

/* Lists of tasks have no place for a mark: they are ours in a folder that is. */
static bool may_write(const struct fleet *f, struct err *err) {
    struct arena arena = {0};
    const char *conf = path_join(&arena, f->dir, "fleet.conf");
    bool ours = file_is_ours(conf, FILE_MARK);
    if (!file_exists(conf))
        for (size_t i = 0; i < f->files.len; i++)
            ours = ours && !file_exists(path_join(&arena, f->dir, f->files.data[i].name));
    arena_free(&arena);
    if (ours)
        return true;
    err_set(err, ERR_USAGE, "%s: there are files that Goalkeeper did not write", f->dir);
    return err_remedy(err, "choose another folder with -o");
}

static bool is_part_of(const char *name, const char *prefix, uint64_t tasks) {
    char end[32];
    snprintf(end, sizeof end, "-%llu.db", (unsigned long long)tasks);
    size_t n = strlen(name), tail = strlen(end);
    return str_starts(name, prefix) && n > tail && str_same(name + n - tail, end);
}

static bool is_wanted(const struct options *o, const char *name) {
    if (name[0] == '.')
        return true;
    if (str_same(name, "all.db"))
        return o->shards <= 1 || o->first_task;
    if (str_starts(name, "confirm-"))
        return is_part_of(name, "confirm-", o->confirm_tasks);
    return o->shards > 1 && is_part_of(name, "", o->shards);
}

/* Parts of tasks that there are no more: of another number of shards, or of none. */
static void forget_other_parts(struct fleet *f) {
    for (size_t i = 0; i < f->modules.len; i++) {
        const char *folder =
            arena_printf(&f->arena, "%s/parts/%s", f->dir, f->modules.data[i].name);
        DIR *dir = opendir(folder);
        for (struct dirent *e; dir && (e = readdir(dir));)
            if (!is_wanted(f->options, e->d_name))
                unlink(path_join(&f->arena, folder, e->d_name));
        if (dir)
            closedir(dir);
    }
}

static bool write_files(struct fleet *f, struct err *err) {
    bool ok = may_write(f, err) && file_make_dirs(path_join(&f->arena, f->dir, "log"), err);
    for (size_t i = 0; ok && i < f->files.len; i++)
        ok = file_write(path_join(&f->arena, f->dir, f->files.data[i].name), f->files.data[i].text,
                        strlen(f->files.data[i].text), err);
    forget_other_parts(f);
    /* what an earlier fleet says of its end is not about this one */
    unlink(path_join(&f->arena, f->dir, "jobs"));
    unlink(path_join(&f->arena, f->dir, "state/collected"));
    return ok;
}

/* The script takes the place of this process, so that signals reach it. */
static bool run_here(struct fleet *f, struct err *err) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    long at_once = cores > (long)f->jobs ? cores / (long)f->jobs : 1;
    const char *script = path_join(&f->arena, f->dir, "local.sh");
    fflush(NULL);
    execlp("bash", "bash", script, f->dir, arena_printf(&f->arena, "%ld", at_once), (char *)NULL);
    return err_set(err, ERR_USAGE, "bash cannot be started: %s", strerror(errno));
}

static bool carry_out(struct fleet *f, struct err *err) {
    const struct options *o = f->options;
    if (!write_files(f, err))
        return false;
    if (str_same(o->on, "local"))
        return run_here(f, err);
    if (!str_same(o->on, "slurm")) {
        printf("%s/%s\n", f->dir, vec_last(&f->files).name);
        log_note(o->log, "commit %s and use this file; docs/fleet.md says more", f->dir);
        return true;
    }
    if (!slurm_submit(f, err))
        return false;
    size_t tasks = 0;
    for (int phase = 1; phase <= FLEET_PHASES; phase++)
        tasks += fleet_tasks(f, phase);
    printf("%s: %zu modules, %zu tasks\n", f->dir, f->modules.len, tasks);
    log_note(o->log, "goalkeeper fleet status %s shows how far they are", f->dir);
    return true;
}

static bool is_status(const struct options *o) {
    return str_same(o->arguments.data[0], "status") && !file_exists("status");
}

int cmd_fleet(const struct options *o) {
    struct err err = {0};
    struct fleet f = {0};
    bool ok;
    if (is_status(o)) {
        ok = fleet_status(o->arguments.len > 1 ? o->arguments.data[1]
                          : o->output          ? o->output
                                               : "fleet",
                          &err);
        return ok ? 0 : command_fail(&err);
    }
    ok = fleet_plan(&f, o, &err);
    if (ok) {
        fleet_files(&f);
        if (o->dry_run)
            print_files(&f);
        else
            ok = carry_out(&f, &err);
    }
    fleet_free(&f);
    return ok ? 0 : command_fail(&err);
}
