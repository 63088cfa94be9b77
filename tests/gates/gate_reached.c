/* Functions that a header offers and no program calls. Words are counted, nothing is parsed: a name
 * that stands twice in all production code stands in its header and at its definition. */
#include "gate.h"

#include "base/map.h"

#include <ctype.h>
#include <string.h>

void gate_reached(const struct tree *tree, struct findings *f);

struct words {
    struct map count;         /* by hash of the word */
    VEC(const char *) pasted; /* what stands before ## in macros: such names are made of rows */
    struct arena arena;
};

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static void count_words(struct words *w, const struct source *s) {
    for (const char *p = s->code; *p;) {
        size_t len = 0;
        while (in_word(p[len]))
            len++;
        if (len == 0) {
            p++;
            continue;
        }
        if (p[len] == '#' && p[len + 1] == '#')
            vec_push(&w->pasted, arena_strndup(&w->arena, p, len));
        uint64_t key = hash_bytes(p, len);
        const uint32_t *n = map_get(&w->count, key);
        map_put(&w->count, key, n ? *n + 1 : 1);
        p += len;
    }
}

static bool is_pasted(const struct words *w, const char *name) {
    for (size_t i = 0; i < w->pasted.len; i++)
        if (str_ends(w->pasted.data[i], "_") && str_starts(name, w->pasted.data[i]))
            return true;
    return false;
}

/* The name in a line that declares a function; NULL: it does not. */
static const char *declared(struct words *w, const char *line) {
    const char *end = line + strcspn(line, "\n"), *open = memchr(line, '(', (size_t)(end - line));
    if (!islower((unsigned char)*line) || str_starts(line, "static ") ||
        str_starts(line, "typedef ") || !open || memchr(line, '=', (size_t)(open - line)))
        return NULL;
    const char *name = open;
    while (name > line && in_word(name[-1]))
        name--;
    bool typed = name > line && (name[-1] == ' ' || name[-1] == '*');
    return typed && name < open ? arena_strndup(&w->arena, name, (size_t)(open - name)) : NULL;
}

static void check_header(struct words *w, const struct source *s, struct findings *f) {
    for (const char *p = s->bare; *p;) {
        const char *name = declared(w, p);
        const uint32_t *n = name ? map_get(&w->count, hash_bytes(name, strlen(name))) : NULL;
        if (n && *n <= 2 && !is_pasted(w, name))
            finding(f, s->path, line_of(s->bare, p), name, "no program calls %s()", name);
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
}

void gate_reached(const struct tree *tree, struct findings *f) {
    struct words w = {0};
    for (size_t i = 0; i < tree->files.len; i++)
        if (tree->files.data[i].production)
            count_words(&w, &tree->files.data[i]);
    for (size_t i = 0; i < tree->files.len; i++)
        if (tree->files.data[i].production && is_kind(&tree->files.data[i], ".h"))
            check_header(&w, &tree->files.data[i], f);
    map_free(&w.count);
    vec_free(&w.pasted);
    arena_free(&w.arena);
}
