/* One pass over the tokens of a text; what is replaced keeps its line ends. */
#include "instrument/syntax/foreign_assembly.h"

#include "instrument/syntax/lex.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* How the instructions are compared: in lower case, with single blanks. */
static void normalise(const char *instructions, struct str *word) {
    bool blank = false;
    for (const char *p = instructions; *p; p++) {
        bool ends =
            *p == ';' || isspace((unsigned char)*p) || (*p == '\\' && (p[1] == 'n' || p[1] == 't'));
        p += *p == '\\' && ends;
        if (!ends && blank && word->len > 0)
            str_addc(word, ' ');
        if (!ends)
            str_addc(word, (char)tolower((unsigned char)*p));
        if (*p == ';' && word->len > 0 && p[1])
            str_addc(word, ';'); /* more than one instruction: none of the table */
        blank = ends;
    }
}

bool assembly_is_quiet(const char *instructions) {
    static const char *const quiet[] = {
#define ROW(instruction) instruction,
#include "instrument/syntax/assembly.def"
#undef ROW
    };
    struct str word = {0};
    bool found = false;
    normalise(instructions, &word);
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        found |= str_same(quiet[i], str_text(&word));
    str_free(&word);
    return found;
}

/* Where the pass stands: `now` and the token before it. */
struct pass {
    const char *text;
    size_t len;
    struct lexeme now, before;
    struct lexeme opener; /* the word before the brackets that were closed last, or are open */
    int depth, brackets;  /* of braces, and of brackets inside them */
    bool in_register;     /* the declaration says so */
    struct str *out;
    size_t done; /* the text up to here is in `out` */
};

static bool is(const struct pass *p, const char *word) {
    return p->now.kind != LEX_END && lex_is(p->text, p->now, word);
}

static void skip(struct pass *p) {
    p->before = p->now;
    do
        p->now = lex_at(p->text, p->len, p->now.end);
    while (p->now.kind == LEX_COMMENT || p->now.kind == LEX_DIRECTIVE);
}

static bool take(struct pass *p, const char *word) {
    bool found = is(p, word);
    if (found)
        skip(p);
    return found;
}

static bool is_assembly(const struct pass *p) {
    return lex_is_assembly(p->text, p->now);
}

static bool is_pragma(const char *text, struct lexeme l, const char *name) {
    const char *p = text + l.begin, *end = text + l.end;
    for (p++; p < end && (*p == ' ' || *p == '\t'); p++)
        continue;
    if (end - p < 6 || strncmp(p, "pragma", 6) != 0)
        return false;
    for (p += 6; p < end && (*p == ' ' || *p == '\t'); p++)
        continue;
    size_t n = strlen(name);
    return (size_t)(end - p) >= n && strncmp(p, name, n) == 0 &&
           (p + n == end || isspace((unsigned char)p[n]));
}

enum assembly_found assembly_find(const char *text, size_t len) {
    enum assembly_found found = ASSEMBLY_NONE;
    struct pass p = {.text = text, .len = len};
    for (p.now = lex_at(text, len, 0); p.now.kind != LEX_END; p.now = lex_at(text, len, p.now.end))
        if (p.now.kind == LEX_DIRECTIVE && is_pragma(text, p.now, "asm"))
            return ASSEMBLY_FOREIGN;
        else if (p.now.kind == LEX_WORD && is_assembly(&p))
            found = ASSEMBLY_SOME;
    return found;
}

/* ---- what is written instead ---- */

static void replace(struct pass *p, size_t begin, size_t end, const char *with) {
    assert(p->done <= begin && begin <= end && end <= p->len);
    str_addn(p->out, p->text + p->done, begin - p->done);
    str_add(p->out, with);
    for (size_t at = begin; at < end; at++)
        if (p->text[at] == '\n')
            str_addc(p->out, '\n');
    p->done = end;
}

/* Adjacent strings as one; false where there is none. */
static bool read_strings(struct pass *p, struct str *words, size_t *begin, size_t *end) {
    bool any = false;
    for (*begin = p->now.begin; p->now.kind == LEX_STRING; skip(p), any = true) {
        if (p->now.end - p->now.begin >= 2)
            str_addn(words, p->text + p->now.begin + 1, p->now.end - p->now.begin - 2);
        *end = p->now.end;
    }
    return any;
}

/* To behind the bracket that closes the one that `now` is. */
static void skip_brackets(struct pass *p) {
    int depth = 0;
    do {
        depth += is(p, "(") ? 1 : is(p, ")") ? -1 : 0;
        skip(p);
    } while (depth > 0 && p->now.kind != LEX_END);
}

static bool at_part(const struct pass *p) {
    return p->now.kind == LEX_END || is(p, ":") || is(p, ")");
}

/* [name] "constraint" (expression), … */
static void replace_operands(struct pass *p, bool outputs) {
    struct str words = {0};
    size_t begin, end;
    while (!at_part(p)) {
        if (take(p, "["))
            while (!at_part(p) && !take(p, "]"))
                skip(p);
        str_clear(&words);
        if (!read_strings(p, &words, &begin, &end) || !is(p, "("))
            break;
        bool inout = strchr(str_text(&words), '+') != NULL;
        replace(p, begin, end, !outputs ? "\"X\"" : inout ? "\"+g\"" : "\"=g\"");
        skip_brackets(p);
        if (!take(p, ","))
            break;
    }
    str_free(&words);
}

static void replace_clobbers(struct pass *p) {
    struct str words = {0};
    size_t first = p->now.begin, begin, end = first;
    while (read_strings(p, &words, &begin, &end))
        if (!take(p, ","))
            break;
    bool memory = strstr(str_text(&words), "memory") != NULL;
    replace(p, first, end, memory ? "\"memory\"" : "");
    str_free(&words);
}

/* `now` is the bracket behind asm. */
static void replace_statement(struct pass *p) {
    struct str words = {0};
    size_t begin, end;
    skip(p);
    if (read_strings(p, &words, &begin, &end)) {
        if (!assembly_is_quiet(str_text(&words)))
            replace(p, begin, end,
                    p->depth > 0 ? "\"ud2 # not for this machine\"" : "\"# not for this machine\"");
        if (take(p, ":"))
            replace_operands(p, true);
        if (take(p, ":"))
            replace_operands(p, false);
        if (take(p, ":"))
            replace_clobbers(p);
    }
    str_free(&words);
}

static bool is_one_of(const struct pass *p, struct lexeme word, const char *const *list, size_t n) {
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found |= lex_is(p->text, word, list[i]);
    return found;
}

/* The name of a symbol, `int f(int) __asm__("g")`, or a register, `register int r __asm__("r0")`;
 * behind the brackets of `if (x)` a statement begins. */
static bool is_label(const struct pass *p) {
    static const char *const before[] = {"else", "do", "__extension__"};
    static const char *const heads[] = {"if", "while", "for", "switch"};
    if (p->before.kind == LEX_WORD)
        return !is_one_of(p, p->before, before, sizeof before / sizeof *before);
    if (p->before.end == 0 || !lex_is(p->text, p->before, ")"))
        return p->before.end > 0 && lex_is(p->text, p->before, "]");
    return !is_one_of(p, p->opener, heads, sizeof heads / sizeof *heads);
}

static void assembly(struct pass *p) {
    size_t begin = p->now.begin;
    bool label = is_label(p);
    skip(p);
    while (take(p, "volatile") || take(p, "__volatile__") || take(p, "__volatile") ||
           take(p, "inline") || take(p, "__inline__") || take(p, "__inline") || take(p, "goto"))
        continue;
    if (!is(p, "("))
        return;
    if (!label) {
        replace_statement(p);
        return;
    }
    skip_brackets(p);
    if (p->in_register && p->depth > 0)
        replace(p, begin, p->before.end, "");
}

/* Where the line of the pragma that ends it begins; 0: there is none. */
static size_t end_of_pragma(const struct pass *p) {
    const char *at = p->text + p->now.end;
    while ((at = strchr(at, '\n'))) {
        struct lexeme l = lex_at(p->text, p->len, (size_t)(++at - p->text));
        if (l.kind == LEX_DIRECTIVE && is_pragma(p->text, l, "endasm"))
            return l.begin;
    }
    return 0;
}

static void pragma(struct pass *p) {
    size_t begin = p->now.end, end = end_of_pragma(p);
    if (end > begin) {
        replace(p, begin, begin + 1, ""); /* the end of its line */
        replace(p, begin + 1, end,
                p->depth > 0 ? "__asm__(\"ud2 # not for this machine\");"
                             : "__asm__(\"# not for this machine\");");
        p->now.end = end;
    }
    p->now = lex_at(p->text, p->len, p->now.end);
}

/* `now` is a token that stays. */
static void follow(struct pass *p) {
    bool opens = is(p, "{"), closes = is(p, "}");
    if (is(p, "(") && p->brackets++ == 0)
        p->opener = p->before;
    p->brackets -= is(p, ")") && p->brackets > 0;
    p->depth += opens - closes;
    p->in_register &= !opens && !closes && !is(p, ";");
    p->in_register |= is(p, "register");
    p->before = p->now;
}

void assembly_replace(const char *text, size_t len, struct str *out) {
    struct pass p = {.text = text, .len = len, .out = out};
    for (p.now = lex_at(text, len, 0); p.now.kind != LEX_END;) {
        if (p.now.kind == LEX_DIRECTIVE && is_pragma(text, p.now, "asm")) {
            pragma(&p);
            continue;
        }
        if (p.now.kind == LEX_WORD && is_assembly(&p)) {
            assembly(&p);
            continue;
        }
        if (p.now.kind != LEX_COMMENT && p.now.kind != LEX_DIRECTIVE)
            follow(&p);
        p.now = lex_at(text, len, p.now.end);
    }
    str_addn(out, text + p.done, len - p.done);
}
