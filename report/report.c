#include "report/report.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>

struct format_row {
    const char *name, *file;
    void (*render)(struct report_data *, const struct report_options *, struct str *);
};

static const struct format_row format_rows[] = {
#define FORMAT(name, file, about) {#name, file, report_##name},
#include "report/formats.def"
#undef FORMAT
};
enum { FORMATS = sizeof format_rows / sizeof *format_rows };

static bool write_text(const struct format_row *row, struct report_data *data,
                       const struct report_options *options, struct err *err) {
    assert(row->render && row->file);
    struct str text = {0};
    row->render(data, options, &text);
    bool ok = true;
    if (strcmp(options->dir, "-") == 0)
        fwrite(str_text(&text), 1, text.len, stdout);
    else
        ok = file_write_ours(path_join(&data->arena, options->dir, row->file), str_text(&text),
                             text.len, "oalkeeper", err);
    str_free(&text);
    return ok;
}

static bool write_format(const char *name, struct report_data *data,
                         const struct report_options *options, struct err *err) {
    if (strcmp(name, "html") == 0)
        return report_html(data, options, err);
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
    bool ok = write_all(data, &full, err);
    comparison_free(&comparison);
    baseline_free(&baseline);
    return ok;
}

bool report_write(struct store *db, const struct report_options *options, struct err *err) {
    assert(options->dir && !options->comparison);
    assert(options->n_formats == 0 || options->formats);
    struct report_data data = {0};
    bool to_stdout = strcmp(options->dir, "-") == 0;
    if (to_stdout && (options->n_formats != 1 || strcmp(options->formats[0], "html") == 0))
        return err_set(err, ERR_USAGE, "only one format, and not html, can go to standard output");
    bool ok = report_load(&data, db, &options->view, err);
    if (ok)
        ok = options->baseline ? write_compared(&data, options, err)
                               : write_all(&data, options, err);
    report_unload(&data);
    return ok;
}
