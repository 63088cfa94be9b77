/* Random programs: the woven program behaves as the original, and what it hits is what clang's own
 * coverage reports for the same run. */
#include "base/child.h"
#include "base/tool.h"
#include "instrument/weave/weave.h"
#include "listed.h"
#include "random_c.h"

#include <stdio.h>
#include <string.h>

static struct str dir;
static struct arena arena;
static bool show_progress;

void setUp(void) {
    struct err err = {0};
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
}

void tearDown(void) {
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    arena_free(&arena);
}

static const char *in_dir(const char *name) {
    return arena_printf(&arena, "%s/%s", str_text(&dir), name);
}

static void write_file(const char *name, const char *text, size_t len) {
    struct err err = {0};
    TEST_ASSERT_TRUE(file_write(in_dir(name), text, len, &err));
}

static void read_text(const char *name, struct str *text) {
    struct err err = {0};
    TEST_ASSERT_TRUE(file_read(in_dir(name), text, &err));
}

/* Runs a program in the directory; its output is appended to `out`. */
static void run(const char *const *argv, struct str *out) {
    static const char *const environment[] = {"LLVM_PROFILE_FILE=r.profraw", NULL};
    struct child_spec spec = {
        .argv = argv, .dir = str_text(&dir), .environment = environment, .wall_seconds = 120};
    struct child_result result = {0};
    struct err err = {0};
    TEST_ASSERT_TRUE(child_run(&spec, &result, &err));
    bool good = result.end == CHILD_EXITED && result.code == 0;
    if (!good)
        fprintf(stderr, "%s %s:\n%.3000s\n", argv[0], argv[1] ? argv[1] : "",
                str_text(&result.err));
    TEST_ASSERT_TRUE_MESSAGE(good, argv[0]);
    if (out)
        str_addn(out, str_text(&result.out), result.out.len);
    child_result_free(&result);
}

#define RUN(out, ...) run((const char *const[]){__VA_ARGS__, NULL}, out)

static const char runtime[] = "#include <stdio.h>\n#include <stdlib.h>\n"
                              "static unsigned char hit[1 << 20];\n"
                              "static void save(void) {\n"
                              "FILE *f = fopen(\"hits\", \"wb\");\n"
                              "if (!f || fwrite(hit, 1, sizeof hit, f) != sizeof hit) abort();\n"
                              "fclose(f); }\n"
                              "void gk_hit(unsigned n) {\n"
                              "static int ready; if (!ready) { ready = 1; atexit(save); }\n"
                              "if (n >= sizeof hit) abort();\n"
                              "hit[n] = 1; }\n";

/* Lists the program r.c of the directory with all criteria that change nothing but probes. */
static void list_program(struct listed *listed) {
    struct project project;
    project_defaults(&project);
    project.dir = str_text(&dir);
    project.ilp32 = false;
    project.step = "step";
    for (int kind = 0; kind < GOAL_KINDS; kind++)
        project.criteria[kind] = true;
    vec_push(&project.sources, "r.c");
    listed_open(listed, &project);
    project_free(&project);
}

static void write_woven(const struct listed *listed) {
    struct str woven = {0};
    str_add(&woven, "extern void gk_hit(unsigned);\n");
    str_addn(&woven, str_text(&listed->text[0]), listed->text[0].len);
    write_file("w.c", str_text(&woven), woven.len);
    write_file("rt.c", runtime, sizeof runtime - 1);
    str_free(&woven);
}

static void compare_behaviour(void) {
    struct str original = {0}, woven = {0};
    RUN(&original, "./original");
    RUN(&woven, "./woven");
    TEST_ASSERT_EQUAL_STRING(str_text(&original), str_text(&woven));
    TEST_ASSERT_GREATER_THAN(300, original.len);
    str_free(&original);
    str_free(&woven);
}

static bool was_hit(const struct str *hits, const struct goal *goal) {
    TEST_ASSERT_LESS_THAN(hits->len, goal->probe);
    return hits->data[goal->probe];
}

/* Comparison with clang. */

struct region {
    long line, col, end_line, end_col, when_true, when_false;
};

/* Goals are in the order of functions, so those of a line are near each other. */
static size_t first_of_line[1 << 20];

static void index_lines(const struct goals *goals) {
    memset(first_of_line, 0xff, sizeof first_of_line);
    for (size_t i = goals->list.len; i-- > 0;) {
        TEST_ASSERT_LESS_THAN(1 << 20, goals->list.data[i].line);
        first_of_line[goals->list.data[i].line] = i;
    }
}

static const struct goal *goal_at(const struct goals *goals, const struct region *r,
                                  enum goal_kind kind, int value) {
    for (size_t i = first_of_line[r->line]; i < goals->list.len; i++) {
        const struct goal *g = &goals->list.data[i];
        if (g->kind == kind && g->value == value && g->line == r->line && g->col == r->col &&
            g->end_line == r->end_line && g->end_col == r->end_col)
            return g;
        if (g->line > r->line + 200)
            break;
    }
    return NULL;
}

/* clang folds what needs no variable, and does not count it. */
static bool is_folded(const char *text) {
    return strpbrk(text, "abcdefghijklmnopqrstuvwxyz") == NULL;
}

static int compare_outcome(const struct goals *goals, const struct str *hits,
                           const struct region *r, enum goal_kind kind, int value, long count) {
    const struct goal *g = goal_at(goals, r, kind, value);
    if (!g || (kind != GOAL_case && is_folded(g->text)))
        return 0;
    if (was_hit(hits, g) != (count > 0))
        fprintf(stderr, "%ld:%ld %s %d {%s}: clang counts %ld\n", r->line, r->col,
                criteria[kind].name, value, g->text, count);
    TEST_ASSERT_EQUAL_INT(count > 0, was_hit(hits, g));
    return 1;
}

/* "[1,2,3": returns what follows. Not by sscanf: that measures the whole text each time. */
static const char *read_numbers(const char *at, long *numbers, int n) {
    for (int i = 0; i < n; i++) {
        char *end;
        TEST_ASSERT_TRUE(*at == (i ? ',' : '['));
        numbers[i] = strtol(at + 1, &end, 10);
        TEST_ASSERT_TRUE(end > at + 1);
        at = end;
    }
    return at;
}

/* "segments":[[line,col,count,true,…],…] are in order, each holds up to the next. */
struct segment {
    long line, col, count; /* -1: not counted */
};
VEC_STRUCT(segments, struct segment);

static void read_segments(const char *json, struct segments *segments) {
    const char *at = strstr(json, "\"segments\":[");
    TEST_ASSERT_NOT_NULL(at);
    for (at += strlen("\"segments\":["); *at == '[' || *at == ',';) {
        long n[3];
        at = read_numbers(at + (*at == ','), n, 3);
        TEST_ASSERT_EQUAL_INT(',', *at);
        struct segment segment = {n[0], n[1], at[1] == 't' ? n[2] : -1};
        vec_push(segments, segment);
        at = strchr(at, ']') + 1;
    }
}

/* How often clang counts the code at a place. */
static long count_at(const struct segments *segments, int line, int col) {
    size_t low = 0, high = segments->len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct segment *s = &segments->data[middle];
        if (s->line > line || (s->line == line && s->col > col))
            high = middle;
        else
            low = middle + 1;
    }
    return low ? segments->data[low - 1].count : -1;
}

/* Nor does it count what is constant all the same, as "0 && x": executed without an outcome. */
static bool has_no_outcome(const struct segments *segments, const struct region *r) {
    return r->when_true == 0 && r->when_false == 0 &&
           count_at(segments, (int)r->line, (int)r->col) > 0;
}

static int compare_region(const struct goals *goals, const struct str *hits,
                          const struct segments *segments, const struct region *r) {
    if (has_no_outcome(segments, r) && !goal_at(goals, r, GOAL_case, -1))
        return 0;
    return compare_outcome(goals, hits, r, GOAL_branch, 1, r->when_true) +
           compare_outcome(goals, hits, r, GOAL_branch, 0, r->when_false) +
           compare_outcome(goals, hits, r, GOAL_condition, 1, r->when_true) +
           compare_outcome(goals, hits, r, GOAL_condition, 0, r->when_false) +
           compare_outcome(goals, hits, r, GOAL_case, -1, r->when_true);
}

/* "branches":[[1,2,3,4,true,false,…],…] of the first file */
static int compare_branches(const struct goals *goals, const struct str *hits, const char *json) {
    const char *at = strstr(json, "\"branches\":[");
    TEST_ASSERT_NOT_NULL(at);
    int compared = 0;
    struct segments segments = {0};
    read_segments(json, &segments);
    for (at += strlen("\"branches\":["); *at == '[' || *at == ',';) {
        long n[6];
        at = read_numbers(at + (*at == ','), n, 6);
        struct region r = {n[0], n[1], n[2], n[3], n[4], n[5]};
        compared += compare_region(goals, hits, &segments, &r);
        at = strchr(at, ']') + 1;
    }
    vec_free(&segments);
    return compared;
}

static int compare_statements(const struct goals *goals, const struct str *hits, const char *json) {
    int compared = 0;
    struct segments segments = {0};
    read_segments(json, &segments);
    for (size_t i = 0; i < goals->list.len; i++) {
        const struct goal *g = &goals->list.data[i];
        if (g->kind != GOAL_statement && g->kind != GOAL_call && g->kind != GOAL_function)
            continue;
        long count = count_at(&segments, g->line, g->col);
        if (count < 0)
            continue;
        compared++;
        if (was_hit(hits, g) != (count > 0))
            fprintf(stderr, "%d:%d %s {%s}: clang counts %ld\n", g->line, g->col,
                    criteria[g->kind].name, g->text, count);
        TEST_ASSERT_EQUAL_INT(count > 0, was_hit(hits, g));
    }
    vec_free(&segments);
    return compared;
}

/* A row as clang prints it, "{ F,  T,  - = T }", as our text "F T -". */
static bool read_row(const char *line, char *row, size_t size, bool *outcome) {
    const char *open = strchr(line, '{'), *equals = open ? strchr(open, '=') : NULL;
    if (!equals)
        return false;
    size_t n = 0;
    for (const char *at = open; at < equals; at++)
        if (strchr("TF-", *at) && n + 2 < size) {
            row[n] = *at;
            row[n + 1] = ' ';
            n += 2;
        }
    row[n - 1] = '\0';
    *outcome = equals[2] == 'T';
    return true;
}

/* clang takes "!x" as the condition where we take x: flips those of a row. */
static void strip_nots(const char *structure, char *row) {
    size_t c = 0;
    bool negated = false;
    for (const char *at = structure; *at; at++) {
        if (*at == '!')
            negated = !negated;
        if (*at >= '0' && *at <= '9' && (at == structure || at[-1] < '0' || at[-1] > '9')) {
            if (negated && row[2 * c] != '-')
                row[2 * c] = row[2 * c] == 'T' ? 'F' : 'T';
            negated = false;
            c++;
        }
    }
}

static const struct goal *row_goal(const struct goals *goals, int32_t decision, const char *row) {
    for (size_t i = 0; i < goals->list.len; i++)
        if (goals->list.data[i].kind == GOAL_vector && goals->list.data[i].decision == decision &&
            strcmp(goals->list.data[i].text, row) == 0)
            return &goals->list.data[i];
    return NULL;
}

static int count_rows_hit(const struct goals *goals, const struct str *hits, int32_t decision) {
    int n = 0;
    for (size_t i = 0; i < goals->list.len; i++)
        n += goals->list.data[i].kind == GOAL_vector && goals->list.data[i].decision == decision &&
             was_hit(hits, &goals->list.data[i]);
    return n;
}

/* Reads the rows of one decision region; `at` stands behind its head. */
static int compare_decision(const struct goals *goals, const struct str *hits, int32_t decision,
                            const char *at) {
    const struct decision *d = &goals->decisions.data[decision];
    const char *end = strstr(at, "MC/DC Coverage for Decision");
    for (int c = 0; c < d->n_conditions; c++)
        if (is_folded(d->condition_text[c]))
            return 0;
    int rows = 0;
    for (const char *line = strchr(at, '\n'); line && line < end; line = strchr(line + 1, '\n')) {
        char row[256], copy[512];
        bool outcome;
        snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line + 1, "\n"), line + 1);
        if (!strstr(copy, "  | ") || !read_row(copy, row, sizeof row, &outcome))
            continue;
        strip_nots(d->structure, row);
        const struct goal *g = row_goal(goals, decision, row);
        TEST_ASSERT_NOT_NULL_MESSAGE(g, copy);
        TEST_ASSERT_TRUE_MESSAGE(was_hit(hits, g), copy);
        TEST_ASSERT_EQUAL_INT_MESSAGE(outcome, g->value, copy);
        rows++;
    }
    TEST_ASSERT_EQUAL_INT(rows, count_rows_hit(goals, hits, decision));
    return rows;
}

static int compare_vectors(const struct goals *goals, const struct str *hits) {
    struct str text = {0};
    RUN(&text, "llvm-cov-19", "show", "--show-mcdc", "./original", "-instr-profile=r.profdata");
    static const char head[] = "MC/DC Decision Region (";
    int compared = 0;
    for (const char *at = strstr(str_text(&text), head); at; at = strstr(at + 1, head)) {
        struct region r;
        int fields = sscanf(at + strlen(head), "%ld:%ld) to (%ld:%ld)", &r.line, &r.col,
                            &r.end_line, &r.end_col);
        TEST_ASSERT_EQUAL_INT(4, fields);
        const struct goal *row = goal_at(goals, &r, GOAL_vector, 1);
        if (row)
            compared += compare_decision(goals, hits, row->decision, at);
    }
    str_free(&text);
    return compared;
}

/* The hits agree with each other. */

static void check_credit_of_decision(const struct goals *goals, const struct str *hits,
                                     int32_t decision) {
    const struct decision *d = &goals->decisions.data[decision];
    bool expected[2][64] = {{0}};
    TEST_ASSERT_LESS_THAN(64, d->n_conditions);
    for (size_t i = 0; i < goals->list.len; i++) {
        const struct goal *g = &goals->list.data[i];
        if (g->kind != GOAL_vector || g->decision != decision || !was_hit(hits, g))
            continue;
        int8_t value[64];
        bool credited[64];
        for (int c = 0; c < d->n_conditions; c++)
            value[c] = g->text[2 * c] == '-' ? -1 : g->text[2 * c] == 'T';
        mcdc_credit(d, value, credited);
        for (int c = 0; c < d->n_conditions; c++)
            if (credited[c])
                expected[value[c]][c] = true;
    }
    for (size_t i = 0; i < goals->list.len; i++) {
        const struct goal *g = &goals->list.data[i];
        if (g->kind == GOAL_mcdc && g->decision == decision)
            TEST_ASSERT_EQUAL_MESSAGE(expected[g->value][g->condition], was_hit(hits, g), d->text);
    }
}

static bool has_vectors(const struct goals *goals, int32_t decision) {
    for (size_t i = 0; i < goals->list.len; i++)
        if (goals->list.data[i].kind == GOAL_vector && goals->list.data[i].decision == decision)
            return true;
    return false;
}

static void check_consistency(const struct goals *goals, const struct str *hits) {
    for (int32_t d = 0; d < (int32_t)goals->decisions.len; d++)
        if (has_vectors(goals, d))
            check_credit_of_decision(goals, hits, d);
    for (size_t i = 0; i < goals->implications.len; i++) {
        const struct goal *a = &goals->list.data[goals->implications.data[i].a];
        const struct goal *b = &goals->list.data[goals->implications.data[i].b];
        if (was_hit(hits, a) && !was_hit(hits, b))
            fprintf(stderr, "%d: %s {%s} does not imply %d: %s {%s}\n", a->line,
                    criteria[a->kind].name, a->text, b->line, criteria[b->kind].name, b->text);
        TEST_ASSERT_TRUE(!was_hit(hits, a) || was_hit(hits, b));
    }
}

static void close_under_implications(const struct goals *goals, bool *reached) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < goals->implications.len; i++) {
            struct implication edge = goals->implications.data[i];
            bool *to = &reached[goals->list.data[edge.b].probe];
            changed |= reached[goals->list.data[edge.a].probe] && !*to;
            *to |= reached[goals->list.data[edge.a].probe];
        }
    }
}

/* Every spare probe that was hit follows from a hit of a probe that is not spare. */
static int check_spare(const struct goals *goals, const struct str *hits) {
    bool *reached = arena_array(&arena, bool, goals->n_probes);
    bool *spare = arena_array(&arena, bool, goals->n_probes);
    for (size_t i = 0; i < goals->spare.len; i++)
        spare[goals->spare.data[i]] = true;
    for (uint32_t probe = 0; probe < goals->n_probes; probe++)
        reached[probe] = !spare[probe] && hits->data[probe];
    close_under_implications(goals, reached);
    int n = 0;
    for (uint32_t probe = 0; probe < goals->n_probes; probe++) {
        TEST_ASSERT_EQUAL_INT(hits->data[probe] != 0, reached[probe]);
        n += spare[probe] && hits->data[probe];
    }
    return n;
}

/* What has been compared so far: a comparison of nothing proves nothing. */
static int all_branches, all_statements, all_rows, all_spare;

/* Several programs in one file are compiled much faster than one by one. Each has names of its
 * own; main() runs all of them. */
enum { BATCH = 12, FUNCTIONS = 3 };

static void write_programs(uint64_t seed, bool macros) {
    struct str text = {0};
    for (int i = 0; i < BATCH; i++) {
        struct str one = {0};
        random_c(&one, seed * BATCH + (uint64_t)i, FUNCTIONS, macros);
        random_c_main(&one, false);
        random_c_rename(&text, str_text(&one), i);
        str_free(&one);
    }
    str_add(&text, "int main ( void ) {\n");
    for (int i = 0; i < BATCH; i++)
        str_addf(&text, "main_%d ( );\n", i);
    str_add(&text, "return 0; }\n");
    write_file("r.c", str_text(&text), text.len);
    str_free(&text);
}

static void check_programs(uint64_t seed, bool macros) {
    struct str hits = {0};
    write_programs(seed, macros);
    struct listed listed = {0};
    list_program(&listed);
    index_lines(&listed.goals);
    write_woven(&listed);
    RUN(NULL, "clang-19", "-w", "-fwrapv", "-fprofile-instr-generate", "-fcoverage-mapping",
        "-fcoverage-mcdc", "r.c", "-o", "original");
    RUN(NULL, "clang-19", "-w", "-fwrapv", "w.c", "rt.c", "-o", "woven");
    compare_behaviour();
    read_text("hits", &hits);
    check_consistency(&listed.goals, &hits);
    all_spare += check_spare(&listed.goals, &hits);
    int branches = 0, statements = 0, rows = 0;
    if (!macros) {
        RUN(NULL, "llvm-profdata-19", "merge", "-o", "r.profdata", "r.profraw");
        struct str json = {0};
        RUN(&json, "llvm-cov-19", "export", "./original", "-instr-profile=r.profdata");
        branches = compare_branches(&listed.goals, &hits, str_text(&json));
        statements = compare_statements(&listed.goals, &hits, str_text(&json));
        str_free(&json);
        rows = compare_vectors(&listed.goals, &hits);
        all_branches += branches;
        all_statements += statements;
        all_rows += rows;
    }
    if (show_progress)
        fprintf(stderr, "seed %u: %zu goals, %d outcomes, %d statements, %d rows compared\n",
                (unsigned)seed, listed.goals.list.len, branches, statements, rows);
    listed_close(&listed);
    str_free(&hits);
}

/* GK_RANDOM_PROGRAMS=1000 for a long run. */
static int batches(void) {
    const char *wanted = getenv("GK_RANDOM_PROGRAMS");
    show_progress = wanted != NULL;
    return ((wanted ? (int)strtol(wanted, NULL, 10) : 204) + BATCH - 1) / BATCH;
}

static void test_hits_are_those_of_clang(void) {
    for (int i = 0; i < batches(); i++)
        check_programs((uint64_t)i + 1, false);
    TEST_ASSERT_GREATER_THAN(1000 * batches(), all_branches);
    TEST_ASSERT_GREATER_THAN(500 * batches(), all_statements);
    TEST_ASSERT_GREATER_THAN(50 * batches(), all_rows);
    TEST_ASSERT_GREATER_THAN(200 * batches(), all_spare);
}

static void test_behaviour_with_macros_and_casts(void) {
    for (int i = 0; i < (batches() + 3) / 4; i++)
        check_programs((uint64_t)i + 1001, true);
}

/* The woven file as a whole: statics hoisted, volatile reads asked for. The random program's
 * main() drives it; what it asks for is the volatile variable. */

static const char input_runtime[] =
    "extern volatile int gv;\n"
    "int gk_input_i32(unsigned id) { return id < 4096 ? gv : 0; }\n"
    "#define INPUT(name, type) type gk_input_##name(unsigned id) { return (type)(id * 0); }\n"
    "INPUT(f32, float) INPUT(f64, double) INPUT(b, _Bool) INPUT(i8, signed char)\n"
    "INPUT(u8, unsigned char) INPUT(i16, short) INPUT(u16, unsigned short)\n"
    "INPUT(u32, unsigned) INPUT(i64, long long) INPUT(u64, unsigned long long)\n"
    "void gk_assume(int condition) { (void)condition; }\n";

static void write_whole(const struct woven *woven) {
    struct str run_time = {0};
    str_addf(&run_time, "%s%s", runtime, input_runtime);
    write_file("w.c", str_text(&woven->text), woven->text.len);
    write_file("rt.c", str_text(&run_time), run_time.len);
    str_free(&run_time);
}

/* "[-Wunused-value]" and the like, one per line. */
static void warnings_of(const char *compiler, const char *width, const char *file,
                        struct str *out) {
    const char *command = arena_printf(&arena,
                                       "%s %s -fsyntax-only -Wall -Wextra -DGK_NATIVE %s 2>&1 | "
                                       "grep -o '\\[-W[a-z-]*\\]' | sort -u",
                                       compiler, width, file);
    RUN(out, "sh", "-c", command);
}

/* Of nothing that the random program did not do itself; a flag of type int in place of a comparison
 * makes compilers ask for parentheses where they did not, and what decides on an order has no
 * value. */
static void check_warnings(const char *compiler, const char *width) {
    struct str original = {0}, woven = {0};
    str_add(&original, "[-Wparentheses]\n[-Wlogical-not-parentheses]\n"
                       "[-Wuninitialized]\n[-Wmaybe-uninitialized]\n");
    warnings_of(compiler, width, "r.c", &original);
    warnings_of(compiler, width, "w.c", &woven);
    for (char *line = woven.len ? strtok(woven.data, "\n") : NULL; line; line = strtok(NULL, "\n"))
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&original), line), line);
    str_free(&original);
    str_free(&woven);
}

static void check_front_ends(void) {
    check_warnings("gcc", "-m32");
    check_warnings("gcc", "-m64");
    check_warnings("clang-19", "-m32");
    check_warnings("clang-19", "-m64");
    const char *cbmc = tool_cbmc(&arena);
    if (cbmc)
        RUN(NULL, cbmc, "--show-goto-functions", "w.c");
}

static void check_whole(uint64_t seed) {
    struct str text = {0}, driver = {0};
    struct project project;
    struct woven woven = {0};
    struct err err = {0};
    random_c(&text, seed, 4, true);
    random_c_main(&driver, true);
    write_file("r.c", str_text(&text), text.len);
    write_file("main.c", str_text(&driver), driver.len);
    project_defaults(&project);
    project.dir = str_text(&dir);
    project.ilp32 = false;
    project.step = "step";
    vec_push(&project.sources, "r.c");
    TEST_ASSERT_TRUE_MESSAGE(weave(&project, &woven, &err), str_text(&err.message));
    write_whole(&woven);
    check_front_ends();
    RUN(NULL, "clang-19", "-w", "-fwrapv", "r.c", "main.c", "-o", "original");
    RUN(NULL, "clang-19", "-w", "-fwrapv", "-ftrivial-auto-var-init=zero", "w.c", "rt.c", "main.c",
        "-o", "woven");
    compare_behaviour();
    woven_free(&woven);
    project_free(&project);
    str_free(&text);
    str_free(&driver);
}

/* Compilers limit how deep parentheses may nest: 256. */
static void test_long_decisions_compile(void) {
    struct str text = {0};
    struct listed listed = {0};
    str_add(&text, "int step(int *x) { return x[0]");
    for (int i = 1; i < 500; i++)
        str_addf(&text, " %s x[%d]", i % 5 ? "&&" : "||", i);
    str_add(&text, "; }\n");
    write_file("r.c", str_text(&text), text.len);
    list_program(&listed);
    write_woven(&listed);
    RUN(NULL, "clang-19", "-w", "-fsyntax-only", "w.c");
    TEST_ASSERT_EQUAL_INT(500, listed.goals.decisions.data[0].n_conditions);
    listed_close(&listed);
    str_free(&text);
}

static void test_whole_weave_behaves_as_before(void) {
    for (int i = 0; i < (batches() + 3) / 4; i++)
        check_whole((uint64_t)i + 2001);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_whole_weave_behaves_as_before);
    RUN_TEST(test_long_decisions_compile);
    RUN_TEST(test_hits_are_those_of_clang);
    RUN_TEST(test_behaviour_with_macros_and_casts);
    return UNITY_END();
}
