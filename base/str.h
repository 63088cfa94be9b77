/* str: a growing text buffer, always terminated.
 *
 *     struct str s = {0};
 *     str_addf(&s, "%d goals", n);
 *     puts(str_text(&s));
 *     str_free(&s);
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>

struct str {
    char *data; /* NULL while nothing was added: read through str_text() */
    size_t len, cap;
};

void str_add(struct str *s, const char *text);
void str_addn(struct str *s, const char *text, size_t len);
void str_addc(struct str *s, char c);
void str_addf(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_vaddf(struct str *s, const char *format, va_list args);
const char *str_text(const struct str *s); /* "" when empty */
void str_clear(struct str *s);             /* keeps the memory */
void str_free(struct str *s);
char *str_detach(struct str *s); /* the caller owns the text, the buffer is empty */

bool str_starts(const char *text, const char *prefix);
bool str_ends(const char *text, const char *suffix);
bool str_same(const char *a, const char *b); /* NULL equals only NULL */

#endif
