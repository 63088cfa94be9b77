/* The tables for the native runner, under GK_NATIVE. */
#include "instrument/weave/harness.h"

#include <assert.h>
#include <inttypes.h>

/* The canonical type of an array of constants is a constant array. */
static bool element_is_const(CXType type) {
    type = clang_getCanonicalType(type);
    while (!clang_isConstQualifiedType(type) &&
           (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray))
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    return clang_isConstQualifiedType(type) != 0;
}

static bool changes(enum cell_role role) {
    return role == CELL_INPUT || role == CELL_PARAMETER || role == CELL_POINTER ||
           role == CELL_STATE || role == CELL_OUTPUT;
}

/* Objects that can change: by their cells, and where cells are missing by their type. */
static bool *mutable_objects(struct interface *in) {
    bool *can = arena_array(&in->arena, bool, in->scan.objects.len + 1);
    for (size_t i = 0; i < in->scan.objects.len; i++) {
        const struct object *o = &in->scan.objects.data[i];
        can[i] = object_is_memory(o) && (o->kind == OBJECT_ARGUMENT || !element_is_const(o->type));
    }
    for (size_t i = 0; i < in->cells.len; i++)
        if (in->cells.data[i].object != NOTHING && changes(in->cells.data[i].role))
            can[in->cells.data[i].object] = true;
    return can;
}

static void write_regions(struct interface *in) {
    const bool *can = mutable_objects(in);
    size_t n = 0;
    str_add(in->out, "struct gk_region {\n    void *address;\n    unsigned size;\n};\n"
                     "extern const struct gk_region gk_regions[];\n"
                     "extern const unsigned gk_region_count;\n"
                     "const struct gk_region gk_regions[] = {\n");
    for (size_t i = 0; i < in->scan.objects.len; i++)
        if (can[i]) {
            const char *name = in->scan.objects.data[i].c_name;
            str_addf(in->out, "    {(void *)&%s, (unsigned)sizeof %s},\n", name, name);
            n++;
        }
    for (size_t i = 0; i < in->regions.len; i++, n++)
        str_addf(in->out, "    {(void *)&%s, (unsigned)sizeof %s},\n", in->regions.data[i],
                 in->regions.data[i]);
    if (n == 0)
        str_add(in->out, "    {0, 0U},\n");
    str_addf(in->out, "};\nconst unsigned gk_region_count = %zuU;\n", n);
}

static bool is_state(const struct cell *cell) {
    return cell->role == CELL_STATE || cell->role == CELL_OUTPUT;
}

static bool is_written_input(const struct cell *cell) {
    return cell->role == CELL_INPUT && (cell->touch & STEP_WRITES);
}

static void write_cell(struct interface *in, const struct cell *cell, size_t index) {
    const struct module_var *var = &in->module->state.data[index];
    assert(str_same(var->c_expr, cell->c_expr));
    if (cell->leaf.bit_field)
        str_addf(in->out, "    {0, '%c', %u, %zuU},\n", var->type, var->bits, index);
    else
        str_addf(in->out, "    {(void *)&%s, '%c', %u, %zuU},\n", var->c_expr, var->type, var->bits,
                 index);
}

static void write_cells(struct interface *in) {
    size_t n = 0;
    str_add(in->out, "struct gk_cell {\n    void *address;\n    char type;\n"
                     "    unsigned char bits;\n    unsigned id;\n};\n"
                     "extern const struct gk_cell gk_cells[];\n"
                     "extern const unsigned gk_cell_count;\n"
                     "const struct gk_cell gk_cells[] = {\n");
    for (size_t i = 0; i < in->cells.len; i++)
        if (is_state(&in->cells.data[i]))
            write_cell(in, &in->cells.data[i], n++);
    for (size_t i = 0; i < in->cells.len; i++)
        if (is_written_input(&in->cells.data[i]))
            write_cell(in, &in->cells.data[i], n++);
    assert(n == in->module->state.len);
    if (n == 0)
        str_add(in->out, "    {0, 'u', 0, 0U},\n");
    str_addf(in->out, "};\nconst unsigned gk_cell_count = %zuU;\n", n);
}

static void write_bit_field(struct interface *in, const struct cell *cell, size_t index) {
    assert(cell->leaf.bit_field && cell->leaf.scalar.bits < 64);
    uint64_t mask = (UINT64_C(1) << cell->leaf.scalar.bits) - 1;
    str_addf(in->out, "    case %zuU:\n        return (unsigned long long)%s & 0x%" PRIx64 "ULL;\n",
             index, cell->c_expr, mask);
}

/* Bytes of a cell are in the order of the host, which is little-endian. No name in it is one that
 * the sources may have. */
static void write_reader(struct interface *in) {
    str_add(in->out, "unsigned long long gk_cell_read(unsigned gk_index);\n"
                     "unsigned long long gk_cell_read(unsigned gk_index) {\n"
                     "    unsigned long long gk_bits = 0;\n"
                     "    const unsigned char *gk_bytes = gk_cells[gk_index].address;\n"
                     "    unsigned gk_i;\n"
                     "    switch (gk_index) {\n");
    size_t n = 0;
    for (size_t i = 0; i < in->cells.len; i++)
        if (is_state(&in->cells.data[i])) {
            if (in->cells.data[i].leaf.bit_field)
                write_bit_field(in, &in->cells.data[i], n);
            n++;
        }
    for (size_t i = 0; i < in->cells.len; i++)
        if (is_written_input(&in->cells.data[i])) {
            if (in->cells.data[i].leaf.bit_field)
                write_bit_field(in, &in->cells.data[i], n);
            n++;
        }
    str_add(in->out, "    default:\n        break;\n    }\n"
                     "    for (gk_i = 0; gk_i < (gk_cells[gk_index].bits + 7U) / 8U; gk_i++)\n"
                     "        gk_bits |= (unsigned long long)gk_bytes[gk_i] << (8U * gk_i);\n"
                     "    return gk_bits;\n}\n");
}

/* Only what has no address needs the program to set it. */
static void write_setter(struct interface *in) {
    size_t n = 0;
    str_add(in->out, "void gk_cell_write(unsigned gk_index, unsigned long long gk_bits);\n"
                     "void gk_cell_write(unsigned gk_index, unsigned long long gk_bits) {\n"
                     "    (void)gk_bits;\n"
                     "    switch (gk_index) {\n");
    for (int inputs = 0; inputs < 2; inputs++)
        for (size_t i = 0; i < in->cells.len; i++) {
            const struct cell *cell = &in->cells.data[i];
            if (!(inputs ? is_written_input(cell) : is_state(cell)))
                continue;
            if (cell->leaf.bit_field && !cell->leaf.is_const)
                str_addf(in->out, "    case %zuU:\n        %s = gk_bits;\n        break;\n", n,
                         cell->c_expr);
            n++;
        }
    assert(n == in->module->state.len);
    str_add(in->out, "    default:\n        break;\n    }\n}\n");
}

void harness_tables(struct interface *in) {
    str_add(in->out, "#ifdef GK_NATIVE\n");
    write_regions(in);
    write_cells(in);
    write_reader(in);
    write_setter(in);
    str_add(in->out, "#endif\n");
}
