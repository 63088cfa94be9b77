/* Interpolants from proofs: see interpolant.h.
 *
 * McMillan's system. Every clause C of the proof gets a formula I with
 *
 *     A implies I or what C says in variables of A alone,
 *     B and I imply what C says in variables of B (shared ones included):
 *
 *     a clause or lemma of A    the disjunction of its shared literals
 *     a clause or lemma of B    true
 *     a resolvent               upon a variable of A alone: I1 or I2, else I1 and I2
 *
 * Both lines survive when a literal of C is weakened, so bounds need no care: x >= 7 and x <= 4 are
 * resolved as if one were the negation of the other. The formulas are a graph with shared nodes;
 * at the end the root is multiplied out. */
#include "engines/interpolation/interpolant.h"

#include "base/bug.h"
#include "base/map.h"
#include "base/mem.h"

enum node_kind { NODE_TRUE, NODE_AND, NODE_OR, NODE_CLAUSE };

struct node {
    uint8_t kind;
    uint32_t a, b; /* operands, or the step whose shared literals it has */
};

struct reader {
    const struct proof *proof;
    bool *needed;           /* by step */
    uint8_t *sides;         /* by variable: the partitions that mention it, as bits */
    uint32_t *node;         /* by step: its formula */
    VEC(struct node) nodes; /* operands come before results */
    struct map index;
};

/* ---- the steps that matter ---- */

static void mark_needed(struct reader *r) {
    const struct proof *p = r->proof;
    r->needed[p->final] = true;
    for (uint32_t at = p->final; at > 0; at--) {
        const struct proof_step *step = proof_step_at(p, at);
        for (size_t i = 0; r->needed[at] && i < step->n_premises; i++)
            r->needed[p->premises.data[step->first_premise + i].step] = true;
    }
}

static void mark_sides(struct reader *r) {
    const struct proof *p = r->proof;
    for (uint32_t at = 1; at <= p->final; at++) {
        const struct proof_step *step = proof_step_at(p, at);
        if (!r->needed[at] || step->kind == PROOF_DERIVED)
            continue;
        assert(step->partition == PARTITION_A || step->partition == PARTITION_B);
        for (size_t i = 0; i < step->n_lits; i++)
            r->sides[p->lits.data[step->first_lit + i].var] |= (uint8_t)step->partition;
    }
}

static bool is_shared(const struct reader *r, svar v) {
    return r->sides[v] == (PARTITION_A | PARTITION_B);
}

static void check_assumptions(const struct reader *r) {
    const struct proof_step *end = proof_step_at(r->proof, r->proof->final);
    for (size_t i = 0; i < end->n_lits; i++)
        if (is_shared(r, r->proof->lits.data[end->first_lit + i].var))
            bug("an assumption is about a shared variable");
}

/* ---- formulas ---- */

static uint32_t node_new(struct reader *r, enum node_kind kind, uint32_t a, uint32_t b) {
    uint64_t key = hash_mix((uint64_t)a << 32 | b, kind);
    const uint32_t *known = map_get(&r->index, key);
    const struct node *n = known ? &r->nodes.data[*known] : NULL;
    if (n && n->kind == kind && n->a == a && n->b == b)
        return *known;
    map_put(&r->index, key, (uint32_t)r->nodes.len);
    vec_push(&r->nodes, (struct node){.kind = (uint8_t)kind, .a = a, .b = b});
    return (uint32_t)r->nodes.len - 1;
}

static uint32_t node_join(struct reader *r, enum node_kind kind, uint32_t a, uint32_t b) {
    if (a == b)
        return a;
    if (a == NODE_TRUE || b == NODE_TRUE)
        return kind == NODE_OR ? NODE_TRUE : a == NODE_TRUE ? b : a;
    return a < b ? node_new(r, kind, a, b) : node_new(r, kind, b, a);
}

static uint32_t node_of_step(struct reader *r, uint32_t at) {
    const struct proof_step *step = proof_step_at(r->proof, at);
    if (step->kind != PROOF_DERIVED)
        return step->partition == PARTITION_A ? node_new(r, NODE_CLAUSE, at, 0) : NODE_TRUE;
    const struct proof_premise *premise = &r->proof->premises.data[step->first_premise];
    uint32_t node = r->node[premise[0].step];
    for (size_t i = 1; i < step->n_premises; i++) {
        assert(r->sides[premise[i].pivot]);
        bool local = r->sides[premise[i].pivot] == PARTITION_A;
        node = node_join(r, local ? NODE_OR : NODE_AND, node, r->node[premise[i].step]);
    }
    return node;
}

/* ---- multiplying out ---- */

static void clause_of_step(const struct reader *r, uint32_t at, struct cnf *out) {
    const struct proof_step *step = proof_step_at(r->proof, at);
    struct slits clause = {0};
    for (size_t i = 0; i < step->n_lits; i++) {
        struct slit l = r->proof->lits.data[step->first_lit + i];
        if (is_shared(r, l.var))
            vec_push(&clause, l);
    }
    cnf_add(out, &clause);
}

static bool node_expand(const struct reader *r, const struct cnf *sets, const struct node *n,
                        size_t limit, struct cnf *out) {
    switch (n->kind) {
    case NODE_CLAUSE:
        clause_of_step(r, n->a, out);
        return true;
    case NODE_AND:
        cnf_copy(out, &sets[n->a]);
        return cnf_and(out, &sets[n->b], limit);
    case NODE_OR:
        return cnf_or(out, &sets[n->a], &sets[n->b], limit);
    default:
        return true;
    }
}

/* How many needed nodes still want the set of each node; the root has one user more. */
static uint32_t *count_users(const struct reader *r, uint32_t root) {
    uint32_t *users = mem_zalloc(r->nodes.len, sizeof *users);
    users[root] = 1;
    for (uint32_t i = root + 1; i-- > 0;) {
        const struct node *n = &r->nodes.data[i];
        if (users[i] == 0 || (n->kind != NODE_AND && n->kind != NODE_OR))
            continue;
        users[n->a]++;
        users[n->b]++;
    }
    return users;
}

static void drop_user(uint32_t *users, struct cnf *sets, uint32_t node) {
    assert(users[node] > 0);
    if (--users[node] == 0)
        cnf_free(&sets[node]);
}

static bool multiply_out(const struct reader *r, uint32_t root, size_t limit, struct cnf *out) {
    uint32_t *users = count_users(r, root);
    struct cnf *sets = mem_zalloc(r->nodes.len, sizeof *sets);
    bool fits = true;
    for (uint32_t i = 0; i <= root && fits; i++) {
        const struct node *n = &r->nodes.data[i];
        if (users[i] == 0)
            continue;
        fits = node_expand(r, sets, n, limit, &sets[i]);
        if (n->kind == NODE_AND || n->kind == NODE_OR) {
            drop_user(users, sets, n->a);
            drop_user(users, sets, n->b);
        }
    }
    if (fits) {
        *out = sets[root];
        sets[root] = (struct cnf){0};
    }
    for (size_t i = 0; i < r->nodes.len; i++)
        cnf_free(&sets[i]);
    mem_free(sets);
    mem_free(users);
    return fits;
}

/* ---- all together ---- */

static void reader_open(struct reader *r, const struct proof *p) {
    svar last = 0;
    for (size_t i = 0; i < p->lits.len; i++)
        last = p->lits.data[i].var > last ? p->lits.data[i].var : last;
    for (size_t i = 0; i < p->premises.len; i++)
        last = p->premises.data[i].pivot > last ? p->premises.data[i].pivot : last;
    *r = (struct reader){.proof = p};
    r->needed = mem_zalloc(p->steps.len, sizeof *r->needed);
    r->node = mem_zalloc(p->steps.len, sizeof *r->node);
    r->sides = mem_zalloc((size_t)last + 1, sizeof *r->sides);
    vec_push(&r->nodes, (struct node){.kind = NODE_TRUE});
}

static void reader_close(struct reader *r) {
    mem_free(r->needed);
    mem_free(r->node);
    mem_free(r->sides);
    vec_free(&r->nodes);
    map_free(&r->index);
}

bool interpolant_read(const struct solver *s, size_t max_clauses, struct cnf *out) {
    const struct proof *p = solver_proof(s);
    struct reader r;
    assert(p && p->final && out->clauses.len == 0);
    reader_open(&r, p);
    mark_needed(&r);
    mark_sides(&r);
    check_assumptions(&r);
    for (uint32_t at = 1; at <= p->final; at++)
        if (r.needed[at])
            r.node[at] = node_of_step(&r, at);
    bool fits = multiply_out(&r, r.node[p->final], max_clauses, out);
    reader_close(&r);
    return fits;
}
