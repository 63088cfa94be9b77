/* The reader of the text form described in system_text.c. Everything is checked before a
 * constructor is called, and the whole system at the end: bad text is an error, never a crash. */
#include "system_read.h"

#include "model/term/simplify.h"
#include "model/term/term_text.h"
#include "model/system/text.h"
#include "term_refs.h"

struct loader {
    struct system *sys;
    struct reader r;
    struct term_reader terms;
};

static bool read_name(struct loader *l, const char **name) {
    const char *text = reader_name(&l->r, "a name");
    if (text)
        *name = system_name(l->sys, text);
    return text != NULL;
}

static bool read_cell(struct loader *l) {
    struct cell c = {0};
    if (!read_name(l, &c.name) || !term_reader_ref(&l->terms, &c.var) ||
        !term_reader_key(&l->terms, "init", &c.init) ||
        !term_reader_key(&l->terms, "next", &c.next) || !term_reader_maybe(&l->terms, "is", &c.is))
        return false;
    vec_push(&l->sys->cells, c);
    return true;
}

static bool read_input(struct loader *l) {
    struct sys_input in = {.module_input = NONE};
    if (!read_name(l, &in.name) || !term_reader_ref(&l->terms, &in.var))
        return false;
    in.at_init = reader_is(&l->r, "init");
    if (!reader_expect(&l->r, in.at_init ? "init" : "step"))
        return false;
    if (reader_accept(&l->r, "id") && !reader_u32(&l->r, "a module input", &in.module_input))
        return false;
    in.unspecified = reader_accept(&l->r, "unspecified");
    if (!term_reader_maybe(&l->terms, "guard", &in.guard))
        return false;
    vec_push(&l->sys->inputs, in);
    return true;
}

static bool read_target(struct loader *l) {
    struct target t = {.kind = TARGET_GOAL};
    if (!read_name(l, &t.name))
        return false;
    if (reader_accept(&l->r, "overrun"))
        t.kind = TARGET_OVERRUN;
    else if (!reader_expect(&l->r, "goal"))
        return false;
    if (!reader_u32(&l->r, "a number", &t.id) || !term_reader_key(&l->terms, "hit", &t.hit))
        return false;
    if (!term_reader_maybe(&l->terms, "init", &t.init_hit))
        return false;
    if (t.kind == TARGET_OVERRUN)
        vec_push(&l->sys->overruns, (uint32_t)l->sys->targets.len);
    vec_push(&l->sys->targets, t);
    return true;
}

static bool read_folded(struct loader *l) {
    struct folded f = {.same_as = NONE};
    if (!read_name(l, &f.name) || !term_reader_ref(&l->terms, &f.var))
        return false;
    if (!term_is(l->sys->terms, f.var, OP_VAR))
        return reader_fail(&l->r, "a folded cell needs its variable");
    if (reader_accept(&l->r, "same")) {
        if (!reader_u32(&l->r, "a cell", &f.same_as))
            return false;
    } else if (!reader_expect(&l->r, "value") ||
               !reader_value(&l->r, term_sort(l->sys->terms, f.var), &f.bits)) {
        return false;
    }
    vec_push(&l->sys->folded, f);
    return true;
}

static bool read_item(struct loader *l) {
    static const struct {
        const char *word;
        bool (*read)(struct loader *);
    } items[] = {{"cell", read_cell},
                 {"input", read_input},
                 {"target", read_target},
                 {"folded", read_folded}};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        if (reader_accept(&l->r, items[i].word))
            return items[i].read(l);
    struct system *sys = l->sys;
    if (reader_accept(&l->r, "init-ok"))
        return term_reader_ref(&l->terms, &sys->init_ok);
    if (reader_accept(&l->r, "step-ok"))
        return term_reader_ref(&l->terms, &sys->step_ok);
    if (reader_accept(&l->r, "unspecified"))
        return term_reader_ref(&l->terms, &sys->unspecified);
    if (reader_accept(&l->r, "init-unspecified"))
        return term_reader_ref(&l->terms, &sys->init_unspecified);
    bool ok = false;
    if (term_reader_accept(&l->terms, &ok))
        return ok;
    return reader_fail(&l->r, "unknown item");
}

static bool read_system(struct loader *l) {
    if (!reader_header(&l->r, "system") || !read_name(l, &l->sys->name) || !reader_done(&l->r))
        return false;
    while (reader_line(&l->r) && !reader_is(&l->r, "end"))
        if (!read_item(l) || !reader_done(&l->r))
            return false;
    if (!reader_accept(&l->r, "end"))
        return reader_fail(&l->r, "the system has no 'end'");
    struct str fault = {0};
    bool ok = reader_done(&l->r) && reader_end(&l->r);
    if (ok && system_fault(l->sys, &fault))
        ok = reader_fail(&l->r, "%s", str_text(&fault));
    str_free(&fault);
    return ok;
}

bool system_read(struct system *sys, const char *text, const char *file, struct err *err) {
    struct loader l = {.sys = sys};
    assert(sys->terms && sys->cells.len == 0);
    reader_init(&l.r, text, file, err);
    term_reader_init(&l.terms, sys->terms, &l.r);
    bool ok = read_system(&l);
    term_reader_free(&l.terms);
    reader_free(&l.r);
    return ok;
}
