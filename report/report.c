/* A row of formats.def is rendered into a text and written if what is there is ours or empty. */
#include "report/report.h"

#include "base/file.h"
#include "report/gate/gate.h"

#include <stdio.h>
#include <string.h>

struct format_row {
    const char *name, *file, *mark;
    void (*render)(struct report_data *, const struct report_options *, struct str *);
};

static const struct format_row format_rows[] = {
#define FORMAT(name, file, mark, about) {#name, file, mark, report_##name},
#include "report/formats.def"
#undef FORMAT
};
enum { FORMATS = sizeof format_rows / sizeof *format_rows };

/* What formats are when there is nothing to report, and no place for a mark. */
static bool says_nothing(const struct str *text) {
    return text->len == 0 || strcmp(text->data, "[\n]\n") == 0;
}

static bool is_replaceable(const char *path, const char *mark) {
    struct str text = {0};
    struct err ignored = {0};
    bool ours =
        file_is_ours(path, mark) || (file_read(path, &text, &ignored) && says_nothing(&text));
    str_free(&text);
    err_clear(&ignored);
    return ours;
}

static bool write_file(const char *path, const struct format_row *row, const struct str *text,
                       struct err *err) {
    assert(says_nothing(text) || strstr(text->data, row->mark));
    if (is_replaceable(path, row->mark))
        return file_write(path, str_text(text), text->len, err);
    err_set(err, ERR_USAGE, "this exists and Goalkeeper did not write it");
    err_at(err, path, 0, 0);
    return err_remedy(err, "remove it or choose another output");
}

static bool write_text(const struct format_row *row, struct report_data *data,
                       const struct report_options *options, struct err *err) {
    assert(row->render && row->file);
    struct str text = {0};
    row->render(data, options, &text);
    bool ok = true;
    if (strcmp(options->dir, "-") == 0)
        fwrite(str_text(&text), 1, text.len, stdout);
    else
        ok = write_file(path_join(&data->arena, options->dir, row->file), row, &text, err);
    str_free(&text);
    return ok;
}

static bool write_format(const char *name, struct report_data *data,
                         const struct report_options *options, struct err *err) {
    if (strcmp(name, "html") == 0)
        return report_html(data, options, err);
    if (strcmp(name, "document") == 0)
        return report_html_single(data, options, err);
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(format_rows[i].name, name) == 0)
            return write_text(&format_rows[i], data, options, err);
    return err_set(err, ERR_USAGE, "unknown report format '%s'", name);
}

static bool write_all(struct report_data *data, const struct report_options *options,
                      struct err *err) {
    bool ok = strcmp(options->dir, "-") == 0 || file_make_dirs(options->dir, err);
    for (size_t i = 0; ok && i < options->n_formats; i++)
        ok = write_format(options->formats[i], data, options, err);
    return ok;
}

static bool write_compared(struct report_data *data, const struct report_options *options,
                           struct err *err) {
    struct baseline baseline = {0};
    struct comparison comparison = {0};
    if (!baseline_read(&baseline, options->baseline, &options->view, err))
        return false;
    baseline_compare(&baseline, data, &comparison);
    struct report_options full = *options;
    full.comparison = &comparison;
    struct gate gate = {0};
    if (options->gate) {
        gate = *options->gate;
        gate.baseline = &baseline;
        full.gate = &gate;
    }
    bool ok = write_all(data, &full, err);
    comparison_free(&comparison);
    baseline_free(&baseline);
    return ok;
}

/* Formats that are no single text. */
static bool is_folder(const char *format) {
    return strcmp(format, "html") == 0 || strcmp(format, "document") == 0;
}

bool report_write(struct store *db, const struct report_options *options, struct err *err) {
    assert(options->dir && !options->comparison);
    assert(options->n_formats == 0 || options->formats);
    struct report_data data = {0};
    bool to_stdout = strcmp(options->dir, "-") == 0;
    if (to_stdout && (options->n_formats != 1 || is_folder(options->formats[0])))
        return err_set(err, ERR_USAGE, "only one format, and not html, can go to standard output");
    bool ok = report_load(&data, db, &options->view, err);
    if (ok)
        ok = options->baseline ? write_compared(&data, options, err)
                               : write_all(&data, options, err);
    report_unload(&data);
    return ok;
}
