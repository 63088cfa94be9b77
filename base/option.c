/* One pass over argv; each row's kind says how a value is parsed and where it is stored. */
#include "base/option.h"

#include "base/bug.h"
#include "base/nearest.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool parse_count(const char *text, uint64_t *value) {
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0';
}

bool parse_real(const char *text, double *value) {
    char *end;
    if (isspace((unsigned char)text[0]) || text[0] == '\0')
        return false;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

bool option_is_choice(const char *choices, const char *word) {
    size_t len = strlen(word);
    for (const char *p = choices;; p++) {
        size_t n = strcspn(p, "|");
        if (n == len && memcmp(p, word, n) == 0)
            return true;
        p += n;
        if (*p == '\0')
            return false;
    }
}

char *option_variable(const struct option_table *table, const struct option_row *row,
                      struct arena *arena) {
    assert(row >= table->rows && row < table->rows + table->n);
    char *name = arena_printf(arena, "%s%s", table->prefix, row->name);
    for (char *p = name; *p; p++)
        *p = *p == '-' ? '_' : (char)toupper((unsigned char)*p);
    return name;
}

/* ---- values ---- */

struct assignment {
    const struct option_row *row;
    const char *shown; /* "--jobs" or "GOALKEEPER_JOBS", for messages */
    struct option_values *values;
    struct err *err;
};

static void *slot(const struct assignment *a) {
    return (char *)a->values + a->row->offset;
}

static bool bad_value(const struct assignment *a, const char *text, const char *wanted) {
    return err_set(a->err, ERR_USAGE, "%s: '%s' is not %s", a->shown, text, wanted);
}

static bool bad_choice(const struct assignment *a, const char *word) {
    assert(a->row->value && "a choice needs its words");
    struct nearest near;
    nearest_init(&near, word);
    for (char *all = arena_strdup(&a->values->arena, a->row->value), *rest = all, *one;
         (one = strsep(&rest, "|"));)
        nearest_offer(&near, one);
    err_set(a->err, ERR_USAGE, "%s: unknown value '%s'", a->shown, word);
    if (nearest_best(&near))
        return err_remedy(a->err, "did you mean '%s'?", nearest_best(&near));
    return err_remedy(a->err, "possible values: %s", a->row->value);
}

static bool assign_choice(const struct assignment *a, const char *text) {
    if (!option_is_choice(a->row->value, text))
        return bad_choice(a, text);
    *(const char **)slot(a) = text;
    return true;
}

static bool assign_list(const struct assignment *a, const char *text) {
    struct texts *list = slot(a);
    char *copy = arena_strdup(&a->values->arena, text), *rest = copy, *word;
    while ((word = strsep(&rest, ","))) {
        if (word[0] == '\0')
            return bad_value(a, text, "a list (a,b,c without empty words)");
        if (a->row->kind == OPTION_CHOICES && !option_is_choice(a->row->value, word))
            return bad_choice(a, word);
        if (a->row->kind == OPTION_PAIRS && !strchr(word, '='))
            return bad_value(a, word, "of the form name=value");
        vec_push(list, word);
    }
    return true;
}

static bool assign(const struct assignment *a, const char *text) {
    switch (a->row->kind) {
    case OPTION_FLAG:
        if (!option_is_choice("0|1", text))
            return bad_value(a, text, "0 or 1");
        *(bool *)slot(a) = text[0] == '1';
        return true;
    case OPTION_TEXT:
        *(const char **)slot(a) = text;
        return true;
    case OPTION_CHOICE:
        return assign_choice(a, text);
    case OPTION_EACH:
        vec_push((struct texts *)slot(a), text);
        return true;
    case OPTION_LIST:
    case OPTION_CHOICES:
    case OPTION_PAIRS:
        return assign_list(a, text);
    case OPTION_COUNT:
        return parse_count(text, slot(a)) || bad_value(a, text, "a whole number from 0");
    case OPTION_SECONDS:
        if (!parse_real(text, slot(a)) || *(double *)slot(a) < 0)
            return bad_value(a, text, "a number of seconds");
        return true;
    }
    bug("option kind %d", (int)a->row->kind);
}

bool option_is_list(const struct option_row *row) {
    return row->kind == OPTION_LIST || row->kind == OPTION_EACH || row->kind == OPTION_CHOICES ||
           row->kind == OPTION_PAIRS;
}

/* A list given in a stronger place replaces the weaker one instead of adding to it. */
static bool set(const struct option_table *table, const struct assignment *a, const char *text,
                enum option_source source) {
    size_t index = (size_t)(a->row - table->rows);
    assert(index < table->n);
    if (option_is_list(a->row) && a->values->source[index] != source)
        ((struct texts *)slot(a))->len = 0;
    a->values->source[index] = source;
    return assign(a, text);
}

void options_preset(const struct option_table *table, struct option_values *values) {
    struct err err = {0};
    assert(values->source && "the caller provides the array");
    for (size_t i = 0; i < table->n; i++) {
        struct assignment a = {&table->rows[i], table->rows[i].name, values, &err};
        values->source[i] = FROM_PRESET;
        if (table->rows[i].preset && !assign(&a, table->rows[i].preset))
            bug("preset of --%s: %s", table->rows[i].name, str_text(&err.message));
    }
}

bool options_environment(const struct option_table *table, uint64_t command,
                         struct option_values *values, struct err *err) {
    for (size_t i = 0; i < table->n; i++) {
        const struct option_row *row = &table->rows[i];
        if (!(row->commands & command))
            continue;
        struct assignment a = {row, option_variable(table, row, &values->arena), values, err};
        const char *text = getenv(a.shown);
        if (text && text[0] && !set(table, &a, text, FROM_ENVIRONMENT))
            return false;
    }
    return true;
}

/* ---- the command line ---- */

struct scan {
    const struct option_table *table;
    uint64_t command;
    char *const *next; /* the argument to look at */
    struct option_values *values;
    struct err *err;
};

static const struct option_row *find_long(const struct scan *s, const char *name, size_t len) {
    for (size_t i = 0; i < s->table->n; i++) {
        const struct option_row *row = &s->table->rows[i];
        if ((row->commands & s->command) && strlen(row->name) == len &&
            memcmp(row->name, name, len) == 0)
            return row;
    }
    return NULL;
}

static const struct option_row *find_letter(const struct scan *s, char letter) {
    for (size_t i = 0; i < s->table->n; i++) {
        const struct option_row *row = &s->table->rows[i];
        if ((row->commands & s->command) && row->letter == letter)
            return row;
    }
    return NULL;
}

static bool unknown_long(const struct scan *s, const char *shown) {
    struct nearest near;
    nearest_init(&near, shown + 2);
    for (size_t i = 0; i < s->table->n; i++)
        if (s->table->rows[i].commands & s->command)
            nearest_offer(&near, s->table->rows[i].name);
    err_set(s->err, ERR_USAGE, "unknown option '%s'", shown);
    if (nearest_best(&near))
        return err_remedy(s->err, "did you mean '--%s'?", nearest_best(&near));
    return err_remedy(s->err, "--help lists the options");
}

static bool take_pairs(struct scan *s, const struct assignment *a) {
    for (; *s->next && (*s->next)[0] != '-' && strchr(*s->next, '='); s->next++)
        if (!set(s->table, a, *s->next, FROM_COMMAND_LINE))
            return false;
    return true;
}

/* `attached` is the value in the same argument, or NULL: then the next argument is the value. */
static bool take(struct scan *s, const struct option_row *row, const char *shown,
                 const char *attached) {
    struct assignment a = {row, shown, s->values, s->err};
    if (row->kind == OPTION_FLAG) {
        if (attached)
            return err_set(s->err, ERR_USAGE, "%s takes no value", shown);
        return set(s->table, &a, "1", FROM_COMMAND_LINE);
    }
    const char *text = attached ? attached : *s->next;
    if (!text)
        return err_set(s->err, ERR_USAGE, "%s needs a value (%s)", shown, row->value);
    s->next += attached ? 0 : 1;
    return set(s->table, &a, text, FROM_COMMAND_LINE) &&
           (row->kind != OPTION_PAIRS || take_pairs(s, &a));
}

static bool take_long(struct scan *s, const char *word) {
    assert(word[0] == '-' && word[1] == '-');
    size_t len = strcspn(word, "=");
    char *shown = arena_strndup(&s->values->arena, word, len);
    const struct option_row *row = find_long(s, word + 2, len - 2);
    if (!row)
        return unknown_long(s, shown);
    return take(s, row, shown, word[len] ? word + len + 1 : NULL);
}

static bool take_letters(struct scan *s, const char *word) {
    assert(word[0] == '-' && word[1] != '-');
    for (const char *p = word + 1; *p; p++) {
        char *shown = arena_printf(&s->values->arena, "-%c", *p);
        const struct option_row *row = find_letter(s, *p);
        if (!row) {
            err_set(s->err, ERR_USAGE, "unknown option '%s'", shown);
            return err_remedy(s->err, "--help lists the options");
        }
        if (row->kind != OPTION_FLAG)
            return take(s, row, shown, p[1] ? p + 1 : NULL);
        if (!take(s, row, shown, NULL))
            return false;
    }
    return true;
}

bool options_parse(const struct option_table *table, uint64_t command, char *const *argv,
                   struct option_values *values, struct err *err) {
    struct scan s = {table, command, argv, values, err};
    bool only_arguments = false;
    while (*s.next) {
        const char *word = *s.next++;
        if (only_arguments || word[0] != '-' || word[1] == '\0')
            vec_push(&values->arguments, word);
        else if (str_same(word, "--"))
            only_arguments = true;
        else if (!(word[1] == '-' ? take_long(&s, word) : take_letters(&s, word)))
            return false;
    }
    return true;
}
