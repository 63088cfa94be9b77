/* Constraints of the user: C expressions over C paths.
 *
 * Every path of a scalar becomes what the woven program calls it. The expression must have no side
 * effects, and clang must accept it: it is parsed behind the text of the step function's unit, with
 * a variable of the right type for each path. */
#include "instrument/weave/harness.h"
#include "instrument/syntax/lex.h"
#include "instrument/inputs/foreign.h"

#include "base/nearest.h"

#include <assert.h>
#include <ctype.h>

struct translation {
    struct interface *in;
    const char *source;
    size_t len;
    struct str woven;   /* in the words of the woven program */
    struct str checked; /* with a variable gk_v<cell> for each path */
    struct ids cells;
    bool in_step;
};

static bool bad(const struct translation *t, struct err *err, const char *what) {
    err_set(err, ERR_USAGE, "the assumption \"%s\" %s", t->source, what);
    if (t->in->project->file[0])
        err_at(err, t->in->project->file, 0, 0);
    return err_remedy(err, "assumptions are C conditions over inputs, parameters and state, such "
                           "as \"Sa1_Min <= Sa1_Max\"");
}

/* The length of a C path at `at`: words joined by "::", ".", "->", and constant indices. */
static size_t path_end(const char *text, size_t len, size_t at) {
    assert(at < len);
    size_t end = lex_at(text, len, at).end;
    for (;;) {
        size_t next = end + strspn(text + end, " ");
        size_t join = strncmp(text + next, "::", 2) == 0 || strncmp(text + next, "->", 2) == 0 ? 2
                      : text[next] == '.'                                                      ? 1
                                                                                               : 0;
        if (join) {
            struct lexeme word = lex_at(text, len, next + join);
            if (word.kind != LEX_WORD)
                return end;
            end = word.end;
            if (text[end] == '#') /* pid::x#2 */
                end += 1 + strspn(text + end + 1, "0123456789");
            continue;
        }
        if (text[next] != '[')
            return end;
        struct lexeme index = lex_at(text, len, next + 1);
        struct lexeme close = lex_at(text, len, index.end);
        if (index.kind != LEX_NUMBER || !lex_is(text, close, "]"))
            return end;
        end = close.end;
    }
}

static uint32_t find_cell(const struct interface *in, const char *path) {
    for (size_t i = 0; i < in->cells.len; i++)
        if (in->cells.data[i].role != CELL_VOLATILE && str_same(in->cells.data[i].path, path))
            return (uint32_t)i;
    return NOTHING;
}

static const char *without_space(struct interface *in, const char *begin, size_t len) {
    char *copy = arena_alloc(&in->arena, len + 1), *to = copy;
    for (size_t i = 0; i < len; i++)
        if (!isspace((unsigned char)begin[i]))
            *to++ = begin[i];
    return copy;
}

static void drop_star(struct str *s) {
    while (s->len > 0 && s->data[s->len - 1] == ' ')
        s->len--;
    assert(s->len > 0 && s->data[s->len - 1] == '*');
    s->data[--s->len] = '\0';
}

static void add_cell(struct translation *t, uint32_t id) {
    assert(id < t->in->cells.len && t->in->cells.data[id].c_expr);
    const struct cell *cell = &t->in->cells.data[id];
    str_addf(&t->woven, "%s", cell->c_expr);
    str_addf(&t->checked, "gk_v%u", id);
    t->in_step |= cell->role != CELL_PARAMETER && cell->role != CELL_FIXED;
    for (size_t i = 0; i < t->cells.len; i++)
        if (t->cells.data[i] == id)
            return;
    vec_push(&t->cells, id);
}

static bool unknown_path(struct translation *t, const char *path, struct err *err) {
    struct nearest near;
    nearest_init(&near, path);
    for (size_t i = 0; i < t->in->cells.len; i++)
        nearest_offer(&near, t->in->cells.data[i].path);
    bad(t, err,
        arena_printf(&t->in->arena, "names '%s', which is no scalar variable%s%s%s", path,
                     nearest_best(&near) ? "; did you mean '" : "",
                     nearest_best(&near) ? nearest_best(&near) : "",
                     nearest_best(&near) ? "'?" : ""));
    return false;
}

static bool names_object(const struct interface *in, const char *path) {
    for (size_t i = 0; i < in->scan.objects.len; i++)
        if (in->scan.objects.data[i].kind != OBJECT_LOCAL &&
            str_same(in->scan.objects.data[i].path, path))
            return true;
    return false;
}

/* A word: a path, or something that clang knows (a function of the library, an enumerator). */
static bool translate_word(struct translation *t, struct lexeme *l, bool after_star,
                           struct err *err) {
    size_t end = path_end(t->source, t->len, l->begin);
    const char *path = without_space(t->in, t->source + l->begin, end - l->begin);
    uint32_t cell = find_cell(t->in, path);
    if (cell == NOTHING && after_star) {
        cell = find_cell(t->in, arena_printf(&t->in->arena, "*%s", path));
        if (cell != NOTHING) {
            drop_star(&t->woven);
            drop_star(&t->checked);
        }
    }
    if (cell == NOTHING && (end != l->end || names_object(t->in, path)))
        return unknown_path(t, path, err);
    if (cell == NOTHING) {
        struct lexeme next = lex_at(t->source, t->len, l->end);
        if (lex_is(t->source, next, "(") && scan_function(&t->in->scan, path) == NOTHING) {
            if (!foreign_is_library(path))
                return bad(t, err,
                           arena_printf(&t->in->arena, "calls '%s', which is not declared", path));
            str_add(&t->woven, "__builtin_");
            str_add(&t->checked, "__builtin_");
        }
        str_addn(&t->woven, t->source + l->begin, l->end - l->begin);
        str_addn(&t->checked, t->source + l->begin, l->end - l->begin);
        return true;
    }
    if (t->in->cells.data[cell].leaf.scalar.type == TYPE_POINTER)
        return bad(t, err, "compares a pointer");
    add_cell(t, cell);
    l->end = end;
    return true;
}

static bool has_effect(const char *text, struct lexeme l) {
    char c = text[l.begin], next = text[l.begin + 1];
    char before = l.begin > 0 ? text[l.begin - 1] : ' ';
    if (c == '=')
        return next != '=' && !strchr("=<>!", before);
    return c == ';' || c == '{' || c == '}' || (c == '+' && next == '+') ||
           (c == '-' && next == '-');
}

static bool translate(struct translation *t, struct err *err) {
    bool after_star = false;
    for (struct lexeme l = lex_at(t->source, t->len, 0); l.kind != LEX_END;
         l = lex_at(t->source, t->len, l.end)) {
        if (l.kind == LEX_PUNCT && has_effect(t->source, l))
            return bad(t, err, "is not a plain condition");
        bool joined = l.begin > 0 && t->source[l.begin - 1] != ' ';
        if (!joined) {
            str_addc(&t->woven, ' ');
            str_addc(&t->checked, ' ');
        }
        if (l.kind == LEX_WORD) {
            if (!translate_word(t, &l, after_star, err))
                return false;
        } else if (l.kind != LEX_COMMENT) {
            str_addn(&t->woven, t->source + l.begin, l.end - l.begin);
            str_addn(&t->checked, t->source + l.begin, l.end - l.begin);
        }
        after_star = lex_is(t->source, l, "*");
    }
    return true;
}

/* NULL, or what clang says against it. */
static const char *parse_message(struct interface *in, const struct unit *unit,
                                 const struct str *text) {
    struct CXUnsavedFile file = {"gk-assumption.i", str_text(text), text->len};
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit tu = NULL;
    const char *message = NULL;
    if (clang_parseTranslationUnit2(index, file.Filename, unit->args.data, (int)unit->args.len,
                                    &file, 1, CXTranslationUnit_None, &tu) != CXError_Success)
        message = "clang failed";
    for (unsigned i = 0; tu && i < clang_getNumDiagnostics(tu) && !message; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        CXString spelling = clang_getDiagnosticSpelling(diagnostic);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            message = arena_strdup(&in->arena, clang_getCString(spelling));
        clang_disposeString(spelling);
        clang_disposeDiagnostic(diagnostic);
    }
    if (tu)
        clang_disposeTranslationUnit(tu);
    clang_disposeIndex(index);
    return message;
}

static bool check(struct translation *t, struct err *err) {
    const struct unit *unit = &t->in->units[t->in->scan.functions.data[t->in->step].unit];
    struct str text = {0};
    str_addn(&text, unit->text, unit->len);
    str_addc(&text, '\n');
    for (size_t i = 0; i < t->cells.len; i++) {
        uint32_t id = t->cells.data[i];
        str_addf(&text, "extern %s gk_v%u;\n", scalar_c_type(t->in->cells.data[id].leaf.scalar),
                 id);
    }
    str_addf(&text, "int gk_check(void);\nint gk_check(void) { return (%s) ? 1 : 0; }\n",
             str_text(&t->checked));
    const char *message = parse_message(t->in, unit, &text);
    str_free(&text);
    if (!message)
        return true;
    return bad(t, err, arena_printf(&t->in->arena, "is no C condition: %s", message));
}

bool harness_assumption(struct interface *in, const char *source, struct assumption *assumption,
                        struct err *err) {
    struct translation t = {.in = in, .source = source, .len = strlen(source)};
    bool good = translate(&t, err) && check(&t, err);
    assumption->text = arena_strdup(&in->arena, str_text(&t.woven));
    assumption->in_step = t.in_step || t.cells.len == 0;
    assumption->early = false;
    assumption->cells = t.cells;
    str_free(&t.woven);
    str_free(&t.checked);
    return good;
}
