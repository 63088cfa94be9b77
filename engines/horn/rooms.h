/* rooms: what states have in common, as samples show it.
 *
 * A room is a part of the states: a place of a program, or what of a place has one value of a cell
 * that is compared with several constants (a "mode": programs keep their state in such cells). Of
 * the states in a room is kept
 *
 *     the values of each cell, while they are few
 *     the smallest and the largest, while they do not keep moving; of a place also those of sums
 *     and differences of two numbers, and their linear equations
 *     of bit-vectors of a place the last bits, and which of two is smaller
 *
 * With each sample something of that gives way, and only so often: to take samples of what is not
 * covered comes to an end.
 */
#ifndef ENGINES_HORN_ROOMS_H
#define ENGINES_HORN_ROOMS_H

#include "engines/horn/definitions.h"
#include "model/system/system.h"

struct rooms;

/* `places` are conditions on states of which at most one holds. NULL: there is nothing to keep. */
struct rooms *rooms_open(const struct system *sys, const struct horn_terms *places);
void rooms_close(struct rooms *r);

/* Rooms are only added. */
size_t rooms_count(const struct rooms *r);
/* What holds in this room, and says nothing of states outside of it. */
term_t rooms_term(struct rooms *r, size_t room);
/* The same of all rooms, or of places only, one by one. */
void rooms_conditions(struct rooms *r, bool parts_too, struct horn_terms *out);

/* A state, by index of the variable: constants, for each cell. */
void rooms_take(struct rooms *r, const struct horn_terms *state);

/* What would let much of a room give way at once: the room that this state is new in, and one
 * condition for each cell of it that can still give way, but for those that were refused. */
uint32_t rooms_wishes(struct rooms *r, const struct horn_terms *state, struct horn_terms *wishes);
void rooms_refuse(struct rooms *r, uint32_t room, term_t wish);
term_t rooms_here(const struct rooms *r, uint32_t room);

#endif
