#include "valve.h"

#include "base/child.h"
#include "base/file.h"
#include "base/tool.h"
#include "report/report.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] = "/* valve.c: opens when it is warm, closes at once on a fault */\n"
                             "#include \"types.h\"\n"
                             "\n"
                             "static unsigned char X_Timer;\n"
                             "unsigned char Out_Open;\n"
                             "\n"
                             "void valve(void)\n"
                             "{\n"
                             "    if (In_Temp > 80 && !In_Fault) {\n"
                             "        if (X_Timer < 200)\n"
                             "            X_Timer++; // \"saturates\"\n"
                             "        Out_Open = X_Timer > 100;\n"
                             "    } else {\n"
                             "        X_Timer = 0;\n"
                             "        Out_Open = 0;\n"
                             "    }\n"
                             "    if (X_Timer > 200)\n"
                             "        Out_Open = 100 / In_Temp;\n"
                             "}\n";

static const char *const folder_pattern = "/tmp/gk_report_XXXXXX";
static struct arena names;
static char *folder;

const char *test_folder(void) {
    if (!folder) {
        folder = arena_strdup(&names, folder_pattern);
        TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    }
    return folder;
}

const char *test_file(const char *name) {
    return path_join(&names, test_folder(), name);
}

void test_folder_remove(void) {
    if (folder)
        file_remove_tree(folder);
    folder = NULL;
    arena_free(&names);
}

/* ---- goals ---- */

enum evidence { NOTHING, WITNESS, PROOF };

static const struct row {
    enum goal_kind kind;
    int8_t value;
    int line, col, end_col;
    int32_t decision, condition;
    const char *text; /* NULL: the second condition; "": the function */
    enum evidence evidence, later;
} rows[] = {
    {GOAL_function, -1, 7, 6, 11, -1, -1, "", WITNESS, WITNESS},
    {GOAL_statement, -1, 9, 5, 35, -1, -1, "if (In_Temp > 80 && !In_Fault)", WITNESS, WITNESS},
    {GOAL_branch, 1, 9, 9, 33, 0, -1, "In_Temp > 80 && !In_Fault", WITNESS, WITNESS},
    {GOAL_branch, 0, 9, 9, 33, 0, -1, "In_Temp > 80 && !In_Fault", WITNESS, WITNESS},
    {GOAL_condition, 1, 9, 9, 21, 0, 0, "In_Temp > 80", WITNESS, WITNESS},
    {GOAL_condition, 0, 9, 9, 21, 0, 0, "In_Temp > 80", WITNESS, WITNESS},
    {GOAL_condition, 1, 9, 26, 34, 0, 1, NULL, NOTHING, WITNESS},
    {GOAL_condition, 0, 9, 26, 34, 0, 1, NULL, WITNESS, WITNESS},
    {GOAL_mcdc, 1, 9, 9, 21, 0, 0, "In_Temp > 80", WITNESS, WITNESS},
    {GOAL_mcdc, 0, 9, 9, 21, 0, 0, "In_Temp > 80", WITNESS, WITNESS},
    {GOAL_mcdc, 1, 9, 26, 34, 0, 1, NULL, NOTHING, WITNESS},
    {GOAL_mcdc, 0, 9, 26, 34, 0, 1, NULL, WITNESS, WITNESS},
    {GOAL_vector, 0, 9, 9, 33, 0, -1, "T T", NOTHING, WITNESS},
    {GOAL_vector, 1, 9, 9, 33, 0, -1, "T F", WITNESS, WITNESS},
    {GOAL_vector, 0, 9, 9, 33, 0, -1, "F -", WITNESS, WITNESS},
    {GOAL_statement, -1, 10, 9, 27, -1, -1, "if (X_Timer < 200)", WITNESS, WITNESS},
    {GOAL_branch, 1, 10, 13, 26, -1, -1, "X_Timer < 200", WITNESS, WITNESS},
    {GOAL_branch, 0, 10, 13, 26, -1, -1, "X_Timer < 200", NOTHING, PROOF},
    {GOAL_statement, -1, 11, 13, 23, -1, -1, "X_Timer++;", WITNESS, WITNESS},
    {GOAL_overflow, -1, 11, 13, 22, -1, -1, "X_Timer++", PROOF, WITNESS},
    {GOAL_statement, -1, 12, 9, 34, -1, -1, "Out_Open = X_Timer > 100;", WITNESS, WITNESS},
    {GOAL_statement, -1, 14, 9, 21, -1, -1, "X_Timer = 0;", WITNESS, WITNESS},
    {GOAL_statement, -1, 15, 9, 22, -1, -1, "Out_Open = 0;", WITNESS, WITNESS},
    {GOAL_branch, 1, 17, 9, 22, -1, -1, "X_Timer > 200", PROOF, PROOF},
    {GOAL_branch, 0, 17, 9, 22, -1, -1, "X_Timer > 200", WITNESS, WITNESS},
    {GOAL_statement, -1, 18, 9, 34, -1, -1, "Out_Open = 100 / In_Temp;", PROOF, PROOF},
    {GOAL_div0, -1, 18, 20, 33, -1, -1, "100 / In_Temp", WITNESS, PROOF},
};
enum { ROWS = sizeof rows / sizeof *rows, BRANCH_DEAD = 23, STATEMENT_DEAD = 25, DIVISION = 26 };

static uint64_t key_of(size_t row, bool later) {
    /* The last statement has been written anew: another key. */
    return 0xabc0000000000000u + row + (later && row == STATEMENT_DEAD ? 100 : 0);
}

static void make_goals(const struct valve *v, struct goals *goals) {
    const char *file = v->file ? v->file : "src/valve.c";
    const char *function = v->function ? v->function : "valve";
    const char *second = v->condition ? v->condition : "In_Fault";
    static const char *conditions[2];
    conditions[0] = "In_Temp > 80";
    conditions[1] = second;
    for (size_t i = 0; i < (v->goals == VALVE_NONE ? 0 : ROWS); i++) {
        const struct row *r = &rows[i];
        vec_push(&goals->list, (struct goal){.key = key_of(i, v->later),
                                             .kind = r->kind,
                                             .value = r->value,
                                             .probe = (uint32_t)i,
                                             .file = file,
                                             .line = r->line,
                                             .col = r->col,
                                             .end_line = r->line,
                                             .end_col = r->end_col,
                                             .function = function,
                                             .text = !r->text    ? second
                                                     : !*r->text ? function
                                                                 : r->text,
                                             .decision = r->decision,
                                             .condition = r->condition});
    }
    vec_push(&goals->decisions, (struct decision){.file = file,
                                                  .function = function,
                                                  .line = 9,
                                                  .col = 9,
                                                  .text = "In_Temp > 80 && !In_Fault",
                                                  .n_conditions = 2,
                                                  .condition_text = conditions,
                                                  .structure = "0&&!1"});
    vec_push(&goals->limitations,
             (struct limitation){.file = file,
                                 .line = 18,
                                 .col = 9,
                                 .function = function,
                                 .text = "'Ecu_Log' has no body: it returns any value"});
    goals->n_probes = ROWS;
}

static void make_module(struct module *module) {
    const struct module_var inputs[] = {
        {"In_Temp", "In_Temp", VAR_INPUT, 'i', 16, true, 0xffb0, 400, 0.5, -40, "project file", "",
         0},
        {"In_Fault", "In_Fault", VAR_INPUT, 'b', 1, false, 0, 1, 1, 0, "type", "", 0},
        {"In_Flow", "In_Flow", VAR_INPUT, 'f', 32, true, 0xbf800000, 0x3f800000, 1, 0,
         "comment at src/valve.c:3", "", 0},
    };
    const struct module_var state[] = {
        {"Out_Open", "Out_Open", VAR_OUTPUT, 'u', 8, false, 0, 255, 1, 0, "type", "", 0},
        {"X_Timer", "X_Timer", VAR_STATE, 'u', 8, false, 0, 255, 1, 0, "type", "", 0},
    };
    for (size_t i = 0; i < 3; i++)
        vec_push(&module->inputs, inputs[i]);
    for (size_t i = 0; i < 2; i++)
        vec_push(&module->state, state[i]);
}

/* ---- evidence ---- */

/* Five steps: warm, then cold, then warm again; step UINT32_MAX is the initialisation. */
static int64_t put_witness(struct store *db) {
    static const struct input_event events[] = {{0, 0, 0xffd8}, {0, 1, 0},  {0, 2, 0x3dcccccd},
                                                {1, 0, 100},    {2, 0, 50}, {4, 0, 200}};
    static const struct witness_cell cells[] = {{UINT32_MAX, 0, 0}, {UINT32_MAX, 1, 0}, {1, 1, 1},
                                                {2, 1, 0},          {4, 1, 1},          {4, 0, 1}};
    struct witness w = {.steps = 5, .engine = "simulate"};
    struct err err = {0};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        vec_push(&w.events, events[i]);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        vec_push(&w.cells, cells[i]);
    int64_t id = store_witness(db, &w, &err);
    TEST_ASSERT_TRUE_MESSAGE(id > 0, str_text(&err.message));
    witness_free(&w);
    return id;
}

static int64_t put_proof(struct store *db) {
    struct proof p = {.engine = "kind", .k = 2, .invariant = "inv"};
    struct err err = {0};
    vec_push(&p.clauses, "X_Timer <= 200");
    vec_push(&p.clauses, "Out_Open < 2 || In_Temp == 0");
    int64_t id = store_proof(db, &p, &err);
    TEST_ASSERT_TRUE_MESSAGE(id > 0, str_text(&err.message));
    proof_free(&p);
    return id;
}

static enum evidence evidence_of(const struct valve *v, size_t row) {
    switch (v->goals) {
    case VALVE_OPEN:
        return NOTHING;
    case VALVE_DEAD:
        return PROOF;
    case VALVE_REACHABLE:
        return WITNESS;
    default:
        return v->later ? rows[row].later : rows[row].evidence;
    }
}

static void put_verdict(struct store *db, size_t row, enum evidence e, int64_t witness,
                        int64_t proof) {
    struct verdict v = VERDICT_INIT;
    struct err err = {0};
    v.goal = (uint32_t)row;
    v.seconds = 0.125 * (double)(row % 4);
    if (e == WITNESS) {
        v.status = STATUS_REACHABLE;
        v.engine = "simulate";
        v.depth = row == DIVISION ? 5 : 2;
        v.witness = witness;
        v.checked_by = "replay";
    } else if (e == PROOF) {
        v.status = STATUS_DEAD;
        v.engine = "kind";
        v.depth = 2;
        v.proof = proof;
        v.checked_by = row == BRANCH_DEAD ? "cbmc" : "solver";
        v.implied_by = row == STATEMENT_DEAD ? BRANCH_DEAD : -1;
        v.assumes = "In_Temp in [-80, 400]; In_Flow in [-1, 1]";
    } else {
        v.bound = 150;
        v.reason = "tried kind: budget; ic3: gave up";
    }
    TEST_ASSERT_TRUE_MESSAGE(store_verdict(db, &v, &err), str_text(&err.message));
}

/* The branch has a reason, the statement behind it follows; of other dead goals nobody knows. */
static void put_reasons(struct store *db, const struct valve *v) {
    struct because_row row = {.goal = BRANCH_DEAD,
                              .class = "state",
                              .cause = "X_Timer <= 200",
                              .cause_class = "state",
                              .assumes = "In_Temp in [-80, 400]; In_Flow in [-1, 1]",
                              .text = "dead because `X_Timer` never exceeds 200"};
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(store_because(db, &row, &err), str_text(&err.message));
    if (evidence_of(v, STATEMENT_DEAD) != PROOF)
        return;
    row.goal = STATEMENT_DEAD;
    row.class = "upstream";
    row.text = "dead because `X_Timer > 200` in line 17 is never true: `X_Timer` never exceeds 200";
    TEST_ASSERT_TRUE_MESSAGE(store_because(db, &row, &err), str_text(&err.message));
}

static void put_background(struct store *db, const struct valve *v) {
    static const char *const info[][2] = {{"tool_version", "1.2.3"},
                                          {"name", "valve"},
                                          {"asil", "D"},
                                          {"mcdc", "masking"},
                                          {"step", "valve"},
                                          {"target", "ilp32"},
                                          {"finished", "2030-05-01T10:00:04Z"}};
    struct err err = {0};
    for (size_t i = 0; i < sizeof info / sizeof *info; i++)
        TEST_ASSERT_TRUE(store_info(db, info[i][0], info[i][1], &err));
    if (v->mcdc)
        TEST_ASSERT_TRUE(store_info(db, "mcdc", v->mcdc, &err));
    if (v->criteria)
        TEST_ASSERT_TRUE(store_info(db, "criteria", v->criteria, &err));
    const char *name = v->file ? v->file : "valve.c";
    TEST_ASSERT_TRUE(store_artifact(db, arena_printf(&names, "source:%s", name), source,
                                    sizeof source - 1, &err));
    static const char stats[] =
        "{\"own_ticks\":9,\"frames\":3,\"bounds_before\":19,\"solver_ticks\":250000}";
    int64_t effort = 0;
    TEST_ASSERT_TRUE(store_effort(db, stats, &effort, &err));
    const struct attempt attempts[] = {
        {17, "kind", "2030-05-01T10:00:00Z", 1000000, 1.25, 40, "budget", "k = 12"},
        {17, "ic3", "2030-05-01T10:00:02Z", 250000, 0.5, 61.5, "gave up", NULL, effort},
        {BRANCH_DEAD, "kind", "2030-05-01T10:00:03Z", 4000, 0.01, 13, "done", NULL},
    };
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
        TEST_ASSERT_TRUE(store_attempt(db, &attempts[i], &err));
}

static void put_ledger(struct store *db, const struct valve *v) {
    const char *branch = arena_printf(&names, "%016llx", (unsigned long long)key_of(17, false));
    const char *statement =
        arena_printf(&names, "%016llx", (unsigned long long)key_of(STATEMENT_DEAD, false));
    const struct justification_row ledger[] = {
        {branch, "tested", "covered by test TC-12", "A. Smith", NULL, "2029-01-31", "2030-05-31",
         NULL, NULL},
        {statement, "defensive", v->reason ? v->reason : "kept as a last line of defence",
         "A. Smith", "B. Jones", "2030-01-31", "2031-01-31", NULL,
         v->later ? "the goal is gone" : NULL},
    };
    struct err err = {0};
    TEST_ASSERT_TRUE(store_justifications(db, ledger, 2, &err));
}

void valve_make(const char *path, const struct valve *v) {
    static const struct valve plain = {0};
    struct store *db;
    struct err err = {0};
    struct goals goals = {0};
    struct module module = {0};
    v = v ? v : &plain;
    make_goals(v, &goals);
    make_module(&module);
    TEST_ASSERT_TRUE_MESSAGE(store_open(&db, path, STORE_CREATE, &err), str_text(&err.message));
    TEST_ASSERT_TRUE(store_begin(db, &err));
    TEST_ASSERT_TRUE(store_module(db, &goals, &module, &err));
    int64_t witness = put_witness(db), proof = put_proof(db);
    for (size_t i = 0; i < goals.list.len; i++)
        put_verdict(db, i, evidence_of(v, i), witness, proof);
    if (evidence_of(v, BRANCH_DEAD) == PROOF)
        put_reasons(db, v);
    put_background(db, v);
    if (!v->no_ledger)
        put_ledger(db, v);
    TEST_ASSERT_TRUE(store_commit(db, &err));
    store_close(db);
    goals_free(&goals);
    module_free(&module);
}

/* ---- reading it ---- */

static int made;

static const char *make_one(const struct valve *v) {
    const char *path = test_file(arena_printf(&names, "valve%d.db", made++));
    valve_make(path, v);
    return path;
}

void valve_open(const struct valve *v, const struct report_view *view, struct store **db,
                struct report_data *data) {
    struct err err = {0};
    const struct report_view plain = {.today = VALVE_TODAY};
    view = view ? view : &plain;
    TEST_ASSERT_TRUE(store_open(db, make_one(v), STORE_READ, &err));
    TEST_ASSERT_TRUE_MESSAGE(report_load(data, *db, view, &err), str_text(&err.message));
}

void valve_close(struct store *db, struct report_data *data) {
    report_unload(data);
    store_close(db);
}

static void write_report(const char *format, bool lcov_unreachable, const struct valve *v,
                         const char *baseline, const char *dir) {
    struct err err = {0};
    struct store *db;
    const struct report_options options = {.dir = dir,
                                           .formats = &format,
                                           .n_formats = 1,
                                           .lcov_unreachable = lcov_unreachable,
                                           .baseline = baseline,
                                           .view = {.today = VALVE_TODAY}};
    TEST_ASSERT_TRUE(store_open(&db, make_one(v), STORE_READ, &err));
    TEST_ASSERT_TRUE_MESSAGE(report_write(db, &options, &err), str_text(&err.message));
    store_close(db);
}

void valve_html(const struct valve *v, const char *baseline, const char *dir) {
    write_report("html", false, v, baseline, dir);
}

static const char *file_of(const char *format) {
    static const struct {
        const char *name, *file;
    } formats[] = {
#define FORMAT(name, file, mark, about) {#name, file},
#include "report/formats.def"
#undef FORMAT
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, format) == 0)
            return formats[i].file;
    TEST_FAIL_MESSAGE(format);
    return NULL;
}

void valve_render(const char *format, bool lcov_unreachable, const struct valve *v,
                  const char *baseline, struct str *out) {
    struct err err = {0};
    const char *dir = test_file(arena_printf(&names, "out%d", made));
    write_report(format, lcov_unreachable, v, baseline, dir);
    TEST_ASSERT_TRUE(file_read(path_join(&names, dir, file_of(format)), out, &err));
}

/* ---- programs ---- */

bool test_has_program(const char *name) {
    return tool_find(&names, "", &name, 1) != NULL;
}

void test_run(const char *const *argv) {
    struct err err = {0};
    struct child_result result;
    struct child_spec spec = {.argv = argv, .wall_seconds = 60};
    TEST_ASSERT_TRUE_MESSAGE(child_run(&spec, &result, &err), str_text(&err.message));
    if (result.end != CHILD_EXITED || result.code != 0) {
        printf("%s\n%s\n%s\n", argv[0], str_text(&result.out), str_text(&result.err));
        TEST_FAIL_MESSAGE(argv[0]);
    }
    child_result_free(&result);
}
