/* text: how a run ended, in words. */
#include "instrument/native/native.h"
#include "model/term/ordinal.h"

#include <assert.h>
#include <inttypes.h>

static void add_value(const struct module_var *var, uint64_t bits, struct str *out) {
    if (var->type == TYPE_FLOAT && var->bits == 32)
        str_addf(out, "%.9g", (double)bits_f32(bits));
    else if (var->type == TYPE_FLOAT)
        str_addf(out, "%.17g", bits_f64(bits));
    else
        str_addf(out, "%" PRId64, ordinal_of(var->bits, var->type == TYPE_SIGNED, bits));
}

/* The value of each input in the step: that of its last event up to then. */
static void add_inputs(const struct module *module, const struct input_events *events,
                       uint32_t step, struct str *out) {
    for (size_t id = 0; id < module->inputs.len; id++) {
        uint64_t bits = 0;
        for (size_t i = 0; i < events->len; i++) {
            const struct input_event *event = &events->data[i];
            bool before =
                event->step == NATIVE_INIT || (step != NATIVE_INIT && event->step <= step);
            if (before && event->input == id)
                bits = event->bits;
        }
        str_addf(out, "%s%s = ", id ? ", " : "", module->inputs.data[id].path);
        add_value(&module->inputs.data[id], bits, out);
    }
}

void native_step_describe(uint32_t step, const struct module *module,
                          const struct input_events *events, struct str *out) {
    if (step == NATIVE_INIT)
        str_add(out, "during initialisation");
    else
        str_addf(out, "in step %" PRIu64, (uint64_t)step + 1);
    if (module->inputs.len == 0)
        return;
    str_add(out, " (inputs: ");
    add_inputs(module, events, step, out);
    str_addc(out, ')');
}

void native_end_describe(const struct native_result *result, const struct module *module,
                         const struct input_events *events, struct str *out) {
    str_add(out, native_end_text(result->end));
    if (result->end == NATIVE_RAN)
        return;
    if (result->end == NATIVE_MEMORY || result->end == NATIVE_STACK)
        str_addf(out, " at address 0x%" PRIx64, result->address);
    str_addc(out, ' ');
    native_step_describe(result->end_step, module, events, out);
}
