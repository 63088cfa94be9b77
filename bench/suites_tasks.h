/* suites_tasks: verification tasks as public suites describe them.
 *
 *   test.desc     of 2LS, ESBMC, CBMC: name of the file, options, lines that the output must have
 *   NAME.yml      of SV-COMP: input file, properties with expected verdicts, data model
 *
 * Only the question that `goalkeeper run --verify` answers is taken: can an assertion fail? Tasks
 * that ask something else have no expectation. */
#ifndef BENCH_SUITES_TASKS_H
#define BENCH_SUITES_TASKS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

#include <stdbool.h>

enum expectation { EXPECT_NOTHING, EXPECT_DEAD, EXPECT_REACHABLE };

struct task {
    const char *suite; /* the last folders that lead to it */
    const char *name;
    const char *dir, *file; /* file: below dir */
    enum expectation expected;
    bool ilp32;
    const char *known; /* why the suite's expectation is not that of this tool; or NULL */
};
VEC_STRUCT(tasks, struct task);

/* All tasks below `dir`, in the order of their names. Texts live in the arena. */
bool tasks_find(const char *dir, struct tasks *tasks, struct arena *arena, struct err *err);

#endif
