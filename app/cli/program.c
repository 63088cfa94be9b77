/* program: from argv to a command and its exit code. */
#include "app/cli/command.h"
#include "app/cli/own.h"
#include "app/cli/program.h"
#include "app/cli/usage.h"
#include "base/nearest.h"
#include "base/sandbox/sandbox.h"
#include "base/stop.h"
#include "model/contract/selftest.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* Our own mistakes end with exit code 6, whether bug(), an assertion or a crash finds them. */
static void on_crash(int signal) {
    static const char text[] = "goalkeeper: internal error; verdicts stored so far are kept\n";
    (void)signal;
    (void)!write(2, text, sizeof text - 1);
    _exit(ERR_INTERNAL);
}

/* The handler has a stack of its own: the crash may be that there was no more. */
static void catch_crashes(void) {
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    static char stack_memory[16384];
    stack_t stack = {.ss_sp = stack_memory, .ss_size = sizeof stack_memory};
    struct sigaction crash = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        /* A sanitizer that has its own handler reports better than we do. */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &crash, NULL);
    }
}

/* A file of ours must never get the number of a standard stream that the caller has closed. What is
 * written to a closed stdout fails, as it would without this. */
static void open_standard_streams(void) {
    int fd;
    do {
        bool output_is_next = fcntl(0, F_GETFD) >= 0 && fcntl(1, F_GETFD) < 0;
        fd = open("/dev/null", output_is_next ? O_RDONLY : O_RDWR);
    } while (fd >= 0 && fd <= 2);
    if (fd > 2)
        close(fd);
}

static int unknown_command(const char *name) {
    struct nearest near;
    nearest_init(&near, name);
    for (int i = 0; i < COMMANDS; i++)
        nearest_offer(&near, commands[i].name);
    struct err err = {0};
    if (name[0] == '-')
        err_set(&err, ERR_USAGE, "unknown option '%s' (options follow the command)", name);
    else
        err_set(&err, ERR_USAGE, "unknown command '%s'", name);
    if (nearest_best(&near))
        err_remedy(&err, "did you mean '%s'?", nearest_best(&near));
    else
        err_remedy(&err, "goalkeeper --help lists the commands");
    return command_fail(&err);
}

static bool right_number_of_arguments(const struct options *o, struct err *err) {
    const struct command_row *row = &commands[o->command];
    assert(row->least <= row->most);
    size_t n = o->arguments.len;
    if (n >= row->least && n <= row->most)
        return true;
    if (n < row->least)
        err_set(err, ERR_USAGE, "%s: missing argument, wanted %s", row->name, row->arguments);
    else
        err_set(err, ERR_USAGE, "%s: unexpected argument '%s'", row->name,
                o->arguments.data[row->most]);
    return err_remedy(err, "usage: goalkeeper %s [options] %s", row->name, row->arguments);
}

/* Tools are found through the environment (base/tool.h), by us and by our children. */
static void publish_tools(const struct options *o) {
    static const enum option_index tools[] = {OPT_cbmc, OPT_bitwuzla, OPT_cc, OPT_clang};
    const char *const given[] = {o->cbmc, o->bitwuzla, o->cc, o->clang};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (given[i])
            setenv(option_variable(&option_table, &option_table.rows[tools[i]], &arena), given[i],
                   1);
    arena_free(&arena);
}

static void warn_of_unknown_variables(const struct options *o) {
    struct arena arena = {0};
    for (char **v = environ; *v; v++) {
        size_t len = strcspn(*v, "=");
        char *name = arena_strndup(&arena, *v, len);
        bool known = !str_starts(name, option_table.prefix) || str_same(name, "GOALKEEPER_STOP");
        struct nearest near;
        nearest_init(&near, name);
        for (size_t i = 0; !known && i < option_table.n; i++) {
            const char *variable = option_variable(&option_table, &option_table.rows[i], &arena);
            nearest_offer(&near, variable);
            known = str_same(name, variable);
        }
        if (!known)
            log_warning(o->log, "the environment variable %s means nothing%s%s%s", name,
                        nearest_best(&near) ? "; did you mean " : "",
                        nearest_best(&near) ? nearest_best(&near) : "",
                        nearest_best(&near) ? "?" : "");
    }
    arena_free(&arena);
}

static bool runs_programs(enum command command) {
    return command == CMD_run || command == CMD_audit || command == CMD_replay ||
           command == CMD_export;
}

/* Namespaces add little to what Landlock and seccomp forbid; containers often have none. */
static bool confine(const struct options *o, struct err *err) {
    const unsigned wanted = SANDBOX_ALL & ~(unsigned)SANDBOX_SPACES;
    unsigned missing = wanted & ~sandbox_layers();
    struct str text = {0};
    sandbox_describe(missing, &text);
    if (missing && o->require_sandbox) {
        err_set(err, ERR_USAGE, "the sandbox lacks %s here", str_text(&text));
        err_remedy(err, "use a kernel that has it, or a container that permits it; without "
                        "--require-sandbox programs made from the sources run with what is left");
    } else if (missing) {
        log_warning(o->log,
                    "programs made from the sources, and compilers, run in a sandbox without %s: "
                    "let nobody's but "
                    "your own near what you value (docs/security.md)",
                    str_text(&text));
    }
    str_free(&text);
    return !missing || !o->require_sandbox;
}

static int run_handler(const struct options *o) {
    const struct command_row *row = &commands[o->command];
    struct err err = {0};
    if (o->help) {
        usage_command(stdout, o->command);
        return 0;
    }
    if (o->version) {
        usage_version(stdout);
        return 0;
    }
    if (!right_number_of_arguments(o, &err))
        return command_fail(&err);
    if (!row->handler) {
        err_set(&err, ERR_USAGE, "'%s' is not part of this build of goalkeeper", row->name);
        return command_fail(&err);
    }
    /* Every command may compute with floats as programs do: in evaluation, solver or replay. */
    if (!selftest_float(&err))
        return command_fail(&err);
    publish_tools(o);
    if (runs_programs(o->command) && !confine(o, &err))
        return command_fail(&err);
    struct own own = {0};
    int code = own_enter(&own, o, &err) ? row->handler(o) : command_fail(&err);
    own_leave(&own);
    return code;
}

static int run_command(enum command command, char **argv) {
    struct log log;
    struct options o = {.command = command, .log = &log};
    struct err err = {0};
    assert(command < COMMANDS && COMMANDS < 64);
    uint64_t bit = UINT64_C(1) << command;
    log_init(&log, stderr);
    o.values.source = o.source;
    options_preset(&option_table, &o.values);
    int code;
    if (!options_environment(&option_table, bit, &o.values, &err) ||
        !options_parse(&option_table, bit, argv, &o.values, &err)) {
        code = command_fail(&err);
    } else {
        o.arguments = o.values.arguments;
        log.level = o.quiet ? LOG_ERROR : o.verbose ? LOG_DETAIL : LOG_NOTE;
        log.color = log.color && !o.no_color;
        warn_of_unknown_variables(&o);
        code = run_handler(&o);
    }
    log_progress_end(&log);
    options_free(&o);
    return code;
}

/* Results that could not be written must not look like success. */
static int flush_results(int code) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr, "goalkeeper: error: cannot write the output: %s\n", strerror(errno));
    return code ? code : ERR_USAGE;
}

static int dispatch(int argc, char **argv) {
    struct err err = {0};
    if (!stop_arm(getenv("GOALKEEPER_STOP"), &err))
        return command_fail(&err);
    if (argc < 2) {
        usage_program(stderr);
        return ERR_USAGE;
    }
    if (str_same(argv[1], "--help") || str_same(argv[1], "-h")) {
        usage_program(stdout);
        return 0;
    }
    if (str_same(argv[1], "--version")) {
        usage_version(stdout);
        return 0;
    }
    if (str_same(argv[1], "--generate") && argc == 3)
        return usage_generate(stdout, argv[2]) ? 0 : unknown_command(argv[2]);
    int command = command_find(argv[1]);
    return command < 0 ? unknown_command(argv[1]) : run_command((enum command)command, argv + 2);
}

int goalkeeper_main(int argc, char **argv) {
    open_standard_streams();
    catch_crashes();
    return flush_results(dispatch(argc, argv));
}
