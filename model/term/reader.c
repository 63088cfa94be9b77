/* A line is split into words when it is read; the first error sticks, so callers need not ask each
 * time. */
#include "model/term/reader.h"

#include "model/term/value.h"

#include <stdio.h>
#include <stdlib.h>

void reader_init(struct reader *r, const char *text, const char *file, struct err *err) {
    assert(text && file && err);
    *r = (struct reader){.at = text, .file = file, .err = err};
}

void reader_free(struct reader *r) {
    vec_free(&r->words);
    str_free(&r->buffer);
}

bool reader_fail(struct reader *r, const char *format, ...) {
    if (r->failed)
        return false;
    r->failed = true;
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vaddf(&text, format, args);
    va_end(args);
    err_set(r->err, ERR_USAGE, "%s", str_text(&text));
    err_at(r->err, r->file, r->line, 0);
    str_free(&text);
    return false;
}

/* ---- lines into words ---- */

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The character after a backslash; NULL if it is no escape. */
static const char *read_escape(struct reader *r, const char *p) {
    if (*p == '"' || *p == '\\') {
        str_addc(&r->buffer, *p);
        return p + 1;
    }
    if (*p != 'x' || hex_digit(p[1]) < 0 || hex_digit(p[2]) < 0)
        return NULL;
    int code = hex_digit(p[1]) * 16 + hex_digit(p[2]);
    if (code == 0)
        return NULL;
    str_addc(&r->buffer, (char)code);
    return p + 3;
}

static const char *read_quoted(struct reader *r, const char *p) {
    while (*p != '"') {
        if (*p == '\0' || *p == '\n') {
            reader_fail(r, "a quoted name does not end on its line");
            return NULL;
        }
        if (*p != '\\') {
            str_addc(&r->buffer, *p++);
            continue;
        }
        p = read_escape(r, p + 1);
        if (!p) {
            reader_fail(r, "unknown escape in a quoted name");
            return NULL;
        }
    }
    return p + 1;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *read_word(struct reader *r, const char *p) {
    size_t start = r->buffer.len;
    bool quoted = *p == '"';
    if (quoted) {
        p = read_quoted(r, p + 1);
    } else {
        while (*p && *p != '\n' && !is_blank(*p) && *p != '"')
            str_addc(&r->buffer, *p++);
    }
    str_addc(&r->buffer, '\0');
    vec_push(&r->words, (struct reader_word){start, quoted});
    return p;
}

static bool split_line(struct reader *r) {
    const char *p = r->at;
    str_clear(&r->buffer);
    vec_clear(&r->words);
    r->next = 0;
    while (p && *p && *p != '\n' && *p != '#') {
        if (is_blank(*p))
            p++;
        else
            p = read_word(r, p);
    }
    if (!p)
        return false;
    p += strcspn(p, "\n");
    r->at = *p ? p + 1 : p;
    return true;
}

bool reader_line(struct reader *r) {
    if (r->failed)
        return false;
    do {
        if (*r->at == '\0') {
            vec_clear(&r->words);
            r->next = 0;
            return false;
        }
        r->line++;
        if (!split_line(r))
            return false;
    } while (r->words.len == 0);
    return true;
}

/* ---- words ---- */

static const char *text_of(const struct reader *r, size_t word) {
    assert(word < r->words.len);
    return r->buffer.data + r->words.data[word].start;
}

bool reader_more(const struct reader *r) {
    return !r->failed && r->next < r->words.len;
}

bool reader_is(const struct reader *r, const char *word) {
    return reader_more(r) && !r->words.data[r->next].quoted && str_same(text_of(r, r->next), word);
}

bool reader_starts(const struct reader *r, char letter) {
    if (!reader_more(r) || r->words.data[r->next].quoted)
        return false;
    const char *text = text_of(r, r->next);
    return text[0] == letter && text[1] >= '0' && text[1] <= '9';
}

bool reader_accept(struct reader *r, const char *word) {
    if (!reader_is(r, word))
        return false;
    r->next++;
    return true;
}

static const char *next_text(const struct reader *r) {
    return reader_more(r) ? text_of(r, r->next) : "the end of the line";
}

bool reader_expect(struct reader *r, const char *word) {
    if (reader_accept(r, word))
        return true;
    return reader_fail(r, "expected '%s', found '%s'", word, next_text(r));
}

bool reader_done(struct reader *r) {
    if (r->failed)
        return false;
    if (!reader_more(r))
        return true;
    return reader_fail(r, "unexpected '%s'", next_text(r));
}

static const char *take(struct reader *r, const char *what, bool quoted) {
    if (reader_more(r) && r->words.data[r->next].quoted == quoted)
        return text_of(r, r->next++);
    reader_fail(r, "expected %s%s, found '%s'", what, quoted ? " in quotes" : "", next_text(r));
    return NULL;
}

const char *reader_word(struct reader *r, const char *what) {
    return take(r, what, false);
}

const char *reader_name(struct reader *r, const char *what) {
    return take(r, what, true);
}

bool reader_u32(struct reader *r, const char *what, uint32_t *value) {
    const char *text = reader_word(r, what);
    uint64_t bits = 0;
    if (!text)
        return false;
    if (*text == '-' || !value_parse(32, text, &bits))
        return reader_fail(r, "expected %s, found '%s'", what, text);
    *value = (uint32_t)bits;
    return true;
}

bool reader_value(struct reader *r, sort_t sort, uint64_t *bits) {
    const char *text = reader_word(r, "a value");
    if (!text)
        return false;
    if (!value_parse(sort, text, bits))
        return reader_fail(r, "'%s' is no value of sort %s", text, sort_name(sort));
    return true;
}

bool reader_header(struct reader *r, const char *kind) {
    uint32_t version = 0;
    if (!reader_line(r))
        return reader_fail(r, "empty: expected '%s 1'", kind);
    if (!reader_expect(r, kind) || !reader_u32(r, "a version", &version))
        return false;
    if (version != 1)
        return reader_fail(r, "version %u of '%s' is unknown, this program reads 1", version, kind);
    return true;
}

void name_print(const char *name, struct str *out) {
    assert(name);
    str_addc(out, '"');
    for (const char *p = name; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\')
            str_addf(out, "\\%c", c);
        else if (c < ' ' || c == 0x7f)
            str_addf(out, "\\x%02x", c);
        else
            str_addc(out, (char)c);
    }
    str_addc(out, '"');
}

bool reader_index(struct reader *r, char letter, const char *what, size_t count, uint32_t *index) {
    assert(letter >= 'a' && letter <= 'z');
    const char *text = reader_word(r, what);
    uint64_t bits = 0;
    if (!text)
        return false;
    if (text[0] != letter || text[1] == '-' || !value_parse(32, text + 1, &bits))
        return reader_fail(r, "expected %s ('%c' and a number), found '%s'", what, letter, text);
    if (bits >= count)
        return reader_fail(r, "'%s': there are only %zu", text, count);
    *index = (uint32_t)bits;
    return true;
}

bool reader_same_name(struct reader *r, const char *what, const char *name) {
    const char *found = reader_name(r, what);
    if (!found)
        return false;
    if (str_same(found, name))
        return true;
    return reader_fail(r,
                       "this %s is called '%s' in the system, here '%s': the text was made for "
                       "another system",
                       what, name, found);
}

bool reader_end(struct reader *r) {
    if (reader_line(r))
        return reader_fail(r, "text after the end");
    return !r->failed;
}
