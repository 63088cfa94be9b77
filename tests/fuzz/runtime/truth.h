/* truth: what stands in front of a marked module when its truth is found out.
 *
 * The marks have become these macros and calls. `truth_seen` has a byte a mark: bit 0 and 1, the
 * outcomes false and true (or bit 0 alone: it was executed); bit 2 and 3, the outcomes with which a
 * condition decided. */
#ifndef TRUTH_H
#define TRUTH_H

struct truth_node {
    char op; /* & | ! c */
    unsigned left, right;
};

struct truth_mark {
    char kind;
    unsigned about;
    int label;
};

struct truth_input {
    unsigned n_values;
    int is_parameter; /* keeps its value */
};

/* The module brings these. */
extern const struct truth_mark truth_marks[];
extern const struct truth_node truth_nodes[];
extern const struct truth_input truth_inputs[];
extern const unsigned truth_n_marks, truth_n_inputs;
extern char truth_zero, truth_one; /* variables without and with an initialiser */
void truth_set(unsigned input, unsigned value);
int truth_assumed(void); /* do the assumptions hold? */
void truth_init(void);
void truth_step(void);

extern volatile unsigned char truth_seen[];
void truth_begin(unsigned mark);
int truth_end(unsigned mark, int outcome);
int truth_condition(unsigned mark, int outcome);
void truth_switch(unsigned mark, long long value);
int truth_index(int length, int index);          /* ends the run outside the array */
unsigned truth_choose(unsigned n, unsigned was); /* 0 .. n-1: all of them, one after the other */

#define TRUTH_SWITCH(mark, ...)                                                                    \
    __extension__({                                                                                \
        __typeof__((__VA_ARGS__) + 0) value_ = (__VA_ARGS__);                                      \
        truth_switch(mark, (long long)value_);                                                     \
        value_;                                                                                    \
    })

#endif
