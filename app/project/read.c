/* A walk over the tree beside the rows of keys.def: a row says where a value goes and what it may
 * be. */
#include "app/project/read.h"

#include "base/bug.h"
#include "base/file.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/option.h"
#include "coverage/flags.h"
#include "coverage/place.h"
#include "instrument/syntax/header_name.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct json *json;
    struct project *project;
    struct err *err;
};

static bool read_object(struct reader *r, enum key_scope scope, const struct json_item *object,
                        void *base);

static const char *keep(struct reader *r, const struct json_item *item) {
    assert(json_is(item, JSON_STRING));
    return arena_strdup(&r->project->arena, item->text);
}

static bool wrong_type(struct reader *r, const struct json_item *item, const char *wanted) {
    const char *key = item->key ? item->key : "this entry";
    return json_error(r->json, item, r->err, "'%s' must be %s", key, wanted);
}

/* ---- texts ---- */

static bool read_text(struct reader *r, const struct json_item *item, const char **text) {
    if (!json_is(item, JSON_STRING) || item->text[0] == '\0') {
        wrong_type(r, item, "a text that is not empty");
        if (item->key && str_same(item->key, "step") && json_is(item, JSON_ARRAY))
            return err_remedy(r->err, PROJECT_DRIVER);
        return false;
    }
    *text = keep(r, item);
    return true;
}

/* What a text has to look like; wanted says it in words. */
struct shape {
    bool (*fits)(const char *text);
    const char *wanted;
};

static bool read_shaped(struct reader *r, const struct json_item *item, const struct shape *shape,
                        const char **text) {
    *text = "";
    if (!read_text(r, item, text))
        return false;
    return !shape->fits || shape->fits(*text) ||
           json_error(r->json, item, r->err, "'%s' is not %s", *text, shape->wanted);
}

static bool read_texts(struct reader *r, const struct json_item *item, const struct shape *shape,
                       struct texts *texts) {
    assert(!shape->fits == !shape->wanted);
    if (!json_is(item, JSON_ARRAY))
        return wrong_type(r, item, "a list of texts");
    texts->len = 0;
    for (const struct json_item *child = item->child; child; child = child->next) {
        const char *text;
        if (!read_shaped(r, child, shape, &text))
            return false;
        vec_push(texts, text);
    }
    return true;
}

static bool unknown_word(struct reader *r, const struct json_item *item, struct nearest *near,
                         const char *all) {
    json_error(r->json, item, r->err, "unknown value '%s'", near->word);
    if (nearest_best(near))
        return err_remedy(r->err, "did you mean '%s'?", nearest_best(near));
    return err_remedy(r->err, "possible values: %s", all);
}

static bool read_choice(struct reader *r, const struct json_item *item, const char *choices,
                        const char **word) {
    if (!read_text(r, item, word))
        return false;
    if (option_is_choice(choices, *word))
        return true;
    struct nearest near;
    nearest_init(&near, *word);
    char *rest = arena_strdup(&r->project->arena, choices), *one;
    while ((one = strsep(&rest, "|")))
        nearest_offer(&near, one);
    return unknown_word(r, item, &near, choices);
}

static bool read_either(struct reader *r, const struct json_item *item, const char *choices,
                        bool *second) {
    const char *word;
    assert(strchr(choices, '|') == strrchr(choices, '|') && "two choices");
    if (!read_choice(r, item, choices, &word))
        return false;
    *second = str_ends(choices, word) && choices[strlen(choices) - strlen(word) - 1] == '|';
    return true;
}

static bool read_criterion(struct reader *r, const struct json_item *item) {
    const char *word;
    struct nearest near;
    if (!read_text(r, item, &word))
        return false;
    int kind = criterion_find(word);
    if (kind >= 0) {
        r->project->criteria[kind] = true;
        return true;
    }
    nearest_init(&near, word);
    for (int i = 0; i < GOAL_KINDS; i++)
        nearest_offer(&near, criteria[i].name);
    return unknown_word(r, item, &near, "see docs/goalkeeper.schema.json");
}

static bool read_criteria(struct reader *r, const struct json_item *item) {
    if (!json_is(item, JSON_ARRAY))
        return wrong_type(r, item, "a list of criteria");
    memset(r->project->criteria, 0, sizeof r->project->criteria);
    for (const struct json_item *child = item->child; child; child = child->next)
        if (!read_criterion(r, child))
            return false;
    return true;
}

/* {"C:/Work/Heater": "."} */
static bool read_path_map(struct reader *r, const struct json_item *item) {
    if (!json_is(item, JSON_OBJECT))
        return wrong_type(r, item, "an object: a folder of the line markers, and the one here");
    for (const struct json_item *child = item->child; child; child = child->next) {
        struct path_rule rule;
        assert(child->key && "a member of an object");
        if (!child->key[0])
            return json_key_error(r->json, child, r->err, "a folder has no name");
        if (!read_text(r, child, &rule.to))
            return false;
        rule.from = arena_strdup(&r->project->arena, child->key);
        vec_push(&r->project->path_map, rule);
    }
    return true;
}

/* ---- numbers ---- */

static bool read_count(struct reader *r, const struct json_item *item, uint64_t most,
                       uint64_t *count) {
    if (!json_is_number(item))
        return wrong_type(r, item, "a whole number");
    if (!parse_count(item->text, count) || *count > most)
        return json_error(r->json, item, r->err, "'%s' must be a whole number from 0 to %llu",
                          item->key, (unsigned long long)most);
    return true;
}

static bool read_jobs(struct reader *r, const struct json_item *item, unsigned *jobs) {
    uint64_t count;
    if (!read_count(r, item, 4096, &count))
        return false;
    *jobs = (unsigned)count;
    return true;
}

static bool read_seconds(struct reader *r, const struct json_item *item, double *seconds) {
    if (!json_is_number(item) || json_number(item) < 0)
        return wrong_type(r, item, "a number of seconds, not negative");
    *seconds = json_number(item);
    return true;
}

static bool read_limit(struct reader *r, const struct json_item *item, bool *has, double *value,
                       const char **text) {
    if (!json_is_number(item))
        return wrong_type(r, item, "a number");
    *has = true;
    *text = arena_strdup(&r->project->arena, item->text);
    *value = json_number(item);
    return true;
}

/* ---- variables ---- */

static bool check_var(struct reader *r, const struct json_item *item,
                      const struct project_var *var) {
    assert(var->name && var->min_text && var->max_text);
    /* long double holds every 64-bit integer, double does not */
    if (var->has_min && var->has_max && strtold(var->min_text, NULL) > strtold(var->max_text, NULL))
        return json_error(r->json, item, r->err, "'%s': min %s is greater than max %s", var->name,
                          var->min_text, var->max_text);
    if (var->is_parameter && !var->range_mode && (var->has_min || var->has_max)) {
        json_error(r->json, item, r->err, "'%s' has a range but its mode is \"fixed\"", var->name);
        return err_remedy(r->err, "add \"mode\": \"range\", or remove min and max");
    }
    for (size_t i = 0; i < r->project->vars.len; i++) {
        const struct project_var *other = &r->project->vars.data[i];
        if (str_same(other->name, var->name))
            return json_error(r->json, item, r->err, "'%s' is already described in line %d",
                              var->name, other->line);
    }
    return true;
}

static bool read_vars(struct reader *r, const struct json_item *item, bool parameters) {
    if (!json_is(item, JSON_ARRAY))
        return wrong_type(r, item, "a list of objects");
    for (const struct json_item *child = item->child; child; child = child->next) {
        struct project_var var = {.is_parameter = parameters, .min_text = "", .max_text = ""};
        var.line = child->place.line;
        var.col = child->place.col;
        if (!read_object(r, parameters ? SCOPE_PARAMETER : SCOPE_INPUT, child, &var) ||
            !check_var(r, child, &var))
            return false;
        assert(var.line > 0 && var.col > 0);
        vec_push(&r->project->vars, var);
    }
    return true;
}

/* ---- objects ---- */

static bool read_value(struct reader *r, const struct key_row *row, const struct json_item *item,
                       void *base) {
    static const struct shape any = {NULL, NULL};
    static const struct shape name = {project_is_identifier, "the name of a function"};
    static const struct shape path = {project_is_path, "a C path (Speed, Bus.Speed, Tab[3], f::x)"};
    static const struct shape exclude = {project_is_exclude, "functions:NAME or files:GLOB"};
    void *field = (char *)base + row->offset;
    struct project_var *var = base;
    switch (row->kind) {
    case KEY_TEXT_OR_NULL:
        return json_is_word(item, "null") || read_text(r, item, field);
    case KEY_TEXT:
        return read_text(r, item, field);
    case KEY_TEXTS:
        return read_texts(r, item, &any, field);
    case KEY_NAME:
        return read_shaped(r, item, &name, field);
    case KEY_NAMES:
        return read_texts(r, item, &name, field);
    case KEY_PATH:
        return read_shaped(r, item, &path, field);
    case KEY_EXCLUDES:
        return read_texts(r, item, &exclude, field);
    case KEY_EITHER:
        return read_either(r, item, row->choices, field);
    case KEY_CHOICE:
        return read_choice(r, item, row->choices, field);
    case KEY_COUNT:
        return read_count(r, item, UINT64_MAX, field);
    case KEY_JOBS:
        return read_jobs(r, item, field);
    case KEY_SECONDS:
        return read_seconds(r, item, field);
    case KEY_MIN:
        return read_limit(r, item, &var->has_min, &var->min, &var->min_text);
    case KEY_MAX:
        return read_limit(r, item, &var->has_max, &var->max, &var->max_text);
    case KEY_CRITERIA:
        return read_criteria(r, item);
    case KEY_INPUTS:
    case KEY_PARAMETERS:
        return read_vars(r, item, row->kind == KEY_PARAMETERS);
    case KEY_BUDGET:
        return read_object(r, SCOPE_BUDGET, item, r->project);
    case KEY_PATH_MAP:
        return read_path_map(r, item);
    case KEY_NOTE:
        return json_is(item, JSON_STRING) || wrong_type(r, item, "a text");
    case KEY_KINDS:
        break;
    }
    bug("key kind %d", (int)row->kind);
}

static bool unknown_key(struct reader *r, enum key_scope scope, const struct json_item *item) {
    struct nearest near;
    size_t n;
    const struct key_row *rows = project_keys(&n);
    nearest_init(&near, item->key);
    for (size_t i = 0; i < n; i++)
        if (rows[i].scope == scope)
            nearest_offer(&near, rows[i].name);
    json_key_error(r->json, item, r->err, "unknown key '%s'", item->key);
    if (nearest_best(&near))
        return err_remedy(r->err, "did you mean '%s'?", nearest_best(&near));
    return err_remedy(r->err, "the keys are listed in docs/goalkeeper.schema.json");
}

static const struct key_row *find_key(enum key_scope scope, const char *name) {
    size_t n;
    const struct key_row *rows = project_keys(&n);
    for (size_t i = 0; i < n; i++)
        if (rows[i].scope == scope && str_same(rows[i].name, name))
            return &rows[i];
    return NULL;
}

static bool check_required(struct reader *r, enum key_scope scope, const struct json_item *object) {
    size_t n;
    const struct key_row *rows = project_keys(&n);
    for (size_t i = 0; i < n; i++)
        if (rows[i].scope == scope && project_key_required(&rows[i]) &&
            !json_member(object, rows[i].name)) {
            json_error(r->json, object, r->err, "the key '%s' is missing", rows[i].name);
            return err_remedy(r->err, "'goalkeeper init FILE…' writes a whole project file");
        }
    return true;
}

static bool read_object(struct reader *r, enum key_scope scope, const struct json_item *object,
                        void *base) {
    if (!json_is(object, JSON_OBJECT))
        return wrong_type(r, object, "an object");
    for (const struct json_item *child = object->child; child; child = child->next) {
        assert(child->key && "a member of an object");
        const struct key_row *row = find_key(scope, child->key);
        if (!row)
            return unknown_key(r, scope, child);
        if (json_member(object, child->key) != child)
            return json_key_error(r->json, child, r->err, "the key '%s' is given twice",
                                  child->key);
        if (!read_value(r, row, child, base))
            return false;
    }
    return check_required(r, scope, object);
}

static bool no_source(struct reader *r, const struct json_item *item, const char *name,
                      const char *path) {
    struct str other = {0};
    json_error(r->json, item, r->err, "there is no file %s", path);
    if (header_like(r->project->dir, name, &other))
        err_remedy(r->err, "there is '%s': upper and lower case differ here", str_text(&other));
    else
        err_remedy(r->err, "paths are relative to the folder of the project file");
    str_free(&other);
    return false;
}

/* Sources that are missing are found here, where the message can point at the list. */
static bool check_sources(struct reader *r) {
    const struct json_item *list = json_member(r->json->root, "sources");
    assert(list && "it is required");
    const struct json_item *item = list->child;
    assert(json_count(list) == r->project->sources.len && "a text each");
    struct arena arena = {0};
    bool good = true;
    if (r->project->sources.len == 0)
        good = json_error(r->json, list, r->err, "'sources' is empty") ||
               err_remedy(r->err, "name the C files of the module");
    for (size_t i = 0; good && i < r->project->sources.len; i++, item = item->next) {
        const char *name = r->project->sources.data[i];
        const char *path = path_join(&arena, r->project->dir, name);
        good = file_exists(path) || no_source(r, item, name[0] == '/' ? "" : name, path);
        if (good && file_is_dir(path)) {
            good = json_error(r->json, item, r->err, "%s is a folder, not a C file", path);
            err_remedy(r->err, "name the C files in it one by one");
        }
    }
    arena_free(&arena);
    return good;
}

static bool check_place(struct reader *r, const struct json_item *item, const char *path) {
    if (!path || place_allows(r->project, path))
        return true;
    json_error(r->json, item, r->err, PLACE_OUTSIDE, path, r->project->root);
    return err_remedy(r->err, PLACE_REMEDY);
}

static bool check_places(struct reader *r) {
    static const char *const keys[] = {"sources", "include_dirs", "path_map", "cflags"};
    const struct json_item *file = json_member(r->json->root, "compile_commands");
    bool good = check_place(r, file, r->project->compile_commands);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct json_item *list = json_member(r->json->root, keys[i]);
        const char *before = NULL;
        for (const struct json_item *c = list ? list->child : NULL; good && c; c = c->next) {
            const char *text = c->text;
            good = check_place(r, c, str_same(keys[i], "cflags") ? flags_path(before, text) : text);
            before = text;
        }
    }
    return good;
}

bool project_read(const char *file, struct project *project, struct err *err) {
    return project_read_below(file, NULL, project, err);
}

bool project_read_below(const char *file, const char *root, struct project *project,
                        struct err *err) {
    struct json json;
    project_defaults(project);
    if (!json_read(file, &json, err))
        return false;
    struct reader r = {&json, project, err};
    project->file = arena_strdup(&project->arena, file);
    project->dir = path_dir(&project->arena, file);
    if (root)
        project->root =
            *root ? arena_strdup(&project->arena, root) : place_root(&project->arena, project->dir);
    project->name = NULL;
    bool good =
        read_object(&r, SCOPE_PROJECT, json.root, project) && check_places(&r) && check_sources(&r);
    if (!project->name)
        project->name = project->step;
    json_free(&json);
    assert(good || err->code != ERR_NONE);
    assert(!good || (project->step && project->name));
    if (!good)
        project_free(project);
    return good;
}
