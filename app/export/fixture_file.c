/* Two kinds of artifacts, each a sequence of terminated texts:
 *     fixture:<n>       source, before, behind, flags …
 *     fixture:volatiles input, unit, name, behind, …
 *     fixture           directory of the project, number of units, pairs: input, why it cannot be
 * set
 */
#include "app/export/fixture_file.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_text(struct str *out, const char *text) {
    str_addn(out, text, strlen(text) + 1);
}

static void add_number(struct str *out, size_t number) {
    char text[24];
    snprintf(text, sizeof text, "%zu", number);
    add_text(out, text);
}

static bool put(struct store *db, const char *name, struct str *content, struct err *err) {
    assert(content->len > 0 && content->data[content->len - 1] == '\0');
    bool ok = store_artifact(db, name, content->data, content->len, err);
    str_free(content);
    return ok;
}

static void unit_name(char name[32], size_t unit) {
    snprintf(name, 32, "fixture:%zu", unit + 1);
}

static bool store_unit(struct store *db, size_t number, const struct fixture_unit *unit,
                       struct err *err) {
    struct str content = {0};
    char name[32];
    unit_name(name, number);
    add_text(&content, unit->source);
    add_text(&content, unit->before);
    add_text(&content, unit->behind);
    for (size_t i = 0; i < unit->flags.len; i++)
        add_text(&content, unit->flags.data[i]);
    return put(db, name, &content, err);
}

static bool store_volatiles(struct store *db, const struct fixture *fixture, struct err *err) {
    struct str content = {0};
    for (size_t i = 0; i < fixture->volatiles.len; i++) {
        add_number(&content, fixture->volatiles.data[i].input);
        add_number(&content, fixture->volatiles.data[i].unit);
        add_text(&content, fixture->volatiles.data[i].name);
        add_text(&content, fixture->volatiles.data[i].behind);
    }
    add_text(&content, ""); /* the end */
    return put(db, "fixture:volatiles", &content, err);
}

bool fixture_store(struct store *db, const struct fixture *fixture, struct err *err) {
    struct str content = {0};
    assert(fixture->units.len > 0);
    add_text(&content, fixture->dir);
    add_number(&content, fixture->units.len);
    for (size_t i = 0; i < fixture->limits.len; i++) {
        add_number(&content, fixture->limits.data[i].input);
        add_text(&content, fixture->limits.data[i].why);
    }
    bool ok = put(db, "fixture", &content, err) && store_volatiles(db, fixture, err);
    for (size_t i = 0; ok && i < fixture->units.len; i++)
        ok = store_unit(db, i, &fixture->units.data[i], err);
    return ok;
}

/* ---- back ---- */

/* The texts of an artifact, in the arena; false when there is no such artifact. */
static bool texts_of(struct store *db, const char *name, struct arena *arena, struct texts *texts) {
    struct str content = {0};
    bool found = store_get_artifact(db, name, &content);
    for (size_t at = 0; found && at < content.len;) {
        const char *text = arena_strndup(arena, content.data + at, content.len - at);
        vec_push(texts, text);
        at += strlen(text) + 1;
    }
    str_free(&content);
    return found;
}

enum { FIXED_TEXTS = 3 };

static bool load_unit(struct store *db, struct fixture *fixture) {
    assert(fixture->dir);
    struct texts texts = {0};
    struct fixture_unit unit = {.source = ""};
    char name[32];
    unit_name(name, fixture->units.len);
    bool found = texts_of(db, name, &fixture->arena, &texts) && texts.len >= FIXED_TEXTS;
    if (found) {
        unit.source = texts.data[0];
        unit.before = texts.data[1];
        unit.behind = texts.data[2];
        vec_append(&unit.flags, texts.data + FIXED_TEXTS, texts.len - FIXED_TEXTS);
        vec_push(&fixture->units, unit);
    }
    vec_free(&texts);
    return found;
}

static void load_limits(struct fixture *fixture, const struct texts *texts) {
    for (size_t i = 2; i + 1 < texts->len; i += 2) {
        uint32_t input = (uint32_t)strtoul(texts->data[i], NULL, 10);
        vec_push(&fixture->limits, (struct fixture_limit){input, texts->data[i + 1]});
    }
}

static void load_volatiles(struct store *db, struct fixture *fixture) {
    struct texts texts = {0};
    texts_of(db, "fixture:volatiles", &fixture->arena, &texts);
    for (size_t i = 0; i + 3 < texts.len; i += 4) {
        struct fixture_volatile v = {.name = texts.data[i + 2], .behind = texts.data[i + 3]};
        v.input = (uint32_t)strtoul(texts.data[i], NULL, 10);
        v.unit = (uint32_t)strtoul(texts.data[i + 1], NULL, 10);
        vec_push(&fixture->volatiles, v);
    }
    vec_free(&texts);
}

bool fixture_load(struct store *db, struct fixture *fixture, struct err *err) {
    struct texts texts = {0};
    assert(fixture->units.len == 0);
    bool ok = texts_of(db, "fixture", &fixture->arena, &texts) && texts.len >= 2;
    if (ok) {
        fixture->dir = texts.data[0];
        load_limits(fixture, &texts);
        load_volatiles(db, fixture);
        size_t units = strtoul(texts.data[1], NULL, 10);
        while (ok && fixture->units.len < units)
            ok = load_unit(db, fixture);
    }
    vec_free(&texts);
    if (ok && fixture->units.len > 0)
        return true;
    err_set(err, ERR_USAGE, "%s holds no description of the sources for tests", store_path(db));
    return err_remedy(err, "an older Goalkeeper wrote it: 'goalkeeper run' adds what is missing");
}
