/* replay: one run from reset with given inputs, and maybe some cells changed behind initialisation.
 *
 * The n-th read of an input in a step gets the n-th event for it in that step; when there are no
 * more it keeps the value that it returned last (0 at first). Events that no read asks for are
 * dropped at the end of the step. Inputs that are read once a step simply take their value.
 */
#include "child.h"

#include <assert.h>
#include <string.h>

struct feed {
    const struct gk_event *events;
    uint32_t n, at; /* events before `at` are done or belong to this step */
    uint32_t first; /* of this step */
    uint32_t *link; /* [n]: the next event of the same step and input */
    bool queued;    /* reads of this step may take one event after the other */
};

struct player {
    struct feed feed;
    struct gk_replay *job;
    struct gk_first_hit *hits;
    uint64_t *cells;
    uint8_t *bytes;
    bool tracing;        /* this step's hits are wanted */
    uint32_t *step_hits; /* probes hit in the step being traced */
    uint32_t n_step_hits;
};

static struct player player;

enum { PATIENCE_MS = 40 }; /* with the rest of the step, when what is asked for has been hit */

static void feed_take(struct gk_child *child, unsigned id) {
    struct gk_channel *channel = &gk_channels[id];
    (void)child;
    assert(channel->head < player.feed.n);
    channel->bits = player.feed.events[channel->head].bits;
    channel->head = player.feed.link[channel->head];
    channel->pending = channel->head != GK_NONE;
}

static void feed_drop(struct feed *feed) {
    for (uint32_t i = feed->first; i < feed->at; i++) {
        struct gk_channel *channel = &gk_channels[feed->events[i].input];
        channel->pending = 0;
        channel->head = GK_NONE;
    }
}

static void offer(struct feed *feed, uint32_t event) {
    uint32_t input = feed->events[event].input;
    struct gk_channel *channel = &gk_channels[input];
    if (!gk_many_inputs[input]) {
        channel->bits = feed->events[event].bits;
        return;
    }
    feed->link[event] = channel->head;
    channel->head = event;
    channel->pending = 1;
    feed->queued = true;
}

/* Offers the events of `step`. Backwards, so that each input's list comes out in order. */
static void feed_step(struct feed *feed, uint32_t step) {
    if (feed->queued)
        feed_drop(feed);
    feed->queued = false;
    feed->first = feed->at;
    while (feed->at < feed->n && feed->events[feed->at].step == step)
        feed->at++;
    for (uint32_t i = feed->at; i-- > feed->first;)
        offer(feed, i);
}

static void note_hit(struct gk_child *child, unsigned probe) {
    struct gk_first_hit *hit = &player.hits[probe];
    gk_hits[probe] = 1;
    if (hit->step == GK_NEVER) {
        hit->step = child->shared->step;
        hit->tainted = child->unspecified != GK_DEFINED;
        if (probe == player.job->stop_probe)
            guard_patience(child, PATIENCE_MS);
    }
    if (player.tracing)
        player.step_hits[player.n_step_hits++] = probe;
}

static void trace_begin(uint32_t step) {
    const struct gk_replay *job = player.job;
    player.tracing = step >= job->trace_from && step - job->trace_from < job->trace_room;
    if (player.tracing)
        memset(gk_hits, 0, gk_n_probes); /* every hit of this step is asked for */
    player.n_step_hits = 0;
}

static void trace_cells(uint32_t row) {
    uint64_t *cells = player.cells + (size_t)row * gk_cell_count;
    for (unsigned i = 0; i < gk_cell_count; i++)
        cells[i] = child_cell(i);
}

static void trace_end(void) {
    struct gk_replay *job = player.job;
    if (!player.tracing)
        return;
    trace_cells(job->traced + 1);
    uint8_t *bytes = player.bytes + (size_t)job->traced * gk_n_probes;
    for (uint32_t i = 0; i < player.n_step_hits; i++)
        bytes[player.step_hits[i]] = 1;
    job->traced++;
    player.tracing = false;
}

static bool stopped(const struct gk_replay *job) {
    return job->stop_probe != GK_NONE && player.hits[job->stop_probe].step != GK_NEVER;
}

/* The step before which something has to be looked at again. */
static uint32_t end_of_stretch(uint32_t step) {
    const struct gk_replay *job = player.job;
    const struct feed *feed = &player.feed;
    if (feed->queued || player.tracing || job->stop_probe != GK_NONE)
        return step + 1;
    uint32_t end = feed->at < feed->n ? feed->events[feed->at].step : job->n_steps;
    if (job->trace_room && job->trace_from > step)
        end = least(end, job->trace_from);
    return least(end, job->n_steps);
}

static void play_stretch(struct gk_child *child, uint32_t from, uint32_t to) {
    assert(from < to);
    for (uint32_t step = from; step < to; step++) {
        child->shared->step = step;
        gk_held = step > from;
        gk_step();
        player.job->steps_done = step + 1;
    }
}

static void set_cells(struct gk_child *child) {
    const struct gk_replay *job = player.job;
    if (job->n_set == 0)
        return;
    const struct gk_set *set = child_data(child, job->set_at);
    for (uint32_t i = 0; i < job->n_set; i++)
        child_set_cell(set[i].cell, set[i].bits);
}

static void play(struct gk_child *child) {
    const struct gk_replay *job = player.job;
    feed_step(&player.feed, GK_INIT_STEP);
    gk_init();
    set_cells(child);
    if (job->trace_room)
        trace_cells(0);
    for (uint32_t step = 0, end; step < job->n_steps && !stopped(job); step = end) {
        feed_step(&player.feed, step);
        trace_begin(step);
        end = end_of_stretch(step);
        play_stretch(child, step, end);
        trace_end();
    }
}

static void prepare(struct gk_child *child) {
    struct gk_replay *job = &child->shared->replay;
    memset(&player, 0, sizeof player);
    player.job = job;
    player.hits = child_data(child, job->hits_at);
    player.cells = child_data(child, job->cells_at);
    player.bytes = child_data(child, job->bytes_at);
    player.step_hits = child_alloc(gk_n_probes * sizeof *player.step_hits);
    player.feed.events = child_data(child, job->events_at);
    player.feed.n = job->n_events;
    player.feed.link = child_alloc(job->n_events * sizeof *player.feed.link);
    for (unsigned i = 0; i < gk_n_probes; i++)
        player.hits[i] = (struct gk_first_hit){GK_NEVER, 0};
    memset(player.bytes, 0, (size_t)job->trace_room * gk_n_probes);
    memset(gk_hits, 0, gk_n_probes);
    job->steps_done = job->traced = 0;
    child->refill = feed_take;
    child->hit = note_hit;
    child->strict = false;
    child->shared->runs++;
    guard_patience(child, child->shared->step_ms);
}

static void free_player(void) {
    child_free(player.feed.link);
    child_free(player.step_hits);
}

void replay_run(struct gk_child *child) {
    struct gk_replay *job = &child->shared->replay;
    prepare(child);
    child_reset(child);
    GUARDED(child, play(child));
    if (child->end != GK_RAN)
        trace_end(); /* what the last, incomplete step has done */
    job->end = child->end;
    job->end_step = child->end == GK_RAN ? GK_NONE : child->shared->step;
    job->address = child->address;
    job->unspecified = child->unspecified;
    job->unspecified_step = child->unspecified_step;
    free_player();
}
