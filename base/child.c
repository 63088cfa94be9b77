/* Invariants of struct child:
 *   1. pid is a process of ours that was not reaped, until reaped is true; so neither the pid nor
 *      the group id can belong to anybody else when we kill.
 *   2. The group is killed after its leader has ended and before the leader is reaped.
 *   3. fd[i] is -1 exactly when stream i has been closed.
 *   4. result.end is CHILD_RUNNING exactly until somebody decided why it ends: the first reason
 *      stays.
 */
#include "base/child.h"

#include "base/sandbox/confine.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/sandbox/sandbox.h"
#include "base/stop.h"
#include "base/vec.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Limits are looked at this often; an ended child is noticed at once through its pipes. */
static const double tick_seconds = 0.02;

struct child {
    struct child_spec spec;
    struct child_result result;
    pid_t pid;
    int fd[2]; /* read ends of stdout, stderr */
    double started;
    uint64_t output_bytes;
    uint64_t inherited_mb; /* the kernel starts the child's peak at the size of its parent */
    bool reaped;
};

static void check_child(const struct child *child) {
    assert(child->pid > 0);
    assert(!child->reaped || (child->fd[0] < 0 && child->fd[1] < 0));
    assert(!child->reaped || child->result.end != CHILD_RUNNING);
}

/* ---- in the child, between fork and exec: only async-signal-safe calls in the exec case ---- */

static void limit(int resource, rlim_t soft, rlim_t hard) {
    struct rlimit old, now = {.rlim_cur = soft, .rlim_max = hard};
    if (getrlimit(resource, &old) == 0 && old.rlim_max < hard)
        now.rlim_max = old.rlim_max;
    if (now.rlim_cur > now.rlim_max)
        now.rlim_cur = now.rlim_max;
    setrlimit(resource, &now);
}

/* Address space is the backstop behind the resident size that the parent watches: it catches one
 * huge allocation between two looks. A sanitized process needs terabytes of address space, also for
 * what it allocates to confine itself. */
static bool may_limit_address_space(const struct child_spec *spec) {
#ifdef __SANITIZE_ADDRESS__
    return spec->memory_mb > 0 && !spec->body && !spec->confine;
#else
    return spec->memory_mb > 0;
#endif
}

static void set_limits(const struct child_spec *spec) {
    limit(RLIMIT_CORE, 0, 0);
    if (spec->cpu_seconds > 0) {
        rlim_t seconds = (rlim_t)ceil(spec->cpu_seconds);
        limit(RLIMIT_CPU, seconds, seconds + 1);
    }
    if (may_limit_address_space(spec)) {
        rlim_t bytes = (rlim_t)spec->memory_mb << 20;
        limit(RLIMIT_AS, bytes + bytes / 2 + ((rlim_t)512 << 20),
              bytes + bytes / 2 + ((rlim_t)512 << 20));
    }
}

static void set_environment(const char *const *environment) {
    for (size_t i = 0; environment && environment[i]; i++) {
        if (strchr(environment[i], '='))
            putenv((char *)(uintptr_t)environment[i]);
        else
            unsetenv(environment[i]);
    }
}

static void reset_signals(void) {
    for (int s = 1; s < 32; s++)
        if (s != SIGKILL && s != SIGSTOP)
            signal(s, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

struct plumbing {
    int in;        /* becomes stdin */
    int out[2][2]; /* pipes of stdout and stderr */
    int note[2];   /* tells the parent errno when exec failed; closes by itself on success */
};

static bool in_place(const struct plumbing *p, const struct child_spec *spec) {
    return dup2(p->in, 0) >= 0 && dup2(p->out[0][1], 1) >= 0 && dup2(p->out[1][1], 2) >= 0 &&
           (!spec->dir || chdir(spec->dir) == 0);
}

_Noreturn static void child_main(const struct child_spec *spec, const struct plumbing *p,
                                 pid_t parent) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    reset_signals();
    bool ready = in_place(p, spec);
    if (ready && !spec->box)
        set_environment(spec->environment);
    set_limits(spec);
    if (ready && spec->body) {
        close(p->note[1]);
        int code = spec->body(spec->context);
        fflush(NULL);
        _exit(code);
    }
    if (ready && spec->box)
        sandbox_become(spec->box, spec->keep, spec->environment);
    else if (ready && (!spec->confine || confine_enter(spec->confine, spec->argv[0])))
        execvp(spec->argv[0], (char *const *)(uintptr_t)spec->argv);
    int why = errno;
    (void)!write(p->note[1], &why, sizeof why);
    _exit(127);
}

/* ---- starting ---- */

/* Stdin is a file in memory: nothing has to be fed, so nothing can block or raise SIGPIPE. */
static int input_fd(const struct child_spec *spec) {
    if (spec->input_size == 0)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    int fd = memfd_create("stdin", MFD_CLOEXEC);
    const char *data = spec->input;
    size_t left = spec->input_size;
    while (fd >= 0 && left > 0) {
        ssize_t n = write(fd, data, left);
        if (n < 0 && errno != EINTR) {
            close(fd);
            return -1;
        }
        data += n > 0 ? n : 0;
        left -= n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0)
        lseek(fd, 0, SEEK_SET);
    return fd;
}

static void close_pair(int fd[2]) {
    for (int i = 0; i < 2; i++)
        if (fd[i] >= 0)
            close(fd[i]);
    fd[0] = fd[1] = -1;
}

static void plumbing_close(struct plumbing *p) {
    if (p->in >= 0)
        close(p->in);
    close_pair(p->out[0]);
    close_pair(p->out[1]);
    close_pair(p->note);
}

static bool plumbing_open(struct plumbing *p, const struct child_spec *spec) {
    *p = (struct plumbing){-1, {{-1, -1}, {-1, -1}}, {-1, -1}};
    p->in = input_fd(spec);
    return p->in >= 0 && pipe2(p->out[0], O_CLOEXEC) == 0 && pipe2(p->out[1], O_CLOEXEC) == 0 &&
           pipe2(p->note, O_CLOEXEC) == 0;
}

static bool start_failed(struct err *err, const struct child_spec *spec, int why) {
    const char *name = spec->argv  ? spec->argv[0]
                       : spec->box ? spec->box->executable
                                   : "a child process";
    err_set(err, ERR_USAGE, "cannot start %s: %s", name, strerror(why));
    if (why == ENOENT)
        err_remedy(err, "install it; 'goalkeeper doctor' lists what is needed");
    return false;
}

/* Blocks until exec has succeeded (0) or failed (errno). A body closes the pipe when it starts. */
static int exec_errno(int note) {
    int why = 0;
    ssize_t n;
    do
        n = read(note, &why, sizeof why);
    while (n < 0 && errno == EINTR);
    return n == sizeof why ? why : 0;
}

static struct child *child_adopt(const struct child_spec *spec, struct plumbing *p, pid_t pid) {
    struct child *child = mem_zalloc(1, sizeof *child);
    child->spec = *spec;
    child->pid = pid;
    child->started = clock_seconds();
    struct rusage own;
    getrusage(RUSAGE_SELF, &own);
    child->inherited_mb = (uint64_t)own.ru_maxrss >> 10;
    for (int i = 0; i < 2; i++) {
        child->fd[i] = p->out[i][0];
        p->out[i][0] = -1;
        fcntl(child->fd[i], F_SETFL, O_NONBLOCK);
    }
    check_child(child);
    return child;
}

struct child *child_start(const struct child_spec *spec, struct err *err) {
    assert(!!spec->argv + !!spec->body + !!spec->box == 1 && "a program or a function");
    struct plumbing p;
    pid_t parent = getpid();
    if (!plumbing_open(&p, spec) || stop_at(STOP_CHILD_START)) {
        start_failed(err, spec, errno);
        plumbing_close(&p);
        return NULL;
    }
    fflush(NULL); /* or a body would write our buffers a second time */
    pid_t pid = fork();
    if (pid == 0)
        child_main(spec, &p, parent);
    int why = pid < 0 ? errno : 0;
    struct child *child = NULL;
    if (pid > 0) {
        setpgid(pid, pid); /* both sides set it: neither has to win the race */
        close(p.note[1]);
        p.note[1] = -1;
        why = exec_errno(p.note[0]);
        if (why)
            waitpid(pid, NULL, 0);
        else
            child = child_adopt(spec, &p, pid);
    }
    plumbing_close(&p);
    if (!child)
        start_failed(err, spec, why);
    return child;
}

/* ---- watching ---- */

static void child_end_for(struct child *child, enum child_end why) {
    assert(why != CHILD_RUNNING);
    if (child->result.end == CHILD_RUNNING)
        child->result.end = why;
    if (!child->reaped)
        kill(-child->pid, SIGKILL);
}

static void take(struct child *child, int stream, const char *data, size_t size) {
    assert(size > 0 && child->fd[stream] >= 0);
    child->output_bytes += size;
    if (child->spec.output_bytes && child->output_bytes > child->spec.output_bytes) {
        child_end_for(child, CHILD_OUTPUT);
        return;
    }
    if (!child->spec.on_output)
        str_addn(stream == 0 ? &child->result.out : &child->result.err, data, size);
    else if (!child->spec.on_output(child->spec.context, stream + 1, data, size))
        child_end_for(child, CHILD_STOPPED);
}

/* Reads what is there now; a flood is left for the next round so that limits stay served. */
static void drain(struct child *child, int stream) {
    char buffer[65536];
    for (int round = 0; round < 16 && child->fd[stream] >= 0; round++) {
        ssize_t n = read(child->fd[stream], buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0) {
            close(child->fd[stream]);
            child->fd[stream] = -1;
        } else {
            take(child, stream, buffer, (size_t)n);
        }
    }
}

static uint64_t resident_mb(pid_t pid) {
    char path[64], line[128];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *f = fopen(path, "re");
    if (!f)
        return 0;
    unsigned long long total, resident = 0;
    if (!fgets(line, sizeof line, f) || sscanf(line, "%llu %llu", &total, &resident) != 2)
        resident = 0;
    fclose(f);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE) >> 20;
}

static void check_limits(struct child *child) {
    const struct child_spec *spec = &child->spec;
    if (child->result.end != CHILD_RUNNING)
        return;
    if (spec->wall_seconds > 0 && clock_seconds() - child->started > spec->wall_seconds)
        child_end_for(child, CHILD_TIMEOUT);
    else if (spec->memory_mb > 0 && resident_mb(child->pid) > spec->memory_mb)
        child_end_for(child, CHILD_MEMORY);
}

static void read_usage(struct child_result *result, const struct rusage *usage) {
    result->cpu_seconds = (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
                          1e-6 * (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
    result->peak_mb = (uint64_t)usage->ru_maxrss >> 10;
}

/* A child that dies of a limit set in the kernel shows it only by its signal and its usage. */
static enum child_end end_from_status(const struct child *child, int status) {
    const struct child_spec *spec = &child->spec;
    if (WIFEXITED(status))
        return CHILD_EXITED;
    assert(WIFSIGNALED(status));
    int signal = WTERMSIG(status);
    if (signal == SIGXCPU)
        return CHILD_CPU;
    if (signal == SIGKILL && spec->cpu_seconds > 0 &&
        child->result.cpu_seconds >= spec->cpu_seconds)
        return CHILD_CPU;
    uint64_t peak = child->result.peak_mb;
    if (spec->memory_mb > 0 && peak >= spec->memory_mb && peak > child->inherited_mb)
        return CHILD_MEMORY;
    return CHILD_SIGNALLED;
}

/* Output that was written before the end is still in the pipes. Somebody who left the group may
 * hold them open for ever, so only what is there now is taken. */
static void reap(struct child *child) {
    assert(!child->reaped);
    kill(-child->pid, SIGKILL);
    for (int i = 0; i < 2; i++) {
        uint64_t before;
        do {
            before = child->output_bytes;
            drain(child, i);
        } while (child->fd[i] >= 0 && before != child->output_bytes);
        if (child->fd[i] >= 0)
            close(child->fd[i]);
        child->fd[i] = -1;
    }
    struct rusage usage;
    int status = 0;
    while (wait4(child->pid, &status, 0, &usage) < 0 && errno == EINTR)
        ;
    child->reaped = true;
    child->result.wall_seconds = clock_seconds() - child->started;
    read_usage(&child->result, &usage);
    child->result.code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    if (child->result.end == CHILD_RUNNING)
        child->result.end = end_from_status(child, status);
    check_child(child);
}

static bool has_exited(const struct child *child) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child->pid;
}

static void serve(struct child *child) {
    if (child->reaped)
        return;
    check_child(child);
    drain(child, 0);
    drain(child, 1);
    check_limits(child);
    if (has_exited(child))
        reap(child);
}

static bool any_ended(struct child *const *children, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (children[i]->reaped)
            return true;
    return false;
}

static void poll_children(struct child *const *children, size_t n, double seconds) {
    VEC(struct pollfd) fds = {0};
    for (size_t i = 0; i < n; i++)
        for (int s = 0; s < 2; s++)
            if (children[i]->fd[s] >= 0)
                vec_push(&fds, (struct pollfd){.fd = children[i]->fd[s], .events = POLLIN});
    poll(fds.data, fds.len, (int)ceil(1000 * fmin(fmax(seconds, 0), tick_seconds)));
    vec_free(&fds);
}

bool children_wait(struct child *const *children, size_t n, double seconds) {
    double until = clock_seconds() + seconds;
    for (;;) {
        for (size_t i = 0; i < n; i++)
            serve(children[i]);
        if (any_ended(children, n))
            return true;
        double left = until - clock_seconds();
        if (left <= 0)
            return false;
        poll_children(children, n, left);
    }
}

/* ---- ending ---- */

bool child_ended(const struct child *child) {
    return child->reaped;
}

void child_stop(struct child *child) {
    child_end_for(child, CHILD_STOPPED);
}

void child_finish(struct child *child, struct child_result *result) {
    while (!child->reaped)
        children_wait(&child, 1, 3600);
    assert(child->result.end != CHILD_RUNNING);
    *result = child->result;
    mem_free(child);
}

bool child_run(const struct child_spec *spec, struct child_result *result, struct err *err) {
    *result = (struct child_result){0};
    struct child *child = child_start(spec, err);
    if (!child)
        return false;
    child_finish(child, result);
    return true;
}

void child_result_free(struct child_result *result) {
    str_free(&result->out);
    str_free(&result->err);
    *result = (struct child_result){0};
}

void child_end_text(const struct child_spec *spec, const struct child_result *result,
                    struct str *text) {
    switch (result->end) {
    case CHILD_RUNNING:
        str_add(text, "still running");
        break;
    case CHILD_EXITED:
        str_addf(text, "exit code %d", result->code);
        break;
    case CHILD_SIGNALLED:
        str_addf(text, "killed by signal %d (%s)", result->code, strsignal(result->code));
        break;
    case CHILD_TIMEOUT:
        str_addf(text, "time limit of %g s", spec->wall_seconds);
        break;
    case CHILD_CPU:
        str_addf(text, "CPU limit of %g s", spec->cpu_seconds);
        break;
    case CHILD_MEMORY:
        str_addf(text, "memory limit of %llu MB", (unsigned long long)spec->memory_mb);
        break;
    case CHILD_OUTPUT:
        str_addf(text, "output limit of %llu bytes", (unsigned long long)spec->output_bytes);
        break;
    case CHILD_STOPPED:
        str_add(text, "stopped");
        break;
    }
}
