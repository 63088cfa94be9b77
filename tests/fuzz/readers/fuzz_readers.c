/* fuzz_readers: damaged texts for all that reads what others have written.
 *
 *   fuzz_readers [--seed N] [--count N]
 *
 * Each text is read, or refused with a message: no crash, no assertion (the sanitizer build sees
 * more), and no time beyond what its size is worth. The texts of tests/fuzz/seeds are tried as they
 * are, then damaged, each by the reader that its folder belongs to. Without --count it runs without
 * end; what was read last is in fuzz_readers_last. `./dev fuzz guided` looks for texts that reach
 * new code. */
#include "base/option.h"
#include "readers.h"

#include <stdio.h>

static void keep(const struct str *text) {
    FILE *f = fopen("fuzz_readers_last", "w");
    if (f) {
        fwrite(str_text(text), 1, text->len, f);
        fclose(f);
    }
}

static const struct str *any(const struct seeds *seeds, struct rng *rng) {
    return &seeds->data[rng_below(rng, seeds->len)];
}

static size_t choose(struct rng *rng) {
    for (;;) {
        size_t which = rng_below(rng, READERS);
        if (rng_below(rng, readers[which].rare) == 0)
            return which;
    }
}

struct tally {
    uint64_t texts[READERS], accepted[READERS];
};

static void try_one(const struct seeds seeds[READERS], uint64_t seed, bool kept,
                    struct tally *tally) {
    struct rng rng;
    struct str text = {0};
    struct err err = {0};
    rng_init(&rng, seed);
    size_t which = choose(&rng);
    const struct str *start = any(&seeds[which], &rng);
    str_addn(&text, start->data, start->len);
    for (uint64_t n = rng_below(&rng, 6); n > 0; n--)
        reader_damage(&text, any(&seeds[rng_below(&rng, READERS)], &rng), &rng);
    if (kept)
        keep(&text);
    tally->texts[which]++;
    tally->accepted[which] += reader_accepts(&readers[which], &text, &err);
    err_clear(&err);
    str_free(&text);
}

/* As they are: what was found once is not found again. */
static void try_seeds(const struct seeds *seeds, size_t which, struct tally *tally) {
    for (size_t i = 0; i < seeds->len; i++) {
        struct err err = {0};
        tally->texts[which]++;
        tally->accepted[which] += reader_accepts(&readers[which], &seeds->data[i], &err);
        err_clear(&err);
    }
}

static bool all_accepted(const struct tally *tally) {
    bool all = true;
    for (size_t i = 0; i < READERS; i++) {
        printf("%-17s %8llu texts, %8llu accepted\n", readers[i].name,
               (unsigned long long)tally->texts[i], (unsigned long long)tally->accepted[i]);
        all &= tally->accepted[i] > 0;
    }
    return all;
}

int main(int argc, char **argv) {
    uint64_t seed = 1, count = 0;
    struct seeds seeds[READERS] = {0};
    struct tally tally = {0};
    for (int i = 1; i + 1 < argc; i += 2)
        if (!parse_count(argv[i + 1], str_same(argv[i], "--seed") ? &seed : &count))
            return 2;
    for (size_t i = 0; i < READERS; i++) {
        reader_seeds(&readers[i], &seeds[i]);
        try_seeds(&seeds[i], i, &tally);
    }
    for (uint64_t i = 0; count == 0 || i < count; i++)
        try_one(seeds, seed + i, count == 0, &tally);
    bool good = all_accepted(&tally);
    for (size_t i = 0; i < READERS; i++)
        reader_seeds_free(&seeds[i]);
    return !good;
}
