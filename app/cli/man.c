/* man: the manual page goalkeeper(1) in man(7) macros. */
#include "app/cli/usage.h"

#include <assert.h>

/* Text as roff: a dash is a minus sign, a backslash and a leading dot are protected. */
static void roff(FILE *out, const char *text) {
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    for (; *text; text++) {
        if (*text == '-')
            fputs("\\-", out);
        else if (*text == '\\')
            fputs("\\e", out);
        else
            fputc(*text, out);
    }
}

static void man_option(FILE *out, const struct option_row *row) {
    struct str head = {0};
    usage_option_head(row, &head);
    const char *text = str_text(&head);
    while (*text == ' ')
        text++;
    assert(*text == '-');
    fputs(".TP\n.B ", out);
    roff(out, text);
    fputc('\n', out);
    roff(out, row->about);
    if (row->preset) {
        fputs(" (default: ", out);
        roff(out, row->preset);
        fputc(')', out);
    }
    fputc('\n', out);
    str_free(&head);
}

static void man_command(FILE *out, enum command command) {
    assert(command < COMMANDS);
    const struct command_row *row = &commands[command];
    assert(row->summary && row->example);
    fputs(".SS goalkeeper ", out);
    roff(out, row->name);
    fputs(" [options] ", out);
    roff(out, row->arguments);
    fputc('\n', out);
    roff(out, row->summary);
    fputs(".\n", out);
    for (size_t i = 0; i < option_table.n; i++)
        if (usage_is_own(&option_table.rows[i], command))
            man_option(out, &option_table.rows[i]);
    fputs(".PP\nExample:\n.RS\n.nf\n", out);
    roff(out, row->example);
    fputs("\n.fi\n.RE\n", out);
}

static void man_files(FILE *out) {
    fputs(".SH FILES\n"
          ".TP\n.B goalkeeper.json\nthe project file; its JSON schema is installed beside the\n"
          "documentation\n"
          ".TP\n.B goalkeeper.db\nthe database (SQLite) with goals, verdicts and evidence\n"
          ".TP\n.B justifications.json\naccepted goals, with reason, author and reviewer\n"
          ".SH ENVIRONMENT\n"
          "Every option can be given as a variable: GOALKEEPER_ and the long name in capitals,\n"
          "dashes as underscores. Options beat the environment, the environment beats the\n"
          "project file. A flag is 0 or 1. NO_COLOR turns colours off.\n",
          out);
}

static void man_verdicts(FILE *out) {
    fputs(".SH VERDICTS\n"
          ".TP\n.B reachable\nhit by an input sequence that was replayed natively\n"
          ".TP\n.B dead\nnot hit by any input sequence of any length, within the declared ranges;\n"
          "proved by an invariant that CBMC or a fresh solver has re\\-checked\n"
          ".TP\n.B open\nneither; the database says what was tried\n"
          ".PP\nGoals of robustness (div0, overflow, shift, downcast, bounds, range) are events "
          "that\n"
          "should not happen: there, dead is the good news.\n"
          ".SH EXAMPLES\nDecide the goals of a module, render reports, let a CI job pass or fail:\n"
          ".PP\n.RS\n.nf\n"
          "goalkeeper run goalkeeper.json \\-\\-seconds 600\n"
          "goalkeeper report goalkeeper.db \\-o out \\-\\-format html,sarif,junit\n"
          "goalkeeper gate goalkeeper.db \\-\\-min mcdc=100 \\-\\-unjustified\\-dead 0\n"
          ".fi\n.RE\n",
          out);
}

void usage_man(FILE *out) {
    fprintf(out, ".TH GOALKEEPER 1 \"\" \"goalkeeper %s\" \"User Commands\"\n", GK_VERSION);
    fputs(
        ".SH NAME\ngoalkeeper \\- decide structural coverage goals of cyclic C by model checking\n"
        ".SH SYNOPSIS\n.B goalkeeper\n.I COMMAND\n[options] [arguments]\n"
        ".SH DESCRIPTION\n"
        "Goalkeeper lists every structural coverage goal of a cyclic C module and decides each\n"
        "one: reachable with an input sequence that was replayed natively, dead with an\n"
        "inductive invariant that a second tool has re\\-checked, or open with what was tried.\n"
        ".SH COMMANDS\n",
        out);
    for (int i = 0; i < COMMANDS; i++)
        man_command(out, (enum command)i);
    fputs(".SH OPTIONS OF EVERY COMMAND\n", out);
    for (size_t i = 0; i < option_table.n; i++)
        if (option_table.rows[i].commands == UINT64_MAX)
            man_option(out, &option_table.rows[i]);
    fputs(".SH EXIT STATUS\n", out);
    for (const struct exit_code_row *e = exit_codes; e->about; e++) {
        fprintf(out, ".TP\n.B %d\n", e->code);
        roff(out, e->about);
        fputc('\n', out);
    }
    man_files(out);
    man_verdicts(out);
    fputs(".SH SEE ALSO\n.BR cbmc (1),\n.BR gcov (1)\n", out);
}
