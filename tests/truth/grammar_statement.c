#include "maker.h"

#include <stdio.h>

uint32_t begin_statement(struct maker *m) {
    uint32_t mark = mark_here(m, MARK_STATEMENT);
    put_oracle(m, "GKT_S(%u); ", mark);
    return mark;
}

static bool can_write(const struct maker *m, const struct place *p) {
    (void)m;
    return p->can_write;
}

/* ---- simple statements ---- */

static bool can_count(const struct maker *m, const struct place *p) {
    (void)m;
    return p->can_write && !p->is_output && p->n == 0 && !type_is_float(p->type) &&
           p->type != T_BOOL && p->type != T_MODE && p->type != T_LEVEL;
}

static void compound_assignment(struct maker *m) {
    static const char *const ops[] = {"+=", "-=", "*=", "&=", "|=", "^="};
    const struct place *p = pick_place(m, can_count);
    if (!p) {
        put(m, ";");
        return;
    }
    struct place to = *p;
    begin_statement(m);
    if (pick(m, 3) == 0) {
        put(m, pick(m, 2) ? "++" : "--");
        put_lvalue(m, &to);
    } else {
        put_lvalue(m, &to);
        put(m, " %s ", ops[pick(m, 6)]);
        make_int(m, 2);
    }
    put(m, ";");
}

static void assignment(struct maker *m) {
    const struct place *p = pick_place(m, can_write);
    if (!p) {
        compound_assignment(m);
        return;
    }
    struct place to = *p;
    begin_statement(m);
    put_lvalue(m, &to);
    put(m, " = ");
    make_bounded(m, &to);
    put(m, ";");
}

static bool is_plain_local(const struct maker *m, const struct place *p) {
    (void)m;
    return p->can_write && p->is_local && p->n == 0 && p->len == 0;
}

static void assign_call(struct maker *m) {
    const struct place *p = pick_place(m, is_plain_local);
    const struct function *f = pick_function(m, false, p && type_is_float(p->type));
    if (!f) {
        assignment(m);
        return;
    }
    begin_statement(m);
    if (p)
        put(m, "%s = ", p->head);
    make_call(m, f, 2);
    put(m, ";");
}

static void two_at_once(struct maker *m) {
    const struct place *p = pick_place(m, can_write);
    if (!p) {
        assignment(m);
        return;
    }
    struct place to = *p;
    begin_statement(m);
    for (int i = 0; i < 2; i++) {
        put(m, i ? ", " : "");
        put_lvalue(m, &to);
        put(m, " = ");
        make_bounded(m, &to);
    }
    put(m, ";");
}

static void simple(struct maker *m) {
    switch (pick(m, 6)) {
    case 0:
    case 1:
    case 2:
        assignment(m);
        return;
    case 3:
        compound_assignment(m);
        return;
    case 4:
        assign_call(m);
        return;
    default:
        two_at_once(m);
    }
}

static void leave(struct maker *m) {
    begin_statement(m);
    if (m->label && pick(m, 3) == 0) {
        m->label_used = true;
        put(m, "goto %s;", m->label);
    } else if (m->loops && pick(m, 3)) {
        put(m, m->in_switch || pick(m, 2) ? "continue;" : "break;");
    } else {
        put(m, m->returns_value ? "return " : "return;");
        if (m->returns_value) {
            make_value(m, m->returns, 2);
            put(m, ";");
        }
    }
}

/* ---- blocks ---- */

static void declare_local(struct maker *m) {
    static const enum type types[] = {T_S32,  T_U8,  T_S16, T_U32, T_S8,  T_U16,  T_CHAR,
                                      T_BOOL, T_F32, T_F64, T_S64, T_U64, T_MODE, T_LEVEL};
    enum type t = types[pick(m, sizeof types / sizeof *types)];
    bool ok = type_is_float(t)              ? m->has[FEATURE_floats]
              : t == T_MODE || t == T_LEVEL ? m->has[FEATURE_enums]
              : t == T_S64 || t == T_U64    ? m->has[FEATURE_long_long]
                                            : true;
    t = ok ? t : T_S32;
    int name = m->names++;
    begin_statement(m);
    put(m, "%s v%d = ", type_rows[t].name, name);
    make_value(m, t, 2);
    put(m, ";");
    struct place *p = add_place(m, t, "v%d", name);
    p->can_write = p->is_local = true;
}

void make_statements(struct maker *m, int depth, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        put_line(m);
        make_statement(m, depth);
    }
}

static void block(struct maker *m, int depth, bool may_leave) {
    size_t places = m->places.len;
    put(m, "{");
    m->indent++;
    if (pick(m, 4) == 3) {
        put_line(m);
        declare_local(m);
    }
    make_statements(m, depth - 1, 1 + pick(m, 2));
    if (may_leave && pick(m, 5) == 4) {
        put_line(m);
        leave(m);
    }
    m->indent--;
    put_line(m);
    put(m, "}");
    vec_truncate(&m->places, places);
}

/* Without braces in the plain text now and then. */
static void body(struct maker *m, int depth) {
    if (pick(m, 3)) {
        block(m, depth, true);
        return;
    }
    put_oracle(m, "{");
    m->indent++;
    put_line(m);
    if (pick(m, 5) == 4)
        leave(m);
    else
        simple(m);
    m->indent--;
    put_oracle(m, "}");
}

static void if_statement(struct maker *m, int depth) {
    begin_statement(m);
    put(m, "if (");
    make_controlling(m, 3);
    put(m, ") ");
    uint64_t form = pick(m, 3);
    if (form == 0) {
        body(m, depth);
        return;
    }
    block(m, depth, true);
    put(m, " else ");
    if (form == 1 || depth <= 1) {
        body(m, depth);
        return;
    }
    put_oracle(m, "{ ");
    if_statement(m, depth - 1);
    put_oracle(m, " }");
}

/* ---- loops ---- */

static void in_loop(struct maker *m, int depth) {
    bool in_switch = m->in_switch;
    m->in_switch = false;
    m->loops++;
    block(m, depth, true);
    m->loops--;
    m->in_switch = in_switch;
}

static struct place *add_counter(struct maker *m, int name) {
    struct place *p = add_place(m, T_U8, "i%d", name);
    p->is_local = true; /* nobody writes it but the loop */
    return p;
}

static void for_loop(struct maker *m, int depth) {
    size_t places = m->places.len;
    int name = m->names++;
    char test[32];
    begin_statement(m);
    put(m, "for (uint8 i%d = 0; ", name);
    add_counter(m, name);
    snprintf(test, sizeof test, "i%d < %u", name, 1 + (unsigned)pick(m, 4));
    make_controlling_after(m, test, 2);
    put(m, "; i%d++) ", name);
    in_loop(m, depth);
    vec_truncate(&m->places, places);
}

static void while_loop(struct maker *m, int depth, bool test_last) {
    size_t places = m->places.len;
    int name = m->names++;
    char test[32];
    begin_statement(m);
    put(m, "uint8 i%d = 0;", name);
    put_line(m);
    add_counter(m, name);
    snprintf(test, sizeof test, "i%d++ < %u", name, 1 + (unsigned)pick(m, 3));
    begin_statement(m);
    if (test_last) {
        put(m, "do ");
        in_loop(m, depth);
        put(m, " ");
    }
    put(m, "while (");
    make_controlling_after(m, test, 2);
    put(m, test_last ? ");" : ") ");
    if (!test_last)
        in_loop(m, depth);
    vec_truncate(&m->places, places);
}

static void goto_loop(struct maker *m) {
    size_t places = m->places.len;
    int name = m->names++;
    char test[32];
    begin_statement(m);
    put(m, "uint8 i%d = 0;", name);
    add_counter(m, name);
    m->indent--;
    put_line(m);
    m->indent++;
    put(m, "again%d:", name);
    put_line(m);
    simple(m);
    put_line(m);
    snprintf(test, sizeof test, "i%d++ < %u", name, 1 + (unsigned)pick(m, 3));
    begin_statement(m);
    put(m, "if (");
    make_controlling_after(m, test, 2);
    put(m, ") {");
    m->indent++;
    put_line(m);
    begin_statement(m);
    put(m, "goto again%d;", name);
    m->indent--;
    put_line(m);
    put(m, "}");
    vec_truncate(&m->places, places);
}

/* ---- switch ---- */

static void label(struct maker *m, uint32_t by, const char *text) {
    m->indent--;
    put_line(m);
    m->indent++;
    uint32_t mark = mark_here(m, MARK_LABEL);
    put(m, "%s:", text);
    put_oracle(m, " GKT_LABEL(%u, %u);", mark, by);
}

static void case_body(struct maker *m, int depth) {
    make_statements(m, depth - 1, 1 + pick(m, 2));
    if (pick(m, 3) == 0) /* else it falls through */
        return;
    put_line(m);
    begin_statement(m);
    put(m, "break;");
}

static void cases(struct maker *m, uint32_t by, int depth, const char *const *labels, uint64_t n) {
    uint64_t other = pick(m, n + 2); /* where the default stands; n + 1: nowhere */
    uint64_t first = pick(m, n);
    for (uint64_t i = 0; i <= n; i++) {
        if (i == other)
            label(m, by, "default");
        if (i < n) {
            char text[48];
            snprintf(text, sizeof text, "case %s", labels[(first + i) % n]);
            label(m, by, text);
            if (pick(m, 4) == 0)
                continue;
        }
        if (i < n || i == other)
            case_body(m, depth);
    }
    put_line(m);
    begin_statement(m);
    put(m, "break;");
    if (other > n) { /* the implicit one belongs to the switch */
        struct mark mark = m->s->marks.data[by];
        mark.kind = MARK_LABEL;
        vec_push(&m->s->marks, mark);
        put_oracle(m, " default: GKT_LABEL(%u, %u);", (uint32_t)m->s->marks.len - 1, by);
    }
}

static bool is_enum(const struct maker *m, const struct place *p) {
    (void)m;
    return p->type == T_MODE || p->type == T_LEVEL;
}

static void switch_statement(struct maker *m, int depth) {
    static const char *const ints[] = {"0", "1", "3", "-1", "2", "255", "128", "'a'"};
    static const char *const modes[] = {"IDLE", "RUN", "STOP", "FAIL"};
    static const char *const levels[] = {"LOW", "MIDDLE", "HIGH"};
    const struct place *p = m->has[FEATURE_enums] && pick(m, 3) ? pick_place(m, is_enum) : NULL;
    enum type t = p ? p->type : T_S32;
    bool in_switch = m->in_switch;
    uint32_t by = begin_statement(m);
    put(m, "switch (");
    put_oracle(m, "GKT_SWITCH(%u), ", by);
    m->inside++;
    if (p) {
        put_read(m, p);
    } else {
        make_int(m, 2);
        if (pick(m, 2))
            put(m, " & 3");
    }
    m->inside--;
    put(m, ") {");
    m->in_switch = true;
    m->indent++;
    cases(m, by, depth,
          t == T_MODE    ? modes
          : t == T_LEVEL ? levels
                         : ints,
          t == T_LEVEL ? 2 + pick(m, 2) : 1 + pick(m, 4));
    m->indent--;
    m->in_switch = in_switch;
    put_line(m);
    put(m, "}");
}

/* ---- all ---- */

/* exit(), which the oracle has as a function of its own: its run ends there, not its process. */
static void end_of_run(struct maker *m) {
    begin_statement(m);
    put(m, "if (");
    make_controlling(m, 1);
    put(m, ") { ");
    begin_statement(m);
    uint32_t mark = mark_here(m, MARK_CALL);
    put_plain(m, "exit");
    put_oracle(m, "(GKT_S(%u), gkt_exit)", mark);
    put(m, "(1); }");
}

void make_statement(struct maker *m, int depth) {
    if (m->budget > 0)
        m->budget--;
    uint64_t form = depth <= 0 || m->budget <= 0 ? 0 : pick(m, 24);
    if (form < 7)
        simple(m);
    else if (form < 14)
        if_statement(m, depth);
    else if (form < 17)
        switch_statement(m, depth);
    else if (form < 19)
        m->loops ? simple(m) : for_loop(m, depth);
    else if (form < 21) {
        put(m, "{ ");
        m->loops ? simple(m) : while_loop(m, depth, form == 20);
        put(m, " }");
    } else if (form < 22 && m->has[FEATURE_gotos] && !m->loops) {
        put(m, "{ ");
        goto_loop(m);
        put(m, " }");
    } else if (form < 23 && m->has[FEATURE_ends] && !m->is_pure && pick(m, 2))
        end_of_run(m);
    else if (form < 23)
        make_special(m);
    else
        block(m, depth, false);
}
