/* fixture_write: see fixture.h.
 *
 * The harness of the woven program and the fixture say the same in two languages: names of the
 * woven program there, names of the sources here. Where a variable lives decides in which unit it
 * is set, so that static variables and types of that unit are in sight. Objects of the harness keep
 * their names. */
#include "instrument/weave/fixture_write.h"

#include "instrument/syntax/preprocess.h"

#include <assert.h>
#include <stdlib.h>

static const struct type_names as_written = {NULL, NULL};

struct writer {
    struct interface *in;
    struct fixture *fixture;
    struct fixture_names names;
    uint32_t unit; /* at hand */
    struct str *text;
};

static const struct object *object_at(const struct writer *w, uint32_t object) {
    assert(object < w->in->scan.objects.len);
    return &w->in->scan.objects.data[object];
}

static const char *name_of(const struct object *o) {
    return o->kind == OBJECT_ARGUMENT ? o->c_name : o->name;
}

static void limit(struct writer *w, uint32_t input, const char *why) {
    assert(input < w->in->module->inputs.len && why[0]);
    struct fixture_limit limit = {input, arena_strdup(&w->fixture->arena, why)};
    vec_push(&w->fixture->limits, limit);
}

static struct scalar scalar_in(const struct module_var *v) {
    return scalar_carrier((struct scalar){v->type, v->bits});
}

/* ---- what the sources only declare, or not at all ---- */

static bool at_file_scope(CXCursor decl) {
    return clang_getCursorLexicalParent(decl).kind == CXCursor_TranslationUnit;
}

static void define_missing(struct writer *w, const struct object *o) {
    const char *length = o->open_length ? arena_printf(&w->in->arena, "[%u]", o->open_length) : "";
    if (at_file_scope(o->decl)) {
        str_addf(w->text, "__typeof__(%s%s) %s%s;\n", o->name, *length ? "[0]" : "", o->name,
                 length);
        return;
    }
    CXType type = clang_getCanonicalType(o->type);
    if (*length)
        type = clang_getArrayElementType(type);
    str_addf(w->text, "extern ");
    type_declare(type, arena_printf(&w->in->arena, "%s%s", o->name, length), &as_written, w->text);
    str_add(w->text, ";\n");
    type_declare(type, arena_printf(&w->in->arena, "%s%s", o->name, length), &as_written, w->text);
    str_add(w->text, ";\n");
}

static void declare_object(struct writer *w, const struct object *o) {
    const char *name = o->open_length
                           ? arena_printf(&w->in->arena, "%s[%u]", o->c_name, o->open_length)
                           : o->c_name;
    type_declare(o->type, name, &as_written, w->text);
    str_add(w->text, ";\n");
}

static void write_objects(struct writer *w) {
    for (size_t i = 0; i < w->in->scan.objects.len; i++) {
        const struct object *o = &w->in->scan.objects.data[i];
        if (o->unit != w->unit)
            continue;
        if (o->kind == OBJECT_GLOBAL && !o->defined && o->used)
            define_missing(w, o);
        else if (o->kind == OBJECT_ARGUMENT)
            declare_object(w, o);
    }
}

/* ---- stubs ---- */

static size_t same_stub(const struct interface *in, const char *name, size_t end) {
    size_t n = 0;
    for (size_t i = 0; i < end; i++)
        n += str_same(in->stub_texts.data[i].name, name);
    return n;
}

static void limit_stub(struct writer *w, const struct stub_text *stub, const char *why) {
    for (uint32_t id = stub->first_input; id < stub->end_input; id++)
        limit(w, id, why);
}

static void write_stubs(struct writer *w) {
    for (size_t i = 0; i < w->in->stub_texts.len; i++) {
        const struct stub_text *stub = &w->in->stub_texts.data[i];
        if (stub->unit != w->unit)
            continue;
        size_t variants = same_stub(w->in, stub->name, w->in->stub_texts.len);
        if (stub->system)
            limit_stub(w, stub,
                       arena_printf(&w->in->arena, "'%s' belongs to the C library", stub->name));
        else if (variants > 1)
            limit_stub(w, stub,
                       arena_printf(&w->in->arena,
                                    "'%s' has no body and is given different buffers", stub->name));
        if (!stub->system && same_stub(w->in, stub->name, i) == 0)
            str_add(w->text, stub->text);
    }
}

/* ---- setting and comparing ---- */

static void function_open(struct writer *w, const char *name, const char *body) {
    if (*body)
        str_addf(w->text, "\nvoid %s(void);\nvoid %s(void)\n{\n%s}\n", name, name, body);
}

static void set_one(struct writer *w, const struct cell *cell, uint32_t input, struct str *body) {
    const struct object *o = object_at(w, cell->object);
    assert(input < w->names.inputs.len);
    if (o->kind == OBJECT_LOCAL_STATIC)
        limit(w, input, "a static variable of a function cannot be set from outside");
    else
        str_addf(body, "    %s%s = %s;\n", name_of(o), cell->leaf.path,
                 w->names.inputs.data[input]);
}

static void set_cells(struct writer *w, enum cell_role role, struct str *body) {
    for (size_t i = 0; i < w->in->cells.len; i++) {
        const struct cell *cell = &w->in->cells.data[i];
        if (cell->role == role && object_at(w, cell->object)->unit == w->unit)
            set_one(w, cell, cell->input, body);
    }
}

static void set_pointers(struct writer *w, struct str *body) {
    for (size_t i = 0; i < w->in->made.len; i++) {
        const struct made_pointer *made = &w->in->made.data[i];
        const struct object *o = object_at(w, made->object);
        if (o->unit != w->unit)
            continue;
        if (made->function.kind != CXType_Invalid) {
            str_addf(body, "    %s%s = %s ? %s : 0;\n", name_of(o), made->path,
                     w->names.inputs.data[made->input], made->stub);
        } else if (made->target != NOTHING) {
            const struct object *target = object_at(w, made->target);
            str_addf(body, "    %s%s = (void *)%s%s;\n", name_of(o), made->path,
                     target->open_length ? "" : "&", target->c_name);
        }
    }
}

static void write_parameters(struct writer *w) {
    struct str body = {0};
    set_pointers(w, &body);
    set_cells(w, CELL_PARAMETER, &body);
    function_open(w, arena_printf(&w->in->arena, "gk_parameters_%u", w->unit + 1), str_text(&body));
    str_free(&body);
}

static void write_inputs(struct writer *w) {
    struct str body = {0};
    set_cells(w, CELL_INPUT, &body);
    function_open(w, arena_printf(&w->in->arena, "gk_inputs_%u", w->unit + 1), str_text(&body));
    str_clear(&body);
    for (size_t i = 0; i < w->in->cells.len; i++) {
        const struct cell *cell = &w->in->cells.data[i];
        if (cell->early && object_at(w, cell->object)->unit == w->unit &&
            object_at(w, cell->object)->kind != OBJECT_LOCAL_STATIC)
            set_one(w, cell, cell->input, &body);
    }
    function_open(w, arena_printf(&w->in->arena, "gk_early_%u", w->unit + 1), str_text(&body));
    str_free(&body);
}

/* `#define Port (*gk_volatile_3())` turns the declaration `volatile unsigned short Port;` into that
 * of a function that returns a pointer, and each read into a call: it can give a new value. */
static void offer_reads(struct writer *w, const struct volatile_group *group, uint32_t input) {
    const struct object *o = object_at(w, group->object);
    const char *pattern = intern_text(&w->in->scan.patterns, group->pattern);
    struct scalar carrier = scalar_carrier(w->in->cells.data[group->cell].leaf.scalar);
    if (o->initialised || (o->kind != OBJECT_GLOBAL && o->kind != OBJECT_FILE_STATIC))
        return;
    struct str text = {0};
    str_addf(&text,
             "__typeof__(*gk_volatile_%u()) %s;\n__typeof__(&%s) gk_volatile_%u(void)\n{\n"
             "    %s next = gk_next_%s(%uU);\n",
             input, o->name, o->name, input, scalar_c_type(carrier), scalar_suffix(carrier), input);
    for (size_t i = 0; i < w->in->cells.len; i++) {
        const struct cell *cell = &w->in->cells.data[i];
        if (cell->object == group->object && cell->role != CELL_VOLATILE &&
            str_same(cell->leaf.pattern, pattern))
            str_addf(&text, "    %s%s = next;\n", o->name, cell->leaf.path);
    }
    str_addf(&text, "    return &%s;\n}\n\n", o->name);
    struct fixture_volatile offered = {.input = input, .unit = w->unit};
    offered.name = arena_strdup(&w->fixture->arena, o->name);
    offered.behind = arena_strdup(&w->fixture->arena, str_text(&text));
    vec_push(&w->fixture->volatiles, offered);
    str_free(&text);
}

/* A volatile object keeps one value for a step. Those that the program writes, too, cannot: what
 * it wrote would be read back. */
static void set_volatile(struct writer *w, const struct volatile_group *group, struct str *body) {
    uint32_t input = w->in->cells.data[group->cell].input;
    const char *pattern = intern_text(&w->in->scan.patterns, group->pattern);
    size_t set = 0;
    for (size_t i = 0; i < w->in->cells.len; i++) {
        const struct cell *cell = &w->in->cells.data[i];
        if (cell->object != group->object || cell->role == CELL_VOLATILE ||
            !str_same(cell->leaf.pattern, pattern))
            continue;
        if (cell->touch & (STEP_WRITES | INIT_WRITES)) {
            limit(w, input, "a volatile object that the program writes, too");
            return;
        }
        set_one(w, cell, input, body);
        set++;
    }
    if (set == 0)
        limit(w, input, "a volatile object that is no scalar");
    else
        offer_reads(w, group, input);
}

static void write_volatiles(struct writer *w) {
    struct str body = {0};
    for (size_t i = 0; i < w->in->volatiles.len; i++) {
        const struct volatile_group *group = &w->in->volatiles.data[i];
        if (group->object != NOTHING && object_at(w, group->object)->unit == w->unit)
            set_volatile(w, group, &body);
        else if (group->object == NOTHING && w->unit == 0)
            limit(w, w->in->cells.data[group->cell].input,
                  "a volatile object that is reached through a pointer");
    }
    function_open(w, arena_printf(&w->in->arena, "gk_volatiles_%u", w->unit + 1), str_text(&body));
    str_free(&body);
}

static void check_cell(struct writer *w, const struct cell *cell, size_t state, struct str *body) {
    assert(state < w->in->module->state.len && state < w->names.state.len);
    const struct module_var *v = &w->in->module->state.data[state];
    const char *name = w->names.state.data[state];
    const struct object *o = object_at(w, cell->object);
    if (!name || o->unit != w->unit || o->kind == OBJECT_LOCAL_STATIC)
        return;
    str_addf(body, "    gk_check_%s(\"%s\", %s%s, %s);\n", scalar_suffix(scalar_in(v)), v->path,
             name_of(o), cell->leaf.path, name);
}

/* The state of the module is listed like this, too: interface_module.c. */
static void write_outputs(struct writer *w) {
    struct str body = {0};
    size_t state = 0;
    for (size_t i = 0; i < w->in->cells.len; i++) {
        const struct cell *cell = &w->in->cells.data[i];
        if (cell->role == CELL_STATE || cell->role == CELL_OUTPUT)
            check_cell(w, cell, state++, &body);
    }
    for (size_t i = 0; i < w->in->cells.len; i++) {
        const struct cell *cell = &w->in->cells.data[i];
        if (cell->role == CELL_INPUT && (cell->touch & STEP_WRITES))
            check_cell(w, cell, state++, &body);
    }
    assert(state == w->in->module->state.len);
    function_open(w, arena_printf(&w->in->arena, "gk_outputs_%u", w->unit + 1), str_text(&body));
    str_free(&body);
}

/* ---- calls ---- */

static void write_call(struct writer *w, uint32_t function, const char *name) {
    const struct routine *f = &w->in->scan.functions.data[function];
    struct str call = {0};
    const char *separator = "";
    bool is_void = clang_getCanonicalType(clang_getResultType(clang_getCursorType(f->decl))).kind ==
                   CXType_Void;
    str_addf(&call, "    %s%s(", is_void ? "" : "(void)", f->name);
    for (size_t i = 0; i < w->in->arguments.len; i++) {
        const struct argument *a = &w->in->arguments.data[i];
        if (a->function != function)
            continue;
        const struct object *o = a->object == NOTHING ? NULL : object_at(w, a->object);
        str_addf(&call, "%s%s%s", separator, !o || a->by_value || o->open_length ? "" : "&",
                 o ? o->c_name : "0");
        separator = ", ";
        if (o && o->unit != w->unit) {
            str_add(w->text, "extern ");
            declare_object(w, o);
        }
    }
    str_add(&call, ");\n");
    function_open(w, name, str_text(&call));
    str_free(&call);
}

static void write_calls(struct writer *w) {
    const struct scan *scan = &w->in->scan;
    assert(w->in->step < scan->functions.len);
    for (size_t i = 0; i < w->in->init.len; i++)
        if (scan->functions.data[w->in->init.data[i]].unit == w->unit)
            write_call(w, w->in->init.data[i], arena_printf(&w->in->arena, "gk_init_%zu", i + 1));
    if (scan->functions.data[w->in->step].unit == w->unit)
        write_call(w, w->in->step, "gk_step");
}

/* ---- one unit ---- */

/* Parameters that are const in the sources: the test has to set them. */
static bool sets_constants(const struct interface *in) {
    for (size_t i = 0; i < in->cells.len; i++)
        if (in->cells.data[i].role == CELL_PARAMETER && in->cells.data[i].leaf.is_const &&
            in->scan.objects.data[in->cells.data[i].object].kind != OBJECT_ARGUMENT)
            return true;
    return false;
}

static bool has_main(const struct writer *w) {
    uint32_t id = scan_function(&w->in->scan, "main");
    return id != NOTHING && w->in->scan.functions.data[id].has_body &&
           w->in->scan.functions.data[id].unit == w->unit;
}

static bool write_unit(struct writer *w, struct err *err) {
    struct fixture_unit unit = {.source = ""};
    struct arena *arena = &w->fixture->arena;
    struct str before = {0}, behind = {0};
    unit.source = arena_strdup(arena, w->in->project->sources.data[w->unit]);
    bool good = preprocess_flags(w->in->project, unit.source, arena, &unit.flags, err);
    for (size_t i = 0; i < unit.flags.len; i++)
        unit.flags.data[i] = arena_strdup(arena, unit.flags.data[i]);
    if (sets_constants(w->in))
        str_add(&before, "#define const /* the test sets parameters that are const */\n");
    if (has_main(w))
        str_add(&before, "#define main gk_main_of_the_program\n");
    w->text = &behind;
    write_objects(w);
    write_stubs(w);
    write_parameters(w);
    write_inputs(w);
    write_volatiles(w);
    write_outputs(w);
    write_calls(w);
    if (has_main(w))
        str_add(&behind, "#undef main\n");
    unit.before = arena_strdup(arena, str_text(&before));
    unit.behind = arena_strdup(arena, str_text(&behind));
    vec_push(&w->fixture->units, unit);
    str_free(&before);
    str_free(&behind);
    return good;
}

static const char *absolute(struct fixture *fixture, const char *dir) {
    char *path = realpath(dir && *dir ? dir : ".", NULL);
    const char *copy = arena_strdup(&fixture->arena, path ? path : dir);
    free(path);
    return copy;
}

bool fixture_write(struct interface *in, struct fixture *fixture, struct err *err) {
    assert(fixture->units.len == 0 && in->project->sources.len == in->n_units);
    struct writer w = {.in = in, .fixture = fixture};
    bool good = true;
    fixture->dir = absolute(fixture, in->project->dir);
    fixture_names_make(&w.names, in->module);
    for (w.unit = 0; good && w.unit < in->n_units; w.unit++)
        good = write_unit(&w, err);
    fixture_names_free(&w.names);
    return good;
}
