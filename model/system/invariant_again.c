/* Invariants of a system as it was, for the system as it is. Cells are found by their names, for
 * their numbers have changed. What is read need not hold: it is worth a try. */
#include "model/system/invariant.h"
#include "model/system/system.h"

#include <stdlib.h>
#include <string.h>

/* Of the cell of that name; NONE. */
static uint32_t cell_named(const struct system *sys, const char *name, size_t len) {
    for (uint32_t i = 0; i < sys->cells.len; i++)
        if (strncmp(sys->cells.data[i].name, name, len) == 0 && !sys->cells.data[i].name[len])
            return i;
    return NONE;
}

/* A number in front of a name in quotes becomes that of the cell. False: there is none any more. */
static bool renumber(const struct system *sys, const char *line, size_t len, struct str *out) {
    const char *end = line + len, *from = line, *quote;
    while ((quote = memchr(from, '"', (size_t)(end - from)))) {
        const char *close = memchr(quote + 1, '"', (size_t)(end - quote - 1)), *digits = quote;
        if (!close || quote == line)
            return false;
        for (digits = quote - 1; digits > from && digits[-1] >= '0' && digits[-1] <= '9';)
            digits--;
        bool derived = digits > line && digits[-1] == 'd';
        uint32_t cell = derived ? 0 : cell_named(sys, quote + 1, (size_t)(close - quote - 1));
        if (cell == NONE)
            return false;
        str_addn(out, from, (size_t)(digits - from));
        if (derived)
            str_addn(out, digits, (size_t)(quote - digits));
        else
            str_addf(out, "%u ", cell);
        str_addn(out, quote, (size_t)(close + 1 - quote));
        from = close + 1;
    }
    str_addn(out, from, (size_t)(end - from));
    return true;
}

static bool is_line(const char *line, size_t len, const char *start) {
    return len >= strlen(start) && strncmp(line, start, strlen(start)) == 0;
}

/* The text for this system. Clauses about cells that are no more are left out, and with `derived`
 * false all about derived cells; false: a derived cell cannot be defined. */
static bool translate(const struct system *sys, const char *text, bool derived, struct str *out) {
    for (const char *line = text; *line;) {
        size_t len = strcspn(line, "\n");
        struct str one = {0};
        bool clause = is_line(line, len, "clause"), target = is_line(line, len, "target");
        bool whole = is_line(line, len, "invariant") || is_line(line, len, "end");
        bool about_derived = clause ? memmem(line, len, " d", 2) != NULL : !whole && !target;
        bool wanted = !target && (derived || !about_derived);
        bool known = wanted && renumber(sys, line, len, &one);
        if (known)
            str_addf(out, "%s\n", str_text(&one));
        str_free(&one);
        if (wanted && !known && !clause)
            return false;
        line += len + (line[len] == '\n');
    }
    return true;
}

bool invariant_read_again(struct invariant *inv, struct system *sys, const char *text) {
    bool ok = false;
    for (int derived = 1; derived >= 0 && !ok; derived--) {
        struct str now = {0};
        struct err ignored = {0};
        ok = translate(sys, text, derived, &now) &&
             invariant_read(inv, sys, str_text(&now), &ignored);
        err_clear(&ignored);
        str_free(&now);
    }
    return ok;
}
