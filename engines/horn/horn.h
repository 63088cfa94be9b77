/* horn: transition systems of others, written as Horn clauses with one predicate.
 *
 *     (set-logic HORN)
 *     (declare-fun state (Int Bool) Bool)
 *     (assert (forall ((x Int) (b Bool)) (=> (= x 0) (state x b))))                    ; initial
 *     (assert (forall ((x Int) (y Int) (b Bool) (c Bool))
 *             (=> (and (state x b) (= y (+ x 1))) (state y c))))                       ; a step
 *     (assert (forall ((x Int) (b Bool)) (=> (state x b) (<= x 9))))                   ; the
 * property (check-sat)
 *
 * The arguments of the predicate are the cells. What else a clause quantifies is an input; a
 * relation between cells and their next values stays one: next values are inputs, and the relation
 * is step_ok. Several clauses of a kind are chosen from by an input. The one target is hit where
 * the property fails: `sat`, there is such a predicate, means that it is dead.
 *
 * Bool, bit-vectors of 1 to 64 bits, Int and Real, linear. Systems in VMT (vmt.h) and BTOR2
 * (btor2.h) become the same.
 */
#ifndef ENGINES_HORN_HORN_H
#define ENGINES_HORN_HORN_H

#include "model/system/trace.h"

struct smt;

enum horn_form { HORN_NONE, HORN_CLAUSES, HORN_VMT, HORN_BTOR2 };

struct horn {
    enum horn_form form;
    struct smt *smt; /* holds the terms */
    struct system sys;
    const char *predicate; /* what an invariant is called */
    bool numbers;          /* Int or Real occur: only Z3 can be asked */
};

/* What the text is; HORN_NONE: no transition system. It must live as long as `horn`. */
enum horn_form horn_form(const char *text, size_t len);
bool horn_read(struct horn *horn, const char *file, const char *text, size_t len, struct err *err);
void horn_free(struct horn *horn); /* also after a failure */

#endif
