#include "maker.h"

static void choose_features(struct maker *m, uint32_t with, uint32_t without) {
    static const unsigned percents[FEATURES] = {
#define FEATURE(name, percent, about) percent,
#include "features.def"
#undef FEATURE
    };
    for (unsigned f = 0; f < FEATURES; f++)
        m->has[f] = (chance(m, percents[f]) || with >> f & 1) && !(without >> f & 1);
}

static void add_outputs(struct maker *m) {
    static const struct {
        const char *name;
        enum type type;
    } rows[] = {{"out0", T_U32}, {"out1", T_F32}, {"out2", T_S8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct place *p = add_place(m, rows[i].type, "%s", rows[i].name);
        p->can_write = p->is_output = true;
    }
}

void sample_make(struct sample *s, struct choices *c, uint32_t with, uint32_t without) {
    static const char *const names[FILES] = {"types.h", "m.c", "other.c"};
    struct maker m = {.c = c, .s = s};
    *s = (struct sample){.ilp32 = choose(c, 4) < 3, .char_is_signed = choose(c, 2) == 0};
    for (uint32_t f = 0; f < FILES; f++)
        s->files[f] = (struct sample_file){.name = names[f], .line = 1, .col = 1};
    choose_features(&m, with, without);
    s->has_init = m.has[FEATURE_init];
    s->has_other = m.has[FEATURE_units];
    make_types(&m);
    make_data(&m);
    make_inputs(&m);
    add_outputs(&m);
    make_tools(&m);
    make_functions(&m);
    make_step(&m);
    put_to(&m, FILE_HEADER, "#endif\n");
    vec_free(&m.places);
    vec_free(&m.functions);
    assert(s->marks.len > 0 && s->inputs.len > 0);
}

void sample_free(struct sample *s) {
    for (uint32_t f = 0; f < FILES; f++) {
        str_free(&s->files[f].plain);
        str_free(&s->files[f].oracle);
    }
    for (size_t i = 0; i < s->inputs.len; i++) {
        str_free(&s->inputs.data[i].values);
        str_free(&s->inputs.data[i].project);
    }
    struct str *texts[] = {&s->volatiles, &s->fixed, &s->assumptions, &s->step_call, &s->arguments};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        str_free(texts[i]);
    vec_free(&s->marks);
    vec_free(&s->decisions);
    vec_free(&s->nodes);
    vec_free(&s->inputs);
}
