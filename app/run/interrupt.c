#include "app/run/interrupt.h"

#include <signal.h>
#include <stddef.h>

/* The one thing that a signal handler may write. */
static volatile sig_atomic_t flag;

static void on_signal(int signal) {
    (void)signal;
    flag = 1;
}

void interrupt_catch(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND}, old;
    flag = 0;
    /* a pipe that nobody reads any more, a file that may not grow: errors of the calls, no reason
     * to lose the run */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

bool interrupted(void) {
    return flag != 0;
}
