/* build: see native/build.h. */
#include "instrument/native/build.h"

#include "base/child.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/tool.h"
#include "instrument/native/positive.h"

#include <assert.h>
#include <stdlib.h>

struct embedded {
    const char *name, *text;
};

#define RUNTIME(name, file) extern const char runtime_##name[];
#include "instrument/native/runtime.def"
#undef RUNTIME

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

static bool start(struct native_build *b, struct err *err) {
    vec_push(&b->argv, NULL);
    b->spec = (struct child_spec){.argv = b->argv.data,
                                  .wall_seconds = compile_seconds(&b->how, b->bytes),
                                  .memory_mb = 8192,
                                  .output_bytes = 16 << 20};
    b->child = child_start(&b->spec, err);
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
    if (!compile_finish(child, &b->spec, &b->how, &result, err))
        return false;
    bool ok = result.code == 0 || explain(&result, err);
    child_result_free(&result);
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

/* What the C means on the target. */
static void add_meaning(struct native_build *b, const struct module *module) {
    add_words(b, module->ilp32 ? "-m32 -msse2 -mfpmath=sse" : "-m64");
    add_words(b, module->char_is_signed ? "-fsigned-char" : "-funsigned-char");
    add_words(b, "-std=gnu11 -w -fwrapv -fno-strict-aliasing -ffp-contract=off"
                 " -fno-delete-null-pointer-checks -fno-finite-loops -fno-pic -no-pie");
}

static const char *kind_flags(enum native_kind kind) {
#define CHECKS " -fsanitize=float-cast-overflow,shift-exponent,integer-divide-by-zero,null,bounds"
#define BRIEF " -fsanitize-minimal-runtime"
#define ADDRESSES                                                                                  \
    " -fsanitize=address -mllvm -asan-instrumentation-with-call-threshold=0 -mllvm -asan-stack=0"
#define ZERO " -ftrivial-auto-var-init=zero"
    static const char *const flags[] = {
        [NATIVE_PLAIN] = "-O1" ZERO,
        [NATIVE_ZERO] = "-O1" ZERO CHECKS BRIEF,
        [NATIVE_PATTERN] = "-O1 -ftrivial-auto-var-init=pattern" CHECKS ADDRESSES,
        [NATIVE_POSITIVE] = "-O1 -ftrivial-auto-var-init=pattern" CHECKS BRIEF,
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

static bool write_in(const char *dir, const char *name, const char *text, size_t size,
                     struct err *err) {
    struct arena arena = {0};
    bool ok = file_write(path_join(&arena, dir, name), text, size, err);
    arena_free(&arena);
    return ok;
}

static bool write_runtime(const char *dir, struct err *err) {
    static const struct embedded files[] = {
#define RUNTIME(name, file) {file, runtime_##name},
#include "instrument/native/runtime.def"
#undef RUNTIME
    };
    struct str all = {0};
    bool ok = true;
#define NAME(name) str_add(&all, "#define " #name " gk_runtime_" #name "\n");
#include "instrument/native/runtime_names.def"
#undef NAME
    for (size_t i = 0; ok && i < sizeof files / sizeof *files; i++) {
        ok = write_in(dir, files[i].name, files[i].text, strlen(files[i].text), err);
        if (str_ends(files[i].name, ".c"))
            str_addf(&all, "#include \"%s\"\n", files[i].name);
    }
    ok = ok && write_in(dir, "runtime.c", str_text(&all), all.len, err);
    str_free(&all);
    return ok;
}

static void may_stop(struct native_build *b, const struct native_program *program) {
    b->bytes = strlen(program->woven);
    b->how = (struct compile){.what = "the native program",
                              .total_seconds = program->total_seconds,
                              .stop = program->stop,
                              .stop_context = program->stop_context};
}

/* The runtime is the same for all kinds: compiled once a directory. */
static bool build_runtime(const struct native_program *program, const char *clang, const char *dir,
                          struct err *err) {
    struct native_build b = {0};
    bool ok = true;
    may_stop(&b, program);
    if (!file_exists(path_join(&b.arena, dir, "runtime.o"))) {
        add(&b, clang);
        add_meaning(&b, program->module);
        add_words(&b, "-O2 -D_GNU_SOURCE -c");
        add_file(&b, dir, "runtime.c");
        add(&b, "-o");
        add_file(&b, dir, "runtime.o");
        ok = write_runtime(dir, err) && start(&b, err) && native_build_finish(&b, err);
    }
    native_build_free(&b);
    return ok;
}

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
    add_meaning(b, program->module);
    add_words(b, kind_flags(NATIVE_POSITIVE));
    add_words(b, "-DGK_HOST -DGK_NATIVE -Xclang -disable-llvm-passes -emit-llvm -c");
    add(b, *source);
    add(b, "-o");
    *source = add_file(b, dir, arena_printf(&b->arena, "%s.bc", name));
    bool ok = start(b, err) && native_build_finish(b, err) && positive_locals(*source, err);
    vec_clear(&b->argv);
    return ok;
}

/* By clang, or for NATIVE_GCC by `compiler`. */
static bool start_woven(struct native_build *b, const struct native_program *program,
                        const char *compiler, enum native_kind kind, const char *dir,
                        const char *name, struct err *err) {
    const char *source = path_join(&b->arena, dir, arena_printf(&b->arena, "%s.c", name));
    may_stop(b, program);
    if (!write_woven(program, source, err) ||
        (kind == NATIVE_POSITIVE && !make_positive(b, program, compiler, dir, name, &source, err)))
        return false;
    add(b, compiler);
    add_meaning(b, program->module);
    add_words(b, kind_flags(kind));
    add_words(b, "-DGK_HOST -DGK_NATIVE");
    add(b, source);
    add_file(b, dir, "runtime.o");
    if (kind !=
        NATIVE_GCC) /* the handlers of the checks are in the runtime, not in clang's library */
        add(b, "-fno-sanitize-link-runtime");
    add_words(b, "-lm -o");
    b->executable = add_file(b, dir, name);
    return start(b, err);
}

bool native_build_start(struct native_build *b, const struct native_program *program,
                        enum native_kind kind, const char *dir, const char *name, struct err *err) {
    struct str clang = {0}, gcc = {0};
    bool ok =
        native_find_clang(program->clang, &clang, err) &&
        (kind != NATIVE_GCC || find_gcc(&gcc, err)) &&
        build_runtime(program, str_text(&clang), dir, err) &&
        start_woven(b, program, str_text(kind == NATIVE_GCC ? &gcc : &clang), kind, dir, name, err);
    str_free(&clang);
    str_free(&gcc);
    return ok;
}
