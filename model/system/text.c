#include "model/system/text.h"

#include "model/term/value.h"

bool reader_index(struct reader *r, char letter, const char *what, size_t count, uint32_t *index) {
    assert(letter >= 'a' && letter <= 'z');
    const char *text = reader_word(r, what);
    uint64_t bits = 0;
    if (!text)
        return false;
    if (text[0] != letter || text[1] == '-' || !value_parse(32, text + 1, &bits))
        return reader_fail(r, "expected %s ('%c' and a number), found '%s'", what, letter, text);
    if (bits >= count)
        return reader_fail(r, "'%s': there are only %zu", text, count);
    *index = (uint32_t)bits;
    return true;
}

bool reader_same_name(struct reader *r, const char *what, const char *name) {
    const char *found = reader_name(r, what);
    if (!found)
        return false;
    if (str_same(found, name))
        return true;
    return reader_fail(r,
                       "this %s is called '%s' in the system, here '%s': the text was made for "
                       "another system",
                       what, name, found);
}

bool reader_end(struct reader *r) {
    if (reader_line(r))
        return reader_fail(r, "text after the end");
    return !r->failed;
}
