/* own: what a command may change, and no more, from before it reads its first byte of others.
 *
 * Commands that read sources or databases give up the rest (base/sandbox/self.h): what stays are
 * the folders of their results, and one for temporary files that TMPDIR names from then on. The
 * other commands read nothing of others, or start what needs a network.
 *
 * own_enter() before the handler of the command, own_leave() after it, whether the first has
 * succeeded or not.
 */
#ifndef APP_CLI_OWN_H
#define APP_CLI_OWN_H

#include "app/cli/command.h"
#include "base/sandbox/self.h"

struct own {
    struct arena arena;
    struct self self;
    struct str temp;      /* "": none was made */
    const char *made;     /* a folder for results that was not there; NULL */
    struct texts readied; /* databases beside which SQLite's files were made for readers */
};

bool own_enter(struct own *own, const struct options *o, struct err *err);
void own_leave(struct own *own);

#endif
