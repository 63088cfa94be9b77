#include "maker.h"

#include <stdio.h>
#include <stdlib.h>

/* Inputs and parameters: the oracle has a list of values for each. In a module that is not wide the
 * list is all values: integers have a short range, floats an assumption that names their values. */

static const char *input_decimal(enum type t) {
    return t == T_U64 ? "uLL" : "LL";
}

static long long clamp(enum type t, bool upper) {
    int bits = type_rows[t].bits < 64 ? type_rows[t].bits : 62;
    if (!type_rows[t].is_signed)
        return upper ? (1LL << bits) - 1 : 0;
    return upper ? (1LL << (bits - 1)) - 1 : -(1LL << (bits - 1));
}

static void add_value(struct sample_input *in, enum type t, long long value) {
    str_addf(&in->values, "%s(%s)%lld%s", in->values.len ? ", " : "", in->type, value,
             input_decimal(t));
}

static void few_ints(struct maker *m, struct sample_input *in, enum type t) {
    long long low = clamp(t, false), high = clamp(t, true);
    const long long firsts[] = {0, 0, low, high - 1, type_rows[t].is_signed ? -1 : 2, high / 2};
    uint64_t which = pick(m, 6);
    long long first = firsts[which], n = 2 + (long long)pick(m, 3);
    while (first + n - 1 > high)
        n--;
    if (t == T_BOOL)
        first = 0, n = 2;
    for (long long i = 0; i < n; i++)
        add_value(in, t, first + i);
    str_addf(&in->project, "\"name\": \"%s\", \"min\": %lld, \"max\": %lld", in->name, first,
             first + n - 1);
}

static void many_ints(struct maker *m, struct sample_input *in, enum type t) {
    static const long long corners[] = {-200, -128, -2,  -1,  0,    1,     2,     3,         7,
                                        100,  127,  128, 255, 1000, 32767, 65535, 2147483647};
    bool all = pick(m, 2);
    long long low = all ? clamp(t, false) : type_rows[t].is_signed ? -100 : 0;
    long long high = all ? clamp(t, true) : 100;
    low = low < clamp(t, false) ? clamp(t, false) : low;
    high = high > clamp(t, true) ? clamp(t, true) : high;
    add_value(in, t, low);
    add_value(in, t, high);
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++)
        if (corners[i] > low && corners[i] < high)
            add_value(in, t, corners[i]);
    m->s->partial = true;
    str_addf(&in->project, "\"name\": \"%s\", \"min\": %lld, \"max\": %lld", in->name, low, high);
}

static void few_floats(struct maker *m, struct sample_input *in, enum type t) {
    static const char *const corners[] = {"0.0",  "1.0",   "-1.5", "0.1",        "100.0",
                                          "3e38", "1e-40", "-2.0", "16777216.0", "255.0"};
    const char *suffix = t == T_F32 ? "f" : "";
    uint64_t n = 1 + pick(m, 3), first = pick(m, 10);
    for (uint64_t i = 0; i < n; i++) {
        const char *value = corners[(first + i) % 10];
        str_addf(&in->values, "%s%s%s", i ? ", " : "", value, suffix);
        str_addf(&m->s->assumptions, "%s%s == %s%s", i ? " || " : "", in->name, value, suffix);
        if (str_same(value, "0.0"))
            str_addf(&in->values, ", -0.0%s", suffix);
    }
    str_add(&m->s->assumptions, "\n");
    str_addf(&in->project, "\"name\": \"%s\", \"min\": -3.4e38, \"max\": 3.4e38", in->name);
}

static void many_floats(struct maker *m, struct sample_input *in, enum type t) {
    static const char *const values =
        "-1000.0, 1000.0, 0.0, -0.0, 1.0, -1.0, 0.1, 0.5, 2.0, 1e-40, "
        "999.99, 255.5, 127.0, 100.0, -0.25, 3.0, 1e-300, 0.7";
    (void)t;
    str_add(&in->values, values);
    str_addf(&in->project, "\"name\": \"%s\", \"min\": -1000.0, \"max\": 1000.0", in->name);
    m->s->partial = true;
}

static void add_input(struct maker *m, const char *name, enum type t, bool is_parameter) {
    struct sample_input in = {.is_parameter = is_parameter};
    bool many = m->has[FEATURE_wide] && pick(m, 2);
    snprintf(in.name, sizeof in.name, "%s", name);
    snprintf(in.type, sizeof in.type, "%s", type_rows[t].name);
    if (type_is_float(t))
        (many ? many_floats : few_floats)(m, &in, t);
    else
        (many ? many_ints : few_ints)(m, &in, t);
    vec_push(&m->s->inputs, in);
}

static enum type input_type(struct maker *m) {
    static const enum type types[] = {T_U8,  T_S16, T_U8,  T_BOOL, T_S8,  T_U16,
                                      T_S32, T_U32, T_F32, T_F64,  T_S64, T_U64};
    enum type t = types[pick(m, sizeof types / sizeof *types)];
    if ((type_is_float(t) && !m->has[FEATURE_floats]) ||
        ((t == T_S64 || t == T_U64) && !m->has[FEATURE_long_long]))
        t = T_U8;
    return t;
}

static void plain_input(struct maker *m, int number) {
    enum type t = input_type(m);
    struct place *p = add_place(m, t, "in%d", number);
    p->is_input = true;
    char name[16];
    snprintf(name, sizeof name, "in%d", number);
    put_to(m, FILE_HEADER, "extern %s %s;\n", type_rows[t].name, name);
    put_to(m, FILE_STEP, "%s %s;\n", type_rows[t].name, name);
    add_input(m, name, t, false);
}

/* A parameter of the mode range, now and then `const volatile`. */
static void range_parameter(struct maker *m) {
    static const char *const words[] = {"", "const volatile ", "volatile const ", ""};
    enum type t = input_type(m);
    const char *word = m->has[FEATURE_volatiles] ? words[pick(m, 4)] : "",
               *type = type_rows[t].name;
    (void)add_place(m, t, "par");
    add_input(m, "par", t, true);
    m->file = FILE_HEADER;
    put_plain(m, "extern %s%s par;\n", word, type);
    put_oracle(m, "extern %s par GKT_STATE;\n", type);
    m->file = FILE_STEP;
    struct str first = {0};
    const struct str *values = &vec_last(&m->s->inputs).values;
    str_addn(&first, values->data, strcspn(values->data, ","));
    put_plain(m, "%s%s par = %s;\n", word, type, str_text(&first));
    put_oracle(m, "%s par GKT_STATE = %s;\n", type, str_text(&first));
    str_free(&first);
}

static void volatile_things(struct maker *m) {
    unsigned n = 2 + (unsigned)pick(m, 2);
    put_to(m, FILE_HEADER, "extern volatile uint8 hw;\n");
    put_to(m, FILE_STEP, "volatile uint8 hw;\n");
    struct place *p = add_place(m, T_U8, "hw");
    p->choices = n;
    p->is_input = true;
    str_addf(&m->s->volatiles, ",\n  {\"name\": \"hw\", \"min\": 0, \"max\": %u}", n - 1);
    m->file = FILE_HEADER;
    put_plain(m, "extern const volatile sint16 cal;\n");
    put_oracle(m, "extern const sint16 cal;\n");
    m->file = FILE_STEP;
    int value = (int)pick(m, 4) - 1;
    put_plain(m, "const volatile sint16 cal = %d;\n", value);
    put_oracle(m, "const sint16 cal = %d;\n", value);
    (void)add_place(m, T_S16, "cal");
    str_addf(&m->s->fixed, "%s\n  {\"name\": \"cal\", \"mode\": \"fixed\"}",
             m->has[FEATURE_parameters] ? "," : "");
}

static bool compares(const struct maker *m, const struct place *p) {
    (void)m;
    return p->is_input && p->choices == 0 && !type_is_float(p->type);
}

static void assumption(struct maker *m) {
    const struct place *a = pick_place(m, compares), *b = pick_place(m, compares);
    if (!a || !b || a == b)
        return;
    str_addf(&m->s->assumptions, pick(m, 2) ? "%s <= %s\n" : "%s == 1 || %s != 2\n", a->head,
             b->head);
}

void make_inputs(struct maker *m) {
    uint64_t n = 1 + pick(m, 3);
    for (uint64_t i = 0; i < n; i++)
        plain_input(m, (int)i);
    if (m->has[FEATURE_parameters])
        range_parameter(m);
    if (m->has[FEATURE_volatiles])
        volatile_things(m);
    if (chance(m, 25))
        assumption(m);
}

/* ---- the step function and its arguments ---- */

static void argument(struct maker *m, const char *name, enum type t) {
    struct place *p = add_place(m, t, "%s", name);
    p->is_local = true;
    add_input(m, name, t, false);
}

static void step_head(struct maker *m) {
    uint64_t form = pick(m, 3);
    str_add(&m->s->step_call, form == 0   ? "module_step()"
                              : form == 1 ? "module_step(arg)"
                                          : "module_step(arg, &gkt_bus)");
    str_add(&m->s->arguments,
            "static uint8 arg; static struct bus gkt_bus, *const bus = &gkt_bus;\n");
    begin_function(m, form == 0   ? "void module_step(void)"
                      : form == 1 ? "void module_step(uint8 arg)"
                                  : "void module_step(uint8 arg, const struct bus *bus)");
    if (form >= 1)
        argument(m, "arg", T_U8);
    if (form == 2) {
        argument(m, "bus->gain", T_S16);
        if (m->has[FEATURE_floats])
            argument(m, "bus->rate", T_F32);
    }
}

static void call_each(struct maker *m) {
    for (size_t i = 0; i < m->functions.len; i++) {
        struct function f = m->functions.data[i];
        if (f.is_static && f.file != m->file)
            continue;
        put_line(m);
        begin_statement(m);
        put(m, "%s = ", type_is_float(f.returns) ? "out1" : pick(m, 2) ? "out0" : "out2");
        make_call(m, &f, 1);
        put(m, ";");
    }
}

void make_step(struct maker *m) {
    m->file = FILE_STEP;
    m->indent = 1;
    if (m->s->has_init) {
        m->hides_inputs = !m->has[FEATURE_init_inputs];
        m->budget = 12;
        begin_function(m, "void module_init(void)");
        make_statements(m, 2, 1 + pick(m, 3));
        put(m, "\n}\n");
        m->hides_inputs = false;
    }
    m->budget = 50;
    step_head(m);
    call_keepers(m);
    call_each(m);
    make_rare(m);
    make_statements(m, 3, 2 + pick(m, 4));
    put(m, "\n}\n");
}
