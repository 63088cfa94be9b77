/* stop: fault injection at numbered sites.
 *
 * A site is a row of stop.def. Production code asks at the site:
 *
 *     if (stop_at(STOP_FILE_RENAME))   // true: behave as if the call had failed (errno is EIO)
 *         return false;
 *
 * Nothing happens unless a test arms one site, in the program through GOALKEEPER_STOP:
 *
 *     "FILE_RENAME"         the process kills itself (SIGKILL) at the first visit
 *     "FILE_RENAME:3"       … at the third visit
 *     "FILE_WRITE:2=fail"   the second visit reports failure, later ones go on
 *     "FILE_WRITE=hang"     the process stops there until it is killed
 *     "FILE_WRITE=crash"    abort(), as if an assertion had failed there
 */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include "base/err.h"

enum stop_site {
#define STOP(name, about) STOP_##name,
#include "base/stop.def"
#undef STOP
    STOP_SITES
};

bool stop_at(enum stop_site site);
bool stop_arm(const char *spec, struct err *err); /* NULL or "" disarms */

#endif
