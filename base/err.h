/* err: what is wrong with the input, where, and what the user can do.
 *
 * Functions that can fail because of their input return bool and take `struct err *` last:
 *
 *     if (!project_read(path, &project, err))
 *         return false;              // pass it on, untouched
 *     return err_set(err, ERR_USAGE, "unknown key '%s'", key);   // always false
 *
 * The first error wins: err_set on an err that is already set adds nothing.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/str.h"

/* The values are the exit codes of the program; scripts rely on them. */
enum err_code {
    ERR_NONE = 0,
    ERR_GATE = 1,       /* a gate failed */
    ERR_USAGE = 2,      /* wrong options, project file, database */
    ERR_SOURCE = 3,     /* the C cannot be parsed */
    ERR_INCOMPLETE = 4, /* open goals under --require-complete */
    ERR_EVIDENCE = 5,   /* an evidence check failed, verdicts contradict */
    ERR_INTERNAL = 6,   /* ours */
};

struct err {
    enum err_code code;
    struct str message;
    struct str file; /* empty: no place */
    int line, col;   /* 0: unknown */
    struct str remedy;
};

bool err_set(struct err *err, enum err_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool err_at(struct err *err, const char *file, int line, int col); /* returns false */
bool err_remedy(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
void err_print(const struct err *err); /* "file:line:col: error: message\n  remedy" on stderr */
void err_clear(struct err *err);

#endif
