/* Candidates: see houdini.h. */
#include "engines/houdini/houdini.h"

#include "base/mem.h"
#include "model/system/derive.h"
#include "model/term/simplify.h"

enum { MANY_THRESHOLDS = 80, MAX_GUARDED = 600, MAX_GUARDED_FAR = 300, MAX_GUARD_VALUES = 8 };

/* ---- what a step reads ---- */

static void cells_below(const struct houdini *h, term_t root, struct cell_list *out) {
    const struct system *sys = houdini_system(h);
    bool *mark = mem_zalloc(sys->terms->nodes.len, sizeof *mark);
    term_mark(sys->terms, &root, 1, mark);
    for (uint32_t i = 0; i < sys->cells.len; i++)
        if (mark[sys->cells.data[i].var])
            vec_push(out, i);
    mem_free(mark);
}

static void tests_below(const struct houdini *h, term_t root, struct cell_list *out) {
    const struct terms *ts = houdini_system(h)->terms;
    bool *mark = mem_zalloc(ts->nodes.len, sizeof *mark);
    term_mark(ts, &root, 1, mark);
    for (term_t t = 1; t <= root; t++)
        if (mark[t] && term_sort(ts, t) == SORT_BOOL && !term_is_const(ts, t))
            vec_push(out, t);
    mem_free(mark);
}

/* Who reads cells reads what is derived from them. */
static void add_derived(struct houdini *h, struct cell_list *reads) {
    const struct system *sys = houdini_system(h);
    bool *mark = mem_zalloc(sys->cells.len + 1, sizeof *mark);
    for (size_t i = 0; i < reads->len; i++)
        mark[reads->data[i]] = true;
    for (uint32_t i = 0; i < sys->cells.len; i++)
        if (sys->cells.data[i].is && cell_within(sys, i, mark))
            vec_push(reads, i);
    mem_free(mark);
}

static void find_reads(struct houdini *h) {
    const struct system *sys = houdini_system(h);
    for (uint32_t i = 0; i < sys->cells.len; i++) {
        struct cell_list reads = {0}, tests = {0};
        cells_below(h, sys->cells.data[i].next, &reads);
        tests_below(h, sys->cells.data[i].next, &tests);
        add_derived(h, &reads);
        vec_push(&h->reads, reads);
        vec_push(&h->tests, tests);
    }
    cells_below(h, sys->step_ok, &h->step_reads);
    add_derived(h, &h->step_reads);
}

static void mark_used(struct houdini *h, const struct cell_list *by, uint32_t except) {
    for (size_t i = 0; i < by->len; i++)
        if (by->data[i] != except)
            h->used.data[by->data[i]] = true;
}

static void find_used(struct houdini *h) {
    const struct system *sys = houdini_system(h);
    vec_resize_zero(&h->used, sys->cells.len);
    for (uint32_t i = 0; i < sys->cells.len; i++)
        mark_used(h, &h->reads.data[i], i);
    mark_used(h, &h->step_reads, NONE);
    for (size_t i = 0; i < h->input.n_targets; i++) {
        struct cell_list reads = {0};
        cells_below(h, sys->targets.data[h->input.targets[i]].hit, &reads);
        mark_used(h, &reads, NONE);
        vec_free(&reads);
    }
}

/* ---- boxes ---- */

static void push_chain(struct houdini *h, uint32_t cell, bool ge, const struct ordinals *all) {
    assert(h->chains.len == 2 * (size_t)cell + !ge && "two a cell, in order");
    const struct term_var *var = houdini_var(h, cell);
    const struct cell_seen *seen = h->input.seen ? &h->input.seen[cell] : NULL;
    int64_t end =
        ge ? ordinal_min(var->sort, var->is_signed) : ordinal_max(var->sort, var->is_signed);
    struct chain chain = {.cell = cell, .ge = ge, .guard = NONE};
    for (size_t i = 0; i < all->len; i++) {
        int64_t value = all->data[ge ? all->len - 1 - i : i];
        bool refuted = seen && seen->valid && (ge ? seen->lo < value : seen->hi > value);
        if (!refuted && (ge ? value > end : value < end))
            vec_push(&chain.values, value);
    }
    vec_push(&h->chains, chain);
}

/* What the cell, or anything its next state consists of, is compared with anywhere. */
static void compared_with(const struct houdini *h, uint32_t cell, struct cell_list *out) {
    const struct system *sys = houdini_system(h);
    const struct terms *ts = sys->terms;
    bool *mark = mem_zalloc(ts->nodes.len, sizeof *mark);
    assert(cell < sys->cells.len);
    term_mark(ts, &sys->cells.data[cell].next, 1, mark);
    mark[sys->cells.data[cell].var] = true;
    for (term_t t = 1; t < ts->nodes.len; t++) {
        const struct term *term = term_get(ts, t);
        for (int i = 0; i < 2 && op_is_comparison(term->op); i++)
            if (mark[term->arg[i]] && term_is_const(ts, term->arg[!i]))
                vec_push(out, term->arg[!i]);
    }
    mem_free(mark);
}

/* In a large program only the constants near the cell: of its next state, of what that reads, and
 * of comparisons with it. */
static void local_thresholds(const struct houdini *h, uint32_t cell, struct ordinals *out) {
    const struct system *sys = houdini_system(h);
    const struct cell_list *reads = &h->reads.data[cell];
    const struct term_var *var = houdini_var(h, cell);
    struct cell_list roots = {0};
    vec_push(&roots, sys->cells.data[cell].next);
    vec_push(&roots, sys->cells.data[cell].init);
    for (size_t i = 0; i < reads->len; i++)
        vec_push(&roots, sys->cells.data[reads->data[i]].next);
    compared_with(h, cell, &roots);
    thresholds_below(sys->terms, roots.data, roots.len, var->sort, var->is_signed, out);
    vec_free(&roots);
}

static void push_number(struct houdini *h, uint32_t cell, uint32_t guard, int64_t guard_value) {
    assert(sort_is_float(houdini_var(h, cell)->sort));
    struct chain chain = {.cell = cell, .guard = guard, .guard_value = guard_value, .number = true};
    vec_push(&chain.values, 0);
    vec_push(&h->chains, chain);
}

static void push_numbers(struct houdini *h) {
    for (uint32_t i = 0; i < houdini_system(h)->cells.len; i++) {
        bool is_float = sort_is_float(houdini_var(h, i)->sort);
        vec_push(&h->number_of, is_float ? (uint32_t)h->chains.len : NONE);
        if (is_float)
            push_number(h, i, NONE, 0);
    }
    h->first_guarded = h->chains.len;
}

static void insert_value(struct ordinals *all, int64_t value) {
    size_t i = 0;
    while (i < all->len && all->data[i] < value)
        i++;
    if (i < all->len && all->data[i] == value)
        return;
    vec_push(all, 0);
    for (size_t k = all->len - 1; k > i; k--)
        all->data[k] = all->data[k - 1];
    all->data[i] = value;
    assert(i + 1 == all->len || all->data[i + 1] > value);
}

/* Where the initial states begin and end: what a parameter keeps for ever. */
static void initial_ends(struct houdini *h, uint32_t cell, struct ordinals *out) {
    svar v = unroll_cell(&h->from_init, 0, cell);
    if (solver_is_signed(h->first, v) != houdini_var(h, cell)->is_signed)
        return;
    assert(solver_sort(h->first, v) == houdini_var(h, cell)->sort);
    insert_value(out, solver_min(h->first, v));
    insert_value(out, solver_max(h->first, v));
}

void chains_of_cells(struct houdini *h) {
    struct thresholds thresholds;
    find_reads(h);
    find_used(h);
    vec_resize_zero(&h->relevant, houdini_system(h)->cells.len);
    vec_resize_zero(&h->sharpened, houdini_system(h)->cells.len);
    thresholds_init(&thresholds, houdini_system(h), h->input.targets, h->input.n_targets);
    for (uint32_t i = 0; i < houdini_system(h)->cells.len; i++) {
        const struct term_var *var = houdini_var(h, i);
        const struct ordinals *all = thresholds_of(&thresholds, var->sort, var->is_signed);
        struct ordinals own = {0};
        if (all->len > MANY_THRESHOLDS)
            local_thresholds(h, i, &own);
        else
            vec_append(&own, all->data, all->len);
        initial_ends(h, i, &own);
        push_chain(h, i, true, &own);
        push_chain(h, i, false, &own);
        vec_free(&own);
    }
    thresholds_free(&thresholds);
    push_numbers(h);
}

void chains_free(struct houdini *h) {
    for (size_t i = 0; i < h->chains.len; i++) {
        vec_free(&h->chains.data[i].values);
        vec_free(&h->chains.data[i].support);
    }
    for (size_t i = 0; i < h->reads.len; i++) {
        vec_free(&h->reads.data[i]);
        vec_free(&h->tests.data[i]);
    }
    vec_free(&h->chains);
    vec_free(&h->number_of);
    vec_free(&h->reads);
    vec_free(&h->tests);
    vec_free(&h->sharpened);
    vec_free(&h->relevant);
    vec_free(&h->used);
    vec_free(&h->step_reads);
    vec_free(&h->dead);
}

struct range chains_range(const struct houdini *h, uint32_t cell) {
    const struct term_var *var = houdini_var(h, cell);
    const struct chain *low = &h->chains.data[2 * cell], *high = low + 1;
    struct range r = range_full(var->sort, var->is_signed);
    assert(low->cell == cell && low->ge && high->cell == cell && !high->ge);
    if (chain_has_bound(low))
        r.lo = low->values.data[low->now];
    if (chain_has_bound(high))
        r.hi = high->values.data[high->now];
    r.nan = h->number_of.data[cell] != NONE &&
            !chain_has_bound(&h->chains.data[h->number_of.data[cell]]);
    return r;
}

/* ---- guards ---- */

static bool is_fixed(const struct system *sys, term_t t) {
    uint32_t cell = system_cell_of(sys, t);
    return cell != NONE && sys->cells.data[cell].next == t;
}

/* "x has passed k", where no step changes k: a derived cell that splits the states in two. */
static bool is_passed(const struct system *sys, uint32_t cell) {
    term_t is = sys->cells.data[cell].is;
    if (is && term_is(sys->terms, is, OP_NOT))
        is = term_arg(sys->terms, is, 0);
    const struct term *n = is ? term_get(sys->terms, is) : NULL;
    return n && (n->op == OP_SLT || n->op == OP_ULT || n->op == OP_SLE || n->op == OP_ULE) &&
           (is_fixed(sys, n->arg[0]) || is_fixed(sys, n->arg[1]));
}

bool chains_can_guard(const struct houdini *h, uint32_t cell) {
    assert(cell < h->used.len);
    struct range r = chains_range(h, cell);
    const struct system *sys = houdini_system(h);
    bool splits = sys->cells.data[cell].is ? is_passed(sys, cell) : h->used.data[cell];
    return splits && !sort_is_float(houdini_var(h, cell)->sort) && r.lo < r.hi &&
           (uint64_t)r.hi - (uint64_t)r.lo < MAX_GUARD_VALUES;
}

static bool reads_cell(const struct houdini *h, uint32_t cell, uint32_t what) {
    assert(cell < h->reads.len);
    const struct cell_list *reads = &h->reads.data[cell];
    for (size_t i = 0; i < reads->len; i++)
        if (reads->data[i] == what)
            return true;
    return false;
}

static bool share_a_cell(const struct houdini *h, uint32_t a, uint32_t b) {
    const struct cell_list *reads = &h->reads.data[a];
    for (size_t i = 0; i < reads->len; i++)
        if (reads->data[i] != a && reads->data[i] != b && reads_cell(h, b, reads->data[i]))
            return true;
    return false;
}

/* Flags next to the cell: one reads the other, or flags that follow from the same third. */
bool chains_related(const struct houdini *h, uint32_t guard, uint32_t cell) {
    return reads_cell(h, cell, guard) || reads_cell(h, guard, cell) ||
           ((chains_can_guard(h, cell) || is_passed(houdini_system(h), guard)) &&
            share_a_cell(h, guard, cell));
}

/* Both change on the same condition. Ascending lists. */
static bool share_a_test(const struct houdini *h, uint32_t a, uint32_t b) {
    assert(a < h->tests.len && b < h->tests.len && a != b);
    const struct cell_list *x = &h->tests.data[a], *y = &h->tests.data[b];
    for (size_t i = 0, k = 0; i < x->len && k < y->len;) {
        if (x->data[i] == y->data[k])
            return true;
        if (x->data[i] < y->data[k])
            i++;
        else
            k++;
    }
    return false;
}

/* From "never with this guard" (a bound that nothing in the box satisfies) to the box itself. */
static void push_guarded(struct houdini *h, uint32_t guard, int64_t value, uint32_t cell, bool ge) {
    struct range box = chains_range(h, cell);
    const struct chain *own = &h->chains.data[2 * cell + !ge];
    struct chain chain = {.cell = cell, .ge = ge, .guard = guard, .guard_value = value};
    assert(guard != cell && own->cell == cell && own->ge == ge);
    if (ge ? box.hi == INT64_MAX : box.lo == INT64_MIN)
        return;
    vec_push(&chain.values, ge ? box.hi + 1 : box.lo - 1);
    bool narrow = (uint64_t)box.hi - (uint64_t)box.lo < MAX_GUARD_VALUES;
    for (int64_t v = ge ? box.hi : box.lo; narrow && (ge ? v > box.lo : v < box.hi);
         v += ge ? -1 : 1)
        vec_push(&chain.values, v);
    /* The box's own chain, as far as it is stronger than the box. */
    for (size_t i = 0; !narrow && i < own->now && i < own->values.len; i++)
        if (ge ? own->values.data[i] > box.lo && own->values.data[i] <= box.hi
               : own->values.data[i] < box.hi && own->values.data[i] >= box.lo)
            vec_push(&chain.values, own->values.data[i]);
    vec_push(&h->chains, chain);
}

static bool can_be_guarded(const struct houdini *h, uint32_t cell) {
    struct range box = chains_range(h, cell);
    return h->used.data[cell] && (box.nan || box.lo < box.hi);
}

static void push_with_guard(struct houdini *h, uint32_t guard, uint32_t cell, size_t end) {
    struct range values = chains_range(h, guard);
    assert(guard != cell && values.num && !values.nan);
    for (int64_t v = values.lo; v <= values.hi && h->chains.len < end; v++) {
        push_guarded(h, guard, v, cell, true);
        push_guarded(h, guard, v, cell, false);
        if (chains_range(h, cell).nan)
            push_number(h, cell, guard, v);
    }
}

static bool may_pair(const struct houdini *h, uint32_t guard, uint32_t cell) {
    bool far = h->pairs.far;
    return cell != guard && can_be_guarded(h, cell) && chains_related(h, guard, cell) != far &&
           (!far || share_a_test(h, guard, cell));
}

/* The next pair; false: there are no more of this kind. */
static bool next_pair(struct houdini *h) {
    uint32_t cells = (uint32_t)houdini_system(h)->cells.len;
    for (; h->pairs.guard < cells; h->pairs.guard++, h->pairs.cell = 0)
        for (; chains_can_guard(h, h->pairs.guard) && h->pairs.cell < cells; h->pairs.cell++)
            if (may_pair(h, h->pairs.guard, h->pairs.cell))
                return true;
    return false;
}

/* First what stands close together. */
bool chains_with_guards(struct houdini *h, size_t most) {
    size_t from = h->chains.len, end = from + most;
    if (!h->pairs.far && h->pairs.end == 0)
        h->pairs.end = from + MAX_GUARDED;
    while (h->chains.len < end) {
        size_t until = h->pairs.end < end ? h->pairs.end : end;
        if (h->chains.len < h->pairs.end && next_pair(h)) {
            push_with_guard(h, h->pairs.guard, h->pairs.cell++, until);
        } else if (!h->pairs.far) {
            h->pairs.far = true;
            h->pairs.guard = h->pairs.cell = 0;
            h->pairs.end = h->chains.len + MAX_GUARDED_FAR;
        } else {
            break;
        }
    }
    return h->chains.len > from;
}

void chain_clause(const struct houdini *h, const struct chain *c, struct clause *out) {
    struct bound b = chain_bound(c);
    assert(out->len == 0);
    struct range box = chains_range(h, c->cell);
    if (c->guard != NONE) {
        struct range values = chains_range(h, c->guard);
        if (c->guard_value > values.lo)
            vec_push(out, (struct bound){c->guard, BOUND_LE, c->guard_value - 1});
        if (c->guard_value < values.hi)
            vec_push(out, (struct bound){c->guard, BOUND_GE, c->guard_value + 1});
    }
    vec_append(out, c->escape, c->n_escapes);
    if (chain_or_nan(h, c))
        vec_push(out, (struct bound){c->cell, BOUND_NAN, 0});
    if (chain_is_sum(c) || c->number || c->guard == NONE ||
        (c->ge ? b.ordinal <= box.hi : b.ordinal >= box.lo))
        vec_push(out, b);
}
