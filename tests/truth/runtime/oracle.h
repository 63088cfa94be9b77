/* oracle: what stands in front of the text of the oracle.
 *
 * All variables that a step can leave to the next one lie in the section `gkstate`, so a state is
 * its bytes. Probes are inline and write bytes only, so that they hinder the compiler little.
 *
 *   seen        bit 0: it was executed, or false; bit 1: true
 *   rows        of a decision: which vectors were seen, by their code: a digit of base 3 for each
 *               condition (0: not evaluated, 1: false, 2: true) */
#ifndef ORACLE_H
#define ORACLE_H

#define GKT_STATE __attribute__((section("gkstate")))

enum { GKT_ROWS = 243 };

struct gkt_input {
    unsigned n_values;
    int is_parameter; /* keeps its value */
};

extern const struct gkt_input gkt_inputs[];
extern const unsigned gkt_n_inputs, gkt_n_marks, gkt_n_decisions;
void gkt_set(unsigned input, unsigned value);
int gkt_assumed(void);
void gkt_init(void);
void gkt_step(void);

extern unsigned char gkt_seen[], gkt_pending[], gkt_rows[];
extern unsigned gkt_code[];

/* 0 .. n-1: all of them, one after the other; an exported test has the one that is there, `is`. */
unsigned gkt_choose(unsigned n, unsigned is);
int gkt_any(void); /* what an uninitialised variable may hold */

int gkt_index(int length, int index); /* ends the run outside the array */
void gkt_exit(int code);              /* ends it */

#define GKT_S(mark) (gkt_seen[mark] = 1)
#define GKT_SWITCH(mark) (gkt_pending[mark] = 1)
/* A label that was jumped to; running into it from above leaves nothing pending. */
#define GKT_LABEL(mark, by) (gkt_seen[mark] |= gkt_pending[by], gkt_pending[by] = 0)
#define GKT_BEGIN(decision) (gkt_code[decision] = 0)

static inline int gkt_condition(unsigned decision, unsigned weight, unsigned mark, int outcome) {
    gkt_seen[mark] |= (unsigned char)(1 << outcome);
    gkt_code[decision] += weight * (unsigned)(outcome + 1);
    return outcome;
}

static inline int gkt_decided(unsigned decision, int outcome) {
    gkt_rows[decision * GKT_ROWS + gkt_code[decision]] = 1;
    return outcome;
}

static inline int gkt_branch(unsigned decision, unsigned mark, int outcome) {
    gkt_seen[mark] |= (unsigned char)(1 << outcome);
    return gkt_decided(decision, outcome);
}

#endif
