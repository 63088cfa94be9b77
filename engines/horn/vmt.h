/* vmt: a transition system in VMT: SMT-LIB whose definitions say by attributes what they are.
 *
 *     (declare-fun x () Int)
 *     (declare-fun y () Int)
 *     (define-fun n () Int (! x :next y))               ; y is x after a step
 *     (define-fun i () Bool (! (= x 0) :init true))
 *     (define-fun t () Bool (! (= y (+ x 2)) :trans true))
 *     (define-fun p () Bool (! (not (= x 7)) :invar-property 0))
 *
 * Several of a kind hold together. Variables without :next are inputs. Bool, bit-vectors of 1 to 64
 * bits, Int and Real, linear; :live-property is an error with its place.
 */
#ifndef ENGINES_HORN_VMT_H
#define ENGINES_HORN_VMT_H

#include "engines/horn/horn.h"

/* Does a definition before the first command of a solver have such an attribute? */
bool vmt_is(const char *text, size_t len);
/* `horn` has its terms, whose reader has the text, and an empty system. */
bool vmt_read(struct horn *horn, struct err *err);

#endif
