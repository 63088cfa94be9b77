/* fuzz_project: damaged project files, until one is answered wrongly.
 *
 *   fuzz_project [--seed N] [--count N]
 *
 * Every file must be read, or refused with a message that has a line and a column; what our strict
 * scan lets through cJSON must be able to read. Without --count it runs without end. A file that is
 * answered wrongly is left as fuzz_project_failure.json; exit code 1. */
#include "app/project/read.h"
#include "base/file.h"
#include "base/option.h"
#include "base/rng.h"

#include <stdio.h>
#include <string.h>

static const char seed_text[] =
    "{ \"name\": \"lane\", \"target\": \"lp64\", \"char\": \"unsigned\",\n"
    "  \"sources\": [\"/dev/null\"], \"include_dirs\": [\"inc\"], \"defines\": [\"SIM=0\"],\n"
    "  \"cflags\": [], \"compile_commands\": null, \"init\": [\"RESTART\"], \"step\": \"lane\",\n"
    "  \"inputs\": [{\"name\": \"Bus.Speed\", \"min\": -10.5e-3, \"max\": 1E2}],\n"
    "  \"parameters\": [{\"name\": \"f::X[3]\", \"mode\": \"range\", \"min\": 0}],\n"
    "  \"assumptions\": [\"a \\u00e9 \\ud83d\\ude00 \\\\ \\\" <= 1\"], \"criteria\": [\"mcdc\"],\n"
    "  \"mcdc\": \"unique-cause\", \"asil\": \"B\", \"exclude\": [\"functions:Get\"],\n"
    "  \"seed\": 7, \"budget\": {\"goal_ticks\": 5, \"goal_seconds\": 1.5, \"jobs\": 3}}\n";

static const char *const pieces[] = {"{",
                                     "}",
                                     "[",
                                     "]",
                                     ",",
                                     ":",
                                     "\"",
                                     "null",
                                     "true",
                                     "-",
                                     "0",
                                     "1e400",
                                     "1e-400",
                                     ".",
                                     "\\u",
                                     "\\ud8",
                                     "\\u0000",
                                     "\"a\":",
                                     "{}",
                                     "[[[[",
                                     "\xc3",
                                     "\xff",
                                     "\xef\xbb\xbf",
                                     "\n",
                                     "//",
                                     "\t",
                                     "99999999999999999999"};
enum { PIECES = sizeof pieces / sizeof *pieces };

static void mutate(struct rng *rng, struct str *text) {
    struct str out = {0};
    size_t at = rng_below(rng, text->len + 1), cut = rng_below(rng, 3) ? 0 : rng_below(rng, 20);
    size_t from = at + cut < text->len ? at + cut : text->len;
    str_addn(&out, str_text(text), at);
    if (rng_below(rng, 2))
        str_add(&out, pieces[rng_below(rng, PIECES)]);
    else if (rng_below(rng, 2))
        str_addc(&out, (char)rng_below(rng, 256));
    else if (text->len > 0) {
        size_t start = rng_below(rng, text->len), n = rng_below(rng, 30);
        str_addn(&out, text->data + start, start + n < text->len ? n : text->len - start);
    }
    str_addn(&out, str_text(text) + from, text->len - from);
    str_free(text);
    *text = out;
}

static bool write_plain(const char *path, const struct str *text) {
    FILE *f = fopen(path, "w");
    bool good = f && fwrite(str_text(text), 1, text->len, f) == text->len;
    return f && fclose(f) == 0 && good;
}

/* NULL, or what is wrong with the answer. */
static const char *judge(const char *path, uint64_t *accepted) {
    struct project project;
    struct err err = {0};
    const char *fault = NULL;
    if (project_read(path, &project, &err)) {
        if (!project.step || !project.name || project.sources.len == 0)
            fault = "read, but incomplete";
        project_free(&project);
        ++*accepted;
    } else if (err.code != ERR_USAGE || err.message.len == 0 || err.line < 1 || err.col < 1) {
        fault = "refused without saying where";
    }
    if (strstr(str_text(&err.message), "cannot be read as JSON"))
        fault = "the scan and cJSON disagree";
    err_clear(&err);
    return fault;
}

static int run(const char *path, uint64_t seed, uint64_t count) {
    uint64_t accepted = 0;
    for (uint64_t i = 0; count == 0 || i < count; i++) {
        struct rng rng;
        struct str text = {0};
        rng_init(&rng, seed + i);
        str_add(&text, seed_text);
        for (uint64_t n = 1 + rng_below(&rng, 6); n > 0; n--)
            mutate(&rng, &text);
        const char *fault = write_plain(path, &text) ? judge(path, &accepted) : "cannot write";
        if (fault) {
            printf("seed %llu: %s\n", (unsigned long long)(seed + i), fault);
            write_plain("fuzz_project_failure.json", &text);
        }
        str_free(&text);
        if (fault)
            return 1;
        if (i % 100000 == 99999)
            fprintf(stderr, "%llu files\n", (unsigned long long)(i + 1));
    }
    printf("%llu files, %llu of them read\n", (unsigned long long)count,
           (unsigned long long)accepted);
    return accepted == 0;
}

int main(int argc, char **argv) {
    uint64_t seed = 1, count = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        uint64_t *value = str_same(argv[i], "--seed") ? &seed : &count;
        if (!parse_count(argv[i + 1], value))
            return 2;
    }
    struct str dir = {0};
    struct err err = {0};
    if (!file_temp_dir(&dir, &err)) {
        err_print(&err);
        return 2;
    }
    struct arena arena = {0};
    int code = run(path_join(&arena, str_text(&dir), "goalkeeper.json"), seed, count);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    arena_free(&arena);
    return code;
}
