/* A strict reader of RFC 8259: says yes or where not, and where each value stands. Beyond the RFC
 * it rejects what would be lost later: NUL characters, numbers outside double, invalid UTF-8. */
#include "app/project/json.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 64 };

struct scan {
    struct json *json;
    const char *text;
    size_t at, len; /* text[len] is '\0' */
    struct err *err;
};

static bool fail(const struct scan *s, size_t offset, const char *what) {
    int line = 1, col = 1;
    assert(offset <= s->len);
    for (size_t i = 0; i < offset; i++) {
        if (s->text[i] == '\n')
            line++, col = 1;
        else if (((unsigned char)s->text[i] & 0xc0) != 0x80)
            col++;
    }
    err_set(s->err, ERR_USAGE, "%s", what);
    return err_at(s->err, s->json->file, line, col);
}

static void skip_blanks(struct scan *s) {
    while (s->at < s->len && strchr(" \t\r\n", s->text[s->at]) && s->text[s->at])
        s->at++;
}

static bool accept(struct scan *s, char c) {
    skip_blanks(s);
    if (s->at >= s->len || s->text[s->at] != c)
        return false;
    s->at++;
    return true;
}

/* Length of the UTF-8 sequence at p (RFC 3629: shortest form, no surrogates), 0 when invalid. */
static size_t utf8_length(const unsigned char *p) {
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc0 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (n < 2)
        return n;
    unsigned code = p[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3f);
    }
    bool surrogate = code >= 0xd800 && code < 0xe000;
    return code < least[n] || code > 0x10ffff || surrogate || p[0] > 0xf4 ? 0 : n;
}

/* The four digits of \uXXXX at the current place; -1 when they are not hexadecimal. */
static int hex4(struct scan *s) {
    int code = 0;
    for (int i = 0; i < 4; i++, s->at++) {
        int c = (unsigned char)s->text[s->at];
        if (!isxdigit(c))
            return -1;
        code = code * 16 + (isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
    }
    return code;
}

static bool scan_unicode(struct scan *s, size_t start) {
    int code = hex4(s);
    if (code < 0)
        return fail(s, start, "\\u needs four hexadecimal digits");
    if (code == 0)
        return fail(s, start, "a text must not contain the character NUL");
    if (code >= 0xdc00 && code < 0xe000)
        return fail(s, start, "half of a surrogate pair");
    if (code < 0xd800 || code >= 0xdc00)
        return true;
    if (s->text[s->at] != '\\' || s->text[s->at + 1] != 'u')
        return fail(s, start, "half of a surrogate pair");
    s->at += 2;
    code = hex4(s);
    return (code >= 0xdc00 && code < 0xe000) || fail(s, start, "half of a surrogate pair");
}

static bool scan_escape(struct scan *s) {
    assert(s->text[s->at] == '\\');
    size_t start = s->at++;
    char c = s->text[s->at];
    if (c == '\0' || !strchr("\"\\/bfnrtu", c))
        return fail(s, start, "unknown escape sequence");
    s->at++;
    return c != 'u' || scan_unicode(s, start);
}

static bool scan_text(struct scan *s) {
    assert(s->text[s->at] == '"');
    size_t start = s->at++;
    while (s->at < s->len && s->text[s->at] != '"') {
        unsigned char c = (unsigned char)s->text[s->at];
        size_t n = utf8_length((const unsigned char *)s->text + s->at);
        if (c < 0x20)
            return fail(s, c == '\n' ? start : s->at,
                        c == '\n' ? "the text does not end on its line"
                                  : "control character in a text");
        if (n == 0)
            return fail(s, s->at, "invalid UTF-8");
        if (c != '\\')
            s->at += n;
        else if (!scan_escape(s))
            return false;
    }
    if (s->at >= s->len)
        return fail(s, start, "the text does not end");
    s->at++;
    return true;
}

static bool scan_digits(struct scan *s) {
    size_t start = s->at;
    while (isdigit((unsigned char)s->text[s->at]))
        s->at++;
    return s->at > start;
}

static bool scan_number(struct scan *s) {
    size_t start = s->at;
    s->at += s->text[s->at] == '-';
    bool zero = s->text[s->at] == '0', good = scan_digits(s);
    if (good && zero && isdigit((unsigned char)s->text[start + (s->text[start] == '-') + 1]))
        return fail(s, start, "a number must not start with 0");
    if (good && s->text[s->at] == '.')
        s->at++, good = scan_digits(s);
    if (good && (s->text[s->at] == 'e' || s->text[s->at] == 'E')) {
        s->at++;
        s->at += s->text[s->at] == '+' || s->text[s->at] == '-';
        good = scan_digits(s);
    }
    if (!good)
        return fail(s, start, "this is not a number");
    return isfinite(strtod(s->text + start, NULL)) || fail(s, start, "the number is too large");
}

static bool scan_word(struct scan *s) {
    static const char *const words[] = {"true", "false", "null"};
    size_t n = 0;
    while (isalnum((unsigned char)s->text[s->at + n]))
        n++;
    for (int i = 0; i < 3; i++)
        if (strlen(words[i]) == n && memcmp(words[i], s->text + s->at, n) == 0) {
            s->at += n;
            return true;
        }
    return fail(s, s->at, "expected a value");
}

static bool scan_value(struct scan *s, int depth);

static bool scan_array(struct scan *s, int depth) {
    assert(s->text[s->at] == '[');
    s->at++;
    if (accept(s, ']'))
        return true;
    do
        if (!scan_value(s, depth + 1))
            return false;
    while (accept(s, ','));
    return accept(s, ']') || fail(s, s->at, "expected ',' or ']'");
}

static bool scan_member(struct scan *s, int depth) {
    skip_blanks(s);
    size_t key = s->at, index = s->json->places.len;
    if (s->text[s->at] != '"')
        return fail(s, s->at, "expected a key in double quotes");
    if (!scan_text(s))
        return false;
    if (!accept(s, ':'))
        return fail(s, s->at, "expected ':'");
    if (!scan_value(s, depth + 1))
        return false;
    assert(index < s->json->places.len && key < s->json->places.data[index].start);
    s->json->places.data[index].key = key;
    return true;
}

static bool scan_object(struct scan *s, int depth) {
    assert(s->text[s->at] == '{');
    s->at++;
    if (accept(s, '}'))
        return true;
    do
        if (!scan_member(s, depth))
            return false;
    while (accept(s, ','));
    return accept(s, '}') || fail(s, s->at, "expected ',' or '}'");
}

static bool scan_value(struct scan *s, int depth) {
    skip_blanks(s);
    size_t start = s->at, index = s->json->places.len;
    char c = s->text[start];
    if (depth > DEPTH_LIMIT)
        return fail(s, start, "too deeply nested");
    vec_push(&s->json->places, (struct json_place){.start = start, .key = start});
    bool good = c == '{'                                ? scan_object(s, depth)
                : c == '['                              ? scan_array(s, depth)
                : c == '"'                              ? scan_text(s)
                : c == '-' || isdigit((unsigned char)c) ? scan_number(s)
                : s->at >= s->len                       ? fail(s, start, "the file ends here")
                                                        : scan_word(s);
    s->json->places.data[index].end = s->at;
    assert(s->at <= s->len);
    return good;
}

bool json_scan(struct json *json, struct err *err) {
    str_add(&json->text, ""); /* so that even an empty file has its terminating NUL */
    struct scan s = {json, json->text.data, 0, json->text.len, err};
    if (memchr(s.text, '\0', s.len))
        return fail(&s, strlen(s.text), "the file contains a NUL byte");
    if (str_starts(s.text, "\xef\xbb\xbf"))
        s.at = 3;
    if (!scan_value(&s, 0))
        return false;
    skip_blanks(&s);
    return s.at == s.len || fail(&s, s.at, "unexpected text after the end");
}
