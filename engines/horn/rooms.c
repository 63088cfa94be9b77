/* rooms: lists that give way. */
#include "engines/horn/rooms.h"

#include "base/mem.h"
#include "engines/horn/affine.h"
#include "model/term/number.h"
#include "model/term/simplify.h"

#include <assert.h>

enum {
    MOST_CELLS = 120,
    MOST_IN_EQUATIONS = 40,
    MOST_IN_PAIRS = 10,
    MOST_MOVES = 3,
    MOST_VALUES = 3,
    MOST_MODES = 3,        /* cells */
    MOST_MODE_VALUES = 48, /* of one of them at a place */
    MOST_ROOMS = 400,
    LAST_BITS = 4,
};

/* The values of a cell; `given_up`: there are too many. */
struct values {
    term_t cell;
    struct horn_terms seen;
    size_t most;
    bool given_up;
};

struct limit {
    term_t of; /* a cell, a sum or a difference */
    term_t at; /* constant, 0: none yet */
    bool upper, is_unsigned;
    uint32_t moves;  /* how often it gave way; more than MOST_MOVES: given up */
    uint32_t values; /* of the cell that it is of; NONE: no cell */
};

struct room {
    term_t here;
    uint32_t place; /* of a mode's value: the room that it is a part of; NONE: a place */
    bool seen, given_up;
    VEC(struct values) values;
    VEC(struct limit) limits;
    struct affine affine;    /* of a place */
    struct horn_terms plain; /* of a place: what no state has broken yet */
    term_t said;             /* rooms_term(), 0: it has changed */
};

struct rooms {
    const struct system *sys;
    struct terms *ts;
    struct horn_terms cells;
    struct horn_terms numbers; /* of one sort; none if there are too many */
    struct horn_terms modes;
    VEC(struct room) rooms;
    struct map constants; /* of the program */
    struct map parts;     /* place, mode and its value: a room */
    struct map refused;   /* room and wish */
    struct horn_terms scratch;
};

/* ---- making ---- */

static void add_limits(struct rooms *r, struct room *room, term_t of, uint32_t values) {
    bool word = sort_is_int(term_sort(r->ts, of));
    if (term_is_const(r->ts, of))
        return;
    for (int i = 0; i < (word ? 4 : 2); i++)
        vec_push(&room->limits,
                 (struct limit){.of = of, .upper = i & 1, .is_unsigned = i >= 2, .values = values});
}

static void add_cells(struct rooms *r, struct room *room) {
    for (size_t i = 0; i < r->cells.len; i++) {
        term_t cell = r->cells.data[i];
        bool boolean = term_sort(r->ts, cell) == SORT_BOOL, mode = false;
        for (size_t m = 0; m < r->modes.len; m++)
            mode |= r->modes.data[m] == cell;
        struct values v = {.cell = cell, .most = boolean ? 1 : MOST_VALUES};
        if (mode && room->place == NONE)
            v.most = MOST_MODE_VALUES;
        if (!boolean)
            add_limits(r, room, cell, (uint32_t)room->values.len);
        vec_push(&room->values, v);
    }
}

static void add_pairs(struct rooms *r, struct room *room) {
    struct terms *ts = r->ts;
    size_t n = r->numbers.len;
    for (size_t i = 0; i < n && n <= MOST_IN_PAIRS; i++)
        for (size_t k = 0; k < i; k++) {
            term_t a = r->numbers.data[i], b = r->numbers.data[k];
            term_t minus = term_op2(ts, OP_NMUL, term_number(ts, term_sort(ts, a), "-1"), b);
            add_limits(r, room, term_op2(ts, OP_NADD, a, b), NONE);
            add_limits(r, room, term_op2(ts, OP_NADD, a, minus), NONE);
        }
}

/* The last bits of words; which of two is smaller. */
static void add_plain(struct rooms *r, struct room *room) {
    struct terms *ts = r->ts;
    struct horn_terms words = {0};
    assert(room->plain.len == 0);
    for (size_t i = 0; i < r->cells.len; i++)
        if (sort_is_int(term_sort(ts, r->cells.data[i])))
            vec_push(&words, r->cells.data[i]);
    for (size_t i = 0; i < words.len && words.len <= MOST_IN_EQUATIONS; i++) {
        term_t x = words.data[i];
        sort_t width = term_sort(ts, x);
        for (int bit = 0; bit < LAST_BITS && bit < width; bit++) {
            term_t low = term_op2(ts, OP_BAND, x, term_int(ts, width, (int64_t)1 << bit));
            term_t zero = term_eq(ts, low, term_int(ts, width, 0));
            vec_push(&room->plain, zero);
            vec_push(&room->plain, term_not(ts, zero));
        }
        for (size_t k = 0; k < i && words.len <= MOST_IN_PAIRS; k++) {
            term_t y = words.data[k];
            if (term_sort(ts, y) != width)
                continue;
            vec_push(&room->plain, term_op2(ts, OP_SLE, x, y));
            vec_push(&room->plain, term_op2(ts, OP_SLE, y, x));
            vec_push(&room->plain, term_op2(ts, OP_ULE, x, y));
            vec_push(&room->plain, term_op2(ts, OP_ULE, y, x));
        }
    }
    vec_free(&words);
}

static uint32_t add_room(struct rooms *r, term_t here, uint32_t place) {
    assert(term_sort(r->ts, here) == SORT_BOOL && (place == NONE || place < r->rooms.len));
    struct room room = {.here = here, .place = place};
    affine_init(&room.affine, r->ts, &r->numbers);
    add_cells(r, &room);
    if (place == NONE) {
        add_pairs(r, &room);
        add_plain(r, &room);
    }
    vec_push(&r->rooms, room);
    return (uint32_t)r->rooms.len - 1;
}

/* ---- cells that hold a program's state ---- */

/* The cell that the term compares with a constant; 0: it does not. */
static term_t compared(const struct rooms *r, term_t t, const bool *is_cell) {
    if (!term_is(r->ts, t, OP_EQ))
        return 0;
    term_t a = term_arg(r->ts, t, 0), b = term_arg(r->ts, t, 1);
    if (is_cell[a] && term_is_const(r->ts, b))
        return a;
    return is_cell[b] && term_is_const(r->ts, a) ? b : 0;
}

static void find_modes(struct rooms *r) {
    struct terms *ts = r->ts;
    size_t end = ts->nodes.len;
    bool *is_cell = mem_zalloc(end, sizeof *is_cell), *mark = mem_zalloc(end, sizeof *mark);
    uint32_t *times = mem_zalloc(end, sizeof *times);
    struct horn_terms roots = {0};
    vec_push(&roots, r->sys->step_ok);
    vec_push(&roots, r->sys->targets.data[0].hit);
    for (size_t i = 0; i < r->sys->cells.len; i++) {
        const struct cell *c = &r->sys->cells.data[i];
        is_cell[c->var] = term_sort(ts, c->var) != SORT_BOOL;
        vec_push(&roots, c->next);
    }
    term_mark(ts, roots.data, roots.len, mark);
    for (term_t t = 1; t < end; t++) {
        if (mark[t] && term_is_const(ts, t))
            map_put(&r->constants, t, 1);
        if (mark[t])
            times[compared(r, t, is_cell)]++;
    }
    while (r->modes.len < MOST_MODES) {
        term_t best = 0;
        times[0] = 1;
        for (size_t i = 0; i < r->cells.len; i++)
            if (times[r->cells.data[i]] > times[best])
                best = r->cells.data[i];
        if (!best)
            break;
        times[best] = 0;
        vec_push(&r->modes, best);
    }
    vec_free(&roots);
    mem_free(times);
    mem_free(mark);
    mem_free(is_cell);
}

/* ---- open and close ---- */

static void find_cells(struct rooms *r) {
    sort_t sort = 0;
    for (size_t i = 0; i < r->sys->cells.len; i++) {
        term_t var = r->sys->cells.data[i].var;
        sort_t of = term_sort(r->ts, var);
        vec_push(&r->cells, var);
        if (!sort_is_number(of))
            continue;
        sort = r->numbers.len ? sort : of;
        if (of == sort)
            vec_push(&r->numbers, var);
    }
    if (r->numbers.len > MOST_IN_EQUATIONS)
        vec_clear(&r->numbers);
}

struct rooms *rooms_open(const struct system *sys, const struct horn_terms *places) {
    if (sys->cells.len == 0 || sys->cells.len > MOST_CELLS)
        return NULL;
    assert(places->len > 0);
    struct rooms *r = mem_zalloc(1, sizeof *r);
    r->sys = sys;
    r->ts = sys->terms;
    find_cells(r);
    find_modes(r);
    for (size_t i = 0; i < places->len; i++)
        add_room(r, places->data[i], NONE);
    return r;
}

static void room_free(struct room *room) {
    for (size_t i = 0; i < room->values.len; i++)
        vec_free(&room->values.data[i].seen);
    vec_free(&room->values);
    vec_free(&room->limits);
    affine_free(&room->affine);
    vec_free(&room->plain);
}

void rooms_close(struct rooms *r) {
    if (!r)
        return;
    for (size_t i = 0; i < r->rooms.len; i++)
        room_free(&r->rooms.data[i]);
    vec_free(&r->rooms);
    vec_free(&r->cells);
    vec_free(&r->numbers);
    vec_free(&r->modes);
    vec_free(&r->scratch);
    map_free(&r->constants);
    map_free(&r->parts);
    map_free(&r->refused);
    mem_free(r);
}

/* ---- what is known ---- */

static term_t limit_term(const struct rooms *r, const struct limit *l) {
    term_t least = l->upper ? l->of : l->at, most = l->upper ? l->at : l->of;
    bool word = sort_is_int(term_sort(r->ts, l->of));
    assert(l->at && term_is_const(r->ts, l->at));
    return term_op2(r->ts, !word ? OP_NLE : l->is_unsigned ? OP_ULE : OP_SLE, least, most);
}

static term_t values_term(const struct rooms *r, const struct values *v) {
    assert(!v->given_up && v->seen.len <= v->most);
    term_t one_of = term_bool(r->ts, false);
    for (size_t i = 0; i < v->seen.len; i++)
        one_of = term_or(r->ts, one_of, term_eq(r->ts, v->cell, v->seen.data[i]));
    return one_of;
}

/* Does a limit say anything that the values of its cell do not? */
static bool is_of_use(const struct room *room, const struct limit *l) {
    if (l->moves > MOST_MOVES || !l->at)
        return false;
    return l->values == NONE || room->values.data[l->values].given_up;
}

static void room_parts(const struct rooms *r, const struct room *room, struct horn_terms *out) {
    for (size_t i = 0; i < room->values.len; i++)
        if (!room->values.data[i].given_up)
            vec_push(out, values_term(r, &room->values.data[i]));
    for (size_t i = 0; i < room->limits.len; i++)
        if (is_of_use(room, &room->limits.data[i]))
            vec_push(out, limit_term(r, &room->limits.data[i]));
    vec_append(out, room->affine.equations.data, room->affine.equations.len);
    vec_append(out, room->plain.data, room->plain.len);
}

/* Of a part of a place what is not said of the place. */
static void room_news(const struct rooms *r, const struct room *room, struct horn_terms *out) {
    struct horn_terms all = {0};
    struct map known = {0};
    room_parts(r, room, room->place == NONE ? out : &all);
    if (room->place != NONE) {
        struct horn_terms whole = {0};
        room_parts(r, &r->rooms.data[room->place], &whole);
        for (size_t i = 0; i < whole.len; i++)
            map_put(&known, whole.data[i], 1);
        vec_free(&whole);
    }
    for (size_t i = 0; i < all.len; i++)
        if (!map_get(&known, all.data[i]))
            vec_push(out, all.data[i]);
    map_free(&known);
    vec_free(&all);
}

size_t rooms_count(const struct rooms *r) {
    return r->rooms.len;
}

term_t rooms_term(struct rooms *r, size_t i) {
    assert(i < r->rooms.len);
    struct room *room = &r->rooms.data[i];
    struct horn_terms parts = {0};
    if (room->said)
        return room->said;
    term_t all = term_bool(r->ts, room->seen);
    room_parts(r, room, &parts);
    for (size_t p = 0; p < parts.len && room->seen; p++)
        all = term_and(r->ts, all, parts.data[p]);
    room->said = room->given_up ? term_bool(r->ts, true) : term_implies(r->ts, room->here, all);
    vec_free(&parts);
    return room->said;
}

void rooms_conditions(struct rooms *r, bool parts_too, struct horn_terms *out) {
    struct horn_terms parts = {0};
    for (size_t i = 0; i < r->rooms.len; i++) {
        const struct room *room = &r->rooms.data[i];
        if (room->place != NONE && !parts_too)
            continue;
        vec_clear(&parts);
        if (room->seen && !room->given_up)
            room_news(r, room, &parts);
        else if (!room->seen)
            vec_push(&parts, term_bool(r->ts, false));
        for (size_t p = 0; p < parts.len; p++)
            vec_push(out, term_implies(r->ts, room->here, parts.data[p]));
    }
    vec_free(&parts);
}

/* ---- samples ---- */

static term_t value_of(const struct rooms *r, const struct horn_terms *state, term_t cell) {
    return state->data[term_bits(r->ts, cell)];
}

/* Constants that the terms are in this state. */
static void evaluate(const struct rooms *r, const struct horn_terms *state,
                     struct horn_terms *terms) {
    term_substitute(r->ts, state->data, state->len, terms->data, terms->len);
}

static void take_values(struct rooms *r, struct values *v, term_t value) {
    assert(term_is_const(r->ts, value) && term_sort(r->ts, value) == term_sort(r->ts, v->cell));
    for (size_t i = 0; i < v->seen.len && !v->given_up; i++)
        if (v->seen.data[i] == value)
            return;
    if (v->most > MOST_VALUES && !map_get(&r->constants, value)) /* no mode here */
        v->most = MOST_VALUES;
    v->given_up |= v->seen.len >= v->most;
    if (!v->given_up)
        vec_push(&v->seen, value);
}

static void take_limits(struct rooms *r, struct room *room, const struct horn_terms *state) {
    struct horn_terms now = {0};
    for (size_t i = 0; i < room->limits.len; i++)
        vec_push(&now, room->limits.data[i].of);
    for (size_t i = 0; i < room->limits.len; i++)
        vec_push(&now, room->limits.data[i].at ? limit_term(r, &room->limits.data[i])
                                               : term_bool(r->ts, false));
    evaluate(r, state, &now);
    for (size_t i = 0; i < room->limits.len; i++) {
        struct limit *l = &room->limits.data[i];
        if (l->moves > MOST_MOVES || term_is_true(r->ts, now.data[room->limits.len + i]))
            continue;
        l->moves += l->at != 0 && (l->values == NONE || room->values.data[l->values].given_up);
        l->at = now.data[i];
    }
    vec_free(&now);
}

static void take_plain(struct rooms *r, struct room *room, const struct horn_terms *state) {
    struct horn_terms now = {0};
    size_t kept = 0;
    vec_append(&now, room->plain.data, room->plain.len);
    evaluate(r, state, &now);
    for (size_t i = 0; i < room->plain.len; i++)
        if (term_is_true(r->ts, now.data[i]))
            room->plain.data[kept++] = room->plain.data[i];
    room->plain.len = kept;
    vec_free(&now);
}

static void take_equations(struct rooms *r, struct room *room, const struct horn_terms *state) {
    struct horn_terms now = {0};
    bool all = room->affine.samples.len > 0;
    vec_append(&now, room->affine.equations.data, room->affine.equations.len);
    evaluate(r, state, &now);
    for (size_t i = 0; i < now.len; i++)
        all = all && term_is_true(r->ts, now.data[i]);
    if (!all && r->numbers.len > 0)
        affine_add(&room->affine, state);
    vec_free(&now);
}

static void take_in(struct rooms *r, uint32_t at, const struct horn_terms *state) {
    assert(at < r->rooms.len);
    struct room *room = &r->rooms.data[at];
    room->seen = true;
    room->said = 0;
    for (size_t i = 0; i < room->values.len; i++)
        take_values(r, &room->values.data[i], value_of(r, state, room->values.data[i].cell));
    take_limits(r, room, state);
    take_plain(r, room, state);
    if (room->place == NONE)
        take_equations(r, room, state);
}

/* A mode with too many values at a place is none: its parts are given up. */
static bool is_mode_at(struct rooms *r, uint32_t place, term_t mode) {
    const struct room *room = &r->rooms.data[place];
    assert(room->place == NONE && "parts have no parts");
    for (size_t i = 0; i < room->values.len; i++)
        if (room->values.data[i].cell == mode)
            return room->values.data[i].most > MOST_VALUES && !room->values.data[i].given_up;
    return false;
}

/* The part of a place with this value of a mode; NONE: there are too many. */
static uint32_t part_of(struct rooms *r, uint32_t place, size_t mode, term_t value) {
    uint64_t key = ((uint64_t)place * MOST_MODES + mode) << 32 | value;
    uint32_t *known = map_get(&r->parts, key);
    if (known || r->rooms.len >= MOST_ROOMS || !is_mode_at(r, place, r->modes.data[mode]))
        return known ? *known : NONE;
    term_t is = term_eq(r->ts, r->modes.data[mode], value);
    uint32_t made = add_room(r, term_and(r->ts, r->rooms.data[place].here, is), place);
    map_put(&r->parts, key, made);
    return made;
}

static void take_modes(struct rooms *r, uint32_t place, const struct horn_terms *state) {
    for (size_t m = 0; m < r->modes.len; m++) {
        uint32_t part = part_of(r, place, m, value_of(r, state, r->modes.data[m]));
        if (part == NONE)
            continue;
        take_in(r, part, state);
        r->rooms.data[part].given_up |= !is_mode_at(r, place, r->modes.data[m]);
    }
}

/* The room that is a place and that the state is in. */
static uint32_t place_of(struct rooms *r, const struct horn_terms *state) {
    vec_clear(&r->scratch);
    for (size_t i = 0; i < r->rooms.len && r->rooms.data[i].place == NONE; i++)
        vec_push(&r->scratch, r->rooms.data[i].here);
    evaluate(r, state, &r->scratch);
    for (uint32_t i = 0; i < r->scratch.len; i++)
        if (term_is_true(r->ts, r->scratch.data[i]))
            return i;
    return NONE;
}

void rooms_take(struct rooms *r, const struct horn_terms *state) {
    uint32_t place = place_of(r, state);
    if (place == NONE)
        return;
    take_in(r, place, state);
    take_modes(r, place, state);
}

/* ---- wishes ---- */

static bool is_new_in(struct rooms *r, uint32_t room, const struct horn_terms *state) {
    term_t covered = rooms_term(r, room);
    term_substitute(r->ts, state->data, state->len, &covered, 1);
    return r->rooms.data[room].seen && !term_is_true(r->ts, covered);
}

/* A part of the place, or else the place. */
static uint32_t new_room(struct rooms *r, uint32_t place, const struct horn_terms *state) {
    for (size_t m = 0; m < r->modes.len; m++) {
        uint32_t part = part_of(r, place, m, value_of(r, state, r->modes.data[m]));
        if (part != NONE && is_new_in(r, part, state))
            return part;
    }
    return is_new_in(r, place, state) ? place : NONE;
}

/* The cell has another value than it had, or is beyond a limit; 0: it can give way no more. */
static term_t wish_of(const struct rooms *r, const struct room *room, uint32_t values) {
    assert(values < room->values.len);
    const struct values *v = &room->values.data[values];
    term_t beyond = term_bool(r->ts, false);
    if (!v->given_up)
        return term_not(r->ts, values_term(r, v));
    for (size_t i = 0; i < room->limits.len; i++) {
        const struct limit *l = &room->limits.data[i];
        if (l->values == values && is_of_use(room, l))
            beyond = term_or(r->ts, beyond, term_not(r->ts, limit_term(r, l)));
    }
    return term_is_const(r->ts, beyond) ? 0 : beyond;
}

uint32_t rooms_wishes(struct rooms *r, const struct horn_terms *state, struct horn_terms *wishes) {
    uint32_t place = place_of(r, state);
    uint32_t at = place == NONE ? NONE : new_room(r, place, state);
    vec_clear(wishes);
    for (uint32_t i = 0; at != NONE && i < r->rooms.data[at].values.len; i++) {
        term_t wish = wish_of(r, &r->rooms.data[at], i);
        if (wish && !map_get(&r->refused, (uint64_t)at << 32 | wish))
            vec_push(wishes, wish);
    }
    return at;
}

void rooms_refuse(struct rooms *r, uint32_t room, term_t wish) {
    assert(room < r->rooms.len && wish);
    map_put(&r->refused, (uint64_t)room << 32 | wish, 1);
}

term_t rooms_here(const struct rooms *r, uint32_t room) {
    return r->rooms.data[room].here;
}
