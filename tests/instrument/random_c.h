/* random_c: small random C programs with every kind of control flow and decision.
 *
 * A program is a set of globals and functions that only call functions before them; main() runs
 * random steps and prints a hash of all globals after each. No undefined behaviour under
 * -fwrapv: indices and shifts are masked, divisors are not zero, loops are counted. Tokens are
 * separated by single blanks, so that columns survive preprocessing. */
#ifndef TESTS_RANDOM_C_H
#define TESTS_RANDOM_C_H

#include "base/rng.h"
#include "base/str.h"

#include <string.h>

struct random_c {
    struct rng rng;
    struct str *out;
    int function; /* at hand */
    int depth, indent;
    int loop_depth, switch_depth;
    int labels;
    bool macros; /* decisions inside macros, too */
};

static int rc_below(struct random_c *r, int n) {
    return (int)rng_below(&r->rng, (uint64_t)n);
}

static void rc_pick(struct random_c *r, const char *const *texts, int n) {
    str_add(r->out, texts[rc_below(r, n)]);
}

static void rc_expression(struct random_c *r, int depth);

static void rc_place(struct random_c *r) {
    static const char *const places[] = {"gi",     "gu",         "gs",    "gc",   "gb",
                                         "gf",     "ga[gi & 7]", "ga[3]", "st.x", "st.bits",
                                         "pst->y", "*pi",        "a",     "b",    "x"};
    rc_pick(r, places, 15);
}

static void rc_call(struct random_c *r, int depth) {
    if (r->function == 0) {
        str_add(r->out, "id ( ");
        rc_expression(r, depth - 1);
        str_add(r->out, " )");
        return;
    }
    str_addf(r->out, "f%d ( ", rc_below(r, r->function));
    rc_expression(r, depth - 1);
    str_add(r->out, ", ");
    rc_expression(r, depth - 1);
    str_add(r->out, " )");
}

static void rc_relation(struct random_c *r, int depth) {
    static const char *const ops[] = {" < ", " > ", " == ", " != ", " <= ", " >= "};
    rc_expression(r, depth - 1);
    rc_pick(r, ops, 6);
    rc_expression(r, depth - 1);
}

/* What can stand as a condition. */
static void rc_leaf(struct random_c *r, int depth) {
    switch (rc_below(r, 12)) {
    case 0:
        str_add(r->out, "( x = ");
        rc_expression(r, depth - 1);
        str_add(r->out, " )");
        break;
    case 1:
        rc_call(r, depth);
        break;
    case 2:
        str_add(r->out, "pi");
        break;
    case 3:
        str_add(r->out, "gf");
        break;
    case 4:
        str_add(r->out, "gv");
        break;
    case 5:
        str_add(r->out, "( ( ");
        rc_relation(r, depth);
        str_add(r->out, " ) ? gi : a )");
        break;
    case 6:
    case 7:
        rc_place(r);
        break;
    default:
        str_add(r->out, "( ");
        rc_relation(r, depth);
        str_add(r->out, " )");
        break;
    }
}

static void rc_decision(struct random_c *r, int depth) {
    int kind = depth <= 0 ? 9 : rc_below(r, 10);
    if (kind < 5) {
        str_add(r->out, "( ");
        rc_decision(r, depth - 1);
        str_add(r->out, kind < 3 ? " && " : " || ");
        rc_decision(r, depth - 1);
        str_add(r->out, " )");
    } else if (kind < 7) {
        str_add(r->out, kind == 5 ? "! ( " : "! ! ( ");
        rc_decision(r, depth - 1);
        str_add(r->out, " )");
    } else if (kind == 7 && r->macros) {
        str_add(r->out, "BOTH( ");
        rc_decision(r, depth - 1);
        str_add(r->out, ", ");
        rc_leaf(r, 1);
        str_add(r->out, " )");
    } else if (kind == 8 && r->macros) {
        str_add(r->out, "( u8 ) ( ");
        rc_decision(r, depth - 1);
        str_add(r->out, " && gi )");
    } else {
        rc_leaf(r, depth < 1 ? 1 : depth);
    }
}

static void rc_expression(struct random_c *r, int depth) {
    static const char *const ops[] = {" + ", " - ", " * ", " & ", " | ", " ^ "};
    int kind = depth <= 0 ? rc_below(r, 4) : rc_below(r, 16);
    switch (kind) {
    case 0:
    case 1:
        str_addf(r->out, "%d", rc_below(r, 40));
        break;
    case 2:
    case 3:
        str_add(r->out, kind == 2 ? "a" : "gi");
        break;
    case 4:
    case 5:
        str_add(r->out, "( int ) ");
        rc_place(r);
        break;
    case 6:
    case 7:
    case 8:
        str_add(r->out, "( ");
        rc_expression(r, depth - 1);
        rc_pick(r, ops, 6);
        rc_expression(r, depth - 1);
        str_add(r->out, " )");
        break;
    case 9:
        str_add(r->out, "( ");
        rc_expression(r, depth - 1);
        str_add(r->out, rc_below(r, 2) ? " / 3 )" : " % ( ( b & 7 ) + 1 ) )");
        break;
    case 10:
        str_add(r->out, "( ");
        rc_decision(r, 2);
        str_add(r->out, " ? ");
        rc_expression(r, depth - 1);
        str_add(r->out, " : ");
        rc_expression(r, depth - 1);
        str_add(r->out, " )");
        break;
    case 11:
    case 12:
        str_add(r->out, kind == 11 ? "( gc && " : "! ( ");
        rc_decision(r, 3);
        str_add(r->out, " )");
        break;
    case 13:
        rc_call(r, depth);
        break;
    case 14:
        str_add(r->out, "( ( x ++ , gi ) , ");
        rc_expression(r, depth - 1);
        str_add(r->out, " )");
        break;
    default:
        str_add(r->out, "( ( u8 ) ");
        rc_place(r);
        str_add(r->out, " >> ( b & 3 ) )");
        break;
    }
}

static void rc_line(struct random_c *r) {
    str_add(r->out, "\n");
    for (int i = 0; i < r->indent; i++)
        str_add(r->out, "  ");
}

static void rc_statement(struct random_c *r, int depth);

static void rc_block(struct random_c *r, int depth) {
    str_add(r->out, " {");
    r->indent++;
    for (int n = 1 + rc_below(r, 3); n > 0; n--)
        rc_statement(r, depth - 1);
    r->indent--;
    rc_line(r);
    str_add(r->out, "}");
}

/* A body with or without braces. */
static void rc_body(struct random_c *r, int depth) {
    if (rc_below(r, 2)) {
        rc_block(r, depth);
    } else {
        r->indent++;
        rc_statement(r, depth > 1 && rc_below(r, 3) ? 0 : depth - 1);
        r->indent--;
    }
}

static void rc_assign(struct random_c *r) {
    static const char *const ops[] = {" = ", " = ", " = ", " += ", " ^= "};
    static const char *const targets[] = {"gi",      "gu",     "gs", "gc",  "gb", "ga[gi & 7]",
                                          "st.bits", "pst->y", "x",  "*pi", "gf"};
    int target = rc_below(r, 11);
    str_add(r->out, targets[target]);
    rc_pick(r, ops, target == 10 ? 3 : 5);
    rc_expression(r, 3);
    str_add(r->out, ";");
}

static void rc_if(struct random_c *r, int depth) {
    str_add(r->out, "if ( ");
    rc_decision(r, 3);
    str_add(r->out, " )");
    rc_block(r, depth);
    int others = rc_below(r, 4);
    for (int i = 0; i < others; i++) {
        str_add(r->out, " else ");
        if (i + 1 < others) {
            str_add(r->out, "if ( ");
            rc_decision(r, 2);
            str_add(r->out, " )");
        }
        rc_body(r, depth);
        if (i + 1 < others)
            rc_line(r);
    }
}

static void rc_loop(struct random_c *r, int depth) {
    int id = r->labels++;
    r->loop_depth++;
    switch (rc_below(r, 4)) {
    case 0:
        str_addf(r->out, "for ( int k%d = 0; k%d < %d && ( ", id, id, 1 + rc_below(r, 4));
        rc_decision(r, 1);
        str_addf(r->out, " ); k%d ++ )", id);
        rc_body(r, depth);
        break;
    case 1:
        str_addf(r->out, "for ( n%d = 0; n%d < 3; n%d ++ )", id % 4, id % 4, id % 4);
        str_add(r->out, " {");
        r->indent++;
        rc_line(r);
        rc_assign(r);
        r->indent--;
        rc_line(r);
        str_add(r->out, "}");
        break;
    case 2:
        str_add(r->out, "do");
        rc_block(r, depth);
        str_add(r->out, " while ( 0 );");
        break;
    default:
        str_addf(r->out, "{ int k%d = 3; while ( k%d -- > 0 )", id, id);
        rc_body(r, depth);
        str_add(r->out, " }");
        break;
    }
    r->loop_depth--;
}

static void rc_switch(struct random_c *r, int depth) {
    int n = 1 + rc_below(r, 4), fallback = rc_below(r, 6);
    str_add(r->out, "switch ( ");
    rc_expression(r, 2);
    str_add(r->out, rc_below(r, 2) ? " & 3 ) {" : " ) {");
    r->switch_depth++;
    r->indent++;
    for (int i = 0; i < n; i++) {
        rc_line(r);
        if (i == fallback)
            str_add(r->out, "default: ");
        str_addf(r->out, "case %d:", i * 2 - 1);
        rc_statement(r, depth - 1);
        rc_line(r);
        if (rc_below(r, 3))
            str_add(r->out, "break;");
        else
            str_add(r->out, i + 1 < n ? "/* fall through */" : ";");
    }
    r->indent--;
    r->switch_depth--;
    rc_line(r);
    str_add(r->out, "}");
}

static void rc_goto(struct random_c *r, int depth) {
    int id = r->labels++;
    str_add(r->out, "if ( ");
    rc_decision(r, 1);
    str_addf(r->out, " ) goto l%d;", id);
    rc_statement(r, depth - 1);
    rc_line(r);
    str_addf(r->out, "l%d :", id);
    rc_line(r);
    rc_assign(r);
}

/* A goto into the middle of a loop or a branch; the counter was set before. */
static void rc_goto_inside(struct random_c *r, int depth) {
    int id = r->labels++;
    str_addf(r->out, "n%d = %d; if ( ", id % 4, rc_below(r, 3));
    rc_decision(r, 1);
    str_addf(r->out, " ) goto l%d;", id);
    rc_statement(r, depth - 1);
    rc_line(r);
    static const char *const heads[] = {"if ( gs > n%d ) {", "while ( n%d -- > 0 ) {",
                                        "for ( ; n%d > 0; n%d -- ) {", "do { n%d --;"};
    int kind = rc_below(r, 4);
    str_addf(r->out, heads[kind], id % 4, id % 4);
    rc_line(r);
    rc_assign(r);
    rc_line(r);
    str_addf(r->out, "l%d :", id);
    rc_line(r);
    rc_assign(r);
    str_addf(r->out, kind == 3 ? " } while ( n%d > 0 );" : " }", id % 4);
}

/* Case labels inside a loop inside their switch. */
static void rc_duff(struct random_c *r) {
    int id = r->labels++;
    str_addf(r->out, "n%d = 2; switch ( ", id % 4);
    rc_expression(r, 1);
    str_addf(r->out, " & 3 ) { case 0: do { n%d --;", id % 4);
    rc_line(r);
    rc_assign(r);
    str_add(r->out, " case 1:");
    rc_line(r);
    rc_assign(r);
    str_add(r->out, " if ( gc ) case 2: gu ++;");
    str_addf(r->out, " } while ( n%d > 0 ); }", id % 4);
}

static void rc_jump(struct random_c *r) {
    if (r->loop_depth > 0)
        str_add(r->out, rc_below(r, 2) ? "break;" : "continue;");
    else
        str_add(r->out, "if ( gi == 13 ) return x + 1;");
}

static void rc_statement(struct random_c *r, int depth) {
    rc_line(r);
    switch (depth <= 0 ? 11 : rc_below(r, 15)) {
    case 0:
    case 1:
    case 2:
        rc_if(r, depth);
        break;
    case 3:
    case 4:
        rc_loop(r, depth);
        break;
    case 5:
        rc_switch(r, depth);
        break;
    case 6:
        str_add(r->out, "{");
        rc_line(r);
        rc_goto(r, depth);
        rc_line(r);
        str_add(r->out, "}");
        break;
    case 7:
        str_add(r->out, "{ int v = gb || ");
        rc_decision(r, 3);
        str_add(r->out, "; x += v; }");
        break;
    case 8:
        rc_jump(r);
        break;
    case 9:
        str_add(r->out, "{ ");
        rc_duff(r);
        str_add(r->out, " }");
        break;
    case 10:
        str_add(r->out, "{ ");
        rc_goto_inside(r, depth);
        str_add(r->out, " }");
        break;
    default:
        if (rc_below(r, 8) == 0) {
            rc_call(r, 2);
            str_add(r->out, ";");
        } else {
            rc_assign(r);
        }
        break;
    }
}

static const char rc_head[] =
    "typedef unsigned char u8;\n"
    "struct S { int x; unsigned bits : 3; short y; };\n"
    "int gi, ga[8]; unsigned gu; short gs; u8 gc; _Bool gb; float gf; struct S st;\n"
    "struct S * pst = & st; int * pi = & ga[5]; volatile int gv;\n"
    "#define BOTH( p, q ) ( ( p ) && ( q ) )\n"
    "int id ( int p ) { return p; }\n";

static const char rc_externs[] =
    "typedef unsigned char u8;\n"
    "struct S { int x; unsigned bits : 3; short y; };\n"
    "extern int gi, ga[8]; extern unsigned gu; extern short gs; extern u8 gc; extern _Bool gb;\n"
    "extern float gf; extern struct S st, * pst; extern int * pi; extern volatile int gv;\n"
    "int step ( int a, int b );\n";

static const char rc_main[] =
    "\nextern int printf ( const char * format, ... );\n"
    "static unsigned rand_state = 12345u;\n"
    "static int next ( void ) { rand_state = rand_state * 1664525u + 1013904223u;"
    " return ( int ) ( rand_state >> 24 ) - 100; }\n"
    "int main ( void ) { unsigned hash = 0, n;\n"
    "for ( n = 0; n < 300; n ++ ) {\n"
    "gi = next ( ) & 15; gu = ( unsigned ) next ( ) & 7; gs = ( short ) next ( );"
    " gc = ( u8 ) next ( ); gb = next ( ) & 1; gv = next ( ) & 1;\n"
    "gf = ( float ) ( next ( ) / 30 ); st.x = next ( ) & 3; st.bits = next ( ) & 7;"
    " pi = & ga[next ( ) & 7];\n"
    "hash = hash * 31u + ( unsigned ) step ( next ( ) & 3, next ( ) & 7 );\n"
    "for ( int k = 0; k < 8; k ++ ) hash = hash * 31u + ( unsigned ) ga[k];\n"
    "hash = hash * 31u + ( unsigned ) gi + gu + ( unsigned ) gs + gc + gb + st.bits"
    " + ( unsigned ) st.y;\n"
    "hash = hash * 31u + ( unsigned ) ( long long ) ( gf > 1e6f || gf < -1e6f ? 0.0f : gf );\n"
    "printf ( \"%u\\n\", hash ); }\n"
    "return 0; }\n";

/* `functions` of them; the last is called step. */
static void random_c(struct str *out, uint64_t seed, int functions, bool macros) {
    struct random_c r = {.out = out, .macros = macros};
    rng_init(&r.rng, seed);
    str_add(out, rc_head);
    for (r.function = 0; r.function < functions; r.function++) {
        bool last = r.function + 1 == functions;
        if (last)
            str_add(out, "\nint step ( int a, int b ) {");
        else
            str_addf(out, "\nstatic int f%d ( int a, int b ) {", r.function);
        r.indent = 1;
        str_add(out, "\n  int x = 1, n0 = 0, n1 = 0, n2 = 0, n3 = 0;");
        if (macros)
            str_addf(out,
                     "\n  static int kept = %d; static struct S own = { 1, 2, 3 };"
                     " kept += a; own.x ^= kept; x += own.x & 3;",
                     r.function);
        int called = last ? r.function : 0;
        for (int f = 0; f < called; f++)
            str_addf(out, "\n  x ^= f%d ( a + %d, b );", f, f);
        for (int n = 2 + rc_below(&r, 4); n > 0; n--)
            rc_statement(&r, 3);
        str_add(out, "\n  return x + n0 + n1 + n2 + n3;\n}\n");
    }
}

/* Is a name of the program that another program of the same file has, too? */
static bool rc_is_own_name(const char *name, size_t length) {
    static const char *const names[] = {"gi",   "ga",   "gu",   "gs",   "gc",        "gb", "gf",
                                        "st",   "S",    "pst",  "pi",   "gv",        "id", "u8",
                                        "BOTH", "step", "main", "next", "rand_state"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0)
            return true;
    return name[0] == 'f' && length > 1 && strspn(name + 1, "0123456789") + 1 == length;
}

static size_t rc_word(const char *text) {
    size_t n = 0;
    while (text[n] == '_' || (text[n] >= '0' && text[n] <= '9') ||
           ((text[n] | 32) >= 'a' && (text[n] | 32) <= 'z'))
        n++;
    return n;
}

/* Appends a program with its names made its own: "gi" becomes "gi_7". */
static inline void random_c_rename(struct str *out, const char *text, int number) {
    while (*text) {
        size_t length = rc_word(text);
        str_addn(out, text, length ? length : 1);
        if (length && rc_is_own_name(text, length))
            str_addf(out, "_%d", number);
        text += length ? length : 1;
    }
}

/* main(): in a file of its own, or behind the program. */
static inline void random_c_main(struct str *out, bool own_file) {
    str_add(out, own_file ? rc_externs : "");
    str_add(out, rc_main);
}

#endif
