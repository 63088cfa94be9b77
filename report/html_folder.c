/* The HTML report as a folder of pages. */
#include "report/html.h"

#include "base/file.h"

#include <stdio.h>

extern const char report_css[];
extern const char report_js[];

struct folder {
    struct report_data *d;
    const char *dir;
    struct str page; /* what is being written */
    struct arena names;
    struct html_groups groups, runs;
};

static bool write_page(struct folder *f, const char *name, struct err *err) {
    bool ok = file_draft_ours(path_join(&f->names, f->dir, name), str_text(&f->page), f->page.len,
                              FILE_MARK, err);
    str_clear(&f->page);
    return ok;
}

static bool write_text(struct folder *f, const char *name, const char *text, struct err *err) {
    str_add(&f->page, text);
    return write_page(f, name, err);
}

static bool make_folders(struct folder *f, struct err *err) {
    static const char *const names[] = {"source", "decision", "cause", "function", "run"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!file_make_dirs(path_join(&f->names, f->dir, names[i]), err))
            return false;
    return true;
}

static bool write_tops(struct folder *f, const struct comparison *c, struct err *err) {
    assert(f->page.len == 0 && f->d->compared == (c != NULL));
    html_overview(f->d, c, &f->page);
    if (!write_page(f, "index.html", err))
        return false;
    html_goals(f->d, &f->page);
    if (!write_page(f, "goals.html", err))
        return false;
    html_goals_js(f->d, &f->page);
    if (!write_page(f, "goals.js", err))
        return false;
    if (c)
        html_changes(f->d, c, &f->page);
    return !c || write_page(f, "changes.html", err);
}

static bool write_sources(struct folder *f, struct err *err) {
    for (uint32_t i = 0; i < f->d->files.len; i++) {
        html_source(f->d, i, &f->page);
        if (!write_page(f, html_source_page(f->d, i), err))
            return false;
    }
    return true;
}

/* Decisions whose goals nobody asked for have a page, too. */
static bool write_decisions(struct folder *f, struct err *err) {
    bool ok = true;
    if (f->d->decisions.len == 0)
        return true;
    html_decisions(f->d, &f->page);
    ok = write_page(f, "decisions.html", err);
    for (size_t i = 0; ok && i < f->d->decisions.len; i++) {
        const struct report_decision *decision = &f->d->decisions.data[i];
        html_decision(f->d, decision, &f->page);
        ok = write_page(f, html_decision_page(f->d, decision), err);
    }
    return ok;
}

static bool write_groups(struct folder *f, struct err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < f->groups.list.len; i++) {
        const struct html_group *group = &f->groups.list.data[i];
        if (group->decision)
            continue;
        html_group(f->d, group, &f->page);
        ok = write_page(f, group->page, err);
    }
    for (size_t i = 0; ok && i < f->runs.list.len; i++) {
        html_run(f->d, &f->runs.list.data[i], &f->page);
        ok = write_page(f, f->runs.list.data[i].page, err);
    }
    return ok;
}

/* Pages of an earlier report with more goals would be mistaken for pages of this one. */
static void remove_old(struct folder *f, const char *kind, size_t first) {
    for (size_t i = first;; i++) {
        const char *path = arena_printf(&f->names, "%s/%s/%zu.html", f->dir, kind, i);
        if (!file_exists(path) || !file_is_ours(path, FILE_MARK))
            return;
        remove(path);
    }
}

bool report_html(struct report_data *d, const struct report_options *options, struct err *err) {
    struct folder f = {.d = d, .dir = options->dir};
    d->compared = options->comparison != NULL;
    html_groups_make(d, &f.groups, &f.runs);
    bool ok = make_folders(&f, err) && write_text(&f, "report.css", report_css, err) &&
              write_text(&f, "report.js", report_js, err) &&
              write_tops(&f, options->comparison, err) && write_sources(&f, err) &&
              write_decisions(&f, err) && write_groups(&f, err);
    if (ok) {
        remove_old(&f, "goal", 1); /* of versions that had a page for each */
        remove_old(&f, "cause", f.groups.pages[HTML_OF_CAUSE] + 1);
        remove_old(&f, "function", f.groups.pages[HTML_OF_FUNCTION] + 1);
        remove_old(&f, "run", f.runs.pages[HTML_RUN] + 1);
        remove_old(&f, "decision", d->decisions.len + 1);
        remove_old(&f, "source", d->files.len);
    }
    html_groups_free(&f.groups);
    html_groups_free(&f.runs);
    str_free(&f.page);
    arena_free(&f.names);
    return ok;
}
