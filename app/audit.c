#include "app/audit.h"

#include "base/file.h"
#include "base/tool.h"
#include "engines/trim.h"
#include "instrument/cbmc.h"
#include "instrument/certificate.h"

#include <string.h>

enum { UNWIND = 64, SOLVER_TICKS = 100000000 };

bool audit_certificate(const struct audit_proof *proof, struct str *c_text, struct err *err) {
    struct certificate c = {
        .woven = proof->woven,
        .module = proof->module,
        .sys = proof->sys,
        .pointers = proof->lowered->pointers.data,
        .n_pointers = proof->lowered->pointers.len,
        .state = proof->lowered->state.data,
        .invariant = proof->invariant,
        .probes = proof->probes,
        .n_probes = proof->n_probes,
        .assumes = proof->assumes,
        .claims = proof->claims,
        .unwind = UNWIND,
    };
    if (certificate_write(&c, c_text, err))
        return true;
    str_clear(c_text);
    return false;
}

static enum cbmc_answer ask_cbmc(const struct audit_proof *proof, const char *certificate,
                                 struct str *detail) {
    struct arena arena = {0};
    struct str dir = {0}, path = {0};
    struct err err = {0};
    enum cbmc_answer answer = CBMC_NO_ANSWER;
    char *program = tool_cbmc(&arena);
    if (!program)
        str_add(detail, "CBMC is not installed");
    else if (file_temp_dir(&dir, &err)) {
        str_addf(&path, "%s/certificate.c", str_text(&dir));
        struct cbmc_run run = {.program = program,
                               .file = str_text(&path),
                               .ilp32 = proof->module->ilp32,
                               .char_is_unsigned = !proof->module->char_is_signed,
                               .unwind = UNWIND,
                               .seconds = proof->cbmc_seconds,
                               .memory_mb = proof->memory_mb};
        if (file_write(run.file, certificate, strlen(certificate), &err))
            answer = cbmc_verify(&run, detail);
        file_remove_tree(str_text(&dir));
    }
    str_add(detail, str_text(&err.message));
    err_clear(&err);
    str_free(&dir);
    str_free(&path);
    arena_free(&arena);
    return answer;
}

static void ask_solver(const struct audit_proof *proof, struct audit_result *result) {
    struct str what = {0};
    enum solver_result said = invariant_check(proof->sys, proof->invariant, SOLVER_TICKS, &what);
    if (said == SOLVER_UNSAT) {
        result->answer = AUDIT_CONFIRMED;
        result->checked_by = "solver";
        str_add(&result->detail, "; confirmed by a fresh solver");
    } else if (said == SOLVER_SAT) {
        result->answer = AUDIT_REFUTED;
        str_addf(&result->detail, "; the solver refutes the %s", str_text(&what));
    } else {
        str_addf(&result->detail, "; the solver does not decide the %s in time", str_text(&what));
    }
    str_free(&what);
}

void audit_check_proof(const struct audit_proof *proof, const char *certificate,
                       struct audit_result *result) {
    result->answer = AUDIT_UNDECIDED;
    result->checked_by = NULL;
    enum cbmc_answer answer = CBMC_NO_ANSWER;
    if (certificate && proof->cbmc_seconds > 0) {
        str_add(&result->detail, "CBMC: ");
        answer = ask_cbmc(proof, certificate, &result->detail);
    }
    if (answer == CBMC_SUCCESSFUL) {
        result->answer = AUDIT_CONFIRMED;
        result->checked_by = "cbmc";
    } else if (answer == CBMC_FAILED) {
        result->answer = AUDIT_REFUTED;
    } else if (proof->sys && !proof->cbmc_only) {
        ask_solver(proof, result);
    }
}

void audit_result_free(struct audit_result *result) {
    str_free(&result->detail);
}
