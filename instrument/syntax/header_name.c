/* header_name: see header_name.h. */
#include "instrument/syntax/header_name.h"

#include "base/file.h"

#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_FOLDERS = 4000 };

/* The entry of a folder that is called like this, as it is written exactly if there is one. */
static bool find_entry(const char *dir, const char *name, size_t len, struct str *entry) {
    DIR *folder = opendir(dir[0] ? dir : "/");
    bool exact = false;
    str_clear(entry);
    assert(len > 0);
    for (struct dirent *e; folder && !exact && (e = readdir(folder));) {
        if (strlen(e->d_name) != len || strncasecmp(e->d_name, name, len) != 0)
            continue;
        exact = strncmp(e->d_name, name, len) == 0;
        str_clear(entry);
        str_add(entry, e->d_name);
    }
    if (folder)
        closedir(folder);
    return entry->len > 0;
}

bool header_like(const char *dir, const char *name, struct str *path) {
    struct str at = {0}, entry = {0};
    bool found = name[0] != '\0';
    str_add(&at, dir);
    while (found && *name) {
        size_t len = strcspn(name, "/\\");
        if (len > 0 && (found = find_entry(str_text(&at), name, len, &entry)))
            str_addf(&at, "/%s", str_text(&entry));
        name += len + (name[len] != '\0');
    }
    if (found)
        str_add(path, str_text(&at));
    str_free(&at);
    str_free(&entry);
    return found;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Appends the folders in a folder, links left out: they lead in circles. */
static void add_folders(const char *dir, struct arena *arena, struct texts *folders) {
    size_t first = folders->len;
    DIR *folder = opendir(dir);
    for (struct dirent *e; folder && (e = readdir(folder));)
        if (e->d_type == DT_DIR && e->d_name[0] != '.')
            vec_push(folders, path_join(arena, dir, e->d_name));
    if (folder)
        closedir(folder);
    if (folders->len > first)
        qsort(folders->data + first, folders->len - first, sizeof *folders->data, by_text);
}

void header_folders(const char *root, const char *name, struct arena *arena,
                    struct texts *folders) {
    struct texts all = {0};
    vec_push(&all, root);
    for (size_t i = 0; i < all.len && i < MOST_FOLDERS && folders->len < HEADER_FOLDERS; i++) {
        const char *dir = all.data[i];
        if (file_exists(path_join(arena, dir, name)))
            vec_push(folders, dir);
        add_folders(dir, arena, &all);
    }
    assert(folders->len <= HEADER_FOLDERS);
    vec_free(&all);
}

static const struct header_about abouts[] = {
#define GENERATOR_HEADER(start, what, remedy) {start, what, remedy},
#include "instrument/syntax/generator_headers.def"
#undef GENERATOR_HEADER
};

const struct header_about *header_about(const char *name) {
    const char *slash = strrchr(name, '/'), *back = strrchr(name, '\\');
    const char *base = back > slash ? back + 1 : slash ? slash + 1 : name;
    for (size_t i = 0; i < sizeof abouts / sizeof *abouts; i++)
        if (strncasecmp(base, abouts[i].start, strlen(abouts[i].start)) == 0)
            return &abouts[i];
    return NULL;
}
