/* LCOV tracefile: one TN and one SF a file.
 *
 * What is not reached is not taken: that every version reads. --lcov-unreachable marks what is
 * proved dead with the flag U of lcov 2.5, which older versions misread without a word. Every line
 * with a record of another kind has a DA record, hit if any of the others is: lcov 2 refuses the
 * file otherwise, and lcov 1 drops the records. */
#include "report/escape.h"
#include "report/lines.h"
#include "report/report.h"

#include <string.h>

/* A branch on a line that is not hit was never evaluated, which is '-'. */
static void add_branches(const struct report_line *l, bool flags, struct str *out, size_t *found,
                         size_t *hit) {
    const char *not_taken = report_line_is_hit(l) ? "0" : "-";
    for (size_t i = 0; i < l->branches.len; i++) {
        const struct report_goal *g = l->branches.data[i];
        bool taken = g->status == STATUS_REACHABLE;
        bool flag = flags && g->status == STATUS_DEAD;
        str_addf(out, "BRDA:%d,%s0,%zu,%s\n", l->line, flag ? "U" : "", i, taken ? "1" : not_taken);
        ++*found;
        *hit += taken;
    }
}

/* ---- MC/DC ---- */

/* Decisions of one line, as lcov sees them: it tells groups of a line apart by their sizes only. */
struct group {
    size_t first, end; /* of the line's goals of MC/DC */
    size_t conditions;
    size_t joined; /* index of the group whose conditions these continue; its own: none */
};
VEC_STRUCT(groups, struct group);

static bool same_condition(const struct report_line *l, size_t i) {
    const struct report_goal *a = l->mcdc.data[i - 1], *b = l->mcdc.data[i];
    return a->decision == b->decision && a->condition == b->condition;
}

/* Groups of the same size become one: else the second would be taken for the first. */
static bool join_one(struct groups *groups) {
    for (size_t b = 1; b < groups->len; b++)
        for (size_t a = 0; a < b; a++) {
            struct group *x = &groups->data[a], *y = &groups->data[b];
            if (x->joined != a || y->joined != b || x->conditions != y->conditions)
                continue;
            x->conditions += y->conditions;
            for (size_t i = b; i < groups->len; i++)
                if (groups->data[i].joined == b)
                    groups->data[i].joined = a;
            return true;
        }
    return false;
}

static void find_groups(const struct report_line *l, struct groups *groups) {
    for (size_t i = 0; i < l->mcdc.len; i++) {
        size_t own = groups->len;
        if (i == 0 || l->mcdc.data[i - 1]->decision != l->mcdc.data[i]->decision)
            vec_push(groups, (struct group){.first = i, .joined = own});
        struct group *group = &vec_last(groups);
        group->conditions += i == group->first || !same_condition(l, i);
        group->end = i + 1;
    }
    while (join_one(groups))
        ;
}

static void add_condition(const struct report_line *l, size_t i, size_t size, size_t index,
                          bool flags, struct str *out) {
    const struct report_goal *g = l->mcdc.data[i];
    str_addf(out, "MCDC:%d,%s%zu,%c,%d,%zu,", l->line, flags && g->status == STATUS_DEAD ? "U" : "",
             size, g->value ? 't' : 'f', g->status == STATUS_REACHABLE, index);
    add_one_line(out, g->text);
    str_addc(out, '\n');
}

/* Those of a group and of what is joined to it, numbered through. */
static void add_group(const struct report_line *l, const struct groups *groups, size_t group,
                      bool flags, struct str *out) {
    size_t numbered = 0;
    for (size_t b = group; b < groups->len; b++) {
        const struct group *part = &groups->data[b];
        for (size_t i = part->first; part->joined == group && i < part->end; i++) {
            numbered += i == part->first || !same_condition(l, i);
            add_condition(l, i, groups->data[group].conditions, numbered - 1, flags, out);
        }
    }
    assert(numbered == groups->data[group].conditions);
}

static void add_mcdc(const struct report_line *l, bool flags, struct str *out, size_t *found,
                     size_t *hit) {
    struct groups groups = {0};
    find_groups(l, &groups);
    for (size_t a = 0; a < groups.len; a++)
        if (groups.data[a].joined == a)
            add_group(l, &groups, a, flags, out);
    for (size_t i = 0; i < l->mcdc.len; i++)
        *hit += l->mcdc.data[i]->status == STATUS_REACHABLE;
    *found += l->mcdc.len;
    vec_free(&groups);
}

static void add_functions(const struct report_data *d, uint32_t file, struct str *out) {
    assert(file < d->files.len);
    size_t found = 0, hit = 0;
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (g->file != file || g->criterion != GOAL_function)
            continue;
        bool entered = g->status == STATUS_REACHABLE;
        str_addf(out, "FN:%d,", g->line);
        add_one_line(out, g->function);
        str_addf(out, "\nFNDA:%d,", entered);
        add_one_line(out, g->function);
        str_addc(out, '\n');
        found++;
        hit += entered;
    }
    str_addf(out, "FNF:%zu\nFNH:%zu\n", found, hit);
}

static void add_lines(const struct report_lines *lines, bool flags, struct str *out) {
    size_t branches = 0, taken = 0, found = 0, hit = 0, conditions = 0, shown = 0;
    for (size_t i = 0; i < lines->len; i++) {
        assert(i == 0 || lines->data[i - 1].line < lines->data[i].line);
        add_branches(&lines->data[i], flags, out, &branches, &taken);
    }
    str_addf(out, "BRF:%zu\nBRH:%zu\n", branches, taken);
    for (size_t i = 0; i < lines->len; i++)
        add_mcdc(&lines->data[i], flags, out, &conditions, &shown);
    if (conditions)
        str_addf(out, "MCF:%zu\nMCH:%zu\n", conditions, shown);
    for (size_t i = 0; i < lines->len; i++)
        if (report_line_is_listed(&lines->data[i])) {
            bool covered = report_line_is_hit(&lines->data[i]);
            str_addf(out, "DA:%d,%d\n", lines->data[i].line, covered);
            found++;
            hit += covered;
        }
    str_addf(out, "LF:%zu\nLH:%zu\n", found, hit);
}

void report_lcov(struct report_data *d, const struct report_options *options, struct str *out) {
    for (uint32_t f = 0; f < d->files.len; f++) {
        struct report_lines lines = {0};
        report_lines_of(d, f, &lines);
        str_add(out, "TN:goalkeeper\nSF:");
        add_one_line(out, report_path(d, f));
        str_addc(out, '\n');
        add_functions(d, f, out);
        add_lines(&lines, options->lcov_unreachable, out);
        str_add(out, "end_of_record\n");
        report_lines_free(&lines);
    }
}
