/* hoist: the names of the woven program.
 *
 * Everything that keeps a value gets a unique name at file scope: static locals move in front of
 * their function (with the local types they use), `static` goes away, what two units call alike is
 * renamed apart, and a function of the module whose name means another one to compilers gets a
 * name that means nothing. Objects that the sources only declare get a definition. All of it is
 * edits of the units; references are found through libclang, so shadowing does no harm, and new
 * names avoid every identifier of the units.
 *
 * Order of the calls:
 *     names_choose(&names, in);          // objects and functions get their c_name
 *     hoist_rename_types(&names, in);    // local types that move with a static
 *     types_merge(&names, in);           // several units: types that clash, declarations to drop
 *     names_edit(&names, in);            // references, declarations
 *     hoist_statics(&names, in);   // moves the text, with all edits made so far
 */
#ifndef INSTRUMENT_WEAVE_HOIST_H
#define INSTRUMENT_WEAVE_HOIST_H

#include "instrument/inputs/interface_parts.h"

struct names {
    struct arena arena;
    VEC(struct intern) words; /* all identifiers, a unit */
    struct intern made;       /* new names */
    struct map types;         /* unit and offset of a declaration -> index in type_names */
    VEC(const char *) type_names;
    struct str definitions; /* of what the sources only declare, for the harness */
};

void names_choose(struct names *names, struct interface *in);
void hoist_rename_types(struct names *names, struct interface *in);
void types_merge(struct names *names, struct interface *in);
void names_edit(struct names *names, struct interface *in);
void hoist_statics(struct names *names, struct interface *in);
void names_free(struct names *names);

/* Where text in front of a function goes: before its specifiers and the attributes before them. */
size_t before_function(const struct unit *unit, size_t function);
/* An identifier that no unit uses: "unit__name", "unit__name_2" … */
const char *names_unique(struct names *names, const char *prefix, const char *name);
/* The new name of a type or enumerator, NULL when it keeps its own. */
const char *names_type(const struct names *names, const struct interface *in, uint32_t unit,
                       CXCursor declaration);
void names_rename_type(struct names *names, const struct interface *in, uint32_t unit,
                       CXCursor declaration, const char *name);
/* The cursor stands at its own name: not so for `typedef struct { … } T`, which clang calls T. */
bool has_own_name(const struct unit *unit, CXCursor declaration);
/* "lane_assist" for "src/lane_assist.c", as an identifier. */
const char *unit_stem(struct interface *in, uint32_t unit);
bool unit_has_word(const struct names *names, uint32_t unit, const char *word);

#endif
