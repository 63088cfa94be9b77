/* blocks: which block of the model a piece of generated code comes from.
 *
 * TargetLink writes "Saturation: LaneAssist/AssistTorque/GainLimit" in a comment before the code of
 * a block and lists subsystems in the head of the file ("Sa4  lane_assist/LaneAssist/AssistTorque";
 * functions and variables start with Sa4_). Embedded Coder writes `Gain: '<S1>/Gain'` and lists
 * '<S1>' : 'ctrl/Controller'. A comment holds until the next one or the end of its braces; other
 * code belongs to the subsystem of its function.
 *
 *     blocks_find(&blocks, unit);
 *     const char *path = blocks_at(&blocks, offset, "Sa4_AssistTorque");
 *     blocks_free(&blocks);
 */
#ifndef INSTRUMENT_GOALS_BLOCKS_H
#define INSTRUMENT_GOALS_BLOCKS_H

#include "base/arena.h"
#include "base/vec.h"
#include "instrument/syntax/unit.h"

struct subsystem {
    const char *id, *path; /* "Sa4" or "<S1>", "ctrl/Controller" */
};

struct block_mark {
    size_t offset;    /* from here on */
    const char *path; /* NULL: no block */
};

struct blocks {
    struct arena arena;
    VEC(struct subsystem) subsystems;
    VEC(struct block_mark) marks; /* by offset */
};

void blocks_find(struct blocks *blocks, const struct unit *unit);
void blocks_free(struct blocks *blocks);
/* "lane_assist/LaneAssist/AssistTorque/GainLimit", NULL: not known. Lives as long as `blocks`. */
const char *blocks_at(const struct blocks *blocks, size_t offset, const char *function);

#endif
