/* A promise belongs to the slice when it reads a variable of it. */
#include "app/because/part.h"

#include "engines/invariant/trim.h"

/* The promises that read a variable of the slice. */
static void take_promises(struct part *p, const struct freed *f) {
    const struct terms *ts = &f->terms;
    VEC(bool) there = {0};
    vec_resize_zero(&there, ts->vars.len + 1);
    for (size_t i = 0; i < p->slice.sys.inputs.len; i++)
        there.data[term_get(ts, p->slice.sys.inputs.data[i].var)->payload] = true;
    for (size_t i = 0; i < p->slice.sys.cells.len; i++)
        there.data[term_get(ts, p->slice.sys.cells.data[i].var)->payload] = true;
    for (uint32_t i = 0; i < f->promises.len; i++) {
        const struct reader *reader = &f->readers.data[i];
        bool any = false;
        for (size_t k = 0; !any && k < reader->vars.len; k++)
            any = there.data[reader->vars.data[k]];
        if (!any)
            continue;
        vec_push(&p->promises, f->promises.data[i]);
        vec_push(&p->promise_map, i);
    }
    vec_free(&there);
}

void part_open(struct part *p, struct freed *f, const struct invariant *proof) {
    VEC(uint32_t) targets = {0};
    *p = (struct part){0};
    vec_append(&targets, proof->targets.data, proof->targets.len);
    vec_append(&targets, f->sys.overruns.data, f->sys.overruns.len);
    slice_make(&p->slice, &f->sys, targets.data, targets.len);
    invariant_init(&p->inv);
    (void)invariant_on_slice(&p->inv, proof, &p->slice, &f->sys);
    (void)invariant_on_slice(&p->inv, &f->facts, &p->slice, &f->sys);
    p->inv.k = proof->k;
    for (uint32_t i = 0; i < targets.len; i++)
        vec_push(&p->inv.targets, i);
    take_promises(p, f);
    vec_free(&targets);
}

void part_close(struct part *p) {
    vec_free(&p->promises); /* not their terms */
    vec_free(&p->promise_map);
    invariant_free(&p->inv);
    slice_free(&p->slice);
}
