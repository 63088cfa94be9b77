/* value: the bits of a sort as people write them.
 *
 *   bool    true, false
 *   int     decimal, signed as the variable is; when read: 0x too, from -2^(w-1) to 2^w - 1
 *   float   the shortest decimal if a few digits are exact, else a hex float; inf, -inf, nan
 */
#ifndef MODEL_TERM_VALUE_H
#define MODEL_TERM_VALUE_H

#include "base/str.h"
#include "model/term/ordinal.h"

void value_print(sort_t sort, bool is_signed, uint64_t bits, struct str *out);
/* False if the text is no value of that sort. */
bool value_parse(sort_t sort, const char *text, uint64_t *bits);
/* The sort with that name, SORT_NONE if there is none. */
sort_t sort_parse(const char *text);

#endif
