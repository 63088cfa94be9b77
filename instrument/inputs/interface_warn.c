/* What may make this another program than the user means: no inputs, variables that nobody writes
 * and nobody has named, functions without a body. None of it is an error; each changes verdicts. */
#include "instrument/inputs/interface_parts.h"
#include "instrument/inputs/foreign.h"

#include <assert.h>
#include <stdarg.h>

enum { MOST_NAMES = 20 };

/* Names for one message, each once. */
struct list {
    struct str text;
    struct intern seen;
};

static void list_add(struct list *list, const char *name, size_t len) {
    struct str one = {0};
    str_addn(&one, name, len);
    size_t before = list->seen.texts.len;
    bool is_new = intern_id(&list->seen, str_text(&one)) == before;
    if (is_new && before < MOST_NAMES)
        str_addf(&list->text, "%s%s", before ? ", " : "", str_text(&one));
    str_free(&one);
}

static void warn(struct interface *in, struct list *list, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* `format` stands before the names; the list is empty afterwards. */
static void warn(struct interface *in, struct list *list, const char *format, ...) {
    struct str text = {0};
    size_t n = list->seen.texts.len;
    va_list args;
    va_start(args, format);
    str_vaddf(&text, format, args);
    va_end(args);
    str_add(&text, str_text(&list->text));
    if (n > MOST_NAMES)
        str_addf(&text, " … and %zu more", n - MOST_NAMES);
    if (n > 0)
        vec_push(&in->module->warnings, arena_strdup(&in->module->arena, str_text(&text)));
    str_free(&text);
    str_free(&list->text);
    intern_free(&list->seen);
    *list = (struct list){0};
}

/* Read, written by nobody while steps run, and not mentioned in the project. */
static bool is_unnamed(const struct interface *in, const struct cell *cell) {
    if (cell->object == NOTHING || cell->named != NOTHING ||
        cell->leaf.scalar.type == TYPE_POINTER || cell->leaf.is_const || cell->leaf.is_volatile)
        return false;
    const struct object *o = &in->scan.objects.data[cell->object];
    bool global = o->kind == OBJECT_GLOBAL || o->kind == OBJECT_FILE_STATIC;
    bool written = (cell->touch & STEP_WRITES) ||
                   (o->kind == OBJECT_FILE_STATIC && (cell->touch & INIT_WRITES));
    return global && !written && (cell->touch & (STEP_READS | INIT_READS));
}

static void warn_unnamed(struct interface *in, enum cell_role role, const char *taken) {
    struct list list = {0};
    for (size_t i = 0; i < in->cells.len; i++) {
        const struct cell *cell = &in->cells.data[i];
        enum cell_role as = cell->role == CELL_OUTPUT ? CELL_STATE : cell->role;
        if (as == role && is_unnamed(in, cell)) /* an array is one name */
            list_add(&list, cell->path, strcspn(cell->path, "["));
    }
    warn(
        in, &list,
        "read and never written, yet named neither under \"inputs\" nor under \"parameters\", %s: ",
        taken);
}

/* Stubs count: much code asks functions of its environment for what it reads. */
static bool has_inputs(const struct module *module) {
    for (size_t i = 0; i < module->inputs.len; i++)
        if (module->inputs.data[i].role != VAR_PARAMETER)
            return true;
    return false;
}

static void warn_no_inputs(struct interface *in) {
    static const char text[] =
        "the module has no inputs: nothing comes from outside, and what depends on a variable that "
        "keeps its value will be dead; name the inputs in the project file (goalkeeper init lists "
        "what may be one)";
    if (!has_inputs(in->module))
        vec_push(&in->module->warnings, arena_strdup(&in->module->arena, text));
}

static void warn_stubs(struct interface *in) {
    struct list list = {0};
    for (size_t i = 0; i < in->scan.functions.len; i++) {
        const struct routine *f = &in->scan.functions.data[i];
        if (!foreign_needs_stub(f) || foreign_ends_run(f->name))
            continue;
        list_add(&list, f->name, strlen(f->name));
        if (!clang_Location_isInSystemHeader(clang_getCursorLocation(f->decl)))
            vec_push(
                &in->module->beliefs,
                arena_printf(&in->module->arena, "%s changes no variable of the module", f->name));
    }
    warn(in, &list,
         "called without a body (each returns any value and changes no variable of the module "
         "except through its arguments; add the sources that define them): ");
}

/* What the compiler believes of it, too; each statement is listed with its place. */
static void believe_assembly(struct interface *in) {
    struct module *m = in->module;
    for (size_t i = 0; i < in->scan.functions.len; i++) {
        const struct routine *f = &in->scan.functions.data[i];
        if (f->has_assembly && (f->by_step || f->by_init))
            vec_push(
                &m->beliefs,
                arena_printf(&m->arena, "the assembly in %s writes its outputs only", f->name));
    }
    if (in->scan.has_assembly)
        vec_push(&m->beliefs,
                 "the assembly outside of functions changes no variable of the module");
}

static bool is_inexact(const char *flag) {
    static const char *const flags[] = {"-ffast-math", "-ffinite-math-only",
                                        "-funsafe-math-optimizations", "-Ofast"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (str_same(flag, flags[i]))
            return true;
    return false;
}

/* These let compilers compute something else than what is written, each in its own way. */
static void warn_inexact_floats(struct interface *in) {
    struct list list = {0};
    for (uint32_t u = 0; u < in->n_units; u++)
        for (size_t i = 0; i < in->units[u].args.len; i++)
            if (is_inexact(in->units[u].args.data[i])) {
                list_add(&list, in->units[u].source, strlen(in->units[u].source));
                break;
            }
    warn(in, &list,
         "compiled with -ffast-math or the like, which is not followed: floating-point numbers are "
         "those of IEEE 754 here, and verdicts that depend on them may not hold for: ");
}

void interface_warn(struct interface *in) {
    assert(in->module && in->module->warnings.len == 0);
    warn_no_inputs(in);
    warn_unnamed(in, CELL_INPUT, "taken as inputs");
    warn_unnamed(in, CELL_PARAMETER, "taken as parameters with any value");
    warn_unnamed(in, CELL_STATE, "kept at what they start with");
    warn_stubs(in);
    believe_assembly(in);
    warn_inexact_floats(in);
}
