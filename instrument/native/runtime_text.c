/* runtime_text: see its header. */
#include "instrument/native/runtime_text.h"

#include "base/file.h"
#include "base/sha256.h"

#include <string.h>

struct embedded {
    const char *name, *text;
};

#define RUNTIME(name, file) extern const char runtime_##name[];
#include "instrument/native/runtime.def"
#undef RUNTIME

static const struct embedded files[] = {
#define RUNTIME(name, file) {file, runtime_##name},
#include "instrument/native/runtime.def"
#undef RUNTIME
};

static void whole(struct str *all) {
#define NAME(name) str_add(all, "#define " #name " gk_runtime_" #name "\n");
#include "instrument/native/runtime_names.def"
#undef NAME
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (str_ends(files[i].name, ".c"))
            str_addf(all, "#include \"%s\"\n", files[i].name);
}

static bool write_in(const char *dir, const char *name, const char *text, size_t size,
                     struct err *err) {
    struct arena arena = {0};
    bool ok = file_write(path_join(&arena, dir, name), text, size, err);
    arena_free(&arena);
    return ok;
}

static bool write_files(const char *dir, bool headers_only, struct err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof files / sizeof *files; i++)
        if (!headers_only || str_ends(files[i].name, ".h"))
            ok = write_in(dir, files[i].name, files[i].text, strlen(files[i].text), err);
    return ok;
}

bool runtime_write_headers(const char *dir, struct err *err) {
    return write_files(dir, true, err);
}

bool runtime_write(const char *dir, struct err *err) {
    struct str all = {0};
    whole(&all);
    bool ok =
        write_files(dir, false, err) && write_in(dir, "runtime.c", str_text(&all), all.len, err);
    str_free(&all);
    return ok;
}

const char *runtime_object_name(const char *model, const char *flags, struct arena *arena) {
    struct str all = {0};
    char hash[SHA256_HEX];
    str_addf(&all, "%s\n", flags);
    whole(&all);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        str_add(&all, files[i].text);
    sha256_hex(all.data, all.len, hash);
    str_free(&all);
    return arena_printf(arena, "runtime-%s-%.16s.o", model, hash);
}
