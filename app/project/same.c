/* Literals are copied as they are; a comment is a space, as in translation phase 3 of C. */
#include "app/project/same.h"

#include "base/mem.h"
#include "db/rows.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char kept[] = "/*gk"; /* comments that are no comments: instrument/weave/guards.h */

/* Behind a literal, or a comment, that begins here. */
static const char *end_of_literal(const char *at) {
    char quote = *at++;
    while (*at && *at != quote && *at != '\n')
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

static const char *end_of_comment(const char *at) {
    const char *end = at[1] == '*' ? strstr(at + 2, "*/") : strchr(at, '\n');
    return !end ? at + strlen(at) : at[1] == '*' ? end + 2 : end;
}

static void add_space(struct str *out) {
    if (out->len > 0 && out->data[out->len - 1] != '\n' && out->data[out->len - 1] != ' ')
        str_addc(out, ' ');
}

static void end_line(struct str *out) {
    if (out->len > 0 && out->data[out->len - 1] == ' ')
        vec_truncate(out, out->len - 1);
    if (out->len > 0 && out->data[out->len - 1] != '\n')
        str_addc(out, '\n');
}

void same_text(const char *woven, struct str *out) {
    for (const char *at = woven, *next; *at; at = next) {
        next = at + 1;
        if (*at == '"' || *at == '\'') {
            next = end_of_literal(at);
            str_addn(out, at, (size_t)(next - at));
        } else if (at[0] == '/' && (at[1] == '*' || at[1] == '/')) {
            next = end_of_comment(at);
            if (str_starts(at, kept))
                str_addn(out, at, (size_t)(next - at));
            else
                add_space(out);
        } else if (*at == '\n') {
            end_line(out);
        } else if (strchr(" \t\r\f\v", *at)) {
            add_space(out);
        } else {
            str_addc(out, *at);
        }
    }
    end_line(out);
}

bool same_is_plain(const char *woven) {
    static const char spliced[] = {'?', '?', '/', '\0'}; /* the trigraph of a backslash */
    for (const char *at = woven; *at; at++) {
        const char *next = at + 1 + strspn(at + 1, " \t\r\f\v");
        if ((*at == '\\' && *next == '\n') || str_starts(at, spliced) ||
            (at[1] == '\'' && isxdigit((unsigned char)at[0]) && isxdigit((unsigned char)at[2])))
            return false;
    }
    return true;
}

static bool same_tokens(struct store *db, const struct woven *woven) {
    struct str before = {0}, was = {0}, is = {0};
    bool same = store_get_artifact(db, "woven.c", &before);
    same = same && same_is_plain(str_text(&before)) && same_is_plain(str_text(&woven->text));
    if (same) {
        same_text(str_text(&before), &was);
        same_text(str_text(&woven->text), &is);
        same = str_same(str_text(&was), str_text(&is));
    }
    str_free(&before);
    str_free(&was);
    str_free(&is);
    return same;
}

static bool has_info(struct store *db, const char *key, const char *value) {
    char *stored = store_get_info(db, key);
    bool same = stored && str_same(stored, value);
    mem_free(stored);
    return same;
}

/* Keys and probes of all goals, in their order. */
static bool same_goals(struct store *db, const struct goals *goals) {
    struct err ignored = {0};
    struct rows *r = rows_open(db, "SELECT key, probe FROM goal ORDER BY id", &ignored);
    size_t n = 0;
    bool same = r != NULL;
    for (; same && rows_next(r); n++) {
        char key[17] = "";
        if (n < goals->list.len)
            snprintf(key, sizeof key, "%016llx", (unsigned long long)goals->list.data[n].key);
        same = str_same(rows_text(r, 0), key) && rows_int(r, 1) == goals->list.data[n].probe;
    }
    same &= n == goals->list.len;
    same &= rows_close(r, &ignored);
    err_clear(&ignored);
    return same;
}

static bool nothing_waits(struct store *db) {
    struct err ignored = {0};
    struct rows *r = rows_open(db, "SELECT 1 FROM earlier LIMIT 1", &ignored);
    bool none = r && !rows_next(r);
    none &= rows_close(r, &ignored);
    err_clear(&ignored);
    return none;
}

bool same_machine(struct store *db, const struct project *project) {
    return has_info(db, "target", project_target(project)) &&
           has_info(db, "char", project_char(project));
}

bool same_program(struct store *db, const struct project *project, const struct woven *woven) {
    return !woven->module.task && same_machine(db, project) && nothing_waits(db) &&
           same_goals(db, &woven->goals) && same_tokens(db, woven);
}
