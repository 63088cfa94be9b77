/* Sources of an attacker: what they do happens in run, replay and audit, and nowhere else. */
#include "folder.h"

#include "unity.h"

#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

void setUp(void) {
    folder_open();
}

void tearDown(void) {
    folder_close();
}

/* Machine code that no listing shows as a call: system calls of the 32-bit kind. The step reaches
 * its goal first and attacks then. */
static const char attack[] =
    "#define CALL(n, a, b, c, d) __asm__ volatile(\"int $0x80\" : \"=a\"(result) : \"a\"(n), "
    "\"b\"(a), \"c\"(b), \"d\"(c), \"S\"(d) : \"memory\")\n"
    "static long result; static const char made[] = \"%s/made\", shell[] = \"/bin/sh\";\n"
    "static const char *const argv[] = {shell, \"-c\", \"touch %s/made\", 0};\n"
    "static unsigned ip[6] = {2, 1, 0};\n"
    "unsigned char in, mark;\n"
    "static void attack(void) {\n"
    "    switch (in %% 8) {\n"
    "    case 1: CALL(5, made, 01101, 0600, 0); break;\n" /* open */
    "    case 2: CALL(11, shell, argv, 0, 0); break;\n"   /* execve */
    "    case 3: CALL(2, 0, 0, 0, 0); if (result == 0) for (;;) CALL(5, made, 0101, 0600, 0); "
    "break;\n"
    "    case 4: CALL(102, 1, ip, 0, 0); break;\n"                          /* socket */
    "    case 5: CALL(64, 0, 0, 0, 0); CALL(37, result, 9, 0, 0); break;\n" /* kill the parent */
    "    case 6: CALL(26, 16, 1, 0, 0); break;\n"                           /* ptrace */
    "    case 7: CALL(93, 5, 0, 0, 0); CALL(37, -1, 0, 0, 0); break;\n" /* ftruncate what is shared
                                                                         */
    "    default: break;\n"
    "    }\n"
    "}\n";

static void put_attack(const char *step) {
    const char *here = str_text(&dir);
    struct str text = {0};
    str_addf(&text, attack, here, here);
    str_add(&text, step);
    put("m.c", str_text(&text));
    str_free(&text);
}

static void expect_nothing_made(void) {
    TEST_ASSERT_FALSE_MESSAGE(file_exists(path("made")), "a file was made");
}

static int64_t reachable(const char *text) {
    return number_in("goalkeeper.db",
                     arena_printf(&arena,
                                  "SELECT count(*) FROM goal_status WHERE status = 'reachable' "
                                  "AND text = '%s'",
                                  text));
}

static void test_run_replay_audit_and_export(void) {
    put_attack("void step(void) { if (in > 0) { mark = 1; attack(); mark = 2; } }\n");
    run_tool("run m.c --step step --seconds 30 -j 1 --criteria statement,branch "
             "--engines simulate",
             NULL);
    expect_end(0, "forbidden system call");
    expect_nothing_made();
    TEST_ASSERT_EQUAL_INT64(1, reachable("mark = 1;"));
    run_tool("audit --require-sandbox", NULL);
    expect_end(0, NULL);
    expect_nothing_made();
    for (int goal = 1; goal <= 4; goal++) {
        run_tool(arena_printf(&arena, "replay goalkeeper.db %d", goal), NULL);
        expect_nothing_made();
    }
    run_tool("export -o tests", NULL);
    expect_nothing_made();
}

/* What is called is data: nothing that CBMC or our model says of the way behind it counts, and a
 * goal that cannot be decided is no alarm. */
static void test_machine_code_in_an_array(void) {
    put("m.c", arena_printf(&arena,
                            "static const unsigned char code[] = {0xb8, 5, 0, 0, 0, 0xcd, 0x80, "
                            "0xc3};\nunsigned char in, mark;\n"
                            "static void other(void) { if (in > 3) mark = 1; }\n"
                            "void step(void) {\n"
                            "    other();\n"
                            "    if (in == 14) { ((void (*)(const char *))code)(\"%s/made\"); "
                            "mark = 2; }\n}\n",
                            str_text(&dir)));
    run_tool("run m.c --step step --seconds 60 -j 1 --criteria statement,branch", NULL);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    TEST_ASSERT_EQUAL_INT64(1, reachable("mark = 1;"));
    TEST_ASSERT_EQUAL_INT64(
        0, number_in("goalkeeper.db", "SELECT count(*) FROM goal_status WHERE status = 'dead'"));
    TEST_ASSERT_EQUAL_INT64(0, number_in("goalkeeper.db", "SELECT count(*) FROM alarm"));
    expect_nothing_made();
}

/* A table of functions that the loader calls: before the runtime, which could not defend itself. */
static void test_before_the_first_step(void) {
    put_attack("void step(void) { if (in > 0) mark = 1; }\n"
               "static void before(void) { in = 1; attack(); in = 2; attack(); }\n"
               "void (*keep)(void) = before;\n"
               "__asm__(\".section .init_array,\\\"aw\\\"\\n.long before\\n.text\");\n");
    run_tool("run m.c --step step --seconds 20 -j 1 --engines simulate", NULL);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "forbidden system call before its first step"),
                             str_text(&r.err));
    TEST_ASSERT_EQUAL_INT64(0, reachable("mark = 1;"));
    expect_nothing_made();
}

/* The program of a database is what an assessor gets from a supplier. */
static void test_audit_of_a_forged_program(void) {
    put("m.c", "unsigned char in, mark;\nvoid step(void) { if (in > 3) mark = 1; }\n");
    run_tool("run m.c --step step --seconds 20 -j 1 --engines simulate", NULL);
    expect_end(0, NULL);
    sqlite3 *db = NULL;
    const char *forge = arena_printf(
        &arena,
        "UPDATE artifact SET content = CAST(content AS TEXT) || 'static void before(void) { "
        "static const char m[] = \"%s/made\"; int r; __asm__ volatile(\"int $0x80\" : \"=a\"(r) : "
        "\"a\"(5), \"b\"(m), \"c\"(01101), \"d\"(0600) : \"memory\"); } "
        "__attribute__((section(\".init_array\"), used)) static void (*const t[])(void) = "
        "{before};' WHERE name = 'woven.c'",
        str_text(&dir));
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(path("goalkeeper.db"), &db));
    TEST_ASSERT_EQUAL_INT_MESSAGE(SQLITE_OK, sqlite3_exec(db, forge, NULL, NULL, NULL),
                                  sqlite3_errmsg(db));
    sqlite3_close(db);
    run_tool("audit", NULL);
    TEST_ASSERT_TRUE_MESSAGE(r.code != 0, "a forged program is accepted");
    expect_nothing_made();
    run_tool("replay goalkeeper.db 1", NULL);
    expect_nothing_made();
}

/* A step that maps what the runtime shares with Goalkeeper. */
static const char damage[] =
    "static long call(long n, long a, long b, long c, long d, long e, long f) {\n"
    "    long r; register long r10 __asm__(\"r10\") = d, r8 __asm__(\"r8\") = e, r9 "
    "__asm__(\"r9\") = f;\n"
    "    __asm__ volatile(\"syscall\" : \"=a\"(r) : \"a\"(n), \"D\"(a), \"S\"(b), \"d\"(c), "
    "\"r\"(r10), \"r\"(r8), \"r\"(r9) : \"rcx\", \"r11\", \"memory\");\n"
    "    return r;\n"
    "}\n"
    "unsigned char in, mark; static unsigned *shared;\n"
    "static void damage(void);\n"
    "void step(void) {\n"
    "    if (in == 1) mark = 1;\n"
    "    if (in == 2) {\n"
    "        if (!shared) shared = (unsigned *)call(9, 0, 512l << 20, 3, 1, 5, 0);\n"
    "        if ((unsigned long)shared < -4096ul) damage();\n"
    "    }\n"
    "}\n";

static void run_damage(const char *how) {
#ifndef __x86_64__
    TEST_IGNORE_MESSAGE("written for another machine");
#endif
    put("m.c", arena_printf(&arena, "%s%s", damage, how));
    run_tool("run m.c --step step --target lp64 --cpu-seconds 8 --seconds 100 -j 1 --engines "
             "simulate",
             NULL);
}

/* The note that the runtime leaves when something is not as it must be, forged: the program is to
 * blame for it, not Goalkeeper. */
static void test_a_forged_internal_error(void) {
    run_damage("static void damage(void) {\n"
               "    for (int i = 0; i < 1024; i++) shared[i] = 0x676b6267;\n"
               "    call(231, 122, 0, 0, 0, 0, 0);\n"
               "}\n");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "has damaged the runtime that it is linked with"),
                             str_text(&r.err));
    TEST_ASSERT_TRUE_MESSAGE(r.code == 0 || r.code == 3, str_text(&r.err));
}

/* Anything at all in the shared memory and in the pipe. */
static void test_forged_answers(void) {
    for (int seed = 1; seed <= 4; seed++) {
        run_damage(arena_printf(
            &arena,
            "static unsigned random = %d;\n"
            "static unsigned next(void) { random = random * 1103515245u + 12345u; return random >> "
            "8; }\n"
            "static void damage(void) {\n"
            "    for (int i = 0; i < 8; i++) {\n"
            "        unsigned value = next() %% 3, at = next() %% (next() %% 2 ? 110 : 1u << 20);\n"
            "        shared[at] = value == 0 ? -1u : value == 1 ? next() %% 100 : next() * "
            "2654435761u;\n"
            "    }\n"
            "    if (next() %% 8 == 0) call(1, 4, (long)\".x\", 1 + next() %% 2, 0, 0, 0);\n"
            "    if (next() %% 32 == 0) call(231, 122, 0, 0, 0, 0, 0);\n"
            "}\n",
            seed));
        TEST_ASSERT_TRUE_MESSAGE(r.code == 0 || r.code == 3, str_text(&r.err));
    }
}

static void test_what_is_missing_is_said(void) {
    const char *no_files[] = {"GOALKEEPER_STOP=SANDBOX_FILES=fail", NULL};
    const char *no_calls[] = {"GOALKEEPER_STOP=SANDBOX_CALLS=fail", NULL};
    put("m.c", "int in, x;\nvoid step(void) { x = in; }\n");
    run_tool("run m.c --step step --goals-only", no_files);
    expect_end(0, "a sandbox without Landlock");
    run_tool("run m.c --step step --goals-only --require-sandbox", no_files);
    expect_end(2, "the sandbox lacks Landlock");
    run_tool("run m.c --step step --goals-only --require-sandbox", no_calls);
    expect_end(2, "the sandbox lacks seccomp");
    run_tool("doctor", no_files);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "(not here: Landlock"), str_text(&r.out));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_run_replay_audit_and_export);
    RUN_TEST(test_machine_code_in_an_array);
    RUN_TEST(test_before_the_first_step);
    RUN_TEST(test_audit_of_a_forged_program);
    RUN_TEST(test_a_forged_internal_error);
    RUN_TEST(test_forged_answers);
    RUN_TEST(test_what_is_missing_is_said);
    return UNITY_END();
}
