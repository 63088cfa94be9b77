/* unordered: expressions whose value or effects depend on an order that C leaves open.
 *
 * C orders neither operands nor arguments nor elements of an initialiser (C11 6.5p3, 6.5.2.2p10,
 * 6.7.9p23): gcc for i386 goes from right to left, clang from left to right. That matters where
 * one of them writes what another reads or writes. Operands of && || , and ?: are ordered, and so
 * are the operands of an assignment before what it stores.
 *
 *     struct unordered_list found = {0};
 *     unordered_find(&scan, true, &found);                   // after scan_reach()
 *
 * What rounds reads the rounding mode, which a call may set.
 *
 * Only functions that run in a step or during initialisation are looked at. Several reads of
 * volatile objects do not count: each is an input of its own, whatever comes first.
 */
#ifndef INSTRUMENT_INPUTS_UNORDERED_H
#define INSTRUMENT_INPUTS_UNORDERED_H

#include "instrument/inputs/effects.h"

/* Two operands that conflict. */
struct unordered {
    uint32_t operands; /* index in scan.operands */
    uint32_t a, b;     /* a < b: which of its operands */
    /* One evaluation of a and one of b conflict and no others do, and one of them is a call, which
     * nothing can interrupt: then C allows just two orders, a before b and b before a. */
    bool two_orders;
    const char *what; /* the first object that they share, as a path */
};
VEC_STRUCT(unordered_list, struct unordered);

/* Texts live in the arena of the scan. `goals_inside`: operands without a call have goals, too, so
 * that it matters for them whether a call of exit() comes first. */
void unordered_find(struct scan *scan, bool goals_inside, struct unordered_list *found);

#endif
