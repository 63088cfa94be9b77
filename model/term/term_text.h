/* term_text: the lines that define terms in the text forms of systems and automata.
 *
 *     b1 table i16 10 -20 30          a constant table
 *     t1 var i16 signed "n"           a variable
 *     t2 const i16 1
 *     t3 add i16 t1 t2                operator, sort of the result, arguments
 *     t4 table i16 b1 t3
 *
 *     t1 given i16 3 "n"              a variable that the reader has already, by its number
 *
 * Terms come before their users, numbered from 1. When read they go through the constructors, so
 * what is read is simplified as anything else.
 */
#ifndef MODEL_TERM_TERM_TEXT_H
#define MODEL_TERM_TERM_TEXT_H

#include "model/term/reader.h"
#include "model/term/term.h"

struct term_writer {
    const struct terms *ts;
    struct str *out;
    uint32_t *number; /* one per term: its number in the text, 0 if it is not needed */
    uint32_t *table;  /* one per table: the same */
    struct map given; /* variable index -> its number */
};

/* Writes the definitions of all terms below the roots (0 is skipped). */
void term_writer_open(struct term_writer *w, const struct terms *ts, struct str *out,
                      const term_t *roots, size_t n);
/* The same for a reader that has these variables already, in this order. */
void term_writer_open_given(struct term_writer *w, const struct terms *ts, struct str *out,
                            const term_t *roots, size_t n, const term_t *given, size_t n_given);
void term_writer_close(struct term_writer *w);
/* ` t3`, after a blank and `key` if there is one. */
void term_writer_ref(const struct term_writer *w, const char *key, term_t t);

struct term_reader {
    struct terms *ts;
    struct reader *r;
    struct map terms, tables; /* number in the text -> term, table */
    struct intern ops;        /* operator text -> operator */
    const term_t *given;      /* variables that the text need not make; set after init */
    size_t n_given;
    VEC(uint64_t) values;
};

void term_reader_init(struct term_reader *tr, struct terms *ts, struct reader *r);
void term_reader_free(struct term_reader *tr);
/* Reads the current line if it is a definition; `ok` tells whether that went well. */
bool term_reader_accept(struct term_reader *tr, bool *ok);
bool term_reader_ref(struct term_reader *tr, term_t *t); /* `t3` */

#endif
