/* evidence_file: what is needed to re-check evidence, from the database alone. */
#ifndef APP_AUDIT_EVIDENCE_FILE_H
#define APP_AUDIT_EVIDENCE_FILE_H

#include "db/store.h"
#include "instrument/lower/lower.h"
#include "instrument/native/native.h"

struct evidence_file {
    struct store *db;
    struct module module;
    struct str woven;
    uint32_t n_probes;
    struct native_program program; /* points into the above */
};

/* Opens the database and reads the woven program; ERR_USAGE when the run never got that far. */
bool evidence_file_open(struct evidence_file *f, const char *path, enum store_mode mode,
                        struct err *err);
void evidence_file_close(struct evidence_file *f);

/* A proof that says where in a step the run is is about the model that keeps loops. */
bool evidence_file_keeps_loops(const struct evidence_file *f, const struct proof *proof);

/* The program in the file as a transition system, as in the run. Zeroed it is none. */
struct evidence_model {
    struct terms terms;
    struct system sys;
    struct lowered lowered;
    bool is_made, keeps_loops;
};
bool evidence_model_make(struct evidence_model *m, const struct evidence_file *f, bool keep_loops,
                         struct err *err);
void evidence_model_free(struct evidence_model *m);
uint32_t evidence_model_target(const struct evidence_model *m, uint32_t probe); /* NONE: of none */

/* A goal by number or key. 0 when there is none: err says so. */
int64_t evidence_file_goal(struct evidence_file *f, const char *name, struct err *err);

#endif
