/* words: a reason as text. */
#ifndef APP_BECAUSE_WORDS_H
#define APP_BECAUSE_WORDS_H

#include "app/because/freed.h"

/* "`Cal_Gain` is 0 (cal.c:23)", "`Speed` is at most 70", an assumption as it was written. */
void words_promise(const struct freed *f, struct promised what, struct str *out);
/* "`Cal_Gain` = 3": what.bits as a value of the input */
void words_value(const struct freed *f, struct promised what, struct str *out);
/* The label that verdicts have of it: "Speed in [0, 70]", "Cal_Gain = 0". */
void words_label(const struct freed *f, struct promised what, struct str *out);
/* "`x` never exceeds 21", and what that is by the scaling of a variable of the module; "in the loop
 * look_up:90: …" where loops are kept and that is all it is about */
void words_clause(const struct freed *f, const struct system *sys, const struct clause *c,
                  struct str *out);
/* Both bounds of one cell: "`x` stays within 0 .. 21". False, and nothing written: they are not. */
bool words_between(const struct freed *f, const struct system *sys, const struct clause *c,
                   const struct clause *d, struct str *out);

#endif
