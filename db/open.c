/* Opening: what kind of file is it, is it whole, is it ours, may we write. */
#include "db/internal.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DB_APPLICATION = 0x474f414c, BUSY_MS = 15000, HEADER = 100 };

bool store_fail(struct store *store, const char *doing, struct err *err) {
    int code = sqlite3_errcode(store->handle);
    err_set(err, ERR_USAGE, "%s: cannot %s: %s", store->path, doing, sqlite3_errmsg(store->handle));
    switch (code & 0xff) {
    case SQLITE_FULL:
        return err_remedy(err, "free some disk space and run again: everything committed is kept");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return err_remedy(err, "another program holds the database locked: end it, then run again");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return err_remedy(err, "the file is damaged: delete it and run again, or restore a copy");
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
        return err_remedy(err, "check that the file and its directory can be read and written");
    default:
        return false;
    }
}

bool store_exec(struct store *store, const char *sql, const char *doing, struct err *err) {
    if (sqlite3_exec(store->handle, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    return store_fail(store, doing, err);
}

static int64_t store_pragma(struct store *store, const char *sql) {
    sqlite3_stmt *stmt;
    assert(store->handle);
    int64_t value = -1;
    if (sqlite3_prepare_v2(store->handle, sql, -1, &stmt, NULL) != SQLITE_OK)
        return -1;
    if (sqlite3_step(stmt) == SQLITE_ROW)
        value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return value;
}

static uint32_t be32(const unsigned char *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static size_t read_head(FILE *file, unsigned char head[HEADER]) {
    size_t got = file ? fread(head, 1, HEADER, file) : 0;
    if (file)
        fclose(file);
    return got;
}

/* Whether the header promises more than the file holds. It is looked at after the header: a writer
 * may let the file grow meanwhile. */
static bool is_short(const char *path, const unsigned char head[HEADER], size_t got) {
    struct stat st;
    uint64_t page = (uint64_t)head[16] << 8 | head[17];
    if (page == 1)
        page = 65536;
    return got < HEADER || stat(path, &st) != 0 || (uint64_t)st.st_size < page * be32(head + 28);
}

static bool log_path(const char *path, char log[4096]) {
    int n = snprintf(log, 4096, "%s-wal", path);
    return n > 0 && n < 4096;
}

static bool has_log(const char *path) {
    char log[4096];
    return log_path(path, log) && access(log, F_OK) == 0;
}

/* Who was killed while he copied his log into the file has left both, and SQLite copies again: the
 * last commit in the log makes the file as long as its header says. The format of the log: a head
 * with two numbers that each frame repeats as long as it is of this log; in front of a frame's page
 * its number, and the pages of the file when the frame ends a commit. */
static bool log_completes(const char *path, const unsigned char head[HEADER]) {
    enum { HEAD = 32, FRAME = 24 };
    char log[4096];
    unsigned char first[HEAD], frame[FRAME];
    uint32_t pages = 0;
    FILE *f = log_path(path, log) ? fopen(log, "rb") : NULL;
    if (!f)
        return false;
    bool good = fread(first, HEAD, 1, f) == 1;
    while (good && fread(frame, FRAME, 1, f) == 1 && memcmp(frame + 8, first + 16, 8) == 0) {
        pages = be32(frame + 4) ? be32(frame + 4) : pages;
        good = fseek(f, (long)be32(first + 8), SEEK_CUR) == 0;
    }
    fclose(f);
    return good && pages > 0 && pages == be32(head + 28);
}

/* A writer that copies its log into the file writes the header before the last pages. */
static bool is_truncated(const char *path) {
    enum { TRIES = 100 };
    bool truncated = true, written = true;
    for (int i = 0; i < TRIES && truncated && written; i++) {
        written = has_log(path);
        unsigned char head[HEADER] = {0};
        size_t got = read_head(fopen(path, "rb"), head);
        truncated = is_short(path, head, got) && !(got == HEADER && log_completes(path, head));
        if (truncated && written)
            nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    return truncated;
}

/* SQLite notices a truncated file only when it reads a missing page; we want to know at once. */
static bool store_check_file(const char *path, bool *exists, struct err *err) {
    struct stat st;
    *exists = stat(path, &st) == 0;
    if (*exists && !S_ISREG(st.st_mode)) {
        err_set(err, ERR_USAGE, "%s: not a database but a directory or device", path);
        return err_remedy(err, "name a file that 'goalkeeper run' wrote");
    }
    *exists = *exists && st.st_size > 0;
    if (!*exists)
        return true;
    FILE *file = fopen(path, "rb");
    if (!file) {
        err_set(err, ERR_USAGE, "%s: cannot be opened: %s", path, strerror(errno));
        return err_remedy(err, "check that the file and its directory can be read");
    }
    unsigned char head[HEADER] = {0};
    size_t got = read_head(file, head);
    if (got < 16 || memcmp(head, "SQLite format 3", 16) != 0) {
        err_set(err, ERR_USAGE, "%s: not a Goalkeeper database", path);
        return err_remedy(err, "name a file that 'goalkeeper run' wrote");
    }
    if (is_truncated(path)) {
        err_set(err, ERR_USAGE, "%s: the database is truncated", path);
        return err_remedy(err, "delete it and run again, or restore a copy");
    }
    return true;
}

static void lock_name(const struct store *store, struct str *name) {
    str_addf(name, "%s-lock", store->path);
}

/* A writer that ends takes its lock file away: what was opened before that locks nothing. */
static bool is_current(int lock, const char *name) {
    struct stat held, there;
    return fstat(lock, &held) == 0 && stat(name, &there) == 0 && held.st_ino == there.st_ino &&
           held.st_dev == there.st_dev;
}

/* The lock outlives no process: the kernel drops it, whatever ends the writer. */
bool store_lock(struct store *store, struct err *err) {
    struct str name = {0};
    bool locked = false;
    assert(store->lock < 0);
    lock_name(store, &name);
    do {
        if (store->lock >= 0)
            close(store->lock);
        store->lock = open(str_text(&name), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        locked = store->lock >= 0 && flock(store->lock, LOCK_EX | LOCK_NB) == 0;
    } while (locked && !is_current(store->lock, str_text(&name)));
    str_free(&name);
    if (store->lock < 0) {
        err_set(err, ERR_USAGE, "%s: cannot be written: %s", store->path, strerror(errno));
        return err_remedy(err, "choose a place that can be written with --db FILE");
    }
    if (locked)
        return true;
    close(store->lock);
    store->lock = -1;
    err_set(err, ERR_USAGE, "%s: another goalkeeper is writing this database", store->path);
    return err_remedy(err, "wait for it or use another file with --db FILE; reading is always "
                           "possible (status, query, report)");
}

void store_unlock(struct store *store) {
    struct str name = {0};
    if (store->lock < 0)
        return;
    lock_name(store, &name);
    unlink(str_text(&name)); /* while it is held: nobody else believes to hold it */
    close(store->lock);
    str_free(&name);
}

void store_uri(const char *path, bool immutable, struct str *uri) {
    assert(*path);
    str_add(uri, "file:");
    for (const char *p = path; *p; p++)
        if (strchr("%?#", *p))
            str_addf(uri, "%%%02X", (unsigned char)*p);
        else
            str_addc(uri, *p);
    if (immutable)
        str_add(uri, "?immutable=1");
}

bool store_is_immutable(const struct store *store) {
    return store->immutable;
}

static bool store_handle(struct store *store, int flags, bool immutable, struct err *err) {
    struct str uri = {0};
    store_uri(store->path, immutable, &uri);
    store->immutable = immutable;
    sqlite3_close(store->handle);
    store->handle = NULL;
    int code = sqlite3_open_v2(str_text(&uri), &store->handle, flags | SQLITE_OPEN_URI, NULL);
    str_free(&uri);
    if (code != SQLITE_OK)
        return store_fail(store, "open it", err);
    sqlite3_extended_result_codes(store->handle, 1);
    sqlite3_db_config(store->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL); /* of strangers */
    sqlite3_busy_timeout(store->handle, BUSY_MS);
    return true;
}

static bool store_check_identity(struct store *store, int64_t *version, struct err *err) {
    int64_t schema = store_pragma(store, "PRAGMA schema_version");
    if (schema < 0)
        return store_fail(store, "read it", err);
    if (store_pragma(store, "PRAGMA application_id") != DB_APPLICATION) {
        err_set(err, ERR_USAGE, "%s: a database of another program", store->path);
        return err_remedy(err, "name a file that 'goalkeeper run' wrote");
    }
    *version = store_pragma(store, "PRAGMA user_version");
    if (*version >= 1 && *version <= DB_VERSION)
        return true;
    err_set(err, ERR_USAGE, "%s: database version %lld, this program knows version %d", store->path,
            (long long)*version, DB_VERSION);
    return err_remedy(err, *version > DB_VERSION
                               ? "use the newer goalkeeper that wrote it, or another file with --db"
                               : "delete it and run again");
}

/* Results that are not yet in the file itself: without them it would look older than it is. */
static bool store_log_has_results(const struct store *store) {
    struct str name = {0};
    struct stat st;
    str_addf(&name, "%s-wal", store->path);
    bool has = stat(str_text(&name), &st) == 0 && st.st_size > 0;
    str_free(&name);
    return has;
}

/* A write-ahead log needs a writable directory; without one nobody can be writing. A database that
 * is locked is another matter: it changes while we would read it. */
static bool store_open_immutable(struct store *store, struct err *err) {
    int code = sqlite3_errcode(store->handle) & 0xff;
    if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY)
        return store_fail(store, "read it", err);
    if (!store_log_has_results(store))
        return store_handle(store, SQLITE_OPEN_READONLY, true, err);
    err_set(err, ERR_USAGE,
            "%s: results in its -wal file cannot be read, for the folder cannot be "
            "written",
            store->path);
    return err_remedy(err, "copy the database with its -wal file to a folder that can be written");
}

/* What is left of a creation that was cut short, by a full disk for example: no table yet. */
static bool store_is_blank(struct store *store) {
    return store_pragma(store, "PRAGMA application_id") == 0 &&
           store_pragma(store, "SELECT count(*) FROM sqlite_schema") == 0;
}

/* The last one to leave clears the write-ahead log away, which one that may only read cannot. So a
 * reader is opened for writing where that is possible, and writes nothing. */
static bool store_open_reader(struct store *store, struct err *err) {
    if (!store_handle(store, SQLITE_OPEN_READWRITE, false, err))
        return false;
    if (store_pragma(store, "PRAGMA schema_version") < 0 && !store_open_immutable(store, err))
        return false;
    if (store_is_blank(store)) {
        err_set(err, ERR_USAGE, "%s: a database with nothing in it yet", store->path);
        return err_remedy(err,
                          "a run that fills it has just begun, or was ended at once: run again");
    }
    int64_t version;
    sqlite3_db_config(store->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    return store_check_identity(store, &version, err) &&
           (version == DB_VERSION || store_migrate(store, version, false, err)) &&
           store_exec(store, "PRAGMA query_only = ON", "protect it", err);
}

static bool refuse_damaged(struct store *store, const char *found, struct err *err) {
    const char *end = strchr(found, '\n'); /* a first line names the database, always "main" */
    if (strncmp(found, "***", 3) == 0 && end)
        found = end + 1;
    err_set(err, ERR_USAGE, "%s: the database is damaged: %s", store->path, found);
    return err_remedy(err, "delete it and run again, or restore a copy");
}

bool store_check_whole(struct store *store, struct err *err) {
    sqlite3_stmt *stmt = NULL;
    assert(store->handle);
    /* As a statement: versions of SQLite differ in what pragma_quick_check() takes for a number. */
    int code = sqlite3_prepare_v2(store->handle, "PRAGMA quick_check(1)", -1, &stmt, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    const char *found = code == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0) : NULL;
    bool whole = found && strcmp(found, "ok") == 0;
    if (found && !whole)
        refuse_damaged(store, found, err);
    else if (!found)
        store_fail(store, "check it", err);
    sqlite3_finalize(stmt);
    return whole;
}

static bool make_tables(struct store *store, struct err *err) {
    char version[64];
    snprintf(version, sizeof version, "PRAGMA user_version = %d", DB_VERSION);
    return store_exec(store, db_schema_sql, "create its tables", err) &&
           store_exec(store, version, "create its tables", err);
}

static bool store_open_writer(struct store *store, bool exists, struct err *err) {
    if (!store_lock(store, err) ||
        !store_handle(store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, false, err))
        return false;
    exists = exists && !store_is_blank(store);
    int64_t version = DB_VERSION;
    if (exists && !store_check_identity(store, &version, err))
        return false;
    if (!store_exec(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;", "set it up",
                    err))
        return false;
    if (exists && !store_check_whole(store, err))
        return false;
    if (exists)
        return version == DB_VERSION || store_migrate(store, version, true, err);
    assert(store->lock >= 0); /* only the one writer makes tables */
    bool own, ok = store_enter(store, &own, err) && make_tables(store, err);
    return store_leave(store, own, ok, err);
}

static void remove_files(const char *path) {
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    struct str name = {0};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        str_clear(&name);
        str_addf(&name, "%s%s", path, suffixes[i]);
        unlink(str_text(&name));
    }
    str_free(&name);
}

bool store_open_anew(struct store **out, const char *path, struct err *err) {
    struct store *store = mem_zalloc(1, sizeof *store);
    store->path = mem_strdup(path);
    store->lock = -1;
    bool ok = store_lock(store, err);
    if (ok)
        remove_files(path);
    ok = ok && store_handle(store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, false, err) &&
         store_exec(store, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;", "set it up",
                    err) &&
         make_tables(store, err);
    *out = ok ? store : NULL;
    if (!ok)
        store_close(store);
    return ok;
}

bool store_open(struct store **out, const char *path, enum store_mode mode, struct err *err) {
    *out = NULL;
    bool exists;
    if (!store_check_file(path, &exists, err))
        return false;
    if (!exists && mode != STORE_CREATE) {
        err_set(err, ERR_USAGE, "%s: no such database%s", path,
                access(path, F_OK) == 0 ? " but an empty file" : "");
        return err_remedy(err, "'goalkeeper run' makes one");
    }
    struct store *store = mem_zalloc(1, sizeof *store);
    store->path = mem_strdup(path);
    store->lock = -1;
    bool ok =
        mode == STORE_READ ? store_open_reader(store, err) : store_open_writer(store, exists, err);
    if (ok)
        *out = store;
    else
        store_close(store);
    return ok;
}

void store_close(struct store *store) {
    if (!store)
        return;
    store_finalize_statements(store);
    sqlite3_close_v2(store->handle);
    store_unlock(store);
    mem_free(store->path);
    mem_free(store);
}

const char *store_path(const struct store *store) {
    return store->path;
}

bool store_begin(struct store *store, struct err *err) {
    assert(!store->in_transaction);
    assert(store->lock >= 0); /* readers have nothing to commit */
    store->in_transaction = store_exec(store, "BEGIN IMMEDIATE", "begin a transaction", err);
    return store->in_transaction;
}

bool store_commit(struct store *store, struct err *err) {
    assert(store->in_transaction);
    store->in_transaction = false;
    if (store_exec(store, "COMMIT", "commit", err))
        return true;
    sqlite3_exec(store->handle, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

bool store_enter(struct store *store, bool *own, struct err *err) {
    *own = !store->in_transaction;
    return *own ? store_begin(store, err) : true;
}

bool store_leave(struct store *store, bool own, bool ok, struct err *err) {
    if (!own || !store->in_transaction)
        return ok;
    if (ok)
        return store_commit(store, err);
    store->in_transaction = false;
    sqlite3_exec(store->handle, "ROLLBACK", NULL, NULL, NULL);
    return false;
}
