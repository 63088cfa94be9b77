#include "bench/engines.h"

#include "base/file.h"

enum {
    SAMPLE_GOALS = 10,
    OTHERS = 3, /* of generated goals that need no invariant every third is taken */
};

static struct bench_module *open_module(struct bench_set *set, const char *dir, struct err *err) {
    struct bench_module *m = arena_array(&set->arena, struct bench_module, 1);
    struct lower_options options = {0};
    if (!project_read(path_join(&set->arena, dir, "goalkeeper.json"), &m->project, err) ||
        !weave(&m->project, &m->woven, err))
        return NULL;
    options.n_probes = m->woven.goals.n_probes;
    terms_init(&m->terms);
    system_init(&m->sys, &m->terms);
    if (!lower(str_text(&m->woven.text), &m->woven.module, &options, &m->sys, &m->lowered, err))
        return NULL;
    vec_push(&set->modules, m);
    return m;
}

static uint32_t target_of(const struct bench_module *m, uint32_t probe) {
    for (uint32_t t = 0; t < m->sys.targets.len; t++)
        if (m->sys.targets.data[t].kind == TARGET_GOAL && m->sys.targets.data[t].id == probe)
            return t;
    return NONE;
}

/* So that at least half of all goals need an invariant. */
static bool is_taken(const struct generated_goal *marked, size_t *others) {
    return marked->needs_state || (*others)++ % OTHERS == 0;
}

static void add_marked(struct bench_set *set, struct bench_module *m,
                       const struct generated_goal *marked) {
    for (size_t k = 0; k < m->woven.goals.list.len; k++) {
        const struct goal *goal = &m->woven.goals.list.data[k];
        if (goal->kind != GOAL_statement || goal->line != marked->line)
            continue;
        struct bench_goal one = {.module = m,
                                 .target = target_of(m, goal->probe),
                                 .probe = goal->probe,
                                 .truth = marked->truth,
                                 .needs_state = marked->needs_state,
                                 .block = marked->block,
                                 .line = marked->line};
        if (one.target != NONE)
            vec_push(&set->goals, one);
        return;
    }
}

static bool add_generated(struct bench_set *set, const char *name,
                          const struct generate_options *options, struct err *err) {
    struct generated g;
    const char *dir = path_join(&set->arena, str_text(&set->dir), name);
    generate_module(&g, options);
    bool ok =
        file_make_dirs(dir, err) &&
        file_write(path_join(&set->arena, dir, "module.c"), g.source.data, g.source.len, err) &&
        file_write(path_join(&set->arena, dir, "goalkeeper.json"), g.project.data, g.project.len,
                   err);
    struct bench_module *m = ok ? open_module(set, dir, err) : NULL;
    size_t others = 0;
    for (size_t i = 0; m && i < g.goals.len; i++)
        if (options->hard || is_taken(&g.goals.data[i], &others))
            add_marked(set, m, &g.goals.data[i]);
    if (m)
        m->name = name;
    generated_free(&g);
    return m != NULL;
}

/* Some probes of a sample, evenly spread. */
static bool add_sample(struct bench_set *set, const char *name, struct err *err) {
    const char *dir = arena_printf(&set->arena, "%s/samples/%s", GK_SOURCE_DIR, name);
    struct bench_module *m = open_module(set, dir, err);
    if (!m)
        return false;
    m->name = name;
    uint32_t n = m->woven.goals.n_probes, step = n / SAMPLE_GOALS ? n / SAMPLE_GOALS : 1;
    for (uint32_t p = step / 2; p < n; p += step) {
        struct bench_goal one = {
            .module = m, .target = target_of(m, p), .probe = p, .block = "probe"};
        if (one.target != NONE)
            vec_push(&set->goals, one);
    }
    return true;
}

static void keep_only(struct bench_set *set, const char *only) {
    size_t kept = 0;
    for (size_t i = 0; i < set->goals.len; i++) {
        const struct bench_goal *g = &set->goals.data[i];
        unsigned number = g->line ? (unsigned)g->line : g->probe;
        if (strstr(arena_printf(&set->arena, "%s:%u", g->module->name, number), only))
            set->goals.data[kept++] = *g;
    }
    set->goals.len = kept;
}

/* Saves work where the name of the module alone decides. */
static bool is_wanted(const char *name, const char *only) {
    return !only || strncmp(name, only, strcspn(only, ":")) == 0 || strstr(name, only);
}

bool bench_set_collect(struct bench_set *set, uint64_t seed, const char *only, struct err *err) {
    static const char *const samples[] = {"door_debounce", "pid_fixed",   "cruise_control",
                                          "lane_assist",   "battery_soc", "can_guard",
                                          "multi_unit"};
    static const unsigned sizes[] = {150, 250, 400, 600, 900, 1200, 1500};
    if (!file_temp_dir(&set->dir, err))
        return false;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        if (is_wanted(samples[i], only) && !add_sample(set, samples[i], err))
            return false;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *name = arena_printf(&set->arena, "generated-%u-%llu", sizes[i],
                                        (unsigned long long)(seed + i));
        struct generate_options options = {.seed = seed + i, .lines = sizes[i]};
        if (is_wanted(name, only) && !add_generated(set, name, &options, err))
            return false;
    }
    if (only)
        keep_only(set, only);
    return true;
}

bool bench_set_hard(struct bench_set *set, uint64_t seed, unsigned modules, unsigned lines,
                    struct err *err) {
    if (!file_temp_dir(&set->dir, err))
        return false;
    for (unsigned i = 0; i < modules; i++) {
        struct generate_options options = {.seed = seed + i, .lines = lines, .hard = true};
        const char *name = arena_printf(&set->arena, "hard-%llu", (unsigned long long)(seed + i));
        if (!add_generated(set, name, &options, err))
            return false;
    }
    return true;
}

void bench_set_free(struct bench_set *set) {
    for (size_t i = 0; i < set->modules.len; i++) {
        struct bench_module *m = set->modules.data[i];
        lowered_free(&m->lowered);
        system_free(&m->sys);
        terms_free(&m->terms);
        woven_free(&m->woven);
        project_free(&m->project);
    }
    if (set->dir.len)
        file_remove_tree(str_text(&set->dir));
    str_free(&set->dir);
    vec_free(&set->modules);
    vec_free(&set->goals);
    arena_free(&set->arena);
}
