/* Choosing names. */
#include "instrument/weave/hoist.h"

#include "instrument/syntax/lex.h"
#include "instrument/weave/known_names.h"
#include "instrument/inputs/foreign.h"

#include <assert.h>
#include <ctype.h>

static void collect_words(struct intern *words, const struct unit *unit) {
    struct str word = {0};
    for (struct lexeme l = lex_at(unit->text, unit->len, 0); l.kind != LEX_END;
         l = lex_at(unit->text, unit->len, l.end)) {
        if (l.kind != LEX_WORD)
            continue;
        str_clear(&word);
        str_addn(&word, unit->text + l.begin, l.end - l.begin);
        intern_id(words, str_text(&word));
    }
    str_free(&word);
}

bool unit_has_word(const struct names *names, uint32_t unit, const char *word) {
    assert(unit < names->words.len);
    return intern_find(&names->words.data[unit], word) != INTERN_NONE;
}

static bool is_taken(const struct names *names, const char *word) {
    for (uint32_t i = 0; i < names->words.len; i++)
        if (unit_has_word(names, i, word))
            return true;
    return intern_find(&names->made, word) != INTERN_NONE;
}

const char *names_unique(struct names *names, const char *prefix, const char *name) {
    assert(names->words.len > 0 && name[0]);
    const char *made = arena_printf(&names->arena, "%s__%s", prefix, name);
    for (unsigned n = 2; is_taken(names, made); n++)
        made = arena_printf(&names->arena, "%s__%s_%u", prefix, name, n);
    intern_id(&names->made, made);
    return made;
}

const char *unit_stem(struct interface *in, uint32_t unit) {
    const char *source = in->units[unit].source;
    const char *base = strrchr(source, '/');
    char *stem = arena_strdup(&in->arena, base ? base + 1 : source);
    char *dot = strrchr(stem, '.');
    if (dot)
        *dot = '\0';
    for (char *p = stem; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '_')
            *p = '_';
    return isdigit((unsigned char)stem[0]) ? arena_printf(&in->arena, "u%s", stem) : stem;
}

static bool is_used_elsewhere(const struct names *names, uint32_t unit, const char *word) {
    for (uint32_t i = 0; i < names->words.len; i++)
        if (i != unit && unit_has_word(names, i, word))
            return true;
    return false;
}

static uint64_t type_key(const struct interface *in, uint32_t unit, CXCursor declaration) {
    assert(unit < in->n_units);
    CXCursor first = clang_getCanonicalCursor(declaration);
    size_t offset = unit_offset(&in->units[unit], clang_getCursorLocation(first));
    return (uint64_t)unit << 40 | offset;
}

const char *names_type(const struct names *names, const struct interface *in, uint32_t unit,
                       CXCursor declaration) {
    if (names->types.len == 0)
        return NULL;
    const uint32_t *index = map_get(&names->types, type_key(in, unit, declaration));
    return index ? names->type_names.data[*index] : NULL;
}

bool has_own_name(const struct unit *unit, CXCursor declaration) {
    CXString name = clang_getCursorSpelling(declaration);
    size_t offset = unit_offset(unit, clang_getCursorLocation(declaration));
    struct lexeme word = lex_at(unit->text, unit->len, offset);
    bool own = word.kind == LEX_WORD && lex_is(unit->text, word, clang_getCString(name));
    clang_disposeString(name);
    return own;
}

void names_rename_type(struct names *names, const struct interface *in, uint32_t unit,
                       CXCursor declaration, const char *name) {
    vec_push(&names->type_names, name);
    uint32_t index = (uint32_t)names->type_names.len - 1;
    map_put(&names->types, type_key(in, unit, declaration), index);
    if (declaration.kind != CXCursor_TypedefDecl)
        return;
    CXCursor record = clang_getTypeDeclaration(
        clang_getCanonicalType(clang_getTypedefDeclUnderlyingType(declaration)));
    if (record.kind != CXCursor_NoDeclFound && !has_own_name(&in->units[unit], record))
        map_put(&names->types, type_key(in, unit, record), index);
}

static void choose_object(struct names *names, struct interface *in, struct object *o) {
    if (o->kind == OBJECT_LOCAL_STATIC) {
        const struct routine *f = &in->scan.functions.data[o->function];
        o->c_name = names_unique(names, f->name, o->name);
    } else if (o->kind == OBJECT_FILE_STATIC && is_used_elsewhere(names, o->unit, o->name)) {
        o->c_name = names_unique(names, unit_stem(in, o->unit), o->name);
        o->path = arena_printf(&in->arena, "%s::%s", unit_stem(in, o->unit), o->name);
    } else if ((o->kind == OBJECT_FILE_STATIC || o->kind == OBJECT_GLOBAL) &&
               name_in_c_library(o->name)) {
        o->c_name = names_unique(names, "own", o->name);
    }
}

/* Must the function have another name, so that nobody takes it for one of the C library? */
static bool hides_library(const struct routine *f) {
    return f->has_body ? name_is_known(f->name) || name_in_c_library(f->name)
                       : !foreign_is_library(f->name) && name_in_c_library(f->name);
}

void names_choose(struct names *names, struct interface *in) {
    assert(names->words.len == 0);
    for (size_t i = 0; i < in->n_units; i++) {
        struct intern words = {0};
        collect_words(&words, &in->units[i]);
        vec_push(&names->words, words);
    }
    for (size_t i = 0; i < in->scan.objects.len; i++)
        choose_object(names, in, &in->scan.objects.data[i]);
    for (size_t i = 0; i < in->scan.functions.len; i++) {
        struct routine *f = &in->scan.functions.data[i];
        if (hides_library(f))
            f->c_name = names_unique(names, "own", f->name);
        else if (f->is_static && is_used_elsewhere(names, f->unit, f->name))
            f->c_name = names_unique(names, unit_stem(in, f->unit), f->name);
    }
}

void names_free(struct names *names) {
    for (size_t i = 0; i < names->words.len; i++)
        intern_free(&names->words.data[i]);
    vec_free(&names->words);
    vec_free(&names->type_names);
    intern_free(&names->made);
    map_free(&names->types);
    str_free(&names->definitions);
    arena_free(&names->arena);
}
