#include "app/cli/gate_options.h"

static bool add_minimums(const char *option, const struct texts *texts, bool of_reachable,
                         struct gate *gate, struct err *err) {
    for (size_t i = 0; i < texts->len; i++) {
        struct gate_minimum m;
        if (!gate_parse_minimum(option, texts->data[i], &m, err))
            return false;
        m.of_reachable = of_reachable;
        vec_push(&gate->minimums, m);
    }
    return true;
}

static uint64_t limit(const struct options *o, enum option_index option, uint64_t value) {
    return option_given(o, option) ? value : GATE_ANY;
}

bool gate_options(const struct options *o, struct gate *gate, bool *asks, struct err *err) {
    if (!add_minimums("--min", &o->min, false, gate, err) ||
        !add_minimums("--min-reachable", &o->min_reachable, true, gate, err))
        return false;
    for (size_t i = 0; i < gate->minimums.len; i++)
        if (gate->minimums.data[i].covered)
            gate->minimums.data[i].of_reachable |= str_same(o->of, "reachable");
    gate->max_open = limit(o, OPT_max_open, o->max_open);
    gate->max_dead = limit(o, OPT_max_dead, o->max_dead);
    gate->unjustified_dead = limit(o, OPT_unjustified_dead, o->unjustified_dead);
    gate->max_dead_causes = limit(o, OPT_max_dead_causes, o->max_dead_causes);
    gate->max_defects = limit(o, OPT_max_defects, o->max_defects);
    for (size_t i = 0; i < o->require_checked_by.len; i++)
        if (!gate_knows_checker(o->require_checked_by.data[i])) {
            err_set(err, ERR_USAGE, "--require-checked-by: unknown checker '%s'",
                    o->require_checked_by.data[i]);
            return err_remedy(err, "they are cbmc, z3, bitwuzla and solver, or how many of them");
        }
    gate->checkers = &o->require_checked_by;
    *asks = gate->minimums.len || gate->max_open != GATE_ANY || gate->max_dead != GATE_ANY ||
            gate->max_dead_causes != GATE_ANY || gate->unjustified_dead != GATE_ANY ||
            gate->max_defects != GATE_ANY || gate->checkers->len;
    return true;
}
