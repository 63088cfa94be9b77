/* The rows of a truth table follow from the structure of a decision, whether or not they are goals:
 * a row is dead when it is one that is dead, or when it would reach another dead goal. */
#include "app/export/mcdc.h"

#include "app/project/ledger.h"
#include "base/file.h"
#include "coverage/unique_cause.h"
#include "report/date.h"
#include "report/escape.h"
#include "report/report.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CONDITIONS = 10 }; /* of a table with all its rows */

struct row {
    char *text; /* "T F -" */
    int8_t *value;
    bool *credited;
    bool outcome;
    const struct report_goal *goal; /* kind vector; NULL: not asked for */
    const struct report_goal *dead; /* what it would reach; NULL: it is not dead */
};

struct table {
    struct arena arena;
    VEC(struct row) rows;
    size_t n; /* conditions */
};

/* Conditions by what is known of them. */
struct tally {
    size_t total, shown, dead;
};

struct package {
    struct report_data data;
    struct str text, all; /* of one decision, of all that have a dead goal */
    struct tally outcomes, masking, unique;
    size_t large; /* decisions without a table */
};

/* ---- the truth table ---- */

static const struct report_goal *dead_of(const struct report_decision *d, const struct row *row) {
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = d->goals.data[i];
        bool at = g->condition >= 0 && row->value[g->condition] == g->value;
        if (g->status == STATUS_DEAD &&
            ((str_same(g->kind, "condition") && at) ||
             (str_same(g->kind, "mcdc") && at && row->credited[g->condition]) ||
             (str_same(g->kind, "branch") && row->outcome == (g->value == 1)) || g == row->goal))
            return g;
    }
    return NULL;
}

static bool is_listed(const struct table *t, const char *text) {
    for (size_t i = 0; i < t->rows.len; i++)
        if (str_same(t->rows.data[i].text, text))
            return true;
    return false;
}

/* The row of these values, which may be one of those before. */
static void add_row(const struct report_decision *d, unsigned values, struct table *t) {
    struct decision shape = {.n_conditions = (int)t->n, .structure = d->structure};
    assert(t->n > 0 && t->n <= MOST_CONDITIONS);
    struct row row = {.text = arena_alloc(&t->arena, 2 * t->n),
                      .value = arena_array(&t->arena, int8_t, t->n),
                      .credited = arena_array(&t->arena, bool, t->n)};
    for (size_t c = 0; c < t->n; c++)
        row.value[c] = !(values >> (t->n - 1 - c) & 1);
    row.outcome = mcdc_credit(&shape, row.value, row.credited);
    for (size_t c = 0; c < t->n; c++) {
        row.text[2 * c] = row.value[c] < 0 ? '-' : row.value[c] ? 'T' : 'F';
        row.text[2 * c + 1] = c + 1 < t->n ? ' ' : '\0';
    }
    if (is_listed(t, row.text))
        return;
    for (size_t i = 0; i < d->goals.len; i++)
        if (str_same(d->goals.data[i]->kind, "vector") &&
            str_same(d->goals.data[i]->text, row.text))
            row.goal = d->goals.data[i];
    row.dead = dead_of(d, &row);
    vec_push(&t->rows, row);
}

static void make_table(const struct report_decision *d, struct table *t) {
    t->n = d->conditions.len;
    for (unsigned values = 0; t->n <= MOST_CONDITIONS && values < 1U << t->n; values++)
        add_row(d, values, t);
}

static void free_table(struct table *t) {
    vec_free(&t->rows);
    arena_free(&t->arena);
}

static enum row_status unique_of(struct table *t, int32_t condition) {
    struct goals goals = {0};
    struct row_pairs pairs = {0};
    assert(condition >= 0 && (size_t)condition < t->n);
    enum row_status *status = arena_array(&t->arena, enum row_status, t->rows.len + 1);
    vec_push(&goals.decisions, (struct decision){.n_conditions = (int)t->n});
    for (size_t r = 0; r < t->rows.len; r++) {
        const struct row *row = &t->rows.data[r];
        status[r] = row->dead                                            ? ROW_DEAD
                    : row->goal && row->goal->status == STATUS_REACHABLE ? ROW_REACHABLE
                                                                         : ROW_OPEN;
        vec_push(&goals.list, (struct goal){.kind = GOAL_vector,
                                            .value = (int8_t)row->outcome,
                                            .text = row->text,
                                            .condition = -1});
    }
    unique_cause_pairs(&goals, 0, condition, &pairs);
    enum row_status answer = t->rows.len ? unique_cause_status(&pairs, status, NULL) : ROW_OPEN;
    vec_free(&pairs);
    vec_free(&goals.list);
    vec_free(&goals.decisions);
    return answer;
}

/* ---- one decision ---- */

static const struct report_goal *mcdc_goal(const struct report_decision *d, size_t condition,
                                           int value) {
    for (size_t i = 0; i < d->goals.len; i++)
        if (str_same(d->goals.data[i]->kind, "mcdc") &&
            d->goals.data[i]->condition == (int64_t)condition && d->goals.data[i]->value == value)
            return d->goals.data[i];
    return NULL;
}

static enum row_status masking_of(const struct report_goal *t, const struct report_goal *f) {
    if (t->status == STATUS_DEAD || f->status == STATUS_DEAD)
        return ROW_DEAD;
    return t->status == STATUS_REACHABLE && f->status == STATUS_REACHABLE ? ROW_REACHABLE
                                                                          : ROW_OPEN;
}

static void count(struct tally *t, enum row_status status) {
    t->total++;
    t->shown += status == ROW_REACHABLE;
    t->dead += status == ROW_DEAD;
}

static const char *word_of(enum row_status status) {
    return status == ROW_DEAD ? "dead" : status == ROW_REACHABLE ? "shown" : "open";
}

static void add_rows(struct package *p, const struct table *t) {
    str_add(&p->text,
            "\nRow | values | outcome | shows to decide | verdict\n---:|---|---|---|---\n");
    for (size_t r = 0; r < t->rows.len; r++) {
        const struct row *row = &t->rows.data[r];
        str_addf(&p->text, "%zu | `%s` | %s |", r + 1, row->text, row->outcome ? "true" : "false");
        for (size_t c = 0; c < t->n; c++)
            if (row->credited[c])
                str_addf(&p->text, " %zu", c + 1);
        if (row->dead)
            str_addf(&p->text, " | **dead**: goal %lld\n", (long long)row->dead->id);
        else
            str_addf(&p->text, " | %s\n",
                     row->goal
                         ? word_of(row->goal->status == STATUS_REACHABLE ? ROW_REACHABLE : ROW_OPEN)
                         : "not asked");
    }
}

/* "certificates/reason_7.c", as --evidence cbmc writes them. */
static bool add_proof(struct package *p, const struct report_goal *g, struct err *err) {
    struct rows *r = rows_open(p->data.db, "SELECT proof FROM reason_proof WHERE goal = ?1", err);
    rows_bind_int(r, 1, g->id);
    bool reason = r && rows_next(r);
    str_addf(&p->text, "certificates/%s_%lld.c, accepted by %s", reason ? "reason" : "proof",
             (long long)(reason ? rows_int(r, 0) : g->proof),
             report_checkers(&p->data, g->checked_by));
    return rows_close(r, err);
}

static bool add_dead(struct package *p, const struct report_goal *g, struct err *err) {
    assert(g->status == STATUS_DEAD && g->condition >= 0);
    str_addf(&p->text, "\n* Goal %lld: condition %lld, ", (long long)g->id,
             (long long)g->condition + 1);
    add_markdown(&p->text, g->text);
    str_addf(&p->text, ",%s.\n  Reason: ", criterion_says(GOAL_mcdc, g->value));
    add_markdown(&p->text, *g->because ? g->because : "not known");
    if (g->cause > 0)
        str_addf(&p->text, " (%s, cause %lld)", g->class, (long long)g->cause);
    str_add(&p->text, ".\n  Assumes: ");
    add_markdown(&p->text, *g->assumes ? g->assumes : "nothing");
    str_add(&p->text, ".\n  Proof: ");
    bool ok = add_proof(p, g, err);
    str_add(&p->text, ".\n");
    return ok;
}

static void add_head(struct package *p, const struct report_decision *d) {
    str_addf(&p->text, "\n## Decision %lld, ", (long long)d->id);
    add_markdown(&p->text,
                 arena_printf(&p->data.arena, "%s:%d", p->data.files.data[d->file].path, d->line));
    str_add(&p->text, "\n\n");
    add_markdown(&p->text, d->text);
    str_add(&p->text, "\n\nCondition | text | masking: as true | as false | unique cause\n"
                      "---:|---|---|---|---\n");
}

static bool add_decision(struct package *p, const struct report_decision *d, struct err *err) {
    struct table t = {0};
    bool ok = true, any = false;
    str_clear(&p->text);
    make_table(d, &t);
    add_head(p, d);
    for (size_t c = 0; c < d->conditions.len; c++) {
        const struct report_goal *yes = mcdc_goal(d, c, 1), *no = mcdc_goal(d, c, 0);
        if (!yes || !no)
            continue;
        enum row_status unique = unique_of(&t, (int32_t)c);
        count(&p->outcomes, masking_of(yes, yes));
        count(&p->outcomes, masking_of(no, no));
        count(&p->masking, masking_of(yes, no));
        count(&p->unique, unique);
        any |= masking_of(yes, no) == ROW_DEAD || unique == ROW_DEAD;
        str_addf(&p->text, "%zu | ", c + 1);
        add_markdown(&p->text, d->conditions.data[c]);
        str_addf(&p->text, " | %s | %s | %s\n", word_of(masking_of(yes, yes)),
                 word_of(masking_of(no, no)), word_of(unique));
    }
    p->large += any && t.rows.len == 0;
    if (t.rows.len > 0)
        add_rows(p, &t);
    for (size_t i = 0; ok && i < d->goals.len; i++)
        if (str_same(d->goals.data[i]->kind, "mcdc") && d->goals.data[i]->status == STATUS_DEAD)
            ok = add_dead(p, d->goals.data[i], err);
    if (any)
        str_add(&p->all, str_text(&p->text));
    free_table(&t);
    return ok;
}

/* ---- the files ---- */

static void add_tally(struct str *out, const char *what, const struct tally *t) {
    assert(t->shown + t->dead <= t->total);
    str_addf(out, "%s | %zu | %zu | %zu | %zu | %.1f %% | %.1f %%\n", what, t->total, t->shown,
             t->dead, t->total - t->shown - t->dead, report_percent(t->shown, t->total),
             report_percent(t->shown, t->total - t->dead));
}

static bool write_text(const char *folder, const char *name, const struct str *text,
                       struct err *err) {
    struct arena arena = {0};
    bool ok = file_write_ours(path_join(&arena, folder, name), str_text(text), text->len,
                              "oalkeeper", err);
    arena_free(&arena);
    return ok;
}

static bool write_summary(struct package *p, const char *folder, struct err *err) {
    struct str text = {0};
    str_add(&text, "# MC/DC of ");
    add_markdown(&text, p->data.name);
    str_add(&text,
            "\n\nWritten by Goalkeeper. An outcome is one value with which a condition has to be "
            "shown to decide; a\ncondition is shown when both of its outcomes are. Unique cause: "
            "by a pair of rows that differ in that\ncondition alone. The criterion vector makes "
            "rows goals; without it a row is known only where it is\ndead.\n\n"
            "MC/DC | all | shown | dead | open | of all | of those that are not dead\n"
            "---|---:|---:|---:|---:|---:|---:\n");
    add_tally(&text, "masking, in outcomes", &p->outcomes);
    add_tally(&text, "masking, in conditions", &p->masking);
    add_tally(&text, "unique cause, in conditions", &p->unique);
    if (p->large)
        str_addf(&text, "\n%zu decisions of more than %d conditions are here without their rows.\n",
                 p->large, MOST_CONDITIONS);
    str_add(&text, str_text(&p->all));
    bool ok = write_text(folder, "mcdc.md", &text, err);
    str_free(&text);
    return ok;
}

/* "MCDC:12,U2,t,0,1,x" of a tracefile is "2,1t" in the comment that lcov's unreach.pm reads. */
static void add_unreachable(const char *line, int *last, const char *file, struct str *out) {
    int at = 0, size = 0, index = 0;
    char sense = 0;
    if (sscanf(line, "MCDC:%d,U%d,%c,0,%d,", &at, &size, &sense, &index) != 4)
        return;
    if (at == *last)
        str_addf(out, "; %d,%d%c", size, index, sense);
    else
        str_addf(out, "\n%s:%d: // LCOV_UNREACHABLE_COND %d,%d%c", file, at, size, index, sense);
    *last = at;
}

static bool write_unreachable(struct package *p, const char *folder, struct err *err) {
    struct report_options options = {.lcov_unreachable = true};
    struct str lcov = {0}, out = {0};
    const char *file = "";
    int last = 0;
    report_lcov(&p->data, &options, &lcov);
    str_add(&out, "# Written by Goalkeeper: comments for lcov --unreachable-script unreach.pm");
    for (const char *line = str_text(&lcov), *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        if (str_starts(line, "SF:")) {
            file = arena_strndup(&p->data.arena, line + 3, (size_t)(end - line) - 3);
            last = 0;
        }
        add_unreachable(line, &last, file, &out);
    }
    str_addc(&out, '\n');
    bool ok = write_text(folder, "lcov_unreachable.txt", &out, err);
    str_free(&lcov);
    str_free(&out);
    return ok;
}

/* Each entry says who has written the file; without one there is none. */
static bool write_entries(struct package *p, const char *folder, struct err *err) {
    struct str out = {0};
    size_t n = 0;
    str_add(&out, "[");
    for (size_t i = 0; i < p->data.goals.len; i++) {
        const struct report_goal *g = &p->data.goals.data[i];
        if (!str_same(g->kind, "mcdc") || g->status != STATUS_DEAD || g->justified)
            continue;
        str_addf(&out,
                 "%s\n  {\"key\": \"%s\", \"category\": \"other\", \"reason\": ", n++ ? "," : "",
                 g->key);
        add_json(&out, arena_printf(&p->data.arena, "Goalkeeper: %s",
                                    *g->because ? g->because : "dead, proved"));
        str_add(&out, ", \"author\": \"\", \"date\": ");
        add_json(&out, date_today(&p->data.arena));
        str_add(&out, ", \"function_hash\": ");
        add_json(&out, ledger_function_hash(&p->data.arena, p->data.db, g->key));
        str_addc(&out, '}');
    }
    str_add(&out, "\n]\n");
    bool ok = n == 0 || write_text(folder, "justifications.json", &out, err);
    str_free(&out);
    return ok;
}

bool mcdc_export(struct store *db, const char *folder, struct err *err) {
    struct package p = {0};
    bool ok = report_load(&p.data, db, NULL, err);
    for (size_t i = 0; ok && i < p.data.decisions.len; i++)
        if (p.data.decisions.data[i].conditions.len > 1)
            ok = add_decision(&p, &p.data.decisions.data[i], err);
    ok = ok && write_summary(&p, folder, err) && write_unreachable(&p, folder, err) &&
         write_entries(&p, folder, err);
    str_free(&p.text);
    str_free(&p.all);
    report_unload(&p.data);
    return ok;
}
