/* Levels of the document: 0 the array of messages, 1 a message, 2 its array "result", 3 a property,
 * 4 its array "trace", 5 a step, 6 the step's "value" or "function". What lies deeper, or under
 * other keys, is passed over. Kept at any time: one property's inputs and one step. */
#include "instrument/cbmc/output.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 1, RESULTS, PROPERTY, TRACE, STEP, PART, LEVELS };

static const char number_mark[] = "gk ", input_mark[] = "gk_taken_";

static bool under(const struct cbmc_output *out, int level, const char *key) {
    return str_same(str_text(&out->path[level]), key);
}

static bool in_results(const struct cbmc_output *out) {
    return under(out, MESSAGE, "result");
}

static bool in_trace(const struct cbmc_output *out) {
    return in_results(out) && under(out, PROPERTY, "trace");
}

static void set(struct str *to, const char *text) {
    str_clear(to);
    str_add(to, text);
}

/* ---- a step of a trace ---- */

static bool read_bits(const char *binary, uint64_t *bits) {
    size_t n = strlen(binary);
    *bits = 0;
    for (size_t i = 0; i < n; i++) {
        if (binary[i] != '0' && binary[i] != '1')
            return false;
        *bits = *bits << 1 | (binary[i] == '1');
    }
    return n > 0 && n <= 64;
}

static void take_input(struct cbmc_output *out) {
    struct input_event event = {.step = out->now.n_steps - 1}; /* before the first: UINT32_MAX */
    char *end;
    unsigned long id = strtoul(str_text(&out->step.lhs) + strlen(input_mark), &end, 10);
    event.input = (uint32_t)id;
    if (*end || id >= UINT32_MAX || !read_bits(str_text(&out->step.binary), &event.bits))
        out->broken = true;
    else
        vec_push(&out->now.events, event);
}

static void end_step(struct cbmc_output *out) {
    const char *type = str_text(&out->step.type);
    if (str_same(type, "function-call") && str_same(str_text(&out->step.function), "gk_step"))
        out->now.n_steps++;
    else if (str_same(type, "assignment") && str_starts(str_text(&out->step.lhs), input_mark))
        take_input(out);
    str_clear(&out->step.type);
    str_clear(&out->step.lhs);
    str_clear(&out->step.binary);
    str_clear(&out->step.function);
}

static void step_text(struct cbmc_output *out, const char *text) {
    if (under(out, STEP, "stepType"))
        set(&out->step.type, text);
    else if (under(out, STEP, "lhs"))
        set(&out->step.lhs, text);
}

static void part_text(struct cbmc_output *out, const char *text) {
    if (under(out, STEP, "value") && under(out, PART, "binary"))
        set(&out->step.binary, text);
    else if (under(out, STEP, "function") && under(out, PART, "displayName"))
        set(&out->step.function, text);
}

/* ---- a property ---- */

static struct cbmc_property *property_of(struct cbmc_output *out, uint32_t number) {
    uint32_t *known = map_get(&out->by_number, number);
    if (known)
        return &out->properties.data[*known - 1];
    vec_push(&out->properties, (struct cbmc_property){.number = number, .status = CBMC_SUCCESS});
    map_put(&out->by_number, number, (uint32_t)out->properties.len);
    return &vec_last(&out->properties);
}

static void fail(struct cbmc_output *out, struct cbmc_property *p) {
    p->status = CBMC_FAILURE;
    if (p->has_trace)
        return;
    vec_append(&p->events, out->now.events.data, out->now.events.len);
    p->n_steps = out->now.n_steps;
    p->has_trace = true;
}

static void other_failed(struct cbmc_output *out, const char *description) {
    if (strstr(description, "unwinding assertion"))
        out->unwinding_failed = true;
    else
        out->other_failed = true;
}

static void end_property(struct cbmc_output *out) {
    const char *description = str_text(&out->now.description);
    const char *status = str_text(&out->now.status);
    bool ours = str_starts(description, number_mark), failed = str_same(status, "FAILURE");
    if (!ours && failed) {
        other_failed(out, description);
    } else if (ours) {
        uint32_t number = (uint32_t)strtoul(description + strlen(number_mark), NULL, 10);
        struct cbmc_property *p = property_of(out, number);
        if (failed)
            fail(out, p);
        else if (!str_same(status, "SUCCESS") && p->status == CBMC_SUCCESS)
            p->status = CBMC_UNKNOWN;
    }
    str_clear(&out->now.description);
    str_clear(&out->now.status);
    vec_clear(&out->now.events);
    out->now.n_steps = 0;
}

static void property_text(struct cbmc_output *out, const char *text) {
    if (under(out, PROPERTY, "description"))
        set(&out->now.description, text);
    else if (under(out, PROPERTY, "status"))
        set(&out->now.status, text);
}

/* ---- a message ---- */

static void end_message(struct cbmc_output *out) {
    if (str_same(str_text(&out->message_type), "ERROR") && out->error.len == 0)
        set(&out->error, str_text(&out->message));
    str_clear(&out->message);
    str_clear(&out->message_type);
}

static void message_text(struct cbmc_output *out, const char *text) {
    if (under(out, MESSAGE, "messageText"))
        set(&out->message, text);
    else if (under(out, MESSAGE, "messageType"))
        set(&out->message_type, text);
    else if (under(out, MESSAGE, "cProverStatus")) {
        out->success |= str_same(text, "success");
        out->failure |= str_same(text, "failure");
    }
}

/* ---- events ---- */

static void on_text(struct cbmc_output *out, uint32_t level, const char *text) {
    if (level == MESSAGE)
        message_text(out, text);
    else if (level == PROPERTY && in_results(out))
        property_text(out, text);
    else if (level == STEP && in_trace(out))
        step_text(out, text);
    else if (level == PART && in_trace(out))
        part_text(out, text);
}

static void on_object_end(struct cbmc_output *out, uint32_t level) {
    if (level == MESSAGE)
        end_message(out);
    else if (level == PROPERTY && in_results(out))
        end_property(out);
    else if (level == STEP && in_trace(out))
        end_step(out);
}

/* The innermost open level is depth - 1: at an end, and while its members are read. */
static void on_event(void *context, enum json_event event, const char *text) {
    struct cbmc_output *out = context;
    uint32_t depth = out->json.depth;
    switch (event) {
    case JSON_KEY:
        if (depth <= LEVELS)
            set(&out->path[depth - 1], text);
        break;
    case JSON_OBJECT:
    case JSON_ARRAY:
        if (depth <= LEVELS)
            str_clear(&out->path[depth - 1]);
        break;
    case JSON_STRING:
        if (depth > 0)
            on_text(out, depth - 1, text);
        break;
    case JSON_OBJECT_END:
        on_object_end(out, depth);
        break;
    case JSON_ARRAY_END:
    case JSON_SCALAR:
        break;
    }
}

void cbmc_output_init(struct cbmc_output *out) {
    assert(LEVELS <= sizeof out->path / sizeof *out->path);
    *out = (struct cbmc_output){0};
    json_events_init(&out->json, on_event, out);
    out->json.any_bytes = true; /* names and texts of the program are as its sources are */
}

void cbmc_output_free(struct cbmc_output *out) {
    for (size_t i = 0; i < out->properties.len; i++)
        vec_free(&out->properties.data[i].events);
    vec_free(&out->properties);
    for (size_t i = 0; i < sizeof out->path / sizeof *out->path; i++)
        str_free(&out->path[i]);
    struct str *const texts[] = {&out->error,       &out->now.description, &out->now.property,
                                 &out->now.status,  &out->step.type,       &out->step.lhs,
                                 &out->step.binary, &out->step.function,   &out->message,
                                 &out->message_type};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        str_free(texts[i]);
    vec_free(&out->now.events);
    map_free(&out->by_number);
    json_events_free(&out->json);
}

bool cbmc_output_feed(struct cbmc_output *out, const char *data, size_t size) {
    return json_events_feed(&out->json, data, size) && !out->broken;
}

bool cbmc_output_end(struct cbmc_output *out) {
    return json_events_end(&out->json) && !out->broken && out->success != out->failure;
}

const struct cbmc_property *cbmc_output_find(const struct cbmc_output *out, uint32_t number) {
    const uint32_t *known = map_get(&out->by_number, number);
    return known ? &out->properties.data[*known - 1] : NULL;
}
