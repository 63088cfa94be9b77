/* A loop over characters; each format says which of them it cannot hold and what stands for them.
 */
#include "report/escape.h"

#include <assert.h>
#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const char replacement[] = "\xef\xbf\xbd";

static size_t lead_length(unsigned char c) {
    if (c < 0x80)
        return 1;
    if (c >= 0xc2 && c < 0xe0)
        return 2;
    if (c >= 0xe0 && c < 0xf0)
        return 3;
    return c >= 0xf0 && c < 0xf5 ? 4 : 0;
}

/* Neither longer than needed, nor a surrogate, nor beyond the last code point. */
static bool second_fits(unsigned char first, unsigned char second) {
    assert(first >= 0xc2);
    return !((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
             (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90));
}

/* Length of the valid UTF-8 character at the start of the text, 0 when there is none. */
static size_t character_length(const char *text) {
    const unsigned char *p = (const unsigned char *)text;
    size_t n = lead_length(p[0]);
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return n > 1 && !second_fits(p[0], p[1]) ? 0 : n;
}

/* U+202A..U+202E, U+2066..U+2069, U+200E, U+200F: they reorder what stands around them. */
static bool turns_direction(const char *text, size_t n) {
    const unsigned char *p = (const unsigned char *)text;
    return n == 3 && p[0] == 0xe2 &&
           ((p[1] == 0x80 && ((p[2] >= 0xaa && p[2] <= 0xae) || p[2] == 0x8e || p[2] == 0x8f)) ||
            (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
}

/* Length of the character at the start of the text that can be shown as it is, else 0. */
static size_t plain_length(const char *text) {
    size_t n = character_length(text);
    return turns_direction(text, n) ? 0 : n;
}

/* How far to go on behind a character that is replaced. */
static size_t skipped_length(const char *text) {
    size_t n = character_length(text);
    return n ? n : 1;
}

/* What stands for a character that cannot be shown as it is. Sources are UTF-8 or Latin-1: a letter
 * of the latter is written as the former. */
static void add_other(struct str *out, const char *text) {
    unsigned char c = (unsigned char)*text;
    if (c < 0xa0 || character_length(text) > 0) {
        str_add(out, replacement);
        return;
    }
    str_addc(out, (char)(0xc0 | c >> 6));
    str_addc(out, (char)(0x80 | (c & 0x3f)));
}

/* Length of the text up to the next character that XML or JSON cannot take as it is. */
static size_t harmless_length(const char *text) {
    size_t n = 0;
    while (text[n] >= 0x20 && text[n] < 0x7f && !strchr("&<>\"'\\", text[n]))
        n++;
    return n;
}

static const char *xml_entity(char c) {
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static bool forbidden_in_xml(unsigned char c) {
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

void add_xml(struct str *out, const char *text) {
    assert(out && text);
    while (*text) {
        size_t harmless = harmless_length(text);
        str_addn(out, text, harmless);
        text += harmless;
        if (!*text)
            break;
        size_t n = plain_length(text);
        const char *entity = xml_entity(*text);
        if (entity)
            str_add(out, entity);
        else if (n == 0 || forbidden_in_xml((unsigned char)*text))
            add_other(out, text);
        else
            str_addn(out, text, n);
        text += skipped_length(text);
    }
}

void add_json(struct str *out, const char *text) {
    assert(out && text);
    str_addc(out, '"');
    while (*text) {
        size_t harmless = harmless_length(text);
        str_addn(out, text, harmless);
        text += harmless;
        if (!*text)
            break;
        size_t n = plain_length(text);
        unsigned char c = (unsigned char)*text;
        if (n == 0)
            add_other(out, text);
        else if (c == '"' || c == '\\')
            str_addf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f || c == '<') /* "</script>" inside HTML */
            str_addf(out, "\\u%04x", c);
        else
            str_addn(out, text, n);
        text += skipped_length(text);
    }
    str_addc(out, '"');
}

void add_one_line(struct str *out, const char *text) {
    assert(out && text);
    for (; *text; text++)
        str_addc(out, (unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text);
}

void add_markdown(struct str *out, const char *text) {
    assert(out && text);
    str_addc(out, '`');
    while (*text) {
        size_t n = plain_length(text);
        if (n == 0)
            add_other(out, text);
        else if (*text == '|')
            str_add(out, "\\|");
        else if (*text == '`')
            str_addc(out, '\'');
        else if ((unsigned char)*text < 0x20 || *text == 0x7f)
            str_addc(out, ' ');
        else
            str_addn(out, text, n);
        text += skipped_length(text);
    }
    str_addc(out, '`');
}

void add_uri(struct str *out, const char *path) {
    assert(out && path);
    if (isalpha((unsigned char)path[0]) && path[1] == ':')
        path += 2;
    while (*path == '/' || *path == '\\' || strncmp(path, "./", 2) == 0)
        path += *path == '.' ? 2 : 1;
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        if (c == '\\')
            str_addc(out, '/');
        else if (isalnum(c) || strchr("-._~/", c))
            str_addc(out, (char)c);
        else
            str_addf(out, "%%%02X", c);
    }
}
