/* SARIF 2.1.0: a rule a verdict and kind, a result a dead or open goal; justified ones suppressed.
 */
#include "report/escape.h"
#include "report/report.h"

#include <string.h>

static void add_rule(const char *status, const struct criterion *c, struct str *out) {
    bool dead = strcmp(status, "dead") == 0;
    str_addf(out,
             "        {\"id\": \"goalkeeper/%s-%s\", \"shortDescription\": {\"text\": \"%s %s\"}, "
             "\"fullDescription\": {\"text\": \"%s: %s\"}, \"help\": {\"text\": \"%s\"}, "
             "\"defaultConfiguration\": {\"level\": \"%s\"}}",
             status, c->name, dead ? "Dead" : "Open", c->name,
             dead ? "No input sequence of any length reaches this goal"
                  : "Neither reached nor "
                    "proved dead",
             c->about,
             dead ? "Remove the code, correct the logic, or justify the goal with "
                    "'goalkeeper justify'."
                  : "Give more time or narrower input ranges, or justify the goal.",
             dead ? "warning" : "note");
}

static void add_rules(struct str *out) {
    static const char *const statuses[] = {"dead", "open"};
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < GOAL_KINDS; k++) {
            str_add(out, s || k ? ",\n" : "\n");
            add_rule(statuses[s], &criteria[k], out);
        }
}

static void add_region(const struct report_goal *g, struct str *out) {
    str_addf(out, "{\"startLine\": %d, \"startColumn\": %d", g->line > 0 ? g->line : 1,
             g->col > 0 ? g->col : 1);
    if (g->end_line >= g->line && g->end_col > 0)
        str_addf(out, ", \"endLine\": %d, \"endColumn\": %d", g->end_line, g->end_col);
    str_add(out, "}");
}

static void add_result(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(g->file < d->files.len);
    assert(g->status != STATUS_REACHABLE);
    str_addf(out,
             "      {\"ruleId\": \"goalkeeper/%s-%s\", \"level\": \"%s\", \"message\": "
             "{\"text\": ",
             status_names[g->status], g->kind, g->status == STATUS_DEAD ? "warning" : "note");
    add_json(out, arena_printf(&d->arena, "%s. %s", report_goal_text(d, g), report_sentence(d, g)));
    str_add(out, "}, \"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": \"");
    add_uri(out, d->files.data[g->file].path);
    str_add(out, "\"}, \"region\": ");
    add_region(g, out);
    str_add(out, "}, \"logicalLocations\": [{\"name\": ");
    add_json(out, g->function);
    str_addf(out,
             ", \"kind\": \"function\"}]}], \"partialFingerprints\": "
             "{\"primaryLocationLineHash\": \"%s\"}",
             g->key);
    if (g->justified)
        str_add(out, ", \"suppressions\": [{\"kind\": \"external\"}]");
    str_add(out, "}");
}

void report_sarif(struct report_data *d, const struct report_options *options, struct str *out) {
    const char *separator = "\n";
    (void)options;
    str_add(out, "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
                 "  \"version\": \"2.1.0\",\n  \"runs\": [{\n    \"tool\": {\"driver\": {\"name\": "
                 "\"Goalkeeper\", \"version\": ");
    add_json(out, d->version);
    str_add(out, ", \"rules\": [");
    add_rules(out);
    str_add(out, "\n    ]}},\n    \"columnKind\": \"utf16CodeUnits\",\n    \"results\": [");
    for (size_t i = 0; i < d->goals.len; i++) {
        if (d->goals.data[i].status == STATUS_REACHABLE)
            continue;
        str_add(out, separator);
        add_result(d, &d->goals.data[i], out);
        separator = ",\n";
    }
    str_add(out, "\n    ]\n  }]\n}\n");
}
