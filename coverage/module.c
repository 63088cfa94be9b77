#include "coverage/module.h"

#include "base/decimal.h"

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

bool var_is_scaled(const struct module_var *v) {
    return (v->type == TYPE_SIGNED || v->type == TYPE_UNSIGNED) && v->lsb != 0 &&
           (v->lsb != 1 || v->offset != 0);
}

void var_add_physical(const struct module_var *v, uint64_t bits, struct str *out) {
    uint64_t sign = v->type == TYPE_SIGNED && v->bits < 64 ? bits >> (v->bits - 1) & 1 : 0;
    int64_t raw = (int64_t)(sign ? bits | ~UINT64_C(0) << v->bits : bits);
    double number = v->type == TYPE_UNSIGNED ? (double)bits : (double)raw;
    decimal_physical(number, v->lsb, v->offset, out);
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
