/* Certificates and mutants of them: a bound weakened or strengthened, a clause dropped, another
 * depth, another claim, another range of an input, another program. The programs are so small that
 * it can be counted out whether what a mutant claims is true: the check has to say exactly that,
 * by CBMC (where there is one) and by the solver. */
#include "app/audit/audit.h"
#include "app/project/read.h"
#include "base/tool.h"
#include "engines/invariant/trim.h"
#include "instrument/weave/weave.h"
#include "model/system/derive.h"
#include "model/system/machine.h"
#include "model/term/simplify.h"

#include "scratch.h"
#include "unity.h"

#include <stdio.h>
#include <string.h>

enum { INPUT_VALUES = 5 };

static struct cbmc cbmc;
static bool has_cbmc;
static struct woven woven;
static struct project project;
static struct terms terms;
static struct system sys;
static struct lowered lowered;
static unsigned n_true, n_false;

void setUp(void) {
    n_true = n_false = 0;
    scratch_open();
}
void tearDown(void) {
    scratch_close();
}

static void expect(bool ok) {
    TEST_ASSERT_TRUE_MESSAGE(ok, str_text(&err.message));
}

/* The input is `up`, with values from 0 to max. */
static void open_program(const char *c, int max) {
    put("t.c", c);
    const char *json = arena_printf(&arena,
                                    "{\"name\":\"t\",\"target\":\"ilp32\",\"sources\":[\"t.c\"],"
                                    "\"step\":\"step\",\"inputs\":[{\"name\":\"up\",\"min\":0,"
                                    "\"max\":%d}]}",
                                    max);
    woven = (struct woven){0};
    project = (struct project){0};
    expect(project_read(put("goalkeeper.json", json), &project, &err));
    expect(weave(&project, &woven, &err));
    terms_init(&terms);
    system_init(&sys, &terms);
    struct lower_options options = {.n_probes = woven.goals.n_probes};
    expect(lower(str_text(&woven.text), &woven.module, &options, &sys, &lowered, &err));
}

static void close_program(void) {
    lowered_free(&lowered);
    system_free(&sys);
    terms_free(&terms);
    woven_free(&woven);
    project_free(&project);
}

/* ---- what is true, counted out ---- */

static uint32_t pair[2]; /* the cells of a derived one */

static bool clauses_hold(const struct invariant *inv, const uint64_t *cells) {
    for (size_t i = 0; i < inv->clauses.len; i++)
        if (!clause_holds(&inv->clauses.data[i], &sys, cells))
            return false;
    return true;
}

static bool hits(const struct machine *m, const struct invariant *inv) {
    for (size_t i = 0; i < inv->targets.len; i++)
        if (machine_hit(m, inv->targets.data[i]))
            return true;
    return false;
}

static bool take_step(struct machine *m, const uint64_t *cells, uint64_t input) {
    uint64_t inputs[8];
    TEST_ASSERT_LESS_OR_EQUAL_size_t(8, sys.inputs.len);
    for (size_t i = 0; i < sys.inputs.len; i++)
        inputs[i] = input;
    for (size_t i = 0; i < sys.cells.len; i++) {
        m->cells.data[i] = cells[i];
        m->var_values.data[term_bits(&terms, sys.cells.data[i].var)] = cells[i];
    }
    m->ended = false;
    machine_step(m, inputs);
    return !m->ended;
}

/* Can a target be hit in one of the next `steps` steps? With `last` only in the last of them, after
 * steps without. */
static bool can_hit(struct machine *m, const struct invariant *inv, const uint64_t *cells,
                    uint32_t steps, bool last) {
    uint64_t after[8];
    for (uint64_t input = 0; steps > 0 && input < INPUT_VALUES; input++) {
        bool more = take_step(m, cells, input), hit = hits(m, inv);
        memcpy(after, m->cells.data, sys.cells.len * sizeof *after);
        if (hit && (!last || steps == 1))
            return true;
        if (more && !hit && can_hit(m, inv, after, steps - 1, last))
            return true;
    }
    return false;
}

static bool keeps_clauses(struct machine *m, const struct invariant *inv, const uint64_t *cells) {
    for (uint64_t input = 0; input < INPUT_VALUES; input++)
        if (take_step(m, cells, input) && !clauses_hold(inv, m->cells.data))
            return false;
    return true;
}

static uint64_t values_of(size_t cell) {
    sort_t sort = term_get(&terms, sys.cells.data[cell].var)->sort;
    return sort == SORT_BOOL ? 2 : UINT64_C(1) << sort;
}

/* A derived cell of these tests is `x < y`, or x - y modulo 8. */
static void set_derived(uint64_t *cells) {
    for (size_t i = 0; i < sys.cells.len; i++)
        if (sys.cells.data[i].is)
            cells[i] = term_sort(&terms, sys.cells.data[i].var) == SORT_BOOL
                           ? cells[pair[0]] < cells[pair[1]]
                           : (cells[pair[0]] - cells[pair[1]]) & 7;
}

static bool next_state(uint64_t *cells) {
    for (size_t i = 0; i < sys.cells.len && !sys.cells.data[i].is; i++) {
        if (++cells[i] < values_of(i)) {
            set_derived(cells);
            return true;
        }
        cells[i] = 0;
    }
    return false;
}

static bool is_proof(const struct invariant *inv) {
    struct machine m;
    uint64_t inputs[8] = {0}, cells[8] = {0};
    machine_init(&m, &sys);
    machine_reset(&m, inputs);
    bool good = !hits(&m, inv) && clauses_hold(inv, m.cells.data);
    memcpy(cells, m.cells.data, sys.cells.len * sizeof *cells);
    good = good && !can_hit(&m, inv, cells, inv->k - 1, false);
    memset(cells, 0, sizeof cells);
    do
        good = good && (!clauses_hold(inv, cells) ||
                        (keeps_clauses(&m, inv, cells) && !can_hit(&m, inv, cells, inv->k, true)));
    while (good && next_state(cells));
    machine_free(&m);
    return good;
}

/* ---- what the check says ---- */

static enum audit_answer ask(const struct invariant *inv, const struct cbmc *by) {
    uint32_t probes[8];
    for (size_t i = 0; i < inv->targets.len; i++)
        probes[i] = sys.targets.data[inv->targets.data[i]].id;
    struct audit_proof proof = {.woven = str_text(&woven.text),
                                .module = &woven.module,
                                .lowered = &lowered,
                                .sys = &sys,
                                .invariant = inv,
                                .probes = probes,
                                .n_probes = inv->targets.len,
                                .cbmc = by,
                                .cbmc_seconds = 60,
                                .memory_mb = 2000};
    struct audit_result result = {.answer = AUDIT_UNDECIDED};
    struct str text = {0};
    audit_check_proof(&proof, &text, &result);
    TEST_ASSERT_GREATER_THAN_size_t(0, text.len);
    enum audit_answer answer = result.answer;
    if (by)
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&result.detail), "VERIFICATION"),
                                     str_text(&result.detail));
    audit_result_free(&result);
    str_free(&text);
    return answer;
}

static void judge(const struct invariant *inv) {
    bool truth = is_proof(inv);
    struct str text = {0};
    invariant_write(inv, &sys, &text);
    enum audit_answer right = truth ? AUDIT_CONFIRMED : AUDIT_REFUTED;
    n_true += truth;
    n_false += !truth;
    enum solver_result said = invariant_check(&sys, inv, 0, NULL);
    TEST_ASSERT_EQUAL_INT_MESSAGE(truth ? SOLVER_UNSAT : SOLVER_SAT, said, str_text(&text));
    if (has_cbmc)
        TEST_ASSERT_EQUAL_INT_MESSAGE(right, ask(inv, &cbmc), str_text(&text));
    else
        TEST_ASSERT_EQUAL_INT_MESSAGE(right, ask(inv, NULL), str_text(&text));
    str_free(&text);
}

/* ---- mutants ---- */

static uint32_t target_of(const char *text, int value) {
    for (size_t i = 0; i < woven.goals.list.len; i++) {
        const struct goal *g = &woven.goals.list.data[i];
        for (uint32_t t = 0; t < sys.targets.len; t++)
            if (strcmp(g->text, text) == 0 && g->value == value &&
                sys.targets.data[t].kind == TARGET_GOAL && sys.targets.data[t].id == g->probe)
                return t;
    }
    TEST_FAIL_MESSAGE(text);
    return NONE;
}

static uint32_t cell_of(const char *name) {
    for (uint32_t i = 0; i < sys.cells.len; i++)
        if (strcmp(sys.cells.data[i].name, name) == 0)
            return i;
    TEST_FAIL_MESSAGE(name);
    return NONE;
}

static uint32_t derived_pair(const char *first, const char *second, enum op op) {
    pair[0] = cell_of(first);
    pair[1] = cell_of(second);
    term_t x = sys.cells.data[pair[0]].var, y = sys.cells.data[pair[1]].var;
    if (op == OP_SUB) {
        x = term_cast(&terms, OP_TRUNC, 3, x);
        y = term_cast(&terms, OP_TRUNC, 3, y);
    }
    return system_derive(&sys, term_op2(&terms, op, x, y), false);
}

/* "n", "2*n-1*m" for a sum, "n<m", "n-m" modulo 8 for a derived cell. */
static struct bound read_side(const char *text) {
    struct bound b = {0};
    char first[8], second[8];
    int factor, other;
    if (sscanf(text, "%7[a-z]<%7[a-z]", first, second) == 2) {
        b.cell = derived_pair(first, second, OP_ULT);
    } else if (sscanf(text, "%7[a-z]-%7[a-z]", first, second) == 2) {
        b.cell = derived_pair(first, second, OP_SUB);
    } else if (sscanf(text, "%d*%7[a-z]%d*%7[a-z]", &factor, first, &other, second) == 4) {
        b.cell = cell_of(first);
        b.other = cell_of(second);
        b.factor = (int16_t)factor;
        b.other_factor = (int16_t)other;
    } else {
        b.cell = cell_of(text);
    }
    return b;
}

/* "mode >= 1 | n <= 0" a clause, with ";" behind each. */
static void read_clauses(struct invariant *inv, const char *clauses, uint32_t k) {
    struct clause clause = {0};
    char name[32], op[3], mark[2];
    int value, used;
    invariant_init(inv);
    inv->k = k;
    while (sscanf(clauses, " %31s %2s %d %1[;|]%n", name, op, &value, mark, &used) == 4) {
        struct bound b = read_side(name);
        b.kind = op[0] == '<' ? BOUND_LE : BOUND_GE;
        b.ordinal = value;
        vec_push(&clause, b);
        if (mark[0] == ';') {
            invariant_add(inv, clause.data, clause.len);
            vec_clear(&clause);
        }
        clauses += used;
    }
    TEST_ASSERT_EQUAL_STRING("", clauses);
    vec_free(&clause);
}

static void judge_changed_bounds(const struct invariant *inv) {
    static const int by[] = {-2, -1, 1, 2};
    for (size_t c = 0; c < inv->clauses.len; c++)
        for (size_t b = 0; b < inv->clauses.data[c].len; b++)
            for (size_t d = 0; d < sizeof by / sizeof *by; d++) {
                struct invariant mutant;
                invariant_init(&mutant);
                invariant_copy(&mutant, inv);
                struct bound *bound = &mutant.clauses.data[c].data[b];
                bound->ordinal += by[d];
                if (bound_is_sum(*bound) ||
                    (bound->ordinal >= 0 && bound->ordinal < (int64_t)values_of(bound->cell)))
                    judge(&mutant);
                invariant_free(&mutant);
            }
}

static void judge_dropped_clauses(const struct invariant *inv) {
    for (size_t drop = 0; drop < inv->clauses.len; drop++) {
        struct invariant mutant;
        invariant_init(&mutant);
        mutant.k = inv->k;
        vec_append(&mutant.targets, inv->targets.data, inv->targets.len);
        for (size_t c = 0; c < inv->clauses.len; c++)
            if (c != drop)
                invariant_add(&mutant, inv->clauses.data[c].data, inv->clauses.data[c].len);
        judge(&mutant);
        invariant_free(&mutant);
    }
}

static void judge_depths(const struct invariant *inv) {
    struct invariant mutant;
    invariant_init(&mutant);
    invariant_copy(&mutant, inv);
    for (mutant.k = 1; mutant.k <= 4; mutant.k++)
        judge(&mutant);
    invariant_free(&mutant);
}

/* A program, its proof, and the changes to both that are tried one by one. */
struct example {
    const char *c; /* one %s: where the constant stands that is changed */
    const char *constant, *constants[4];
    const char *clauses;
    uint32_t k;
    const char *dead, *reachable; /* statements */
};

static void read_example(const struct example *e, const char *constant, int max,
                         struct invariant *inv) {
    open_program(arena_printf(&arena, e->c, constant), max);
    read_clauses(inv, e->clauses, e->k);
    vec_push(&inv->targets, target_of(e->dead, -1));
}

static void judge_other_claim(const struct example *e, const struct invariant *inv) {
    struct invariant mutant;
    invariant_init(&mutant);
    invariant_copy(&mutant, inv);
    vec_push(&mutant.targets, target_of(e->reachable, -1));
    judge(&mutant);
    mutant.targets.data[0] = mutant.targets.data[1];
    mutant.targets.len = 1;
    judge(&mutant);
    invariant_free(&mutant);
}

static void judge_example(const struct example *e) {
    struct invariant inv;
    read_example(e, e->constant, 2, &inv);
    TEST_ASSERT_TRUE(is_proof(&inv));
    judge(&inv);
    judge_changed_bounds(&inv);
    judge_dropped_clauses(&inv);
    judge_depths(&inv);
    judge_other_claim(e, &inv);
    invariant_free(&inv);
    close_program();
    for (int max = 0; max < INPUT_VALUES; max++) {
        read_example(e, e->constant, max, &inv);
        judge(&inv);
        invariant_free(&inv);
        close_program();
    }
    for (size_t i = 0; i < 4 && e->constants[i]; i++) {
        read_example(e, e->constants[i], 2, &inv);
        judge(&inv);
        invariant_free(&inv);
        close_program();
    }
    TEST_ASSERT_GREATER_THAN_UINT(4, n_true);
    TEST_ASSERT_GREATER_THAN_UINT(4, n_false);
}

static void test_bound(void) {
    judge_example(
        &(struct example){.c = "static unsigned char n;\nunsigned char up;\n_Bool out;\n"
                               "void step(void)\n{\n"
                               "    if ((up == 1) && (n < 6)) {\n        n = n + %s;\n    }\n"
                               "    if (up == 2) {\n        n = 0;\n    }\n"
                               "    if (up == 3) {\n        n = 9;\n    }\n"
                               "    if (n > 7) {\n        out = 1;\n    }\n}\n",
                          .constant = "2",
                          .constants = {"1", "3", "7", "255"},
                          .clauses = "n <= 7;",
                          .k = 1,
                          .dead = "out = 1;",
                          .reachable = "n = 0;"});
}

static void test_relation(void) {
    judge_example(&(struct example){
        .c = "static unsigned char mode;\nstatic unsigned char n;\nunsigned char up;\n_Bool out;\n"
             "void step(void)\n{\n"
             "    if (mode == 0) {\n        n = 0;\n        if (up == 1) {\n            mode = 1;\n"
             "        }\n    } else if (n < %s) {\n        n = n + 1;\n    } else {\n"
             "        mode = 0;\n        n = 0;\n    }\n"
             "    if (up == 4) {\n        mode = 2;\n    }\n"
             "    if ((mode == 0) && (n > 0)) {\n        out = 1;\n    }\n"
             "    if (n > 4) {\n        out = 0;\n    }\n}\n",
        .constant = "4",
        .constants = {"3", "5", "0", "200"},
        .clauses = "mode <= 1; n <= 4; mode >= 1 | n <= 0;",
        .k = 1,
        .dead = "out = 0;",
        .reachable = "mode = 1;"});
}

/* No bounds of one counter each would do. */
static void test_sum(void) {
    judge_example(&(struct example){
        .c =
            "static unsigned char good;\nstatic unsigned char bad;\nunsigned char up;\n_Bool out;\n"
            "void step(void)\n{\n"
            "    if (up == 1) {\n        good = 0;\n        if (bad < 6) {\n"
            "            bad = bad + %s;\n        }\n    } else {\n"
            "        if (good < 9) {\n            good = good + 1;\n        }\n"
            "        if (bad > 0) {\n            bad = bad - 1;\n        }\n    }\n"
            "    if ((good >= 5) && (bad >= 5)) {\n        out = 1;\n    }\n}\n",
        .constant = "2",
        .constants = {"1", "3", "4", "200"},
        .clauses = "bad <= 7; 1*good+1*bad <= 9;",
        .k = 1,
        .dead = "out = 1;",
        .reachable = "good = 0;"});
}

/* No bounds at all would do. */
static void test_derived(void) {
    judge_example(&(struct example){
        .c = "static unsigned char lo;\nstatic unsigned char hi;\nunsigned char up;\n_Bool out;\n"
             "void step(void)\n{\n"
             "    if (hi < lo) {\n        out = 1;\n    }\n"
             "    if (up == 1) {\n        if (hi < 250) {\n            hi = hi + %s;\n        }\n"
             "    } else if (lo < hi) {\n        lo = lo + 1;\n    }\n"
             "    if (lo == 3) {\n        out = 0;\n    }\n}\n",
        .constant = "1",
        .constants = {"2", "255", "0", "200"},
        .clauses = "hi<lo <= 0;",
        .k = 1,
        .dead = "out = 1;",
        .reachable = "out = 0;"});
}

/* Modulo 8 one and nine are the same. */
static void test_equation(void) {
    judge_example(&(struct example){
        .c = "static unsigned char head;\nstatic unsigned char tail;\nunsigned char up;\n"
             "_Bool out;\nvoid step(void)\n{\n"
             "    if (((head - tail) & 7) == 2) {\n        out = 1;\n    }\n"
             "    if (up == 1) {\n        head = head + %s;\n        tail = tail + 1;\n    }\n"
             "    if (tail == 3) {\n        out = 0;\n    }\n}\n",
        .constant = "1",
        .constants = {"9", "2", "255", "33"},
        .clauses = "head-tail <= 0;",
        .k = 1,
        .dead = "out = 1;",
        .reachable = "out = 0;"});
}

/* Three steps are needed to see that the value cannot come from anywhere. */
static void test_depth(void) {
    judge_example(&(struct example){
        .c = "static unsigned char a;\nstatic unsigned char b;\nunsigned char up;\n_Bool out;\n"
             "void step(void)\n{\n"
             "    if (a == %s) {\n        out = 1;\n    }\n"
             "    a = b;\n    b = up;\n"
             "    if (up == 1) {\n        out = 0;\n    }\n}\n",
        .constant = "3",
        .constants = {"4", "2", "1", "200"},
        .clauses = "",
        .k = 3,
        .dead = "out = 1;",
        .reachable = "out = 0;"});
}

int main(void) {
    struct arena all = {0}; /* longer than one test */
    struct str why = {0};
    has_cbmc = cbmc_open(&cbmc, tool_cbmc(&all), &why);
    printf("%s\n", has_cbmc ? "with CBMC" : str_text(&why));
    str_free(&why);
    UNITY_BEGIN();
    RUN_TEST(test_bound);
    RUN_TEST(test_relation);
    RUN_TEST(test_sum);
    RUN_TEST(test_derived);
    RUN_TEST(test_equation);
    RUN_TEST(test_depth);
    arena_free(&all);
    return UNITY_END();
}
