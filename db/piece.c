/* Certificates in pieces. Each holds the whole program, so nearly all of a certificate stands in
 * the others, too; a piece is stored once and shared.
 *
 * A piece ends behind a line whose hash ends in zeros: where it ends depends on the text there and
 * on nothing before it, so what two texts have in common falls into the same pieces. */
#include "db/internal.h"

#include "base/map.h"

#include <string.h>

enum { LINES_A_PIECE = 64, MOST_PIECE = 1 << 18 };

/* The length of the first piece of a text. */
static size_t piece_length(const char *text) {
    size_t len = 0;
    while (text[len] && len < MOST_PIECE) {
        const char *end = strchr(text + len, '\n');
        size_t line = end ? (size_t)(end - text) + 1 - len : strlen(text + len);
        uint64_t hash = hash_bytes(text + len, line);
        len += line;
        if ((hash >> 32) % LINES_A_PIECE == 0)
            break;
    }
    assert(len > 0 || !*text);
    return len;
}

static void bind_piece(sqlite3_stmt *s, int64_t hash, const char *text, size_t len) {
    assert(len > 0 && len <= INT32_MAX);
    sqlite3_bind_int64(s, 1, hash);
    sqlite3_bind_text(s, 2, text, (int)len, SQLITE_TRANSIENT);
}

/* Row of the piece that has this text; 0: there is none. */
static bool find_piece(struct store *store, int64_t hash, const char *text, size_t len,
                       int64_t *piece, struct err *err) {
    sqlite3_stmt *s =
        store_prepare(store, "SELECT id FROM piece WHERE hash = ?1 AND text = ?2", err);
    *piece = 0;
    if (!s)
        return false;
    bind_piece(s, hash, text, len);
    int code = sqlite3_step(s);
    if (code == SQLITE_ROW)
        *piece = sqlite3_column_int64(s, 0);
    bool ok = code == SQLITE_ROW || code == SQLITE_DONE || store_fail(store, "read a piece", err);
    store_release(store, s);
    return ok;
}

static bool add_piece(struct store *store, int64_t hash, const char *text, size_t len,
                      int64_t *piece, struct err *err) {
    sqlite3_stmt *s = store_prepare(store, "INSERT INTO piece (hash, text) VALUES (?1, ?2)", err);
    if (s)
        bind_piece(s, hash, text, len);
    bool ok = store_run(store, s, "store a certificate", err);
    store_release(store, s);
    *piece = sqlite3_last_insert_rowid(store->handle);
    return ok;
}

static bool refer(struct store *store, int64_t proof, int64_t number, int64_t piece,
                  struct err *err) {
    sqlite3_stmt *s = store_prepare(
        store, "INSERT INTO certificate_piece (proof, number, piece) VALUES (?1, ?2, ?3)", err);
    if (s) {
        sqlite3_bind_int64(s, 1, proof);
        sqlite3_bind_int64(s, 2, number);
        sqlite3_bind_int64(s, 3, piece);
    }
    bool ok = store_run(store, s, "store a certificate", err);
    store_release(store, s);
    return ok;
}

bool store_put_pieces(struct store *store, int64_t proof, const char *certificate,
                      struct err *err) {
    bool ok = true;
    assert(proof > 0 && store->in_transaction);
    for (int64_t number = 1; ok && *certificate; number++) {
        size_t len = piece_length(certificate);
        int64_t hash = (int64_t)hash_bytes(certificate, len), piece;
        ok = find_piece(store, hash, certificate, len, &piece, err) &&
             (piece > 0 || add_piece(store, hash, certificate, len, &piece, err)) &&
             refer(store, proof, number, piece, err);
        certificate += len;
    }
    return ok;
}

bool store_certificate(struct store *store, int64_t proof, struct str *out, struct err *err) {
    sqlite3_stmt *s =
        store_prepare(store,
                      "SELECT certificate, 0 FROM proof WHERE id = ?1 AND certificate NOT NULL "
                      "UNION ALL SELECT p.text, c.number FROM certificate_piece c JOIN piece p "
                      "ON p.id = c.piece WHERE c.proof = ?1 ORDER BY 2",
                      err);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, proof);
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW)
        str_add(out, (const char *)sqlite3_column_text(s, 0));
    bool ok = code == SQLITE_DONE || store_fail(store, "read a certificate", err);
    store_release(store, s);
    return ok;
}
