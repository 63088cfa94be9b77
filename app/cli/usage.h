/* usage: help, man page and shell completion, all made from commands.def and options.def.
 *
 *     usage_command(stdout, CMD_gate);        // goalkeeper gate --help
 *     usage_generate(stdout, "man");          // goalkeeper --generate man
 */
#ifndef APP_CLI_USAGE_H
#define APP_CLI_USAGE_H

#include "app/cli/command.h"

#include <stdio.h>

void usage_program(FILE *out);
void usage_command(FILE *out, enum command command);
void usage_version(FILE *out);
bool usage_generate(FILE *out, const char *what); /* "man", "completion", "schema"; false: none */
void usage_man(FILE *out);
void usage_completion(FILE *out); /* for bash */

/* "  -j, --jobs N" */
void usage_option_head(const struct option_row *row, struct str *text);
/* Whether the row belongs to the command's own options, not to those that every command has. */
bool usage_is_own(const struct option_row *row, enum command command);
/* Of `run`, but told by 'help engines'; and that text. */
bool usage_is_expert(const struct option_row *row);
void usage_experts(FILE *out);

struct exit_code_row {
    int code;
    const char *about;
};
extern const struct exit_code_row exit_codes[]; /* ends with about NULL */

#endif
