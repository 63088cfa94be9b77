/* Text in lines (model/term/reader.h), a value a line; inputs that are not named are 0. */
#include "model/system/trace.h"

#include "model/system/text.h"
#include "model/term/value.h"

void trace_init(struct trace *trace, const struct system *sys, uint32_t n_steps) {
    assert(sys->inputs.len < NONE);
    *trace = (struct trace){.n_inputs = (uint32_t)sys->inputs.len, .n_steps = n_steps};
    vec_resize_zero(&trace->init, sys->inputs.len);
    vec_resize_zero(&trace->values, sys->inputs.len * n_steps);
}

void trace_free(struct trace *trace) {
    vec_free(&trace->init);
    vec_free(&trace->values);
    trace->n_steps = trace->n_inputs = 0;
}

/* ---- text ---- */

static void write_inputs(const struct system *sys, const uint64_t *values, bool at_init,
                         struct str *out) {
    for (size_t i = 0; i < sys->inputs.len; i++) {
        const struct sys_input *in = &sys->inputs.data[i];
        if (in->at_init != at_init)
            continue;
        const struct term_var *var = &sys->terms->vars.data[term_get(sys->terms, in->var)->payload];
        str_addf(out, "  i%zu ", i);
        name_print(in->name, out);
        str_add(out, " ");
        value_print(var->sort, var->is_signed, values[i], out);
        str_addc(out, '\n');
    }
}

void trace_write(const struct trace *trace, const struct system *sys, struct str *out) {
    assert(trace->n_inputs == sys->inputs.len);
    str_addf(out, "trace 1 steps %u\ninit\n", trace->n_steps);
    write_inputs(sys, trace->init.data, true, out);
    for (uint32_t j = 0; j < trace->n_steps; j++) {
        str_addf(out, "step %u\n", j);
        write_inputs(sys, trace->values.data + (size_t)j * trace->n_inputs, false, out);
    }
    str_add(out, "end\n");
}

/* `i3 "name" value` */
static bool read_input(struct reader *r, const struct system *sys, bool at_init, uint64_t *values) {
    assert(values || sys->inputs.len == 0);
    uint32_t i = 0;
    if (!reader_index(r, 'i', "an input", sys->inputs.len, &i))
        return false;
    const struct sys_input *in = &sys->inputs.data[i];
    if (!reader_same_name(r, "input", in->name))
        return false;
    if (in->at_init != at_init)
        return reader_fail(r, "input '%s' is read %s", in->name,
                           in->at_init ? "at the start only" : "in steps only");
    return reader_value(r, term_sort(sys->terms, in->var), &values[i]) && reader_done(r);
}

/* Steps are appended as they come, so that a wrong count cannot ask for memory. */
static bool read_section(struct reader *r, const struct system *sys, struct trace *trace,
                         uint64_t **values) {
    uint32_t step = 0;
    if (reader_accept(r, "init")) {
        *values = trace->init.data;
        return reader_done(r);
    }
    if (!reader_expect(r, "step") || !reader_u32(r, "a step", &step) || !reader_done(r))
        return false;
    if (step != trace->n_steps)
        return reader_fail(r, "step %u is missing", trace->n_steps);
    trace->n_steps++;
    vec_resize_zero(&trace->values, (size_t)trace->n_steps * sys->inputs.len);
    *values = sys->inputs.len ? trace->values.data + (size_t)step * sys->inputs.len : NULL;
    return true;
}

bool trace_read_from(struct trace *trace, const struct system *sys, struct reader *r) {
    uint32_t steps = 0;
    uint64_t *values = NULL;
    trace_init(trace, sys, 0);
    if (!reader_header(r, "trace") || !reader_expect(r, "steps") ||
        !reader_u32(r, "a number of steps", &steps) || !reader_done(r))
        return false;
    while (reader_line(r) && !reader_is(r, "end")) {
        bool section = reader_is(r, "init") || reader_is(r, "step");
        if (section ? !read_section(r, sys, trace, &values)
                    : !read_input(r, sys, trace->n_steps == 0, values ? values : trace->init.data))
            return false;
    }
    if (!reader_accept(r, "end") || trace->n_steps != steps)
        return reader_fail(r, "the trace ends after %u of %u steps", trace->n_steps, steps);
    return reader_done(r);
}

bool trace_read(struct trace *trace, const struct system *sys, const char *text, struct err *err) {
    struct reader r;
    reader_init(&r, text, "trace", err);
    bool ok = trace_read_from(trace, sys, &r) && reader_end(&r);
    reader_free(&r);
    if (!ok)
        trace_free(trace);
    return ok;
}
