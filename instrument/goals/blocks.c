/* One pass over comments and braces with a stack of what holds; tables in the head of the file
 * give identifiers their paths. */
#include "instrument/goals/blocks.h"

#include "instrument/syntax/lex.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* ---- the tables of subsystems in comments outside of functions ---- */

static bool is_id(const char *text, size_t len) {
    size_t letters = 0;
    while (letters < len && isalpha((unsigned char)text[letters]))
        letters++;
    for (size_t i = letters; i < len; i++)
        if (!isdigit((unsigned char)text[i]))
            return false;
    return letters > 0 && letters < len;
}

static size_t blanks(const char *text, const char *end, const char *which) {
    size_t n = 0;
    while (text + n < end && strchr(which, text[n]))
        n++;
    return n;
}

/* "Sa4   model/A/B" or "'<S1>' : 'model/A'" */
static void add_row(struct blocks *b, const char *line, const char *end) {
    while (end > line && strchr(" \t\r*'/", end[-1]))
        end--;
    line += blanks(line, end, " \t*'");
    const char *id = line;
    while (line < end && !strchr(" \t'", *line))
        line++;
    size_t len = (size_t)(line - id);
    bool coder = len > 2 && id[0] == '<' && id[len - 1] == '>';
    const char *path = line + blanks(line, end, " \t':");
    if (path >= end || path == line ||
        !(coder || (is_id(id, len) && memchr(path, '/', (size_t)(end - path)))))
        return;
    if (memchr(path, ' ', (size_t)(end - path)) && !coder)
        return;
    vec_push(&b->subsystems,
             (struct subsystem){arena_strndup(&b->arena, id, len),
                                arena_strndup(&b->arena, path, (size_t)(end - path))});
}

static void read_table(struct blocks *b, const char *text, const char *end) {
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline ? newline : end;
        add_row(b, text, stop);
        text = stop + 1;
    }
}

/* ---- the comment of a block ---- */

static const struct subsystem *find_id(const struct blocks *b, const char *id, size_t len) {
    for (size_t i = 0; i < b->subsystems.len; i++)
        if (strlen(b->subsystems.data[i].id) == len &&
            memcmp(b->subsystems.data[i].id, id, len) == 0)
            return &b->subsystems.data[i];
    return NULL;
}

/* '<S1>/Gain' with the path of its subsystem. */
static const char *coder_path(struct blocks *b, const char *text, const char *end) {
    const char *open = memchr(text, '\'', (size_t)(end - text));
    const char *close = open ? memchr(open + 1, '\'', (size_t)(end - open - 1)) : NULL;
    if (!close || open[1] != '<')
        return NULL;
    const char *slash = memchr(open, '/', (size_t)(close - open));
    if (!slash)
        return NULL;
    const struct subsystem *s = find_id(b, open + 1, (size_t)(slash - open - 1));
    const char *leaf = arena_strndup(&b->arena, slash + 1, (size_t)(close - slash - 1));
    return s ? arena_printf(&b->arena, "%s/%s", s->path, leaf)
             : arena_strndup(&b->arena, open + 1, (size_t)(close - open - 1));
}

/* "A/B" of the comment is the end of "model/A/B": the subsystem that holds block "A/B/Limit". */
static const struct subsystem *holder(const struct blocks *b, const char *path, size_t parent) {
    for (size_t i = 0; i < b->subsystems.len; i++) {
        const char *whole = b->subsystems.data[i].path;
        size_t len = strlen(whole);
        if (len >= parent && memcmp(whole + len - parent, path, parent) == 0 &&
            (len == parent || whole[len - parent - 1] == '/'))
            return &b->subsystems.data[i];
    }
    return NULL;
}

/* "Saturation: A/B/Limit": a word that says the kind, then a path; other comments have colons, too,
 * so the path must lie in a subsystem of the table. */
static const char *targetlink_path(struct blocks *b, const char *text, const char *end) {
    const char *colon = memchr(text, ':', (size_t)(end - text));
    if (!colon || colon == text || !isupper((unsigned char)*text))
        return NULL;
    for (const char *p = text; p < colon; p++)
        if (!isalnum((unsigned char)*p) && *p != ' ' && *p != '-' && *p != '_')
            return NULL;
    const char *path = colon + 1 + blanks(colon + 1, end, " \t"), *stop = path, *slash = NULL;
    for (; stop < end && *stop != '\n' && *stop != ','; stop++) /* a remark follows a comma */
        slash = *stop == '/' ? stop : slash;
    while (stop > path && strchr(" \t\r*", stop[-1]))
        stop--;
    if (!slash || slash + 1 >= stop || memchr(path, ':', (size_t)(stop - path)))
        return NULL;
    const struct subsystem *in = holder(b, path, (size_t)(slash - path));
    if (!in)
        return NULL;
    return arena_printf(&b->arena, "%s/%.*s", in->path, (int)(stop - slash - 1), slash + 1);
}

/* ---- where they hold ---- */

struct scope {
    int depth;
    const char *path;
};
VEC_STRUCT(scopes, struct scope);

static void leave(struct scopes *open, int depth) {
    while (open->len > 0 && vec_last(open).depth >= depth)
        open->len--;
}

static void mark(struct blocks *b, const struct scopes *open, size_t offset) {
    const char *path = open->len ? vec_last(open).path : NULL;
    vec_push(&b->marks, (struct block_mark){offset, path});
}

static void take_comment(struct blocks *b, struct scopes *open, int depth, const char *text,
                         struct lexeme l) {
    const char *begin = text + l.begin + 2, *end = text + l.end;
    if (end - begin >= 2 && end[-1] == '/' && end[-2] == '*')
        end -= 2;
    begin += blanks(begin, end, " \t\r\n*");
    if (depth == 0) {
        read_table(b, begin, end);
        return;
    }
    const char *path = coder_path(b, begin, end);
    bool ends = path && end - begin > 6 && strncmp(begin, "End of", 6) == 0;
    path = path ? path : targetlink_path(b, begin, end);
    if (!path)
        return;
    leave(open, depth);
    if (!ends)
        vec_push(open, (struct scope){depth, path});
    mark(b, open, l.end);
}

void blocks_find(struct blocks *b, const struct unit *unit) {
    struct scopes open = {0};
    int depth = 0;
    assert(b->marks.len == 0);
    for (struct lexeme l = lex_at(unit->text, unit->len, 0); l.kind != LEX_END;
         l = lex_at(unit->text, unit->len, l.end)) {
        char c = l.kind == LEX_PUNCT ? unit->text[l.begin] : '\0';
        if (l.kind == LEX_COMMENT)
            take_comment(b, &open, depth, unit->text, l);
        depth += c == '{';
        if (c != '}')
            continue;
        leave(&open, depth);
        depth -= depth > 0;
        mark(b, &open, l.end);
    }
    vec_free(&open);
}

void blocks_free(struct blocks *b) {
    vec_free(&b->subsystems);
    vec_free(&b->marks);
    arena_free(&b->arena);
}

/* Sa4_AssistTorque is in Sa4; the function that has the name of the model is in the first. */
static const char *of_function(const struct blocks *b, const char *function) {
    const struct subsystem *s = find_id(b, function, strcspn(function, "_"));
    if (s || b->subsystems.len == 0)
        return s ? s->path : NULL;
    const char *first = b->subsystems.data[0].path;
    size_t root = strcspn(first, "/");
    bool model =
        strncmp(function, first, root) == 0 && (function[root] == '\0' || function[root] == '_');
    return model ? first : NULL;
}

const char *blocks_at(const struct blocks *b, size_t offset, const char *function) {
    size_t low = 0, high = b->marks.len; /* the last mark at or before the offset is low - 1 */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->marks.data[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    const char *path = low > 0 ? b->marks.data[low - 1].path : NULL;
    return path ? path : of_function(b, function);
}
