/* gates: runs one gate, or all of them, on a source tree.
 *   gates ROOT BINARY [GATE]     exit code 1 and one line a finding when something is wrong */
#include "gate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define GATE(name, about) void gate_##name(const struct tree *tree, struct findings *f);
#include "gates.def"
#undef GATE

const struct gate gates[] = {
#define GATE(name, about) {#name, about, gate_##name},
#include "gates.def"
#undef GATE
};
const int n_gates = sizeof gates / sizeof *gates;

static struct allowed {
    const char *gate, *path, *name;
    bool used;
} allowed[] = {
#define ALLOW(gate, path, name, why) {#gate, path, name, false},
#include "allow.def"
#undef ALLOW
};
enum { N_ALLOWED = sizeof allowed / sizeof *allowed };

static bool is_allowed(const char *gate, const char *path, const char *name) {
    for (int i = 0; i < N_ALLOWED; i++)
        if (str_same(allowed[i].gate, gate) && str_same(allowed[i].path, path) &&
            str_same(allowed[i].name, name))
            return allowed[i].used = true;
    return false;
}

static void add_finding(struct findings *f, const char *path, int line) {
    f->count++;
    str_add(&f->text, path);
    if (line > 0)
        str_addf(&f->text, ":%d", line);
    str_addf(&f->text, ": [%s] ", f->gate);
}

void finding(struct findings *f, const char *path, int line, const char *name, const char *format,
             ...) {
    va_list args;
    if (f->tree->exceptions && is_allowed(f->gate, path, name))
        return;
    add_finding(f, path, line);
    va_start(args, format);
    str_vaddf(&f->text, format, args);
    va_end(args);
    str_addc(&f->text, '\n');
}

static bool in_tree(const struct tree *tree, const char *path) {
    for (size_t i = 0; i < tree->files.len; i++)
        if (str_starts(tree->files.data[i].path, path)) /* a file, or a folder with its slash */
            return true;
    return false;
}

void findings_check_allowed(struct findings *f) {
    for (int i = 0; f->tree->exceptions && i < N_ALLOWED; i++) {
        const struct allowed *a = &allowed[i];
        if (!str_same(a->gate, f->gate) || a->used || !in_tree(f->tree, a->path))
            continue;
        add_finding(f, a->path, 0);
        str_addf(&f->text, "allow.def excepts '%s' without need\n", a->name);
    }
}
