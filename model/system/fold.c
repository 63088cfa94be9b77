/* Cells that need no state: constants and duplicates.
 *
 * Both are greatest fixpoints, found by optimism: assume that all candidates are constant (equal),
 * evaluate the next terms under that, drop the candidates for which it does not come back, repeat.
 * What is left is inductive together. Sound for every run: step_ok is not used. The rounds make no
 * terms in the system's DAG; only the final substitution does. */
#include "model/term/eval.h"
#include "model/system/system.h"

#include "base/mem.h"
#include "model/term/simplify.h"

struct folding {
    struct system *sys;
    VEC(term_t) order; /* the terms below the next terms, arguments first */
    term_t *map;       /* one per variable: what replaces it */
    uint32_t *same;    /* one per cell: the cell that stands for it, itself if none */
    bool *constant;    /* one per cell */
};

static size_t var_of(const struct system *sys, size_t cell) {
    assert(cell < sys->cells.len);
    return term_bits(sys->terms, sys->cells.data[cell].var);
}

static void list_terms(struct folding *f) {
    const struct terms *ts = f->sys->terms;
    VEC(term_t) roots = {0};
    for (size_t i = 0; i < f->sys->cells.len; i++)
        vec_push(&roots, f->sys->cells.data[i].next);
    bool *mark = mem_zalloc(ts->nodes.len, sizeof *mark);
    term_mark(ts, roots.data, roots.len, mark);
    for (term_t t = 1; t < ts->nodes.len; t++)
        if (mark[t])
            vec_push(&f->order, t);
    mem_free(mark);
    vec_free(&roots);
}

/* ---- constants ---- */

/* What is known about each term while some variables are assumed constant. */
struct known {
    bool *is;
    uint64_t *bits;
};

static bool is_known_as(const struct known *k, term_t t, uint64_t bits) {
    return k->is[t] && k->bits[t] == bits;
}

static bool set_known(struct known *k, term_t t, uint64_t bits) {
    k->bits[t] = bits;
    return true;
}

/* One argument may decide alone. */
static bool know_partly(struct known *k, const struct term *n, term_t t) {
    term_t a = n->arg[0], b = n->arg[1], c = n->arg[2];
    switch (n->op) {
    case OP_ITE:
        if (k->is[a])
            return k->is[k->bits[a] ? b : c] && set_known(k, t, k->bits[k->bits[a] ? b : c]);
        return k->is[b] && is_known_as(k, c, k->bits[b]) && set_known(k, t, k->bits[b]);
    case OP_AND:
    case OP_MUL:
    case OP_BAND:
        return (is_known_as(k, a, 0) || is_known_as(k, b, 0)) && set_known(k, t, 0);
    case OP_OR:
        return (is_known_as(k, a, 1) || is_known_as(k, b, 1)) && set_known(k, t, 1);
    default:
        return false;
    }
}

static bool know_term(const struct folding *f, struct known *k, term_t t) {
    const struct terms *ts = f->sys->terms;
    const struct term *n = term_get(ts, t);
    if (n->op == OP_CONST)
        return set_known(k, t, n->payload);
    if (n->op == OP_VAR)
        return f->map[n->payload] && set_known(k, t, term_bits(ts, f->map[n->payload]));
    uint64_t args[3] = {0};
    for (int i = 0; i < n->arity; i++) {
        if (!k->is[n->arg[i]])
            return know_partly(k, n, t);
        args[i] = k->bits[n->arg[i]];
    }
    if (op_is_transcendental(n->op))
        return false;
    if (n->op == OP_TABLE) {
        const struct term_table *table = &ts->tables.data[n->payload];
        return set_known(k, t, table->values[args[0] < table->len ? args[0] : table->len - 1]);
    }
    sort_t arg_sort = term_sort(ts, n->arg[n->arity - 1]);
    return set_known(k, t, term_eval_op(n->op, n->sort, arg_sort, args));
}

static size_t assume_constants(struct folding *f) {
    const struct system *sys = f->sys;
    size_t count = 0;
    for (size_t i = 0; i < sys->cells.len; i++) {
        f->constant[i] = term_is_const(sys->terms, sys->cells.data[i].init);
        if (f->constant[i])
            f->map[var_of(sys, i)] = sys->cells.data[i].init;
        count += f->constant[i];
    }
    return count;
}

static size_t drop_changing(struct folding *f, const struct known *k) {
    assert(k->is && k->bits);
    const struct system *sys = f->sys;
    size_t dropped = 0;
    for (size_t i = 0; i < sys->cells.len; i++) {
        const struct cell *c = &sys->cells.data[i];
        if (!f->constant[i] || is_known_as(k, c->next, term_bits(sys->terms, c->init)))
            continue;
        f->constant[i] = false;
        f->map[var_of(sys, i)] = 0;
        dropped++;
    }
    return dropped;
}

static size_t find_constants(struct folding *f) {
    size_t len = f->sys->terms->nodes.len, left = assume_constants(f), dropped;
    struct known k = {mem_zalloc(len, sizeof *k.is), mem_zalloc(len, sizeof *k.bits)};
    do {
        for (size_t i = 0; i < f->order.len; i++)
            k.is[f->order.data[i]] = know_term(f, &k, f->order.data[i]);
        dropped = drop_changing(f, &k);
        left -= dropped;
    } while (dropped > 0);
    mem_free(k.is);
    mem_free(k.bits);
    return left;
}

/* ---- duplicates ---- */

/* Numbers the next terms so that terms which are equal under the current classes get equal
 * numbers: a copy of the DAG in which the variable of a cell is that of its class. */
static void number_next(const struct folding *f, const term_t *var_class, term_t *number) {
    const struct terms *ts = f->sys->terms;
    struct terms copy;
    terms_init(&copy);
    for (size_t i = 0; i < f->order.len; i++) {
        term_t t = f->order.data[i], args[3] = {0};
        const struct term *n = term_get(ts, t);
        uint64_t payload = n->payload;
        for (int a = 0; a < n->arity; a++)
            args[a] = number[n->arg[a]];
        if (n->op == OP_VAR && var_class[payload])
            payload = term_bits(ts, var_class[payload]);
        number[t] = term_node(&copy, n->op, n->sort, args, payload);
    }
    terms_free(&copy);
}

/* Cells of one class stay together if their keys are equal. Leaders are the first of a class. */
static bool split_classes(struct folding *f, const term_t *key) {
    struct map leaders = {0};
    bool changed = false;
    for (uint32_t i = 0; i < f->sys->cells.len; i++) {
        uint64_t id = (uint64_t)f->same[i] << 32 | key[i];
        const uint32_t *known = map_get(&leaders, id);
        uint32_t leader = known ? *known : i;
        if (!known)
            map_put(&leaders, id, i);
        changed |= leader != f->same[i];
        f->same[i] = leader;
    }
    map_free(&leaders);
    return changed;
}

static size_t find_duplicates(struct folding *f) {
    const struct system *sys = f->sys;
    size_t n = sys->cells.len, count = 0;
    term_t *number = mem_zalloc(sys->terms->nodes.len, sizeof *number);
    term_t *key = mem_zalloc(n, sizeof *key);
    for (size_t i = 0; i < n; i++) {
        f->same[i] = 0;
        key[i] = sys->cells.data[i].init;
    }
    for (bool changed = split_classes(f, key) || n > 1; changed;) {
        for (size_t i = 0; i < n; i++)
            f->map[var_of(sys, i)] = sys->cells.data[f->same[i]].var;
        number_next(f, f->map, number);
        for (size_t i = 0; i < n; i++)
            key[i] = number[sys->cells.data[i].next];
        changed = split_classes(f, key);
    }
    for (size_t i = 0; i < n; i++)
        count += f->same[i] != i;
    mem_free(number);
    mem_free(key);
    return count;
}

/* ---- taking them out ---- */

static void substitute_all(struct folding *f) {
    struct system *sys = f->sys;
    VEC(term_t *) places = {0};
    VEC(term_t) roots = {0};
    for (size_t i = 0; i < sys->cells.len; i++)
        vec_push(&places, &sys->cells.data[i].next);
    for (size_t i = 0; i < sys->targets.len; i++)
        vec_push(&places, &sys->targets.data[i].hit);
    for (size_t i = 0; i < sys->inputs.len; i++)
        if (sys->inputs.data[i].guard)
            vec_push(&places, &sys->inputs.data[i].guard);
    vec_push(&places, &sys->step_ok);
    vec_push(&places, &sys->unspecified);
    for (size_t i = 0; i < places.len; i++)
        vec_push(&roots, *places.data[i]);
    term_substitute(sys->terms, f->map, sys->terms->vars.len, roots.data, roots.len);
    for (size_t i = 0; i < places.len; i++)
        *places.data[i] = roots.data[i];
    vec_free(&places);
    vec_free(&roots);
}

static bool stays(const struct folding *f, size_t cell) {
    assert(f->same[cell] <= cell);
    return !f->constant[cell] && f->same[cell] == cell;
}

/* New index of each cell; of one that goes, of the cell that stands for it. */
static uint32_t *renumber(const struct folding *f) {
    assert(f->constant && f->same);
    size_t n = f->sys->cells.len;
    uint32_t *index = mem_zalloc(n, sizeof *index), kept = 0;
    for (size_t i = 0; i < n; i++) { /* leaders come first */
        if (stays(f, i))
            index[i] = kept++;
        else
            index[i] = f->constant[i] ? NONE : index[f->same[i]];
    }
    return index;
}

/* Cells folded earlier follow the cell they were equal to. */
static void move_folded(struct folding *f, const uint32_t *index) {
    struct system *sys = f->sys;
    for (size_t i = 0; i < sys->folded.len; i++) {
        struct folded *old = &sys->folded.data[i];
        if (old->same_as == NONE)
            continue;
        if (f->constant[old->same_as])
            old->bits = term_bits(sys->terms, sys->cells.data[old->same_as].init);
        old->same_as = index[old->same_as];
    }
}

static void take_out(struct folding *f) {
    struct system *sys = f->sys;
    substitute_all(f);
    uint32_t *index = renumber(f);
    move_folded(f, index);
    size_t kept = 0;
    for (size_t i = 0; i < sys->cells.len; i++) {
        struct cell c = sys->cells.data[i];
        if (stays(f, i)) {
            sys->cells.data[kept++] = c;
            continue;
        }
        uint64_t bits = f->constant[i] ? term_bits(sys->terms, c.init) : 0;
        vec_push(&sys->folded, (struct folded){c.name, c.var, bits, index[i]});
    }
    vec_truncate(&sys->cells, kept);
    mem_free(index);
}

static size_t fold_round(struct system *sys, size_t (*find)(struct folding *)) {
    size_t n = sys->cells.len;
    struct folding f = {.sys = sys};
    list_terms(&f);
    f.map = mem_zalloc(sys->terms->vars.len, sizeof *f.map);
    f.same = mem_zalloc(n, sizeof *f.same);
    f.constant = mem_zalloc(n, sizeof *f.constant);
    for (uint32_t i = 0; i < n; i++)
        f.same[i] = i;
    size_t found = find(&f);
    if (found > 0)
        take_out(&f);
    mem_free(f.map);
    mem_free(f.same);
    mem_free(f.constant);
    vec_free(&f.order);
    return found;
}

size_t system_fold_constants(struct system *sys) {
    size_t total = 0, found;
    do {
        found = fold_round(sys, find_constants);
        found += fold_round(sys, find_duplicates);
        total += found;
    } while (found > 0);
    return total;
}
