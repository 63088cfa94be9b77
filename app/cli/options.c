/* The tables of commands and options as arrays, made from their rows: options of all commands
 * share one struct, and a mask says which command knows which. */
#include "app/cli/command.h"

#include "base/file.h"

#include <assert.h>
#include <stdlib.h>

/* A handler that is not linked in is NULL here, and main() says so. */
#define COMMAND(name, arguments, least, most, summary, example)                                    \
    __attribute__((weak)) int cmd_##name(const struct options *o);
#include "app/cli/commands.def"
#undef COMMAND

const struct command_row commands[COMMANDS] = {
#define COMMAND(name, arguments, least, most, summary, example)                                    \
    {#name, arguments, summary, example, least, most, cmd_##name},
#include "app/cli/commands.def"
#undef COMMAND
};

#define ON(command) (UINT64_C(1) << CMD_##command)
#define EVERY UINT64_MAX
#define READS_DB (ON(status) | ON(query) | ON(report) | ON(gate) | ON(export) | ON(audit))

/* html and pdf are made of several files or texts, so that they are no rows. */
static const char report_choices[] = "html|pdf"
#define FORMAT(name, file, mark, about) "|" #name
#include "report/formats.def"
#undef FORMAT
    ;

static const char gate_choices[] =
#define GATE_FORMAT(name, about) "|" #name
#include "report/gate/gate_formats.def"
#undef GATE_FORMAT
    ;

static const struct option_row rows[OPTIONS] = {
#define OPTION(field, kind, commands, name, letter, value, preset, about)                          \
    {name, letter, OPTION_##kind, commands, value, preset, about, offsetof(struct options, field)},
#include "app/cli/options.def"
#undef OPTION
};

const struct option_table option_table = {rows, OPTIONS, "GOALKEEPER_"};

int command_find(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (str_same(commands[i].name, name))
            return i;
    return -1;
}

void options_free(struct options *o) {
    for (size_t i = 0; i < OPTIONS; i++)
        if (option_is_list(&rows[i]))
            vec_free((struct texts *)(void *)((char *)o + rows[i].offset));
    vec_free(&o->values.arguments);
    arena_free(&o->values.arena);
}

bool option_given(const struct options *o, enum option_index option) {
    assert(option < OPTIONS);
    return o->source[option] != FROM_PRESET;
}

int command_fail(struct err *err) {
    int code = err->code;
    assert(code != ERR_NONE);
    err_print(err);
    err_clear(err);
    return code;
}

const char *options_database(const struct options *o) {
    if (o->arguments.len > 0)
        return o->arguments.data[0];
    return o->db ? o->db : "goalkeeper.db";
}

char *options_run_database(const struct options *o, struct project *project) {
    if (o->db)
        return arena_strdup(&project->arena, o->db);
    return path_join(&project->arena, project->dir, "goalkeeper.db");
}

enum { MOST_SHARDS = 10000 };

static bool read_number(const char **at, char end, uint32_t *number) {
    char *rest;
    bool digit = **at >= '1' && **at <= '9';
    unsigned long value = digit ? strtoul(*at, &rest, 10) : 0;
    if (!digit || *rest != end || value > MOST_SHARDS)
        return false;
    *number = (uint32_t)value;
    *at = rest + (end != '\0');
    return true;
}

bool options_shard(const struct options *o, uint32_t *shard, uint32_t *shards, struct err *err) {
    const char *at = o->shard;
    *shard = *shards = 0;
    if (!at)
        return true;
    if (read_number(&at, '/', shard) && read_number(&at, '\0', shards) && *shard <= *shards)
        return true;
    err_set(err, ERR_USAGE, "--shard: '%s' is no part of a whole", o->shard);
    return err_remedy(err, "for example --shard 2/8: the second of eight, of at most %d",
                      MOST_SHARDS);
}
