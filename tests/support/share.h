/* share: how much of the random cases a build runs.
 *
 * The release build runs all of them, for right answers. The sanitizer build looks for faults that
 * hardly depend on which case it is, and takes about five times as long for each. */
#ifndef TESTS_SUPPORT_SHARE_H
#define TESTS_SUPPORT_SHARE_H

#ifdef __SANITIZE_ADDRESS__
enum { SHARE = 4 }; /* one in four */
#else
enum { SHARE = 1 };
#endif

#endif
