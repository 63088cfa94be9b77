#include "app/project/read.h"

#include "base/str.h"

#include <assert.h>
#include <ctype.h>
#include <stddef.h>
#include <string.h>

#define OFFSET_SCOPE_PROJECT(field) offsetof(struct project, field)
#define OFFSET_SCOPE_BUDGET(field) offsetof(struct project, field)
#define OFFSET_SCOPE_INPUT(field) offsetof(struct project_var, field)
#define OFFSET_SCOPE_PARAMETER(field) offsetof(struct project_var, field)

static const struct key_row keys[] = {
#define KEY(scope, field, name, kind, choices, about)                                              \
    {SCOPE_##scope, KEY_##kind, name, choices, about, OFFSET_SCOPE_##scope(field)},
#include "app/project/keys.def"
#undef KEY
};

const struct key_row *project_keys(size_t *n) {
    *n = sizeof keys / sizeof *keys;
    return keys;
}

bool project_key_required(const struct key_row *row) {
    assert(row->kind < KEY_KINDS);
    return row->kind == KEY_PATH || row->kind == KEY_NAME ||
           (row->kind == KEY_TEXTS && str_same(row->name, "sources"));
}

/* Length of the identifier at the start of text, 0: none. */
static size_t identifier(const char *text) {
    size_t n = 0;
    if (isdigit((unsigned char)text[0]))
        return 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    return n;
}

bool project_is_identifier(const char *name) {
    size_t n = identifier(name);
    return n > 0 && name[n] == '\0';
}

/* Length of "[digits]" or "[]", every element; 0: no such thing. */
static size_t subscript(const char *text) {
    assert(text[0] == '[');
    size_t n = 1 + strspn(text + 1, "0123456789");
    return text[n] == ']' ? n + 1 : 0;
}

/* identifier [:: identifier] { .identifier | ->identifier | [digits] } */
/* "#2": the second of this name */
static size_t ordinal(const char *text) {
    size_t digits = text[0] == '#' ? strspn(text + 1, "0123456789") : 0;
    return digits > 0 && text[1] != '0' ? 1 + digits : 0;
}

bool project_is_path(const char *name) {
    size_t n = identifier(name);
    if (n > 0 && str_starts(name + n, "::")) {
        name += n + 2;
        n = identifier(name);
        n += n > 0 ? ordinal(name + n) : 0;
    }
    for (name += n; n > 0 && *name; name += n) {
        size_t skip = *name == '.' ? 1 : str_starts(name, "->") ? 2 : 0;
        name += skip;
        n = skip ? identifier(name) : *name == '[' ? subscript(name) : 0;
    }
    return n > 0;
}

bool project_is_exclude(const char *text) {
    const char *colon = strchr(text, ':');
    return colon && colon[1] != '\0' &&
           (str_starts(text, "functions:") || str_starts(text, "files:"));
}
