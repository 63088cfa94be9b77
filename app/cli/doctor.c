/* A row, a function: each check runs its piece and compares the answer, never only a version. */
#include "app/cli/doctor.h"

#include "app/audit/bitwuzla.h"
#include "base/child.h"
#include "base/sandbox/confine.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sandbox/sandbox.h"
#include "base/tool.h"
#include "instrument/cbmc/cbmc.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* What a check works with: a folder of its own, and where to say what it found. */
struct bench {
    struct arena arena;
    struct str dir;
    struct str *detail;
};

static const struct child_spec patient = {.wall_seconds = 60, .output_bytes = 1 << 20};

/* Runs a program, confined as runs do it; its first line of output, NULL (and the reason in detail)
 * when it fails. */
static const char *first_line(struct bench *b, const char *const *argv) {
    assert(argv[0] && argv[0][0]);
    struct child_spec spec = patient;
    struct child_result result;
    struct err err = {0};
    const char *line = NULL, *reads[] = {str_text(&b->dir), NULL};
    const struct confine confine = {.reads = reads, .writes = reads[0]};
    spec.argv = argv;
    spec.confine = &confine;
    spec.dir = str_text(&b->dir);
    if (!child_run(&spec, &result, &err)) {
        str_add(b->detail, str_text(&err.message));
    } else if (result.end == CHILD_EXITED && result.code == 0) {
        const char *text = str_text(&result.out);
        line = arena_strndup(&b->arena, text, strcspn(text, "\n"));
    } else {
        const char *text = str_text(&result.err);
        str_addf(b->detail, "%s: ", argv[0]);
        child_end_text(&spec, &result, b->detail);
        str_addf(b->detail, "%s%.*s", text[0] ? ": " : "", (int)strcspn(text, "\n"), text);
    }
    child_result_free(&result);
    err_clear(&err);
    return line;
}

static bool write_source(struct bench *b, const char *name, const char *text) {
    struct err err = {0};
    const char *path = path_join(&b->arena, str_text(&b->dir), name);
    bool good = file_write(path, text, strlen(text), &err);
    if (!good)
        str_add(b->detail, str_text(&err.message));
    err_clear(&err);
    return good;
}

/* Compiles and runs a program that answers with the size of long. */
static bool compiles(struct bench *b, const char *cc, const char *mode, const char *answer) {
    static const char source[] = "#include <stdio.h>\n#include <math.h>\n"
                                 "int main(void) { volatile double x = 4.0;\n"
                                 "printf(\"%d\\n\", (int)(8 * sizeof(long)) + (int)sqrt(x) - 2);\n"
                                 "return 0; }\n";
    const char *compile[] = {cc, mode, "-std=c11", "try.c", "-o", "try", "-lm", NULL};
    const char *run[] = {path_join(&b->arena, str_text(&b->dir), "try"), NULL};
    if (!write_source(b, "try.c", source) || !first_line(b, compile))
        return false;
    const char *line = first_line(b, run);
    if (!line || str_same(line, answer))
        return line != NULL;
    str_addf(b->detail, "%s %s: long has %s bits", cc, mode, line);
    return false;
}

static bool check_compiler(struct bench *b) {
    const char *cc = tool_cc(&b->arena);
    if (!cc) {
        str_add(b->detail, "there is no C compiler");
        return false;
    }
    const char *argv[] = {cc, "--version", NULL};
    const char *version = first_line(b, argv);
    if (!version || !compiles(b, cc, "-m64", "64"))
        return false;
    str_addf(b->detail, "%s (%s)", version, cc);
    return true;
}

static bool check_32bit(struct bench *b) {
    const char *cc = tool_cc(&b->arena);
    if (!cc) {
        str_add(b->detail, "there is no C compiler to try them with");
        return false;
    }
    if (!compiles(b, cc, "-m32", "32"))
        return false;
    str_add(b->detail, "programs for 32 bits compile and run");
    return true;
}

static bool check_clang(struct bench *b) {
    const char *clang = tool_clang(&b->arena);
    if (!clang) {
        str_add(b->detail, "there is no clang-19");
        return false;
    }
    const char *argv[] = {clang, "--version", NULL};
    const char *compile[] = {clang, "-c", "-emit-llvm", "-O0", "try.c", "-o", "try.bc", NULL};
    const char *version = first_line(b, argv);
    if (!version || !write_source(b, "try.c", "int f(int x) { return x + 1; }\n") ||
        !first_line(b, compile))
        return false;
    str_addf(b->detail, "%s (%s)", version, clang);
    return strstr(version, "version 19.") != NULL;
}

/* CBMC has to tell true from false, which also needs the compiler that it preprocesses with. */
static bool check_cbmc(struct bench *b) {
    const char *program = tool_cbmc(&b->arena);
    struct cbmc cbmc;
    if (!program) {
        str_add(b->detail, "there is no cbmc");
        return false;
    }
    if (!cbmc_open(&cbmc, program, b->detail))
        return false;
    str_addf(b->detail, "%s (%s)", cbmc.version, program);
    return true;
}

/* It has to tell a question with a solution from one without. */
static bool check_bitwuzla(struct bench *b) {
    const char *program = tool_bitwuzla(&b->arena);
    struct bitwuzla bitwuzla;
    if (!bitwuzla_open(&bitwuzla, program, b->detail))
        return false;
    str_addf(b->detail, "%s (%s)", bitwuzla.version, program);
    return true;
}

static bool check_temp(struct bench *b) {
    if (!file_is_dir(str_text(&b->dir))) {
        str_add(b->detail, "no temporary folder can be made");
        return false;
    }
    struct arena arena = {0};
    str_add(b->detail, path_dir(&arena, str_text(&b->dir)));
    arena_free(&arena);
    return true;
}

static int look_at_limit(void *context) {
    const struct confine *confine = context;
    struct rlimit now;
    return confine_enter(confine, "/bin/sh") && getrlimit(RLIMIT_NPROC, &now) == 0 &&
           now.rlim_cur == CONFINE_PROCESSES;
}

/* Native programs start none at all: that is a matter of their system calls. */
static void add_processes(struct bench *b) {
    struct confine confine = {.writes = str_text(&b->dir)};
    struct child_spec spec = {.body = look_at_limit, .context = &confine, .wall_seconds = 60};
    struct child_result result = {0};
    struct err ignored = {0};
    if (child_run(&spec, &result, &ignored) && result.end == CHILD_EXITED && result.code == 1)
        str_addf(b->detail, ", at most %d processes", CONFINE_PROCESSES);
    else
        str_addf(b->detail, ", no limit of processes: %s",
                 geteuid() == 0 ? "root's are not counted" : "no namespaces of users here");
    child_result_free(&result);
    err_clear(&ignored);
}

/* What is left protects where one of the two that forbid is there. */
static bool check_sandbox(struct bench *b) {
    unsigned layers = sandbox_layers(), missing = SANDBOX_ALL & ~layers;
    struct str text = {0};
    sandbox_describe(layers, b->detail);
    sandbox_describe(missing, &text);
    if (b->detail->len == 0)
        str_add(b->detail, "none");
    if (missing)
        str_addf(b->detail, " (not here: %s)", str_text(&text));
    str_clear(&text);
    sandbox_describe(layers & ~(unsigned)SANDBOX_SPACES, &text);
    if (text.len)
        str_addf(b->detail, "; compilers and CBMC: %s", str_text(&text));
    add_processes(b);
    str_free(&text);
    return (layers & SANDBOX_CALLS) && (layers & SANDBOX_FILES);
}

static bool check_library(struct str *detail, const char *file) {
    void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    str_add(detail, library ? file : dlerror());
    if (library)
        dlclose(library);
    return library != NULL;
}

struct row {
    const char *name, *file, *package; /* a library */
    bool (*check)(struct bench *b);    /* or this */
    const char *remedy;
    bool extra;
};

static const struct row rows[] = {
#define LIBRARY(name, file, package) {name, file, package, NULL, NULL, false},
#define CHECK(name, function, remedy) {name, NULL, NULL, function, remedy, false},
#define EXTRA(name, function, remedy) {name, NULL, NULL, function, remedy, true},
#include "app/cli/doctor.def"
#undef LIBRARY
#undef CHECK
#undef EXTRA
};

static void examine(struct bench *b, const struct row *row, struct doctor_piece *piece) {
    *piece = (struct doctor_piece){.name = row->name, .extra = row->extra};
    b->detail = &piece->detail;
    piece->works = row->check ? row->check(b) : check_library(b->detail, row->file);
    assert(piece->detail.len > 0 && "say what was found");
    if (piece->works)
        return;
    if (row->check)
        str_add(&piece->remedy, row->remedy);
    else
        str_addf(&piece->remedy, "install it (Debian: apt install %s)", row->package);
}

void doctor_examine(struct doctor_report *report) {
    struct bench b = {0};
    struct err err = {0};
    file_temp_dir(&b.dir, &err);
    err_clear(&err);
    report->n = sizeof rows / sizeof *rows;
    report->pieces = mem_zalloc(report->n, sizeof *report->pieces);
    report->complete = true;
    assert(report->n > 0);
    for (size_t i = 0; i < report->n; i++) {
        examine(&b, &rows[i], &report->pieces[i]);
        report->complete &= report->pieces[i].works || report->pieces[i].extra;
    }
    if (file_is_dir(str_text(&b.dir)))
        file_remove_tree(str_text(&b.dir));
    str_free(&b.dir);
    arena_free(&b.arena);
}

void doctor_report_free(struct doctor_report *report) {
    for (size_t i = 0; i < report->n; i++) {
        str_free(&report->pieces[i].detail);
        str_free(&report->pieces[i].remedy);
    }
    mem_free(report->pieces);
    *report = (struct doctor_report){0};
}
