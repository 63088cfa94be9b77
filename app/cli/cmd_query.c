/* query: goals with verdict and evidence, by filters or by SQL on the public views. */
#include "app/cli/one.h"
#include "app/fleet/databases.h"
#include "app/fleet/several.h"
#include "app/cli/print_rows.h"
#include "base/nearest.h"

/* Adds "AND column IN (?, ?, …)"; the texts are bound later in the same order. */
static void add_filter(struct str *sql, const char *column, const struct texts *values,
                       struct texts *bound) {
    for (size_t i = 0; i < values->len; i++) {
        if (i == 0)
            str_addf(sql, " AND %s IN (", column);
        str_addf(sql, "%s?%zu", i ? ", " : "", bound->len + 1);
        vec_push(bound, values->data[i]);
    }
    if (values->len > 0)
        str_addc(sql, ')');
}

bool query_check(const struct options *o, struct err *err) {
    for (size_t i = 0; i < o->kind.len; i++)
        if (criterion_find(o->kind.data[i]) < 0) {
            err_set(err, ERR_USAGE, "unknown kind of goal '%s'", o->kind.data[i]);
            return err_remedy(err, "kinds are function, call, statement, branch, case, condition, "
                                   "mcdc, vector and the robustness kinds");
        }
    return true;
}

static bool list_functions(struct store *db, struct arena *arena, struct texts *names,
                           struct err *err) {
    struct rows *rows = rows_open(db, "SELECT DISTINCT function FROM goal_status", err);
    while (rows_next(rows))
        vec_push(names, arena_strdup(arena, rows_text(rows, 0)));
    return rows_close(rows, err);
}

/* A function that the database does not know is a misspelt one. */
static bool is_function(const char *wanted, const struct texts *names, struct err *err) {
    struct nearest near;
    nearest_init(&near, wanted);
    for (size_t i = 0; i < names->len; i++) {
        if (str_same(names->data[i], wanted))
            return true;
        nearest_offer(&near, names->data[i]);
    }
    err_set(err, ERR_USAGE, "no goal is in a function '%s'", wanted);
    if (nearest_best(&near))
        return err_remedy(err, "did you mean '%s'?", nearest_best(&near));
    return err_remedy(err, "'goalkeeper status' lists the functions");
}

static bool check_functions(struct store *db, const struct options *o, struct err *err) {
    struct arena arena = {0};
    struct texts names = {0};
    bool good = o->function.len == 0 || list_functions(db, &arena, &names, err);
    for (size_t i = 0; good && i < o->function.len; i++)
        good = is_function(o->function.data[i], &names, err);
    vec_free(&names);
    arena_free(&arena);
    return good;
}

static struct rows *filtered(struct store *db, const struct options *o, const char *first,
                             struct err *err) {
    struct str sql = {0};
    struct texts bound = {0};
    str_addf(&sql,
             "SELECT %sgoal_id AS goal, file, line, function, kind, text, value, status, bound, "
             "engine, depth, evidence, checked_by, assumes, justified, reason, class, "
             "because, cause, block, key "
             "FROM goal_status "
             "WHERE 1",
             first);
    add_filter(&sql, "status", &o->status, &bound);
    add_filter(&sql, "kind", &o->kind, &bound);
    add_filter(&sql, "function", &o->function, &bound);
    add_filter(&sql, "file", &o->file, &bound);
    if (o->block) {
        str_addf(&sql, " AND (block = ?%zu OR substr(block, 1, length(?%zu) + 1) = ?%zu || '/')",
                 bound.len + 1, bound.len + 1, bound.len + 1);
        vec_push(&bound, o->block);
    }
    if (option_given(o, OPT_line))
        str_addf(&sql, " AND line = %llu", (unsigned long long)o->line);
    str_addf(&sql, " ORDER BY %sgoal_id", first);
    struct rows *rows = rows_open(db, str_text(&sql), err);
    for (size_t i = 0; i < bound.len; i++)
        rows_bind_text(rows, (int)i + 1, bound.data[i]);
    str_free(&sql);
    vec_free(&bound);
    return rows;
}

struct rows *query_rows(struct store *db, const struct options *o, const char *first,
                        struct err *err) {
    if (o->sql)
        return rows_open(db, o->sql, err);
    return check_functions(db, o, err) ? filtered(db, o, first, err) : NULL;
}

int cmd_query(const struct options *o) {
    if (databases_several(o))
        return several_query(o);
    struct err err = {0};
    struct store *db = NULL;
    bool ok = query_check(o, &err) && store_open(&db, options_database(o), STORE_READ, &err);
    if (ok) {
        struct rows *rows = query_rows(db, o, "", &err);
        ok = print_rows(rows, o->format, &err);
    }
    store_close(db);
    return ok ? 0 : command_fail(&err);
}
