/* Preloaded by a test into a run: something happens at the n-th event of its main process. Events
 * are what a run does to files and processes, so that they come at the same moments of the schedule
 * on any machine.
 *
 *     FAULT=kill:N      the process is killed instead of event N
 *     FAULT=full:N      from event N on the disk is full
 *     FAULT=once:N      event N fails, as if the disk were full, later ones go on
 *     FAULT=gone:N      before event N the file FAULT_FILE is removed
 *     FAULT=count       nothing; how many there were is written to FAULT_FILE at the end */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pid_t mine; /* 0: another program, or a child of ours */
static long events, at = -1;
static const char *what = "";

__attribute__((constructor)) static void begin(void) {
    const char *fault = getenv("FAULT");
    if (!fault || strcmp(program_invocation_short_name, "goalkeeper") != 0)
        return;
    what = fault;
    const char *colon = strchr(fault, ':');
    at = colon ? atol(colon + 1) : -1;
    mine = getpid();
    unsetenv("FAULT"); /* of others that it starts */
}

__attribute__((destructor)) static void end(void) {
    FILE *f =
        mine == getpid() && strcmp(what, "count") == 0 ? fopen(getenv("FAULT_FILE"), "w") : NULL;
    if (f) {
        fprintf(f, "%ld\n", events);
        fclose(f);
    }
}

/* Whether the event fails. */
static int event(void) {
    if (mine != getpid() || ++events < at || at < 0)
        return 0;
    if (events == at && what[0] == 'k')
        kill(mine, SIGKILL);
    if (events == at && what[0] == 'g')
        remove(getenv("FAULT_FILE"));
    return what[0] == 'f' || (what[0] == 'o' && events == at);
}

static int is_file(int fd) {
    struct stat info;
    return fd > 2 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FULL(fd) (is_file(fd) && event() ? (errno = ENOSPC, 1) : 0)

ssize_t write(int fd, const void *data, size_t size) {
    return FULL(fd) ? -1 : REAL(write)(fd, data, size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
    return FULL(fd) ? -1 : REAL(pwrite)(fd, data, size, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) {
    return FULL(fd) ? -1 : REAL(pwrite64)(fd, data, size, offset);
}

int fsync(int fd) {
    return FULL(fd) ? -1 : REAL(fsync)(fd);
}

int fdatasync(int fd) {
    return FULL(fd) ? -1 : REAL(fdatasync)(fd);
}

int rename(const char *from, const char *to) {
    return event() ? (errno = ENOSPC, -1) : REAL(rename)(from, to);
}

int mkdir(const char *path, mode_t mode) {
    return event() ? (errno = ENOSPC, -1) : REAL(mkdir)(path, mode);
}

pid_t fork(void) {
    (void)event(); /* a disk that is full hinders no process */
    return REAL(fork)();
}
