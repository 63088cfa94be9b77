#include "mcdc.h"

/* Which results are possible: bit 0 false, bit 1 true. */
static unsigned results(const struct sample *s, uint32_t node, const unsigned char *row) {
    const struct decision_node *n = &s->nodes.data[node];
    if (n->op == 'c')
        return row[n->left] == 0 ? 3 : row[n->left];
    unsigned left = results(s, n->left, row);
    if (n->op == '!')
        return (left & 1) << 1 | left >> 1;
    unsigned right = results(s, n->right, row);
    unsigned both = left & right, one = left | right;
    return n->op == '&' ? (both & 2) | (one & 1) : (one & 2) | (both & 1);
}

bool mcdc_decides(const struct sample *s, const struct decision *d, unsigned code,
                  unsigned position) {
    unsigned char row[CONDITIONS_MAX];
    assert(position < d->n_conditions && d->n_conditions <= CONDITIONS_MAX);
    for (unsigned i = 0; i < d->n_conditions; i++, code /= 3)
        row[i] = (unsigned char)(code % 3);
    if (row[position] == 0)
        return false;
    unsigned result = results(s, d->root, row);
    assert(result == 1 || result == 2); /* what was evaluated settles it */
    row[position] = (unsigned char)(3 - row[position]);
    return results(s, d->root, row) & (3 - result);
}
