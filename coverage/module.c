#include "coverage/module.h"

bool var_type_known(char letter) {
    switch (letter) {
#define VAR_TYPE(name, letter) case letter:
#include "coverage/var_types.def"
#undef VAR_TYPE
        return true;
    default:
        return false;
    }
}

void module_free(struct module *module) {
    vec_free(&module->init);
    vec_free(&module->inputs);
    vec_free(&module->state);
    vec_free(&module->assumptions);
    vec_free(&module->beliefs);
    vec_free(&module->warnings);
    arena_free(&module->arena);
    *module = (struct module){0};
}
