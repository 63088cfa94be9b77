/* native_program: hand-woven programs of tests/instrument/data/ as input of native_open(). */
#ifndef TESTS_NATIVE_PROGRAM_H
#define TESTS_NATIVE_PROGRAM_H

#include "base/file.h"
#include "instrument/native/native.h"

#include <stdio.h>
#include <stdlib.h>

static inline void must(bool ok, struct err *err) {
    if (ok)
        return;
    err_print(err);
    exit(1);
}

static inline void add_var(struct module *m, enum var_role role, const char *path, char type,
                           uint8_t bits, uint64_t min, uint64_t max) {
    struct module_var var = {.path = path, .c_expr = path, .role = role, .type = type};
    var.bits = bits;
    var.has_range = true;
    var.min = min;
    var.max = max;
    var.lsb = 1;
    if (role == VAR_STATE || role == VAR_OUTPUT)
        vec_push(&m->state, var);
    else
        vec_push(&m->inputs, var);
}

static inline void read_woven(const char *name, struct str *text) {
    struct err err = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/tests/instrument/data/%s", GK_SOURCE_DIR, name);
    must(file_read(path, text, &err), &err);
}

static inline void add_event(struct input_events *events, uint32_t step, uint32_t input,
                             uint64_t bits) {
    vec_push(events, (struct input_event){step, input, bits});
}

#endif
