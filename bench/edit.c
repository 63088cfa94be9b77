/* bench edit: what a run costs after an edit, and what becomes of the verdicts.
 *
 *     build/bench/edit [LINES [SEED]]      default: 250 lines, seed 1
 *
 * A generated module is decided; then, each time from there: a comment is added, a function is
 * moved, a constant in one function is changed, an input that nothing else knows is added. Seconds
 * are CPU time of all processes with one job; the share is that of the first run.
 */
#include "base/file.h"
#include "bench/folder_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct module_text {
    struct str source, project;
};

static void copy(struct str *to, const struct str *from) {
    str_clear(to);
    str_addn(to, from->data, from->len);
}

static void insert(struct str *text, size_t at, const char *what) {
    struct str rest = {0};
    str_add(&rest, str_text(text) + at);
    vec_truncate(text, at);
    str_add(text, what);
    str_add(text, str_text(&rest));
    str_free(&rest);
}

static size_t place_of(const struct str *text, const char *what) {
    const char *at = strstr(str_text(text), what);
    return at ? (size_t)(at - str_text(text)) : 0;
}

/* The function of the n-th block. */
static size_t block_at(const struct str *text, unsigned n) {
    char name[40];
    snprintf(name, sizeof name, "\nstatic void Sa%u_", n);
    return place_of(text, name) + 1;
}

static void add_comment(struct module_text *m, unsigned block) {
    insert(&m->source, block_at(&m->source, block), "/* a comment */\n\n");
}

static void move_function(struct module_text *m, unsigned block) {
    struct str body = {0}, all = {0};
    size_t from = block_at(&m->source, block), to = block_at(&m->source, block + 1);
    str_addn(&body, m->source.data + from, to - from);
    str_addn(&all, m->source.data, from);
    str_add(&all, str_text(&m->source) + to);
    insert(&all, block_at(&all, 1), str_text(&body));
    copy(&m->source, &all);
    str_free(&body);
    str_free(&all);
}

/* The first limit in the function gets another last digit. */
static void change_constant(struct module_text *m, unsigned block) {
    for (size_t i = block_at(&m->source, block); i + 3 < m->source.len; i++)
        if (memcmp(m->source.data + i, " > ", 3) == 0 ||
            memcmp(m->source.data + i, " < ", 3) == 0) {
            size_t d = i + 3 + strspn(m->source.data + i + 3, "-0123456789");
            if (d == i + 3)
                continue;
            m->source.data[d - 1] = m->source.data[d - 1] == '9' ? '8' : m->source.data[d - 1] + 1;
            return;
        }
}

static void add_input(struct module_text *m, unsigned block) {
    (void)block;
    static const char entry[] = "\"inputs\": [";
    insert(&m->project, place_of(&m->project, entry) + strlen(entry),
           "\n    {\"name\": \"New_In\", \"min\": 0, \"max\": 10},");
    insert(&m->source, block_at(&m->source, 1), "UInt8 New_In;\nstatic UInt8 New_Seen = 0;\n\n");
    static const char step[] = "void module(void)\n{\n";
    insert(&m->source, place_of(&m->source, step) + strlen(step), "   New_Seen = New_In;\n");
}

static const struct {
    const char *name;
    void (*apply)(struct module_text *m, unsigned block);
} edits[] = {{"comment", add_comment},
             {"function moved", move_function},
             {"constant", change_constant},
             {"new input", add_input}};

static const char run[] = "run --no-cache --db a.db -j 1 --seconds 100000 --cpu-seconds 600 .";

/* "of 12 verdicts from before the sources changed 11 were carried over, 1 were found anew, 0 …" */
static void print_kept(const char *said) {
    unsigned all = 0, carried = 0, anew = 0, lost = 0;
    const char *at = strstr(said, "of ");
    while (at && sscanf(at,
                        "of %u verdicts from before the sources changed %u were carried over, %u "
                        "were found anew, %u are lost",
                        &all, &carried, &anew, &lost) != 4)
        at = strstr(at + 1, "of ");
    printf(" %u | %u | %u |", carried, anew, lost);
}

static bool copy_file(const char *dir, const char *from, const char *to, struct err *err) {
    struct arena arena = {0};
    struct str text = {0};
    bool ok = file_read(path_join(&arena, dir, from), &text, err) &&
              file_write(path_join(&arena, dir, to), text.data, text.len, err);
    str_free(&text);
    arena_free(&arena);
    return ok;
}

/* The database of the first run. */
static bool restore(const char *dir, struct err *err) {
    return copy_file(dir, "first.db", "a.db", err);
}

static void edit_once(const char *dir, size_t e, const struct module_text *before, unsigned block,
                      double whole, struct err *err) {
    struct module_text m = {0};
    struct str said = {0};
    copy(&m.source, &before->source);
    copy(&m.project, &before->project);
    edits[e].apply(&m, block);
    if (restore(dir, err) && folder_write(dir, &m.source, &m.project, err)) {
        double seconds = folder_run(dir, run, &said);
        printf("| %s | %.2f | %.0f %% |", edits[e].name, seconds, 100 * seconds / whole);
        print_kept(str_text(&said));
        printf(" %lld |\n", (long long)folder_number(
                                dir, "SELECT count(*) FROM goal_status WHERE status = 'open'"));
        fflush(stdout);
    }
    str_free(&said);
    str_free(&m.source);
    str_free(&m.project);
}

int main(int argc, char **argv) {
    struct generate_options options = {.lines =
                                           argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 250,
                                       .seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    struct generated g;
    struct str dir = {0};
    struct err err = {0};
    generate_module(&g, &options);
    struct module_text before = {g.source, g.project};
    unsigned blocks = 1;
    while (block_at(&g.source, blocks + 1) > 1)
        blocks++;
    bool ok = file_temp_dir(&dir, &err);
    printf("| edit | CPU s | share | carried over | found anew | lost | open |\n"
           "|---|---:|---:|---:|---:|---:|---:|\n");
    ok = ok && folder_write(str_text(&dir), &before.source, &before.project, &err);
    double whole = ok ? folder_run(str_text(&dir), run, NULL) : -1;
    ok = ok && whole > 0 && copy_file(str_text(&dir), "a.db", "first.db", &err);
    printf("| none, %u lines | %.2f | 100 %% | | | | |\n", options.lines, whole);
    for (size_t e = 0; ok && e < sizeof edits / sizeof *edits; e++)
        edit_once(str_text(&dir), e, &before, blocks / 2, whole, &err);
    if (!ok)
        err_print(&err);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    generated_free(&g);
    return ok ? 0 : 1;
}
