#include "oracle.h"

#include "base/child.h"
#include "base/file.h"
#include "base/vec.h"
#include "mcdc.h"

#include <stdio.h>
#include <stdlib.h>

#define RUNTIME GK_SOURCE_DIR "/tests/truth/runtime"

const struct oracle_build oracle_builds[BUILDS] = {
    {"gcc", "-O2", "0"}, {"clang-19", "-O0", "-1"}, {"clang-19", "-O2", "1"}, {"gcc", "-O0", "7"}};

/* ---- files ---- */

static void each_line(const struct str *lines, struct str *out, const char *format,
                      const char *between) {
    const char *at = str_text(lines);
    for (const char *end; (end = strchr(at, '\n')); at = end + 1) {
        char line[512];
        snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
        str_add(out, at == str_text(lines) ? "" : between);
        str_addf(out, format[0] == '(' ? "(%s)" : "\"%s\"", line);
    }
}

/* Behind the text of the file of the step: how the explorer drives it. */
static void add_driver(const struct sample *s, struct str *out) {
    size_t n = s->inputs.len;
    str_addf(out, "\n%s", str_text(&s->arguments));
    for (size_t i = 0; i < n; i++)
        str_addf(out, "static const %s gkt_values%zu[] = {%s};\n", s->inputs.data[i].type, i,
                 str_text(&s->inputs.data[i].values));
    str_add(out, "const struct gkt_input gkt_inputs[] = {");
    for (size_t i = 0; i < n; i++)
        str_addf(out, "{sizeof gkt_values%zu / sizeof *gkt_values%zu, %d}, ", i, i,
                 s->inputs.data[i].is_parameter);
    str_addf(out,
             "};\nconst unsigned gkt_n_inputs = %zu, gkt_n_marks = %zu, gkt_n_decisions = %zu;\n"
             "void gkt_set(unsigned input, unsigned value)\n{\n    switch (input) {\n",
             n, s->marks.len, s->decisions.len);
    for (size_t i = 0; i < n; i++)
        str_addf(out, "    case %zu: %s = gkt_values%zu[value]; return;\n", i,
                 s->inputs.data[i].name, i);
    str_add(out, "    }\n}\nint gkt_assumed(void) { return 1");
    str_add(out, s->assumptions.len ? " && " : "");
    each_line(&s->assumptions, out, "(%s)", " && ");
    str_addf(out, "; }\nvoid gkt_init(void) { %s; }\nvoid gkt_step(void) { %s; }\n",
             s->has_init ? "module_init()" : "", str_text(&s->step_call));
}

static void add_rows(const struct sample *s, bool parameters, struct str *out) {
    bool first = true;
    for (size_t i = 0; i < s->inputs.len; i++) {
        const struct sample_input *in = &s->inputs.data[i];
        if (in->is_parameter != parameters)
            continue;
        str_addf(out, "%s\n  {%s%s}", first ? "" : ",", parameters ? "\"mode\": \"range\", " : "",
                 str_text(&in->project));
        first = false;
    }
}

static void add_project(const struct sample *s, struct str *out) {
    str_addf(out,
             "{\"name\": \"m\", \"target\": \"%s\", \"char\": \"%s\",\n \"sources\": [\"m.c\"%s],\n"
             " \"init\": [%s], \"step\": \"module_step\",\n \"inputs\": [",
             s->ilp32 ? "ilp32" : "lp64", s->char_is_signed ? "signed" : "unsigned",
             s->has_other ? ", \"other.c\"" : "", s->has_init ? "\"module_init\"" : "");
    add_rows(s, false, out);
    str_addf(out, "%s],\n \"parameters\": [", str_text(&s->volatiles));
    add_rows(s, true, out);
    str_addf(out, "%s],\n \"assumptions\": [", str_text(&s->fixed));
    each_line(&s->assumptions, out, "\"%s\"", ", ");
    str_add(out, "]}\n");
}

static bool write_text(const char *dir, const char *name, const struct str *text,
                       struct arena *arena, struct err *err) {
    return file_write(path_join(arena, dir, name), str_text(text), text->len, err);
}

bool oracle_write(const struct sample *s, const char *dir, struct arena *arena, struct err *err) {
    const char *plain = path_join(arena, dir, "plain"), *oracle = path_join(arena, dir, "oracle");
    struct str project = {0};
    add_project(s, &project);
    bool ok = file_make_dirs(plain, err) && file_make_dirs(oracle, err) &&
              write_text(plain, "goalkeeper.json", &project, arena, err);
    for (uint32_t f = 0; ok && f < FILES; f++) {
        struct str text = {0};
        str_addn(&text, str_text(&s->files[f].oracle), s->files[f].oracle.len);
        if (f == FILE_STEP)
            add_driver(s, &text);
        ok = write_text(plain, s->files[f].name, &s->files[f].plain, arena, err) &&
             write_text(oracle, s->files[f].name, &text, arena, err);
        str_free(&text);
    }
    str_free(&project);
    return ok;
}

/* ---- programs ---- */

bool run_well(const char *dir, const char *const *argv, const char *const *environment,
              struct str *out, struct err *err) {
    struct child_spec spec = {
        .argv = argv, .dir = dir, .wall_seconds = 600, .environment = environment};
    struct child_result result = {0};
    bool ok = child_run(&spec, &result, err);
    if (ok && (result.end != CHILD_EXITED || result.code != 0)) {
        struct str how = {0};
        child_end_text(&spec, &result, &how);
        ok = err_set(err, ERR_INTERNAL, "%s in %s: %s\n%.1000s%.2000s", argv[0], dir,
                     str_text(&how), str_text(&result.out), str_text(&result.err));
        str_free(&how);
    }
    if (ok && out)
        str_addn(out, str_text(&result.out), result.out.len);
    child_result_free(&result);
    return ok;
}

#define RUN(dir, out, err, ...)                                                                    \
    run_well(dir, (const char *const[]){__VA_ARGS__, NULL}, NULL, out, err)

static bool build(const struct sample *s, const char *dir, const struct oracle_build *b,
                  struct err *err) {
    return RUN(dir, NULL, err, b->compiler, "-std=gnu11", "-w", b->optimise,
               s->ilp32 ? "-m32" : "-m64", s->char_is_signed ? "-fsigned-char" : "-funsigned-char",
               "-msse2", "-mfpmath=sse", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off",
               "-I" RUNTIME, "m.c", RUNTIME "/explore.c", RUNTIME "/seen.c", "-o", "explore",
               s->has_other ? "other.c" : "-lm", "-lm");
}

static void add_row(const struct sample *s, uint32_t decision, uint32_t code, unsigned char *seen) {
    const struct decision *d = &s->decisions.data[decision];
    unsigned digits[CONDITIONS_MAX], rest = code;
    for (unsigned i = 0; i < d->n_conditions; i++, rest /= 3)
        digits[i] = rest % 3;
    for (size_t i = 0; i < s->marks.len; i++) {
        const struct mark *mark = &s->marks.data[i];
        if (mark->kind == MARK_CONDITION && mark->decision == decision &&
            mcdc_decides(s, d, code, mark->position))
            seen[i] |= digits[mark->position] == 1 ? DECIDED_FALSE : DECIDED_TRUE;
    }
}

bool oracle_read(const struct sample *s, const char *text, unsigned char *seen) {
    unsigned n = 0, decision, code;
    int used = 0;
    if (sscanf(text, "seen %u%n", &n, &used) != 1 || n != s->marks.len)
        return false;
    char *at = (char *)(uintptr_t)text + used;
    for (size_t i = 0; i < n; i++)
        seen[i] |= (unsigned char)strtoul(at, &at, 10);
    for (; sscanf(at, " row %u %u%n", &decision, &code, &used) == 2; at += used) {
        if (decision >= s->decisions.len || code >= ROWS)
            return false;
        add_row(s, decision, code, seen);
    }
    return true;
}

static bool explore(const struct sample *s, struct oracle *o, const char *dir,
                    const struct oracle_build *b, unsigned char *seen, struct err *err) {
    struct str out = {0};
    char how[16];
    unsigned states, steps, ended;
    bool ok = build(s, dir, b, err) &&
              RUN(dir, &out, err, "./explore", o->steps, o->forged == BLIND ? "blind" : "all");
    if (ok && (sscanf(str_text(&out), "%15s %u %u %u", how, &states, &steps, &ended) != 4 ||
               !oracle_read(s, strchr(str_text(&out), '\n') + 1, seen)))
        ok = err_set(err, ERR_INTERNAL, "unexpected output of the oracle");
    if (ok) {
        o->complete = o->complete && str_same(how, "complete") && ended > 0;
        o->states += states;
        o->steps_done += steps;
        o->ended += ended;
    }
    str_free(&out);
    return ok;
}

bool oracle_run(const struct sample *s, struct oracle *o, struct arena *arena, struct err *err) {
    const char *dir = path_join(arena, o->dir, "oracle");
    assert(o->builds >= 1 && o->builds <= BUILDS);
    o->complete = !s->partial;
    o->any = arena_alloc(arena, s->marks.len);
    o->all = arena_alloc(arena, s->marks.len);
    memset(o->all, 0xff, s->marks.len);
    for (unsigned b = 0; b < o->builds; b++) {
        unsigned char *seen = arena_alloc(arena, s->marks.len);
        if (!explore(s, o, dir, &oracle_builds[(o->first + b) % BUILDS], seen, err))
            return false;
        for (size_t i = 0; i < s->marks.len; i++) {
            o->any[i] |= seen[i];
            o->all[i] &= seen[i];
        }
    }
    if (o->forged == CERTAIN)
        memset(o->any, 0xff, s->marks.len);
    return true;
}
