/* Arena, vectors, strings, maps: what every other file takes for granted. */
#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"

#include "unity.h"

void setUp(void) {
}
void tearDown(void) {
}

static void test_vec_grows_and_keeps_order(void) {
    VEC(int) v = {0};
    for (int i = 0; i < 1000; i++)
        vec_push(&v, i);
    for (int i = 0; i < 1000; i++)
        TEST_ASSERT_EQUAL_INT(i, v.data[i]);
    TEST_ASSERT_EQUAL_INT(999, vec_pop(&v));
    TEST_ASSERT_EQUAL_size_t(999, v.len);
    vec_free(&v);
}

static void test_arena_blocks_are_zeroed_and_stay(void) {
    struct arena arena = {0};
    char *first = arena_strdup(&arena, "first");
    for (int i = 0; i < 1000; i++) {
        char *block = arena_alloc(&arena, 1000);
        TEST_ASSERT_EACH_EQUAL_CHAR(0, block, 1000);
        memset(block, 1, 1000);
    }
    TEST_ASSERT_EQUAL_STRING("first", first);
    TEST_ASSERT_EQUAL_STRING("a=7", arena_printf(&arena, "a=%d", 7));
    arena_free(&arena);
}

static void test_map_against_array(void) {
    struct map map = {0};
    uint32_t expected[512];
    memset(expected, 0xff, sizeof expected);
    struct rng rng;
    rng_init(&rng, 1);
    for (int i = 0; i < 2000; i++) {
        uint64_t key = rng_below(&rng, 512);
        map_put(&map, key * 0x100000001u, (uint32_t)i);
        expected[key] = (uint32_t)i;
    }
    for (uint64_t key = 0; key < 512; key++) {
        uint32_t *value = map_get(&map, key * 0x100000001u);
        if (expected[key] == UINT32_MAX)
            TEST_ASSERT_NULL(value);
        else
            TEST_ASSERT_EQUAL_UINT32(expected[key], *value);
    }
    map_free(&map);
}

static void test_intern_gives_dense_ids(void) {
    struct intern in = {0};
    TEST_ASSERT_EQUAL_UINT32(INTERN_NONE, intern_find(&in, "a"));
    TEST_ASSERT_EQUAL_UINT32(0, intern_id(&in, "a"));
    TEST_ASSERT_EQUAL_UINT32(1, intern_id(&in, "b"));
    TEST_ASSERT_EQUAL_UINT32(0, intern_id(&in, "a"));
    TEST_ASSERT_EQUAL_STRING("b", intern_text(&in, 1));
    intern_free(&in);
}

static void test_first_error_wins(void) {
    struct err err = {0};
    TEST_ASSERT_FALSE(err_set(&err, ERR_USAGE, "bad %d", 1));
    err_set(&err, ERR_SOURCE, "other");
    TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
    TEST_ASSERT_EQUAL_STRING("bad 1", str_text(&err.message));
    err_clear(&err);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_vec_grows_and_keeps_order);
    RUN_TEST(test_arena_blocks_are_zeroed_and_stay);
    RUN_TEST(test_map_against_array);
    RUN_TEST(test_intern_gives_dense_ids);
    RUN_TEST(test_first_error_wins);
    return UNITY_END();
}
