/* The exit code, the verdict line and the list of failures are read apart and have to agree; the
 * version and a few questions with known answers come first. */
#include "instrument/cbmc/cbmc.h"

#include "base/file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { OUTPUT_LIMIT = 256 << 20, SUCCESS_CODE = 0, FAILED_CODE = 10, QUESTION_SECONDS = 30 };

static bool is_about_unwinding(const char *line, size_t len) {
    static const char words[] = "unwinding assertion";
    return memmem(line, len, words, sizeof words - 1) != NULL;
}

/* A function of the C library that this CBMC does not know: it goes on with any result, and what
 * fails then refutes nothing. */
static bool is_about_a_body(const char *line, size_t len) {
    static const char words[] = "no body for callee";
    return memmem(line, len, words, sizeof words - 1) != NULL;
}

/* "[main.assertion.3] line 7 clause 2 …: FAILURE" lines, a few of them are told. CBMC_UNWIND when
 * there are some and all of them say only that a loop was not followed to its end. */
static enum cbmc_answer add_failures(const char *text, struct str *all, struct str *detail) {
    size_t told = 0, unwinding = 0, unknown = 0;
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *end = strchr(line, '\n');
        size_t len = end ? (size_t)(end - line) : strlen(line);
        if (len <= 9 || line[0] != '[' || memcmp(line + len - 9, ": FAILURE", 9) != 0)
            continue;
        unwinding += is_about_unwinding(line, len);
        unknown += is_about_a_body(line, len);
        if (all)
            str_addf(all, "%.*s\n", (int)len, line);
        if (told++ < 5)
            str_addf(detail, "%s%.*s", told > 1 ? "; " : ": ", (int)len, line);
    }
    if (unknown)
        return CBMC_NO_ANSWER;
    return told > 0 && unwinding == told ? CBMC_UNWIND : CBMC_FAILED;
}

static enum cbmc_answer judge(const struct child_spec *spec, const struct child_result *result,
                              struct str *all, struct str *detail) {
    const char *text = str_text(&result->out);
    bool ended = result->end == CHILD_EXITED;
    if (ended && result->code == SUCCESS_CODE && strstr(text, "VERIFICATION SUCCESSFUL") &&
        !strstr(text, "VERIFICATION FAILED")) {
        str_addf(detail, "VERIFICATION SUCCESSFUL in %.1f s", result->wall_seconds);
        return CBMC_SUCCESSFUL;
    }
    if (ended && result->code == FAILED_CODE && strstr(text, "VERIFICATION FAILED") &&
        !strstr(text, "VERIFICATION SUCCESSFUL")) {
        static const char *const verdicts[] = {[CBMC_NO_ANSWER] = "no answer: it lacks a function",
                                               [CBMC_FAILED] = "VERIFICATION FAILED",
                                               [CBMC_UNWIND] =
                                                   "no answer: loops run longer than it was told"};
        struct str failures = {0};
        enum cbmc_answer answer = add_failures(text, all, &failures);
        str_addf(detail, "%s%s", verdicts[answer], str_text(&failures));
        str_free(&failures);
        return answer;
    }
    str_add(detail, "no answer: ");
    child_end_text(spec, result, detail);
    if (result->err.len)
        str_addf(detail, "; %.200s", str_text(&result->err));
    return CBMC_NO_ANSWER;
}

/* Since version 6 checks for undefined behaviour are on unless they are switched off. */
int cbmc_arguments(const struct cbmc_run *run, const char *argv[CBMC_ARGUMENTS], char number[16]) {
    static const char *const checks[] = {"--bounds-check", "--pointer-check", "--div-by-zero-check",
                                         "--undefined-shift-check", "--conversion-check"};
    int n = 0;
    assert(run->cbmc && run->file);
    argv[n++] = run->cbmc->program;
    if (run->cbmc->major >= 6)
        argv[n++] = "--no-standard-checks";
    argv[n++] = run->ilp32 ? "--32" : "--64";
    argv[n++] = "--little-endian";
    if (run->char_is_unsigned)
        argv[n++] = "--unsigned-char";
    if (run->unwind) {
        snprintf(number, 16, "%u", run->unwind);
        argv[n++] = "--unwind";
        argv[n++] = number;
        argv[n++] = "--unwinding-assertions";
    }
    for (size_t i = 0; run->checks && i < sizeof checks / sizeof *checks; i++)
        argv[n++] = checks[i];
    argv[n++] = "--slice-formula";
    argv[n++] = run->file;
    assert(n < CBMC_ARGUMENTS);
    return n;
}

const struct confine *cbmc_confine(struct cbmc_confine *c, const char *file) {
    *c = (struct cbmc_confine){0};
    c->reads[0] = path_dir(&c->arena, file);
    c->confine = (struct confine){.reads = c->reads, .writes = c->reads[0]};
    return &c->confine;
}

enum cbmc_answer cbmc_verify(const struct cbmc_run *run, struct str *detail) {
    char number[16];
    const char *argv[CBMC_ARGUMENTS];
    argv[cbmc_arguments(run, argv, number)] = NULL;
    struct cbmc_confine confine;
    struct child_spec spec = {.argv = argv,
                              .confine = cbmc_confine(&confine, run->file),
                              .wall_seconds = run->seconds,
                              .cpu_seconds = run->cpu_seconds,
                              .memory_mb = run->memory_mb,
                              .output_bytes = OUTPUT_LIMIT};
    struct child_result result;
    struct err err = {0};
    bool ran = child_run(&spec, &result, &err);
    arena_free(&confine.arena);
    if (!ran) {
        str_addf(detail, "no answer: %s", str_text(&err.message));
        err_clear(&err);
        return CBMC_NO_ANSWER;
    }
    enum cbmc_answer answer = judge(&spec, &result, run->failures, detail);
    child_result_free(&result);
    return answer;
}

/* ---- is it what it says? ---- */

/* "6.6.0 (cbmc-6.6.0)", "5.12 (cbmc-5.12)" */
static bool read_version(struct cbmc *cbmc, const char *text) {
    int used = 0;
    if (sscanf(text, "%d.%d%n", &cbmc->major, &cbmc->minor, &used) != 2 || used == 0)
        return false;
    size_t len = strcspn(text, " \n");
    snprintf(cbmc->version, sizeof cbmc->version, "%.*s", (int)(len < 30 ? len : 30), text);
    return true;
}

static bool ask_version(struct cbmc *cbmc, struct str *detail) {
    const char *argv[] = {cbmc->program, "--version", NULL};
    const char *const nothing[] = {NULL};
    const struct confine confine = {.reads = nothing};
    struct child_spec spec = {.argv = argv,
                              .confine = &confine,
                              .wall_seconds = QUESTION_SECONDS,
                              .output_bytes = 1 << 20};
    struct child_result result;
    struct err err = {0};
    if (!child_run(&spec, &result, &err)) {
        str_add(detail, str_text(&err.message));
        err_clear(&err);
        return false;
    }
    bool ended = result.end == CHILD_EXITED && result.code == 0;
    bool ok = ended && read_version(cbmc, str_text(&result.out));
    if (!ended) {
        const char *said = str_text(&result.err);
        str_add(detail, "asked for its version: ");
        child_end_text(&spec, &result, detail);
        str_addf(detail, "%s%.*s", said[0] ? ": " : "", (int)strcspn(said, "\n"), said);
    } else if (!ok) {
        str_addf(detail, "says no version, but \"%.*s\"", (int)strcspn(str_text(&result.out), "\n"),
                 str_text(&result.out));
    }
    child_result_free(&result);
    if (ok && (cbmc->major < 5 || (cbmc->major == 5 && cbmc->minor < 12))) {
        str_addf(detail, "version %s is too old: 5.12 or newer is needed", cbmc->version);
        return false;
    }
    return ok;
}

static enum cbmc_answer ask_text(const struct cbmc *cbmc, const char *dir, const char *text,
                                 struct str *detail) {
    struct str path = {0};
    struct err err = {0};
    enum cbmc_answer answer = CBMC_NO_ANSWER;
    str_addf(&path, "%s/question.c", dir);
    if (file_write(str_text(&path), text, strlen(text), &err)) {
        struct cbmc_run run = {
            .cbmc = cbmc, .file = str_text(&path), .ilp32 = true, .seconds = QUESTION_SECONDS};
        answer = cbmc_verify(&run, detail);
    } else {
        str_add(detail, str_text(&err.message));
    }
    err_clear(&err);
    str_free(&path);
    return answer;
}

static bool answers_truly(const struct cbmc *cbmc, const char *dir, struct str *detail) {
    static const char head[] = "int nondet_int(void);\nint main(void) {\n"
                               "    int x = nondet_int();\n    __CPROVER_assume(x > 3);\n"
                               "    __CPROVER_assert(";
    struct str truth = {0}, falsehood = {0}, said = {0};
    str_addf(&truth, "%sx > 2, \"true\");\n}\n", head);
    str_addf(&falsehood, "%sx > 4, \"false\");\n}\n", head);
    bool ok = ask_text(cbmc, dir, str_text(&truth), &said) == CBMC_SUCCESSFUL;
    if (!ok)
        str_addf(detail, "does not confirm a true assertion: %s", str_text(&said));
    str_clear(&said);
    if (ok && ask_text(cbmc, dir, str_text(&falsehood), &said) != CBMC_FAILED) {
        str_addf(detail, "does not refute a false assertion: %s", str_text(&said));
        ok = false;
    }
    str_free(&truth);
    str_free(&falsehood);
    str_free(&said);
    return ok;
}

bool cbmc_open(struct cbmc *cbmc, const char *program, struct str *detail) {
    struct str dir = {0};
    struct err err = {0};
    *cbmc = (struct cbmc){.program = program};
    if (!program) {
        str_add(detail, "CBMC is not installed");
        return false;
    }
    str_addf(detail, "%s ", program);
    bool ok = ask_version(cbmc, detail);
    if (ok && !file_temp_dir(&dir, &err)) {
        str_add(detail, str_text(&err.message));
        ok = false;
    }
    ok = ok && answers_truly(cbmc, str_text(&dir), detail);
    if (dir.len)
        file_remove_tree(str_text(&dir));
    if (ok)
        str_clear(detail);
    err_clear(&err);
    str_free(&dir);
    return ok;
}
