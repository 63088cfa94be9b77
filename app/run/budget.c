#include "app/run/budget.h"

#include "app/run/interrupt.h"
#include "app/run/policy.h"

#include <sys/resource.h>

double session_elapsed(const struct session *s) {
    return clock_seconds() - s->started;
}

/* Of this process and of those that have ended; a process that searches tells its own. */
double session_cpu(const struct session *s) {
    double searching = s->has_native ? simulate_statistics(s->simulation).cpu_seconds : 0;
    return clock_cpu(RUSAGE_SELF) + clock_cpu(RUSAGE_CHILDREN) + searching;
}

void session_phase(struct session *s, enum phase phase) {
    phases_enter(&s->phases, phase, session_cpu(s));
}

static double cpu_left(const struct session *s) {
    return s->options->cpu_seconds - session_cpu(s);
}

static double clock_left(const struct session *s) {
    return s->project.total_seconds - session_elapsed(s);
}

bool session_short_of_cpu(const struct session *s) {
    return s->options->cpu_seconds > 0 && cpu_left(s) < clock_left(s);
}

double session_left(const struct session *s) {
    double left = session_short_of_cpu(s) ? cpu_left(s) : clock_left(s);
    return left > 0 ? left : 0;
}

double session_total(const struct session *s) {
    double total = s->project.total_seconds, cpu = s->options->cpu_seconds;
    return cpu > 0 && cpu < total ? cpu : total;
}

bool session_must_end(void *session) {
    return interrupted() || session_left(session) <= 0;
}

bool session_must_cut(void *session) {
    const struct session *s = session;
    return interrupted() || clock_left(s) < -policy_reserve(s->project.total_seconds);
}
