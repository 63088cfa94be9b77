#include "instrument/syntax/markers.h"

#include <ctype.h>
#include <string.h>

/* Is this line a line marker? Then `name` is its file name with the quotes. */
static bool is_marker(const char *line, const char *end, const char **name, const char **name_end) {
    const char *at = line;
    if (at >= end || *at++ != '#')
        return false;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (end - at > 4 && strncmp(at, "line", 4) == 0)
        at += 4;
    while (at < end && (*at == ' ' || *at == '\t' || isdigit((unsigned char)*at)))
        at++;
    *name = at;
    *name_end = end;
    while (*name_end > at && (*name_end)[-1] != '"')
        (*name_end)--;
    return at < end && *at == '"' && isdigit((unsigned char)at[-2]) && *name_end - at >= 2;
}

static bool has_lone_backslash(const char *name, const char *end) {
    for (const char *at = name; at < end; at++)
        if (*at == '\\') {
            if (at + 1 >= end || at[1] != '\\')
                return true;
            at++;
        }
    return false;
}

bool markers_mend(const struct str *text, struct str *mended) {
    bool any = false;
    const char *stop = text->data + text->len, *name, *name_end;
    for (const char *line = text->data; line && line < stop;) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        end = end ? end : stop;
        if (is_marker(line, end, &name, &name_end) && has_lone_backslash(name, name_end)) {
            any = true;
            str_addn(mended, line, (size_t)(name - line));
            for (const char *at = name; at < name_end; at++)
                str_addn(mended, "\\\\", *at == '\\' ? 2 : 0), str_addn(mended, at, *at != '\\');
            str_addn(mended, name_end, (size_t)(end - name_end));
        } else {
            str_addn(mended, line, (size_t)(end - line));
        }
        str_addc(mended, '\n');
        line = end + 1;
    }
    return any;
}

bool markers_present(const char *text, size_t len) {
    const char *stop = text + len, *name, *name_end;
    for (const char *line = text; line < stop;) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        end = end ? end : stop;
        if (is_marker(line, end, &name, &name_end))
            return true;
        line = end + 1;
    }
    return false;
}
