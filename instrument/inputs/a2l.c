/* ASAP2 (ASAM MCD-2 MC): limits of MEASUREMENT and CHARACTERISTIC as raw values.
 *
 * A block is "/begin NAME … /end NAME"; what comes first in it has fixed places, what follows has
 * keywords. Limits are physical; COMPU_METHOD says what they are in the memory:
 *
 *   IDENTICAL                  raw = physical
 *   LINEAR     COEFFS_LINEAR a b            physical = a raw + b
 *   RAT_FUNC   COEFFS a b c d e f           raw = (a x^2 + b x + c) / (d x^2 + e x + f)
 *
 * and RAT_FUNC is linear with a = d = e = 0. Verbal tables (TAB_VERB) have limits that are raw. */
#include "instrument/inputs/range_table.h"

#include "base/file.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 12, COEFFICIENTS = 6 };

struct a2l_word {
    const char *text; /* NULL: the end of the file */
    int line;
    bool quoted;
};

/* physical = lsb raw + offset */
struct method {
    const char *lsb, *offset; /* NULL: raw values are physical ones */
    bool linear;
};

/* What a block says, until all methods are known. */
struct a2l_limits {
    const char *name, *symbol, *method, *min, *max;
    int line;
};

struct a2l {
    struct range_table *table;
    const char *file, *at, *end;
    int line;
    struct intern methods;
    VEC(struct method) scalings; /* one per method */
    VEC(struct a2l_limits) limits;
};

/* ---- words ---- */

static void skip_to(struct a2l *a, const char *stop) {
    const char *found = memmem(a->at, (size_t)(a->end - a->at), stop, strlen(stop));
    const char *to = found ? found + strlen(stop) : a->end;
    for (; a->at < to; a->at++)
        a->line += *a->at == '\n';
}

static void skip_blank(struct a2l *a) {
    while (a->at < a->end) {
        size_t left = (size_t)(a->end - a->at);
        if (left >= 2 && memcmp(a->at, "/*", 2) == 0)
            skip_to(a, "*/");
        else if (left >= 2 && memcmp(a->at, "//", 2) == 0)
            skip_to(a, "\n");
        else if (isspace((unsigned char)*a->at))
            a->line += *a->at++ == '\n';
        else
            break;
    }
}

static struct a2l_word quoted_word(struct a2l *a, int line) {
    struct str text = {0};
    for (a->at++; a->at < a->end; a->at++) {
        bool pair = a->at + 1 < a->end && (*a->at == '\\' || (*a->at == '"' && a->at[1] == '"'));
        if (*a->at == '"' && !pair)
            break;
        a->at += pair;
        a->line += *a->at == '\n';
        str_addc(&text, *a->at);
    }
    a->at += a->at < a->end;
    struct a2l_word word = {arena_strdup(&a->table->arena, str_text(&text)), line, true};
    str_free(&text);
    return word;
}

static struct a2l_word next_word(struct a2l *a) {
    skip_blank(a);
    const char *begin = a->at;
    if (a->at >= a->end)
        return (struct a2l_word){NULL, a->line, false};
    if (*a->at == '"')
        return quoted_word(a, a->line);
    while (a->at < a->end && !isspace((unsigned char)*a->at) && *a->at != '"')
        a->at++;
    return (struct a2l_word){arena_strndup(&a->table->arena, begin, (size_t)(a->at - begin)),
                             a->line, false};
}

static bool is_keyword(const struct a2l_word *word, const char *text) {
    return !word->quoted && str_same(word->text, text);
}

/* ---- blocks ---- */

/* What a block says itself, without the blocks in it: the words at fixed places, and what some
 * keywords say. */
struct block {
    struct a2l_word words[MOST_WORDS];
    size_t n;
    struct a2l_word symbol, extended[2]; /* SYMBOL_LINK, EXTENDED_LIMITS */
    struct a2l_word coefficient[COEFFICIENTS];
    size_t coefficients;
};

static void read_keyword(struct a2l *a, const struct a2l_word *word, struct block *b) {
    if (is_keyword(word, "SYMBOL_LINK"))
        b->symbol = next_word(a);
    for (size_t i = 0; i < 2 && is_keyword(word, "EXTENDED_LIMITS"); i++)
        b->extended[i] = next_word(a);
    size_t n = is_keyword(word, "COEFFS") ? 6 : is_keyword(word, "COEFFS_LINEAR") ? 2 : 0;
    for (size_t i = 0; i < n; i++)
        b->coefficient[i] = next_word(a);
    b->coefficients = n ? n : b->coefficients;
}

static void read_block(struct a2l *a, struct block *b) {
    int depth = 1;
    while (depth > 0) {
        struct a2l_word word = next_word(a);
        if (!word.text)
            return;
        if (is_keyword(&word, "/begin")) {
            depth++;
        } else if (is_keyword(&word, "/end")) {
            next_word(a);
            depth--;
        } else if (depth == 1) {
            if (b->n < MOST_WORDS)
                b->words[b->n++] = word;
            read_keyword(a, &word, b);
        }
    }
}

/* ---- methods ---- */

static bool number(const struct block *b, size_t i, mpq_t value) {
    return b->coefficient[i].text && range_number(b->coefficient[i].text, value);
}

static const char *text_of(struct a2l *a, const mpq_t value) {
    char *text = mpq_get_str(NULL, 10, value);
    const char *copy = arena_strdup(&a->table->arena, text);
    free(text);
    return copy;
}

/* raw = (b x + c) / f: x = (f / b) raw - c / b */
static bool is_linear_function(const struct block *b, mpq_t c[COEFFICIENTS]) {
    bool good = b->coefficients == COEFFICIENTS;
    for (size_t i = 0; good && i < COEFFICIENTS; i++)
        good = number(b, i, c[i]);
    if (!good || mpq_sgn(c[0]) || mpq_sgn(c[3]) || mpq_sgn(c[4]) || !mpq_sgn(c[1]) ||
        mpq_sgn(c[1]) != mpq_sgn(c[5]))
        return false;
    mpq_div(c[0], c[5], c[1]);
    mpq_div(c[2], c[2], c[1]);
    mpq_neg(c[2], c[2]);
    return true;
}

/* Sets c[0] to the LSB and c[2] to the offset. */
static bool find_scaling(const struct block *b, mpq_t c[COEFFICIENTS]) {
    if (is_keyword(&b->words[2], "RAT_FUNC"))
        return is_linear_function(b, c);
    return is_keyword(&b->words[2], "LINEAR") && b->coefficients == 2 && number(b, 0, c[0]) &&
           number(b, 1, c[2]) && mpq_sgn(c[0]) > 0;
}

static struct method method_of(struct a2l *a, const struct block *b) {
    mpq_t c[COEFFICIENTS];
    struct method method = {.linear = is_keyword(&b->words[2], "IDENTICAL") ||
                                      is_keyword(&b->words[2], "TAB_VERB")};
    for (size_t i = 0; i < COEFFICIENTS; i++)
        mpq_init(c[i]);
    if (!method.linear && find_scaling(b, c))
        method = (struct method){text_of(a, c[0]), text_of(a, c[2]), true};
    for (size_t i = 0; i < COEFFICIENTS; i++)
        mpq_clear(c[i]);
    return method;
}

static void add_method(struct a2l *a, const struct block *b) {
    if (b->n < 3)
        return;
    uint32_t id = intern_id(&a->methods, b->words[0].text);
    if (id == a->scalings.len)
        vec_push(&a->scalings, method_of(a, b));
}

/* ---- limits ---- */

/* MEASUREMENT: name, text, type, method, resolution, accuracy, lower, upper.
 * CHARACTERISTIC: name, text, type, address, layout, difference, method, lower, upper. */
static void add_limits(struct a2l *a, const struct block *b, bool measurement) {
    size_t method = measurement ? 3 : 6, lower = measurement ? 6 : 7;
    if (b->n <= lower + 1)
        return;
    struct a2l_limits limits = {.name = b->words[0].text,
                                .symbol = b->symbol.text,
                                .method = b->words[method].text,
                                .min = b->words[lower].text,
                                .max = b->words[lower + 1].text,
                                .line = b->words[0].line};
    if (b->extended[1].text) { /* what may be set at all */
        limits.min = b->extended[0].text;
        limits.max = b->extended[1].text;
    }
    vec_push(&a->limits, limits);
}

static void read_blocks(struct a2l *a) {
    for (;;) {
        struct a2l_word word = next_word(a);
        if (!word.text)
            return;
        if (!is_keyword(&word, "/begin"))
            continue;
        struct a2l_word kind = next_word(a);
        struct block block = {0};
        bool measurement = is_keyword(&kind, "MEASUREMENT");
        if (measurement || is_keyword(&kind, "CHARACTERISTIC")) {
            read_block(a, &block);
            add_limits(a, &block, measurement);
        } else if (is_keyword(&kind, "COMPU_METHOD")) {
            read_block(a, &block);
            add_method(a, &block);
        }
    }
}

static bool is_number(const char *text) {
    mpq_t value;
    mpq_init(value);
    bool good = range_number(text, value);
    mpq_clear(value);
    return good;
}

static void note(struct a2l *a, const struct range_entry *entry, const char *why) {
    vec_push(&a->table->notes,
             arena_printf(&a->table->arena, "%s: the limits of '%s' are left out: %s", entry->from,
                          entry->name, why));
}

static bool add_entry(struct a2l *a, const struct a2l_limits *l, struct err *err) {
    struct range_table *table = a->table;
    struct range_entry entry = {
        .name = l->symbol ? l->symbol : l->name,
        .min = l->min,
        .max = l->max,
        .from = arena_printf(&table->arena, "%s:%d", path_base(a->file), l->line)};
    if (!is_number(l->min) || !is_number(l->max)) {
        note(a, &entry, "they are no numbers");
        return true;
    }
    uint32_t id = intern_find(&a->methods, l->method);
    bool none = str_same(l->method, "NO_COMPU_METHOD");
    const struct method *method = id < a->scalings.len ? &a->scalings.data[id] : NULL;
    if (!none && (!method || !method->linear)) {
        note(a, &entry,
             method ? "its COMPU_METHOD is not linear with a positive factor"
                    : "its COMPU_METHOD is not in the file");
        return true;
    }
    entry.lsb = none ? NULL : method->lsb;
    entry.offset = none ? NULL : method->offset;
    return range_table_add(table, &entry, err);
}

bool range_table_a2l(struct range_table *table, const char *file, const char *text, size_t len,
                     struct err *err) {
    struct a2l a = {.table = table, .file = file, .at = text, .end = text + len, .line = 1};
    bool good = true;
    assert(text[len] == '\0');
    read_blocks(&a);
    if (a.limits.len == 0) {
        err_set(err, ERR_USAGE, "there is neither a MEASUREMENT nor a CHARACTERISTIC in this file");
        good = err_at(err, file, 0, 0);
    }
    for (size_t i = 0; good && i < a.limits.len; i++)
        good = add_entry(&a, &a.limits.data[i], err);
    intern_free(&a.methods);
    vec_free(&a.scalings);
    vec_free(&a.limits);
    return good;
}
