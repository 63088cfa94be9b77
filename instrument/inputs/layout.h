/* layout: a type as the scalars it consists of.
 *
 * Structs and arrays are flattened in the order of memory. A union is seen through one member: the
 * largest, and of equally large ones the one with the fewest scalars (or that somebody asks for).
 * Unnamed bit-fields are padding.
 *
 *     struct layout layout = {0};
 *     cell_layout_of(clang_getCursorType(variable), 0, &arena, &layout);
 *     for (size_t i = 0; i < layout.leaves.len; i++)
 *         use(layout.leaves.data[i].path);      // "", ".a", "[3].b"
 *     layout_free(&layout);
 */
#ifndef INSTRUMENT_INPUTS_LAYOUT_H
#define INSTRUMENT_INPUTS_LAYOUT_H

#include "base/arena.h"
#include "base/vec.h"
#include "instrument/inputs/ranges.h"

#include <clang-c/Index.h>

enum { LAYOUT_LIMIT = 65536 }; /* scalars an object */

struct leaf {
    const char *path;    /* behind the object's name */
    const char *pattern; /* the same without indices, and not into unions: ".a[].b" */
    struct scalar scalar;
    bool bit_field, is_const, is_volatile; /* qualifiers of any level */
    CXType type;                           /* of the scalar, canonical */
    CXCursor field;                        /* the innermost member, or the null cursor */
};

struct layout {
    VEC(struct leaf) leaves;
    bool too_large;         /* more than LAYOUT_LIMIT scalars: the rest is missing */
    bool open_array;        /* an array without a length was met: the elements are missing */
    const char *odd;        /* NULL, or a type that is no scalar we know: "long double" */
    const char *union_path; /* NULL, or the path of the first union */
};

/* `open_length` is the length of an outermost array that declares none (0: unknown). Texts live in
 * the arena. */
void cell_layout_of(CXType type, size_t open_length, struct arena *arena, struct layout *layout);

/* Of the members of a union that are as large as it is, one with a path that is wanted comes before
 * all others. */
struct layout_choice {
    bool (*wants)(void *context, const char *path); /* behind the object's name */
    void *context;
};
void cell_layout_chosen(CXType type, size_t open_length, const struct layout_choice *choice,
                        struct arena *arena, struct layout *layout);
void layout_free(struct layout *layout);

bool scalar_of(CXType type, struct scalar *scalar); /* false: not a scalar that we know */

/* What types are called in the woven program: NULL for those that keep their name. */
struct type_names {
    const char *(*name)(const void *context, CXCursor declaration);
    const void *context;
};

/* Appends the declaration of `name` with this type: "float name[3]", "int (*name)(int)". Qualifiers
 * of the outermost type (of the elements, for an array) are left out. */
void type_declare(CXType type, const char *name, const struct type_names *names, struct str *text);

/* "signed char", "unsigned long long", "float": a scalar as every compiler spells it. */
const char *scalar_c_type(struct scalar scalar);
/* The type that values of a scalar travel in: as wide as C has one. Not for pointers. */
struct scalar scalar_carrier(struct scalar scalar);
/* "i8", "u64", "b", "f32": what gk_input_* is called. Not for pointers. */
const char *scalar_suffix(struct scalar scalar);

#endif
