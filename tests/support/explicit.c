#include "explicit.h"

#include "base/mem.h"
#include "model/system/machine.h"

/* A state is its cells and one more word: was an unspecified value used on the way? */
struct search {
    const struct random_system *r;
    struct explicit_result *result;
    struct machine m;
    size_t width;         /* words a state */
    VEC(uint64_t) states; /* width words each, in order of discovery */
    VEC(uint32_t) depths; /* of states */
    struct map slots;     /* hash chain: hash + probe -> state */
    VEC(uint64_t) inputs; /* the choice under way */
    VEC(uint32_t) choice; /* index into each domain */
    uint64_t steps_left;
};

static size_t state_count(const struct search *s) {
    return s->depths.len;
}

/* Adds the state that the machine is in, unless it is known. */
static void add_state(struct search *s, uint32_t depth) {
    uint64_t *state = mem_alloc(s->width * sizeof *state);
    memcpy(state, s->m.cells.data, (s->width - 1) * sizeof *state);
    state[s->width - 1] = s->m.unspecified;
    uint64_t key = hash_bytes(state, s->width * sizeof *state);
    const uint32_t *known;
    bool found = false;
    for (; !found && (known = map_get(&s->slots, key)); key++)
        found = memcmp(s->states.data + *known * s->width, state, s->width * sizeof *state) == 0;
    if (!found) {
        map_put(&s->slots, key, (uint32_t)state_count(s));
        vec_append(&s->states, state, s->width);
        vec_push(&s->depths, depth);
    }
    mem_free(state);
}

static void lower(uint32_t *least, uint32_t depth) {
    if (depth < *least)
        *least = depth;
}

static void note_hits(struct search *s, uint32_t depth) {
    for (uint32_t t = 0; t < s->r->sys.targets.len; t++) {
        if (!machine_hit(&s->m, t))
            continue;
        lower(&s->result->depth.data[t], depth);
        if (!s->m.unspecified)
            lower(&s->result->defined.data[t], depth);
    }
}

/* ---- all choices of inputs, as a counter with one digit an input ---- */

static void first_choice(struct search *s) {
    for (size_t i = 0; i < s->choice.len; i++) {
        s->choice.data[i] = 0;
        s->inputs.data[i] = s->r->domains.data[i].values[0];
    }
}

static bool next_choice(struct search *s, bool at_init) {
    for (size_t i = 0; i < s->choice.len; i++) {
        const struct domain *d = &s->r->domains.data[i];
        if (s->r->sys.inputs.data[i].at_init != at_init)
            continue;
        s->choice.data[i] = (s->choice.data[i] + 1) % (uint32_t)d->len;
        s->inputs.data[i] = d->values[s->choice.data[i]];
        if (s->choice.data[i] != 0)
            return true;
    }
    return false;
}

static void load_state(struct search *s, size_t at) {
    const struct system *sys = &s->r->sys;
    const uint64_t *state = s->states.data + at * s->width;
    for (size_t i = 0; i < sys->cells.len; i++) {
        s->m.cells.data[i] = state[i];
        s->m.var_values.data[term_get(sys->terms, sys->cells.data[i].var)->payload] = state[i];
    }
    s->m.unspecified = state[s->width - 1];
    s->m.ended = false;
}

static void expand(struct search *s, size_t at) {
    uint32_t depth = s->depths.data[at] + 1;
    first_choice(s);
    do {
        if (s->steps_left == 0)
            return;
        s->steps_left--;
        load_state(s, at);
        machine_step(&s->m, s->inputs.data);
        note_hits(s, depth);
        if (!s->m.ended)
            add_state(s, depth);
    } while (next_choice(s, false));
}

static void start(struct search *s) {
    first_choice(s);
    do {
        machine_reset(&s->m, s->inputs.data);
        note_hits(s, 0);
        if (!s->m.ended)
            add_state(s, 0);
    } while (next_choice(s, true));
}

static void keep_states(const struct search *s) {
    s->result->states = state_count(s);
    for (size_t i = 0; i < state_count(s); i++)
        vec_append(&s->result->cells, s->states.data + i * s->width, s->width - 1);
}

static void release(struct search *s) {
    machine_free(&s->m);
    map_free(&s->slots);
    vec_free(&s->states);
    vec_free(&s->depths);
    vec_free(&s->inputs);
    vec_free(&s->choice);
}

void explicit_search(const struct random_system *r, uint64_t max_steps,
                     struct explicit_result *result) {
    struct search s = {.r = r, .result = result, .steps_left = max_steps};
    *result = (struct explicit_result){0};
    for (size_t t = 0; t < r->sys.targets.len; t++) {
        vec_push(&result->depth, NONE);
        vec_push(&result->defined, NONE);
    }
    s.width = r->sys.cells.len + 1;
    vec_resize_zero(&s.inputs, r->sys.inputs.len);
    vec_resize_zero(&s.choice, r->sys.inputs.len);
    machine_init(&s.m, &r->sys);
    start(&s);
    for (size_t at = 0; at < state_count(&s) && s.steps_left > 0; at++)
        expand(&s, at);
    result->complete = s.steps_left > 0;
    keep_states(&s);
    release(&s);
}

void explicit_free(struct explicit_result *result) {
    vec_free(&result->depth);
    vec_free(&result->defined);
    vec_free(&result->cells);
}
