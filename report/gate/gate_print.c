/* The outcome of a gate, for people and for machines. */
#include "report/escape.h"
#include "report/gate/gate.h"

#include <string.h>

enum { MOST_NAMED = 20 };

static const struct {
    const char *name;
    void (*print)(struct report_data *, const struct gate_outcome *, struct str *);
} formats[] = {
#define GATE_FORMAT(name, about) {#name, gate_print_##name},
#include "report/gate/gate_formats.def"
#undef GATE_FORMAT
};

bool gate_print(const char *format, struct report_data *d, const struct gate_outcome *o,
                struct str *out) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, format) == 0) {
            formats[i].print(d, o, out);
            return true;
        }
    return false;
}

static const char *word(const struct gate_result *r) {
    assert(!(r->passed && r->alarm));
    return r->alarm ? "ALARM" : r->passed ? "pass" : "FAIL";
}

static const char *verdict(const struct gate_outcome *o) {
    return o->alarm    ? "gate failed: evidence contradicts what was decided or justified"
           : o->passed ? "gate passed"
                       : "gate failed";
}

/* "src/a.c:12 mcdc x > 3 is true" */
static const char *goal_line(struct report_data *d, const struct report_goal *g) {
    assert(g->file < d->files.len);
    return arena_printf(&d->arena, "goal %lld  %s:%d  %s  %s: %s", (long long)g->id,
                        d->files.data[g->file].path, g->line, g->kind, report_goal_text(d, g),
                        status_names[g->status]);
}

/* ---- text ---- */

static void print_goals(struct report_data *d, const struct gate_result *r, const char *indent,
                        struct str *out) {
    for (size_t i = 0; i < r->goals.len && i < MOST_NAMED; i++) {
        str_add(out, indent);
        add_one_line(out, goal_line(d, r->goals.data[i]));
        str_addc(out, '\n');
    }
    if (r->goals.len > MOST_NAMED)
        str_addf(out, "%s… and %zu more\n", indent, r->goals.len - MOST_NAMED);
}

static void print_void(const struct report_data *d, struct str *out) {
    for (size_t i = 0; i < d->justifications.len; i++) {
        const struct report_justification *j = &d->justifications.data[i];
        if (*j->problem && !j->alarm)
            str_addf(out, "note  the justification of %s does not hold: %s\n", j->key, j->problem);
    }
}

void gate_print_text(struct report_data *d, const struct gate_outcome *o, struct str *out) {
    for (size_t i = 0; i < o->results.len; i++) {
        const struct gate_result *r = &o->results.data[i];
        str_addf(out, "%s  %s\n", word(r), r->about);
        print_goals(d, r, "      ", out);
        if (*r->remedy)
            str_addf(out, "      %s\n", r->remedy);
    }
    print_void(d, out);
    str_addf(out, "%s\n", verdict(o));
}

/* ---- JSON ---- */

static void add_member(struct str *out, const char *name, const char *text) {
    str_addf(out, ", \"%s\": ", name);
    add_json(out, text);
}

static void add_goals_json(struct report_data *d, const struct gate_result *r, struct str *out) {
    str_add(out, ", \"goals\": [");
    for (size_t i = 0; i < r->goals.len; i++) {
        const struct report_goal *g = r->goals.data[i];
        str_addf(out, "%s{\"goal_id\": %lld", i ? ", " : "", (long long)g->id);
        add_member(out, "key", g->key);
        add_member(out, "file", d->files.data[g->file].path);
        str_addf(out, ", \"line\": %d", g->line);
        add_member(out, "kind", g->kind);
        add_member(out, "text", report_goal_text(d, g));
        add_member(out, "status", status_names[g->status]);
        str_add(out, "}");
    }
    str_add(out, "]");
}

void gate_print_json(struct report_data *d, const struct gate_outcome *o, struct str *out) {
    str_addf(out, "{\"tool\": \"Goalkeeper\", \"passed\": %s, \"alarm\": %s, \"checks\": [",
             o->passed ? "true" : "false", o->alarm ? "true" : "false");
    for (size_t i = 0; i < o->results.len; i++) {
        const struct gate_result *r = &o->results.data[i];
        str_addf(out, "%s\n  {\"passed\": %s", i ? "," : "", r->passed ? "true" : "false");
        add_member(out, "check", r->name);
        add_member(out, "about", r->about);
        add_member(out, "remedy", r->remedy);
        add_goals_json(d, r, out);
        str_add(out, "}");
    }
    str_add(out, "\n]}\n");
}

/* ---- JUnit ---- */

static void add_case(struct report_data *d, const struct gate_result *r, struct str *out) {
    str_add(out, "    <testcase classname=\"goalkeeper.gate\" time=\"0\" name=\"");
    add_xml(out, r->name);
    if (r->passed) {
        str_add(out, "\"/>\n");
        return;
    }
    struct str goals = {0};
    str_add(out, "\">\n      <failure message=\"");
    add_xml(out, r->about);
    str_addf(out, "\" type=\"%s\">", r->alarm ? "alarm" : "gate");
    print_goals(d, r, "", &goals);
    add_xml(out, str_text(&goals));
    add_xml(out, r->remedy);
    str_add(out, "</failure>\n    </testcase>\n");
    str_free(&goals);
}

void gate_print_junit(struct report_data *d, const struct gate_outcome *o, struct str *out) {
    size_t failures = 0;
    for (size_t i = 0; i < o->results.len; i++)
        failures += !o->results.data[i].passed;
    str_addf(out,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"Goalkeeper\" "
             "tests=\"%zu\" failures=\"%zu\" errors=\"0\" time=\"0\">\n  <testsuite "
             "name=\"gate\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\" "
             "time=\"0\">\n",
             o->results.len, failures, o->results.len, failures);
    for (size_t i = 0; i < o->results.len; i++)
        add_case(d, &o->results.data[i], out);
    str_add(out, "  </testsuite>\n</testsuites>\n");
}

/* ---- Markdown ---- */

void gate_print_markdown(struct report_data *d, const struct gate_outcome *o, struct str *out) {
    str_addf(out, "### Goalkeeper: %s\n\n| | check |\n|---|---|\n", verdict(o));
    for (size_t i = 0; i < o->results.len; i++) {
        const struct gate_result *r = &o->results.data[i];
        str_addf(out, "| %s | ", r->passed ? "✓" : r->alarm ? "⚠" : "✗");
        add_markdown(out, r->about);
        str_add(out, " |\n");
    }
    for (size_t i = 0; i < o->results.len; i++) {
        const struct gate_result *r = &o->results.data[i];
        if (r->passed)
            continue;
        str_add(out, "\n");
        add_markdown(out, r->about);
        str_addf(out, ": %s\n\n", r->remedy);
        for (size_t g = 0; g < r->goals.len && g < MOST_NAMED; g++) {
            str_add(out, "* ");
            add_markdown(out, goal_line(d, r->goals.data[g]));
            str_add(out, "\n");
        }
        if (r->goals.len > MOST_NAMED)
            str_addf(out, "* … and %zu more\n", r->goals.len - MOST_NAMED);
    }
}
