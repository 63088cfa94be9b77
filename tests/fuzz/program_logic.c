#include "program_parts.h"

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

static void logic(struct gen *g, enum logic kind, int depth) {
    gen_put(g, "(");
    if (kind == NOT) {
        gen_put(g, "!");
        logic(g, pick_logic(g, depth - 1), depth - 1);
    } else if (kind == BOTH) {
        bool and = gen_pick(g, 2);
        logic(g, pick_logic(g, depth - 1), depth - 1);
        gen_put(g, and? " && " : " || ");
        logic(g, pick_logic(g, depth - 1), depth - 1);
    } else {
        leaf_text(g, kind, depth);
    }
    gen_put(g, ")");
}

void gen_controlling(struct gen *g, int depth) {
    logic(g, pick_logic(g, depth), depth);
}
