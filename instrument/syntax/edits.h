/* edits: changes to one text, collected in any order, applied at once.
 *
 * Offsets always mean the original text. Each insertion belongs to a range [begin, end): an opening
 * stands before `begin`, a closing after `end`. At one offset, closings come before openings; an
 * inner range closes first and an outer range opens first; equal ranges nest in the order of the
 * calls (the first call is the outermost). So insertions that nest in the program nest in the
 * result, whoever adds them, and a plain insertion before a function or a statement is an opening
 * of that function's or statement's range.
 *
 * A replacement takes the place of the original text. Edits whose range lies inside it are dropped,
 * those with the same range or around it stay. Of two overlapping replacements the one that starts
 * first wins, then the larger one, then the later one.
 *
 * A text can quote the original: what edits_quote() returns stands, inside the text of any edit,
 * for the part [begin, end) of the original with its replacements made and its insertions left out.
 *
 *     struct edits edits = {0};
 *     edits_wrap(&edits, begin, end, "(flag = !!(", "))");
 *     edits_replace(&edits, 10, 14, "pid__X_xi");
 *     edits_apply(&edits, text, len, &result);
 *     edits_free(&edits);
 */
#ifndef INSTRUMENT_SYNTAX_EDITS_H
#define INSTRUMENT_SYNTAX_EDITS_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

#include <stdint.h>

enum edit_kind { EDIT_CLOSE, EDIT_REPLACE, EDIT_OPEN };

struct edit {
    size_t begin, end;
    enum edit_kind kind;
    uint32_t order; /* of the call */
    const char *text;
};

struct edits {
    struct arena arena; /* owns the texts */
    VEC(struct edit) list;
    size_t sorted; /* that many are in the order of the output */
};

/* Texts are copied. begin <= end. Empty texts are allowed. */
void edits_open(struct edits *edits, size_t begin, size_t end, const char *text);
void edits_close(struct edits *edits, size_t begin, size_t end, const char *text);
void edits_wrap(struct edits *edits, size_t begin, size_t end, const char *open, const char *close);
void edits_replace(struct edits *edits, size_t begin, size_t end, const char *text);

const char *edits_quote(struct edits *edits, size_t begin, size_t end); /* lives with `edits` */

/* Appends the edited text to `result`. edits_apply_range does the same for the part [begin, end) of
 * the text, with the edits whose own range lies within it: what hoisting needs to copy an
 * initialiser with its renamed identifiers. Further edits may be added afterwards. */
void edits_apply(struct edits *edits, const char *text, size_t len, struct str *result);
void edits_apply_range(struct edits *edits, const char *text, size_t begin, size_t end,
                       struct str *result);
void edits_free(struct edits *edits);

#endif
