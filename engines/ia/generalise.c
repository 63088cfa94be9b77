/* generalise: fewer literals that are still inductive relative to the frame before and apart from
 * the initial states: by cores, then literal by literal (Bradley's MIC without the search
 * downwards).
 */
#include "engines/ia/core.h"

#include <stdlib.h>

bool ia_cube_has(const struct ia_cube *cube, ia_lit lit) {
    size_t lo = 0, hi = cube->len;
    assert(cube->len < 2 || cube->data[0] < cube->data[cube->len - 1]);
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (cube->data[middle] < lit)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < cube->len && cube->data[lo] == lit;
}

bool ia_cube_within(const struct ia_cube *part, const struct ia_cube *whole) {
    if (part->len > whole->len)
        return false;
    for (size_t i = 0; i < part->len; i++)
        if (!ia_cube_has(whole, part->data[i]))
            return false;
    return true;
}

void ia_cube_add(struct ia_cube *cube, ia_lit lit) {
    if (ia_cube_has(cube, lit))
        return;
    vec_push(cube, lit);
    for (size_t i = cube->len - 1; i > 0 && cube->data[i - 1] > lit; i--) {
        cube->data[i] = cube->data[i - 1];
        cube->data[i - 1] = lit;
    }
    assert(ia_cube_has(cube, lit) && !ia_cube_has(cube, lit ^ 1));
}

static void without(const struct ia_cube *cube, ia_lit lit, struct ia_cube *out) {
    vec_clear(out);
    for (size_t i = 0; i < cube->len; i++)
        if (cube->data[i] != lit)
            vec_push(out, cube->data[i]);
}

static void become(struct ia_cube *cube, const struct ia_cube *core, const struct ia_cube *apart) {
    struct ia_cube now = {0};
    vec_append(&now, core->data, core->len);
    for (size_t i = 0; i < apart->len; i++)
        ia_cube_add(&now, apart->data[i]);
    vec_free(cube);
    *cube = now;
}

/* Can the cube do without this literal? Then it becomes smaller, and so may `apart`. */
static enum ia_answer drop(struct ia *ia, struct ia_cube *cube, ia_lit lit, uint32_t level,
                           struct ia_cube *apart) {
    struct ia_cube less = {0}, core = {0}, why = {0};
    enum ia_answer said = IA_YES;
    without(cube, lit, &less);
    assert(less.len + 1 == cube->len && ia_cube_within(apart, cube));
    if (ia_cube_has(apart, lit))
        said = ia_apart(ia, &less, &why);
    else
        vec_append(&why, apart->data, apart->len);
    if (said == IA_YES)
        said = ia_relative(ia, &less, level, &core);
    if (said == IA_YES) {
        vec_clear(apart);
        vec_append(apart, why.data, why.len);
        become(cube, &core, apart);
    }
    vec_free(&less);
    vec_free(&core);
    vec_free(&why);
    return said;
}

struct rank {
    ia_lit lit;
    uint32_t activity;
};

static int by_activity(const void *a, const void *b) {
    const struct rank *x = a, *y = b;
    if (x->activity != y->activity)
        return x->activity < y->activity ? -1 : 1;
    return x->lit < y->lit ? -1 : x->lit > y->lit;
}

/* What was seldom of use is tried first. */
static void rank_literals(const struct ia *ia, const struct ia_cube *cube, struct rank *ranks) {
    for (size_t i = 0; i < cube->len; i++)
        ranks[i] = (struct rank){cube->data[i], ia->activity.data[cube->data[i] / 2]};
    qsort(ranks, cube->len, sizeof *ranks, by_activity);
}

enum ia_answer ia_generalise(struct ia *ia, struct ia_cube *cube, uint32_t level,
                             const struct ia_cube *apart_before) {
    struct ia_cube apart = {0};
    size_t n = cube->len, failures = 0;
    struct rank *ranks = mem_zalloc(n + 1, sizeof *ranks);
    enum ia_answer said = IA_YES;
    assert(level > 0 && ia_cube_within(apart_before, cube));
    vec_append(&apart, apart_before->data, apart_before->len);
    rank_literals(ia, cube, ranks);
    for (size_t i = 0; i < n && said != IA_STOPPED && cube->len > 1; i++) {
        if (!ia_cube_has(cube, ranks[i].lit) || failures >= ia->options.knobs->ia_drop)
            continue;
        said = drop(ia, cube, ranks[i].lit, level, &apart);
        failures = said == IA_NO ? failures + 1 : 0;
    }
    assert(ia_cube_within(&apart, cube));
    for (size_t i = 0; i < cube->len; i++)
        ia->activity.data[cube->data[i] / 2]++;
    vec_free(&apart);
    mem_free(ranks);
    return said == IA_STOPPED ? IA_STOPPED : IA_YES;
}
