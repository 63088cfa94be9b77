/* Merging: the files. What comes of the verdicts is in merge_join.c. */
#include "db/merge.h"
#include "db/merge_internal.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "base/stop.h"
#include "base/texts.h"
#include "db/rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct merge {
    const char *path;
    struct store hold;          /* no handle, but the lock of `path` */
    struct store *out;          /* the file beside */
    VEC(struct store *) inputs; /* readers */
};

/* ---- what is to be merged ---- */

static bool add_input(struct merge *m, const char *path, struct err *err) {
    struct store *input;
    if (!store_open(&input, path, STORE_READ, err))
        return false;
    vec_push(&m->inputs, input);
    int64_t version = rows_single_int(input, "SELECT user_version FROM pragma_user_version");
    char *woven = store_get_info(input, "woven_sha256");
    bool has_program = woven != NULL;
    mem_free(woven);
    if (version != DB_VERSION) {
        err_set(err, ERR_USAGE, "%s: a database of version %lld", path, (long long)version);
        return err_remedy(err, "goalkeeper run brings it up to date, then it can be merged");
    }
    if (has_program)
        return true;
    err_set(err, ERR_USAGE, "%s: no program in it", path);
    return err_remedy(err, "the run that made it was ended before it had listed the goals");
}

/* The first file that is not the same in both; "". */
static void name_difference(struct store *a, struct store *b, struct arena *arena,
                            struct texts *names) {
    struct err ignored = {0};
    struct rows *r = rows_open(a, "SELECT key, value FROM run_info ORDER BY key", &ignored);
    while (rows_next(r)) {
        char *other = store_get_info(b, rows_text(r, 0));
        bool file = str_starts(rows_text(r, 0), "sha256:"),
             told =
                 file || str_same(rows_text(r, 0), "name") || str_same(rows_text(r, 0), "step") ||
                 str_same(rows_text(r, 0), "target") || str_same(rows_text(r, 0), "tool_version") ||
                 str_same(rows_text(r, 0), "tool_build") || str_same(rows_text(r, 0), "criteria");
        if (told && (!other || !str_same(other, rows_text(r, 1))))
            vec_push(names, arena_strdup(arena, rows_text(r, 0) + (file ? strlen("sha256:") : 0)));
        mem_free(other);
    }
    rows_close(r, &ignored);
    err_clear(&ignored);
}

static bool refuse_other(struct store *a, struct store *b, struct err *err) {
    struct arena arena = {0};
    struct texts names = {0};
    struct str list = {0};
    name_difference(a, b, &arena, &names);
    for (size_t i = 0; i < names.len; i++)
        str_addf(&list, "%s%s", i ? ", " : "", names.data[i]);
    err_set(err, ERR_USAGE, "%s and %s hold different programs: %s %s", store_path(a),
            store_path(b), names.len ? str_text(&list) : "options of the run",
            names.len == 1 ? "differs" : "differ");
    err_remedy(err, "only databases of the same sources, project file and options can be merged");
    str_free(&list);
    vec_free(&names);
    arena_free(&arena);
    return false;
}

static bool same_program(struct merge *m, struct err *err) {
    bool ok = true;
    for (size_t i = 1; ok && i < m->inputs.len; i++) {
        char *first = store_get_info(m->inputs.data[0], "woven_sha256"),
             *this = store_get_info(m->inputs.data[i], "woven_sha256");
        ok = (first && this && str_same(first, this)) ||
             refuse_other(m->inputs.data[0], m->inputs.data[i], err);
        mem_free(first);
        mem_free(this);
    }
    return ok;
}

/* ---- evidence by its content ---- */

static void digest_column(struct sha256 *sha, sqlite3_stmt *s, int column) {
    int type = sqlite3_column_type(s, column);
    const void *data = type == SQLITE_NULL ? "" : sqlite3_column_blob(s, column);
    uint64_t size = type == SQLITE_NULL ? 0 : (uint64_t)sqlite3_column_bytes(s, column);
    sha256_add(sha, &type, sizeof type);
    sha256_add(sha, &size, sizeof size);
    sha256_add(sha, data ? data : "", size);
}

static bool digest_rows(struct store *out, const char *schema, const char *sql, int64_t id,
                        struct sha256 *sha, struct err *err) {
    struct str full = {0};
    str_addf(&full, sql, schema, schema);
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(out->handle, str_text(&full), -1, &s, NULL);
    str_free(&full);
    if (code == SQLITE_OK)
        sqlite3_bind_int64(s, 1, id);
    while (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        for (int c = 0; c < sqlite3_column_count(s); c++)
            digest_column(sha, s, c);
        code = SQLITE_OK;
    }
    sqlite3_finalize(s);
    return code == SQLITE_DONE || store_fail(out, "read evidence", err);
}

static const char *const parts[2][3] = {
    {"SELECT steps, engine FROM %s.witness WHERE id = ?1",
     "SELECT number, step, input, bits FROM %s.witness_event WHERE witness = ?1 ORDER BY number",
     "SELECT step, cell, bits FROM %s.witness_cell WHERE witness = ?1 ORDER BY step, cell"},
    {"SELECT engine, k, invariant, certificate FROM %s.proof WHERE id = ?1",
     "SELECT clause, text FROM %s.proof_clause WHERE proof = ?1 ORDER BY clause",
     "SELECT p.text FROM %s.certificate_piece c JOIN %s.piece p ON p.id = c.piece "
     "WHERE c.proof = ?1 ORDER BY c.number"},
};

static bool digest_of(struct store *out, const char *schema, bool proof, int64_t id,
                      char hex[SHA256_HEX], struct err *err) {
    assert(id > 0); /* NULL is no evidence */
    struct sha256 sha;
    uint8_t digest[SHA256_SIZE];
    bool ok = true;
    sha256_init(&sha);
    for (int i = 0; ok && i < 3; i++)
        ok = digest_rows(out, schema, parts[proof][i], id, &sha, err);
    sha256_end(&sha, digest);
    for (int i = 0; i < SHA256_SIZE; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    return ok;
}

VEC_STRUCT(row_ids, int64_t);

static bool list_ids(struct store *out, const char *sql, struct row_ids *ids, struct err *err) {
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(out->handle, sql, -1, &s, NULL);
    while (code == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
        vec_push(ids, sqlite3_column_int64(s, 0));
    sqlite3_finalize(s);
    return code == SQLITE_OK || store_fail(out, "read evidence", err);
}

static bool put_digest(struct store *out, bool proof, int64_t id, const char *hex,
                       struct err *err) {
    sqlite3_stmt *s = store_prepare(out,
                                    "INSERT INTO temp.evidence VALUES (?1, ?2, (SELECT input FROM "
                                    "temp.this), ?3)",
                                    err);
    if (s) {
        sqlite3_bind_int(s, 1, proof);
        bind_text(s, 2, hex);
        sqlite3_bind_int64(s, 3, id);
    }
    bool ok = store_run(out, s, "note evidence", err);
    store_release(out, s);
    return ok;
}

static bool take_evidence(struct store *out, bool proof, struct err *err) {
    struct row_ids ids = {0};
    char hex[SHA256_HEX];
    bool ok = list_ids(out,
                       proof ? "SELECT proof FROM src.goal WHERE proof NOT NULL UNION "
                               "SELECT proof FROM src.alarm WHERE proof NOT NULL UNION "
                               "SELECT proof FROM src.reason_proof"
                             : "SELECT witness FROM src.goal WHERE witness NOT NULL UNION "
                               "SELECT witness FROM src.alarm WHERE witness NOT NULL",
                       &ids, err);
    for (size_t i = 0; ok && i < ids.len; i++)
        ok = digest_of(out, "src", proof, ids.data[i], hex, err) &&
             put_digest(out, proof, ids.data[i], hex, err);
    vec_free(&ids);
    return ok;
}

/* ---- one input at a time ---- */

static bool attach(struct merge *m, size_t i, struct err *err) {
    assert(i < m->inputs.len && !m->out->in_transaction);
    struct str uri = {0}, sql = {0};
    store_uri(store_path(m->inputs.data[i]), store_is_immutable(m->inputs.data[i]), &uri);
    sqlite3_stmt *s = store_prepare(m->out, "ATTACH ?1 AS src", err);
    if (s)
        bind_text(s, 1, str_text(&uri));
    bool ok = s && (sqlite3_step(s) == SQLITE_DONE || store_fail(m->out, "read an input", err));
    store_release(m->out, s);
    str_addf(&sql, "DELETE FROM temp.this; INSERT INTO temp.this VALUES (%zu);", i);
    ok = ok && store_exec(m->out, str_text(&sql), "read an input", err);
    str_free(&sql);
    str_free(&uri);
    return ok;
}

static bool detach(struct merge *m, bool ok, struct err *err) {
    store_finalize_statements(m->out); /* none may hold the input */
    if (ok)
        return store_exec(m->out, "DETACH src", "leave an input", err);
    sqlite3_exec(m->out->handle, "ROLLBACK; DETACH src", NULL, NULL, NULL);
    return false;
}

static bool same_goals(struct merge *m, size_t i, struct err *err) {
    sqlite3_stmt *s = NULL;
    bool asked = sqlite3_prepare_v2(m->out->handle, merge_other_sql, -1, &s, NULL) == SQLITE_OK &&
                 sqlite3_step(s) == SQLITE_ROW;
    bool same = asked && sqlite3_column_int64(s, 0) == 0;
    if (!asked)
        store_fail(m->out, "compare the goals", err);
    else if (!same)
        err_set(err, ERR_USAGE, "%s and %s list different goals of the same program",
                store_path(m->inputs.data[0]), store_path(m->inputs.data[i]));
    sqlite3_finalize(s);
    return same || err_remedy(err, "they were made by different versions of goalkeeper, or by "
                                   "different criteria: run again with one of them");
}

static bool take_input(struct merge *m, size_t i, struct err *err) {
    bool ok = attach(m, i, err) && store_exec(m->out, "BEGIN", "begin", err) &&
              (i > 0 || store_exec(m->out, merge_program_sql, "take over the program", err)) &&
              same_goals(m, i, err) && take_evidence(m->out, false, err) &&
              take_evidence(m->out, true, err) &&
              store_exec(m->out, merge_take_sql, "take over the verdicts", err) &&
              store_exec(m->out, "COMMIT", "commit", err);
    return detach(m, ok, err);
}

static bool copy_evidence(struct merge *m, size_t i, struct err *err) {
    bool ok = attach(m, i, err) && store_exec(m->out, "BEGIN", "begin", err) &&
              store_exec(m->out, merge_evidence_sql, "take over the evidence", err) &&
              store_exec(m->out, "COMMIT", "commit", err);
    return detach(m, ok, err);
}

/* An input that changed between the two looks at it. */
static bool same_evidence(struct merge *m, struct err *err) {
    sqlite3_stmt *s = NULL;
    char hex[SHA256_HEX];
    bool same = true,
         ok = sqlite3_prepare_v2(m->out->handle, "SELECT proof, id, digest FROM temp.numbered", -1,
                                 &s, NULL) == SQLITE_OK;
    while (ok && same && sqlite3_step(s) == SQLITE_ROW) {
        ok = digest_of(m->out, "main", sqlite3_column_int(s, 0), sqlite3_column_int64(s, 1), hex,
                       err);
        same = ok && str_same(hex, (const char *)sqlite3_column_text(s, 2));
    }
    sqlite3_finalize(s);
    if (ok && same)
        return true;
    err_set(err, ERR_USAGE, "%s: an input has changed while it was read", m->path);
    return err_remedy(err,
                      "wait until the runs that write the inputs have ended, then merge again");
}

/* ---- the result ---- */

static bool tell(struct merge *m, struct merged *out, struct err *err) {
    out->inputs = m->inputs.len;
    out->goals = (size_t)rows_single_int(m->out, "SELECT count(*) FROM goal");
    out->reachable = (size_t)rows_single_int(m->out, "SELECT count(*) FROM goal WHERE status = "
                                                     "'reachable'");
    out->dead = (size_t)rows_single_int(m->out, "SELECT count(*) FROM goal WHERE status = 'dead'");
    out->open = out->goals - out->reachable - out->dead;
    struct rows *r = rows_open(m->out,
                               "SELECT g.id, g.file, g.line, a.text FROM alarm a JOIN goal g "
                               "ON g.id = a.goal ORDER BY a.id",
                               err);
    while (rows_next(r))
        vec_push(&out->alarms,
                 (struct merge_alarm){.goal = rows_int(r, 0),
                                      .file = arena_strdup(&out->arena, rows_text(r, 1)),
                                      .line = rows_int(r, 2),
                                      .text = arena_strdup(&out->arena, rows_text(r, 3))});
    return rows_close(r, err);
}

/* Whoever still reads the old file has its log; the new one must not meet it. */
static bool end_log(struct merge *m, struct err *err) {
    sqlite3 *old = NULL;
    struct str uri = {0};
    store_uri(m->path, false, &uri);
    bool exists = file_exists(m->path);
    bool ok = !exists ||
              (sqlite3_open_v2(str_text(&uri), &old, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI,
                               NULL) == SQLITE_OK &&
               sqlite3_busy_timeout(old, 15000) == SQLITE_OK &&
               sqlite3_exec(old, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(old);
    str_free(&uri);
    if (ok)
        return true;
    err_set(err, ERR_USAGE, "%s: another program reads this database", m->path);
    return err_remedy(err, "end it, then merge again");
}

static bool sync_path(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        close(fd);
    return ok;
}

static bool put_in_place(struct merge *m, const char *beside, struct err *err) {
    struct arena arena = {0};
    assert(!m->out); /* closed: all of it is in the file */
    bool ok = sync_path(beside) && !stop_at(STOP_FILE_RENAME) && rename(beside, m->path) == 0 &&
              sync_path(path_dir(&arena, m->path));
    if (!ok) {
        err_set(err, ERR_USAGE, "%s: cannot be written: %s", m->path, strerror(errno));
        err_remedy(err, "choose a place that can be written, with room for the database");
    }
    arena_free(&arena);
    return ok;
}

static bool make(struct merge *m, struct merged *merged, struct err *err) {
    bool ok = store_exec(m->out, merge_make_sql, "prepare", err);
    for (size_t i = 0; ok && i < m->inputs.len; i++)
        ok = take_input(m, i, err);
    ok = ok && merge_join(m->out, err);
    for (size_t i = 0; ok && i < m->inputs.len; i++)
        ok = copy_evidence(m, i, err);
    return ok && same_evidence(m, err) && tell(m, merged, err);
}

static bool open_inputs(struct merge *m, const char *const *in, size_t n, struct err *err) {
    bool ok = !file_exists(m->path) || add_input(m, m->path, err);
    for (size_t i = 0; ok && i < n; i++)
        ok = add_input(m, in[i], err);
    return ok && same_program(m, err);
}

static void close_inputs(struct merge *m) {
    for (size_t i = 0; i < m->inputs.len; i++)
        store_close(m->inputs.data[i]);
    vec_free(&m->inputs);
}

bool store_merge(const char *out, const char *const *in, size_t n, struct merged *merged,
                 struct err *err) {
    assert(n > 0 && merged->goals == 0 && merged->alarms.len == 0);
    assert(*out);
    struct merge m = {.path = out, .hold = {.lock = -1}};
    struct str beside = {0};
    m.hold.path = mem_strdup(out);
    str_addf(&beside, "%s.merging", out);
    bool held = store_lock(&m.hold, err);
    bool ok = held && open_inputs(&m, in, n, err) &&
              store_open_anew(&m.out, str_text(&beside), err) && make(&m, merged, err);
    close_inputs(&m);
    store_close(m.out);
    m.out = NULL;
    ok = ok && end_log(&m, err) && put_in_place(&m, str_text(&beside), err);
    if (held && !ok)
        unlink(str_text(&beside));
    if (held)
        store_unlock(&m.hold);
    mem_free(m.hold.path);
    str_free(&beside);
    return ok;
}

void merged_free(struct merged *merged) {
    vec_free(&merged->alarms);
    arena_free(&merged->arena);
}
