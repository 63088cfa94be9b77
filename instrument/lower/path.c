/* Guards meet bottom-up: the deepest nodes are joined with their siblings first, until one node is
 * left. `cover` is the part of a node that the joined ways reach; when it is not the whole node,
 * the join gets a new node that remembers which nodes it stands for, so that later joins can still
 * find out that together they cover a branch. */
#include "instrument/lower/path.h"

#include "instrument/lower/lowering.h"

enum { MEMBERS_MAX = 64 }; /* beyond, a join forgets what it stands for: sound, larger terms */

void paths_init(struct paths *paths, struct terms *ts) {
    *paths = (struct paths){0};
    term_t yes = term_bool(ts, true);
    vec_push(&paths->guards, (struct guard){.literal = yes, .term = yes});
    vec_push(&paths->alives, (struct alive){.conjunct = yes, .term = yes});
    vec_push(&paths->branches, 0);
}

void paths_free(struct paths *paths) {
    vec_free(&paths->guards);
    vec_free(&paths->alives);
    vec_free(&paths->branches);
    vec_free(&paths->members);
}

uint32_t path_branch(struct lowering *lw, uint32_t n_edges) {
    vec_push(&lw->paths.branches, n_edges);
    return (uint32_t)lw->paths.branches.len - 1;
}

static struct guard *guard_at(struct lowering *lw, uint32_t guard) {
    assert(guard < lw->paths.guards.len);
    return &lw->paths.guards.data[guard];
}

uint32_t path_edge(struct lowering *lw, uint32_t guard, uint32_t branch, term_t literal) {
    struct guard *parent = guard_at(lw, guard);
    struct guard edge = {.parent = guard,
                         .depth = parent->depth + 1,
                         .reach = parent->depth,
                         .branch = branch,
                         .literal = literal,
                         .term = term_and(lw->ts, parent->term, literal)};
    vec_push(&lw->paths.guards, edge);
    return (uint32_t)lw->paths.guards.len - 1;
}

static uint32_t alive_add(struct lowering *lw, uint32_t alive, term_t cond) {
    if (term_is_true(lw->ts, cond))
        return alive;
    struct alive *parent = &lw->paths.alives.data[alive];
    struct alive added = {alive, parent->depth + 1, cond, term_and(lw->ts, parent->term, cond)};
    vec_push(&lw->paths.alives, added);
    return (uint32_t)lw->paths.alives.len - 1;
}

void path_assume(struct lowering *lw, struct path *path, term_t cond) {
    if (path->dead)
        return;
    path->alive = alive_add(lw, path->alive, cond);
    if (term_is_false(lw->ts, path_term(lw, path)))
        path->dead = true;
}

term_t path_term(struct lowering *lw, const struct path *path) {
    if (path->dead)
        return term_bool(lw->ts, false);
    return term_and(lw->ts, guard_at(lw, path->guard)->term,
                    lw->paths.alives.data[path->alive].term);
}

/* ---- merging the conditions under which the run goes on ---- */

static term_t conjuncts_since(struct lowering *lw, uint32_t alive, uint32_t ancestor) {
    term_t all = term_bool(lw->ts, true);
    for (; alive != ancestor; alive = lw->paths.alives.data[alive].parent)
        all = term_and(lw->ts, lw->paths.alives.data[alive].conjunct, all);
    return all;
}

static uint32_t common_alive(const struct lowering *lw, uint32_t a, uint32_t b) {
    const struct alive *alives = lw->paths.alives.data;
    while (a != b) {
        if (alives[a].depth >= alives[b].depth)
            a = alives[a].parent;
        else
            b = alives[b].parent;
    }
    return a;
}

static uint32_t alive_ite(struct lowering *lw, term_t cond, uint32_t a, uint32_t b) {
    if (a == b)
        return a;
    uint32_t common = common_alive(lw, a, b);
    term_t rest_a = conjuncts_since(lw, a, common), rest_b = conjuncts_since(lw, b, common);
    return alive_add(lw, common, term_ite(lw->ts, cond, rest_a, rest_b));
}

/* ---- merging memories ---- */

struct memory_join {
    struct lowering *lw;
    term_t cond;
    uint32_t root;
};

static void join_cell(void *context, uint32_t cell, value_t a, value_t b) {
    struct memory_join *join = context;
    value_t x = a ? a : lower_cell_default(join->lw, cell);
    value_t y = b ? b : lower_cell_default(join->lw, cell);
    value_t merged = value_ite(join->lw, join->cond, x, y);
    join->root = memory_set(&join->lw->memory, join->root, cell, merged);
}

static uint32_t memory_ite(struct lowering *lw, term_t cond, uint32_t a, uint32_t b) {
    struct memory_join join = {lw, cond, b};
    if (a == b)
        return a;
    memory_fork(&lw->memory); /* both versions are read while the new one is written */
    memory_compare(&lw->memory, a, b, join_cell, &join);
    return join.root;
}

/* ---- merging ways ---- */

struct arrival {
    struct way way;
    term_t cover; /* relative to its guard */
    term_t cond;  /* tells it from the other arrivals of one fusion */
};
VEC_STRUCT(arrivals, struct arrival);

/* to := cond ? from : to */
static void choose(struct lowering *lw, struct arrival *to, const struct arrival *from,
                   term_t cond) {
    struct path *a = &to->way.path;
    const struct path *b = &from->way.path;
    if (b->dead) {
        if (!a->dead)
            a->alive = alive_add(lw, a->alive, term_not(lw->ts, cond));
        return;
    }
    if (a->dead) {
        uint32_t guard = a->guard;
        *a = *b;
        a->guard = guard;
        a->alive = alive_add(lw, a->alive, cond);
        to->way.values = from->way.values;
        return;
    }
    a->alive = alive_ite(lw, cond, b->alive, a->alive);
    a->memory = memory_ite(lw, cond, b->memory, a->memory);
    if (!to->way.n_values)
        return;
    value_t *merged = arena_array(&lw->arena, value_t, to->way.n_values);
    for (uint32_t i = 0; i < to->way.n_values; i++)
        merged[i] = value_ite(lw, cond, from->way.values[i], to->way.values[i]);
    to->way.values = merged;
}

static uint32_t term_weight(const struct lowering *lw, term_t t) {
    return term_get(lw->ts, t)->op == OP_NOT ? t + 1 : t;
}

/* The arrival with the largest condition becomes the default. */
static void pick_default(struct lowering *lw, struct arrival *a, size_t n) {
    size_t best = n - 1;
    for (size_t i = 0; i < n; i++) {
        bool negative = term_get(lw->ts, a[i].cond)->op == OP_NOT;
        bool best_negative = term_get(lw->ts, a[best].cond)->op == OP_NOT;
        if (negative &&
            (!best_negative || term_weight(lw, a[i].cond) > term_weight(lw, a[best].cond)))
            best = i;
    }
    struct arrival swap = a[n - 1];
    a[n - 1] = a[best];
    a[best] = swap;
}

static term_t fused_cover(struct lowering *lw, uint32_t n_edges, const struct arrival *a,
                          size_t n) {
    uint32_t whole = 0;
    for (size_t i = 0; i < n; i++)
        whole += term_is_true(lw->ts, a[i].cover);
    if (n_edges && whole == n_edges)
        return term_bool(lw->ts, true);
    if (n_edges == 2 && n == 2)
        return term_ite(lw->ts, guard_at(lw, a[0].way.path.guard)->literal, a[0].cover, a[1].cover);
    term_t cover = term_bool(lw->ts, false);
    for (size_t i = 0; i < n; i++) {
        term_t literal = guard_at(lw, a[i].way.path.guard)->literal;
        cover = term_or(lw->ts, cover, term_and(lw->ts, literal, a[i].cover));
    }
    return cover;
}

/* Children of one parent become one arrival at the parent, left in a[0]. */
static void fuse_children(struct lowering *lw, struct arrival *a, size_t n, bool with_state) {
    uint32_t branch = guard_at(lw, a[0].way.path.guard)->branch;
    uint32_t parent = guard_at(lw, a[0].way.path.guard)->parent;
    bool one_branch = true;
    for (size_t i = 1; i < n; i++)
        one_branch &= guard_at(lw, a[i].way.path.guard)->branch == branch;
    for (size_t i = 0; i < n; i++) {
        term_t literal = guard_at(lw, a[i].way.path.guard)->literal;
        a[i].cond = one_branch ? literal : term_and(lw->ts, literal, a[i].cover);
    }
    term_t cover = fused_cover(lw, one_branch ? lw->paths.branches.data[branch] : 0, a, n);
    if (with_state && n > 1) {
        pick_default(lw, a, n);
        for (size_t i = 0; i + 1 < n; i++)
            choose(lw, &a[n - 1], &a[i], a[i].cond);
        a[0] = a[n - 1];
    }
    a[0].way.path.guard = parent;
    a[0].cover = cover;
}

/* Arrivals at the same node exclude each other by their covers. */
static void fuse_same(struct lowering *lw, struct arrival *a, const struct arrival *b,
                      bool with_state) {
    if (with_state)
        choose(lw, a, b, b->cover);
    a->cover = term_or(lw->ts, a->cover, b->cover);
}

/* How deep the parent is below which the arrival meets others: of a node that stands for others,
 * when it may be replaced by them, the deepest of theirs. */
static uint32_t meeting_depth(struct lowering *lw, const struct arrival *a, bool with_state) {
    const struct guard *node = guard_at(lw, a->way.path.guard);
    if (!with_state && term_is_true(lw->ts, a->cover))
        return node->reach;
    return guard_at(lw, node->parent)->depth;
}

/* Whatever arrives below the parent of the one chosen, arrives at a child of that parent. */
static size_t deepest(struct lowering *lw, const struct arrivals *all, bool with_state) {
    size_t best = 0;
    for (size_t i = 1; i < all->len; i++)
        if (meeting_depth(lw, &all->data[i], with_state) >
            meeting_depth(lw, &all->data[best], with_state))
            best = i;
    return best;
}

static void remove_arrival(struct arrivals *all, size_t i) {
    memmove(&all->data[i], &all->data[i + 1], (all->len - i - 1) * sizeof *all->data);
    all->len--;
}

/* Moves the siblings of the deepest arrival to the end, in their order; returns how many. */
static size_t gather_siblings(struct lowering *lw, struct arrivals *all, uint32_t parent) {
    size_t n = 0;
    for (size_t i = 0; i + n < all->len;) {
        struct arrival a = all->data[i];
        if (guard_at(lw, a.way.path.guard)->parent != parent || a.way.path.guard == 0) {
            i++;
            continue;
        }
        remove_arrival(all, i);
        vec_push(all, a);
        n++;
    }
    return n;
}

static void absorb_same(struct lowering *lw, struct arrivals *all, bool with_state) {
    struct arrival last = vec_pop(all);
    for (size_t i = 0; i < all->len; i++) {
        if (all->data[i].way.path.guard != last.way.path.guard)
            continue;
        fuse_same(lw, &last, &all->data[i], with_state);
        remove_arrival(all, i--);
    }
    vec_push(all, last);
}

/* A node that stands for others is replaced by them: only for finding out what is covered. */
static bool expand_members(struct lowering *lw, struct arrivals *all, size_t i) {
    struct guard node = *guard_at(lw, all->data[i].way.path.guard);
    if (!node.members || !term_is_true(lw->ts, all->data[i].cover))
        return false;
    struct arrival a = all->data[i];
    remove_arrival(all, i);
    for (uint32_t m = 0; m < node.members; m++) {
        a.way.path.guard = lw->paths.members.data[node.first_member + m];
        vec_push(all, a);
    }
    return true;
}

static void fuse_all(struct lowering *lw, struct arrivals *all, bool with_state) {
    while (all->len > 1) {
        size_t at = deepest(lw, all, with_state);
        if (!with_state && expand_members(lw, all, at))
            continue;
        uint32_t parent = guard_at(lw, all->data[at].way.path.guard)->parent;
        size_t n = gather_siblings(lw, all, parent);
        fuse_children(lw, &all->data[all->len - n], n, with_state);
        all->len -= n - 1;
        absorb_same(lw, all, with_state);
    }
}

static uint32_t new_join(struct lowering *lw, const struct arrival *join, const struct ways *ways) {
    uint32_t guard = path_edge(lw, join->way.path.guard, path_branch(lw, 0), join->cover);
    struct guard *node = guard_at(lw, guard);
    node->first_member = (uint32_t)lw->paths.members.len;
    node->members = ways->len <= MEMBERS_MAX ? (uint32_t)ways->len : 0;
    for (uint32_t i = 0; i < node->members; i++) {
        const struct guard *member = guard_at(lw, ways->data[i].path.guard);
        vec_push(&lw->paths.members, ways->data[i].path.guard);
        node->depth = member->depth >= node->depth ? member->depth + 1 : node->depth;
        node->reach = member->reach > node->reach ? member->reach : node->reach;
    }
    return guard;
}

static void load_arrivals(struct lowering *lw, struct arrivals *all, const struct ways *ways) {
    vec_clear(all);
    for (size_t i = 0; i < ways->len; i++)
        vec_push(all, (struct arrival){.way = ways->data[i], .cover = term_bool(lw->ts, true)});
}

static bool any_members(struct lowering *lw, const struct ways *ways) {
    for (size_t i = 0; i < ways->len; i++)
        if (guard_at(lw, ways->data[i].path.guard)->members)
            return true;
    return false;
}

/* The guard of the join: a node that the ways cover, or a new one. */
static uint32_t join_guard(struct lowering *lw, const struct arrival *join,
                           const struct ways *ways) {
    if (term_is_true(lw->ts, join->cover))
        return join->way.path.guard;
    if (any_members(lw, ways)) {
        struct arrivals all = {0};
        load_arrivals(lw, &all, ways);
        fuse_all(lw, &all, false);
        struct arrival covered = all.data[0];
        vec_free(&all);
        if (term_is_true(lw->ts, covered.cover))
            return covered.way.path.guard;
    }
    return new_join(lw, join, ways);
}

struct way path_merge(struct lowering *lw, struct ways *ways) {
    assert(ways->len > 0);
    if (ways->len == 1)
        return ways->data[0];
    struct arrivals all = {0};
    load_arrivals(lw, &all, ways);
    fuse_all(lw, &all, true);
    struct arrival join = all.data[0];
    vec_free(&all);
    join.way.path.guard = join_guard(lw, &join, ways);
    if (term_is_false(lw->ts, path_term(lw, &join.way.path)))
        join.way.path.dead = true;
    return join.way;
}
