/* simulate_values: see simulate_values.h. A lexer for numbers, no parser: a wrong guess costs only
 * a useless value. */
#include "instrument/native/simulate_values.h"

#include "base/map.h"
#include "base/str.h"
#include "instrument/syntax/sort.h"
#include "model/term/ordinal.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 1200 };

struct lexer {
    const char *at;
    struct literals *out;
    bool after_comparison; /* a comparison, `case`, or such with a sign or cast in between */
    bool negative;
    bool hidden; /* right behind "gk_name(" */
};

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind white space, comments, line markers. */
static const char *skip_blank(const char *at) {
    for (;;) {
        const char *start = at;
        at += strspn(at, " \t\r\n\f\v\\");
        if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 2 : at + strlen(at);
        } else if ((at[0] == '/' && at[1] == '/') || at[0] == '#') {
            at += strcspn(at, "\n");
        }
        if (at == start)
            return at;
    }
}

static const char *skip_quoted(const char *at) {
    char quote = *at++;
    while (*at && *at != quote)
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

static bool starts_comparison(const char *at) {
    if (at[0] == '<' || at[0] == '>')
        return at[1] != at[0]; /* not a shift */
    return (at[0] == '=' || at[0] == '!') && at[1] == '=';
}

static const char *skip_suffix(const char *at) {
    return at + strspn(at, "uUlLfF");
}

static void read_number(struct lexer *lexer) {
    char *end;
    double value;
    const char *start = lexer->at;
    bool hex_integer = start[0] == '0' && (start[1] == 'x' || start[1] == 'X') &&
                       !memchr(start, 'p', strspn(start, "0123456789abcdefABCDEFxX.p"));
    bool octal = start[0] == '0' && isdigit((unsigned char)start[1]) &&
                 start[strspn(start, "01234567")] != '.' && start[strspn(start, "01234567")] != 'e';
    if (hex_integer || octal)
        value = (double)strtoull(start, &end, 0);
    else
        value = strtod(start, &end);
    lexer->at = skip_suffix(end);
    if (end == start) {
        lexer->at = start + 1;
        return;
    }
    bool hot = lexer->after_comparison || starts_comparison(skip_blank(lexer->at));
    if (!lexer->hidden && isfinite(value))
        vec_push(lexer->out, (struct literal){lexer->negative ? -value : value, hot});
}

static void read_name(struct lexer *lexer) {
    const char *start = lexer->at;
    while (is_name(*lexer->at))
        lexer->at++;
    size_t length = (size_t)(lexer->at - start);
    const char *next = skip_blank(lexer->at);
    lexer->hidden = length > 3 && strncmp(start, "gk_", 3) == 0 && *next == '(';
    lexer->after_comparison = length == 4 && strncmp(start, "case", 4) == 0;
    lexer->negative = false;
    if (lexer->hidden)
        lexer->at = next + 1;
}

/* "(", "-" and "+" keep what is known about the left side; a cast looks like a name and loses it.
 */
static void read_sign(struct lexer *lexer) {
    const char *at = lexer->at;
    if (starts_comparison(at)) {
        lexer->after_comparison = true;
        lexer->negative = false;
        lexer->at = at + 1 + (at[1] == '=');
        return;
    }
    if (*at == '-')
        lexer->negative = true;
    else if (*at != '(' && *at != ')')
        lexer->after_comparison = lexer->negative = false;
    bool shift = (at[0] == '<' || at[0] == '>') && at[1] == at[0];
    lexer->at += shift ? 2 : 1;
}

static void read_token(struct lexer *lexer) {
    char c = *lexer->at;
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)lexer->at[1]))) {
        read_number(lexer);
        lexer->after_comparison = lexer->negative = lexer->hidden = false;
    } else if (is_name(c)) {
        read_name(lexer);
    } else if (c == '"' || c == '\'') {
        lexer->at = skip_quoted(lexer->at);
    } else {
        read_sign(lexer);
        lexer->hidden = false;
    }
}

static int by_heat_and_value(const void *a, const void *b) {
    const struct literal *x = a, *y = b;
    if (x->hot != y->hot)
        return x->hot ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* Sorted, so equal values of one heat are neighbours; a hot value makes its cold twin useless, but
 * values_for() drops that by itself. */
static void sort_and_unite(struct literals *literals) {
    size_t n = 0;
    if (literals->len == 0)
        return;
    qsort(literals->data, literals->len, sizeof *literals->data, by_heat_and_value);
    for (size_t i = 0; i < literals->len; i++)
        if (n == 0 || by_heat_and_value(&literals->data[n - 1], &literals->data[i]) != 0)
            literals->data[n++] = literals->data[i];
    literals->len = n;
}

void literals_read(struct literals *literals, const char *woven) {
    const char *end = strstr(woven, "#ifdef GK_NATIVE");
    struct lexer lexer = {.at = skip_blank(woven), .out = literals};
    while (*lexer.at && (!end || lexer.at < end)) {
        read_token(&lexer);
        lexer.at = skip_blank(lexer.at);
    }
    sort_and_unite(literals);
}

void values_range(const struct module_var *var, uint64_t *min, uint64_t *max) {
    sort_t sort = var_sort(var);
    bool is_signed = var->type == TYPE_SIGNED;
    if (var->has_range) {
        *min = var->min;
        *max = var->max;
    } else if (var->type == TYPE_FLOAT) {
        *min = var->bits == 32 ? f32_bits(-FLT_MAX) : f64_bits(-DBL_MAX);
        *max = var->bits == 32 ? f32_bits(FLT_MAX) : f64_bits(DBL_MAX);
    } else {
        *min = ordinal_bits(sort, is_signed, ordinal_min(sort, is_signed));
        *max = ordinal_bits(sort, is_signed, ordinal_max(sort, is_signed));
    }
}

/* The value as an ordinal of the input's type; false when the type has nothing near it. */
static bool ordinal_of_number(const struct module_var *var, double number, int64_t *ordinal) {
    sort_t sort = var_sort(var);
    if (var->type == TYPE_FLOAT) {
        if (var->bits == 32 && fabs(number) > (double)FLT_MAX)
            return false;
        uint64_t bits = var->bits == 32 ? f32_bits((float)number) : f64_bits(number);
        *ordinal = ordinal_of(sort, false, bits);
        return true;
    }
    if (number < -9.2e18 || number > (var->type == TYPE_SIGNED ? 9.2e18 : 1.8e19))
        return false;
    number = floor(number);
    uint64_t bits = number < 0 ? (uint64_t)(int64_t)number : (uint64_t)number;
    if (var->type != TYPE_SIGNED && (number < 0 || (var->bits < 64 && bits >> var->bits)))
        return false;
    *ordinal = var->type == TYPE_SIGNED ? (int64_t)bits : ordinal_of(sort, false, bits);
    return true;
}

struct collection {
    const struct module_var *var;
    struct values *values;
    struct map known;
    int64_t min, max;
    size_t limit;
};

static void collect(struct collection *c, double number) {
    int64_t ordinal;
    if (!ordinal_of_number(c->var, number, &ordinal))
        return;
    for (int64_t step = -1; step <= 1; step++) {
        int64_t at;
        if (__builtin_add_overflow(ordinal, step, &at) || at < c->min || at > c->max ||
            c->values->len >= c->limit)
            continue;
        uint64_t bits = ordinal_bits(var_sort(c->var), c->var->type == TYPE_SIGNED, at);
        if (map_get(&c->known, bits))
            continue;
        map_put(&c->known, bits, 1);
        vec_push(c->values, bits);
    }
}

uint32_t values_for(const struct literals *literals, const struct module_var *var,
                    struct values *values) {
    uint64_t min, max;
    size_t before = values->len, hot = before;
    values_range(var, &min, &max);
    struct collection c = {.var = var, .values = values, .limit = before + MOST_VALUES};
    c.min = ordinal_of(var_sort(var), var->type == TYPE_SIGNED, min);
    c.max = ordinal_of(var_sort(var), var->type == TYPE_SIGNED, max);
    for (size_t i = 0; i < literals->len; i++) {
        collect(&c, literals->data[i].value);
        if (literals->data[i].hot)
            hot = values->len;
    }
    map_free(&c.known);
    return (uint32_t)(hot - before);
}
