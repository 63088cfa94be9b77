/* readers: texts for all that reads what others have written, damaged at random (fuzz_readers) or
 * guided by the code that they reach (fuzz_guided).
 *
 *     struct err err = {0};
 *     const struct reader *reader = reader_find("script");
 *     if (!reader_accepts(reader, &text, &err)) …          // refused: `err` says why
 *     err_clear(&err);
 */
#ifndef TESTS_FUZZ_READERS_H
#define TESTS_FUZZ_READERS_H

#include "base/err.h"
#include "base/rng.h"
#include "base/vec.h"

struct reader {
    const char *name, *about;
    unsigned rare;
    bool (*read)(const struct str *text, struct err *err);
};

enum {
#define READER(name, rare, about) READER_##name,
#include "readers.def"
#undef READER
    READERS
};
extern const struct reader readers[READERS];

const struct reader *reader_find(const char *name); /* NULL: there is none */

/* Ends the program, with the text in a file, when it was refused without a word. */
bool reader_accepts(const struct reader *reader, const struct str *text, struct err *err);

/* The good texts of a reader, in the order of their names; at least one, or the program ends. */
VEC_STRUCT(seeds, struct str);
void reader_seeds(const struct reader *reader, struct seeds *seeds);
void reader_seeds_free(struct seeds *seeds);

/* Cut, put in, doubled, exchanged for a part of another place or of another text. */
void reader_damage(struct str *text, const struct str *other, struct rng *rng);

#endif
