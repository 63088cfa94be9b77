/* makefile: the Makefile beside exported tests: check, suite, coverage, clean. */
#ifndef APP_EXPORT_MAKEFILE_H
#define APP_EXPORT_MAKEFILE_H

#include "app/export/test_text.h"

/* False for a path that no Makefile can hold. */
bool test_makefile(const struct runs *runs, enum test_form form, struct str *out, struct err *err);

#endif
