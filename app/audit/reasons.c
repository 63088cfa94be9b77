/* The program in the certificate of a reason is compared with that of the database letter by
 * letter, but for blanks, `const` (what is freed is not) and the numbers of inputs; its list of
 * claims is compared with the goals that have it; then CBMC is asked. */
#include "app/audit/reasons.h"

#include "base/file.h"
#include "db/rows.h"
#include "instrument/cbmc/obligation.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- is it about this program? ---- */

/* The user's part of a program for CBMC: no prologue, no harness, where promises stand. */
static bool users_part(const char *text, const char **begin, const char **end) {
    *begin = strstr(text, "\n# ");
    *end = *begin ? strstr(*begin, "\n/* harness */\n") : NULL;
    return *end != NULL;
}

static bool is_word(const char *at, const char *begin) {
    return !isalnum((unsigned char)at[5]) && at[5] != '_' &&
           (at == begin || (!isalnum((unsigned char)at[-1]) && at[-1] != '_'));
}

/* What is freed is not const any more, and inputs have other numbers; nothing else may differ. */
static const char *past_blanks(const char *at, const char *begin, const char *end) {
    static const char input[] = "gk_volatile_";
    for (;;) {
        if (at < end && isspace((unsigned char)*at))
            at++;
        else if (at < end && str_starts(at, "const") && is_word(at, begin))
            at += strlen("const");
        else if (at < end && isdigit((unsigned char)*at) && at - begin >= (ptrdiff_t)sizeof input &&
                 str_starts(at - sizeof input + 1, input))
            at += strspn(at, "0123456789");
        else
            return at;
    }
}

static bool same_program(const char *a, const char *b) {
    const char *at, *end, *bt, *bend;
    if (!users_part(a, &at, &end) || !users_part(b, &bt, &bend))
        return false;
    for (const char *abegin = at, *bbegin = bt;; at++, bt++) {
        at = past_blanks(at, abegin, end);
        bt = past_blanks(bt, bbegin, bend);
        if (at == end || bt == bend || *at != *bt)
            return at == end && bt == bend;
    }
}

static bool claims(const char *certificate, int64_t probe) {
    const char *list = strstr(certificate, "gk_listed["), *end = list ? strchr(list, ';') : NULL;
    for (const char *at = list ? strchr(list, '{') : NULL; at && (at = strchr(at, '[')) && at < end;
         at++)
        if (strtoll(at + 1, NULL, 10) == probe)
            return true;
    return false;
}

/* ---- one of them ---- */

struct checker {
    const struct reasons_question *question;
    struct reasons_result *result;
    struct str dir, woven[2]; /* the program for CBMC, as it is and with guards */
};

static void say(struct checker *c, int64_t goal, const char *what, const char *detail) {
    str_addf(&c->result->text, "goal %lld: %s%s%s\n", (long long)goal, what, *detail ? ": " : "",
             detail);
}

static bool ask_cbmc(struct checker *c, int64_t goal, const struct str *text, struct err *err) {
    const struct reasons_question *q = c->question;
    const char *unwind = strstr(str_text(text), "--unwind ");
    struct arena arena = {0};
    struct str detail = {0};
    const char *path = path_join(&arena, str_text(&c->dir), "reason.c");
    struct cbmc_run run = {.cbmc = q->cbmc,
                           .file = path,
                           .ilp32 = q->file->module.ilp32,
                           .char_is_unsigned = !q->file->module.char_is_signed,
                           .unwind = unwind ? (unsigned)strtoul(unwind + 9, NULL, 10) : 0,
                           .seconds = q->seconds,
                           .memory_mb = q->memory_mb};
    bool ok = file_write(path, text->data, text->len, err);
    enum cbmc_answer answer = ok ? cbmc_verify(&run, &detail) : CBMC_NO_ANSWER;
    if (answer == CBMC_SUCCESSFUL)
        c->result->confirmed++;
    else if (answer == CBMC_FAILED)
        say(c, goal, "CBMC refutes the certificate of its reason", str_text(&detail));
    else if (ok)
        say(c, goal, "the certificate of its reason could not be re-checked", str_text(&detail));
    c->result->failed += answer == CBMC_FAILED;
    c->result->undecided += answer == CBMC_NO_ANSWER || answer == CBMC_UNWIND;
    str_free(&detail);
    arena_free(&arena);
    return ok;
}

static bool check_one(struct checker *c, int64_t proof, int64_t goal, struct err *err) {
    struct str text = {0};
    struct rows *r = rows_open(c->question->file->db,
                               "SELECT probe FROM reason_proof r JOIN goal g ON g.id = r.goal "
                               "WHERE r.proof = ?1 AND g.status = 'dead'",
                               err);
    rows_bind_int(r, 1, proof);
    bool ok = r && store_certificate(c->question->file->db, proof, &text, err), fits = true;
    while (ok && rows_next(r))
        fits &= claims(str_text(&text), rows_int(r, 0));
    ok = rows_close(r, err) && ok;
    bool guarded = strstr(str_text(&text), " * Runs end at ") != NULL;
    fits &= same_program(str_text(&text), str_text(&c->woven[guarded]));
    if (ok && !fits) {
        say(c, goal, "the certificate of its reason is not about it and this program", "");
        c->result->failed++;
    } else if (ok && c->question->cbmc)
        ok = ask_cbmc(c, goal, &text, err);
    str_free(&text);
    return ok;
}

bool reasons_check(const struct reasons_question *question, struct reasons_result *result,
                   struct err *err) {
    struct checker c = {.question = question, .result = result};
    assert(result->confirmed + result->failed + result->undecided == 0);
    struct obligation program = {.woven = str_text(&question->file->woven)};
    for (int guarded = 0; guarded < 2; guarded++)
        obligation_woven(&program, guarded, &c.woven[guarded]);
    bool ok = file_temp_dir(&c.dir, err);
    struct rows *r = ok ? rows_open(question->file->db,
                                    "SELECT r.proof, min(g.id) FROM reason_proof r JOIN goal g ON "
                                    "g.id = r.goal AND g.status = 'dead' WHERE ?1 = 0 OR g.id = ?1 "
                                    "GROUP BY r.proof ORDER BY 1",
                                    err)
                        : NULL;
    if (r)
        rows_bind_int(r, 1, question->only);
    while (ok && r && rows_next(r))
        ok = check_one(&c, rows_int(r, 0), rows_int(r, 1), err);
    ok = (!r || rows_close(r, err)) && ok && r;
    file_remove_tree(str_text(&c.dir));
    str_free(&c.dir);
    str_free(&c.woven[0]);
    str_free(&c.woven[1]);
    return ok;
}
