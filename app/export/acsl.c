/* A certificate (instrument/cbmc/certificate.h) is read line by line: its comment, how probes are
 * listed, the woven program, and the functions that state the obligations. */
#include "app/export/acsl.h"

#include "app/export/acsl_contracts.h"
#include "base/file.h"
#include "db/rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the program calls ---- */

static const char *const inputs[][2] = {
    {"b", "_Bool"},          {"i8", "signed char"},     {"u8", "unsigned char"},
    {"i16", "short"},        {"u16", "unsigned short"}, {"i32", "int"},
    {"u32", "unsigned int"}, {"i64", "long long"},      {"u64", "unsigned long long"},
    {"f32", "float"},        {"f64", "double"},
};

static const char environment[] =
    "/*@ assigns \\nothing; ensures condition != 0; */\nvoid gk_assume(int condition);\n"
    "#define GK_DROP 0\n#define gk_kept(n, ...) (__VA_ARGS__)\n"
    "static int gk_mode; /* a goal that is claimed is hit: 0 nothing, 1 the run is left out, 2 it "
    "must not be */\n"
    "#ifdef GK_CONTRACTS\n/*@ requires never: \\false; assigns \\nothing; */\n#else\n"
    "/*@ requires never: gk_mode != 2; assigns \\nothing; ensures gk_mode != 1; */\n#endif\n"
    "void gk_claimed(void);\n";

static void add_prologue(struct str *out) {
    str_add(out, "#define GK_HOST\n");
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        str_addf(out,
                 "/*@ assigns \\nothing; */\n%s nondet_%s(void);\n#define gk_input_%s(id) "
                 "nondet_%s()\n",
                 inputs[i][1], inputs[i][0], inputs[i][0], inputs[i][0]);
    str_add(out, environment);
}

/* ---- the program ---- */

static bool is_listed(const char *list, unsigned long probe) {
    const char *end = strchr(list, ';');
    for (const char *at = list; (at = strchr(at + 1, '[')) && at < end;)
        if (strtoul(at + 1, NULL, 10) == probe && strstr(at, "] = 1") == strchr(at, ']'))
            return true;
    return false;
}

/* Probes that are not claimed do nothing. */
static void add_program(const char *text, const char *end, const char *list, struct str *out) {
    const size_t name = strlen("gk_hit(");
    assert(text <= end && *list == '{');
    for (const char *next; text < end; text = next) {
        char *after;
        next = strstr(text, "gk_hit(");
        if (!next || next >= end) {
            str_addn(out, text, (size_t)(end - text));
            return;
        }
        str_addn(out, text, (size_t)(next - text));
        unsigned long probe = strtoul(next + name, &after, 10);
        if (after > next + name && *after == ')') {
            str_add(out, is_listed(list, probe) ? "gk_claimed()" : "(void)0");
            next = after + 1;
        } else {
            str_addn(out, next, name);
            next += name;
        }
    }
}

/* ---- the obligations ---- */

/* "    HOW(CONDITION, "NAME");" with or without a name, and CONDITION perhaps in gk_kept(N, ). */
struct stated {
    bool admits, claims;
    bool clause; /* of the invariant */
    const char *begin, *end;
};

static struct stated read_line(const char *line, const char *end) {
    static const char assume[] = "    __CPROVER_assume(", claim[] = "    __CPROVER_assert(";
    struct stated s = {.admits = str_starts(line, assume), .claims = str_starts(line, claim)};
    if (!s.admits && !s.claims)
        return s;
    s.begin = line + sizeof assume - 1;
    s.end = end - strlen(");");
    s.clause = s.admits;
    if (s.claims) {
        while (!str_starts(s.end, ", \""))
            s.end--;
        s.clause = str_starts(s.end, ", \"clause ");
    }
    if (str_starts(s.begin, "gk_kept(")) {
        s.begin = strchr(s.begin, ' ') + 1;
        s.end--;
    }
    assert(s.begin < s.end);
    return s;
}

/* The clauses are those that the step assumes, one a line. */
static void add_predicate(const char *step, struct str *out) {
    unsigned n = 0;
    str_add(out, "/*@ predicate gk_invariant =");
    for (const char *line = step, *end; *line != '}'; line = end + 1) {
        end = strchr(line, '\n');
        struct stated s = read_line(line, end);
        if (s.admits)
            str_addf(out, "%s\n  @   (%.*s)", n++ ? " &&" : "", (int)(s.end - s.begin), s.begin);
    }
    str_addf(out, "%s;\n  @*/\n", n ? "" : " \\true");
}

/* Which objects a pointer may be at. WP has no words for casts of pointers in its memory. */
static void add_claim(const char *claim, size_t len, struct str *out) {
    struct str plain = {0};
    bool has = acsl_without_casts(claim, len, &plain);
    if (has)
        str_addf(out, "#ifdef GK_CONTRACTS\n    /*@ assert %s; */\n#else\n", str_text(&plain));
    str_addf(out, "    /*@ assert %.*s; */\n", (int)len, claim);
    if (has)
        str_add(out, "#endif\n");
    str_free(&plain);
}

/* "    case 0: P = (void *)((char *)&OBJECT + 0); break;" as an assignment without a cast where
 * the types are the same. */
static void add_line(const char *line, size_t len, struct str *out) {
    static const char cast[] = " = (void *)((char *)&", begin[] = " + 0);";
    const char *end = line + len, *at = strstr(line, cast), *close = at ? strstr(at, begin) : NULL;
    if (!close || close >= end) {
        str_addn(out, line, len);
        return;
    }
    const char *cell = line + strspn(line, " ");
    for (const char *label = cell; (label = strstr(label, ": ")) && label < at;)
        cell = label += 2;
    const char *object = at + strlen(cast) - 1;
    str_addf(out, "%.*s = (__typeof__(%.*s))%.*s;", (int)(at - line), line, (int)(at - cell), cell,
             (int)(close - object), object);
    close += strlen(begin);
    str_addn(out, close, (size_t)(end - close));
}

/* Clauses one behind another are the invariant. Only what never changes has to be made by the
 * initialisation before a step: the rest has any value. */
static void add_obligations(const char *text, const char *step, struct str *out) {
    static const char made[] = "    gk_init();\n";
    bool in_clauses = false, keeps = strstr(step, " never changes\"") != NULL;
    for (const char *line = text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        struct stated s = read_line(line, end);
        if (s.clause && !in_clauses)
            str_addf(out, "    /*@ %s gk_invariant; */\n", s.admits ? "admit" : "assert");
        else if (!s.clause && s.claims)
            add_claim(s.begin, (size_t)(s.end - s.begin), out);
        else if (!s.clause && (keeps || line < step || !str_starts(line, made)))
            add_line(line, (size_t)(end - line) + 1, out);
        in_clauses = s.clause;
    }
}

/* Commands are read by the Makefile (write_makefile()). */
static void add_comment(const char *text, const struct acsl_contracts *contracts, struct str *out) {
    const char *check = strstr(text, " * Check: cbmc "), *unwind = strstr(text, "--unwind ");
    bool narrow = strstr(text, "--32") && strstr(text, "--32") < unwind;
    assert(check && unwind);
    unsigned long deep = strtoul(unwind + strlen("--unwind "), NULL, 10);
    str_addn(out, text, (size_t)(check - text));
    str_addf(out,
             " * Check: frama-c -machdep gcc_x86_%d -no-warn-signed-overflow "
             "-no-warn-signed-downcast -inline-calls @all -ulevel %lu -wp -wp-fct main FILE\n"
             " * must prove all goals.\n",
             narrow ? 32 : 64, deep);
    const char *harness = "gk_check_init,gk_check_step,gk_any_state,gk_init,gk_step";
    if (contracts->text.len > 0)
        str_addf(out,
                 " * So must, by a contract for each function, or for those that pass no values:\n"
                 " * By contracts: -cpp-extra-args=-DGK_CONTRACTS -inline-calls %s -ulevel %lu "
                 "-wp -wp-fct main%s%s\n"
                 " * By some: -cpp-extra-args=-DGK_CONTRACTS -cpp-extra-args=-DGK_INLINED "
                 "-inline-calls %s%s -ulevel %lu -wp -wp-fct main%s\n",
                 harness, deep, str_text(&contracts->plain), str_text(&contracts->other), harness,
                 str_text(&contracts->other), deep, str_text(&contracts->plain));
    str_add(out, " */\n");
}

static void write_all(const char *certificate, const char *program, const char *state,
                      const char *step, struct str *out) {
    struct acsl_contracts contracts = {0};
    struct str obligations = {0};
    add_obligations(state, step, &obligations);
    (void)acsl_contracts_make(program, state, str_text(&obligations), &contracts);
    add_comment(certificate, &contracts, out);
    add_prologue(out);
    add_program(program, state, strchr(strstr(certificate, "gk_listed["), '{'), out);
    add_predicate(strchr(step, '\n') + 1, out);
    str_add(out, str_text(&contracts.text));
    str_add(out, str_text(&obligations));
    str_free(&obligations);
    acsl_contracts_free(&contracts);
}

bool acsl_write(const char *certificate, struct str *out, struct err *err) {
    const char *list = strstr(certificate, "gk_listed["),
               *program = strstr(certificate, "#ifndef GK_HOST\n"),
               *state = strstr(certificate, "/* every cell of the state gets any value"),
               *step = strstr(certificate, "void gk_check_step(void) {\n");
    if (!list || !program || !state || !step || state < program || step < state)
        return err_set(err, ERR_EVIDENCE, "it has the form of an earlier version");
    if (strstr(certificate, " * Runs end at "))
        return err_set(err, ERR_EVIDENCE, "its runs end where C gives no meaning to an operation");
    write_all(certificate, program, state, step, out);
    const char *said = strstr(str_text(out), "/*@ predicate gk_invariant");
    if (strstr(said, "__CPROVER") || strstr(said, "__builtin"))
        return err_set(err, ERR_EVIDENCE, "a clause is said with what only compilers know");
    return true;
}

/* ---- files ---- */

static bool write_proof(struct store *db, int64_t proof, const char *folder, struct str *names,
                        struct log *log, struct err *err) {
    struct arena arena = {0};
    struct str certificate = {0}, text = {0};
    struct err why = {0};
    const char *name = arena_printf(&arena, "proof_%lld.c", (long long)proof);
    bool ok = store_certificate(db, proof, &certificate, err);
    if (ok && certificate.len > 0 && !acsl_write(str_text(&certificate), &text, &why))
        log_warning(log, "proof %lld is not in ACSL: %s", (long long)proof, str_text(&why.message));
    else if (ok && text.len > 0) {
        str_addf(names, " %s", name);
        ok = file_write_ours(path_join(&arena, folder, name), str_text(&text), text.len,
                             "oalkeeper", err);
    }
    err_clear(&why);
    str_free(&certificate);
    str_free(&text);
    arena_free(&arena);
    return ok;
}

static bool write_makefile(const char *folder, const char *names, struct err *err) {
    struct arena arena = {0};
    static const char head[] =
        "# Written by Goalkeeper: shows every proof to Frama-C, first to the plug-in Eva, then to "
        "WP\n# what that leaves. The commands for WP stand in each file.\nFRAMA_C = frama-c\n# As "
        "Why3 knows them: why3 config detect\nPROVERS = z3,cvc4\nTIMEOUT = 20\n# seconds of one "
        "of WP's three ways\nLIMIT = 300\n";
    static const char rules[] =
        "KERNEL = $$(sed -n 's/^ \\* Check: frama-c \\(.*\\) -inline-calls .*$$/\\1/p' $<)\n"
        "EVA = $(KERNEL) -eva -eva-verbose 0 -eva-slevel 200\n"
        "CONTRACTS = $$(sed -n 's/^ \\* By contracts: //p' $<)\n"
        "SOME = $$(sed -n 's/^ \\* By some: //p' $<)\n"
        "WHOLE = $$(sed -n 's/^ \\* Check: frama-c .* \\(-inline-calls .*\\) FILE$$/\\1/p' $<)\n"
        "WP = timeout $(LIMIT) $(FRAMA_C) $(KERNEL)\n"
        "HOW = -wp-prover $(PROVERS) -wp-timeout $(TIMEOUT) $<\n"
        "ALL = awk '/Proved goals:/ { all = $$4 == $$6 && $$4 > 0 } END { exit !all }'\n\n"
        "check: $(PROOFS:.c=.checked)\n\n# The same by WP alone.\nwp: $(PROOFS:.c=.by_wp)\n\n"
        "# Eva has proved it when the report knows nothing but what is valid, and what cannot be "
        "reached.\n"
        "%.checked: %.c\n"
        "\t@if $(FRAMA_C) $(EVA) $< -then -report > $*.eva.log && awk '/ Completely validated$$/ "
        "{ all = 1 } /^\\[ *(-|Alarm|Bug|Partial|Unknown|Invalid) *\\]/ { open = 1 } "
        "END { exit !all || open }' $*.eva.log; then echo \"$<: proved by Eva\"; else $(MAKE) -s "
        "$*.by_wp; fi\n\n"
        "%.by_wp: %.c\n"
        "\t@if grep -q '^ \\* By contracts: ' $< && { { $(WP) $(CONTRACTS) $(HOW) > $*.log && "
        "$(ALL) $*.log; } || \\\n"
        "\t\t{ $(WP) $(SOME) $(HOW) > $*.log && $(ALL) $*.log; }; } || \\\n"
        "\t\t{ $(WP) $(WHOLE) $(HOW) > $*.log && $(ALL) $*.log; }; \\\n"
        "\tthen echo \"$<: proved by WP\"; else echo \"$<: not proved\"; exit 1; fi\n\n"
        ".PHONY: check wp\n";
    const char *text = arena_printf(&arena, "%sPROOFS =%s\n%s", head, names, rules);
    bool ok = file_write_ours(path_join(&arena, folder, "Makefile"), text, strlen(text),
                              "oalkeeper", err);
    arena_free(&arena);
    return ok;
}

bool acsl_export(struct store *db, const char *folder, struct log *log, struct err *err) {
    struct str names = {0};
    struct rows *r = rows_open(db,
                               "SELECT DISTINCT coalesce(r.proof, g.proof) FROM goal g LEFT JOIN "
                               "reason_proof r ON r.goal = g.id WHERE g.status = 'dead' ORDER BY 1",
                               err);
    bool ok = r != NULL;
    while (ok && rows_next(r))
        ok = write_proof(db, rows_int(r, 0), folder, &names, log, err);
    ok = rows_close(r, err) && ok && write_makefile(folder, str_text(&names), err);
    str_free(&names);
    return ok;
}
