/* Places are found in the user's file as it was when the run read it: its checksum is in the
 * database. A place where the file does not show what the program does there (it came from a macro)
 * is no waypoint. */
#include "app/export/witness.h"

#include "app/audit/evidence_file.h"
#include "app/export/witness_loops.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "db/rows.h"
#include "instrument/native/task.h"
#include "instrument/syntax/lex.h"
#include "instrument/syntax/task_calls.h"

#include <math.h>
#include <string.h>

struct writer {
    struct arena arena;
    struct evidence_file file;
    struct log *log;
    const char *name, *hash; /* of the task */
    struct str source, content;
};

/* ---- values ---- */

static const struct {
    const char *type;
    int bits; /* 1: long, 2: a float */
    bool is_signed;
} types[] = {
    {"bool", 8, false},      {"_Bool", 8, false},      {"schar", 8, true},  {"uchar", 8, false},
    {"short", 16, true},     {"ushort", 16, false},    {"int", 32, true},   {"uint", 32, false},
    {"unsigned", 32, false}, {"long", 1, true},        {"ulong", 1, false}, {"longlong", 64, true},
    {"size_t", 1, false},    {"ulonglong", 64, false}, {"char", 8, true},   {"float", 2, true},
    {"double", 2, true},
};

static bool add_float(bool is_float, uint64_t bits, struct str *out) {
    double d = is_float ? (double)bits_f32(bits) : bits_f64(bits);
    if (!isfinite(d))
        return false;
    str_addf(out, "%a%s", d, is_float ? "f" : "");
    return true;
}

/* As an integer constant of C: the least number of a type is none. */
static void add_integer(int bits, bool is_signed, uint64_t value, struct str *out) {
    const char *wide = bits == 64 ? "ll" : "";
    assert(bits == 8 || bits == 16 || bits == 32 || bits == 64);
    int64_t number = bits == 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
    if (!is_signed)
        str_addf(out, "%llu%s", (unsigned long long)value,
                 bits >= 32 ? bits == 64 ? "ull" : "u" : "");
    else if (number == (bits == 64 ? INT64_MIN : INT32_MIN))
        str_addf(out, "(%lld%s - 1)", (long long)number + 1, wide);
    else
        str_addf(out, "%lld%s", (long long)number, wide);
}

static bool add_value(const struct writer *w, const char *type, uint64_t value, struct str *out) {
    const struct module *m = &w->file.module;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        int bits = types[i].bits == 1 ? m->ilp32 ? 32 : 64 : types[i].bits;
        bool is_signed = types[i].is_signed && (m->char_is_signed || !str_same(type, "char"));
        if (!str_same(type, types[i].type))
            continue;
        if (bits == 2)
            return add_float(str_same(type, "float"), value, out);
        add_integer(bits, is_signed, value, out);
        return true;
    }
    return false;
}

/* ---- places ---- */

static size_t offset_of(const struct writer *w, struct task_place place) {
    const char *text = str_text(&w->source);
    size_t at = 0;
    for (unsigned line = 1; line < place.line && text[at]; at++)
        line += text[at] == '\n';
    size_t length = strcspn(text + at, "\n");
    return place.line > 0 && place.column > 0 && place.column <= length ? at + place.column - 1
                                                                        : w->source.len;
}

static struct task_place place_of(const struct writer *w, size_t offset) {
    struct task_place place = {1, 1};
    assert(offset <= w->source.len);
    for (size_t i = 0; i < offset; i++) {
        bool end = w->source.data[i] == '\n';
        place.line += end;
        place.column = end ? 1 : place.column + 1;
    }
    return place;
}

static void open_waypoint(struct writer *w, const char *type) {
    str_addf(&w->content,
             "    - segment:\n        - waypoint:\n            type: \"%s\"\n"
             "            action: \"follow\"\n",
             type);
}

static void add_place(struct writer *w, struct task_place place) {
    assert(place.line > 0 && place.column > 0);
    str_addf(&w->content,
             "            location:\n              file_name: \"%s\"\n"
             "              line: %u\n              column: %u\n",
             w->name, place.line, place.column);
}

/* The call of an input at that place: its name, and where its arguments end. */
static const char *input_at(struct writer *w, struct task_place place, size_t *closing) {
    const char *text = str_text(&w->source);
    struct lexeme name = lex_at(text, w->source.len, offset_of(w, place));
    struct lexeme open = lex_at(text, w->source.len, name.end);
    struct lexeme close = lex_at(text, w->source.len, open.end);
    if (name.kind != LEX_WORD || !lex_is(text, open, "(") || !lex_is(text, close, ")"))
        return NULL;
    char *word = arena_strndup(&w->arena, text + name.begin, name.end - name.begin);
    *closing = close.begin;
    return task_call_kind(word) == TASK_INPUT ? word : NULL;
}

static void add_input(struct writer *w, struct task_place place, uint64_t value) {
    size_t closing = 0;
    struct str constant = {0};
    const char *name = input_at(w, place, &closing);
    if (name && add_value(w, task_input_type(name), value, &constant)) {
        open_waypoint(w, "function_return");
        str_addf(&w->content,
                 "            constraint:\n              value: \"\\\\result == %s\"\n"
                 "              format: \"ext_c_expression\"\n",
                 str_text(&constant));
        assert(w->source.data[closing] == ')');
        add_place(w, place_of(w, closing));
    }
    str_free(&constant);
}

/* ---- a run ---- */

static bool read_values(struct writer *w, struct task_values *values, struct err *err) {
    struct rows *r = rows_open(
        w->file.db,
        "SELECT e.bits FROM goal g JOIN witness_event e USING (witness) ORDER BY e.number", err);
    while (rows_next(r))
        vec_push(values, (uint64_t)rows_int(r, 0));
    return rows_close(r, err);
}

static bool replay(struct writer *w, struct task_values *values, struct task_places *places,
                   struct err *err) {
    struct task_native native;
    struct str dir = {0};
    bool reached = false;
    bool ok = file_temp_dir(&dir, err) &&
              task_native_open(&native, &w->file.program, str_text(&dir), err) &&
              task_native_places(&native, TASK_ZERO, values, places, &reached, err);
    if (ok && !reached)
        ok = err_set(err, ERR_EVIDENCE, "the witness in the database does not reach the error");
    if (dir.len > 0)
        file_remove_tree(str_text(&dir));
    str_free(&dir);
    return ok;
}

static bool write_run(struct writer *w, struct err *err) {
    struct task_values values = {0};
    struct task_places places = {0};
    bool ok = read_values(w, &values, err) && replay(w, &values, &places, err);
    assert(!ok || places.len == values.len + 1);
    for (size_t i = 0; ok && i < values.len; i++)
        add_input(w, places.data[i], values.data[i]);
    if (ok) {
        struct task_place error = vec_last(&places);
        if (offset_of(w, error) >= w->source.len)
            error =
                (struct task_place){(unsigned)rows_single_int(w->file.db, "SELECT line FROM goal"),
                                    (unsigned)rows_single_int(w->file.db, "SELECT col FROM goal")};
        open_waypoint(w, "target");
        add_place(w, error);
    }
    vec_free(&values);
    vec_free(&places);
    return ok;
}

/* ---- a proof ---- */

static bool write_proof(struct writer *w, struct err *err) {
    struct evidence_model model = {0};
    struct proof proof = {0};
    struct witness_loops loops = {
        .source = str_text(&w->source), .len = w->source.len, .name = w->name, .out = &w->content};
    int64_t id = rows_single_int(w->file.db, "SELECT proof FROM goal");
    bool ok = evidence_model_make(&model, &w->file, false, err);
    if (ok && store_get_proof(w->file.db, id, &proof, &w->arena))
        ok = witness_loops_write(&loops, &model.sys, &model.lowered, proof.invariant, err);
    proof_free(&proof);
    evidence_model_free(&model);
    return ok;
}

/* ---- the file ---- */

static const char *info(struct writer *w, const char *key) {
    char *value = store_get_info(w->file.db, key);
    const char *kept = arena_strdup(&w->arena, value ? value : "");
    mem_free(value);
    return kept;
}

static bool read_source(struct writer *w, struct err *err) {
    char hash[SHA256_HEX];
    struct rows *r = rows_open(w->file.db, "SELECT file FROM goal", err);
    w->name = rows_next(r) ? arena_strdup(&w->arena, rows_text(r, 0)) : "";
    if (!rows_close(r, err) ||
        !file_read(path_join(&w->arena, info(w, "project_dir"), w->name), &w->source, err))
        return false;
    w->hash = info(w, arena_printf(&w->arena, "sha256:%s", w->name));
    sha256_hex(w->source.data, w->source.len, hash);
    if (str_same(hash, w->hash))
        return true;
    err_set(err, ERR_EVIDENCE, "'%s' is not what it was when the run read it", w->name);
    return err_remedy(err, "run it again");
}

/* From the contents, so that the same witness has the same one. */
static void add_uuid(struct writer *w, struct str *out) {
    char hash[SHA256_HEX];
    sha256_hex(w->content.data, w->content.len, hash);
    str_addf(out, "%.8s-%.4s-4%.3s-8%.3s-%.12s", hash, hash + 8, hash + 12, hash + 15, hash + 18);
}

static void add_metadata(struct writer *w, struct str *out) {
    str_add(out, "  metadata:\n    format_version: \"2.0\"\n    uuid: \"");
    add_uuid(w, out);
    str_addf(out,
             "\"\n    creation_time: \"%s\"\n    producer:\n      name: \"Goalkeeper\"\n"
             "      version: \"%s\"\n    task:\n      input_files:\n        - \"%s\"\n"
             "      input_file_hashes:\n        \"%s\": \"%s\"\n"
             "      specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"\n"
             "      data_model: \"%s\"\n      language: \"C\"\n",
             info(w, "finished"), info(w, "tool_version"), w->name, w->name, w->hash,
             w->file.module.ilp32 ? "ILP32" : "LP64");
}

static bool write_file(struct writer *w, const char *type, const char *folder, struct err *err) {
    struct str text = {0};
    str_addf(&text, "# " FILE_MARK "\n- entry_type: \"%s\"\n", type);
    add_metadata(w, &text);
    str_addf(&text, "  content:%s\n%s", w->content.len ? "" : " []", str_text(&w->content));
    const char *path = path_join(&w->arena, folder, "witness.yml");
    bool ok = file_write_ours(path, text.data, text.len, FILE_MARK, err);
    str_free(&text);
    return ok;
}

static bool write_verdict(struct writer *w, const char *folder, struct err *err) {
    if (!w->file.module.task) {
        err_set(err, ERR_USAGE, "witnesses are for verification tasks");
        return err_remedy(err, "'goalkeeper run --verify FILE.c' makes one's database");
    }
    bool reached = rows_single_int(w->file.db, "SELECT count(*) FROM goal WHERE witness NOT NULL"),
         dead = rows_single_int(w->file.db, "SELECT count(*) FROM goal WHERE status = 'dead'");
    if (!reached && !dead) {
        log_warning(w->log, "the task is open: there is no witness");
        return true;
    }
    return read_source(w, err) && (reached ? write_run(w, err) : write_proof(w, err)) &&
           write_file(w, reached ? "violation_sequence" : "invariant_set", folder, err);
}

bool witness_export(const char *database, const char *folder, struct log *log, struct err *err) {
    struct writer w = {.log = log};
    bool ok =
        evidence_file_open(&w.file, database, STORE_READ, err) && write_verdict(&w, folder, err);
    evidence_file_close(&w.file);
    str_free(&w.source);
    str_free(&w.content);
    arena_free(&w.arena);
    return ok;
}
