/* preprocess: see preprocess.h.
 *
 * Line markers of other machines hold Windows paths, some with lone backslashes ("C:\x\y.c"), which
 * clang would read as escapes. Such markers are mended first, and clang reads the mended text from
 * its standard input. Predefined macros outside the reserved name space (linux, unix, i386) are
 * undefined: the program is meant for a controller, and may use these names. */
#include "instrument/preprocess.h"

#include "base/mem.h"
#include "instrument/compile_commands.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
    vec_push(args, project->char_is_signed ? "-fsigned-char" : "-funsigned-char");
    if (!has_prefix(&project->cflags, "-std=") && !has_prefix(commands, "-std="))
        vec_push(args, "-std=gnu11");
    vec_push(args, "-w");
}

static void add_parse_flags(const struct texts *from, struct texts *args) {
    for (size_t i = 0; i < from->len; i++) {
        const char *flag = from->data[i];
        if (str_starts(flag, "-std=") || str_starts(flag, "-f") || str_starts(flag, "-m") ||
            str_starts(flag, "-W") || str_same(flag, "-ansi"))
            vec_push(args, flag);
    }
}

/* Old code calls functions without a prototype and leaves out int: clang would refuse it. */
static const char *const lenient[] = {"-Wno-error=implicit-function-declaration",
                                      "-Wno-error=implicit-int", "-Wno-error=int-conversion",
                                      "-Wno-error=incompatible-function-pointer-types",
                                      "-Wno-error=return-type"};

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
                                struct arena *arena, struct texts *args) {
    add_language(project, commands, args);
    static const char *const fixed[] = {"-E",     "-C",      "-fno-color-diagnostics",
                                        "-xc",    "-Ulinux", "-fno-caret-diagnostics",
                                        "-Uunix", "-Ui386"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        vec_push(args, fixed[i]);
    add_flagged(args, arena, "-I", &project->include_dirs);
    add_flagged(args, arena, "", commands);
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

static void read_all(FILE *file, struct str *text) {
    char block[65536];
    size_t n;
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        str_addn(text, block, n);
}

static bool read_source(const char *path, struct str *text, struct err *err) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        err_set(err, ERR_SOURCE, "cannot open source file '%s': %s", path, strerror(errno));
        return err_remedy(err, "check \"sources\" in the project file; its paths are relative to "
                               "the directory of that file");
    }
    read_all(file, text);
    bool good = !ferror(file);
    fclose(file);
    return good || err_set(err, ERR_SOURCE, "cannot read source file '%s'", path);
}

/* Is this line a line marker? Then `name` is its file name with the quotes. */
static bool is_marker(const char *line, const char *end, const char **name, const char **name_end) {
    const char *at = line;
    if (at >= end || *at++ != '#')
        return false;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (end - at > 4 && strncmp(at, "line", 4) == 0)
        at += 4;
    while (at < end && (*at == ' ' || *at == '\t' || isdigit((unsigned char)*at)))
        at++;
    *name = at;
    *name_end = end;
    while (*name_end > at && (*name_end)[-1] != '"')
        (*name_end)--;
    return at < end && *at == '"' && isdigit((unsigned char)at[-2]) && *name_end - at >= 2;
}

static bool has_lone_backslash(const char *name, const char *end) {
    for (const char *at = name; at < end; at++)
        if (*at == '\\') {
            if (at + 1 >= end || at[1] != '\\')
                return true;
            at++;
        }
    return false;
}

/* Doubles the backslashes of markers that hold lone ones; false when no marker needs it. */
static bool mend_markers(const struct str *text, struct str *mended) {
    bool any = false;
    const char *stop = text->data + text->len, *name, *name_end;
    for (const char *line = text->data; line && line < stop;) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        end = end ? end : stop;
        if (is_marker(line, end, &name, &name_end) && has_lone_backslash(name, name_end)) {
            any = true;
            str_addn(mended, line, (size_t)(name - line));
            for (const char *at = name; at < name_end; at++)
                str_addn(mended, "\\\\", *at == '\\' ? 2 : 0), str_addn(mended, at, *at != '\\');
            str_addn(mended, name_end, (size_t)(end - name_end));
        } else {
            str_addn(mended, line, (size_t)(end - line));
        }
        str_addc(mended, '\n');
        line = end + 1;
    }
    return any;
}

/* Running clang. */

struct run {
    FILE *in, *out, *messages;
    int status;
};

static void run_child(const struct project *project, char *const *argv, const struct run *run) {
    if (project->dir && project->dir[0] && chdir(project->dir) != 0)
        _exit(126);
    if (dup2(fileno(run->in), 0) < 0 || dup2(fileno(run->out), 1) < 0 ||
        dup2(fileno(run->messages), 2) < 0)
        _exit(126);
    execvp("clang-19", argv);
    execv("/usr/lib/llvm-19/bin/clang", argv);
    _exit(127);
}

static bool run_clang(const struct project *project, const struct texts *args, struct run *run,
                      struct err *err) {
    assert(args->len > 0 && args->data[args->len - 1] == NULL);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        run_child(project, (char *const *)args->data, run);
    int status = -1;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return err_set(err, ERR_INTERNAL, "cannot run clang-19: %s", strerror(errno));
    run->status = WEXITSTATUS(status);
    if (run->status == 127) {
        err_set(err, ERR_INTERNAL, "clang-19 was not found");
        return err_remedy(err, "install it (Debian: apt install clang-19); 'goalkeeper doctor' "
                               "lists what is needed");
    }
    return true;
}

/* Clang's first error: "file:line:col: fatal error: text". Windows names hold colons: the numbers
 * are found from the right. */
static void report_first_error(const struct str *messages, const char *source, struct err *err) {
    const char *text = str_text(messages);
    const char *error = strstr(text, "error: ");
    const char *line = error;
    while (line && line > text && line[-1] != '\n')
        line--;
    const char *end = error ? strchrnul(error, '\n') : NULL;
    if (!error) {
        err_set(err, ERR_SOURCE, "clang cannot preprocess '%s'", source);
        return;
    }
    err_set(err, ERR_SOURCE, "%.*s", (int)(end - error) - 7, error + 7);
    int number = 0, col = 0;
    char *head = mem_alloc((size_t)(error - line) + 1);
    memcpy(head, line, (size_t)(error - line));
    head[error - line] = '\0';
    if (str_ends(head, "fatal "))
        head[error - line - 6] = '\0';
    char *colon = strrchr(head, ':');
    for (int part = 0; colon && part < 3; part++) {
        *colon = '\0';
        char *previous = strrchr(head, ':');
        if (part > 0 && previous && isdigit((unsigned char)previous[1]) == 0)
            break;
        if (part == 0)
            col = previous ? (int)strtol(previous + 1, NULL, 10) : 0;
        if (part == 1)
            number = previous ? (int)strtol(previous + 1, NULL, 10) : 0;
        colon = part < 2 ? previous : NULL;
    }
    if (number > 0)
        err_at(err, head, number, col);
    mem_free(head);
    if (strstr(str_text(&err->message), "file not found"))
        err_remedy(err, "add the directory of the header to \"include_dirs\" in the project file");
}

static bool preprocess_into(const struct project *project, const char *source,
                            const struct texts *args, const struct str *input, struct str *text,
                            struct err *err) {
    struct run run = {tmpfile(), tmpfile(), tmpfile(), 0};
    struct str messages = {0};
    bool done = run.in && run.out && run.messages;
    if (!done)
        err_set(err, ERR_INTERNAL, "cannot create a temporary file: %s", strerror(errno));
    if (done && input->len > 0)
        done = fwrite(input->data, 1, input->len, run.in) == input->len ||
               err_set(err, ERR_INTERNAL, "cannot write a temporary file");
    if (done) {
        rewind(run.in);
        done = run_clang(project, args, &run, err);
    }
    if (done) {
        rewind(run.out);
        rewind(run.messages);
        read_all(run.out, text);
        read_all(run.messages, &messages);
        if (run.status != 0)
            report_first_error(&messages, source, err);
        done = run.status == 0;
    }
    FILE *files[] = {run.in, run.out, run.messages};
    for (int i = 0; i < 3; i++)
        if (files[i])
            fclose(files[i]);
    str_free(&messages);
    return done;
}

static const char *directory_of(const char *path, struct arena *arena) {
    const char *slash = strrchr(path, '/');
    return slash ? arena_strndup(arena, path, (size_t)(slash - path)) : ".";
}

bool preprocess(const struct project *project, const char *source, struct arena *arena,
                struct texts *args, struct str *text, struct err *err) {
    struct str original = {0}, mended = {0};
    struct texts commands = {0}, command = {0};
    bool done = read_source(source_path(project, source, arena), &original, err) &&
                compile_commands_args(project, source, arena, &commands, err);
    if (done) {
        vec_push(&command, "clang-19");
        add_preprocess_args(project, &commands, arena, &command);
        str_addf(&mended, "# 1 \"%s\"\n", source);
        bool from_stdin = mend_markers(&original, &mended);
        if (from_stdin)
            vec_push(&command, arena_printf(arena, "-iquote%s", directory_of(source, arena)));
        else
            str_clear(&mended);
        vec_push(&command, from_stdin ? "-" : source);
        vec_push(&command, NULL);
        done = preprocess_into(project, source, &command, &mended, text, err);
        add_parse_args(project, &commands, args);
    }
    str_free(&original);
    str_free(&mended);
    vec_free(&commands);
    vec_free(&command);
    return done;
}
