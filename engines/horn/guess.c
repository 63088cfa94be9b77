/* guess: runs of each length are asked for that the guess does not cover, and it gives way. */
#include "engines/horn/guess.h"

#include "engines/query/query.h"
#include "model/term/number.h"
#include "model/term/simplify.h"

#include <assert.h>

enum { MOST_NUMBERS = 40, MOST_IN_PAIRS = 10, MOST_MOVES = 3, MOST_STEPS = 8, LAST_BITS = 4 };

struct limit {
    term_t of; /* a number, a sum or a difference */
    term_t at; /* constant */
    bool upper;
    uint32_t moves; /* how often it gave way; more than MOST_MOVES: given up */
};

/* What is known of the states at a place. */
struct room {
    term_t here;
    bool seen;
    VEC(struct limit) limits;
    VEC(mpq_t *) samples; /* vectors over the numbers, affinely independent */
    struct horn_terms equations;
    struct horn_terms plain; /* of words: what no state has broken yet */
};

struct guess {
    const struct system *sys;
    struct terms *ts;
    struct query *q;
    struct horn_terms numbers; /* cells of one sort */
    struct horn_terms words;   /* cells that are bit-vectors */
    sort_t sort;
    VEC(struct room) rooms;
    uint64_t ticks;
};

/* ---- linear equations ---- */

static void free_vector(mpq_t *v, size_t n) {
    for (size_t i = 0; i < n; i++)
        mpq_clear(v[i]);
    vec_release(v);
}

static mpq_t *new_vector(size_t n) {
    size_t cap = 0;
    mpq_t *v = vec_grow(NULL, &cap, n, sizeof *v);
    for (size_t i = 0; i < n; i++)
        mpq_init(v[i]);
    return v;
}

/* Row `r` becomes 1 at `col`, the others 0 there. */
static void eliminate(mpq_t **rows, size_t n_rows, size_t r, size_t col, size_t n) {
    mpq_t factor, product;
    assert(r < n_rows && col < n && mpq_sgn(rows[r][col]) != 0);
    mpq_init(factor);
    mpq_init(product);
    mpq_inv(factor, rows[r][col]);
    for (size_t k = 0; k < n; k++)
        mpq_mul(rows[r][k], rows[r][k], factor);
    for (size_t i = 0; i < n_rows; i++) {
        if (i == r || mpq_sgn(rows[i][col]) == 0)
            continue;
        mpq_set(factor, rows[i][col]);
        for (size_t k = 0; k < n; k++) {
            mpq_mul(product, factor, rows[r][k]);
            mpq_sub(rows[i][k], rows[i][k], product);
        }
    }
    mpq_clear(factor);
    mpq_clear(product);
}

/* Reduced rows; pivot[col] is the row that has its 1 there, or SIZE_MAX. */
static void reduce_rows(mpq_t **rows, size_t n_rows, size_t *pivot, size_t n) {
    size_t r = 0;
    for (size_t col = 0; col < n; col++) {
        size_t i = r;
        pivot[col] = SIZE_MAX;
        while (i < n_rows && mpq_sgn(rows[i][col]) == 0)
            i++;
        if (i == n_rows)
            continue;
        mpq_t *row = rows[i];
        rows[i] = rows[r];
        rows[r] = row;
        eliminate(rows, n_rows, r, col, n);
        pivot[col] = r++;
    }
}

/* The equation for a free column: factors of which each row has the sum 0. */
static void add_equation(const struct guess *g, struct room *room, mpq_t **rows,
                         const size_t *pivot, size_t free_col) {
    struct sum sum;
    mpq_t factor, value;
    sum_init(&sum);
    mpq_init(factor);
    mpq_init(value);
    for (size_t col = 0; col < g->numbers.len; col++) {
        if (col == free_col)
            mpq_set_si(factor, 1, 1);
        else
            mpq_set_si(factor, 0, 1);
        if (pivot[col] != SIZE_MAX)
            mpq_neg(factor, rows[pivot[col]][free_col]);
        if (mpq_sgn(factor) == 0)
            continue;
        sum_add(g->ts, &sum, g->numbers.data[col], factor);
        mpq_mul(value, factor, room->samples.data[0][col]);
        mpq_sub(sum.constant, sum.constant, value);
    }
    term_t t = sum_zero(g->ts, g->sort, &sum);
    if (!term_is_const(g->ts, t))
        vec_push(&room->equations, t);
    mpq_clear(factor);
    mpq_clear(value);
    sum_free(&sum);
}

/* All equations that the samples meet: what is orthogonal to their differences. */
static void find_equations(const struct guess *g, struct room *room) {
    size_t n = g->numbers.len, n_rows = room->samples.len - 1, pivot[MOST_NUMBERS];
    VEC(mpq_t *) rows = {0};
    assert(n <= MOST_NUMBERS && room->samples.len > 0);
    for (size_t i = 0; i < n_rows; i++) {
        mpq_t *row = new_vector(n);
        for (size_t k = 0; k < n; k++)
            mpq_sub(row[k], room->samples.data[i + 1][k], room->samples.data[0][k]);
        vec_push(&rows, row);
    }
    reduce_rows(rows.data, n_rows, pivot, n);
    vec_clear(&room->equations);
    for (size_t col = 0; col < n; col++)
        if (pivot[col] == SIZE_MAX)
            add_equation(g, room, rows.data, pivot, col);
    for (size_t i = 0; i < n_rows; i++)
        free_vector(rows.data[i], n);
    vec_free(&rows);
}

/* ---- rooms ---- */

static void add_limits(const struct guess *g, struct room *room, term_t of) {
    if (term_is_const(g->ts, of))
        return;
    vec_push(&room->limits, (struct limit){.of = of});
    vec_push(&room->limits, (struct limit){.of = of, .upper = true});
}

/* The last bits of a word, its sign; which of two is smaller. */
static void add_plain(const struct guess *g, struct room *room) {
    struct terms *ts = g->ts;
    size_t n = g->words.len;
    assert(room->plain.len == 0);
    for (size_t i = 0; i < n; i++) {
        term_t x = g->words.data[i];
        sort_t width = term_sort(ts, x);
        for (int bit = 0; bit < LAST_BITS && bit < width; bit++) {
            term_t low = term_op2(ts, OP_BAND, x, term_int(ts, width, (int64_t)1 << bit));
            term_t zero = term_eq(ts, low, term_int(ts, width, 0));
            vec_push(&room->plain, zero);
            vec_push(&room->plain, term_not(ts, zero));
        }
        vec_push(&room->plain, term_op2(ts, OP_SLE, term_int(ts, width, 0), x));
        for (size_t k = 0; k < i && n <= MOST_IN_PAIRS; k++) {
            term_t y = g->words.data[k];
            if (term_sort(ts, y) != width)
                continue;
            vec_push(&room->plain, term_op2(ts, OP_SLE, x, y));
            vec_push(&room->plain, term_op2(ts, OP_SLE, y, x));
            vec_push(&room->plain, term_op2(ts, OP_ULE, x, y));
            vec_push(&room->plain, term_op2(ts, OP_ULE, y, x));
        }
    }
}

static void add_room(struct guess *g, term_t here) {
    struct terms *ts = g->ts;
    struct room room = {.here = here};
    size_t n = g->numbers.len;
    assert(n > 0 || g->words.len > 0);
    add_plain(g, &room);
    for (size_t i = 0; i < n; i++)
        add_limits(g, &room, g->numbers.data[i]);
    for (size_t i = 0; i < n && n <= MOST_IN_PAIRS; i++)
        for (size_t k = 0; k < i; k++) {
            term_t a = g->numbers.data[i], b = g->numbers.data[k];
            term_t minus = term_op2(ts, OP_NMUL, term_number(ts, g->sort, "-1"), b);
            add_limits(g, &room, term_op2(ts, OP_NADD, a, b));
            add_limits(g, &room, term_op2(ts, OP_NADD, a, minus));
        }
    vec_push(&g->rooms, room);
}

static term_t limit_term(const struct guess *g, const struct limit *l) {
    return l->upper ? term_op2(g->ts, OP_NLE, l->of, l->at) : term_op2(g->ts, OP_NLE, l->at, l->of);
}

/* What is guessed of states there, each part of it. */
static void room_conditions(const struct guess *g, const struct room *room,
                            struct horn_terms *out) {
    struct terms *ts = g->ts;
    assert(room->seen || room->samples.len == 0);
    if (!room->seen) {
        vec_push(out, term_not(ts, room->here));
        return;
    }
    for (size_t i = 0; i < room->equations.len; i++)
        vec_push(out, term_implies(ts, room->here, room->equations.data[i]));
    for (size_t i = 0; i < room->plain.len; i++)
        vec_push(out, term_implies(ts, room->here, room->plain.data[i]));
    for (size_t i = 0; i < room->limits.len; i++)
        if (room->limits.data[i].moves <= MOST_MOVES)
            vec_push(out, term_implies(ts, room->here, limit_term(g, &room->limits.data[i])));
}

/* ---- samples ---- */

static bool meets(const struct guess *g, uint32_t frame, term_t t) {
    return term_is_true(g->ts, query_value(g->q, frame, t));
}

static void move_limits(struct guess *g, struct room *room, uint32_t frame) {
    for (size_t i = 0; i < room->limits.len; i++) {
        struct limit *l = &room->limits.data[i];
        if (l->moves > MOST_MOVES || (l->at && meets(g, frame, limit_term(g, l))))
            continue;
        l->moves += l->at != 0;
        l->at = query_value(g->q, frame, l->of);
    }
}

static bool meets_equations(const struct guess *g, const struct room *room, uint32_t frame) {
    bool all = room->samples.len > 0;
    for (size_t i = 0; i < room->equations.len && all; i++)
        all = meets(g, frame, room->equations.data[i]);
    return all;
}

static void add_sample(struct guess *g, struct room *room, uint32_t frame) {
    assert(g->numbers.len > 0 && room->samples.len <= g->numbers.len);
    mpq_t *sample = new_vector(g->numbers.len);
    for (size_t i = 0; i < g->numbers.len; i++)
        term_number_value(g->ts, query_value(g->q, frame, g->numbers.data[i]), sample[i]);
    vec_push(&room->samples, sample);
    find_equations(g, room);
}

static void drop_plain(struct guess *g, struct room *room, uint32_t frame) {
    size_t kept = 0;
    for (size_t i = 0; i < room->plain.len; i++)
        if (meets(g, frame, room->plain.data[i]))
            room->plain.data[kept++] = room->plain.data[i];
    room->plain.len = kept;
}

/* The state of the model is one of those at its place. */
static void take_sample(struct guess *g, uint32_t frame) {
    for (size_t i = 0; i < g->rooms.len; i++) {
        struct room *room = &g->rooms.data[i];
        if (!meets(g, frame, room->here))
            continue;
        room->seen = true;
        drop_plain(g, room, frame);
        move_limits(g, room, frame);
        if (g->numbers.len > 0 && !meets_equations(g, room, frame))
            add_sample(g, room, frame);
        return;
    }
}

/* A state that the guess does not cover, among those of a frame. */
static enum solver_result ask_uncovered(struct guess *g, uint32_t frame) {
    struct horn_terms all = {0};
    struct qlits clause = {0};
    assert(g->rooms.len > 0);
    qlit on = query_activation(g->q);
    vec_push(&clause, -on);
    for (size_t i = 0; i < g->rooms.len; i++)
        room_conditions(g, &g->rooms.data[i], &all);
    for (size_t i = 0; i < all.len; i++)
        vec_push(&clause, -query_literal(g->q, frame, all.data[i]));
    query_clause(g->q, clause.data, clause.len);
    uint64_t used = query_ticks(g->q);
    enum solver_result said = SOLVER_UNKNOWN;
    if (used < g->ticks)
        said = query_solve(g->q, &on, 1, g->ticks - used);
    vec_free(&all);
    vec_free(&clause);
    return said;
}

/* The states after one step more; false: the effort is spent. */
static bool take_samples(struct guess *g, uint32_t frame) {
    enum solver_result said;
    while ((said = ask_uncovered(g, frame)) == SOLVER_SAT)
        take_sample(g, frame);
    return said == SOLVER_UNSAT;
}

static void sample_runs(struct guess *g) {
    bool goes_on = true;
    query_frame(g->q);
    for (uint32_t step = 0; step < MOST_STEPS && goes_on; step++) {
        uint32_t frame = query_frame(g->q);
        query_assert(g->q, frame - 1, step ? g->sys->step_ok : g->sys->init_ok, 0);
        for (size_t i = 0; i < g->sys->cells.len; i++) {
            const struct cell *c = &g->sys->cells.data[i];
            query_bind(g->q, frame, c->var, frame - 1, step ? c->next : c->init);
        }
        goes_on = take_samples(g, frame);
    }
}

/* ---- all ---- */

/* Cells of the sort that the first number has. */
static bool find_numbers(struct guess *g) {
    for (size_t i = 0; i < g->sys->cells.len; i++) {
        term_t var = g->sys->cells.data[i].var;
        if (sort_is_int(term_sort(g->ts, var)))
            vec_push(&g->words, var);
        if (!sort_is_number(term_sort(g->ts, var)))
            continue;
        if (g->numbers.len == 0)
            g->sort = term_sort(g->ts, var);
        if (term_sort(g->ts, var) == g->sort)
            vec_push(&g->numbers, var);
    }
    size_t n = g->numbers.len + g->words.len;
    return n > 0 && n <= MOST_NUMBERS;
}

static void guess_free(struct guess *g) {
    for (size_t i = 0; i < g->rooms.len; i++) {
        struct room *room = &g->rooms.data[i];
        for (size_t k = 0; k < room->samples.len; k++)
            free_vector(room->samples.data[k], g->numbers.len);
        vec_free(&room->samples);
        vec_free(&room->limits);
        vec_free(&room->equations);
        vec_free(&room->plain);
    }
    vec_free(&g->rooms);
    vec_free(&g->numbers);
    vec_free(&g->words);
}

term_t guess_invariant(const struct system *sys, const struct horn_terms *places,
                       const struct query_options *how, uint64_t ticks) {
    struct guess g = {.sys = sys, .ts = sys->terms, .ticks = ticks / 2};
    term_t found = term_bool(sys->terms, true);
    struct horn_terms all = {0};
    assert(places->len > 0 && ticks > 0);
    if (find_numbers(&g)) {
        g.q = query_open(sys->terms, how);
        for (size_t i = 0; i < places->len; i++)
            add_room(&g, places->data[i]);
        sample_runs(&g);
        query_close(g.q);
        for (size_t i = 0; i < g.rooms.len; i++)
            room_conditions(&g, &g.rooms.data[i], &all);
        guess_settle(sys, &all, how, ticks / 2);
    }
    for (size_t i = 0; i < all.len; i++)
        found = term_and(sys->terms, found, all.data[i]);
    vec_free(&all);
    guess_free(&g);
    return found;
}
