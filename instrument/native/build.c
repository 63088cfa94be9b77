/* build: see native/build.h. */
#include "instrument/native/build.h"

#include "base/cache.h"
#include "base/child.h"
#include "base/sandbox/confine.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "base/tool.h"
#include "instrument/native/positive.h"
#include "instrument/native/runtime_text.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/stat.h>

bool native_find_clang(const char *wanted, struct str *path, struct err *err) {
    static const char *const any[] = {"clang-20", "clang-18", "clang-17", "clang"};
    struct arena arena = {0};
    const char *found = wanted ? tool_find(&arena, "", &wanted, 1) : tool_clang(&arena);
    if (!found && !wanted && !getenv("GOALKEEPER_CLANG"))
        found = tool_find(&arena, "", any, sizeof any / sizeof *any);
    if (found)
        str_add(path, found);
    else
        err_set(err, ERR_USAGE, "there is no compiler '%s'", wanted ? wanted : "clang-19");
    if (!found)
        err_remedy(err, "install the package clang-19; 'goalkeeper doctor' checks all of it");
    arena_free(&arena);
    return found != NULL;
}

static bool find_gcc(struct str *path, struct err *err) {
    static const char *const names[] = {"gcc", "cc"};
    struct arena arena = {0};
    const char *found = tool_find(&arena, "GOALKEEPER_CC", names, sizeof names / sizeof *names);
    if (found)
        str_add(path, found);
    else
        err_set(err, ERR_USAGE, "there is no gcc");
    arena_free(&arena);
    return found != NULL;
}

static void add(struct native_build *b, const char *argument) {
    vec_push(&b->argv, arena_strdup(&b->arena, argument));
}

static void add_words(struct native_build *b, const char *words) {
    while (*words) {
        size_t length = strcspn(words, " ");
        if (length > 0)
            vec_push(&b->argv, arena_strndup(&b->arena, words, length));
        words += length + (words[length] == ' ');
    }
}

static const char *add_file(struct native_build *b, const char *dir, const char *name) {
    const char *path = path_join(&b->arena, dir, name);
    vec_push(&b->argv, path);
    return path;
}

/* The first lines of what the compiler says are what a user can do something with. */
static void first_lines(const char *text, int lines, struct str *out) {
    for (; *text && lines > 0; text++) {
        str_addc(out, *text);
        lines -= *text == '\n';
    }
}

static bool start(struct native_build *b, const char *dir, const char *runtime, struct err *err) {
    const char *const reads[] = {dir, runtime, NULL};
    const struct confine confine = {.reads = reads, .writes = dir};
    vec_push(&b->argv, NULL);
    b->spec = (struct child_spec){.argv = b->argv.data,
                                  .confine = &confine,
                                  .wall_seconds = compile_seconds(&b->how, b->bytes),
                                  .memory_mb = 8192,
                                  .output_bytes = 16 << 20};
    b->child = child_start(&b->spec, err);
    b->spec.confine = NULL;
    return b->child != NULL;
}

static bool explain(const struct child_result *result, struct err *err) {
    struct str said = {0};
    assert(result->code != 0);
    first_lines(str_text(&result->err), 12, &said);
    bool full = strstr(str_text(&result->err), "No space left on device");
    err_set(err, full ? ERR_USAGE : ERR_SOURCE,
            "compiling the woven program failed (exit code %d)%s%s", result->code,
            said.len ? ":\n" : "", str_text(&said));
    if (full)
        err_remedy(err, "make room in the folder for temporary files, or name another: TMPDIR=DIR");
    else
        err_remedy(err, "'goalkeeper doctor' checks the compiler and its 32-bit libraries");
    str_free(&said);
    return false;
}

bool native_build_finish(struct native_build *b, struct err *err) {
    struct child_result result;
    struct child *child = b->child;
    b->child = NULL;
    if (b->was_made)
        return true;
    if (!compile_finish(child, &b->spec, &b->how, &result, err))
        return false;
    bool ok = result.code == 0 || explain(&result, err);
    child_result_free(&result);
    if (ok && b->key[0])
        cache_keep(&b->cache, b->key, b->executable);
    return ok;
}

void native_build_free(struct native_build *b) {
    if (b->child) {
        struct child_result result;
        child_stop(b->child);
        child_finish(b->child, &result);
        child_result_free(&result);
        b->child = NULL;
    }
    vec_free(&b->argv);
    arena_free(&b->arena);
    *b = (struct native_build){0};
}

static void add_meaning(struct native_build *b, bool ilp32, bool char_is_signed) {
    add_words(b, ilp32 ? "-m32 -msse2 -mfpmath=sse" : "-m64");
    add_words(b, char_is_signed ? "-fsigned-char" : "-funsigned-char");
    add_words(b, "-std=gnu11 -w -fwrapv -fno-strict-aliasing -ffp-contract=off"
                 " -fno-delete-null-pointer-checks -fno-finite-loops -fno-pic -no-pie");
}

/* Compiled quickly where few steps are run: -O1 takes three times as long as -O0. NATIVE_ZERO is
 * what witnesses are shortened on. */
static const char *kind_flags(enum native_kind kind) {
#define CHECKS " -fsanitize=float-cast-overflow,shift-exponent,integer-divide-by-zero,null,bounds"
#define BRIEF " -fsanitize-minimal-runtime"
#define ADDRESSES                                                                                  \
    " -fsanitize=address -mllvm -asan-instrumentation-with-call-threshold=0 -mllvm -asan-stack=0"
#define ZERO " -ftrivial-auto-var-init=zero"
    static const char *const flags[] = {
        [NATIVE_PLAIN] = "-O1" ZERO,
        [NATIVE_ZERO] = "-O1" ZERO CHECKS BRIEF,
        [NATIVE_PATTERN] = "-O0 -ftrivial-auto-var-init=pattern" CHECKS ADDRESSES,
        [NATIVE_POSITIVE] = "-O0 -ftrivial-auto-var-init=pattern" CHECKS BRIEF,
        [NATIVE_FAST] = "-O2 -DGK_FAST" ZERO CHECKS BRIEF,
        [NATIVE_TRACED] =
            "-O1 -DGK_FAST -fsanitize-coverage=func,inline-8bit-counters,trace-cmp" ZERO CHECKS
                BRIEF,
        /* its vectoriser of neighbours drops roundings in version 12 (model/contract/selftest.h) */
        [NATIVE_GCC] = "-O2 -fno-tree-slp-vectorize -fpermissive -fexcess-precision=standard"
                       " -ftrivial-auto-var-init=pattern",
    };
#undef CHECKS
#undef BRIEF
#undef ADDRESSES
#undef ZERO
    return flags[kind];
}

static void may_stop(struct native_build *b, const struct native_program *program) {
    b->bytes = strlen(program->woven);
    b->how = (struct compile){.what = "the native program",
                              .total_seconds = program->total_seconds,
                              .stop = program->stop,
                              .stop_context = program->stop_context};
}

/* ---- the runtime ---- */

/* Its text does not depend on the signedness of char. */
static void add_runtime_flags(struct native_build *b, bool ilp32) {
    add_meaning(b, ilp32, true);
    add_words(b, "-O2 -D_GNU_SOURCE -c");
}

static const char *runtime_name(bool ilp32, struct arena *arena) {
    struct native_build b = {0};
    struct str flags = {0};
    add_runtime_flags(&b, ilp32);
    for (size_t i = 0; i < b.argv.len; i++)
        str_addf(&flags, "%s ", b.argv.data[i]);
    const char *name = runtime_object_name(ilp32 ? "ilp32" : "lp64", str_text(&flags), arena);
    str_free(&flags);
    native_build_free(&b);
    return name;
}

static bool compile_runtime(struct native_build *b, bool ilp32, const char *clang, const char *dir,
                            const char *object, struct err *err) {
    add(b, clang);
    add_runtime_flags(b, ilp32);
    add_file(b, dir, "runtime.c");
    add(b, "-o");
    add(b, object);
    return runtime_write(dir, err) && start(b, dir, NULL, err) && native_build_finish(b, err);
}

/* The one that was made with Goalkeeper; else it is compiled once a directory. */
static const char *find_runtime(const struct native_program *program, const char *clang,
                                const char *dir, struct arena *arena, struct err *err) {
    bool ilp32 = program->module->ilp32, ok = true;
    const char *name = runtime_name(ilp32, arena), *own = path_join(arena, dir, name);
    const char *made = tool_beside(arena, path_join(arena, "runtime", name));
    if (made)
        return runtime_write_headers(dir, err) ? made : NULL;
    if (!file_exists(own)) {
        struct native_build b = {0};
        may_stop(&b, program);
        ok = compile_runtime(&b, ilp32, clang, dir, own, err);
        native_build_free(&b);
    }
    return ok ? own : NULL;
}

/* In a folder of its own first: nobody must find half of it. */
static bool make_runtime(bool ilp32, const char *clang, const char *dir, struct err *err) {
    struct native_build b = {.how = {.what = "the runtime of native builds"}};
    struct str work = {0}, object = {0};
    const char *name = runtime_name(ilp32, &b.arena), *to = path_join(&b.arena, dir, name);
    bool ok = file_exists(to);
    if (!ok && file_temp_dir(&work, err)) {
        const char *made = path_join(&b.arena, str_text(&work), name);
        ok = compile_runtime(&b, ilp32, clang, str_text(&work), made, err) &&
             file_read(made, &object, err) && file_write(to, object.data, object.len, err);
        file_remove_tree(str_text(&work));
    }
    str_free(&object);
    str_free(&work);
    native_build_free(&b);
    return ok;
}

bool native_make_runtime(const char *dir, struct err *err) {
    struct str clang = {0};
    bool ok = file_make_dirs(dir, err) && native_find_clang(NULL, &clang, err) &&
              make_runtime(true, str_text(&clang), dir, err) &&
              make_runtime(false, str_text(&clang), dir, err);
    str_free(&clang);
    return ok;
}

/* ---- the program ---- */

/* Static, so that the compiler sees through each read of an input. */
static void write_many(const struct module *module, struct str *text) {
    str_add(text, "static const unsigned char gk_many[] = {");
    for (size_t i = 0; i < module->inputs.len; i++) {
        enum var_role role = module->inputs.data[i].role;
        str_add(text, role == VAR_VOLATILE || role == VAR_STUB ? "1, " : "0, ");
    }
    str_add(text, "0};\n");
}

static void write_known(const struct native_program *program, struct str *text) {
    bool *skipped = mem_zalloc(program->n_probes + 1, sizeof *skipped);
    for (size_t i = 0; i < program->n_spare; i++) {
        assert(program->spare[i] < program->n_probes);
        skipped[program->spare[i]] = true;
    }
    str_add(text, "static const unsigned char gk_known[] = {");
    for (uint32_t i = 0; i < program->n_probes; i++)
        str_add(text, skipped[i] || (program->known && program->known[i]) ? "1, " : "0, ");
    str_add(text, "0};\n");
    mem_free(skipped);
}

static bool write_woven(const struct native_program *program, const char *path, struct err *err) {
    struct str text = {0};
    size_t inputs = program->module->inputs.len;
    write_many(program->module, &text);
    write_known(program, &text);
    str_add(&text, "#include \"host.h\"\n");
    str_add(&text, "#define main gk_main_of_the_program\n"); /* the runtime has its own */
    str_add(&text, program->woven);
    str_addf(&text, "\nstruct gk_channel gk_channels[%zu];\n", inputs ? inputs : 1);
    str_addf(&text, "unsigned char gk_hits[%u];\n", program->n_probes ? program->n_probes : 1);
    str_addf(&text, "const unsigned gk_n_inputs = %zu, gk_n_probes = %u;\n", inputs,
             program->n_probes);
    str_add(&text, "const unsigned char *const gk_many_inputs = gk_many;\n");
    bool ok = file_write(path, text.data, text.len, err);
    str_free(&text);
    return ok;
}

const char *native_kind_name(enum native_kind kind) {
    static const char *const names[] = {"plain", "zero",   "pattern", "positive",
                                        "fast",  "traced", "gcc"};
    assert(kind < sizeof names / sizeof *names);
    return names[kind];
}

/* The woven text as bitcode, with its locals made positive; *source is the bitcode's path then. */
static bool make_positive(struct native_build *b, const struct native_program *program,
                          const char *clang, const char *dir, const char *name, const char **source,
                          struct err *err) {
    add(b, clang);
    add_meaning(b, program->module->ilp32, program->module->char_is_signed);
    add_words(b, kind_flags(NATIVE_POSITIVE));
    add_words(b, "-DGK_HOST -DGK_NATIVE -Xclang -disable-llvm-passes -emit-llvm -c");
    add(b, *source);
    add(b, "-o");
    *source = add_file(b, dir, arena_printf(&b->arena, "%s.bc", name));
    bool ok =
        start(b, dir, NULL, err) && native_build_finish(b, err) && positive_locals(*source, err);
    vec_clear(&b->argv);
    return ok;
}

/* Who has compiled it is part of what it is made from. */
static void add_compiler(struct str *all, const char *compiler) {
    char *real = realpath(compiler, NULL);
    struct stat info = {0};
    if (real && stat(real, &info) == 0)
        str_addf(all, "%s %lld %lld.%09ld\n", real, (long long)info.st_size,
                 (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    free(real);
}

/* All that the executable is made from but the folder it is made in; of the runtime the name, which
 * has the hash of its text. */
static bool make_key(struct native_build *b, const char *runtime, const char *source) {
    struct str all = {0};
    struct err ignored = {0};
    add_compiler(&all, b->argv.data[0]);
    for (size_t i = 1; i < b->argv.len; i++)
        if (b->argv.data[i] != source && b->argv.data[i] != b->executable)
            str_addf(&all, "%s\n", path_base(b->argv.data[i]));
    assert(strstr(str_text(&all), path_base(runtime)));
    bool ok = file_read(source, &all, &ignored);
    if (ok)
        sha256_hex(all.data, all.len, b->key);
    err_clear(&ignored);
    str_free(&all);
    return ok;
}

/* Only what searches comes out of the cache: what confirms a witness is always compiled anew. */
static bool find_made(struct native_build *b, const struct native_program *program,
                      enum native_kind kind, const char *runtime, const char *source) {
    b->cache = program->cache;
    bool searches = kind == NATIVE_FAST || kind == NATIVE_TRACED;
    if (searches && b->cache.dir && make_key(b, runtime, source))
        b->was_made = cache_take(&b->cache, b->key, b->executable);
    return b->was_made;
}

/* By clang, or for NATIVE_GCC by `compiler`. */
static bool start_woven(struct native_build *b, const struct native_program *program,
                        const char *compiler, enum native_kind kind, const char *runtime,
                        const char *dir, const char *name, struct err *err) {
    const char *source = path_join(&b->arena, dir, arena_printf(&b->arena, "%s.c", name));
    may_stop(b, program);
    if (!write_woven(program, source, err) ||
        (kind == NATIVE_POSITIVE && !make_positive(b, program, compiler, dir, name, &source, err)))
        return false;
    add(b, compiler);
    add_meaning(b, program->module->ilp32, program->module->char_is_signed);
    add_words(b, kind_flags(kind));
    if (kind != NATIVE_GCC)
        add_words(b, "-fbracket-depth=4096"); /* what is too deep is refused earlier */
    add_words(b, "-DGK_HOST -DGK_NATIVE");
    add(b, source);
    add(b, runtime);
    if (kind !=
        NATIVE_GCC) /* the handlers of the checks are in the runtime, not in clang's library */
        add(b, "-fno-sanitize-link-runtime");
    add_words(b, "-lm -o");
    b->executable = add_file(b, dir, name);
    return find_made(b, program, kind, runtime, source) || start(b, dir, runtime, err);
}

bool native_build_start(struct native_build *b, const struct native_program *program,
                        enum native_kind kind, const char *dir, const char *name, struct err *err) {
    struct str clang = {0}, gcc = {0};
    const char *runtime = NULL;
    bool ok = native_find_clang(program->clang, &clang, err) &&
              (kind != NATIVE_GCC || find_gcc(&gcc, err)) &&
              (runtime = find_runtime(program, str_text(&clang), dir, &b->arena, err)) &&
              start_woven(b, program, str_text(kind == NATIVE_GCC ? &gcc : &clang), kind, runtime,
                          dir, name, err);
    str_free(&clang);
    str_free(&gcc);
    return ok;
}
