#include "app/run/session.h"

#include <assert.h>

const struct system *session_system(const struct session *s) {
    return &s->model.sys;
}

void session_warn(const struct session *s, const char *consequence, struct err *why) {
    assert(why->code != ERR_NONE);
    log_warning(s->log, "%s: %s", consequence, str_text(&why->message));
    if (why->remedy.len)
        log_note(s->log, "  %s", str_text(&why->remedy));
    err_clear(why);
}

bool session_wants(const struct session *s, const char *engine) {
    for (size_t i = 0; i < s->project.engines.len; i++)
        if (str_same(s->project.engines.data[i], engine))
            return true;
    return s->project.engines.len == 0;
}

bool session_may_decide(const struct session *s, uint32_t probe) {
    const struct probe *p = &s->probes.data[probe];
    return p->status == STATUS_OPEN && !p->held && !p->alarmed && !p->lost;
}

static bool is_elsewhere(const struct session *s, const struct probe *p) {
    return s->shards > 0 && p->shard > 0 && p->shard != s->shard;
}

bool session_is_open(const struct session *s, uint32_t probe) {
    return session_may_decide(s, probe) && !is_elsewhere(s, &s->probes.data[probe]);
}

size_t session_left_open(const struct session *s) {
    size_t count = 0;
    for (size_t i = 0; i < s->probes.len; i++)
        if (s->probes.data[i].status == STATUS_OPEN && !is_elsewhere(s, &s->probes.data[i]))
            count += s->probes.data[i].goals.len;
    return count;
}

bool session_can_decide(const struct session *s, uint32_t probe) {
    const struct probe *p = &s->probes.data[probe];
    for (size_t i = 0; i < p->goals.len; i++)
        if (!s->woven.goals.list.data[p->goals.data[i]].reason)
            return !p->alarmed;
    return p->overrun;
}

bool session_decided(const struct session *s) {
    for (uint32_t i = 0; i < s->probes.len; i++) {
        const struct probe *p = &s->probes.data[i];
        if (p->status == STATUS_OPEN && !p->overrun && !is_elsewhere(s, p) &&
            session_can_decide(s, i))
            return false;
    }
    return true;
}

size_t session_count(const struct session *s, enum status status) {
    size_t count = 0;
    for (size_t i = 0; i < s->probes.len; i++)
        if (s->probes.data[i].status == status)
            count += s->probes.data[i].goals.len;
    return count;
}
