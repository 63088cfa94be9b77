#include "native.h"

#include "base/child.h"
#include "base/file.h"

/* Linked with the woven text. Reads from stdin: probes, runs, steps, events, all as 64-bit numbers;
 * writes per step: end, hits, cells. Results lie in shared memory, so that they survive a trap. */
static const char harness[] =
    "#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#include <sys/mman.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
    "typedef unsigned long long number;\n"
    "extern const unsigned gk_cell_count; number gk_cell_read(unsigned);\n"
    "void gk_init(void); void gk_step(void);\n"
    "static number *now, *in, left, probes;\n"
    "static void end(number why) { now[0] = why; _exit(0); }\n"
    "void gk_hit(unsigned p) { now[1 + p] = 1; }\n"
    "void gk_assume(int c) { if (!c) end(1); }\n"
    "static number next(unsigned id) {\n"
    "  if (!left || in[0] != id) end(3);\n"
    "  left--; in += 2; return in[-1]; }\n"
    "#define INT(n, t) t gk_input_##n(unsigned id) { return (t)next(id); }\n"
    "INT(b, _Bool) INT(i8, signed char) INT(u8, unsigned char) INT(i16, short)\n"
    "INT(u16, unsigned short) INT(i32, int) INT(u32, unsigned)\n"
    "INT(i64, long long) INT(u64, unsigned long long)\n"
    "float gk_input_f32(unsigned id) { unsigned u = (unsigned)next(id); float f;\n"
    "  memcpy(&f, &u, 4); return f; }\n"
    "double gk_input_f64(unsigned id) { number u = next(id); double d;\n"
    "  memcpy(&d, &u, 8); return d; }\n"
    "static number get(void) { number x = 0;\n"
    "  if (fread(&x, 8, 1, stdin) != 1) exit(9); return x; }\n"
    "static void run(number n, number **script) {\n"
    "  for (number s = 0; s < n; s++) {\n"
    "    left = script[s][0]; in = script[s] + 1;\n"
    "    now[0] = 2;\n"
    "    if (s == 0) gk_init(); else gk_step();\n"
    "    for (unsigned i = 0; i < gk_cell_count; i++) now[1 + probes + i] = gk_cell_read(i);\n"
    "    if (left) end(4);\n"
    "    now[0] = 0; now += 1 + probes + gk_cell_count;\n"
    "  } }\n"
    "int main(void) {\n"
    "  probes = get();\n"
    "  number runs = get(), longest = get();\n"
    "  size_t size = (size_t)((1 + probes + gk_cell_count) * longest * 8);\n"
    "  number *all = mmap(0, size, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0);\n"
    "  while (runs--) {\n"
    "    number n = get(), **script = calloc((size_t)n, sizeof *script);\n"
    "    for (number s = 0; s < n; s++) {\n"
    "      number k = get(); script[s] = calloc((size_t)(1 + 2 * k), 8); script[s][0] = k;\n"
    "      for (number i = 0; i < 2 * k; i++) script[s][1 + i] = get(); }\n"
    "    memset(all, 0, size); now = all;\n"
    "    fflush(stdout); pid_t pid = fork();\n"
    "    if (pid == 0) { alarm(10); run(n, script); _exit(0); }\n"
    "    int status; waitpid(pid, &status, 0);\n"
    "    fwrite(all, 1, size, stdout);\n"
    "    for (number s = 0; s < n; s++) free(script[s]);\n"
    "    free(script); }\n"
    "  return 0; }\n";

static void put(struct str *s, uint64_t x) {
    str_addn(s, (const char *)&x, sizeof x);
}

static void put_events(struct str *s, const struct input_events *events, uint32_t step,
                       size_t *next) {
    size_t n = 0;
    while (*next + n < events->len && events->data[*next + n].step == step)
        n++;
    put(s, n);
    for (size_t i = 0; i < n; i++) {
        put(s, events->data[*next + i].input);
        put(s, events->data[*next + i].bits);
    }
    *next += n;
}

static void write_script(const struct native *native, const struct native_run *runs, size_t n_runs,
                         uint64_t longest, struct str *script) {
    put(script, native->n_probes);
    put(script, n_runs);
    put(script, longest);
    for (size_t r = 0; r < n_runs; r++) {
        size_t next = 0;
        put(script, runs[r].n_steps + 1);
        put_events(script, &runs[r].events, UINT32_MAX, &next);
        for (uint32_t j = 0; j < runs[r].n_steps; j++)
            put_events(script, &runs[r].events, j, &next);
    }
}

static bool expect_success(const struct child_spec *spec, const struct child_result *result,
                           struct err *err) {
    if (result->end == CHILD_EXITED && result->code == 0)
        return true;
    struct str how = {0};
    child_end_text(spec, result, &how);
    err_set(err, ERR_SOURCE, "%s: %s\n%.2000s", spec->argv[0], str_text(&how),
            str_text(&result->err));
    str_free(&how);
    return false;
}

static bool run_compiler(const struct native *native, const char *const *files, struct err *err) {
    const char *argv[24] = {"gcc",
                            "-std=gnu11",
                            "-w",
                            "-O1",
                            native->module->ilp32 ? "-m32" : "-m64",
                            "-msse2",
                            "-mfpmath=sse",
                            "-fwrapv",
                            "-fno-strict-aliasing",
                            "-fgnu89-inline",
                            "-ffp-contract=off",
                            native->module->char_is_signed ? "-fsigned-char" : "-funsigned-char",
                            "-DGK_NATIVE"};
    size_t n = 13;
    while (*files)
        argv[n++] = *files++;
    assert(n < sizeof argv / sizeof *argv);
    struct child_spec spec = {.argv = argv, .wall_seconds = 120};
    struct child_result result = {0};
    bool ok = child_run(&spec, &result, err) && expect_success(&spec, &result, err);
    child_result_free(&result);
    return ok;
}

/* The harness is compiled once for a folder and data model. */
static bool build_harness(const struct native *native, const char *object, struct arena *arena,
                          struct err *err) {
    const char *path = path_join(arena, native->dir, "harness.c");
    const char *files[] = {"-c", path, "-o", object, NULL};
    return file_exists(object) ||
           (file_write(path, harness, sizeof harness - 1, err) && run_compiler(native, files, err));
}

static bool compile(const struct native *native, const char *text, const char *program,
                    struct arena *arena, struct err *err) {
    const char *name = native->module->ilp32 ? "harness32.o" : "harness64.o";
    const char *object = path_join(arena, native->dir, name);
    const char *path = path_join(arena, native->dir, "native.c");
    const char *files[] = {path, object, "-o", program, "-lm", NULL};
    return build_harness(native, object, arena, err) && file_write(path, text, strlen(text), err) &&
           run_compiler(native, files, err);
}

static uint64_t *take(const uint64_t **at, size_t n, struct arena *arena) {
    uint64_t *numbers = arena_copy(arena, *at, n * sizeof **at);
    *at += n;
    return numbers;
}

static bool read_steps(const struct native *native, const struct str *out, size_t n,
                       struct native_step **steps, struct arena *arena, struct err *err) {
    size_t size = 1 + native->n_probes + native->module->state.len;
    if (out->len != n * size * sizeof(uint64_t))
        return err_set(err, ERR_INTERNAL, "the native program wrote %zu bytes instead of %zu",
                       out->len, n * size * sizeof(uint64_t));
    const uint64_t *at = (const uint64_t *)(const void *)out->data;
    *steps = arena_array(arena, struct native_step, n);
    for (size_t i = 0; i < n; i++) {
        (*steps)[i].end = (enum native_end) * at++;
        (*steps)[i].hits = take(&at, native->n_probes, arena);
        (*steps)[i].cells = take(&at, native->module->state.len, arena);
    }
    return true;
}

bool native_execute(const struct native *native, const char *text, const struct native_run *runs,
                    size_t n_runs, struct native_step **steps, struct arena *arena,
                    struct err *err) {
    struct str script = {0};
    struct child_result result = {0};
    const char *program = path_join(arena, native->dir, "native");
    const char *argv[] = {program, NULL};
    uint32_t longest = 0;
    for (size_t r = 0; r < n_runs; r++)
        longest = runs[r].n_steps > longest ? runs[r].n_steps : longest;
    write_script(native, runs, n_runs, longest + 1, &script);
    struct child_spec spec = {
        .argv = argv, .input = script.data, .input_size = script.len, .wall_seconds = 120};
    bool ok = compile(native, text, program, arena, err) && child_run(&spec, &result, err) &&
              expect_success(&spec, &result, err) &&
              read_steps(native, &result.out, n_runs * (longest + 1), steps, arena, err);
    child_result_free(&result);
    str_free(&script);
    return ok;
}
