/* source_map: from a place in the preprocessed text back to the user's file and line.
 *
 * Reads the line markers of the text ("# 12 \"x.c\" 3" and "#line 12 \"x.c\""), also those of
 * another machine. File names come out as the marker means them (escapes resolved). */
#ifndef INSTRUMENT_SYNTAX_SOURCE_MAP_H
#define INSTRUMENT_SYNTAX_SOURCE_MAP_H

#include "base/map.h"
#include "base/vec.h"
#include "coverage/project.h"

#include <stdbool.h>
#include <stdint.h>

struct place {
    const char *file; /* lives as long as the map */
    int line, col;    /* from 1; the column is that of the preprocessed text */
    bool system;      /* in a system header */
};

struct source_line { /* one line of the preprocessed text */
    size_t offset;
    uint32_t file; /* id in files */
    int line;
    bool system;
    bool in_comment; /* one that began in a line before */
};

struct source_map {
    struct intern files;
    VEC(struct source_line) lines; /* sorted by offset, lines.data[0].offset is 0 */
};

/* `name` is the file of the text before the first marker; names are what the project maps them to
 * (NULL: they stay, see path_map.h), and those below `dir` become relative to it (NULL: no
 * directory). */
void source_map_build(struct source_map *map, const char *text, size_t len, const char *name,
                      const struct project *project, const char *dir);
const struct source_line *source_map_line(const struct source_map *map, size_t offset);
struct place source_map_place(const struct source_map *map, size_t offset);
void source_map_free(struct source_map *map);

#endif
