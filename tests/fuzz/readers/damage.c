/* How texts are damaged; libFuzzer gets the same pieces as words. */
#include "readers.h"

#include <string.h>

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

void reader_damage(struct str *text, const struct str *other, struct rng *rng) {
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
