/* The overview of a component in the forms that people and programs read. */
#include "base/file.h"
#include "report/component/component.h"
#include "report/escape.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS = 8, TREND = COLUMNS + 2 };

static const char *const headings[TREND] = {"goals",     "reachable", "dead",   "open",
                                            "justified", "causes",    "alarms", "attention",
                                            "worse",     "better"};

static size_t number(const struct component_row *row, int column) {
    const size_t numbers[TREND] = {row->goals,     row->reachable, row->dead,   row->open,
                                   row->justified, row->causes,    row->alarms, row->attention,
                                   row->worse,     row->better};
    assert(column >= 0 && column < TREND);
    return numbers[column];
}

/* The trend only where there is something to compare with. */
static int columns(const struct component *c) {
    return component_all(c).compared ? TREND : COLUMNS;
}

static int name_width(const struct component *c) {
    size_t width = strlen("module");
    for (size_t i = 0; i < c->rows.len; i++)
        if (strlen(c->rows.data[i].module) > width)
            width = strlen(c->rows.data[i].module);
    return (int)width;
}

static void text_row(const struct component_row *row, int width, int n, struct str *out) {
    str_addf(out, "%-*s", width, row->module);
    for (int i = 0; i < n; i++)
        str_addf(out, "  %*zu", (int)strlen(headings[i]), number(row, i));
    str_addf(out, "  %5.1f %%\n", component_percent(row));
}

void component_text(const struct component *c, struct str *out) {
    int width = name_width(c), n = columns(c);
    assert(n == COLUMNS || n == TREND);
    struct component_row all = component_all(c);
    str_addf(out, "%-*s", width, "module");
    for (int i = 0; i < n; i++)
        str_addf(out, "  %s", headings[i]);
    str_add(out, "  covered\n");
    for (size_t i = 0; i < c->rows.len; i++)
        text_row(&c->rows.data[i], width, n, out);
    text_row(&all, width, n, out);
}

static void markdown_row(const struct component_row *row, int n, struct str *out) {
    str_add(out, "| ");
    add_markdown(out, row->module);
    for (int i = 0; i < n; i++)
        str_addf(out, " | %zu", number(row, i));
    str_addf(out, " | %.1f %% |\n", component_percent(row));
}

void component_markdown(const struct component *c, struct str *out) {
    int n = columns(c);
    struct component_row all = component_all(c);
    assert(all.goals == all.reachable + all.dead + all.open);
    str_addf(out, "## Goalkeeper: %zu modules\n\n| module |", c->rows.len);
    for (int i = 0; i < n; i++)
        str_addf(out, " %s |", headings[i]);
    str_add(out, " covered |\n|---|");
    for (int i = 0; i <= n; i++)
        str_add(out, "---:|");
    str_addc(out, '\n');
    for (size_t i = 0; i < c->rows.len; i++)
        markdown_row(&c->rows.data[i], n, out);
    markdown_row(&all, n, out);
}

static void csv_text(const char *text, struct str *out) {
    str_addc(out, '"');
    for (; *text; text++)
        str_addf(out, "%s%c", *text == '"' ? "\"" : "", *text);
    str_addc(out, '"');
}

void component_csv(const struct component *c, struct str *out) {
    int n = columns(c);
    str_add(out, "module,database");
    for (int i = 0; i < n; i++)
        str_addf(out, ",%s", headings[i]);
    str_add(out, ",covered\n");
    for (size_t i = 0; i < c->rows.len; i++) {
        csv_text(c->rows.data[i].module, out);
        str_addc(out, ',');
        csv_text(c->rows.data[i].database, out);
        for (int k = 0; k < n; k++)
            str_addf(out, ",%zu", number(&c->rows.data[i], k));
        str_addf(out, ",%.1f\n", component_percent(&c->rows.data[i]));
    }
}

void component_json(const struct component *c, struct str *out) {
    int n = columns(c);
    str_add(out, "[");
    for (size_t i = 0; i < c->rows.len; i++) {
        str_addf(out, "%s\n  {\"module\": ", i ? "," : "");
        add_json(out, c->rows.data[i].module);
        str_add(out, ", \"database\": ");
        add_json(out, c->rows.data[i].database);
        for (int k = 0; k < n; k++)
            str_addf(out, ", \"%s\": %zu", headings[k], number(&c->rows.data[i], k));
        str_addf(out, ", \"covered\": %.1f}", component_percent(&c->rows.data[i]));
    }
    str_add(out, "\n]\n");
}

static void html_row(const struct component_row *row, int n, struct str *out) {
    str_add(out, "<tr><td>");
    if (row->link) {
        str_add(out, "<a href=\"");
        add_uri(out, row->link);
        str_add(out, "\">");
    }
    add_xml(out, row->module);
    str_add(out, row->link ? "</a></td>" : "</td>");
    for (int i = 0; i < n; i++)
        str_addf(out, "<td class=\"n\">%zu</td>", number(row, i));
    str_addf(out, "<td class=\"n\">%.1f %%</td></tr>\n", component_percent(row));
}

static const char html_head[] =
    "<!DOCTYPE html>\n<!-- " FILE_MARK
    " -->\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self' "
    "file:; img-src 'self' data:; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" "
    "content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n";

/* The style is that of the modules' own reports. */
void component_html(const struct component *c, struct str *out) {
    int n = columns(c);
    struct component_row all = component_all(c);
    str_add(out, html_head);
    if (c->rows.len > 0 && c->rows.data[0].link) {
        size_t folder = strcspn(c->rows.data[0].link, "/");
        struct str style = {0};
        str_addn(&style, c->rows.data[0].link, folder);
        str_add(&style, "/report.css");
        str_add(out, "<link rel=\"stylesheet\" href=\"");
        add_uri(out, str_text(&style));
        str_add(out, "\">\n");
        str_free(&style);
    }
    str_addf(out,
             "<title>%zu modules – Goalkeeper</title>\n</head>\n<body>\n<a class=\"skip\" "
             "href=\"#main\">Skip to the content</a>\n<main id=\"main\" tabindex=\"-1\">\n<h1>%zu "
             "modules</h1>\n<div class=\"wide\" tabindex=\"0\"><table>\n<caption>Goals by "
             "module</caption>\n"
             "<thead><tr><th scope=\"col\">module</th>",
             c->rows.len, c->rows.len);
    for (int i = 0; i < n; i++)
        str_addf(out, "<th scope=\"col\" class=\"n\">%s</th>", headings[i]);
    str_add(out, "<th scope=\"col\" class=\"n\">covered</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < c->rows.len; i++)
        html_row(&c->rows.data[i], n, out);
    html_row(&all, n, out);
    str_add(out, "</tbody>\n</table></div>\n</main>\n<footer>Goalkeeper ");
    add_xml(out, c->version ? c->version : "");
    str_add(out, ". Covered: met or justified. Every verdict can be re-checked from the databases "
                 "alone: <code>goalkeeper audit</code>.</footer>\n</body>\n</html>\n");
}
