/* table: the table of state cells that the woven text brings along under GK_NATIVE.
 *
 * Row i of gk_cells says where module.state[i] lies; bit-fields have no address and are read by
 * gk_cell_read(i). From it cells get their names, and module.state its terms. */
#ifndef INSTRUMENT_LOWER_TABLE_H
#define INSTRUMENT_LOWER_TABLE_H

#include "base/err.h"
#include "model/term/term.h"

struct lowering;

/* After lower_state_prepare(). A module without state needs no table. */
bool lower_table_read(struct lowering *lw, struct err *err);
/* module.state[i] at the start of a step; 0 for pointers, and for the bits of a float that may be
 * NaN. Leaves `now` at the start of a step. */
term_t lower_table_term(struct lowering *lw, uint32_t i);
/* Cells that must be kept because module.state lists them. */
bool lower_table_lists(const struct lowering *lw, uint32_t cell);

#endif
