/* project: goalkeeper.json as a structure. Read by project_read() (app/), filled with defaults.
 * Paths are relative to `dir`. All text lives in the project's arena. */
#ifndef COVERAGE_PROJECT_H
#define COVERAGE_PROJECT_H

#include "base/arena.h"
#include "base/texts.h"
#include "base/vec.h"
#include "coverage/goal.h"

struct project_var {
    const char *name; /* C path */
    bool is_parameter;
    bool range_mode; /* parameters: "range", else "fixed" */
    bool has_min, has_max;
    double min, max;                 /* raw values as written */
    const char *min_text, *max_text; /* as written: exact for 64-bit integers */
    int line, col;                   /* in the project file, for messages */
};

/* What the names of files in line markers mean here: a name below the folder `from`, of whatever
 * machine, is one below `to`. "" and "." are the folder of the project. */
struct path_rule {
    const char *from, *to;
};

/* What to do about a module with more than one step function. */
#define PROJECT_DRIVER                                                                             \
    "one function is the step: where a module has several, for different rates, a function of "    \
    "your "                                                                                        \
    "own in a file of its own calls them in turn (README.md, \"Several step functions\")"

struct project {
    struct arena arena;
    const char *file;   /* the project file, "" when made up from options */
    const char *dir;    /* where relative paths start */
    const char *root;   /* what it names lies below, NULL: anywhere (coverage/place.h) */
    struct texts named; /* or there: the user has named it, absolute */
    const char *name;
    bool ilp32; /* target */
    bool char_is_signed;
    struct texts sources, include_dirs, defines, cflags;
    const char *compile_commands; /* NULL */
    VEC(struct path_rule) path_map;
    struct texts init;
    const char *step;
    VEC(struct project_var) vars; /* inputs and parameters */
    struct texts assumptions;
    bool free_constants; /* const scalars are parameters of any value: for questions of what if */
    bool criteria[GOAL_KINDS];
    bool mcdc_unique_cause;      /* "mcdc": "masking" or "unique-cause" */
    bool literal_decisions;      /* "decisions": "logical" or "literal" */
    const char *asil;            /* "QM", "A" .. "D" */
    struct texts exclude;        /* "functions:NAME", "files:GLOB" */
    struct texts engines;        /* empty: all */
    struct texts engine_options; /* "ic3.gentr=off" */
    uint64_t goal_ticks;         /* 0: no limit */
    double goal_seconds, total_seconds;
    uint64_t memory_mb;
    unsigned jobs; /* 0: all cores */
    uint64_t seed;
};

void project_defaults(struct project *project); /* zeroes, then sets the documented defaults */
bool project_names_asil(const struct project *project); /* false: it is the default */
/* In the words of the project file. */
const char *project_target(const struct project *project);
const char *project_char(const struct project *project);
void project_free(struct project *project);

#endif
