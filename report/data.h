/* data: what all reports are made of, read once from the database.
 *
 * Texts live in the arena. Goals are in source order; `files` lists each source file once, with the
 * text that was analysed, if the database has it.
 *
 *     struct report_data data;
 *     if (report_load(&data, db, NULL, err))
 *         for (size_t i = 0; i < data.goals.len; i++)
 *             puts(report_sentence(&data, &data.goals.data[i]));
 *     report_unload(&data);
 */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H

#include "base/arena.h"
#include "db/rows.h"

struct report_goal {
    int64_t id;
    const char *key, *kind, *text, *function;
    int criterion;         /* enum goal_kind; -1: none that we know */
    const char *block;     /* of the model, "" when not known */
    const char *expansion; /* of the text by the preprocessor, "" where that is the same */
    bool robust;           /* of a robustness kind: the goal is an event that should not happen */
    bool helper;   /* a row that only serves unique-cause MC/DC: nobody asked for it itself */
    uint32_t file; /* index into files */
    int line, col, end_line, end_col;
    int value; /* 1, 0, -1: none */
    enum status status;
    int64_t bound, depth;                               /* -1: none */
    const char *engine, *checked_by, *assumes, *reason; /* "" when none */
    const char *class, *because;                        /* of a dead goal; "" when nobody knows */
    int measured;                /* goalkeeper overlay: 1 hit, 0 not, -1: not known */
    int64_t cause;               /* goals with the same one die of the same; 0: not known */
    int64_t witness, proof;      /* row ids, 0: none */
    int64_t implied_by;          /* id of a goal, 0: none */
    int64_t decision, condition; /* -1: none */
    double seconds;
    const char *page, *run;           /* of the HTML report, "" as long as none is made */
    const struct report_goal *teller; /* tells the proof of both on that page; NULL: none does */
    const struct report_goal *rests;  /* tells at length what both rest on; NULL: none does */
    bool justified;                   /* by a justification that holds */
    int64_t justification;            /* index into justifications, -1: none */
};

struct report_file {
    const char *path;
    const char *text; /* NULL: not in the database */
};

struct report_count {
    const char *criterion;
    size_t total, reachable, dead, open, justified;
    size_t accepted; /* of the justified ones those that are not open */
};

/* An entry of the ledger. It holds iff `problem` is empty. */
struct report_justification {
    const char *key, *category, *reason, *author, *reviewer, *date, *expires, *problem;
    int64_t goal; /* index into goals, -1: the goal is gone */
    bool alarm;   /* it says that the goal is not reached, and a witness reaches it */
};

struct report_decision {
    int64_t id;
    uint32_t file;
    int line;
    const char *function, *text, *structure;
    VEC(const char *) conditions;
    VEC(const struct report_goal *) goals; /* branch, condition, mcdc, vector: in goal order */
};

/* The repository that the sources are in. Zeroed: none is known. */
struct report_origin {
    const char *root;              /* its folder; NULL: paths stay as they are in the database */
    const char *prefix;            /* of those paths, from the root: "" or "src/" */
    const char *remote, *revision; /* NULL or "": not known */
};

/* How to read the ledger. Zeroed: as the database has it, as of today, no reviewer needed. */
struct report_view {
    const struct justification_row *rows; /* instead of those in the database; NULL: none */
    size_t n_rows;
    const char *today;   /* YYYY-MM-DD; NULL: the day it is */
    const char *changed; /* input files that are not what the run has read; NULL: none */
    bool four_eyes;      /* a justification without a reviewer does not hold */
    const struct report_origin *origin; /* NULL: none is known */
};

struct report_data {
    struct arena arena;
    struct store *db;
    struct report_origin origin; /* of the view; its texts are the caller's */
    const char *name, *asil, *mcdc, *version;
    VEC(struct report_goal) goals;
    VEC(struct report_file) files;
    VEC(const char *) warnings;      /* to be read before the verdicts */
    VEC(struct report_count) counts; /* one per criterion, in the order of criteria.def */
    VEC(struct report_justification) justifications; /* by key */
    VEC(struct report_decision) decisions;           /* by id */
    bool compared;                                   /* there is a page of changes */
};

/* One more of them. */
void report_count_add(struct report_count *c, const struct report_goal *g);
/* Until it is unloaded the store shows what it held at this moment, whatever a run writes. On
 * failure the data is empty, and may be unloaded all the same. */
bool report_load(struct report_data *data, struct store *db, const struct report_view *view,
                 struct err *err);
void report_unload(struct report_data *data); /* the store stays open */

/* Are these two names of one source file, one of them perhaps longer: "/home/a/src/x.c", "src/x.c"?
 */
bool report_same_file(const char *a, const char *b);

/* The path of a file from the root of the repository, for servers; as it is without one. */
const char *report_path(struct report_data *data, uint32_t file);

/* Did the run ask for goals of this kind? Databases that do not say so get the benefit of the
 * doubt. */
bool report_was_asked(struct report_data *data, enum goal_kind kind);
bool report_is_unique_cause(const struct report_data *data); /* what MC/DC means in the project */

/* A value of run_info, in the arena; "" when absent. */
const char *report_info(struct report_data *data, const char *key);
double report_percent(size_t part, size_t whole); /* 100 when whole is 0 */

/* The decision a goal belongs to; NULL: none. */
struct report_decision *report_decision_of(const struct report_data *data,
                                           const struct report_goal *g);

/* What a goal asks of whoever is responsible for the code. Goals of coverage want to be reached;
 * goals of robustness want not to be: there, dead is the good news. */
enum goal_finding { FINDING_NONE, FINDING_OPEN, FINDING_DEAD, FINDING_DEFECT, FINDINGS };
extern const char *const finding_names[FINDINGS]; /* "", "open", "dead", "defect" */
enum goal_finding report_finding(const struct report_goal *g);
/* A finding that is not justified: what somebody has to look at. */
bool report_needs_attention(const struct report_goal *g);
/* Reached, if it is a goal of coverage; proved not to happen, if one of robustness. */
bool report_is_met(const struct report_goal *g);

/* ---- words (report/words.c) ---- */

/* "x > 3 is true", "x > 3 decides the outcome as true", "x = 1;", "row T - = T of a || b" */
const char *report_goal_text(struct report_data *data, const struct report_goal *g);
/* The verdict in one sentence. */
const char *report_sentence(struct report_data *data, const struct report_goal *g);
/* "CBMC, Z3 and a fresh solver" of a set as in db/checkers.h. */
const char *report_checkers(struct report_data *data, const char *set);
/* "72 dead verdicts: 16 checked by CBMC and a fresh solver, 56 by a fresh solver"; "" without any.
 */
const char *report_checks(struct report_data *data);
/* What can be done about a finding; "" when there is nothing to do. */
const char *report_remedy(const struct report_goal *g);

#endif
