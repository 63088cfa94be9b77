/* meaning: does this CBMC take C for what gcc and clang take it for?
 *
 * Sizes, signs, layouts and roundings that the standard leaves to the compiler are asked once, in
 * the data model of the program (runtime/meaning.c). What CBMC gets wrong there it gets wrong in
 * certificates and bounds, too, so that it is not used for a program that contains such a thing.
 *
 *     struct str why = {0};
 *     if (!cbmc_understands(&cbmc, &module, woven, &why))
 *         … why names what it gets wrong …
 */
#ifndef INSTRUMENT_CBMC_MEANING_H
#define INSTRUMENT_CBMC_MEANING_H

#include "coverage/module.h"
#include "instrument/cbmc/cbmc.h"

bool cbmc_understands(const struct cbmc *cbmc, const struct module *module, const char *woven,
                      struct str *why);

/* The program that is asked: for tests, which give it to compilers. */
extern const char meaning_c[];

#endif
