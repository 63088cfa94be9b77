/* The tree of a JSON document: values, keys, places, and messages at them. */
#include "base/json.h"

#include "unity.h"

#include <string.h>

static struct json json;
static struct err err;

void setUp(void) {
}
void tearDown(void) {
    json_free(&json);
    err_clear(&err);
}

static const char document[] = "{\"a\": [1, -2.50, true, \"t\\u00e4\"],\n"
                               "  \"\xc3\xa9\": {\"in\": null}, \"e\": [], \"o\": {}}";

static void test_values(void) {
    TEST_ASSERT_TRUE(json_parse("f", document, strlen(document), &json, &err));
    const struct json_item *a = json_member(json.root, "a");
    TEST_ASSERT_EQUAL_size_t(4, json_count(a));
    TEST_ASSERT_EQUAL_DOUBLE(1, json_number(json_at(a, 0)));
    TEST_ASSERT_EQUAL_STRING("-2.50", json_at(a, 1)->text);
    TEST_ASSERT_TRUE(json_is_word(json_at(a, 2), "true"));
    TEST_ASSERT_EQUAL_STRING("t\xc3\xa4", json_text(json_at(a, 3)));
    TEST_ASSERT_NULL(json_at(a, 4));
    const struct json_item *in = json_member(json_member(json.root, "\xc3\xa9"), "in");
    TEST_ASSERT_TRUE(json_is_word(in, "null") && !json_is_number(in) && !in->next);
    TEST_ASSERT_EQUAL_size_t(0, json_count(json_member(json.root, "e")));
    TEST_ASSERT_TRUE(json_is(json_member(json.root, "o"), JSON_OBJECT));
    TEST_ASSERT_NULL(json_member(a, "a"));
    TEST_ASSERT_NULL(json_member(NULL, "a"));
}

static void place(const struct json_item *item, int line, int col, int key_col) {
    TEST_ASSERT_FALSE(json_error(&json, item, &err, "here"));
    TEST_ASSERT_EQUAL_INT(line, err.line);
    TEST_ASSERT_EQUAL_INT(col, err.col);
    err_clear(&err);
    TEST_ASSERT_FALSE(json_key_error(&json, item, &err, "here"));
    TEST_ASSERT_EQUAL_INT(key_col, err.col);
    err_clear(&err);
}

static void test_places(void) {
    TEST_ASSERT_TRUE(json_parse("f", document, strlen(document), &json, &err));
    place(json.root, 1, 1, 1);
    place(json_member(json.root, "a"), 1, 7, 2);
    place(json_at(json_member(json.root, "a"), 1), 1, 11, 11);
    place(json_member(json.root, "\xc3\xa9"), 2, 8, 3);
    place(json_member(json_member(json.root, "\xc3\xa9"), "in"), 2, 15, 9);
    place(json_member(json.root, "e"), 2, 27, 22);
}

/* Nothing is kept of what is refused. */
static void test_refused(void) {
    TEST_ASSERT_FALSE(json_parse("f", "[1, 2", 5, &json, &err));
    TEST_ASSERT_NULL(json.root);
    TEST_ASSERT_EQUAL_STRING("expected ',' or ']'", str_text(&err.message));
    TEST_ASSERT_EQUAL_INT(6, err.col);
    err_clear(&err);
    TEST_ASSERT_TRUE(json_parse("f", "\xef\xbb\xbf[]", 5, &json, &err));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_values);
    RUN_TEST(test_places);
    RUN_TEST(test_refused);
    return UNITY_END();
}
