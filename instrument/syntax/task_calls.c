/* The text is read as lexemes; a name counts when "(" follows it, and names that the task defines
 * itself are dropped when the text has been read. */
#include "instrument/syntax/task_calls.h"

#include "base/map.h"
#include "base/str.h"
#include "instrument/syntax/lex.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *name;
    enum task_call_kind kind;
} known[] = {
    {"reach_error", TASK_ERROR},          {"__VERIFIER_error", TASK_ERROR},
    {"__assert_fail", TASK_ASSERT_FAIL},  {"assert", TASK_ASSERT},
    {"__VERIFIER_assert", TASK_ASSERT},   {"__ESBMC_assert", TASK_ASSERT},
    {"__CPROVER_assert", TASK_ASSERT},    {"__VERIFIER_assume", TASK_ASSUME},
    {"__ESBMC_assume", TASK_ASSUME},      {"__CPROVER_assume", TASK_ASSUME},
    {"assume_abort_if_not", TASK_ASSUME}, {"__CPROVER_printf", TASK_NO_CALL},
    {"__CPROVER_input", TASK_NO_CALL},    {"__CPROVER_output", TASK_NO_CALL},
    {"__ESBMC_unroll", TASK_NO_CALL},     {"__CPROVER_template_param_int", TASK_NO_CALL},
};

const char *task_input_type(const char *name) {
    static const char prefix[] = "__VERIFIER_";
    if (str_starts(name, prefix))
        name += strlen(prefix);
    return str_starts(name, "nondet_") ? name + strlen("nondet_") : NULL;
}

enum task_call_kind task_call_kind(const char *name) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_same(name, known[i].name))
            return known[i].kind;
    if (str_starts(name, "__ESBMC_") || str_starts(name, "__CPROVER_"))
        return TASK_FOREIGN;
    return task_input_type(name) ? TASK_INPUT : TASK_NO_CALL;
}

/* ---- the text ---- */

struct reader {
    const char *text;
    size_t len;
    struct task_calls *calls;
    struct map own; /* hashes of names of functions that have a body here */
};

static bool is_mark(const struct reader *r, struct lexeme l, char c) {
    return l.kind == LEX_PUNCT && r->text[l.begin] == c;
}

static struct lexeme next(const struct reader *r, size_t at) {
    struct lexeme l = lex_at(r->text, r->len, at);
    while (l.kind == LEX_COMMENT || l.kind == LEX_DIRECTIVE)
        l = lex_at(r->text, r->len, l.end);
    return l;
}

/* Behind the name of a function outside of all bodies: a body follows before the declaration ends.
 */
static bool has_body(const struct reader *r, struct lexeme l) {
    int depth = 0;
    for (; l.kind != LEX_END; l = next(r, l.end)) {
        depth += is_mark(r, l, '(') - is_mark(r, l, ')');
        if (depth == 0 && (is_mark(r, l, ';') || is_mark(r, l, ',') || is_mark(r, l, '=')))
            return false;
        if (depth == 0 && is_mark(r, l, '{'))
            return true;
    }
    return false;
}

static void take_name(struct reader *r, struct lexeme name, struct lexeme behind, int depth) {
    char word[64];
    size_t size = name.end - name.begin;
    if (size >= sizeof word)
        return;
    memcpy(word, r->text + name.begin, size);
    word[size] = '\0';
    enum task_call_kind kind = task_call_kind(word);
    if (kind == TASK_NO_CALL)
        return;
    if (depth > 0)
        vec_push(r->calls, (struct task_call){kind, name.begin, name.end});
    else if (kind != TASK_ERROR && has_body(r, behind))
        map_put(&r->own, hash_bytes(word, size), 1);
}

/* Functions of the task's own are none of the environment's. */
static void drop_own(struct reader *r) {
    size_t kept = 0;
    for (size_t i = 0; i < r->calls->len; i++) {
        struct task_call call = r->calls->data[i];
        assert(call.begin < call.end && call.end <= r->len);
        if (!map_get(&r->own, hash_bytes(r->text + call.begin, call.end - call.begin)))
            r->calls->data[kept++] = call;
    }
    r->calls->len = kept;
}

void task_calls_find(struct task_calls *calls, const char *text) {
    struct reader r = {.text = text, .len = strlen(text), .calls = calls};
    int depth = 0;
    vec_clear(calls);
    for (struct lexeme l = next(&r, 0), behind; l.kind != LEX_END; l = behind) {
        behind = next(&r, l.end);
        depth += is_mark(&r, l, '{') - is_mark(&r, l, '}');
        if (l.kind == LEX_WORD && is_mark(&r, behind, '('))
            take_name(&r, l, behind, depth);
    }
    drop_own(&r);
    map_free(&r.own);
}

const struct task_call *task_calls_first_foreign(const struct task_calls *calls) {
    for (size_t i = 0; i < calls->len; i++)
        if (calls->data[i].kind == TASK_FOREIGN)
            return &calls->data[i];
    return NULL;
}

/* ---- inputs without a declaration ---- */

/* What such a name says; NULL: int, or something that is no number. */
static const char *input_word(const char *type) {
    static const struct {
        const char *type, *word;
    } words[] = {
        {"bool", "_Bool"},
        {"_Bool", "_Bool"},
        {"char", "char"},
        {"schar", "signed char"},
        {"uchar", "unsigned char"},
        {"short", "short"},
        {"ushort", "unsigned short"},
        {"uint", "unsigned int"},
        {"unsigned", "unsigned int"},
        {"long", "long"},
        {"ulong", "unsigned long"},
        {"longlong", "long long"},
        {"ulonglong", "unsigned long long"},
        {"size_t", "__SIZE_TYPE__"},
        {"float", "float"},
        {"double", "double"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_same(type, words[i].type))
            return words[i].word;
    return NULL;
}

static bool is_statement_word(const char *text, struct lexeme l) {
    static const char *const words[] = {"return", "else", "do", "case", "sizeof"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (l.end - l.begin == strlen(words[i]) &&
            memcmp(text + l.begin, words[i], l.end - l.begin) == 0)
            return true;
    return false;
}

/* Outside of bodies it is declared; inside, too, when a type stands before it. */
static void declare(const struct reader *r, struct lexeme before, struct lexeme name, int depth,
                    struct map *declared, struct str *out) {
    char word[64] = "";
    size_t size = name.end - name.begin;
    if (size < sizeof word)
        memcpy(word, r->text + name.begin, size);
    const char *type = task_input_type(word), *c = type ? input_word(type) : NULL;
    if (!c || map_get(declared, hash_text(word)))
        return;
    map_put(declared, hash_text(word), 1);
    if (depth > 0 && !(before.kind == LEX_WORD && !is_statement_word(r->text, before)))
        str_addf(out, "%s%s %s(void);", out->len ? " " : "", c, word);
}

void task_calls_declare(const char *text, struct str *out) {
    struct reader r = {.text = text, .len = strlen(text)};
    struct map declared = {0};
    struct lexeme before = {.kind = LEX_END};
    int depth = 0;
    assert(out->len == 0);
    for (struct lexeme l = next(&r, 0), behind; l.kind != LEX_END; before = l, l = behind) {
        behind = next(&r, l.end);
        depth += is_mark(&r, l, '{') - is_mark(&r, l, '}');
        if (l.kind == LEX_WORD && is_mark(&r, behind, '('))
            declare(&r, before, l, depth, &declared, out);
    }
    map_free(&declared);
}

const struct task_call *task_calls_first_error(const struct task_calls *calls) {
    for (size_t i = 0; i < calls->len; i++)
        if (calls->data[i].kind >= TASK_ERROR && calls->data[i].kind <= TASK_ASSERT)
            return &calls->data[i];
    return NULL;
}
