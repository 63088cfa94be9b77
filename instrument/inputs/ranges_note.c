/* The generator's comments: LSB, OFF and MIN/MAX in whatever layout.
 *
 * The comment is first made one line: line ends and the '*' that start a line become spaces. Then
 * a value is the number or product of numbers that follows its key and a colon (MIN/MAX: the two
 * numbers around ".."). */
#include "instrument/inputs/ranges.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

static char *one_line(const char *comment, size_t len, struct arena *arena) {
    char *line = arena_strndup(arena, comment, len);
    bool at_start = true; /* of a line of the comment */
    for (char *p = line; *p; p++) {
        bool border = at_start && (*p == '*' || *p == '/');
        at_start = *p == '\n' || (at_start && (isspace((unsigned char)*p) || border));
        if (border || isspace((unsigned char)*p))
            *p = ' ';
    }
    return line;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* What follows "KEY :", or NULL. The key must not be the end of a longer word. */
static const char *after_key(const char *line, const char *key) {
    assert(key[0] && !strchr(line, '\n'));
    size_t len = strlen(key);
    for (const char *p = line; *p; p++) {
        if (strncasecmp(p, key, len) != 0 || (p > line && (is_word(p[-1]) || p[-1] == '/')))
            continue;
        const char *colon = p + len + strspn(p + len, " ");
        if (*colon == ':' || *colon == '=')
            return colon + 1;
    }
    return NULL;
}

/* A number ends at a space, at "..", or at something that cannot be part of one. */
static const char *word_end(const char *p) {
    while (*p && *p != ' ' && *p != ',' && *p != ';' && *p != ']' && *p != ')' &&
           !(p[0] == '.' && p[1] == '.') && !(p[0] == '*' && p[1] == '/'))
        p++;
    return p;
}

/* "2^0 * 0.39" goes on behind the space. */
static const char *number_end(const char *p) {
    const char *end = word_end(p);
    for (;;) {
        const char *next = end + strspn(end, " ");
        if (next == end || (*next != '*' && *next != '/') || next[1] == '/')
            return end;
        next += 1 + strspn(next + 1, " ");
        if (!isdigit((unsigned char)*next) && *next != '.')
            return end;
        end = word_end(next);
    }
}

/* The number at *p if there is one; *p moves behind it. */
static const char *take_number(const char **p, struct arena *arena) {
    const char *begin = *p + strspn(*p, " [(");
    const char *end = number_end(begin);
    *p = end;
    char *text = arena_strndup(arena, begin, (size_t)(end - begin));
    mpq_t value;
    mpq_init(value);
    bool good = *text && range_number(text, value);
    mpq_clear(value);
    return good ? text : NULL;
}

static const char *number_after(const char *line, const char *key, struct arena *arena) {
    const char *p = after_key(line, key);
    return p ? take_number(&p, arena) : NULL;
}

/* "MIN/MAX: a .. b"; "RANGE: [a, b]" */
static void take_pair(const char *line, const char *key, struct arena *arena,
                      struct range_note *note) {
    const char *p = after_key(line, key);
    if (!p)
        return;
    note->min = take_number(&p, arena);
    p += strspn(p, " ");
    if (p[0] == '.' && p[1] == '.')
        p += strspn(p, ".");
    else if (*p == ',')
        p++;
    else {
        note->min = NULL; /* one number is no pair */
        return;
    }
    note->max = take_number(&p, arena);
}

bool range_note_parse(const char *comment, size_t len, struct arena *arena,
                      struct range_note *note) {
    assert(comment);
    *note = (struct range_note){0};
    const char *line = one_line(comment, len, arena);
    note->lsb = number_after(line, "LSB", arena);
    note->offset = number_after(line, "OFF", arena);
    if (!note->offset)
        note->offset = number_after(line, "OFFSET", arena);
    take_pair(line, "MIN/MAX", arena, note);
    if (!note->min && !note->max)
        take_pair(line, "RANGE", arena, note);
    if (!note->min && !note->max) {
        note->min = number_after(line, "MIN", arena);
        note->max = number_after(line, "MAX", arena);
    }
    return note->lsb || note->offset || note->min || note->max;
}
