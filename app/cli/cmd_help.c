#include "app/cli/usage.h"
#include "engines/knobs.h"

#include <assert.h>

/* Not engine_rows: help works where the libraries of the engines cannot be loaded. */
static const struct {
    const char *name, *about;
} engines[] = {
#define ENGINE(name, home, does, ticks, about) {#name, about},
#include "engines/engines.def"
#undef ENGINE
};

/* Engines in the order in which they are tried, then what can be switched in them. */
static int help_engines(void) {
    struct str text = {0};
    str_add(&text, "engines of 'goalkeeper run', in the order in which they are tried "
                   "(--engines A,B):\n\n");
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        str_addf(&text, "  %-10s %s\n", engines[i].name, engines[i].about);
    str_add(&text, "\ntechniques that can be switched (--engine-option NAME=VALUE), as they are if "
                   "nothing is said:\n\n");
    knobs_print(&knobs_default, &text);
    fputs(str_text(&text), stdout);
    puts("\noptions of 'goalkeeper run' for experts:");
    usage_experts(stdout);
    str_free(&text);
    return 0;
}

int cmd_help(const struct options *o) {
    struct err err = {0};
    if (o->arguments.len == 0) {
        usage_program(stdout);
        return 0;
    }
    if (str_same(o->arguments.data[0], "engines"))
        return help_engines();
    int command = command_find(o->arguments.data[0]);
    if (command < 0) {
        err_set(&err, ERR_USAGE, "unknown command '%s'", o->arguments.data[0]);
        err_remedy(
            &err,
            "goalkeeper --help lists the commands; 'goalkeeper help engines' explains engines");
        return command_fail(&err);
    }
    assert(command < COMMANDS);
    usage_command(stdout, (enum command)command);
    return 0;
}
