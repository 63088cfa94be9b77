/* file: whole files in, whole files out.
 *
 * Writing is atomic: a temporary file beside the target, fsync, rename, fsync of the folder. A
 * reader sees the old or the new content, never a part, whatever kills the process.
 *
 * Goalkeeper never overwrites what it did not write: file_write_ours() replaces a file only when
 * it is empty or holds `mark`, a text that every file of that format written here contains.
 *
 *     struct str text = {0};
 *     if (!file_read(path, &text, err))
 *         return false;
 *     file_write_ours("out/index.html", html, size, FILE_MARK, err);
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/* Put this into a comment near the top of every text file that users might mistake for theirs. */
#define FILE_MARK "Written by Goalkeeper"

enum { FILE_READ_LIMIT_MB = 1024 };

bool file_read(const char *path, struct str *text, struct err *err); /* appends; NULs allowed */
bool file_write(const char *path, const void *data, size_t size, struct err *err);
bool file_write_ours(const char *path, const void *data, size_t size, const char *mark,
                     struct err *err);
/* The same for output that can be made again at any time, such as the pages of a report: as atomic,
 * but it does not wait for the disk. */
bool file_draft_ours(const char *path, const void *data, size_t size, const char *mark,
                     struct err *err);
/* True when nothing stands there, or something that file_write_ours may replace. */
bool file_is_ours(const char *path, const char *mark);

bool file_exists(const char *path); /* anything of that name */
bool file_is_dir(const char *path);
bool file_is_device(const char *path); /* or a pipe, a socket: to read it may never end */
bool file_make_dirs(const char *path, struct err *err); /* like mkdir -p */
bool file_temp_dir(struct str *path, struct err *err);  /* below TMPDIR; appends its path */
void file_remove_tree(const char *path); /* best effort; does not follow symbolic links */

/* Paths are plain text; nothing is looked up on disk. */
char *path_join(struct arena *arena, const char *dir, const char *name); /* name if absolute */
char *path_dir(struct arena *arena, const char *path);                   /* "." when none */
/* The absolute path `to` as seen from the absolute folder `from`; "." when they are the same. */
const char *path_from(struct arena *arena, const char *from, const char *to);
const char *path_base(const char *path); /* points into path */

#endif
