/* coverage: what simulation and libFuzzer cover of the same probes in the same time. */
#include "bench/bench.h"

#include "base/child.h"
#include "base/file.h"
#include "base/log.h"
#include "instrument/native/simulate_values.h"

#include <string.h>

enum { ROUND = 2000000 };

uint32_t coverage_of_simulation(struct subject *subject, double seconds, unsigned shards,
                                struct simulate_statistics *statistics, struct err *err) {
    struct native_program program = subject_program(subject);
    struct simulate_options options = {.seed = 1, .shards = shards};
    struct simulate_news news = {0};
    struct simulation *sim = simulate_open(&program, &options, err);
    if (!sim)
        return 0;
    double end = clock_seconds() + seconds;
    while (clock_seconds() < end && simulate_step(sim, ROUND, &news, err))
        ;
    *statistics = simulate_statistics(sim);
    for (uint32_t i = 0; i < program.n_probes; i++)
        subject->known[i] = simulate_knows(sim, i);
    simulate_news_free(&news);
    simulate_close(sim);
    return statistics->found;
}

/* An execution is a list of records: which inputs change (each by bits of its own), for how long
 * they are held (1, 10, 100 … 10,000 steps), the values. */
static const char harness[] =
    "#include <signal.h>\n#include <setjmp.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#include <stdint.h>\n#include <fcntl.h>\n#include <unistd.h>\n#include <sys/mman.h>\n"
    "static sigjmp_buf leave; static unsigned char *seen;\n"
    "static unsigned long long held[N_INPUTS + 1];\n"
    "static const uint8_t *data; static size_t left;\n"
    "void gk_hit(unsigned p) { seen[p] = 1; }\n"
    "void gk_assume(int c) { if (!c) siglongjmp(leave, 1); }\n"
    "static unsigned byte(void) { return left ? (left--, *data++) : 0; }\n"
    "static void on_signal(int s) { (void)s; siglongjmp(leave, 1); }\n"
    "static unsigned long long take(unsigned id) {\n"
    "    unsigned long long v = 0;\n"
    "    for (unsigned i = 0; i < (bits[id] + 7u) / 8; i++) v |= (unsigned long long)byte() << 8 * "
    "i;\n"
    "    return fit(id, v);\n}\n"
    "static unsigned char boot[1 << 20], constant[1 << 16];\n"
    "static void find_constants(void) {\n"
    "    for (volatile unsigned i = 0; i < gk_region_count; i++) {\n"
    "        volatile unsigned char *p = gk_regions[i].address;\n"
    "        if (sigsetjmp(leave, 1)) constant[i] = 1; else *p = *p;\n    }\n}\n"
    "static void copy(int save) {\n"
    "    unsigned char *p = boot;\n"
    "    for (unsigned i = 0; i < gk_region_count; p += gk_regions[i++].size)\n"
    "        if (constant[i]) continue;\n"
    "        else if (save) memcpy(p, gk_regions[i].address, gk_regions[i].size);\n"
    "        else memcpy(gk_regions[i].address, p, gk_regions[i].size);\n}\n"
    "int LLVMFuzzerInitialize(int *argc, char ***argv) {\n"
    "    int fd = open(getenv(\"GK_SEEN\"), O_RDWR); (void)argc; (void)argv;\n"
    "    seen = mmap(0, N_PROBES + 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);\n"
    "    signal(SIGFPE, on_signal); signal(SIGSEGV, on_signal); signal(SIGBUS, on_signal);\n"
    "    find_constants();\n    copy(1);\n"
    "    return 0;\n}\n"
    "int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {\n"
    "    data = d; left = n; copy(0);\n"
    "    for (unsigned i = 0; i < N_INPUTS; i++) held[i] = fit(i, 0);\n"
    "    if (sigsetjmp(leave, 1)) return 0;\n"
    "    for (unsigned i = 0; i < N_INPUTS; i++) held[i] = take(i);\n"
    "    gk_init();\n"
    "    while (left) {\n"
    "        static const unsigned steps[] = {1, 1, 1, 10, 10, 100, 1000, 10000};\n"
    "        unsigned hold = steps[byte() & 7], mask = byte();\n"
    "        for (unsigned i = 0; i < N_INPUTS; i++)\n"
    "            if (mask >> (i % 8) & 1) held[i] = take(i);\n"
    "        while (hold--) gk_step();\n"
    "    }\n    return 0;\n}\n";

static void write_types(const struct module *module, struct str *out) {
    static const char *const readers[][3] = {
        {"float", "f32", "{ unsigned v = held[id]; float f; memcpy(&f, &v, 4); return f; }"},
        {"double", "f64", "{ double f; memcpy(&f, &held[id], 8); return f; }"},
        {"_Bool", "b", "{ return held[id] & 1; }"},
        {"signed char", "i8", "{ return held[id]; }"},
        {"unsigned char", "u8", "{ return held[id]; }"},
        {"short", "i16", "{ return held[id]; }"},
        {"unsigned short", "u16", "{ return held[id]; }"},
        {"int", "i32", "{ return held[id]; }"},
        {"unsigned", "u32", "{ return held[id]; }"},
        {"long long", "i64", "{ return held[id]; }"},
        {"unsigned long long", "u64", "{ return held[id]; }"},
    };
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        str_addf(out, "%s gk_input_%s(unsigned id) %s\n", readers[i][0], readers[i][1],
                 readers[i][2]);
    str_add(out, "static const unsigned char bits[] = {");
    for (size_t i = 0; i < module->inputs.len; i++)
        str_addf(out, "%u, ", module->inputs.data[i].bits);
    str_add(out, "0};\n");
}

/* Raw bits into the range of the input: floats by fraction, integers by modulo. */
static void write_fit(const struct module *module, struct str *out) {
    str_add(out, "static unsigned long long fit(unsigned id, unsigned long long v) {\n"
                 "    union { unsigned u; float f; } s, l, h; union { unsigned long long u;"
                 " double f; } t, a, b;\n    switch (id) {\n");
    for (size_t i = 0; i < module->inputs.len; i++) {
        const struct module_var *var = &module->inputs.data[i];
        uint64_t min, max;
        values_range(var, &min, &max);
        str_addf(out, "    case %zu: ", i);
        if (var->type == TYPE_FLOAT && var->bits == 32)
            str_addf(out,
                     "l.u = %lluu; h.u = %lluu; s.f = l.f + (h.f - l.f) * (float)((unsigned)v /"
                     " 4294967295.0); return s.u;\n",
                     (unsigned long long)min, (unsigned long long)max);
        else if (var->type == TYPE_FLOAT)
            str_addf(out,
                     "a.u = %lluu; b.u = %lluu; t.f = a.f + (b.f - a.f) * (v /"
                     " 18446744073709551615.0); return t.u;\n",
                     (unsigned long long)min, (unsigned long long)max);
        else {
            uint64_t mask = var->bits == 64 ? UINT64_MAX : ((uint64_t)1 << var->bits) - 1;
            uint64_t size = ((max - min) & mask) + 1;
            str_addf(out, "return (%lluu + (%lluu ? v %% %lluu : v)) & %lluu;\n",
                     (unsigned long long)min, (unsigned long long)size,
                     (unsigned long long)(size ? size : 1), (unsigned long long)mask);
        }
    }
    str_add(out, "    default: return v;\n    }\n    (void)s; (void)t; (void)l; (void)h;\n}\n");
}

static bool write_harness(const struct subject *subject, const char *path, struct err *err) {
    struct str text = {0};
    str_add(&text, "#define GK_NATIVE 1\n");
    str_add(&text, str_text(&subject->woven.text));
    str_addf(&text, "\n#define N_INPUTS %zu\n#define N_PROBES %u\n",
             subject->woven.module.inputs.len, subject->woven.goals.n_probes);
    const char *types = strstr(harness, "static const uint8_t *data;");
    str_addn(&text, harness, (size_t)(types - harness));
    write_types(&subject->woven.module, &text);
    write_fit(&subject->woven.module, &text);
    str_add(&text, types);
    bool ok = file_write(path, text.data, text.len, err);
    str_free(&text);
    return ok;
}

static uint32_t count_seen(const char *path, struct err *err) {
    struct str seen = {0};
    uint32_t n = 0;
    if (file_read(path, &seen, err))
        for (size_t i = 0; i < seen.len; i++)
            n += seen.data[i] != 0;
    str_free(&seen);
    return n;
}

static bool run_fuzzer(const struct subject *subject, const char *program, const char *seen,
                       double seconds, struct err *err) {
    struct arena arena = {0};
    const char *argv[] = {program,
                          arena_printf(&arena, "-max_total_time=%.0f", seconds),
                          "-max_len=2048",
                          "-len_control=20",
                          "-use_value_profile=1",
                          "-handle_fpe=0",
                          "-handle_segv=0",
                          "-handle_bus=0",
                          "-seed=1",
                          "-timeout=60",
                          "-close_fd_mask=3",
                          NULL};
    const char *environment[] = {arena_printf(&arena, "GK_SEEN=%s", seen), NULL};
    struct child_spec spec = {.argv = argv,
                              .environment = environment,
                              .dir = str_text(&subject->dir),
                              .wall_seconds = 2 * seconds + 60};
    struct child_result result = {0};
    bool ok = child_run(&spec, &result, err);
    if (ok && (result.end != CHILD_EXITED || result.code != 0))
        ok = err_set(err, ERR_INTERNAL, "libFuzzer ended early (%d): %.2000s", result.code,
                     str_text(&result.err));
    child_result_free(&result);
    arena_free(&arena);
    return ok;
}

uint32_t coverage_of_fuzzer(const struct subject *subject, double seconds, struct err *err) {
    struct arena arena = {0};
    uint32_t n = 0;
    char *source = path_join(&arena, str_text(&subject->dir), "fuzz.c");
    char *program = path_join(&arena, str_text(&subject->dir), "fuzz");
    char *seen = path_join(&arena, str_text(&subject->dir), "seen");
    char *empty = arena_alloc(&arena, subject->woven.goals.n_probes + 1);
    const char *const sources[] = {source, NULL};
    if (write_harness(subject, source, err) &&
        file_write(seen, empty, subject->woven.goals.n_probes + 1, err) &&
        bench_compile(subject, "-w -O2 -g0 -fwrapv -fno-strict-aliasing -fsanitize=fuzzer", sources,
                      program, err) &&
        run_fuzzer(subject, program, seen, seconds, err))
        n = count_seen(seen, err);
    arena_free(&arena);
    return n;
}
