/* option: a command line parser driven by a table of rows.
 *
 * A row says how an option is called, what it takes, which commands know it, and where its value
 * goes in a struct of the caller. Help, man page and completion are made from the same rows, so
 * none of them can forget an option.
 *
 *     options_preset(&table, &values);                          // the defaults
 *     if (!options_environment(&table, bit, &values, err) ||    // PREFIX_LONG_NAME
 *         !options_parse(&table, bit, argv, &values, err))      // beats the environment
 *         …
 *
 * Forms: --name VALUE, --name=VALUE, -nVALUE, -n VALUE, flags bundled as -qv, `--` ends options,
 * a lone `-` is an argument. Texts are borrowed from argv, the environment and the table; split
 * lists live in the arena.
 */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include "base/arena.h"
#include "base/err.h"
#include "base/texts.h"

#include <stdint.h>

/* What an option takes, and the C type of its value. */
enum option_kind {
    OPTION_FLAG,    /* nothing; bool */
    OPTION_TEXT,    /* any text; const char * (NULL when not given) */
    OPTION_CHOICE,  /* one of the words in `value`, separated by '|'; const char * */
    OPTION_LIST,    /* a,b,c and repeated; struct texts */
    OPTION_EACH,    /* repeated, each taken whole (commas are part of it); struct texts */
    OPTION_CHOICES, /* the same, each one of the words in `value` */
    OPTION_PAIRS,   /* like LIST; takes further arguments of the form name=value */
    OPTION_COUNT,   /* 0 .. 2^64-1; uint64_t */
    OPTION_SECONDS, /* a number >= 0, fractions allowed; double */
};

enum option_source { FROM_PRESET, FROM_ENVIRONMENT, FROM_COMMAND_LINE };

struct option_row {
    const char *name; /* long name, without dashes */
    char letter;      /* '\0': none */
    enum option_kind kind;
    uint64_t commands;  /* bit set; a row is invisible to the others */
    const char *value;  /* how help calls the value: "FILE", "table|json" */
    const char *preset; /* as text, NULL: none */
    const char *about;
    size_t offset; /* of the value in the struct */
};

struct option_table {
    const struct option_row *rows;
    size_t n;
    const char *prefix; /* of environment variables: "GOALKEEPER_" */
};

/* The common head of the struct that takes the values. */
struct option_values {
    struct arena arena;
    enum option_source *source; /* one per row; the caller provides the array */
    struct texts arguments;     /* what is not an option */
};

void options_preset(const struct option_table *table, struct option_values *values);
bool options_environment(const struct option_table *table, uint64_t command,
                         struct option_values *values, struct err *err);
bool options_parse(const struct option_table *table, uint64_t command, char *const *argv,
                   struct option_values *values, struct err *err);

/* "GOALKEEPER_GOAL_SECONDS" for the row "goal-seconds". */
char *option_variable(const struct option_table *table, const struct option_row *row,
                      struct arena *arena);
bool option_is_list(const struct option_row *row); /* its value is a struct texts */
/* Whether `word` is one of "a|b|c". */
bool option_is_choice(const char *choices, const char *word);

/* Numbers the strict way: all of the text, in range, no sign where none makes sense. */
bool parse_count(const char *text, uint64_t *value);
bool parse_real(const char *text, double *value); /* finite */

#endif
