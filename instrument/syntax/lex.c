#include "instrument/syntax/lex.h"

#include <assert.h>

#include <ctype.h>
#include <string.h>

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static size_t end_of_line(const char *text, size_t len, size_t at) {
    while (at < len && text[at] != '\n')
        at += text[at] == '\\' && at + 1 < len ? 2 : 1;
    return at < len ? at : len;
}

static size_t end_of_block(const char *text, size_t len, size_t at) {
    for (at += 2; at + 1 < len; at++)
        if (text[at] == '*' && text[at + 1] == '/')
            return at + 2;
    return len;
}

static size_t end_of_quoted(const char *text, size_t len, size_t at) {
    char quote = text[at++];
    while (at < len && text[at] != quote && text[at] != '\n')
        at += text[at] == '\\' && at + 1 < len ? 2 : 1;
    return at < len ? at + 1 : len;
}

static bool starts_line(const char *text, size_t at) {
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
        at--;
    return at == 0 || text[at - 1] == '\n';
}

static size_t end_of_number(const char *text, size_t len, size_t at) {
    bool sign = false; /* the one of an exponent */
    while (at < len && (is_word(text[at]) || text[at] == '.' ||
                        (sign && (text[at] == '+' || text[at] == '-')))) {
        sign = strchr("eEpP", text[at]) != NULL;
        at++;
    }
    return at;
}

static size_t end_of_word(const char *text, size_t len, size_t at) {
    while (at < len && is_word(text[at]))
        at++;
    return at;
}

struct lexeme lex_at(const char *text, size_t len, size_t at) {
    assert(at <= len);
    while (at < len && isspace((unsigned char)text[at]))
        at++;
    if (at >= len)
        return (struct lexeme){LEX_END, len, len};
    char c = text[at], next = at + 1 < len ? text[at + 1] : '\0';
    if (c == '/' && next == '*')
        return (struct lexeme){LEX_COMMENT, at, end_of_block(text, len, at)};
    if (c == '/' && next == '/')
        return (struct lexeme){LEX_COMMENT, at, end_of_line(text, len, at)};
    if (c == '#' && starts_line(text, at))
        return (struct lexeme){LEX_DIRECTIVE, at, end_of_line(text, len, at)};
    if (c == '"' || c == '\'')
        return (struct lexeme){LEX_STRING, at, end_of_quoted(text, len, at)};
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)next)))
        return (struct lexeme){LEX_NUMBER, at, end_of_number(text, len, at)};
    if (is_word(c))
        return (struct lexeme){LEX_WORD, at, end_of_word(text, len, at)};
    return (struct lexeme){LEX_PUNCT, at, at + 1};
}

bool lex_is(const char *text, struct lexeme lexeme, const char *word) {
    assert(lexeme.begin <= lexeme.end);
    size_t len = strlen(word);
    return lexeme.end - lexeme.begin == len && memcmp(text + lexeme.begin, word, len) == 0;
}

bool lex_is_assembly(const char *text, struct lexeme l) {
    return lex_is(text, l, "asm") || lex_is(text, l, "__asm__") || lex_is(text, l, "__asm");
}
