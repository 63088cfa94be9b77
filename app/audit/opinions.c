/* Each is asked in a process of its own, with limits, so that none can end the audit. */
#include "app/audit/opinions.h"

#include "app/audit/audit.h"
#include "base/child.h"
#include "base/tool.h"
#include "db/checkers.h"

#include <stdio.h>

enum {
    BITWUZLA_SECONDS = 120,
    BITWUZLA_CPU_SECONDS = 30,
    Z3_CPU_SECONDS = 60,
};

void opinions_open(struct opinions *o, struct arena *arena) {
    struct str why = {0};
    const char *program = tool_bitwuzla(arena);
    o->has_bitwuzla = bitwuzla_open(&o->bitwuzla, program, &why);
    if (!o->has_bitwuzla && program)
        printf("without Bitwuzla: %s\n", str_text(&why));
    str_free(&why);
}

static enum audit_answer ask_bitwuzla(struct opinions *o, const struct system *sys,
                                      const struct invariant *inv, struct str *what) {
    struct bitwuzla_limits limits = {.seconds = BITWUZLA_SECONDS,
                                     .cpu_seconds = BITWUZLA_CPU_SECONDS,
                                     .memory_mb = o->memory_mb};
    return audit_by_bitwuzla(&o->bitwuzla, sys, inv, &limits, what);
}

/* ---- Z3: it may crash, or use much memory, so it is asked in a fork ---- */

struct z3_question {
    const struct system *sys;
    const struct invariant *inv;
};

enum { Z3_YES = 10, Z3_NO }; /* exit codes of the fork */

static int answer_by_z3(void *context) {
    const struct z3_question *q = context;
    struct str what = {0};
    bool floats;
    enum audit_answer said = audit_by_z3(q->sys, q->inv, AUDIT_Z3_ALONE, &floats, &what);
    if (said == AUDIT_REFUTED)
        fputs(str_text(&what), stdout);
    fflush(stdout);
    str_free(&what);
    return said == AUDIT_CONFIRMED ? Z3_YES : said == AUDIT_REFUTED ? Z3_NO : 0;
}

static enum audit_answer ask_z3(const struct opinions *o, const struct system *sys,
                                const struct invariant *inv, struct str *what) {
    struct z3_question question = {sys, inv};
    struct child_spec spec = {.body = answer_by_z3,
                              .context = &question,
                              .cpu_seconds = Z3_CPU_SECONDS,
                              .memory_mb = o->memory_mb};
    struct child_result r = {0};
    struct err err = {0};
    fflush(stdout); /* what waits there would be written twice */
    bool answered = child_run(&spec, &r, &err) && r.end == CHILD_EXITED;
    enum audit_answer said = !answered          ? AUDIT_UNDECIDED
                             : r.code == Z3_YES ? AUDIT_CONFIRMED
                             : r.code == Z3_NO  ? AUDIT_REFUTED
                                                : AUDIT_UNDECIDED;
    if (said == AUDIT_REFUTED)
        str_addn(what, str_text(&r.out), r.out.len);
    child_result_free(&r);
    err_clear(&err);
    return said;
}

/* ---- all of them ---- */

static bool refutes(const char *who, enum audit_answer said, const struct str *what,
                    struct str *against) {
    if (said == AUDIT_REFUTED)
        str_addf(against, "%s%s refutes the %s", against->len ? ", " : "", who, str_text(what));
    return said == AUDIT_REFUTED;
}

bool opinions_ask(struct opinions *o, const struct system *sys, const struct invariant *inv,
                  const char *checked_by, struct str *against) {
    struct str what = {0};
    enum audit_answer z3 = ask_z3(o, sys, inv, &what);
    bool refuted = refutes("Z3", z3, &what, against);
    o->proofs++;
    o->by_z3 += z3 == AUDIT_CONFIRMED;
    o->not_by_z3 += z3 == AUDIT_UNDECIDED;
    o->z3_named += z3 == AUDIT_UNDECIDED && checkers_have(checked_by, "z3");
    if (o->has_bitwuzla) {
        str_clear(&what);
        enum audit_answer bitwuzla = ask_bitwuzla(o, sys, inv, &what);
        refuted |= refutes("Bitwuzla", bitwuzla, &what, against);
        o->by_bitwuzla += bitwuzla == AUDIT_CONFIRMED;
        o->not_by_bitwuzla += bitwuzla == AUDIT_UNDECIDED;
    }
    str_free(&what);
    return refuted;
}

void opinions_print(const struct opinions *o) {
    if (o->proofs == 0)
        return;
    printf("Z3 confirms %u of %u proofs, %u it leaves open", o->by_z3, o->proofs, o->not_by_z3);
    if (o->z3_named)
        printf("; it is named as a checker of %u of these", o->z3_named);
    putchar('\n');
    if (o->has_bitwuzla)
        printf("Bitwuzla confirms %u of %u proofs, %u it leaves open\n", o->by_bitwuzla, o->proofs,
               o->not_by_bitwuzla);
}
