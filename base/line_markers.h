/* line_markers: a file of the user's as far as a preprocessed text still shows it.
 *
 * The lines of a preprocessed source are numbered by its line markers, those of goals too: shown
 * with numbers of its own the text would stand beside other goals. What the preprocessor left out
 * stays empty.
 *
 *     struct str text = {0};
 *     if (line_markers_file(source, len, "src/x.c", same_name, &text)) …
 */
#ifndef BASE_LINE_MARKERS_H
#define BASE_LINE_MARKERS_H

#include "base/str.h"

#include <stdbool.h>

/* The lines that markers of `text` give to `file`, each at its number; false: they name no line of
 * it, and nothing is added. `is` compares the name in a marker with `file`. */
bool line_markers_file(const char *text, size_t len, const char *file,
                       bool (*is)(const char *marked, const char *file), struct str *out);

#endif
