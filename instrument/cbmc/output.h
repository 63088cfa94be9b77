/* output: reads what CBMC says with --json-ui --trace, as a stream: per property its status,
 * and of the traces only the inputs.
 *
 * Properties that count have a description "gk <number>"; several of one number (places of one
 * probe) count as one: failed when one has failed. Inputs are assignments to "gk_taken_<id>" in the
 * order in which the run takes them, steps begin with calls of gk_step.
 */
#ifndef INSTRUMENT_CBMC_OUTPUT_H
#define INSTRUMENT_CBMC_OUTPUT_H

#include "base/json_events.h"
#include "base/map.h"
#include "model/system/trace.h"

enum cbmc_status { CBMC_UNKNOWN, CBMC_SUCCESS, CBMC_FAILURE };

struct cbmc_property {
    uint32_t number;
    enum cbmc_status status;
    struct input_events events; /* of the first failure that has a trace */
    uint32_t n_steps;
    bool has_trace;
};

struct cbmc_output {
    VEC(struct cbmc_property) properties;
    bool success, failure; /* its verdict on the whole */
    bool unwinding_failed; /* a loop was not followed to its end */
    bool other_failed;     /* a property that is none of ours */
    struct str error;      /* the first message of type ERROR */
    /* private */
    struct json_events json;
    struct map by_number; /* index + 1 */
    struct str path[8];   /* the key of each level, "" in arrays */
    struct {              /* the property that is being read */
        struct str description, property, status;
        struct input_events events;
        uint32_t n_steps;
    } now;
    struct { /* the step of its trace */
        struct str type, lhs, binary, function;
    } step;
    struct str message, message_type;
    bool broken;
};

void cbmc_output_init(struct cbmc_output *out);
void cbmc_output_free(struct cbmc_output *out);
/* False: this is not CBMC's JSON. */
bool cbmc_output_feed(struct cbmc_output *out, const char *data, size_t size);
/* True when the document was complete and says what the whole verdict is. */
bool cbmc_output_end(struct cbmc_output *out);
/* NULL: nothing was said of it. */
const struct cbmc_property *cbmc_output_find(const struct cbmc_output *out, uint32_t number);

#endif
