/* Variables: see vars.h. */
#include "engines/solver/vars.h"
#include "engines/solver/decide.h"
#include "engines/solver/propagate.h"
#include "engines/solver/record.h"
#include "engines/solver/trail.h"

static void side_push(struct solver *s, int64_t bound) {
    vec_push(&s->bound, bound);
    vec_push(&s->base, bound);
    vec_push(&s->initial, bound);
    vec_push(&s->trail_at, 0);
    vec_push(&s->watching, (struct watches){0});
    vec_push(&s->slow, 0);
    vec_push(&s->slow_since, 0);
    vec_push(&s->need, 0);
    vec_push(&s->need_entry, 0);
    vec_push(&s->need_listed, 0);
}

static void var_push(struct solver *s, sort_t sort, bool is_signed, struct range range) {
    int64_t phase = range.lo > 0 ? range.lo : range.hi < 0 ? range.hi : 0;
    vec_push(&s->sort, sort);
    vec_push(&s->flags, is_signed ? VAR_SIGNED : 0);
    vec_push(&s->nan, 0);
    vec_push(&s->definition, 0);
    vec_push(&s->phase, phase);
    vec_push(&s->uses, (struct ids){0});
    vec_push(&s->activity, 0);
    vec_push(&s->negations, 0);
    vec_push(&s->gate_of, 0);
    vec_push(&s->in_cone, 0);
    side_push(s, range.lo);
    side_push(s, ~range.hi);
}

void vars_init(struct solver *s) {
    var_push(s, SORT_NONE, false, range_point(0));
}

void vars_free(struct solver *s) {
    for (size_t i = 0; i < s->watching.len; i++)
        vec_free(&s->watching.data[i]);
    for (size_t i = 0; i < s->uses.len; i++)
        vec_free(&s->uses.data[i]);
    vec_free(&s->watching);
    vec_free(&s->uses);
    vec_free(&s->sort);
    vec_free(&s->flags);
    vec_free(&s->nan);
    vec_free(&s->definition);
    vec_free(&s->bound);
    vec_free(&s->base);
    vec_free(&s->initial);
    vec_free(&s->trail_at);
    vec_free(&s->phase);
    vec_free(&s->slow);
    vec_free(&s->slow_since);
    vec_free(&s->need);
    vec_free(&s->need_entry);
    vec_free(&s->need_listed);
    vec_free(&s->activity);
    vec_free(&s->negations);
    vec_free(&s->gate_of);
    vec_free(&s->in_cone);
}

svar var_new(struct solver *s, sort_t sort, bool is_signed, struct range range) {
    assert(level_of(s) == 0 && !range_is_empty(range));
    struct range numbers = range.num ? range : range_numbers(sort, is_signed);
    svar v = ++s->n_vars;
    var_push(s, sort, is_signed, numbers);
    decide_new_var(s, v);
    if (range.nan) {
        svar nan = var_new(s, SORT_BOOL, false, range_between(!range.num, 1));
        s->nan.data[v] = nan;
    }
    return v;
}

svar var_constant(struct solver *s, sort_t sort, bool is_signed, uint64_t bits) {
    assert(sort_is_int(sort) || sort_is_float(sort) || sort == SORT_BOOL);
    uint64_t key = hash_mix(bits, (uint64_t)sort << 1 | is_signed);
    struct range value = range_of_bits(sort, is_signed, bits);
    uint32_t *known = map_get(&s->constants, key);
    if (known && s->sort.data[*known] == sort && solver_is_signed(s, *known) == is_signed &&
        range_same(var_known_range(s, *known), value))
        return *known;
    svar v = var_new(s, sort, is_signed, value);
    map_put(&s->constants, key, v);
    return v;
}

/* Proofs may not rest on what the search has found out. */
static const int64_t *known_bounds(const struct solver *s) {
    return recording(s) ? s->initial.data : s->base.data;
}

bool var_known(const struct solver *s, struct lit l) {
    assert(l.vs < s->bound.len);
    return known_bounds(s)[l.vs] >= l.bound;
}

struct range var_known_range(const struct solver *s, svar v) {
    const int64_t *known = known_bounds(s);
    svar nan = s->nan.data[v];
    struct range r = {known[2 * v], ~known[2 * v + 1], true, false};
    if (nan) {
        r.num = known[2 * nan] == 0;
        r.nan = ~known[2 * nan + 1] == 1;
    }
    return r;
}

bool solver_settle(struct solver *s) {
    assert(level_of(s) == 0);
    if (s->ok && !propagate(s)) {
        record_refute(s);
        s->ok = false;
    }
    if (s->ok)
        trail_commit(s);
    return s->ok;
}
