/* fuzz_readers: damaged texts for all that reads what others have written.
 *
 *   fuzz_readers [--seed N] [--count N]
 *
 * Each text is read, or refused with a message: no crash, no assertion (the sanitizer build sees
 * more), and no time beyond what its size is worth. The texts of tests/fuzz/seeds are damaged, each
 * by the reader that its name belongs to. Without --count it runs without end; what was read last
 * is in fuzz_readers_last. Project files have a fuzzer of their own, and databases a test
 * (app.test_broken_database). */
#include "app/overlay/measured.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/option.h"
#include "base/rng.h"
#include "engines/horn/horn.h"
#include "engines/smtlib/smt.h"
#include "instrument/cbmc/output.h"
#include "model/system/cfa.h"

#include <stdio.h>
#include <string.h>

enum { TICKS = 20000, MOST_COMMANDS = 1000 };

/* Each says whether the text was accepted. A refusal without a message is a fault. */

static bool read_system(const struct str *text, struct err *err) {
    struct terms terms;
    struct system sys;
    terms_init(&terms);
    system_init(&sys, &terms);
    bool good = system_read(&sys, str_text(text), "text", err);
    system_free(&sys);
    terms_free(&terms);
    return good;
}

static bool read_cfa(const struct str *text, struct err *err) {
    struct terms terms;
    struct cfa cfa;
    terms_init(&terms);
    bool good = cfa_read(&cfa, &terms, str_text(text), "text", err);
    if (good)
        cfa_free(&cfa);
    terms_free(&terms);
    return good;
}

static bool read_script(const struct str *text, struct err *err) {
    struct str out = {0};
    struct smt *smt = smt_new(&(struct smt_options){.file = "text", .seed = 1, .ticks = TICKS},
                              str_text(text), text->len);
    enum smt_step step = SMT_MORE;
    for (int i = 0; i < MOST_COMMANDS && step == SMT_MORE; i++)
        step = smt_step(smt, &out, err);
    smt_free(smt);
    str_free(&out);
    return step != SMT_FAILED;
}

static bool read_horn(const struct str *text, struct err *err) {
    struct horn horn = {0};
    if (!horn_is(str_text(text), text->len))
        return err_set(err, ERR_USAGE, "no Horn clauses");
    bool good = horn_read(&horn, "text", str_text(text), text->len, err);
    horn_free(&horn);
    return good;
}

/* In pieces, as a pipe brings it. */
static bool read_cbmc(const struct str *text, struct err *err) {
    struct cbmc_output out;
    bool good = true;
    cbmc_output_init(&out);
    for (size_t at = 0; good && at < text->len; at += 7)
        good = cbmc_output_feed(&out, str_text(text) + at, text->len - at < 7 ? text->len - at : 7);
    good = good && cbmc_output_end(&out);
    cbmc_output_free(&out);
    return good || err_set(err, ERR_USAGE, "not what CBMC writes");
}

static bool read_lcov(const struct str *text, struct err *err) {
    struct measured m = {0};
    char *copy = arena_strdup(&m.arena, str_text(text));
    bool good = measured_lcov(&m, "text", copy, err);
    measured_free(&m);
    return good;
}

static bool read_json(const struct str *text, struct err *err) {
    struct measured m = {0};
    bool good = measured_json(&m, "text", str_text(text), err);
    measured_free(&m);
    return good;
}

static const struct reader {
    const char *seed;
    bool (*read)(const struct str *text, struct err *err);
} readers[] = {{"system.txt", read_system}, {"cfa.txt", read_cfa},    {"script.smt2", read_script},
               {"horn.smt2", read_horn},    {"cbmc.json", read_cbmc}, {"lines.info", read_lcov},
               {"llvm.json", read_json},    {"gcov.json", read_json}};
enum { READERS = sizeof readers / sizeof *readers };

/* ---- damage ---- */

static const char *const pieces[] = {"(",
                                     ")",
                                     "[",
                                     "]",
                                     "{",
                                     "}",
                                     "\"",
                                     "|",
                                     ",",
                                     ":",
                                     "-1",
                                     "0",
                                     "1",
                                     "64",
                                     "65",
                                     "4294967296",
                                     "18446744073709551616",
                                     "t1",
                                     "t99",
                                     "null",
                                     "true",
                                     "1e400",
                                     "\\u0000",
                                     "\\ud800",
                                     "\n",
                                     "\r",
                                     ";",
                                     "#x",
                                     "#b",
                                     "(_ BitVec 64)",
                                     "(_ BitVec 0)",
                                     "gk_taken_4294967295",
                                     "\xff",
                                     "((((((((",
                                     "[[[[[[[["};
enum { PIECES = sizeof pieces / sizeof *pieces };

static void add_part(struct str *out, const struct str *from, struct rng *rng, size_t most) {
    size_t start = from->len ? rng_below(rng, from->len) : 0, n = rng_below(rng, most);
    str_addn(out, str_text(from) + start, start + n < from->len ? n : from->len - start);
}

/* Cut, put in, doubled, exchanged for a part of another place or another text. */
static void damage(struct str *text, const struct str *other, struct rng *rng) {
    struct str out = {0};
    size_t at = rng_below(rng, text->len + 1), cut = rng_below(rng, 2) ? 0 : rng_below(rng, 40);
    size_t from = at + cut < text->len ? at + cut : text->len;
    str_addn(&out, str_text(text), at);
    switch (rng_below(rng, 5)) {
    case 0:
        str_add(&out, pieces[rng_below(rng, PIECES)]);
        break;
    case 1:
        str_addc(&out, (char)(1 + rng_below(rng, 255)));
        break;
    case 2:
        add_part(&out, text, rng, 60);
        break;
    case 3:
        add_part(&out, other, rng, 200);
        break;
    default: /* much of the same */
        for (uint64_t n = rng_below(rng, 20) ? 0 : 3000; n > 0; n--)
            str_add(&out, pieces[at % PIECES]);
    }
    str_addn(&out, str_text(text) + from, text->len - from);
    str_free(text);
    *text = out;
}

static void keep(const struct str *text) {
    FILE *f = fopen("fuzz_readers_last", "w");
    if (f) {
        fwrite(str_text(text), 1, text->len, f);
        fclose(f);
    }
}

/* ---- the run ---- */

struct tally {
    uint64_t texts, accepted[READERS];
};

static bool try_one(const struct str seeds[READERS], uint64_t seed, bool kept,
                    struct tally *tally) {
    struct rng rng;
    struct str text = {0};
    struct err err = {0};
    rng_init(&rng, seed);
    size_t which = rng_below(&rng, READERS);
    str_addn(&text, seeds[which].data, seeds[which].len);
    for (uint64_t n = rng_below(&rng, 6); n > 0; n--)
        damage(&text, &seeds[rng_below(&rng, READERS)], &rng);
    if (kept)
        keep(&text);
    bool good = readers[which].read(&text, &err), told = good || err.message.len > 0;
    tally->texts++;
    tally->accepted[which] += good;
    if (!told) {
        printf("seed %llu: %s: refused without a word\n", (unsigned long long)seed,
               readers[which].seed);
        keep(&text);
    }
    err_clear(&err);
    str_free(&text);
    return told;
}

static bool all_accepted(const struct tally *tally) {
    bool all = true;
    for (size_t i = 0; i < READERS; i++) {
        printf("%s: %llu accepted\n", readers[i].seed, (unsigned long long)tally->accepted[i]);
        all &= tally->accepted[i] > 0;
    }
    return all;
}

int main(int argc, char **argv) {
    uint64_t seed = 1, count = 0;
    struct str seeds[READERS] = {0};
    struct tally tally = {0};
    struct err err = {0};
    for (int i = 1; i + 1 < argc; i += 2)
        if (!parse_count(argv[i + 1], str_same(argv[i], "--seed") ? &seed : &count))
            return 2;
    for (size_t i = 0; i < READERS; i++) {
        char path[4096];
        snprintf(path, sizeof path, GK_SOURCE_DIR "/tests/fuzz/seeds/%s", readers[i].seed);
        if (!file_read(path, &seeds[i], &err)) {
            err_print(&err);
            return 2;
        }
    }
    bool good = true;
    for (uint64_t i = 0; good && (count == 0 || i < count); i++)
        good = try_one(seeds, seed + i, count == 0, &tally);
    good = good && all_accepted(&tally);
    for (size_t i = 0; i < READERS; i++)
        str_free(&seeds[i]);
    return !good;
}
