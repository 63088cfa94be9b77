/* layout: how an LLVM type lies in memory, cut into cells.
 *
 * A cell is a scalar member, or a piece of padding (up to 8 bytes, read and written as a number).
 * Cells of a type are numbered in the order of their offsets; every byte belongs to one cell.
 *
 *     const struct layout *l = layout_of(lw, type);
 *     struct cell_place at = layout_find(l, 12);   // the cell that holds byte 12
 */
#ifndef INSTRUMENT_LOWER_LAYOUT_H
#define INSTRUMENT_LOWER_LAYOUT_H

#include "base/map.h"

#include "base/str.h"

#include <llvm-c/Core.h>

struct lowering;

enum layout_kind { LAYOUT_SCALAR, LAYOUT_PADDING, LAYOUT_ARRAY, LAYOUT_STRUCT };

struct layout_member {
    const struct layout *layout;
    uint64_t offset;
    uint32_t first_cell;
    int element; /* of the LLVM struct; -1 for padding */
};

struct layout {
    enum layout_kind kind;
    LLVMTypeRef type; /* NULL for padding */
    uint64_t size;    /* bytes, tail padding included */
    uint32_t n_cells;
    uint64_t count; /* array: elements, `member` is one of them */
    VEC(struct layout_member) members;
};

struct layouts {
    struct map of_type;
    VEC(struct layout *) list;
};

void layouts_free(struct layouts *layouts);
const struct layout *layout_of(struct lowering *lw, LLVMTypeRef type);

struct cell_place {
    uint32_t cell;
    uint64_t offset;
    uint32_t size;
    LLVMTypeRef type; /* NULL for padding */
};
struct cell_place layout_find(const struct layout *layout, uint64_t offset);
struct cell_place layout_cell(const struct layout *layout, uint32_t cell);
/* The array of `count` elements of `size` bytes at `offset`, and what it is an element of while
 * that is an array, too: the bytes lo .. hi. False: there is none. */
struct byte_range {
    uint64_t lo, hi;
};
bool layout_array(const struct layout *layout, uint64_t offset, uint64_t count, uint64_t size,
                  struct byte_range *range);
/* ".2[3].1": the path of a cell inside its object, appended */
void layout_path(const struct layout *layout, uint32_t cell, struct str *path);

#endif
