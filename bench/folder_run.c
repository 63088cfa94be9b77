#include "bench/folder_run.h"

#include "base/file.h"
#include "db/rows.h"

#include <stdio.h>
#include <string.h>

static bool write_in(const char *dir, const char *name, const struct str *text, struct err *err) {
    struct arena arena = {0};
    bool ok = file_write(path_join(&arena, dir, name), text->data, text->len, err);
    arena_free(&arena);
    return ok;
}

bool folder_write(const char *dir, const struct str *source, const struct str *project,
                  struct err *err) {
    return file_make_dirs(dir, err) && write_in(dir, "module.c", source, err) &&
           write_in(dir, "goalkeeper.json", project, err);
}

double folder_run(const char *dir, const char *arguments, struct str *said) {
    struct arena arena = {0};
    struct err err = {0};
    struct child_result result = {0};
    VEC(const char *) argv = {0};
    char *rest = arena_strdup(&arena, arguments), *word;
    vec_push(&argv, GK_PROGRAM);
    while ((word = strsep(&rest, " ")))
        vec_push(&argv, word);
    vec_push(&argv, NULL);
    struct child_spec spec = {.argv = argv.data, .dir = dir, .wall_seconds = 7200};
    double seconds = -1;
    if (!child_run(&spec, &result, &err))
        err_print(&err);
    else if (result.end != CHILD_EXITED || result.code != 0)
        fprintf(stderr, "goalkeeper %s: exit code %d\n%s", arguments, result.code,
                str_text(&result.err));
    else
        seconds = result.cpu_seconds;
    if (said)
        str_add(said, str_text(&result.err));
    child_result_free(&result);
    err_clear(&err);
    vec_free(&argv);
    arena_free(&arena);
    return seconds;
}

int64_t folder_number(const char *dir, const char *sql) {
    struct arena arena = {0};
    struct err err = {0};
    struct store *store = NULL;
    int64_t n = -1;
    if (store_open(&store, path_join(&arena, dir, "a.db"), STORE_READ, &err)) {
        n = rows_single_int(store, sql);
        store_close(store);
    } else {
        err_print(&err);
    }
    err_clear(&err);
    arena_free(&arena);
    return n;
}
