/* Rows: an option that nobody reads, a counter that nobody counts, a stop site that nobody visits,
 * a command that nobody handles. */
#include "gate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void gate_rows(const struct tree *tree, struct findings *f);

/* How a row is used: the name of the row between prefix and the end of a word. */
static const struct table {
    const char *file; /* ends with this */
    const char *macro;
    const char *uses[3];
} tables[] = {
    {"app/cli/options.def", "OPTION", {"->", "OPT_", "o."}},
    {"app/cli/commands.def", "COMMAND", {"int cmd_"}},
    {"base/stop.def", "STOP", {"stop_at(STOP_"}},
    {"stats.def", "STAT", {"->", ".", "stats."}},
    {"coverage/criteria.def", "CRITERION", {"GOAL_"}},
    {"coverage/var_types.def", "VAR_TYPE", {"TYPE_"}},
    {"app/run/records.def", "RECORD", {"== RECORD_", "!= RECORD_"}},
};

/* `stats.def` of any folder, other tables by their path. */
static const struct table *table_of(const char *path) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (str_ends(path, tables[i].file))
            return &tables[i];
    return NULL;
}

static bool uses(const char *code, const char *prefix, const char *name) {
    size_t len = strlen(prefix), name_len = strlen(name);
    for (const char *p = code; (p = strstr(p, prefix)); p++) {
        const char *end = p + len + name_len;
        if (strncmp(p + len, name, name_len) == 0 && !isalnum((unsigned char)*end) && *end != '_')
            return true;
    }
    return false;
}

static bool is_used(const struct tree *tree, const struct table *table, const char *name) {
    for (size_t i = 0; i < tree->files.len; i++) {
        const struct source *s = &tree->files.data[i];
        if (!s->production || !(is_kind(s, ".c") || is_kind(s, ".inc")))
            continue;
        for (int k = 0; k < 3 && table->uses[k]; k++)
            if (uses(s->code, table->uses[k], name))
                return true;
    }
    return false;
}

static void check_table(const struct tree *tree, const struct source *s, const struct table *table,
                        struct findings *f) {
    size_t len = strlen(table->macro);
    for (const char *p = s->code; (p = find_word(p, table->macro)); p++) {
        char name[64] = {0};
        const char *start = p + len + 1;
        size_t n = 0;
        if (p[len] != '(')
            continue;
        while ((isalnum((unsigned char)start[n]) || start[n] == '_') && n + 1 < sizeof name)
            n++;
        memcpy(name, start, n);
        if (!is_used(tree, table, name))
            finding(f, s->path, line_of(s->code, p), name, "nobody uses the row %s", name);
    }
}

void gate_rows(const struct tree *tree, struct findings *f) {
    for (size_t i = 0; i < tree->files.len; i++) {
        const struct source *s = &tree->files.data[i];
        const struct table *table = table_of(s->path);
        if (s->production && table)
            check_table(tree, s, table, f);
    }
}
