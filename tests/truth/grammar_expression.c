#include "maker.h"

#include <stdio.h>

/* ---- constants ---- */

void put_constant(struct maker *m) {
    static const char *const small[] = {"0", "1", "2", "3", "7", "-1", "5", "-3", "4u", "10"};
    static const char *const wide[] = {"255",
                                       "128",
                                       "-128",
                                       "0x7F",
                                       "256",
                                       "32767",
                                       "-32768",
                                       "65535u",
                                       "65536",
                                       "2147483647",
                                       "0x80000000u",
                                       "(-2147483647 - 1)",
                                       "4294967295u",
                                       "'a'",
                                       "'\\377'",
                                       "'\\x80'",
                                       "100L",
                                       "40000",
                                       "(sint32)sizeof(long)",
                                       "(sint32)sizeof(void *)",
                                       "0xFFFFu",
                                       "-200",
                                       "1000000"};
    static const char *const longer[] = {"4294967296LL",          "-2147483649LL",
                                         "9223372036854775807LL", "0xFFFFFFFFFFFFFFFFULL",
                                         "1099511627776LL",       "-1LL"};
    if (pick(m, 3) < 2)
        put(m, "%s", small[pick(m, sizeof small / sizeof *small)]);
    else if (m->has[FEATURE_long_long] && chance(m, 20))
        put(m, "%s", longer[pick(m, sizeof longer / sizeof *longer)]);
    else
        put(m, "%s", wide[pick(m, sizeof wide / sizeof *wide)]);
}

static void put_float_constant(struct maker *m) {
    static const char *const texts[] = {"0.0f",
                                        "1.0f",
                                        "0.5f",
                                        "-1.5f",
                                        "0.1",
                                        "0.1f",
                                        "2.0",
                                        "-0.0f",
                                        "1e-40f",
                                        "16777217.0f",
                                        "3e38f",
                                        "1e10",
                                        "255.0f",
                                        "-2.0f",
                                        "0.25",
                                        "1.0000001",
                                        "100.0f",
                                        "4294967296.0",
                                        "1e-320",
                                        "1.0 / 3",
                                        "__builtin_inff()",
                                        "__builtin_nanf(\"\")",
                                        "-1e30",
                                        "0.99999999"};
    const char *text = texts[pick(m, sizeof texts / sizeof *texts)];
    put(m, strchr(text, ' ') ? "(%s)" : "%s", text);
}

/* ---- calls ---- */

static bool is_callable(const struct maker *m, const struct function *f, bool pure_only) {
    return (f->is_pure || (!pure_only && !m->is_pure && !m->hides_inputs)) &&
           (!f->is_static || f->file == m->file);
}

const struct function *pick_function(struct maker *m, bool pure_only, bool floats) {
    uint64_t n = 0;
    for (size_t i = 0; i < m->functions.len; i++)
        n += is_callable(m, &m->functions.data[i], pure_only) &&
             type_is_float(m->functions.data[i].returns) == floats;
    uint64_t left = n ? pick(m, n) : 0;
    for (size_t i = 0; n && i < m->functions.len; i++) {
        const struct function *f = &m->functions.data[i];
        if (is_callable(m, f, pure_only) && type_is_float(f->returns) == floats && left-- == 0)
            return f;
    }
    return NULL;
}

static void put_callee(struct maker *m, const char *name) {
    uint32_t mark = mark_here(m, MARK_CALL);
    put_plain(m, "%s", name);
    put_oracle(m, "(GKT_S(%u), %s)", mark, name);
}

void make_call(struct maker *m, const struct function *f, int depth) {
    struct function callee = *f;
    put_callee(m, callee.name);
    put(m, "(");
    m->inside++;
    for (uint32_t i = 0; i < callee.n_parameters; i++) {
        put(m, i ? ", " : "");
        make_value(m, callee.parameters[i], depth - 1);
    }
    m->inside--;
    put(m, ")");
}

/* ---- integers ---- */

static bool is_int(const struct maker *m, const struct place *p) {
    (void)m;
    return !p->is_output && !type_is_float(p->type);
}

static bool is_float(const struct maker *m, const struct place *p) {
    (void)m;
    return !p->is_output && type_is_float(p->type);
}

static void int_leaf(struct maker *m) {
    const struct place *p = chance(m, 82) ? pick_place(m, is_int) : NULL;
    if (p)
        put_read(m, p);
    else
        put_constant(m);
}

static void binary(struct maker *m, const char *op, int depth) {
    put(m, "(");
    make_int(m, depth - 1);
    put(m, " %s ", op);
    make_int(m, depth - 1);
    put(m, ")");
}

static void guarded(struct maker *m, int depth) {
    static const char *const forms[][2] = {{" / ((", " & 7) + 1))"},
                                           {" %% ((", " & 3) + 1))"},
                                           {" << (", " & 15))"},
                                           {" >> (", " & 7))"}};
    uint64_t form = pick(m, sizeof forms / sizeof *forms);
    put(m, "(");
    make_int(m, depth - 1);
    put(m, forms[form][0], 0);
    make_int(m, depth - 1);
    put(m, "%s", forms[form][1]);
}

static void int_cast(struct maker *m, int depth) {
    static const enum type to[] = {T_S8,  T_U8,   T_S16,  T_U16, T_S32,
                                   T_U32, T_BOOL, T_CHAR, T_S64, T_U64};
    uint64_t n = m->has[FEATURE_long_long] ? 10 : 8;
    put(m, "((%s)", type_rows[to[pick(m, n)]].name);
    make_int(m, depth - 1);
    put(m, ")");
}

static void compare_ints(struct maker *m, int depth) {
    static const char *const ops[] = {"<", "<=", "==", "!=", ">", ">="};
    binary(m, ops[pick(m, sizeof ops / sizeof *ops)], depth);
}

static void int_choice(struct maker *m, int depth, void (*make)(struct maker *, int)) {
    put(m, "(");
    make_controlling(m, depth - 1);
    put(m, " ? ");
    make(m, depth - 1);
    put(m, " : ");
    make(m, depth - 1);
    put(m, ")");
}

static void int_from_float(struct maker *m, int depth) {
    put(m, "(0 + ");
    uint32_t mark = mark_here(m, MARK_CALL);
    put_plain(m, "to_int");
    put_oracle(m, "(GKT_S(%u), to_int)", mark);
    put(m, "(");
    make_float(m, depth - 1);
    put(m, "))");
}

static void int_call(struct maker *m, int depth) {
    const struct function *f = pick_function(m, true, false);
    if (!f) {
        int_leaf(m);
        return;
    }
    put(m, "(0 + ");
    make_call(m, f, depth);
    put(m, ")");
}

static void nested_decision(struct maker *m, int depth) {
    put(m, "(0 + ");
    make_decision(m, depth - 1);
    put(m, ")");
}

static void sign_of_float(struct maker *m, int depth) {
    put(m, "(__builtin_signbit(");
    make_float(m, depth - 1);
    put(m, ") != 0)");
}

static void int_operation(struct maker *m, int depth) {
    static const char *const ops[] = {"+", "-", "*", "&", "|", "^"};
    uint64_t form = pick(m, 20);
    if (form < 6)
        binary(m, ops[form], depth);
    else if (form < 8)
        guarded(m, depth);
    else if (form < 10)
        int_cast(m, depth);
    else if (form < 12)
        compare_ints(m, depth);
    else if (form < 13)
        int_choice(m, depth, make_int);
    else if (form < 15)
        int_call(m, depth);
    else if (form < 16)
        nested_decision(m, depth);
    else if (form < 17 && m->has[FEATURE_nan_bits] && m->has[FEATURE_floats])
        sign_of_float(m, depth);
    else if (form < 19 && m->has[FEATURE_floats])
        int_from_float(m, depth);
    else {
        put(m, pick(m, 2) ? "(- " : "(~");
        make_int(m, depth - 1);
        put(m, ")");
    }
}

void make_int(struct maker *m, int depth) {
    m->inside++;
    if (depth <= 0 || m->budget <= 0 || pick(m, 3) == 0) {
        int_leaf(m);
    } else {
        m->budget--;
        int_operation(m, depth);
    }
    m->inside--;
}

/* ---- floats ---- */

static void float_leaf(struct maker *m) {
    const struct place *p = chance(m, 60) ? pick_place(m, is_float) : NULL;
    if (p)
        put_read(m, p);
    else
        put_float_constant(m);
}

static void float_binary(struct maker *m, int depth) {
    put(m, "(");
    make_float(m, depth - 1);
    put(m, " %c ", "+-*/"[pick(m, 4)]);
    make_float(m, depth - 1);
    put(m, ")");
}

static void float_function(struct maker *m, int depth) {
    static const char *const names[] = {"fabsf", "floorf", "ceilf", "truncf", "fabs", "floor"};
    uint64_t form = pick(m, 8);
    uint32_t mark;
    put(m, "(0 + ");
    mark = mark_here(m, MARK_CALL);
    const char *name = form == 6 ? "sqrtf" : form == 7 ? "sqrt" : names[form];
    put_plain(m, "%s", name);
    put_oracle(m, "(GKT_S(%u), %s)", mark, name);
    put(m, "(");
    make_float(m, depth - 1);
    put(m, "))");
}

static void float_cast(struct maker *m, int depth) {
    static const char *const casts[] = {"((float32)", "((float64)", "((float64)(float32)",
                                        "((float32)(float64)"};
    bool from_int = pick(m, 2);
    put(m, "%s", casts[pick(m, 4)]);
    if (from_int)
        make_int(m, depth - 1);
    else
        make_float(m, depth - 1);
    put(m, ")");
}

static void float_operation(struct maker *m, int depth) {
    const struct function *f;
    switch (pick(m, 8)) {
    case 0:
    case 1:
    case 2:
        float_binary(m, depth);
        return;
    case 3:
        float_function(m, depth);
        return;
    case 4:
        int_choice(m, depth, make_float);
        return;
    case 5:
        f = pick_function(m, true, true);
        put(m, "(0 + ");
        if (f)
            make_call(m, f, depth);
        else
            float_leaf(m);
        put(m, ")");
        return;
    case 6:
        put(m, "(- ");
        make_float(m, depth - 1);
        put(m, ")");
        return;
    default:
        float_cast(m, depth);
    }
}

void make_float(struct maker *m, int depth) {
    m->inside++;
    if (depth <= 0 || m->budget <= 0 || pick(m, 3) == 0) {
        float_leaf(m);
    } else {
        m->budget--;
        float_operation(m, depth);
    }
    m->inside--;
}

/* ---- values for variables ---- */

void make_value(struct maker *m, enum type t, int depth) {
    if (type_is_float(t) && pick(m, 4)) {
        make_float(m, depth);
        return;
    }
    if (pick(m, 2))
        put(m, "(%s)", type_rows[t].name);
    make_int(m, depth);
}

/* (head test ? one : other) */
static void chosen(struct maker *m, const char *head, const char *test, const char *one,
                   const char *other) {
    char text[64];
    snprintf(text, sizeof text, "%s %s", head, test);
    put(m, "(");
    make_controlling_after(m, text, 0);
    put(m, " ? %s : %s)", one, other);
}

static void bounded_float(struct maker *m, const struct place *p) {
    const char *name = type_rows[p->type].name;
    char more[64];
    switch (pick(m, 4)) {
    case 0:
        put_float_constant(m);
        return;
    case 1:
        put(m, "(%s)(", name);
        make_int(m, 2);
        put(m, " & 3) * 0.25f");
        return;
    case 2:
        chosen(m, p->head, "> 1.0f", "0.25f", "1.75f");
        return;
    default:
        snprintf(more, sizeof more, "%s + 0.5f", p->head);
        chosen(m, p->head, "< 2.0f", more, "-1.0f");
    }
}

void make_bounded(struct maker *m, const struct place *place) {
    struct place p = *place;
    const char *name = type_rows[p.type].name;
    uint64_t form = pick(m, 4);
    if (p.n == 0)
        make_value(m, p.type, 2);
    else if (type_is_float(p.type))
        bounded_float(m, &p);
    else if (form == 0)
        put(m, "%d", p.lo + (int)pick(m, (uint64_t)p.n));
    else if (form == 1 && p.lo == 0 && p.n >= 2)
        make_decision(m, 2);
    else {
        put(m, "(%s)((sint32)((uint32)", name);
        make_int(m, 2);
        put(m, " %% %uu) + %d)", (unsigned)p.n, p.lo);
    }
}
