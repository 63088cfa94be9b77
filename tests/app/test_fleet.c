/* Fleets without a cluster: the same tasks on this machine and as pipelines of CI servers, what
 * comes back, and what does not. tests/fleet has those with a real Slurm. */
#include "folder.h"

#include "unity.h"

#include <string.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static const char counters[] = "int in, out;\n"
                               "static int a, b;\n"
                               "static void A(void) { if (in > 3) { if (a < 10) a++; } else { a = "
                               "0; } if (a > 10) out = 1; }\n"
                               "static void B(void) { if (in > 5) { if (b < 20) b++; } else { b = "
                               "0; } if (b > 20) out = 2; }\n"
                               "void step(void) { A(); B(); }\n";
static const char latch[] = "int in, out;\nstatic int on;\n"
                            "void step(void) { if (in == 77) on = 1; if (on > 1) out = 1; }\n";

static void make_module(const char *name, const char *source) {
    put(arena_printf(&arena, "modules/%s/m.c", name), source);
    put(arena_printf(&arena, "modules/%s/goalkeeper.json", name),
        arena_printf(&arena,
                     "{\"name\": \"%s\", \"sources\": [\"m.c\"], \"step\": \"step\",\n"
                     " \"inputs\": [{\"name\": \"in\", \"min\": -5, \"max\": 100}],\n"
                     " \"budget\": {\"memory_mb\": 700, \"total_seconds\": 300, \"jobs\": 2}}\n",
                     name));
}

static void make_modules(void) {
    make_module("counters", counters);
    make_module("latch", latch);
}

/* A script in the folder, with the program where a shell finds it. */
static void run_script(const char *const *words, const char *home) {
    const char *const environment[] = {
        arena_printf(&arena, "PATH=%s:/usr/local/bin:/usr/bin:/bin", GK_BINARY_DIR), NULL};
    struct child_spec spec = {
        .argv = words, .dir = home, .environment = environment, .wall_seconds = 200};
    child_result_free(&r);
    r = (struct child_result){0};
    TEST_ASSERT_TRUE_MESSAGE(child_run(&spec, &r, &err), str_text(&err.message));
}
#define SCRIPT(home, ...) run_script((const char *const[]){__VA_ARGS__, NULL}, home)

static void test_an_array_on_this_machine_is_the_single_runs(void) {
    make_modules();
    run_tool("fleet -o out --deterministic -j 1 --gate --max-open=0 modules", NULL);
    expect_end(0, NULL);
    expect_out("2 modules: 2 passed, 0 failed");
    static const char *const names[] = {"counters", "latch"};
    for (int i = 0; i < 2; i++) {
        run_tool(arena_printf(&arena, "run --quiet --deterministic -j 1 --db one-%s.db modules/%s",
                              names[i], names[i]),
                 NULL);
        expect_end(0, NULL);
        TEST_ASSERT_EQUAL_STRING(verdicts_in(arena_printf(&arena, "one-%s.db", names[i])),
                                 verdicts_in(arena_printf(&arena, "out/results/%s.db", names[i])));
    }
    expect_file("out/report/index.html", "latch");
    expect_file("out/report/junit.xml", "<testsuites");
    run_tool("fleet status out", NULL);
    expect_end(0, NULL);
    expect_out("latch ");
    expect_out("done ");
    expect_out("collected in out/results, exit code 0");
}

static void test_what_a_gate_says_is_the_end_of_a_fleet(void) {
    make_modules();
    run_tool("fleet -o out -j 1 --engines simulate --gate --max-open=0 modules/latch", NULL);
    expect_end(1, NULL);
    expect_out("1 modules: 0 passed, 1 failed");
    expect_file("out/report/junit.xml", "at most 0\" type=\"open\"");
}

static void test_a_module_without_a_result_is_no_success(void) {
    make_modules();
    put("modules/latch/m.c", "this is no C\n");
    run_tool("fleet -o out -j 1 --engines simulate modules", NULL);
    expect_end(2, "latch: no result; none of its tasks has come back");
    expect_out("\"counters\"");
    run_tool("fleet status out", NULL);
    expect_out("failed");
    expect_out("exit code 3");
}

static void test_shards_are_dealt_and_joined_and_not_believed(void) {
    make_modules();
    run_tool("fleet -o out -j 1 --shards 2 --engines simulate modules/counters", NULL);
    expect_end(0, NULL);
    expect_out("from 2 databases");
    expect_file("out/tasks-1", "\t2/2\n");
    TEST_ASSERT_EQUAL_INT64(0, number_in("out/results/counters.db",
                                         "SELECT count(*) FROM goal_status WHERE reason GLOB "
                                         "'*shard*'"));
    /* a shard that never came back */
    TEST_ASSERT_EQUAL_INT(0, remove(path("out/parts/counters/2-2.db")));
    SCRIPT(str_text(&dir), "bash", "out/collect.sh", "out");
    TEST_ASSERT_EQUAL_INT(0, r.code);
    TEST_ASSERT_TRUE(number_in("out/results/counters.db",
                               "SELECT count(*) FROM goal_status WHERE reason = "
                               "'shard 2 of 2 has not come back: nobody has tried it'") > 0);
    /* and one that says what the others know to be false */
    change_database(
        "out/parts/counters/1-2.db",
        "INSERT INTO proof (id, engine, k, invariant) VALUES (77, 'kind', 1, 'x');"
        "UPDATE goal SET status = 'dead', witness = NULL, depth = 1, checked_by = 'cbmc,solver',"
        " proof = 77 WHERE kind = 'function'");
    SCRIPT(str_text(&dir), "bash", "out/collect.sh", "out");
    TEST_ASSERT_EQUAL_INT(5, r.code);
    expect_out("reachable and dead at once");
    expect_file("out/state/collected", "5");
}

static void test_parts_of_another_program_are_left_out(void) {
    make_modules();
    run_tool("fleet -o out -j 1 --shards 2 --first-task --engines simulate modules/counters", NULL);
    expect_end(0, NULL);
    expect_out("from 3 databases");
    run_tool("run --quiet --goals-only --db out/parts/counters/2-2.db modules/latch", NULL);
    SCRIPT(str_text(&dir), "bash", "out/collect.sh", "out");
    TEST_ASSERT_EQUAL_INT(2, r.code);
    TEST_ASSERT_TRUE(says(&r.err, "left out, it is of another program"));
    TEST_ASSERT_TRUE(number_in("out/results/counters.db",
                               "SELECT count(*) FROM goal_status WHERE reason GLOB "
                               "'shard 2 of 2 has not come back*'") > 0);
}

/* Verdicts whose proof CBMC has confirmed, by database. */
static int64_t by_cbmc(const char *database) {
    return number_in(database, "SELECT count(*) FROM goal_status WHERE status = 'dead' AND "
                               "checked_by LIKE '%cbmc%'");
}

static void test_proofs_are_shown_to_cbmc_by_tasks_of_their_own(void) {
    make_modules();
    run_tool("fleet -o out -j 1 --shards 2 --engines kind,houdini --confirm-tasks 2 "
             "modules/counters",
             NULL);
    expect_end(0, NULL);
    expect_out("from 4 databases");
    expect_file("out/fleet.conf", "PHASE_1=(--confirm later)\nPHASE_2=(--confirm later)\n"
                                  "PHASE_3=(--confirm only)\n");
    int64_t dead = number_in("out/results/counters.db",
                             "SELECT count(*) FROM goal_status WHERE status = 'dead'");
    TEST_ASSERT_TRUE(dead >= 2);
    TEST_ASSERT_EQUAL_INT64(0, by_cbmc("out/parts/counters/1-2.db") +
                                   by_cbmc("out/parts/counters/2-2.db"));
    /* each of them a part, together all */
    int64_t one = by_cbmc("out/parts/counters/confirm-1-2.db"),
            two = by_cbmc("out/parts/counters/confirm-2-2.db");
    TEST_ASSERT_TRUE(one < dead && two < dead);
    TEST_ASSERT_EQUAL_INT64(dead, by_cbmc("out/results/counters.db"));
    run_tool("fleet status out", NULL);
    expect_out("confirm 2/2");
    run_tool("audit out/results/counters.db", NULL);
    expect_end(0, NULL);
}

static void test_a_task_that_is_started_again_goes_on(void) {
    make_modules();
    run_tool("fleet -o out -j 1 --engines simulate modules/latch", NULL);
    expect_end(0, NULL);
    int64_t before = number_in("out/parts/latch/all.db", "SELECT count(*) FROM attempt_log");
    const char *started = "SELECT count(*) FROM goal_status WHERE status = 'reachable'";
    int64_t reached = number_in("out/parts/latch/all.db", started);
    run_tool("fleet -o out -j 1 --engines kind modules/latch", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(reached, number_in("out/parts/latch/all.db", started));
    TEST_ASSERT_TRUE(number_in("out/parts/latch/all.db", "SELECT count(*) FROM attempt_log") >
                     before);
    TEST_ASSERT_EQUAL_INT64(3, number_in("out/results/latch.db", "SELECT count(*) FROM goal_status "
                                                                 "WHERE status = 'dead'"));
}

/* ---- what is written for others ---- */

static void test_dry_runs_print_and_write_nothing(void) {
    make_modules();
    run_tool("fleet --on slurm -o out --dry-run --shards 4 --first-task modules", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_FALSE(file_exists(path("out")));
    expect_out("out/tasks-1.sbatch\n#!/bin/bash\n# Written by Goalkeeper\n");
    expect_out("#SBATCH --requeue\n");
    expect_out("#SBATCH --signal=B:TERM@60\n");
    expect_out("#SBATCH --cpus-per-task=2\n"); /* the budgets of the projects */
    expect_out("#SBATCH --mem=2424M\n");
    expect_out("#SBATCH --time=16\n");
    expect_out("\t4/4\n");
    expect_out("PHASE_1=(--engines simulate,houdini)");
    expect_out("PHASE_2=()");
    expect_out("CONFIRM_TASKS=0");
    run_tool("fleet --on slurm -o out --dry-run -j 1 --memory-mb 100 --seconds 30 modules", NULL);
    expect_out("#SBATCH --cpus-per-task=1\n#SBATCH --mem=1124M\n#SBATCH --time=11\n");
    expect_out("RUN_OPTIONS=(-j 1 --seconds 30.000 --memory-mb 100)");
}

static void test_without_slurm_it_says_so(void) {
    const char *const environment[] = {"PATH=/nowhere", NULL};
    make_modules();
    run_tool("fleet --on slurm -o out modules", environment);
    expect_end(2, "sbatch");
}

/* The jobs of a pipeline, one after the other, each where its repository has been checked out. */
static void test_a_pipeline_of_gitlab_does_the_same(void) {
    make_modules();
    run_tool(
        "fleet --on gitlab -o ci/fleet --deterministic -j 1 --shards 2 --first-task modules/latch",
        NULL);
    expect_end(0, NULL);
    expect_out("ci/fleet/fleet.gitlab-ci.yml");
    expect_file("ci/fleet/fleet.gitlab-ci.yml", "    matrix:\n      - TASK: [\"1\", \"2\"]\n");
    expect_file("ci/fleet/fleet.gitlab-ci.yml", "    - bash ci/fleet/task.sh ci/fleet 2 \"$TASK\"");
    expect_file("ci/fleet/fleet.conf", "GOALKEEPER='goalkeeper'");
    const char *home = path("checkout");
    SCRIPT(str_text(&dir), "mkdir", "checkout");
    SCRIPT(str_text(&dir), "cp", "-r", "ci", "modules", "checkout");
    SCRIPT(home, "bash", "ci/fleet/task.sh", "ci/fleet", "1", "1");
    TEST_ASSERT_EQUAL_INT(0, r.code);
    SCRIPT(home, "bash", "ci/fleet/task.sh", "ci/fleet", "2", "1");
    SCRIPT(home, "bash", "ci/fleet/task.sh", "ci/fleet", "2", "2");
    TEST_ASSERT_EQUAL_INT(0, r.code);
    SCRIPT(home, "bash", "ci/fleet/collect.sh", "ci/fleet");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    TEST_ASSERT_EQUAL_INT64(0, number_in("checkout/ci/fleet/results/latch.db",
                                         "SELECT count(*) FROM goal_status WHERE status = 'open'"));
    SCRIPT(home, "bash", "ci/fleet/task.sh", "ci/fleet", "2", "3");
    TEST_ASSERT_EQUAL_INT(2, r.code);
}

static void test_a_pipeline_of_jenkins_is_written(void) {
    make_modules();
    run_tool("fleet --on jenkins -o ci modules", NULL);
    expect_end(0, NULL);
    expect_file("ci/Jenkinsfile", "parallel((1..2).collectEntries");
    expect_file("ci/Jenkinsfile", "sh 'bash ci/collect.sh ci'");
    run_tool(arena_printf(&arena, "fleet --on jenkins -o ci %s", path("modules")), NULL);
    expect_end(2, "an absolute path, on another machine");
}

static void test_projects_come_from_files_folders_and_lists(void) {
    make_modules();
    make_module("deep/er/third", latch);
    put("list.txt",
        "# all that is to be done\nmodules/latch\n\nmodules/deep/er/third/goalkeeper.json\n");
    run_tool("fleet --on slurm --dry-run -o out list.txt", NULL);
    expect_end(0, NULL);
    expect_out("latch\t");
    expect_out("third/goalkeeper.json\t-\n");
    TEST_ASSERT_FALSE(says(&r.out, "counters/goalkeeper.json"));
    run_tool("fleet --on slurm --dry-run -o out modules modules/latch/goalkeeper.json", NULL);
    expect_out("latch-2\t");
    run_tool("fleet --on slurm --dry-run -o out nothing.json", NULL);
    expect_end(2, "nothing.json");
    put("empty/.keep", "");
    run_tool("fleet -o out empty", NULL);
    expect_end(2, "no goalkeeper.json in this folder or below");
}

/* Whoever is last keeps the others waiting, so the longest come first: by the time that they took
 * in the fleet before, and those that were not there by size, before all others. */
static void test_the_longest_come_first(void) {
    make_module("small", latch);
    make_module("large", counters);
    run_tool("fleet -o out --dry-run modules", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_TRUE(strstr(str_text(&r.out), "\nlarge\t") < strstr(str_text(&r.out), "\nsmall\t"));
    put("out/state/large/all", "done here 0 3\n");
    put("out/state/small/1-2", "done here 0 2\n");
    put("out/state/small/2-2", "done here 0 4\n");
    run_tool("fleet -o out --dry-run modules", NULL);
    TEST_ASSERT_TRUE(strstr(str_text(&r.out), "\nsmall\t") < strstr(str_text(&r.out), "\nlarge\t"));
    put("out/state/small/1-2", "running here - 1700000000\n");
    put("out/state/small/2-2", "failed here 6 99\n");
    put("out/state/large/all", "done here 0 1000\n");
    run_tool("fleet -o out --dry-run modules", NULL);
    TEST_ASSERT_TRUE(strstr(str_text(&r.out), "\nsmall\t") < strstr(str_text(&r.out), "\nlarge\t"));
}

static void test_files_of_others_are_kept(void) {
    make_modules();
    put("out/task.sh", "the only copy of a script\n");
    run_tool("fleet -o out modules", NULL);
    expect_end(2, "files that Goalkeeper did not write");
    expect_file("out/task.sh", "the only copy");
    run_tool("fleet status modules", NULL);
    expect_end(2, "no fleet in this folder");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_an_array_on_this_machine_is_the_single_runs);
    RUN_TEST(test_what_a_gate_says_is_the_end_of_a_fleet);
    RUN_TEST(test_a_module_without_a_result_is_no_success);
    RUN_TEST(test_shards_are_dealt_and_joined_and_not_believed);
    RUN_TEST(test_parts_of_another_program_are_left_out);
    RUN_TEST(test_proofs_are_shown_to_cbmc_by_tasks_of_their_own);
    RUN_TEST(test_a_task_that_is_started_again_goes_on);
    RUN_TEST(test_dry_runs_print_and_write_nothing);
    RUN_TEST(test_without_slurm_it_says_so);
    RUN_TEST(test_a_pipeline_of_gitlab_does_the_same);
    RUN_TEST(test_a_pipeline_of_jenkins_is_written);
    RUN_TEST(test_projects_come_from_files_folders_and_lists);
    RUN_TEST(test_the_longest_come_first);
    RUN_TEST(test_files_of_others_are_kept);
    return UNITY_END();
}
