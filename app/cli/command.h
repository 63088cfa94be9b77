/* command: what a subcommand gets, and what it gives back.
 *
 * A subcommand is a row in commands.def, its options are rows in options.def, and its handler is
 * one file app/cmd_<name>.c:
 *
 *     #include "app/cli/command.h"
 *
 *     int cmd_status(const struct options *o) {
 *         struct err err = {0};
 *         if (!status_print(options_database(o), o->format, &err))
 *             return command_fail(&err);          // prints, frees, gives the exit code
 *         log_detail(o->log, "…");                // stderr; results go to stdout
 *         return 0;
 *     }
 *
 * Nothing else has to be edited: the handler is found by its name. `o->arguments` holds what is
 * not an option, its number already checked against the row. `option_given(o, OPT_max_open)` says
 * whether a value came from the user (environment or command line).
 */
#ifndef APP_CLI_COMMAND_H
#define APP_CLI_COMMAND_H

#include "base/err.h"
#include "base/log.h"
#include "base/option.h"
#include "coverage/project.h"
#include "engines/knobs.h"

#define GK_VERSION "0.2.0"

#define EXPERT (UINT64_C(1) << 62) /* options.def: beside the commands of a row */

enum { ANY = 1 << 20 }; /* commands.def: any number of arguments */

enum command {
#define COMMAND(name, arguments, least, most, summary, example) CMD_##name,
#include "app/cli/commands.def"
#undef COMMAND
    COMMANDS
};

enum option_index {
#define OPTION(field, kind, commands, name, letter, value, preset, about) OPT_##field,
#include "app/cli/options.def"
#undef OPTION
    OPTIONS
};

#define OPTION_TYPE_FLAG bool
#define OPTION_TYPE_TEXT const char *
#define OPTION_TYPE_CHOICE const char *
#define OPTION_TYPE_LIST struct texts
#define OPTION_TYPE_EACH struct texts
#define OPTION_TYPE_CHOICES struct texts
#define OPTION_TYPE_PAIRS struct texts
#define OPTION_TYPE_COUNT uint64_t
#define OPTION_TYPE_SECONDS double

struct options {
    struct option_values values; /* must stay first: base/option.h fills through it */
    enum command command;
    struct texts arguments; /* what is not an option */
    struct log *log;
    enum option_source source[OPTIONS];
#define OPTION(field, kind, commands, name, letter, value, preset, about) OPTION_TYPE_##kind field;
#include "app/cli/options.def"
#undef OPTION
};

struct command_row {
    const char *name, *arguments, *summary, *example;
    size_t least, most;
    int (*handler)(const struct options *o);
};
extern const struct command_row commands[COMMANDS];
extern const struct option_table option_table;

int command_find(const char *name); /* index, -1 when unknown */
void options_free(struct options *o);
bool option_given(const struct options *o, enum option_index option);

/* Prints the error, frees it, and gives the exit code that belongs to it. */
int command_fail(struct err *err);

/* The database a command works on: its first argument, --db, or goalkeeper.db here. */
const char *options_database(const struct options *o);
/* The database that `run` writes: --db, or goalkeeper.db beside the project file. */
char *options_run_database(const struct options *o, struct project *project);

/* The project that the arguments of `run` name: a project file, a folder with goalkeeper.json, C
 * files, or nothing (the folder where we are). Options and environment beat the file. */
bool options_project(const struct options *o, struct project *project, struct err *err);

/* The options, "--step, --define", that came on top of a project file and have a say in what is
 * listed; "" when there are none. */
const char *options_on_top(const struct options *o, struct arena *arena);

/* --shard 2/8 as numbers; 0 of 0: all goals. */
bool options_shard(const struct options *o, uint32_t *shard, uint32_t *shards, struct err *err);

/* The techniques of the engines as the project (NULL: none), then the options want them. */
bool options_knobs(const struct options *o, const struct texts *project, struct engine_knobs *knobs,
                   struct err *err);

/* The C files and flags that the arguments of `init` name; there may be no step function yet. */
bool options_sources(const struct options *o, struct project *project, struct err *err);

#define COMMAND(name, arguments, least, most, summary, example)                                    \
    int cmd_##name(const struct options *o);
#include "app/cli/commands.def"
#undef COMMAND

#endif
