/* Tracefiles of lcov 1 and 2 (geninfo(1)): one SF … end_of_record a file. */
#include "app/overlay/measured.h"

#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(const char *path, size_t line, const char *record, struct err *err) {
    err_set(err, ERR_USAGE, "%s:%zu: record '%.20s' cannot be read", path, line, record);
    return err_remedy(err, "is the file complete, and written by lcov or geninfo?");
}

/* "-" is a branch of a line that was not run. */
static uint64_t count_of(const char *text) {
    return *text == '-' ? 0 : strtoull(text, NULL, 10);
}

static bool read_line(struct measured_file *f, const char *text) {
    int line;
    unsigned long long count;
    if (sscanf(text, "%d,%llu", &line, &count) != 2)
        return false;
    measured_line(f, line)->count += count;
    return true;
}

/* BRDA:line,[e|U]block,branch,taken: which branch is which is up to the compiler. */
static bool read_branch(struct measured_file *f, const char *text) {
    int line;
    const char *last = strrchr(text, ',');
    if (sscanf(text, "%d,", &line) != 1 || !last)
        return false;
    struct measured_line *l = measured_line(f, line);
    l->branches++;
    l->taken += count_of(last + 1) > 0;
    return true;
}

/* MCDC:line,[U]conditions,t|f,taken,index,text */
static bool read_mcdc(struct measured_file *f, const char *text) {
    int line;
    unsigned conditions, index;
    unsigned long long taken;
    char sense;
    if (sscanf(text, "%d,%*[U]%u,%c,%llu,%u", &line, &conditions, &sense, &taken, &index) != 5 &&
        sscanf(text, "%d,%u,%c,%llu,%u", &line, &conditions, &sense, &taken, &index) != 5)
        return false;
    struct measured_mcdc mcdc = {.line = line,
                                 .conditions = conditions,
                                 .index = index,
                                 .value = sense == 't',
                                 .hit = taken > 0};
    vec_push(&f->mcdc, mcdc);
    return index < conditions && (sense == 't' || sense == 'f');
}

/* FNDA:count,name; FNA:index,count,name of lcov 2.2 */
static bool read_function(struct measured *m, struct measured_file *f, const char *text,
                          bool indexed) {
    const char *start = indexed ? strchr(text, ',') : text - 1;
    const char *comma = start ? strchr(start + 1, ',') : NULL;
    if (!comma)
        return false;
    const char *own = strrchr(comma, ':'); /* llvm-cov writes "valve.c:name" */
    struct measured_function fn = {.name = arena_strdup(&m->arena, own ? own + 1 : comma + 1),
                                   .count = count_of(start + 1)};
    vec_push(&f->functions, fn);
    return true;
}

static bool read_record(struct measured *m, struct measured_file **f, const char *record) {
    static const char *const of_a_file[] = {"DA:", "BRDA:", "MCDC:", "FNDA:", "FNA:"};
    if (str_starts(record, "SF:")) {
        *f = measured_file(m, record + 3);
        return true;
    }
    for (size_t i = 0; !*f && i < sizeof of_a_file / sizeof *of_a_file; i++)
        if (str_starts(record, of_a_file[i]))
            return false;
    if (str_starts(record, "DA:"))
        return read_line(*f, record + 3);
    if (str_starts(record, "BRDA:"))
        return read_branch(*f, record + 5);
    if (str_starts(record, "MCDC:"))
        return read_mcdc(*f, record + 5);
    if (str_starts(record, "FNDA:"))
        return read_function(m, *f, record + 5, false);
    if (str_starts(record, "FNA:"))
        return read_function(m, *f, record + 4, true);
    if (str_starts(record, "end_of_record"))
        *f = NULL;
    return true; /* sums, names, versions: nothing that is asked for */
}

bool measured_lcov(struct measured *m, const char *path, char *text, struct err *err) {
    struct measured_file *f = NULL;
    size_t number = 0;
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        number++;
        line[strcspn(line, "\r")] = '\0';
        if (!read_record(m, &f, line))
            return fail(path, number, line, err);
    }
    return !f || fail(path, number, "end of the file", err);
}
