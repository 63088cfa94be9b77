/* read: s-expressions of SMT-LIB 2.6 (section 3.1), one top-level expression at a time.
 *
 * Nothing recurses on depth. Nodes live in the reader's arena until smt_reader_free().
 *
 *     struct smt_reader rd; smt_reader_init(&rd, "a.smt2", text, len);
 *     while ((node = smt_read(&rd, err)))  …           // NULL at the end, or when err is set
 */
#ifndef ENGINES_SMTLIB_READ_H
#define ENGINES_SMTLIB_READ_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

#include <stdint.h>

enum sx_kind {
    SX_SYMBOL,
    SX_KEYWORD,
    SX_NUMERAL,
    SX_DECIMAL,
    SX_HEX,
    SX_BINARY,
    SX_STRING,
    SX_LIST
};

struct sx {
    enum sx_kind kind;
    uint32_t n;              /* LIST: how many items */
    const char *text;        /* not LIST: without |…|, "…", #x, #b; NULL for lists */
    const struct sx **items; /* LIST */
    int line, col;
};
VEC_STRUCT(sx_list, const struct sx *);

struct smt_reader {
    const char *file, *at, *end;
    int line, col;
    struct arena arena;
    struct sx_list open; /* items of the lists that are not closed yet */
    VEC(size_t) starts;  /* where each such list starts in `open` */
    VEC(int) places;     /* line and column of each '(' */
};

void smt_reader_init(struct smt_reader *rd, const char *file, const char *text, size_t len);
void smt_reader_free(struct smt_reader *rd);
const struct sx *smt_read(struct smt_reader *rd, struct err *err);

/* ---- looking at nodes ---- */

bool sx_is(const struct sx *x, const char *symbol);      /* this very symbol */
bool sx_is_list(const struct sx *x, const char *symbol); /* (symbol …) */
/* (_ symbol …): an indexed identifier */
bool sx_is_indexed(const struct sx *x, const char *symbol);
bool sx_number(const struct sx *x, uint64_t *value); /* a numeral that fits */

/* Sets the error at the place of a node; always false. */
bool sx_error(const struct smt_reader *rd, const struct sx *x, struct err *err, const char *format,
              ...) __attribute__((format(printf, 4, 5)));

#endif
