#include "base/str.h"

#include "base/mem.h"
#include "base/vec.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static void str_room(struct str *s, size_t more) {
    (void)vec_reserve(s, s->len + more + 1);
}

void str_addn(struct str *s, const char *text, size_t len) {
    assert(!s->data || text + len <= s->data || text >= s->data + s->cap); /* not from itself */
    str_room(s, len);
    memcpy(s->data + s->len, text, len);
    s->len += len;
    s->data[s->len] = '\0';
    assert(s->len < s->cap);
}

void str_add(struct str *s, const char *text) {
    str_addn(s, text, strlen(text));
}

void str_addc(struct str *s, char c) {
    str_addn(s, &c, 1);
}

void str_vaddf(struct str *s, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    assert(len >= 0 && "the format is invalid");
    str_room(s, (size_t)len);
    vsnprintf(s->data + s->len, (size_t)len + 1, format, again);
    va_end(again);
    s->len += (size_t)len;
}

void str_addf(struct str *s, const char *format, ...) {
    va_list args;
    va_start(args, format);
    str_vaddf(s, format, args);
    va_end(args);
}

const char *str_text(const struct str *s) {
    return s->data ? s->data : "";
}

void str_clear(struct str *s) {
    s->len = 0;
    if (s->data)
        s->data[0] = '\0';
}

void str_free(struct str *s) {
    vec_free(s);
}

char *str_detach(struct str *s) {
    char *text = s->data ? s->data : mem_strdup("");
    *s = (struct str){0};
    return text;
}

bool str_starts(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *text, const char *suffix) {
    size_t len = strlen(text), tail = strlen(suffix);
    return len >= tail && memcmp(text + len - tail, suffix, tail) == 0;
}

bool str_same(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}
