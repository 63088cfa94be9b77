/* All goals as JSON: objects whose keys are the columns of the view goal_status. */
#include "report/escape.h"
#include "report/report.h"

static void add_text(struct str *out, const char *key, const char *text) {
    str_addf(out, ", \"%s\": ", key);
    if (*text)
        add_json(out, text);
    else
        str_add(out, "null");
}

static void add_number(struct str *out, const char *key, int64_t value) {
    if (value < 0)
        str_addf(out, ", \"%s\": null", key);
    else
        str_addf(out, ", \"%s\": %lld", key, (long long)value);
}

static void add_goal(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(g->file < d->files.len);
    str_addf(out, "    {\"goal_id\": %lld", (long long)g->id);
    add_text(out, "key", g->key);
    add_text(out, "file", d->files.data[g->file].path);
    add_number(out, "line", g->line);
    add_number(out, "col", g->col);
    add_text(out, "function", g->function);
    add_text(out, "kind", g->kind);
    add_text(out, "text", g->text);
    add_number(out, "value", g->value);
    add_text(out, "status", status_names[g->status]);
    add_number(out, "bound", g->bound);
    add_number(out, "depth", g->depth);
    add_text(out, "engine", g->engine);
    add_text(out, "checked_by", g->checked_by);
    add_text(out, "assumes", g->assumes);
    add_text(out, "reason", g->reason);
    if (*g->class) {
        add_text(out, "class", g->class);
        add_text(out, "because", g->because);
        add_number(out, "cause", g->cause);
    }
    if (*g->block)
        add_text(out, "block", g->block);
    str_addf(out, ", \"finding\": \"%s\", \"justified\": %s}", finding_names[report_finding(g)],
             g->justified ? "true" : "false");
}

static void add_summary(struct report_data *d, struct str *out) {
    const char *separator = "";
    for (size_t i = 0; i < d->counts.len; i++) {
        const struct report_count *c = &d->counts.data[i];
        if (c->total == 0)
            continue;
        str_addf(out,
                 "%s\n    {\"criterion\": \"%s\", \"total\": %zu, \"reachable\": %zu, \"dead\": "
                 "%zu, \"open\": %zu, \"justified\": %zu}",
                 separator, c->criterion, c->total, c->reachable, c->dead, c->open, c->justified);
        separator = ",";
    }
}

static void add_gone(const struct baseline_goal *g, struct str *out) {
    str_addf(out, "{\"key\": ");
    add_json(out, g->key);
    add_text(out, "file", g->file);
    add_number(out, "line", g->line);
    add_text(out, "kind", g->kind);
    add_text(out, "text", g->text);
    str_addf(out, ", \"status\": \"%s\"}", status_names[g->status]);
}

static void add_comparison(const struct comparison *c, struct str *out) {
    assert(c->path);
    str_add(out, "  \"comparison\": {\n    \"baseline\": ");
    add_json(out, c->path);
    str_add(out, ",\n    \"new\": [");
    for (size_t i = 0; i < c->added.len; i++) {
        str_add(out, i ? ", " : "");
        add_json(out, c->added.data[i]->key);
    }
    str_add(out, "],\n    \"gone\": [");
    for (size_t i = 0; i < c->gone.len; i++) {
        str_add(out, i ? ",\n      " : "\n      ");
        add_gone(c->gone.data[i], out);
    }
    str_add(out, "],\n    \"changed\": [");
    for (size_t i = 0; i < c->changed.len; i++) {
        const struct verdict_change *change = &c->changed.data[i];
        str_addf(out, "%s\n      {\"key\": ", i ? "," : "");
        add_json(out, change->now->key);
        str_addf(out, ", \"before\": \"%s\", \"now\": \"%s\"}",
                 status_names[change->before->status], status_names[change->now->status]);
    }
    str_add(out, "]\n  },\n");
}

static void add_warnings(const struct report_data *d, struct str *out) {
    str_add(out, "  \"warnings\": [");
    for (size_t i = 0; i < d->warnings.len; i++) {
        str_add(out, i ? ", " : "");
        add_json(out, d->warnings.data[i]);
    }
    str_add(out, "],\n");
}

void report_json(struct report_data *d, const struct report_options *options, struct str *out) {
    str_add(out, "{\n  \"tool\": \"Goalkeeper\",\n  \"version\": ");
    add_json(out, d->version);
    str_add(out, ",\n  \"name\": ");
    add_json(out, d->name);
    str_add(out, ",\n  \"summary\": [");
    add_summary(d, out);
    str_add(out, "\n  ],\n");
    add_warnings(d, out);
    if (options->comparison)
        add_comparison(options->comparison, out);
    str_add(out, "  \"goals\": [\n");
    for (size_t i = 0; i < d->goals.len; i++) {
        add_goal(d, &d->goals.data[i], out);
        str_add(out, i + 1 < d->goals.len ? ",\n" : "\n");
    }
    str_add(out, "  ]\n}\n");
}
