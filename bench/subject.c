/* subject: a project, woven, and a directory to build in. */
#include "bench/bench.h"

#include "base/child.h"
#include "base/file.h"
#include "base/mem.h"
#include "instrument/native/build.h"

#include <string.h>

bool subject_open(struct subject *subject, const char *dir, struct err *err) {
    struct str file = {0};
    str_addf(&file, "%s/goalkeeper.json", dir);
    bool ok = project_read(str_text(&file), &subject->project, err);
    str_free(&file);
    if (!ok)
        return false;
    if (weave(&subject->project, &subject->woven, err) && file_temp_dir(&subject->dir, err)) {
        subject->known = mem_zalloc(subject->woven.goals.n_probes + 1, sizeof *subject->known);
        return true;
    }
    project_free(&subject->project);
    return false;
}

void subject_close(struct subject *subject) {
    file_remove_tree(str_text(&subject->dir));
    str_free(&subject->dir);
    mem_free(subject->known);
    woven_free(&subject->woven);
    project_free(&subject->project);
}

struct native_program subject_program(const struct subject *subject) {
    return (struct native_program){.woven = str_text(&subject->woven.text),
                                   .module = &subject->woven.module,
                                   .n_probes = subject->woven.goals.n_probes,
                                   .spare = subject->woven.goals.spare.data,
                                   .n_spare = subject->woven.goals.spare.len};
}

static void add_words(struct arena *arena, struct texts *argv, const char *words) {
    while (*words) {
        size_t length = strcspn(words, " ");
        if (length)
            vec_push(argv, arena_strndup(arena, words, length));
        words += length + (words[length] == ' ');
    }
}

bool bench_compile(const struct subject *subject, const char *flags, const char *const *sources,
                   const char *executable, struct err *err) {
    struct arena arena = {0};
    struct texts argv = {0};
    struct str clang = {0};
    struct child_result result = {0};
    bool ok = native_find_clang(NULL, &clang, err);
    vec_push(&argv, str_text(&clang));
    add_words(&arena, &argv, flags);
    for (size_t i = 0; i < subject->project.include_dirs.len; i++)
        vec_push(&argv, arena_printf(&arena, "-I%s/%s", subject->project.dir,
                                     subject->project.include_dirs.data[i]));
    for (size_t i = 0; i < subject->project.defines.len; i++)
        vec_push(&argv, arena_printf(&arena, "-D%s", subject->project.defines.data[i]));
    if (subject->project.compile_commands) /* the only sample with one has its headers there */
        vec_push(&argv, arena_printf(&arena, "-I%s/include", subject->project.dir));
    for (; *sources; sources++)
        vec_push(&argv, *sources);
    add_words(&arena, &argv, "-lm -o");
    vec_push(&argv, executable);
    vec_push(&argv, NULL);
    struct child_spec spec = {.argv = argv.data, .wall_seconds = 300, .output_bytes = 1 << 20};
    ok = ok && child_run(&spec, &result, err);
    if (ok && (result.end != CHILD_EXITED || result.code != 0))
        ok =
            err_set(err, ERR_SOURCE, "cannot compile the harness:\n%.2000s", str_text(&result.err));
    child_result_free(&result);
    str_free(&clang);
    vec_free(&argv);
    arena_free(&arena);
    return ok;
}
