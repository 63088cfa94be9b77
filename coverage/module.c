#include "coverage/module.h"

void module_free(struct module *module) {
    vec_free(&module->init);
    vec_free(&module->inputs);
    vec_free(&module->state);
    vec_free(&module->assumptions);
    vec_free(&module->warnings);
    arena_free(&module->arena);
    *module = (struct module){0};
}
