/* How long reports take: a database of many goals is made up, then rendered in every format.
 *   report [GOALS] [DIR]      20000 goals; DIR keeps database and reports */
#include "base/file.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PER_LINE = 4, PER_FUNCTION = 64, PER_FILE = 2000, INPUTS = 16, CELLS = 24, STEPS = 80 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(bool ok, struct err *err) {
    if (ok)
        return;
    err_print(err);
    exit(2);
}

static enum goal_kind kind_of(size_t i) {
    static const enum goal_kind kinds[] = {GOAL_statement, GOAL_branch, GOAL_branch, GOAL_condition,
                                           GOAL_condition, GOAL_mcdc,   GOAL_mcdc,   GOAL_overflow};
    return i % PER_FUNCTION == 0 ? GOAL_function : kinds[i % 8];
}

static void make_goals(struct goals *goals, size_t n) {
    for (size_t i = 0; i < n; i++) {
        enum goal_kind kind = kind_of(i);
        int line = (int)(i % PER_FILE) / PER_LINE + 1;
        bool in_decision = kind == GOAL_condition || kind == GOAL_mcdc;
        vec_push(&goals->list,
                 (struct goal){
                     .key = i * 0x9e3779b97f4a7c15u,
                     .kind = kind,
                     .value = (int8_t)(criteria[kind].has_value ? (int)(i & 1) : -1),
                     .probe = (uint32_t)i,
                     .file = arena_printf(&goals->arena, "src/unit%zu.c", i / PER_FILE),
                     .line = line,
                     .col = 5,
                     .end_line = line,
                     .end_col = 40,
                     .function = arena_printf(&goals->arena, "Sa%zu_Function", i / PER_FUNCTION),
                     .text = arena_printf(&goals->arena, "X_Sa%zu_Value > %zu", i / 16, i),
                     .decision = in_decision ? (int32_t)(i / 8) : -1,
                     .condition = in_decision ? (int32_t)(i / 2 % 2) : -1});
    }
    static const char *const conditions[] = {"X_First > 3", "X_Second < 4"};
    for (size_t i = 0; i <= n / 8; i++)
        vec_push(&goals->decisions, (struct decision){.file = "src/unit0.c",
                                                      .function = "f",
                                                      .line = 1,
                                                      .col = 1,
                                                      .text = "X_First > 3 && X_Second < 4",
                                                      .n_conditions = 2,
                                                      .condition_text = conditions,
                                                      .structure = "0&&1"});
    goals->n_probes = (uint32_t)n;
}

static void make_module(struct module *m) {
    for (int i = 0; i < INPUTS; i++)
        vec_push(&m->inputs, (struct module_var){.path = arena_printf(&m->arena, "Sa1_In[%d]", i),
                                                 .c_expr = "x",
                                                 .role = VAR_INPUT,
                                                 .type = TYPE_SIGNED,
                                                 .bits = 16,
                                                 .max = 0x7fff,
                                                 .lsb = 1});
    for (int i = 0; i < CELLS; i++)
        vec_push(&m->state, (struct module_var){.path = arena_printf(&m->arena, "X_State[%d]", i),
                                                .c_expr = "x",
                                                .role = VAR_STATE,
                                                .type = TYPE_UNSIGNED,
                                                .bits = 16,
                                                .max = 0xffff,
                                                .lsb = 1});
}

static int64_t put_witness(struct store *db, struct err *err) {
    struct witness w = {.steps = STEPS, .engine = "simulate"};
    for (uint32_t s = 0; s < STEPS; s++) {
        for (uint32_t i = 0; i < INPUTS; i++)
            if (s == 0 || (s + i) % 9 == 0)
                vec_push(&w.events, (struct input_event){s, i, (s * 37 + i * 11) & 0x7fff});
        for (uint32_t c = 0; c < CELLS; c++)
            if ((s + c) % 3 == 0)
                vec_push(&w.cells, (struct witness_cell){s, c, (s * (c + 1)) & 0xffff});
    }
    int64_t id = store_witness(db, &w, err);
    must(id > 0, err);
    witness_free(&w);
    return id;
}

static int64_t put_proof(struct store *db, struct err *err) {
    struct proof p = {.engine = "ic3", .k = 1, .invariant = "inv"};
    for (int i = 0; i < 6; i++)
        vec_push(&p.clauses, "X_State[3] <= 200 || X_State[4] == 0");
    int64_t id = store_proof(db, &p, err);
    must(id > 0, err);
    proof_free(&p);
    return id;
}

/* Three quarters reachable, the rest dead or open; sixteen goals share a piece of evidence. */
static void put_verdicts(struct store *db, size_t n, struct err *err) {
    int64_t witness = 0, proof = 0;
    for (size_t i = 0; i < n; i++) {
        struct verdict v = VERDICT_INIT;
        if (i % 16 == 0) {
            witness = put_witness(db, err);
            proof = put_proof(db, err);
        }
        v.goal = (uint32_t)i;
        v.status = i % 4 ? STATUS_REACHABLE : i % 8 ? STATUS_DEAD : STATUS_OPEN;
        v.engine = "simulate";
        v.depth = v.status == STATUS_REACHABLE ? STEPS : 1;
        v.witness = v.status == STATUS_REACHABLE ? witness : 0;
        v.proof = v.status == STATUS_DEAD ? proof : 0;
        v.checked_by = v.status == STATUS_REACHABLE ? "replay" : "cbmc";
        v.reason = v.status == STATUS_OPEN ? "tried kind: budget; ic3: budget" : NULL;
        must(store_verdict(db, &v, err), err);
    }
}

static void put_sources(struct store *db, size_t n, struct err *err) {
    struct str text = {0};
    for (int line = 0; line < PER_FILE / PER_LINE; line++)
        str_addf(&text, "    if (X_First > %d && X_Second < 4) { X_State[3] = 5; /* %d */ }\n",
                 line, line);
    for (size_t f = 0; f <= n / PER_FILE; f++) {
        char name[40];
        snprintf(name, sizeof name, "source:src/unit%zu.c", f);
        must(store_artifact(db, name, text.data, text.len, err), err);
    }
    str_free(&text);
}

static void make_database(const char *path, size_t n) {
    struct err err = {0};
    struct store *db;
    struct goals goals = {0};
    struct module module = {0};
    make_goals(&goals, n);
    make_module(&module);
    must(store_open(&db, path, STORE_CREATE, &err) && store_begin(db, &err) &&
             store_info(db, "name", "made up", &err) && store_info(db, "asil", "D", &err) &&
             store_module(db, &goals, &module, &err),
         &err);
    put_verdicts(db, n, &err);
    put_sources(db, n, &err);
    must(store_commit(db, &err), &err);
    store_close(db);
    goals_free(&goals);
    module_free(&module);
}

static void render(const char *path, const char *dir, const char *format) {
    struct err err = {0};
    struct store *db;
    const struct report_options options = {.dir = dir, .formats = &format, .n_formats = 1};
    must(store_open(&db, path, STORE_READ, &err), &err);
    double start = now();
    must(report_write(db, &options, &err), &err);
    printf("%-10s %7.2f s\n", format, now() - start);
    store_close(db);
}

int main(int argc, char **argv) {
    static const char *const formats[] = {
#define FORMAT(name, file, mark, about) #name,
#include "report/formats.def"
#undef FORMAT
        "html"};
    size_t n = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 20000;
    struct str dir = {0};
    struct arena arena = {0};
    struct err err = {0};
    if (argc > 2)
        str_add(&dir, argv[2]);
    must(argc > 2 ? file_make_dirs(str_text(&dir), &err) : file_temp_dir(&dir, &err), &err);
    const char *path = path_join(&arena, str_text(&dir), "goalkeeper.db");
    double start = now();
    make_database(path, n);
    printf("%zu goals, made in %.2f s\n", n, now() - start);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        render(path, path_join(&arena, str_text(&dir), "out"), formats[i]);
    if (argc <= 2)
        file_remove_tree(str_text(&dir));
    arena_free(&arena);
    str_free(&dir);
    return 0;
}
