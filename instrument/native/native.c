/* native: see native.h. */
#include "instrument/native/native.h"

#include "base/file.h"
#include "base/mem.h"
#include "instrument/native/internal.h"

#include <assert.h>

_Static_assert((int)NATIVE_ENDS == (int)GK_EXIT + 1, "enum native_end repeats enum gk_end");
_Static_assert((int)TYPE_BOOL == GK_BOOL && (int)TYPE_SIGNED == GK_SIGNED &&
                   (int)TYPE_UNSIGNED == GK_UNSIGNED && (int)TYPE_FLOAT == GK_FLOAT &&
                   (int)TYPE_POINTER == GK_POINTER,
               "enum var_type repeats enum gk_type");
_Static_assert(NATIVE_NEVER == GK_NEVER && NATIVE_INIT == GK_INIT_STEP, "the same words");
_Static_assert(sizeof(struct input_event) == sizeof(struct gk_event), "copied as bytes");

enum { DEFAULT_STEP_MS = 500, LATER_STEP_MS = 100, DEFAULT_MEMORY_MB = 2048, MOST_ATTEMPTS = 5 };

const char *native_end_text(enum native_end end) {
    static const char *const texts[] = {
        [NATIVE_RAN] = "complete",
        [NATIVE_ASSUMPTION] = "assumption not met",
        [NATIVE_DIVISION] = "division by zero",
        [NATIVE_NULL] = "null pointer",
        [NATIVE_BOUNDS] = "index out of bounds",
        [NATIVE_MEMORY] = "invalid memory access",
        [NATIVE_STACK] = "stack overflow",
        [NATIVE_ABORT] = "abort",
        [NATIVE_ILLEGAL] = "illegal instruction (or assembly of another machine)",
        [NATIVE_ENDLESS] = "endless loop",
        [NATIVE_FORBIDDEN] = "forbidden system call",
        [NATIVE_EXIT] = "end of the process",
    };
    assert(end < NATIVE_ENDS);
    return texts[end];
}

void process_init(struct native_process *process, const struct native_program *program,
                  const char *executable) {
    *process = (struct native_process){.executable = executable};
    process->step_ms = program->step_ms ? program->step_ms : DEFAULT_STEP_MS;
    process->n_probes = program->n_probes;
    process->n_cells = (uint32_t)program->module->state.len;
    process->cut = program->cut;
    process->cut_context = program->stop_context;
    process->memory_mb = (uint32_t)(program->memory_mb ? program->memory_mb : DEFAULT_MEMORY_MB);
}

static bool prepare_dir(struct native *native, const struct native_program *program,
                        struct err *err) {
    if (program->build_dir) {
        str_add(&native->dir, program->build_dir);
        return file_make_dirs(program->build_dir, err);
    }
    native->own_dir = file_temp_dir(&native->dir, err);
    return native->own_dir;
}

static bool check_tables(const struct native *native, struct err *err) {
    const struct gk_shared *shared = native->process.shared;
    const struct native_process *process = &native->process;
    if (shared->n_cells == process->n_cells && shared->n_probes == process->n_probes)
        return true;
    return err_set(err, ERR_INTERNAL,
                   "the woven program has %u state cells and %u probes, the module has %u and %u",
                   shared->n_cells, shared->n_probes, process->n_cells, process->n_probes);
}

struct native *native_start(const struct native_program *program, enum native_kind kind,
                            struct err *err) {
    struct native *native = mem_zalloc(1, sizeof *native);
    native->program = *program;
    native->kind = kind;
    bool ready = prepare_dir(native, program, err);
    assert(!program->module->task || kind == NATIVE_ZERO || kind == NATIVE_PATTERN);
    if (ready && program->module->task &&
        task_native_open(&native->task, &native->program, str_text(&native->dir), err))
        return native;
    if (ready && !program->module->task &&
        native_build_start(&native->build, program, kind, str_text(&native->dir),
                           native_kind_name(kind), err))
        return native;
    native_close(native);
    return NULL;
}

struct native *native_finish(struct native *native, struct err *err) {
    if (!native || native->program.module->task)
        return native;
    bool ok = native_build_finish(&native->build, err);
    process_init(&native->process, &native->program, native->build.executable);
    if (ok && process_ready(&native->process, true, err) && check_tables(native, err))
        return native;
    native_close(native);
    return NULL;
}

struct native *native_open(const struct native_program *program, enum native_kind kind,
                           struct err *err) {
    return native_finish(native_start(program, kind, err), err);
}

struct native *native_again(const struct native *native, uint32_t step_ms) {
    struct native *again = mem_zalloc(1, sizeof *again);
    assert(!native->program.module->task);
    again->program = native->program;
    again->program.step_ms = step_ms;
    again->kind = native->kind;
    again->gcc_tried = true;
    process_init(&again->process, &again->program, native->process.executable);
    return again;
}

struct native *native_positive(struct native *native, struct err *err) {
    assert(!native->positive || native->positive->program.woven == native->program.woven);
    if (native->program.module->task)
        return native; /* its scalars come from the witness */
    if (!native->positive)
        native->positive = native_open(&native->program, NATIVE_POSITIVE, err);
    return native->positive;
}

struct native *native_gcc(struct native *native, struct err *err) {
    assert(!native->gcc || native->gcc->program.woven == native->program.woven);
    if (!native->gcc_tried && !native->program.module->task)
        native->gcc = native_open(&native->program, NATIVE_GCC, err);
    native->gcc_tried = true;
    return native->gcc;
}

const struct native_odds *native_odds(const struct native *native) {
    return &native->odds;
}

void native_note_odd(struct native *native, uint32_t probe, uint32_t step,
                     const struct native_run *run) {
    struct native_odd odd = {.probe = probe, .step = step, .n_steps = run->n_steps};
    assert(probe < native->program.n_probes);
    for (size_t i = 0; i < native->odds.len; i++)
        if (native->odds.data[i].probe == probe)
            return;
    vec_append(&odd.events, run->events->data, run->events->len);
    vec_push(&native->odds, odd);
}

bool native_has_positive(const struct native *native) {
    return native->positive != NULL;
}

void native_close(struct native *native) {
    if (!native)
        return;
    native_close(native->positive);
    native_close(native->gcc);
    for (size_t i = 0; i < native->odds.len; i++)
        vec_free(&native->odds.data[i].events);
    vec_free(&native->odds);
    process_free(&native->process);
    native_build_free(&native->build);
    if (native->own_dir)
        file_remove_tree(str_text(&native->dir));
    str_free(&native->dir);
    mem_free(native);
}

double native_cpu_seconds(const struct native *native) {
    return process_cpu_seconds(&native->process);
}

const struct module *native_module(const struct native *native) {
    return native->program.module;
}

uint64_t process_place(uint64_t *next, uint64_t count, uint64_t size) {
    uint64_t at = *next;
    *next += (count * size + 15) / 16 * 16;
    return at;
}

/* Nothing is hit unless the process says so: it may end before it says anything. */
static void forget_hits(struct native_process *process) {
    struct gk_first_hit *hits = process_data(process, process->placed.hits_at);
    for (uint32_t i = 0; i < process->n_probes; i++)
        hits[i] = (struct gk_first_hit){GK_NEVER, 0};
}

/* Where the data of a run stand; false: they do not fit. */
static bool lay_out(const struct native_process *process, const struct native_run *run,
                    struct gk_replay *job) {
    uint64_t next = process->reserved ? process->reserved : GK_DATA_AT, traced = run->trace_steps;
    memset(job, 0, sizeof *job);
    assert(run->events->len < UINT32_MAX);
    job->n_events = (uint32_t)run->events->len;
    job->n_steps = run->n_steps;
    job->stop_probe = run->stop_at_hit ? run->stop_probe : GK_NONE;
    job->trace_from = run->trace_from;
    job->trace_room = run->trace_steps;
    job->n_set = run->set ? (uint32_t)run->set->len : 0;
    job->set_at = process_place(&next, job->n_set, sizeof(struct gk_set));
    job->events_at = process_place(&next, job->n_events, sizeof(struct gk_event));
    job->hits_at = process_place(&next, process->n_probes, sizeof(struct gk_first_hit));
    job->cells_at = process_place(&next, (traced + 1) * process->n_cells, sizeof(uint64_t));
    job->bytes_at = process_place(&next, traced * process->n_probes, 1);
    return next <= process_size();
}

bool native_can_record(const struct native *native, const struct native_run *run) {
    struct gk_replay job;
    return lay_out(&native->process, run, &job);
}

bool process_place_run(struct native_process *process, const struct native_run *run,
                       struct err *err) {
    struct gk_replay *job = &process->placed;
    if (!lay_out(process, run, job)) {
        err_set(err, ERR_USAGE, "a run of %u steps with %u recorded ones does not fit into memory",
                run->n_steps, run->trace_steps);
        return err_remedy(err, "record a part of the run at a time");
    }
    if (job->n_events)
        memcpy(process_data(process, job->events_at), run->events->data,
               job->n_events * sizeof(struct gk_event));
    struct gk_set *set = process_data(process, job->set_at);
    for (uint32_t i = 0; i < job->n_set; i++)
        set[i] = (struct gk_set){run->set->data[i].cell, 0, run->set->data[i].bits};
    forget_hits(process);
    process->shared->replay = *job;
    return true;
}

/* The process is gone: what can be said is what stands in the shared memory. */
static void close_job(struct gk_shared *shared) {
    struct gk_replay *job = &shared->replay;
    job->end = GK_EXIT;
    job->end_step = shared->step;
    job->unspecified = GK_DEFINED;
}

/* What the process says is taken as far as it can be true: it may have written anything. */
static uint32_t step_of(const struct gk_replay *placed, uint32_t step) {
    return step == GK_INIT_STEP || step < placed->n_steps ? step : GK_NEVER;
}

static void read_hits(const struct native *native, struct native_result *result) {
    const struct native_process *process = &native->process;
    const struct gk_first_hit *hits = process_data(process, process->placed.hits_at);
    for (uint32_t i = 0; i < process->n_probes; i++)
        vec_push(&result->first_hit, (struct native_hit){step_of(&process->placed, hits[i].step),
                                                         hits[i].tainted != 0});
}

static void read_trace(const struct native *native, struct native_result *result) {
    const struct native_process *process = &native->process;
    const struct gk_replay *placed = &process->placed;
    const uint64_t *cells = process_data(process, placed->cells_at);
    const uint8_t *bytes = process_data(process, placed->bytes_at);
    uint32_t traced = process->shared->replay.traced;
    result->n_cells = process->n_cells;
    result->traced = traced < placed->trace_room ? traced : placed->trace_room;
    if (placed->trace_room == 0)
        return;
    vec_append(&result->init_cells, cells, process->n_cells);
    vec_append(&result->cells, cells + process->n_cells, (size_t)result->traced * process->n_cells);
    vec_append(&result->hits, bytes, (size_t)result->traced * process->n_probes);
}

static void read_end(const struct gk_replay *job, const struct gk_replay *placed,
                     struct native_result *result) {
    result->end = job->end < NATIVE_ENDS ? (enum native_end)job->end : NATIVE_EXIT;
    result->end_step = result->end == NATIVE_RAN ? NATIVE_NONE : step_of(placed, job->end_step);
    if (result->end_step == GK_NEVER)
        result->end_step = placed->n_steps > 0 ? placed->n_steps - 1 : NATIVE_INIT;
    result->steps_done = job->steps_done < placed->n_steps ? job->steps_done : placed->n_steps;
    result->address = job->address;
    result->unspecified = job->unspecified < NATIVE_UNSPECIFIED_KINDS
                              ? (enum native_unspecified)job->unspecified
                              : NATIVE_CAST;
    result->unspecified_step = job->unspecified_step;
}

/* One that has an endless loop has it again in the runs to come: they are not waited for as long.
 */
static void lose_patience(struct native *native) {
    struct gk_shared *shared = native->process.shared;
    if (shared->step_ms > LATER_STEP_MS)
        shared->step_ms = LATER_STEP_MS;
}

static void read_result(struct native *native, struct native_result *result) {
    const struct gk_replay job = native->process.shared->replay;
    if (job.end == GK_ENDLESS)
        lose_patience(native);
    read_end(&job, &native->process.placed, result);
    vec_clear(&result->first_hit);
    vec_clear(&result->init_cells);
    vec_clear(&result->cells);
    vec_clear(&result->hits);
    read_hits(native, result);
    read_trace(native, result);
}

/* Nobody waits for the rest of it: what it has shown so far may be half written. */
static void forget_job(struct native_process *process) {
    process->placed.trace_room = 0;
    forget_hits(process);
}

/* Carried out, whatever became of it; false when somebody has killed the process meanwhile. */
static bool carry_out(struct native_process *process) {
    if (process_send(process, GK_REPLAY) && process_wait(process))
        return true;
    bool killed = process->ended_outside && !process->cut_off;
    process_kill(process);
    close_job(process->shared);
    if (process->cut_off)
        forget_job(process);
    return !killed;
}

/* ---- a verification task instead of the woven program ---- */

/* One value per step: what is traced are the steps, for a task shows no state. */
static void set_task_result(const struct native_run *run, bool reached, size_t used,
                            struct native_result *result) {
    uint32_t step = used > 0 ? (uint32_t)used - 1 : NATIVE_INIT;
    uint32_t from = run->trace_from < run->n_steps ? run->trace_from : run->n_steps;
    uint32_t most = run->n_steps - from;
    *result = (struct native_result){.end = NATIVE_RAN, .end_step = NATIVE_NONE};
    result->steps_done = run->n_steps;
    result->traced = run->trace_steps < most ? run->trace_steps : most;
    vec_push(&result->first_hit, (struct native_hit){reached ? step : NATIVE_NEVER, false});
    vec_resize_zero(&result->hits, result->traced);
    if (reached && step >= from && step - from < result->traced)
        result->hits.data[step - from] = 1;
}

static bool replay_task(struct native *native, const struct native_run *run,
                        struct native_result *result, struct err *err) {
    struct task_values values = {0};
    bool reached = false;
    for (size_t i = 0; i < run->events->len; i++)
        vec_push(&values, run->events->data[i].bits);
    enum task_build build = native->kind == NATIVE_ZERO ? TASK_ZERO : TASK_PATTERN;
    bool ok = task_native_replay(&native->task, build, &values, &reached, err);
    if (ok) {
        native_result_free(result);
        set_task_result(run, reached, values.len, result);
    }
    vec_free(&values);
    return ok;
}

/* One that is killed each time does it to itself. */
bool native_replay(struct native *native, const struct native_run *run,
                   struct native_result *result, struct err *err) {
    bool done = false;
    if (native->program.module->task)
        return replay_task(native, run, result, err);
    for (int attempt = 0; !done && attempt < MOST_ATTEMPTS; attempt++) {
        if (!process_ready(&native->process, run->fresh, err) ||
            !process_place_run(&native->process, run, err))
            return false;
        done = carry_out(&native->process);
    }
    if (native->process.broken)
        return process_ready(&native->process, false, err);
    read_result(native, result);
    return true;
}

void native_result_free(struct native_result *result) {
    vec_free(&result->first_hit);
    vec_free(&result->init_cells);
    vec_free(&result->cells);
    vec_free(&result->hits);
}
