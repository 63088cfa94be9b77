/* Names of files in line markers: what the project says of them, and the folder that all share. */
#include "instrument/syntax/path_map.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct project project;
static char dir[64];

void setUp(void) {
    project_defaults(&project);
    snprintf(dir, sizeof dir, "/tmp/gk-test-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(dir));
    project.dir = dir;
}

void tearDown(void) {
    for (size_t i = 0; i < project.sources.len; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", dir, project.sources.data[i]);
        unlink(path);
    }
    rmdir(dir);
    project_free(&project);
}

static void expect(const char *marker, const char *shown) {
    struct str text = {0};
    path_map_name(&project, marker, &text);
    TEST_ASSERT_EQUAL_STRING(shown, str_text(&text));
    str_free(&text);
}

static void add_source(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "w");
    TEST_ASSERT_NOT_NULL(file);
    fputs(text, file);
    fclose(file);
    vec_push(&project.sources, name);
}

static void test_rules_of_the_project(void) {
    TEST_ASSERT_TRUE(path_map_add(&project, "C:/Work=."));
    TEST_ASSERT_TRUE(path_map_add(&project, "C:\\Work\\lib\\=../common"));
    TEST_ASSERT_FALSE(path_map_add(&project, "C:/Work"));
    TEST_ASSERT_FALSE(path_map_add(&project, "=x"));
    expect("c:\\work\\src\\a.c", "src/a.c");
    expect("C:/Work/lib/b.h", "../common/b.h"); /* the longest counts */
    expect("C:/Works/a.c", "C:/Works/a.c");     /* another folder */
    expect("C:\\Other\\a.c", "C:/Other/a.c");
    expect("src/a.c", "src/a.c");
    expect("a\\b.c", "a\\b.c"); /* a name of this machine may have such a letter */
}

static void test_what_all_share_is_left_out(void) {
    add_source("a.c", "# 1 \"C:\\MySandboxes\\Heater\\src\\a.c\"\nint a;\n"
                      "# 1 \"C:\\MySandboxes\\Heater\\inc\\t.h\" 1\n"
                      "# 1 \"C:/Compiler/include/stdint.h\" 1 3\n"
                      "# 1 \"C:/Compiler/include/own.h\" 1\n");
    add_source("b.c", "# 1 \"c:/MySandboxes/Heater/src/b.c\"\nint b;\n");
    path_map_guess(&project);
    expect("C:\\MySandboxes\\Heater\\src\\a.c", "src/a.c");
    expect("C:/MySandboxes/Heater/inc/t.h", "inc/t.h");
    expect("C:/Compiler/include/own.h", "C:/Compiler/include/own.h");
}

static void test_one_file_is_left_with_its_name(void) {
    add_source("a.c", "# 1 \"/no/such/folder/deep/a.c\"\nint a;\n");
    TEST_ASSERT_TRUE(path_map_knows_host(&project)); /* it may be there on another machine */
    path_map_guess(&project);
    expect("/no/such/folder/deep/a.c", "a.c");
    expect("/no/such/folder/b.c", "/no/such/folder/b.c");
}

static void test_sources_of_this_machine_need_no_rule(void) {
    add_source("a.c", "int a;\n# 7 \"gen.y\"\nint b;\n");
    TEST_ASSERT_FALSE(path_map_knows_host(&project));
    path_map_guess(&project);
    TEST_ASSERT_EQUAL_UINT64(0, project.path_map.len);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_rules_of_the_project);
    RUN_TEST(test_what_all_share_is_left_out);
    RUN_TEST(test_one_file_is_left_with_its_name);
    RUN_TEST(test_sources_of_this_machine_need_no_rule);
    return UNITY_END();
}
