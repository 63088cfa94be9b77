#include "scratch.h"

#include "unity.h"

#include <string.h>
#include <sys/stat.h>

struct str dir;
struct arena arena;
struct err err;

void scratch_open(void) {
    TEST_ASSERT_TRUE_MESSAGE(file_temp_dir(&dir, &err), str_text(&err.message));
}

void scratch_close(void) {
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    arena_free(&arena);
    err_clear(&err);
}

const char *path(const char *name) {
    return path_join(&arena, str_text(&dir), name);
}

const char *put(const char *name, const char *text) {
    const char *file = path(name);
    TEST_ASSERT_TRUE_MESSAGE(file_make_dirs(path_dir(&arena, file), &err), str_text(&err.message));
    TEST_ASSERT_TRUE_MESSAGE(file_write(file, text, strlen(text), &err), str_text(&err.message));
    return file;
}

const char *put_program(const char *name, const char *text) {
    const char *file = put(name, text);
    TEST_ASSERT_EQUAL_INT(0, chmod(file, 0755));
    return file;
}
