/* The goals that make a gate fail, as a CI server shows them in the changed lines. */
#include "report/escape.h"
#include "report/gate/gate.h"

#include <string.h>

enum { MOST_ANNOTATED = 10 }; /* of a check: GitHub shows no more of a step */

/* ---- GitHub: a command a line ---- */

/* What ends a line or a property is written as its code. */
static void add_escaped(struct str *out, const char *text, const char *special) {
    for (const char *p = text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == '%' || strchr(special, *p))
            str_addf(out, "%%%02X", (unsigned char)*p);
        else
            str_addc(out, *p);
}

static void add_property(struct str *out, const char *name, const char *text) {
    str_addf(out, "%s=", name);
    add_escaped(out, text, ":,");
}

static void annotate(struct report_data *d, const struct gate_result *r,
                     const struct report_goal *g, struct str *out) {
    assert(!r->passed);
    str_add(out, "::error ");
    if (g) {
        assert(g->file < d->files.len);
        add_property(out, "file", report_path(d, g->file));
        str_addf(out, ",line=%d,", g->line > 0 ? g->line : 1);
    }
    add_property(out, "title", arena_printf(&d->arena, "Goalkeeper: %s", r->about));
    str_add(out, "::");
    const char *text = g ? arena_printf(&d->arena, "%s %s: %s", g->kind, report_goal_text(d, g),
                                        report_sentence(d, g))
                         : r->remedy;
    add_escaped(out, text, "");
    str_addc(out, '\n');
}

void gate_print_github(struct report_data *d, const struct gate_outcome *o, struct str *out) {
    for (size_t i = 0; i < o->results.len; i++) {
        const struct gate_result *r = &o->results.data[i];
        if (r->passed) {
            str_addf(out, "pass  %s\n", r->about);
            continue;
        }
        if (r->goals.len == 0)
            annotate(d, r, NULL, out);
        for (size_t g = 0; g < r->goals.len && g < MOST_ANNOTATED; g++)
            annotate(d, r, r->goals.data[g], out);
    }
    str_addf(out, "%s\n", o->passed ? "gate passed" : "gate failed");
}

/* ---- GitLab: code quality ---- */

/* Two checks may fail for one goal: a fingerprint is of both. */
static void add_finding(struct report_data *d, const struct gate_result *r,
                        const struct report_goal *g, struct str *out) {
    assert(!r->passed && (!g || g->file < d->files.len));
    const char *path = g              ? report_path(d, g->file)
                       : d->files.len ? report_path(d, 0)
                                      : "goalkeeper.json";
    str_addf(out, "%s\n  {\"description\": ", strcmp(str_text(out), "[") == 0 ? "" : ",");
    add_json(out, g ? arena_printf(&d->arena, "%s; %s %s: %s", r->about, g->kind,
                                   report_goal_text(d, g), report_sentence(d, g))
                    : arena_printf(&d->arena, "%s; %s", r->about, r->remedy));
    str_add(out, ", \"check_name\": ");
    add_json(out, arena_printf(&d->arena, "goalkeeper/gate %s", r->name));
    str_add(out, ", \"fingerprint\": ");
    add_json(out, arena_printf(&d->arena, "%s-%s", r->name, g ? g->key : "all"));
    str_addf(out, ", \"severity\": \"%s\", \"location\": {\"path\": ",
             r->alarm ? "blocker" : "critical");
    add_json(out, path);
    str_addf(out, ", \"lines\": {\"begin\": %d}}}", g && g->line > 0 ? g->line : 1);
}

void gate_print_gitlab(struct report_data *d, const struct gate_outcome *o, struct str *out) {
    struct str list = {0};
    str_add(&list, "[");
    for (size_t i = 0; i < o->results.len; i++) {
        const struct gate_result *r = &o->results.data[i];
        if (!r->passed && r->goals.len == 0)
            add_finding(d, r, NULL, &list);
        for (size_t g = 0; !r->passed && g < r->goals.len; g++)
            add_finding(d, r, r->goals.data[g], &list);
    }
    str_add(out, str_text(&list));
    str_add(out, "\n]\n");
    str_free(&list);
}
