/* lex: the tokens of preprocessed C, one at a time, comments included.
 *
 *     for (struct lexeme l = lex_at(text, len, begin); l.kind != LEX_END; l = lex_at(text, len,
 *     l.end))
 *         if (lex_is(text, l, "const")) ...
 *
 * libclang gives no comments between tokens, and no places of single specifiers. */
#ifndef INSTRUMENT_SYNTAX_LEX_H
#define INSTRUMENT_SYNTAX_LEX_H

#include <stdbool.h>
#include <stddef.h>

enum lexeme_kind {
    LEX_END,
    LEX_WORD,
    LEX_NUMBER,
    LEX_STRING, /* and character constants */
    LEX_PUNCT,  /* one character */
    LEX_COMMENT,
    LEX_DIRECTIVE, /* a line that starts with '#' */
};

struct lexeme {
    enum lexeme_kind kind;
    size_t begin, end;
};

/* The next token at or behind `at`. A '#' counts as a directive only as the first of its line. */
struct lexeme lex_at(const char *text, size_t len, size_t at);
bool lex_is(const char *text, struct lexeme lexeme, const char *word);
bool lex_is_assembly(const char *text, struct lexeme lexeme); /* asm, in each spelling */

#endif
