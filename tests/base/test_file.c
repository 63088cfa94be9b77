/* Files: nothing is ever half written, nothing of the user's is ever overwritten. */
#include "base/child.h"
#include "base/file.h"
#include "base/stop.h"

#include "unity.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct str dir;
static struct err err;
static struct arena arena;

void setUp(void) {
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
}
void tearDown(void) {
    file_remove_tree(str_text(&dir));
    TEST_ASSERT_FALSE(file_exists(str_text(&dir)));
    str_free(&dir);
    err_clear(&err);
    arena_free(&arena);
}

static const char *in_dir(const char *name) {
    return path_join(&arena, str_text(&dir), name);
}

static const char *content(const char *path) {
    struct str text = {0};
    TEST_ASSERT_TRUE(file_read(path, &text, &err));
    const char *copy = arena_strndup(&arena, str_text(&text), text.len);
    str_free(&text);
    return copy;
}

static int count_entries(void) {
    struct child_spec spec = {.argv = (const char *[]){"ls", "-A", str_text(&dir), NULL}};
    struct child_result result;
    TEST_ASSERT_TRUE(child_run(&spec, &result, &err));
    int lines = 0;
    for (size_t i = 0; i < result.out.len; i++)
        lines += result.out.data[i] == '\n';
    child_result_free(&result);
    return lines;
}

static void test_write_and_read_back_with_nuls(void) {
    const char *path = in_dir("a");
    TEST_ASSERT_TRUE(file_write(path, "a\0b", 3, &err));
    struct str text = {0};
    TEST_ASSERT_TRUE(file_read(path, &text, &err));
    TEST_ASSERT_EQUAL_size_t(3, text.len);
    TEST_ASSERT_EQUAL_MEMORY("a\0b", text.data, 4);
    str_free(&text);
    TEST_ASSERT_EQUAL_INT(1, count_entries());
}

static void test_umask_decides_the_mode(void) {
    const char *path = in_dir("a");
    mode_t old = umask(027);
    TEST_ASSERT_TRUE(file_write(path, "", 0, &err));
    umask(old);
    struct stat info;
    TEST_ASSERT_EQUAL_INT(0, stat(path, &info));
    TEST_ASSERT_EQUAL_HEX(0640, info.st_mode & 0777);
}

static void test_missing_file_is_named(void) {
    struct str text = {0};
    TEST_ASSERT_FALSE(file_read(in_dir("none"), &text, &err));
    TEST_ASSERT_EQUAL_STRING(in_dir("none"), str_text(&err.file));
    TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
    str_free(&text);
}

static void test_folder_is_no_file(void) {
    struct str text = {0};
    TEST_ASSERT_FALSE(file_read(str_text(&dir), &text, &err));
    str_free(&text);
}

static void test_missing_folder_is_an_error(void) {
    TEST_ASSERT_FALSE(file_write(in_dir("no/such/file"), "x", 1, &err));
    TEST_ASSERT_TRUE(err.remedy.len > 0);
}

static void test_foreign_files_are_kept(void) {
    const char *path = in_dir("mine.txt");
    const char *ours = FILE_MARK "\nnew\n";
    TEST_ASSERT_TRUE(file_write(path, "precious", 8, &err));
    TEST_ASSERT_FALSE(file_write_ours(path, ours, strlen(ours), FILE_MARK, &err));
    TEST_ASSERT_EQUAL_STRING("precious", content(path));
    TEST_ASSERT_EQUAL_STRING("this exists and Goalkeeper did not write it", str_text(&err.message));
}

static void test_own_and_empty_files_are_replaced(void) {
    const char *path = in_dir("ours.txt");
    const char *first = FILE_MARK " 1", *second = FILE_MARK " 2";
    TEST_ASSERT_TRUE(file_write(path, "", 0, &err));
    TEST_ASSERT_TRUE(file_write_ours(path, first, strlen(first), FILE_MARK, &err));
    TEST_ASSERT_TRUE(file_write_ours(path, second, strlen(second), FILE_MARK, &err));
    TEST_ASSERT_EQUAL_STRING(second, content(path));
}

static void test_links_and_folders_are_kept(void) {
    TEST_ASSERT_EQUAL_INT(0, symlink("/etc/passwd", in_dir("link")));
    TEST_ASSERT_FALSE(file_is_ours(in_dir("link"), FILE_MARK));
    TEST_ASSERT_FALSE(file_is_ours(str_text(&dir), FILE_MARK));
    TEST_ASSERT_TRUE(file_is_ours(in_dir("nothing"), FILE_MARK));
}

static void test_failing_write_keeps_the_old_file(void) {
    const char *path = in_dir("a");
    const char *const sites[] = {"FILE_WRITE=fail", "FILE_RENAME=fail"};
    TEST_ASSERT_TRUE(file_write(path, "old", 3, &err));
    for (int i = 0; i < 2; i++) {
        TEST_ASSERT_TRUE(stop_arm(sites[i], &err));
        TEST_ASSERT_FALSE(file_write(path, "new", 3, &err));
        err_clear(&err);
        TEST_ASSERT_EQUAL_STRING("old", content(path));
        TEST_ASSERT_EQUAL_INT(1, count_entries());
    }
}

struct killed {
    const char *path, *spec;
};

static int write_and_die(void *context) {
    const struct killed *k = context;
    struct err ignored = {0};
    return stop_arm(k->spec, &ignored) && file_write(k->path, "new", 3, &ignored);
}

static void test_killed_writer_leaves_the_old_file(void) {
    struct killed k = {.path = in_dir("a")};
    const char *const sites[] = {"FILE_WRITE", "FILE_RENAME"};
    TEST_ASSERT_TRUE(file_write(k.path, "old", 3, &err));
    for (int i = 0; i < 2; i++) {
        struct child_result result;
        k.spec = sites[i];
        struct child_spec spec = {.body = write_and_die, .context = &k};
        TEST_ASSERT_TRUE(child_run(&spec, &result, &err));
        TEST_ASSERT_EQUAL_INT(CHILD_SIGNALLED, result.end);
        TEST_ASSERT_EQUAL_INT(SIGKILL, result.code);
        TEST_ASSERT_EQUAL_STRING("old", content(k.path));
        child_result_free(&result);
    }
}

static void test_make_dirs(void) {
    const char *path = in_dir("a/b/c");
    TEST_ASSERT_TRUE(file_make_dirs(path, &err));
    TEST_ASSERT_TRUE(file_make_dirs(path, &err));
    TEST_ASSERT_TRUE(file_is_dir(path));
    TEST_ASSERT_TRUE(file_write(in_dir("f"), "", 0, &err));
    TEST_ASSERT_FALSE(file_make_dirs(in_dir("f/g"), &err));
}

static void test_paths(void) {
    TEST_ASSERT_EQUAL_STRING("a/b", path_join(&arena, "a", "b"));
    TEST_ASSERT_EQUAL_STRING("/b", path_join(&arena, "a", "/b"));
    TEST_ASSERT_EQUAL_STRING("b", path_join(&arena, ".", "b"));
    TEST_ASSERT_EQUAL_STRING(".", path_dir(&arena, "x"));
    TEST_ASSERT_EQUAL_STRING("/", path_dir(&arena, "/x"));
    TEST_ASSERT_EQUAL_STRING("a/b", path_dir(&arena, "a/b/x"));
    TEST_ASSERT_EQUAL_STRING("x", path_base("a/b/x"));
    TEST_ASSERT_EQUAL_STRING(".", path_from(&arena, "/a/b", "/a/b"));
    TEST_ASSERT_EQUAL_STRING("c/d", path_from(&arena, "/a/b", "/a/b/c/d"));
    TEST_ASSERT_EQUAL_STRING("..", path_from(&arena, "/a/b", "/a"));
    TEST_ASSERT_EQUAL_STRING("../../bc/d", path_from(&arena, "/a/b/c", "/a/bc/d"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_write_and_read_back_with_nuls);
    RUN_TEST(test_umask_decides_the_mode);
    RUN_TEST(test_missing_file_is_named);
    RUN_TEST(test_folder_is_no_file);
    RUN_TEST(test_missing_folder_is_an_error);
    RUN_TEST(test_foreign_files_are_kept);
    RUN_TEST(test_own_and_empty_files_are_replaced);
    RUN_TEST(test_links_and_folders_are_kept);
    RUN_TEST(test_failing_write_keeps_the_old_file);
    RUN_TEST(test_killed_writer_leaves_the_old_file);
    RUN_TEST(test_make_dirs);
    RUN_TEST(test_paths);
    return UNITY_END();
}
