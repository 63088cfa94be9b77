#include "app/run/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

/* All that the signal handler writes. */
static volatile sig_atomic_t flag;
static time_t first;

/* Whoever ends a job often signals the process and then its group: that is one request. Handlers
 * do not nest, each blocks the others, so `first` needs no further care. */
static void on_signal(int signal_number) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!flag) {
        first = now.tv_sec;
        flag = signal_number;
    } else if (now.tv_sec > first + 1) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
}

void interrupt_catch(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}, old;
    flag = 0;
    /* a pipe that nobody reads any more, a file that may not grow: errors of the calls, no reason
     * to lose the run */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&action.sa_mask, signals[i]);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

bool interrupted(void) {
    return flag != 0;
}

int interrupt_exit_code(void) {
    return flag ? 128 + flag : 0;
}
