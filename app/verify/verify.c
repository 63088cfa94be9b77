/* verify: see verify.h. */
#include "app/verify/verify.h"

#include "app/run/dump.h"
#include "app/run/interrupt.h"
#include "app/run/task.h"
#include "app/verify/portfolio.h"
#include "base/file.h"
#include "instrument/lower/lower.h"
#include "instrument/native/task.h"
#include "model/system/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEARCH_RUNS = 2000, VALUES_SHOWN = 40 };
static const double default_seconds = 300, replay_seconds = 10, search_seconds = 1;

struct verify {
    const struct options *options;
    const char *file;
    struct arena arena;
    struct str text;
    struct texts clang_args;
    bool ilp32;
    struct terms terms;
    struct system sys;
    struct lowered lowered;
    bool has_model, has_native;
    struct task_native native;
    struct task_values witness; /* confirmed */
    struct portfolio_result result;
};

/* ---- preparation ---- */

static void add_arguments(struct verify *v) {
    const struct options *o = v->options;
    vec_push(&v->clang_args, "-iquote");
    vec_push(&v->clang_args, path_dir(&v->arena, v->file));
    for (size_t i = 0; i < o->include_dirs.len; i++)
        vec_push(&v->clang_args, arena_printf(&v->arena, "-I%s", o->include_dirs.data[i]));
    for (size_t i = 0; i < o->defines.len; i++)
        vec_push(&v->clang_args, arena_printf(&v->arena, "-D%s", o->defines.data[i]));
    for (size_t i = 0; i < o->cflags.len; i++)
        vec_push(&v->clang_args, o->cflags.data[i]);
    vec_push(&v->clang_args, NULL);
}

/* The text goes to clang by its standard input: this gives the places the name of the file. */
static bool read_task(struct verify *v, struct err *err) {
    str_add(&v->text, "#line 1 \"");
    for (const char *c = v->file; *c; c++)
        str_addf(&v->text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    str_add(&v->text, "\"\n");
    return file_read(v->file, &v->text, err);
}

static double seconds_of(const struct options *o) {
    return option_given(o, OPT_seconds) ? o->seconds : default_seconds;
}

static bool make_model(struct verify *v, struct err *err) {
    struct lower_options options = {.clang_args = v->clang_args.data,
                                    .total_seconds = seconds_of(v->options)};
    terms_init(&v->terms);
    system_init(&v->sys, &v->terms);
    v->has_model = lower_task(str_text(&v->text), v->ilp32, &options, &v->sys, &v->lowered, err);
    if (!v->has_model) {
        system_free(&v->sys);
        terms_free(&v->terms);
        return false;
    }
    /* what is kept over a loop head is often the same thing twice */
    size_t folded = system_fold_constants(&v->sys);
    log_detail(v->options->log, "%zu cells; %zu more are constant or equal to one of them",
               v->sys.cells.len, folded);
    return true;
}

static void make_native(struct verify *v) {
    struct err err = {0};
    struct task_source source = {.text = str_text(&v->text),
                                 .ilp32 = v->ilp32,
                                 .clang_args = v->clang_args.data,
                                 .total_seconds = seconds_of(v->options)};
    v->has_native = task_native_open(&v->native, &source, &err);
    if (!v->has_native)
        log_warning(v->options->log, "no native build, so nothing can be shown to be reachable: %s",
                    str_text(&err.message));
    err_clear(&err);
}

static void list_limitations(const struct verify *v) {
    for (size_t i = 0; i < v->lowered.limitations.len; i++) {
        const struct limitation *l = &v->lowered.limitations.data[i];
        log_note(v->options->log, "%s:%d: in '%s': %s", l->file, l->line, l->function, l->text);
    }
}

/* ---- evidence ---- */

static bool replay(struct verify *v, struct task_values *values) {
    struct err err = {0};
    bool reached = false;
    if (v->has_native && !task_native_replay(&v->native, values, replay_seconds, &reached, &err))
        log_warning(v->options->log, "%s", str_text(&err.message));
    err_clear(&err);
    if (reached) {
        vec_clear(&v->witness);
        vec_append(&v->witness, values->data, values->len);
    }
    return reached;
}

static bool confirm_trace(void *context, const struct trace *trace) {
    struct verify *v = context;
    struct input_events events = {0};
    struct task_values values = {0};
    trace_events(&v->sys, trace, &events);
    for (size_t i = 0; i < events.len; i++)
        vec_push(&values, events.data[i].bits);
    bool reached = replay(v, &values);
    vec_free(&events);
    vec_free(&values);
    return reached;
}

/* In a child. */
static int search(void *context, uint32_t round) {
    struct verify *v = context;
    struct task_values values = {0};
    struct err err = {0};
    uint64_t seed = v->options->seed * 64 + round;
    double seconds = search_seconds * (1u << (round < 5 ? round : 5));
    struct str text = {0};
    bool reached = false;
    (void)task_native_search(&v->native, seed, SEARCH_RUNS << (round < 6 ? round : 6), seconds,
                             &values, &reached, &err);
    for (size_t i = 0; reached && i < values.len; i++)
        str_addf(&text, "%llx\n", (unsigned long long)values.data[i]);
    if (reached)
        task_record("found", str_text(&text), text.len);
    str_free(&text);
    vec_free(&values);
    err_clear(&err);
    return 0;
}

static bool found(void *context, const char *text) {
    struct verify *v = context;
    struct task_values values = {0};
    for (const char *at = text; *at;) {
        char *end;
        vec_push(&values, strtoull(at, &end, 16));
        if (end == at)
            break;
        at = end + (*end == '\n');
    }
    bool reached = replay(v, &values);
    vec_free(&values);
    return reached;
}

/* ---- the verdict ---- */

static void print_witness(const struct verify *v) {
    printf("values:");
    for (size_t i = 0; i < v->witness.len && i < VALUES_SHOWN; i++)
        printf(" 0x%llx", (unsigned long long)v->witness.data[i]);
    if (v->witness.len > VALUES_SHOWN)
        printf(" … (%zu in all)", v->witness.len);
    printf("%s\n", v->witness.len ? "" : " none");
}

static void print_proof(const struct verify *v) {
    const struct invariant *inv = &v->result.proof;
    struct str text = {0};
    for (size_t i = 0; i < inv->clauses.len; i++) {
        str_add(&text, "invariant: ");
        clause_print(&inv->clauses.data[i], &v->sys, &text);
        str_addc(&text, '\n');
    }
    fputs(str_text(&text), stdout);
    str_free(&text);
}

static void print_open(const struct verify *v) {
    const struct portfolio_result *r = &v->result;
    const char *reason = r->overrun       ? "a place that cannot be analysed may be reached"
                         : interrupted()  ? "interrupted"
                         : r->unconfirmed ? "a run to the error was not confirmed by the program"
                                          : "the time is over";
    printf("reason: %s\n", reason);
    if (r->bound >= 0)
        printf("bound: %lld\n", (long long)r->bound);
}

static void print_verdict(const struct verify *v) {
    const struct portfolio_result *r = &v->result;
    static const char *const words[] = {
        [STATUS_OPEN] = "open", [STATUS_REACHABLE] = "reachable", [STATUS_DEAD] = "dead"};
    printf("verdict: %s\n", words[r->answer]);
    if (r->answer == STATUS_OPEN) {
        print_open(v);
        return;
    }
    printf("engine: %s\nchecked by: %s\n", r->engine,
           r->answer == STATUS_DEAD ? "solver" : "replay");
    if (r->depth >= 0)
        printf("depth: %lld\n", (long long)r->depth);
    if (r->answer == STATUS_DEAD)
        print_proof(v);
    else
        print_witness(v);
}

static bool decide(struct verify *v, struct err *err) {
    const struct options *o = v->options;
    struct portfolio p = {.sys = &v->sys,
                          .engines = &o->engines,
                          .jobs = (unsigned)(o->jobs < 64 ? o->jobs : 64),
                          .seconds = seconds_of(o),
                          .memory_mb = option_given(o, OPT_memory_mb) ? o->memory_mb : 4096,
                          .seed = option_given(o, OPT_seed) ? o->seed : 1,
                          .log = o->log,
                          .context = v,
                          .confirm = confirm_trace,
                          .search = v->has_native ? search : NULL,
                          .found = found};
    return portfolio_run(&p, &v->result, err);
}

static bool verify(struct verify *v, struct err *err) {
    add_arguments(v);
    if (!read_task(v, err) || !make_model(v, err))
        return false;
    list_limitations(v);
    if (v->options->dump_model)
        return dump_model(&v->sys, v->options->dump_model, err);
    make_native(v);
    if (!decide(v, err))
        return false;
    print_verdict(v);
    return true;
}

static int exit_code(const struct verify *v) {
    if (v->result.refuted)
        return ERR_EVIDENCE;
    if (interrupted())
        return interrupt_exit_code();
    bool incomplete = v->options->require_complete && v->result.answer == STATUS_OPEN;
    return incomplete ? ERR_INCOMPLETE : 0;
}

static void verify_free(struct verify *v) {
    if (v->has_model) {
        lowered_free(&v->lowered);
        system_free(&v->sys);
        terms_free(&v->terms);
    }
    if (v->has_native)
        task_native_close(&v->native);
    portfolio_result_free(&v->result);
    vec_free(&v->witness);
    vec_free(&v->clang_args);
    str_free(&v->text);
    arena_free(&v->arena);
}

int verify_run(const struct options *o) {
    struct err err = {0};
    if (o->arguments.len != 1) {
        err_set(&err, ERR_USAGE, "--verify takes one C file");
        return command_fail(&err);
    }
    interrupt_catch();
    struct verify v = {.options = o, .file = o->arguments.data[0]};
    v.ilp32 = !o->target || str_same(o->target, "ilp32");
    int code = verify(&v, &err) ? exit_code(&v) : command_fail(&err);
    verify_free(&v);
    return code;
}
