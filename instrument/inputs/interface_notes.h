/* interface_notes: the comment that belongs to a declaration.
 *
 * In this order: comments between the declared name and the end of its declarator; comments behind
 * it on the same line; the comment that ends on the line before the declaration and starts a line
 * itself. */
#ifndef INSTRUMENT_INPUTS_INTERFACE_NOTES_H
#define INSTRUMENT_INPUTS_INTERFACE_NOTES_H

#include "instrument/inputs/ranges.h"
#include "instrument/syntax/unit.h"

/* What the comments of this declaration of a variable, parameter or member say about its values.
 * `offset` is the place of the comment. */
bool note_of_declaration(const struct unit *unit, CXCursor decl, struct arena *arena,
                         struct range_note *note, size_t *offset);

#endif
