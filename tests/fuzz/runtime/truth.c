/* Goes through all states that a module can reach, with all its inputs, and writes what was seen at
 * each mark. All variables of the module lie in the section `gkstate`: a state is its bytes. */
#include "truth.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CHOICES_MAX = 12,
    INPUTS_MAX = 16,
    MARKS_MAX = 4096,
    TABLE = 1 << 18,
    STATES_MAX = 60000,
    STEPS_MAX = 1000000,
    SECONDS = 20
};

extern char __start_gkstate[], __stop_gkstate[];

volatile unsigned char truth_seen[MARKS_MAX];
static signed char outcome_of[MARKS_MAX]; /* of a condition, in the decision at hand; -1: none */
static char *states;
static unsigned n_states, table[TABLE]; /* number of the state + 1 */
static int blind;                       /* see only the first value of each input */
static sigjmp_buf trap;
static unsigned choices[CHOICES_MAX], n_choices, next_choice, steps, n_ended;

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

/* ---- what ends a run, what is open in it ---- */

static void give_up(void) {
    static const char large[] = "large\n";
    _exit(write(STDOUT_FILENO, large, sizeof large - 1) < 0);
}

static void out_of_time(int signal_number) {
    (void)signal_number;
    give_up();
}

int truth_index(int length, int index) {
    if (index < 0 || index >= length)
        siglongjmp(trap, 1);
    return index;
}

/* The choices of a step are counted up like digits, until all of them were seen. */
unsigned truth_choose(unsigned n, unsigned was) {
    (void)was;
    if (next_choice == CHOICES_MAX)
        give_up();
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

/* ---- states ---- */

static size_t state_size(void) {
    return (size_t)(__stop_gkstate - __start_gkstate);
}

static int in_state(const char *variable) {
    return variable >= __start_gkstate && variable < __stop_gkstate;
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

static int set_inputs(const unsigned *chosen) {
    for (unsigned i = 0; i < truth_n_inputs; i++)
        if (!truth_inputs[i].is_parameter)
            truth_set(i, chosen ? chosen[i] : 0);
    return truth_assumed();
}

static void add_state(void) {
    set_inputs(NULL);
    unsigned at = hash(__start_gkstate, state_size());
    for (; table[at]; at = (at + 1) % TABLE)
        if (memcmp(state(table[at] - 1), __start_gkstate, state_size()) == 0)
            return;
    if (n_states == STATES_MAX)
        give_up();
    memcpy(state(n_states), __start_gkstate, state_size());
    table[at] = ++n_states;
}

/* The next values of the inputs (or of the parameters); 0 after the last. */
static int next_values(unsigned *chosen, int parameters) {
    if (blind)
        return 0;
    for (unsigned i = 0; i < truth_n_inputs; i++) {
        if (truth_inputs[i].is_parameter != parameters)
            continue;
        if (++chosen[i] < truth_inputs[i].n_values)
            return 1;
        chosen[i] = 0;
    }
    return 0;
}

static void trapped(int signal_number) {
    (void)signal_number;
    siglongjmp(trap, 1);
}

/* From the state `from`, run() with every outcome of its choices. A run that traps ends. */
static void all_outcomes(const char *from, int (*prepare)(const unsigned *), const unsigned *chosen,
                         void (*run)(void)) {
    do {
        if (++steps > STEPS_MAX)
            give_up();
        memcpy(__start_gkstate, from, state_size());
        next_choice = 0;
        if (prepare(chosen) && sigsetjmp(trap, 1) == 0) {
            run();
            n_ended++;
            add_state();
        }
    } while (next_choices());
}

static int set_parameters(const unsigned *chosen) {
    for (unsigned i = 0; i < truth_n_inputs; i++)
        if (truth_inputs[i].is_parameter)
            truth_set(i, chosen[i]);
    return 1;
}

static void start(void) {
    unsigned chosen[INPUTS_MAX] = {0};
    char *first = malloc(state_size() + 1);
    if (!first)
        abort();
    memcpy(first, __start_gkstate, state_size());
    do
        all_outcomes(first, set_parameters, chosen, truth_init);
    while (next_values(chosen, 1));
    free(first);
}

int main(int argc, char **argv) {
    unsigned chosen[INPUTS_MAX] = {0};
    blind = argc > 1 && strcmp(argv[1], "blind") == 0;
    signal(SIGALRM, out_of_time);
    alarm(SECONDS);
    signal(SIGFPE, trapped);
    states = malloc(STATES_MAX * state_size());
    if (!in_state(&truth_zero) || !in_state(&truth_one)) /* all of them are part of the state */
        abort();
    if (!states || truth_n_inputs > INPUTS_MAX || truth_n_marks > MARKS_MAX)
        abort();
    start();
    n_ended = 0;
    for (unsigned from = 0; from < n_states; from++)
        do
            all_outcomes(state(from), set_inputs, chosen, truth_step);
        while (next_values(chosen, 0));
    if (n_ended == 0) /* Goalkeeper refuses it: everything would be dead */
        give_up();
    printf("%u %u", n_states, steps);
    for (unsigned m = 0; m < truth_n_marks; m++)
        printf(" %u", truth_seen[m]);
    return 0;
}
