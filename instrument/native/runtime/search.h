/* search: simulation that looks for what has not been seen yet.
 *
 * A *run* starts in the snapshot of an *entry*, drives the inputs with held values of random
 * lengths, ramps and pulses, and looks at the state at growing distances. When it meets something
 * new (a probe, a higher mark of a cell, a new combination of modes) the present state becomes an
 * entry itself. An entry knows its parent and the changes of the inputs since then, so the whole
 * way from reset is known and can be re-executed without the search.
 *
 * Everything is drawn from one generator: the same seed and the same commands give the same finds.
 *
 * Invariants: entries are never removed, only their snapshots are; parent < child; the events of an
 * entry are ordered by step, steps count from reset.
 */
#ifndef GK_RUNTIME_SEARCH_H
#define GK_RUNTIME_SEARCH_H

#include "child.h"

#define FOREVER UINT32_MAX

enum { MOST_ROOTS = 64 };

/* How an input was changed on the way from the parent: worth trying again from here. */
struct habit {
    uint32_t input;
    double delta;
};
enum { MOST_HABITS = 6 };

/* reads.c: reads of a channel in one step that are told apart. */
enum { ROW = 8 };

struct events {
    struct gk_event *data;
    uint32_t len, cap;
};

struct entry {
    uint32_t parent;            /* GK_NONE: from reset */
    uint32_t depth;             /* steps from reset */
    struct events events;       /* since the parent */
    unsigned char *state;       /* NULL: no run starts here */
    unsigned long long *inputs; /* [n_inputs] held values, lives and dies with `state` */
    uint64_t (*rows)[ROW];      /* [n_inputs] likewise; NULL when no channel has `many` */
    struct habit habits[MOST_HABITS];
    uint32_t n_habits;
    uint32_t picks;
    uint32_t reasons; /* to keep the snapshot: champion of so many marks, a probe, a mode;
                         none is left only after a champion has been beaten */
    uint32_t live_at; /* place in search.live */
};

/* One end of the values seen of a cell: a *champion* is the entry that came furthest. */
struct mark {
    int64_t ordinal; /* exact */
    double number;   /* of the champion */
    uint32_t entry;  /* GK_NONE */
};

struct marks {
    struct mark high, low;
    bool seen;
};

enum shape { SHAPE_HOLD, SHAPE_STEPS, SHAPE_RAMP, SHAPE_PULSE, SHAPES };

struct signal {
    enum shape shape;
    uint32_t next;        /* step of the next change, FOREVER */
    uint32_t longest;     /* hold */
    uint32_t on, off;     /* pulse */
    uint64_t rest;        /* pulse: the other value */
    double target, slope; /* ramp */
    /* a channel with `many` */
    uint32_t same, nth, step; /* its reads so far in `step`: unchanged, all */
    bool row;                 /* rests read by read */
    uint32_t wait, every;     /* reads until it moves, FOREVER; on average */
};

/* compare.c: only a traced build has anything to tell. */
enum { COMPARED_VALUES = 64, COMPARED_PLACES = 4096, COMPARED_PAIRS = 64 };

struct pair {
    uint64_t a, b;
};

struct modes;

/* loop.c: what the inputs did on the way to an entry, again and again. */
enum { LONGEST_PERIOD = 64 };

struct loop {
    struct events events; /* changes of one round; `step` counts from its beginning */
    uint32_t period;      /* 0: no loop in this run */
    uint32_t begun;       /* step at which the present round began */
    uint32_t at;          /* the next event of it */
};

struct compared {
    struct pair pairs[COMPARED_PAIRS]; /* unequal operands in this run, the newest before n_pairs */
    uint32_t n_pairs;
    uint64_t values[COMPARED_VALUES]; /* operands, the newest before `at` */
    uint32_t at;
    uint64_t closest[COMPARED_PLACES]; /* 0: not seen */
    bool closer;                       /* something has come closer since the last look */
};

struct search {
    struct gk_child *child;
    struct gk_search *shared;
    struct gk_input *inputs;
    uint64_t *values;
    uint64_t random[4];
    struct entry *entries;
    uint32_t n_entries, cap_entries;
    uint32_t *live; /* entries with a snapshot */
    uint32_t n_live, cap_live;
    uint32_t roots[MOST_ROOTS], n_roots;
    struct marks *marks; /* a cell */
    struct modes *modes;
    uint64_t (*recent)[4]; /* values that each input had before */
    struct signal *signals;
    uint64_t (*rows)[ROW];  /* [n_inputs] what each read of the last step has seen */
    uint32_t *many, n_many; /* channels with `many` */
    struct compared compared;
    struct loop loop;
    /* the run */
    uint32_t from; /* entry */
    struct events events;
    unsigned long long *begin; /* [n_inputs] their values in `from` */
    unsigned long long *tried; /* [n_inputs] and in the first step of the run */
    uint32_t now;              /* steps from reset */
    uint32_t next_look;        /* step of the next look at the state */
    unsigned char *seen;       /* [n_probes]: hits that have been reported, or need not be */
    uint32_t n_fresh;          /* hits of the run that have not been reported yet */
    struct gk_found *fresh;
    uint64_t climbed; /* steps of climbs so far */
    uint32_t crashes[GK_EXIT + 1];
    uint32_t endless; /* steps without end so far; no more are counted than make a difference */
};

/* random.c */
void random_seed(struct search *s, uint64_t seed);
uint64_t random_next(struct search *s);
uint32_t random_below(struct search *s, uint32_t bound);
uint32_t random_length(struct search *s, uint32_t longest); /* log-uniform in 1 .. longest */
double random_unit(struct search *s);

/* values.c */
int64_t value_ordinal(enum gk_type type, unsigned bits, uint64_t value);
uint64_t value_of_ordinal(enum gk_type type, unsigned bits, int64_t ordinal);
double value_number(enum gk_type type, unsigned bits, uint64_t value);
uint64_t value_of_number(const struct gk_input *in, double number); /* into the range */
uint64_t value_into(const struct gk_input *in, uint64_t value);     /* the nearest in range */
uint64_t value_draw(struct search *s, uint32_t id);

enum plan { PLAN_NEW, PLAN_REPEAT, PLAN_MATCH, PLAN_LOOP };

/* signals.c */
void signals_plan(struct search *s, uint32_t length); /* from search.now on */
/* Plans that change inputs now, and let them rest: */
void signals_repeat(struct search *s); /* what led to the entry, once more */
void signals_match(struct search *s);  /* the run before, with two compared values made equal */
uint32_t signals_next(const struct search *s);      /* step of the next change */
void signals_change(struct search *s);              /* those due now */
void signals_read(struct search *s, uint32_t id);   /* a channel with `many` is read */
void signals_record(struct search *s, uint32_t id); /* its value as an event of this step */

void signals_rest(struct search *s, uint32_t length);            /* no input changes by itself */
void signals_set(struct search *s, uint32_t id, uint64_t value); /* now, if it differs */

/* reads.c: of channels with `many` */
void reads_open(struct search *s);
void reads_begin(struct search *s); /* before the initialisation */
void reads_plan(struct search *s);
uint64_t reads_next(struct search *s, uint32_t id); /* what the present read sees */

/* loop.c */
void loop_plan(struct search *s, uint32_t source); /* the end of the way to that entry */
uint32_t loop_next(const struct search *s);        /* step of the next change */
void loop_change(struct search *s);                /* those due now */

/* search.c */
void search_drive(struct search *s, uint32_t end); /* the run goes on up to that step */

/* climb.c */
struct climb {
    uint32_t cell;
    double sign; /* 1: upwards */
};
/* A champion, and what it is one of; false when there is none. */
bool climb_pick(struct search *s, struct climb *climb, uint32_t *entry);
void climb_follow(struct search *s, const struct climb *climb, uint32_t end);

/* corpus.c */
/* The present run up to now as a new entry; the run goes on from there. Without a snapshot when
 * the state is not one between two steps. */
uint32_t corpus_add(struct search *s, bool with_state);
void corpus_load(struct search *s, uint32_t entry); /* the run starts there */
uint32_t corpus_pick(struct search *s);
uint32_t corpus_pick_champion(struct search *s);
/* Adds an entry when there is something new, or `always`. */
void corpus_look(struct search *s, bool always);
void corpus_report(struct search *s, uint32_t entry, enum gk_end end); /* the fresh hits */

/* modes.c */
struct modes *modes_new(void);
bool modes_look(struct search *s); /* after the marks: is the present state a new mode? */

void events_push(struct events *events, struct gk_event event);

#endif
