/* self: what this very process may still do, with all that it starts.
 *
 * libclang, LLVM, Z3 and SQLite read in this process what strangers have written, and an error in
 * one of them may make the process theirs. So before the first such byte is read it gives up what
 * it does not need: to change files anywhere but where its results go, the network, other
 * processes, new privileges. Reading stays as it is. Nothing gives any of it back; children inherit
 * it, and confine (compilers) and sandbox (native programs) take more from them.
 *
 *     struct self self = {0};
 *     vec_push(&self.trees, "out");           // made before: a rule is about what is there
 *     vec_push(&self.files, "x.db-wal");
 *     vec_push(&self.sweeps, ".");
 *     bool good = self_confine(&self, err);
 *     self_free(&self);
 *
 * Only the calling thread is confined, and threads that it starts: there is no other yet.
 */
#ifndef BASE_SELF_H
#define BASE_SELF_H

#include "base/err.h"
#include "base/vec.h"

struct self {
    VEC(const char *) trees;   /* folders: what is below is made, written and removed */
    VEC(const char *) files;   /* their content is written */
    VEC(const char *) sweeps;  /* folders: files are removed below */
    VEC(const char *) empties; /* folders: folders that are empty are removed below */
};

/* A layer that the kernel lacks is left out; false when one that is there fails. */
bool self_confine(const struct self *self, struct err *err);
void self_free(struct self *self);

#endif
