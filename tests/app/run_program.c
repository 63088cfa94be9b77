#include "run_program.h"

#include "base/vec.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>

struct child_result run_program(const char *line, const char *const *environment, const char *dir) {
    VEC(const char *) argv = {0};
    char *copy = strdup(line), *rest = copy, *word;
    vec_push(&argv, GK_BINARY_DIR "/goalkeeper");
    while ((word = strsep(&rest, " ")))
        if (word[0])
            vec_push(&argv, word);
    vec_push(&argv, NULL);
    struct child_spec spec = {
        .argv = argv.data, .environment = environment, .dir = dir, .wall_seconds = 300};
    struct child_result result;
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(child_run(&spec, &result, &err), str_text(&err.message));
    TEST_ASSERT_EQUAL_INT_MESSAGE(CHILD_EXITED, result.end, line);
    vec_free(&argv);
    free(copy);
    return result;
}

bool says(const struct str *output, const char *text) {
    return strstr(str_text(output), text) != NULL;
}
