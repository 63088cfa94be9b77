/* Rules are tried longest first, on names with one kind of slash and folded drives; the guess is a
 * folder that the foreign names of the markers share. */
#include "instrument/syntax/path_map.h"

#include "base/file.h"
#include "instrument/syntax/markers.h"
#include "instrument/syntax/source_map.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* A name on another root than the project is taken along when it shares this many folders, the
 * drive among them: "C:/MySandboxes" is where both live, "C:" is where everything does. */
enum { SHARED_FOLDERS = 2 };

static bool has_drive(const char *name) {
    return isalpha((unsigned char)name[0]) && name[1] == ':' && (name[2] == '/' || name[2] == '\\');
}

static bool is_foreign(const char *name) {
    return has_drive(name) || (name[0] == '\\' && name[1] == '\\') ||
           (name[0] == '/' && !file_exists(name));
}

static int folded(const char *name, size_t at) {
    unsigned char c = (unsigned char)name[at];
    return c == '\\' ? '/' : has_drive(name) ? tolower(c) : c;
}

static void add_slashed(struct str *text, const char *name) {
    for (; *name; name++)
        str_addc(text, *name == '\\' ? '/' : *name);
}

/* ---- rules ---- */

/* What is behind the folder, "" for the folder itself; NULL: the name is not below it. */
static const char *below(const char *name, const char *folder) {
    size_t n = strlen(folder);
    while (n > 0 && folded(folder, n - 1) == '/')
        n--;
    for (size_t i = 0; i < n; i++)
        if (folded(name, i) != folded(folder, i))
            return NULL;
    if (name[n] && folded(name, n) != '/')
        return NULL;
    name += n;
    return name + strspn(name, "/\\");
}

static const struct path_rule *find_rule(const struct project *project, const char *name) {
    const struct path_rule *best = NULL;
    for (size_t i = 0; project && i < project->path_map.len; i++) {
        const struct path_rule *rule = &project->path_map.data[i];
        if (below(name, rule->from) && (!best || strlen(rule->from) > strlen(best->from)))
            best = rule;
    }
    return best;
}

void path_map_name(const struct project *project, const char *name, struct str *shown) {
    const struct path_rule *rule = find_rule(project, name);
    if (!rule) {
        if (is_foreign(name))
            add_slashed(shown, name);
        else
            str_add(shown, name);
        return;
    }
    const char *to = str_same(rule->to, ".") ? "" : rule->to, *rest = below(name, rule->from);
    str_add(shown, to);
    if (*to && *rest && to[strlen(to) - 1] != '/')
        str_addc(shown, '/');
    add_slashed(shown, rest);
}

bool path_map_add(struct project *project, const char *text) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return false;
    struct path_rule rule = {.from = arena_strndup(&project->arena, text, (size_t)(equals - text)),
                             .to = arena_strdup(&project->arena, equals + 1)};
    vec_push(&project->path_map, rule);
    return true;
}

/* ---- the folder that all share ---- */

struct shared {
    const char *name; /* of one file; NULL: none yet */
    size_t len;       /* of the folder, without the slash behind it */
};

static size_t folder_length(const char *name) {
    size_t len = 0;
    for (size_t i = 0; name[i]; i++)
        if (folded(name, i) == '/')
            len = i;
    return len;
}

static size_t common_length(const char *a, size_t len, const char *b) {
    size_t common = 0, most = folder_length(b);
    for (size_t i = 0; i <= len && i <= most; i++) {
        bool a_ends = i == len || folded(a, i) == '/', b_ends = i == most || folded(b, i) == '/';
        if (a_ends && b_ends)
            common = i;
        if (i == len || i == most || folded(a, i) != folded(b, i))
            break;
    }
    return common;
}

static size_t folders(const char *name, size_t len) {
    size_t n = 0;
    for (size_t i = 0; i < len; i++)
        n += folded(name, i) != '/' && (i == 0 || folded(name, i - 1) == '/');
    return n;
}

static void share(struct shared *shared, const char *name, size_t least) {
    if (!shared->name) {
        *shared = (struct shared){name, folder_length(name)};
        return;
    }
    size_t common = common_length(shared->name, shared->len, name);
    if (folders(name, common) >= least)
        shared->len = common;
}

/* ---- names in the sources ---- */

static bool same_stem(const char *name, const char *source) {
    const char *back = strrchr(name, '\\'), *base = path_base(name);
    base = back && back >= base ? back + 1 : base;
    size_t n = strcspn(base, "."), m = strcspn(path_base(source), ".");
    return n == m && strncmp(base, path_base(source), n) == 0;
}

/* The files that line markers of one source name, headers of the system left out. */
static void marked_names(struct project *project, const char *source, struct texts *names) {
    struct str text = {0}, mended = {0};
    struct err ignored = {0};
    struct source_map map = {0};
    const char *path = path_join(&project->arena, project->dir, source);
    bool readable = file_exists(path) && !file_is_dir(path) && !file_is_device(path);
    if (readable && file_read(path, &text, &ignored)) {
        bool mend = text.len > 0 && markers_mend(&text, &mended);
        const struct str *read = mend ? &mended : &text;
        source_map_build(&map, str_text(read), read->len, "", NULL, NULL);
        bool *seen = arena_array(&project->arena, bool, map.files.texts.len + 1);
        for (size_t i = 0; i < map.lines.len; i++) {
            const struct source_line *line = &map.lines.data[i];
            if (!line->system && !seen[line->file])
                vec_push(names, arena_strdup(&project->arena, intern_text(&map.files, line->file)));
            seen[line->file] |= !line->system;
        }
        source_map_free(&map);
    }
    err_clear(&ignored);
    str_free(&mended);
    str_free(&text);
}

/* The foreign names of one source; its own are kept apart. */
static void foreign_names(struct project *project, const char *source, struct texts *own,
                          struct texts *others) {
    struct texts names = {0};
    marked_names(project, source, &names);
    for (size_t i = 0; i < names.len; i++) {
        const char *name = names.data[i];
        if (is_foreign(name) && !find_rule(project, name))
            vec_push(same_stem(name, source) ? own : others, name);
    }
    vec_free(&names);
}

bool path_map_knows_host(struct project *project) {
    struct texts names = {0};
    bool found = false;
    for (size_t i = 0; i < project->sources.len; i++)
        marked_names(project, project->sources.data[i], &names);
    for (size_t i = 0; i < names.len; i++)
        found |= names.data[i][0] == '/' && !find_rule(project, names.data[i]);
    vec_free(&names);
    return found;
}

void path_map_guess(struct project *project) {
    struct texts own = {0}, names = {0};
    struct shared shared = {0};
    for (size_t i = 0; i < project->sources.len; i++)
        foreign_names(project, project->sources.data[i], &own, &names);
    for (size_t i = 0; i < own.len; i++)
        share(&shared, own.data[i], 0);
    for (size_t i = 0; i < names.len; i++)
        share(&shared, names.data[i], SHARED_FOLDERS);
    if (shared.len > 0) {
        struct path_rule rule = {arena_strndup(&project->arena, shared.name, shared.len), "."};
        vec_push(&project->path_map, rule);
    }
    vec_free(&own);
    vec_free(&names);
}
