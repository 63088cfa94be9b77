/* JUnit XML: a suite a function, a case a goal. Open is an error, dead a failure (and so is
 * an event of robustness that can happen), justified skipped. The goal's number is in the name:
 * servers drop cases with the same name. Its time is its share of the attempts that were made for
 * it: one attempt is for many goals, and the times of all goals add up to what was spent. */
#include "report/escape.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

/* Seconds of each goal's own, by id; what is not there has none. */
struct share {
    int64_t goal;
    double seconds;
};
VEC_STRUCT(shares, struct share);

static const char shares_sql[] =
    "WITH phase AS MATERIALIZED (SELECT engine, started, ticks, seconds, peak_mb, "
    "count(*) AS goals FROM attempt GROUP BY engine, started, ticks, seconds, peak_mb) "
    "SELECT a.goal_id, sum(a.seconds / p.goals) FROM attempt a JOIN phase p "
    "USING (engine, started, ticks, seconds, peak_mb) GROUP BY a.goal_id ORDER BY a.goal_id";

static void load_shares(struct report_data *d, struct shares *shares) {
    struct err err = {0};
    struct rows *r = rows_open(d->db, shares_sql, &err);
    while (r && rows_next(r))
        vec_push(shares, (struct share){rows_int(r, 0), rows_real(r, 1)});
    if (r)
        rows_close(r, &err);
    err_clear(&err);
}

static int by_goal(const void *key, const void *item) {
    int64_t id = *(const int64_t *)key, other = ((const struct share *)item)->goal;
    return id < other ? -1 : id > other;
}

static double seconds_of(const struct shares *shares, const struct report_goal *g) {
    assert(shares->len == 0 || shares->data);
    const struct share *found =
        shares->len ? bsearch(&g->id, shares->data, shares->len, sizeof *shares->data, by_goal)
                    : NULL;
    return found ? found->seconds : 0;
}

struct suite {
    size_t tests, failures, errors, skipped;
    double time;
};

static bool same_suite(const struct report_goal *a, const struct report_goal *b) {
    return a->file == b->file && strcmp(a->function, b->function) == 0;
}

static void count(struct suite *s, const struct shares *shares, const struct report_goal *g) {
    s->tests++;
    s->time += seconds_of(shares, g);
    s->skipped += g->justified && report_finding(g) != FINDING_NONE;
    s->failures += report_needs_attention(g) && g->status != STATUS_OPEN;
    s->errors += report_needs_attention(g) && g->status == STATUS_OPEN;
}

static void add_counts(struct str *out, const struct suite *s) {
    str_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\"",
             s->tests, s->failures, s->errors, s->skipped, s->time);
}

static void add_result(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(report_finding(g) != FINDING_NONE);
    const char *element = g->justified ? "skipped" : g->status == STATUS_OPEN ? "error" : "failure";
    str_addf(out, ">\n      <%s message=\"", element);
    add_xml(out, report_sentence(d, g));
    str_add(out, "\"");
    if (!g->justified)
        str_addf(out, " type=\"%s\"", finding_names[report_finding(g)]);
    str_add(out, "/>\n    </testcase>\n");
}

static void add_case(struct report_data *d, const struct shares *shares,
                     const struct report_goal *g, struct str *out) {
    assert(g->file < d->files.len);
    str_addf(out, "    <testcase name=\"%lld %s line %d: ", (long long)g->id, g->kind, g->line);
    add_xml(out, report_goal_text(d, g));
    str_add(out, "\" classname=\"");
    add_xml(out, g->function);
    str_add(out, "\" file=\"");
    add_xml(out, report_path(d, g->file));
    str_addf(out, "\" time=\"%.3f\"", seconds_of(shares, g));
    if (report_finding(g) == FINDING_NONE)
        str_add(out, "/>\n");
    else
        add_result(d, g, out);
}

static size_t add_suite(struct report_data *d, const struct shares *shares, size_t first,
                        struct str *out) {
    assert(first < d->goals.len);
    struct suite s = {0};
    size_t next = first;
    const struct report_goal *goals = d->goals.data;
    for (; next < d->goals.len && same_suite(&goals[first], &goals[next]); next++)
        count(&s, shares, &goals[next]);
    str_add(out, "  <testsuite name=\"");
    add_xml(out, goals[first].function);
    str_add(out, "\"");
    add_counts(out, &s);
    str_add(out, ">\n");
    for (size_t g = first; g < next; g++)
        add_case(d, shares, &goals[g], out);
    str_add(out, "  </testsuite>\n");
    return next;
}

void report_junit(struct report_data *d, const struct report_options *options, struct str *out) {
    struct suite all = {0};
    struct shares shares = {0};
    (void)options;
    load_shares(d, &shares);
    for (size_t i = 0; i < d->goals.len; i++)
        count(&all, &shares, &d->goals.data[i]);
    str_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"Goalkeeper\"");
    add_counts(out, &all);
    str_add(out, ">\n");
    for (size_t i = 0; i < d->goals.len;)
        i = add_suite(d, &shares, i, out);
    str_add(out, "</testsuites>\n");
    vec_free(&shares);
}
