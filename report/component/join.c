/* Texts are cut between the first and the last of their own lines that a format has, and put one
 * behind the other; sums are added from attributes. */
#include "report/component/join.h"

#include "base/bug.h"
#include "report/escape.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How reports of a format are taken apart. They are our own: what is not as it is written by its
 * renderer is a bug of ours. */
struct join_row {
    const char *format;
    const char *first, *last; /* a part is from here to there, both included; NULL: all of it */
    bool inner;               /* … both left out */
    const char *separator;    /* between parts */
    /* Behind each of these a module's name is put. */
    const char *names[2];
    const char *between;         /* name of module and what it names */
    const char *sums[JOIN_SUMS]; /* attributes of the first element, whose values are added up */
};

static const struct join_row rows[] = {
    {.format = "sarif", .first = "\"runs\": [", .last = "]\n}\n", .inner = true, .separator = ", "},
    {.format = "junit",
     .first = ">\n  <testsuite ",
     .last = "</testsuites>",
     .inner = true,
     .separator = "",
     .names = {"<testsuite name=\"", " classname=\""},
     .between = ".",
     .sums = {"tests", "failures", "errors", "time"}},
    {.format = "cobertura",
     .first = "    <package ",
     .last = "</package>\n",
     .separator = "",
     .names = {"<class name=\""},
     .between = ": ",
     .sums = {"lines-covered", "lines-valid", "branches-covered", "branches-valid", "timestamp"}},
    {.format = "lcov", .separator = ""},
    {.format = "gitlab",
     .first = "[",
     .last = "\n]\n",
     .inner = true,
     .separator = ",",
     .names = {"\"fingerprint\": \""},
     .between = ":"},
    {.format = "sonarqube",
     .first = "<coverage version=\"1\">\n",
     .last = "</coverage>",
     .inner = true,
     .separator = ""},
    {.format = "json", .separator = ","},
};

bool join_open(struct join *j, const char *format) {
    *j = (struct join){.format = -1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].format, format) == 0)
            j->format = (int)i;
    return j->format >= 0;
}

static const char *last_of(const char *text, const char *word) {
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, word)); at++)
        found = at;
    return found;
}

/* ---- what is added up ---- */

static double attribute(const char *element, const char *name) {
    char start[32];
    int n = snprintf(start, sizeof start, " %s=\"", name);
    assert(n > 0 && (size_t)n < sizeof start);
    const char *at = strstr(element, start);
    return at ? strtod(at + n, NULL) : 0;
}

/* The time of all is that of the last one. */
static double added(const char *name, double so_far, double value) {
    bool latest = strcmp(name, "timestamp") == 0;
    return !latest ? so_far + value : value > so_far ? value : so_far;
}

static void add_sums(struct join *j, const struct join_row *row, const char *text) {
    const char *element = row->sums[0] ? strstr(text, row->sums[0]) : NULL;
    while (element && element > text && *element != '<')
        element--;
    for (int i = 0; element && i < JOIN_SUMS && row->sums[i]; i++)
        j->sums[i] = added(row->sums[i], j->sums[i], attribute(element, row->sums[i]));
}

/* ---- names ---- */

static size_t named(const struct join_row *row, const char *at) {
    for (int i = 0; i < 2 && row->names[i]; i++)
        if (strncmp(at, row->names[i], strlen(row->names[i])) == 0)
            return strlen(row->names[i]);
    return 0;
}

static void add_name(const struct join_row *row, const char *module, struct str *out) {
    struct str name = {0};
    if (strcmp(row->format, "gitlab") == 0) {
        add_json(&name, module);
        str_addn(out, str_text(&name) + 1, name.len - 2); /* it stands within a text */
    } else {
        add_xml(out, module);
    }
    str_add(out, row->between);
    str_free(&name);
}

static void add_part(const struct join_row *row, const char *module, const char *text, size_t len,
                     struct str *out) {
    for (const char *at = text; at < text + len;) {
        size_t name = named(row, at);
        if (name == 0) {
            str_addc(out, *at++);
            continue;
        }
        str_addn(out, at, name);
        add_name(row, module, out);
        at += name;
    }
}

/* Servers keep runs apart by this id. */
static void add_run(const char *module, const char *text, size_t len, struct str *out) {
    const char *open = memchr(text, '{', len);
    assert(open);
    str_add(out, "{\n    \"automationDetails\": {\"id\": ");
    struct str id = {0};
    str_addf(&id, "goalkeeper/%s/", module);
    add_json(out, str_text(&id));
    str_free(&id);
    str_add(out, "},");
    str_addn(out, open + 1, len - (size_t)(open + 1 - text));
}

static void add_module(const char *module, const char *text, size_t len, struct str *out) {
    str_add(out, "\n{\"module\": ");
    add_json(out, module);
    str_add(out, ", \"report\": ");
    str_addn(out, text, len);
    str_add(out, "}");
}

/* ---- joining ---- */

static void add_all(struct join *j, const struct join_row *row, const char *module,
                    const char *text, size_t len) {
    if (len == 0)
        return;
    if (j->parts.len > 0)
        str_add(&j->parts, row->separator);
    if (strcmp(row->format, "sarif") == 0)
        add_run(module, text, len, &j->parts);
    else if (strcmp(row->format, "json") == 0)
        add_module(module, text, len, &j->parts);
    else
        add_part(row, module, text, len, &j->parts);
}

/* From the first to the last mark; a report of nothing has no part, only a frame. */
void join_add(struct join *j, const char *module, const struct str *report) {
    assert(j->format >= 0);
    const struct join_row *row = &rows[j->format];
    assert(!row->first == !row->last && *module);
    const char *text = str_text(report), *from = text, *to = text + report->len;
    j->modules++;
    if (row->first) {
        from = strstr(text, row->first);
        to = last_of(text, row->last);
        if (!to)
            bug("a report of format %s has no end", row->format);
        if (from && row->inner)
            from += strcmp(row->format, "junit") == 0 ? 2 : strlen(row->first);
        else if (from)
            to += strlen(row->last);
    }
    add_sums(j, row, text);
    if (from && from < to)
        add_all(j, row, module, from, (size_t)(to - from));
}

static double share(double part, double whole) {
    return whole > 0 ? floor(part / whole * 10000) / 10000 : 1; /* as in each of them */
}

static void open_text(const struct join *j, struct str *out) {
    const double *n = j->sums;
    const char *format = rows[j->format].format;
    if (strcmp(format, "sarif") == 0)
        str_add(out, "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
                     "  \"version\": \"2.1.0\",\n  \"runs\": [");
    else if (strcmp(format, "junit") == 0)
        str_addf(out,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"Goalkeeper\" "
                 "tests=\"%.0f\" failures=\"%.0f\" errors=\"%.0f\" time=\"%.3f\">\n",
                 n[0], n[1], n[2], n[3]);
    else if (strcmp(format, "cobertura") == 0)
        str_addf(
            out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE coverage SYSTEM "
            "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n<coverage "
            "line-rate=\"%.4f\" branch-rate=\"%.4f\" lines-covered=\"%.0f\" "
            "lines-valid=\"%.0f\" branches-covered=\"%.0f\" branches-valid=\"%.0f\" "
            "complexity=\"0\" version=\"goalkeeper component\" timestamp=\"%.0f\">\n  <sources>\n"
            "    <source>.</source>\n  </sources>\n  <packages>\n",
            share(n[0], n[1]), share(n[2], n[3]), n[0], n[1], n[2], n[3], n[4]);
    else if (strcmp(format, "gitlab") == 0)
        str_add(out, "[");
    else if (strcmp(format, "sonarqube") == 0)
        str_add(out, "<!-- Written by Goalkeeper -->\n<coverage version=\"1\">\n");
    else if (strcmp(format, "json") == 0)
        str_add(out, "{\n\"tool\": \"Goalkeeper\",\n\"modules\": [");
}

static void close_text(const struct join *j, struct str *out) {
    static const char *const ends[][2] = {{"sarif", "]\n}\n"},
                                          {"junit", "</testsuites>\n"},
                                          {"cobertura", "  </packages>\n</coverage>\n"},
                                          {"gitlab", "\n]\n"},
                                          {"sonarqube", "</coverage>\n"},
                                          {"json", "\n]\n}\n"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(rows[j->format].format, ends[i][0]) == 0)
            str_add(out, ends[i][1]);
}

void join_close(struct join *j, struct str *out) {
    assert(j->format >= 0);
    open_text(j, out);
    str_addn(out, str_text(&j->parts), j->parts.len);
    close_text(j, out);
    str_free(&j->parts);
    *j = (struct join){.format = -1};
}
