/* One process a question; the exit code, and the one word that is all of the output, have to fit
 * together. */
#include "app/audit/bitwuzla.h"

#include "base/child.h"
#include "base/sandbox/confine.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { QUESTION_SECONDS = 30, OUTPUT_LIMIT = 1 << 20, MOST_TOLD = 200 };

/* ---- one question ---- */

/* Its whole output, without blanks around. */
static bool is_word(const struct str *out, const char *word) {
    const char *text = str_text(out);
    text += strspn(text, " \t\r\n");
    size_t len = strlen(word);
    return strncmp(text, word, len) == 0 && text[len + strspn(text + len, " \t\r\n")] == '\0';
}

/* The first line of what it said. */
static void add_said(const struct child_result *result, struct str *detail) {
    const char *said = str_text(result->out.len ? &result->out : &result->err);
    size_t len = strcspn(said, "\n");
    if (len > 0)
        str_addf(detail, ", \"%.*s\"", (int)(len < MOST_TOLD ? len : MOST_TOLD), said);
}

static enum bitwuzla_answer judge(const struct child_spec *spec, const struct child_result *result,
                                  struct str *detail) {
    bool ended = result->end == CHILD_EXITED && result->code == 0;
    if (ended && is_word(&result->out, "unsat"))
        return BITWUZLA_UNSAT;
    if (ended && is_word(&result->out, "sat"))
        return BITWUZLA_SAT;
    child_end_text(spec, result, detail);
    add_said(result, detail);
    return BITWUZLA_NO_ANSWER;
}

/* False: it could not be started. */
static bool run(struct child_spec *spec, const struct bitwuzla_limits *limits,
                struct child_result *result, struct str *detail) {
    static const char *const nothing[] = {NULL};
    static const struct confine confine = {.reads = nothing};
    struct err err = {0};
    spec->confine = &confine;
    spec->wall_seconds = limits->seconds;
    spec->cpu_seconds = limits->cpu_seconds;
    spec->memory_mb = limits->memory_mb;
    spec->output_bytes = OUTPUT_LIMIT;
    bool ran = child_run(spec, result, &err);
    if (!ran)
        str_add(detail, str_text(&err.message));
    err_clear(&err);
    return ran;
}

enum bitwuzla_answer bitwuzla_ask(const struct bitwuzla *b, const struct str *text,
                                  const struct bitwuzla_limits *limits, struct str *detail) {
    const char *const argv[] = {b->program, NULL};
    struct child_spec spec = {.argv = argv, .input = text->data, .input_size = text->len};
    struct child_result result = {0};
    enum bitwuzla_answer word = BITWUZLA_NO_ANSWER;
    if (run(&spec, limits, &result, detail))
        word = judge(&spec, &result, detail);
    child_result_free(&result);
    return word;
}

/* ---- is it what it says? ---- */

static const struct bitwuzla_limits at_start = {.seconds = QUESTION_SECONDS};

/* "0.8.2" */
static bool ask_version(struct bitwuzla *b, struct str *detail) {
    const char *const argv[] = {b->program, "--version", NULL};
    struct child_spec spec = {.argv = argv};
    struct child_result result = {0};
    if (!run(&spec, &at_start, &result, detail))
        return false;
    const char *text = str_text(&result.out);
    int len = (int)strcspn(text, " \n");
    bool ended = result.end == CHILD_EXITED && result.code == 0;
    bool ok = ended && isdigit((unsigned char)text[0]) && len < (int)sizeof b->version;
    if (ok)
        snprintf(b->version, sizeof b->version, "%.*s", len, text);
    else if (ended)
        str_addf(detail, "says no version, but \"%.*s\"", (int)strcspn(text, "\n"), text);
    else
        child_end_text(&spec, &result, detail);
    child_result_free(&result);
    return ok;
}

/* A number below 3 and a float above it, which may be larger than 1 or than 4. */
static enum bitwuzla_answer ask_known(const struct bitwuzla *b, const char *than,
                                      struct str *detail) {
    struct str text = {0};
    str_addf(&text,
             "(set-logic QF_BVFP)\n(declare-const x (_ BitVec 32))\n"
             "(declare-const y (_ FloatingPoint 8 24))\n(assert (bvult x #x00000003))\n"
             "(assert (fp.lt ((_ to_fp_unsigned 8 24) RNE x) y))\n"
             "(assert (fp.lt y ((_ to_fp 8 24) RNE 3.0)))\n"
             "(assert (fp.gt y ((_ to_fp_unsigned 8 24) RNE %s)))\n(check-sat)\n",
             than);
    enum bitwuzla_answer word = bitwuzla_ask(b, &text, &at_start, detail);
    str_free(&text);
    return word;
}

bool bitwuzla_open(struct bitwuzla *b, const char *program, struct str *detail) {
    *b = (struct bitwuzla){.program = program};
    if (!program) {
        str_add(detail, "Bitwuzla is not installed");
        return false;
    }
    str_addf(detail, "%s: ", program);
    if (!ask_version(b, detail))
        return false;
    if (ask_known(b, "#x00000001", detail) != BITWUZLA_SAT) {
        str_add(detail, ": does not find a solution that there is");
        return false;
    }
    if (ask_known(b, "#x00000004", detail) != BITWUZLA_UNSAT) {
        str_add(detail, ": finds a solution where there is none");
        return false;
    }
    str_clear(detail);
    return true;
}
