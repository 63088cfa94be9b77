/* The clauses become a target, "one of them does not hold", which they exclude themselves; the rest
 * is engines/invariant/reason.h. */
#include "app/because/keepers.h"

#include "app/because/part.h"

#include <string.h>

enum { KEEPER_TICKS = 4000000, MOST_NAMED = 4 };

static bool open_lines(struct keepers *k) {
    struct err err = {0};
    if (!k->opened && !k->failed)
        k->opened = freed_open(&k->lines, k->session, FREE_LINES, &err);
    k->failed = !k->opened;
    err_clear(&err);
    return k->opened;
}

/* The target that a clause does not hold. */
static uint32_t add_target(struct system *sys, const struct invariant *direct) {
    term_t all = term_bool(sys->terms, true);
    for (size_t i = 0; i < direct->clauses.len; i++)
        all = term_and(sys->terms, all, clause_term(sys, &direct->clauses.data[i]));
    vec_push(&sys->targets, (struct target){.kind = TARGET_GOAL,
                                            .id = NONE,
                                            .name = "a clause does not hold",
                                            .hit = term_not(sys->terms, all)});
    return (uint32_t)sys->targets.len - 1;
}

static bool read_all(struct keepers *k, const char *direct_text, const char *proof_text,
                     struct invariant *direct, struct invariant *proof) {
    struct system *sys = &k->lines.sys;
    struct err err = {0};
    bool ok = invariant_read_for(direct, sys, k->from, direct_text, &err) &&
              invariant_read_for(proof, sys, session_system(k->session), proof_text, &err);
    err_clear(&err);
    for (size_t i = 0; ok && i < direct->clauses.len; i++)
        if (!invariant_has(proof, &direct->clauses.data[i]))
            invariant_add(proof, direct->clauses.data[i].data, direct->clauses.data[i].len);
    return ok;
}

static void name_line(const struct lowered_end *line, struct str *out) {
    const char *file = strrchr(line->file, '/');
    str_addf(out, "%s:%d", file ? file + 1 : line->file, line->line);
}

static void name_lines(const struct keepers *k, const struct part *p, const struct reason *r,
                       struct str *out) {
    VEC(const struct lowered_end *) lines = {0};
    for (size_t i = 0; i < r->promises.len; i++) {
        struct promised what = k->lines.what.data[p->promise_map.data[r->promises.data[i]]];
        if (what.kind == PROMISED_END)
            vec_push(&lines, &k->lines.lowered.ends.data[what.index]);
    }
    size_t shown = lines.len <= MOST_NAMED ? lines.len : MOST_NAMED - 1;
    for (size_t i = 0; i < shown; i++) {
        str_add(out, i == 0 ? "; kept by " : i + 1 == lines.len ? " and " : ", ");
        name_line(lines.data[i], out);
    }
    if (shown < lines.len)
        str_addf(out, " and %zu lines more", lines.len - shown);
    vec_free(&lines);
}

static void find(struct keepers *k, const char *direct_text, const char *proof_text,
                 struct str *out) {
    struct invariant direct, proof;
    invariant_init(&direct);
    invariant_init(&proof);
    if (read_all(k, direct_text, proof_text, &direct, &proof)) {
        struct part p;
        struct reason r;
        proof.k = 1;
        vec_clear(&proof.targets);
        vec_push(&proof.targets, add_target(&k->lines.sys, &direct));
        part_open(&p, &k->lines, &proof);
        if (reason_find(&p.slice.sys, &p.inv, &p.promises, KEEPER_TICKS, &r))
            name_lines(k, &p, &r, out);
        reason_free(&r);
        part_close(&p);
    }
    invariant_free(&direct);
    invariant_free(&proof);
}

void keepers_name(struct keepers *k, const char *direct, const char *proof, struct str *out) {
    uint64_t key = hash_mix(hash_text(direct), hash_text(proof));
    const uint32_t *known = map_get(&k->known, key);
    struct str text = {0};
    if (!open_lines(k))
        return;
    if (!known) {
        find(k, direct, proof, &text);
        vec_push(&k->texts, arena_strdup(&k->arena, str_text(&text)));
        map_put(&k->known, key, (uint32_t)k->texts.len);
    }
    str_add(out, k->texts.data[known ? *known - 1 : k->texts.len - 1]);
    str_free(&text);
}

void keepers_close(struct keepers *k) {
    if (k->opened)
        freed_close(&k->lines);
    map_free(&k->known);
    vec_free(&k->texts);
    arena_free(&k->arena);
}
