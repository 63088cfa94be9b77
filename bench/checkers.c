/* What several checkers say of the same proofs: Z3, Bitwuzla and our own solver of the model, stock
 * CBMC of the certificate, which is C.
 *
 *     bench/checkers [--seconds 60] [--z3 3000000] DB...
 *
 * Where Bitwuzla is found it is a fourth, with a quarter of the time for each of its questions.
 * One line a database: proofs of dead goals, what each checker confirms, leaves undecided, refutes,
 * its CPU seconds, and how many proofs one confirms and another refutes; these are listed, and so
 * is what CBMC or Z3 refutes. `--z3`: effort for each question, in Z3's own count.
 */
#include "app/audit/audit.h"
#include "app/audit/bitwuzla.h"
#include "app/audit/evidence_file.h"
#include "base/log.h"
#include "base/tool.h"
#include "bench/recheck.h"
#include "db/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum checker { Z3, OURS, CBMC, BITWUZLA, CHECKERS };

struct tally {
    unsigned said[3]; /* by enum audit_answer */
    double seconds;
};

struct count {
    unsigned proofs, without, disagree;
    struct tally by[CHECKERS];
};

struct bench {
    struct recheck cbmc;
    struct bitwuzla bitwuzla;
    int checkers; /* without Bitwuzla one less */
    unsigned effort;
    struct evidence_file file;
    struct evidence_model model;
    struct arena arena;
    const char *path;
    struct str notes;
};

static enum audit_answer answer_of(const char *text) {
    return str_same(text, "confirmed") ? AUDIT_CONFIRMED
           : str_same(text, "FAILED")  ? AUDIT_REFUTED
                                       : AUDIT_UNDECIDED;
}

static enum audit_answer ask(struct bench *b, enum checker who, const struct invariant *inv,
                             const char *certificate, double *seconds) {
    bool floats;
    struct str what = {0};
    double before = clock_cpu(RUSAGE_SELF) + clock_cpu(RUSAGE_CHILDREN), unused = 0;
    struct bitwuzla_limits limits = {.cpu_seconds = b->cbmc.seconds / 4};
    enum audit_answer said =
        who == CBMC       ? answer_of(recheck(&b->cbmc, certificate, NULL, &unused))
        : who == Z3       ? audit_by_z3(&b->model.sys, inv, b->effort, &floats, &what)
        : who == BITWUZLA ? audit_by_bitwuzla(&b->bitwuzla, &b->model.sys, inv, &limits, &what)
                          : audit_by_solver(&b->model.sys, inv, 0, &what);
    *seconds += clock_cpu(RUSAGE_SELF) + clock_cpu(RUSAGE_CHILDREN) - before;
    str_free(&what);
    return said;
}

static void note(struct bench *b, int64_t proof, const enum audit_answer *said) {
    static const char *const words[] = {
        [AUDIT_CONFIRMED] = "yes", [AUDIT_REFUTED] = "NO", [AUDIT_UNDECIDED] = "?"};
    str_addf(&b->notes, "  %s: proof %lld: Z3 %s, own solver %s, CBMC %s, Bitwuzla %s\n", b->path,
             (long long)proof, words[said[Z3]], words[said[OURS]], words[said[CBMC]],
             words[said[BITWUZLA]]);
}

static void check(struct bench *b, int64_t id, const struct invariant *inv, const char *certificate,
                  struct count *c) {
    enum audit_answer said[CHECKERS] = {[BITWUZLA] = AUDIT_UNDECIDED};
    bool yes = false, no = false;
    c->proofs++;
    for (int who = 0; who < b->checkers; who++) {
        said[who] = ask(b, who, inv, certificate, &c->by[who].seconds);
        c->by[who].said[said[who]]++;
        yes |= said[who] == AUDIT_CONFIRMED;
        no |= said[who] == AUDIT_REFUTED;
    }
    c->disagree += yes && no;
    if (no)
        note(b, id, said);
}

/* The goals that rest on the proof, and the ends of the model. */
static bool set_targets(struct bench *b, int64_t id, struct invariant *inv, struct err *err) {
    struct rows *r = rows_open(
        b->file.db, "SELECT DISTINCT probe FROM goal WHERE status = 'dead' AND proof = ?1", err);
    rows_bind_int(r, 1, id);
    vec_clear(&inv->targets);
    while (rows_next(r)) {
        uint32_t t = evidence_model_target(&b->model, (uint32_t)rows_int(r, 0));
        if (t != NONE)
            vec_push(&inv->targets, t);
    }
    vec_append(&inv->targets, b->model.sys.overruns.data, b->model.sys.overruns.len);
    return rows_close(r, err);
}

/* A proof without a certificate, or about loops that the model keeps, is counted apart. */
static bool check_proof(struct bench *b, int64_t id, struct count *c, struct err *err) {
    struct invariant inv;
    struct proof proof = {0};
    struct str certificate = {0};
    struct err unread = {0};
    invariant_init(&inv);
    bool ok = store_certificate(b->file.db, id, &certificate, err);
    bool usable = ok && certificate.len > 0 && store_get_proof(b->file.db, id, &proof, &b->arena) &&
                  invariant_read(&inv, &b->model.sys, proof.invariant, &unread);
    c->without += ok && !usable;
    if (usable) {
        ok = set_targets(b, id, &inv, err);
        if (ok)
            check(b, id, &inv, str_text(&certificate), c);
    }
    err_clear(&unread);
    proof_free(&proof);
    str_free(&certificate);
    invariant_free(&inv);
    return ok;
}

static bool check_proofs(struct bench *b, struct count *c, struct err *err) {
    struct rows *r = rows_open(
        b->file.db, "SELECT DISTINCT proof FROM goal WHERE status = 'dead' ORDER BY 1", err);
    bool ok = r != NULL;
    while (ok && rows_next(r))
        ok = check_proof(b, rows_int(r, 0), c, err);
    return rows_close(r, err) && ok;
}

static void print(const char *name, const struct count *c) {
    printf("%-32s %6u %7u", name, c->proofs, c->without);
    for (int who = 0; who < CHECKERS; who++) {
        const struct tally *t = &c->by[who];
        printf(" %6u %3u %3u %8.2f", t->said[AUDIT_CONFIRMED], t->said[AUDIT_UNDECIDED],
               t->said[AUDIT_REFUTED], t->seconds);
    }
    printf(" %8u\n", c->disagree);
    fflush(stdout);
}

static void add(struct count *all, const struct count *c) {
    all->proofs += c->proofs;
    all->without += c->without;
    all->disagree += c->disagree;
    for (int who = 0; who < CHECKERS; who++) {
        for (int said = 0; said < 3; said++)
            all->by[who].said[said] += c->by[who].said[said];
        all->by[who].seconds += c->by[who].seconds;
    }
}

static bool check_database(struct bench *b, const char *path, struct count *all, struct err *err) {
    struct count c = {0};
    b->path = path;
    b->model = (struct evidence_model){0};
    bool ok = evidence_file_open(&b->file, path, STORE_READ, err) &&
              evidence_model_make(&b->model, &b->file, false, err) && check_proofs(b, &c, err);
    evidence_model_free(&b->model);
    evidence_file_close(&b->file);
    print(path, &c);
    add(all, &c);
    return ok;
}

static int take_options(struct bench *b, int argc, char **argv) {
    int i = 1;
    for (; i + 1 < argc && str_starts(argv[i], "--"); i += 2) {
        if (str_same(argv[i], "--seconds"))
            b->cbmc.seconds = strtod(argv[i + 1], NULL);
        else if (str_same(argv[i], "--z3"))
            b->effort = (unsigned)strtoul(argv[i + 1], NULL, 10);
        else
            return argc;
    }
    return i;
}

int main(int argc, char **argv) {
    struct err err = {0};
    struct count all = {0};
    struct bench b = {.effort = 3000000, .cbmc = {.seconds = 60}};
    int first = take_options(&b, argc, argv);
    struct str ignored = {0};
    b.checkers =
        bitwuzla_open(&b.bitwuzla, tool_bitwuzla(&b.arena), &ignored) ? CHECKERS : BITWUZLA;
    str_free(&ignored);
    b.cbmc.cbmc = tool_cbmc(&b.arena);
    if (!b.cbmc.cbmc || first >= argc || b.cbmc.seconds <= 0 || b.effort == 0) {
        fprintf(stderr, "usage: checkers [--seconds N] [--z3 EFFORT] DB...   (CBMC %s)\n",
                b.cbmc.cbmc ? b.cbmc.cbmc : "is not installed");
        return 2;
    }
    printf("%-32s %6s %7s", "database", "proofs", "without");
    static const char *const names[] = {"Z3 yes", "own", "CBMC", "Bitw"};
    for (int who = 0; who < CHECKERS; who++)
        printf(" %6s %3s %3s %8s", names[who], "?", "no", "CPU s");
    printf(" %8s\n", "disagree");
    bool ok = true;
    for (int i = first; ok && i < argc; i++)
        ok = check_database(&b, argv[i], &all, &err);
    print("all", &all);
    printf("%s", str_text(&b.notes));
    if (!ok)
        err_print(&err);
    str_free(&b.notes);
    arena_free(&b.arena);
    return ok && all.disagree == 0 && all.by[CBMC].said[AUDIT_REFUTED] == 0 ? 0 : 1;
}
