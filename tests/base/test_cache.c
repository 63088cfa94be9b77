/* The cache: what was kept comes back as it was, or not at all. */
#include "base/cache.h"
#include "base/file.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct str dir;
static struct err err;
static struct arena arena;
static struct cache cache;

void setUp(void) {
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
    cache = (struct cache){.dir = path_join(&arena, str_text(&dir), "a/b"), .limit_mb = 1};
}
void tearDown(void) {
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    err_clear(&err);
    arena_free(&arena);
}

static const char *in_dir(const char *name) {
    return path_join(&arena, str_text(&dir), name);
}

static void keep(const char *key, const char *text, size_t size) {
    TEST_ASSERT_TRUE(file_write(in_dir("made"), text, size, &err));
    cache_keep(&cache, key, in_dir("made"));
}

static bool comes_back(const char *key, const char *text) {
    struct str found = {0};
    bool ok = cache_take(&cache, key, in_dir("taken"));
    if (ok) {
        TEST_ASSERT_TRUE(file_read(in_dir("taken"), &found, &err));
        TEST_ASSERT_EQUAL_STRING(text, str_text(&found));
        struct stat info;
        TEST_ASSERT_EQUAL_INT(0, stat(in_dir("taken"), &info));
        TEST_ASSERT_TRUE(info.st_mode & S_IXUSR);
    }
    str_free(&found);
    return ok;
}

static void test_what_was_kept_comes_back(void) {
    TEST_ASSERT_FALSE(comes_back("1a", ""));
    keep("1a", "program", 7);
    keep("2b", "", 0);
    TEST_ASSERT_TRUE(comes_back("1a", "program"));
    TEST_ASSERT_TRUE(comes_back("2b", ""));
    TEST_ASSERT_FALSE(comes_back("1", "program"));
    keep("1a", "another", 7);
    TEST_ASSERT_TRUE(comes_back("1a", "another"));
}

static void test_what_is_damaged_does_not(void) {
    struct str text = {0};
    const char *kept = path_join(&arena, cache.dir, "1a.kept");
    keep("1a", "program", 7);
    TEST_ASSERT_TRUE(file_read(kept, &text, &err));
    for (size_t i = 0; i < text.len; i++) {
        text.data[i] ^= 1;
        TEST_ASSERT_TRUE(file_write(kept, text.data, text.len, &err));
        TEST_ASSERT_FALSE(comes_back("1a", "program"));
        text.data[i] ^= 1;
        TEST_ASSERT_TRUE(file_write(kept, text.data, i, &err));
        TEST_ASSERT_FALSE(comes_back("1a", "program"));
    }
    TEST_ASSERT_TRUE(file_write(kept, text.data, text.len, &err));
    TEST_ASSERT_TRUE(comes_back("1a", "program"));
    str_free(&text);
}

/* What was used last stays. */
static void test_the_limit(void) {
    size_t size = 400 << 10;
    char *large = calloc(size + 1, 1);
    memset(large, 'x', size);
    keep("1a", large, size);
    keep("2b", large, size);
    const struct timespec old[2] = {{1000, 0}, {1000, 0}};
    TEST_ASSERT_EQUAL_INT(0, utimensat(-1, path_join(&arena, cache.dir, "2b.kept"), old, 0));
    TEST_ASSERT_EQUAL_INT(0, utimensat(-1, path_join(&arena, cache.dir, "1a.kept"), old, 0));
    TEST_ASSERT_TRUE(comes_back("1a", large));
    keep("3c", large, size);
    TEST_ASSERT_TRUE(comes_back("1a", large));
    TEST_ASSERT_FALSE(comes_back("2b", large));
    TEST_ASSERT_TRUE(comes_back("3c", large));
    free(large);
}

static void test_no_folder_is_no_error(void) {
    struct cache none = {0}, impossible = {.dir = "/dev/null/x", .limit_mb = 1};
    keep("1a", "program", 7);
    cache_keep(&none, "1a", in_dir("made"));
    cache_keep(&impossible, "1a", in_dir("made"));
    TEST_ASSERT_FALSE(cache_take(&none, "1a", in_dir("taken")));
    TEST_ASSERT_FALSE(cache_take(&impossible, "1a", in_dir("taken")));
    setenv("XDG_CACHE_HOME", "/x", 1);
    TEST_ASSERT_EQUAL_STRING("/x/goalkeeper", cache_default_dir(&arena));
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", "/h", 1);
    TEST_ASSERT_EQUAL_STRING("/h/.cache/goalkeeper", cache_default_dir(&arena));
    unsetenv("HOME");
    TEST_ASSERT_NULL(cache_default_dir(&arena));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_what_was_kept_comes_back);
    RUN_TEST(test_what_is_damaged_does_not);
    RUN_TEST(test_the_limit);
    RUN_TEST(test_no_folder_is_no_error);
    return UNITY_END();
}
