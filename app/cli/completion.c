/* completion: words for bash. Choices and names that tables know complete to them, also behind a
 * comma; functions, files and blocks to those of the database that the line names, or of the one
 * here; everything else to file names. */
#include "app/cli/usage.h"
#include "coverage/goal.h"

#include <assert.h>
#include <string.h>

static void words_of_choices(FILE *out, const char *choices) {
    for (; *choices; choices++)
        fputc(*choices == '|' ? ' ' : *choices, out);
}

static bool has_choices(const struct option_row *row) {
    return row->kind == OPTION_CHOICE || row->kind == OPTION_CHOICES;
}

/* ---- values that are no choices, by what help calls them ---- */

static void add_criteria(FILE *out) {
    for (int k = 0; k < GOAL_KINDS; k++)
        fprintf(out, "%s ", criteria[k].name);
}

static void add_minimums(FILE *out) {
    for (int k = 0; k < GOAL_KINDS; k++)
        fprintf(out, "%s= ", criteria[k].name);
    fputs("covered=", out);
}

/* Not engine_rows: completion is made where the libraries of the engines may be missing. */
static void add_engines(FILE *out) {
#define ENGINE(name, ...) fputs(#name " ", out);
#include "engines/engines.def"
#undef ENGINE
}

static void add_knobs(FILE *out) {
    struct str text = {0};
    knobs_print(&knobs_default, &text);
    for (const char *line = str_text(&text); *line; line += strcspn(line, "\n") + (*line != '\0')) {
        line += strspn(line, " ");
        if (strcspn(line, "=\n") < strcspn(line, " \n"))
            fprintf(out, "%.*s= ", (int)strcspn(line, "="), line);
    }
    str_free(&text);
}

static void add_checkers(FILE *out) {
    fputs("cbmc z3 bitwuzla solver", out);
}

static void add_exclusions(FILE *out) {
    fputs("functions: files:", out);
}

static const struct {
    enum option_index option;
    void (*add)(FILE *out);
} known[] = {{OPT_criteria, add_criteria},
             {OPT_kind, add_criteria},
             {OPT_min, add_minimums},
             {OPT_min_reachable, add_minimums},
             {OPT_engines, add_engines},
             {OPT_engine_options, add_knobs},
             {OPT_require_checked_by, add_checkers},
             {OPT_exclude, add_exclusions}};

/* What the database knows. */
static const struct {
    enum option_index option;
    const char *column;
} stored[] = {
    {OPT_function, "function"}, {OPT_file, "file"}, {OPT_block, "block"}, {OPT_cause, "cause"}};

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

static void known_values(FILE *out) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        fprintf(out, "    *' --%s') words='", option_table.rows[known[i].option].name);
        known[i].add(out);
        fputs("' ;;\n", out);
    }
    for (size_t i = 0; i < sizeof stored / sizeof *stored; i++)
        fprintf(out, "    *' --%s') words=$(_goalkeeper_stored %s) ;;\n",
                option_table.rows[stored[i].option].name, stored[i].column);
}

void usage_completion(FILE *out) {
    fputs("# bash completion for goalkeeper\n"
          "_goalkeeper_stored() { # COLUMN\n"
          "    local word db=goalkeeper.db\n"
          "    for word in \"${COMP_WORDS[@]}\"; do [[ $word != *.db ]] || db=$word; done\n"
          "    [ -f \"$db\" ] || return 0\n"
          "    \"${COMP_WORDS[0]}\" query \"$db\" --format csv --sql \\\n"
          "        \"SELECT DISTINCT $1 FROM goal_status WHERE $1 IS NOT NULL\" 2>/dev/null |\n"
          "        tail -n +2 | tr -d '\\r\"'\n"
          "}\n"
          "_goalkeeper() {\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=${COMP_WORDS[1]} options='' words='' before=''\n"
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
          "    # --option=value comes as three words\n"
          "    [ \"$current\" != = ] || current=''\n"
          "    [ \"$previous\" != = ] || previous=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    [ \"${COMP_WORDS[COMP_CWORD]}\" != = ] || previous=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    case \"$command $previous\" in\n",
          out);
    values_of_options(out);
    known_values(out);
    fputs("    'help '*) words='engines", out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, " %s", commands[i].name);
    fputs("' ;;\n"
          "    'fleet fleet') words=status ;;\n"
          "    esac\n"
          "    if [ -n \"$words\" ]; then\n"
          "        case $current in *,*) before=${current%,*}, current=${current##*,} ;; esac\n"
          "        mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$words\" -- \"$current\")\n"
          "        case ${COMPREPLY[0]} in *= | *:) compopt -o nospace 2>/dev/null ;; esac\n"
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
