/* sort: the sort that a variable's values have in the model. */
#ifndef INSTRUMENT_SYNTAX_SORT_H
#define INSTRUMENT_SYNTAX_SORT_H

#include "coverage/module.h"
#include "model/term/ordinal.h"

/* Of a pointer: that of its bits. SORT_NONE: C has no such type. */
static inline sort_t type_sort(enum var_type type, unsigned bits) {
    if (type == TYPE_BOOL)
        return SORT_BOOL;
    if (type == TYPE_FLOAT)
        return bits == 32 ? SORT_F32 : bits == 64 ? SORT_F64 : SORT_NONE;
    return bits <= SORT_INT_MAX ? (sort_t)bits : SORT_NONE;
}

static inline sort_t var_sort(const struct module_var *var) {
    return type_sort(var->type, var->bits);
}

#endif
