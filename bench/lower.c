/* bench lower: how long it takes from C to the transition system, and how large it gets.
 *
 *     build/bench/lower [FUNCTIONS]        default: 100, more than 5,000 lines, 300 state cells
 *
 * The unit is made of what production code does most: filters, saturated counters, debouncing, mode
 * logic, interpolation in a table, scaled integers. Target: less than 10 s and 2 GB.
 */
#include "base/file.h"
#include "base/log.h"
#include "instrument/lower/lower.h"
#include "instrument/weave/weave.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static void add_function(struct str *c, int n) {
    str_addf(c,
             "static float filtered_%d; static unsigned short count_%d; static unsigned char "
             "mode_%d;\n"
             "static float curve_%d(float x)\n{\n"
             "    static const float xs[6] = {-10.0F, -1.0F, 0.0F, 2.5F, 20.0F, 100.0F};\n"
             "    static const float ys[6] = {0.0F, 1.0F, 4.0F, 9.0F, 16.0F, 25.0F};\n"
             "    const float *px = xs;\n    const float *py = ys;\n"
             "    int i;\n"
             "    if (x <= xs[0]) {\n        return ys[0];\n    }\n"
             "    if (x >= xs[5]) {\n        return ys[5];\n    }\n"
             "    for (i = 0; i < 4; i++) {\n"
             "        if (x < px[1]) {\n            break;\n        }\n"
             "        px++;\n        py++;\n    }\n"
             "    return py[0] + (x - px[0]) * (py[1] - py[0]) / (px[1] - px[0]);\n}\n",
             n, n, n, n);
    str_addf(c,
             "static void part_%d(float in, unsigned char enable, short speed)\n{\n"
             "    float error = in - filtered_%d;\n"
             "    short limited;\n"
             "    int scaled;\n"
             "    if (error > 50.0F) {\n        error = 50.0F;\n    }\n"
             "    else if (error < -50.0F) {\n        error = -50.0F;\n    }\n"
             "    if (enable && (speed > %d || mode_%d == 2)) {\n"
             "        filtered_%d += error * 0.%dF;\n"
             "        if (count_%d < 65535) {\n            count_%d++;\n        }\n    }\n"
             "    else {\n        count_%d = 0;\n"
             "        if (filtered_%d > 1.0F || !enable) {\n"
             "            filtered_%d = 0.0F;\n        }\n    }\n",
             n, n, n * 3, n, n, n % 9 + 1, n, n, n, n, n);
    str_addf(c,
             "    switch (mode_%d) {\n"
             "    case 0:\n        if (count_%d > 10) {\n            mode_%d = 1;\n        }\n"
             "        break;\n"
             "    case 1:\n        if (count_%d == 0) {\n            mode_%d = 0;\n        }\n"
             "        else if (filtered_%d > 20.0F && speed < 1000) {\n"
             "            mode_%d = 2;\n        }\n        break;\n"
             "    case 2:\n        if (filtered_%d < 5.0F || count_%d > 60000) {\n"
             "            mode_%d = 3;\n        }\n        break;\n"
             "    default:\n        mode_%d = 0;\n        break;\n    }\n",
             n, n, n, n, n, n, n, n, n, n, n);
    str_addf(c,
             "    scaled = (speed * 41) >> 3;\n"
             "    limited = scaled > 32767 ? 32767 : (scaled < -32768 ? -32768 : (short)scaled);\n"
             "    if (limited != scaled) {\n        total += 1;\n    }\n"
             "    result += curve_%d(filtered_%d) * (float)limited;\n"
             "    if (mode_%d == 3 && count_%d > 100 && (enable || speed < 0)) {\n"
             "        alarms++;\n    }\n}\n\n",
             n, n, n, n);
}

static void make_unit(struct str *c, int functions) {
    str_add(c, "float in; unsigned char enable; short speed;\n"
               "static float result; static unsigned total; static unsigned short alarms;\n");
    for (int n = 0; n < functions; n++)
        add_function(c, n);
    str_add(c, "void step(void)\n{\n    result = 0.0F;\n");
    for (int n = 0; n < functions; n++)
        str_addf(c,
                 "    part_%d(in * %d.5F, (unsigned char)(enable == %d || enable > 200), speed);\n",
                 n, n % 7, n % 100);
    str_add(c, "}\n");
}

static size_t count_lines(const struct str *text) {
    size_t lines = 0;
    for (size_t i = 0; i < text->len; i++)
        lines += text->data[i] == '\n';
    return lines;
}

static bool measure(const struct project *project, size_t lines, struct err *err) {
    struct woven woven = {0};
    struct terms terms;
    struct system sys;
    struct lowered lowered;
    struct lower_options options = {0};
    struct rusage usage;
    if (!weave(project, &woven, err))
        return false;
    terms_init(&terms);
    system_init(&sys, &terms);
    double start = clock_seconds();
    if (!lower(str_text(&woven.text), &woven.module, &options, &sys, &lowered, err))
        return false;
    double seconds = clock_seconds() - start;
    getrusage(RUSAGE_SELF, &usage);
    printf("%zu lines, %zu goals, %zu cells: %.2f s, %ld MB\n"
           "%zu terms, %llu instructions, %u runs, %zu inputs, %zu overruns\n",
           lines, woven.goals.list.len, sys.cells.len, seconds, usage.ru_maxrss / 1024,
           terms.nodes.len, (unsigned long long)lowered.instructions, lowered.runs, sys.inputs.len,
           sys.overruns.len);
    lowered_free(&lowered);
    system_free(&sys);
    terms_free(&terms);
    woven_free(&woven);
    return true;
}

int main(int argc, char **argv) {
    struct str text = {0}, dir = {0}, path = {0};
    struct err err = {0};
    struct project project;
    int functions = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 100;
    make_unit(&text, functions > 0 ? functions : 1);
    project_defaults(&project);
    bool good = file_temp_dir(&dir, &err);
    str_addf(&path, "%s/program.c", str_text(&dir));
    good = good && file_write(str_text(&path), text.data, text.len, &err);
    project.dir = str_text(&dir);
    project.step = "step";
    vec_push(&project.sources, str_text(&path));
    good = good && measure(&project, count_lines(&text), &err);
    if (!good)
        err_print(&err);
    file_remove_tree(str_text(&dir));
    project.dir = NULL;
    vec_clear(&project.sources);
    project_free(&project);
    str_free(&text);
    str_free(&dir);
    str_free(&path);
    return good ? 0 : 1;
}
