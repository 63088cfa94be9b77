/* Lines of C with comments, words of the language, texts and directives marked. */
#include "report/escape.h"
#include "report/html.h"

#include <ctype.h>
#include <string.h>

static const char *const words[] = {
    "auto",    "break",  "case",     "char",  "const",    "continue", "default", "do",     "double",
    "else",    "enum",   "extern",   "float", "for",      "goto",     "if",      "inline", "int",
    "long",    "return", "register", "short", "signed",   "sizeof",   "static",  "struct", "switch",
    "typedef", "union",  "unsigned", "void",  "volatile", "while"};

static bool is_word(const char *text, size_t len) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == len && memcmp(words[i], text, len) == 0)
            return true;
    return false;
}

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static size_t comment_length(const char *text, size_t len, bool *open) {
    for (size_t i = 0; i + 1 < len; i++)
        if (text[i] == '*' && text[i + 1] == '/') {
            *open = false;
            return i + 2;
        }
    *open = true;
    return len;
}

static size_t text_length(const char *text, size_t len) {
    size_t i = 1;
    while (i < len && text[i] != text[0])
        i += text[i] == '\\' ? 2 : 1;
    return i < len ? i + 1 : len;
}

/* Length of the piece at the start of the text, and how it is marked: 0 is not at all. */
static size_t piece(struct html_code *state, const char *text, size_t len, char *mark) {
    assert(len > 0);
    *mark = 'x';
    if (state->in_comment)
        return comment_length(text, len, &state->in_comment);
    if (len > 1 && text[0] == '/' && text[1] == '*')
        return 2 + comment_length(text + 2, len - 2, &state->in_comment);
    if (len > 1 && text[0] == '/' && text[1] == '/')
        return len;
    *mark = 's';
    if (text[0] == '"' || text[0] == '\'')
        return text_length(text, len);
    *mark = 0;
    size_t n = 1;
    if (!is_name(text[0]))
        return n;
    while (n < len && is_name(text[n]))
        n++;
    if (is_word(text, n))
        *mark = 'k';
    return n;
}

void html_code(struct html_code *state, const char *line, size_t len, struct str *out) {
    struct str plain = {0}; /* neighbouring pieces without a mark are escaped together */
    for (size_t at = 0; at < len;) {
        char mark;
        size_t n = piece(state, line + at, len - at, &mark);
        assert(n > 0 && at + n <= len);
        if (mark) {
            add_xml(out, str_text(&plain));
            str_clear(&plain);
        }
        str_addn(&plain, line + at, n);
        if (mark) {
            str_addf(out, "<i class=\"%c\">", mark);
            add_xml(out, str_text(&plain));
            str_add(out, "</i>");
            str_clear(&plain);
        }
        at += n;
    }
    add_xml(out, str_text(&plain));
    str_free(&plain);
}
