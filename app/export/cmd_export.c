/* export: evidence as files that run without Goalkeeper and without its database.
 *
 *     certificates/proof_1.c …   proof obligations; `make check` runs CBMC on all of them
 *     smt2/proof_1_safety.smt2 … the same as questions for an SMT solver
 *     acsl/proof_1.c …           the same as annotations that Frama-C proves
 *     mcdc/mcdc.md …             dead goals of MC/DC with truth tables, reasons, proofs
 *     plain/witness_1.c …        tests of the program as it is; `make check` runs all, `make suite`
 *     unity/witness_1.c …        as many as needed, `make coverage` measures; unity/ for Unity
 *     csv/goal_1.csv …           the inputs of each witness: step, input, value
 */
#include "app/cli/command.h"
#include "app/export/acsl.h"
#include "app/export/makefile.h"
#include "app/export/mcdc.h"
#include "app/export/obligations.h"
#include "app/export/witness.h"
#include "base/file.h"
#include "db/rows.h"

#include <assert.h>
#include <string.h>

struct exporter {
    struct arena arena;
    struct store *db;
    const char *dir;
    struct log *log;
    struct runs runs;
};

static bool write_file(struct exporter *x, const char *name, const char *text, size_t size,
                       struct err *err) {
    assert(x->dir && name[0] != '/' && size > 0);
    return file_write_ours(path_join(&x->arena, x->dir, name), text, size, "oalkeeper", err);
}

static bool make_dir(struct exporter *x, const char *name, struct err *err) {
    assert(x->db && x->dir);
    return file_make_dirs(path_join(&x->arena, x->dir, name), err);
}

/* ---- certificates ---- */

static bool export_certificate(struct exporter *x, int64_t proof, const char *kind,
                               struct str *list, struct err *err) {
    struct str text = {0};
    bool ok = store_certificate(x->db, proof, &text, err);
    if (ok && text.len > 0) {
        const char *name =
            arena_printf(&x->arena, "certificates/%s_%lld.c", kind, (long long)proof);
        str_addf(list, " %s_%lld.c", kind, (long long)proof);
        ok = strstr(str_text(&text), FILE_MARK) ||
             err_set(err, ERR_EVIDENCE, "the certificate of %s %lld in the database is damaged",
                     kind, (long long)proof);
        ok = ok && write_file(x, name, str_text(&text), text.len, err);
    } else if (ok && str_same(kind, "proof")) {
        log_warning(x->log,
                    "proof %lld has no certificate: it is about loops that the model keeps, and "
                    "CBMC unrolls them",
                    (long long)proof);
    }
    str_free(&text);
    return ok;
}

static bool export_all_of(struct exporter *x, const char *kind, const char *sql, struct str *list,
                          struct err *err) {
    struct rows *r = rows_open(x->db, sql, err);
    bool ok = r != NULL;
    while (ok && rows_next(r))
        ok = export_certificate(x, rows_int(r, 0), kind, list, err);
    return rows_close(r, err) && ok;
}

static bool export_certificates(struct exporter *x, struct err *err) {
    struct str list = {0}, reasons = {0};
    bool ok = make_dir(x, "certificates", err) &&
              export_all_of(x, "proof",
                            "SELECT id FROM proof WHERE id IN (SELECT proof FROM goal WHERE status "
                            "= 'dead') ORDER BY id",
                            &list, err) &&
              export_all_of(x, "reason",
                            "SELECT DISTINCT r.proof FROM reason_proof r JOIN goal g ON g.id = "
                            "r.goal AND g.status = 'dead' ORDER BY 1",
                            &reasons, err);
    struct str makefile = {0};
    str_addf(
        &makefile,
        "# Written by Goalkeeper: re-checks every proof with stock CBMC. The command stands in "
        "each file.\nCBMC = cbmc\nPROOFS =%s\n# The same cut down; 'make minimal' fails where more "
        "of one could be left out.\nREASONS =%s\n"
        "ARGUMENTS = $$(sed -n 's/^ \\* Check: cbmc \\(.*\\) FILE$$/\\1/p' $<)\n\n"
        "check: $(PROOFS:.c=.checked) $(REASONS:.c=.checked)\n"
        "minimal: $(REASONS:.c=.minimal)\n\n"
        "%%.checked: %%.c\n\t$(CBMC) $(ARGUMENTS) $<\n\n"
        "%%.minimal: %%.c\n\tfor n in $$(seq 1 0$$(sed -n 's/^ \\* Minimal: .* 1 to "
        "\\([0-9]*\\),.*/\\1/p' $<)); do \\\n\t    $(CBMC) -D GK_DROP=$$n $(ARGUMENTS) $< | grep "
        "-q "
        "'VERIFICATION FAILED' || exit 1; done\n\n.PHONY: check minimal\n",
        str_text(&list), str_text(&reasons));
    ok = ok && write_file(x, "certificates/Makefile", str_text(&makefile), makefile.len, err);
    str_free(&makefile);
    str_free(&list);
    str_free(&reasons);
    return ok;
}

/* ---- witnesses ---- */

static void add_field(struct str *out, const char *text) {
    bool quote = strpbrk(text, ",\"\r\n") != NULL;
    if (quote)
        str_addc(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            str_addc(out, '"');
        str_addc(out, *text);
    }
    if (quote)
        str_addc(out, '"');
}

static bool export_witness(struct exporter *x, int64_t goal, struct err *err) {
    struct str text = {0};
    struct rows *r = rows_open(
        x->db, "SELECT step, input, value FROM witness_step WHERE goal_id = ?1 ORDER BY step", err);
    rows_bind_int(r, 1, goal);
    str_add(&text, "# Written by Goalkeeper\r\nstep,input,value\r\n");
    while (rows_next(r)) {
        str_addf(&text, "%lld,", (long long)rows_int(r, 0));
        add_field(&text, rows_text(r, 1));
        str_addf(&text, ",%s\r\n", rows_text(r, 2));
    }
    bool ok = rows_close(r, err) &&
              write_file(x, arena_printf(&x->arena, "csv/goal_%lld.csv", (long long)goal),
                         str_text(&text), text.len, err);
    str_free(&text);
    return ok;
}

static bool export_csv(struct exporter *x, struct err *err) {
    bool ok = make_dir(x, "csv", err);
    struct rows *r =
        ok ? rows_open(x->db, "SELECT id FROM goal WHERE status = 'reachable' ORDER BY id", err)
           : NULL;
    while (ok && rows_next(r))
        ok = export_witness(x, rows_int(r, 0), err);
    return rows_close(r, err) && ok;
}

/* ---- tests of the program ---- */

static bool write_index(struct exporter *x, const char *folder, struct err *err) {
    struct str text = {0};
    str_add(&text,
            "# Written by Goalkeeper: which test hits which goal\ngoal,key,test,problem\r\n");
    struct rows *r = rows_open(
        x->db, "SELECT id, key, witness, probe FROM goal WHERE status = 'reachable' ORDER BY id",
        err);
    while (rows_next(r)) {
        const struct run *own = runs_find(&x->runs, rows_int(r, 2));
        const struct run *test = runs_test_of(&x->runs, rows_int(r, 2), (uint32_t)rows_int(r, 3));
        str_addf(&text, "%lld,%s,", (long long)rows_int(r, 0), rows_text(r, 1));
        if (test)
            str_addf(&text, "witness_%lld,", (long long)test->witness);
        else
            str_add(&text, ",");
        if (!test)
            add_field(&text, own && own->problem ? own->problem : "no test can give its values");
        str_add(&text, "\r\n");
    }
    bool ok = rows_close(r, err) && write_file(x, arena_printf(&x->arena, "%s/goals.csv", folder),
                                               str_text(&text), text.len, err);
    str_free(&text);
    return ok;
}

static bool write_test(struct exporter *x, const char *folder, const struct run *run,
                       enum test_form form, struct err *err) {
    struct str text = {0};
    assert(!run->problem && run->witness > 0);
    const char *name =
        arena_printf(&x->arena, "%s/witness_%lld.c", folder, (long long)run->witness);
    bool ok = test_text(&x->runs, run, form, &text, err) &&
              write_file(x, name, str_text(&text), text.len, err);
    str_free(&text);
    return ok;
}

static bool export_programs(struct exporter *x, const char *folder, enum test_form form,
                            struct err *err) {
    struct str makefile = {0};
    bool ok = make_dir(x, folder, err);
    for (size_t i = 0; ok && i < x->runs.list.len; i++)
        if (!x->runs.list.data[i].problem)
            ok = write_test(x, folder, &x->runs.list.data[i], form, err);
    ok = ok && test_makefile(&x->runs, form, &makefile, err) &&
         write_file(x, arena_printf(&x->arena, "%s/Makefile", folder), str_text(&makefile),
                    makefile.len, err) &&
         write_index(x, folder, err);
    str_free(&makefile);
    return ok;
}

static void tell(const struct exporter *x, struct log *log) {
    size_t tests = 0, suite = 0;
    for (size_t i = 0; i < x->runs.list.len; i++) {
        const struct run *run = &x->runs.list.data[i];
        tests += !run->problem;
        suite += run->in_suite;
        assert(!run->problem || !run->in_suite);
        if (run->problem)
            log_warning(log, "no test from witness %lld: %s", (long long)run->witness,
                        run->problem);
    }
    assert(suite <= tests);
    log_note(log, "%zu tests, of which %zu are enough for all goals that they hit", tests, suite);
}

static bool wants(const struct texts *list, const char *what) {
    bool found = false;
    for (size_t i = 0; i < list->len; i++)
        found |= str_same(list->data[i], what);
    return found;
}

static bool wants_programs(const struct options *o) {
    for (size_t i = 0; i < o->tests.len; i++)
        if (strcmp(o->tests.data[i], "csv") != 0)
            return true;
    return false;
}

static bool export_tests(struct exporter *x, const struct options *o, struct err *err) {
    bool ok = true;
    if (wants_programs(o)) {
        ok = runs_open(&x->runs, options_database(o), err);
        if (ok) {
            runs_choose_suite(&x->runs);
            tell(x, o->log);
        }
    }
    for (size_t i = 0; ok && i < o->tests.len; i++)
        if (strcmp(o->tests.data[i], "csv") == 0)
            ok = export_csv(x, err);
        else
            ok = export_programs(x, o->tests.data[i],
                                 strcmp(o->tests.data[i], "unity") == 0 ? TEST_UNITY : TEST_PLAIN,
                                 err);
    runs_close(&x->runs);
    return ok;
}

int cmd_export(const struct options *o) {
    struct err err = {0};
    struct exporter x = {.dir = o->output, .log = o->log};
    bool ok = o->output || err_set(&err, ERR_USAGE, "export: where to? Give a folder with -o PATH");
    ok = ok && store_open(&x.db, options_database(o), STORE_READ, &err) &&
         file_make_dirs(x.dir, &err);
    if (ok && (o->certificates || wants(&o->evidence, "cbmc")))
        ok = export_certificates(&x, &err);
    if (ok && wants(&o->evidence, "smt2"))
        ok = make_dir(&x, "smt2", &err) &&
             obligations_export(options_database(o), OBLIGATIONS_SMT2,
                                path_join(&x.arena, x.dir, "smt2"), o->log, &err);
    if (ok && wants(&o->evidence, "btor2"))
        ok = make_dir(&x, "btor2", &err) &&
             obligations_export(options_database(o), OBLIGATIONS_BTOR2,
                                path_join(&x.arena, x.dir, "btor2"), o->log, &err);
    if (ok && wants(&o->evidence, "acsl"))
        ok = make_dir(&x, "acsl", &err) &&
             acsl_export(x.db, path_join(&x.arena, x.dir, "acsl"), o->log, &err);
    if (ok && wants(&o->evidence, "witness"))
        ok = make_dir(&x, "witness", &err) &&
             witness_export(options_database(o), path_join(&x.arena, x.dir, "witness"), o->log,
                            &err);
    if (ok && wants(&o->evidence, "mcdc"))
        ok = make_dir(&x, "mcdc", &err) &&
             mcdc_export(x.db, path_join(&x.arena, x.dir, "mcdc"), &err);
    if (ok && (option_given(o, OPT_tests) || (!o->certificates && o->evidence.len == 0)))
        ok = export_tests(&x, o, &err);
    store_close(x.db);
    arena_free(&x.arena);
    return ok ? 0 : command_fail(&err);
}
