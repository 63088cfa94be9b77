/* sample: a random module in two texts, made at once.
 *
 * The plain text is what Goalkeeper gets. The text of the oracle is the same program with probes:
 * whoever writes a statement, a condition, a label knows that it is one, so nobody has to read C to
 * find the goals again. A mark is a place that a probe watches; its line and column are those of
 * the plain text. */
#ifndef TESTS_TRUTH_SAMPLE_H
#define TESTS_TRUTH_SAMPLE_H

#include "choices.h"

#include "base/str.h"

enum mark_kind {
    MARK_FUNCTION,
    MARK_STATEMENT,
    MARK_CALL,
    MARK_LABEL,
    MARK_BRANCH,   /* the outcomes of a controlling expression */
    MARK_CONDITION /* of a decision; also its MC/DC */
};

struct mark {
    enum mark_kind kind;
    uint32_t file, line, col;
    uint32_t decision, position; /* of a condition */
};

/* Decisions are trees of conditions; a leaf holds its position in the decision in `left`. */
struct decision_node {
    char op; /* & | ! c */
    uint32_t left, right;
};

enum { CONDITIONS_MAX = 5, ROWS = 243 /* 3 to the power of CONDITIONS_MAX */ };

struct decision {
    uint32_t root, n_conditions;
};

enum { FILE_HEADER, FILE_STEP, FILE_OTHER, FILES };

struct sample_file {
    const char *name;
    struct str plain, oracle;
    uint32_t line, col; /* of the end of the plain text */
};

/* What the oracle sets: an input takes every value of its list. */
struct sample_input {
    char name[32], type[24];
    struct str values;  /* C constants, separated by commas */
    struct str project; /* what goalkeeper.json says of it */
    bool is_parameter;  /* one value for the whole run */
};

VEC_STRUCT(marks, struct mark);
VEC_STRUCT(decisions, struct decision);
VEC_STRUCT(decision_nodes, struct decision_node);
VEC_STRUCT(sample_inputs, struct sample_input);

struct sample {
    bool ilp32, char_is_signed, has_init, has_other;
    bool partial; /* the lists of the inputs are not all of their values */
    struct sample_file files[FILES];
    struct marks marks;
    struct decisions decisions;
    struct decision_nodes nodes;
    struct sample_inputs inputs;
    struct str volatiles; /* further rows of "inputs" and "parameters" of goalkeeper.json */
    struct str fixed;
    struct str assumptions; /* C conditions, one per line */
    struct str step_call;   /* with its arguments */
    struct str arguments;   /* their declarations, for the oracle */
};

/* What a module may contain; `fuzz_truth --with` and `--without` take the names. */
enum feature {
#define FEATURE(name, percent, about) FEATURE_##name,
#include "features.def"
#undef FEATURE
    FEATURES
};
extern const char *const feature_names[FEATURES];

/* A bit for every feature that each module has, or that none has. */
void sample_make(struct sample *s, struct choices *c, uint32_t with, uint32_t without);
void sample_free(struct sample *s);

#endif
