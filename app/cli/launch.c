/* launch: starts the program, and stays able to talk when a library of the system is missing.
 *
 * The program needs libclang, LLVM, SQLite and more. If the executable were linked with them, a
 * missing one would keep it from starting at all, `goalkeeper doctor` included. So the program is
 * the library libgoalkeeper-core.so, loaded here; what the executable holds itself is linked with
 * the C library only: help, and the doctor that says what to install.
 */
#include "app/cli/program.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/tool.h"

#include <dlfcn.h>
#include <stdio.h>

/* Where a build and an installation keep the library, seen from the executable. */
static const char *const places[] = {".", "../lib/goalkeeper"};

static void *load_core(struct arena *arena) {
    char *own = tool_own_dir(arena), *path = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        path = arena_printf(arena, "%s/%s/libgoalkeeper-core.so", own, places[i]);
        if (file_exists(path))
            break;
    }
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* The commands that the executable can do alone. */
static bool needs_core(int argc, char **argv) {
    return argc > 1 && argv[1][0] != '-' && !str_same(argv[1], "doctor") &&
           !str_same(argv[1], "help");
}

int main(int argc, char **argv) {
    struct arena arena = {0};
    struct err err = {0};
    int (*program)(int, char **) = goalkeeper_main;
    void *core = load_core(&arena);
    arena_free(&arena);
    if (core) {
        program = (int (*)(int, char **))dlsym(core, "goalkeeper_main");
    } else if (needs_core(argc, argv)) {
        err_set(&err, ERR_USAGE, "the program cannot be loaded: %s", dlerror());
        err_remedy(&err, "'goalkeeper doctor' says what is missing and how to get it");
        err_print(&err);
        err_clear(&err);
        return ERR_USAGE;
    }
    return program(argc, argv);
}
