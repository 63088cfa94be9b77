#include "model/term/range.h"

#include <assert.h>

struct range range_numbers(sort_t sort, bool is_signed) {
    return range_between(ordinal_min(sort, is_signed), ordinal_max(sort, is_signed));
}

struct range range_full(sort_t sort, bool is_signed) {
    struct range r = range_numbers(sort, is_signed);
    r.nan = sort_is_float(sort);
    return r;
}

struct range range_of_bits(sort_t sort, bool is_signed, uint64_t bits) {
    assert(sort_is_float(sort) || !bits_are_nan(sort, bits));
    if (bits_are_nan(sort, bits))
        return range_only_nan();
    return range_point(ordinal_of(sort, is_signed, bits));
}

bool range_has_bits(struct range r, sort_t sort, bool is_signed, uint64_t bits) {
    assert(!r.num || r.lo <= r.hi);
    if (bits_are_nan(sort, bits))
        return r.nan;
    return range_has(r, ordinal_of(sort, is_signed, bits));
}
