/* shared: the memory that Goalkeeper and the process running the woven program both see.
 *
 * The parent writes a command and its arguments, then one byte into the child's pipe; the child
 * carries it out, writes the answer here and one byte back. Nothing else is ever exchanged, so a
 * child that dies leaves a readable record of how far it came (`step`, `phase`).
 *
 * One side may be 32-bit and the other 64-bit code: only fixed-width integers, 64-bit ones aligned
 * to 8, and byte offsets from the start of the mapping instead of pointers.
 */
#ifndef GK_RUNTIME_SHARED_H
#define GK_RUNTIME_SHARED_H

#include <stdint.h>

typedef uint64_t gk_u64 __attribute__((aligned(8)));

enum { GK_MAGIC = 0x474b3031, GK_DATA_AT = 4096, GK_BUG = 0x676b6267 };

#define GK_NONE UINT32_MAX
#define GK_INIT_STEP UINT32_MAX /* "step" of what happens during initialisation */
#define GK_NEVER (UINT32_MAX - 1)

/* The descriptors that the child inherits. */
enum { GK_FD_COMMAND = 3, GK_FD_ANSWER = 4, GK_FD_SHARED = 5 };

enum gk_command {
    GK_REPLAY = 'r',
    GK_OPEN_SEARCH = 'o',
    GK_SEARCH = 's',
    GK_EXPORT = 'e',
    GK_IMPORT = 'i',    /* like GK_REPLAY, the end becomes an entry */
    GK_SURVIVORS = 'v', /* lists entries where GK_SEARCH lists what it has found */
    GK_KNOW = 'k',
    GK_FORGET = 'f',
    GK_DONE = '.' /* the answer to each of them */
};

/* How a run ended. Kept in the order of enum native_end (native.h). */
enum gk_end {
    GK_RAN,        /* all steps were carried out */
    GK_ASSUMPTION, /* gk_assume(0) */
    GK_DIVISION,   /* integer division by zero, or of the smallest number by -1 */
    GK_NULL,       /* null pointer */
    GK_BOUNDS,     /* index out of bounds */
    GK_MEMORY,     /* any other bad access */
    GK_STACK,      /* stack overflow */
    GK_ABORT,      /* abort(), or a failed assertion */
    GK_ILLEGAL,    /* illegal instruction, or code that must not be reached */
    GK_ENDLESS,    /* a step took longer than the limit */
    GK_FORBIDDEN,  /* a system call that the sandbox forbids */
    GK_EXIT        /* the program ended the process */
};

/* Values that C leaves open. Kept in the order of enum native_unspecified. */
enum gk_unspecified { GK_DEFINED, GK_CAST, GK_SHIFT };

/* Types of inputs and cells. They repeat enum var_type. */
enum gk_type {
    GK_BOOL = 'b',
    GK_SIGNED = 'i',
    GK_UNSIGNED = 'u',
    GK_FLOAT = 'f',
    GK_POINTER = 'p'
};

struct gk_event { /* same layout as struct input_event */
    uint32_t step, input;
    gk_u64 bits;
};

struct gk_first_hit {
    uint32_t step;    /* GK_NEVER, GK_INIT_STEP or the step */
    uint32_t tainted; /* an unspecified value was used before */
};

struct gk_set { /* a cell that is given another value between initialisation and the first step */
    uint32_t cell, unused;
    gk_u64 bits;
};

struct gk_replay {
    uint32_t n_events, n_steps;
    uint32_t n_set, unused;
    gk_u64 set_at;                   /* struct gk_set[n_set] */
    uint32_t stop_probe;             /* end after the step that hits it; GK_NONE */
    uint32_t trace_from, trace_room; /* steps whose cells and hits are kept */
    gk_u64 events_at, hits_at;       /* struct gk_event[n_events]; struct gk_first_hit[n_probes] */
    gk_u64 cells_at; /* uint64_t[1 + trace_room][n_cells], row 0 after initialisation */
    gk_u64 bytes_at; /* uint8_t[trace_room][n_probes]: hit in that step */
    /* answer */
    uint32_t end, end_step; /* enum gk_end */
    uint32_t steps_done, traced;
    uint32_t unspecified, unspecified_step;
    gk_u64 address; /* of a bad access */
};

/* One input as the search sees it; `values` are worth trying, all within the range. */
struct gk_input {
    gk_u64 min, max;
    uint32_t first_value, n_values, n_hot; /* the first n_hot are compared with in the code */
    uint8_t type, bits;                    /* enum gk_type */
    uint8_t at_init;                       /* one value for the whole run */
    uint8_t many;                          /* each read may see another value */
    uint8_t early;                         /* has a value before step 0, too */
    uint8_t unused[7];
};

struct gk_cell_seen {
    gk_u64 min, max; /* bits; min > max by the cell's order: never seen */
    uint32_t seen;
    uint32_t unused;
};

struct gk_found {
    uint32_t probe, entry;
    uint32_t step; /* of the hit, counted from reset; GK_INIT_STEP */
    uint32_t end;  /* enum gk_end: what ended the run, for probe == GK_NONE a crash */
};

struct gk_search {
    gk_u64 seed;
    gk_u64 inputs_at, values_at; /* struct gk_input[n_inputs]; uint64_t[] */
    gk_u64 budget;               /* steps for this command */
    volatile uint32_t stop;      /* set by the parent meanwhile: end it after the present run */
    uint32_t farthest;           /* longest path from reset along which something counts */
    uint32_t max_length;         /* longest run, longest path from reset otherwise */
    uint32_t max_depth;
    uint32_t entry;             /* GK_EXPORT */
    uint32_t n_events, n_steps; /* GK_EXPORT: room, then the answer */
    gk_u64 events_at;           /* the same */
    gk_u64 probes_at;           /* uint32_t[n_probes_listed]: GK_KNOW, GK_FORGET */
    uint32_t n_probes_listed;
    /* answer */
    uint32_t n_found, found_room;
    uint32_t n_entries, failed;
    gk_u64 found_at, cells_at; /* struct gk_found[found_room]; struct gk_cell_seen[n_cells] */
    gk_u64 steps, runs;        /* in total */
};

struct gk_shared {
    uint32_t magic, n_inputs, n_probes, n_cells;
    gk_u64 size;      /* of the mapping */
    uint32_t step_ms; /* CPU time a step may take before it counts as endless */
    uint32_t unused;
    volatile uint32_t step; /* heartbeat: the step that is running, from reset */
    volatile uint32_t runs; /* heartbeat: runs begun */
    struct gk_replay replay;
    struct gk_search search;
    uint32_t bug; /* GK_BUG: an assertion of the runtime failed, and the process ended */
    uint32_t bug_line;
    char bug_text[120];
};

_Static_assert(sizeof(struct gk_event) == 16, "the same in 32-bit and 64-bit code");
_Static_assert(sizeof(struct gk_input) == 40, "the same in 32-bit and 64-bit code");
_Static_assert(sizeof(struct gk_shared) % 8 == 0, "the same in 32-bit and 64-bit code");
_Static_assert(sizeof(struct gk_shared) <= GK_DATA_AT, "the data starts behind it");

#endif
