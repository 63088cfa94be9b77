/* The world around a verification task: it supplies the values that the task asks for and notes
 * whether the error is reached. Linked with the task, whose main() runs as it is.
 *
 *   descriptor 3    to write when the error is reached: the values used, in hex, a line each, with
 *                   line and column of the call that asked, then those of the error, "reached"
 *   GK_TASK_VALUES  file of values (hex, a line each) to hand out; 0 when there are no more
 *   GK_TASK_SEARCH  or: "SEED RUNS MS LONG" for so many runs with random values in child processes,
 *                   until one reaches the error or so many milliseconds of CPU time are used;
 *                   LONG is 1 when one of them may take long although there is no time for 64
 *   GK_TASK_HINTS   file of values (hex, a line each) worth trying
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VALUES_MAX = 1 << 20, HINTS_MAX = 256, RUN_MS = 20, RUN_MS_MAX = 1500 };

/* Shared with the parent of a search; the first run may write anywhere, so it lies apart. */
struct shared {
    uint64_t n, reached;
    uint64_t values[VALUES_MAX];
    unsigned places[VALUES_MAX][2];
};
static struct shared *used;
static uint64_t given[VALUES_MAX], hints[HINTS_MAX];
static size_t n_given, n_hints;
static int searching;
static uint64_t state;
static unsigned style;
static uint64_t held;
static unsigned hold;
static unsigned at[2]; /* line and column of the call to come; 0: none in the task's own file */

static uint64_t draw(void) {
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static size_t read_numbers(const char *name, uint64_t *into, size_t most) {
    size_t n = 0;
    unsigned long long v;
    FILE *f = name ? fopen(name, "r") : NULL;
    while (f && n < most && fscanf(f, "%llx", &v) == 1)
        into[n++] = v;
    if (f)
        fclose(f);
    return n;
}

static void write_line(const char *text, size_t length) {
    while (length > 0) {
        ssize_t n = write(3, text, length);
        if (n <= 0)
            return;
        text += n;
        length -= (size_t)n;
    }
}

static void write_result(void) {
    char line[64];
    for (uint64_t i = 0; i < used->n; i++)
        write_line(line, (size_t)snprintf(line, sizeof line, "%llx %u %u\n",
                                          (unsigned long long)used->values[i], used->places[i][0],
                                          used->places[i][1]));
    write_line(line, (size_t)snprintf(line, sizeof line, "at %u %u\n", at[0], at[1]));
    write_line("reached\n", 8);
}

/* Before each call of what the environment supplies. */
void gk_task_at(unsigned line, unsigned column) {
    at[0] = line;
    at[1] = column;
}

void gk_task_reached(void) {
    used->reached = 1;
    if (!searching)
        write_result();
    _exit(0);
}

void gk_task_end(void) {
    _exit(0);
}

static uint64_t float_bits(uint64_t number, int bits) {
    uint64_t out = 0;
    double d = (double)(int64_t)number;
    if (draw() % 4 == 0)
        d /= (double)(1 << draw() % 8);
    float f = (float)d;
    memcpy(&out, bits == 32 ? (void *)&f : (void *)&d, (size_t)bits / 8);
    return out;
}

static uint64_t some_number(int bits) {
    switch (draw() % 8 + style % 3 * 2) {
    case 0:
    case 1:
    case 2:
        return draw() % 2;
    case 3:
    case 4:
        return n_hints ? hints[draw() % n_hints] + (draw() % 4 ? 0 : draw() % 3 - 1) : draw() % 4;
    case 5:
        return draw() % 16 - (draw() % 2 ? 8 : 0);
    case 6:
        return draw() % 256;
    case 7:
        return (UINT64_C(1) << draw() % (unsigned)bits) - draw() % 2;
    case 8:
        return draw() % 1000 - (draw() % 2 ? 500 : 0);
    default:
        return draw() >> draw() % 60;
    }
}

static uint64_t random_value(int bits, int is_float) {
    if (hold > 0) {
        hold--;
        return held;
    }
    uint64_t v = some_number(bits);
    if (is_float && draw() % 16)
        v = float_bits(v, bits);
    else if (is_float)
        v = draw();
    if (style & 8) {
        held = v;
        hold = (unsigned)(draw() % (1u << draw() % 12));
    }
    return v;
}

/* The functions __VERIFIER_nondet_* of the task are made to call this. */
uint64_t gk_task_next(int bits, int is_float) {
    uint64_t v = 0;
    if (searching)
        v = random_value(bits, is_float);
    else if (used->n < n_given)
        v = given[used->n];
    if (used->n >= VALUES_MAX)
        _exit(3);
    v &= bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    memcpy(used->places[used->n], at, sizeof at);
    memset(at, 0, sizeof at);
    used->values[used->n++] = v;
    return v;
}

/* What the calls of assertions and assumptions become that the task does not define. */
void gk_task_assume(int condition) {
    if (!condition)
        _exit(0);
}

void gk_task_assert(int condition) {
    if (!condition)
        gk_task_reached();
}

/* The C library has one, too. */
#define OTHERWISE __attribute__((weak))

OTHERWISE void __assert_fail(const char *text, const char *file, unsigned line,
                             const char *function) {
    (void)text;
    (void)file;
    (void)line;
    (void)function;
    gk_task_reached();
    _exit(0);
}

/* One run in a child that cannot take long; what it prints is thrown away. */
static int run_child(unsigned run, unsigned ms) {
    pid_t child = fork();
    if (child != 0)
        return child < 0 ? -1 : (waitpid(child, NULL, 0), 0);
    struct itimerval timer = {.it_value = {ms / 1000, (int)(ms % 1000) * 1000}};
    close(1);
    close(2);
    signal(SIGPROF, SIG_DFL);
    setitimer(ITIMER_PROF, &timer, NULL);
    style = run;
    return 1;
}

static unsigned long long used_ms(void) {
    struct rusage u = {0};
    getrusage(RUSAGE_CHILDREN, &u);
    return (unsigned long long)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000 +
           (unsigned long long)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1000;
}

static int search(const char *what) {
    unsigned long long seed = 1, runs = 1, most = 1, is_long = 0;
    if (sscanf(what, "%llu %llu %llu %llu", &seed, &runs, &most, &is_long) != 4)
        _exit(2);
    searching = 1;
    for (unsigned run = 0; run < runs && !used->reached && used_ms() < most; run++) {
        used->n = 0;
        state = seed * UINT64_C(0x2545f4914f6cdd1d) + run;
        unsigned ms = run % 64 == 63 || (is_long && 2 * used_ms() >= most) ? RUN_MS_MAX : RUN_MS;
        is_long &= ms == RUN_MS;
        int child = run_child(run, ms);
        if (child != 0)
            return child;
    }
    if (used->reached)
        write_result();
    _exit(0);
}

__attribute__((constructor)) static void begin(void) {
    const char *what = getenv("GK_TASK_SEARCH");
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    used = mmap(NULL, sizeof *used, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (used == MAP_FAILED)
        _exit(2);
    n_given = read_numbers(getenv("GK_TASK_VALUES"), given, VALUES_MAX);
    n_hints = read_numbers(getenv("GK_TASK_HINTS"), hints, HINTS_MAX);
    if (what && search(what) < 0)
        _exit(2);
}
