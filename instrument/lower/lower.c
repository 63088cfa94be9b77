/* The driver: compile, execute gk_init and gk_step symbolically, compare with the plan, repeat. */
#include "instrument/lower/lower.h"

#include "instrument/lower/access.h"
#include "instrument/lower/constrained.h"
#include "instrument/lower/cut.h"
#include "instrument/lower/execute.h"
#include "instrument/lower/result.h"
#include "instrument/lower/seed.h"
#include "instrument/lower/table.h"
#include "instrument/lower/lowering.h"

#include "base/texts.h"

#include <stdlib.h>

enum { RUNS_MAX = 200 };

static void lowering_init(struct lowering *lw, struct terms *ts) {
    lw->ts = ts;
    values_init(&lw->values);
    paths_init(&lw->paths, ts);
    memory_init(&lw->memory);
    ranges_init(&lw->ranges, ts);
    lw->unspecified = lw->init_unspecified = term_bool(ts, false);
}

static void lowering_free(struct lowering *lw) {
    for (size_t i = 0; i < lw->function_list.len; i++)
        lower_function_delete(lw->function_list.data[i]);
    vec_free(&lw->function_list);
    map_free(&lw->functions);
    map_free(&lw->constants);
    map_free(&lw->input_uses);
    map_free(&lw->target_of_probe);
    map_free(&lw->target_of_place);
    map_free(&lw->noted);
    map_free(&lw->end_of_place);
    vec_free(&lw->ends);
    vec_free(&lw->calls);
    vec_free(&lw->frames);
    vec_free(&lw->arrivals);
    vec_free(&lw->inputs);
    vec_free(&lw->promises);
    vec_free(&lw->marked);
    vec_free(&lw->targets);
    state_free(&lw->state);
    ranges_free(&lw->ranges);
    layouts_free(&lw->layouts);
    objects_free(&lw->objects);
    memory_free(&lw->memory);
    paths_free(&lw->paths);
    values_free(&lw->values);
    arena_free(&lw->arena);
}

/* ---- probes ---- */

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

VEC_STRUCT(probe_list, uint32_t);

static void collect_probe(LLVMValueRef call, struct probe_list *probes) {
    if (!LLVMIsACallInst(call) || LLVMGetNumArgOperands(call) != 1)
        return;
    LLVMValueRef id = LLVMGetOperand(call, 0);
    if (LLVMIsConstant(id) && LLVMIsAConstantInt(id))
        vec_push(probes, (uint32_t)LLVMConstIntGetZExtValue(id));
}

/* A target for every probe of the text, in the order of their numbers, executed or not. */
static void add_probes(struct lowering *lw) {
    struct probe_list probes = {0};
    for (uint32_t id = 0; id < lw->options->n_probes; id++)
        vec_push(&probes, id);
    LLVMValueRef hit = LLVMGetNamedFunction(lw->bc->module, "gk_hit");
    for (LLVMUseRef use = hit ? LLVMGetFirstUse(hit) : NULL; use; use = LLVMGetNextUse(use))
        collect_probe(LLVMGetUser(use), &probes);
    if (probes.len)
        qsort(probes.data, probes.len, sizeof *probes.data, by_number);
    for (size_t i = 0; i < probes.len; i++) {
        uint32_t id = probes.data[i];
        if (map_get(&lw->target_of_probe, id))
            continue;
        const char *name = arena_printf(&lw->arena, "probe%u", id);
        map_put(&lw->target_of_probe, id, lower_target(lw, TARGET_GOAL, id, name));
    }
    vec_free(&probes);
}

/* ---- one run ---- */

static void run_phase(struct lowering *lw, LLVMValueRef fn, bool in_init) {
    lw->in_init = in_init;
    lw->now = (struct path){0};
    lw->at = NULL;
    if (fn)
        (void)lower_run(lw, fn, NULL, 0);
}

static term_t *state_terms(struct lowering *lw) {
    size_t n = lw->module->state.len;
    term_t *terms = arena_array(&lw->arena, term_t, n + 1);
    for (size_t i = 0; i < n; i++)
        terms[i] = lower_table_term(lw, (uint32_t)i);
    return terms;
}

/* Functions that run before main() or after it are not followed. */
static void refuse_constructors(struct lowering *lw) {
    static const char *const names[] = {"llvm.global_ctors", "llvm.global_dtors"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (LLVMGetNamedGlobal(lw->bc->module, names[i]))
            lower_give_up(lw, "functions that run before or after main() are not supported");
}

/* A program of its own: to its first location is the initialisation, between two locations a step.
 */
static void run_task_init(struct lowering *lw, LLVMValueRef fn) {
    VEC(value_t) args = {0};
    lw->in_init = true;
    lw->now = (struct path){0};
    refuse_constructors(lw);
    summaries_begin(lw);
    for (LLVMValueRef a = LLVMGetFirstParam(fn); a; a = LLVMGetNextParam(a))
        vec_push(&args, lower_foreign(lw, LLVMTypeOf(a), "argument"));
    (void)lower_run(lw, fn, args.data, (uint32_t)args.len);
    cut_join_arrivals(lw);
    vec_free(&args);
}

static void run_task_step(struct lowering *lw) {
    lw->in_init = false;
    lw->now = (struct path){0};
    lw->at = NULL;
    cut_run_segments(lw);
}

/* void gk_run(void) { gk_init(); for (;;) gk_step(); } */
static LLVMValueRef make_driver(LLVMModuleRef module) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
    LLVMValueRef fn = LLVMAddFunction(module, "gk_run", type);
    LLVMValueRef init = LLVMGetNamedFunction(module, "gk_init");
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, fn, "");
    LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(context, fn, "");
    LLVMPositionBuilderAtEnd(b, entry);
    if (init && !LLVMIsDeclaration(init))
        LLVMBuildCall2(b, type, init, NULL, 0, "");
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMBuildCall2(b, type, LLVMGetNamedFunction(module, "gk_step"), NULL, 0, "");
    LLVMBuildBr(b, loop);
    LLVMDisposeBuilder(b);
    return fn;
}

/* The program whose loops are kept: main, or the woven module from its reset on. */
static LLVMValueRef cut_entry(struct lowering *lw, struct err *err) {
    LLVMModuleRef module = lw->bc->module;
    const char *name = lw->options->task ? "main" : "gk_step";
    LLVMValueRef fn = LLVMGetNamedFunction(module, name), run;
    if (!fn || LLVMIsDeclaration(fn)) {
        err_set(err, ERR_SOURCE, "the program has no function %s", name);
        return NULL;
    }
    if (lw->options->task)
        return fn;
    run = LLVMGetNamedFunction(module, "gk_run");
    return run ? run : make_driver(module);
}

static bool run_cut(struct lowering *lw, struct run_result *run, struct err *err) {
    LLVMValueRef fn = cut_entry(lw, err);
    lw->in_init = true;
    if (!fn || !objects_init(lw, err))
        return false;
    lower_state_prepare(lw);
    if (!lower_table_read(lw, err))
        return false;
    add_probes(lw);
    if (!lw->plan->seeded)
        lower_seed_plan(lw, fn);
    run_task_init(lw, fn);
    run->init_ok = path_term(lw, &lw->now);
    lower_state_begin(lw);
    lw->in_init = false;
    run->state.data = state_terms(lw);
    run->state.len = lw->module->state.len;
    run_task_step(lw);
    run->step_ok = path_term(lw, &lw->now);
    lower_state_compare(lw);
    return true;
}

static bool run_once(struct lowering *lw, struct run_result *run, struct err *err) {
    LLVMValueRef init = LLVMGetNamedFunction(lw->bc->module, "gk_init");
    LLVMValueRef step = LLVMGetNamedFunction(lw->bc->module, "gk_step");
    if (!step || LLVMIsDeclaration(step))
        return err_set(err, ERR_INTERNAL, "the woven text has no function gk_step");
    lw->in_init = true;
    if (!objects_init(lw, err))
        return false;
    lower_state_prepare(lw);
    if (!lower_table_read(lw, err))
        return false;
    add_probes(lw);
    if (!lw->plan->seeded)
        lower_seed_plan(lw, step);
    run_phase(lw, init && !LLVMIsDeclaration(init) ? init : NULL, true);
    run->init_ok = path_term(lw, &lw->now);
    lower_state_begin(lw);
    lw->in_init = false;
    run->state.data = state_terms(lw);
    run->state.len = lw->module->state.len;
    run_phase(lw, step, false);
    run->step_ok = path_term(lw, &lw->now);
    lower_state_compare(lw);
    return true;
}

static bool is_runnable(LLVMValueRef fn, struct err *err) {
    if (fn && !LLVMIsDeclaration(fn) && LLVMCountParams(fn) != 0)
        return err_set(err, ERR_INTERNAL, "gk_init and gk_step must not have parameters");
    return true;
}

static bool run_until_stable(const struct bitcode *bc, const struct module *module,
                             const struct lower_options *options, struct system *sys,
                             struct lowered *lowered, struct err *err) {
    struct lower_plan plan = {0};
    bool ok = is_runnable(LLVMGetNamedFunction(bc->module, "gk_init"), err) &&
              is_runnable(LLVMGetNamedFunction(bc->module, "gk_step"), err);
    for (bool again = ok; again && ok;) {
        struct terms ts;
        terms_init(&ts);
        struct lowering lw = {
            .bc = bc, .module = module, .options = options, .plan = &plan, .result = lowered};
        struct run_result run = {0};
        lowering_init(&lw, &ts);
        vec_clear(&lowered->limitations);
        vec_clear(&lowered->ends);
        plan.grown = false;
        ok = options->cut ? run_cut(&lw, &run, err) : run_once(&lw, &run, err);
        again = ok && plan.grown;
        lowered->instructions += lw.n_steps;
        if (ok && again && ++lowered->runs > RUNS_MAX)
            ok = err_set(err, ERR_INTERNAL, "the set of changing cells does not settle");
        if (ok && !again)
            lower_finish(&lw, &run, sys, lowered);
        lowering_free(&lw);
        terms_free(&ts);
    }
    lower_plan_free(&plan);
    return ok;
}

static bool lower_bitcode(const char *text, const struct bitcode_options *how,
                          const struct module *module, const struct lower_options *options,
                          struct system *sys, struct lowered *lowered, struct err *err) {
    struct bitcode bc;
    *lowered = (struct lowered){.runs = 1};
    if (!bitcode_compile(&bc, text, how, err))
        return false;
    constrained_rewrite(bc.module);
    if (bc.changes_rounding)
        constrained_add_variable(bc.module);
    bool ok = run_until_stable(&bc, module, options, sys, lowered, err);
    bitcode_free(&bc);
    if (ok)
        check_system(sys);
    else
        lowered_free(lowered);
    return ok;
}

/* Values in the order in which the program asks for them: they all come from one input. */
static void join_inputs(struct system *sys) {
    for (size_t i = 0; i < sys->inputs.len; i++)
        if (sys->inputs.data[i].module_input != NONE)
            sys->inputs.data[i].module_input = 0;
}

static bool lower_task(const char *text, const struct module *module,
                       const struct lower_options *options, struct bitcode_options *how,
                       struct system *sys, struct lowered *lowered, struct err *err) {
    struct lower_options task = *options;
    assert(module->task && options->n_probes == 1);
    how->keeps_names = true;
    task.task = task.cut = true;
    task.satisfiable = NULL; /* its loops are cut, not followed */
    bool ok = lower_bitcode(text, how, module, &task, sys, lowered, err);
    if (ok) {
        join_inputs(sys);
        system_fold_constants(
            sys); /* what is kept over a loop head is often the same thing twice */
    }
    return ok;
}

uint32_t lowered_place(const struct system *sys) {
    for (uint32_t i = 0; i < sys->cells.len; i++)
        if (str_same(sys->cells.data[i].name, LOWER_PLACE))
            return i;
    return NONE;
}

static void find_boundary(const struct system *sys, struct lowered *lowered) {
    for (size_t i = 0; i < lowered->places.len && lowered_place(sys) != NONE; i++)
        if (lowered->places.data[i].kind == CFA_STEP)
            lowered->boundary = i + 1;
}

static bool lower_kept(const char *text, const struct module *module,
                       const struct lower_options *options, struct bitcode_options *how,
                       struct system *sys, struct lowered *lowered, struct err *err) {
    struct lower_options kept = *options;
    assert(!module->task);
    how->keeps_names = true;
    kept.cut = true;
    if (!lower_bitcode(text, how, module, &kept, sys, lowered, err))
        return false;
    find_boundary(sys, lowered);
    return true;
}

bool lower(const char *woven_text, const struct module *module, const struct lower_options *options,
           struct system *sys, struct lowered *lowered, struct err *err) {
    struct bitcode_options how = {.ilp32 = module->ilp32,
                                  .char_is_signed = module->char_is_signed,
                                  .forgets = true,
                                  .native_tables = !module->task,
                                  .straightens = module->task,
                                  .follows_rounding = module->task,
                                  .one_thread = !module->task,
                                  .extra = options->clang_args,
                                  .total_seconds = options->total_seconds,
                                  .stop = options->stop,
                                  .stop_context = options->stop_context};
    assert(!options->task && !options->cut);
    if (module->task)
        return lower_task(woven_text, module, options, &how, sys, lowered, err);
    if (options->keep_loops)
        return lower_kept(woven_text, module, options, &how, sys, lowered, err);
    return lower_bitcode(woven_text, &how, module, options, sys, lowered, err);
}

bool lower_cfa(const char *woven_text, const struct module *module,
               const struct lower_options *options, struct system *sys, struct cfa *cfa,
               struct lowered *lowered, struct err *err) {
    struct bitcode_options how = {.ilp32 = module->ilp32,
                                  .char_is_signed = module->char_is_signed,
                                  .forgets = true,
                                  .native_tables = true,
                                  .one_thread = true,
                                  .extra = options->clang_args};
    if (!lower_kept(woven_text, module, options, &how, sys, lowered, err))
        return false;
    uint32_t pc = lowered_place(sys);
    if (pc == NONE)
        cfa_from_system(cfa, sys);
    else
        cfa_from_located(cfa, sys, pc, lowered->places.data, NULL, lowered->places.len);
    return true;
}

void lowered_end_label(const struct lowered_end *end, struct str *out) {
    const char *file = strrchr(end->file, '/');
    assert(end->line >= 0);
    str_addf(out, LOWERED_END_LABEL "%s:%d (%s)", file ? file + 1 : end->file, end->line,
             end->what);
}

void lowered_free(struct lowered *lowered) {
    vec_free(&lowered->places);
    vec_free(&lowered->promises);
    vec_free(&lowered->start);
    vec_free(&lowered->limitations);
    vec_free(&lowered->ends);
    vec_free(&lowered->pointers);
    vec_free(&lowered->state);
    arena_free(&lowered->arena);
    *lowered = (struct lowered){0};
}
