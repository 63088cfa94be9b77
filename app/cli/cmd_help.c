#include "app/cli/usage.h"

#include <assert.h>

int cmd_help(const struct options *o) {
    struct err err = {0};
    if (o->arguments.len == 0) {
        usage_program(stdout);
        return 0;
    }
    int command = command_find(o->arguments.data[0]);
    if (command < 0) {
        err_set(&err, ERR_USAGE, "unknown command '%s'", o->arguments.data[0]);
        err_remedy(&err, "goalkeeper --help lists the commands");
        return command_fail(&err);
    }
    assert(command < COMMANDS);
    usage_command(stdout, (enum command)command);
    return 0;
}
