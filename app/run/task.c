/* The child writes records to its pipe, the parent reads them when it has ended; a record that is
 * cut off, or of a kind that no row names, ends the reading. */
#include "app/run/task.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TASK_OUTPUT = 1 << 30 };

static const char *const record_names[RECORD_KINDS] = {
#define RECORD(name, content) #name,
#include "app/run/records.def"
#undef RECORD
};

struct task *task_new(const struct task_type *type, struct session *s) {
    struct task *t = mem_zalloc(1, sizeof *t);
    t->type = type;
    t->session = s;
    t->engine = type->name;
    t->group = NONE;
    t->memory_mb = s->project.memory_mb;
    t->window = mem_shared(sizeof *t->window);
    return t;
}

void task_free(struct task *t) {
    assert(!t->child);
    if (t->free_payload)
        t->free_payload(t->payload);
    vec_free(&t->probes);
    str_free(&t->outcome);
    str_free(&t->detail);
    child_result_free(&t->result);
    mem_shared_free(t->window, sizeof *t->window);
    mem_free(t);
}

static void tell(void *context, const char *event, const char *fields) {
    const struct task *t = context;
    events_write(t->session->events, t->number, t->engine, event, fields);
}

static int task_body(void *context) {
    struct task *t = context;
    if (t->session->events)
        t->window->event = tell;
    t->window->context = t;
    int code = t->type->work(t);
    fflush(stdout);
    return code;
}

/* The goals that it is about. */
static void tell_begin(struct task *t) {
    struct str fields = {0};
    const char *between = "";
    str_add(&fields, "\"goals\":[");
    for (size_t i = 0; i < t->probes.len; i++) {
        const struct probe *p = &t->session->probes.data[t->probes.data[i]];
        for (size_t g = 0; g < p->goals.len; g++, between = ",")
            str_addf(&fields, "%s%u", between, p->goals.data[g]);
    }
    str_add(&fields, "]");
    tell(t, "begin", str_text(&fields));
    str_free(&fields);
}

bool task_start(struct task *t, struct err *err) {
    struct child_spec spec = {
        .body = task_body,
        .context = t,
        .wall_seconds = t->seconds,
        .cpu_seconds = t->cpu_seconds,
        .memory_mb = t->memory_mb,
        .output_bytes = TASK_OUTPUT,
    };
    time_t now = time(NULL);
    struct tm utc;
    strftime(t->started, sizeof t->started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    if (t->session->events)
        tell_begin(t);
    t->child = child_start(&spec, err);
    return t->child != NULL;
}

void task_stop(struct task *t) {
    if (t->child && !child_ended(t->child))
        child_stop(t->child);
}

static bool record_kind_of(const char *name, enum record_kind *kind) {
    for (unsigned k = 0; k < RECORD_KINDS; k++)
        if (strcmp(record_names[k], name) == 0) {
            *kind = (enum record_kind)k;
            return true;
        }
    return false;
}

char *task_next_record(char *data, char *end, enum record_kind *kind, char **body) {
    char name[32];
    unsigned long long length;
    int head = 0;
    char *newline = memchr(data, '\n', (size_t)(end - data));
    if (!newline || newline - data > 60)
        return NULL;
    *newline = '\0'; /* sscanf looks for the end of all that follows, megabytes of it */
    int fields = sscanf(data, "record %31[a-z] %llu%n", name, &length, &head);
    *newline = '\n';
    if (fields != 2 || data + head != newline || length >= (unsigned long long)(end - newline) ||
        !record_kind_of(name, kind))
        return NULL;
    char *text = newline + 1;
    if (text[length] != '\n')
        return NULL;
    text[length] = '\0';
    *body = text;
    return text + length + 1;
}

static void task_status(struct task *t, const char *text) {
    const char *space = strchr(text, '\t');
    str_clear(&t->outcome);
    str_addn(&t->outcome, text, space ? (size_t)(space - text) : strlen(text));
    str_clear(&t->detail);
    if (space)
        str_add(&t->detail, space + 1);
}

struct record {
    enum record_kind kind;
    char *body;
};

/* What the task says of itself comes last, but its facts are taken with it in mind. */
static bool task_take(struct task *t, struct err *err) {
    struct str *out = &t->result.out;
    str_addc(out, '\0');
    char *data = out->data, *end = out->data + out->len - 1;
    VEC(struct record) records = {0};
    struct record r;
    while (data < end && (data = task_next_record(data, end, &r.kind, &r.body))) {
        if (r.kind == RECORD_status)
            task_status(t, r.body);
        else
            vec_push(&records, r);
    }
    bool ok = true;
    for (size_t i = 0; ok && i < records.len; i++)
        ok = t->type->take(t, records.data[i].kind, records.data[i].body, err);
    vec_free(&records);
    return ok;
}

static void task_explain_end(struct task *t) {
    bool ended = t->result.end == CHILD_EXITED && t->result.code == 0;
    if (ended && t->outcome.len == 0 && t->probes.len == 0)
        str_add(&t->outcome, "done"); /* attempts say what became of them */
    if (ended && t->outcome.len > 0)
        return;
    bool budget = t->result.end == CHILD_TIMEOUT || t->result.end == CHILD_MEMORY ||
                  t->result.end == CHILD_STOPPED || t->result.end == CHILD_CPU;
    str_clear(&t->outcome);
    str_add(&t->outcome, budget ? "budget" : "crashed");
    str_clear(&t->detail);
    struct child_spec spec = {
        .wall_seconds = t->seconds, .cpu_seconds = t->cpu_seconds, .memory_mb = t->memory_mb};
    child_end_text(&spec, &t->result, &t->detail);
    if (t->result.err.len > 0)
        str_addf(&t->detail, "; %.200s", str_text(&t->result.err));
}

/* What it has counted: a row that its attempts share; 0: nothing. */
static bool log_effort(struct task *t, int64_t *effort, struct err *err) {
    struct str stats = {0};
    bool ok = true;
    *effort = 0;
    window_json(t->window, &stats);
    if (t->session->events) {
        struct str end = {0};
        str_addf(&end, "\"outcome\":\"%s\",\"seconds\":%.3f,\"stats\":%s", str_text(&t->outcome),
                 t->result.wall_seconds, str_text(&stats));
        tell(t, "end", str_text(&end));
        str_free(&end);
    }
    log_detail(t->session->log, "%s (%llu) on %zu: %s; %.2f s, %llu ticks %s", t->engine,
               (unsigned long long)t->number, t->probes.len, str_text(&t->outcome),
               t->result.wall_seconds, (unsigned long long)t->used_ticks, str_text(&stats));
    if (!str_same(str_text(&stats), "{}"))
        ok = store_effort(t->session->db, str_text(&stats), effort, err);
    str_free(&stats);
    return ok;
}

static bool task_log(struct task *t, struct err *err) {
    double share = t->probes.len ? 1.0 / (double)t->probes.len : 1.0;
    int64_t effort;
    bool ok = log_effort(t, &effort, err);
    for (size_t i = 0; ok && i < t->probes.len; i++) {
        struct attempt a = {
            .probe = t->probes.data[i],
            .engine = t->engine,
            .started = t->started,
            .ticks = (uint64_t)((double)t->used_ticks * share),
            .seconds = t->result.wall_seconds * share,
            .peak_mb = (double)t->result.peak_mb,
            .outcome = str_text(&t->outcome),
            .detail = t->detail.len ? str_text(&t->detail) : NULL,
            .effort = effort,
        };
        if (t->type->amend)
            t->type->amend(t, i, &a);
        t->session->probes.data[t->probes.data[i]].seconds += a.seconds;
        t->session->probes.data[t->probes.data[i]].ticks += a.ticks;
        ok = store_attempt(t->session->db, &a, err);
    }
    return ok;
}

void task_reap(struct task *t) {
    child_finish(t->child, &t->result);
    t->child = NULL;
}

bool task_settle(struct task *t, struct err *err) {
    assert(!t->child);
    t->used_ticks = window_ticks(t->window);
    bool ok = task_take(t, err);
    task_explain_end(t);
    return ok && task_log(t, err) && t->type->done(t, err);
}

void task_record(enum record_kind kind, const char *data, size_t size) {
    assert(kind < RECORD_KINDS);
    printf("record %s %zu\n", record_names[kind], size);
    fwrite(data, 1, size, stdout);
    fputc('\n', stdout);
    fflush(stdout);
}

void task_recordf(enum record_kind kind, const char *format, ...) {
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vaddf(&text, format, args);
    va_end(args);
    task_record(kind, str_text(&text), text.len);
    str_free(&text);
}

bool task_next_number(const char **at, uint64_t *number) {
    char *end;
    *number = strtoull(*at, &end, 10);
    bool ok = end != *at;
    *at = end;
    return ok;
}
