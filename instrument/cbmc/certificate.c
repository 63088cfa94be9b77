/* The woven text and the hook gk_hit, then one function per obligation; clauses are written by
 * obligation_clause.c, pointers by obligation_state.c. */
#include "instrument/cbmc/certificate.h"

enum { DEFAULT_UNWIND = 64, DEEPEST = 10000 };

/* ---- the parts of the file ---- */

static void add_header(const struct certificate *c, struct str *out) {
    str_add(out,
            "/* Written by Goalkeeper: a proof obligation.\n *\n * Claim: these goals can never "
            "be reached:\n");
    if (c->claims)
        str_add(out, c->claims);
    for (size_t i = 0; !c->claims && i < c->n_probes; i++)
        str_addf(out, " *   probe %u\n", c->probes[i]);
    str_addf(out, " * Assumptions: %s.\n", c->assumes && *c->assumes ? c->assumes : "none");
    str_addf(out, " * Method: %zu clauses that hold initially and are kept by every step",
             c->base.invariant->clauses.len);
    if (c->base.invariant->k > 1)
        str_addf(out, "; relative to them the goals are excluded by %u-induction",
                 c->base.invariant->k);
    str_addf(out, ".\n * Runs %s a division by zero or an access outside its object%s",
             c->guarded ? "end at" : "go on behind",
             c->guarded ? " (gk_g)" : " with any value: more than there are");
    str_addf(out,
             ".\n * Check: cbmc --no-standard-checks %s%s --unwind %u --unwinding-assertions FILE\n"
             " * must answer VERIFICATION SUCCESSFUL.\n",
             c->base.module->ilp32 ? "--32" : "--64",
             c->base.module->char_is_signed ? "" : " --unsigned-char",
             c->unwind ? c->unwind : DEFAULT_UNWIND);
    if (c->base.elements)
        str_addf(out,
                 " * Minimal: with -D GK_DROP=N, N from 1 to %u, one clause or promise is left\n"
                 " * out; VERIFICATION FAILED: it is needed.\n",
                 c->base.elements);
    str_add(out, " */\n");
}

/* An element that is left out says nothing. */
static const char dropping[] = "#ifndef GK_DROP\n#define GK_DROP 0\n#endif\n"
                               "#define gk_kept(n, ...) (GK_DROP == (n) || (__VA_ARGS__))\n";

static const char prologue[] =
    "#define gk_input_b(id) nondet_b()\n"
    "#define gk_input_i8(id) nondet_i8()\n#define gk_input_u8(id) nondet_u8()\n"
    "#define gk_input_i16(id) nondet_i16()\n#define gk_input_u16(id) nondet_u16()\n"
    "#define gk_input_i32(id) nondet_i32()\n#define gk_input_u32(id) nondet_u32()\n"
    "#define gk_input_i64(id) nondet_i64()\n#define gk_input_u64(id) nondet_u64()\n"
    "#define gk_input_f32(id) nondet_f32()\n#define gk_input_f64(id) nondet_f64()\n"
    "static int gk_mode; /* a listed goal is hit: 0 nothing, 1 the run is left out, 2 it fails "
    "*/\n";

static uint32_t last_probe(const struct certificate *c) {
    uint32_t last = 0;
    for (size_t i = 0; i < c->n_probes; i++)
        if (c->probes[i] > last)
            last = c->probes[i];
    return last;
}

/* CBMC goes through each call of gk_hit() with the number it has: looking it up costs the same
 * however many are listed, comparing it with all of them was nearly all of its time. */
static void add_probe_hook(const struct certificate *c, struct str *out) {
    uint32_t size = last_probe(c) + 1;
    str_addf(out, "static const unsigned char gk_listed[%u] = {", size);
    for (size_t i = 0; i < c->n_probes; i++)
        str_addf(out, "%s[%u] = 1", i ? ", " : "", c->probes[i]);
    str_addf(out,
             "%s};\nstatic void gk_hit(unsigned probe) {\n"
             "    if (probe >= %uu || !gk_listed[probe])\n"
             "        return;\n    __CPROVER_assume(gk_mode != 1);\n"
             "    __CPROVER_assert(gk_mode != 2, \"goal not hit\");\n}\n",
             c->n_probes ? "" : "0", size);
}

static bool add_init_check(const struct certificate *c, struct str *out, struct err *err) {
    str_add(out, "void gk_check_init(void) {\n    gk_mode = 2;\n    gk_init();\n");
    if (!obligation_clauses(&c->base, out, "__CPROVER_assert", "holds initially", err))
        return false;
    for (uint32_t j = 1; j < c->base.invariant->k; j++)
        str_add(out, "    gk_step();\n");
    str_add(out, "}\n");
    return true;
}

static bool add_step_check(const struct certificate *c, struct str *out, struct err *err) {
    str_add(out, "void gk_check_step(void) {\n    gk_init();\n");
    obligation_unchanged(&c->base, out, true);
    str_add(out, "    gk_any_state();\n");
    if (!obligation_clauses(&c->base, out, "__CPROVER_assume", NULL, err))
        return false;
    str_addf(out, "    gk_mode = %d;\n    gk_step();\n", c->base.invariant->k == 1 ? 2 : 0);
    if (!obligation_clauses(&c->base, out, "__CPROVER_assert", "is kept by a step", err))
        return false;
    obligation_unchanged(&c->base, out, false);
    if (c->refutable)
        str_add(out, "    __CPROVER_assert(0, \"a step that ends\");\n");
    str_add(out, "}\n");
    return true;
}

static bool add_goals_check(const struct certificate *c, struct str *out, struct err *err) {
    str_add(out, "void gk_check_goals(void) {\n    gk_init();\n    gk_any_state();\n");
    if (!obligation_clauses(&c->base, out, "__CPROVER_assume", NULL, err))
        return false;
    str_add(out, "    gk_mode = 1;\n");
    for (uint32_t j = 1; j < c->base.invariant->k; j++)
        str_add(out, "    gk_step();\n");
    str_add(out, "    gk_mode = 2;\n    gk_step();\n}\n");
    return true;
}

bool certificate_write(const struct certificate *c, struct str *out, struct err *err) {
    if (c->base.invariant->k > DEEPEST)
        return err_set(err, ERR_EVIDENCE, "an induction over %u steps is too deep to be written",
                       c->base.invariant->k);
    add_header(c, out);
    str_add(out, obligation_prologue);
    str_add(out, prologue);
    str_add(out, c->base.elements ? dropping : "");
    add_probe_hook(c, out);
    obligation_woven(&c->base, c->guarded, out);
    str_add(out, "\n\n");
    if (!obligation_any_state(&c->base, out, err) || !add_init_check(c, out, err) ||
        !add_step_check(c, out, err))
        return false;
    if (c->base.invariant->k > 1 && !add_goals_check(c, out, err))
        return false;
    str_add(out, "int main(void) {\n    switch (nondet_u8()) {\n    case 0: gk_check_init(); "
                 "break;\n    case 1: gk_check_step(); break;\n");
    if (c->base.invariant->k > 1)
        str_add(out, "    case 2: gk_check_goals(); break;\n");
    str_add(out, "    }\n    return 0;\n}\n");
    return true;
}
