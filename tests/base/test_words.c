/* Small things: suggestions, hashes, counters, stop sites, the log. */
#include "base/log.h"
#include "base/nearest.h"
#include "base/sha256.h"
#include "base/stats.h"
#include "base/stop.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {
}
void tearDown(void) {
    struct err err = {0};
    TEST_ASSERT_TRUE(stop_arm(NULL, &err));
}

static void test_edit_distance(void) {
    TEST_ASSERT_EQUAL_size_t(0, edit_distance("", ""));
    TEST_ASSERT_EQUAL_size_t(3, edit_distance("", "abc"));
    TEST_ASSERT_EQUAL_size_t(1, edit_distance("report", "repotr"));
    TEST_ASSERT_EQUAL_size_t(0, edit_distance("Sources", "sources"));
    TEST_ASSERT_EQUAL_size_t(3, edit_distance("kitten", "sitting"));
    TEST_ASSERT_EQUAL_size_t(edit_distance("abcdef", "azced"), edit_distance("azced", "abcdef"));
}

static void test_suggestions(void) {
    static const char *const words[] = {"run", "report", "replay", "status"};
    struct nearest near;
    nearest_init(&near, "reprot");
    for (int i = 0; i < 4; i++)
        nearest_offer(&near, words[i]);
    TEST_ASSERT_EQUAL_STRING("report", nearest_best(&near));
    nearest_init(&near, "zzzzz");
    TEST_ASSERT_NULL(nearest_best(&near));
    for (int i = 0; i < 4; i++)
        nearest_offer(&near, words[i]);
    TEST_ASSERT_NULL(nearest_best(&near));
}

static void test_sha256_against_published_vectors(void) {
    char hex[SHA256_HEX];
    sha256_hex("abc", 3, hex);
    TEST_ASSERT_EQUAL_STRING("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                             hex);
    sha256_hex("", 0, hex);
    TEST_ASSERT_EQUAL_STRING("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                             hex);
    const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    sha256_hex(two, strlen(two), hex);
    TEST_ASSERT_EQUAL_STRING("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
                             hex);
    char *million = malloc(1000000);
    memset(million, 'a', 1000000);
    sha256_hex(million, 1000000, hex);
    TEST_ASSERT_EQUAL_STRING("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
                             hex);
    free(million);
}

static void test_sha256_in_pieces(void) {
    const char *text = "the quick brown fox jumps over the lazy dog, and over sixty-four bytes too";
    char whole[SHA256_HEX];
    uint8_t parts[SHA256_SIZE];
    size_t len = strlen(text);
    sha256_hex(text, len, whole);
    for (size_t cut = 0; cut <= len; cut++) {
        struct sha256 s;
        char first[3];
        sha256_init(&s);
        sha256_add(&s, text, cut);
        sha256_add(&s, text + cut, len - cut);
        sha256_end(&s, parts);
        snprintf(first, sizeof first, "%02x", parts[0]);
        TEST_ASSERT_EQUAL_CHAR_ARRAY(first, whole, 2);
    }
}

struct counters {
    uint64_t steps, hits;
};

static void test_stats_are_read_by_their_rows(void) {
    static const struct stat_row rows[] = {
        {"steps", "steps run", offsetof(struct counters, steps)},
        {"hits", "goals hit", offsetof(struct counters, hits)},
    };
    struct counters counted = {.hits = UINT64_MAX - 1};
    TEST_ASSERT_EQUAL_size_t(2, STATS_COUNT(rows));
    TEST_ASSERT_EQUAL_UINT64(0, stats_get(&rows[0], &counted));
    TEST_ASSERT_EQUAL_UINT64(UINT64_MAX - 1, stats_get(&rows[1], &counted));
}

static void test_stop_fails_at_the_chosen_visit_only(void) {
    struct err err = {0};
    TEST_ASSERT_TRUE(stop_arm("FILE_WRITE:2=fail", &err));
    TEST_ASSERT_FALSE(stop_at(STOP_FILE_RENAME));
    TEST_ASSERT_FALSE(stop_at(STOP_FILE_WRITE));
    TEST_ASSERT_TRUE(stop_at(STOP_FILE_WRITE));
    TEST_ASSERT_FALSE(stop_at(STOP_FILE_WRITE));
}

static void test_stop_rejects_bad_text(void) {
    const char *const bad[] = {
        "FILE_WRIT", "FILE_WRITE:0", "FILE_WRITE:x", "FILE_WRITE=explode", "FILE_WRITE:2x", "=",
        ":",         "FILE_WRITE="};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = {0};
        TEST_ASSERT_FALSE_MESSAGE(stop_arm(bad[i], &err), bad[i]);
        TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
        TEST_ASSERT_FALSE(stop_at(STOP_FILE_WRITE));
        err_clear(&err);
    }
}

static void test_log_levels_and_silence(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = tmpfile();
    struct log log;
    log_init(&log, stream);
    log_detail(&log, "hidden");
    log_progress(&log, "%d of 2", 1);
    log_progress(&log, "%d of 2", 2); /* too soon for a plain log */
    log.level = LOG_ERROR;
    log_warning(&log, "hidden");
    log_error(&log, "shown");
    log_error(NULL, "nowhere");
    rewind(stream);
    TEST_ASSERT_TRUE(getdelim(&text, &size, '\0', stream) > 0);
    TEST_ASSERT_EQUAL_STRING("goalkeeper: 1 of 2\ngoalkeeper: error: shown\n", text);
    free(text);
    fclose(stream);
}

/* On a terminal what is being done is said at once, and makes way for the next message. */
static void test_a_phase_is_for_terminals(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = tmpfile();
    struct log log;
    log_init(&log, stream);
    log_phase(&log, "hidden");
    log.live = true;
    log_phase(&log, "reading");
    log_phase(&log, "building");
    log_note(&log, "done");
    log_phase(NULL, "nowhere");
    rewind(stream);
    TEST_ASSERT_TRUE(getdelim(&text, &size, '\0', stream) > 0);
    TEST_ASSERT_EQUAL_STRING("\rreading …\033[K\rbuilding …\033[K\r\033[Kgoalkeeper: done\n", text);
    free(text);
    fclose(stream);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_edit_distance);
    RUN_TEST(test_suggestions);
    RUN_TEST(test_sha256_against_published_vectors);
    RUN_TEST(test_sha256_in_pieces);
    RUN_TEST(test_stats_are_read_by_their_rows);
    RUN_TEST(test_stop_fails_at_the_chosen_visit_only);
    RUN_TEST(test_stop_rejects_bad_text);
    RUN_TEST(test_log_levels_and_silence);
    RUN_TEST(test_a_phase_is_for_terminals);
    return UNITY_END();
}
