/* One site is armed with a number of visits, which stop_at() counts down; all others cost a
 * comparison. */
#include "base/stop.h"

#include "base/nearest.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum stop_action { STOP_KILL, STOP_FAIL, STOP_HANG, STOP_CRASH };

/* The one mutable variable below app/: faults must reach every layer without being a parameter of
 * every function, and only tests ever set it. */
static struct {
    bool armed;
    enum stop_site site;
    enum stop_action action;
    unsigned long visits_left;
} stop_armed;

static const struct {
    const char *name;
} sites[STOP_SITES] = {
#define STOP(name, about) {#name},
#include "base/stop.def"
#undef STOP
};

bool stop_at(enum stop_site site) {
    assert(site < STOP_SITES);
    if (!stop_armed.armed || stop_armed.site != site || --stop_armed.visits_left > 0)
        return false;
    stop_armed.armed = false;
    if (stop_armed.action == STOP_KILL)
        raise(SIGKILL);
    if (stop_armed.action == STOP_CRASH)
        abort();
    while (stop_armed.action == STOP_HANG)
        pause();
    errno = EIO;
    return true;
}

static bool site_find(const char *name, size_t len, struct err *err) {
    struct nearest near = {0};
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)len, name);
    nearest_init(&near, word);
    bool found = false;
    for (size_t i = 0; i < STOP_SITES; i++) {
        nearest_offer(&near, sites[i].name);
        if (strlen(sites[i].name) != len || memcmp(sites[i].name, name, len) != 0)
            continue;
        stop_armed.site = (enum stop_site)i;
        found = true;
    }
    if (!found) {
        err_set(err, ERR_USAGE, "unknown stop site '%s'", word);
        if (nearest_best(&near))
            err_remedy(err, "did you mean '%s'?", nearest_best(&near));
    }
    return found;
}

static bool action_find(const char *name, struct err *err) {
    static const char *const actions[] = {"kill", "fail", "hang", "crash"};
    for (int i = 0; i < 4; i++) {
        if (!str_same(name, actions[i]))
            continue;
        stop_armed.action = (enum stop_action)i;
        return true;
    }
    return err_set(err, ERR_USAGE, "unknown stop action '%s' (kill, fail, hang or crash)", name);
}

bool stop_arm(const char *spec, struct err *err) {
    stop_armed.armed = false;
    if (!spec || !spec[0])
        return true;
    size_t name_len = strcspn(spec, ":=");
    const char *rest = spec + name_len;
    unsigned long visits = 1;
    if (*rest == ':') {
        char *end;
        errno = 0;
        visits = strtoul(rest + 1, &end, 10);
        if (end == rest + 1 || errno || visits == 0 || (*end && *end != '='))
            return err_set(err, ERR_USAGE, "stop site '%s': the visit must be a number from 1",
                           spec);
        rest = end;
    }
    if (!site_find(spec, name_len, err) || !action_find(*rest ? rest + 1 : "kill", err))
        return false;
    assert(visits > 0 && stop_armed.site < STOP_SITES);
    stop_armed.visits_left = visits;
    stop_armed.armed = true;
    return true;
}
