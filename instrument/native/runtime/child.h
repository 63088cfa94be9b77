/* child: the process that runs the woven program.
 *
 * One woven program is linked into it, so there is one of everything: `gk_child` holds what signal
 * handlers and the functions called by the woven program need to find.
 *
 * A run is what happens between child_reset() and its end. The program may leave it at any point
 * (a failed assumption, a division by zero, a wild pointer): guard_leave() then jumps back to
 * the GUARDED() of the run, and the state region is garbage until the next child_restore().
 */
#ifndef GK_RUNTIME_CHILD_H
#define GK_RUNTIME_CHILD_H

#include "shared.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/* The woven program, see instrument/weave/weave.h. */
struct gk_region {
    void *address;
    unsigned size;
};
struct gk_cell {
    void *address;
    char type;
    unsigned char bits;
    unsigned id;
};
extern const struct gk_region gk_regions[];
extern const unsigned gk_region_count;
extern const struct gk_cell gk_cells[];
extern const unsigned gk_cell_count;
extern unsigned long long gk_cell_read(unsigned index);
extern void gk_cell_write(unsigned index, unsigned long long bits); /* of a bit-field */
extern void gk_init(void);
extern void gk_step(void);

/* The tables appended to the woven text. */
struct gk_channel {
    unsigned long long bits;
    unsigned pending, head;
};
extern struct gk_channel gk_channels[];
extern unsigned char gk_hits[];
extern const unsigned char *const gk_many_inputs;
extern const unsigned gk_n_inputs, gk_n_probes;
extern unsigned char gk_held; /* in a fast build, gk_step() does not read the inputs again */

struct search;

struct gk_child {
    struct gk_shared *shared;
    struct gk_region *regions; /* the writable part of gk_regions */
    unsigned n_regions;
    unsigned char *boot; /* the state as the loader left it */
    size_t state_size;
    sigjmp_buf escape;
    volatile bool guarded; /* a run is under way: `escape` may be used */
    enum gk_end end;       /* why the run was left */
    uint64_t address;
    enum gk_unspecified unspecified; /* first one in this run */
    uint32_t unspecified_step;
    bool strict; /* leave a run that uses an unspecified value */
    struct search *search;
    void (*refill)(struct gk_child *child, unsigned id);
    void (*hit)(struct gk_child *child, unsigned probe);
};
extern struct gk_child gk_child;

_Noreturn void child_end(int code); /* of the process, for good */

/* Memory of the mapping; the parent has checked that it fits. */
void *child_data(struct gk_child *child, uint64_t offset);
void *child_alloc(size_t size); /* zeroed; ends the process when there is no memory */
void child_free(void *memory);

void child_save(unsigned char *image); /* state_size bytes */
void child_restore(const unsigned char *image);
void child_reset(struct gk_child *child); /* boot image, channels at 0, nothing unspecified */
uint64_t child_cell(unsigned index);      /* bits */
void child_set_cell(unsigned index, uint64_t bits);

void guard_install(struct gk_child *child);
/* So much CPU time a step may take from now on; the parent's limit is the largest. */
void guard_patience(const struct gk_child *child, uint32_t milliseconds);
_Noreturn void guard_leave(enum gk_end end, uint64_t address);

void replay_run(struct gk_child *child);

/* search.c */
void search_open(struct gk_child *child);
void search_run(struct gk_child *child);
void search_export(struct gk_child *child);
void search_import(struct gk_child *child);
void search_survivors(struct gk_child *child);
void search_know(struct gk_child *child);
void search_forget(struct gk_child *child);

static inline uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Runs BODY; afterwards child->end says how it ended (GK_RAN unless it was left). The signal mask
 * need not be saved: no handler blocks anything. */
#define GUARDED(child, BODY)                                                                       \
    do {                                                                                           \
        (child)->end = GK_RAN;                                                                     \
        if (sigsetjmp((child)->escape, 0) == 0) {                                                  \
            (child)->guarded = true;                                                               \
            BODY;                                                                                  \
        }                                                                                          \
        (child)->guarded = false;                                                                  \
    } while (0)

#endif
