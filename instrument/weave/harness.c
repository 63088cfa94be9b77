/* Sections in the order of the file; each input is set where the first reader can see it, and
 * before the initialisation only if that reads it. */
#include "instrument/weave/harness.h"

#include "instrument/weave/stubs.h"

#include <assert.h>
#include <string.h>

/* "gk_value >= -5 && gk_value <= 7"; empty when every value of the carrier is allowed. */
static void add_condition(const struct module_var *var, struct str *text) {
    struct scalar scalar = {var->type, var->bits}, carrier = scalar_carrier(scalar);
    struct range type = range_of_type(carrier);
    bool partial = carrier.bits != scalar.bits;
    bool low = var->min != type.min || partial, high = var->max != type.max || partial;
    if (scalar.type == TYPE_UNSIGNED && var->min == 0)
        low = false; /* always true: compilers warn */
    if (low) {
        str_add(text, "gk_value >= ");
        range_constant(scalar, var->min, text);
    }
    if (high) {
        str_add(text, low ? " && gk_value <= " : "gk_value <= ");
        range_constant(scalar, var->max, text);
    }
}

void harness_input(const struct interface *in, uint32_t id, const char *target, const char *indent,
                   struct str *text) {
    const struct module_var *var = &in->module->inputs.data[id];
    assert(id < in->module->inputs.len && target[0]);
    struct scalar carrier = scalar_carrier((struct scalar){var->type, var->bits});
    struct str condition = {0};
    add_condition(var, &condition);
    const char *suffix = scalar_suffix(carrier);
    if (condition.len == 0)
        str_addf(text, "%s%s = gk_input_%s(%uU);\n", indent, target, suffix, id);
    else
        str_addf(text,
                 "%s{\n%s    const %s gk_value = gk_input_%s(%uU);\n%s    gk_assume(%s);\n"
                 "%s    %s = gk_value;\n%s}\n",
                 indent, indent, scalar_c_type(carrier), suffix, id, indent, str_text(&condition),
                 indent, target, indent);
    str_free(&condition);
}

static void write_volatile(struct interface *in, const struct cell *cell) {
    assert(cell->role == CELL_VOLATILE && cell->input != NOTHING);
    const char *type = scalar_c_type(cell->leaf.scalar);
    str_addf(in->out, "%s gk_volatile_%u(void) {\n    %s gk_result;\n", type, cell->input, type);
    harness_input(in, cell->input, "gk_result", "    ", in->out);
    str_add(in->out, "    return gk_result;\n}\n");
}

/* Objects behind the pointers that the environment hands over. */
static void write_objects(struct interface *in) {
    for (size_t i = 0; i < in->scan.objects.len; i++) {
        const struct object *o = &in->scan.objects.data[i];
        if (o->kind != OBJECT_ARGUMENT)
            continue;
        struct str name = {0};
        str_add(&name, o->c_name);
        if (o->open_length)
            str_addf(&name, "[%u]", o->open_length);
        type_declare(o->type, str_text(&name), &in->type_names, in->out);
        str_add(in->out, ";\n");
        str_free(&name);
    }
}

static const char *address_of(struct interface *in, uint32_t object) {
    const struct object *o = &in->scan.objects.data[object];
    return arena_printf(&in->arena, "%s%s", o->open_length ? "" : "&", o->c_name);
}

/* Whether a function is there at all is a parameter, too. */
static void write_function_pointer(struct interface *in, struct made_pointer *made,
                                   const char *target, struct str *text) {
    const struct object *o = &in->scan.objects.data[made->object];
    const char *name = arena_printf(&in->arena, "gk_called_%zu", in->module->inputs.len);
    struct place place = unit_place_of(&in->units[o->unit], o->decl);
    struct module_var var = {
        .role = VAR_PARAMETER, .type = TYPE_BOOL, .bits = 1, .max = 1, .lsb = 1};
    var.path = arena_printf(&in->module->arena, "%s is set", interface_path(in, o, made->path));
    var.c_expr = arena_strdup(&in->module->arena, target);
    var.range_from = "type";
    var.file = arena_strdup(&in->module->arena, place.file);
    var.line = place.line;
    uint32_t id = interface_add_input(in, &var);
    made->input = id;
    made->stub = name;
    stubs_write_pointer(in, made, name);
    str_addf(text, "    %s = gk_input_b(%uU) ? %s : 0;\n", target, id, name);
}

static void set_pointers(struct interface *in, struct str *text) {
    for (size_t i = 0; i < in->made.len; i++) {
        struct made_pointer *made = &in->made.data[i];
        const struct object *o = &in->scan.objects.data[made->object];
        const char *target = arena_printf(&in->arena, "%s%s", o->c_name, made->path);
        if (made->function.kind != CXType_Invalid)
            write_function_pointer(in, made, target, text);
        else if (made->target != NOTHING)
            str_addf(text, "    %s = (void *)%s;\n", target, address_of(in, made->target));
    }
}

/* Of an object that varies the qualifiers are gone, but not those of the members of its type. */
static void set_cell(struct interface *in, const struct cell *cell, const char *indent,
                     struct str *text) {
    assert(cell->role == CELL_INPUT || cell->role == CELL_PARAMETER);
    const char *target = cell->c_expr;
    if (cell->leaf.is_const && !cell->leaf.bit_field && strchr(cell->leaf.path, '.'))
        target = arena_printf(&in->arena, "*(%s *)&%s", scalar_c_type(cell->leaf.scalar), target);
    harness_input(in, cell->input, target, indent, text);
}

static void set_parameters(struct interface *in, struct str *text) {
    for (size_t i = 0; i < in->cells.len; i++)
        if (in->cells.data[i].role == CELL_PARAMETER)
            set_cell(in, &in->cells.data[i], "    ", text);
}

/* What the environment has left before the init functions run. */
static void set_early_inputs(struct interface *in, struct str *text) {
    for (size_t i = 0; i < in->cells.len; i++)
        if (in->cells.data[i].early)
            set_cell(in, &in->cells.data[i], "    ", text);
}

static bool is_for_init(const struct cell *cell) {
    return cell->early && !(cell->touch & (STEP_READS | STEP_WRITES));
}

/* Those that the program writes to are set in every step, the others when they may have changed. */
static void set_inputs(struct interface *in) {
    struct str held = {0};
    for (size_t i = 0; i < in->cells.len; i++) {
        const struct cell *cell = &in->cells.data[i];
        if (cell->role == CELL_INPUT && cell->touch & STEP_WRITES)
            set_cell(in, cell, "    ", in->out);
        else if (cell->role == CELL_INPUT && !is_for_init(cell))
            set_cell(in, cell, "        ", &held);
    }
    if (held.len > 0)
        str_addf(in->out, "    if (!GK_HELD) {\n%s    }\n", str_text(&held));
    str_free(&held);
}

static void add_call(struct interface *in, uint32_t function, struct str *text) {
    assert(in->scan.functions.data[function].has_body);
    const struct routine *f = &in->scan.functions.data[function];
    const char *separator = "";
    bool is_void = clang_getCanonicalType(clang_getResultType(clang_getCursorType(f->decl))).kind ==
                   CXType_Void;
    str_addf(text, "    %s%s(", is_void ? "" : "(void)", f->c_name);
    for (size_t i = 0; i < in->arguments.len; i++) {
        const struct argument *a = &in->arguments.data[i];
        if (a->function != function)
            continue;
        str_add(text, separator);
        separator = ", ";
        if (a->object == NOTHING)
            str_add(text, "0");
        else
            str_add(text, a->by_value ? in->scan.objects.data[a->object].c_name
                                      : address_of(in, a->object));
    }
    str_add(text, ");\n");
}

static void add_assumption(const struct assumption *assumption, struct str *text) {
    str_addf(text, "    gk_assume((%s) ? 1 : 0);\n", assumption->text);
}

/* Whoever mentions an early input makes the other inputs early that it mentions: with values that
 * were never set, it would say something else. */
static void spread_early(struct interface *in, struct assumption *list, size_t n) {
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < n; i++) {
            bool early = list[i].early;
            for (size_t k = 0; k < list[i].cells.len && !early; k++)
                early = in->cells.data[list[i].cells.data[k]].early;
            if (early == list[i].early)
                continue;
            list[i].early = more = true;
            for (size_t k = 0; k < list[i].cells.len; k++) {
                struct cell *cell = &in->cells.data[list[i].cells.data[k]];
                cell->early |= cell->role == CELL_INPUT;
            }
        }
    }
}

static void note_early(struct interface *in) {
    for (size_t i = 0; i < in->cells.len; i++) {
        const struct cell *cell = &in->cells.data[i];
        if (!cell->early)
            continue;
        in->module->inputs.data[cell->input].early = true;
        in->module->inputs.data[cell->input].only_early = is_for_init(cell);
    }
}

static void write_init(struct interface *in, const struct assumption *list, size_t n) {
    struct str body = {0};
    set_pointers(in, &body); /* writes stubs, too: before gk_init */
    set_parameters(in, &body);
    set_early_inputs(in, &body);
    for (size_t i = 0; i < n; i++)
        if (!list[i].in_step || list[i].early)
            add_assumption(&list[i], &body);
    for (size_t i = 0; i < in->init.len; i++)
        add_call(in, in->init.data[i], &body);
    str_addf(in->out, "void gk_init(void);\nvoid gk_init(void) {\n%s}\n", str_text(&body));
    str_free(&body);
}

static void write_step(struct interface *in, const struct assumption *list, size_t n) {
    str_add(in->out, "void gk_step(void);\nvoid gk_step(void) {\n");
    set_inputs(in);
    for (size_t i = 0; i < n; i++)
        if (list[i].in_step)
            add_assumption(&list[i], in->out);
    add_call(in, in->step, in->out);
    str_add(in->out, "}\n");
}

static void write_all(struct interface *in, struct assumption *list, size_t n) {
    spread_early(in, list, n);
    note_early(in);
    str_add(in->out, HARNESS_MARK);
    str_add(in->out, "#ifndef GK_HELD\n#define GK_HELD 0\n#endif\n");
    write_objects(in);
    for (size_t i = 0; i < in->cells.len; i++)
        if (in->cells.data[i].role == CELL_VOLATILE)
            write_volatile(in, &in->cells.data[i]);
    for (size_t i = 0; i < in->volatiles.len; i++)
        if (in->volatiles.data[i].mixed)
            interface_write_mixed(in, &in->volatiles.data[i]);
    if (in->opaque_reads.len)
        str_add(in->out, "void gk_opaque(void) {\n}\n");
    stubs_write(in);
    write_init(in, list, n);
    write_step(in, list, n);
    harness_tables(in);
}

bool harness_write(struct interface *in, struct err *err) {
    size_t n = in->project->assumptions.len, done = 0;
    struct assumption *list = arena_array(&in->arena, struct assumption, n + 1);
    bool good = true;
    for (; good && done < n; done++)
        good = harness_assumption(in, in->project->assumptions.data[done], &list[done], err);
    if (good)
        write_all(in, list, n);
    for (size_t i = 0; i < done; i++)
        vec_free(&list[i].cells);
    return good;
}
