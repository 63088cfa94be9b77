/* recheck: a certificate by stock CBMC, with the very command that its head names, on one core. */
#ifndef BENCH_RECHECK_H
#define BENCH_RECHECK_H

struct recheck {
    const char *cbmc;
    double seconds; /* of CPU time, at most */
};

/* "confirmed", "FAILED", or what kept it from an answer. `define` ("GK_DROP=3") may be NULL. Adds
 * what it took to `seconds`. */
const char *recheck(const struct recheck *by, const char *text, const char *define,
                    double *seconds);

#endif
