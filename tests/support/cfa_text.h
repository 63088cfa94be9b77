/* cfa_text: automata as text and as systems, for tests and fuzzers of what works on them. */
#ifndef TESTS_SUPPORT_CFA_TEXT_H
#define TESTS_SUPPORT_CFA_TEXT_H

#include "model/system/cfa.h"

void cfa_write(const struct cfa *cfa, struct str *out);
/* `cfa` is not yet initialised; on failure it is empty. */
bool cfa_read(struct cfa *cfa, struct terms *terms, const char *text, const char *file,
              struct err *err);

/* One step of the system is one edge: with several locations a cell "pc" says where the run is
 * (location - 1), and depths count edges, not steps. Names are shared. */
void cfa_to_system(const struct cfa *cfa, struct system *sys);

#endif
