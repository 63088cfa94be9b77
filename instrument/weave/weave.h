/* weave: C sources and a project description in; goals and one woven C file out.
 *
 * The woven file is plain C, self-contained (already preprocessed), the same for every consumer:
 *
 *     #ifndef GK_HOST                      // a consumer may define these itself with -include
 *     extern void gk_hit(unsigned probe);  // probe was reached
 *     extern void gk_assume(int condition);// the run goes on only if it holds
 *     extern float gk_input_f32(unsigned id);   // also _f64 _b _i8 _u8 … _i64 _u64
 *     #endif
 *     … the user's program, statics hoisted to unique names, probes woven in …
 *     #ifndef GK_HELD                      // true: no input has changed since the step before
 *     #define GK_HELD 0
 *     #endif
 *     void gk_init(void);   // parameters of mode "range", then the init functions, once
 *     void gk_step(void);   // inputs assigned and assumed in range, then one call of the step
 *     #ifdef GK_NATIVE      // tables for the native runner only
 *     struct gk_region { void *address; unsigned size; };
 *     const struct gk_region gk_regions[];  const unsigned gk_region_count;  // all mutable state
 *     struct gk_cell { void *address; char type; unsigned char bits; unsigned id; };
 *     const struct gk_cell gk_cells[];      // module.state in order, for comparison and display
 *     const unsigned gk_cell_count;
 *     #endif
 *
 * Bit-fields have no address: gk_cells entries for them have address 0, and
 * `unsigned long long gk_cell_read(unsigned index)` returns the value of any state cell as bits;
 * `void gk_cell_write(unsigned index, unsigned long long bits)` sets one without an address.
 * What this comment does not tell may change.
 */
#ifndef INSTRUMENT_WEAVE_WEAVE_H
#define INSTRUMENT_WEAVE_WEAVE_H

#include "base/err.h"
#include "base/str.h"
#include "coverage/goal.h"
#include "coverage/module.h"
#include "coverage/project.h"
#include "instrument/weave/fixture.h"

struct woven {
    struct str text; /* the woven C file */
    struct goals goals;
    struct module module;
    struct fixture fixture; /* for tests of the program as it is */
    struct texts files;     /* what was read, system headers left out; as line markers name it */
    struct arena arena;
};

bool weave(const struct project *project, struct woven *woven, struct err *err);
/* The text of a verification task: as it is, but for marks where an order of evaluation matters
 * (weave/orders.h). What libclang does not take for C stays without, and a limitation says so. */
bool weave_task(const struct project *project, const char *file, struct woven *woven,
                struct err *err);
void woven_free(struct woven *woven);

#endif
