/* pdf: the report as one document on paper: Chromium prints it, where there is one. */
#ifndef APP_CLI_PDF_H
#define APP_CLI_PDF_H

#include "base/err.h"

/* DIR/report.html as DIR/report.pdf. */
bool pdf_print(const char *dir, struct err *err);

#endif
