/* LCOV tracefile: one TN and one SF a file.
 *
 * The unreachable flag of lcov 2.5 (U) marks what is proved dead; --lcov-compat leaves it out, and
 * the MCDC records with it, which older versions do not know. */
#include "report/escape.h"
#include "report/lines.h"
#include "report/report.h"

#include <string.h>

static void add_branches(const struct report_line *l, bool compat, struct str *out, size_t *found,
                         size_t *hit) {
    for (size_t i = 0; i < l->branches.len; i++) {
        const struct report_goal *g = l->branches.data[i];
        bool taken = g->status == STATUS_REACHABLE;
        bool flag = !compat && g->status == STATUS_DEAD;
        str_addf(out, "BRDA:%d,%s0,%zu,%d\n", l->line, flag ? "U" : "", i, taken);
        ++*found;
        *hit += taken;
    }
}

/* The conditions of a line's decisions are numbered through. */
static void add_mcdc(const struct report_line *l, struct str *out) {
    for (size_t i = 0; i < l->mcdc.len; i++) {
        const struct report_goal *g = l->mcdc.data[i];
        str_addf(out, "MCDC:%d,%s%zu,%c,%d,%zu,", l->line, g->status == STATUS_DEAD ? "U" : "",
                 (l->mcdc.len + 1) / 2, g->value ? 't' : 'f', g->status == STATUS_REACHABLE, i / 2);
        add_one_line(out, g->text);
        str_addc(out, '\n');
    }
}

static void add_functions(const struct report_data *d, uint32_t file, struct str *out) {
    assert(file < d->files.len);
    size_t found = 0, hit = 0;
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (g->file != file || strcmp(g->kind, "function") != 0)
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

static void add_lines(const struct report_lines *lines, bool compat, struct str *out) {
    size_t branches = 0, taken = 0, found = 0, hit = 0;
    for (size_t i = 0; i < lines->len; i++) {
        assert(i == 0 || lines->data[i - 1].line < lines->data[i].line);
        add_branches(&lines->data[i], compat, out, &branches, &taken);
        if (!compat)
            add_mcdc(&lines->data[i], out);
    }
    str_addf(out, "BRF:%zu\nBRH:%zu\n", branches, taken);
    for (size_t i = 0; i < lines->len; i++)
        if (lines->data[i].has_statement) {
            str_addf(out, "DA:%d,%d\n", lines->data[i].line, lines->data[i].covered);
            found++;
            hit += lines->data[i].covered;
        }
    str_addf(out, "LF:%zu\nLH:%zu\n", found, hit);
}

void report_lcov(struct report_data *d, const struct report_options *options, struct str *out) {
    for (uint32_t f = 0; f < d->files.len; f++) {
        struct report_lines lines = {0};
        report_lines_of(d, f, &lines);
        str_add(out, "TN:goalkeeper\nSF:");
        add_one_line(out, d->files.data[f].path);
        str_addc(out, '\n');
        add_functions(d, f, out);
        add_lines(&lines, options->lcov_compat, out);
        str_add(out, "end_of_record\n");
        report_lines_free(&lines);
    }
}
