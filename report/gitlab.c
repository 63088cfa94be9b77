/* GitLab code quality: findings without justification, fingerprinted by goal key. The
 * format is a bare array, so the tool is named in check_name. */
#include "report/escape.h"
#include "report/report.h"

static const char *severity(enum goal_finding finding) {
    assert(finding != FINDING_NONE);
    return finding == FINDING_OPEN ? "minor" : finding == FINDING_DEAD ? "major" : "critical";
}

void report_gitlab(struct report_data *d, const struct report_options *options, struct str *out) {
    const char *separator = "";
    (void)options;
    str_add(out, "[");
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (!report_needs_attention(g))
            continue;
        str_addf(out, "%s\n  {\"description\": ", separator);
        add_json(out, arena_printf(&d->arena, "%s %s: %s", g->kind, report_goal_text(d, g),
                                   report_sentence(d, g)));
        str_addf(out, ", \"check_name\": \"goalkeeper/%s-%s\", \"fingerprint\": ",
                 finding_names[report_finding(g)], g->kind);
        add_json(out, g->key);
        str_addf(out,
                 ", \"severity\": \"%s\", \"location\": {\"path\": ", severity(report_finding(g)));
        add_json(out, report_path(d, g->file));
        str_addf(out, ", \"lines\": {\"begin\": %d}}}", g->line);
        separator = ",";
    }
    str_add(out, "\n]\n");
}
