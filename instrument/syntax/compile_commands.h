/* compile_commands: what compile_commands.json says about one source file. */
#ifndef INSTRUMENT_SYNTAX_COMPILE_COMMANDS_H
#define INSTRUMENT_SYNTAX_COMPILE_COMMANDS_H

#include "base/err.h"
#include "coverage/project.h"

/* Appends the arguments that matter for preprocessing and parsing (defines, include directories
 * made absolute, language standard); everything else, also flags of another compiler, is left out.
 * Nothing is appended when the file is not listed. Texts live in `arena`. */
bool compile_commands_args(const struct project *project, const char *source, struct arena *arena,
                           struct texts *args, struct err *err);

/* The C files that the database lists, each once, in its order. */
bool compile_commands_files(const char *path, struct arena *arena, struct texts *files,
                            struct err *err);

#endif
