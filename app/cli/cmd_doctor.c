#include "app/cli/command.h"
#include "app/cli/doctor.h"

#include <assert.h>
#include <stdio.h>

static void print_piece(const struct options *o, const struct doctor_piece *piece) {
    if (piece->works && o->quiet)
        return;
    const char *state = piece->works ? "ok" : piece->extra ? "optional" : "missing";
    printf("%-8s %-17s %s\n", state, piece->name, str_text(&piece->detail));
    if (piece->remedy.len > 0)
        printf("%-8s %-17s %s\n", "", "", str_text(&piece->remedy));
}

int cmd_doctor(const struct options *o) {
    struct doctor_report report = {0};
    doctor_examine(&report);
    assert(report.n > 0);
    for (size_t i = 0; i < report.n; i++)
        print_piece(o, &report.pieces[i]);
    fflush(stdout);
    bool complete = report.complete;
    if (!complete)
        log_error(o->log, "something is missing");
    doctor_report_free(&report);
    return complete ? 0 : ERR_USAGE;
}
