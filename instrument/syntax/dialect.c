#include "instrument/syntax/dialect.h"

#include "base/str.h"
#include "instrument/syntax/lex.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

struct row {
    const char *word, *text; /* text NULL: with arguments, `word` is how they start */
};

static const struct row rows[] = {
#define DIALECT_WORD(word, text) {word, text},
#define DIALECT_CALL(start) {start, NULL},
#include "instrument/syntax/dialect.def"
#undef DIALECT_WORD
#undef DIALECT_CALL
};

/* A start that ends in '_' stands for a family of words, any other for itself. */
static bool row_has(const struct row *row, const char *word, size_t len) {
    size_t n = strlen(row->word);
    assert(n > 2 && row->word[0] == '_');
    return len >= n && strncmp(word, row->word, n) == 0 &&
           (len == n || (!row->text && row->word[n - 1] == '_'));
}

static const struct row *row_of(const char *word, size_t len) {
    if (len < 3 || word[0] != '_')
        return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (row_has(&rows[i], word, len))
            return &rows[i];
    return NULL;
}

/* Does a macro of the list have this name? */
static bool defines_word(const struct texts *list, const char *word, size_t len) {
    for (size_t i = 0; i < list->len; i++) {
        const char *macro = list->data[i];
        bool ends = strncmp(macro, word, len) == 0 && !isalnum((unsigned char)macro[len]);
        if (ends && macro[len] != '_')
            return true;
    }
    return false;
}

static bool has_arguments(const char *text, size_t len, size_t at) {
    struct lexeme next = lex_at(text, len, at);
    return next.kind == LEX_PUNCT && text[next.begin] == '(';
}

void dialect_defines(const char *text, size_t len, const struct texts *own, struct arena *arena,
                     struct texts *defines) {
    assert(text && own != defines);
    for (struct lexeme l = lex_at(text, len, 0); l.kind != LEX_END; l = lex_at(text, len, l.end)) {
        size_t n = l.end - l.begin;
        const char *word = text + l.begin;
        const struct row *row = l.kind == LEX_WORD ? row_of(word, n) : NULL;
        if (!row || (!row->text && !has_arguments(text, len, l.end)) ||
            defines_word(own, word, n) || defines_word(defines, word, n))
            continue;
        vec_push(defines, arena_printf(arena, "%.*s%s=%s", (int)n, word, row->text ? "" : "(...)",
                                       row->text ? row->text : ""));
    }
}
