/* The HTML report: a folder without any outside reference. */
#include "report/html.h"

#include "base/file.h"
#include "report/escape.h"

#include <string.h>

extern const char report_css[];
extern const char report_js[];

void html_begin(struct report_data *d, const char *title, const char *root, struct str *out) {
    assert(title && root);
    str_add(out, "<!DOCTYPE html>\n<!-- Written by Goalkeeper -->\n<html lang=\"en\">\n<head>\n"
                 "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                 "content=\"width=device-width, initial-scale=1\">\n");
    str_addf(out, "<link rel=\"stylesheet\" href=\"%sreport.css\">\n<title>", root);
    add_xml(out, title);
    str_add(out, "</title>\n</head>\n<body>\n");
    str_addf(out, "<nav><a href=\"%sindex.html\">Goalkeeper: ", root);
    add_xml(out, d->name);
    str_add(out, "</a></nav>\n<main>\n");
    html_text(out, "h1", title);
}

void html_end(struct str *out) {
    str_add(out, "</main>\n</body>\n</html>\n");
}

void html_text(struct str *out, const char *tag, const char *text) {
    assert(tag && text);
    str_addf(out, "<%s>", tag);
    add_xml(out, text);
    str_addf(out, "</%s>\n", tag);
}

const char *html_source_page(struct report_data *d, uint32_t file) {
    assert(file < d->files.len);
    return arena_printf(&d->arena, "source/%u.html", file);
}

void html_query(struct report_data *d, const char *sql, int64_t parameter,
                const char *const *headings, const char *none, struct str *out) {
    assert(sql && headings && none);
    struct err err = {0};
    struct rows *r = rows_open(d->db, sql, &err);
    size_t n = 0;
    if (strstr(sql, "?1"))
        rows_bind_int(r, 1, parameter);
    for (; rows_next(r); n++) {
        if (n == 0) {
            str_add(out, "<table>\n<thead><tr>");
            for (size_t i = 0; headings[i]; i++)
                html_text(out, "th", headings[i]);
            str_add(out, "</tr></thead>\n<tbody>\n");
        }
        str_add(out, "<tr>");
        for (int i = 0; i < rows_columns(r); i++) {
            str_add(out, rows_is_number(r, i) ? "<td class=\"n\">" : "<td>");
            add_xml(out, rows_text(r, i));
            str_add(out, "</td>");
        }
        str_add(out, "</tr>\n");
    }
    str_add(out, n ? "</tbody>\n</table>\n" : "");
    if (n == 0)
        html_text(out, "p", none);
    rows_close(r, &err);
    err_clear(&err);
}

static bool write_page(struct report_data *d, const char *dir, const char *name, struct str *page,
                       struct err *err) {
    bool ok =
        file_write_ours(path_join(&d->arena, dir, name), str_text(page), page->len, FILE_MARK, err);
    str_clear(page);
    return ok;
}

static bool write_assets(struct report_data *d, const char *dir, struct str *page,
                         struct err *err) {
    str_add(page, report_css);
    if (!write_page(d, dir, "report.css", page, err))
        return false;
    str_add(page, report_js);
    return write_page(d, dir, "report.js", page, err) &&
           file_make_dirs(path_join(&d->arena, dir, "goal"), err) &&
           file_make_dirs(path_join(&d->arena, dir, "source"), err);
}

bool report_html(struct report_data *d, const struct report_options *options, struct err *err) {
    struct str page = {0};
    const char *dir = options->dir;
    bool ok = write_assets(d, dir, &page, err);
    if (ok) {
        html_overview(d, &page);
        ok = write_page(d, dir, "index.html", &page, err);
    }
    for (uint32_t f = 0; ok && f < d->files.len; f++) {
        html_source(d, f, &page);
        ok = write_page(d, dir, html_source_page(d, f), &page, err);
    }
    for (size_t i = 0; ok && i < d->goals.len; i++) {
        html_goal(d, &d->goals.data[i], &page);
        const char *name =
            arena_printf(&d->arena, "goal/%lld.html", (long long)d->goals.data[i].id);
        ok = write_page(d, dir, name, &page, err);
    }
    str_free(&page);
    return ok;
}
