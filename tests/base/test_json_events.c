/* JSON as events: every document is fed whole and byte by byte, with the same result. */
#include "base/json_events.h"

#include "unity.h"

#include <string.h>

void setUp(void) {
}
void tearDown(void) {
}

static void note(void *context, enum json_event event, const char *text) {
    static const char marks[] = "{}[]:\"=";
    str_addc(context, marks[event]);
    str_add(context, text);
}

static bool run(const char *document, size_t len, size_t piece, struct str *seen) {
    struct json_events j;
    bool ok = true;
    json_events_init(&j, note, seen);
    for (size_t at = 0; ok && at < len; at += piece)
        ok = json_events_feed(&j, document + at, len - at < piece ? len - at : piece);
    ok = ok && json_events_end(&j);
    json_events_free(&j);
    return ok;
}

static void expect(const char *document, bool good, const char *events) {
    for (size_t piece = 1; piece <= strlen(document); piece += piece < 4 ? 1 : piece) {
        struct str seen = {0};
        bool ok = run(document, strlen(document), piece, &seen);
        TEST_ASSERT_EQUAL_INT_MESSAGE(good, ok, document);
        if (events)
            TEST_ASSERT_EQUAL_STRING(events, str_text(&seen));
        str_free(&seen);
    }
}

static void test_events(void) {
    expect("{}", true, "{}");
    expect(" [ ] ", true, "[]");
    expect("-1.5e+3", true, "=-1.5e+3");
    expect("{\"a\": [1, true, {\"b\":null}], \"c\":\"\"}", true, "{:a[=1=true{:b=null}]:c\"}");
    expect("[\"\\\"\\\\\\/\\n\\u0041\\u00e4\\ud83d\\ude00\"]", true,
           "[\"\"\\/\nA\xc3\xa4\xf0\x9f\x98\x80]");
}

static void test_rejects(void) {
    static const char *const bad[] = {"{",
                                      "[1,]",
                                      "[1 2]",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{\"a\":1,}",
                                      "{1:2}",
                                      "]",
                                      "[}",
                                      "{]",
                                      "1 2",
                                      "[] []",
                                      "nul",
                                      "01",
                                      "1.",
                                      "1e",
                                      "-",
                                      "+1",
                                      "\"",
                                      "\"\\x\"",
                                      "\"\\u12g4\"",
                                      "\"\\ud800\"",
                                      "\"\\udc00\"",
                                      "\"\\ud800x\"",
                                      "\"a\nb\"",
                                      "\"\\u0000\"",
                                      ",",
                                      ":",
                                      "[,1]",
                                      "{\"a\"::1}",
                                      "\"\\ud800\\n\"",
                                      "'a'",
                                      "[1}",
                                      "truefalse",
                                      "[tru",
                                      "{\"a\":1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect(bad[i], false, NULL);
    expect("\"\xc0\x80\"", false, NULL);
    expect("\"\xed\xa0\x80\"", false, NULL);
    expect("\"\xf4\x90\x80\x80\"", false, NULL);
    expect("\"\xe2\x82\"", false, NULL);
    expect("\"\xe2\x82\xac\xf0\x9f\x98\x80\"", true, "\"\xe2\x82\xac\xf0\x9f\x98\x80");
    struct str seen = {0};
    TEST_ASSERT_FALSE(run("", 0, 1, &seen));
    str_free(&seen);
}

static void test_any_bytes(void) {
    struct json_events j;
    struct str seen = {0};
    json_events_init(&j, note, &seen);
    j.any_bytes = true;
    TEST_ASSERT_TRUE(json_events_feed(&j, "\"\xe4\"", 3) && json_events_end(&j));
    TEST_ASSERT_EQUAL_STRING("\"\xe4", str_text(&seen));
    json_events_free(&j);
    str_free(&seen);
}

static void nest(int depth, bool good) {
    struct str document = {0};
    for (int i = 0; i < depth; i++)
        str_addc(&document, '[');
    for (int i = 0; i < depth; i++)
        str_addc(&document, ']');
    expect(str_text(&document), good, NULL);
    str_free(&document);
}

static void test_depth(void) {
    nest(JSON_DEPTH, true);
    nest(JSON_DEPTH + 1, false);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_events);
    RUN_TEST(test_rejects);
    RUN_TEST(test_any_bytes);
    RUN_TEST(test_depth);
    return UNITY_END();
}
