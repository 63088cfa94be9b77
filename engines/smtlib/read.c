/* read: tokens and nesting. Open lists are kept on an explicit stack. */
#include "engines/smtlib/read.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

void smt_reader_init(struct smt_reader *rd, const char *file, const char *text, size_t len) {
    *rd = (struct smt_reader){.file = file, .at = text, .end = text + len, .line = 1, .col = 1};
}

void smt_reader_free(struct smt_reader *rd) {
    arena_free(&rd->arena);
    vec_free(&rd->open);
    vec_free(&rd->starts);
    vec_free(&rd->places);
}

bool sx_error(const struct smt_reader *rd, const struct sx *x, struct err *err, const char *format,
              ...) {
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vaddf(&text, format, args);
    va_end(args);
    err_set(err, ERR_SOURCE, "%s", str_text(&text));
    str_free(&text);
    return err_at(err, rd->file, x ? x->line : rd->line, x ? x->col : rd->col);
}

/* ---- characters ---- */

static int peek(const struct smt_reader *rd) {
    assert(rd->at <= rd->end);
    return rd->at < rd->end ? (unsigned char)*rd->at : -1;
}

static void skip(struct smt_reader *rd) {
    assert(rd->at < rd->end);
    assert(rd->at < rd->end);
    if (*rd->at++ == '\n') {
        rd->line++;
        rd->col = 1;
    } else {
        rd->col++;
    }
}

static bool is_space(int c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_symbol_char(int c) {
    return c > 0 && (isalnum(c) || strchr("~!@$%^&*_-+=<>.?/", c) != NULL || c >= 128);
}

static void skip_blank(struct smt_reader *rd) {
    while (is_space(peek(rd)) || peek(rd) == ';') {
        if (peek(rd) == ';')
            while (peek(rd) >= 0 && peek(rd) != '\n')
                skip(rd);
        else
            skip(rd);
    }
}

/* ---- atoms ---- */

static struct sx *new_node(struct smt_reader *rd, enum sx_kind kind) {
    struct sx *x = arena_new(&rd->arena, struct sx);
    x->kind = kind;
    x->line = rd->line;
    x->col = rd->col;
    return x;
}

/* |any text but | and \| */
static const struct sx *read_quoted(struct smt_reader *rd, struct err *err) {
    struct sx *x = new_node(rd, SX_SYMBOL);
    skip(rd);
    const char *start = rd->at;
    while (peek(rd) >= 0 && peek(rd) != '|' && peek(rd) != '\\')
        skip(rd);
    if (peek(rd) != '|') {
        sx_error(rd, x, err, "quoted symbol without closing '|'");
        return NULL;
    }
    x->text = arena_strndup(&rd->arena, start, (size_t)(rd->at - start));
    skip(rd);
    return x;
}

/* "text", where "" stands for one quote */
static const struct sx *read_string(struct smt_reader *rd, struct err *err) {
    struct sx *x = new_node(rd, SX_STRING);
    struct str text = {0};
    skip(rd);
    for (;;) {
        int c = peek(rd);
        if (c < 0) {
            str_free(&text);
            sx_error(rd, x, err, "string without closing '\"'");
            return NULL;
        }
        skip(rd);
        if (c == '"') {
            if (peek(rd) != '"')
                break;
            skip(rd);
        }
        str_addc(&text, (char)c);
    }
    x->text = arena_strdup(&rd->arena, str_text(&text));
    str_free(&text);
    return x;
}

static bool all_in(const char *text, const char *set) {
    return *text && text[strspn(text, set)] == 0;
}

/* What a word is; false when it is nothing. */
static bool classify(struct sx *x) {
    const char *t = x->text;
    size_t digits = strspn(t, "0123456789");
    x->kind = SX_SYMBOL;
    if (t[0] == '#') {
        x->kind = t[1] == 'x' ? SX_HEX : SX_BINARY;
        x->text = t + 2;
        return t[1] == 'x'   ? all_in(t + 2, "0123456789abcdefABCDEF")
               : t[1] == 'b' ? all_in(t + 2, "01")
                             : false;
    }
    if (t[0] == ':') {
        x->kind = SX_KEYWORD;
        x->text = t + 1;
        return t[1] != 0;
    }
    if (digits == 0)
        return true;
    x->kind = t[digits] ? SX_DECIMAL : SX_NUMERAL;
    return t[digits] == 0 || (t[digits] == '.' && all_in(t + digits + 1, "0123456789"));
}

static const struct sx *read_word(struct smt_reader *rd, struct err *err) {
    struct sx *x = new_node(rd, SX_SYMBOL);
    const char *start = rd->at;
    while (is_symbol_char(peek(rd)) || peek(rd) == '#' || peek(rd) == ':')
        skip(rd);
    if (rd->at == start) {
        sx_error(rd, x, err, "unexpected character '%c'", peek(rd));
        return NULL;
    }
    x->text = arena_strndup(&rd->arena, start, (size_t)(rd->at - start));
    if (!classify(x)) {
        sx_error(rd, x, err, "'%.*s' is neither a symbol nor a number", (int)(rd->at - start),
                 start);
        return NULL;
    }
    return x;
}

/* ---- lists ---- */

static void open_list(struct smt_reader *rd) {
    vec_push(&rd->starts, rd->open.len);
    vec_push(&rd->places, rd->line);
    vec_push(&rd->places, rd->col);
    skip(rd);
}

static const struct sx *close_list(struct smt_reader *rd) {
    assert(rd->starts.len > 0);
    struct sx *x = new_node(rd, SX_LIST);
    size_t start = vec_pop(&rd->starts);
    x->col = vec_pop(&rd->places);
    x->line = vec_pop(&rd->places);
    x->n = (uint32_t)(rd->open.len - start);
    if (x->n > 0)
        x->items = arena_copy(&rd->arena, rd->open.data + start, x->n * sizeof *x->items);
    vec_truncate(&rd->open, start);
    skip(rd);
    return x;
}

const struct sx *smt_read(struct smt_reader *rd, struct err *err) {
    for (;;) {
        const struct sx *done = NULL;
        skip_blank(rd);
        int c = peek(rd);
        if (c < 0) {
            if (rd->starts.len > 0) {
                struct sx at = {.col = vec_last(&rd->places)};
                at.line = rd->places.data[rd->places.len - 2];
                sx_error(rd, &at, err, "this '(' is never closed");
            }
            return NULL;
        }
        if (c == '(') {
            open_list(rd);
            continue;
        }
        if (c == ')' && rd->starts.len == 0) {
            sx_error(rd, NULL, err, "')' without '('");
            return NULL;
        }
        done = c == ')'   ? close_list(rd)
               : c == '|' ? read_quoted(rd, err)
               : c == '"' ? read_string(rd, err)
                          : read_word(rd, err);
        if (!done || rd->starts.len == 0)
            return done;
        vec_push(&rd->open, done);
    }
}

/* ---- looking at nodes ---- */

bool sx_is(const struct sx *x, const char *symbol) {
    return x->kind == SX_SYMBOL && strcmp(x->text, symbol) == 0;
}

bool sx_is_list(const struct sx *x, const char *symbol) {
    return x->kind == SX_LIST && x->n > 0 && sx_is(x->items[0], symbol);
}

bool sx_is_indexed(const struct sx *x, const char *symbol) {
    return sx_is_list(x, "_") && x->n > 1 && sx_is(x->items[1], symbol);
}

bool sx_number(const struct sx *x, uint64_t *value) {
    uint64_t v = 0;
    if (x->kind != SX_NUMERAL)
        return false;
    for (const char *t = x->text; *t; t++) {
        uint64_t digit = (uint64_t)(*t - '0');
        if (v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *value = v;
    return true;
}
