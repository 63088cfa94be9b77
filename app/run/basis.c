/* The slice of a probe is written as text, with numbers that an edit elsewhere would change left
 * out, and hashed: equal hashes mean the same question to every engine. */
#include "app/run/basis.h"

#include "base/sha256.h"
#include "instrument/syntax/sort.h"
#include "model/term/value.h"

#include <string.h>

enum { ENDS_NAMED = 3 };

static void add_range(struct str *out, const struct module_var *v) {
    str_addf(out, "%s%s in [", out->len ? "; " : "", v->path);
    value_print(var_sort(v), v->type == TYPE_SIGNED, v->min, out);
    str_add(out, ", ");
    value_print(var_sort(v), v->type == TYPE_SIGNED, v->max, out);
    str_add(out, "]");
}

/* A function without a body, once for all that it returns and writes: "f()", "*f()", "f::p[2]". */
static void add_stub(struct str *out, const struct module_var *v, struct intern *named) {
    const char *path = v->path + strspn(v->path, "*");
    size_t len = strcspn(path, "(:"), before = named->texts.len;
    struct str name = {0};
    str_addn(&name, path, len);
    if (intern_id(named, str_text(&name)) == before)
        str_addf(out, "%s%s returns anything", out->len ? "; " : "", str_text(&name));
    str_free(&name);
}

/* Functions that others define may write to any variable that others can name, and call back;
 * assembly may do more than it declares. No proof shows that it would hold all the same, so it
 * names them always. */
static void add_beliefs(const struct session *s, struct str *out) {
    const struct module *m = &s->woven.module;
    for (size_t i = 0; !m->task && i < m->beliefs.len; i++)
        str_addf(out, "%s%s", out->len ? "; " : "", m->beliefs.data[i]);
}

VEC_STRUCT(indices, uint32_t);

static bool targets_of(struct session *s, const uint32_t *probes, size_t n, struct indices *out) {
    bool known = s->model.present;
    for (size_t i = 0; known && i < n; i++) {
        known = s->probes.data[probes[i]].target != NONE;
        vec_push(out, s->probes.data[probes[i]].target);
    }
    return known;
}

/* The stubs whose results decide whether the probes are hit; all when that is not known. */
static void add_stubs(struct session *s, const struct indices *targets, bool known,
                      struct str *out) {
    const struct module *m = &s->woven.module;
    VEC(bool) used = {0};
    struct intern named = {0};
    vec_resize_zero(&used, s->model.sys.inputs.len + 1);
    if (known)
        slice_inputs(session_system(s), targets->data, targets->len, used.data);
    for (size_t i = 0; known && i < s->model.sys.inputs.len; i++) {
        uint32_t id = s->model.sys.inputs.data[i].module_input;
        if (used.data[i] && id != NONE && m->inputs.data[id].role == VAR_STUB)
            add_stub(out, &m->inputs.data[id], &named);
    }
    for (size_t i = 0; !known && i < m->inputs.len; i++)
        if (m->inputs.data[i].role == VAR_STUB)
            add_stub(out, &m->inputs.data[i], &named);
    intern_free(&named);
    vec_free(&used);
}

/* Of all inputs that constraints speak of: the model has been simplified with them, so that it does
 * not show any more which of them a proof needs. */
static void add_ranges(struct session *s, const struct indices *targets, struct str *out) {
    struct slice slice;
    struct map seen = {0};
    slicer_make(s->model.slicer, &slice,
                &(struct slice_wish){
                    .targets = targets->data, .n_targets = targets->len, .all_constraints = true});
    for (size_t i = 0; i < slice.sys.inputs.len; i++) {
        uint32_t id = slice.sys.inputs.data[i].module_input;
        if (id == NONE || map_get(&seen, id))
            continue;
        map_put(&seen, id, 1);
        if (s->woven.module.inputs.data[id].has_range)
            add_range(out, &s->woven.module.inputs.data[id]);
    }
    map_free(&seen);
    slice_free(&slice);
}

/* Which of them a proof needs is found out later (app/because); until then it may be any. */
static void add_ends(const struct session *s, struct str *out) {
    size_t n = s->model.lowered.ends.len;
    for (size_t i = 0; i < n && n <= ENDS_NAMED; i++) {
        str_add(out, out->len ? "; " : "");
        lowered_end_label(&s->model.lowered.ends.data[i], out);
    }
    if (n > ENDS_NAMED)
        str_addf(out, "%s" LOWERED_END_LABEL "%zu places", out->len ? "; " : "", n);
}

const char *session_assumes(struct session *s, const uint32_t *probes, size_t n) {
    struct indices targets = {0};
    struct str out = {0};
    bool known = targets_of(s, probes, n, &targets);
    add_stubs(s, &targets, known, &out);
    add_beliefs(s, &out);
    if (known)
        add_ranges(s, &targets, &out);
    if (known && !s->woven.module.task)
        add_ends(s, &out);
    for (size_t i = 0; i < s->woven.module.assumptions.len; i++)
        str_addf(&out, "%s%s", out.len ? "; " : "", s->woven.module.assumptions.data[i]);
    const char *text = arena_strdup(&s->arena, str_text(&out));
    str_free(&out);
    vec_free(&targets);
    return text;
}

/* Values of a run are in their ranges, so wider ranges leave it what it is. */
const char *session_run_assumes(struct session *s, uint32_t probe) {
    struct indices targets = {0};
    struct str out = {0};
    bool known = targets_of(s, &probe, 1, &targets);
    add_stubs(s, &targets, known, &out);
    const char *text = out.len ? arena_strdup(&s->arena, str_text(&out)) : NULL;
    str_free(&out);
    vec_free(&targets);
    return text;
}

void session_slice(const struct session *s, struct slice *slice, const uint32_t *targets,
                   size_t n) {
    slicer_make(s->model.slicer, slice,
                &(struct slice_wish){.targets = targets,
                                     .n_targets = n,
                                     .all_constraints = s->model.all_constraints});
}

void system_forget_numbers(struct system *sys) {
    for (size_t i = 0; i < sys->inputs.len; i++)
        sys->inputs.data[i].module_input = NONE;
    for (size_t i = 0; i < sys->targets.len; i++) {
        sys->targets.data[i].id = 0;
        sys->targets.data[i].name = "";
    }
}

const char *session_slice_hash(struct session *s, uint32_t probe) {
    const struct probe *p = &s->probes.data[probe];
    if (p->target == NONE)
        return NULL;
    struct slice slice;
    struct str text = {0};
    VEC(uint32_t) targets = {0};
    vec_push(&targets, p->target);
    vec_append(&targets, s->model.sys.overruns.data,
               s->model.sys.overruns.len); /* every proof rests on them */
    slicer_make(s->model.slicer, &slice,
                &(struct slice_wish){.targets = targets.data, .n_targets = targets.len});
    vec_free(&targets);
    system_forget_numbers(&slice.sys);
    system_write(&slice.sys, &text);
    char hash[SHA256_HEX];
    sha256_hex(str_text(&text), text.len, hash);
    str_free(&text);
    slice_free(&slice);
    return arena_strdup(&s->arena, hash);
}
