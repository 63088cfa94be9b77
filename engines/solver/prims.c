/* Primitive constraints: see prims.h. */
#include "engines/solver/prims.h"
#include "engines/solver/relations/linear.h"
#include "engines/solver/relations/mix.h"
#include "engines/solver/relations/order.h"
#include "engines/solver/propagate.h"
#include "engines/solver/record.h"
#include "engines/solver/vars.h"
#include "model/term/eval.h"

struct prim prims_kind(const struct solver *s, enum op op, sort_t sort, bool is_signed,
                       const struct term_table *table, const svar args[3]) {
    struct prim kind = {.op = op, .table = table};
    kind.sort[0] = sort;
    kind.is_signed[0] = is_signed;
    for (int i = 0; i < op_table[op].arity; i++) {
        kind.sort[i + 1] = s->sort.data[args[i]];
        kind.is_signed[i + 1] = s->flags.data[args[i]] & VAR_SIGNED;
    }
    return kind;
}

static uint64_t point_bits(sort_t sort, bool is_signed, struct range r) {
    if (r.num)
        return ordinal_bits(sort, is_signed, r.lo);
    return sort == SORT_F32 ? 0x7fc00000u : 0x7ff8000000000000u;
}

static uint64_t table_value(const struct term_table *table, uint64_t index) {
    return table->values[index < table->len ? index : table->len - 1];
}

uint64_t prims_value(const struct prim *kind, const uint64_t args[3]) {
    return kind->op == OP_TABLE
               ? table_value(kind->table, args[0])
               : term_eval_op(kind->op, kind->sort[0], kind->sort[op_table[kind->op].arity], args);
}

static struct range evaluate(const struct prim *kind, const struct range r[4]) {
    uint64_t args[3] = {0};
    for (int i = 0; i < op_table[kind->op].arity; i++)
        args[i] = point_bits(kind->sort[i + 1], kind->is_signed[i + 1], r[i + 1]);
    return range_of_bits(kind->sort[0], kind->is_signed[0], prims_value(kind, args));
}

bool prims_contract(const struct prim *kind, const struct range r[4], int which,
                    struct range *out) {
    bool narrower = contract(kind, r, which, out);
    if (which > 0 || range_is_empty(*out) || kind->op >= OP_SIN)
        return narrower;
    for (int i = 1; i <= op_table[kind->op].arity; i++)
        if (!range_is_point(r[i]))
            return narrower;
    *out = range_meet(*out, evaluate(kind, r));
    return !range_same(*out, r[0]);
}

static bool kind_same(const struct prim *a, const struct prim *b) {
    return a->op == b->op && a->table == b->table &&
           memcmp(a->sort, b->sort, sizeof a->sort) == 0 &&
           memcmp(a->is_signed, b->is_signed, sizeof a->is_signed) == 0;
}

static uint32_t kind_index(struct solver *s, const struct prim *kind) {
    uint64_t key = hash_mix(hash_bytes(kind->sort, sizeof kind->sort), (uint64_t)kind->op);
    key = hash_mix(key, hash_bytes(kind->is_signed, sizeof kind->is_signed));
    key = hash_mix(key, (uint64_t)(uintptr_t)kind->table);
    const uint32_t *known = map_get(&s->kind_index, key);
    if (known && kind_same(&s->kinds.data[*known], kind))
        return *known;
    map_put(&s->kind_index, key, (uint32_t)s->kinds.len);
    vec_push(&s->kinds, *kind);
    return (uint32_t)s->kinds.len - 1;
}

static void use_add(struct solver *s, svar v, uint32_t prim) {
    struct ids *uses = &s->uses.data[v];
    if (uses->len == 0 || vec_last(uses) != prim)
        vec_push(uses, prim);
}

void prims_watch(struct solver *s, svar v, uint32_t prim) {
    use_add(s, v, prim);
    if (s->nan.data[v])
        use_add(s, s->nan.data[v], prim);
}

struct constraint prims_constraint(const struct solver *s, uint32_t prim) {
    const struct prim_use *use = &s->prims.data[prim];
    if (use->kind == KIND_LINEAR) {
        const struct linear *form = s->linears.data[use->var[1]];
        return (struct constraint){form->var, linear_operands(form), 1 + form->n_leaves};
    }
    if (use->kind == KIND_MIX) {
        const struct mix *mix = s->mixes.data[use->var[1]];
        return (struct constraint){mix->base.var, mix->n_operands, 1};
    }
    int n = 1 + op_table[s->kinds.data[use->kind].op].arity;
    return (struct constraint){use->var, n, n};
}

bool prims_asleep(const struct solver *s, uint32_t prim) {
    const struct prim_use *use = &s->prims.data[prim];
    if (use->kind == KIND_MIX)
        return !mix_awake(s, s->mixes.data[use->var[1]]);
    return use->kind == KIND_LINEAR && !linear_awake(s, s->linears.data[use->var[1]]);
}

bool prims_narrow(const struct solver *s, uint32_t prim, const struct range *r, int which,
                  struct range *out) {
    const struct prim_use *use = &s->prims.data[prim];
    if (use->kind == KIND_LINEAR)
        return linear_contract(s, s->linears.data[use->var[1]], r, which, out);
    if (use->kind == KIND_MIX)
        return mix_contract(s, s->mixes.data[use->var[1]], r, out);
    return prims_contract(&s->kinds.data[use->kind], r, which, out);
}

/* Roughly in units of a float addition. */
static uint32_t kind_cost(const struct prim *kind) {
    switch (kind->op) {
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
        return 1 + kind->sort[0] / 8u;
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
    case OP_TABLE:
    case OP_FMOD:
        return 3;
    default:
        return kind->op >= OP_SIN ? 30 : 1;
    }
}

static enum prim_family kind_family(const struct prim *kind) {
    bool floats = strchr(op_table[kind->op].args, 'f') || sort_is_float(kind->sort[0]);
    return floats ? FAMILY_FLOAT : FAMILY_INT;
}

static void prim_new(struct solver *s, const struct prim_use *use, int n) {
    uint32_t prim = (uint32_t)s->prims.len;
    assert(prim < 1u << 27);
    vec_push(&s->prims, *use);
    vec_last(&s->prims).cost = kind_cost(&s->kinds.data[use->kind]);
    vec_last(&s->prims).family = kind_family(&s->kinds.data[use->kind]);
    for (int i = 0; i <= n; i++)
        prims_watch(s, use->var[i], prim);
    propagate_wake(s, prim);
}

/* Partitions of a proof share no constraints. */
static uint64_t use_key(const struct solver *s, uint32_t kind, const svar args[3], int n) {
    uint64_t key = recording(s) ? (uint64_t)s->partition << 32 | kind : kind;
    for (int i = 0; i < n; i++)
        key = hash_mix(key, args[i]);
    return key;
}

static bool use_same(const struct solver *s, const struct prim_use *use, uint32_t kind,
                     const svar args[3], int n) {
    return use->kind == kind && (!recording(s) || use->partition == s->partition) &&
           memcmp(&use->var[1], args, (size_t)n * sizeof *args) == 0;
}

static svar result_new(struct solver *s, const struct prim *kind, struct range out) {
    sort_t sort = kind->sort[0];
    if (out.num && !out.nan && out.lo == out.hi)
        return var_constant(s, sort, kind->is_signed[0],
                            ordinal_bits(sort, kind->is_signed[0], out.lo));
    return var_new(s, sort, kind->is_signed[0], out);
}

svar prims_result(struct solver *s, const struct prim *kind, const svar args[3]) {
    int n = op_table[kind->op].arity;
    uint32_t k = kind_index(s, kind);
    uint64_t key = use_key(s, k, args, n);
    const uint32_t *known = map_get(&s->prim_index, key);
    if (known && use_same(s, &s->prims.data[*known], k, args, n))
        return s->prims.data[*known].var[0];
    struct range r[4], out;
    r[0] = range_full(kind->sort[0], kind->is_signed[0]);
    for (int i = 0; i < n; i++)
        r[i + 1] = var_known_range(s, args[i]);
    prims_contract(kind, r, 0, &out);
    assert(!range_is_empty(out));
    struct prim_use use = {.kind = k, .partition = s->partition};
    use.var[0] = result_new(s, kind, out);
    memcpy(&use.var[1], args, (size_t)n * sizeof *args);
    if (!range_is_point(out)) {
        map_put(&s->prim_index, key, (uint32_t)s->prims.len);
        s->definition.data[use.var[0]] = (uint32_t)s->prims.len;
        prim_new(s, &use, n);
        if (!recording(s)) /* its conclusions join constraints of several partitions */
            order_add(s, s->definition.data[use.var[0]]);
        linear_add(s, use.var[0]);
        mix_add(s, use.var[0]);
    }
    return use.var[0];
}

void prims_assert(struct solver *s, const struct prim *kind, svar result, const svar args[3]) {
    int n = op_table[kind->op].arity;
    struct prim_use use = {.kind = kind_index(s, kind), .partition = s->partition};
    assert(s->sort.data[result] == kind->sort[0]);
    use.var[0] = result;
    memcpy(&use.var[1], args, (size_t)n * sizeof *args);
    prim_new(s, &use, n);
}
