/* core: the proof that a reason is, as C that CBMC re-checks.
 *
 * Goals that are dead of the same have one: the freed program with nothing promised but what the
 * reason names, and the clauses that it needs. Each of these elements has a number, by which the
 * certificate leaves it out: CBMC must then find that the rest is no proof.
 */
#ifndef APP_BECAUSE_CORE_H
#define APP_BECAUSE_CORE_H

#include "app/because/freed.h"
#include "app/because/known.h"
#include "app/run/task.h"

struct core {
    const char *invariant; /* as text, over cells of the freed system */
    uint32_t k;
    VEC(uint32_t) probes;
    VEC(bool) needed; /* by promise */
};

struct cores {
    VEC(struct core) list;
    const struct known *known; /* that CBMC need not be asked about again */
    struct arena arena;
};

/* What a probe is dead of; those that are dead of the same share a core. */
void cores_note(struct cores *cores, const struct core *core, uint32_t probe);
/* A goal that is dead because of that of `root` shares its core where that excludes it, too: CBMC
 * then answers for both. */
void cores_follow(struct cores *cores, struct freed *f, uint32_t root, uint32_t probe);
/* In a child: asks CBMC about each, where there is one, and records certificates for core_take().
 */
void cores_confirm(const struct cores *cores, struct freed *f, struct session *s);
void cores_free(struct cores *cores);

/* The woven program without the promises that are not needed; those that are can be left out by the
 * numbers from `first` on, in their order. Returns how many there are. */
unsigned core_program(const struct freed *f, const bool *needed, unsigned first, struct str *out);

/* In the parent: a core is put together from records and stored when it is complete. */
struct core_taken {
    uint32_t k;
    VEC(uint32_t) probes;
    struct str invariant;
    VEC(const char *) clauses;
    struct arena arena;
    char checked_by[8];
    struct known accepted; /* of all cores so far */
};
bool core_take(struct core_taken *taken, struct session *s, enum record_kind kind, const char *data,
               struct err *err);
void core_taken_clear(struct core_taken *taken); /* for the next core */
void core_taken_free(struct core_taken *taken);

#endif
