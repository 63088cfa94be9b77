#include "suites_tasks.h"

#include "base/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct finder {
    struct tasks *tasks;
    struct arena *arena;
    struct err *err;
};

/* ---- test.desc ---- */

/* Options that ask for more than assertions, or for another meaning of C. */
static bool asks_otherwise(const char *options) {
    static const char *const words[] = {"overflow-check",
                                        "--nan-check",
                                        "--function",
                                        "--round-to",
                                        "--ir",
                                        "--big-endian",
                                        "termination",
                                        "no-assertions",
                                        "memory-leak",
                                        "goto-functions-only",
                                        "--error-label",
                                        "--fixedbv",
                                        "--multi-property",
                                        "--loop-invariant",
                                        "--havoc",
                                        "zero-check",
                                        "volatile-check",
                                        "unreachability-intrinsic",
                                        "--unwindset",
                                        "-D ",
                                        "-funsigned-char",
                                        ".c"}; /* a second file */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(options, words[i]))
            return true;
    return false;
}

/* What a line of the expected output says: "** 1 of 2 failed", "VERIFICATION SUCCESSFUL". */
static enum expectation of_line(const char *line) {
    const char *of = strstr(line, " of ");
    if (of && strstr(line, "failed") && strstr(line, "** "))
        return strstr(line, "** 0 of") ? EXPECT_DEAD : EXPECT_REACHABLE;
    bool good = strstr(line, "SUCCESSFUL"), bad = strstr(line, "FAILED") || strstr(line, "FAILURE");
    if (good && bad) /* several lines in one: several questions */
        return EXPECT_NOTHING;
    return good ? EXPECT_DEAD : bad ? EXPECT_REACHABLE : EXPECT_NOTHING;
}

/* Lines from the fourth to "--", which begins what must not appear. */
static enum expectation of_lines(char *lines) {
    enum expectation is = EXPECT_NOTHING;
    for (char *line; (line = strsep(&lines, "\r\n"));) {
        if (strcmp(line, "--") == 0)
            break;
        enum expectation now = of_line(line);
        if (now != EXPECT_NOTHING && is != EXPECT_NOTHING && now != is)
            return EXPECT_NOTHING;
        is = now != EXPECT_NOTHING ? now : is;
    }
    return is;
}

static bool read_desc(struct task *task, char *text, struct arena *arena) {
    (void)strsep(&text, "\n"); /* CORE, KNOWNBUG, FUTURE: says how the suite's tool fares */
    const char *file = text ? strsep(&text, "\n") : NULL;
    const char *options = text ? strsep(&text, "\n") : NULL;
    if (!file || !options || !str_ends(file, ".c"))
        return false;
    task->file = arena_strdup(arena, file);
    task->ilp32 = strstr(options, "--32") || strstr(options, "--i386");
    task->expected = text && !asks_otherwise(options) ? of_lines(text) : EXPECT_NOTHING;
    return true;
}

/* ---- .yml ---- */

static bool read_yml(struct task *task, char *text, struct arena *arena) {
    bool is_reach = false;
    for (char *line; (line = strsep(&text, "\r\n"));) {
        char name[256];
        if (sscanf(line, "input_files: '%255[^']'", name) == 1)
            task->file = arena_strdup(arena, name);
        if (strstr(line, "property_file:"))
            is_reach = strstr(line, "unreach-call") || strstr(line, "unreach-error");
        if (strstr(line, "expected_verdict:") && is_reach)
            task->expected = strstr(line, "true") ? EXPECT_DEAD : EXPECT_REACHABLE;
        if (strstr(line, "data_model: ILP32"))
            task->ilp32 = true;
        if (strstr(line, "data_model: LP64"))
            task->ilp32 = false;
    }
    return task->file && (str_ends(task->file, ".c") || str_ends(task->file, ".i"));
}

/* ---- folders ---- */

static const char *known_reason(const char *suite, const char *name) {
    static const struct {
        const char *suite, *name, *reason;
    } rows[] = {
#define KNOWN(suite, name, reason) {suite, name, reason},
#include "suites_known.def"
#undef KNOWN
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_same(suite, rows[i].suite) && str_same(name, rows[i].name))
            return rows[i].reason;
    return NULL;
}

static void add_task(struct finder *f, const char *dir, const char *entry, bool is_yml) {
    struct str text = {0};
    struct err ignored = {0};
    const char *folder = is_yml ? dir : path_dir(f->arena, dir);
    struct task task = {.dir = dir, .suite = path_base(folder), .ilp32 = is_yml};
    task.name =
        is_yml ? arena_strndup(f->arena, entry, strlen(entry) - strlen(".yml")) : path_base(dir);
    if (file_read(path_join(f->arena, dir, entry), &text, &ignored) && text.len &&
        (is_yml ? read_yml : read_desc)(&task, text.data, f->arena)) {
        task.known = known_reason(task.suite, task.name);
        vec_push(f->tasks, task);
    }
    str_free(&text);
    err_clear(&ignored);
}

static bool walk(struct finder *f, const char *dir) {
    struct dirent **entries;
    int n = scandir(dir, &entries, NULL, alphasort);
    if (n < 0)
        return err_set(f->err, ERR_USAGE, "cannot read the folder %s", dir);
    bool ok = true;
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        char *path = path_join(f->arena, dir, name);
        if (ok && name[0] != '.' && file_is_dir(path))
            ok = walk(f, path);
        else if (ok && (str_same(name, "test.desc") || str_ends(name, ".yml")))
            add_task(f, dir, name, str_ends(name, ".yml"));
        free(entries[i]);
    }
    free(entries);
    return ok;
}

bool tasks_find(const char *dir, struct tasks *tasks, struct arena *arena, struct err *err) {
    struct finder f = {tasks, arena, err};
    return walk(&f, arena_strdup(arena, dir));
}
