/* What a justification is bound to. */
#include "app/project/ledger.h"

#include "base/sha256.h"
#include "db/rows.h"

#include <ctype.h>
#include <string.h>

struct place {
    const char *file;
    int line;
};

/* Where the function of a goal begins; line 0: it has no goal of kind function. */
static struct place function_of(struct arena *arena, struct store *db, const char *key) {
    struct place place = {"", 0};
    struct err err = {0};
    struct rows *r = rows_open(db,
                               "SELECT f.file, f.line FROM goal g JOIN goal f ON f.kind = "
                               "'function' AND f.function = g.function AND f.file = g.file "
                               "WHERE g.key = ?1",
                               &err);
    rows_bind_text(r, 1, key);
    if (rows_next(r))
        place = (struct place){arena_strdup(arena, rows_text(r, 0)), (int)rows_int(r, 1)};
    rows_close(r, &err);
    err_clear(&err);
    return place;
}

/* The stored source whose name ends like the file's, or the other way round. */
static const char *source_of(struct arena *arena, struct store *db, const char *file) {
    const char *text = "";
    struct err err = {0};
    struct rows *r = rows_open(
        db, "SELECT substr(name, 8), content FROM artifact WHERE name GLOB 'source:*'", &err);
    while (rows_next(r)) {
        size_t size;
        const void *content = rows_blob(r, 1, &size);
        if (size > 0 && report_same_file(file, rows_text(r, 0)))
            text = arena_strndup(arena, content, size);
    }
    rows_close(r, &err);
    err_clear(&err);
    return text;
}

static size_t comment_length(const char *p) {
    if (p[0] != '/' || (p[1] != '*' && p[1] != '/'))
        return 0;
    const char *end = strstr(p + 2, p[1] == '*' ? "*/" : "\n");
    return end ? (size_t)(end - p) + (p[1] == '*' ? 2 : 0) : strlen(p);
}

static size_t literal_length(const char *p) {
    if (*p != '"' && *p != '\'')
        return 0;
    size_t n = 1;
    while (p[n] && p[n] != *p && p[n] != '\n')
        n += p[n] == '\\' && p[n + 1] ? 2 : 1;
    return p[n] ? n + 1 : n;
}

/* From a line of the text to the brace that closes its first block; blanks and comments count as
 * one blank. */
static void add_function(const char *text, int line, struct str *out) {
    assert(line > 0);
    for (int l = 1; l < line && *text; l++)
        text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n');
    int depth = 0;
    while (*text) {
        size_t blank = strspn(text, " \t\r\n\f\v"), comment = comment_length(text);
        size_t literal = literal_length(text), n = literal ? literal : 1;
        if (blank + comment > 0) {
            text += blank ? blank : comment;
            if (out->len > 0 && out->data[out->len - 1] != ' ')
                str_addc(out, ' ');
            continue;
        }
        str_addn(out, text, n);
        depth += *text == '{' ? 1 : *text == '}' ? -1 : 0;
        if (*text == '}' && depth <= 0)
            return;
        text += n;
    }
}

static void add_goals(struct store *db, const char *key, struct str *out) {
    struct err err = {0};
    struct rows *r = rows_open(db,
                               "SELECT kind || ' ' || text || ' ' || coalesce(value, '') FROM goal "
                               "WHERE (function, file) IN (SELECT function, file FROM goal WHERE "
                               "key = ?1) ORDER BY id",
                               &err);
    rows_bind_text(r, 1, key);
    while (rows_next(r))
        str_addf(out, "\n%s", rows_text(r, 0));
    rows_close(r, &err);
    err_clear(&err);
}

const char *ledger_function_hash(struct arena *arena, struct store *db, const char *key) {
    struct str text = {0};
    char hash[SHA256_HEX];
    struct place place = function_of(arena, db, key);
    if (place.line > 0)
        add_function(source_of(arena, db, place.file), place.line, &text);
    add_goals(db, key, &text);
    sha256_hex(str_text(&text), text.len, hash);
    str_free(&text);
    return arena_strdup(arena, hash);
}
