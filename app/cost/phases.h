/* phases: what a run costs, by what it was doing.
 *
 *     struct phases p;
 *     phases_begin(&p);                   // in PHASE_list
 *     phases_enter(&p, PHASE_model, cpu); // what was used up to now belongs to the one before
 *     phases_store(&p, db, err);          // run_info: wall:<phase>, cpu:<phase>
 *
 * `goalkeeper status --times` shows it, beside what each engine has used.
 */
#ifndef APP_COST_PHASES_H
#define APP_COST_PHASES_H

#include "db/store.h"

enum phase {
#define PHASE(name, about) PHASE_##name,
#include "app/cost/phases.def"
#undef PHASE
    PHASES
};

struct phase_row {
    const char *name, *about;
};
extern const struct phase_row phase_rows[PHASES];

struct phases {
    enum phase now;
    double wall_since, cpu_since;
    double wall[PHASES], cpu[PHASES];
};

void phases_begin(struct phases *p);
void phases_enter(struct phases *p, enum phase phase, double cpu); /* seconds used so far */
bool phases_store(const struct phases *p, struct store *db, struct err *err);

#endif
