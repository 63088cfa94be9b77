/* policy: the numbers of the schedule, apart from its loop, so that they can be looked at alone. */
#ifndef APP_RUN_POLICY_H
#define APP_RUN_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    POLICY_ROUNDS = 12,             /* rounds of growing budgets */
    POLICY_LEMMA_ROUNDS = 2,        /* rounds in which all goals at once are tried */
    POLICY_HOPE_ROUNDS = 2,         /* for goals that cannot be analysed */
    POLICY_GROUP = 32,              /* goals of one slice that share an attempt */
    POLICY_BUSY = 4,                /* seconds by the clock to one of CPU time */
    POLICY_TICKS_A_SECOND = 1000000 /* what a second counts in a deterministic run */
};

/* Ticks of an attempt: four times as many as in the round before, never more than what a goal may
 * cost (0: no limit). */
uint64_t policy_ticks(uint64_t start, uint32_t round, uint64_t limit);
/* CPU seconds in which any engine has used up so many ticks in a model of so many terms, unless
 * something in it does not count what it does. */
double policy_attempt_cpu(uint64_t ticks, size_t terms);

/* An engine that has decided nothing in many attempts works only every other round, and then only
 * every fourth: its time goes to the others. */
bool policy_has_share(uint32_t attempts, uint32_t successes, uint32_t round);

/* Time of a check by CBMC: more for each time that it was not enough, never more than the share of
 * what is left, unless that is too little for any answer. */
double policy_confirm_seconds(unsigned tries, double share);
/* CPU time of a check of many proofs: more in larger modules, too. */
double policy_confirm_cpu(unsigned tries, uint32_t probes);
bool policy_confirm_again(unsigned tries);
/* While goals are open it has this part of the time, and more in the last part of the run. */
bool policy_confirm_share(double spent, double spent_on_goals, bool late);
bool policy_late(double left, double total_seconds);
/* What is kept at the end of a run for proofs that were found last. */
double policy_reserve(double total_seconds);
/* For how long CBMC may look at proofs when nothing else is left to do. */
double policy_patience(double elapsed);

/* CPU time of an attempt by CBMC: doubles from round to round. */
double policy_cbmc_seconds(uint32_t round);

/* What somebody has found lately, in decided probes, and for what time of the processor. Two
 * windows of about half a second, so that what was found long ago does not count. */
struct yield {
    double seconds[2], found[2]; /* of the present window, of the one before */
    double total, idle;          /* seconds in all, and since the last find */
};
void policy_spent(struct yield *yield, double seconds, uint32_t found);
/* Is the next turn that of simulation, or that of the engines? Of him who finds more in a second;
 * the other keeps a small share. When both find nothing the engines get most of it. */
bool policy_simulate(const struct yield *simulation, const struct yield *engines);

/* How much a phase of simulation does at a time, and for how long it goes on without news. */
struct pace {
    uint64_t slice, most; /* steps of the next call; of any call */
    uint64_t quiet_steps; /* since the last news */
    uint64_t patience;    /* that many without news end the first phase */
    double quiet_seconds; /* the same in time of the processor; stays 0 in a deterministic run */
    double quiet_wall;    /* on the clock; stays 0, too */
};
/* All smaller for larger modules, whose steps take longer. */
struct pace policy_pace(uint32_t probes);
/* After a slice that took so many seconds of the processor, and on the clock (0: deterministic,
 * time has no say). How long slices are follows from the processor alone, so a busy machine gets
 * the same ones. */
void policy_slice_done(struct pace *pace, double seconds, double wall, bool news);
/* News do not make it wait for another whole while: one goal that is found says little about the
 * others. After so many steps without news; or after a tenth of the total time on the processor,
 * however few they were; on a machine so busy that this takes a third of it on the clock, then. */
bool policy_quiet(const struct pace *pace, uint32_t round, double total_seconds);

#endif
