/* libclang reads the file; of a command only flags that change the meaning of the text are taken,
 * and a value that could be read as another flag is none. */
#include "instrument/syntax/compile_commands.h"

#include "base/file.h"
#include "base/mem.h"
#include "coverage/flags.h"
#include "coverage/place.h"

#include <clang-c/CXCompilationDatabase.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *joined(struct arena *arena, const char *dir, const char *path) {
    if (path[0] == '/' || dir[0] == '\0')
        return arena_strdup(arena, path);
    return arena_printf(arena, "%s/%s", dir, path);
}

/* Flags whose value is a path: attached ("-Iinc") or the next argument ("-I inc"). */
static const char *const path_flags[] = {"-isystem", "-iquote",  "-idirafter",
                                         "-include", "-imacros", "-I"};
static const char *const text_flags[] = {"-D", "-U"};
static const char *const whole_flags[] = {"-std=",
                                          "-ansi",
                                          "-fsigned-char",
                                          "-funsigned-char",
                                          "-fshort-enums",
                                          "-fno-short-enums",
                                          "-fpack-struct",
                                          "-fshort-wchar",
                                          "-fno-short-wchar",
                                          "-fsigned-bitfields",
                                          "-funsigned-bitfields",
                                          "-fsingle-precision-constant",
                                          "-ffast-math",
                                          "-ffinite-math-only",
                                          "-funsafe-math-optimizations",
                                          "-Ofast"};

struct command_reader {
    struct arena *arena;
    const char *dir; /* of the command */
    struct texts *args;
    const char *pending; /* flag that waits for its value */
    bool pending_path;
};

/* A value that clang would read as a flag, or as a file of flags, is none. */
static void add_flag(struct command_reader *r, const char *flag, const char *value, bool path) {
    if (value[0] == '-' || value[0] == '@')
        return;
    value = path ? joined(r->arena, r->dir, value) : arena_strdup(r->arena, value);
    vec_push(r->args, flag);
    vec_push(r->args, value);
}

static bool read_flag(struct command_reader *r, const char *arg, const char *flag, bool path) {
    if (!str_starts(arg, flag))
        return false;
    const char *value = arg + strlen(flag);
    if (*value) {
        add_flag(r, flag, value, path);
    } else {
        r->pending = flag;
        r->pending_path = path;
    }
    return true;
}

static void read_argument(struct command_reader *r, const char *arg) {
    if (r->pending) {
        add_flag(r, r->pending, arg, r->pending_path);
        r->pending = NULL;
        return;
    }
    for (size_t i = 0; i < sizeof path_flags / sizeof *path_flags; i++)
        if (read_flag(r, arg, path_flags[i], true))
            return;
    for (size_t i = 0; i < sizeof text_flags / sizeof *text_flags; i++)
        if (read_flag(r, arg, text_flags[i], false))
            return;
    for (size_t i = 0; i < sizeof whole_flags / sizeof *whole_flags; i++)
        if (str_starts(arg, whole_flags[i])) {
            vec_push(r->args, arena_strdup(r->arena, arg));
            return;
        }
}

/* The directory of a command; a relative one starts where the database lies. It comes out absolute,
 * since clang runs elsewhere. */
static const char *directory(CXCompileCommand command, const char *root, struct arena *arena) {
    CXString dir = clang_CompileCommand_getDirectory(command);
    const char *copy = joined(arena, root, clang_getCString(dir));
    clang_disposeString(dir);
    char *absolute = realpath(copy[0] ? copy : ".", NULL);
    if (absolute)
        copy = arena_strdup(arena, absolute);
    free(absolute);
    return copy;
}

static void read_command(CXCompileCommand command, const char *root, struct arena *arena,
                         struct texts *args) {
    struct command_reader r = {arena, directory(command, root, arena), args, NULL, false};
    unsigned n = clang_CompileCommand_getNumArgs(command);
    for (unsigned i = 1; i < n; i++) {
        CXString arg = clang_CompileCommand_getArg(command, i);
        read_argument(&r, clang_getCString(arg));
        clang_disposeString(arg);
    }
}

static void lookup(CXCompilationDatabase base, const char *root, const char *path,
                   struct arena *arena, struct texts *args) {
    CXCompileCommands all = clang_CompilationDatabase_getAllCompileCommands(base);
    unsigned n = all ? clang_CompileCommands_getSize(all) : 0;
    for (unsigned i = 0; i < n; i++) {
        CXCompileCommand command = clang_CompileCommands_getCommand(all, i);
        CXString file = clang_CompileCommand_getFilename(command);
        const char *dir = directory(command, root, arena);
        char *wanted = realpath(path, NULL);
        char *listed = realpath(joined(arena, dir, clang_getCString(file)), NULL);
        bool same = str_same(wanted, listed) && wanted;
        free(wanted);
        free(listed);
        clang_disposeString(file);
        if (same) {
            read_command(command, root, arena, args);
            break;
        }
    }
    if (all)
        clang_CompileCommands_dispose(all);
}

/* libclang takes a directory that holds a file of the fixed name: give it one. */
static CXCompilationDatabase open_as_directory(const char *file) {
    char *target = realpath(file, NULL);
    CXCompilationDatabase base = NULL;
    struct str dir = {0}, link = {0};
    struct err ignored = {0}; /* without a database there is a message already */
    if (target && file_temp_dir(&dir, &ignored)) {
        CXCompilationDatabase_Error status;
        str_addf(&link, "%s/compile_commands.json", str_text(&dir));
        if (symlink(target, str_text(&link)) == 0)
            base = clang_CompilationDatabase_fromDirectory(str_text(&dir), &status);
        file_remove_tree(str_text(&dir));
    }
    str_free(&dir);
    str_free(&link);
    err_clear(&ignored);
    free(target);
    return base;
}

static CXCompilationDatabase open_database(const char *path) {
    struct stat info;
    CXCompilationDatabase_Error status;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return clang_CompilationDatabase_fromDirectory(path, &status);
    return open_as_directory(path);
}

static const char *database_root(const char *path, struct arena *arena) {
    struct stat info;
    const char *slash = strrchr(path, '/');
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return arena_strdup(arena, path);
    return slash ? arena_strndup(arena, path, (size_t)(slash - path)) : "";
}

static CXCompilationDatabase open_or_fail(const char *path, struct err *err) {
    CXCompilationDatabase base = open_database(path);
    if (!base) {
        err_set(err, ERR_USAGE, "cannot read the compilation database '%s'", path);
        err_remedy(err, "name a compile_commands.json or its directory, or remove "
                        "\"compile_commands\" from the project file");
    }
    return base;
}

/* The path of a file as short as it can be told from here. */
static const char *listed_path(struct arena *arena, const char *dir, const char *file) {
    char *real = realpath(joined(arena, dir, file), NULL), *here = getcwd(NULL, 0);
    size_t len = here ? strlen(here) : 0;
    const char *path = real ? real : file;
    if (len > 0 && strncmp(path, here, len) == 0 && path[len] == '/')
        path += len + 1;
    path = arena_strdup(arena, path);
    free(real);
    free(here);
    return path;
}

static bool is_listed(const struct texts *files, const char *path) {
    for (size_t i = 0; i < files->len; i++)
        if (str_same(files->data[i], path))
            return true;
    return false;
}

bool compile_commands_files(const char *path, struct arena *arena, struct texts *files,
                            struct err *err) {
    CXCompilationDatabase base = open_or_fail(path, err);
    if (!base)
        return false;
    const char *root = database_root(path, arena);
    CXCompileCommands all = clang_CompilationDatabase_getAllCompileCommands(base);
    unsigned n = all ? clang_CompileCommands_getSize(all) : 0;
    for (unsigned i = 0; i < n; i++) {
        CXCompileCommand command = clang_CompileCommands_getCommand(all, i);
        CXString name = clang_CompileCommand_getFilename(command);
        const char *file =
            listed_path(arena, directory(command, root, arena), clang_getCString(name));
        clang_disposeString(name);
        if (str_ends(file, ".c") && !is_listed(files, file))
            vec_push(files, file);
    }
    if (all)
        clang_CompileCommands_dispose(all);
    clang_CompilationDatabase_dispose(base);
    if (files->len > 0)
        return true;
    err_set(err, ERR_USAGE, "the compilation database '%s' lists no C file", path);
    return err_remedy(err, "name the C files of the module");
}

bool compile_commands_args(const struct project *project, const char *source, struct arena *arena,
                           struct texts *args, struct err *err) {
    if (!project->compile_commands)
        return true;
    const char *dir = project->dir ? project->dir : "";
    const char *path = joined(arena, dir, project->compile_commands);
    CXCompilationDatabase base = open_or_fail(path, err);
    if (!base)
        return false;
    size_t from = args->len;
    lookup(base, database_root(path, arena), joined(arena, dir, source), arena, args);
    clang_CompilationDatabase_dispose(base);
    for (size_t i = from + 1; i < args->len; i++) {
        const char *named = flags_path(args->data[i - 1], args->data[i]);
        if (named && !place_allows(project, named)) {
            place_refuse(project, named, err);
            return err_at(err, path, 0, 0);
        }
    }
    return true;
}
