/* The readers themselves; those that want a file get one in a folder of their own. */
#include "readers.h"

#include "app/overlay/measured.h"
#include "app/project/ledger.h"
#include "app/project/read.h"
#include "base/file.h"
#include "base/json.h"
#include "cfa_text.h"
#include "database.h"
#include "engines/horn/horn.h"
#include "engines/smtlib/smt.h"
#include "instrument/cbmc/output.h"
#include "instrument/inputs/range_table.h"
#include "instrument/syntax/compile_commands.h"
#include "model/system/fact.h"
#include "report/baseline.h"
#include "report/report.h"
#include "system_read.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TICKS = 20000, MOST_COMMANDS = 1000 };

_Noreturn static void give_up(const char *why) {
    fprintf(stderr, "%s\n", why);
    abort();
}

/* ---- files ---- */

static struct str folder;

static void remove_folder(void) {
    file_remove_tree(str_text(&folder));
    str_free(&folder);
}

/* A text as a file of this name. */
static const char *as_file(struct arena *arena, const char *name, const struct str *text) {
    struct err err = {0};
    if (folder.len == 0) {
        if (!file_temp_dir(&folder, &err))
            give_up(str_text(&err.message));
        atexit(remove_folder);
    }
    const char *path = path_join(arena, str_text(&folder), name);
    FILE *f = fopen(path, "w");
    if (!f || fwrite(str_text(text), 1, text->len, f) != text->len || fclose(f) != 0)
        give_up("a file cannot be written");
    return path;
}

/* ---- each says whether the text was accepted ---- */

static bool read_system(const struct str *text, struct err *err) {
    struct terms terms;
    struct system sys;
    terms_init(&terms);
    system_init(&sys, &terms);
    bool good = system_read(&sys, str_text(text), "text", err);
    system_free(&sys);
    terms_free(&terms);
    return good;
}

static bool read_cfa(const struct str *text, struct err *err) {
    struct terms terms;
    struct cfa cfa;
    terms_init(&terms);
    bool good = cfa_read(&cfa, &terms, str_text(text), "text", err);
    if (good)
        cfa_free(&cfa);
    terms_free(&terms);
    return good;
}

static bool read_script(const struct str *text, struct err *err) {
    struct str out = {0};
    struct smt *smt = smt_new(&(struct smt_options){.file = "text", .seed = 1, .ticks = TICKS},
                              str_text(text), text->len);
    enum smt_step step = SMT_MORE;
    for (int i = 0; i < MOST_COMMANDS && step == SMT_MORE; i++)
        step = smt_step(smt, &out, err);
    smt_free(smt);
    str_free(&out);
    return step != SMT_FAILED;
}

static bool read_form(const struct str *text, enum horn_form form, struct err *err) {
    struct horn horn = {0};
    if (horn_form(str_text(text), text->len) != form)
        return err_set(err, ERR_USAGE, "another form, or no transition system");
    bool good = horn_read(&horn, "text", str_text(text), text->len, err);
    horn_free(&horn);
    return good;
}

static bool read_horn(const struct str *text, struct err *err) {
    return read_form(text, HORN_CLAUSES, err);
}

static bool read_vmt(const struct str *text, struct err *err) {
    return read_form(text, HORN_VMT, err);
}

static bool read_btor2(const struct str *text, struct err *err) {
    return read_form(text, HORN_BTOR2, err);
}

/* In pieces, as a pipe brings it. */
static bool read_cbmc(const struct str *text, struct err *err) {
    struct cbmc_output out;
    bool good = true;
    cbmc_output_init(&out);
    for (size_t at = 0; good && at < text->len; at += 7)
        good = cbmc_output_feed(&out, str_text(text) + at, text->len - at < 7 ? text->len - at : 7);
    good = good && cbmc_output_end(&out);
    cbmc_output_free(&out);
    return good || err_set(err, ERR_USAGE, "not what CBMC writes");
}

static bool read_lcov(const struct str *text, struct err *err) {
    struct measured m = {0};
    char *copy = arena_strdup(&m.arena, str_text(text));
    bool good = measured_lcov(&m, "text", copy, err);
    measured_free(&m);
    return good;
}

static bool read_measured(const struct str *text, struct err *err) {
    struct measured m = {0};
    bool good = measured_json(&m, "text", str_text(text), err);
    measured_free(&m);
    return good;
}

/* ---- JSON: our tree and that of cJSON ---- */

static bool same_value(const struct json_item *a, const cJSON *b) {
    switch (a->kind) {
    case JSON_OBJECT:
        return cJSON_IsObject(b);
    case JSON_ARRAY:
        return cJSON_IsArray(b);
    case JSON_STRING:
        return cJSON_IsString(b) && strcmp(a->text, b->valuestring) == 0;
    default:
        return json_is_number(a) ? cJSON_IsNumber(b) && json_number(a) == b->valuedouble
                                 : cJSON_IsTrue(b) == json_is_word(a, "true") &&
                                       cJSON_IsFalse(b) == json_is_word(a, "false") &&
                                       cJSON_IsNull(b) == json_is_word(a, "null");
    }
}

/* The depth is that of accepted documents: at most JSON_DEPTH. */
static bool same_tree(const struct json_item *a, const cJSON *b) {
    if (!a || !b)
        return !a && !b;
    bool named = a->key && b->string ? strcmp(a->key, b->string) == 0 : !a->key && !b->string;
    if (!named || !same_value(a, b))
        return false;
    const cJSON *d = b->child;
    for (const struct json_item *c = a->child; c || d; c = c->next, d = d->next)
        if (!same_tree(c, d))
            return false;
    return true;
}

/* cJSON reads at most 63 characters of a number. */
static bool has_long_number(const struct json_item *item) {
    bool found = json_is_number(item) && strlen(item->text) > 60;
    for (const struct json_item *c = item->child; c && !found; c = c->next)
        found = has_long_number(c);
    return found;
}

static bool same_as_cjson(const struct str *text) {
    struct json json;
    struct err ignored = {0};
    bool same = true;
    if (json_parse("", str_text(text), text->len, &json, &ignored)) {
        cJSON *other = cJSON_ParseWithLength(str_text(text), text->len);
        same = has_long_number(json.root) || same_tree(json.root, other);
        cJSON_Delete(other);
        json_free(&json);
    }
    err_clear(&ignored);
    return same;
}

static bool read_project(const struct str *text, struct err *err) {
    struct arena arena = {0};
    struct project project;
    bool good = project_read(as_file(&arena, "goalkeeper.json", text), &project, err);
    if (good && (!project.step || !project.name || project.sources.len == 0))
        give_up("a project file is read, but incomplete");
    if (good)
        project_free(&project);
    else if (err->code != ERR_USAGE || err->line < 1 || err->col < 1)
        give_up("a project file is refused without saying where");
    if (!same_as_cjson(text))
        give_up("our tree of a project file and that of cJSON differ");
    arena_free(&arena);
    return good;
}

/* libclang tells stderr what it does not like. */
static int silence(void) {
    int old = dup(2), null = open("/dev/null", O_WRONLY);
    dup2(null, 2);
    close(null);
    return old;
}

static bool read_compile_commands(const struct str *text, struct err *err) {
    int stderr_fd = silence();
    struct arena arena = {0};
    struct project project = {.dir = "/", .file = ""};
    struct texts files = {0}, args = {0};
    project.compile_commands = as_file(&arena, "compile_commands.json", text);
    bool good = compile_commands_files(project.compile_commands, &arena, &files, err);
    for (size_t i = 0; good && i < files.len; i++)
        good = compile_commands_args(&project, files.data[i], &arena, &args, err);
    vec_free(&files);
    vec_free(&args);
    arena_free(&arena);
    dup2(stderr_fd, 2);
    close(stderr_fd);
    return good;
}

static bool read_comment(const struct str *text, struct err *err) {
    static const struct scalar types[] = {{'b', 1},  {'i', 8},  {'u', 16}, {'i', 32},
                                          {'u', 64}, {'i', 64}, {'f', 32}, {'f', 64}};
    struct arena arena = {0};
    struct range_note note;
    bool good = range_note_parse(str_text(text), text->len, &arena, &note);
    for (size_t i = 0; good && i < sizeof types / sizeof *types; i++) {
        struct range range;
        range_scale(&note, types[i], &range);
    }
    arena_free(&arena);
    return good || err_set(err, ERR_SOURCE, "no range");
}

static bool read_ranges(const char *name, const struct str *text, struct err *err) {
    const struct scalar byte = {.type = 'u', .bits = 8};
    struct arena arena = {0};
    struct range_table table = {0};
    struct range range;
    const char *from;
    bool good = range_table_read(&table, as_file(&arena, name, text), err);
    for (size_t i = 0; good && i < table.entries.len; i++)
        range_table_find(&table, table.entries.data[i].name, byte, &range, &from);
    range_table_free(&table);
    arena_free(&arena);
    return good;
}

static bool read_csv(const struct str *text, struct err *err) {
    return read_ranges("r.csv", text, err);
}

static bool read_a2l(const struct str *text, struct err *err) {
    return read_ranges("r.a2l", text, err);
}

static bool read_dictionary(const struct str *text, struct err *err) {
    return read_ranges("r.xml", text, err);
}

static bool read_ledger(const struct str *text, struct err *err) {
    struct arena arena = {0};
    struct ledger ledger = {0};
    as_file(&arena, "justifications.json", text);
    bool good = ledger_open(&ledger, path_join(&arena, str_text(&folder), "goalkeeper.db"), err);
    ledger_close(&ledger);
    arena_free(&arena);
    return good;
}

static bool read_report(const struct str *text, struct err *err) {
    struct arena arena = {0};
    struct baseline baseline = {0};
    bool good = baseline_read(&baseline, as_file(&arena, "old.json", text), NULL, err);
    baseline_free(&baseline);
    arena_free(&arena);
    return good;
}

static bool read_fact(const struct str *text, struct err *err) {
    struct seeds seeds = {0};
    struct terms terms;
    struct system sys;
    struct fact fact;
    terms_init(&terms);
    system_init(&sys, &terms);
    reader_seeds(&readers[READER_system], &seeds);
    if (!system_read(&sys, str_text(&seeds.data[0]), "seed", err))
        give_up("the seed of `system` cannot be read");
    bool good = fact_read(&fact, &sys, str_text(text), err);
    if (good)
        fact_free(&fact);
    reader_seeds_free(&seeds);
    system_free(&sys);
    terms_free(&terms);
    return good;
}

static bool read_database(const struct str *text, struct err *err) {
    struct arena arena = {0};
    const struct str none = {0};
    bool good = database_accepts(as_file(&arena, "changed.db", &none), text, err);
    arena_free(&arena);
    return good;
}

/* ---- the table ---- */

const struct reader readers[READERS] = {
#define READER(name, rare, about) {#name, about, rare, read_##name},
#include "readers.def"
#undef READER
};

const struct reader *reader_find(const char *name) {
    for (size_t i = 0; i < READERS; i++)
        if (str_same(readers[i].name, name))
            return &readers[i];
    return NULL;
}

bool reader_accepts(const struct reader *reader, const struct str *text, struct err *err) {
    bool good = reader->read(text, err);
    if (good || err->message.len > 0)
        return good;
    fprintf(stderr, "%s: refused without a word\n", reader->name);
    abort();
}

void reader_seeds(const struct reader *reader, struct seeds *seeds) {
    struct arena arena = {0};
    struct err err = {0};
    struct dirent **names;
    const char *dir = arena_printf(&arena, GK_SOURCE_DIR "/tests/fuzz/seeds/%s", reader->name);
    int n = scandir(dir, &names, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        struct str text = {0};
        if (names[i]->d_name[0] != '.' &&
            !file_read(path_join(&arena, dir, names[i]->d_name), &text, &err))
            give_up(str_text(&err.message));
        if (names[i]->d_name[0] != '.')
            vec_push(seeds, text);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
    if (seeds->len == 0)
        give_up(arena_printf(&arena, "%s: no seeds", dir));
    arena_free(&arena);
}

void reader_seeds_free(struct seeds *seeds) {
    for (size_t i = 0; i < seeds->len; i++)
        str_free(&seeds->data[i]);
    vec_free(seeds);
}
