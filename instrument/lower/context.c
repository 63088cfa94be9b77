/* What every part of the execution uses: sorts of types, what is known at `now`, fresh values, and
 * how the run ends. */
#include "instrument/lower/access.h"
#include "instrument/lower/lowering.h"

enum { LITERALS_MAX = 48, CONJUNCTS_MAX = 32, DECIDE_DEPTH = 3, PASSED_MAX = 4 };

sort_t lower_sort(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind:
        return SORT_F32;
    case LLVMDoubleTypeKind:
        return SORT_F64;
    case LLVMIntegerTypeKind: {
        unsigned width = LLVMGetIntTypeWidth(type);
        return width == 1 ? SORT_BOOL : width <= SORT_INT_MAX ? (sort_t)width : SORT_NONE;
    }
    default:
        return SORT_NONE;
    }
}

sort_t lower_pointer_sort(const struct lowering *lw) {
    return (sort_t)(LLVMPointerSize(lw->bc->layout) * 8);
}

/* ---- places ---- */

const char *lower_function_name(const struct lowering *lw) {
    size_t len;
    return lw->calls.len ? LLVMGetValueName2(vec_last(&lw->calls), &len) : "";
}

static const char *place_file(const struct lowering *lw) {
    unsigned len = 0;
    const char *file = lw->at ? LLVMGetDebugLocFilename(lw->at, &len) : NULL;
    return file ? arena_strndup(&lw->result->arena, file, len) : "";
}

static int place_line(const struct lowering *lw) {
    return lw->at ? (int)LLVMGetDebugLocLine(lw->at) : 0;
}

/* ---- what is known ---- */

static void narrow_by_path(struct lowering *lw, term_t t, struct views *views) {
    uint32_t g = lw->now.guard;
    for (int i = 0; i < LITERALS_MAX && g; i++, g = lw->paths.guards.data[g].parent)
        ranges_narrow(&lw->ranges, lw->paths.guards.data[g].literal, true, t, views);
    uint32_t a = lw->now.alive;
    for (int i = 0; i < CONJUNCTS_MAX && a; i++, a = lw->paths.alives.data[a].parent)
        ranges_narrow(&lw->ranges, lw->paths.alives.data[a].conjunct, true, t, views);
}

static bool is_decided(sort_t sort, struct views v) {
    return !sort_is_float(sort) && range_is_point(v.u);
}

static struct views range_at_depth(struct lowering *lw, term_t t, int depth) {
    struct views views = ranges_at(&lw->ranges, t);
    const struct term *node = term_get(lw->ts, t);
    if (is_decided(node->sort, views) || node->arity == 0 || node->op == OP_TABLE)
        depth = 0;
    if (depth > 0) {
        struct views args[3] = {0};
        for (int i = 0; i < node->arity; i++)
            args[i] = range_at_depth(lw, node->arg[i], depth - 1);
        views = ranges_of_node(&lw->ranges, t, args);
    }
    if (node->sort != SORT_BOOL && node->op != OP_CONST)
        narrow_by_path(lw, t, &views);
    return views;
}

struct views lower_range_now(struct lowering *lw, term_t t) {
    return range_at_depth(lw, t, DECIDE_DEPTH);
}

uint64_t lower_most_now(struct lowering *lw, term_t t) {
    return ordinal_bits(term_sort(lw->ts, t), false, lower_range_now(lw, t).u.hi);
}

/* 1 or 0 when the condition, or its negation, is one of the branches taken; else -1. */
static int taken_before(const struct lowering *lw, term_t cond) {
    const struct term *c = term_get(lw->ts, cond);
    term_t inner = c->op == OP_NOT ? c->arg[0] : cond;
    uint32_t g = lw->now.guard;
    for (int i = 0; i < LITERALS_MAX && g; i++, g = lw->paths.guards.data[g].parent) {
        term_t literal = lw->paths.guards.data[g].literal;
        const struct term *l = term_get(lw->ts, literal);
        if (literal == cond)
            return 1;
        if (literal == inner || (l->op == OP_NOT && l->arg[0] == cond))
            return 0;
    }
    return -1;
}

term_t lower_decide(struct lowering *lw, term_t cond) {
    assert(term_sort(lw->ts, cond) == SORT_BOOL);
    if (term_is_const(lw->ts, cond))
        return cond;
    int taken = taken_before(lw, cond);
    if (taken >= 0)
        return term_bool(lw->ts, taken);
    struct range range = lower_range_now(lw, cond).u;
    return range_is_point(range) ? term_bool(lw->ts, range.lo) : cond;
}

/* ---- fresh values ---- */

term_t lower_fresh(struct lowering *lw, sort_t sort, term_t cond, const char *what) {
    const char *name = arena_printf(&lw->arena, "?%s@%d#%zu", what, place_line(lw), lw->inputs.len);
    struct sys_input in = {.name = name,
                           .var = term_var(lw->ts, name, sort, true),
                           .guard = term_and(lw->ts, path_term(lw, &lw->now), cond),
                           .module_input = NONE,
                           .at_init = lw->in_init,
                           .unspecified = !lw->options->task};
    vec_push(&lw->inputs, in);
    return in.var;
}

void lower_supply(struct lowering *lw) {
    assert(lw->options->task && lw->inputs.len > 0);
    vec_last(&lw->inputs).module_input = (uint32_t)lw->inputs.len - 1;
}

void lower_use(struct lowering *lw, term_t taint) {
    if (!taint || lw->options->cut)
        return;
    term_t *sum = lw->in_init ? &lw->init_unspecified : &lw->unspecified;
    *sum = term_or(lw->ts, *sum, term_and(lw->ts, path_term(lw, &lw->now), taint));
}

/* ---- indeterminate values ---- */

term_t indeterminate_taint(struct lowering *lw) {
    if (lw->options->task)
        return term_bool(lw->ts, true);
    if (!lw->indeterminate)
        lw->indeterminate = term_var(lw->ts, "?indeterminate", SORT_BOOL, false);
    return lw->indeterminate;
}

/* Terms are only added, and come behind their arguments. */
static bool has_mark(struct lowering *lw, term_t t) {
    while (lw->marked.len <= t) {
        term_t next = (term_t)lw->marked.len;
        bool marked = next && next == lw->indeterminate;
        const struct term *node = next ? term_get(lw->ts, next) : NULL;
        for (int i = 0; node && i < node->arity; i++)
            marked |= lw->marked.data[node->arg[i]];
        vec_push(&lw->marked, marked);
    }
    return lw->marked.data[t];
}

/* The first conjuncts of a condition; their number. */
static size_t conjuncts_of(struct lowering *lw, term_t cond, term_t *out) {
    term_t todo[CONJUNCTS_MAX] = {cond};
    size_t waiting = 1, n = 0;
    while (waiting > 0) {
        const struct term *node = term_get(lw->ts, todo[--waiting]);
        if (node->op != OP_AND || n + waiting + 2 > CONJUNCTS_MAX) {
            out[n++] = todo[waiting];
            continue;
        }
        todo[waiting++] = node->arg[0];
        todo[waiting++] = node->arg[1];
    }
    return n;
}

/* Is it set before, on each way that leads here? The path, or the taint itself, may say so. */
static bool is_excluded(struct lowering *lw, term_t taint) {
    term_t all[CONJUNCTS_MAX];
    size_t n = conjuncts_of(lw, taint, all);
    for (size_t i = 0; i < n; i++) {
        if (term_is_false(lw->ts, lower_decide(lw, all[i])))
            return true;
        for (size_t k = 0; k < i; k++)
            if (term_not(lw->ts, all[i]) == all[k])
                return true;
    }
    return false;
}

struct scalar indeterminate_seen(struct lowering *lw, struct scalar s) {
    if (!s.taint || !lw->indeterminate || !has_mark(lw, s.taint))
        return s;
    if (is_excluded(lw, s.taint))
        return (struct scalar){s.term, 0};
    term_t any = lower_fresh(lw, term_sort(lw->ts, s.term), s.taint, "indeterminate");
    return (struct scalar){term_ite(lw->ts, s.taint, any, s.term), s.taint};
}

struct scalar indeterminate_bool(struct lowering *lw, struct scalar byte) {
    sort_t width = term_sort(lw->ts, byte.term);
    term_t one = term_int(lw->ts, width, 1);
    assert(sort_is_int(width));
    const struct term *node = term_get(lw->ts, byte.term);
    if (node->op == OP_B2I)
        return (struct scalar){node->arg[0], byte.taint};
    term_t other = lower_decide(lw, term_op2(lw->ts, OP_ULT, one, byte.term));
    struct scalar s = {term_eq(lw->ts, byte.term, one), byte.taint};
    if (!term_is_false(lw->ts, other) && !lw->options->task)
        s.taint = taint_or(lw, s.taint, term_and(lw->ts, other, indeterminate_taint(lw)));
    return s;
}

/* ---- how the run ends ---- */

void lower_stop(struct lowering *lw) {
    lw->now.dead = true;
}

void lower_require(struct lowering *lw, struct scalar cond) {
    cond = indeterminate_seen(lw, cond);
    lower_use(lw, cond.taint);
    path_assume(lw, &lw->now, lower_decide(lw, cond.term));
}

static struct collected *target_at(struct lowering *lw, uint32_t index) {
    return &lw->targets.data[index];
}

static void collect_hit(struct lowering *lw, uint32_t index, term_t cond) {
    struct collected *t = target_at(lw, index);
    term_t *hit = lw->in_init ? &t->init_hit : &t->hit;
    *hit = term_or(lw->ts, *hit, cond);
}

uint32_t lower_target(struct lowering *lw, enum target_kind kind, uint32_t id, const char *name) {
    term_t no = term_bool(lw->ts, false);
    vec_push(&lw->targets, (struct collected){kind, id, name, no, no});
    return (uint32_t)lw->targets.len - 1;
}

void lower_hit(struct lowering *lw, uint32_t probe) {
    uint32_t *known = map_get(&lw->target_of_probe, probe);
    uint32_t index;
    if (known) {
        index = *known;
    } else {
        index = lower_target(lw, TARGET_GOAL, probe, arena_printf(&lw->arena, "probe%u", probe));
        map_put(&lw->target_of_probe, probe, index);
    }
    term_t here = path_term(lw, &lw->now);
    if (lw->plan->summaries.len)
        here = term_and(lw->ts, here, summaries_followed(lw));
    collect_hit(lw, index, here);
}

/* One limitation and one target for each place and reason, however often it is reached. */
static uint64_t place_key(const struct lowering *lw, const char *text) {
    return hash_mix((uint64_t)(uintptr_t)lw->at, hash_text(text));
}

static void add_limitation(struct lowering *lw, const char *text) {
    struct limitation l = {.file = place_file(lw),
                           .line = place_line(lw),
                           .col = lw->at ? (int)LLVMGetDebugLocColumn(lw->at) : 0,
                           .function = arena_strdup(&lw->result->arena, lower_function_name(lw)),
                           .text = arena_strdup(&lw->result->arena, text)};
    vec_push(&lw->result->limitations, l);
}

static uint32_t overrun_target(struct lowering *lw, const char *text, bool listed) {
    uint64_t key = place_key(lw, text);
    uint32_t *known = map_get(&lw->target_of_place, key);
    if (known)
        return *known;
    const char *name = arena_printf(&lw->arena, "%s (%s, %s:%d)", text, lower_function_name(lw),
                                    place_file(lw), place_line(lw));
    uint32_t index = lower_target(lw, TARGET_OVERRUN, NONE, name);
    map_put(&lw->target_of_place, key, index);
    if (listed)
        add_limitation(lw, text);
    return index;
}

static void give_up(struct lowering *lw, term_t cond, const char *text) {
    term_t here = term_and(lw->ts, path_term(lw, &lw->now), lower_decide(lw, cond));
    if (!term_is_false(lw->ts, here))
        collect_hit(lw, overrun_target(lw, text, true), here);
    path_assume(lw, &lw->now, term_not(lw->ts, cond));
    if (term_is_true(lw->ts, cond))
        lw->now.dead = true;
}

static void give_up_text(struct lowering *lw, term_t cond, const char *format, va_list args) {
    struct str text = {0};
    str_vaddf(&text, format, args);
    give_up(lw, cond, str_text(&text));
    str_free(&text);
}

void lower_give_up(struct lowering *lw, const char *format, ...) {
    va_list args;
    va_start(args, format);
    give_up_text(lw, term_bool(lw->ts, true), format, args);
    va_end(args);
}

void lower_doubt(struct lowering *lw, const char *text) {
    assert(!lw->now.dead);
    collect_hit(lw, overrun_target(lw, text, false), path_term(lw, &lw->now));
}

void lower_expect_none(struct lowering *lw, const char *text) {
    assert(!lw->now.dead);
    collect_hit(lw, overrun_target(lw, text, false), path_term(lw, &lw->now));
    lw->now.dead = true;
}

void lower_give_up_where(struct lowering *lw, term_t cond, const char *format, ...) {
    va_list args;
    va_start(args, format);
    give_up_text(lw, cond, format, args);
    va_end(args);
}

/* ---- ends that the program brings about ---- */

static struct end *end_here(struct lowering *lw, const char *what) {
    const char *file = place_file(lw);
    uint64_t key =
        hash_mix(hash_mix(hash_text(file), (uint64_t)place_line(lw)), hash_text(what ? what : ""));
    uint32_t *known = map_get(&lw->end_of_place, key);
    if (known)
        return &lw->ends.data[*known];
    map_put(&lw->end_of_place, key, (uint32_t)lw->ends.len);
    vec_push(&lw->ends, (struct end){0});
    struct lowered_end end = {file, what ? arena_strdup(&lw->result->arena, what) : NULL,
                              place_line(lw)};
    vec_push(&lw->result->ends, end);
    assert(lw->result->ends.len == lw->ends.len);
    return &vec_last(&lw->ends);
}

static term_t add_free(struct lowering *lw, const char *name, sort_t sort) {
    struct sys_input in = {.name = name, .module_input = NONE, .at_init = lw->in_init};
    in.var = term_var(lw->ts, in.name, sort, true);
    vec_push(&lw->inputs, in);
    return in.var;
}

/* Does a run that comes here end, does the line count? One answer a step. */
static term_t end_bit(struct lowering *lw, struct end *end) {
    term_t *bit = lw->in_init ? &end->init : &end->step;
    uint32_t index = (uint32_t)(end - lw->ends.data);
    if (*bit)
        return *bit;
    const char *at = lw->in_init ? "0" : "";
    *bit = add_free(lw, arena_printf(&lw->arena, "?ends%s@%u", at, index), SORT_BOOL);
    vec_push(&lw->promises,
             (struct lowered_promise){.term = *bit, .at_init = lw->in_init, .end = index});
    return *bit;
}

/* Not the harness's own. */
static bool is_line_of_user(const struct lowering *lw) {
    return lw->at && place_line(lw) > 0 && !str_starts(lower_function_name(lw), "gk_");
}

struct scalar lower_as_line_says(struct lowering *lw, struct scalar s) {
    if (!lw->options->free_lines || lw->now.dead || term_is_const(lw->ts, s.term) ||
        !is_line_of_user(lw))
        return s;
    term_t counts = end_bit(lw, end_here(lw, NULL));
    const char *name = arena_printf(&lw->arena, "?any@%zu", lw->inputs.len);
    term_t any = add_free(lw, name, term_sort(lw->ts, s.term));
    s.term = term_ite(lw->ts, counts, s.term, any);
    return s;
}

bool lower_end_unless(struct lowering *lw, struct scalar fine, const char *what, bool may_go_on) {
    fine = indeterminate_seen(lw, fine);
    lower_use(lw, fine.taint);
    term_t ok = lower_decide(lw, fine.term);
    if (lw->now.dead || term_is_true(lw->ts, ok))
        return false;
    struct end *end = end_here(lw, what);
    if (lw->options->free_ends) {
        term_t goes_on = term_not(lw->ts, end_bit(lw, end));
        if (may_go_on && (!term_is_false(lw->ts, ok) || end->passed++ < PASSED_MAX)) {
            path_assume(lw, &lw->now, term_or(lw->ts, ok, goes_on));
            return true;
        }
        term_t here = term_and(lw->ts, path_term(lw, &lw->now), goes_on);
        collect_hit(lw, overrun_target(lw, "a run would go on", false),
                    term_and(lw->ts, here, term_not(lw->ts, ok)));
    }
    path_assume(lw, &lw->now, ok);
    return false;
}

void lower_note(struct lowering *lw, const char *format, ...) {
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vaddf(&text, format, args);
    va_end(args);
    uint64_t key = place_key(lw, str_text(&text));
    if (!map_get(&lw->noted, key)) {
        map_put(&lw->noted, key, 1);
        add_limitation(lw, str_text(&text));
    }
    str_free(&text);
}
