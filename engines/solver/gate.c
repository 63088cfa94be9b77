/* Gates: see gate.h. */
#include "engines/solver/gate.h"
#include "engines/solver/clause.h"
#include "engines/solver/record.h"
#include "engines/solver/vars.h"

enum gate_kind { GATE_AND = 1, GATE_XOR, GATE_ITE };
enum { GATE_WORDS = 2 + GATE_ARGS };

static struct lit lit_bool(blit b) {
    assert(b / 2);
    return b & 1 ? lit_le(b / 2, 0) : lit_ge(b / 2, 1);
}

blit gate_constant(const struct solver *s, bool value) {
    return blit_of(s->truth, !value);
}

static bool known_true(const struct solver *s, blit b) {
    return var_known(s, lit_bool(b));
}
static bool known_false(const struct solver *s, blit b) {
    return known_true(s, blit_not(b));
}

static void add3(struct solver *s, blit a, blit b, blit c) {
    struct lit lits[3] = {lit_bool(a), lit_bool(b), lit_bool(c)};
    clause_add(s, lits, 3);
}
static void add2(struct solver *s, blit a, blit b) {
    struct lit lits[2] = {lit_bool(a), lit_bool(b)};
    clause_add(s, lits, 2);
}

/* Partitions of a proof share no gates. */
static uint32_t gate_head(const struct solver *s, enum gate_kind kind) {
    return (uint32_t)kind | (recording(s) ? s->partition << 2 : 0);
}

static uint64_t gate_key(uint32_t head, blit a, blit b, blit c) {
    return hash_mix(hash_mix(a, head), (uint64_t)b << 32 | c);
}

static bool gate_same(const uint32_t *gate, uint32_t head, blit a, blit b, blit c) {
    return gate[0] == head && gate[1] == a && gate[2] == b && gate[3] == c;
}

/* 0 when there is none yet */
static blit gate_find(const struct solver *s, enum gate_kind kind, blit a, blit b, blit c) {
    uint32_t head = gate_head(s, kind);
    const uint32_t *at = map_get(&s->gate_index, gate_key(head, a, b, c));
    const uint32_t *gate = at ? &s->gates.data[*at] : NULL;
    return gate && gate_same(gate, head, a, b, c) ? gate[4] : 0;
}

static blit gate_new(struct solver *s, enum gate_kind kind, blit a, blit b, blit c) {
    assert(a && b);
    blit z = blit_of(var_new(s, SORT_BOOL, false, range_between(0, 1)), false);
    uint32_t gate[GATE_WORDS] = {gate_head(s, kind), a, b, c, z};
    map_put(&s->gate_index, gate_key(gate[0], a, b, c), (uint32_t)s->gates.len);
    s->gate_of.data[z / 2] = (uint32_t)s->gates.len;
    vec_append(&s->gates, gate, GATE_WORDS);
    return z;
}

static void swap_up(blit *a, blit *b) {
    if (*a > *b) {
        blit t = *a;
        *a = *b;
        *b = t;
    }
}

blit gate_and(struct solver *s, blit a, blit b) {
    assert(a / 2 && b / 2);
    swap_up(&a, &b);
    if (known_false(s, a) || known_false(s, b) || a == blit_not(b))
        return gate_constant(s, false);
    if (known_true(s, a) || a == b)
        return b;
    if (known_true(s, b))
        return a;
    blit z = gate_find(s, GATE_AND, a, b, 0);
    if (z)
        return z;
    z = gate_new(s, GATE_AND, a, b, 0);
    add2(s, blit_not(z), a);
    add2(s, blit_not(z), b);
    add3(s, z, blit_not(a), blit_not(b));
    return z;
}

blit gate_or(struct solver *s, blit a, blit b) {
    return blit_not(gate_and(s, blit_not(a), blit_not(b)));
}

blit gate_xor(struct solver *s, blit a, blit b) {
    assert(a / 2 && b / 2);
    if (known_true(s, a) || known_false(s, a))
        return b ^ known_true(s, a);
    if (known_true(s, b) || known_false(s, b))
        return a ^ known_true(s, b);
    blit flip = (a ^ b) & 1;
    a &= ~1u;
    b &= ~1u;
    swap_up(&a, &b);
    if (a == b)
        return gate_constant(s, flip);
    blit z = gate_find(s, GATE_XOR, a, b, 0);
    if (z)
        return z ^ flip;
    z = gate_new(s, GATE_XOR, a, b, 0);
    add3(s, blit_not(z), a, b);
    add3(s, blit_not(z), blit_not(a), blit_not(b));
    add3(s, z, blit_not(a), b);
    add3(s, z, a, blit_not(b));
    return z ^ flip;
}

void gate_assert_ite(struct solver *s, blit z, blit c, blit a, blit b) {
    assert(z / 2 && c / 2 && a / 2 && b / 2);
    add3(s, blit_not(c), blit_not(a), z);
    add3(s, blit_not(c), a, blit_not(z));
    add3(s, c, blit_not(b), z);
    add3(s, c, b, blit_not(z));
    add3(s, blit_not(a), blit_not(b), z);
    add3(s, a, b, blit_not(z));
}

blit gate_ite(struct solver *s, blit c, blit a, blit b) {
    assert(a / 2 && b / 2 && c / 2);
    if (known_true(s, c) || a == b)
        return a;
    if (known_false(s, c))
        return b;
    if (known_true(s, a) || a == c)
        return gate_or(s, c, b);
    if (known_false(s, a) || a == blit_not(c))
        return gate_and(s, blit_not(c), b);
    if (known_true(s, b) || b == blit_not(c))
        return gate_or(s, blit_not(c), a);
    if (known_false(s, b) || b == c)
        return gate_and(s, c, a);
    blit z = gate_find(s, GATE_ITE, c, a, b);
    if (z)
        return z;
    z = gate_new(s, GATE_ITE, c, a, b);
    gate_assert_ite(s, z, c, a, b);
    return z;
}

svar gate_variable(struct solver *s, blit b) {
    assert(s->sort.data[b / 2] == SORT_BOOL || !(b & 1));
    if (!(b & 1))
        return b / 2;
    svar v = b / 2;
    if (s->negations.data[v])
        return s->negations.data[v];
    bool f = known_false(s, blit_of(v, false)), t = known_true(s, blit_of(v, false));
    svar n = var_new(s, SORT_BOOL, false, range_between(f, !t));
    s->negations.data[v] = n;
    s->negations.data[n] = v;
    add2(s, blit_of(v, false), blit_of(n, false));
    add2(s, blit_of(v, true), blit_of(n, true));
    return n;
}
