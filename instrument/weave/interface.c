#include "instrument/weave/interface.h"

#include "instrument/weave/fixture_write.h"
#include "instrument/weave/harness.h"
#include "instrument/weave/hoist.h"
#include "instrument/weave/orders.h"
#include "instrument/inputs/interface_notes.h"
#include "instrument/inputs/interface_parts.h"

#include <assert.h>

struct naming {
    const struct names *names;
    const struct interface *in;
};

/* Types of the harness may come from any unit. */
static const char *type_in_woven(const void *context, CXCursor declaration) {
    const struct naming *naming = context;
    CXTranslationUnit tu = clang_Cursor_getTranslationUnit(declaration);
    for (uint32_t i = 0; i < naming->in->n_units; i++)
        if (naming->in->units[i].tu == tu)
            return names_type(naming->names, naming->in, i, declaration);
    return NULL;
}

/* Volatile reads are edited before statics move: a moved text takes its edits along. */
static bool write_out(struct interface *in, struct names *names, struct err *err) {
    assert(in->out && in->module);
    orders_weave(in);
    hoist_rename_types(names, in);
    types_merge(names, in);
    names_edit(names, in);
    interface_name_cells(in);
    interface_fill_module(in);
    interface_edit_volatiles(in);
    hoist_statics(names, in);
    str_add(in->out, str_text(&names->definitions));
    if (!harness_write(in, err))
        return false;
    interface_warn(in);
    if (in->front.len)
        edits_open(&in->edits[0], 0, in->units[0].len, str_text(&in->front));
    return true;
}

bool interface_weave(const struct project *project, struct unit *units, size_t n,
                     struct edits *edits, struct module *module, struct str *harness,
                     struct goals *goals, struct fixture *fixture, struct err *err) {
    assert(n > 0);
    struct names names = {0};
    struct interface in = {.project = project, .units = units, .n_units = n, .edits = edits};
    struct naming naming = {&names, &in};
    in.module = module;
    in.goals = goals;
    in.out = harness;
    in.type_names = (struct type_names){type_in_woven, &naming};
    scan_units(&in.scan, units, n, goals);
    names_choose(&names, &in);
    bool good = interface_explore(&in, err) && write_out(&in, &names, err) &&
                fixture_write(&in, fixture, err);
    interface_release(&in);
    names_free(&names);
    return good;
}

static bool report_misfit(CXDiagnostic diagnostic, struct err *err) {
    CXString spelling = clang_getDiagnosticSpelling(diagnostic), file;
    unsigned line, col;
    clang_getPresumedLocation(clang_getDiagnosticLocation(diagnostic), &file, &line, &col);
    err_set(err, ERR_SOURCE, "the sources do not fit together: %s", clang_getCString(spelling));
    err_at(err, clang_getCString(file), (int)line, (int)col);
    err_remedy(err, "all sources of a module must declare what they share alike, and define it "
                    "once; what is not linked together belongs into projects of its own");
    clang_disposeString(spelling);
    clang_disposeString(file);
    return false;
}

bool interface_check_fit(const struct unit *unit, const struct str *text, struct err *err) {
    struct CXUnsavedFile file = {"gk-woven.i", str_text(text), text->len};
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit tu = NULL;
    bool good = true;
    if (clang_parseTranslationUnit2(index, file.Filename, unit->args.data, (int)unit->args.len,
                                    &file, 1, CXTranslationUnit_None, &tu) != CXError_Success)
        good = err_set(err, ERR_INTERNAL, "libclang failed on the woven program");
    for (unsigned i = 0; good && i < clang_getNumDiagnostics(tu); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            good = report_misfit(diagnostic, err);
        clang_disposeDiagnostic(diagnostic);
    }
    if (tu)
        clang_disposeTranslationUnit(tu);
    clang_disposeIndex(index);
    return good;
}
