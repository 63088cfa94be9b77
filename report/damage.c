#include "report/damage.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Each counts rows that must not be. */
static const struct {
    const char *what, *sql;
} checks[] = {
    {"a goal with a value that is neither true nor false",
     "SELECT count(*) FROM goal WHERE value NOT IN (0, 1) OR (kind = 'vector' AND value IS NULL)"},
    {"a goal that is reached in no step",
     "SELECT count(*) FROM goal WHERE status = 'reachable' AND coalesce(depth, -1) < 0"},
    {"goals that are not numbered from 1",
     "SELECT count(*) FROM goal HAVING count(*) <> coalesce(max(id), 0) OR min(id) < 1"},
    {"a variable of a type that C does not have",
     "SELECT count(*) FROM variable WHERE bits NOT BETWEEN 1 AND 64 OR type NOT IN "
     "('b', 'i', 'u', 'f', 'p') OR (type = 'f' AND bits NOT IN (32, 64))"},
    {"a step before the initialisation",
     "SELECT (SELECT count(*) FROM witness_event WHERE step < 0) + "
     "(SELECT count(*) FROM witness_cell WHERE step < 0)"},
};

static bool damaged(struct store *db, const char *what, struct err *err) {
    err_set(err, ERR_USAGE, "%s: the database is damaged: there is %s", store_path(db), what);
    return err_remedy(err, "run again with a new database, or restore a copy");
}

/* Operands and operators take turns; parentheses close; conditions are numbered from the left. */
bool damage_structure_fits(const char *p, size_t n) {
    size_t next = 0, depth = 0;
    bool operand = true; /* what comes next */
    while (*p) {
        if (operand && (*p == '!' || *p == '(')) {
            depth += *p++ == '(';
        } else if (operand && isdigit((unsigned char)*p)) {
            char *end;
            if (strtoul(p, &end, 10) != next++)
                return false;
            p = end;
            operand = false;
        } else if (!operand && *p == ')' && depth > 0) {
            depth--;
            p++;
        } else if (!operand && (strncmp(p, "&&", 2) == 0 || strncmp(p, "||", 2) == 0)) {
            p += 2;
            operand = true;
        } else {
            return false;
        }
    }
    return !operand && depth == 0 && next == n;
}

static bool check_decisions(struct store *db, struct err *err) {
    struct rows *r = rows_open(db,
                               "SELECT d.structure, count(c.position) FROM decision d LEFT JOIN "
                               "decision_condition c ON c.decision = d.id GROUP BY d.id",
                               err);
    bool fits = true;
    while (fits && rows_next(r)) {
        assert(rows_int(r, 1) >= 0);
        fits = damage_structure_fits(rows_text(r, 0), (size_t)rows_int(r, 1));
    }
    if (!rows_close(r, err))
        return false;
    return fits || damaged(db, "a decision whose structure does not fit its conditions", err);
}

bool damage_check(struct store *db, struct err *err) {
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (rows_single_int(db, checks[i].sql) != 0)
            return damaged(db, checks[i].what, err);
    return check_decisions(db, err);
}
