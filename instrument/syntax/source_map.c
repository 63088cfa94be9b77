/* The text is read once, line by line; places are then found by bisection over the markers. */
#include "instrument/syntax/source_map.h"

#include "base/str.h"
#include "instrument/syntax/path_map.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* What the lines that follow are called. */
struct naming {
    uint32_t file;
    int line;
    bool system;
};

/* A line marker starts at `text`: reads it into `next`. */
struct marker_reader {
    const char *at, *end;
};

static void skip_blanks(struct marker_reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
}

static bool read_number(struct marker_reader *r, int *number) {
    skip_blanks(r);
    const char *start = r->at;
    *number = 0;
    while (r->at < r->end && isdigit((unsigned char)*r->at) && *number < 100000000)
        *number = *number * 10 + (*r->at++ - '0');
    return r->at > start;
}

static bool read_name(struct marker_reader *r, struct str *name) {
    skip_blanks(r);
    if (r->at >= r->end || *r->at != '"')
        return false;
    for (r->at++; r->at < r->end && *r->at != '"'; r->at++) {
        if (*r->at == '\\' && r->at + 1 < r->end)
            r->at++;
        str_addc(name, *r->at);
    }
    r->at++;
    return true;
}

/* What names of files are read with. */
struct names {
    const struct project *project;
    const char *dir;
};

/* As the project maps it; absolute names below its directory are shown relative to that. */
static uint32_t name_id(struct source_map *map, const char *name, const struct names *names) {
    struct str mapped = {0};
    path_map_name(names->project, name, &mapped);
    const char *shown = str_text(&mapped);
    size_t len = names->dir ? strlen(names->dir) : 0;
    if (len > 0 && strncmp(shown, names->dir, len) == 0 && shown[len] == '/')
        shown += len + 1;
    else if (str_starts(shown, "./"))
        shown += 2;
    uint32_t id = intern_id(&map->files, shown);
    str_free(&mapped);
    return id;
}

static bool read_marker(struct source_map *map, const char *line, const char *end,
                        const struct names *names, struct naming *next) {
    struct marker_reader r = {line + 1, end};
    skip_blanks(&r);
    if (r.end - r.at > 4 && strncmp(r.at, "line", 4) == 0)
        r.at += 4;
    int number, flag;
    if (!read_number(&r, &number))
        return false;
    struct str name = {0};
    if (read_name(&r, &name)) {
        next->file = name_id(map, str_text(&name), names);
        next->system = false;
        while (read_number(&r, &flag))
            next->system |= flag == 3;
    }
    str_free(&name);
    next->line = number;
    return true;
}

/* Where a scan of C text stands at the start of a line. Only comments span lines. */
static bool comment_open_after(const char *at, const char *end, bool open) {
    for (; at < end; at++) {
        if (open) {
            if (*at == '*' && at + 1 < end && at[1] == '/')
                open = false, at++;
        } else if (*at == '/' && at + 1 < end && at[1] == '/') {
            return false;
        } else if (*at == '/' && at + 1 < end && at[1] == '*') {
            open = true, at++;
        } else if (*at == '"' || *at == '\'') {
            char quote = *at++;
            for (; at < end && *at != quote; at++)
                at += *at == '\\';
        }
    }
    return open;
}

void source_map_build(struct source_map *map, const char *text, size_t len, const char *name,
                      const struct project *project, const char *dir) {
    assert(map->lines.len == 0);
    struct names names = {project, dir};
    struct naming now = {name_id(map, name, &names), 1, false};
    bool in_comment = false;
    const char *stop = text + len;
    for (const char *line = text; line <= stop;) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        end = end ? end : stop;
        struct source_line entry = {(size_t)(line - text), now.file, now.line, now.system,
                                    in_comment};
        vec_push(&map->lines, entry);
        bool marker =
            !in_comment && line < end && *line == '#' && read_marker(map, line, end, &names, &now);
        if (!marker) {
            now.line++;
            in_comment = comment_open_after(line, end, in_comment);
        }
        line = end + 1;
    }
    assert(map->lines.len > 0);
}

const struct source_line *source_map_line(const struct source_map *map, size_t offset) {
    assert(map->lines.len > 0);
    size_t low = 0, high = map->lines.len; /* lines.data[low].offset <= offset */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (map->lines.data[middle].offset <= offset)
            low = middle;
        else
            high = middle;
    }
    return &map->lines.data[low];
}

struct place source_map_place(const struct source_map *map, size_t offset) {
    const struct source_line *line = source_map_line(map, offset);
    return (struct place){intern_text(&map->files, line->file), line->line,
                          (int)(offset - line->offset) + 1, line->system};
}

void source_map_free(struct source_map *map) {
    intern_free(&map->files);
    vec_free(&map->lines);
    *map = (struct source_map){0};
}
