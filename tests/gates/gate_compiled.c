/* Examples in the opening comments of headers, compiled: each becomes the body of a function behind
 * the header alone. What an example takes for granted is declared by its row of examples.def; a
 * line that begins with "…" is words, and "…" at the end of a line is a statement left out. */
#include "gate.h"

#include "base/child.h"
#include "base/file.h"

#include <stdio.h>
#include <string.h>

void gate_compiled(const struct tree *tree, struct findings *f);

static const char common[] = "#include \"base/arena.h\"\n"
                             "#include \"base/err.h\"\n"
                             "#include \"base/str.h\"\n"
                             "#include \"base/vec.h\"\n"
                             "#include <inttypes.h>\n#include <stdio.h>\n"
                             "#define use(...) ((void)(__VA_ARGS__))\n"
                             "static struct err *err;\n"
                             "static struct arena arena;\n"
                             "static struct str out, detail;\n"
                             "static const char *text, *path, *name;\n"
                             "static size_t n, len, size;\n"
                             "static uint64_t key, ticks;\n"
                             "static bool ok;\n";

static const struct example {
    const char *header, *also, *declarations; /* NULL: a sketch */
} rows[] = {
#define EXAMPLE(header, ...) {header, "base/str.h", #__VA_ARGS__},
#define WITH(header, also, ...) {header, also, #__VA_ARGS__},
#define SKETCH(header) {header, "", NULL},
#include "examples.def"
#undef EXAMPLE
#undef WITH
#undef SKETCH
};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct example *row_of(const char *path) {
    for (size_t i = 0; i < ROWS; i++)
        if (str_same(rows[i].header, path))
            return &rows[i];
    return NULL;
}

/* What stands in the line before a comment, without blanks around it. */
static size_t trimmed(const char **line) {
    size_t len = strcspn(*line, "\n"), blanks = strspn(*line, " ");
    const char *comment = strstr(*line, "//");
    if (comment && comment < *line + len)
        len = (size_t)(comment - *line);
    while (len > blanks && (*line)[len - 1] == ' ')
        len--;
    *line += blanks < len ? blanks : len;
    return blanks < len ? len - blanks : 0;
}

/* A line of C; true: it calls something and ends as statements do. */
static bool add_line(const char *line, struct str *code) {
    static const char dots[] = "…";
    size_t len = trimmed(&line), n = sizeof dots - 1;
    bool words = len >= n && memcmp(line, dots, n) == 0;
    bool more = len >= n && memcmp(line + len - n, dots, n) == 0;
    if (words || more)
        str_addf(code, "%.*s;\n", words ? 0 : (int)(len - n), line);
    else
        str_addf(code, "%.*s\n", (int)len, line);
    return !words && memchr(line, '(', len) && (more || (len > 0 && line[len - 1] == ';'));
}

/* The blocks of the opening comment that are C, with their places. */
static void code_of(const struct source *s, struct str *code) {
    const char *end = str_starts(s->text, "/*") ? strstr(s->text, "*/") : NULL;
    struct str block = {0};
    bool is_code = false;
    int number = 1;
    for (const char *p = s->text; end && p <= end; p += strcspn(p, "\n") + 1, number++) {
        if (str_starts(p, " *     ")) {
            if (block.len == 0)
                str_addf(&block, "#line %d \"%s\"\n", number, s->path);
            is_code |= add_line(p + 7, &block);
            continue;
        }
        if (is_code)
            str_addn(code, str_text(&block), block.len);
        str_clear(&block);
        is_code = false;
    }
    str_free(&block);
}

static bool compiles(const char *root, const char *file, struct str *said) {
    const char *argv[] = {"cc",
                          "-std=c11",
                          "-D_GNU_SOURCE",
                          "-Werror",
                          "-Wno-unused-value",
                          "-I",
                          root,
                          "-isystem",
                          "/usr/lib/llvm-19/include",
                          "-fsyntax-only",
                          file,
                          NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = 60};
    struct child_result result = {0};
    struct err err = {0};
    bool ran = child_run(&spec, &result, &err);
    bool good = ran && result.end == CHILD_EXITED && result.code == 0;
    str_add(said, ran ? str_text(&result.err) : str_text(&err.message));
    child_result_free(&result);
    err_clear(&err);
    return good;
}

/* The first line that says what is wrong. */
static void tell(const struct source *s, const struct str *said, struct findings *f) {
    const char *error = strstr(str_text(said), "error:");
    const char *line = error;
    while (line && line > said->data && line[-1] != '\n')
        line--;
    finding(f, s->path, 0, "", "its example does not compile: %.*s",
            line ? (int)strcspn(line, "\n") : 0, line ? line : "");
}

static void check(const struct tree *tree, const struct source *s, const char *dir,
                  struct findings *f) {
    const struct example *row = row_of(s->path);
    struct str code = {0}, text = {0}, said = {0}, file = {0};
    struct err err = {0};
    code_of(s, &code);
    if (row && code.len == 0 && tree->exceptions)
        finding(f, s->path, 0, "", "it has no example: its row of examples.def is not needed");
    if (code.len > 0 && (!row || row->declarations)) {
        str_addf(&file, "%s/example.c", dir);
        str_addf(&text, "#include \"%s\"\n#include \"%s\"\n%s", s->path,
                 row ? row->also : "base/str.h", common);
        str_addf(&text, "bool example(void);\nbool example(void) {\n%s\n{\n",
                 row ? row->declarations : "");
        str_addf(&text, "%s\n}\nreturn true;\n}\n", str_text(&code));
        if (!file_write(str_text(&file), str_text(&text), text.len, &err))
            finding(f, s->path, 0, "", "%s", str_text(&err.message));
        else if (!compiles(tree->root, str_text(&file), &said))
            tell(s, &said, f);
    }
    err_clear(&err);
    str_free(&code);
    str_free(&text);
    str_free(&said);
    str_free(&file);
}

void gate_compiled(const struct tree *tree, struct findings *f) {
    struct str dir = {0};
    struct err err = {0};
    if (!file_temp_dir(&dir, &err)) {
        finding(f, "", 0, "", "%s", str_text(&err.message));
        err_clear(&err);
        return;
    }
    for (size_t i = 0; i < tree->files.len; i++) {
        const struct source *s = &tree->files.data[i];
        if (s->production && is_kind(s, ".h"))
            check(tree, s, str_text(&dir), f);
    }
    file_remove_tree(str_text(&dir));
    str_free(&dir);
}
