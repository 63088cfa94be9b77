#include "maker.h"

#include <stdio.h>

const struct type_row type_rows[TYPES] = {
    [T_S8] = {"sint8", true, 8},         [T_U8] = {"uint8", false, 8},
    [T_S16] = {"sint16", true, 16},      [T_U16] = {"uint16", false, 16},
    [T_S32] = {"sint32", true, 32},      [T_U32] = {"uint32", false, 32},
    [T_S64] = {"sint64", true, 64},      [T_U64] = {"uint64", false, 64},
    [T_CHAR] = {"char", true, 8},        [T_BOOL] = {"_Bool", false, 1},
    [T_MODE] = {"enum mode", false, 32}, [T_LEVEL] = {"enum level", true, 32},
    [T_F32] = {"float32", true, 32},     [T_F64] = {"float64", true, 64},
};

const char *const feature_names[FEATURES] = {
#define FEATURE(name, percent, about) #name,
#include "features.def"
#undef FEATURE
};

uint64_t pick(struct maker *m, uint64_t n) {
    return choose(m->c, n);
}

/* The simplest answer, 0, is no. */
bool chance(struct maker *m, unsigned percent) {
    return pick(m, 100) >= 100 - percent;
}

bool type_is_float(enum type t) {
    return t == T_F32 || t == T_F64;
}

/* ---- text ---- */

static struct sample_file *here(struct maker *m) {
    return &m->s->files[m->file];
}

static void add_plain(struct maker *m, const char *format, va_list args) {
    struct sample_file *f = here(m);
    size_t from = f->plain.len;
    str_vaddf(&f->plain, format, args);
    for (const char *at = f->plain.data + from; *at; at++) {
        f->line += *at == '\n';
        f->col = *at == '\n' ? 1 : f->col + 1;
    }
}

void put(struct maker *m, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    add_plain(m, format, args);
    str_vaddf(&here(m)->oracle, format, again);
    va_end(again);
    va_end(args);
}

void put_plain(struct maker *m, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_plain(m, format, args);
    va_end(args);
}

void put_oracle(struct maker *m, const char *format, ...) {
    va_list args;
    va_start(args, format);
    str_vaddf(&here(m)->oracle, format, args);
    va_end(args);
}

void put_line(struct maker *m) {
    put(m, "\n%*s", m->indent * 4, "");
}

void put_to(struct maker *m, uint32_t file, const char *format, ...) {
    struct str text = {0};
    uint32_t back = m->file;
    va_list args;
    va_start(args, format);
    str_vaddf(&text, format, args);
    va_end(args);
    m->file = file;
    put(m, "%s", str_text(&text));
    m->file = back;
    str_free(&text);
}

uint32_t mark_here(struct maker *m, enum mark_kind kind) {
    const struct sample_file *f = here(m);
    struct mark mark = {.kind = kind, .file = m->file, .line = f->line, .col = f->col};
    vec_push(&m->s->marks, mark);
    return (uint32_t)m->s->marks.len - 1;
}

/* ---- places ---- */

bool is_known(const struct maker *m, const struct place *p) {
    return (p->file == FILE_HEADER || p->file == m->file) && (p->is_local || !m->is_pure) &&
           !(p->is_input && m->hides_inputs);
}

const struct place *pick_place(struct maker *m, place_test *wanted) {
    uint64_t n = 0;
    for (size_t i = 0; i < m->places.len; i++)
        n += is_known(m, &m->places.data[i]) && wanted(m, &m->places.data[i]);
    if (n == 0)
        return NULL;
    uint64_t left = pick(m, n);
    for (size_t i = 0; i < m->places.len; i++) {
        const struct place *p = &m->places.data[i];
        if (is_known(m, p) && wanted(m, p) && left-- == 0)
            return p;
    }
    return NULL;
}

struct place *add_place(struct maker *m, enum type t, const char *format, ...) {
    struct place p = {.type = t, .file = FILE_HEADER};
    va_list args;
    va_start(args, format);
    vsnprintf(p.head, sizeof p.head, format, args);
    va_end(args);
    vec_push(&m->places, p);
    return &m->places.data[m->places.len - 1];
}

void put_lvalue(struct maker *m, const struct place *place) {
    struct place p = *place; /* making the index may move the places */
    put(m, "%s", p.head);
    if (p.len == 0)
        return;
    put(m, "[");
    if (m->has[FEATURE_ends] && pick(m, 4) == 3) {
        put_oracle(m, "gkt_index(%u, ", p.len);
        put(m, "(sint32)");
        make_int(m, 1);
        put_oracle(m, ")");
    } else if (pick(m, 2)) {
        m->inside++;
        make_int(m, 1);
        m->inside--;
        put(m, " & %u", p.len - 1);
    } else {
        put(m, "%u", (unsigned)pick(m, p.len));
    }
    put(m, "]%s", p.tail);
}

void put_read(struct maker *m, const struct place *p) {
    if (p->choices == 0) {
        put_lvalue(m, p);
        return;
    }
    put_plain(m, "%s", p->head);
    put_oracle(m, "((%s)gkt_choose(%u, %s))", type_rows[p->type].name, p->choices, p->head);
}
