/* print_rows: the result of a query as an aligned table, as JSON or as CSV, on stdout. */
#ifndef APP_CLI_PRINT_ROWS_H
#define APP_CLI_PRINT_ROWS_H

#include "db/rows.h"

/* `format` is "table", "json" or "csv"; a table shortens long texts on a terminal only. Closes the
 * rows. NULL rows print nothing and return false.
 */
bool print_rows(struct rows *rows, const char *format, struct err *err);

#endif
