/* How a goal is found again in what was measured.
 *
 * llvm-cov gives places: a segment for a statement, a region for a condition, so a goal is looked
 * up by line and column, as long as the text there is its own (it is not inside of a macro).
 * Outcomes of a decision follow from those of its conditions, for they are evaluated from the left.
 *
 * lcov and gcov give lines. A line that was not run decides all that begins there; a line that was
 * run decides only the first thing on it, and only if nothing from a line before reaches into it.
 * Branches have no names: all of them taken, or none, is all that can be used. */
#include "app/overlay/join.h"

#include "base/map.h"
#include "base/str.h"
#include "db/rows.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct wanted {
    int kind;                                /* enum goal_kind */
    const char *function, *text, *structure; /* structure: of its decision, "" if none */
    int value, line, col, end_line, end_col;
    int condition, decision_line, decision_col;
    uint32_t conditions;
    bool only_decision; /* of that size on its line */
    bool other_dead;    /* of a condition of MC/DC: it cannot decide as the other value */
    bool shares_line;   /* with something of another probe that comes before it */
};

/* The range of a compound statement holds its body; what of its head reaches into the next line is
 * a goal of its own. */
#define COMPOUND                                                                                   \
    "(h.kind = 'statement' AND (h.text GLOB 'if *' OR h.text GLOB 'for *' OR h.text GLOB 'do*' "   \
    "OR h.text GLOB 'while *' OR h.text GLOB 'switch *'))"

static const char goals_sql[] =
    "WITH d AS MATERIALIZED (SELECT decision.*, (SELECT count(*) FROM decision_condition c "
    "WHERE c.decision = decision.id) AS n FROM decision) "
    "SELECT g.id, g.file, g.kind, g.function, g.text, coalesce(g.value, -1), g.line, g.col, "
    "g.end_line, g.end_col, coalesce(g.condition, -1), d.structure, d.line, d.col, d.n, "
    "(SELECT count(*) FROM d e WHERE e.file = d.file AND e.line = d.line AND e.n = d.n), "
    "EXISTS (SELECT 1 FROM goal h WHERE h.file = g.file AND h.line BETWEEN g.line - 40 AND g.line "
    "AND h.probe <> g.probe AND h.kind <> 'function' AND h.end_line >= g.line "
    "AND (h.line = g.line AND h.col < g.col OR h.line < g.line AND NOT " COMPOUND ")), "
    "EXISTS (SELECT 1 FROM goal o WHERE o.decision = g.decision AND o.kind = g.kind "
    "AND o.condition = g.condition AND o.value <> g.value AND o.status = 'dead') "
    "FROM goal g LEFT JOIN d ON d.id = g.decision WHERE g.kind IN "
    "('function', 'call', 'statement', 'branch', 'case', 'condition', 'mcdc') ORDER BY g.id";

static struct wanted read_wanted(struct rows *r) {
    return (struct wanted){.kind = criterion_find(rows_text(r, 2)),
                           .function = rows_text(r, 3),
                           .text = rows_text(r, 4),
                           .value = (int)rows_int(r, 5),
                           .line = (int)rows_int(r, 6),
                           .col = (int)rows_int(r, 7),
                           .end_line = (int)rows_int(r, 8),
                           .end_col = (int)rows_int(r, 9),
                           .condition = (int)rows_int(r, 10),
                           .structure = rows_text(r, 11),
                           .decision_line = (int)rows_int(r, 12),
                           .decision_col = (int)rows_int(r, 13),
                           .conditions = (uint32_t)rows_int(r, 14),
                           .only_decision = rows_int(r, 15) == 1,
                           .shares_line = rows_int(r, 16) != 0,
                           .other_dead = rows_int(r, 17) != 0};
}

/* ---- the text ---- */

/* NULL: the source has no such place. */
static const char *place_in(const char *source, int line, int col) {
    for (int l = 1; source && l < line; l++) {
        source = strchr(source, '\n');
        source += source != NULL;
    }
    if (!source || col < 1 || strcspn(source, "\n") < (size_t)col - 1)
        return NULL;
    return source + col - 1;
}

/* What stands there begins with the first word of the goal: else it comes out of a macro. */
static bool is_its_own(const char *source, const struct wanted *w) {
    const char *at = place_in(source, w->line, w->col), *text = w->text;
    if (!at)
        return false;
    while (*text == '(' && *at != '(')
        text++;
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    return strncmp(at, text, n > 0 ? n : 1) == 0;
}

/* ---- by place ---- */

static enum hit hit_if(bool yes) {
    return yes ? HIT_YES : HIT_NO;
}

static bool before(int line, int col, int other_line, int other_col) {
    return line < other_line || (line == other_line && col < other_col);
}

static enum hit segment_hit(const struct measured_file *f, const struct wanted *w) {
    const struct measured_segment *last = NULL;
    for (size_t i = 0; i < f->segments.len; i++) {
        const struct measured_segment *s = &f->segments.data[i];
        if (before(w->line, w->col, s->line, s->col))
            break;
        last = s;
    }
    return last && last->has_count ? hit_if(last->count > 0) : HIT_UNKNOWN;
}

/* Its region; with ! and parentheses in front it is larger than the condition. */
static const struct measured_outcome *region_of(const struct measured_file *f, int line, int col) {
    const struct measured_outcome *best = NULL;
    for (size_t i = 0; i < f->outcomes.len; i++) {
        const struct measured_outcome *o = &f->outcomes.data[i];
        if (before(line, col, o->line, o->col) || !before(line, col, o->end_line, o->end_col))
            continue;
        if (!best || before(best->line, best->col, o->line, o->col))
            best = o;
    }
    return best;
}

/* An odd number of ! between the beginning of the region and the condition turns it round. */
static bool is_negated(const char *source, const struct measured_outcome *o, int line, int col) {
    const char *from = place_in(source, o->line, o->col), *to = place_in(source, line, col);
    bool negated = false;
    for (; from && to && from < to; from++)
        negated ^= *from == '!';
    return negated;
}

static enum hit outcome_hit(const struct measured_file *f, const char *source, int line, int col,
                            int value) {
    const struct measured_outcome *o = region_of(f, line, col);
    if (!o || value < 0)
        return HIT_UNKNOWN;
    return hit_if(o->count[is_negated(source, o, line, col) ? !value : value] > 0);
}

/* Conditions of a decision from the left: their regions lie in it, in this order. */
struct shape {
    const char *at;
    const struct measured_outcome **regions;
    size_t n;
    bool good;
};

struct counts {
    uint64_t yes, no;
};

static struct counts read_any(struct shape *s);

static struct counts read_leaf(struct shape *s) {
    char *end;
    size_t condition = strtoul(s->at, &end, 10);
    s->good &= end != s->at && condition < s->n;
    s->at = end;
    if (!s->good)
        return (struct counts){0};
    return (struct counts){s->regions[condition]->count[1], s->regions[condition]->count[0]};
}

/* A region has the ! before its condition in it, so those of the structure are counted already;
 * only one before a parenthesis is not. */
static struct counts read_one(struct shape *s) {
    bool negated = false;
    for (; *s->at == '!'; s->at++)
        negated = !negated;
    if (*s->at != '(')
        return read_leaf(s);
    s->at++;
    struct counts c = read_any(s);
    s->good &= *s->at == ')';
    s->at += *s->at == ')';
    return negated ? (struct counts){c.no, c.yes} : c;
}

static struct counts read_chain(struct shape *s, bool is_and) {
    struct counts a = is_and ? read_one(s) : read_chain(s, true);
    const char *op = is_and ? "&&" : "||";
    while (str_starts(s->at, op)) {
        s->at += 2;
        struct counts b = is_and ? read_one(s) : read_chain(s, true);
        a = is_and ? (struct counts){b.yes, a.no + b.no} : (struct counts){a.yes + b.yes, b.no};
    }
    return a;
}

static struct counts read_any(struct shape *s) {
    return read_chain(s, false);
}

static enum hit decision_hit(const struct measured_file *f, const struct wanted *w) {
    VEC(const struct measured_outcome *) regions = {0};
    for (size_t i = 0; i < f->outcomes.len; i++) {
        const struct measured_outcome *o = &f->outcomes.data[i];
        if (!before(o->line, o->col, w->line, w->col) &&
            before(o->line, o->col, w->end_line, w->end_col))
            vec_push(&regions, o);
    }
    struct shape s = {.at = w->structure, .regions = regions.data, .n = regions.len};
    s.good = regions.len == w->conditions && w->conditions > 0;
    struct counts c = s.good ? read_any(&s) : (struct counts){0};
    enum hit hit = HIT_UNKNOWN;
    if (s.good && !*s.at && w->value >= 0)
        hit = hit_if((w->value ? c.yes : c.no) > 0);
    vec_free(&regions);
    return hit;
}

/* How often the switch has chosen the label. */
static enum hit label_hit(const struct measured_file *f, const struct wanted *w) {
    for (size_t i = 0; i < f->outcomes.len; i++)
        if (f->outcomes.data[i].line == w->line && f->outcomes.data[i].col == w->col)
            return hit_if(f->outcomes.data[i].count[1] > 0);
    return HIT_UNKNOWN;
}

static enum hit by_place(const struct measured_file *f, const char *source,
                         const struct wanted *w) {
    if (w->kind == GOAL_case)
        return label_hit(f, w);
    if (f->segments.len == 0 || !is_its_own(source, w))
        return HIT_UNKNOWN;
    if (w->kind == GOAL_statement || w->kind == GOAL_call)
        return segment_hit(f, w);
    if (w->kind == GOAL_condition)
        return outcome_hit(f, source, w->line, w->col, w->value);
    if (w->kind == GOAL_branch)
        return w->conditions > 1 ? decision_hit(f, w)
                                 : outcome_hit(f, source, w->line, w->col, w->value);
    return HIT_UNKNOWN;
}

/* ---- by line ---- */

static enum hit by_line(const struct measured_file *f, const struct wanted *w) {
    const struct measured_line *l = measured_line_at(f, w->line);
    bool outcome = w->value >= 0;
    if (!l)
        return HIT_UNKNOWN;
    if (l->count == 0)
        return HIT_NO;
    if (w->kind == GOAL_statement)
        return w->shares_line ? HIT_UNKNOWN : HIT_YES;
    if (!outcome || l->branches == 0 || w->kind == GOAL_mcdc)
        return HIT_UNKNOWN;
    return l->taken == l->branches ? HIT_YES : HIT_UNKNOWN;
}

/* ---- by name, and MC/DC ---- */

static enum hit function_hit(const struct measured_file *f, const struct wanted *w) {
    enum hit hit = HIT_UNKNOWN;
    for (size_t i = 0; i < f->functions.len; i++)
        if (str_same(f->functions.data[i].name, w->function) && hit != HIT_YES)
            hit = hit_if(f->functions.data[i].count > 0);
    return hit;
}

/* Without a column the decision must be the only one of its size on the line. */
static enum hit mcdc_hit(const struct measured_file *f, const struct wanted *w) {
    enum hit hit = HIT_UNKNOWN;
    for (size_t i = 0; i < f->mcdc.len && hit != HIT_YES; i++) {
        const struct measured_mcdc *m = &f->mcdc.data[i];
        if (m->line != w->decision_line || m->conditions != w->conditions ||
            m->index != (uint32_t)w->condition || m->value != (w->value == 1) ||
            (m->col ? m->col != w->decision_col : !w->only_decision))
            continue;
        hit = m->pair && !m->hit && w->other_dead ? HIT_UNKNOWN : hit_if(m->hit);
    }
    return hit;
}

static enum hit hit_of(const struct measured_file *f, const char *source, const struct wanted *w) {
    if (w->kind == GOAL_function)
        return function_hit(f, w);
    enum hit hit = w->kind == GOAL_mcdc ? mcdc_hit(f, w) : by_place(f, source, w);
    return hit != HIT_UNKNOWN ? hit : by_line(f, w);
}

/* ---- all of them ---- */

struct source {
    const char *name;
    struct str text;
};

static const char *source_of(struct store *db, struct source *kept, const char *name,
                             struct arena *arena) {
    if (!kept->name || !str_same(kept->name, name)) {
        kept->name = arena_strdup(arena, name);
        str_clear(&kept->text);
        (void)store_get_artifact(db, arena_printf(arena, "source:%s", name), &kept->text);
    }
    return str_text(&kept->text);
}

bool join(struct store *db, const struct measured *m, struct joined *out, struct err *err) {
    struct arena arena = {0};
    struct source source = {0};
    struct rows *r = rows_open(db, goals_sql, err);
    while (rows_next(r)) {
        const char *name = rows_text(r, 1);
        const struct measured_file *f = measured_find(m, name);
        struct joined_goal goal = {.goal = (uint32_t)rows_int(r, 0) - 1};
        struct wanted w = read_wanted(r);
        if (f)
            goal.hit = hit_of(f, source_of(db, &source, name, &arena), &w);
        vec_push(out, goal);
    }
    str_free(&source.text);
    arena_free(&arena);
    return rows_close(r, err);
}
