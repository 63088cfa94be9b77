/* What the units and the body of a test use: values to set, checks, queues of stubs. */
#include "app/export/test_text.h"
#include "instrument/inputs/layout.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

struct type_row {
    const char *suffix, *type, *format, *cast;
};

/* How values of each type are compared and printed. */
static const struct type_row types[] = {
    {"b", "_Bool", "%d", "(int)"},
    {"i8", "signed char", "%d", "(int)"},
    {"u8", "unsigned char", "%d", "(int)"},
    {"i16", "short", "%d", "(int)"},
    {"u16", "unsigned short", "%d", "(int)"},
    {"i32", "int", "%d", ""},
    {"u32", "unsigned int", "%u", ""},
    {"i64", "long long", "%lld", ""},
    {"u64", "unsigned long long", "%llu", ""},
    {"f32", "float", "%.9g", "(double)"},
    {"f64", "double", "%.17g", ""},
};
enum { TYPES = sizeof types / sizeof *types };

static bool word_char(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool mentions(const char *text, const char *word) {
    size_t len = strlen(word);
    assert(len > 0);
    for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
        if ((p == text || !word_char(p[-1])) && !word_char(p[len]))
            return true;
    return false;
}

bool unit_mentions(const struct fixture_unit *unit, const char *word) {
    return mentions(unit->behind, word);
}

bool units_mention(const struct runs *runs, const char *word) {
    for (size_t i = 0; i < runs->fixture.units.len; i++)
        if (unit_mentions(&runs->fixture.units.data[i], word))
            return true;
    return false;
}

static const char *carrier_type(const struct module_var *v) {
    return scalar_c_type(scalar_carrier((struct scalar){v->type, v->bits}));
}

/* ---- declarations for a unit, definitions for the test ---- */

static void list_variables(const struct runs *runs, const struct fixture_unit *unit,
                           const char *before, struct str *out) {
    const struct module *m = &runs->file.module;
    assert(runs->names.inputs.len == m->inputs.len && runs->names.state.len == m->state.len);
    for (size_t i = 0; i < m->inputs.len; i++) {
        const char *name = runs->names.inputs.data[i];
        if (unit ? unit_mentions(unit, name) : units_mention(runs, name))
            str_addf(out, "%s%s %s;\n", before, carrier_type(&m->inputs.data[i]), name);
    }
    for (size_t i = 0; i < m->state.len; i++) {
        const char *name = runs->names.state.data[i];
        if (name && (unit ? unit_mentions(unit, name) : units_mention(runs, name)))
            str_addf(out, "%s%s %s;\n", before, carrier_type(&m->state.data[i]), name);
    }
}

static const char *prefixed(char name[32], const char *prefix, const struct type_row *row) {
    size_t n = strlen(prefix);
    assert(n + strlen(row->suffix) < 32);
    memcpy(name, prefix, n);
    memcpy(name + n, row->suffix, strlen(row->suffix) + 1);
    return name;
}

static void list_functions(const struct runs *runs, const struct fixture_unit *unit,
                           struct str *out) {
    char name[32];
    for (size_t i = 0; i < TYPES; i++) {
        prefixed(name, "gk_check_", &types[i]);
        if (unit ? unit_mentions(unit, name) : units_mention(runs, name))
            str_addf(out, "void %s(const char *name, %s is, %s wanted);\n", name, types[i].type,
                     types[i].type);
        prefixed(name, "gk_next_", &types[i]);
        if (unit ? unit_mentions(unit, name) : units_mention(runs, name))
            str_addf(out, "%s %s(unsigned input);\n", types[i].type, name);
    }
}

void test_declarations(const struct runs *runs, const struct fixture_unit *unit, struct str *out) {
    list_variables(runs, unit, "extern ", out);
    list_functions(runs, unit, out);
}

static void list_inits(const struct runs *runs, bool is_call, struct str *out) {
    struct str name = {0};
    for (size_t i = 1;; i++) {
        str_clear(&name);
        str_addf(&name, "gk_init_%zu", i);
        if (!units_mention(runs, str_text(&name)))
            break;
        str_addf(out, is_call ? "    gk_init_%zu();\n" : "void gk_init_%zu(void);\n", i);
    }
    str_free(&name);
}

static bool has_checks(const struct runs *runs) {
    char name[32];
    for (size_t i = 0; i < TYPES; i++)
        if (units_mention(runs, prefixed(name, "gk_check_", &types[i])))
            return true;
    return false;
}

/* What the units define for the test. */
static void list_calls(const struct runs *runs, struct str *out) {
    static const char *const parts[] = {"parameters", "early", "inputs", "volatiles", "outputs"};
    for (size_t u = 1; u <= runs->fixture.units.len; u++)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            struct str name = {0};
            str_addf(&name, "gk_%s_%zu", parts[i], u);
            if (units_mention(runs, str_text(&name)))
                str_addf(out, "void %s(void);\n", str_text(&name));
            str_free(&name);
        }
    list_inits(runs, false, out);
    str_add(out, "void gk_step(void);\n");
}

/* ---- reporting ---- */

static const char plain_report[] =
    "#define gk_differs(name, format, is, wanted) \\\n"
    "    (gk_wrong++, __builtin_printf(\"step %lu: %s is \" format \", expected \" format \"\\n\", "
    "gk_now, \\\n"
    "                                  name, is, wanted))\n";

static const char unity_report[] =
    "#define gk_differs(name, format, is, wanted)                                             \\\n"
    "    do {                                                                                 \\\n"
    "        char gk_text[300];                                                               \\\n"
    "        __builtin_snprintf(gk_text, sizeof gk_text,                                      \\\n"
    "                           \"step %lu: %.200s is \" format \", expected \" format, gk_now, "
    "\\\n"
    "                           name, is, wanted);                                            \\\n"
    "        gk_wrong++;                                                                      \\\n"
    "        TEST_FAIL_MESSAGE(gk_text);                                                      \\\n"
    "    } while (0)\n";

static void add_check(const struct type_row *row, const struct test_needs *needs, struct str *out) {
    bool is_float = row->suffix[0] == 'f';
    assert(row >= types && row < types + TYPES);
    str_addf(out, "void gk_check_%s(const char *name, %s is, %s wanted)\n{\n", row->suffix,
             row->type, row->type);
    if (is_float) {
        str_add(out, "    if (is != is && wanted != wanted)\n"
                     "        is = wanted; /* a NaN is as good as another */\n");
        if (needs->digest)
            str_add(out, "    if (gk_folding && is != is)\n        wanted = is = "
                         "(__typeof__(is))__builtin_nan(\"\");\n");
    }
    if (needs->digest)
        str_add(out, "    if (gk_folding) {\n        gk_fold(&is, sizeof is);\n"
                     "        return;\n    }\n");
    str_addf(out, is_float ? "    if (__builtin_memcmp(&is, &wanted, sizeof is) != 0)\n"
                           : "    if (is != wanted)\n");
    str_addf(out, "        gk_differs(name, \"%s\", %sis, %swanted);\n}\n\n", row->format,
             row->cast, row->cast);
}

static const char digest_text[] =
    "/* Outputs that change too often to be listed: FNV-1a over their bytes, step by step. */\n"
    "static int gk_folding;\n"
    "static unsigned long long gk_digest;\n"
    "static void gk_fold(const void *value, unsigned size)\n{\n"
    "    const unsigned char *bytes = (const unsigned char *)value;\n"
    "    for (unsigned i = 0; i < size; i++)\n"
    "        gk_digest = (gk_digest ^ bytes[i]) * 0x100000001b3ULL;\n}\n\n";

/* ---- stubs ---- */

static bool is_queued(const struct runs *runs, const struct run *run, uint32_t id) {
    return runs->file.module.inputs.data[id].role == VAR_STUB || run_has_many(run, id);
}

static void add_queue(const struct run *run, uint32_t id, struct str *out) {
    bool any = false;
    for (size_t i = 0; i < run->scenario.events.len; i++) {
        const struct input_event *e = &run->scenario.events.data[i];
        if (e->input != id)
            continue;
        str_addf(out, any ? ", {%uU, 0x%llxULL}" : "static const struct gk_event gk_queue_%u[] = {",
                 any ? e->step + 1 : id, (unsigned long long)e->bits);
        if (!any)
            str_addf(out, "{%uU, 0x%llxULL}", e->step + 1, (unsigned long long)e->bits);
        any = true;
    }
    if (any)
        str_add(out, "};\n");
}

static bool has_events(const struct run *run, uint32_t id) {
    for (size_t i = 0; i < run->scenario.events.len; i++)
        if (run->scenario.events.data[i].input == id)
            return true;
    return false;
}

static const char queue_text[] =
    "/* The next value: of this step, else the last one again. */\n"
    "static unsigned long long gk_next(unsigned input)\n{\n"
    "    struct gk_queue *q = &gk_queues[input];\n"
    "    while (q->at < q->n && q->events[q->at].step < gk_now)\n        q->at++;\n"
    "    if (q->at < q->n && q->events[q->at].step == gk_now)\n"
    "        q->bits = q->events[q->at++].bits;\n"
    "    return q->bits;\n}\n\n";

static void add_next(const struct type_row *row, struct str *out) {
    str_addf(out, "%s gk_next_%s(unsigned input)\n{\n", row->type, row->suffix);
    if (row->suffix[0] != 'f')
        str_addf(out, "    return (%s)gk_next(input);\n}\n\n", row->type);
    else
        str_addf(out,
                 "    unsigned %s bits = (unsigned %s)gk_next(input);\n    %s value;\n"
                 "    __builtin_memcpy(&value, &bits, sizeof value);\n    return value;\n}\n\n",
                 row->suffix[1] == '3' ? "int" : "long long",
                 row->suffix[1] == '3' ? "int" : "long long", row->type);
}

static void add_queues(const struct runs *runs, const struct run *run, struct str *out) {
    size_t n = runs->file.module.inputs.len;
    str_add(out, "/* What stubs and reads of hardware are given: in which step (0: "
                 "initialisation), which bits. */\n"
                 "struct gk_event {\n    unsigned long step;\n    unsigned long long bits;\n};\n");
    for (uint32_t id = 0; id < n; id++)
        if (is_queued(runs, run, id))
            add_queue(run, id, out);
    str_addf(out,
             "static struct gk_queue {\n    const struct gk_event *events;\n    unsigned n, at;\n"
             "    unsigned long long bits;\n} gk_queues[%zu]",
             n);
    const char *separator = " = {";
    for (uint32_t id = 0; id < n; id++) {
        if (!is_queued(runs, run, id) || !has_events(run, id))
            continue;
        str_addf(out,
                 "%s\n    [%u] = {gk_queue_%u, sizeof gk_queue_%u / sizeof *gk_queue_%u, 0, 0}",
                 separator, id, id, id, id);
        separator = ",";
    }
    str_addf(out, "%s;\n\n%s", separator[0] == ',' ? "\n}" : "", queue_text);
    char name[32];
    for (size_t i = 0; i < TYPES; i++)
        if (units_mention(runs, prefixed(name, "gk_next_", &types[i])))
            add_next(&types[i], out);
}

static bool uses_queues(const struct runs *runs) {
    char name[32];
    for (size_t i = 0; i < TYPES; i++)
        if (units_mention(runs, prefixed(name, "gk_next_", &types[i])))
            return true;
    return false;
}

/* ---- driving ---- */

static void add_calls(const struct runs *runs, const char *part, struct str *out) {
    for (size_t u = 1; u <= runs->fixture.units.len; u++) {
        struct str name = {0};
        str_addf(&name, "gk_%s_%zu", part, u);
        if (units_mention(runs, str_text(&name)))
            str_addf(out, "    %s();\n", str_text(&name));
        str_free(&name);
    }
}

static const char run_text[] = "}\n\nstatic void gk_run(void)\n{\n    gk_now++;\n";

static const char steps_text[] =
    "/* `n` steps with the same inputs, and the same outputs after each. */\n"
    "static void gk_steps(unsigned long n)\n{\n    while (n-- > 0 && gk_wrong == 0) {\n"
    "        gk_run();\n        gk_outputs();\n    }\n}\n\n";

static const char steps_digest_text[] =
    "/* `n` steps with the same inputs, and changing outputs. */\n"
    "static void gk_steps_digest(unsigned long n, unsigned long long wanted)\n{\n"
    "    gk_digest = 0xcbf29ce484222325ULL;\n    gk_folding = 1;\n"
    "    while (n-- > 0 && gk_wrong == 0) {\n        gk_run();\n"
    "        gk_outputs();\n    }\n    gk_folding = 0;\n"
    "    if (gk_digest != wanted)\n"
    "        gk_differs(\"the digest of all outputs\", \"%llx\", gk_digest, wanted);\n}\n\n";

static void add_driver(const struct runs *runs, const struct run *run,
                       const struct test_needs *needs, struct str *out) {
    if (needs->outputs) {
        str_add(out, "static void gk_outputs(void)\n{\n");
        add_calls(runs, "outputs", out);
        str_add(out, "}\n\n");
    }
    str_add(out, "static void gk_reset(void)\n{\n");
    add_calls(runs, "parameters", out);
    add_calls(runs, "early", out);
    add_calls(runs, "volatiles", out);
    list_inits(runs, true, out);
    if (run->scenario.n_steps > 0) {
        str_add(out, run_text);
        add_calls(runs, "inputs", out);
        add_calls(runs, "volatiles", out);
        str_add(out, "    gk_step();\n");
    }
    str_add(out, "}\n\n");
    if (needs->steps)
        str_add(out, steps_text);
    if (needs->digest)
        str_add(out, steps_digest_text);
}

static const char last_step_text[] =
    "/* The goal is hit in a step that does not end: a division by zero, a bad access, exit(). */\n"
    "static jmp_buf gk_back;\nstatic int gk_may_end;\n\n"
    "static void gk_ended(int number)\n{\n"
    "    __builtin_printf(\"ended by signal %d after the goal was hit, as expected\\n\", number);\n"
    "    longjmp(gk_back, 1);\n}\n\n"
    "__attribute__((__weak__, __noreturn__)) void exit(int code)\n{\n"
    "    if (!gk_may_end)\n        abort();\n"
    "    __builtin_printf(\"ended by exit(%d) after the goal was hit, as expected\\n\", code);\n"
    "    longjmp(gk_back, 1);\n}\n"
    "__attribute__((__weak__, __noreturn__)) void _Exit(int code) { exit(code); }\n"
    "__attribute__((__weak__, __noreturn__)) void _exit(int code);\n"
    "__attribute__((__weak__, __noreturn__)) void _exit(int code) { exit(code); }\n"
    "__attribute__((__weak__, __noreturn__)) void quick_exit(int code) { exit(code); }\n\n"
    "static void gk_last_step(void)\n{\n"
    "    static const int signals[] = {SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGALRM, "
    "SIGTRAP};\n"
    "    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)\n"
    "        signal(signals[i], gk_ended);\n"
    "    alarm(2);\n    gk_may_end = 1;\n    if (setjmp(gk_back) == 0)\n        gk_run();\n"
    "    alarm(0);\n}\n\n";

void test_runtime(const struct runs *runs, const struct run *run, enum test_form form,
                  const struct test_needs *needs, struct str *out) {
    char name[32];
    if (form == TEST_UNITY)
        str_add(out, "#include \"unity.h\"\n\n");
    if (needs->last_step)
        str_add(out,
                "#include <setjmp.h>\n#include <signal.h>\n#include <stdlib.h>\nextern unsigned "
                "alarm(unsigned seconds);\n\n");
    list_calls(runs, out);
    str_add(out, "\n");
    list_functions(runs, NULL, out);
    str_add(out, "\n/* Inputs before each step, and what is expected after it. */\n");
    list_variables(runs, NULL, "", out);
    str_add(out, "\nstatic unsigned long gk_now; /* the step; 0 is initialisation */\n");
    bool checks = has_checks(runs);
    if (form == TEST_PLAIN || checks)
        str_addf(out, "static unsigned gk_wrong; /* values that are not as expected */\n\n%s\n",
                 form == TEST_UNITY ? unity_report : plain_report);
    if (needs->digest)
        str_add(out, digest_text);
    for (size_t i = 0; i < TYPES; i++)
        if (units_mention(runs, prefixed(name, "gk_check_", &types[i])))
            add_check(&types[i], needs, out);
    if (uses_queues(runs))
        add_queues(runs, run, out);
    add_driver(runs, run, needs, out);
    if (needs->last_step)
        str_add(out, last_step_text);
}
