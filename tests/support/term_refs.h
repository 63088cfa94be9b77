/* term_refs: terms that a line of text names behind a key (model/term/term_text.h). */
#ifndef TESTS_SUPPORT_TERM_REFS_H
#define TESTS_SUPPORT_TERM_REFS_H

#include "model/term/term_text.h"

/* `key t3` */
static inline bool term_reader_key(struct term_reader *tr, const char *key, term_t *t) {
    return reader_expect(tr->r, key) && term_reader_ref(tr, t);
}

/* The same, or nothing. */
static inline bool term_reader_maybe(struct term_reader *tr, const char *key, term_t *t) {
    return !reader_is(tr->r, key) || term_reader_key(tr, key, t);
}

#endif
