/* Goes through all states that a module can reach, with all its inputs, and writes what was seen at
 * each mark. All variables of the module lie in the section `gkstate`: a state is its bytes. */
#include "truth.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MARKS_MAX = 4096, TABLE = 1 << 18, STATES_MAX = 60000, STEPS_MAX = 4000000, SECONDS = 20 };

extern char __start_gkstate[], __stop_gkstate[];

volatile unsigned char truth_seen[MARKS_MAX];
static signed char outcome_of[MARKS_MAX]; /* of a condition, in the decision at hand; -1: none */
static char *states;
static unsigned n_states, table[TABLE]; /* number of the state + 1 */
static sigjmp_buf trap;

/* ---- masking MC/DC, by its definition ---- */

static void forget(unsigned node) {
    const struct truth_node *n = &truth_nodes[node];
    if (n->op == 'c') {
        outcome_of[n->left] = -1;
        return;
    }
    forget(n->left);
    if (n->op != '!')
        forget(n->right);
}

static int value_of(unsigned node) {
    const struct truth_node *n = &truth_nodes[node];
    int left = n->op == 'c' ? outcome_of[n->left] : value_of(n->left);
    if (n->op == 'c' || left < 0)
        return left;
    if (n->op == '!')
        return !left;
    return left == (n->op == '&') ? value_of(n->right) : left;
}

/* The value of `node` decides: which conditions in it do? An operand that short-circuits leaves the
 * other without a value; an operand whose value is not neutral masks those before it. */
static void credit(unsigned node) {
    const struct truth_node *n = &truth_nodes[node];
    if (n->op == 'c') {
        if (outcome_of[n->left] >= 0)
            truth_seen[n->left] |= (unsigned char)(4 << outcome_of[n->left]);
        return;
    }
    int right = n->op == '!' ? -1 : value_of(n->right);
    if (right < 0 || right == (n->op == '&'))
        credit(n->left);
    if (right >= 0)
        credit(n->right);
}

void truth_begin(unsigned mark) {
    forget(truth_marks[mark].about);
}

int truth_end(unsigned mark, int outcome) {
    truth_seen[mark] |= (unsigned char)(1 << outcome);
    if (value_of(truth_marks[mark].about) != outcome)
        abort();
    credit(truth_marks[mark].about);
    return outcome;
}

int truth_condition(unsigned mark, int outcome) {
    truth_seen[mark] |= (unsigned char)(1 << outcome);
    outcome_of[mark] = (signed char)outcome;
    return outcome;
}

void truth_switch(unsigned mark, long long value) {
    unsigned other = truth_n_marks, entered = truth_n_marks;
    for (unsigned m = 0; m < truth_n_marks; m++)
        if (truth_marks[m].kind == 'L' && truth_marks[m].about == mark) {
            if (truth_marks[m].label < 0)
                other = m;
            else if (truth_marks[m].label == value)
                entered = m;
        }
    entered = entered < truth_n_marks ? entered : other;
    if (entered < truth_n_marks)
        truth_seen[entered] |= 1;
}

/* ---- states ---- */

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
    for (unsigned i = 0; i < truth_n_inputs; i++)
        truth_input(i, 0);
    unsigned at = hash(__start_gkstate, state_size());
    for (; table[at]; at = (at + 1) % TABLE)
        if (memcmp(state(table[at] - 1), __start_gkstate, state_size()) == 0)
            return;
    if (n_states == STATES_MAX) {
        puts("large");
        exit(0);
    }
    memcpy(state(n_states), __start_gkstate, state_size());
    table[at] = ++n_states;
}

static int next_inputs(unsigned *chosen) {
    for (unsigned i = 0; i < truth_n_inputs; i++) {
        if (++chosen[i] < truth_n_values[i])
            return 1;
        chosen[i] = 0;
    }
    return 0;
}

static void trapped(int signal_number) {
    (void)signal_number;
    siglongjmp(trap, 1);
}

static void one_step(unsigned from, const unsigned *chosen) {
    memcpy(__start_gkstate, state(from), state_size());
    for (unsigned i = 0; i < truth_n_inputs; i++)
        truth_input(i, chosen[i]);
    if (sigsetjmp(trap, 1) == 0) { /* a run that traps ends */
        truth_step();
        add_state();
    }
}

int main(void) {
    unsigned chosen[64] = {0}, steps = 0;
    alarm(SECONDS);
    signal(SIGFPE, trapped);
    states = malloc(STATES_MAX * state_size());
    if (!states || truth_n_inputs > 64 || truth_n_marks > MARKS_MAX)
        abort();
    add_state();
    for (unsigned from = 0; from < n_states; from++)
        do {
            if (++steps > STEPS_MAX) {
                puts("large");
                return 0;
            }
            one_step(from, chosen);
        } while (next_inputs(chosen));
    printf("%u %u", n_states, steps);
    for (unsigned m = 0; m < truth_n_marks; m++)
        printf(" %u", truth_seen[m]);
    return 0;
}
