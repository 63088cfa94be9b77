/* Automata as text, one item a line, after the definitions of their terms (model/term/term_text.h):
 *
 *   cfa 1 "search"
 *   t1 var i16 signed "i" …
 *   location "step" step                       (or: loop; with `unspecified t9`)
 *   cell "i" t1
 *   input "u" t5 at l1 id 3 guard t6
 *   target "stmt" goal 12
 *   edge l1 l2 guard t7
 *   set c0 t8                                   an assignment of the edge above
 *   hit l2 g0 t9
 *   end
 *
 * The start, l0, is there without a line of its own; `start-unspecified t9` belongs to it. */
#include "cfa_text.h"

#include "model/term/simplify.h"
#include "model/term/term_text.h"
#include "term_refs.h"
#include "model/system/text.h"

VEC_STRUCT(root_list, term_t);

struct writer {
    const struct cfa *cfa;
    struct str *out;
    struct term_writer terms;
};

static void list_roots(const struct cfa *cfa, struct root_list *roots) {
    for (size_t i = 0; i < cfa->locations.len; i++)
        vec_push(roots, cfa->locations.data[i].unspecified);
    for (size_t i = 0; i < cfa->cells.len; i++)
        vec_push(roots, cfa->cells.data[i].var);
    for (size_t i = 0; i < cfa->inputs.len; i++) {
        vec_push(roots, cfa->inputs.data[i].var);
        vec_push(roots, cfa->inputs.data[i].guard);
    }
    for (size_t e = 0; e < cfa->edges.len; e++) {
        const struct cfa_edge *edge = &cfa->edges.data[e];
        vec_push(roots, edge->guard);
        for (size_t i = 0; i < edge->assigns.len; i++)
            vec_push(roots, edge->assigns.data[i].value);
    }
    for (size_t h = 0; h < cfa->hits.len; h++)
        vec_push(roots, cfa->hits.data[h].hit);
}

static void write_named(struct writer *w, const char *kind, const char *name) {
    str_addf(w->out, "%s ", kind);
    name_print(name, w->out);
}

static void write_locations(struct writer *w) {
    const struct cfa *cfa = w->cfa;
    for (size_t i = 0; i < cfa->locations.len; i++) {
        const struct cfa_location *l = &cfa->locations.data[i];
        if (i == 0 && !l->unspecified)
            continue;
        if (i > 0) {
            write_named(w, "location", l->name);
            str_add(w->out, l->kind == CFA_STEP ? " step" : " loop");
        }
        if (l->unspecified)
            term_writer_ref(&w->terms, i ? "unspecified" : "start-unspecified", l->unspecified);
        str_addc(w->out, '\n');
    }
}

static void write_state(struct writer *w) {
    const struct cfa *cfa = w->cfa;
    for (size_t i = 0; i < cfa->cells.len; i++) {
        write_named(w, "cell", cfa->cells.data[i].name);
        term_writer_ref(&w->terms, "", cfa->cells.data[i].var);
        str_addc(w->out, '\n');
    }
    for (size_t i = 0; i < cfa->inputs.len; i++) {
        const struct cfa_input *in = &cfa->inputs.data[i];
        write_named(w, "input", in->name);
        term_writer_ref(&w->terms, "", in->var);
        str_addf(w->out, " at l%u", in->location);
        if (in->module_input != NONE)
            str_addf(w->out, " id %u", in->module_input);
        str_add(w->out, in->unspecified ? " unspecified" : "");
        if (in->guard)
            term_writer_ref(&w->terms, "guard", in->guard);
        str_addc(w->out, '\n');
    }
}

static void write_edges(struct writer *w) {
    const struct cfa *cfa = w->cfa;
    for (size_t e = 0; e < cfa->edges.len; e++) {
        const struct cfa_edge *edge = &cfa->edges.data[e];
        str_addf(w->out, "edge l%u l%u", edge->from, edge->to);
        term_writer_ref(&w->terms, "guard", edge->guard);
        str_addc(w->out, '\n');
        for (size_t i = 0; i < edge->assigns.len; i++) {
            str_addf(w->out, "set c%u", edge->assigns.data[i].cell);
            term_writer_ref(&w->terms, "", edge->assigns.data[i].value);
            str_addc(w->out, '\n');
        }
    }
}

static void write_targets(struct writer *w) {
    const struct cfa *cfa = w->cfa;
    for (size_t i = 0; i < cfa->targets.len; i++) {
        const struct cfa_target *t = &cfa->targets.data[i];
        write_named(w, "target", t->name);
        str_addf(w->out, " %s %u\n", t->kind == TARGET_GOAL ? "goal" : "overrun", t->id);
    }
    for (size_t h = 0; h < cfa->hits.len; h++) {
        const struct cfa_hit *hit = &cfa->hits.data[h];
        str_addf(w->out, "hit l%u g%u", hit->location, hit->target);
        term_writer_ref(&w->terms, "", hit->hit);
        str_addc(w->out, '\n');
    }
}

void cfa_write(const struct cfa *cfa, struct str *out) {
    struct writer w = {.cfa = cfa, .out = out};
    struct root_list roots = {0};
    write_named(&w, "cfa 1", cfa->name);
    str_addc(out, '\n');
    list_roots(cfa, &roots);
    term_writer_open(&w.terms, cfa->terms, out, roots.data, roots.len);
    write_locations(&w);
    write_state(&w);
    write_targets(&w);
    write_edges(&w);
    str_add(out, "end\n");
    term_writer_close(&w.terms);
    vec_free(&roots);
}

/* ---- reading ---- */

struct loader {
    struct cfa *cfa;
    struct reader r;
    struct term_reader terms;
};

static bool read_name(struct loader *l, const char **name) {
    const char *text = reader_name(&l->r, "a name");
    if (text)
        *name = arena_strdup(&l->cfa->arena, text);
    return text != NULL;
}

static bool read_location_ref(struct loader *l, uint32_t *location) {
    return reader_index(&l->r, 'l', "a location", l->cfa->locations.len, location);
}

static bool read_location(struct loader *l) {
    assert(l->cfa->locations.len > 0);
    const char *name = reader_name(&l->r, "a name");
    if (!name)
        return false;
    uint32_t at = cfa_add_location(l->cfa, CFA_STEP, name);
    if (reader_accept(&l->r, "loop"))
        l->cfa->locations.data[at].kind = CFA_LOOP;
    else if (!reader_expect(&l->r, "step"))
        return false;
    return term_reader_maybe(&l->terms, "unspecified", &l->cfa->locations.data[at].unspecified);
}

static bool read_start(struct loader *l) {
    return term_reader_ref(&l->terms, &l->cfa->locations.data[0].unspecified);
}

static bool read_cell(struct loader *l) {
    struct cfa_cell c = {0};
    if (!read_name(l, &c.name) || !term_reader_ref(&l->terms, &c.var))
        return false;
    vec_push(&l->cfa->cells, c);
    return true;
}

static bool read_input(struct loader *l) {
    struct cfa_input in = {.module_input = NONE, .source = NONE};
    if (!read_name(l, &in.name) || !term_reader_ref(&l->terms, &in.var) ||
        !reader_expect(&l->r, "at") || !read_location_ref(l, &in.location))
        return false;
    if (reader_accept(&l->r, "id") && !reader_u32(&l->r, "a module input", &in.module_input))
        return false;
    in.unspecified = reader_accept(&l->r, "unspecified");
    if (!term_reader_maybe(&l->terms, "guard", &in.guard))
        return false;
    vec_push(&l->cfa->inputs, in);
    return true;
}

static bool read_target(struct loader *l) {
    struct cfa_target t = {.kind = TARGET_GOAL};
    if (!read_name(l, &t.name))
        return false;
    if (reader_accept(&l->r, "overrun"))
        t.kind = TARGET_OVERRUN;
    else if (!reader_expect(&l->r, "goal"))
        return false;
    if (!reader_u32(&l->r, "a number", &t.id))
        return false;
    vec_push(&l->cfa->targets, t);
    return true;
}

static bool read_edge(struct loader *l) {
    uint32_t from = 0, to = 0;
    term_t guard = 0;
    if (!read_location_ref(l, &from) || !read_location_ref(l, &to) ||
        !term_reader_key(&l->terms, "guard", &guard))
        return false;
    cfa_add_edge(l->cfa, from, to, guard);
    return true;
}

static bool read_set(struct loader *l) {
    uint32_t cell = 0;
    term_t value = 0;
    if (l->cfa->edges.len == 0)
        return reader_fail(&l->r, "an assignment needs an edge above it");
    if (!reader_index(&l->r, 'c', "a cell", l->cfa->cells.len, &cell) ||
        !term_reader_ref(&l->terms, &value))
        return false;
    cfa_assign(l->cfa, (uint32_t)l->cfa->edges.len - 1, cell, value);
    return true;
}

static bool read_hit(struct loader *l) {
    struct cfa_hit hit = {0};
    if (!read_location_ref(l, &hit.location) ||
        !reader_index(&l->r, 'g', "a target", l->cfa->targets.len, &hit.target) ||
        !term_reader_ref(&l->terms, &hit.hit))
        return false;
    vec_push(&l->cfa->hits, hit);
    return true;
}

static bool read_item(struct loader *l) {
    static const struct {
        const char *word;
        bool (*read)(struct loader *);
    } items[] = {{"location", read_location},       {"cell", read_cell}, {"input", read_input},
                 {"target", read_target},           {"edge", read_edge}, {"set", read_set},
                 {"start-unspecified", read_start}, {"hit", read_hit}};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        if (reader_accept(&l->r, items[i].word))
            return items[i].read(l);
    bool ok = false;
    if (term_reader_accept(&l->terms, &ok))
        return ok;
    return reader_fail(&l->r, "unknown item");
}

static bool read_cfa(struct loader *l) {
    if (!reader_header(&l->r, "cfa") || !read_name(l, &l->cfa->name) || !reader_done(&l->r))
        return false;
    while (reader_line(&l->r) && !reader_is(&l->r, "end"))
        if (!read_item(l) || !reader_done(&l->r))
            return false;
    if (!reader_accept(&l->r, "end"))
        return reader_fail(&l->r, "the automaton has no 'end'");
    struct str fault = {0};
    bool ok = reader_done(&l->r) && reader_end(&l->r);
    if (ok && cfa_fault(l->cfa, &fault))
        ok = reader_fail(&l->r, "%s", str_text(&fault));
    str_free(&fault);
    return ok;
}

bool cfa_read(struct cfa *cfa, struct terms *terms, const char *text, const char *file,
              struct err *err) {
    struct loader l = {.cfa = cfa};
    cfa_init(cfa, terms);
    reader_init(&l.r, text, file, err);
    term_reader_init(&l.terms, terms, &l.r);
    bool ok = read_cfa(&l);
    term_reader_free(&l.terms);
    reader_free(&l.r);
    if (!ok) {
        cfa_free(cfa);
        *cfa = (struct cfa){0};
    }
    return ok;
}
