/* header_name: files that are there under almost the name that a program asks for.
 *
 * Programs that were written where "Types.h" and "types.h" are one file, and "inc\types.h" is a
 * path, name headers as they like.
 *
 *     struct str path = {0};
 *     if (header_like("include", "Inc\\Types.h", &path))
 *         … str_text(&path) is "include/inc/types.h" …
 */
#ifndef INSTRUMENT_SYNTAX_HEADER_NAME_H
#define INSTRUMENT_SYNTAX_HEADER_NAME_H

#include "base/arena.h"
#include "base/str.h"
#include "base/texts.h"

/* Appends the path of a file below `dir` that has this name but for upper and lower case and for
 * backslashes; false when there is none. */
bool header_like(const char *dir, const char *name, struct str *path);

/* The folders below `root` that have a file of this name, the nearest to the top first, at most
 * HEADER_FOLDERS; their paths live in the arena. Of a very large tree only the upper part is looked
 * at, and none that begins with a dot. */
enum { HEADER_FOLDERS = 4 };
void header_folders(const char *root, const char *name, struct arena *arena, struct texts *folders);

/* Headers that come with a code generator: what they are, and what to do about them. */
struct header_about {
    const char *start, *what, *remedy;
};
const struct header_about *header_about(const char *name); /* NULL: not known */

#endif
