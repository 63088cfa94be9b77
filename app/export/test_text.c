/* The text in the order of the file: comment with goals and command, sources, body (test_body.c),
 * main. */
#include "app/export/test_text.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { LISTED_GOALS = 40 };

void comment_text(const char *text, struct str *out) {
    for (const char *p = text; *p; p++) {
        bool mark = p > text && ((p[-1] == '/' && *p == '*') || (p[-1] == '*' && *p == '/'));
        if (mark)
            str_addc(out, ' ');
        str_addc(out, iscntrl((unsigned char)*p) ? '?' : *p);
    }
}

void shell_word(const char *text, struct str *out) {
    bool plain = *text != '\0';
    for (const char *p = text; *p; p++)
        plain &= isalnum((unsigned char)*p) || strchr("-_./=+,:@%", *p) != NULL;
    if (plain) {
        str_add(out, text);
        return;
    }
    str_addc(out, '\'');
    for (const char *p = text; *p; p++)
        if (*p == '\'')
            str_add(out, "'\\''");
        else
            str_addc(out, *p);
    str_addc(out, '\'');
}

/* x87 registers would keep more digits than the target has. */
const char *meaning_flags(const struct runs *runs) {
    return runs->file.module.ilp32
               ? "-msse2 -mfpmath=sse -fwrapv -fno-strict-aliasing -ffp-contract=off"
               : "-fwrapv -fno-strict-aliasing -ffp-contract=off";
}

void test_command(const struct runs *runs, const char *file, struct str *out) {
    assert(runs->fixture.units.len > 0);
    const struct fixture_unit *unit = &runs->fixture.units.data[0];
    str_add(out, "cc");
    for (size_t i = 0; i < unit->flags.len; i++) {
        str_addc(out, ' ');
        shell_word(unit->flags.data[i], out);
    }
    str_addf(out, " %s -idirafter . -o TEST DIR/%s -lm", meaning_flags(runs), file);
}

/* ---- the comment at the top ---- */

static void add_goal(const struct run *run, const struct run_goal *g, struct str *out) {
    const struct probe_hit *hit = scenario_hits(&run->scenario, g->probe);
    assert(hit);
    str_addf(out, " *   %lld  %s  ", (long long)g->id, g->kind);
    comment_text(g->text, out);
    str_add(out, criterion_says(criterion_find(g->kind), g->value));
    str_add(out, "\n *       ");
    comment_text(g->file, out);
    str_addf(out, ":%d in ", g->line);
    comment_text(g->function, out);
    if (hit->step == NATIVE_INIT)
        str_add(out, ", during initialisation\n");
    else
        str_addf(out, ", step %u\n", hit->step + 1);
}

static void add_goals(const struct runs *runs, const struct run *run, struct str *out) {
    size_t own = 0, others = 0;
    for (size_t i = 0; i < runs->goals.len; i++) {
        const struct run_goal *g = &runs->goals.data[i];
        if (!run_hits(run, g->probe))
            continue;
        if (g->witness != run->witness || own >= LISTED_GOALS)
            others++;
        else if (++own)
            add_goal(run, g, out);
    }
    if (others)
        str_addf(out, " *   and %zu more\n", others);
}

static void add_head(const struct runs *runs, const struct run *run, enum test_form form,
                     struct str *out) {
    str_add(out, "/* Written by Goalkeeper: a test of ");
    comment_text(runs->file.module.name, out);
    str_addf(out, " from witness %lld, %u step%s%s.\n *\n * Goals that it hits:\n",
             (long long)run->witness, run->scenario.n_steps, run->scenario.n_steps == 1 ? "" : "s",
             form == TEST_UNITY ? ", for Unity" : "");
    add_goals(runs, run, out);
    str_add(out, " *\n * It calls the program as it is, sets the inputs before each step, and "
                 "compares the outputs\n * after it: integers exactly, floats bit by bit.\n *\n");
    struct str command = {0}, shown = {0};
    str_addf(&command, "witness_%lld.c", (long long)run->witness);
    const char *name = str_text(&command);
    if (runs->fixture.units.len > 1) {
        str_add(out, " * 'make check' builds it: once for each unit with -DGK_UNIT=1, 2 ..., and "
                     "once without.\n");
    } else {
        str_add(out,
                " * 'make check' builds and runs it. By hand, in the directory of the project, "
                "DIR is where\n * this file is:\n *   ");
        test_command(runs, name, &shown);
        comment_text(str_text(&shown), out);
        str_addf(out, "%s\n", form == TEST_UNITY ? " -I UNITY UNITY/unity.c" : "");
    }
    str_free(&command);
    str_free(&shown);
    str_add(out, " */\n");
}

/* ---- the file ---- */

/* Names of headers know no escapes: the other marks serve when the name holds a quote. */
static bool add_include(const char *source, struct str *out, struct err *err) {
    bool quote = strchr(source, '"') != NULL;
    if (strchr(source, '\n') || (quote && strchr(source, '>'))) {
        err_set(err, ERR_USAGE, "no #include can name the source '%s'", source);
        return err_remedy(err, "rename it: no newline, and not both '\"' and '>'");
    }
    str_addf(out, quote ? "#include <%s>\n" : "#include \"%s\"\n", source);
    return true;
}

static bool add_source(const struct fixture_unit *unit, struct str *out, struct err *err) {
    str_add(out, unit->before);
    return add_include(unit->source, out, err);
}

static bool add_units(const struct runs *runs, struct str *out, struct err *err) {
    assert(runs->fixture.units.len > 1);
    for (size_t u = 0; u < runs->fixture.units.len; u++) {
        const struct fixture_unit *unit = &runs->fixture.units.data[u];
        str_addf(out, "%s GK_UNIT == %zu\n\n", u ? "#elif" : "#if", u + 1);
        if (!add_source(unit, out, err))
            return false;
        str_add(out, "\n");
        test_declarations(runs, unit, out);
        str_addf(out, "\n%s\n", unit->behind);
    }
    str_add(out, "#else\n\n");
    return true;
}

static void add_main(const struct run *run, enum test_form form, struct str *out) {
    if (form == TEST_UNITY)
        str_addf(out,
                 "void setUp(void);\nvoid setUp(void)\n{\n}\n\nvoid tearDown(void);\n"
                 "void tearDown(void)\n{\n}\n\nint main(void)\n{\n    UNITY_BEGIN();\n"
                 "    RUN_TEST(test_witness_%lld);\n    return UNITY_END();\n}\n",
                 (long long)run->witness);
    else
        str_addf(out,
                 "int main(void)\n{\n    test_witness_%lld();\n"
                 "    __builtin_printf(\"%%s\\n\", gk_wrong ? \"FAILED\" : \"passed\");\n"
                 "    return gk_wrong ? 1 : 0;\n}\n",
                 (long long)run->witness);
}

/* ---- volatile variables that change within a step ---- */

static void add_reads(struct runs *runs, const struct fixture_volatile *v) {
    for (size_t u = 0; u < runs->fixture.units.len; u++) {
        struct fixture_unit *unit = &runs->fixture.units.data[u];
        assert(v->unit < runs->fixture.units.len && v->input < runs->file.module.inputs.len);
        unit->before = arena_printf(&runs->arena, "%s#define %s (*gk_volatile_%u())\n",
                                    unit->before, v->name, v->input);
        unit->behind = arena_printf(&runs->arena, "#undef %s\n%s%s", v->name,
                                    u == v->unit ? v->behind : "", unit->behind);
    }
}

/* The units as this run needs them; the caller puts `plain` back. */
static void change_units(struct runs *runs, const struct run *run, struct fixture_unit *plain) {
    memcpy(plain, runs->fixture.units.data, runs->fixture.units.len * sizeof *plain);
    for (size_t i = 0; i < runs->fixture.volatiles.len; i++)
        if (run_has_many(run, runs->fixture.volatiles.data[i].input))
            add_reads(runs, &runs->fixture.volatiles.data[i]);
}

static bool write_text(struct runs *runs, const struct run *run, enum test_form form,
                       struct str *out, struct err *err) {
    struct test_needs needs = {0};
    struct str body = {0};
    bool several = runs->fixture.units.len > 1;
    const struct fixture_unit *first = &runs->fixture.units.data[0];
    bool ok = test_body(runs, run, &needs, &body, err);
    add_head(runs, run, form, out);
    ok = ok && (several ? add_units(runs, out, err) : add_source(first, out, err));
    str_add(out, several ? "" : "\n");
    test_runtime(runs, run, form, &needs, out);
    if (!several)
        str_addf(out, "/* ---- the environment of the program ---- */\n\n%s\n", first->behind);
    str_addf(out, "/* ---- the test ---- */\n\nstatic void test_witness_%lld(void)\n{\n",
             (long long)run->witness);
    str_addn(out, str_text(&body), body.len);
    str_add(out, "}\n\n");
    add_main(run, form, out);
    if (several)
        str_add(out, "\n#endif\n");
    str_free(&body);
    return ok;
}

bool test_text(struct runs *runs, const struct run *run, enum test_form form, struct str *out,
               struct err *err) {
    size_t n = runs->fixture.units.len;
    struct fixture_unit *plain = arena_array(&runs->arena, struct fixture_unit, n);
    assert(n > 0 && !run->problem);
    change_units(runs, run, plain);
    bool ok = write_text(runs, run, form, out, err);
    memcpy(runs->fixture.units.data, plain, n * sizeof *plain);
    return ok;
}
