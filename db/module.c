/* What is under analysis: goals, decisions, variables, sources. */
#include "db/internal.h"

#include "base/mem.h"
#include "coverage/unique_cause.h"

#include <stdio.h>

static void key_text(uint64_t key, char out[17]) {
    snprintf(out, 17, "%016llx", (unsigned long long)key);
}

static bool put_goal(struct store *store, sqlite3_stmt *s, const struct goal *g, size_t index,
                     struct err *err) {
    char key[17];
    assert(g->kind < GOAL_KINDS && criteria[g->kind].has_value == (g->value >= 0));
    assert(g->file && g->function && g->text);
    assert((g->decision < 0) == (g->condition < 0) || g->kind == GOAL_vector ||
           g->kind == GOAL_branch);
    key_text(g->key, key);
    sqlite3_bind_int64(s, 1, (int64_t)index + 1);
    bind_text(s, 2, key);
    sqlite3_bind_int64(s, 3, g->probe);
    bind_text(s, 4, criteria[g->kind].name);
    if (g->value < 0)
        sqlite3_bind_null(s, 5);
    else
        sqlite3_bind_int(s, 5, g->value);
    bind_text(s, 6, g->file);
    sqlite3_bind_int(s, 7, g->line);
    sqlite3_bind_int(s, 8, g->col);
    sqlite3_bind_int(s, 9, g->end_line);
    sqlite3_bind_int(s, 10, g->end_col);
    bind_text(s, 11, g->function);
    bind_text(s, 12, g->text);
    if (g->decision < 0) {
        sqlite3_bind_null(s, 13);
        sqlite3_bind_null(s, 14);
    } else {
        sqlite3_bind_int(s, 13, g->decision + 1);
        sqlite3_bind_int(s, 14, g->condition);
    }
    bind_text(s, 15, g->reason);
    return store_run(store, s, "store a goal", err);
}

static bool put_goals(struct store *store, const struct goals *goals, struct err *err) {
    sqlite3_stmt *s =
        store_prepare(store,
                      "INSERT INTO goal (id, key, probe, kind, value, file, line, col, end_line, "
                      "end_col, function, text, decision, condition, cannot) VALUES "
                      "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
                      err);
    bool ok = s != NULL;
    for (size_t i = 0; ok && i < goals->list.len; i++)
        ok = put_goal(store, s, &goals->list.data[i], i, err);
    store_release(store, s);
    return ok;
}

static bool put_blocks(struct store *store, const struct goals *goals, struct err *err) {
    sqlite3_stmt *s =
        store_prepare(store, "INSERT INTO goal_block (goal, block) VALUES (?1, ?2)", err);
    bool ok = s != NULL;
    for (size_t i = 0; ok && i < goals->list.len; i++) {
        if (!goals->list.data[i].block)
            continue;
        sqlite3_bind_int64(s, 1, (int64_t)i + 1);
        bind_text(s, 2, goals->list.data[i].block);
        ok = store_run(store, s, "store a block", err);
    }
    store_release(store, s);
    return ok;
}

static bool put_expansions(struct store *store, const struct goals *goals, struct err *err) {
    sqlite3_stmt *s =
        store_prepare(store, "INSERT INTO goal_expansion (goal, text) VALUES (?1, ?2)", err);
    bool ok = s != NULL;
    for (size_t i = 0; ok && i < goals->list.len; i++) {
        if (!goals->list.data[i].expansion)
            continue;
        sqlite3_bind_int64(s, 1, (int64_t)i + 1);
        bind_text(s, 2, goals->list.data[i].expansion);
        ok = store_run(store, s, "store an expansion", err);
    }
    store_release(store, s);
    return ok;
}

static bool put_conditions(struct store *store, const struct decision *d, size_t index,
                           sqlite3_stmt *s, struct err *err) {
    bool ok = true;
    assert(d->n_conditions > 0 && d->structure);
    for (int c = 0; ok && c < d->n_conditions; c++) {
        sqlite3_bind_int64(s, 1, (int64_t)index + 1);
        sqlite3_bind_int(s, 2, c);
        bind_text(s, 3, d->condition_text[c]);
        ok = store_run(store, s, "store a condition", err);
    }
    return ok;
}

static bool put_decisions(struct store *store, const struct goals *goals, struct err *err) {
    sqlite3_stmt *s = store_prepare(store,
                                    "INSERT INTO decision (id, file, function, line, col, text, "
                                    "structure) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                                    err);
    sqlite3_stmt *c = store_prepare(
        store, "INSERT INTO decision_condition (decision, position, text) VALUES (?1, ?2, ?3)",
        err);
    bool ok = s && c;
    for (size_t i = 0; ok && i < goals->decisions.len; i++) {
        const struct decision *d = &goals->decisions.data[i];
        sqlite3_bind_int64(s, 1, (int64_t)i + 1);
        bind_text(s, 2, d->file);
        bind_text(s, 3, d->function);
        sqlite3_bind_int(s, 4, d->line);
        sqlite3_bind_int(s, 5, d->col);
        bind_text(s, 6, d->text);
        bind_text(s, 7, d->structure);
        ok = store_run(store, s, "store a decision", err) && put_conditions(store, d, i, c, err);
    }
    store_release(store, s);
    store_release(store, c);
    return ok;
}

static bool put_pairs_of(struct store *store, const struct goals *goals, int32_t decision,
                         sqlite3_stmt *s, struct err *err) {
    bool ok = true;
    assert(decision >= 0 && (size_t)decision < goals->decisions.len);
    for (int32_t c = 0; ok && c < goals->decisions.data[decision].n_conditions; c++) {
        struct row_pairs pairs = {0};
        unique_cause_pairs(goals, decision, c, &pairs);
        for (size_t i = 0; ok && i < pairs.len; i++) {
            sqlite3_bind_int64(s, 1, (int64_t)decision + 1);
            sqlite3_bind_int(s, 2, c);
            sqlite3_bind_int64(s, 3, (int64_t)pairs.data[i].t + 1);
            sqlite3_bind_int64(s, 4, (int64_t)pairs.data[i].f + 1);
            ok = store_run(store, s, "store rows of a decision", err);
        }
        vec_free(&pairs);
    }
    return ok;
}

/* For decisions whose rows are goals. */
static bool put_pairs(struct store *store, const struct goals *goals, struct err *err) {
    sqlite3_stmt *s = store_prepare(
        store, "INSERT INTO unique_cause_pair (decision, condition, t, f) VALUES (?1, ?2, ?3, ?4)",
        err);
    bool *done = mem_zalloc(goals->decisions.len + 1, sizeof *done);
    bool ok = s != NULL;
    for (size_t i = 0; ok && i < goals->list.len; i++) {
        const struct goal *g = &goals->list.data[i];
        if (g->kind != GOAL_vector || g->decision < 0 || done[g->decision])
            continue;
        done[g->decision] = true;
        ok = put_pairs_of(store, goals, g->decision, s, err);
    }
    mem_free(done);
    store_release(store, s);
    return ok;
}

static bool put_implications(struct store *store, const struct goals *goals, struct err *err) {
    sqlite3_stmt *s =
        store_prepare(store, "INSERT OR IGNORE INTO implication (a, b) VALUES (?1, ?2)", err);
    bool ok = s != NULL;
    for (size_t i = 0; ok && i < goals->implications.len; i++) {
        assert(goals->implications.data[i].a < goals->list.len);
        assert(goals->implications.data[i].b < goals->list.len);
        sqlite3_bind_int64(s, 1, (int64_t)goals->implications.data[i].a + 1);
        sqlite3_bind_int64(s, 2, (int64_t)goals->implications.data[i].b + 1);
        ok = store_run(store, s, "store an implication", err);
    }
    store_release(store, s);
    return ok;
}

static bool run_limitation(struct store *store, const char *sql, const struct limitation *l,
                           const char *doing, struct err *err) {
    assert(l->text && *l->text); /* a limitation without a reason helps nobody */
    sqlite3_stmt *s = store_prepare(store, sql, err);
    if (!s)
        return false;
    bind_text(s, 1, l->file ? l->file : "");
    sqlite3_bind_int(s, 2, l->line);
    sqlite3_bind_int(s, 3, l->col);
    bind_text(s, 4, l->function ? l->function : "");
    bind_text(s, 5, l->text);
    bool ok = store_run(store, s, doing, err);
    store_release(store, s);
    return ok;
}

bool store_limitation(struct store *store, const struct limitation *l, struct err *err) {
    return run_limitation(store,
                          "INSERT INTO limitation SELECT ?1, ?2, ?3, ?4, ?5 "
                          "EXCEPT SELECT file, line, col, function, text FROM limitation",
                          l, "store a limitation", err);
}

bool store_lift_limitation(struct store *store, const struct limitation *l, struct err *err) {
    return run_limitation(store,
                          "DELETE FROM limitation WHERE file = ?1 AND line = ?2 AND col = ?3 "
                          "AND function = ?4 AND text = ?5",
                          l, "lift a limitation", err);
}

static bool put_limitations(struct store *store, const struct goals *goals, struct err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < goals->limitations.len; i++)
        ok = store_limitation(store, &goals->limitations.data[i], err);
    return ok;
}

static const char *role_name(enum var_role role) {
    static const char *const names[] = {"input", "parameter", "volatile",
                                        "stub",  "state",     "output"};
    assert(role < sizeof names / sizeof *names);
    return names[role];
}

static bool put_variable(struct store *store, sqlite3_stmt *s, const struct module_var *v,
                         bool is_input, size_t number, struct err *err) {
    char type[2] = {(char)v->type, 0};
    assert(v->path && var_type_known((char)v->type) && v->bits >= 1 && v->bits <= 64);
    assert(is_input == (v->role != VAR_STATE && v->role != VAR_OUTPUT));
    bind_text(s, 1, role_name(v->role));
    sqlite3_bind_int64(s, 2, (int64_t)number);
    sqlite3_bind_int(s, 3, is_input);
    bind_text(s, 4, v->path);
    bind_text(s, 5, v->c_expr ? v->c_expr : "");
    bind_text(s, 6, type);
    sqlite3_bind_int(s, 7, v->bits);
    sqlite3_bind_int(s, 8, v->has_range);
    sqlite3_bind_int64(s, 9, (int64_t)v->min);
    sqlite3_bind_int64(s, 10, (int64_t)v->max);
    sqlite3_bind_double(s, 11, v->lsb);
    sqlite3_bind_double(s, 12, v->offset);
    bind_text(s, 13, v->range_from);
    bind_text(s, 14, v->file);
    sqlite3_bind_int(s, 15, v->line);
    return store_run(store, s, "store a variable", err);
}

static bool put_variables(struct store *store, const struct module *module, struct err *err) {
    sqlite3_stmt *s = store_prepare(
        store,
        "INSERT INTO variable (role, number, is_input, path, c_expr, type, bits, has_range, min, "
        "max, lsb, offset, range_from, file, line) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, "
        "?9, ?10, ?11, ?12, ?13, ?14, ?15)",
        err);
    bool ok = s != NULL;
    for (size_t i = 0; ok && i < module->inputs.len; i++)
        ok = put_variable(store, s, &module->inputs.data[i], true, i, err);
    for (size_t i = 0; ok && i < module->state.len; i++)
        ok = put_variable(store, s, &module->state.data[i], false, i, err);
    store_release(store, s);
    return ok;
}

bool store_module(struct store *store, const struct goals *goals, const struct module *module,
                  struct err *err) {
    bool own;
    bool ok = store_enter(store, &own, err) && store_keep_earlier(store, err) &&
              store_exec(store,
                         "DELETE FROM implication; DELETE FROM unique_cause_pair; "
                         "DELETE FROM alarm; DELETE FROM goal_block; DELETE FROM goal_expansion; "
                         "DELETE FROM measured; DELETE FROM reason_proof; DELETE FROM because; "
                         "DELETE FROM dead_cause; DELETE FROM goal; "
                         "DELETE FROM decision_condition; DELETE FROM decision; "
                         "DELETE FROM limitation; DELETE FROM variable; DELETE FROM attempt_log; "
                         "DELETE FROM effort; "
                         "DELETE FROM run_info WHERE key = 'migrated_from';",
                         "replace the goals", err) &&
              put_decisions(store, goals, err) && put_goals(store, goals, err) &&
              put_blocks(store, goals, err) && put_expansions(store, goals, err) &&
              put_pairs(store, goals, err) && put_implications(store, goals, err) &&
              put_limitations(store, goals, err) && put_variables(store, module, err) &&
              store_name_earlier(store, err);
    return store_leave(store, own, ok, err);
}

bool store_warnings(struct store *store, const struct module *module, struct err *err) {
    bool ok = store_exec(store, "DELETE FROM module_warning", "replace the warnings", err);
    sqlite3_stmt *s =
        ok ? store_prepare(store, "INSERT INTO module_warning (text) VALUES (?1)", err) : NULL;
    ok = s != NULL;
    for (size_t i = 0; ok && i < module->warnings.len; i++) {
        bind_text(s, 1, module->warnings.data[i]);
        ok = store_run(store, s, "store a warning", err);
    }
    store_release(store, s);
    return ok;
}

bool store_info(struct store *store, const char *key, const char *value, struct err *err) {
    assert(key && *key && value);
    sqlite3_stmt *s =
        store_prepare(store, "INSERT OR REPLACE INTO run_info (key, value) VALUES (?1, ?2)", err);
    if (!s)
        return false;
    bind_text(s, 1, key);
    bind_text(s, 2, value);
    bool ok = store_run(store, s, "store run information", err);
    store_release(store, s);
    return ok;
}

/* Rows whose names begin so. */
static bool forget(struct store *store, const char *sql, const char *start, struct err *err) {
    sqlite3_stmt *s = store_prepare(store, sql, err);
    if (!s)
        return false;
    bind_text(s, 1, start);
    bool ok = store_run(store, s, "replace what an earlier run has stored", err);
    store_release(store, s);
    return ok;
}

bool store_forget_info(struct store *store, const char *start, struct err *err) {
    return forget(store, "DELETE FROM run_info WHERE substr(key, 1, length(?1)) = ?1", start, err);
}

bool store_forget_artifacts(struct store *store, const char *start, struct err *err) {
    return forget(store, "DELETE FROM artifact WHERE substr(name, 1, length(?1)) = ?1", start, err);
}

char *store_get_info(struct store *store, const char *key) {
    struct err err = {0};
    char *value = NULL;
    sqlite3_stmt *s = store_prepare(store, "SELECT value FROM run_info WHERE key = ?1", &err);
    if (s) {
        bind_text(s, 1, key);
        if (sqlite3_step(s) == SQLITE_ROW)
            value = mem_strdup((const char *)sqlite3_column_text(s, 0));
    }
    store_release(store, s);
    err_clear(&err);
    return value;
}

bool store_artifact(struct store *store, const char *name, const void *data, size_t size,
                    struct err *err) {
    assert(name && *name && (data || size == 0));
    sqlite3_stmt *s = store_prepare(
        store, "INSERT OR REPLACE INTO artifact (name, content) VALUES (?1, ?2)", err);
    if (!s)
        return false;
    bind_text(s, 1, name);
    sqlite3_bind_blob64(s, 2, size ? data : "", size, SQLITE_STATIC);
    bool ok = store_run(store, s, "store a source", err);
    store_release(store, s);
    return ok;
}

bool store_get_artifact(struct store *store, const char *name, struct str *out) {
    struct err err = {0};
    bool found = false;
    sqlite3_stmt *s = store_prepare(store, "SELECT content FROM artifact WHERE name = ?1", &err);
    if (s) {
        bind_text(s, 1, name);
        found = sqlite3_step(s) == SQLITE_ROW;
        if (found && sqlite3_column_bytes(s, 0) > 0)
            str_addn(out, sqlite3_column_blob(s, 0), (size_t)sqlite3_column_bytes(s, 0));
    }
    store_release(store, s);
    err_clear(&err);
    return found;
}

/* ---- reading it back ---- */

static enum var_role role_of(const char *name) {
    for (int r = VAR_INPUT; r <= VAR_OUTPUT; r++)
        if (strcmp(name, role_name((enum var_role)r)) == 0)
            return (enum var_role)r;
    return VAR_STATE;
}

static const char *text_of(sqlite3_stmt *s, int column, struct arena *arena) {
    const char *text = (const char *)sqlite3_column_text(s, column);
    return text ? arena_strdup(arena, text) : NULL;
}

static struct module_var read_variable(sqlite3_stmt *s, struct arena *arena) {
    struct module_var v = {
        .role = role_of((const char *)sqlite3_column_text(s, 0)),
        .path = text_of(s, 1, arena),
        .c_expr = text_of(s, 2, arena),
        .bits = (uint8_t)sqlite3_column_int(s, 4),
        .has_range = sqlite3_column_int(s, 5) != 0,
        .min = (uint64_t)sqlite3_column_int64(s, 6),
        .max = (uint64_t)sqlite3_column_int64(s, 7),
        .lsb = sqlite3_column_double(s, 8),
        .offset = sqlite3_column_double(s, 9),
        .range_from = text_of(s, 10, arena),
        .file = text_of(s, 11, arena),
        .line = sqlite3_column_int(s, 12),
    };
    const char *type = (const char *)sqlite3_column_text(s, 3);
    v.type = type && var_type_known(type[0]) ? (enum var_type)type[0] : TYPE_SIGNED;
    return v;
}

bool store_get_module(struct store *store, struct module *module, struct err *err) {
    sqlite3_stmt *s =
        store_prepare(store,
                      "SELECT role, path, c_expr, type, bits, has_range, min, max, lsb, offset, "
                      "range_from, file, line, is_input FROM variable "
                      "ORDER BY is_input DESC, number",
                      err);
    if (!s)
        return false;
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        struct module_var v = read_variable(s, &module->arena);
        if (sqlite3_column_int(s, 13))
            vec_push(&module->inputs, v);
        else
            vec_push(&module->state, v);
    }
    bool ok = code == SQLITE_DONE || store_fail(store, "read the variables", err);
    store_release(store, s);
    const struct {
        const char *key;
        const char **text;
    } texts[] = {{"name", &module->name}, {"step", &module->step}};
    for (size_t i = 0; i < 2; i++) {
        char *value = store_get_info(store, texts[i].key);
        *texts[i].text = arena_strdup(&module->arena, value ? value : "");
        mem_free(value);
    }
    char *target = store_get_info(store, "target"), *sign = store_get_info(store, "char"),
         *form = store_get_info(store, "form");
    module->ilp32 = !target || strcmp(target, "lp64") != 0;
    module->char_is_signed = !sign || strcmp(sign, "unsigned") != 0;
    module->task = form && strcmp(form, "task") == 0;
    mem_free(target);
    mem_free(sign);
    mem_free(form);
    return ok;
}
