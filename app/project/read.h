/* read: goalkeeper.json -> struct project, with a message that points at every mistake.
 *
 *     struct project project;
 *     if (!project_read("samples/lane_assist/goalkeeper.json", &project, err))
 *         return false;                     // err has file, line, column and remedy
 *     project_free(&project);
 *
 * On failure nothing has to be freed. The keys are the rows of project/keys.def; the JSON schema
 * that is shipped is printed from the same rows by project_schema().
 */
#ifndef APP_PROJECT_READ_H
#define APP_PROJECT_READ_H

#include "coverage/project.h"

bool project_read(const char *file, struct project *project, struct err *err);
/* The same, where nothing that the file names may lie outside of the folder `root` (a real path),
 * "": of the root that it has by itself (coverage/place.h), NULL: anywhere. */
bool project_read_below(const char *file, const char *root, struct project *project,
                        struct err *err);
void project_schema(struct str *text);

/* What a key may hold, and where it goes. */
enum key_scope { SCOPE_PROJECT, SCOPE_BUDGET, SCOPE_INPUT, SCOPE_PARAMETER };

enum key_kind {
    KEY_TEXT,
    KEY_TEXT_OR_NULL,
    KEY_TEXTS,
    KEY_NAME,
    KEY_NAMES,
    KEY_PATH,
    KEY_EITHER,
    KEY_CHOICE,
    KEY_COUNT,
    KEY_JOBS,
    KEY_SECONDS,
    KEY_MIN,
    KEY_MAX,
    KEY_CRITERIA,
    KEY_EXCLUDES,
    KEY_INPUTS,
    KEY_PARAMETERS,
    KEY_BUDGET,
    KEY_PATH_MAP,
    KEY_NOTE,
    KEY_KINDS
};

struct key_row {
    enum key_scope scope;
    enum key_kind kind;
    const char *name, *choices, *about;
    size_t offset; /* in struct project, or struct project_var for inputs and parameters */
};

const struct key_row *project_keys(size_t *n);
bool project_key_required(const struct key_row *row);

/* Also used for values that come from options. */
bool project_is_identifier(const char *name);
bool project_is_path(const char *name);
bool project_is_exclude(const char *text);

#endif
