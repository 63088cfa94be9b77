/* Each function is one rule. Budgets grow by powers of two with the round; simulation and provers
 * get time by what they found a second of late. */
#include "app/run/policy.h"

#include <assert.h>

enum {
    GROWTH_BITS = 2,
    IDLE_ATTEMPTS = 8,
    VERY_IDLE_ATTEMPTS = 64,
    LEAST_SLICE = 1000,
    MOST_SLICE = 3000000,
    FIRST_SLICE = 300000,
    SMALL_MODULE = 300,     /* probes: above, a step takes longer */
    QUIET_STEPS = 12000000, /* without news that end the first phase */
    CBMC_SECONDS = 5,
    CBMC_DOUBLINGS = 8,
    CONFIRM_SECONDS = 15,
    CONFIRM_LEAST = 3,
    CONFIRM_PART = 3,
    CONFIRM_BITS = 1, /* growth */
    CONFIRM_TRIES = 4,
    CONFIRM_PROBES = 400, /* above, CBMC takes longer to begin with */
    LATE_PART = 3,
    LEAST_PATIENCE = 60,
    MOST_RESERVE = 5,
    RESERVE_PART = 15,
    QUIET_PART = 10,
    QUIET_WALL_PART = 3,
    SHARE_PART = 8,    /* of the time, for who finds less */
    UNKNOWN_RATE = 10, /* finds in a second of engines that have not begun */
    GOOD_RATE = 1,     /* worth going on without looking at the other */
    ENGINES_WEIGHT = 2,
    QUIET_GROWTH = 4,      /* rounds in which the patience doubles */
    ATTEMPT_SECONDS = 2,   /* of CPU time, however small the attempt is */
    ATTEMPT_TERMS = 50000, /* that are read in a second, by the slowest */
#ifdef __SANITIZE_ADDRESS__
    ATTEMPT_TICKS = 160000
#else
    ATTEMPT_TICKS = 1600000 /* the same; most engines do ten times as many */
#endif
};

double policy_attempt_cpu(uint64_t ticks, size_t terms) {
    return ATTEMPT_SECONDS + (double)terms / ATTEMPT_TERMS + (double)ticks / ATTEMPT_TICKS;
}

uint64_t policy_ticks(uint64_t start, uint32_t round, uint64_t limit) {
    assert(start > 0 && round < POLICY_ROUNDS);
    uint64_t ticks = start << (GROWTH_BITS * round);
    assert(ticks >> (GROWTH_BITS * round) == start);
    return limit && ticks > limit ? limit : ticks;
}

bool policy_has_share(uint32_t attempts, uint32_t successes, uint32_t round) {
    assert(successes <= attempts);
    if (successes > 0 || attempts < IDLE_ATTEMPTS)
        return true;
    return attempts < VERY_IDLE_ATTEMPTS ? round % 2 == 1 : round % 4 == 3;
}

static uint64_t between(uint64_t value, uint64_t least, uint64_t most) {
    return value < least ? least : value > most ? most : value;
}

static uint64_t scaled(uint64_t steps, uint32_t probes) {
    uint64_t size = probes > SMALL_MODULE ? probes : SMALL_MODULE;
    uint64_t fewer = steps * SMALL_MODULE / size;
    return fewer > LEAST_SLICE ? fewer : LEAST_SLICE;
}

struct pace policy_pace(uint32_t probes) {
    struct pace pace = {.slice = scaled(FIRST_SLICE, probes),
                        .most = scaled(MOST_SLICE, probes),
                        .patience = scaled(QUIET_STEPS, probes)};
    assert(pace.slice <= pace.most);
    return pace;
}

static const double window_seconds = 0.5;

void policy_spent(struct yield *y, double seconds, uint32_t found) {
    assert(seconds >= 0);
    if (y->seconds[0] >= window_seconds) {
        y->seconds[1] = y->seconds[0];
        y->found[1] = y->found[0];
        y->seconds[0] = y->found[0] = 0;
    }
    y->seconds[0] += seconds;
    y->found[0] += found;
    y->total += seconds;
    y->idle = found > 0 ? 0 : y->idle + seconds;
}

/* Who has found nothing for a while will hardly find more in the next one than one, whatever was
 * found in the beginning. */
static double rate(const struct yield *y) {
    double seconds = y->seconds[0] + y->seconds[1];
    double lately = seconds > 0 ? (y->found[0] + y->found[1]) / seconds : 0;
    return lately * y->idle > 1 ? 1 / y->idle : lately;
}

bool policy_simulate(const struct yield *simulation, const struct yield *engines) {
    double s = rate(simulation), e = engines->total > 0 ? rate(engines) : UNKNOWN_RATE;
    if (s > e)
        return s >= GOOD_RATE || simulation->total <= SHARE_PART * engines->total;
    if (e > s && simulation->total > 0)
        return SHARE_PART * simulation->total < engines->total;
    return ENGINES_WEIGHT * simulation->idle <= engines->idle;
}

void policy_slice_done(struct pace *pace, double seconds, double wall, bool news) {
    assert(seconds >= 0 && wall >= 0);
    pace->quiet_steps = news ? pace->quiet_steps / 2 : pace->quiet_steps + pace->slice;
    pace->quiet_seconds = news ? pace->quiet_seconds / 2 : pace->quiet_seconds + seconds;
    pace->quiet_wall = news ? pace->quiet_wall / 2 : pace->quiet_wall + wall;
    /* about a second each: short enough to be stopped, long enough to be worth its start */
    uint64_t next = seconds > 1 ? pace->slice / 2 : seconds < 0.5 ? pace->slice * 2 : pace->slice;
    pace->slice = between(next, LEAST_SLICE, pace->most);
}

bool policy_quiet(const struct pace *pace, uint32_t round, double total_seconds) {
    uint32_t bits = round < QUIET_GROWTH ? round : QUIET_GROWTH;
    return pace->quiet_steps >= pace->patience << bits ||
           pace->quiet_seconds > total_seconds / QUIET_PART ||
           pace->quiet_wall > total_seconds / QUIET_WALL_PART;
}

double policy_cbmc_seconds(uint32_t round) {
    return CBMC_SECONDS * (double)(1u << (round < CBMC_DOUBLINGS ? round : CBMC_DOUBLINGS));
}

double policy_confirm_seconds(unsigned tries, double share) {
    assert(tries <= CONFIRM_TRIES);
    double most = CONFIRM_SECONDS * (double)(1u << (CONFIRM_BITS * tries));
    return share < CONFIRM_LEAST ? CONFIRM_LEAST : share < most ? share : most;
}

double policy_confirm_cpu(unsigned tries, uint32_t probes) {
    assert(tries <= CONFIRM_TRIES);
    double size = probes > CONFIRM_PROBES ? (double)probes / CONFIRM_PROBES : 1;
    return CONFIRM_SECONDS * (double)(1u << (CONFIRM_BITS * tries)) * size;
}

bool policy_confirm_share(double spent, double spent_on_goals, bool late) {
    return spent * (late ? 1 : CONFIRM_PART) <= spent_on_goals;
}

bool policy_late(double left, double total_seconds) {
    return left * LATE_PART <= total_seconds;
}

bool policy_confirm_again(unsigned tries) {
    return tries < CONFIRM_TRIES;
}

double policy_reserve(double total_seconds) {
    assert(total_seconds >= 0);
    double part = total_seconds / RESERVE_PART;
    return part < MOST_RESERVE ? part : MOST_RESERVE;
}

double policy_patience(double elapsed) {
    return elapsed > LEAST_PATIENCE ? elapsed : LEAST_PATIENCE;
}
