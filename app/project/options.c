/* The project that a command line names: file, folder or sources, and options on top. */
#include "app/cli/command.h"
#include "app/project/folder_sources.h"
#include "app/project/read.h"
#include "base/file.h"
#include "base/nearest.h"
#include "coverage/flags.h"
#include "coverage/place.h"
#include "engines/engine.h"
#include "instrument/inputs/guess.h"
#include "instrument/syntax/compile_commands.h"
#include "instrument/syntax/path_map.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static const double task_seconds = 300;

static bool apply_criteria(const struct options *o, struct project *project, struct err *err) {
    assert(option_given(o, OPT_criteria) && o->criteria.len > 0);
    for (int kind = 0; kind < GOAL_KINDS; kind++)
        project->criteria[kind] = false;
    for (size_t i = 0; i < o->criteria.len; i++) {
        int kind = criterion_find(o->criteria.data[i]);
        if (kind < 0) {
            err_set(err, ERR_USAGE, "--criteria: unknown kind '%s'", o->criteria.data[i]);
            return err_remedy(err, "docs/goalkeeper.schema.json lists the kinds");
        }
        project->criteria[kind] = true;
    }
    return true;
}

/* Paths on the command line start where the user stands, those of the project where its file is. */
static const char *from_here(struct project *project, const char *path) {
    char *here = str_same(project->dir, ".") ? NULL : getcwd(NULL, 0);
    const char *full = here ? path_join(&project->arena, here, path) : path;
    free(here);
    return arena_strdup(&project->arena, full);
}

static void apply_paths(const struct options *o, struct project *project) {
    if (o->compile_commands) {
        project->compile_commands = from_here(project, o->compile_commands);
        place_name(project, file_is_dir(o->compile_commands)
                                ? project->compile_commands
                                : path_dir(&project->arena, project->compile_commands));
    }
    if (!option_given(o, OPT_include_dirs))
        return;
    project->include_dirs.len = 0;
    for (size_t i = 0; i < o->include_dirs.len; i++) {
        const char *dir = from_here(project, o->include_dirs.data[i]);
        vec_push(&project->include_dirs, dir);
        place_name(project, dir);
    }
}

/* What flags on the command line name, the user has named. */
static void name_flags(const struct options *o, struct project *project) {
    const char *before = NULL;
    for (size_t i = 0; option_given(o, OPT_cflags) && i < o->cflags.len; i++) {
        const char *path = flags_path(before, o->cflags.data[i]);
        if (path)
            place_name(project, path);
        before = o->cflags.data[i];
    }
}

static void apply_texts(const struct options *o, struct project *project) {
    const struct {
        enum option_index option;
        const struct texts *from;
        struct texts *to;
    } lists[] = {
        {OPT_defines, &o->defines, &project->defines},
        {OPT_cflags, &o->cflags, &project->cflags},
        {OPT_init, &o->init, &project->init},
        {OPT_engines, &o->engines, &project->engines},
        {OPT_exclude, &o->exclude, &project->exclude},
        {OPT_assume, &o->assume, &project->assumptions},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (!option_given(o, lists[i].option))
            continue;
        lists[i].to->len = 0;
        for (size_t k = 0; k < lists[i].from->len; k++)
            vec_push(lists[i].to, arena_strdup(&project->arena, lists[i].from->data[k]));
    }
}

static void apply_scalars(const struct options *o, struct project *project) {
    if (o->step)
        project->step = arena_strdup(&project->arena, o->step);
    if (o->asil)
        project->asil = arena_strdup(&project->arena, o->asil);
    if (o->target)
        project->ilp32 = str_same(o->target, "ilp32");
    if (o->char_sign)
        project->char_is_signed = str_same(o->char_sign, "signed");
    if (o->mcdc)
        project->mcdc_unique_cause = str_same(o->mcdc, "unique-cause");
    if (o->decisions)
        project->literal_decisions = str_same(o->decisions, "literal");
    if (option_given(o, OPT_seed))
        project->seed = o->seed;
}

static void apply_budget(const struct options *o, struct project *project) {
    if (option_given(o, OPT_goal_ticks))
        project->goal_ticks = o->goal_ticks;
    if (option_given(o, OPT_goal_seconds))
        project->goal_seconds = o->goal_seconds;
    if (option_given(o, OPT_seconds))
        project->total_seconds = o->seconds;
    if (option_given(o, OPT_memory_mb))
        project->memory_mb = o->memory_mb;
    if (option_given(o, OPT_jobs))
        project->jobs = o->jobs < 4096 ? (unsigned)o->jobs : 4096;
}

static bool apply_path_map(const struct options *o, struct project *project, struct err *err) {
    for (size_t i = 0; i < o->path_map.len; i++) {
        if (!path_map_add(project, o->path_map.data[i]))
            return err_set(err, ERR_USAGE, "--path-map: '%s' is not FROM=TO, two folders",
                           o->path_map.data[i]);
        struct path_rule *rule = &project->path_map.data[project->path_map.len - 1];
        char *real = str_same(project->dir, ".") ? NULL : realpath(rule->to, NULL);
        if (real)
            rule->to = arena_strdup(&project->arena, real);
        place_name(project, rule->to);
        free(real);
    }
    return true;
}

static bool check_texts(const struct project *project, struct err *err) {
    for (size_t i = 0; i < project->init.len; i++)
        if (!project_is_identifier(project->init.data[i]))
            return err_set(err, ERR_USAGE, "--init: '%s' is not the name of a function",
                           project->init.data[i]);
    for (size_t i = 0; i < project->exclude.len; i++)
        if (!project_is_exclude(project->exclude.data[i]))
            return err_set(err, ERR_USAGE, "--exclude: '%s' is not functions:NAME or files:GLOB",
                           project->exclude.data[i]);
    if (project->step && !project_is_identifier(project->step))
        return err_set(err, ERR_USAGE, "--step: '%s' is not the name of a function", project->step);
    return flags_check(&project->cflags, err);
}

static bool unknown_engine(const char *name, const char *where, struct err *err) {
    struct str all = {0};
    struct nearest near;
    nearest_init(&near, name);
    for (const struct engine_row *row = engine_rows; row->name; row++) {
        str_addf(&all, "%s%s", all.len ? ", " : "", row->name);
        nearest_offer(&near, row->name);
    }
    err_set(err, ERR_USAGE, "%sunknown engine '%s'", where, name);
    if (nearest_best(&near))
        err_remedy(err, "did you mean '%s'?", nearest_best(&near));
    else
        err_remedy(err, "the engines are %s", str_text(&all));
    str_free(&all);
    return false;
}

static bool check_engines(const struct options *o, const struct project *project, struct err *err) {
    bool given = option_given(o, OPT_engines);
    for (size_t i = 0; i < project->engines.len; i++) {
        const char *name = project->engines.data[i];
        if (*name && engine_find(name))
            continue;
        unknown_engine(name, given ? "--engines: " : "", err);
        if (!given)
            err_at(err, project->file, 0, 0);
        return false;
    }
    return true;
}

static bool apply(const struct options *o, struct project *project, struct err *err) {
    apply_texts(o, project);
    apply_paths(o, project);
    name_flags(o, project);
    apply_scalars(o, project);
    apply_budget(o, project);
    return apply_path_map(o, project, err) && check_texts(project, err) &&
           check_engines(o, project, err) &&
           (!option_given(o, OPT_criteria) || apply_criteria(o, project, err));
}

/* The database of a project is no link to something of the user's. */
static bool from_file(const struct options *o, const char *file, struct project *project,
                      struct err *err) {
    if (!project_read_below(file, o->allow_outside ? NULL : "", project, err))
        return false;
    if (o->db || place_keeps(project, "goalkeeper.db"))
        return true;
    place_refuse(project, "goalkeeper.db", err);
    project_free(project);
    return false;
}

static bool from_folder(const struct options *o, const char *dir, struct project *project,
                        struct err *err) {
    struct arena arena = {0};
    const char *file = path_join(&arena, dir, "goalkeeper.json");
    bool good = file_exists(file);
    if (good) {
        good = from_file(o, file, project, err);
    } else {
        err_set(err, ERR_USAGE, "there is no goalkeeper.json in this folder");
        err_at(err, dir, 0, 0);
        err_remedy(err, "write one with 'goalkeeper init FILE…'");
    }
    arena_free(&arena);
    return good;
}

/* C files without a project file: options and defaults say the rest. */
static bool from_sources(const struct options *o, struct project *project, struct err *err) {
    assert(o->arguments.len > 0);
    project_defaults(project);
    project->dir = ".";
    for (size_t i = 0; i < o->arguments.len; i++) {
        const char *file = o->arguments.data[i];
        if (!file_exists(file) || file_is_dir(file)) {
            err_set(err, ERR_USAGE,
                    file_is_dir(file) ? "this is a folder, not a C file" : "there is no such file");
            err_at(err, file, 0, 0);
            project_free(project);
            return false;
        }
        vec_push(&project->sources, arena_strdup(&project->arena, file));
    }
    return true;
}

/* A verification task: a program of its own, with its time for the one goal it has. */
static bool from_task(const struct options *o, struct project *project, struct err *err) {
    if (o->arguments.len != 1)
        return err_set(err, ERR_USAGE, "--verify takes one C file");
    if (!from_sources(o, project, err))
        return false;
    project->total_seconds = project->goal_seconds = task_seconds;
    project->step = "main";
    return true;
}

static bool load(const struct options *o, struct project *project, struct err *err) {
    if (o->verify)
        return from_task(o, project, err);
    if (o->arguments.len == 0)
        return from_folder(o, ".", project, err);
    const char *first = o->arguments.data[0];
    if (o->arguments.len == 1 && file_is_dir(first))
        return from_folder(o, first, project, err);
    if (o->arguments.len == 1 && str_ends(first, ".json"))
        return from_file(o, first, project, err);
    return from_sources(o, project, err);
}

/* What bare sources leave out is guessed, and said: the step function and its init functions. */
static bool guess_functions(const struct options *o, struct project *project, struct err *err) {
    struct guess guess = {0};
    if (!guess_project(project, &guess, err))
        return err->code == ERR_SOURCE
                   ? false
                   : err_remedy(err, "name the step function with --step, or write a project file");
    if (!project->step)
        log_note(o->log, "step function %s: %s", guess.step.name, guess.step.why);
    for (size_t i = 0; !project->step && i < guess.notes.len; i++)
        log_note(o->log, "%s", guess.notes.data[i]);
    assert(guess.step.name && "a guess without a step function is an error");
    project->step = arena_strdup(&project->arena, guess.step.name);
    for (size_t i = 0; i < guess.init.len && !option_given(o, OPT_init); i++) {
        log_note(o->log, "init function %s: %s", guess.init.data[i].name, guess.init.data[i].why);
        vec_push(&project->init, arena_strdup(&project->arena, guess.init.data[i].name));
    }
    guess_free(&guess);
    return true;
}

static bool complete(const struct options *o, struct project *project, struct err *err) {
    if (project->file[0] != '\0')
        return true;
    if (o->verify) {
        project->name = path_base(project->sources.data[0]);
        if (!option_given(o, OPT_goal_seconds))
            project->goal_seconds = project->total_seconds;
        return true;
    }
    if ((!project->step || !option_given(o, OPT_init)) && !guess_functions(o, project, err))
        return false;
    project->name = project->step;
    return true;
}

bool options_project(const struct options *o, struct project *project, struct err *err) {
    if (!load(o, project, err))
        return false;
    bool good = apply(o, project, err);
    if (good)
        path_map_guess(project);
    if (good && complete(o, project, err))
        return true;
    assert(err->code != ERR_NONE);
    project_free(project);
    return false;
}

const char *options_on_top(const struct options *o, struct arena *arena) {
    static const enum option_index shape[] = {OPT_step,      OPT_init,     OPT_include_dirs,
                                              OPT_defines,   OPT_cflags,   OPT_compile_commands,
                                              OPT_assume,    OPT_exclude,  OPT_target,
                                              OPT_char_sign, OPT_criteria, OPT_mcdc,
                                              OPT_path_map,  OPT_decisions};
    const char *all = "";
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
        if (option_given(o, shape[i]))
            all = arena_printf(arena, "%s%s--%s", all, *all ? ", " : "",
                               option_table.rows[shape[i]].name);
    return all;
}

/* `init` also takes folders, or the list of what is compiled. */
static bool expand_arguments(struct options *o, struct arena *arena, struct texts *include_dirs,
                             struct err *err) {
    struct texts files = {0}, hosts = {0};
    bool good = true;
    if (o->arguments.len == 0 && !o->compile_commands) {
        err_set(err, ERR_USAGE, "missing argument, wanted FILE or DIR");
        return err_remedy(err, "name the C files of the module, the folder that they are in, or "
                               "a compile_commands.json with --compile-commands");
    }
    if (o->arguments.len == 0)
        good = compile_commands_files(o->compile_commands, arena, &files, err);
    folder_leave_out_hosts(&files, 0, &hosts);
    for (size_t i = 0; good && i < o->arguments.len; i++) {
        size_t before = files.len;
        if (!file_is_dir(o->arguments.data[i])) {
            vec_push(&files, o->arguments.data[i]);
            continue;
        }
        good = folder_sources(arena, o->arguments.data[i], &files, include_dirs, err);
        folder_leave_out_hosts(&files, before, &hosts);
    }
    for (size_t i = 0; i < hosts.len; i++)
        log_note(o->log,
                 "left out: %s defines main(), as programs for the host do; name it to take "
                 "it in",
                 hosts.data[i]);
    vec_free(&hosts);
    o->arguments = files; /* the copy of the caller */
    return good;
}

static bool sources_of(const struct options *o, struct project *project, struct texts *found,
                       struct err *err) {
    if (!from_sources(o, project, err))
        return false;
    if (apply(o, project, err)) {
        bool given = option_given(o, OPT_include_dirs) || o->compile_commands;
        for (size_t i = 0; i < found->len && !given; i++)
            vec_push(&project->include_dirs, arena_strdup(&project->arena, found->data[i]));
        path_map_guess(project);
        return true;
    }
    project_free(project);
    return false;
}

bool options_sources(const struct options *o, struct project *project, struct err *err) {
    struct options copy = *o;
    struct arena arena = {0};
    struct texts found = {0};
    copy.arguments = (struct texts){.data = o->arguments.data, .len = o->arguments.len};
    bool good = expand_arguments(&copy, &arena, &found, err);
    good = good && sources_of(&copy, project, &found, err);
    if (copy.arguments.data != o->arguments.data)
        vec_free(&copy.arguments);
    vec_free(&found);
    arena_free(&arena);
    return good;
}
