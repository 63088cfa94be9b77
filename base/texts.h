/* texts: a list of texts that somebody else owns (an arena, argv, a table). */
#ifndef BASE_TEXTS_H
#define BASE_TEXTS_H

#include "base/vec.h"

VEC_STRUCT(texts, const char *);

#endif
