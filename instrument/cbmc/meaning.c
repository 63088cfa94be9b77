/* One run of CBMC on runtime/meaning.c answers all rows of meaning.def; a row that it gets wrong
 * counts when the tokens of the program contain what the row is about. */
#include "instrument/cbmc/meaning.h"

#include "base/file.h"
#include "instrument/syntax/lex.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

struct row {
    const char *name, *what, *words;
};

static const struct row rows[] = {
#define MEANING(name, what, words) {#name, what, words},
#include "instrument/cbmc/meaning.def"
#undef MEANING
};

enum { ROWS = sizeof rows / sizeof *rows, SECONDS = 30 };

/* ---- the question ---- */

/* "[main.assertion.3] line 33 shift: FAILURE" */
static bool failed(const char *failures, const char *name) {
    char end[64];
    snprintf(end, sizeof end, " %s: FAILURE\n", name);
    return strstr(failures, end) != NULL;
}

static enum cbmc_answer ask(const struct cbmc_run *run, const char *path, bool modes,
                            struct str *said) {
    struct err err = {0};
    struct str text = {0};
    enum cbmc_answer answer = CBMC_NO_ANSWER;
    str_addf(&text, "%s%s", modes ? "#define GK_ROUNDING_MODES\n" : "", meaning_c);
    if (file_write(path, text.data, text.len, &err))
        answer = cbmc_verify(run, said);
    else
        str_add(said, str_text(&err.message));
    err_clear(&err);
    str_free(&text);
    return answer;
}

static enum cbmc_answer ask_in_folder(const struct cbmc *cbmc, const struct module *module,
                                      bool modes, struct str *failures, struct str *said) {
    struct str dir = {0}, path = {0};
    struct err err = {0};
    enum cbmc_answer answer = CBMC_NO_ANSWER;
    if (file_temp_dir(&dir, &err)) {
        str_addf(&path, "%s/meaning.c", str_text(&dir));
        struct cbmc_run run = {.cbmc = cbmc,
                               .file = str_text(&path),
                               .ilp32 = module->ilp32,
                               .char_is_unsigned = !module->char_is_signed,
                               .seconds = SECONDS,
                               .failures = failures};
        answer = ask(&run, str_text(&path), modes, said);
        file_remove_tree(str_text(&dir));
    } else {
        str_add(said, str_text(&err.message));
    }
    err_clear(&err);
    str_free(&dir);
    str_free(&path);
    return answer;
}

/* ---- what the program contains ---- */

struct words {
    const char *text;
    size_t len;
};

static bool same(struct words text, struct lexeme l, const char *word, size_t len) {
    const char *at = text.text + l.begin;
    if (word[0] == '\'')
        return l.kind == LEX_STRING && l.end - l.begin > len && memcmp(at, word, len) == 0;
    return l.kind == LEX_WORD && l.end - l.begin == len && memcmp(at, word, len) == 0;
}

/* The words of a row, "long double" as two tokens. */
static bool stands_at(struct words text, struct lexeme l, const char *words) {
    for (const char *word = words; *word;) {
        size_t len = strcspn(word, "|"), first = strcspn(word, " |");
        bool fits = same(text, l, word, first);
        if (fits && first < len)
            fits =
                same(text, lex_at(text.text, text.len, l.end), word + first + 1, len - first - 1);
        if (fits)
            return true;
        word += len + (word[len] == '|');
    }
    return false;
}

/* "# 12 "/usr/include/math.h" 3 4": what a header of the system declares is not used by that. */
static bool enters_system(struct words text, struct lexeme l) {
    for (const char *at = text.text + l.end - 1; at > text.text + l.begin && *at != '"'; at--)
        if (*at == '3' && at[-1] == ' ')
            return true;
    return false;
}

static bool contains(const char *woven, const char *words) {
    struct words text = {woven, strlen(woven)};
    bool in_system = false;
    for (struct lexeme l = lex_at(woven, text.len, 0); l.kind != LEX_END;
         l = lex_at(woven, text.len, l.end)) {
        if (l.kind == LEX_DIRECTIVE && memchr(woven + l.begin, '"', l.end - l.begin))
            in_system = enters_system(text, l);
        else if (!in_system && stands_at(text, l, words))
            return true;
    }
    return false;
}

static const char *words_of(const char *name) {
    size_t i = 0;
    while (!str_same(rows[i].name, name))
        i++;
    assert(i < ROWS);
    return rows[i].words;
}

static size_t add_wrong(const char *failures, const char *woven, struct str *why) {
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (failed(failures, rows[i].name) && (!*rows[i].words || contains(woven, rows[i].words)))
            str_addf(why, "%s%s",
                     n++ ? ", " : "it takes for something else than gcc and clang: ", rows[i].what);
    return n;
}

static bool any_known(const char *failures) {
    for (size_t i = 0; i < ROWS; i++)
        if (failed(failures, rows[i].name))
            return true;
    return false;
}

bool cbmc_understands(const struct cbmc *cbmc, const struct module *module, const char *woven,
                      struct str *why) {
    struct str failures = {0}, said = {0};
    bool modes = contains(woven, words_of("rounding_mode"));
    enum cbmc_answer answer = ask_in_folder(cbmc, module, modes, &failures, &said);
    bool ok = answer == CBMC_SUCCESSFUL;
    if (answer == CBMC_FAILED && any_known(str_text(&failures)))
        ok = add_wrong(str_text(&failures), woven, why) == 0;
    else if (!ok)
        str_addf(why, "it does not say what C means to it: %s", str_text(&said));
    str_free(&failures);
    str_free(&said);
    return ok;
}
