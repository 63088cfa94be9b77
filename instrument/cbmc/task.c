/* Calls are found in the text (task_calls.h) and written otherwise in place, behind a prologue. An
 * error that is reached is asked for once more with all checks on, since a run that does what C
 * leaves open may not be one of the program. */
#include "instrument/cbmc/task.h"

#include "base/file.h"
#include "instrument/cbmc/goals.h"
#include "instrument/syntax/task_calls.h"

#include <assert.h>
#include <string.h>

/* The two names in front of `(` take the arguments with them. A value that is called bool is 0 or 1
 * whatever its type is. */
static const char prologue[] =
    "static void gk_reached(void) {\n"
    "    __CPROVER_assert(0, \"gk 0\");\n    __CPROVER_assume(0);\n}\n"
    "static void gk_check(_Bool holds) {\n    if (!holds)\n        gk_reached();\n}\n"
    "#define gk_error(...) gk_reached()\n"
    "#define gk_assert(condition, ...) gk_check((condition) != 0)\n"
    "#define gk_assume(condition, ...) __CPROVER_assume((condition) != 0)\n"
    "#define gk_nothing()\n"
    "#define gk_value(name) \\\n"
    "    ({ __typeof__(name()) gk_taken_0 = name(); gk_taken_0; }) gk_nothing\n"
    "#define gk_truth(name) \\\n"
    "    ({ __typeof__(name()) gk_taken_0 = name(); \\\n"
    "       __CPROVER_assume(gk_taken_0 == 0 || gk_taken_0 == 1); gk_taken_0; }) gk_nothing\n";

static const char *word_for(enum task_call_kind kind) {
    switch (kind) {
    case TASK_ERROR:
    case TASK_ASSERT_FAIL:
        return "gk_error";
    case TASK_ASSERT:
        return "gk_assert";
    case TASK_ASSUME:
        return "gk_assume";
    case TASK_INPUT:
    case TASK_FOREIGN:
    case TASK_NO_CALL:
        break;
    }
    return NULL;
}

static void write_call(const char *woven, struct task_call call, struct str *out) {
    const char *word = word_for(call.kind);
    if (word) {
        str_add(out, word);
        return;
    }
    struct str name = {0};
    str_addn(&name, woven + call.begin, call.end - call.begin);
    const char *type = task_input_type(str_text(&name));
    bool truth = type && (str_same(type, "bool") || str_same(type, "_Bool"));
    if (type)
        str_addf(out, "%s(%s)", truth ? "gk_truth" : "gk_value", str_text(&name));
    else
        str_add(out, str_text(&name));
    str_free(&name);
}

void cbmc_task_write(const char *woven, struct str *out) {
    struct task_calls calls = {0};
    size_t at = 0;
    task_calls_find(&calls, woven);
    str_add(out, prologue);
    for (size_t i = 0; i < calls.len; i++) {
        assert(calls.data[i].begin >= at);
        str_addn(out, woven + at, calls.data[i].begin - at);
        write_call(woven, calls.data[i], out);
        at = calls.data[i].end;
    }
    str_add(out, woven + at);
    vec_free(&calls);
}

bool cbmc_task_ask(const struct cbmc_run *run, const char *woven, struct cbmc_output *answer,
                   struct str *detail) {
    struct str text = {0};
    cbmc_task_write(woven, &text);
    bool ok = cbmc_run_text(run, str_text(&text), answer, detail);
    str_free(&text);
    return ok;
}

static bool hits(const struct cbmc_output *answer) {
    const struct cbmc_property *p = cbmc_output_find(answer, 0);
    return p && p->status == CBMC_FAILURE;
}

/* Once more, with everything checked that C leaves open: where that can happen first, CBMC's run
 * may not be one of the program. */
static enum cbmc_answer doubt(const struct cbmc_run *run, const char *woven, struct str *detail) {
    struct cbmc_run strict = *run;
    struct cbmc_output answer;
    strict.checks = true;
    bool ok = cbmc_task_ask(&strict, woven, &answer, detail);
    bool meant = ok && hits(&answer) && !answer.other_failed;
    str_add(detail, meant ? "VERIFICATION FAILED: the error is reached"
                          : "no answer: a run to the error may do before what C leaves open");
    cbmc_output_free(&answer);
    return meant ? CBMC_FAILED : CBMC_NO_ANSWER;
}

enum cbmc_answer cbmc_task_verify(const struct cbmc_run *run, const char *woven,
                                  struct str *detail) {
    struct cbmc_output answer;
    enum cbmc_answer said = CBMC_NO_ANSWER;
    bool ok = cbmc_task_ask(run, woven, &answer, detail);
    if (ok && hits(&answer)) {
        said = doubt(run, woven, detail);
    } else if (ok && answer.success) {
        said = CBMC_SUCCESSFUL;
        str_add(detail, "VERIFICATION SUCCESSFUL");
    } else if (ok && answer.unwinding_failed && !answer.other_failed) {
        said = CBMC_UNWIND;
        str_addf(detail, "no answer: loops run longer than %u iterations", run->unwind);
    }
    cbmc_output_free(&answer);
    return said;
}
