/* JSON of llvm-cov (export, version 2 and later) and of gcov (--json-format, GCC 9 and later; with
 * conditions: GCC 14). Numbers are read as cJSON has them, as doubles: counts beyond 2^53 are not
 * exact, but not zero either. */
#include "app/overlay/measured.h"

#include "base/str.h"

#include <cjson/cJSON.h>
#include <string.h>

static const cJSON *get(const cJSON *object, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static double number(const cJSON *item) {
    return cJSON_IsNumber(item) ? item->valuedouble : cJSON_IsTrue(item) ? 1 : 0;
}

static double at(const cJSON *array, int index) {
    return number(cJSON_GetArrayItem(array, index));
}

static uint64_t count_of(double count) {
    return count <= 0 ? 0 : count < 1e18 ? (uint64_t)(count + 0.5) : (uint64_t)1e18;
}

static const char *text(const cJSON *item) {
    return cJSON_IsString(item) ? item->valuestring : "";
}

/* ---- llvm-cov ---- */

/* [line, column, count, has count, is entry, is gap] */
static void add_segment(struct measured_file *f, const cJSON *s) {
    struct measured_segment segment = {(int)at(s, 0), (int)at(s, 1), count_of(at(s, 2)),
                                       at(s, 3) != 0};
    vec_push(&f->segments, segment);
}

/* [line, column, end line, end column, true, false, …] */
static void add_outcome(struct measured_file *f, const cJSON *b) {
    struct measured_outcome outcome = {(int)at(b, 0),
                                       (int)at(b, 1),
                                       (int)at(b, 2),
                                       (int)at(b, 3),
                                       {count_of(at(b, 5)), count_of(at(b, 4))}};
    vec_push(&f->outcomes, outcome);
}

/* [line, column, …, [condition shown, …]]: the last item is an array. Shown is a pair, so both. */
static void add_record(struct measured_file *f, const cJSON *r) {
    const cJSON *shown = cJSON_GetArrayItem(r, cJSON_GetArraySize(r) - 1);
    int n = cJSON_IsArray(shown) ? cJSON_GetArraySize(shown) : 0;
    for (int i = 0; i < 2 * n; i++) {
        struct measured_mcdc mcdc = {.line = (int)at(r, 0),
                                     .col = (int)at(r, 1),
                                     .conditions = (uint32_t)n,
                                     .index = (uint32_t)i / 2,
                                     .value = i % 2,
                                     .hit = at(shown, i / 2) != 0,
                                     .pair = true};
        vec_push(&f->mcdc, mcdc);
    }
}

/* Functions of the unit alone are "valve.c:name". */
static void add_llvm_function(struct measured *m, const cJSON *function) {
    const cJSON *name = cJSON_GetArrayItem(get(function, "filenames"), 0);
    const char *own = strrchr(text(get(function, "name")), ':');
    struct measured_function f = {.name = own ? own + 1 : text(get(function, "name")),
                                  .count = count_of(number(get(function, "count")))};
    f.name = arena_strdup(&m->arena, f.name);
    vec_push(&measured_file(m, text(name))->functions, f);
}

static void add_llvm_file(struct measured *m, const cJSON *file) {
    struct measured_file *f = measured_file(m, text(get(file, "filename")));
    const cJSON *item;
    if (f->segments.len > 0) /* one picture of a file: a second one cannot be laid over it */
        return;
    cJSON_ArrayForEach(item, get(file, "segments")) add_segment(f, item);
    cJSON_ArrayForEach(item, get(file, "branches")) add_outcome(f, item);
    cJSON_ArrayForEach(item, get(file, "mcdc_records")) add_record(f, item);
}

static bool read_llvm(struct measured *m, const cJSON *root) {
    const cJSON *part, *item;
    cJSON_ArrayForEach(part, get(root, "data")) {
        cJSON_ArrayForEach(item, get(part, "files")) add_llvm_file(m, item);
        cJSON_ArrayForEach(item, get(part, "functions")) add_llvm_function(m, item);
    }
    return cJSON_IsArray(get(root, "data"));
}

/* ---- gcov ---- */

static bool listed(const cJSON *array, int index) {
    const cJSON *item;
    cJSON_ArrayForEach(item, array) {
        if ((int)number(item) == index)
            return true;
    }
    return false;
}

/* {"count": outcomes, "covered": n, "not_covered_true": [i, …], "not_covered_false": […]} */
static void add_condition(struct measured_file *f, int line, const cJSON *c) {
    int n = (int)number(get(c, "count")) / 2;
    for (int i = 0; i < 2 * n; i++) {
        const cJSON *missing = get(c, i % 2 ? "not_covered_true" : "not_covered_false");
        struct measured_mcdc mcdc = {.line = line,
                                     .conditions = (uint32_t)n,
                                     .index = (uint32_t)i / 2,
                                     .value = i % 2,
                                     .hit = !listed(missing, i / 2)};
        vec_push(&f->mcdc, mcdc);
    }
}

static void add_gcov_line(struct measured_file *f, const cJSON *item) {
    struct measured_line *l = measured_line(f, (int)number(get(item, "line_number")));
    const cJSON *part;
    l->count += count_of(number(get(item, "count")));
    cJSON_ArrayForEach(part, get(item, "branches")) {
        l->branches++;
        l->taken += number(get(part, "count")) > 0;
    }
    cJSON_ArrayForEach(part, get(item, "conditions")) add_condition(f, l->line, part);
}

static bool read_gcov(struct measured *m, const cJSON *root) {
    const cJSON *file, *item;
    cJSON_ArrayForEach(file, get(root, "files")) {
        struct measured_file *f = measured_file(m, text(get(file, "file")));
        cJSON_ArrayForEach(item, get(file, "lines")) add_gcov_line(f, item);
        cJSON_ArrayForEach(item, get(file, "functions")) {
            struct measured_function fn = {arena_strdup(&m->arena, text(get(item, "name"))),
                                           count_of(number(get(item, "execution_count")))};
            vec_push(&f->functions, fn);
        }
    }
    return cJSON_IsArray(get(root, "files"));
}

bool measured_json(struct measured *m, const char *path, const char *json, struct err *err) {
    cJSON *root = cJSON_Parse(json);
    bool llvm = str_starts(text(get(root, "type")), "llvm.coverage.json.export");
    bool ok = root && (llvm ? read_llvm(m, root) : get(root, "gcc_version") && read_gcov(m, root));
    cJSON_Delete(root);
    if (ok)
        return true;
    err_set(err, ERR_USAGE, "%s: JSON, but neither of llvm-cov nor of gcov, or damaged", path);
    return err_remedy(err, "llvm-cov export PROGRAM -instr-profile=…, or gcov --json-format");
}
