/* reader: the line-based text form that models, traces, invariants and facts share.
 *
 * A line is a sequence of words and quoted names; `#` starts a comment, empty lines are skipped.
 * Every function that finds something else than asked for sets the error with the line number and
 * returns false (or NULL); later calls then fail too.
 *
 *     struct reader r;
 *     reader_init(&r, text, "model.txt", err);
 *     while (reader_line(&r) && !reader_is(&r, "end")) …
 *     reader_free(&r);
 */
#ifndef MODEL_TERM_READER_H
#define MODEL_TERM_READER_H

#include "base/err.h"
#include "base/vec.h"
#include "model/term/ordinal.h"

struct reader_word {
    size_t start; /* in the buffer */
    bool quoted;
};

struct reader {
    const char *at; /* the next line */
    const char *file;
    int line; /* of the words */
    struct err *err;
    bool failed;
    VEC(struct reader_word) words; /* of the current line */
    struct str buffer;             /* their text */
    size_t next;                   /* the word to be read next */
};

void reader_init(struct reader *r, const char *text, const char *file, struct err *err);
void reader_free(struct reader *r);
/* Sets the error at the current line; always false. */
bool reader_fail(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool reader_line(struct reader *r); /* goes to the next line; false at the end or after an error */
bool reader_is(const struct reader *r, const char *word); /* is that the next word? */
bool reader_accept(struct reader *r, const char *word);   /* skips the next word if it is that */
bool reader_expect(struct reader *r, const char *word);
bool reader_starts(const struct reader *r, char letter); /* letter and digit: the next word? */
bool reader_more(const struct reader *r);                /* words are left on the line */
bool reader_done(struct reader *r);                      /* fails if they are */
const char *reader_word(struct reader *r, const char *what);
const char *reader_name(struct reader *r, const char *what); /* a quoted name */
bool reader_u32(struct reader *r, const char *what, uint32_t *value);
bool reader_value(struct reader *r, sort_t sort, uint64_t *bits);
/* The first line: `<kind> 1`; other versions are refused. */
bool reader_header(struct reader *r, const char *kind);

/* A name in quotes, as reader_name() reads it. */
void name_print(const char *name, struct str *out);

/* A word like `c3`: the letter and an index below `count`. */
bool reader_index(struct reader *r, char letter, const char *what, size_t count, uint32_t *index);
bool reader_same_name(struct reader *r, const char *what, const char *name);
bool reader_end(struct reader *r); /* fails unless nothing follows */

#endif
