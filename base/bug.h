/* bug: the program itself is wrong.
 *
 * Three failures exist, and they are never mixed:
 *   bug()          our own mistake: prints where and why, aborts (exit code 6 through app/).
 *   out of memory  handled in one place, base/mem.c; callers never see NULL.
 *   struct err     the input is wrong: see base/err.h.
 */
#ifndef BASE_BUG_H
#define BASE_BUG_H

#define bug(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)

_Noreturn void bug_at(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
