/* meaning_flags: flags for compilers that change what a source means, made part of its text.
 *
 * Sources are compiled many times: woven, by several compilers, by CBMC, again from the database.
 * None of these knows the flags of the project, so the text has to say the same without them:
 *   -fshort-enums      enum { A, B }      becomes  enum __attribute__((packed)) { A, B }
 *   -fpack-struct=2    the text begins with #pragma pack(2)
 *   -std=c90           2147483648         becomes  2147483648ul, unsigned in C90 alone
 *   -fsingle-precision-constant    0.1    becomes  0.1f
 * For the same reason each text that sets alignments ends by taking them back: the woven program
 * goes on with the next unit. What the project itself says of the target (data model, sign of char)
 * may not be contradicted by a flag, and wide characters of 16 bits and
 * -funsigned-bitfields are refused. */
#ifndef INSTRUMENT_SYNTAX_MEANING_FLAGS_H
#define INSTRUMENT_SYNTAX_MEANING_FLAGS_H

#include "base/err.h"
#include "base/str.h"
#include "coverage/project.h"

/* `flags`: of compile_commands.json for this source; those of the project come behind them. `text`
 * is preprocessed. ERR_USAGE when a flag contradicts the project. */
bool meaning_flags_apply(const struct project *project, const struct texts *flags, struct str *text,
                         struct err *err);

#endif
