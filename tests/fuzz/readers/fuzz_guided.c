/* fuzz_guided: libFuzzer on one of the readers, in a build by clang (./dev fuzz guided).
 *
 *   guided READER [options and folders of libFuzzer]      without READER: list them
 *
 * Texts change as libFuzzer does it and, in turns, by the damage of fuzz_readers, whose pieces are
 * the words of the languages. The good texts of the reader are where it begins. */
#include "readers.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

static const struct reader *reader;
static struct seeds seeds;

static void list(void) {
    for (size_t i = 0; i < READERS; i++)
        printf("%-17s %s\n", readers[i].name, readers[i].about);
}

/* The name of the reader is not for libFuzzer, whose children get the same arguments. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    reader = *argc > 1 ? reader_find((*argv)[1]) : NULL;
    if (!reader) {
        list();
        exit(*argc > 1 ? 2 : 0);
    }
    memmove(*argv + 1, *argv + 2, (size_t)(*argc - 1) * sizeof **argv);
    --*argc;
    reader_seeds(reader, &seeds);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct str text = {0};
    struct err err = {0};
    str_addn(&text, (const char *)data, size);
    bool good = reader_accepts(reader, &text, &err);
    err_clear(&err);
    str_free(&text);
    return good || size > 0 ? 0 : -1;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed) {
    struct rng rng;
    struct str text = {0};
    rng_init(&rng, seed);
    if (rng_below(&rng, 2))
        return LLVMFuzzerMutate(data, size, room);
    str_addn(&text, (const char *)data, size);
    reader_damage(&text, &seeds.data[rng_below(&rng, seeds.len)], &rng);
    size_t now = text.len < room ? text.len : room;
    if (now > 0)
        memcpy(data, text.data, now);
    str_free(&text);
    return now;
}
