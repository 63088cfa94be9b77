/* SARIF 2.1.0: a rule a finding and kind, a result a finding; justified ones are suppressed. Dead
 * goals of one cause are one result, with the others as related locations. What can happen though
 * it should not (robustness) comes with the steps that lead to it. */
#include "base/map.h"
#include "report/escape.h"
#include "report/report.h"
#include "report/signals.h"

#include <string.h>

enum { MOST_STEPS = 100 }; /* of one flow */

static const struct {
    const char *name, *title, *about, *level;
} rules[FINDINGS] = {
    [FINDING_OPEN] = {"open", "Open", "neither reached nor proved dead", "note"},
    [FINDING_DEAD] = {"dead", "Dead", "no input sequence of any length reaches it", "warning"},
    [FINDING_DEFECT] = {"defect", "Can happen", "an input sequence that leads to it was replayed",
                        "error"},
};

static void add_rule(enum goal_finding finding, const struct criterion *c, struct str *out) {
    assert(finding != FINDING_NONE);
    const struct report_goal example = {
        .robust = finding == FINDING_DEFECT,
        .status = finding == FINDING_DEAD     ? STATUS_DEAD
                  : finding == FINDING_DEFECT ? STATUS_REACHABLE
                                              : STATUS_OPEN,
    };
    str_addf(out,
             "        {\"id\": \"goalkeeper/%s-%s\", \"shortDescription\": {\"text\": \"%s: %s\"}, "
             "\"fullDescription\": {\"text\": \"%s: %s\"}, \"help\": {\"text\": \"%s\"}, "
             "\"defaultConfiguration\": {\"level\": \"%s\"}}",
             rules[finding].name, c->name, rules[finding].title, c->name, c->about,
             rules[finding].about, report_remedy(&example), rules[finding].level);
}

static void add_rules(struct str *out) {
    const char *separator = "\n";
    for (int f = FINDING_OPEN; f < FINDINGS; f++)
        for (int k = 0; k < GOAL_KINDS; k++) {
            if (f == (criteria[k].robustness ? FINDING_DEAD : FINDING_DEFECT))
                continue;
            str_add(out, separator);
            add_rule((enum goal_finding)f, &criteria[k], out);
            separator = ",\n";
        }
}

static void add_place(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(g->file < d->files.len);
    str_add(out, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": \"");
    add_uri(out, report_path(d, g->file));
    str_addf(
        out,
        "\", \"uriBaseId\": \"%%SRCROOT%%\"}, \"region\": {\"startLine\": %d, \"startColumn\": %d",
        g->line > 0 ? g->line : 1, g->col > 0 ? g->col : 1);
    if (g->end_line >= g->line && g->end_col > (g->end_line == g->line ? g->col : 0))
        str_addf(out, ", \"endLine\": %d, \"endColumn\": %d", g->end_line, g->end_col);
    str_add(out, "}}");
}

/* ---- flows ---- */

/* The inputs that change in a step, as one text. */
static const char *changes_in(struct report_data *d, const struct signals *s, int64_t step) {
    struct str text = {0};
    for (size_t i = 0; i < s->list.len; i++) {
        const struct signal *signal = &s->list.data[i];
        for (size_t p = 0; signal->is_input && p < signal->points.len; p++)
            if (signal->points.data[p].step == step)
                str_addf(&text, "%s%s = %s", text.len ? ", " : "", signal->path,
                         signal->points.data[p].text);
    }
    const char *kept = arena_strdup(&d->arena, str_text(&text));
    str_free(&text);
    return kept;
}

static void add_step(struct report_data *d, const struct report_goal *g, const char *text,
                     const char *separator, struct str *out) {
    str_addf(out, "%s\n          {\"location\": {", separator);
    add_place(d, g, out);
    str_add(out, ", \"message\": {\"text\": ");
    add_json(out, text);
    str_add(out, "}}}");
}

/* The steps in which an input changes, then the hit. */
static void add_flow(struct report_data *d, const struct report_goal *g, struct str *out) {
    struct signals signals = {0};
    struct err err = {0};
    int n = 0;
    if (signals_of(d, g, &signals, &err)) {
        str_add(out, ", \"codeFlows\": [{\"threadFlows\": [{\"locations\": [");
        for (int64_t step = 0; step <= signals.last && n < MOST_STEPS; step++) {
            const char *changes = changes_in(d, &signals, step);
            const char *text = arena_printf(&d->arena, "step %lld: %s", (long long)step, changes);
            if (*changes)
                add_step(d, g, text, n++ ? "," : "", out);
        }
        add_step(d, g, arena_printf(&d->arena, "step %lld: here", (long long)signals.last),
                 n ? "," : "", out);
        str_add(out, "]}]}]");
    }
    signals_free(&signals);
    err_clear(&err);
}

/* ---- results ---- */

static void add_message(struct report_data *d, const struct report_goal *g, struct str *out) {
    str_add(out, "\"message\": {\"text\": ");
    add_json(out, arena_printf(&d->arena, "%s. %s", report_goal_text(d, g), report_sentence(d, g)));
    str_add(out, "}");
}

static void add_suppression(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(g->justification >= 0);
    const struct report_justification *j = &d->justifications.data[g->justification];
    str_add(out, ", \"suppressions\": [{\"kind\": \"external\", \"status\": \"accepted\", "
                 "\"justification\": ");
    add_json(out, arena_printf(&d->arena, "%s (%s, %s)", j->reason, j->author, j->date));
    str_add(out, "}]");
}

static void add_invariant(struct report_data *d, const struct report_goal *g, struct str *out) {
    struct err err = {0};
    struct rows *r = rows_open(
        d->db, "SELECT text FROM invariant_clause WHERE goal_id = ?1 ORDER BY clause", &err);
    const char *separator = "";
    rows_bind_int(r, 1, g->id);
    str_add(out, ", \"properties\": {\"invariant\": [");
    while (rows_next(r)) {
        str_add(out, separator);
        add_json(out, rows_text(r, 0));
        separator = ", ";
    }
    str_addf(out, "], \"recheck\": \"goalkeeper audit DB --goal %lld\"}", (long long)g->id);
    rows_close(r, &err);
    err_clear(&err);
}

/* Dead goals of one cause, justified or not: who decides about one of them decides about all. By
 * index of the goal. */
struct told {
    VEC(uint32_t) next; /* the next one of its cause, NONE: it is the last */
    VEC(bool) already;  /* one before it has told its cause */
};

static void find_told(const struct report_data *d, struct told *t) {
    struct map last = {0};
    for (uint32_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        uint64_t key = 2 * (uint64_t)g->cause + g->justified;
        bool shares = report_finding(g) == FINDING_DEAD && g->cause > 0;
        const uint32_t *before = shares ? map_get(&last, key) : NULL;
        vec_push(&t->next, NONE);
        vec_push(&t->already, before != NULL);
        if (before)
            t->next.data[*before] = i;
        if (shares)
            map_put(&last, key, i);
    }
    map_free(&last);
}

static void add_related(struct report_data *d, const struct told *t, size_t goal, struct str *out) {
    size_t n = 0;
    assert(goal < t->next.len && !t->already.data[goal]);
    for (uint32_t i = t->next.data[goal]; i != NONE; i = t->next.data[i]) {
        const struct report_goal *other = &d->goals.data[i];
        str_add(out, n++ ? ",\n        {" : ", \"relatedLocations\": [\n        {");
        str_addf(out, "\"id\": %zu, ", n);
        add_place(d, other, out);
        str_add(out, ", \"message\": {\"text\": ");
        add_json(out, report_goal_text(d, other));
        str_add(out, "}}");
    }
    str_add(out, n ? "]" : "");
}

static void add_result(struct report_data *d, const struct told *t, size_t goal, struct str *out) {
    const struct report_goal *g = &d->goals.data[goal];
    enum goal_finding finding = report_finding(g);
    assert(finding != FINDING_NONE);
    str_addf(out, "      {\"ruleId\": \"goalkeeper/%s-%s\", \"level\": \"%s\", ",
             rules[finding].name, g->kind, rules[finding].level);
    add_message(d, g, out);
    str_add(out, ", \"locations\": [{");
    add_place(d, g, out);
    str_add(out, ", \"logicalLocations\": [{\"name\": ");
    add_json(out, g->function);
    str_add(out, ", \"kind\": \"function\"}]}], \"partialFingerprints\": "
                 "{\"primaryLocationLineHash\": ");
    add_json(out, g->key);
    str_add(out, "}");
    if (g->justified)
        add_suppression(d, g, out);
    if (finding == FINDING_DEFECT)
        add_flow(d, g, out);
    if (finding == FINDING_DEAD) {
        add_related(d, t, goal, out);
        add_invariant(d, g, out);
    }
    str_add(out, "}");
}

/* Where the paths begin, and what they are of. */
static void add_origin(const struct report_origin *origin, struct str *out) {
    if (!origin->root)
        return;
    str_add(out, "    \"originalUriBaseIds\": {\"%SRCROOT%\": {\"uri\": \"file:///");
    add_uri(out, origin->root);
    str_addf(out, "%s\"}},\n", origin->root[1] ? "/" : "");
    if (!origin->revision || !*origin->revision || !origin->remote || !*origin->remote)
        return;
    str_add(out, "    \"versionControlProvenance\": [{\"repositoryUri\": ");
    add_json(out, origin->remote);
    str_add(out, ", \"revisionId\": ");
    add_json(out, origin->revision);
    str_add(out, ", \"mappedTo\": {\"uriBaseId\": \"%SRCROOT%\"}}],\n");
}

void report_sarif(struct report_data *d, const struct report_options *options, struct str *out) {
    const char *separator = "\n";
    struct told told = {0};
    (void)options;
    find_told(d, &told);
    str_add(out, "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
                 "  \"version\": \"2.1.0\",\n  \"runs\": [{\n    \"tool\": {\"driver\": {\"name\": "
                 "\"Goalkeeper\", \"version\": ");
    add_json(out, d->version);
    str_add(out, ", \"rules\": [");
    add_rules(out);
    str_add(out, "\n    ]}},\n");
    add_origin(&d->origin, out);
    str_add(out, "    \"columnKind\": \"utf16CodeUnits\",\n    \"results\": [");
    for (size_t i = 0; i < d->goals.len; i++) {
        if (report_finding(&d->goals.data[i]) == FINDING_NONE || told.already.data[i])
            continue;
        str_add(out, separator);
        add_result(d, &told, i, out);
        separator = ",\n";
    }
    str_add(out, "\n    ]\n  }]\n}\n");
    vec_free(&told.next);
    vec_free(&told.already);
}
