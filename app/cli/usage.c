/* All texts are folds over the tables of commands and options; there is no other list of them. */
#include "app/cli/usage.h"

#include "app/cli/build_id.h"
#include "app/project/read.h"

#include <assert.h>
#include <string.h>

const struct exit_code_row exit_codes[] = {
    {0, "done, or the gate passed"},
    {ERR_GATE, "the gate failed"},
    {ERR_USAGE, "wrong usage, project file or database"},
    {ERR_SOURCE, "the C source cannot be parsed"},
    {ERR_INCOMPLETE,
     "open goals left by the budget, evidence not re-checked (only with --require-complete)"},
    {ERR_EVIDENCE, "an evidence check failed, or verdicts contradict each other"},
    {ERR_INTERNAL, "internal error"},
    {130, "'run' was stopped by Ctrl-C (143: by SIGTERM); what was found is stored"},
    {0, NULL},
};

enum { HELP_COLUMN = 30, HELP_WIDTH = 80 }; /* of a terminal as narrow as they come */

bool usage_is_own(const struct option_row *row, enum command command) {
    assert(command < COMMANDS);
    return row->commands != UINT64_MAX && (row->commands >> command & 1);
}

bool usage_is_expert(const struct option_row *row) {
    return row->commands != UINT64_MAX && (row->commands & EXPERT);
}

void usage_option_head(const struct option_row *row, struct str *text) {
    assert((row->value == NULL) == (row->kind == OPTION_FLAG));
    if (row->letter)
        str_addf(text, "-%c, ", row->letter);
    else
        str_add(text, "    ");
    str_addf(text, "--%s", row->name);
    if (row->value)
        str_addf(text, " %s", row->value);
}

/* Words of `about`, folded between HELP_COLUMN and HELP_WIDTH. */
static void print_folded(FILE *out, const char *about, int column) {
    if (column > HELP_COLUMN - 2)
        column = HELP_WIDTH;
    while (*about) {
        int len = (int)strcspn(about, " ");
        if (column + 1 + len > HELP_WIDTH) {
            fprintf(out, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        } else {
            int pad = column < HELP_COLUMN ? HELP_COLUMN - column : 1;
            fprintf(out, "%*s", pad, "");
            column += pad;
        }
        fwrite(about, 1, (size_t)len, out);
        column += len;
        about += len + (about[len] == ' ');
    }
    fputc('\n', out);
}

static void print_option(FILE *out, const struct option_row *row) {
    struct str head = {0}, about = {0};
    assert(row->about && row->about[0]);
    usage_option_head(row, &head);
    str_add(&about, row->about);
    if (row->preset)
        str_addf(&about, " (default: %s)", row->preset);
    fprintf(out, "  %s", str_text(&head));
    print_folded(out, str_text(&about), 2 + (int)head.len);
    str_free(&head);
    str_free(&about);
}

static void print_options(FILE *out, enum command command, bool own) {
    for (size_t i = 0; i < option_table.n; i++) {
        const struct option_row *row = &option_table.rows[i];
        bool elsewhere = own && command == CMD_run && usage_is_expert(row);
        if (!elsewhere && (own ? usage_is_own(row, command) : row->commands == UINT64_MAX))
            print_option(out, row);
    }
}

void usage_experts(FILE *out) {
    for (size_t i = 0; i < option_table.n; i++) {
        const struct option_row *row = &option_table.rows[i];
        if (usage_is_own(row, CMD_run) && usage_is_expert(row))
            print_option(out, row);
    }
}

static bool has_own_options(enum command command) {
    for (size_t i = 0; i < option_table.n; i++)
        if (usage_is_own(&option_table.rows[i], command))
            return true;
    return false;
}

void usage_command(FILE *out, enum command command) {
    assert(command < COMMANDS);
    const struct command_row *row = &commands[command];
    fprintf(out, "usage: goalkeeper %s [options] %s\n\n%s\n", row->name, row->arguments,
            row->summary);
    if (has_own_options(command))
        fputs("\noptions:\n", out);
    print_options(out, command, true);
    if (command == CMD_run)
        fputs("  'goalkeeper help engines' has those for experts.\n", out);
    fputs("\noptions of every command:\n", out);
    print_options(out, command, false);
    fprintf(out, "\nexample:\n  %s\n", row->example);
}

void usage_program(FILE *out) {
    fputs("usage: goalkeeper COMMAND [options] [arguments]\n\n"
          "Decides every structural coverage goal of cyclic C code by model checking:\n"
          "reachable with a replayed test, or dead with a re-checked proof.\n\ncommands:\n",
          out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fputs("\nexit codes:\n", out);
    for (const struct exit_code_row *e = exit_codes; e->about; e++)
        fprintf(out, "  %d  %s\n", e->code, e->about);
    fputs(
        "\n'goalkeeper COMMAND --help' explains a command. Every option can also be given in the\n"
        "environment: GOALKEEPER_SECONDS=60 is --seconds 60.\n",
        out);
}

void usage_version(FILE *out) {
    struct arena arena = {0};
    const char *id = build_id(&arena);
    fprintf(out, "goalkeeper %s%s%s%s\n", GK_VERSION, *id ? " (" : "", id, *id ? ")" : "");
    arena_free(&arena);
}

static void usage_schema(FILE *out) {
    struct str text = {0};
    project_schema(&text);
    fputs(str_text(&text), out);
    str_free(&text);
}

bool usage_generate(FILE *out, const char *what) {
    if (str_same(what, "man"))
        usage_man(out);
    else if (str_same(what, "completion"))
        usage_completion(out);
    else if (str_same(what, "schema"))
        usage_schema(out);
    else
        return false;
    return true;
}
