/* Goes through the states that a module can reach, with all values of its inputs, breadth first; a
 * state is the bytes of the section `gkstate`. Past the limits it walks at random. Writes
 * "complete" or "partial", the number of states and steps, and what was seen. */
#include "oracle.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHOICES_MAX = 10, INPUTS_MAX = 24, TABLE = 1 << 16, STATES_MAX = 20000, WALK = 400 };

void gkt_tell(FILE *out);

extern char __start_gkstate[], __stop_gkstate[];
static volatile char always_there GKT_STATE = 1; /* the section has a byte */

static unsigned steps_max; /* of the search; as many are walked when it does not end */
static char *states;
static unsigned n_states, table[TABLE]; /* number of the state + 1 */
static unsigned choices[CHOICES_MAX], n_choices, next_choice, steps, n_ended;
static unsigned long long dice = 88172645463325252u;
static int blind;   /* forged: only the first value of each input is seen */
static int walking; /* at random */
static int incomplete;
static sigjmp_buf trap;

static unsigned roll(unsigned n) {
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (unsigned)((dice >> 11) % n);
}

/* The choices of a step are counted up like digits, until all of them were seen. */
unsigned gkt_choose(unsigned n, unsigned is) {
    (void)is;
    if (blind)
        return 0;
    if (next_choice == CHOICES_MAX)
        incomplete = 1;
    if (walking || next_choice == CHOICES_MAX)
        return roll(n);
    if (next_choice == n_choices)
        choices[n_choices++] = n - 1;
    return choices[next_choice++];
}

static int next_choices(void) {
    while (n_choices > 0 && choices[n_choices - 1] == 0)
        n_choices--;
    if (n_choices == 0)
        return 0;
    choices[n_choices - 1]--;
    return 1;
}

int gkt_any(void) {
    static const int values[] = {0, 1, -1, 7, -2147483647 - 1, 2147483647, 0x7fc00000, 255};
    return values[roll(sizeof values / sizeof *values)];
}

int gkt_index(int length, int index) {
    if (index < 0 || index >= length)
        siglongjmp(trap, 1);
    return index;
}

void gkt_exit(int code) {
    (void)code;
    siglongjmp(trap, 1);
}

static size_t state_size(void) {
    return (size_t)(__stop_gkstate - __start_gkstate);
}

static char *state(unsigned number) {
    return states + number * state_size();
}

static unsigned hash(const char *bytes, size_t n) {
    unsigned long long h = 14695981039346656037u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)bytes[i]) * 1099511628211u;
    return (unsigned)(h ^ h >> 29) % TABLE;
}

static void add_state(void) {
    unsigned at = hash(__start_gkstate, state_size());
    for (; table[at]; at = (at + 1) % TABLE)
        if (memcmp(state(table[at] - 1), __start_gkstate, state_size()) == 0)
            return;
    if (n_states == STATES_MAX) {
        incomplete = 1;
        return;
    }
    memcpy(state(n_states), __start_gkstate, state_size());
    table[at] = ++n_states;
}

static int set_inputs(const unsigned *chosen, int parameters) {
    for (unsigned i = 0; i < gkt_n_inputs; i++)
        if (parameters || !gkt_inputs[i].is_parameter)
            gkt_set(i, chosen[i]);
    return gkt_assumed();
}

/* The next values of the inputs; 0 after the last. */
static int next_values(unsigned *chosen, int parameters) {
    if (blind)
        return 0;
    for (unsigned i = 0; i < gkt_n_inputs; i++) {
        if (!parameters && gkt_inputs[i].is_parameter)
            continue;
        if (++chosen[i] < gkt_inputs[i].n_values)
            return 1;
        chosen[i] = 0;
    }
    return 0;
}

static void random_values(unsigned *chosen) {
    for (unsigned i = 0; i < gkt_n_inputs; i++)
        chosen[i] = blind ? 0 : roll(gkt_inputs[i].n_values);
}

static void trapped(int signal_number) {
    (void)signal_number;
    siglongjmp(trap, 1);
}

static void forget_pending(void) {
    memset(gkt_pending, 0, gkt_n_marks);
}

/* From the state `from`, run() with every outcome of its choices. A run that traps ends. */
static void all_outcomes(const char *from, const unsigned *chosen, int first) {
    n_choices = 0;
    do {
        steps++;
        memcpy(__start_gkstate, from, state_size());
        next_choice = 0;
        if (set_inputs(chosen, first) && sigsetjmp(trap, 1) == 0) {
            forget_pending();
            if (first)
                gkt_init();
            else
                gkt_step();
            n_ended += !first;
            add_state();
        }
    } while (next_choices() && steps < steps_max);
}

/* All states, or as many as the limit allows. */
static void search(const char *reset) {
    unsigned chosen[INPUTS_MAX] = {0};
    do
        all_outcomes(reset, chosen, 1);
    while (next_values(chosen, 1) && steps < steps_max / 2);
    for (unsigned from = 0; from < n_states; from++)
        do
            all_outcomes(state(from), chosen, 0);
        while (steps < steps_max && next_values(chosen, 0));
    incomplete |= steps >= steps_max / 2;
}

/* Runs of many steps from reset, at random; an input often keeps its value. */
static void walk(const char *reset) {
    unsigned chosen[INPUTS_MAX] = {0}, last[INPUTS_MAX] = {0};
    walking = 1;
    for (unsigned done = 0; done < steps_max; done += WALK) {
        memcpy(__start_gkstate, reset, state_size());
        do
            random_values(chosen);
        while (!set_inputs(chosen, 1) && ++done < steps_max);
        if (sigsetjmp(trap, 1) != 0)
            continue;
        forget_pending();
        gkt_init();
        for (unsigned i = 0, keep = roll(5); i < WALK; i++) {
            memcpy(last, chosen, sizeof last);
            if (roll(5) >= keep)
                random_values(chosen);
            if (!set_inputs(chosen, 0)) {
                memcpy(chosen, last, sizeof last);
                set_inputs(chosen, 0);
            }
            gkt_step();
            n_ended++;
        }
    }
}

int main(int argc, char **argv) {
    steps_max = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 100000;
    blind = argc > 2 && strcmp(argv[2], "blind") == 0;
    signal(SIGFPE, trapped);
    states = malloc(STATES_MAX * state_size());
    char *reset = malloc(state_size());
    if (!states || !reset || !always_there || gkt_n_inputs > INPUTS_MAX)
        abort();
    memcpy(reset, __start_gkstate, state_size());
    alarm(60);
    search(reset);
    if (incomplete)
        walk(reset);
    printf("%s %u %u %u\n", incomplete ? "partial" : "complete", n_states, steps, n_ended);
    gkt_tell(stdout);
    return 0;
}
