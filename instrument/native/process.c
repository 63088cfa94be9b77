/* process: see native/process.h. */
#include "instrument/native/process.h"

#include "base/bug.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Pages are taken only when touched. Fits into a 32-bit process beside its heap. */
enum {
    SHARED_SIZE = 512 << 20,
    STACK_MB = 8,
    POLL_MS = 200,
    MOST_CUT_POLLS = 6,
    MOST_IDLE_POLLS = 300, /* on a machine that has no time for it */
    MOST_IDLE_STEPS = 8,   /* what a step may take, of CPU time */
    MOST_EXIT_POLLS = 500, /* of 1 ms */
    MOST_STARTS = 5,       /* when somebody kills what has been started */
};

static bool no_process(struct err *err, const char *what) {
    err_set(err, ERR_USAGE, "cannot start the program under analysis: %s: %s", what,
            strerror(errno));
    return err_remedy(err, "is there room for another process, and for its memory?");
}

static bool make_shared(struct native_process *process, struct err *err) {
    int fd = memfd_create("goalkeeper", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return no_process(err, "memfd_create");
    process->shared_fd = fcntl(fd, F_DUPFD_CLOEXEC, SANDBOX_FIRST_FD);
    close(fd);
    if (process->shared_fd < 0 || ftruncate(process->shared_fd, SHARED_SIZE) ||
        fcntl(process->shared_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
        return no_process(err, "shared memory");
    void *memory =
        mmap(NULL, SHARED_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, process->shared_fd, 0);
    if (memory == MAP_FAILED)
        return no_process(err, "shared memory");
    process->shared = memory;
    return true;
}

/* What each process finds there, whatever the one before has done to it. */
static void write_head(struct native_process *process) {
    struct gk_shared *shared = process->shared;
    shared->magic = GK_MAGIC;
    shared->size = SHARED_SIZE;
    if (shared->step_ms == 0 || shared->step_ms > process->step_ms)
        shared->step_ms = process->step_ms;
}

/* The ends of a pipe, away from the numbers that the child will give them. */
static bool make_pipe(int ends[2]) {
    int low[2];
    if (pipe2(low, O_CLOEXEC))
        return false;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, SANDBOX_FIRST_FD);
        close(low[i]);
    }
    return ends[0] >= 0 && ends[1] >= 0;
}

static bool spawn(struct native_process *process, int command, int answer, struct err *err) {
    const int fds[] = {[GK_FD_COMMAND - 3] = command,
                       [GK_FD_ANSWER - 3] = answer,
                       [GK_FD_SHARED - 3] = process->shared_fd};
    struct sandbox_start start = {.fds = fds,
                                  .n_fds = sizeof fds / sizeof *fds,
                                  .memory_mb = process->memory_mb + (SHARED_SIZE >> 20),
                                  .stack_mb = STACK_MB};
    if (!process->box.executable)
        sandbox_open(&process->box, process->executable);
    process->pid = sandbox_start(&process->box, &start, err);
    return process->pid != 0;
}

/* The runtime has ended it because something was not as it must be. That is the program's doing:
 * the memory of the runtime is its own, too, and so is the note that says so. */
static void look_for_damage(struct native_process *process) {
    process->broken |= process->shared->bug == GK_BUG;
}

static bool is_broken(const struct native_process *process, struct err *err) {
    char text[sizeof process->shared->bug_text + 1] = "";
    memcpy(text, process->shared->bug_text, sizeof text - 1);
    for (char *c = text; *c; c++)
        *c = isprint((unsigned char)*c) ? *c : '?';
    err_set(err, ERR_SOURCE,
            "the program under analysis has damaged the runtime that it is linked with (line %u: "
            "%s)",
            process->shared->bug_line, text);
    return err_remedy(err, "look for writes through wild pointers and for assembly; if there are "
                           "none, report this as a mistake of Goalkeeper's");
}

/* It ends in its constructors, or is not what we have compiled. */
static bool never_ready(const struct native_process *process, struct err *err) {
    if (process->broken)
        return is_broken(process, err);
    if (process->end_signal == SIGSYS) {
        err_set(err, ERR_SOURCE,
                "the program under analysis makes a forbidden system call before "
                "its first step");
        return err_remedy(err, "look for constructors, tables of functions that run at the start, "
                               "and assembly");
    }
    errno = ECHILD;
    return no_process(err, process->executable);
}

static bool start(struct native_process *process, struct err *err) {
    int command[2], answer[2];
    assert(process->pid == 0);
    if (!process->shared && !make_shared(process, err))
        return false;
    write_head(process);
    if (!make_pipe(command))
        return no_process(err, "pipe");
    if (!make_pipe(answer)) {
        close(command[0]);
        close(command[1]);
        return no_process(err, "pipe");
    }
    bool spawned = spawn(process, command[0], answer[1], err);
    close(command[0]);
    close(answer[1]);
    process->command_fd = command[1];
    process->answer_fd = answer[0];
    process->used = process->ended_outside = process->cut_off = false;
    process->end_signal = 0;
    if (!spawned) {
        close(process->command_fd);
        close(process->answer_fd);
        return false;
    }
    process->busy = true;
    return process_wait(process) || never_ready(process, err);
}

bool process_ready(struct native_process *process, bool fresh, struct err *err) {
    assert(!process->busy);
    struct err why = {0};
    if (process->broken)
        return is_broken(process, err);
    bool again = true;
    if (process->pid && fresh && process->used)
        process_kill(process);
    for (int attempt = 0; !process->pid && again && attempt < MOST_STARTS; attempt++) {
        err_clear(&why);
        again = start(process, &why) || (process->ended_outside && !process->cut_off);
    }
    if (!process->pid && err->code == ERR_NONE)
        *err = why;
    else
        err_clear(&why);
    return process->pid != 0;
}

/* Signals that the program under test does not send to itself by a fault. */
static bool from_outside(int signal) {
    static const int signals[] = {SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signal == signals[i])
            return true;
    return false;
}

/* The answer pipe has closed: says whether somebody killed the process. One that has only closed
 * the pipe lives on, and is the program's own doing. */
static bool was_killed(struct native_process *process) {
    siginfo_t info = {0};
    const struct timespec pause = {0, 1000000}; /* 1 ms */
    for (int i = 0; i < MOST_EXIT_POLLS; i++) {
        if (waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info.si_pid == process->pid) {
            bool killed = info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED;
            process->end_signal = killed ? info.si_status : 0;
            return killed && from_outside(info.si_status);
        }
        nanosleep(&pause, NULL);
    }
    return false;
}

bool process_send(struct native_process *process, char command) {
    assert(process->pid && !process->busy);
    process->used = process->busy = true;
    /* a dead process gives EPIPE (or a signal, if the program did not ignore it) */
    sigset_t pipe_signal, old;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &old);
    bool sent = write(process->command_fd, &command, 1) == 1;
    struct timespec now = {0, 0};
    if (!sent)
        sigtimedwait(&pipe_signal, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (!sent) {
        process->ended_outside = was_killed(process);
        look_for_damage(process);
        process_kill(process); /* nobody waits for an answer */
    }
    return sent;
}

/* A process that has not moved for long: it ends its steps itself when they take too long, unless
 * the program has kept it from that. */
struct idleness {
    int polls;
    uint64_t beat; /* when it moved last */
    double cpu_seconds;
};

static bool is_stuck(const struct native_process *process, struct idleness *idle) {
    uint64_t beat = (uint64_t)process->shared->runs << 32 | process->shared->step;
    double used = process_cpu_seconds(process);
    if (beat != idle->beat)
        *idle = (struct idleness){.beat = beat, .cpu_seconds = used};
    idle->polls++;
    return idle->polls > MOST_IDLE_POLLS ||
           used - idle->cpu_seconds > MOST_IDLE_STEPS * 1e-3 * process->step_ms;
}

/* Waits for readable input. False when there will be none in time. */
static bool wait_for_input(struct native_process *process) {
    int polls = 0;
    struct idleness idle = {.cpu_seconds = process_cpu_seconds(process)};
    struct pollfd poller = {.fd = process->answer_fd, .events = POLLIN};
    while (!is_stuck(process, &idle)) {
        int n = poll(&poller, 1, POLL_MS);
        if (n > 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
        if (process->cut && process->cut(process->cut_context)) {
            process->shared->search.stop = 1;
            process->cut_off = ++polls >= MOST_CUT_POLLS;
        }
        if (process->cut_off)
            return false;
    }
    return false;
}

bool process_wait(struct native_process *process) {
    char done = 0;
    assert(process->pid && process->busy);
    process->busy = false;
    ssize_t n = -1;
    if (wait_for_input(process))
        do
            n = read(process->answer_fd, &done, 1);
        while (n < 0 && errno == EINTR);
    if (n == 1 && done == GK_DONE)
        return true;
    bool killed = process->cut_off || (n == 0 && was_killed(process));
    look_for_damage(process);
    process_kill(process);
    process->ended_outside = killed;
    return false;
}

double process_cpu_seconds(const struct native_process *process) {
    clockid_t clock;
    struct timespec used;
    if (!process->pid || clock_getcpuclockid(process->pid, &clock) || clock_gettime(clock, &used))
        return 0;
    return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

void process_kill(struct native_process *process) {
    if (!process->pid)
        return;
    kill(process->pid, SIGKILL);
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    close(process->command_fd);
    close(process->answer_fd);
    process->pid = 0;
    process->busy = process->used = false;
}

void process_free(struct native_process *process) {
    process_kill(process);
    if (process->shared) {
        munmap(process->shared, SHARED_SIZE);
        close(process->shared_fd);
        process->shared = NULL;
    }
    sandbox_close(&process->box);
}

uint64_t process_size(void) {
    return SHARED_SIZE;
}

void *process_data(const struct native_process *process, uint64_t offset) {
    if (offset < GK_DATA_AT || offset > SHARED_SIZE)
        bug("offset %llu is not in the shared memory", (unsigned long long)offset);
    return (char *)process->shared + offset;
}
