#include "mutate.h"

#include "base/vec.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { MOST_CHANGES = 5, MOST_LINES = 12, MOST_TOKENS = 20, MANY = 300 };

/* ---- tokens ---- */

enum kind { SPACE, WORD, NUMBER, QUOTED, OPERATOR, OTHER, KINDS };

struct token {
    const char *start;
    size_t len;
    enum kind kind;
};
VEC_STRUCT(tokens, struct token);

static size_t quoted_length(const char *c) {
    size_t n = 1;
    while (c[n] && c[n] != c[0] && c[n] != '\n')
        n += c[n] == '\\' && c[n + 1] ? 2 : 1;
    return c[n] == c[0] ? n + 1 : n;
}

static struct token next_token(const char *c) {
    static const char operators[] = "+-*/%&|^~!<>=?:";
    struct token t = {c, 1, OTHER};
    if (isspace((unsigned char)*c)) {
        t.kind = SPACE;
        t.len = strspn(c, " \t\r\n\f\v");
    } else if (isalpha((unsigned char)*c) || *c == '_') {
        t.kind = WORD;
        while (isalnum((unsigned char)c[t.len]) || c[t.len] == '_')
            t.len++;
    } else if (isdigit((unsigned char)*c)) {
        t.kind = NUMBER;
        while (isalnum((unsigned char)c[t.len]) || c[t.len] == '.')
            t.len++;
    } else if (*c == '"' || *c == '\'') {
        t.kind = QUOTED;
        t.len = quoted_length(c);
    } else if (strchr(operators, *c)) {
        t.kind = OPERATOR;
        t.len = c[1] && strchr("=&|<>+-", c[1]) && c[1] != ' ' ? 2 : 1;
    }
    return t;
}

static void split(const char *text, struct tokens *tokens) {
    while (*text) {
        vec_push(tokens, next_token(text));
        text += tokens->data[tokens->len - 1].len;
    }
}

/* ---- what is put in ---- */

static const char *const operators[] = {"+",  "-",  "*",  "/",  "%",  "&",  "|", "^",  "<<", ">>",
                                        "&&", "||", "==", "!=", "<",  ">=", "=", "+=", "?",  ":",
                                        "!",  "~",  "++", "--", "->", ".",  ",", "<<="};
static const char *const numbers[] = {"0",
                                      "1",
                                      "-1",
                                      "31",
                                      "32",
                                      "63",
                                      "255",
                                      "65536",
                                      "2147483647",
                                      "0x80000000u",
                                      "18446744073709551615ull",
                                      "99999999999999999999",
                                      "1e308",
                                      "1e-45f",
                                      "0x1p-1074",
                                      "0.5L",
                                      "08",
                                      "'\\377'"};
static const char *const words[] = {
    "int",         "unsigned",      "char",     "float",       "double",   "long long",
    "long double", "_Bool",         "void",     "const",       "volatile", "static",
    "extern",      "inline",        "struct",   "union",       "enum",     "typedef",
    "return",      "break",         "continue", "goto",        "switch",   "case",
    "default:",    "for",           "while",    "do",          "if",       "else",
    "sizeof",      "_Alignof",      "_Atomic",  "_Complex",    "__int128", "_BitInt(33)",
    "__typeof__",  "_Thread_local", "_Float16", "__auto_type", "restrict", "register"};
static const char *const pieces[] = {"(",
                                     ")",
                                     "{",
                                     "}",
                                     "[",
                                     "]",
                                     ";",
                                     ",",
                                     "\n#if 0\n",
                                     "\n#endif\n",
                                     "\n#define x\n",
                                     "\n#line 7 \"a\\nb\"\n",
                                     "\n# 99999999 \"z.c\"\n",
                                     "\n#pragma pack(1)\n",
                                     "\n#include \"m.c\"\n",
                                     "/*",
                                     "*/",
                                     "//",
                                     "\\\n",
                                     "\"",
                                     "'",
                                     "\xff",
                                     "\xef\xbb\xbf",
                                     "?\?/",
                                     "[0]",
                                     "[-1]",
                                     "[2147483647]",
                                     "[] = {[3] = 1, 2}",
                                     " : 0",
                                     " : 7",
                                     "({ 1; })",
                                     "? :",
                                     "(*)(void)",
                                     "...",
                                     "case 1 ... 5:",
                                     "lab: ",
                                     "goto *&&lab;",
                                     "asm(\"nop\");",
                                     "asm volatile(\"\" : \"+r\"(x) : : \"memory\");",
                                     "__attribute__((weak, alias(\"step\")))",
                                     "__attribute__((packed, aligned(64)))",
                                     "__attribute__((vector_size(16)))",
                                     "__attribute__((cleanup(f)))",
                                     "__builtin_unreachable();",
                                     "__builtin_trap();",
                                     "_Static_assert(1, \"\");",
                                     "_Generic(1, int: 2, default: 3)",
                                     "(int[]){1, 2}",
                                     "(struct { int a; }){1}.a",
                                     "sizeof(int[x])",
                                     "return;",
                                     "step();"};

#define ANY(list, rng) (list)[rng_below(rng, sizeof(list) / sizeof *(list))]

static const char *other_of_kind(enum kind kind, struct rng *rng) {
    switch (kind) {
    case OPERATOR:
        return ANY(operators, rng);
    case NUMBER:
        return ANY(numbers, rng);
    case WORD:
        return ANY(words, rng);
    default:
        return ANY(pieces, rng);
    }
}

/* ---- one change ---- */

static void add_tokens(struct str *out, const struct tokens *tokens, size_t from, size_t to) {
    for (size_t i = from; i < to && i < tokens->len; i++)
        str_addn(out, tokens->data[i].start, tokens->data[i].len);
}

/* One like it from anywhere in a source; the same when there is none nearby. */
static struct token like(const struct tokens *tokens, struct token t, struct rng *rng) {
    size_t at = rng_below(rng, tokens->len);
    for (size_t i = 0; i < tokens->len; i++) {
        struct token found = tokens->data[(at + i) % tokens->len];
        if (found.kind == t.kind)
            return found;
    }
    return t;
}

static size_t line_end(const struct tokens *tokens, size_t at, size_t lines) {
    for (; at < tokens->len && lines > 0; at++)
        lines -= tokens->data[at].kind == SPACE &&
                 memchr(tokens->data[at].start, '\n', tokens->data[at].len);
    return at;
}

static void change_token(struct str *out, const struct tokens *tokens, const struct tokens *other,
                         size_t at, struct rng *rng) {
    struct token t = tokens->data[at];
    switch (rng_below(rng, 10)) {
    case 0: /* cut */
        break;
    case 1:
        add_tokens(out, tokens, at, at + 1);
        str_add(out, " ");
        add_tokens(out, tokens, at, at + 1);
        break;
    case 2:
        str_addf(out, " %s ", ANY(pieces, rng));
        add_tokens(out, tokens, at, at + 1);
        break;
    case 3:
    case 4:
    case 5:
        t = like(tokens, t, rng);
        str_addn(out, t.start, t.len);
        break;
    case 6:
        t = like(other, t, rng);
        str_addn(out, t.start, t.len);
        break;
    default:
        str_add(out, other_of_kind(t.kind, rng));
    }
}

/* Lines, or tokens: cut, repeated, or exchanged for some of another place. */
static size_t change_part(struct str *out, const struct tokens *tokens, const struct tokens *other,
                          size_t at, struct rng *rng) {
    bool lines = rng_below(rng, 2);
    size_t n = 1 + rng_below(rng, lines ? MOST_LINES : MOST_TOKENS);
    size_t to = lines ? line_end(tokens, at, n) : at + n, from = rng_below(rng, other->len);
    uint64_t how = rng_below(rng, 4);
    for (uint64_t i = how == 1 ? 1 + rng_below(rng, rng_below(rng, 20) ? 3 : MANY) : 0; i > 0; i--)
        add_tokens(out, tokens, at, to);
    if (how >= 2)
        add_tokens(out, other, from, lines ? line_end(other, from, n) : from + n);
    return how == 3 ? at : to;
}

/* Mostly a number or an operator: what is left is more often C then. */
static size_t choose(const struct tokens *tokens, struct rng *rng) {
    size_t at = rng_below(rng, tokens->len);
    bool any = rng_below(rng, 4) == 0;
    for (size_t i = 0; i < tokens->len; i++) {
        enum kind kind = tokens->data[(at + i) % tokens->len].kind;
        if (any ? kind != SPACE : kind == NUMBER || kind == OPERATOR)
            return (at + i) % tokens->len;
    }
    return at;
}

static void change(const char *text, const char *other_text, struct rng *rng, struct str *out) {
    struct tokens tokens = {0}, other = {0};
    split(text, &tokens);
    split(other_text, &other);
    assert(tokens.len > 0 && other.len > 0);
    size_t at = choose(&tokens, rng), after = at + 1;
    add_tokens(out, &tokens, 0, at);
    if (rng_below(rng, 4))
        change_token(out, &tokens, &other, at, rng);
    else
        after = change_part(out, &tokens, &other, at, rng);
    add_tokens(out, &tokens, after, tokens.len);
    vec_free(&tokens);
    vec_free(&other);
}

void mutate(const char *text, const char *other, struct rng *rng, struct str *out) {
    struct str now = {0}, next = {0};
    str_add(&now, text);
    for (uint64_t n = 1 + rng_below(rng, 1 + rng_below(rng, MOST_CHANGES)); n > 0 && now.len > 0;
         n--) {
        str_clear(&next);
        change(str_text(&now), other, rng, &next);
        struct str was = now;
        now = next;
        next = was;
    }
    str_addn(out, str_text(&now), now.len);
    str_free(&now);
    str_free(&next);
}
