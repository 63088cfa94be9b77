/* Examples in the comments of headers: indented by five blanks behind the star. What they call must
 * take so many arguments as they give: that is how an example grows old. */
#include "gate.h"

#include "base/map.h"

#include <ctype.h>
#include <string.h>

void gate_examples(const struct tree *tree, struct findings *f);

/* How many arguments, and that there may be more: "..." in a declaration, "…" in an example. */
struct arguments {
    uint32_t n;
    bool more, complete;
};

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* From the opening parenthesis on; texts count for nothing. */
static struct arguments arguments_of(const char *open) {
    struct arguments a = {0};
    const char *first = open + 1 + strspn(open + 1, " \n");
    bool empty = *first == ')' || str_starts(first, "void)"), text = false;
    int depth = 0;
    for (const char *p = open; *p && !a.complete; p++) {
        if (*p == '"' && p[-1] != '\\')
            text = !text;
        if (text)
            continue;
        depth += (*p == '(' || *p == '{' || *p == '[') - (*p == ')' || *p == '}' || *p == ']');
        a.n += *p == ',' && depth == 1;
        a.more |= depth == 1 && (str_starts(p, "...") || str_starts(p, "…"));
        a.complete = depth == 0;
    }
    a.n += !empty;
    return a;
}

/* The word in front of a parenthesis; NULL: none. */
static const char *called(struct arena *arena, const char *text, const char *open) {
    const char *name = open;
    while (name > text && in_word(name[-1]))
        name--;
    bool free_name = name == text || (name[-1] != '.' && name[-1] != '>');
    return name < open && free_name ? arena_strndup(arena, name, (size_t)(open - name)) : NULL;
}

/* Declarations: the first parenthesis of a line that begins with a type. */
static void note_functions(struct map *functions, struct arena *arena, const struct source *s) {
    for (const char *p = s->bare; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        const char *open = memchr(p, '(', strcspn(p, "\n"));
        if (!islower((unsigned char)*p) || !open || str_starts(p, "typedef"))
            continue;
        const char *name = called(arena, p, open);
        struct arguments a = arguments_of(open);
        if (name && name[0] && a.complete)
            map_put(functions, hash_bytes(name, strlen(name)), a.n << 1 | a.more);
    }
}

/* The example lines of a header; all else is blank, lines stay lines. */
static void examples_of(const struct source *s, struct str *text) {
    for (const char *p = s->text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        size_t len = strcspn(p, "\n");
        const char *comment = len > 7 ? strstr(p, "//") : NULL;
        if (comment && comment < p + len)
            len = (size_t)(comment - p);
        if (str_starts(p, " *     "))
            str_addn(text, p + 7 < p + len ? p + 7 : p, len > 7 ? len - 7 : 0);
        str_addc(text, '\n');
    }
}

static void check_examples(const struct map *functions, const struct source *s,
                           struct findings *f) {
    struct str text = {0};
    struct arena arena = {0};
    examples_of(s, &text);
    const char *begin = str_text(&text);
    for (const char *p = begin; (p = strchr(p, '(')); p++) {
        const char *name = called(&arena, begin, p);
        const uint32_t *known = name ? map_get(functions, hash_bytes(name, strlen(name))) : NULL;
        struct arguments a = arguments_of(p);
        if (!known || !a.complete || a.more)
            continue;
        uint32_t n = *known >> 1;
        if (*known & 1 ? a.n + 1 < n : a.n != n)
            finding(f, s->path, line_of(begin, p), name, "the example calls %s() with %u arguments",
                    name, a.n);
    }
    arena_free(&arena);
    str_free(&text);
}

void gate_examples(const struct tree *tree, struct findings *f) {
    struct map functions = {0};
    struct arena arena = {0};
    for (size_t i = 0; i < tree->files.len; i++)
        if (is_kind(&tree->files.data[i], ".h") && tree->files.data[i].production)
            note_functions(&functions, &arena, &tree->files.data[i]);
    for (size_t i = 0; i < tree->files.len; i++)
        if (is_kind(&tree->files.data[i], ".h"))
            check_examples(&functions, &tree->files.data[i], f);
    map_free(&functions);
    arena_free(&arena);
}
