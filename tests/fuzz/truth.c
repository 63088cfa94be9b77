#include "truth.h"

#include "base/child.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>

/* Where a mark stands in the text that Goalkeeper reads, and what was seen there. */
struct place {
    unsigned line, col;
    unsigned seen;
};

struct comparison {
    const struct truth_run *run;
    const struct program *p;
    struct arena arena;
    struct str plain, marked;
    struct place *places;
    struct truth_result *result;
};

/* ---- the two texts ---- */

static void open_mark(struct str *out, char kind, unsigned number) {
    switch ((enum mark_kind)kind) {
    case MARK_STATEMENT:
        str_addf(out, "truth_seen[%u] = 1; ", number);
        return;
    case MARK_CALL:
        str_addf(out, "(truth_seen[%u] = 1, ", number);
        return;
    case MARK_CONDITION:
        str_addf(out, "truth_condition(%u, !!(", number);
        return;
    case MARK_CONTROLLING:
    case MARK_DECISION:
        str_addf(out, "(truth_begin(%u), truth_end(%u, !!(", number, number);
        return;
    case MARK_SWITCH:
        str_addf(out, "TRUTH_SWITCH(%u, ", number);
        return;
    case MARK_VOLATILE:
        str_addf(out, "((u8)truth_choose(%d, ", VOLATILE_VALUES);
        return;
    case MARK_INDEX:
        str_addf(out, "truth_index(%d, ", TABLE_LEN);
        return;
    case MARK_LABEL:
        return;
    }
}

static void close_mark(struct str *out, char kind) {
    bool is_decision = kind == MARK_CONTROLLING || kind == MARK_DECISION;
    str_add(out, is_decision                                       ? ")))"
                 : kind == MARK_CONDITION || kind == MARK_VOLATILE ? "))"
                                                                   : ")");
}

static bool has_end(char kind) {
    return kind != MARK_STATEMENT && kind != MARK_LABEL;
}

/* Splits the marked text into the plain one, with the places of its marks, and the one that says
 * what it sees. */
static void render(struct comparison *c) {
    VEC(char) open = {0};
    unsigned line = 1, col = 1;
    c->places = arena_array(&c->arena, struct place, c->p->marks.len + 1);
    for (const char *at = str_text(&c->p->text); *at; at++) {
        if (*at == '\1') {
            char kind = at[1], *end;
            unsigned number = (unsigned)strtoul(at + 2, &end, 10);
            assert(*end == '\2' && number < c->p->marks.len);
            c->places[number] = (struct place){.line = line, .col = col};
            open_mark(&c->marked, kind, number);
            if (has_end(kind))
                vec_push(&open, kind);
            at = end;
        } else if (*at == '\3') {
            assert(open.len > 0);
            close_mark(&c->marked, open.data[--open.len]);
        } else {
            str_addn(&c->plain, at, 1);
            str_addn(&c->marked, at, 1);
            line += *at == '\n';
            col = *at == '\n' ? 1 : col + 1;
        }
    }
    assert(open.len == 0);
    vec_free(&open);
}

/* Calls each(out, line) for every assumption. */
static void each_assumption(const struct program *p, struct str *out,
                            void (*each)(struct str *, const char *, size_t)) {
    const char *at = str_text(&p->assumptions);
    for (const char *end; (end = strchr(at, '\n')); at = end + 1)
        each(out, at, (size_t)(end - at));
}

static void add_condition(struct str *out, const char *text, size_t n) {
    str_addf(out, " && (%.*s)", (int)n, text);
}

static void add_text(struct str *out, const char *text, size_t n) {
    str_addf(out, "%s\n  \"%.*s\"", out->data[out->len - 1] == '[' ? "" : ",", (int)n, text);
}

static void add_inputs(struct str *out, const struct program *p) {
    str_add(out, "static u8 arg; static struct bus the_bus, *const bus = &the_bus;\n");
    for (size_t i = 0; i < p->inputs.len; i++)
        str_addf(out, "static const %s values%zu[] = {%s};\n", p->inputs.data[i].type, i,
                 str_text(&p->inputs.data[i].values));
    str_add(out, "const struct truth_input truth_inputs[] = {");
    for (size_t i = 0; i < p->inputs.len; i++)
        str_addf(out, "{sizeof values%zu / sizeof *values%zu, %d}, ", i, i,
                 p->inputs.data[i].is_parameter);
    str_addf(out, "};\nconst unsigned truth_n_inputs = %zu;\n", p->inputs.len);
    str_add(out, "void truth_set(unsigned input, unsigned value) {\n  switch (input) {\n");
    for (size_t i = 0; i < p->inputs.len; i++)
        str_addf(out, "  case %zu: %s = values%zu[value]; return;\n", i, p->inputs.data[i].name, i);
    str_add(out, "  }\n}\nint truth_assumed(void) { return 1");
    each_assumption(p, out, add_condition);
    str_addf(out, "; }\nvoid truth_init(void) { %s; }\nvoid truth_step(void) { %s; }\n",
             p->has_init ? "module_init()" : "", str_text(&p->step_call));
}

static void add_tables(struct str *out, const struct program *p) {
    str_addf(out, "const unsigned truth_n_marks = %zu;\nconst struct truth_mark truth_marks[] = {",
             p->marks.len);
    for (size_t i = 0; i < p->marks.len; i++)
        str_addf(out, "{'%c', %uu, %d}, ", p->marks.data[i].kind, p->marks.data[i].about,
                 p->marks.data[i].label);
    str_add(out, "};\nchar truth_zero, truth_one = 1;\nconst struct truth_node truth_nodes[] = {");
    for (size_t i = 0; i < p->nodes.len; i++)
        str_addf(out, "{'%c', %uu, %uu}, ", p->nodes.data[i].op, p->nodes.data[i].left,
                 p->nodes.data[i].right);
    str_add(out, "{0}};\n");
}

static void add_vars(struct str *out, const struct program *p, bool parameters) {
    for (size_t i = 0; i < p->inputs.len; i++)
        if (p->inputs.data[i].is_parameter == parameters)
            str_addf(out, "%s\n  {%s%s}", out->data[out->len - 1] == '[' ? "" : ",",
                     parameters ? "\"mode\": \"range\", " : "",
                     str_text(&p->inputs.data[i].project));
}

static void add_project(struct str *out, const struct program *p) {
    str_addf(out,
             "{\"name\": \"m\", \"target\": \"%s\", \"char\": \"%s\",\n"
             " \"sources\": [\"m.c\"], \"init\": [%s], \"step\": \"module_step\",\n"
             " \"inputs\": [",
             p->module.ilp32 ? "ilp32" : "lp64", p->module.char_is_signed ? "signed" : "unsigned",
             p->has_init ? "\"module_init\"" : "");
    add_vars(out, p, false);
    str_addf(out, ",\n  {\"name\": \"hw\", \"min\": 0, \"max\": %d}],\n \"parameters\": [",
             VOLATILE_VALUES - 1);
    add_vars(out, p, true);
    str_add(out, "],\n \"assumptions\": [");
    each_assumption(p, out, add_text);
    str_add(out, "]}\n");
}

static const char *in_dir(struct comparison *c, const char *name) {
    return path_join(&c->arena, c->run->dir, name);
}

static bool write_files(struct comparison *c, struct err *err) {
    struct str truth = {0}, project = {0};
    str_add(&truth, "#include \"truth.h\"\n");
    str_addn(&truth, str_text(&c->marked), c->marked.len);
    add_inputs(&truth, c->p);
    add_tables(&truth, c->p);
    add_project(&project, c->p);
    bool ok = file_write(in_dir(c, "m.c"), c->plain.data, c->plain.len, err) &&
              file_write(in_dir(c, "marked.c"), truth.data, truth.len, err) &&
              file_write(in_dir(c, "goalkeeper.json"), project.data, project.len, err);
    str_free(&truth);
    str_free(&project);
    return ok;
}

/* ---- programs ---- */

static bool run_child(struct comparison *c, const char *const *argv, struct child_result *result,
                      struct err *err) {
    struct child_spec spec = {.argv = argv, .dir = c->run->dir, .wall_seconds = 300};
    return child_run(&spec, result, err);
}

/* Runs a program that must succeed; its output goes to *out (or nowhere). */
static bool run_well(struct comparison *c, const char *const *argv, struct str *out,
                     struct err *err) {
    struct child_result result = {0};
    bool ok = run_child(c, argv, &result, err);
    if (ok && (result.end != CHILD_EXITED || result.code != 0)) {
        struct child_spec spec = {.argv = argv};
        struct str how = {0};
        child_end_text(&spec, &result, &how);
        ok = err_set(err, ERR_INTERNAL, "%s: %s\n%.2000s", argv[0], str_text(&how),
                     str_text(&result.err));
        str_free(&how);
    }
    if (ok && out)
        str_addn(out, str_text(&result.out), result.out.len);
    child_result_free(&result);
    return ok;
}

#define RUN(c, out, err, ...) run_well(c, (const char *const[]){__VA_ARGS__, NULL}, out, err)

static bool build_truth(struct comparison *c, struct err *err) {
    const char *model = c->p->module.ilp32 ? "-m32" : "-m64";
    const char *plain_char = c->p->module.char_is_signed ? "-fsigned-char" : "-funsigned-char";
    return RUN(c, NULL, err, "gcc", "-std=gnu11", "-w", "-O1", model, plain_char, "-msse2",
               "-mfpmath=sse", "-fwrapv", "-fno-strict-aliasing", "-fgnu89-inline",
               "-ffp-contract=off", "-fno-pie", "-fno-section-anchors", "-c",
               "-I" GK_SOURCE_DIR "/tests/fuzz/runtime", "marked.c", "-o", "marked.o") &&
           RUN(c, NULL, err, "objcopy", "--set-section-flags", ".bss=alloc,load,data,contents",
               "marked.o") &&
           RUN(c, NULL, err, "objcopy", "--rename-section", ".bss=gkstate", "--rename-section",
               ".data=gkstate", "--rename-section", ".data.rel.local=gkstate", "marked.o") &&
           RUN(c, NULL, err, "gcc", "-std=gnu11", "-O1", model, "-no-pie", "-fno-pie", "marked.o",
               GK_SOURCE_DIR "/tests/fuzz/runtime/truth.c", "-o", "truth", "-lm");
}

static bool find_truth(struct comparison *c, struct err *err) {
    struct str out = {0};
    bool ok = build_truth(c, err) && RUN(c, &out, err, "./truth", c->run->blind ? "blind" : NULL);
    if (ok && str_starts(str_text(&out), "large")) {
        c->result->large = true;
    } else if (ok) {
        char *at = out.data;
        c->result->states += strtoul(at, &at, 10);
        c->result->steps += strtoul(at, &at, 10);
        for (size_t i = 0; i < c->p->marks.len; i++)
            c->places[i].seen = (unsigned)strtoul(at, &at, 10);
    }
    str_free(&out);
    return ok;
}

/* ---- verdicts ---- */

/* The bits of a mark that make a goal true, by the kind and the value of the goal. */
static bool is_about(enum mark_kind mark, const char *kind, int value, unsigned *bits) {
    static const struct {
        const char *kind;
        enum mark_kind mark;
        unsigned bits[2];
    } rows[] = {{"statement", MARK_STATEMENT, {1, 1}}, {"call", MARK_CALL, {1, 1}},
                {"case", MARK_LABEL, {1, 1}},          {"branch", MARK_CONTROLLING, {1, 2}},
                {"condition", MARK_CONDITION, {1, 2}}, {"mcdc", MARK_CONDITION, {4, 8}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_same(rows[i].kind, kind) && rows[i].mark == mark) {
            *bits = rows[i].bits[value];
            return true;
        }
    return false;
}

static bool judge(struct comparison *c, const struct place *place, const char *kind, int value,
                  unsigned bits, const char *status, struct err *err) {
    bool truth = place->seen & bits;
    struct truth_result *r = c->result;
    r->goals++;
    if (str_same(status, "open")) {
        r->open_reachable += truth;
        r->open_dead += !truth;
        return true;
    }
    bool reachable = str_same(status, "reachable");
    r->reachable += reachable;
    r->dead += !reachable;
    return truth == reachable ||
           err_set(err, ERR_EVIDENCE, "%s/m.c:%u:%u: %s %d is called %s; it is %s", c->run->dir,
                   place->line, place->col, kind, value, status,
                   truth ? "reachable" : "not reachable");
}

/* One row: kind,line,col,value,status. */
static bool judge_row(struct comparison *c, const char *row, struct err *err) {
    char kind[32], status[32];
    unsigned line, col, bits, seen = 0;
    int value;
    if (sscanf(row, "%31[^,],%u,%u,%d,%31[a-z]", kind, &line, &col, &value, status) != 5)
        return err_set(err, ERR_INTERNAL, "unexpected row '%s'", row);
    for (size_t i = 0; i < c->p->marks.len; i++) {
        const struct place *place = &c->places[i];
        if (place->line != line || place->col != col ||
            !is_about(c->p->marks.data[i].kind, kind, value, &bits))
            continue;
        seen++;
        if (!judge(c, place, kind, value, bits, status, err))
            return false;
    }
    c->result->unmarked += seen == 0;
    return seen <= 1 || err_set(err, ERR_INTERNAL, "two marks at '%s'", row);
}

static bool judge_rows(struct comparison *c, struct str *rows, struct err *err) {
    char *at = rows->data, *row;
    (void)strsep(&at, "\n"); /* the heading */
    while (at && (row = strsep(&at, "\r\n")))
        if (row[0] && !judge_row(c, row, err))
            return false;
    return true;
}

static bool run_goalkeeper(struct comparison *c, struct err *err) {
    const struct truth_run *run = c->run;
    remove(in_dir(c, "m.db"));
    return RUN(c, NULL, err, run->program, "run", "goalkeeper.json", "--db", "m.db", "--quiet",
               "--seconds", run->seconds, run->engines ? "--engines" : NULL, run->engines);
}

static bool find_verdicts(struct comparison *c, struct err *err) {
    struct str rows = {0};
    bool ok = run_goalkeeper(c, err) &&
              RUN(c, &rows, err, c->run->program, "query", "m.db", "--format", "csv", "--sql",
                  "SELECT kind, line, col, coalesce(value, 1), status FROM goal_status") &&
              judge_rows(c, &rows, err);
    str_free(&rows);
    return ok;
}

bool truth_compare(const struct truth_run *run, const struct program *p,
                   struct truth_result *result, struct err *err) {
    struct comparison c = {.run = run, .p = p, .result = result};
    result->large = false;
    render(&c);
    bool ok =
        write_files(&c, err) && find_truth(&c, err) && (result->large || find_verdicts(&c, err));
    str_free(&c.plain);
    str_free(&c.marked);
    arena_free(&c.arena);
    return ok;
}
