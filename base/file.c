/* Writing: a temporary file in the target's folder, fsync, rename, fsync of the folder. Write and
 * rename are stop sites, so that tests see what is left when either fails. */
#include "base/file.h"

#include "base/stop.h"
#include "base/vec.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(struct err *err, const char *path, const char *what) {
    const char *why = strerror(errno);
    err_set(err, ERR_USAGE, "cannot %s: %s", what, why);
    return err_at(err, path, 0, 0);
}

bool file_exists(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0;
}

bool file_is_dir(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool file_is_device(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

/* Reads to the end of fd; false with errno on failure. */
static bool read_all(int fd, struct str *text, size_t limit) {
    size_t start = text->len;
    assert(fd >= 0);
    for (;;) {
        vec_reserve(text, text->len + 65536 + 1);
        ssize_t n = read(fd, text->data + text->len, 65536);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            text->data[text->len] = '\0';
            return n == 0;
        }
        text->len += (size_t)n;
        if (text->len - start > limit) {
            errno = EFBIG;
            return false;
        }
    }
}

bool file_read(const char *path, struct str *text, struct err *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(err, path, "open the file");
    bool good = read_all(fd, text, (size_t)FILE_READ_LIMIT_MB << 20);
    if (!good)
        fail(err, path, "read the file");
    close(fd);
    return good;
}

static bool write_all(int fd, const char *data, size_t size) {
    while (size > 0) {
        if (stop_at(STOP_FILE_WRITE))
            return false;
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

/* The rename is durable only when the folder has reached the disk too. */
static void sync_dir(const char *path) {
    struct arena arena = {0};
    int fd = open(path_dir(&arena, path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    arena_free(&arena);
}

/* mkstemp gives 0600; a written file gets what the user's umask allows, like any other. */
static mode_t default_mode(void) {
    mode_t mask = umask(022);
    umask(mask);
    return 0666 & ~mask;
}

struct content {
    const void *data;
    size_t size;
    bool sync; /* wait until it has reached the disk */
};

static bool write_and_rename(int fd, const char *temp, const char *path, const struct content *c) {
    bool good = write_all(fd, c->data, c->size) && fchmod(fd, default_mode()) == 0 &&
                (!c->sync || fsync(fd) == 0);
    good = close(fd) == 0 && good;
    return good && !stop_at(STOP_FILE_RENAME) && rename(temp, path) == 0;
}

static bool replace(const char *path, const struct content *c, struct err *err) {
    assert(c->data || c->size == 0);
    struct str temp = {0};
    str_addf(&temp, "%s.XXXXXX", path);
    int fd = mkostemp(temp.data, O_CLOEXEC);
    bool good = fd >= 0 && write_and_rename(fd, temp.data, path, c);
    if (!good) {
        fail(err, path, "write the file");
        err_remedy(err, "check that the folder exists, is writable and that the disk is not full");
    }
    if (!good && fd >= 0)
        unlink(temp.data);
    str_free(&temp);
    if (good && c->sync)
        sync_dir(path);
    return good;
}

bool file_write(const char *path, const void *data, size_t size, struct err *err) {
    return replace(path, &(struct content){data, size, true}, err);
}

static bool holds(const struct str *text, const char *mark) {
    return text->len == 0 || memmem(text->data, text->len, mark, strlen(mark)) != NULL;
}

bool file_is_ours(const char *path, const char *mark) {
    struct stat info;
    if (lstat(path, &info) != 0)
        return errno == ENOENT;
    if (!S_ISREG(info.st_mode))
        return false;
    struct str text = {0};
    struct err ignored = {0};
    bool ours = file_read(path, &text, &ignored) && holds(&text, mark);
    str_free(&text);
    err_clear(&ignored);
    return ours;
}

static bool replace_ours(const char *path, const struct content *c, const char *mark,
                         struct err *err) {
    assert(memmem(c->data, c->size, mark, strlen(mark)) && "the content must carry its own mark");
    if (file_is_ours(path, mark))
        return replace(path, c, err);
    err_set(err, ERR_USAGE, "this exists and Goalkeeper did not write it");
    err_at(err, path, 0, 0);
    return err_remedy(err, "remove it or choose another output");
}

bool file_write_ours(const char *path, const void *data, size_t size, const char *mark,
                     struct err *err) {
    return replace_ours(path, &(struct content){data, size, true}, mark, err);
}

bool file_draft_ours(const char *path, const void *data, size_t size, const char *mark,
                     struct err *err) {
    return replace_ours(path, &(struct content){data, size, false}, mark, err);
}

bool file_make_dirs(const char *path, struct err *err) {
    struct str part = {0};
    bool good = true;
    if (!path[0]) {
        errno = ENOENT;
        good = fail(err, path, "make the folder");
    }
    for (const char *p = path; good && *p;) {
        size_t n = strcspn(p + 1, "/") + 1;
        str_addn(&part, p, n);
        p += n;
        if (mkdir(part.data, 0777) != 0 && !file_is_dir(part.data))
            good = fail(err, part.data, "make the folder");
    }
    str_free(&part);
    return good;
}

bool file_temp_dir(struct str *path, struct err *err) {
    const char *base = getenv("TMPDIR");
    size_t start = path->len;
    str_addf(path, "%s/goalkeeper-XXXXXX", base && base[0] ? base : "/tmp");
    if (mkdtemp(path->data + start))
        return true;
    fail(err, path->data + start, "make a temporary folder");
    return err_remedy(err, "set TMPDIR to a folder that is writable");
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *ftw) {
    (void)info, (void)ftw;
    if (type == FTW_DP) /* remove() would try unlink() first, which may be forbidden here */
        rmdir(path);
    else
        unlink(path);
    return 0;
}

void file_remove_tree(const char *path) {
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

char *path_join(struct arena *arena, const char *dir, const char *name) {
    if (name[0] == '/' || dir[0] == '\0' || str_same(dir, "."))
        return arena_strdup(arena, name);
    return arena_printf(arena, "%s%s%s", dir, str_ends(dir, "/") ? "" : "/", name);
}

char *path_dir(struct arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return arena_strdup(arena, ".");
    return arena_strndup(arena, path, slash == path ? 1 : (size_t)(slash - path));
}

const char *path_from(struct arena *arena, const char *from, const char *to) {
    size_t same = 0;
    for (size_t i = 0;; i++) {
        bool from_ends = from[i] == '/' || from[i] == '\0', to_ends = to[i] == '/' || to[i] == '\0';
        if (from_ends && to_ends)
            same = i;
        if (from[i] != to[i] || from[i] == '\0')
            break;
    }
    struct str relative = {0};
    for (const char *p = from + same; *p; p++)
        if (*p == '/' && p[1])
            str_add(&relative, "../");
    str_add(&relative, to[same] == '/' ? to + same + 1 : to + same);
    if (relative.len > 1 && vec_last(&relative) == '/')
        relative.data[--relative.len] = '\0'; /* a folder above */
    const char *copy = arena_strdup(arena, relative.len ? str_text(&relative) : ".");
    str_free(&relative);
    return copy;
}

const char *path_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
