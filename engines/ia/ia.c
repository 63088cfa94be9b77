/* ia: the algorithm of Fig. 3, in steps of limited effort. The budget may end at any question: what
 * is known by then is kept, and the question is put again. */
#include "engines/ia/core.h"

#include "model/term/simplify.h"

enum { PROBE_TICKS = 20000 };

struct ia *ia_open(struct system *sys, uint32_t target, const struct ia_options *options) {
    struct ia *ia = mem_zalloc(1, sizeof *ia);
    ia->sys = sys;
    ia->ts = sys->terms;
    ia->target = target;
    ia->options = *options;
    ia->probe_budget = PROBE_TICKS;
    ia->n_kept = ia->ts->vars.len;
    ia->kept = mem_zalloc(ia->n_kept, sizeof *ia->kept);
    for (size_t i = 0; i < sys->cells.len; i++)
        ia->kept[term_bits(ia->ts, sys->cells.data[i].var)] = !sys->cells.data[i].is;
    ia_start(ia);
    ia->top = 0;
    ia_ask_open(ia);
    assert(ia->q && ia->level.len == 1 && ia->status == IA_MORE);
    return ia;
}

static void forget_obligations(struct ia *ia) {
    for (size_t i = 0; i < ia->obligations.len; i++)
        vec_free(&ia->obligations.data[i].cube);
    vec_clear(&ia->obligations);
    vec_clear(&ia->queue);
}

void ia_close(struct ia *ia) {
    forget_obligations(ia);
    for (size_t i = 0; i < ia->blocked.len; i++)
        vec_free(&ia->blocked.data[i].cube);
    query_close(ia->q);
    if (ia->path.q)
        query_close(ia->path.q);
    if (ia->all_runs.q)
        query_close(ia->all_runs.q);
    vec_free(&ia->path.on);
    vec_free(&ia->all_runs.on);
    vec_free(&ia->predicates);
    map_free(&ia->predicate_of);
    mem_free(ia->kept);
    vec_free(&ia->level);
    vec_free(&ia->blocked);
    vec_free(&ia->obligations);
    vec_free(&ia->queue);
    vec_free(&ia->activity);
    vec_free(&ia->proof);
    vec_free(&ia->clause);
    vec_free(&ia->trace);
    mem_free(ia);
}

/* ---- obligations: a heap, lowest level first, the latest first among equals ---- */

static bool before(const struct ia *ia, uint32_t a, uint32_t b) {
    uint32_t x = ia->obligations.data[a].level, y = ia->obligations.data[b].level;
    return x != y ? x < y : a > b;
}

static void swap(struct ia *ia, size_t i, size_t j) {
    uint32_t t = ia->queue.data[i];
    ia->queue.data[i] = ia->queue.data[j];
    ia->queue.data[j] = t;
}

static void enqueue(struct ia *ia, uint32_t obligation) {
    assert(obligation < ia->obligations.len && ia->obligations.data[obligation].level <= ia->top);
    vec_push(&ia->queue, obligation);
    for (size_t i = ia->queue.len - 1; i > 0;) {
        size_t up = (i - 1) / 2;
        if (!before(ia, ia->queue.data[i], ia->queue.data[up]))
            break;
        swap(ia, i, up);
        i = up;
    }
}

static void dequeue(struct ia *ia) {
    assert(ia->queue.len > 0);
    size_t n = ia->queue.len - 1;
    swap(ia, 0, n);
    (void)vec_pop(&ia->queue);
    for (size_t i = 0;;) {
        size_t least = i, left = 2 * i + 1, right = left + 1;
        if (left < n && before(ia, ia->queue.data[left], ia->queue.data[least]))
            least = left;
        if (right < n && before(ia, ia->queue.data[right], ia->queue.data[least]))
            least = right;
        if (least == i)
            break;
        swap(ia, i, least);
        i = least;
    }
}

/* The cube of the model. */
static void add_obligation(struct ia *ia, uint32_t level, uint32_t parent) {
    struct ia_obligation o = {.level = level, .parent = parent};
    ia_read_cube(ia, &o.cube);
    assert(parent == NONE ? level == ia->top : level + 1 == ia->obligations.data[parent].level);
    vec_push(&ia->obligations, o);
    enqueue(ia, (uint32_t)ia->obligations.len - 1);
    ia->stats.obligations++;
    WINDOW_ADD(ia->options.window, stats.obligations, 1);
}

/* ---- lemmas ---- */

/* Takes the cube. */
static void block(struct ia *ia, struct ia_cube *cube, uint32_t level) {
    assert(level > 0 && level <= ia->top && "the initial states are not what is learned about");
    for (size_t i = 0; i < ia->blocked.len; i++) {
        struct ia_blocked *old = &ia->blocked.data[i];
        old->dead |= old->level <= level && ia_cube_within(cube, &old->cube);
    }
    WINDOW_ADD(ia->options.window, stats.lemmas, 1);
    WINDOW_EVENT(ia->options.window, "lemma", "\"target\":%u,\"level\":%u,\"predicates\":%zu",
                 ia->target, level, cube->len);
    vec_push(&ia->blocked, (struct ia_blocked){*cube, level, false});
    *cube = (struct ia_cube){0};
    ia_assert_blocked(ia, &vec_last(&ia->blocked));
}

/* Is it blocked by what is known? Cheaper than a question. */
static bool is_blocked(const struct ia *ia, const struct ia_cube *cube, uint32_t level) {
    for (size_t i = ia->blocked.len; i > 0; i--) {
        const struct ia_blocked *b = &ia->blocked.data[i - 1];
        if (!b->dead && b->level >= level && ia_cube_within(&b->cube, cube))
            return true;
    }
    return false;
}

/* ---- abstract counterexamples ---- */

/* The strongest frame that holds after `step` steps and that this cube is in. */
static uint32_t frame_around(const struct ia *ia, const struct ia_cube *cube, uint32_t step) {
    uint32_t level = step > 0 ? step : 1;
    while (level <= ia->top && is_blocked(ia, cube, level))
        level++;
    return level;
}

static enum ia_answer conclude(struct ia *ia, struct ia_cube *path, uint32_t n,
                               const uint32_t *levels) {
    assert(n > 0 && levels[0] <= ia->top + 1);
    enum ia_answer said = ia_simulate(ia, path, n);
    if (said == IA_YES)
        ia->status = IA_HIT;
    if (said != IA_NO)
        return said;
    size_t before_it = ia->predicates.len;
    said = ia_refine(ia, path, n, levels);
    if (said == IA_NO)
        ia->status = IA_GAVE_UP;
    if (ia->predicates.len > before_it) /* cubes are of all predicates */
        forget_obligations(ia);
    return said;
}

/* The obligation contains an initial state. */
static enum ia_answer counterexample(struct ia *ia, uint32_t obligation) {
    VEC(struct ia_cube) path = {0};
    VEC(uint32_t) levels = {0};
    for (uint32_t o = obligation; o != NONE; o = ia->obligations.data[o].parent) {
        struct ia_cube copy = {0};
        vec_append(&copy, ia->obligations.data[o].cube.data, ia->obligations.data[o].cube.len);
        vec_push(&levels, frame_around(ia, &copy, (uint32_t)path.len));
        vec_push(&path, copy);
    }
    if (ia->obligations.data[obligation].level == 0)
        levels.data[0] = 0;
    enum ia_answer said = conclude(ia, path.data, (uint32_t)path.len, levels.data);
    for (size_t i = 0; i < path.len; i++)
        vec_free(&path.data[i]);
    vec_free(&path);
    vec_free(&levels);
    return said;
}

/* ---- RECBLOCK, with a queue ---- */

/* The cube is blocked at its level, by a smaller one, and as far up as that goes. */
static enum ia_answer learn(struct ia *ia, uint32_t obligation, struct ia_cube *core,
                            const struct ia_cube *apart) {
    struct ia_obligation *o = &ia->obligations.data[obligation];
    uint32_t level = o->level;
    assert(ia_cube_within(core, &o->cube) && ia_cube_within(apart, &o->cube));
    for (size_t i = 0; i < apart->len; i++)
        ia_cube_add(core, apart->data[i]);
    enum ia_answer said = ia_generalise(ia, core, level, apart);
    if (said == IA_STOPPED)
        return said;
    while (level < ia->top && (said = ia_relative(ia, core, level + 1, NULL)) == IA_YES)
        level++;
    block(ia, core, level);
    dequeue(ia);
    if (level < ia->top) {
        ia->obligations.data[obligation].level = level + 1;
        enqueue(ia, obligation);
    }
    return said == IA_STOPPED ? IA_STOPPED : IA_YES;
}

static enum ia_answer work_on(struct ia *ia, uint32_t obligation) {
    struct ia_cube apart = {0}, core = {0};
    uint32_t level = ia->obligations.data[obligation].level;
    const struct ia_cube cube = ia->obligations.data[obligation].cube;
    if (level > 0 && is_blocked(ia, &cube, level)) {
        dequeue(ia);
        if (level < ia->top) {
            ia->obligations.data[obligation].level++;
            enqueue(ia, obligation);
        }
        return IA_YES;
    }
    enum ia_answer said = level == 0 ? IA_NO : ia_apart(ia, &cube, &apart);
    if (said == IA_NO)
        return counterexample(ia, obligation);
    if (said == IA_YES)
        said = ia_relative(ia, &cube, level, &core);
    if (said == IA_NO) {
        add_obligation(ia, level - 1, obligation);
        said = IA_YES;
    } else if (said == IA_YES) {
        said = learn(ia, obligation, &core, &apart);
    }
    vec_free(&apart);
    vec_free(&core);
    return said;
}

/* ---- frames ---- */

/* Is the hit excluded from the top frame? IA_NO: there is an obligation now. */
static enum ia_answer ask_top(struct ia *ia) {
    struct qlits ask = {0};
    ia_assume_frame(ia, ia->top, &ask);
    vec_push(&ask, ia->hit);
    enum solver_result said = ia_ask(ia, ia->q, &ask);
    vec_free(&ask);
    if (said == SOLVER_SAT)
        add_obligation(ia, ia->top, NONE);
    return said == SOLVER_UNSAT ? IA_YES : said == SOLVER_SAT ? IA_NO : IA_STOPPED;
}

static bool level_is_empty(const struct ia *ia, uint32_t level) {
    for (size_t i = 0; i < ia->blocked.len; i++)
        if (!ia->blocked.data[i].dead && ia->blocked.data[i].level == level)
            return false;
    return true;
}

static void note_proof(struct ia *ia, uint32_t level) {
    assert(level > 0 && level < ia->top && ia->queue.len == 0);
    for (uint32_t i = 0; i < ia->blocked.len; i++)
        if (!ia->blocked.data[i].dead && ia->blocked.data[i].level > level)
            vec_push(&ia->proof, i);
    ia->status = IA_SAFE;
}

/* IA_YES: nothing more to move, or a proof. */
static enum ia_answer propagate(struct ia *ia) {
    for (uint32_t level = 1; level < ia->top; level++) {
        for (size_t i = 0; i < ia->blocked.len; i++) {
            if (ia->blocked.data[i].dead || ia->blocked.data[i].level != level)
                continue;
            enum ia_answer said = ia_relative(ia, &ia->blocked.data[i].cube, level + 1, NULL);
            if (said == IA_STOPPED)
                return said;
            if (said == IA_YES) {
                ia->blocked.data[i].level = level + 1;
                ia_assert_blocked(ia, &ia->blocked.data[i]);
            }
        }
        if (level_is_empty(ia, level)) {
            note_proof(ia, level);
            return IA_YES;
        }
    }
    return IA_YES;
}

/* The hit is excluded from the top frame: the next one. */
static enum ia_answer extend(struct ia *ia) {
    enum ia_answer said = propagate(ia);
    if (said == IA_STOPPED || ia->status != IA_MORE)
        return said;
    ia->top++;
    WINDOW_ADD(ia->options.window, stats.frames, 1);
    WINDOW_EVENT(ia->options.window, "frame", "\"target\":%u,\"level\":%u", ia->target, ia->top);
    ia_add_level(ia);
    return IA_YES;
}

static enum ia_answer work(struct ia *ia) {
    if (ia->queue.len > 0)
        return work_on(ia, ia->queue.data[0]);
    forget_obligations(ia);
    enum ia_answer said = ask_top(ia);
    if (said == IA_YES)
        return extend(ia);
    return said;
}

/* Runs of a length are looked at one length after the other with a part of the effort: what can be
 * hit is often found so before an abstract path leads there. */
static enum ia_answer probe(struct ia *ia) {
    uint64_t until = ia->until, before = ia_ticks(ia);
    if (ia->clean > 0 && before + ia->probe_budget < until)
        ia->until = before + ia->probe_budget;
    enum ia_answer said = ia_simulate_all(ia, ia->clean);
    ia->until = until;
    ia->probe_effort += ia_ticks(ia) - before;
    if (said == IA_YES)
        ia->status = IA_HIT;
    ia->clean += said == IA_NO;
    if (said == IA_STOPPED)
        ia->probe_budget *= 2;
    return ia->clean == 0 ? said : IA_YES;
}

/* Always before the first frame; then a quarter of the effort, if the next length is affordable. */
static bool is_time_to_probe(const struct ia *ia) {
    if (ia->options.runs_elsewhere)
        return ia->clean == 0;
    uint64_t all = ia_ticks(ia);
    return ia->clean == 0 || ia->probe_effort + ia->probe_budget < all / 4 ||
           (ia->clean <= ia->top && ia->probe_effort < all / 4);
}

enum ia_status ia_step(struct ia *ia, uint64_t ticks) {
    ia->until = ia_ticks(ia) + ticks;
    while (ia->status == IA_MORE && ia_ticks(ia) < ia->until)
        if ((is_time_to_probe(ia) ? probe(ia) : work(ia)) == IA_STOPPED)
            break;
    return ia->status;
}

/* ---- results ---- */

size_t ia_clause_count(const struct ia *ia) {
    assert(ia->status == IA_SAFE);
    return ia->proof.len;
}

const term_t *ia_clause(const struct ia *ia, size_t clause, size_t *n) {
    struct ia *scratch = (struct ia *)ia;
    assert(ia->status == IA_SAFE && clause < ia->proof.len);
    const struct ia_cube *cube = &ia->blocked.data[ia->proof.data[clause]].cube;
    vec_clear(&scratch->clause);
    for (size_t i = 0; i < cube->len; i++)
        vec_push(&scratch->clause, ia_term(ia, cube->data[i] ^ 1));
    *n = cube->len;
    return ia->clause.data;
}

uint32_t ia_steps(const struct ia *ia) {
    assert(ia->status == IA_HIT);
    return ia->n_steps;
}

term_t ia_input(const struct ia *ia, uint32_t step, size_t input) {
    assert(ia->status == IA_HIT && step <= ia->n_steps);
    return ia->trace.data[step * ia->sys->inputs.len + input];
}

struct ia_stats ia_stats(const struct ia *ia) {
    struct ia_stats s = ia->stats;
    s.predicates = ia->predicates.len;
    s.queries = ia->closed_queries + (ia->q ? query_questions(ia->q) : 0) +
                (ia->path.q ? query_questions(ia->path.q) : 0) +
                (ia->all_runs.q ? query_questions(ia->all_runs.q) : 0);
    s.clauses = ia->blocked.len;
    s.frames = ia->top;
    s.ticks = ia_ticks(ia);
    return s;
}
