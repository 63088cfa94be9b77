/* places: the values that the Boolean cells of a system can have together, and which can follow
 * which. Found by asking, not by reading: whatever the relation looks like. */
#ifndef ENGINES_HORN_PLACES_H
#define ENGINES_HORN_PLACES_H

#include "engines/horn/definitions.h"
#include "engines/query/query.h"
#include "model/system/system.h"

enum { PLACES_MOST_CELLS = 20, PLACES_MOST = 160, PLACES_MOST_EDGES = 400 };

struct place_edge {
    uint32_t from, to; /* places */
};

struct places {
    struct horn_terms cells; /* Boolean cells: bit i of a place is the value of cells[i] */
    VEC(uint32_t) at;        /* by place */
    VEC(struct place_edge) edges;
    size_t initial; /* the first ones are where runs start */
};

/* False: too many, or Z3 could not say. */
bool places_find(struct places *p, const struct system *sys, const struct query_options *how);
void places_free(struct places *p);

bool places_bit(const struct places *p, uint32_t place, size_t cell);
/* The Boolean cells have the values of this place. */
term_t places_term(const struct places *p, struct terms *ts, uint32_t place);

#endif
