/* Witnesses and proofs. */
#include "db/internal.h"

#include "model/term/ordinal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The value beside its bits, for people and for SQL: a number, or a text where SQL has none. */
struct shown {
    int type; /* of SQLite */
    int64_t whole;
    double real;
    char text[24];
};

static struct shown shown_text(const char *text) {
    struct shown v = {.type = SQLITE_TEXT};
    snprintf(v.text, sizeof v.text, "%s", text);
    return v;
}

static struct shown shown_value(enum var_type type, int bits, uint64_t value) {
    struct shown v = {.type = SQLITE_INTEGER, .whole = (int64_t)value};
    assert(var_type_known((char)type) && bits >= 1 && bits <= 64);
    if (type == TYPE_FLOAT) {
        double number = bits == 32 ? (double)bits_f32(value) : bits_f64(value);
        if (isnan(number) || isinf(number))
            return shown_text(isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
        v = (struct shown){.type = SQLITE_FLOAT, .real = number};
    } else if (type == TYPE_SIGNED && bits < 64) {
        int shift = 64 - bits;
        v.whole = (int64_t)(value << shift) >> shift;
    } else if (type != TYPE_SIGNED && value > INT64_MAX) {
        char text[24];
        snprintf(text, sizeof text, "%llu", (unsigned long long)value);
        return shown_text(text);
    }
    return v;
}

static void bind_value(sqlite3_stmt *s, int index, enum var_type type, int bits, uint64_t value) {
    assert(bits == 64 || value >> bits == 0);
    struct shown v = shown_value(type, bits, value);
    if (v.type == SQLITE_TEXT)
        bind_text(s, index, v.text);
    else if (v.type == SQLITE_FLOAT)
        sqlite3_bind_double(s, index, v.real);
    else
        sqlite3_bind_int64(s, index, v.whole);
}

static bool is_shown(sqlite3_stmt *s, int column, enum var_type type, int bits, uint64_t value) {
    struct shown v = shown_value(type, bits, value);
    if ((bits < 64 && value >> bits != 0) || sqlite3_column_type(s, column) != v.type)
        return false;
    if (v.type == SQLITE_TEXT)
        return strcmp((const char *)sqlite3_column_text(s, column), v.text) == 0;
    return v.type == SQLITE_FLOAT ? sqlite3_column_double(s, column) == v.real
                                  : sqlite3_column_int64(s, column) == v.whole;
}

struct var_types {
    VEC(enum var_type) type;
    VEC(uint8_t) bits;
};

static bool load_types(struct store *store, int is_input, struct var_types *types,
                       struct err *err) {
    sqlite3_stmt *s = store_prepare(
        store, "SELECT type, bits FROM variable WHERE is_input = ?1 ORDER BY number", err);
    if (!s)
        return false;
    sqlite3_bind_int(s, 1, is_input);
    while (sqlite3_step(s) == SQLITE_ROW) {
        const char *type = (const char *)sqlite3_column_text(s, 0);
        vec_push(&types->type, (enum var_type)(type ? *type : 0));
        vec_push(&types->bits, (uint8_t)sqlite3_column_int(s, 1));
    }
    assert(types->type.len == types->bits.len);
    store_release(store, s);
    return true;
}

static void free_types(struct var_types *types) {
    vec_free(&types->type);
    vec_free(&types->bits);
}

static bool put_events(struct store *store, int64_t id, const struct witness *w, struct err *err) {
    sqlite3_stmt *s = store_prepare(store,
                                    "INSERT INTO witness_event (witness, number, step, input, "
                                    "bits, value) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                                    err);
    struct var_types types = {0};
    bool ok = s && load_types(store, 1, &types, err);
    for (size_t i = 0; ok && i < w->events.len; i++) {
        const struct input_event *e = &w->events.data[i];
        assert(e->input < types.type.len);
        sqlite3_bind_int64(s, 1, id);
        sqlite3_bind_int64(s, 2, (int64_t)i);
        sqlite3_bind_int64(s, 3, e->step == UINT32_MAX ? 0 : (int64_t)e->step + 1);
        sqlite3_bind_int64(s, 4, e->input);
        sqlite3_bind_int64(s, 5, (int64_t)e->bits);
        bind_value(s, 6, types.type.data[e->input], types.bits.data[e->input], e->bits);
        ok = store_run(store, s, "store a witness", err);
    }
    free_types(&types);
    store_release(store, s);
    return ok;
}

static bool put_cells(struct store *store, int64_t id, const struct witness *w, struct err *err) {
    sqlite3_stmt *s = store_prepare(store,
                                    "INSERT OR REPLACE INTO witness_cell (witness, cell, step, "
                                    "bits, value) VALUES (?1, ?2, ?3, ?4, ?5)",
                                    err);
    struct var_types types = {0};
    bool ok = s && load_types(store, 0, &types, err);
    for (size_t i = 0; ok && i < w->cells.len; i++) {
        const struct witness_cell *c = &w->cells.data[i];
        assert(c->cell < types.type.len);
        sqlite3_bind_int64(s, 1, id);
        sqlite3_bind_int64(s, 2, c->cell);
        sqlite3_bind_int64(s, 3, c->step == UINT32_MAX ? 0 : (int64_t)c->step + 1);
        sqlite3_bind_int64(s, 4, (int64_t)c->bits);
        bind_value(s, 5, types.type.data[c->cell], types.bits.data[c->cell], c->bits);
        ok = store_run(store, s, "store a witness", err);
    }
    free_types(&types);
    store_release(store, s);
    return ok;
}

int64_t store_witness(struct store *store, const struct witness *w, struct err *err) {
    assert(w->engine);
    bool own;
    if (!store_enter(store, &own, err))
        return 0;
    sqlite3_stmt *s =
        store_prepare(store, "INSERT INTO witness (steps, engine) VALUES (?1, ?2)", err);
    if (s) {
        sqlite3_bind_int64(s, 1, w->steps);
        bind_text(s, 2, w->engine);
    }
    bool ok = store_run(store, s, "store a witness", err);
    store_release(store, s);
    int64_t id = sqlite3_last_insert_rowid(store->handle);
    ok = ok && put_events(store, id, w, err) && put_cells(store, id, w, err);
    return store_leave(store, own, ok, err) ? id : 0;
}

static bool put_clauses(struct store *store, int64_t id, const struct proof *p, struct err *err) {
    sqlite3_stmt *s = store_prepare(
        store, "INSERT INTO proof_clause (proof, clause, text) VALUES (?1, ?2, ?3)", err);
    bool ok = s != NULL;
    for (size_t i = 0; ok && i < p->clauses.len; i++) {
        sqlite3_bind_int64(s, 1, id);
        sqlite3_bind_int64(s, 2, (int64_t)i + 1);
        bind_text(s, 3, p->clauses.data[i]);
        ok = store_run(store, s, "store a proof", err);
    }
    store_release(store, s);
    return ok;
}

int64_t store_proof(struct store *store, const struct proof *p, struct err *err) {
    assert(p->engine && p->invariant);
    bool own;
    if (!store_enter(store, &own, err))
        return 0;
    sqlite3_stmt *s =
        store_prepare(store, "INSERT INTO proof (engine, k, invariant) VALUES (?1, ?2, ?3)", err);
    if (s) {
        bind_text(s, 1, p->engine);
        sqlite3_bind_int64(s, 2, p->k);
        bind_text(s, 3, p->invariant);
    }
    bool ok = store_run(store, s, "store a proof", err);
    store_release(store, s);
    int64_t id = sqlite3_last_insert_rowid(store->handle);
    ok = ok && put_clauses(store, id, p, err);
    ok = ok && (!p->certificate || store_put_pieces(store, id, p->certificate, err));
    return store_leave(store, own, ok, err) ? id : 0;
}

/* 0 is initialisation. A number that no step has: the row was changed. */
static bool read_step(sqlite3_stmt *s, int column, uint32_t *step) {
    int64_t stored = sqlite3_column_int64(s, column);
    *step = stored == 0 ? UINT32_MAX : (uint32_t)(stored - 1);
    return stored >= 0 && stored <= UINT32_MAX;
}

static sqlite3_stmt *prepare_for(struct store *store, const char *sql, int64_t id,
                                 struct err *err) {
    sqlite3_stmt *s = store_prepare(store, sql, err);
    if (s)
        sqlite3_bind_int64(s, 1, id);
    return s;
}

/* Rows of: number of the variable, its bits, what is shown. */
static bool values_fit(struct store *store, const char *sql, int is_input, int64_t id,
                       struct err *err) {
    struct var_types types = {0};
    bool fit = load_types(store, is_input, &types, err);
    sqlite3_stmt *s = fit ? prepare_for(store, sql, id, err) : NULL;
    int code = SQLITE_ERROR;
    while (fit && s && (code = sqlite3_step(s)) == SQLITE_ROW) {
        uint64_t number = (uint64_t)sqlite3_column_int64(s, 0);
        fit = number < types.type.len && var_type_known((char)types.type.data[number]) &&
              types.bits.data[number] >= 1 && types.bits.data[number] <= 64 &&
              is_shown(s, 2, types.type.data[number], types.bits.data[number],
                       (uint64_t)sqlite3_column_int64(s, 1));
    }
    store_release(store, s);
    free_types(&types);
    return fit && code == SQLITE_DONE;
}

bool store_witness_shows(struct store *store, int64_t id, struct err *err) {
    return values_fit(store, "SELECT input, bits, value FROM witness_event WHERE witness = ?1", 1,
                      id, err) &&
           values_fit(store, "SELECT cell, bits, value FROM witness_cell WHERE witness = ?1", 0, id,
                      err);
}

static const char *arena_column(struct arena *arena, sqlite3_stmt *s, int column) {
    const char *text = (const char *)sqlite3_column_text(s, column);
    return text ? arena_strdup(arena, text) : NULL;
}

static bool get_events(struct store *store, int64_t id, struct witness *w, struct err *err) {
    sqlite3_stmt *s = prepare_for(
        store, "SELECT step, input, bits FROM witness_event WHERE witness = ?1 ORDER BY number", id,
        err);
    uint32_t step;
    int code = SQLITE_ERROR;
    while (s && (code = sqlite3_step(s)) == SQLITE_ROW && read_step(s, 0, &step))
        vec_push(&w->events, (struct input_event){step, (uint32_t)sqlite3_column_int64(s, 1),
                                                  (uint64_t)sqlite3_column_int64(s, 2)});
    store_release(store, s);
    return code == SQLITE_DONE;
}

static bool get_cells(struct store *store, int64_t id, struct witness *w, struct err *err) {
    sqlite3_stmt *s = prepare_for(
        store, "SELECT step, cell, bits FROM witness_cell WHERE witness = ?1 ORDER BY step, cell",
        id, err);
    uint32_t step;
    int code = SQLITE_ERROR;
    while (s && (code = sqlite3_step(s)) == SQLITE_ROW && read_step(s, 0, &step))
        vec_push(&w->cells, (struct witness_cell){step, (uint32_t)sqlite3_column_int64(s, 1),
                                                  (uint64_t)sqlite3_column_int64(s, 2)});
    store_release(store, s);
    return code == SQLITE_DONE;
}

bool store_get_witness(struct store *store, int64_t id, struct witness *w, struct arena *arena) {
    struct err err = {0};
    sqlite3_stmt *s =
        prepare_for(store, "SELECT steps, engine FROM witness WHERE id = ?1", id, &err);
    bool found = s && sqlite3_step(s) == SQLITE_ROW;
    if (found) {
        w->steps = (uint32_t)sqlite3_column_int64(s, 0);
        w->engine = arena_column(arena, s, 1);
    }
    store_release(store, s);
    found = found && get_events(store, id, w, &err) && get_cells(store, id, w, &err);
    err_clear(&err);
    return found;
}

static bool get_clauses(struct store *store, int64_t id, struct proof *p, struct arena *arena,
                        struct err *err) {
    sqlite3_stmt *s = prepare_for(
        store, "SELECT text FROM proof_clause WHERE proof = ?1 ORDER BY clause", id, err);
    int code = SQLITE_ERROR;
    while (s && (code = sqlite3_step(s)) == SQLITE_ROW)
        vec_push(&p->clauses, arena_column(arena, s, 0));
    store_release(store, s);
    return code == SQLITE_DONE;
}

bool store_get_proof(struct store *store, int64_t id, struct proof *p, struct arena *arena) {
    struct err err = {0};
    sqlite3_stmt *s =
        prepare_for(store, "SELECT engine, k, invariant FROM proof WHERE id = ?1", id, &err);
    bool found = s && sqlite3_step(s) == SQLITE_ROW;
    if (found) {
        p->engine = arena_column(arena, s, 0);
        p->k = (uint32_t)sqlite3_column_int64(s, 1);
        p->invariant = arena_column(arena, s, 2);
    }
    store_release(store, s);
    struct str certificate = {0};
    found = found && get_clauses(store, id, p, arena, &err) &&
            store_certificate(store, id, &certificate, &err);
    if (found && certificate.len > 0)
        p->certificate = arena_strdup(arena, str_text(&certificate));
    str_free(&certificate);
    err_clear(&err);
    return found;
}

void witness_free(struct witness *witness) {
    vec_free(&witness->events);
    vec_free(&witness->cells);
}

void proof_free(struct proof *proof) {
    vec_free(&proof->clauses);
}
