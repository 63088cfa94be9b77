/* git is asked as a child with a time limit; a remote is made a URI without what may be a secret
 * in it. */
#include "app/project/repository.h"

#include "base/child.h"
#include "base/file.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { GIT_SECONDS = 20 };

/* The first line of what git says in the folder; "": it says nothing. */
static const char *ask_git(struct arena *arena, const char *dir, const char *const *words) {
    VEC(const char *) argv = {0};
    struct child_result result = {0};
    struct err ignored = {0};
    const char *line = "";
    vec_push(&argv, "git");
    for (; *words; words++)
        vec_push(&argv, *words);
    vec_push(&argv, NULL);
    struct child_spec spec = {.argv = argv.data, .dir = dir, .wall_seconds = GIT_SECONDS};
    if (child_run(&spec, &result, &ignored)) {
        const char *text = str_text(&result.out);
        if (result.end == CHILD_EXITED && result.code == 0)
            line = arena_strndup(arena, text, strcspn(text, "\n"));
        child_result_free(&result);
    }
    err_clear(&ignored);
    vec_free(&argv);
    return line;
}

#define GIT(arena, dir, ...) ask_git(arena, dir, (const char *const[]){__VA_ARGS__, NULL})

static const char *real_folder(struct arena *arena, const char *path) {
    char *real = realpath(path, NULL);
    const char *kept = real && file_is_dir(real) ? arena_strdup(arena, real) : NULL;
    free(real);
    return kept;
}

/* Where the project is, else where the database is: a job may have got it from another machine. */
static const char *folder_of_sources(struct store *db, struct arena *arena) {
    char *dir = store_get_info(db, "project_dir");
    const char *folder = dir && *dir ? real_folder(arena, dir) : NULL;
    mem_free(dir);
    return folder ? folder : real_folder(arena, path_dir(arena, store_path(db)));
}

/* A remote as a URI, "git@host:path" too; what stands between scheme and host may be a secret. */
static const char *uri_of_remote(struct arena *arena, const char *url) {
    const char *host = strstr(url, "://");
    int scheme = host ? (int)(host - url) : 0;
    host = host ? host + 3 : url;
    const char *end = host + strcspn(host, "/"), *at = memchr(host, '@', (size_t)(end - host));
    const char *rest = at ? at + 1 : host, *colon = strchr(rest, ':');
    if (scheme)
        return arena_printf(arena, "%.*s://%s", scheme, url, rest);
    if (!colon || colon > rest + strcspn(rest, "/"))
        return ""; /* a folder of this machine */
    return arena_printf(arena, "ssh://%.*s/%s", (int)(colon - rest), rest, colon + 1);
}

/* "src/", if the folder is root/src; NULL: it is not below. */
static const char *below(struct arena *arena, const char *root, const char *folder) {
    size_t len = strcmp(root, "/") == 0 ? 0 : strlen(root);
    if (strncmp(folder, root, len) != 0 || (folder[len] && folder[len] != '/'))
        return NULL;
    return folder[len] && folder[len + 1] ? arena_printf(arena, "%s/", folder + len + 1) : "";
}

bool repository_of(struct store *db, const char *root, struct arena *arena,
                   struct report_origin *origin, struct err *err) {
    const char *folder = folder_of_sources(db, arena), *top = NULL;
    *origin = (struct report_origin){.prefix = ""};
    if (!folder)
        return true;
    const char *git = GIT(arena, folder, "rev-parse", "--show-toplevel");
    if (root)
        top = real_folder(arena, root);
    else if (*git)
        top = real_folder(arena, git);
    const char *prefix = top ? below(arena, top, folder) : NULL;
    if (root && !prefix) {
        err_set(err, ERR_USAGE, "--root %s: the sources are not below it but in %s", root, folder);
        return err_remedy(err, "name the folder that paths in reports shall be relative to");
    }
    if (!prefix)
        return true;
    *origin = (struct report_origin){.root = top, .prefix = prefix};
    if (*git) {
        origin->remote = uri_of_remote(arena, GIT(arena, folder, "remote", "get-url", "origin"));
        origin->revision = GIT(arena, folder, "rev-parse", "HEAD");
    }
    return true;
}

const char *repository_revision(struct arena *arena, const char *folder) {
    const char *revision = GIT(arena, folder, "rev-parse", "HEAD");
    const char *changed =
        *revision ? GIT(arena, folder, "status", "--porcelain", "--untracked-files=no", ".") : "";
    return *changed ? arena_printf(arena, "%s, and changes", revision) : revision;
}
