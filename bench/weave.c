/* bench weave: what listing goals and weaving cost beyond clang.
 *
 *     build/bench/weave [FUNCTIONS]        default: 110, about 5,000 lines
 *
 * A generated program is preprocessed and parsed alone, and woven as a whole; the difference is
 * ours. The target is less than 2 seconds for 5,000 lines.
 */
#include "base/file.h"
#include "instrument/syntax/unit.h"
#include "instrument/weave/weave.h"
#include "tests/instrument/random_c.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static size_t count_lines(const struct str *text) {
    size_t lines = 0;
    for (size_t i = 0; i < text->len; i++)
        lines += text->data[i] == '\n';
    return lines;
}

static bool measure(const struct project *project, size_t lines, struct err *err) {
    struct unit unit = {0};
    struct woven woven = {0};
    double start = seconds();
    if (!unit_open(&unit, project, "program.c", err))
        return false;
    double parsed = seconds();
    unit_close(&unit);
    double again = seconds();
    if (!weave(project, &woven, err))
        return false;
    double clang = parsed - start, all = seconds() - again;
    printf("%zu lines: clang %.3f s, with goals and weave %.3f s, ours %.3f s\n"
           "%zu goals, %u probes, %zu decisions, %zu implications, %zu bytes woven\n",
           lines, clang, all, all - clang, woven.goals.list.len, woven.goals.n_probes,
           woven.goals.decisions.len, woven.goals.implications.len, woven.text.len);
    woven_free(&woven);
    return true;
}

int main(int argc, char **argv) {
    struct str text = {0}, dir = {0}, path = {0};
    struct err err = {0};
    struct project project;
    int functions = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 110;
    random_c(&text, 1, functions > 0 ? functions : 1, true);
    project_defaults(&project);
    bool good = file_temp_dir(&dir, &err);
    str_addf(&path, "%s/program.c", str_text(&dir));
    good = good && file_write(str_text(&path), text.data, text.len, &err);
    project.dir = str_text(&dir);
    project.step = "step";
    vec_push(&project.sources, "program.c");
    good = good && measure(&project, count_lines(&text), &err);
    if (!good)
        err_print(&err);
    file_remove_tree(str_text(&dir));
    project_free(&project);
    str_free(&text);
    str_free(&dir);
    str_free(&path);
    err_clear(&err);
    return good ? 0 : 1;
}
