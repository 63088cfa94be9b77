/* Which goal is told on which page: those of a decision on one, those of a cause, and what is left
 * of a function; and each run that goals were hit in on a page of its own, drawn once. */
#include "report/escape.h"
#include "report/html.h"

#include <string.h>

/* Long assumptions, each once, and the first goal that has them. */
struct html_rests {
    struct intern texts;
    VEC(uint32_t) first;
};

static struct html_group *group_named(struct html_groups *groups, const char *key) {
    uint32_t id = intern_id(&groups->names, key);
    assert(id <= groups->list.len);
    if (id == groups->list.len)
        vec_push(&groups->list, (struct html_group){.decision = NULL});
    return &groups->list.data[id];
}

/* Pages of a kind are numbered from 1 without gaps. */
static const char *new_page(struct report_data *d, struct html_groups *groups,
                            enum html_group_kind kind) {
    assert(kind != HTML_OF_DECISION && kind < HTML_GROUP_KINDS);
    static const char *const folders[HTML_GROUP_KINDS] = {"decision", "cause", "function", "run"};
    return arena_printf(&d->arena, "%s/%zu.html", folders[kind], ++groups->pages[kind]);
}

static const char *key_of(struct report_data *d, const struct report_goal *g,
                          enum html_group_kind *kind) {
    *kind = HTML_OF_FUNCTION;
    if (report_decision_of(d, g)) {
        *kind = HTML_OF_DECISION;
        return arena_printf(&d->arena, "d%lld", (long long)g->decision);
    }
    if (g->status == STATUS_DEAD && g->cause > 0) {
        *kind = HTML_OF_CAUSE;
        return arena_printf(&d->arena, "c%lld", (long long)g->cause);
    }
    return arena_printf(&d->arena, "f%u %s", g->file, g->function);
}

/* `told`: of group and proof the first goal, by its place in the data. */
static void find_teller(struct report_data *d, struct map *told, size_t group,
                        struct report_goal *g) {
    if (g->proof == 0)
        return;
    uint64_t key = hash_mix(group, (uint64_t)g->proof);
    const uint32_t *first = map_get(told, key);
    if (!first)
        map_put(told, key, (uint32_t)(g - d->goals.data));
    else if (d->goals.data[*first].proof == g->proof && d->goals.data[*first].page == g->page)
        g->teller = &d->goals.data[*first];
}

/* Where nobody has found out which ranges a proof needs, all dead goals rest on the same hundred.
 */
static void find_rests(struct report_data *d, struct html_rests *rests, struct report_goal *g) {
    enum { LONG = 200 };
    if (g->status != STATUS_DEAD || g->teller || strlen(g->assumes) < LONG)
        return;
    uint32_t text = intern_id(&rests->texts, g->assumes);
    assert(text <= rests->first.len);
    if (text == rests->first.len)
        vec_push(&rests->first, (uint32_t)(g - d->goals.data));
    else
        g->rests = &d->goals.data[rests->first.data[text]];
}

static void join(struct report_data *d, struct html_groups *groups, struct map *told,
                 struct report_goal *g) {
    enum html_group_kind kind;
    struct html_group *group = group_named(groups, key_of(d, g, &kind));
    if (!group->page) {
        group->kind = kind;
        group->decision = kind == HTML_OF_DECISION ? report_decision_of(d, g) : NULL;
        group->page =
            group->decision ? html_decision_page(d, group->decision) : new_page(d, groups, kind);
    }
    assert(group->kind == kind && (kind == HTML_OF_DECISION) == (group->decision != NULL));
    vec_push(&group->goals, g);
    g->page = group->page;
    find_teller(d, told, (size_t)(group - groups->list.data), g);
}

/* The run is shown as far as the goal that comes last in it. */
static void join_run(struct report_data *d, struct html_groups *runs, struct report_goal *g) {
    if (g->status != STATUS_REACHABLE || g->witness == 0)
        return;
    struct html_group *run =
        group_named(runs, arena_printf(&d->arena, "%lld", (long long)g->witness));
    if (!run->page) {
        run->kind = HTML_RUN;
        run->page = new_page(d, runs, HTML_RUN);
    }
    vec_push(&run->goals, g);
    g->run = run->page;
}

void html_groups_make(struct report_data *d, struct html_groups *groups, struct html_groups *runs) {
    struct map told = {0};
    struct html_rests rests = {0};
    assert(groups->list.len == 0 && runs->list.len == 0);
    for (size_t i = 0; i < d->goals.len; i++) {
        join(d, groups, &told, &d->goals.data[i]);
        join_run(d, runs, &d->goals.data[i]);
        find_rests(d, &rests, &d->goals.data[i]);
    }
    map_free(&told);
    intern_free(&rests.texts);
    vec_free(&rests.first);
}

void html_groups_free(struct html_groups *groups) {
    for (size_t i = 0; i < groups->list.len; i++)
        vec_free(&groups->list.data[i].goals);
    vec_free(&groups->list);
    intern_free(&groups->names);
}

/* ---- pages ---- */

static const char *title_of(struct report_data *d, const struct html_group *group) {
    const struct report_goal *first = group->goals.data[0];
    const char *what =
        group->kind == HTML_OF_CAUSE
            ? arena_printf(&d->arena, "Dead because of cause %lld", (long long)first->cause)
            : arena_printf(&d->arena, "Function %s", first->function);
    return arena_printf(&d->arena, "%s, %s:%d", what, d->files.data[first->file].path, first->line);
}

static void add_others(struct report_data *d, const struct html_group *group, struct str *out) {
    assert(group->kind == HTML_OF_CAUSE);
    const char *heading = "<h2 id=\"others\">Other goals of this cause</h2>\n<ul>\n";
    const struct report_goal *first = group->goals.data[0];
    size_t n = 0;
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (g->cause != first->cause || g->status != STATUS_DEAD || g->page == first->page)
            continue;
        str_addf(out, "%s<li>%s ", n++ ? "" : heading, g->kind);
        html_goal_link(d, g, "../", out);
        str_add(out, "</li>\n");
    }
    str_add(out, n ? "</ul>\n" : "");
}

void html_group(struct report_data *d, const struct html_group *group, struct str *out) {
    assert(group->goals.len > 0 && group->page);
    struct html_page page = {.title = title_of(d, group), .root = "../", .section = HTML_GOALS};
    html_begin(d, &page, out);
    if (group->kind == HTML_OF_CAUSE)
        html_because(d, group->goals.data[0], out);
    html_goal_list(d, group->goals.data, group->goals.len, out);
    if (group->kind == HTML_OF_CAUSE)
        add_others(d, group, out);
    html_end(d, out);
}

static const struct report_goal *deepest(const struct html_group *run) {
    const struct report_goal *last = run->goals.data[0];
    for (size_t i = 1; i < run->goals.len; i++)
        if (run->goals.data[i]->depth > last->depth)
            last = run->goals.data[i];
    return last;
}

/* The goals of the run that this step hits first, as links by their numbers. */
static void add_hits(const struct html_group *run, size_t first, struct str *out) {
    int64_t step = run->goals.data[first]->depth;
    str_addf(out, "<tr><td class=\"n\">%lld</td><td>", (long long)step);
    for (size_t i = first; i < run->goals.len; i++) {
        const struct report_goal *g = run->goals.data[i];
        if (g->depth == step)
            str_addf(out, "%s<a href=\"../%s#g%lld\">%lld</a> %s", i > first ? ", " : "", g->page,
                     (long long)g->id, (long long)g->id, g->kind);
    }
    str_add(out, "</td></tr>\n");
}

void html_run(struct report_data *d, const struct html_group *run, struct str *out) {
    assert(run->kind == HTML_RUN && run->goals.len > 0);
    const struct report_goal *last = deepest(run);
    const char *number = strchr(run->page, '/') + 1;
    struct html_page page = {
        .title = arena_printf(&d->arena, "Run %.*s", (int)strcspn(number, "."), number),
        .root = "../",
        .section = -1};
    html_begin(d, &page, out);
    str_addf(out,
             "<p>Goals of the module are hit in this run. It starts with a reset. Run it natively, "
             "from the database: <code>goalkeeper replay DB %lld</code>.</p>\n",
             (long long)last->id);
    html_witness(d, last, out);
    str_add(out,
            "<h2 id=\"goals\">Goals that are hit</h2>\n<div class=\"wide\" "
            "tabindex=\"0\"><table>\n<thead><tr>"
            "<th scope=\"col\" class=\"n\">step</th><th scope=\"col\">goals</th></tr></thead>\n"
            "<tbody>\n");
    struct map steps = {0};
    for (size_t i = 0; i < run->goals.len; i++) {
        uint64_t step = (uint64_t)run->goals.data[i]->depth;
        if (map_get(&steps, step))
            continue;
        map_put(&steps, step, 1);
        add_hits(run, i, out);
    }
    map_free(&steps);
    str_add(out, "</tbody>\n</table></div>\n");
    html_end(d, out);
}
