/* A rule is about a file or folder that is there. So folders of results are made before, and so are
 * the two files that SQLite wants beside a database that it reads (its folder may be the home of
 * who audits, and nothing else is to be written there); SQLite removes them, as always. */
#include "app/cli/own.h"

#include "base/cache.h"
#include "base/file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what stays ---- */

static void keep_tree(struct own *own, const char *dir) {
    assert(dir && dir[0]);
    vec_push(&own->self.trees, arena_strdup(&own->arena, dir));
}

static void keep_made(struct own *own, const char *dir) {
    struct err ignored = {0}; /* who writes there will say it */
    if (file_make_dirs(dir, &ignored))
        keep_tree(own, dir);
    err_clear(&ignored);
}

/* A file that is written beside itself and renamed, or a device; "-" is stdout. */
static void keep_file(struct own *own, const char *path) {
    if (!path || str_same(path, "-"))
        return;
    if (file_is_device(path))
        vec_push(&own->self.files, arena_strdup(&own->arena, path));
    else
        keep_tree(own, path_dir(&own->arena, path));
}

/* SQLite follows links before it makes files beside a database. */
static void keep_written_database(struct own *own, const char *path) {
    char *real = realpath(path, NULL);
    keep_tree(own, path_dir(&own->arena, path));
    if (real)
        keep_tree(own, path_dir(&own->arena, real));
    free(real);
}

/* Byte 18 of its head: who writes it does so through a log, and readers lock in that, too. */
static bool has_log(const char *path) {
    unsigned char head[20] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool whole = fd >= 0 && read(fd, head, sizeof head) == sizeof head;
    if (fd >= 0)
        close(fd);
    return whole && head[18] == 2;
}

/* A link there, which SQLite would not follow, may lead to something of the user's. */
static bool ready(const char *path) {
    struct stat info;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    bool plain = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    if (fd >= 0)
        close(fd);
    return plain;
}

static void keep_read_database(struct own *own, const char *path) {
    static const char *const beside[] = {"-wal", "-shm"};
    char *real = file_is_device(path) ? NULL : realpath(path, NULL);
    bool log = real && has_log(real);
    if (real)
        vec_push(&own->self.files, arena_strdup(&own->arena, real));
    for (size_t i = 0; log && i < sizeof beside / sizeof *beside; i++) {
        const char *name = arena_printf(&own->arena, "%s%s", real, beside[i]);
        if (ready(name))
            vec_push(&own->self.files, name);
    }
    if (log) {
        vec_push(&own->readied, arena_strdup(&own->arena, real));
        vec_push(&own->self.sweeps, path_dir(&own->arena, own->readied.data[own->readied.len - 1]));
    }
    free(real);
}

/* ---- of a command ---- */

static bool decides(const struct options *o) {
    return o->command == CMD_run && !o->goals_only && !o->dump_model;
}

/* options_run_database() before the project is read. */
static const char *run_database(struct own *own, const struct options *o) {
    const char *first = o->arguments.len == 1 ? o->arguments.data[0] : ".";
    if (o->db)
        return o->db;
    if (!file_is_dir(first))
        first = str_ends(first, ".json") ? path_dir(&own->arena, first) : ".";
    return path_join(&own->arena, first, "goalkeeper.db");
}

static void keep_run(struct own *own, const struct options *o) {
    const char *cache = o->cache ? o->cache : cache_default_dir(&own->arena);
    keep_file(own, o->trace);
    keep_file(own, o->dump_model);
    if (!o->dump_model && (!o->verify || o->db))
        keep_written_database(own, run_database(own, o));
    if (decides(o) && !o->no_cache && cache)
        keep_made(own, cache);
}

static void keep_init(struct own *own, const struct options *o) {
    bool folder = o->arguments.len == 1 && file_is_dir(o->arguments.data[0]);
    if (o->output)
        keep_file(own, o->output);
    else
        keep_tree(own, folder ? o->arguments.data[0] : ".");
}

static void keep_merge(struct own *own, const struct options *o) {
    keep_written_database(own, o->arguments.data[0]);
    for (size_t i = 1; i < o->arguments.len; i++)
        keep_read_database(own, o->arguments.data[i]);
}

/* A folder that is new goes again when nothing is written there. */
static void keep_output(struct own *own, const struct options *o) {
    if (!o->output || !file_exists(options_database(o)))
        return;
    bool is_new = !file_exists(o->output);
    keep_made(own, o->output);
    char *real = is_new ? realpath(o->output, NULL) : NULL;
    if (real) {
        own->made = arena_strdup(&own->arena, real);
        vec_push(&own->self.empties, path_dir(&own->arena, real));
    }
    free(real);
}

/* Of commands that only ask: a database may be written meanwhile, and its readers share its log, so
 * its folder stays. Chromium, which prints a PDF, has a sandbox of its own and needs more. */
static bool keep_asked(struct own *own, const struct options *o) {
    bool first_only = o->command == CMD_justify || o->command == CMD_overlay;
    for (size_t i = 0; o->command == CMD_report && i < o->formats.len; i++)
        if (str_same(o->formats.data[i], "pdf"))
            return false;
    for (size_t i = 0; i < o->arguments.len + 1 && (i == 0 || !first_only); i++) {
        const char *path = i == 0 ? options_database(o) : o->arguments.data[i - 1];
        if (file_is_dir(path))
            keep_tree(own, path);
        else
            keep_written_database(own, path);
    }
    if (o->command == CMD_report)
        keep_output(own, o);
    return true;
}

/* False: the command is not one of those that are confined. */
static bool keep_results(struct own *own, const struct options *o) {
    switch (o->command) {
    case CMD_init:
        keep_init(own, o);
        return true;
    case CMD_run:
        keep_run(own, o);
        return true;
    case CMD_export:
        keep_read_database(own, options_database(o));
        keep_output(own, o);
        return true;
    case CMD_status:
    case CMD_query:
    case CMD_report:
    case CMD_gate:
    case CMD_justify:
    case CMD_overlay:
        return keep_asked(own, o);
    case CMD_replay:
        keep_read_database(own, o->arguments.data[0]);
        return true;
    case CMD_audit:
        if (o->record)
            keep_written_database(own, options_database(o));
        else
            keep_read_database(own, options_database(o));
        return true;
    case CMD_merge:
        keep_merge(own, o);
        return true;
    case CMD_solve:
        return true;
    default:
        return false;
    }
}

/* ---- temporary files ---- */

static bool needs_temp(const struct options *o) {
    return decides(o) || o->command == CMD_audit || o->command == CMD_replay ||
           o->command == CMD_export || (o->command == CMD_merge && o->audit);
}

static bool make_temp(struct own *own, const struct options *o, struct err *err) {
    struct err why = {0};
    struct str name = {0};
    if (o->command == CMD_solve)
        return true;
    bool made = file_temp_dir(&name, &why);
    char *real = made ? realpath(str_text(&name), NULL) : NULL;
    if (real) {
        str_add(&own->temp, real);
        vec_push(&own->self.empties, path_dir(&own->arena, real));
        keep_tree(own, real);
        setenv("TMPDIR", real, 1);
    }
    free(real);
    str_free(&name);
    if (!made && needs_temp(o))
        *err = why;
    else
        err_clear(&why);
    return made || !needs_temp(o);
}

bool own_enter(struct own *own, const struct options *o, struct err *err) {
    return !keep_results(own, o) || (make_temp(own, o, err) && self_confine(&own->self, err));
}

/* SQLite lets the second one grow when it opens the database, and then it takes both away. */
static void tidy(struct own *own, const char *database) {
    const char *log = arena_printf(&own->arena, "%s-wal", database);
    const char *index = arena_printf(&own->arena, "%s-shm", database);
    struct stat info;
    if (stat(index, &info) == 0 && info.st_size == 0 && stat(log, &info) == 0 &&
        info.st_size == 0) {
        unlink(log);
        unlink(index);
    }
}

void own_leave(struct own *own) {
    for (size_t i = 0; i < own->readied.len; i++)
        tidy(own, own->readied.data[i]);
    if (own->made)
        (void)rmdir(own->made); /* only when it is empty */
    if (own->temp.len)
        file_remove_tree(str_text(&own->temp));
    str_free(&own->temp);
    vec_free(&own->readied);
    self_free(&own->self);
    arena_free(&own->arena);
}
