/* Names of the variables that a test sets and compares. */
#include "instrument/weave/fixture.h"

#include "base/map.h"

#include <assert.h>
#include <ctype.h>

void fixture_free(struct fixture *fixture) {
    for (size_t i = 0; i < fixture->units.len; i++)
        vec_free(&fixture->units.data[i].flags);
    vec_free(&fixture->units);
    vec_free(&fixture->volatiles);
    vec_free(&fixture->limits);
    arena_free(&fixture->arena);
}

/* "Bus.Tab[3]" is Bus_Tab_3: runs of what is no letter or digit are one underscore. */
static void mangle(const char *path, struct str *name) {
    bool gap = false;
    for (; *path; path++) {
        bool word = isalnum((unsigned char)*path) || *path == '_';
        if (word && gap)
            str_addc(name, '_');
        gap = !word && name->len > 0;
        if (word)
            str_addc(name, *path);
    }
}

static const char *unique(struct intern *taken, struct arena *arena, const char *prefix,
                          const char *path) {
    struct str base = {0};
    mangle(path, &base);
    assert(prefix[0]);
    const char *name = arena_printf(arena, "%s%s", prefix, str_text(&base));
    for (unsigned n = 2; intern_find(taken, name) != INTERN_NONE; n++)
        name = arena_printf(arena, "%s%s__%u", prefix, str_text(&base), n);
    str_free(&base);
    intern_id(taken, name);
    return name;
}

void fixture_names_make(struct fixture_names *names, const struct module *module) {
    assert(names->inputs.len == 0 && names->state.len == 0);
    struct intern taken = {0};
    for (size_t i = 0; i < module->inputs.len; i++)
        vec_push(&names->inputs,
                 unique(&taken, &names->arena, "gk_in_", module->inputs.data[i].path));
    for (size_t i = 0; i < module->state.len; i++) {
        const struct module_var *v = &module->state.data[i];
        bool shown = v->role == VAR_OUTPUT && v->type != TYPE_POINTER;
        vec_push(&names->state, shown ? unique(&taken, &names->arena, "gk_want_", v->path) : NULL);
    }
    intern_free(&taken);
}

void fixture_names_free(struct fixture_names *names) {
    vec_free(&names->inputs);
    vec_free(&names->state);
    arena_free(&names->arena);
}
