/* measured: what files of coverage say, whoever wrote them.
 *
 *     struct measured m = {0};
 *     if (!measured_read(&m, "coverage.info", err)) …      // llvm-cov and gcov JSON as well
 *     const struct measured_file *f = measured_find(&m, "src/valve.c");
 *     measured_free(&m);
 *
 * Several files add up: what one of them has seen was hit.
 */
#ifndef APP_OVERLAY_MEASURED_H
#define APP_OVERLAY_MEASURED_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

#include <stdint.h>

struct measured_line {
    int line;
    uint64_t count;
    uint32_t branches, taken; /* outcomes of unknown meaning */
};

/* From here to the next one this is how often the code was run; llvm-cov only. */
struct measured_segment {
    int line, col;
    uint64_t count;
    bool has_count;
};

/* A condition or a label of a switch: how often it was true and false; llvm-cov only. */
struct measured_outcome {
    int line, col, end_line, end_col;
    uint64_t count[2]; /* [1]: true */
};

/* Was it shown that a condition decides its decision, as true or as false? */
struct measured_mcdc {
    int line, col; /* of the decision; col 0: not known */
    uint32_t conditions, index;
    bool value, hit;
    bool pair; /* true and false together: where it was not shown, one of them may have been */
};

struct measured_function {
    const char *name;
    uint64_t count;
};

struct measured_file {
    const char *name;
    VEC(struct measured_line) lines;
    VEC(struct measured_segment) segments; /* in the order of the text */
    VEC(struct measured_outcome) outcomes;
    VEC(struct measured_mcdc) mcdc;
    VEC(struct measured_function) functions;
};

struct measured {
    struct arena arena;
    VEC(struct measured_file) files;
};

bool measured_read(struct measured *m, const char *path, struct err *err);
void measured_free(struct measured *m);

/* The file whose path ends most like this one; NULL: none has its name, or two fit alike. */
const struct measured_file *measured_find(const struct measured *m, const char *path);

/* For the readers. Adds it when it is new. */
struct measured_file *measured_file(struct measured *m, const char *name);
struct measured_line *measured_line(struct measured_file *f, int line);
const struct measured_line *measured_line_at(const struct measured_file *f, int line); /* or NULL */
bool measured_lcov(struct measured *m, const char *path, char *text, struct err *err);
bool measured_json(struct measured *m, const char *path, const char *text, struct err *err);

#endif
