/* path_map: names of files in line markers as the user knows them.
 *
 * Preprocessed code names files where it was preprocessed: "C:/MySandboxes/Heater/src/heater.c".
 * The rules of the project ("path_map") say what that is here; the longest one counts. What no rule
 * speaks of loses the folder that all these names share, so that listings stay readable.
 *
 *     path_map_guess(&project);                      // once: one more rule, where there is need
 *     path_map_name(&project, marker, &shown);       // appends "src/heater.c"
 *
 * '/' and '\\' are the same; so are upper and lower case behind the letter of a drive.
 */
#ifndef INSTRUMENT_SYNTAX_PATH_MAP_H
#define INSTRUMENT_SYNTAX_PATH_MAP_H

#include "base/err.h"
#include "coverage/project.h"

void path_map_name(const struct project *project, const char *name, struct str *shown);

/* Reads the sources; those that cannot be read are left to who reads them next. */
void path_map_guess(struct project *project);

/* Do line markers of the sources hold absolute names that may be those of this machine? Elsewhere
 * they may be told otherwise. */
bool path_map_knows_host(struct project *project);

/* "C:/MySandboxes/Heater=." as one more rule; false: that is none. */
bool path_map_add(struct project *project, const char *text);

#endif
