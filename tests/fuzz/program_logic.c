#include "program_parts.h"

/* ---- marks ---- */

uint32_t gen_mark(struct gen *g, enum mark_kind kind) {
    uint32_t number = (uint32_t)g->p->marks.len;
    if (!g->module)
        return 0;
    struct program_mark mark = {.kind = kind, .about = NONE};
    vec_push(&g->p->marks, mark);
    gen_put(g, "\1%c%u\2", kind, number);
    return number;
}

void gen_mark_end(struct gen *g) {
    if (g->module)
        gen_put(g, "\3");
}

static uint32_t add_node(struct gen *g, char op, uint32_t left, uint32_t right) {
    struct program_node node = {.op = op, .left = left, .right = right};
    vec_push(&g->p->nodes, node);
    return (uint32_t)g->p->nodes.len - 1;
}

/* ---- decisions ---- */

enum logic { POSITIVE, COMPARE_INTS, COMPARE_FLOATS, NAMED, NOT, BOTH };

static enum logic pick_logic(struct gen *g, int depth) {
    static const enum logic of_answer[] = {POSITIVE, COMPARE_INTS, COMPARE_INTS, COMPARE_FLOATS,
                                           NAMED,    NOT,          BOTH,         BOTH};
    enum logic kind = of_answer[gen_pick(g, sizeof of_answer / sizeof *of_answer)];
    return kind == BOTH && depth <= 0 ? NAMED : kind;
}

static void leaf_text(struct gen *g, enum logic kind, int depth) {
    static const char *const compare[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    static const char *const named[] = {"flag",
                                        "flag",
                                        "who != 0",
                                        "step != op2",
                                        "st.high++ < 2",
                                        "s0++ > 3",
                                        "(st.a += 2) != 4",
                                        "(sel = sel - 1) > 3",
                                        "bump(&st.a, walk), st.a > 2",
                                        "letter < 0",
                                        "plain[sel & 1] - 'a'"};
    if (kind == NAMED) {
        gen_put(g, "%s", named[gen_pick(g, sizeof named / sizeof *named)]);
        return;
    }
    void (*side)(struct gen *, int) = kind == COMPARE_FLOATS ? gen_float : gen_int;
    const char *op = kind == POSITIVE ? " > " : compare[gen_pick(g, 6)];
    side(g, depth - 1);
    gen_put(g, "%s", op);
    if (kind == POSITIVE)
        gen_put(g, "0");
    else
        side(g, depth - 1);
}

static uint32_t logic(struct gen *g, enum logic kind, int depth) {
    uint32_t node = 0;
    gen_put(g, "(");
    if (kind == NOT) {
        gen_put(g, "!");
        node = add_node(g, '!', logic(g, pick_logic(g, depth - 1), depth - 1), NONE);
    } else if (kind == BOTH) {
        bool and = gen_pick(g, 2);
        uint32_t left = logic(g, pick_logic(g, depth - 1), depth - 1);
        gen_put(g, and? " && " : " || ");
        uint32_t right = logic(g, pick_logic(g, depth - 1), depth - 1);
        node = add_node(g, and? '&' : '|', left, right);
    } else {
        uint32_t mark = gen_mark(g, MARK_CONDITION);
        leaf_text(g, kind, depth);
        gen_mark_end(g);
        node = add_node(g, 'c', mark, NONE);
    }
    gen_put(g, ")");
    return node;
}

static void decision(struct gen *g, enum mark_kind mark, enum logic kind, int depth) {
    uint32_t number = gen_mark(g, mark);
    uint32_t root = logic(g, kind, depth);
    if (g->module)
        g->p->marks.data[number].about = root;
    gen_mark_end(g);
}

void gen_controlling(struct gen *g, int depth) {
    decision(g, MARK_CONTROLLING, pick_logic(g, depth), depth);
}

void gen_right_operand(struct gen *g, uint32_t number, uint32_t left, int depth) {
    uint32_t right = logic(g, pick_logic(g, depth), depth);
    uint32_t root = add_node(g, '&', add_node(g, 'c', left, NONE), right);
    if (g->module)
        g->p->marks.data[number].about = root;
}

void gen_truth_value(struct gen *g, int depth) {
    enum logic kind = pick_logic(g, depth);
    if (kind >= NOT) {
        decision(g, MARK_DECISION, kind, depth);
        return;
    }
    gen_put(g, "(");
    leaf_text(g, kind, depth);
    gen_put(g, ")");
}

void gen_controlling_text(struct gen *g, const char *format, ...) {
    va_list args;
    uint32_t number = gen_mark(g, MARK_CONTROLLING), condition = gen_mark(g, MARK_CONDITION);
    va_start(args, format);
    str_vaddf(g->out, format, args);
    va_end(args);
    gen_mark_end(g);
    gen_mark_end(g);
    if (g->module)
        g->p->marks.data[number].about = add_node(g, 'c', condition, NONE);
}
