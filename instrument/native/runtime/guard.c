/* guard: whatever the program under test does, the process survives it and says what it was. */
#include "child.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

enum { SIGNAL_STACK = 64 * 1024, FIRST_PAGE = 4096, NEAR_STACK = 256 * 1024 };

_Noreturn void guard_leave(enum gk_end end, uint64_t address) {
    if (!gk_child.guarded)
        child_end(125); /* the fault is not the program's: the parent sees the process end */
    gk_child.guarded = false;
    gk_child.end = end;
    gk_child.address = address;
    siglongjmp(gk_child.escape, 1);
}

static uintptr_t stack_pointer(const void *context) {
    const ucontext_t *u = context;
#ifdef __x86_64__
    return (uintptr_t)u->uc_mcontext.gregs[REG_RSP];
#else
    return (uintptr_t)u->uc_mcontext.gregs[REG_ESP];
#endif
}

static enum gk_end access_end(uintptr_t address, uintptr_t sp) {
    if (address < FIRST_PAGE)
        return GK_NULL;
    uintptr_t distance = address > sp ? address - sp : sp - address;
    return distance < NEAR_STACK ? GK_STACK : GK_MEMORY;
}

static void on_fault(int signal, siginfo_t *info, void *context) {
    uintptr_t address = (uintptr_t)info->si_addr;
    switch (signal) {
    case SIGFPE:
        guard_leave(GK_DIVISION, address);
    case SIGILL:
    case SIGTRAP:
        guard_leave(GK_ILLEGAL, address);
    case SIGABRT:
        guard_leave(GK_ABORT, 0);
    case SIGSYS:
        guard_leave(GK_FORBIDDEN, 0);
    default:
        guard_leave(access_end(address, stack_pointer(context)), address);
    }
}

/* Comes twice in the CPU time that a step may take. */
static void on_tick(int signal) {
    static uint64_t last;
    static unsigned still;
    uint64_t present = (uint64_t)gk_child.shared->runs << 32 | gk_child.shared->step;
    (void)signal;
    still = gk_child.guarded && present == last ? still + 1 : 0;
    last = present;
    if (still >= 2) {
        still = 0;
        guard_leave(GK_ENDLESS, 0);
    }
}

static void install(int signal, void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(signal, &action, NULL);
}

void guard_patience(const struct gk_child *child, uint32_t milliseconds) {
    uint32_t half = least(milliseconds, child->shared->step_ms) / 2;
    half = half ? half : 1;
    struct timeval period = {half / 1000, (half % 1000) * 1000};
    struct itimerval timer = {period, period};
    setitimer(ITIMER_PROF, &timer, NULL);
}

static void install_watchdog(const struct gk_child *child) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_tick;
    action.sa_flags = SA_ONSTACK | SA_RESTART | SA_NODEFER;
    sigaction(SIGPROF, &action, NULL);
    guard_patience(child, child->shared->step_ms);
}

void guard_install(struct gk_child *child) {
    static const int faults[] = {SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    stack_t stack = {.ss_sp = child_alloc(SIGNAL_STACK), .ss_size = SIGNAL_STACK};
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        install(faults[i], on_fault);
    assert(child->shared->step_ms > 0);
    install_watchdog(child);
}

void gk_failed_assumption(void) {
    guard_leave(GK_ASSUMPTION, 0);
}

/* The program may end the run, not the process. Weak: it may have functions of these names. */
__attribute__((weak, noreturn)) void exit(int code) {
    (void)code;
    guard_leave(GK_EXIT, 0);
}
__attribute__((weak, noreturn)) void abort(void) {
    guard_leave(GK_ABORT, 0);
}
__attribute__((weak, noreturn)) void _exit(int code) {
    exit(code);
}
__attribute__((weak, noreturn)) void _Exit(int code) {
    exit(code);
}
__attribute__((weak, noreturn)) void quick_exit(int code) {
    exit(code);
}

static void unspecified(enum gk_unspecified kind) {
    if (gk_child.unspecified != GK_DEFINED)
        return;
    gk_child.unspecified = kind;
    gk_child.unspecified_step = gk_child.shared->step;
    if (gk_child.strict)
        guard_leave(GK_ASSUMPTION, 0); /* no witness can come of this run any more */
}

/* What clang calls when a check fails: with -fsanitize-minimal-runtime, and without it (then with
 * a description of the place and the values, which nobody needs here). */
#define CHECK(name, action)                                                                        \
    void __ubsan_handle_##name##_minimal(void) {                                                   \
        action;                                                                                    \
    }                                                                                              \
    void __ubsan_handle_##name(void *place, ...) {                                                 \
        (void)place;                                                                               \
        action;                                                                                    \
    }
CHECK(float_cast_overflow, unspecified(GK_CAST))
CHECK(shift_out_of_bounds, unspecified(GK_SHIFT))
CHECK(divrem_overflow, guard_leave(GK_DIVISION, 0))
CHECK(type_mismatch, guard_leave(GK_NULL, 0))
CHECK(out_of_bounds, guard_leave(GK_BOUNDS, 0))
void __ubsan_handle_type_mismatch_v1(void *place, uintptr_t pointer) {
    (void)place;
    guard_leave(GK_NULL, pointer);
}
