#include "coverage/flags.h"

#include "base/nearest.h"
#include "base/str.h"

#include <string.h>

enum kind { FLAG, BEGINS, TAKES, NAMES };

static const struct row {
    const char *text;
    enum kind kind;
} rows[] = {
#define FLAG(text) {text, FLAG},
#define BEGINS(text) {text, BEGINS},
#define TAKES(text) {text, TAKES},
#define NAMES(text) {text, NAMES},
#include "coverage/flags.def"
#undef FLAG
#undef BEGINS
#undef TAKES
#undef NAMES
};

enum { ROWS = sizeof rows / sizeof *rows };

/* Options of the linker, the preprocessor and the assembler in the clothes of a warning. */
static bool passes_on(const char *flag) {
    return str_starts(flag, "-Wl,") || str_starts(flag, "-Wp,") || str_starts(flag, "-Wa,");
}

static const struct row *row_of(const char *flag) {
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].kind == FLAG ? str_same(flag, rows[i].text) : str_starts(flag, rows[i].text))
            return passes_on(flag) ? NULL : &rows[i];
    return NULL;
}

static bool refuse(const char *flag, struct err *err) {
    struct nearest near;
    nearest_init(&near, flag);
    for (size_t i = 0; i < ROWS; i++)
        nearest_offer(&near, rows[i].text);
    err_set(err, ERR_USAGE, "'%s' is not a flag that a project may give to a compiler", flag);
    if (nearest_best(&near))
        return err_remedy(err, "did you mean '%s'?", nearest_best(&near));
    return err_remedy(err, "take it out of \"cflags\": those are for the language, definitions, "
                           "headers and warnings, and nothing else is needed here");
}

bool flags_check(const struct texts *flags, struct err *err) {
    for (size_t i = 0; i < flags->len; i++) {
        const char *flag = flags->data[i];
        const struct row *row = row_of(flag);
        if (!row)
            return refuse(flag, err);
        if (row->kind < TAKES || !str_same(flag, row->text))
            continue;
        const char *value = ++i < flags->len ? flags->data[i] : "-";
        if (value[0] == '-' || value[0] == '@') { /* clang would read a flag, a file of flags */
            err_set(err, ERR_USAGE, "the flag '%s' lacks its value", flag);
            return err_remedy(err, "write it behind the flag, or as the next one");
        }
    }
    return true;
}

const char *flags_path(const char *before, const char *flag) {
    const struct row *row = before ? row_of(before) : NULL;
    if (row && row->kind >= TAKES && str_same(before, row->text))
        return row->kind == NAMES ? flag : NULL;
    row = row_of(flag);
    return row && row->kind == NAMES && !str_same(flag, row->text) ? flag + strlen(row->text)
                                                                   : NULL;
}
