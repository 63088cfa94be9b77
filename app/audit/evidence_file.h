/* evidence_file: what is needed to re-check evidence, from the database alone. */
#ifndef APP_AUDIT_EVIDENCE_FILE_H
#define APP_AUDIT_EVIDENCE_FILE_H

#include "db/store.h"
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

/* A goal by number or key. 0 when there is none: err says so. */
int64_t evidence_file_goal(struct evidence_file *f, const char *name, struct err *err);

#endif
