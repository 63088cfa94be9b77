/* Bounds are written over the value that the model's type gives the cell, so that `unsigned` in C
 * and signed in the model, or the other way round, is no difference. */
#include "app/export/witness_loops.h"

#include "instrument/syntax/lex.h"
#include "model/term/ordinal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static struct lexeme next(const struct witness_loops *w, size_t at) {
    struct lexeme l = lex_at(w->source, w->len, at);
    while (l.kind == LEX_COMMENT || l.kind == LEX_DIRECTIVE)
        l = lex_at(w->source, w->len, l.end);
    return l;
}

static bool is_word(const char *name) {
    bool good = isalpha((unsigned char)*name) || *name == '_';
    for (; good && *name; name++)
        good = isalnum((unsigned char)*name) || *name == '_';
    return good;
}

/* Words before a name that is used there, not declared. */
static bool is_keyword(const char *text, struct lexeme l) {
    static const char *const words[] = {"return", "else", "case", "do", "sizeof"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lex_is(text, l, words[i]))
            return true;
    return false;
}

/* Declared outside of functions, and not where a block or a parameter may mean another one: behind
 * a type, a star or a comma. */
static bool is_global(const struct witness_loops *w, const char *name) {
    assert(*name);
    struct lexeme before = {.kind = LEX_END};
    int braces = 0, brackets = 0;
    bool outside = false;
    for (struct lexeme l = next(w, 0); l.kind != LEX_END; before = l, l = next(w, l.end)) {
        braces += lex_is(w->source, l, "{") - lex_is(w->source, l, "}");
        brackets += lex_is(w->source, l, "(") - lex_is(w->source, l, ")");
        if (!lex_is(w->source, l, name))
            continue;
        bool declares = (before.kind == LEX_WORD && !is_keyword(w->source, before)) ||
                        lex_is(w->source, before, "*") || lex_is(w->source, before, ",");
        if (declares && (braces > 0 || brackets > 0))
            return false;
        outside |= declares;
    }
    return outside && is_word(name);
}

/* ---- clauses ---- */

static const struct term_var *var_of(const struct system *sys, uint32_t cell) {
    return &sys->terms->vars.data[term_get(sys->terms, sys->cells.data[cell].var)->payload];
}

static const char *type_of(const struct term_var *var) {
    bool s = var->is_signed;
    switch (var->sort) {
    case 8:
        return s ? "signed char" : "unsigned char";
    case 16:
        return s ? "short" : "unsigned short";
    case 32:
        return s ? "int" : "unsigned int";
    case 64:
        return s ? "long long" : "unsigned long long";
    default:
        return NULL;
    }
}

static void add_number(const struct term_var *var, int64_t ordinal, struct str *out) {
    assert(sort_is_int(var->sort));
    uint64_t bits = ordinal_bits(var->sort, var->is_signed, ordinal);
    if (!var->is_signed)
        str_addf(out, "%lluull", (unsigned long long)bits);
    else if (ordinal == INT64_MIN)
        str_addf(out, "(%lldll - 1)", (long long)INT64_MIN + 1);
    else
        str_addf(out, "%lldll", (long long)ordinal);
}

static bool add_bound(const struct witness_loops *w, const struct system *sys, struct bound b,
                      struct str *out) {
    assert(b.cell < sys->cells.len);
    const struct cell *cell = &sys->cells.data[b.cell];
    const struct term_var *var = var_of(sys, b.cell);
    const char *type = type_of(var);
    if (b.kind > BOUND_LE || bound_is_sum(b) || cell->is || !type || !is_global(w, cell->name) ||
        bound_truth(sys, b) != BOUND_OPEN)
        return false;
    str_addf(out, "(%s)%s %s ", type, cell->name, b.kind == BOUND_GE ? ">=" : "<=");
    add_number(var, b.ordinal, out);
    return true;
}

static bool add_clause(const struct witness_loops *w, const struct system *sys,
                       const struct clause *c, struct str *out) {
    bool good = c->len > 0;
    for (size_t i = 0; good && i < c->len; i++) {
        str_add(out, i ? " || " : "");
        good = add_bound(w, sys, c->data[i], out);
    }
    return good;
}

static void add_clauses(const struct witness_loops *w, const struct system *sys,
                        const struct invariant *inv, struct str *out) {
    for (size_t i = 0; i < inv->clauses.len; i++) {
        struct str text = {0};
        if (add_clause(w, sys, &inv->clauses.data[i], &text))
            str_addf(out, "%s(%s)", out->len ? " && " : "", str_text(&text));
        str_free(&text);
    }
}

/* ---- loops ---- */

/* Loops by `do` and by jumps begin in a line that may belong to another loop, too. */
static bool has_plain_loops(const struct witness_loops *w) {
    for (struct lexeme l = next(w, 0); l.kind != LEX_END; l = next(w, l.end))
        if (lex_is(w->source, l, "do") || lex_is(w->source, l, "goto"))
            return false;
    return true;
}

/* The one keyword of a loop in this line. */
static bool find_loop(const struct witness_loops *w, unsigned line, size_t *column) {
    unsigned n = 0, at_line = 1;
    assert(line > 0);
    size_t begin = 0, scanned = 0;
    for (struct lexeme l = next(w, 0); l.kind != LEX_END; l = next(w, l.end)) {
        for (; scanned < l.begin; scanned++)
            if (w->source[scanned] == '\n') {
                at_line++;
                begin = scanned + 1;
            }
        if (at_line > line)
            break;
        if (at_line == line && (lex_is(w->source, l, "for") || lex_is(w->source, l, "while"))) {
            n++;
            *column = l.begin - begin + 1;
        }
    }
    return n == 1;
}

/* Of main() only: other functions may also be called where their loops are followed to the end, and
 * then the model does not stand at their heads. */
static void add_loop(const struct witness_loops *w, const char *place, const char *value) {
    const char *colon = strrchr(place, ':');
    bool of_main = str_starts(place, "main:");
    unsigned line = of_main ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
    size_t column = 0;
    if (line == 0 || !find_loop(w, line, &column))
        return;
    str_addf(w->out,
             "    - invariant:\n        type: \"loop_invariant\"\n        location:\n"
             "          file_name: \"%s\"\n          line: %u\n          column: %zu\n"
             "          function: \"%.*s\"\n        value: \"%s\"\n"
             "        format: \"c_expression\"\n",
             w->name, line, column, (int)(colon - place), place, value);
}

bool witness_loops_write(const struct witness_loops *w, struct system *sys,
                         const struct lowered *lowered, const char *invariant, struct err *err) {
    struct invariant inv;
    struct str value = {0};
    invariant_init(&inv);
    bool ok = invariant_read(&inv, sys, invariant, err);
    if (ok && has_plain_loops(w))
        add_clauses(w, sys, &inv, &value);
    for (size_t i = 0; ok && value.len > 0 && i < lowered->places.len; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again |= str_same(lowered->places.data[k].name, lowered->places.data[i].name);
        if (!again)
            add_loop(w, lowered->places.data[i].name, str_text(&value));
    }
    str_free(&value);
    invariant_free(&inv);
    return ok;
}
