#include "coverage/project.h"

static const char default_asil[] = "D";

bool project_names_asil(const struct project *project) {
    return project->asil != default_asil;
}

const char *project_target(const struct project *project) {
    return project->ilp32 ? "ilp32" : "lp64";
}

const char *project_char(const struct project *project) {
    return project->char_is_signed ? "signed" : "unsigned";
}

void project_defaults(struct project *project) {
    *project = (struct project){0};
    project->file = "";
    project->dir = "";
    project->name = "module";
    project->asil = default_asil;
    project->ilp32 = true;
    project->char_is_signed = true;
    for (int kind = 0; kind < GOAL_KINDS; kind++)
        project->criteria[kind] = criteria[kind].on;
    project->goal_seconds = 60;
    project->total_seconds = 3600;
    project->memory_mb = 4096;
    project->seed = 1;
}

void project_free(struct project *project) {
    struct texts *lists[] = {&project->sources, &project->include_dirs, &project->defines,
                             &project->cflags,  &project->init,         &project->assumptions,
                             &project->exclude, &project->engines,      &project->engine_options,
                             &project->named};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        vec_free(lists[i]);
    vec_free(&project->vars);
    vec_free(&project->path_map);
    arena_free(&project->arena);
    *project = (struct project){0};
}
