#include "rivals.h"

#include "base/file.h"
#include "base/tool.h"
#include "engines/smtlib/print.h"
#include "print_c.h"

#include <stdio.h>
#include <string.h>

static bool z3_output(const char *argument, double seconds, struct str *out) {
    const char *argv[] = {"z3", argument, NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = seconds, .output_bytes = 1 << 20};
    struct child_result result;
    struct err err = {0};
    bool started = child_run(&spec, &result, &err);
    err_clear(&err);
    if (!started)
        return false;
    bool ended = result.end == CHILD_EXITED;
    str_add(out, str_text(&result.out));
    child_result_free(&result);
    return ended;
}

bool rivals_open(struct rivals *r, struct err *err) {
    struct str said = {0}, detail = {0};
    *r = (struct rivals){0};
    if (!file_temp_dir(&r->dir, err))
        return false;
    r->z3 = z3_output("--version", 20, &said) && str_starts(str_text(&said), "Z3");
    if (!cbmc_open(&r->cbmc, tool_cbmc(&r->arena), &detail))
        r->cbmc.program = NULL;
    str_free(&said);
    str_free(&detail);
    return true;
}

void rivals_close(struct rivals *r) {
    file_remove_tree(str_text(&r->dir));
    str_free(&r->dir);
    arena_free(&r->arena);
}

static bool put(struct rivals *r, const char *name, const struct str *text, struct str *path) {
    struct err err = {0};
    str_addf(path, "%s/%s", str_text(&r->dir), name);
    bool ok = file_write(str_text(path), str_text(text), text->len, &err);
    err_clear(&err);
    return ok;
}

enum solver_result rival_z3(struct rivals *r, const struct formula *f, double seconds) {
    struct str text = {0}, path = {0}, said = {0};
    enum solver_result result = SOLVER_UNKNOWN;
    if (print_smt(&f->ts, f->roots.data, f->roots.len, &text) && put(r, "z3.smt2", &text, &path) &&
        z3_output(str_text(&path), seconds, &said))
        result = str_starts(str_text(&said), "sat")     ? SOLVER_SAT
                 : str_starts(str_text(&said), "unsat") ? SOLVER_UNSAT
                                                        : SOLVER_UNKNOWN;
    str_free(&text);
    str_free(&path);
    str_free(&said);
    return result;
}

enum solver_result rival_cbmc(struct rivals *r, const struct formula *f, double seconds) {
    struct str text = {0}, path = {0}, said = {0};
    enum cbmc_answer answer = CBMC_NO_ANSWER;
    if (print_c(&f->ts, f->roots.data, f->roots.len, &text) && put(r, "cbmc.c", &text, &path)) {
        struct cbmc_run run = {
            .cbmc = &r->cbmc, .file = str_text(&path), .seconds = seconds, .memory_mb = 2000};
        answer = cbmc_verify(&run, &said);
    }
    str_free(&text);
    str_free(&path);
    str_free(&said);
    return answer == CBMC_FAILED       ? SOLVER_SAT
           : answer == CBMC_SUCCESSFUL ? SOLVER_UNSAT
                                       : SOLVER_UNKNOWN;
}
