/* export: evidence as files that run without Goalkeeper and without its database.
 *
 *     certificates/proof_1.c …   proof obligations; `make check` runs CBMC on all of them
 *     csv/goal_1.csv …           the inputs of each witness: step, input, value
 */
#include "app/command.h"
#include "base/file.h"
#include "db/rows.h"

#include <string.h>

struct exporter {
    struct arena arena;
    struct store *db;
    const char *dir;
};

static bool write_file(struct exporter *x, const char *name, const char *text, size_t size,
                       struct err *err) {
    return file_write_ours(path_join(&x->arena, x->dir, name), text, size, "oalkeeper", err);
}

static bool make_dir(struct exporter *x, const char *name, struct err *err) {
    return file_make_dirs(path_join(&x->arena, x->dir, name), err);
}

/* ---- certificates ---- */

static bool export_certificates(struct exporter *x, struct err *err) {
    struct str list = {0};
    bool ok = make_dir(x, "certificates", err);
    struct rows *r = ok ? rows_open(x->db,
                                    "SELECT id, certificate FROM proof WHERE certificate NOT NULL "
                                    "AND id IN (SELECT proof FROM goal) ORDER BY id",
                                    err)
                        : NULL;
    while (ok && rows_next(r)) {
        const char *name =
            arena_printf(&x->arena, "certificates/proof_%lld.c", (long long)rows_int(r, 0));
        str_addf(&list, " proof_%lld.c", (long long)rows_int(r, 0));
        ok = write_file(x, name, rows_text(r, 1), strlen(rows_text(r, 1)), err);
    }
    ok = rows_close(r, err) && ok;
    struct str makefile = {0};
    str_addf(
        &makefile,
        "# Written by Goalkeeper: re-checks every proof with stock CBMC. The command stands in "
        "each file.\nCBMC = cbmc\nPROOFS =%s\n\ncheck: $(PROOFS:.c=.checked)\n\n"
        "%%.checked: %%.c\n\t$(CBMC) $$(sed -n 's/^ \\* Check: cbmc \\(.*\\) FILE$$/\\1/p' "
        "$<) $<\n\n.PHONY: check\n",
        str_text(&list));
    ok = ok && write_file(x, "certificates/Makefile", str_text(&makefile), makefile.len, err);
    str_free(&makefile);
    str_free(&list);
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

static bool export_tests(struct exporter *x, const struct options *o, struct err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < o->tests.len; i++)
        if (strcmp(o->tests.data[i], "csv") == 0)
            ok = export_csv(x, err);
        else
            ok = err_set(err, ERR_USAGE, "tests of kind '%s' are not part of this build",
                         o->tests.data[i]);
    return ok;
}

int cmd_export(const struct options *o) {
    struct err err = {0};
    struct exporter x = {.dir = o->output};
    bool ok = o->output || err_set(&err, ERR_USAGE, "export: where to? Give a folder with -o PATH");
    ok = ok && store_open(&x.db, options_database(o), STORE_READ, &err) &&
         file_make_dirs(x.dir, &err);
    if (ok && o->certificates)
        ok = export_certificates(&x, &err);
    if (ok && (option_given(o, OPT_tests) || !o->certificates))
        ok = export_tests(&x, o, &err);
    store_close(x.db);
    arena_free(&x.arena);
    return ok ? 0 : command_fail(&err);
}
