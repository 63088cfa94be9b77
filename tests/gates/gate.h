/* gate: checks of the source tree itself, each with a test that shows it can fail.
 *
 *     struct tree tree;
 *     tree_load(&tree, root, binary_dir);
 *     struct findings findings = {.tree = &tree, .gate = "banned"};
 *     gate_banned(&tree, &findings);          // findings.count == 0: passed
 *
 * The C files are not parsed: comments and texts are blanked out, braces are counted. That is
 * enough for code that clang-format has laid out.
 */
#ifndef TESTS_GATES_GATE_H
#define TESTS_GATES_GATE_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

#include <stdbool.h>

struct function {
    const char *name;
    int line, length; /* from the opening to the closing brace */
};

struct source {
    const char *path; /* below the root */
    const char *text;
    const char *code; /* comments and the inside of texts are blanks; lines stay lines */
    const char *bare; /* preprocessor lines are blanks too */
    int lines;
    bool production; /* not below tests/ or bench/ */
    VEC(struct function) functions;
};

struct tree {
    struct arena arena;
    const char *root, *binary; /* binary: where the objects are, NULL: nowhere */
    bool exceptions;           /* allow.def holds: this is the real tree */
    VEC(struct source) files;  /* .c .h .inc .def of all folders, sorted by path */
    VEC(struct source) texts;  /* scripts and documents: only path and text are set */
};

struct findings {
    const struct tree *tree;
    const char *gate;
    struct str text; /* one line a finding */
    int count;
};

void tree_load(struct tree *tree, const char *root, const char *binary);
void tree_free(struct tree *tree);

/* Adds a finding unless allow.def names it (`name` may be ""). line 0: no line. */
void finding(struct findings *f, const char *path, int line, const char *name, const char *format,
             ...) __attribute__((format(printf, 5, 6)));
/* Rows of allow.def for this gate whose file is in the tree but which were not needed. */
void findings_check_allowed(struct findings *f);

bool is_kind(const struct source *source, const char *suffix);
int line_of(const char *text, const char *place);
/* The next occurrence of an identifier as a whole word, from `from` on; NULL: none. */
const char *find_word(const char *from, const char *word);

struct gate {
    const char *name, *about;
    void (*check)(const struct tree *tree, struct findings *f);
};
extern const struct gate gates[];
extern const int n_gates;

#endif
