/* JUnit XML: a suite a function, a case a goal. What makes the gate fail is an error when it is
 * open, else a failure; a finding that is justified, or that the gate does not mind, is skipped.
 * Where no gate was asked for, nothing says that a dead goal is wrong: open goals, which nobody
 * knows enough of, are errors, and events that can happen are failures. The goal's number is in the
 * name: servers drop cases with the same name. Its time is its share of the attempts that were made
 * for it: one attempt is for many goals, and the times of all goals add up to what was spent. */
#include "base/map.h"
#include "report/escape.h"
#include "report/gate/gate.h"
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

/* ---- outcomes ---- */

struct judge {
    struct report_data *d;
    struct shares shares;
    const struct gate *gate;
    struct gate_outcome outcome;
    struct map failed; /* number of a goal: the result of the gate that it makes fail */
};

static void open_judge(struct judge *j, struct report_data *d, const struct gate *gate) {
    *j = (struct judge){.d = d, .gate = gate};
    load_shares(d, &j->shares);
    if (gate)
        gate_check(gate, d, &j->outcome);
    assert(gate || j->outcome.results.len == 0);
    for (uint32_t i = 0; i < j->outcome.results.len; i++) {
        const struct gate_result *r = &j->outcome.results.data[i];
        for (size_t g = 0; !r->passed && g < r->goals.len; g++)
            map_put(&j->failed, (uint64_t)r->goals.data[g]->id, i);
    }
}

static void close_judge(struct judge *j) {
    gate_outcome_free(&j->outcome);
    map_free(&j->failed);
    vec_free(&j->shares);
}

static bool fails(const struct judge *j, const struct report_goal *g) {
    if (j->gate)
        return map_get(&j->failed, (uint64_t)g->id) != NULL;
    return report_needs_attention(g) && report_finding(g) != FINDING_DEAD;
}

/* The element that says how the case came out; NULL: it passed. */
static const char *element_of(const struct judge *j, const struct report_goal *g) {
    if (fails(j, g))
        return g->status == STATUS_OPEN ? "error" : "failure";
    return report_finding(g) == FINDING_NONE ? NULL : "skipped";
}

struct suite {
    size_t tests, failures, errors, skipped;
    double time;
};

static bool same_suite(const struct report_goal *a, const struct report_goal *b) {
    return a->file == b->file && strcmp(a->function, b->function) == 0;
}

static void count(struct suite *s, const struct judge *j, const struct report_goal *g) {
    const char *element = element_of(j, g);
    assert(!element || strchr("sfe", *element));
    s->tests++;
    s->time += seconds_of(&j->shares, g);
    if (!element)
        return;
    *(*element == 's' ? &s->skipped : *element == 'f' ? &s->failures : &s->errors) += 1;
    assert(s->failures + s->errors + s->skipped <= s->tests);
}

/* What is skipped is counted by suite: at the top, schemas of readers know no such count. */
static void add_counts(struct str *out, const struct suite *s, bool of_all) {
    str_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", s->tests, s->failures,
             s->errors);
    if (!of_all)
        str_addf(out, " skipped=\"%zu\"", s->skipped);
    str_addf(out, " time=\"%.3f\"", s->time);
}

static void add_result(const struct judge *j, const struct report_goal *g, const char *element,
                       struct str *out) {
    assert(fails(j, g) || report_finding(g) != FINDING_NONE);
    str_addf(out, ">\n      <%s message=\"", element);
    add_xml(out, report_sentence(j->d, g));
    if (j->gate && fails(j, g)) {
        str_add(out, " Gate: ");
        add_xml(out, j->outcome.results.data[*map_get(&j->failed, (uint64_t)g->id)].about);
    } else if (*element == 's' && !g->justified) {
        str_add(out, j->gate ? " The gate does not mind." : " No gate was asked for.");
    }
    str_add(out, "\"");
    if (*element != 's')
        str_addf(out, " type=\"%s\"",
                 report_finding(g) == FINDING_NONE ? "gate" : finding_names[report_finding(g)]);
    str_add(out, "/>\n    </testcase>\n");
}

static void add_case(const struct judge *j, const struct report_goal *g, struct str *out) {
    assert(g->file < j->d->files.len);
    const char *element = element_of(j, g);
    str_addf(out, "    <testcase name=\"%lld %s line %d: ", (long long)g->id, g->kind, g->line);
    add_xml(out, report_goal_text(j->d, g));
    str_add(out, "\" classname=\"");
    add_xml(out, g->function);
    str_add(out, "\" file=\"");
    add_xml(out, report_path(j->d, g->file));
    str_addf(out, "\" time=\"%.3f\"", seconds_of(&j->shares, g));
    if (element)
        add_result(j, g, element, out);
    else
        str_add(out, "/>\n");
}

static size_t add_suite(const struct judge *j, size_t first, struct str *out) {
    const struct report_data *d = j->d;
    assert(first < d->goals.len);
    struct suite s = {0};
    size_t next = first;
    const struct report_goal *goals = d->goals.data;
    for (; next < d->goals.len && same_suite(&goals[first], &goals[next]); next++)
        count(&s, j, &goals[next]);
    str_add(out, "  <testsuite name=\"");
    add_xml(out, goals[first].function);
    str_add(out, "\"");
    add_counts(out, &s, false);
    str_add(out, ">\n");
    for (size_t g = first; g < next; g++)
        add_case(j, &goals[g], out);
    str_add(out, "  </testsuite>\n");
    return next;
}

void report_junit(struct report_data *d, const struct report_options *options, struct str *out) {
    struct suite all = {0};
    struct judge judge;
    open_judge(&judge, d, options->gate);
    for (size_t i = 0; i < d->goals.len; i++)
        count(&all, &judge, &d->goals.data[i]);
    str_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"Goalkeeper\"");
    add_counts(out, &all, true);
    str_add(out, ">\n");
    for (size_t i = 0; i < d->goals.len;)
        i = add_suite(&judge, i, out);
    str_add(out, "</testsuites>\n");
    close_judge(&judge);
}
