/* Verdicts in words. */
#include "report/data.h"

#include <string.h>

const char *const finding_names[FINDINGS] = {"", "open", "dead", "defect"};

double report_percent(size_t part, size_t whole) {
    assert(part <= whole);
    return whole ? 100.0 * (double)part / (double)whole : 100.0;
}

enum goal_finding report_finding(const struct report_goal *g) {
    if (g->helper)
        return FINDING_NONE;
    if (g->status == STATUS_OPEN)
        return FINDING_OPEN;
    if (g->robust)
        return g->status == STATUS_REACHABLE ? FINDING_DEFECT : FINDING_NONE;
    return g->status == STATUS_DEAD ? FINDING_DEAD : FINDING_NONE;
}

bool report_needs_attention(const struct report_goal *g) {
    assert(!g->justified || !report_is_met(g));
    return report_finding(g) != FINDING_NONE && !g->justified;
}

bool report_is_met(const struct report_goal *g) {
    return g->status == (g->robust ? STATUS_DEAD : STATUS_REACHABLE);
}

const char *report_goal_text(struct report_data *d, const struct report_goal *g) {
    assert(g->value <= 1);
    if (g->value < 0)
        return g->text;
    const struct report_decision *decision =
        g->criterion == GOAL_vector ? report_decision_of(d, g) : NULL;
    if (decision)
        return arena_printf(&d->arena, "row %s = %c of %s", g->text, g->value ? 'T' : 'F',
                            decision->text);
    return arena_printf(&d->arena, "%s%s", g->text, criterion_says((int)g->criterion, g->value));
}

static const char *steps(struct report_data *d, int64_t n) {
    assert(n >= 0);
    return n == 1 ? "1 step" : arena_printf(&d->arena, "%lld steps", (long long)n);
}

static const char *reached(struct report_data *d, const struct report_goal *g) {
    const char *what = g->robust ? "Can happen: it does" : "Reachable: hit";
    if (g->depth == 0)
        return arena_printf(&d->arena, "%s during initialisation, replayed natively.", what);
    return arena_printf(&d->arena, "%s after %s from reset, replayed natively.", what,
                        steps(d, g->depth));
}

static const char *proof_kind(struct report_data *d, int64_t depth) {
    return depth <= 1 ? "an inductive invariant"
                      : arena_printf(&d->arena, "%lld-induction", (long long)depth);
}

/* "Dead because …", "Dead for this calibration: …" */
static const char *why_dead(struct report_data *d, const struct report_goal *g) {
    static const char dead[] = "dead";
    const char *word = g->robust ? "Cannot happen" : "Dead";
    assert(g->status == STATUS_DEAD);
    if (!str_starts(g->because, dead))
        return word;
    return arena_printf(&d->arena, "%s%s", word, g->because + strlen(dead));
}

static const char *proved(struct report_data *d, const struct report_goal *g) {
    assert(*g->checked_by);
    return arena_printf(
        &d->arena,
        "%s%s input sequence of any length %s it; proved by %s with %s, re-checked by %s.",
        why_dead(d, g), *g->because ? ". No" : ": no", g->robust ? "leads to" : "reaches",
        g->engine, proof_kind(d, g->depth), report_checkers(d, g->checked_by));
}

const char *report_sentence(struct report_data *d, const struct report_goal *g) {
    if (g->status == STATUS_REACHABLE)
        return reached(d, g);
    if (g->status == STATUS_DEAD)
        return proved(d, g);
    const char *why = *g->reason ? g->reason : "not yet decided";
    if (g->bound >= 0 && !strstr(why, "not reached within"))
        return arena_printf(&d->arena, "Open: proved not to be reached within %s; %s",
                            steps(d, g->bound), why);
    return arena_printf(&d->arena, "Open: %s", why);
}

/* What is dead for a promise is not wrong code, but perhaps a wrong promise. */
static const char *dead_remedy(const struct report_goal *g) {
    static const struct {
        const char *class, *remedy;
    } rows[] = {
        {"calibration",
         "If other values of these constants are delivered, analyse with them (in "
         "the project file: parameters with \"mode\": \"range\"). If not, remove the "
         "code, or justify the goal."},
        {"range", "Check the named ranges against what the interface delivers in the vehicle. If "
                  "they are right, remove the code, or justify the goal as a defence."},
        {"uncalled",
         "Remove the function, call it, leave it out ('exclude'), or justify the goal."},
        {"upstream", "Decide about the goal that is named: this one follows from it."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_same(g->class, rows[i].class))
            return rows[i].remedy;
    return "Remove the code, correct the logic, or justify the goal.";
}

const char *report_remedy(const struct report_goal *g) {
    switch (report_finding(g)) {
    case FINDING_DEAD:
        return dead_remedy(g);
    case FINDING_DEFECT:
        return "Guard against the event, narrow the ranges of the inputs if they are wider than "
               "in the vehicle, or justify the goal.";
    case FINDING_OPEN:
        return "Give more time (goalkeeper run --seconds, --goal-seconds), narrow the ranges of "
               "the inputs, or test by hand and justify the goal.";
    default:
        return "";
    }
}
