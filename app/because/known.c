/* Keys are rows of run_info, "accepted:<hash>". */
#include "app/because/known.h"

#include "app/cli/build_id.h"
#include "app/run/basis.h"
#include "db/rows.h"
#include "engines/invariant/trim.h"

#include <string.h>

static const char prefix[] = "accepted:";

bool known_load(struct known *k, struct store *db, struct err *err) {
    struct rows *r = rows_open(db,
                               "SELECT substr(key, 10) FROM run_info WHERE key GLOB "
                               "'accepted:*'",
                               err);
    assert(strlen(prefix) == 9);
    while (r && rows_next(r))
        known_add(k, rows_text(r, 0));
    return rows_close(r, err);
}

bool known_has(const struct known *k, const char *key) {
    return intern_find(&k->keys, key) != INTERN_NONE;
}

bool known_add(struct known *k, const char *key) {
    size_t before = k->keys.texts.len;
    return intern_id(&k->keys, key) == before;
}

bool known_store(const struct known *k, struct store *db, bool whole, struct err *err) {
    bool own, ok = store_enter(db, &own, err);
    struct str key = {0};
    ok = ok && (!whole || store_forget_info(db, prefix, err));
    for (size_t i = 0; ok && i < k->keys.texts.len; i++) {
        str_clear(&key);
        str_addf(&key, "%s%s", prefix, k->keys.texts.data[i]);
        ok = store_info(db, str_text(&key), "cbmc", err);
    }
    str_free(&key);
    return store_leave(db, own, ok, err) && ok;
}

void known_free(struct known *k) {
    intern_free(&k->keys);
}

/* ---- what an answer depends on ---- */

static void write_part(struct system *sys, const struct invariant *inv, struct str *out) {
    struct slice slice;
    invariant_slice(&slice, sys, inv, false);
    system_forget_numbers(&slice.sys);
    system_write(&slice.sys, out);
    slice_free(&slice);
}

static void write_clauses(const struct invariant *inv, const struct system *sys, struct str *out) {
    struct invariant clauses;
    invariant_init(&clauses);
    invariant_copy(&clauses, inv);
    vec_clear(&clauses.targets); /* they have numbers */
    invariant_write(&clauses, sys, out);
    invariant_free(&clauses);
}

void known_key(struct freed *f, const bool *needed, const struct invariant *inv,
               const struct session *s, char key[SHA256_HEX]) {
    struct system restricted;
    struct str text = {0};
    struct arena arena = {0};
    str_addf(&text, "%s\n%s\n%d %d %u\n", build_id(&arena), s->cbmc.version, f->woven->module.ilp32,
             f->woven->module.char_is_signed, (unsigned)f->lowered.iterations);
    promises_restrict(&restricted, &f->sys, &f->promises, needed);
    write_part(&restricted, inv, &text);
    write_clauses(inv, &f->sys, &text);
    sha256_hex(str_text(&text), text.len, key);
    vec_free(&restricted.targets);
    arena_free(&arena);
    str_free(&text);
}
