#include "gate.h"

#include <stdio.h>
#include <string.h>

static int run(const struct gate *gate, const struct tree *tree) {
    struct findings f = {.tree = tree, .gate = gate->name};
    gate->check(tree, &f);
    findings_check_allowed(&f);
    fputs(str_text(&f.text), stdout);
    printf("%-16s %s: %d findings\n", gate->name, gate->about, f.count);
    str_free(&f.text);
    return f.count;
}

int main(int argc, char **argv) {
    struct tree tree;
    int count = 0, found = 0;
    if (argc < 3 || argc > 4) {
        fputs("usage: gates ROOT BINARY [GATE]\n", stderr);
        return 2;
    }
    tree_load(&tree, argv[1], argv[2]);
    tree.exceptions = true;
    for (int i = 0; i < n_gates; i++) {
        if (argc == 4 && !str_same(argv[3], gates[i].name))
            continue;
        found++;
        count += run(&gates[i], &tree);
    }
    tree_free(&tree);
    if (found == 0)
        fprintf(stderr, "gates: there is no gate '%s'\n", argv[3]);
    return found == 0 ? 2 : count > 0;
}
