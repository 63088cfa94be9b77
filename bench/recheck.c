#include "bench/recheck.h"

#include "base/child.h"
#include "base/file.h"

#include <string.h>

enum { WORDS = 32 };

/* The words of "Check: cbmc … FILE" in the head of a certificate. */
static bool command_of(struct arena *arena, const char *text, const char *file, const char **argv,
                       int n) {
    static const char mark[] = " * Check: cbmc ";
    const char *line = strstr(text, mark);
    if (!line)
        return false;
    char *words =
        arena_strndup(arena, line + sizeof mark - 1, strcspn(line + sizeof mark - 1, "\n"));
    for (char *word; (word = strsep(&words, " ")) && n + 1 < WORDS;)
        argv[n++] = str_same(word, "FILE") ? file : word;
    argv[n] = NULL;
    return true;
}

static const char *ask(const struct recheck *by, const char **argv, double *seconds) {
    struct child_spec spec = {
        .argv = argv, .cpu_seconds = by->seconds, .wall_seconds = 4 * by->seconds};
    struct child_result r = {0};
    struct err err = {0};
    const char *answer = "cannot be started";
    if (child_run(&spec, &r, &err)) {
        *seconds += r.cpu_seconds;
        answer = strstr(str_text(&r.out), "VERIFICATION SUCCESSFUL") && r.code == 0 ? "confirmed"
                 : r.end == CHILD_EXITED && r.code == 10                            ? "FAILED"
                 : r.end == CHILD_EXITED                                            ? "error"
                                                                                    : "time";
    }
    child_result_free(&r);
    err_clear(&err);
    return answer;
}

const char *recheck(const struct recheck *by, const char *text, const char *define,
                    double *seconds) {
    struct str dir = {0};
    struct err err = {0};
    struct arena arena = {0};
    const char *argv[WORDS] = {by->cbmc, "-D", define}, *answer = "no temporary folder";
    if (file_temp_dir(&dir, &err)) {
        const char *file = path_join(&arena, str_text(&dir), "certificate.c");
        if (!command_of(&arena, text, file, argv, define ? 3 : 1))
            answer = "its head names no command";
        else if (file_write(file, text, strlen(text), &err))
            answer = ask(by, argv, seconds);
        file_remove_tree(str_text(&dir));
    }
    str_free(&dir);
    err_clear(&err);
    arena_free(&arena);
    return answer;
}
