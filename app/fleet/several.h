/* several: the commands that read databases, when there are several. The overview of the component
 * comes first, then what the command says of each module alone. */
#ifndef APP_FLEET_SEVERAL_H
#define APP_FLEET_SEVERAL_H

#include "app/cli/command.h"

int several_status(const struct options *o);
int several_query(const struct options *o);
/* One folder a module, and files of the same formats for all of them above. */
int several_report(const struct options *o);
/* Each module by itself: it passes when all of them pass. */
int several_gate(const struct options *o);

#endif
