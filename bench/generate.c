/* bench generate: writes a generated module, its project file and what is known of its goals.
 *
 *     build/bench/generate DIR [LINES [SEED [hard]]]     default: 200 lines, seed 1
 *
 * DIR/module.c, DIR/goalkeeper.json, DIR/truth.csv (line, truth, 1 if an invariant over the state
 * is needed, kind of block).
 */
#include "base/file.h"
#include "bench/generate_module.h"

#include <stdio.h>
#include <stdlib.h>

static bool write_to(const char *dir, const char *name, const struct str *text, struct err *err) {
    struct arena arena = {0};
    bool ok = file_write(path_join(&arena, dir, name), text->data, text->len, err);
    arena_free(&arena);
    return ok;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: generate DIR [LINES [SEED [hard]]]\n");
        return 2;
    }
    struct generate_options options = {.seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1,
                                       .lines = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0,
                                       .hard = argc > 4 && str_same(argv[4], "hard")};
    struct generated g;
    struct str truth = {0};
    struct err err = {0};
    generate_module(&g, &options);
    str_add(&truth, "line,truth,needs_state,block\n");
    for (size_t i = 0; i < g.goals.len; i++) {
        const struct generated_goal *goal = &g.goals.data[i];
        str_addf(&truth, "%d,%s,%d,%s\n", goal->line, truth_name(goal->truth), goal->needs_state,
                 goal->block);
    }
    bool good = file_make_dirs(argv[1], &err) && write_to(argv[1], "module.c", &g.source, &err) &&
                write_to(argv[1], "goalkeeper.json", &g.project, &err) &&
                write_to(argv[1], "truth.csv", &truth, &err);
    if (!good)
        err_print(&err);
    str_free(&truth);
    generated_free(&g);
    return good ? 0 : 1;
}
