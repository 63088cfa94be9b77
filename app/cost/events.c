#include "app/cost/events.h"

#include "base/file.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char first_line[] =
    "{\"at\":0.000,\"attempt\":0,\"engine\":\"run\",\"event\":\"begin\"}\n";

/* The first line marks a trace as ours. */
static int open_file(const char *path, struct err *err) {
    size_t size = sizeof first_line - 1;
    if (strcmp(path, "-") != 0)
        return file_write_ours(path, first_line, size, first_line, err)
                   ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
                   : -1;
    int fd = dup(STDOUT_FILENO);
    return fd < 0 || write(fd, first_line, size) == (ssize_t)size ? fd : -1;
}

bool events_open(struct events *e, const char *path, struct err *err) {
    *e = (struct events){.began = clock_seconds(), .fd = open_file(path, err)};
    return e->fd >= 0 || err->code != ERR_NONE
               ? e->fd >= 0
               : err_set(err, ERR_USAGE, "cannot write %s: %s", path, strerror(errno));
}

void events_close(struct events *e) {
    if (e->fd >= 0)
        close(e->fd);
    e->fd = -1;
}

/* A trace that cannot be written any more ends nothing. */
void events_write(const struct events *e, uint64_t attempt, const char *who, const char *event,
                  const char *fields) {
    if (!e)
        return;
    struct str line = {0};
    str_addf(&line, "{\"at\":%.3f,\"attempt\":%llu,\"engine\":\"%s\",\"event\":\"%s\"%s%s}\n",
             clock_seconds() - e->began, (unsigned long long)attempt, who, event,
             *fields ? "," : "", fields);
    ssize_t written = write(e->fd, line.data, line.len);
    (void)written;
    str_free(&line);
}
