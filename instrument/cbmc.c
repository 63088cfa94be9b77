#include "instrument/cbmc.h"

#include "base/child.h"
#include "base/file.h"

#include <stdio.h>
#include <string.h>

enum { OUTPUT_LIMIT = 256 << 20, SUCCESS_CODE = 0, FAILED_CODE = 10 };

static bool is_about_unwinding(const char *line, size_t len) {
    static const char words[] = "unwinding assertion";
    return memmem(line, len, words, sizeof words - 1) != NULL;
}

/* "[main.assertion.3] line 7 clause 2 …: FAILURE" lines, a few of them are told. Returns how many
 * say more than that a loop was not followed to its end. */
static size_t add_failures(const char *text, struct str *detail) {
    size_t told = 0, real = 0;
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *end = strchr(line, '\n');
        size_t len = end ? (size_t)(end - line) : strlen(line);
        if (len <= 9 || line[0] != '[' || memcmp(line + len - 9, ": FAILURE", 9) != 0)
            continue;
        real += !is_about_unwinding(line, len);
        if (told++ < 5)
            str_addf(detail, "%s%.*s", told > 1 ? "; " : ": ", (int)len, line);
    }
    return real;
}

static enum cbmc_answer judge(const struct child_spec *spec, const struct child_result *result,
                              struct str *detail) {
    const char *text = str_text(&result->out);
    bool ended = result->end == CHILD_EXITED;
    if (ended && result->code == SUCCESS_CODE && strstr(text, "VERIFICATION SUCCESSFUL") &&
        !strstr(text, "VERIFICATION FAILED")) {
        str_addf(detail, "VERIFICATION SUCCESSFUL in %.1f s", result->wall_seconds);
        return CBMC_SUCCESSFUL;
    }
    if (ended && result->code == FAILED_CODE && strstr(text, "VERIFICATION FAILED") &&
        !strstr(text, "VERIFICATION SUCCESSFUL")) {
        struct str failures = {0};
        size_t real = add_failures(text, &failures);
        str_addf(detail, "%s%s",
                 real ? "VERIFICATION FAILED" : "no answer: loops run longer than it was told",
                 str_text(&failures));
        str_free(&failures);
        return real ? CBMC_FAILED : CBMC_UNWIND;
    }
    str_add(detail, "no answer: ");
    child_end_text(spec, result, detail);
    if (result->err.len)
        str_addf(detail, "; %.200s", str_text(&result->err));
    return CBMC_NO_ANSWER;
}

enum cbmc_answer cbmc_verify(const struct cbmc_run *run, struct str *detail) {
    char unwind[16];
    const char *argv[16];
    int n = 0;
    snprintf(unwind, sizeof unwind, "%u", run->unwind);
    argv[n++] = run->program;
    argv[n++] = "--no-standard-checks";
    argv[n++] = run->ilp32 ? "--32" : "--64";
    if (run->char_is_unsigned)
        argv[n++] = "--unsigned-char";
    if (run->unwind) {
        argv[n++] = "--unwind";
        argv[n++] = unwind;
        argv[n++] = "--unwinding-assertions";
    }
    argv[n++] = "--slice-formula";
    argv[n++] = run->file;
    argv[n] = NULL;
    struct child_spec spec = {.argv = argv,
                              .wall_seconds = run->seconds,
                              .memory_mb = run->memory_mb,
                              .output_bytes = OUTPUT_LIMIT};
    struct child_result result;
    struct err err = {0};
    if (!child_run(&spec, &result, &err)) {
        str_addf(detail, "no answer: %s", str_text(&err.message));
        err_clear(&err);
        return CBMC_NO_ANSWER;
    }
    enum cbmc_answer answer = judge(&spec, &result, detail);
    child_result_free(&result);
    return answer;
}

static enum cbmc_answer ask_text(const char *program, const char *dir, const char *text,
                                 struct str *detail) {
    struct str path = {0};
    struct err err = {0};
    enum cbmc_answer answer = CBMC_NO_ANSWER;
    str_addf(&path, "%s/question.c", dir);
    if (file_write(str_text(&path), text, strlen(text), &err)) {
        struct cbmc_run run = {
            .program = program, .file = str_text(&path), .ilp32 = true, .seconds = 30};
        answer = cbmc_verify(&run, detail);
    }
    err_clear(&err);
    str_free(&path);
    return answer;
}

bool cbmc_trustworthy(const char *program, struct str *detail) {
    static const char truth[] =
        "int nondet_int(void);\nint main(void) {\n    int x = nondet_int();\n"
        "    __CPROVER_assume(x > 3);\n"
        "    __CPROVER_assert(x > 2, \"true\");\n}\n";
    static const char falsehood[] = "int nondet_int(void);\nint main(void) {\n"
                                    "    int x = nondet_int();\n    __CPROVER_assume(x > 3);\n"
                                    "    __CPROVER_assert(x > 4, \"false\");\n}\n";
    struct str dir = {0}, said = {0};
    struct err err = {0};
    bool ok = file_temp_dir(&dir, &err);
    if (ok && ask_text(program, str_text(&dir), truth, &said) != CBMC_SUCCESSFUL) {
        str_addf(detail, "it does not confirm a true assertion: %s", str_text(&said));
        ok = false;
    }
    str_clear(&said);
    if (ok && ask_text(program, str_text(&dir), falsehood, &said) != CBMC_FAILED) {
        str_addf(detail, "it does not refute a false assertion: %s", str_text(&said));
        ok = false;
    }
    if (dir.len)
        file_remove_tree(str_text(&dir));
    err_clear(&err);
    str_free(&dir);
    str_free(&said);
    return ok;
}
