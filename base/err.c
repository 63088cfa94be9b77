#include "base/err.h"

#include <assert.h>
#include <stdio.h>

bool err_set(struct err *err, enum err_code code, const char *format, ...) {
    assert(code != ERR_NONE);
    if (err->code != ERR_NONE)
        return false;
    err->code = code;
    va_list args;
    va_start(args, format);
    str_vaddf(&err->message, format, args);
    va_end(args);
    return false;
}

bool err_at(struct err *err, const char *file, int line, int col) {
    assert(err->code != ERR_NONE);
    if (err->file.len > 0)
        return false;
    str_add(&err->file, file);
    err->line = line;
    err->col = col;
    return false;
}

bool err_remedy(struct err *err, const char *format, ...) {
    assert(err->code != ERR_NONE);
    if (err->remedy.len > 0)
        return false;
    va_list args;
    va_start(args, format);
    str_vaddf(&err->remedy, format, args);
    va_end(args);
    return false;
}

void err_print(const struct err *err) {
    if (err->file.len == 0)
        fputs("goalkeeper: ", stderr);
    else if (err->line > 0)
        fprintf(stderr, "%s:%d:%d: ", str_text(&err->file), err->line, err->col);
    else
        fprintf(stderr, "%s: ", str_text(&err->file));
    fprintf(stderr, "error: %s\n", str_text(&err->message));
    if (err->remedy.len > 0)
        fprintf(stderr, "  %s\n", str_text(&err->remedy));
}

void err_clear(struct err *err) {
    str_free(&err->message);
    str_free(&err->file);
    str_free(&err->remedy);
    *err = (struct err){0};
}
