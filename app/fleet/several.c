/* Each command is called once a module with its own options; the worst exit code counts. */
#include "app/fleet/several.h"

#include "app/cli/one.h"
#include "app/cli/print_rows.h"
#include "app/fleet/overview.h"
#include "base/file.h"
#include "db/many.h"
#include "report/component/join.h"
#include "report/escape.h"
#include "report/report.h"

#include <stdio.h>
#include <string.h>

/* A contradiction says more than wrong input, and that more than a gate that does not pass. */
static int worse(int a, int b) {
    static const int order[] = {ERR_INTERNAL, ERR_EVIDENCE, ERR_USAGE, ERR_SOURCE, ERR_GATE};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (a == order[i] || b == order[i])
            return order[i];
    return a ? a : b;
}

static void print_text(struct str *text) {
    fputs(str_text(text), stdout);
    fflush(stdout);
    str_clear(text);
}

/* ---- status, query ---- */

static void print_overview(const struct component *c, const char *format, struct str *text) {
    if (str_same(format, "json"))
        component_json(c, text);
    else if (str_same(format, "csv"))
        component_csv(c, text);
    else
        component_text(c, text);
    print_text(text);
}

int several_status(const struct options *o) {
    struct overview v = {0};
    struct err err = {0};
    struct str text = {0};
    int code = overview_make(&v, o, &err) ? 0 : command_fail(&err);
    if (!code)
        print_overview(&v.component, o->format, &text);
    for (size_t i = 0; !code && str_same(o->format, "table") && i < v.databases.list.len; i++) {
        struct options one = overview_options(&v, o, i);
        printf("\n%s (%s)\n\n", v.databases.list.data[i].name, one.db);
        code = worse(code, status_one(&one));
    }
    str_free(&text);
    overview_free(&v);
    return code;
}

int several_query(const struct options *o) {
    struct databases d = {0};
    struct err err = {0};
    struct store *all = NULL;
    bool ok = query_check(o, &err) && databases_list(&d, o, &err) && store_open_many(&all, &err);
    for (size_t i = 0; ok && i < d.list.len; i++)
        ok = store_many_add(all, d.list.data[i].name, d.list.data[i].path,
                            o->sql ? o->sql : "goal_status", &err);
    ok = ok && print_rows(query_rows(all, o, "module, ", &err), o->format, &err);
    store_close(all);
    databases_free(&d);
    return ok ? 0 : command_fail(&err);
}

/* ---- report ---- */

/* What a format writes, and by what a file of it is known as ours. */
struct file_row {
    const char *format, *file, *mark;
};
static const struct file_row files[] = {
#define FORMAT(name, file, mark, about) {#name, file, mark},
#include "report/formats.def"
#undef FORMAT
};

static const struct file_row *file_of(const char *format) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (str_same(files[i].format, format))
            return &files[i];
    return NULL;
}

static bool write_page(struct overview *v, const char *dir, struct err *err) {
    struct str page = {0};
    for (size_t i = 0; i < v->component.rows.len; i++)
        v->component.rows.data[i].link =
            arena_printf(&v->component.arena, "%s/index.html", v->databases.list.data[i].folder);
    component_html(&v->component, &page);
    bool ok = file_draft_ours(path_join(&v->databases.arena, dir, "index.html"), str_text(&page),
                              page.len, FILE_MARK, err);
    str_free(&page);
    return ok;
}

/* Of each module what has been written, below `dir`. */
static bool join_files(struct overview *v, const char *dir, const struct file_row *row,
                       struct str *out, struct err *err) {
    struct join join;
    struct str text = {0};
    bool ok = join_open(&join, row->format);
    assert(ok);
    for (size_t i = 0; ok && i < v->databases.list.len; i++) {
        const struct database *db = &v->databases.list.data[i];
        str_clear(&text);
        ok = file_read(arena_printf(&v->databases.arena, "%s/%s/%s", dir, db->folder, row->file),
                       &text, err);
        if (ok)
            join_add(&join, db->name, &text);
    }
    join_close(&join, out);
    str_free(&text);
    return ok;
}

static bool make_file(struct overview *v, const char *dir, const struct file_row *row,
                      struct str *out, struct err *err) {
    if (!str_same(row->format, "markdown"))
        return join_files(v, dir, row, out, err);
    component_markdown(&v->component, out);
    for (size_t i = 0; i < v->databases.list.len; i++) {
        str_addc(out, '\n');
        if (!file_read(arena_printf(&v->databases.arena, "%s/%s/%s", dir,
                                    v->databases.list.data[i].folder, row->file),
                       out, err))
            return false;
    }
    return true;
}

static bool write_format(struct overview *v, const struct options *o, const char *dir,
                         const char *format, struct err *err) {
    const struct file_row *row = file_of(format);
    if (!row)
        return write_page(v, dir, err);
    struct str out = {0};
    bool ok = make_file(v, dir, row, &out, err);
    if (ok && str_same(o->output, "-"))
        print_text(&out);
    else if (ok)
        ok = file_write_ours(path_join(&v->databases.arena, dir, row->file), str_text(&out),
                             out.len, row->mark, err);
    str_free(&out);
    return ok;
}

static int write_modules(struct overview *v, const struct options *o, const char *dir) {
    int code = 0;
    for (size_t i = 0; i < v->databases.list.len; i++) {
        struct options one = overview_options(v, o, i);
        one.output = path_join(&v->databases.arena, dir, v->databases.list.data[i].folder);
        code = worse(code, report_one(&one));
    }
    return code;
}

static bool choose_folder(const struct options *o, struct str *dir, struct err *err) {
    if (!o->output)
        return err_set(err, ERR_USAGE, "report: where to? Give a folder with -o PATH");
    if (o->single)
        return err_set(err, ERR_USAGE, "--single makes a document of one database, not of several");
    if (!str_same(o->output, "-")) {
        str_add(dir, o->output);
        return true;
    }
    if (o->formats.len != 1 || str_same(o->formats.data[0], "html"))
        return err_set(err, ERR_USAGE, "only one format, and not html, can go to standard output");
    return file_temp_dir(dir, err);
}

int several_report(const struct options *o) {
    struct overview v = {0};
    struct err err = {0};
    struct str dir = {0};
    bool ok = choose_folder(o, &dir, &err) && overview_make(&v, o, &err);
    int code = ok ? write_modules(&v, o, str_text(&dir)) : command_fail(&err);
    for (size_t i = 0; ok && !code && i < o->formats.len; i++)
        if (!str_same(o->formats.data[i], "pdf") && /* each module has its own */
            !write_format(&v, o, str_text(&dir), o->formats.data[i], &err))
            code = command_fail(&err);
    if (o->output && str_same(o->output, "-") && dir.len > 0)
        file_remove_tree(str_text(&dir));
    str_free(&dir);
    overview_free(&v);
    return code;
}

/* ---- gate ---- */

/* The outcomes of all modules as one text of the format. */
struct outcomes {
    const char *format;
    struct join join;
    struct str text;
    size_t passed, failed;
    int code;
};

static void open_outcomes(struct outcomes *all, const struct options *o,
                          const struct component *c) {
    *all = (struct outcomes){.format = o->gate_format};
    if (!join_open(&all->join, o->gate_format) && str_same(o->gate_format, "markdown"))
        component_markdown(c, &all->text);
    else if (str_same(o->gate_format, "text"))
        component_text(c, &all->text);
}

static void add_outcome(struct outcomes *all, const struct database *db, const struct str *text,
                        int code) {
    all->code = worse(all->code, code);
    *(code ? &all->failed : &all->passed) += 1;
    if (all->join.format >= 0) {
        if (text->len > 0)
            join_add(&all->join, db->name, text);
        return;
    }
    bool markdown = str_same(all->format, "markdown");
    str_addf(&all->text, markdown ? "\n#### " : "\n");
    if (markdown)
        add_markdown(&all->text, db->name);
    else
        str_add(&all->text, db->name);
    str_addf(&all->text, markdown ? "\n\n%s" : "\n%s", str_text(text));
}

static void close_outcomes(struct outcomes *all) {
    if (all->join.format >= 0)
        join_close(&all->join, &all->text);
    else
        str_addf(&all->text, "\n%zu modules: %zu passed, %zu failed\n", all->passed + all->failed,
                 all->passed, all->failed);
    print_text(&all->text);
    str_free(&all->text);
}

int several_gate(const struct options *o) {
    struct overview v = {0};
    struct err err = {0};
    struct outcomes all;
    struct str text = {0};
    bool ok = overview_make(&v, o, &err);
    if (!ok) {
        overview_free(&v);
        return command_fail(&err);
    }
    open_outcomes(&all, o, &v.component);
    for (size_t i = 0; i < v.databases.list.len; i++) {
        struct options one = overview_options(&v, o, i);
        str_clear(&text);
        int code = gate_one(&one, &text);
        if (text.len == 0 && all.join.format < 0)
            str_add(&text, "not judged: the error says why\n");
        add_outcome(&all, &v.databases.list.data[i], &text, code);
    }
    close_outcomes(&all);
    str_free(&text);
    overview_free(&v);
    return all.code;
}
