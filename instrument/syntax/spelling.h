/* spelling: the text of a place as its author wrote it, macros and all.
 *
 * What is analysed is preprocessed: `if (Sa1_Mode >= 3)` where the file says `if (Sa1_Mode >=
 * Ca1_ACTIVE)`. The tokens of both lines are laid side by side with the least text of macros that
 * explains the difference: a word of the file, or a word with its arguments, stands for any tokens
 * whose brackets match. Where that gives no answer, or a place begins within what a macro stands
 * for, the preprocessed text is the answer.
 *
 *     char *text = spelling_line(&unit, span, &arena);   // "Sa1_Mode >= Ca1_ACTIVE"
 */
#ifndef INSTRUMENT_SYNTAX_SPELLING_H
#define INSTRUMENT_SYNTAX_SPELLING_H

#include "instrument/syntax/unit.h"

/* On one line, like unit_line(). */
char *spelling_line(const struct unit *unit, struct span span, struct arena *arena);

#endif
