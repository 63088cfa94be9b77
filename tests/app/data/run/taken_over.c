/* Preloaded by a test: the program at the moment when libclang is called (or FIRST, of another
 * library), as somebody would have it who has found an error in that. It tries what a thief would,
 * below the folder VICTIM, and says what it could do: "did: WORDS" for each, then "tried all". It
 * does not come back. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char name[4096];

static const char *in_victim(const char *file) {
    snprintf(name, sizeof name, "%s/%s", getenv("VICTIM"), file);
    return name;
}

static void did(int success, const char *what) {
    if (success)
        dprintf(2, "did: %s\n", what);
}

static void try_files(void) {
    char to[4096];
    did(open(in_victim("made"), O_WRONLY | O_CREAT, 0600) >= 0, "make a file");
    did(open(in_victim("kept"), O_WRONLY) >= 0, "open a file for writing");
    did(open(in_victim("kept"), O_RDONLY | O_TRUNC) >= 0, "empty a file by opening it");
    did(truncate(in_victim("kept"), 0) == 0, "empty a file");
    did(mkdir(in_victim("folder"), 0700) == 0, "make a folder");
    did(symlink("/etc/passwd", in_victim("link")) == 0, "make a link");
    did(rmdir(in_victim("empty")) == 0, "remove a folder");
    snprintf(to, sizeof to, "%s", in_victim("other"));
    did(rename(in_victim("kept"), to) == 0, "rename a file");
    did(link(in_victim("kept"), to) == 0, "link a file");
    did(unlink(in_victim("kept")) == 0, "remove a file");
    did(chown(in_victim("empty"), getuid(), getgid()) == 0, "give a file away");
}

static void try_network(void) {
    did(socket(AF_INET, SOCK_STREAM, 0) >= 0, "open a socket of the internet");
    did(socket(AF_INET6, SOCK_DGRAM, 0) >= 0, "open a socket for datagrams");
    did(socket(AF_UNIX, SOCK_STREAM, 0) >= 0, "open a socket of this machine");
}

static void try_processes(void) {
    char byte = ' ';
    did(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1, "gain privileges");
    did(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0, "trace its parent");
    did(kill(getppid(), 0) == 0 && getenv("SIGNALS"), "send its parent a signal");
    did(ioctl(0, TIOCSTI, &byte) == 0 || errno != EPERM, "type into the terminal");
    if (fork() == 0) {
        execl("/bin/sh", "sh", "-c", "echo >\"$VICTIM/shell\"", NULL);
        _exit(1);
    }
    wait(NULL);
    did(access(in_victim("shell"), F_OK) == 0, "let a shell make a file");
}

/* The first that this program calls of libclang. */
#ifndef FIRST
#define FIRST clang_createIndex
#endif

void *FIRST(void) {
    try_files();
    try_network();
    try_processes();
    dprintf(2, "tried all\n");
    _exit(99);
}
