/* preprocess: see preprocess.h.
 *
 * Line markers of other machines hold Windows paths, some with lone backslashes ("C:\x\y.c"), which
 * clang would read as escapes. Such markers are mended first, and clang reads the mended text from
 * its standard input. Words of other compilers and of analysers are left out (dialect.h).
 * Predefined macros outside the reserved name space (linux, unix, i386) are undefined: the program
 * is meant for a controller, and may use these names. */
#include "instrument/syntax/preprocess.h"

#include "base/sandbox/confine.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/tool.h"
#include "coverage/place.h"
#include "instrument/syntax/compile.h"
#include "instrument/syntax/compile_commands.h"
#include "instrument/syntax/dialect.h"
#include "instrument/syntax/foreign_assembly.h"
#include "instrument/syntax/header_name.h"
#include "instrument/syntax/markers.h"
#include "instrument/syntax/meaning_flags.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_MB = 4096, MOST_TEXT = 64 << 20 };

static bool has_prefix(const struct texts *texts, const char *prefix) {
    for (size_t i = 0; i < texts->len; i++)
        if (str_starts(texts->data[i], prefix))
            return true;
    return false;
}

/* What holds for preprocessing and parsing alike. */
static void add_language(const struct project *project, const struct texts *commands,
                         struct texts *args) {
    vec_push(args, project->ilp32 ? "--target=i386-unknown-linux-gnu"
                                  : "--target=x86_64-unknown-linux-gnu");
    if (project->ilp32) { /* FLT_EVAL_METHOD and float_t are what every build computes */
        vec_push(args, "-msse2");
        vec_push(args, "-mfpmath=sse");
    }
    vec_push(args, project->char_is_signed ? "-fsigned-char" : "-funsigned-char");
    if (!has_prefix(&project->cflags, "-std=") && !has_prefix(commands, "-std="))
        vec_push(args, "-std=gnu11");
    vec_push(args, "-w");
}

static void add_parse_flags(const struct texts *from, struct texts *args) {
    for (size_t i = 0; i < from->len; i++) {
        const char *flag = from->data[i];
        if (str_starts(flag, "-std=") || str_starts(flag, "-f") || str_starts(flag, "-m") ||
            str_starts(flag, "-W") || str_same(flag, "-ansi") || str_same(flag, "-Ofast"))
            vec_push(args, flag);
    }
}

/* Old code calls functions without a prototype and leaves out int: clang would refuse it. */
static const char *const lenient[] = {"-Wno-error=implicit-function-declaration",
                                      "-Wno-error=implicit-int",
                                      "-Wno-error=int-conversion",
                                      "-Wno-error=incompatible-function-pointer-types",
                                      "-Wno-error=return-type",
                                      "-fbracket-depth=4096"};

static void add_parse_args(const struct project *project, const struct texts *commands,
                           struct texts *args) {
    add_language(project, commands, args);
    add_parse_flags(commands, args);
    add_parse_flags(&project->cflags, args);
    for (size_t i = 0; i < sizeof lenient / sizeof *lenient; i++)
        vec_push(args, lenient[i]);
    vec_push(args, "-undef");
    vec_push(args, "-xcpp-output");
}

static void add_flagged(struct texts *args, struct arena *arena, const char *flag,
                        const struct texts *values) {
    for (size_t i = 0; i < values->len; i++)
        vec_push(args, arena_printf(arena, "%s%s", flag, values->data[i]));
}

static void add_preprocess_args(const struct project *project, const struct texts *commands,
                                const struct texts *dialect, struct arena *arena,
                                struct texts *args) {
    add_language(project, commands, args);
    static const char *const fixed[] = {"-E",     "-C",      "-fno-color-diagnostics",
                                        "-xc",    "-Ulinux", "-fno-caret-diagnostics",
                                        "-Uunix", "-Ui386"};
    static const char *const extensions[] = {"-U__MMX__", "-U__SSE__", "-U__SSE2__",
                                             "-U__SSE_MATH__", "-U__SSE2_MATH__"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        vec_push(args, fixed[i]);
    for (size_t i = 0; project->ilp32 && i < sizeof extensions / sizeof *extensions; i++)
        vec_push(args, extensions[i]); /* a controller of 32 bits has none */
    add_flagged(args, arena, "-I", &project->include_dirs);
    add_flagged(args, arena, "", commands);
    add_flagged(args, arena, "-D", dialect);
    add_flagged(args, arena, "-D", &project->defines);
    add_flagged(args, arena, "", &project->cflags);
}

/* Reading the source. */

static const char *source_path(const struct project *project, const char *source,
                               struct arena *arena) {
    if (source[0] == '/' || !project->dir || !project->dir[0])
        return source;
    return arena_printf(arena, "%s/%s", project->dir, source);
}

static bool read_source(const char *path, struct str *text, struct err *err) {
    struct err why = {0};
    bool good = !file_is_device(path) ||
                err_set(&why, ERR_SOURCE, "this is a pipe or a device, not a file");
    good = good && file_read(path, text, &why);
    if (!good) {
        err_set(err, ERR_SOURCE, "source file '%s': %s", path, str_text(&why.message));
        err_remedy(err, "check \"sources\" in the project file; its paths are relative to the "
                        "directory of that file");
    }
    err_clear(&why);
    return good;
}

/* Clang's first error: "file:line:col: fatal error: text". Windows names hold colons: the numbers
 * are found from the right. */
static int take_number(char *head) {
    char *colon = strrchr(head, ':');
    if (!colon || !isdigit((unsigned char)colon[1]))
        return 0;
    *colon = '\0';
    return (int)strtol(colon + 1, NULL, 10);
}

/* Where clang looks: beside the file that includes, then the folders of the project. */
static bool find_like(const struct project *project, const char *name, const char *includer,
                      const struct texts *args, struct str *path) {
    struct arena arena = {0};
    const char *base = project->dir && project->dir[0] ? project->dir : ".";
    bool found = header_like(path_dir(&arena, path_join(&arena, base, includer)), name, path);
    for (size_t i = 0; !found && i < args->len && args->data[i]; i++) {
        const char *arg = args->data[i];
        bool apart = str_same(arg, "-I") || str_same(arg, "-isystem") || str_same(arg, "-iquote");
        const char *dir = apart ? args->data[i + 1] : str_starts(arg, "-I") ? arg + 2 : NULL;
        found = dir && header_like(path_join(&arena, base, dir), name, path);
    }
    arena_free(&arena);
    return found;
}

/* Somewhere in the repository: beginners name the source and forget where its headers are. */
static bool remedy_folder(const struct project *project, const char *name, struct err *err) {
    struct arena arena = {0};
    struct texts folders = {0};
    const char *dir = project->dir && project->dir[0] ? project->dir : ".";
    const char *root = project->root ? project->root : place_root(&arena, dir);
    char *from = realpath(dir, NULL);
    if (root && from && name[0] && name[0] != '/')
        header_folders(root, name, &arena, &folders);
    struct str others = {0};
    for (size_t i = 1; i < folders.len; i++)
        str_addf(&others, "%s%s", i > 1 ? ", " : "; there is another in ",
                 path_from(&arena, from, folders.data[i]));
    bool found = folders.len > 0;
    if (found) {
        const char *first = path_from(&arena, from, folders.data[0]);
        err_remedy(err,
                   "it is in %s: add -I %s, or \"include_dirs\": [\"%s\"] to the project file%s",
                   first, first, first, str_text(&others));
    }
    free(from);
    str_free(&others);
    vec_free(&folders);
    arena_free(&arena);
    return found;
}

/* "'Types.h' file not found" */
static void remedy_header(const struct project *project, const struct texts *args,
                          struct err *err) {
    const char *message = str_text(&err->message);
    struct str name = {0}, path = {0};
    const struct header_about *about;
    if (message[0] == '\'')
        str_addn(&name, message + 1, strcspn(message + 1, "'"));
    if (name.len && find_like(project, str_text(&name), str_text(&err->file), args, &path))
        err_remedy(err,
                   "there is '%s': here upper and lower case differ, and '/' parts folders; "
                   "write the name like that, or make a link with the other name",
                   str_text(&path));
    else if (remedy_folder(project, str_text(&name), err))
        ;
    else if ((about = header_about(str_text(&name))) != NULL)
        err_remedy(err,
                   "it holds %s and does not come with the code: %s; folders are named by -I DIR "
                   "or in \"include_dirs\" of the project file; or put a header of this name "
                   "with what the sources use into a folder of your own and name that",
                   about->what, about->remedy);
    else
        err_remedy(err, "name the directory of the header with -I DIR or in \"include_dirs\" of "
                        "the project file");
    str_free(&name);
    str_free(&path);
}

static void report_first_error(const struct project *project, const struct texts *args,
                               const struct str *messages, const char *source, struct err *err) {
    const char *text = str_text(messages), *error = strstr(text, "error: ");
    if (!error) {
        err_set(err, ERR_SOURCE, "clang cannot preprocess '%s': %.200s", source, text);
        return;
    }
    err_set(err, ERR_SOURCE, "%.*s", (int)strcspn(error, "\n") - 7, error + 7);
    const char *line = error;
    while (line > text && line[-1] != '\n')
        line--;
    struct str place = {0};
    str_addn(&place, line, (size_t)(error - line));
    char *head = str_detach(&place), *kind = strstr(head, ": fatal ");
    size_t len = strlen(head);
    if (kind)
        *kind = '\0';
    else if (len >= 2)
        head[len - 2] = '\0';
    int col = take_number(head), number = take_number(head);
    if (number > 0)
        err_at(err, head, number, col);
    mem_free(head);
    if (strstr(str_text(&err->message), "gnu/stubs-32.h"))
        err_remedy(err, "install the 32-bit headers (Debian: apt install gcc-multilib), or use "
                        "\"target\": \"lp64\"");
    else if (strstr(str_text(&err->message), "byte order mark"))
        err_remedy(err, "save the file as UTF-8 or Latin-1");
    else if (project->root && strstr(str_text(&err->message), "Permission denied"))
        err_remedy(err, "it may lie outside of the project, whose root is %s: " PLACE_REMEDY,
                   project->root);
    else if (strstr(str_text(&err->message), "file not found"))
        remedy_header(project, args, err);
}

/* False: it did not come to an end. */
static bool start_clang(const struct project *project, const char *source, const struct texts *args,
                        const struct str *input, struct child_result *result, struct err *err) {
    assert(args->len > 0 && args->data[args->len - 1] == NULL);
    struct arena arena = {0};
    struct compile how = {.what = arena_printf(&arena, "one text of '%s' and its headers", source),
                          .total_seconds = project->total_seconds};
    struct texts reads = {0};
    for (size_t i = 0; i < project->named.len; i++)
        vec_push(&reads, project->named.data[i]);
    vec_push(&reads, project->root);
    vec_push(&reads, NULL);
    const struct confine confine = {.reads = project->root ? reads.data : NULL};
    struct child_spec spec = {.argv = args->data,
                              .confine = &confine,
                              .dir = project->dir && project->dir[0] ? project->dir : NULL,
                              .input = input->data,
                              .input_size = input->len,
                              .memory_mb = MEMORY_MB,
                              .output_bytes = MOST_TEXT,
                              .wall_seconds = compile_seconds(&how, input->len)};
    struct child *child = child_start(&spec, err);
    bool ended = child && compile_finish(child, &spec, &how, result, err);
    vec_free(&reads);
    arena_free(&arena);
    return ended;
}

static bool run_clang(const struct project *project, const char *source, const struct texts *args,
                      const struct str *input, struct str *text, struct err *err) {
    struct child_result result = {0};
    bool ended = start_clang(project, source, args, input, &result, err);
    bool good = ended && result.code == 0;
    if (good)
        str_addn(text, str_text(&result.out), result.out.len);
    else if (ended)
        report_first_error(project, args, &result.err, source, err);
    child_result_free(&result);
    return good;
}

static const char *find_clang(struct arena *arena, struct err *err) {
    const char *clang = tool_clang(arena);
    if (!clang) {
        err_set(err, ERR_USAGE, "clang-19 was not found");
        err_remedy(err, "install it (Debian: apt install clang-19); 'goalkeeper doctor' lists "
                        "what is needed");
    }
    return clang;
}

static const char *directory_of(const char *path, struct arena *arena) {
    const char *slash = strrchr(path, '/');
    return slash ? arena_strndup(arena, path, (size_t)(slash - path)) : ".";
}

/* What the steps of preprocessing one source share. */
struct job {
    const struct project *project;
    const char *source, *clang;
    struct arena *arena;
    struct texts commands; /* flags of compile_commands.json */
    struct texts dialect;  /* macros that neutralise foreign words */
    struct str mended;     /* the source with mended markers; empty: clang reads the file */
};

static void job_free(struct job *job) {
    vec_free(&job->commands);
    vec_free(&job->dialect);
    str_free(&job->mended);
}

static bool job_open(struct job *job, struct err *err) {
    const struct project *project = job->project;
    struct str original = {0};
    job->clang = find_clang(job->arena, err);
    bool good = job->clang &&
                read_source(source_path(project, job->source, job->arena), &original, err) &&
                compile_commands_args(project, job->source, job->arena, &job->commands, err);
    if (good) {
        str_addf(&job->mended, "# 1 \"%s\"\n", job->source);
        if (!markers_mend(&original, &job->mended))
            str_clear(&job->mended);
    }
    str_free(&original);
    return good;
}

/* No file's name is an option of clang. */
static const char *operand(const char *source, struct arena *arena) {
    return source[0] == '-' || source[0] == '@' ? arena_printf(arena, "./%s", source) : source;
}

static bool job_run(struct job *job, struct str *text, struct err *err) {
    struct texts command = {0};
    vec_push(&command, job->clang);
    add_preprocess_args(job->project, &job->commands, &job->dialect, job->arena, &command);
    if (job->mended.len)
        vec_push(&command,
                 arena_printf(job->arena, "-iquote%s", directory_of(job->source, job->arena)));
    vec_push(&command, job->mended.len ? "-" : operand(job->source, job->arena));
    vec_push(&command, NULL);
    bool good = run_clang(job->project, job->source, &command, &job->mended, text, err);
    vec_free(&command);
    return good;
}

/* Foreign words show only behind the macros that wrap them: then a second run leaves them out. */
static bool job_text(struct job *job, struct str *text, struct err *err) {
    assert(text->len == 0 && job->dialect.len == 0);
    if (!job_open(job, err) || !job_run(job, text, err))
        return false;
    dialect_defines(str_text(text), text->len, &job->project->defines, job->arena, &job->dialect);
    if (job->dialect.len == 0)
        return true;
    str_clear(text);
    return job_run(job, text, err);
}

/* Does clang refuse the text for what its assembly says? Other errors are for the parser to tell,
 * and so is a file that the assembly takes in and that is not found. */
static bool refuses_assembly(const struct job *job, const struct str *text) {
    static const char *const flags[] = {"-c", "-O0", "-w", "-o", "/dev/null", "-", NULL};
    struct texts command = {0};
    struct child_result result = {0};
    struct err ignored = {0};
    vec_push(&command, job->clang);
    add_parse_args(job->project, &job->commands, &command);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        vec_push(&command, flags[i]);
    bool ended = start_clang(job->project, job->source, &command, text, &result, &ignored);
    const char *said = str_text(&result.err);
    bool refused = ended && result.code != 0 &&
                   (strstr(said, " asm") || strstr(said, "<inline asm>") ||
                    strstr(said, "assembly") || strstr(said, "constraint")) &&
                   !strstr(said, "Could not find");
    child_result_free(&result);
    vec_free(&command);
    err_clear(&ignored);
    return refused;
}

static void mend_assembly(const struct job *job, struct str *text) {
    enum assembly_found found = assembly_find(str_text(text), text->len);
    if (found == ASSEMBLY_NONE || (found == ASSEMBLY_SOME && !refuses_assembly(job, text)))
        return;
    struct str mended = {0};
    assembly_replace(str_text(text), text->len, &mended);
    str_free(text);
    *text = mended;
}

bool preprocess(const struct project *project, const char *source, struct arena *arena,
                struct texts *args, struct str *text, struct err *err) {
    struct job job = {.project = project, .source = source, .arena = arena};
    bool good = job_text(&job, text, err) && meaning_flags_apply(project, &job.commands, text, err);
    if (good) {
        mend_assembly(&job, text);
        add_parse_args(project, &job.commands, args);
    }
    job_free(&job);
    return good;
}

bool preprocess_flags(const struct project *project, const char *source, struct arena *arena,
                      struct texts *flags, struct err *err) {
    assert(project && flags);
    struct job job = {.project = project, .source = source, .arena = arena};
    struct str text = {0};
    bool good = job_text(&job, &text, err);
    vec_push(flags, project->ilp32 ? "-m32" : "-m64");
    vec_push(flags, project->char_is_signed ? "-fsigned-char" : "-funsigned-char");
    if (!has_prefix(&project->cflags, "-std=") && !has_prefix(&job.commands, "-std="))
        vec_push(flags, "-std=gnu11");
    vec_push(flags, "-Ulinux");
    vec_push(flags, "-Uunix");
    vec_push(flags, "-Ui386");
    add_flagged(flags, arena, "-I", &project->include_dirs);
    add_flagged(flags, arena, "", &job.commands);
    add_flagged(flags, arena, "-D", &job.dialect);
    add_flagged(flags, arena, "-D", &project->defines);
    add_flagged(flags, arena, "", &project->cflags);
    str_free(&text);
    job_free(&job);
    return good;
}
