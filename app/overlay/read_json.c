/* JSON of llvm-cov (export, version 2 and later) and of gcov (--json-format, GCC 9 and later; with
 * conditions: GCC 14). Numbers are read as doubles: counts beyond 2^53 are not
 * exact, but not zero either. */
#include "app/overlay/measured.h"

#include "base/json.h"
#include "base/str.h"

#include <limits.h>
#include <string.h>

enum { MOST_CONDITIONS = 1024 }; /* of a decision; compilers have 64 at most */

static const struct json_item *get(const struct json_item *object, const char *key) {
    return json_member(object, key);
}

static double number(const struct json_item *item) {
    return json_is_word(item, "true") ? 1 : json_number(item);
}

static double at(const struct json_item *array, size_t index) {
    return number(json_at(array, index));
}

/* A line, a column, an index; what is none is 0. */
static int position_of(double number) {
    return number >= 0 && number <= INT_MAX ? (int)number : 0;
}

static uint64_t count_of(double count) {
    return count <= 0 ? 0 : count < 1e18 ? (uint64_t)(count + 0.5) : (uint64_t)1e18;
}

/* ---- llvm-cov ---- */

/* [line, column, count, has count, is entry, is gap] */
static void add_segment(struct measured_file *f, const struct json_item *s) {
    struct measured_segment segment = {position_of(at(s, 0)), position_of(at(s, 1)),
                                       count_of(at(s, 2)), at(s, 3) != 0};
    vec_push(&f->segments, segment);
}

/* [line, column, end line, end column, true, false, …] */
static void add_outcome(struct measured_file *f, const struct json_item *b) {
    struct measured_outcome outcome = {position_of(at(b, 0)),
                                       position_of(at(b, 1)),
                                       position_of(at(b, 2)),
                                       position_of(at(b, 3)),
                                       {count_of(at(b, 5)), count_of(at(b, 4))}};
    vec_push(&f->outcomes, outcome);
}

/* [line, column, …, [condition shown, …]]: the last item is an array. Shown is a pair, so both. */
static void add_record(struct measured_file *f, const struct json_item *r) {
    const struct json_item *shown = json_at(r, json_count(r) - 1);
    int n = (int)json_count(shown);
    for (int i = 0; i < 2 * n; i++) {
        struct measured_mcdc mcdc = {.line = position_of(at(r, 0)),
                                     .col = position_of(at(r, 1)),
                                     .conditions = (uint32_t)n,
                                     .index = (uint32_t)i / 2,
                                     .value = i % 2,
                                     .hit = at(shown, i / 2) != 0,
                                     .pair = true};
        vec_push(&f->mcdc, mcdc);
    }
}

/* Functions of the unit alone are "valve.c:name". */
static void add_llvm_function(struct measured *m, const struct json_item *function) {
    const struct json_item *name = json_at(get(function, "filenames"), 0);
    const char *own = strrchr(json_text(get(function, "name")), ':');
    struct measured_function f = {.name = own ? own + 1 : json_text(get(function, "name")),
                                  .count = count_of(number(get(function, "count")))};
    f.name = arena_strdup(&m->arena, f.name);
    vec_push(&measured_file(m, json_text(name))->functions, f);
}

static void add_llvm_file(struct measured *m, const struct json_item *file) {
    struct measured_file *f = measured_file(m, json_text(get(file, "filename")));
    if (f->segments.len > 0) /* one picture of a file: a second one cannot be laid over it */
        return;
    for (const struct json_item *item = json_at(get(file, "segments"), 0); item; item = item->next)
        add_segment(f, item);
    for (const struct json_item *item = json_at(get(file, "branches"), 0); item; item = item->next)
        add_outcome(f, item);
    for (const struct json_item *item = json_at(get(file, "mcdc_records"), 0); item;
         item = item->next)
        add_record(f, item);
}

static bool read_llvm(struct measured *m, const struct json_item *root) {
    for (const struct json_item *part = json_at(get(root, "data"), 0); part; part = part->next) {
        for (const struct json_item *item = json_at(get(part, "files"), 0); item; item = item->next)
            add_llvm_file(m, item);
        for (const struct json_item *item = json_at(get(part, "functions"), 0); item;
             item = item->next)
            add_llvm_function(m, item);
    }
    return json_is(get(root, "data"), JSON_ARRAY);
}

/* ---- gcov ---- */

static bool listed(const struct json_item *array, int index) {
    for (const struct json_item *item = json_at(array, 0); item; item = item->next) {
        if (number(item) == index)
            return true;
    }
    return false;
}

/* {"count": outcomes, "covered": n, "not_covered_true": [i, …], "not_covered_false": […]} */
static void add_condition(struct measured_file *f, int line, const struct json_item *c) {
    int n = position_of(number(get(c, "count"))) / 2;
    if (n > MOST_CONDITIONS)
        return;
    for (int i = 0; i < 2 * n; i++) {
        const struct json_item *missing = get(c, i % 2 ? "not_covered_true" : "not_covered_false");
        struct measured_mcdc mcdc = {.line = line,
                                     .conditions = (uint32_t)n,
                                     .index = (uint32_t)i / 2,
                                     .value = i % 2,
                                     .hit = !listed(missing, i / 2)};
        vec_push(&f->mcdc, mcdc);
    }
}

static void add_gcov_line(struct measured_file *f, const struct json_item *item) {
    struct measured_line *l = measured_line(f, position_of(number(get(item, "line_number"))));
    l->count += count_of(number(get(item, "count")));
    for (const struct json_item *part = json_at(get(item, "branches"), 0); part;
         part = part->next) {
        l->branches++;
        l->taken += number(get(part, "count")) > 0;
    }
    for (const struct json_item *part = json_at(get(item, "conditions"), 0); part;
         part = part->next)
        add_condition(f, l->line, part);
}

static bool read_gcov(struct measured *m, const struct json_item *root) {
    for (const struct json_item *file = json_at(get(root, "files"), 0); file; file = file->next) {
        struct measured_file *f = measured_file(m, json_text(get(file, "file")));
        for (const struct json_item *item = json_at(get(file, "lines"), 0); item; item = item->next)
            add_gcov_line(f, item);
        for (const struct json_item *item = json_at(get(file, "functions"), 0); item;
             item = item->next) {
            struct measured_function fn = {arena_strdup(&m->arena, json_text(get(item, "name"))),
                                           count_of(number(get(item, "execution_count")))};
            vec_push(&f->functions, fn);
        }
    }
    return json_is(get(root, "files"), JSON_ARRAY);
}

static const char remedy[] = "llvm-cov export PROGRAM -instr-profile=…, or gcov --json-format";

bool measured_json(struct measured *m, const char *path, const char *text, struct err *err) {
    struct json json;
    if (!json_parse(path, text, strlen(text), &json, err))
        return err_remedy(err, remedy);
    bool llvm = str_starts(json_text(get(json.root, "type")), "llvm.coverage.json.export");
    bool ok =
        llvm ? read_llvm(m, json.root) : get(json.root, "gcc_version") && read_gcov(m, json.root);
    json_free(&json);
    if (ok)
        return true;
    err_set(err, ERR_USAGE, "%s: JSON, but neither of llvm-cov nor of gcov", path);
    return err_remedy(err, remedy);
}
