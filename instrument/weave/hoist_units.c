/* Several units as one text: types that they share are declared once, what only looks alike is
 * renamed apart.
 *
 * A declaration of a later unit whose tokens an earlier unit has, too, is dropped, unless it
 * mentions a name that this unit had to rename. Any other type, tag or enumerator whose name an
 * earlier unit uses for something else gets a name of its own. Renaming can make a declaration
 * differ that looked the same, so this is repeated until nothing changes. */
#include "instrument/weave/hoist.h"
#include "instrument/syntax/lex.h"

#include <assert.h>

/* One declaration at file scope that declares types. */
struct group {
    size_t begin, end;    /* with the semicolon */
    uint64_t print;       /* of its tokens */
    struct cursors names; /* tags, typedefs, enumerators that it introduces */
    bool only_types;      /* it can be dropped */
    bool dropped, renamed;
};

VEC_STRUCT(groups, struct group);

struct merge {
    struct names *names;
    struct interface *in;
    struct intern known;  /* "tag S", "name T" */
    VEC(uint64_t) prints; /* of the declaration of known names; 0: objects and functions */
    const struct unit *unit;
    uint32_t number;
    struct groups groups;
    struct intern renamed; /* words that this unit renames */
};

static bool is_type(enum CXCursorKind kind) {
    return kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl || kind == CXCursor_EnumDecl ||
           kind == CXCursor_TypedefDecl;
}

static enum CXChildVisitResult add_names(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct merge *m = data;
    bool introduces = cursor.kind == CXCursor_EnumConstantDecl ||
                      cursor.kind == CXCursor_TypedefDecl ||
                      (is_type(cursor.kind) && clang_isCursorDefinition(cursor));
    if (introduces && has_own_name(m->unit, cursor))
        vec_push(&vec_last(&m->groups).names, cursor);
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult add_top(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct merge *m = data;
    struct span span = unit_span(m->unit, cursor);
    bool joins = m->groups.len > 0 && span.begin < vec_last(&m->groups).end;
    if (!joins) {
        struct group group = {.begin = span.begin, .end = span.end, .only_types = true};
        vec_push(&m->groups, group);
    }
    struct group *group = &vec_last(&m->groups);
    if (span.end > group->end)
        group->end = span.end;
    if (span.begin < group->begin) /* `typedef struct { … } T`: the struct comes first */
        group->begin = span.begin;
    bool definition =
        cursor.kind == CXCursor_FunctionDecl ||
        (cursor.kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(cursor) != CX_SC_Extern);
    group->only_types &= !definition;
    add_names(cursor, parent, m);
    if (cursor.kind != CXCursor_FunctionDecl)
        clang_visitChildren(cursor, add_names, m);
    return CXChildVisit_Continue;
}

static void take_print(const struct merge *m, struct group *group) {
    assert(group->begin < group->end && group->end <= m->unit->len);
    uint64_t hash = 1;
    struct lexeme l = lex_at(m->unit->text, m->unit->len, group->begin);
    for (; l.kind != LEX_END && l.begin < group->end;
         l = lex_at(m->unit->text, m->unit->len, l.end))
        if (l.kind != LEX_COMMENT && l.kind != LEX_DIRECTIVE)
            hash = hash_mix(hash, hash_bytes(m->unit->text + l.begin, l.end - l.begin));
    while (l.kind == LEX_COMMENT || l.kind == LEX_DIRECTIVE)
        l = lex_at(m->unit->text, m->unit->len, l.end);
    if (l.kind == LEX_PUNCT && m->unit->text[l.begin] == ';')
        group->end = l.end;
    else
        group->only_types = false;
    group->print = hash | 1;
}

static const char *known_key(struct merge *m, CXCursor cursor) {
    bool tag = is_type(cursor.kind) && cursor.kind != CXCursor_TypedefDecl;
    const char *name = cursor_name(cursor, &m->names->arena);
    return arena_printf(&m->names->arena, "%s %s", tag ? "tag" : "name", name);
}

static void know(struct merge *m, const char *key, uint64_t print) {
    assert(m->prints.len == m->known.texts.len);
    uint32_t id = intern_id(&m->known, key);
    if (id == m->prints.len)
        vec_push(&m->prints, print);
}

/* 0: unknown so far; 1: the same declaration; 2: something else. */
static int compare_known(struct merge *m, const char *key, uint64_t print) {
    uint32_t id = intern_find(&m->known, key);
    if (id == INTERN_NONE)
        return 0;
    return m->prints.data[id] == print ? 1 : 2;
}

static bool mentions_renamed(const struct merge *m, const struct group *group) {
    struct str word = {0};
    bool found = false;
    for (struct lexeme l = lex_at(m->unit->text, m->unit->len, group->begin);
         l.kind != LEX_END && l.begin < group->end && m->renamed.texts.len > 0 && !found;
         l = lex_at(m->unit->text, m->unit->len, l.end)) {
        str_clear(&word);
        str_addn(&word, m->unit->text + l.begin, l.end - l.begin);
        found = l.kind == LEX_WORD && intern_find(&m->renamed, str_text(&word)) != INTERN_NONE;
    }
    str_free(&word);
    return found;
}

/* True when one of its names got a new name. */
static bool rename_clashes(struct merge *m, struct group *group) {
    assert(!group->dropped);
    bool changed = false;
    for (size_t i = 0; i < group->names.len; i++) {
        CXCursor cursor = group->names.data[i];
        if (compare_known(m, known_key(m, cursor), group->print) == 0 ||
            names_type(m->names, m->in, m->number, cursor))
            continue;
        const char *name = cursor_name(cursor, &m->names->arena);
        intern_id(&m->renamed, name);
        names_rename_type(m->names, m->in, m->number, cursor,
                          names_unique(m->names, unit_stem(m->in, m->number), name));
        changed = true;
    }
    return changed;
}

static bool decide_group(struct merge *m, struct group *group) {
    if (group->names.len == 0)
        return false;
    bool same = group->only_types, clash = false;
    for (size_t i = 0; i < group->names.len; i++) {
        int state = compare_known(m, known_key(m, group->names.data[i]), group->print);
        same &= state == 1;
        clash |= state != 0;
    }
    same &= !mentions_renamed(m, group);
    bool changed = group->dropped != same;
    group->dropped = same;
    return (clash && !same && rename_clashes(m, group)) || changed;
}

static void finish_unit(struct merge *m) {
    for (size_t i = 0; i < m->groups.len; i++) {
        struct group *group = &m->groups.data[i];
        if (group->dropped)
            edits_replace(&m->in->edits[m->number], group->begin, group->end, "");
        for (size_t k = 0; k < group->names.len; k++)
            know(m, known_key(m, group->names.data[k]), group->print);
        vec_free(&group->names);
    }
    vec_clear(&m->groups);
    intern_free(&m->renamed);
}

static void merge_unit(struct merge *m, uint32_t number) {
    m->number = number;
    m->unit = &m->in->units[number];
    clang_visitChildren(clang_getTranslationUnitCursor(m->unit->tu), add_top, m);
    for (size_t i = 0; i < m->groups.len; i++)
        take_print(m, &m->groups.data[i]);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < m->groups.len; i++)
            changed |= decide_group(m, &m->groups.data[i]);
    }
    finish_unit(m);
}

void types_merge(struct names *names, struct interface *in) {
    struct merge m = {.names = names, .in = in};
    if (in->n_units == 1)
        return;
    for (size_t i = 0; i < in->scan.objects.len; i++) {
        const struct object *o = &in->scan.objects.data[i];
        if (o->kind == OBJECT_GLOBAL || o->kind == OBJECT_FILE_STATIC)
            know(&m, arena_printf(&names->arena, "name %s", o->c_name), 0);
    }
    for (size_t i = 0; i < in->scan.functions.len; i++) {
        const char *name = in->scan.functions.data[i].c_name;
        know(&m, arena_printf(&names->arena, "name %s", name), 0);
    }
    for (uint32_t i = 0; i < in->n_units; i++)
        merge_unit(&m, i);
    intern_free(&m.known);
    vec_free(&m.prints);
    vec_free(&m.groups);
}
