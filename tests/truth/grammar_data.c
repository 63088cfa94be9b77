#include "maker.h"

#include <stdio.h>
#include <stdlib.h>

/* Types, variables, inputs, parameters. */

/* ---- types ---- */

static void put_basic_types(struct maker *m) {
    const char *word = m->s->ilp32 && pick(m, 2) ? "long" : "int";
    put(m, "#ifndef TYPES_H\n#define TYPES_H\n");
    put_oracle(m, "#include \"oracle.h\"\n");
    put(m, "#include <math.h>\n");
    if (m->has[FEATURE_ends])
        put(m, "extern void exit(int);\n");
    put(m, "typedef signed char sint8;\ntypedef unsigned char uint8;\n"
           "typedef short sint16;\ntypedef unsigned short uint16;\n");
    put(m, "typedef %s sint32;\ntypedef unsigned %s uint32;\n", word, word);
    put(m, "typedef long long sint64;\ntypedef unsigned long long uint64;\n"
           "typedef float float32;\ntypedef double float64;\n"
           "enum mode { IDLE, RUN, STOP, FAIL };\nenum level { LOW = -1, MIDDLE, HIGH };\n");
}

static void put_compound_types(struct maker *m) {
    static const char *const bits[] = {"uint32 lo : 3; sint32 hi : 2; uint32 flag : 1;",
                                       "sint8 hi : 2; uint8 lo : 3; uint16 flag : 1;",
                                       "uint32 flag : 1; uint32 : 0; sint32 hi : 2; uint32 lo : 3;",
                                       "sint16 hi : 2; _Bool flag : 1; uint32 lo : 3;"};
    put(m, "struct pair { sint16 a; uint8 b[2]; uint8 c; };\n");
    put(m, "struct bits { %s };\n", bits[pick(m, 4)]);
    put(m, "union word { uint32 u; sint32 s; float32 f; uint8 b[4]; uint16 h[2]; };\n"
           "struct bus { sint16 gain; float32 rate; };\n");
}

void begin_function(struct maker *m, const char *head) {
    uint32_t mark = mark_here(m, MARK_FUNCTION);
    put(m, "%s\n{", head);
    put_oracle(m, " GKT_S(%u);", mark);
    m->indent = 1;
}

static void put_to_int(struct maker *m) {
    begin_function(m, "static inline sint32 to_int(float64 x)");
    put_line(m);
    begin_statement(m);
    put(m, "if (");
    make_controlling_after(m, "x > -40000.0", 0);
    put(m, ") {\n        ");
    begin_statement(m);
    put(m, "if (");
    make_controlling_after(m, "x <= 100000.0", 0);
    put(m, ") {\n            ");
    begin_statement(m);
    put(m, "return (sint32)x;\n        }\n    }\n    ");
    begin_statement(m);
    put(m, "return -7;\n}\n");
}

void make_types(struct maker *m) {
    m->file = FILE_HEADER;
    put_basic_types(m);
    put_compound_types(m);
    put_to_int(m);
}

/* ---- state ---- */

static enum type state_type(struct maker *m) {
    static const enum type types[] = {T_U8,   T_S16,   T_BOOL, T_S8,  T_U16,  T_S32, T_U32,
                                      T_MODE, T_LEVEL, T_F32,  T_F64, T_CHAR, T_S64, T_U64};
    enum type t = types[pick(m, sizeof types / sizeof *types)];
    if ((type_is_float(t) && !m->has[FEATURE_floats]) ||
        ((t == T_MODE || t == T_LEVEL) && !m->has[FEATURE_enums]) ||
        ((t == T_S64 || t == T_U64) && !m->has[FEATURE_long_long]))
        t = T_U8;
    return t;
}

static void bound(struct maker *m, struct place *p) {
    static const int lows[] = {0, 0, 1, 0, -1, -3, 100, 250};
    static const int counts[] = {2, 3, 4, 6};
    bool is_signed = type_rows[p->type].is_signed && p->type != T_CHAR;
    p->n = counts[pick(m, 4)];
    p->lo = lows[pick(m, is_signed && p->type != T_S8 ? 8 : is_signed ? 6 : 4)];
    if (p->type == T_BOOL || p->type == T_MODE)
        p->lo = 0, p->n = p->type == T_BOOL ? 2 : 4;
    else if (p->type == T_LEVEL)
        p->lo = -1, p->n = 3;
    else if (m->has[FEATURE_wide] && pick(m, 3) == 2)
        p->n = 0;
}

static void put_state(struct maker *m, int number) {
    char name[16];
    snprintf(name, sizeof name, "s%d", number);
    struct place *p = add_place(m, state_type(m), "%s", name);
    p->can_write = true;
    bound(m, p);
    struct place made = *p;
    const char *type = type_rows[made.type].name;
    bool is_static = pick(m, 2);
    uint32_t file = m->s->has_other && pick(m, 3) == 2 ? FILE_OTHER : FILE_STEP;
    vec_last(&m->places).file = is_static ? file : FILE_HEADER;
    m->file = FILE_HEADER;
    if (!is_static) {
        put(m, "extern %s %s", type, name);
        put_oracle(m, " GKT_STATE");
        put(m, ";\n");
    }
    m->file = file;
    put(m, "%s%s %s", is_static ? "static " : "", type, name);
    put_oracle(m, " GKT_STATE");
    if (is_static && made.lo == 0 && pick(m, 3) == 0)
        put(m, ";\n");
    else
        put(m, " = %d;\n", type_is_float(made.type) ? (int)pick(m, 2) : made.lo);
}

static void put_arrays(struct maker *m) {
    m->file = FILE_STEP;
    put(m, "static uint8 arr[4]");
    put_oracle(m, " GKT_STATE");
    put(m, " = {0, 1, 2, 3};\nstatic const sint16 table[4] = {-7, 0, 300, 32767};\n");
    struct place *p = add_place(m, T_U8, "arr");
    p->len = 4, p->n = 3, p->can_write = true, p->file = FILE_STEP;
    p = add_place(m, T_S16, "table");
    p->len = 4, p->file = FILE_STEP;
}

static void add_member(struct maker *m, enum type t, const char *head, int lo, int n) {
    struct place *p = add_place(m, t, "%s", head);
    p->lo = lo, p->n = n, p->can_write = true, p->file = FILE_STEP;
}

static void put_structs(struct maker *m) {
    m->has_pair = true;
    put(m, "static struct pair pr");
    put_oracle(m, " GKT_STATE");
    put(m, " = {1, {2, 0}, 1};\nstatic struct pair list[2]");
    put_oracle(m, " GKT_STATE");
    put(m, " = {{0}, {2, {1, 1}, 0}};\nstatic struct bits bt");
    put_oracle(m, " GKT_STATE");
    put(m, ";\n");
    add_member(m, T_S16, "pr.a", 0, 3);
    add_member(m, T_U8, "pr.b[1]", 0, 3);
    add_member(m, T_U32, "bt.lo", 0, 8);
    add_member(m, T_S32, "bt.hi", -2, 4);
    add_member(m, T_BOOL, "bt.flag", 0, 2);
    add_member(m, T_U8, "list", 0, 2);
    struct place *p = &vec_last(&m->places);
    p->len = 2;
    snprintf(p->tail, sizeof p->tail, ".c");
}

static void put_pointers(struct maker *m) {
    put(m, "static uint8 *ptr");
    put_oracle(m, " GKT_STATE");
    put(m, " = &arr[1];\n");
    add_member(m, T_U8, "*ptr", 0, 3);
    m->has_bump = true;
}

/* Written, and read by nobody: they are no part of the state. */
static void put_outputs(struct maker *m) {
    m->file = FILE_HEADER;
    put(m, "extern uint32 out0;\nextern float32 out1;\nextern sint8 out2;\n");
    m->file = FILE_STEP;
    put(m, "uint32 out0 = 0;\nfloat32 out1 = 0;\nsint8 out2 = 0;\n");
}

void make_data(struct maker *m) {
    uint64_t n = 1 + pick(m, 3);
    m->file = FILE_OTHER;
    put(m, "#include \"types.h\"\n");
    m->file = FILE_STEP;
    put(m, "#include \"types.h\"\n");
    for (uint64_t i = 0; i < n; i++)
        put_state(m, (int)i);
    put_outputs(m);
    m->file = FILE_STEP;
    if (m->has[FEATURE_structs] || m->has[FEATURE_pointers])
        put_arrays(m);
    if (m->has[FEATURE_structs])
        put_structs(m);
    if (m->has[FEATURE_pointers])
        put_pointers(m);
}
