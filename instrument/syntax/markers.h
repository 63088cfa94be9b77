/* markers: text with line markers of other machines ("# 12 \"C:\\x\\y.c\""). */
#ifndef INSTRUMENT_SYNTAX_MARKERS_H
#define INSTRUMENT_SYNTAX_MARKERS_H

#include "base/str.h"

/* Appends the text, with the backslashes of markers doubled where they hold lone ones; false when
 * no marker needs it. */
bool markers_mend(const struct str *text, struct str *mended);

/* Does the text name another place for some of its lines? Then what is at its n-th line is not what
 * places call line n. */
bool markers_present(const char *text, size_t len);

#endif
