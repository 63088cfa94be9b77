/* spare: probes whose hits follow from those of others, so that a search need not watch them.
 *
 * A decision that is surely evaluated after a point hits a probe of its first condition, true or
 * false, and neither can be hit without the point. The same holds for a condition that makes the
 * next one be evaluated, for a point and the next one that nothing but a crash can keep control
 * from, and for the outcome of a decision, which the condition evaluated last brings about.
 *
 * Invariant: what a spare probe relies on comes later in the source or in the same evaluation, so
 * there is no circle. Of each decision at least the condition that ends it is watched, there or, if
 * there is only one condition, by what relies on its outcome. */
#include "instrument/goals/listing.h"

#include <assert.h>

static bool outcome_is_probed(const struct lister *l, const struct outcome *outcome) {
    return outcome->probe != NO_PROBE ||
           (outcome->point != NO_POINT && l->points.data[outcome->point].probe != NO_PROBE);
}

/* Does evaluating the condition hit a probe, whatever its value is? */
static bool is_watched(const struct lister *l, const struct decision_site *d, uint32_t condition) {
    const struct leaf_probe *leaf = &d->leaves[condition];
    if (leaf->probe[0] != NO_PROBE && leaf->probe[1] != NO_PROBE)
        return true;
    return d->controlling && d->shape.leaves.len == 1 && outcome_is_probed(l, &d->outcome[0]) &&
           outcome_is_probed(l, &d->outcome[1]);
}

static uint32_t first_condition(const struct shape *shape, uint32_t n) {
    while (shape->nodes.data[n].kind != SHAPE_LEAF)
        n = shape->nodes.data[n].a;
    return shape->nodes.data[n].condition;
}

static void add_spare(struct lister *l, uint32_t probe) {
    if (probe != NO_PROBE)
        vec_push(&l->goals->spare, probe);
}

/* The condition that makes the right operand be evaluated. */
static void spare_left_of(struct lister *l, const struct decision_site *d, uint32_t n) {
    const struct shape_node *node = &d->shape.nodes.data[n];
    if (node->kind != SHAPE_AND && node->kind != SHAPE_OR)
        return;
    bool value;
    int left = shape_implied(&d->shape, node->a, node->kind == SHAPE_AND, &value);
    if (left >= 0 && is_watched(l, d, first_condition(&d->shape, node->b)))
        add_spare(l, d->leaves[left].probe[value]);
}

static void spare_outcomes(struct lister *l, const struct decision_site *d) {
    for (uint32_t c = 0; c < d->shape.leaves.len; c++)
        if (!is_watched(l, d, c))
            return;
    for (int value = 0; value < 2; value++) {
        add_spare(l, d->outcome[value].probe);
        if (d->outcome[value].point != NO_POINT)
            l->points.data[d->outcome[value].point].spare = true;
    }
}

void spare_in_decision(struct lister *l, const struct site *site) {
    const struct decision_site *d = site->decision;
    assert(site->kind == SITE_DECISION);
    if (site->sure && is_watched(l, d, 0))
        l->points.data[site->point].spare = true;
    if (l->repeated || d->shape.leaves.len < 2)
        return;
    for (uint32_t n = 0; n < d->shape.nodes.len; n++)
        spare_left_of(l, d, n);
    spare_outcomes(l, d);
}

void spare_points(struct lister *l) {
    for (size_t i = l->points.len; i-- > 0 && !l->repeated;) {
        const struct point *point = &l->points.data[i];
        uint32_t next = point->successor;
        assert(next == NO_POINT || (next > i && next < l->points.len));
        if (point->spare || (next != NO_POINT && l->points.data[next].probe != NO_PROBE))
            add_spare(l, point->probe);
    }
}
