/* meaning_flags: see meaning_flags.h. */
#include "instrument/syntax/meaning_flags.h"

#include "instrument/syntax/lex.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What the flags of one source say; of two that contradict each other the last one counts. */
struct meaning {
    const char *pack; /* "1", NULL: as the target does it */
    const char *sign, *width;
    bool short_enums, short_wchar, is_c90, single, unsigned_fields;
};

static bool names_c90(const char *flag) {
    static const char *const names[] = {
        "-ansi",      "-std=c89",          "-std=c90",           "-std=gnu89",
        "-std=gnu90", "-std=iso9899:1990", "-std=iso9899:199409"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_same(flag, names[i]))
            return true;
    return false;
}

static void read_flags(struct meaning *m, const struct texts *flags) {
    static const char pack[] = "-fpack-struct";
    for (size_t i = 0; i < flags->len; i++) {
        const char *flag = flags->data[i];
        if (str_same(flag, "-fshort-enums") || str_same(flag, "-fno-short-enums"))
            m->short_enums = flag[2] == 's';
        else if (str_same(flag, "-fshort-wchar") || str_same(flag, "-fno-short-wchar"))
            m->short_wchar = flag[2] == 's';
        else if (str_same(flag, "-fsigned-char") || str_same(flag, "-funsigned-char"))
            m->sign = flag;
        else if (str_same(flag, "-m32") || str_same(flag, "-m64"))
            m->width = flag;
        else if (str_same(flag, "-fsingle-precision-constant"))
            m->single = true;
        else if (str_same(flag, "-funsigned-bitfields") || str_same(flag, "-fsigned-bitfields"))
            m->unsigned_fields = flag[2] == 'u';
        else if (str_same(flag, pack))
            m->pack = "1";
        else if (str_starts(flag, pack) && flag[strlen(pack)] == '=')
            m->pack = flag + strlen(pack) + 1;
        else if (str_starts(flag, "-std=") || str_same(flag, "-ansi"))
            m->is_c90 = names_c90(flag);
    }
}

/* ---- what the project says, too ---- */

static bool agrees(const struct meaning *m, const struct project *project, struct err *err) {
    const char *sign = project->char_is_signed ? "-fsigned-char" : "-funsigned-char";
    const char *width = project->ilp32 ? "-m32" : "-m64";
    if (m->sign && !str_same(m->sign, sign)) {
        const char *other = project->char_is_signed ? "unsigned" : "signed";
        err_set(err, ERR_USAGE, "the flag '%s' contradicts the project, whose char is %s", m->sign,
                project_char(project));
        return err_remedy(err, "write \"char\": \"%s\" into the project file, or --char %s", other,
                          other);
    }
    if (m->unsigned_fields) {
        err_set(err, ERR_USAGE, "the flag '-funsigned-bitfields' is not supported");
        return err_remedy(err, "write 'unsigned' where a bit-field is to be unsigned");
    }
    if (m->width && !str_same(m->width, width)) {
        const char *other = project->ilp32 ? "lp64" : "ilp32";
        err_set(err, ERR_USAGE, "the flag '%s' contradicts the project, whose target is %s",
                m->width, project_target(project));
        return err_remedy(err, "write \"target\": \"%s\" into the project file, or --target %s",
                          other, other);
    }
    return true;
}

/* ---- the text ---- */

static struct lexeme after(const struct str *text, struct lexeme l) {
    do
        l = lex_at(str_text(text), text->len, l.end);
    while (l.kind == LEX_COMMENT || l.kind == LEX_DIRECTIVE);
    return l;
}

static bool is_punct(const struct str *text, struct lexeme l, char c) {
    return l.kind == LEX_PUNCT && str_text(text)[l.begin] == c;
}

static struct lexeme behind_attribute(const struct str *text, struct lexeme l) {
    int depth = 0;
    do {
        l = after(text, l);
        depth += is_punct(text, l, '(') - is_punct(text, l, ')');
    } while (depth > 0 && l.kind != LEX_END);
    return after(text, l);
}

/* `enum {`, `enum name {`, also with attributes: a definition. */
static bool defines_enum(const struct str *text, struct lexeme l) {
    if (l.kind != LEX_WORD || !lex_is(str_text(text), l, "enum"))
        return false;
    l = after(text, l);
    while (lex_is(str_text(text), l, "__attribute__") || lex_is(str_text(text), l, "__attribute"))
        l = behind_attribute(text, l);
    return is_punct(text, l, '{') || (l.kind == LEX_WORD && is_punct(text, after(text, l), '{'));
}

/* A decimal constant that fits `unsigned long` and not `long`; C90 knows no longer type. */
static bool is_unsigned_in_c90(const char *number, size_t len, bool ilp32, bool *has_long) {
    char *end;
    *has_long = len > 0 && tolower((unsigned char)number[len - 1]) == 'l';
    errno = 0;
    unsigned long long value = strtoull(number, &end, 10);
    if (errno || number[0] == '0' || (size_t)(end - number) != len - *has_long)
        return false;
    return ilp32 ? value > INT32_MAX && value <= UINT32_MAX : value > INT64_MAX;
}

/* A floating-point constant without a suffix, which is a double elsewhere. */
static bool is_double(const char *number, size_t len) {
    bool hex = len > 1 && tolower((unsigned char)number[1]) == 'x';
    const char *marks = hex ? "pP" : ".eE";
    size_t at = 0;
    while (at < len && !strchr(marks, number[at]))
        at++;
    return at < len && !strchr("fFlLdDiIjJ", number[len - 1]);
}

static bool is_wide(const char *text, struct lexeme l) {
    return l.kind == LEX_WORD && lex_is(text, l, "L") &&
           (text[l.end] == '"' || text[l.end] == '\'');
}

static bool add_lexeme(const struct meaning *m, bool ilp32, const struct str *text, struct lexeme l,
                       struct str *out, struct err *err) {
    const char *at = str_text(text) + l.begin;
    bool has_long;
    if (m->short_wchar && is_wide(str_text(text), l)) {
        err_set(err, ERR_SOURCE, "wide characters with -fshort-wchar are not supported");
        return err_remedy(err, "leave out the source, or the flag if nothing depends on it");
    }
    str_addn(out, at, l.end - l.begin);
    if (m->short_enums && defines_enum(text, l))
        str_add(out, " __attribute__((packed))");
    else if (m->is_c90 && l.kind == LEX_NUMBER &&
             is_unsigned_in_c90(at, l.end - l.begin, ilp32, &has_long))
        str_add(out, has_long ? "u" : "ul");
    else if (m->single && l.kind == LEX_NUMBER && is_double(at, l.end - l.begin))
        str_add(out, "f");
    return true;
}

/* How many alignments `#pragma pack(push)` has left on the stack behind this token. */
static unsigned depth_behind(const char *text, struct lexeme l, unsigned depth) {
    struct lexeme hash = {LEX_PUNCT, l.begin, l.begin + 1}, word = hash;
    static const char *const words[] = {"pragma", "pack", "("};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        word = lex_at(text, l.end, word.end);
        if (!lex_is(text, word, words[i]))
            return depth;
    }
    word = lex_at(text, l.end, word.end);
    if (lex_is(text, word, "push"))
        return depth + 1;
    return depth - (lex_is(text, word, "pop") && depth > 0);
}

/* Each unit begins with the alignment of its flags and leaves nothing behind: in the woven program
 * the next one follows. */
static bool rewrite(const struct meaning *m, bool ilp32, struct str *text, struct err *err) {
    struct str out = {0};
    size_t done = 0;
    unsigned depth = 0;
    bool good = true;
    if (m->pack)
        str_addf(&out, "#pragma pack(%s)\n", m->pack);
    for (struct lexeme l = lex_at(str_text(text), text->len, 0); good && l.kind != LEX_END;
         l = lex_at(str_text(text), text->len, l.end)) {
        str_addn(&out, str_text(text) + done, l.begin - done);
        good = add_lexeme(m, ilp32, text, l, &out, err);
        if (l.kind == LEX_DIRECTIVE)
            depth = depth_behind(str_text(text), l, depth);
        done = l.end;
    }
    str_addn(&out, str_text(text) + done, text->len - done);
    while (depth-- > 0)
        str_add(&out, "\n#pragma pack(pop)");
    str_add(&out, "\n#pragma pack()\n");
    if (good) {
        str_clear(text);
        str_addn(text, str_text(&out), out.len);
    }
    str_free(&out);
    return good;
}

bool meaning_flags_apply(const struct project *project, const struct texts *flags, struct str *text,
                         struct err *err) {
    struct meaning m = {0};
    assert(project && flags && text);
    read_flags(&m, flags);
    read_flags(&m, &project->cflags);
    if (!agrees(&m, project, err))
        return false;
    bool changes = m.short_enums || m.short_wchar || m.is_c90 || m.single || m.pack ||
                   memmem(str_text(text), text->len, "pack", strlen("pack"));
    return !changes || rewrite(&m, project->ilp32, text, err);
}
