/* Calibration data that nobody has marked const: what speaks for it, in words for the user.
 *
 * A variable that the step reads and nothing writes is an input unless one of these signs is plain:
 * taking calibration data for an input only adds behaviour, taking an input for calibration data
 * would make dead what is not. */
#include "instrument/inputs/interface_parts.h"

#include <assert.h>
#include <ctype.h>
#include <strings.h>

enum { SHORTEST_TABLE = 4 };

/* `CAL float32 Kp;` where CAL puts it into a section of calibration data. */
static bool in_section(const struct unit *unit, CXCursor decl) {
    struct span span = unit_span(unit, decl);
    for (size_t i = span.begin; i + 7 < span.end; i++) {
        if (strncmp(unit->text + i, "section", 7) != 0)
            continue;
        for (size_t k = i; k + 3 < span.end && unit->text[k] != ';'; k++)
            if (strncasecmp(unit->text + k, "cal", 3) == 0)
                return true;
    }
    return false;
}

/* One of the words between underscores and dots: "lane_assist_cal.c", "Cal.Kp", "P_ctrl_T". */
static bool has_word(const char *text) {
    static const char *const words[] = {"cal",    "calib",     "calibration", "param",
                                        "params", "parameter", "parameters",  "kp",
                                        "ki",     "kd",        "calprm"};
    for (const char *p = text; *p;) {
        size_t len = strcspn(p, "_.[]->");
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strlen(words[i]) == len && strncasecmp(p, words[i], len) == 0)
                return true;
        p += len;
        p += strspn(p, "_.[]->");
    }
    return false;
}

/* "P_ctrl_T" holds the tunable parameters that Embedded Coder generates. */
static bool type_says(CXType type) {
    while (clang_getArrayElementType(type).kind != CXType_Invalid)
        type = clang_getArrayElementType(type);
    CXString spelling = clang_getTypeSpelling(clang_getUnqualifiedType(type));
    const char *name = clang_getCString(spelling);
    bool found = has_word(name) || (str_starts(name, "P_") && str_ends(name, "_T"));
    clang_disposeString(spelling);
    return found;
}

static bool file_says(const struct unit *unit, CXCursor decl) {
    const char *file = unit_place_of(unit, decl).file, *slash = strrchr(file, '/');
    return has_word(slash ? slash + 1 : file);
}

/* An array whose elements start with different values: nobody initialises signals like that. */
static bool is_table(const struct unit *unit, const struct object *o) {
    if (clang_getCanonicalType(o->type).kind != CXType_ConstantArray)
        return false;
    CXCursor list = clang_Cursor_getVarDeclInitializer(o->decl);
    struct cursors elements = {0};
    bool differ = false;
    if (list.kind == CXCursor_InitListExpr)
        cursor_children(list, &elements);
    for (size_t i = 1; i < elements.len && !differ; i++) {
        struct span a = unit_span(unit, elements.data[0]), b = unit_span(unit, elements.data[i]);
        differ = a.end - a.begin != b.end - b.begin ||
                 memcmp(unit->text + a.begin, unit->text + b.begin, a.end - a.begin) != 0;
    }
    differ = differ && elements.len >= SHORTEST_TABLE;
    vec_free(&elements);
    return differ;
}

const char *interface_calibration_sign(const struct interface *in, const struct cell *cell) {
    assert(cell->object != NOTHING);
    const struct object *o = &in->scan.objects.data[cell->object];
    const struct unit *unit = &in->units[o->unit];
    if (in_section(unit, o->decl))
        return "its section says that it is calibration data";
    if (!o->initialised)
        return NULL;
    if (has_word(cell->path))
        return "its name says that it is calibration data";
    if (type_says(o->type))
        return "its type says that it is calibration data";
    if (file_says(unit, o->decl))
        return "its file says that it holds calibration data";
    return is_table(unit, o) ? "it is a table: its elements start with different values" : NULL;
}
