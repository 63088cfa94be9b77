/* reads: how a channel moves whose every read may see another value: a volatile, or what a function
 * without a body returns.
 *
 * Such channels rest like other inputs do. When each of them moved all the time, a state that needs
 * several of them right was left within a step or two, and no timer behind it ever ran out. At rest
 * means either that all reads see one value, or that each read of a step sees what the same read of
 * the step before has seen (a *row*): a message is read as a number and a command, which differ and
 * stay.
 *
 * Invariant: the values of a row are within the range of the input.
 */
#include "search.h"

#include <assert.h>

enum { OFTEN = 4, LONGEST_REST = 4096 };

void reads_open(struct search *s) {
    s->rows = child_alloc(gk_n_inputs * sizeof *s->rows);
    s->many = child_alloc(gk_n_inputs * sizeof *s->many);
    for (uint32_t id = 0; id < gk_n_inputs; id++) {
        if (s->inputs[id].many)
            s->many[s->n_many++] = id;
        for (uint32_t place = 0; place < ROW; place++)
            s->rows[id][place] = s->inputs[id].min;
    }
}

static void move_about_every(struct search *s, uint32_t id, uint32_t reads) {
    s->signals[id].every = reads;
    s->signals[id].wait = random_below(s, 2 * reads);
}

void reads_begin(struct search *s) {
    for (uint32_t i = 0; i < s->n_many; i++) {
        uint32_t id = s->many[i];
        for (uint32_t place = 0; place < ROW; place++)
            s->rows[id][place] = gk_channels[id].bits;
        move_about_every(s, id, OFTEN);
    }
}

/* How many of the channels move in this run. */
static uint32_t draw_moving(struct search *s) {
    uint32_t dice = random_below(s, 8);
    return dice < 5 ? least(dice, s->n_many) : 1 + random_below(s, s->n_many);
}

void reads_plan(struct search *s) {
    if (s->n_many == 0)
        return;
    bool all_often = random_below(s, 4) == 0;
    for (uint32_t i = 0; i < s->n_many; i++) {
        struct signal *signal = &s->signals[s->many[i]];
        signal->row = random_below(s, 2);
        signal->wait = FOREVER;
        if (all_often)
            move_about_every(s, s->many[i], OFTEN);
    }
    for (uint32_t n = all_often ? 0 : draw_moving(s); n > 0; n--)
        move_about_every(s, s->many[random_below(s, s->n_many)], random_length(s, LONGEST_REST));
}

uint64_t reads_next(struct search *s, uint32_t id) {
    struct signal *signal = &s->signals[id];
    uint32_t place = signal->nth++;
    uint64_t value = signal->row && place < ROW ? s->rows[id][place] : gk_channels[id].bits;
    assert(s->inputs[id].many);
    if (signal->wait == 0) {
        value = value_draw(s, id);
        signal->wait = random_below(s, 2 * signal->every);
    } else if (signal->wait != FOREVER) {
        signal->wait--;
    }
    if (place < ROW)
        s->rows[id][place] = value;
    return value;
}
