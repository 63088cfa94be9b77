/* range_table: ranges of variables from a file beside the sources, by name.
 *
 * CSV: a line per variable, "name,min,max" (or with ';'), raw values; with two more columns, LSB
 * and offset, physical ones: raw = (physical - offset) / LSB. A first line without numbers is a
 * heading; a number may be left out. ASAP2 (*.a2l): the limits of MEASUREMENT and CHARACTERISTIC,
 * made raw by their COMPU_METHOD where that is linear; other methods leave a note. XML: the same of
 * variables and scalings of a TargetLink data dictionary.
 *
 *     struct range_table table = {0};
 *     if (!range_table_read(&table, "heater.a2l", err))      // again for the next file
 *         return false;
 *     if (range_table_find(&table, "Bus.Speed", scalar, &range, &from)) …
 *     range_table_free(&table);
 */
#ifndef INSTRUMENT_INPUTS_RANGE_TABLE_H
#define INSTRUMENT_INPUTS_RANGE_TABLE_H

#include "base/err.h"
#include "base/map.h"
#include "instrument/inputs/ranges.h"

struct range_entry {
    const char *name;
    const char *min, *max;    /* as in a comment, see ranges.h; NULL: no limit */
    const char *lsb, *offset; /* NULL: the limits are raw */
    const char *from;         /* "heater.a2l:12" */
    bool used;                /* by range_table_find() */
};

struct range_table {
    struct arena arena;
    struct intern names; /* one per entry */
    VEC(struct range_entry) entries;
    VEC(const char *) notes; /* what was left out, and why */
};

/* What a file says twice must be the same. */
bool range_table_read(struct range_table *table, const char *file, struct err *err);
void range_table_free(struct range_table *table);

/* The range of the cell "Tab[3].Open": its own entry, else that of the array it is in
 * ("Tab[].Open", "Tab.Open"). Limits beyond the type are those of the type. False: none, or an
 * empty one. */
bool range_table_find(struct range_table *table, const char *path, struct scalar scalar,
                      struct range *range, const char **from);

/* For the readers: adds an entry. False: `err` is set. */
bool range_table_add(struct range_table *table, const struct range_entry *entry, struct err *err);

/* a2l.c */
bool range_table_a2l(struct range_table *table, const char *file, const char *text, size_t len,
                     struct err *err);
/* data_dictionary.c */
bool range_table_dictionary(struct range_table *table, const char *file, const char *text,
                            size_t len, struct err *err);

#endif
