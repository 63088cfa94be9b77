/* preprocess: a source file as one text without macros and includes.
 *
 * Runs clang -E -C for the target's data model with the project's include directories, defines and
 * flags and with what compile_commands.json says about the file. Comments and line markers are
 * kept. A file that is already preprocessed, also on another machine, goes the same way: its line
 * markers survive, and the project's defines still neutralise what clang does not know. */
#ifndef INSTRUMENT_SYNTAX_PREPROCESS_H
#define INSTRUMENT_SYNTAX_PREPROCESS_H

#include "base/err.h"
#include "coverage/project.h"

/* Appends the text to `text`, and to `args` what clang needs to parse it (target, standard, the
 * flags of the user; texts live in `arena`). */
bool preprocess(const struct project *project, const char *source, struct arena *arena,
                struct texts *args, struct str *text, struct err *err);

/* The flags that a compiler needs for the file as it is: those of the project and of
 * compile_commands.json, and what gives it the data model of the target. They are to be used in the
 * project's directory; both gcc and clang take them. */
bool preprocess_flags(const struct project *project, const char *source, struct arena *arena,
                      struct texts *flags, struct err *err);

#endif
