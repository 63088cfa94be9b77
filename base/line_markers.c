#include "base/line_markers.h"

#include "base/vec.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { MOST_LINES = 1 << 20 };

/* `# 12 "x.c" 3` and `#line 12 "x.c"`: the file goes to `name`, escapes resolved. 0: no marker. */
static long marker(const char *line, size_t len, struct str *name) {
    const char *p = line, *end = line + len;
    long number = 0;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (p == end || *p++ != '#')
        return 0;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (end - p > 4 && strncmp(p, "line", 4) == 0)
        p += 4;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    for (; p < end && isdigit((unsigned char)*p) && number < MOST_LINES; p++)
        number = 10 * number + (*p - '0');
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (number == 0 || p == end || *p++ != '"')
        return 0;
    str_clear(name);
    for (; p < end && *p != '"'; p++) {
        p += *p == '\\' && p + 1 < end;
        str_addc(name, *p);
    }
    return number;
}

struct line {
    const char *text;
    size_t len;
};

bool line_markers_file(const char *text, size_t len, const char *file,
                       bool (*is)(const char *, const char *), struct str *out) {
    VEC(struct line) lines = {0};
    struct str name = {0};
    long at = 0; /* of the next line, 0: in another file */
    assert(text || len == 0);
    for (size_t i = 0; i < len;) {
        const char *newline = memchr(text + i, '\n', len - i);
        size_t n = newline ? (size_t)(newline - text) - i : len - i;
        long number = marker(text + i, n, &name);
        if (number > 0) {
            at = is(str_text(&name), file) ? number : 0;
        } else if (at > 0 && at < MOST_LINES) {
            while (lines.len < (size_t)at)
                vec_push(&lines, (struct line){"", 0});
            lines.data[at++ - 1] = (struct line){text + i, n};
        }
        i += n + 1;
    }
    for (size_t i = 0; i < lines.len; i++) {
        str_addn(out, lines.data[i].text, lines.data[i].len);
        str_addc(out, '\n');
    }
    bool found = lines.len > 0;
    vec_free(&lines);
    str_free(&name);
    return found;
}
