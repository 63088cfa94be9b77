/* Which function is the step, which ones initialise. */
#include "instrument/inputs/guess_parts.h"

#include <assert.h>
#include <ctype.h>
#include <strings.h>

struct candidate {
    uint32_t function;
    int score;
    struct str why;
};

static bool ends_with(const char *name, const char *ending) {
    size_t len = strlen(name), tail = strlen(ending);
    return len >= tail && strcasecmp(name + len - tail, ending) == 0;
}

static bool starts_with(const char *name, const char *start) {
    return strncasecmp(name, start, strlen(start)) == 0;
}

static bool ends_with_one(const char *name, const char *const *endings, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (ends_with(name, endings[i]))
            return true;
    return false;
}

/* Ctl_DeInit, Ctl_IsInit: they have "init" in them and do not initialise. */
static bool is_end_name(const char *name) {
    static const char *const endings[] = {"_terminate",   "DeInit",       "De_Init",
                                          "DeInitialize", "DeInitialise", "UnInit",
                                          "UnInitialize", "_shutdown",    "IsInit"};
    return ends_with_one(name, endings, sizeof endings / sizeof *endings);
}

static bool is_init_name(const char *name) {
    static const char *const endings[] = {"_initialize", "Init", "_initialise", "_reset", "_start"};
    return !is_end_name(name) && (starts_with(name, "RESTART_") || starts_with(name, "Init_") ||
                                  ends_with_one(name, endings, sizeof endings / sizeof *endings));
}

static bool has_step_word(const char *name) {
    static const char *const words[] = {"_step",        "_main",    "_run",  "_task",
                                        "_cyclic",      "_process", "Step",  "Main",
                                        "MainFunction", "_update",  "_calc", "_ms"};
    size_t len = strlen(name); /* Task_10ms */
    return ends_with_one(name, words, sizeof words / sizeof *words) ||
           (len > 3 && ends_with(name, "ms") && isdigit((unsigned char)name[len - 3]));
}

static bool is_owned(const struct interface *in, const struct routine *f) {
    return f->has_body && unit_owns(&in->units[f->unit], f->decl);
}

static void say(struct candidate *c, int score, const char *format, const char *what) {
    c->score += score;
    str_add(&c->why, c->why.len ? "; " : "");
    str_addf(&c->why, format, what);
}

/* RESTART_<name>, <name>_Init, and for X_step the function X_initialize. */
static const struct routine *initialiser_of(const struct interface *in, const char *name) {
    char stem[512];
    size_t len = strlen(name);
    if (len >= sizeof stem - 20)
        return NULL;
    memcpy(stem, name, len + 1);
    static const char *const endings[] = {"_step", "_main", "_run", "_task", "_cyclic"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(name, endings[i]))
            stem[len - strlen(endings[i])] = '\0';
    for (size_t i = 0; i < in->scan.functions.len; i++) {
        const struct routine *f = &in->scan.functions.data[i];
        if (!is_owned(in, f) || !is_init_name(f->name) || str_same(f->name, name))
            continue;
        if ((str_starts(f->name, "RESTART_") &&
             (str_same(f->name + 8, name) || str_same(f->name + 8, stem))) ||
            (str_starts(f->name, stem) && f->name[strlen(stem)] == '_'))
            return f;
    }
    return NULL;
}

/* The header block of a generated file: "PROJECT:\n *   name", "FILE: name.c", "Model: 'name'". */
static bool header_names(const struct interface *in, const struct routine *f, const char *key) {
    const struct unit *unit = &in->units[f->unit];
    const char *found = strstr(unit->text, key);
    size_t limit = unit_span(unit, f->decl).begin;
    if (!found || (size_t)(found - unit->text) > limit)
        return false;
    found += strlen(key);
    found += strspn(found, " \t\r\n*:'\"");
    size_t len = strcspn(found, " \t\r\n.'\"*");
    size_t name_len = strlen(f->name);
    return (len == name_len && strncasecmp(found, f->name, len) == 0) ||
           (len > 0 && len < name_len && strncasecmp(found, f->name, len) == 0 &&
            strcasecmp(f->name + len, "_step") == 0);
}

static bool is_file_stem(const struct interface *in, const struct routine *f) {
    const char *source = in->units[f->unit].source, *slash = strrchr(source, '/');
    const char *base = slash ? slash + 1 : source;
    size_t len = strcspn(base, ".");
    return strlen(f->name) == len && strncasecmp(base, f->name, len) == 0;
}

static void weigh(const struct interface *in, struct candidate *c) {
    assert(c->score == 0 && c->function < in->scan.functions.len);
    const struct routine *f = &in->scan.functions.data[c->function];
    const struct routine *init = initialiser_of(in, f->name);
    if (init)
        say(c, 50, "'%s' goes with it", init->name);
    if (header_names(in, f, "PROJECT") || header_names(in, f, "Model") ||
        header_names(in, f, "Code generated for Simulink model"))
        say(c, 40, "the header of the file names it%s", "");
    if (is_file_stem(in, f))
        say(c, 30, "the file is called like it%s", "");
    if (has_step_word(f->name))
        say(c, 20, "its name says so%s", "");
    if (!f->called && f->object == NOTHING)
        say(c, 25, "no other function calls it%s", "");
    else
        say(c, -60, "it is called by other functions%s", "");
    if (is_init_name(f->name) || is_end_name(f->name))
        say(c, -200, "it initialises or ends%s", "");
    if (f->is_static)
        say(c, -80, "it is static%s", "");
}

/* Statements are what matters when nothing else decides: the longest text is the step. */
static size_t weight_of(const struct interface *in, uint32_t function) {
    const struct routine *f = &in->scan.functions.data[function];
    struct span span = unit_span(&in->units[f->unit], f->decl);
    return span.end - span.begin + f->calls.len * 1000;
}

VEC_STRUCT(candidates, struct candidate);

static void collect(const struct interface *in, struct candidates *list) {
    for (uint32_t i = 0; i < in->scan.functions.len; i++) {
        if (!is_owned(in, &in->scan.functions.data[i]))
            continue;
        struct candidate c = {.function = i};
        weigh(in, &c);
        vec_push(list, c);
    }
}

static size_t best_of(const struct interface *in, const struct candidates *list) {
    assert(list->len > 0);
    size_t best = 0;
    for (size_t i = 1; i < list->len; i++) {
        const struct candidate *a = &list->data[i], *b = &list->data[best];
        if (a->score > b->score ||
            (a->score == b->score && weight_of(in, a->function) > weight_of(in, b->function)))
            best = i;
    }
    return best;
}

/* A run never enters what nobody calls, and all of it is dead. */
static void note_uncalled(struct guess *guess, const struct interface *in) {
    struct str names = {0};
    for (size_t i = 0; i < in->scan.functions.len; i++) {
        const struct routine *f = &in->scan.functions.data[i];
        bool entry = str_same(f->name, guess->step.name) || is_init_name(f->name);
        if (is_owned(in, f) && !f->is_static && !f->called && f->object == NOTHING && !entry &&
            !is_end_name(f->name))
            str_addf(&names, "%s%s", names.len ? "," : "", f->name);
    }
    if (names.len)
        vec_push(&guess->notes,
                 arena_printf(&guess->arena,
                              "nobody calls %s, so all in there will be dead; if it runs in the "
                              "system, too: 'goalkeeper init --steps %s,%s FILE…' writes a step "
                              "function that calls each, or write one (README.md, \"Several step "
                              "functions\"); --step chooses another one",
                              str_text(&names), guess->step.name, str_text(&names)));
    str_free(&names);
}

/* The functions of --steps are called without arguments. */
static bool check_steps(const struct guess *guess, const struct interface *in, struct err *err) {
    for (size_t i = 0; guess->steps && i < guess->steps->len; i++) {
        const char *name = guess->steps->data[i];
        uint32_t id = scan_function(&in->scan, name);
        if (id == NOTHING || !in->scan.functions.data[id].has_body)
            return err_set(err, ERR_USAGE, "--steps: the sources define no function '%s'", name);
        const struct routine *f = &in->scan.functions.data[id];
        if (f->is_static || clang_getNumArgTypes(clang_getCursorType(f->decl)) > 0) {
            err_set(err, ERR_USAGE, "--steps: '%s' is %s", name,
                    f->is_static ? "static" : "called with arguments");
            return err_remedy(err, "write the function that calls it by hand (README.md, \"Several "
                                   "step functions\")");
        }
    }
    return true;
}

static bool guess_step(struct guess *guess, const struct interface *in, struct err *err) {
    struct candidates list = {0};
    collect(in, &list);
    bool found = list.len > 0;
    if (found) {
        size_t best = best_of(in, &list);
        const struct routine *f = &in->scan.functions.data[list.data[best].function];
        guess->step.name = arena_strdup(&guess->arena, f->name);
        guess->step.why = arena_strdup(&guess->arena, str_text(&list.data[best].why));
    } else {
        err_set(err, ERR_USAGE, "the sources define no function");
        err_remedy(err, "name the C files that hold the step function");
    }
    for (size_t i = 0; i < list.len; i++)
        str_free(&list.data[i].why);
    vec_free(&list);
    return found;
}

static const char *init_reason(const struct interface *in, const struct guess *guess,
                               const struct routine *f) {
    if (!is_owned(in, f) || !is_init_name(f->name) || str_same(f->name, guess->step.name))
        return NULL;
    if (initialiser_of(in, guess->step.name) == f)
        return "it goes with the step function";
    if (f->is_static || f->called) /* runs with those that call it */
        return NULL;
    return str_starts(f->name, "RESTART_")
               ? "RESTART_ functions initialise; no other function calls it"
               : "its name says that it initialises; no other function calls it";
}

static void guess_init(struct guess *guess, const struct interface *in) {
    for (size_t i = 0; i < in->scan.functions.len; i++) {
        const struct routine *f = &in->scan.functions.data[i];
        struct guess_function init = {arena_strdup(&guess->arena, f->name), NULL};
        init.why = init_reason(in, guess, f);
        if (init.why)
            vec_push(&guess->init, init);
    }
}

bool guess_entries(struct guess *guess, const struct interface *in, struct err *err) {
    const struct project *project = in->project;
    if (!check_steps(guess, in, err))
        return false;
    if (project->step && guess->steps)
        guess->step = (struct guess_function){arena_strdup(&guess->arena, project->step),
                                              "written for --steps: an input chooses which runs"};
    else if (project->step)
        guess->step = (struct guess_function){arena_strdup(&guess->arena, project->step),
                                              "given with --step"};
    else if (!guess_step(guess, in, err))
        return false;
    if (project->init.len == 0)
        guess_init(guess, in);
    for (size_t i = 0; i < project->init.len; i++) {
        struct guess_function init = {arena_strdup(&guess->arena, project->init.data[i]),
                                      "given with --init"};
        vec_push(&guess->init, init);
    }
    assert(guess->step.name);
    note_uncalled(guess, in);
    return true;
}
