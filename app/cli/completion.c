/* completion: words for bash. Choices complete to their words, everything else to file names. */
#include "app/cli/usage.h"

#include <assert.h>
#include <string.h>

static void words_of_choices(FILE *out, const char *choices) {
    for (; *choices; choices++)
        fputc(*choices == '|' ? ' ' : *choices, out);
}

static bool has_choices(const struct option_row *row) {
    return row->kind == OPTION_CHOICE || row->kind == OPTION_CHOICES;
}

static void options_of_command(FILE *out, enum command command) {
    assert(command < COMMANDS);
    fprintf(out, "    %s) options='", commands[command].name);
    for (size_t i = 0; i < option_table.n; i++)
        if (option_table.rows[i].commands >> command & 1)
            fprintf(out, "--%s ", option_table.rows[i].name);
    fputs("' ;;\n", out);
}

static void values_of_options(FILE *out) {
    for (int c = 0; c < COMMANDS; c++)
        for (size_t i = 0; i < option_table.n; i++) {
            const struct option_row *row = &option_table.rows[i];
            assert(!has_choices(row) || row->value);
            if (!has_choices(row) || !(row->commands >> c & 1))
                continue;
            fprintf(out, "    '%s --%s') words='", commands[c].name, row->name);
            words_of_choices(out, row->value);
            fputs("' ;;\n", out);
        }
}

void usage_completion(FILE *out) {
    fputs("# bash completion for goalkeeper\n"
          "_goalkeeper() {\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=${COMP_WORDS[1]} options='' words=''\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        words='--help --version",
          out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, " %s", commands[i].name);
    fputs("'\n"
          "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
          "        return\n"
          "    fi\n"
          "    case \"$command $previous\" in\n",
          out);
    values_of_options(out);
    fputs("    esac\n"
          "    if [ -n \"$words\" ]; then\n"
          "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
          "        return\n"
          "    fi\n"
          "    case $command in\n",
          out);
    for (int i = 0; i < COMMANDS; i++)
        options_of_command(out, (enum command)i);
    fputs("    esac\n"
          "    if [[ $current == -* ]]; then\n"
          "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n"
          "    fi\n"
          "}\n"
          "complete -o default -F _goalkeeper goalkeeper\n",
          out);
}
