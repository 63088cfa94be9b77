/* CI servers: pipelines of the same tasks. Nothing is shared between their machines but what a job
 * keeps as artefact, so the folder of the fleet is committed with the repository and its parts are
 * handed on. */
#include "app/fleet/plan.h"

#include "base/file.h"

/* GitLab makes at most 200 jobs of a matrix. */
enum { MOST_IN_MATRIX = 200 };

static void add_matrix(struct fleet *f, int phase, size_t from, size_t n, const char *name,
                       struct str *out) {
    str_addf(out, "%s:\n  stage: goalkeeper-%d\n  parallel:\n    matrix:\n      - TASK: [", name,
             phase);
    for (size_t i = 0; i < n; i++)
        str_addf(out, "%s\"%zu\"", i ? ", " : "", from + i + 1);
    str_addf(out, "]\n  timeout: %u minutes\n  script:\n    - bash %s/task.sh %s %d \"$TASK\"\n",
             (unsigned)(f->seconds / 60) + 11, f->dir, f->dir, phase);
    str_addf(out,
             "  retry:\n    max: 2\n    when: [runner_system_failure, stuck_or_timeout_failure]\n"
             "  when: always\n  artifacts:\n    when: always\n    expire_in: 1 week\n    paths:"
             "\n      - %s/parts\n      - %s/state\n      - %s/log\n\n",
             f->dir, f->dir, f->dir);
}

void gitlab_files(struct fleet *f) {
    struct str out = {0};
    str_add(&out, "# " FILE_MARK ": include this file, or copy it. Each job needs an image with\n"
                  "# goalkeeper in it (docs/ci.md).\nstages:\n");
    for (int phase = 1; phase <= FLEET_PHASES; phase++)
        if (fleet_tasks(f, phase) > 0)
            str_addf(&out, "  - goalkeeper-%d\n", phase);
    str_add(&out, "  - goalkeeper-collect\n\n");
    for (int phase = 1; phase <= FLEET_PHASES; phase++)
        for (size_t from = 0, n = fleet_tasks(f, phase); from < n; from += MOST_IN_MATRIX)
            add_matrix(
                f, phase, from, n - from < MOST_IN_MATRIX ? n - from : MOST_IN_MATRIX,
                arena_printf(&f->arena, "goalkeeper-%d-%zu", phase, from / MOST_IN_MATRIX + 1),
                &out);
    str_addf(&out,
             "goalkeeper-collect:\n  stage: goalkeeper-collect\n  when: always\n  script:\n"
             "    - bash %s/collect.sh %s\n  artifacts:\n    when: always\n    paths:\n"
             "      - %s/results\n      - %s/report\n    reports:\n      junit: "
             "%s/report/junit.xml\n",
             f->dir, f->dir, f->dir, f->dir, f->dir);
    fleet_file(f, "fleet.gitlab-ci.yml", str_text(&out));
    str_free(&out);
}

/* What the tasks before `phase` have brought back, there again. */
static void add_unstash(struct fleet *f, int phase, const char *indent, struct str *out) {
    for (int before = 1; before < phase; before++)
        if (fleet_tasks(f, before) > 0)
            str_addf(out, "%sfor (int i = 1; i <= %zu; i++) { unstash \"goalkeeper-%d-${i}\" }\n",
                     indent, fleet_tasks(f, before), before);
}

static void add_stage(struct fleet *f, int phase, struct str *out) {
    struct str earlier = {0};
    add_unstash(f, phase, "                ", &earlier);
    str_addf(out,
             "    stage('goalkeeper %d') {\n        parallel((1..%zu).collectEntries { n ->\n"
             "            [\"task ${n}\": { node {\n                checkout scm\n%s"
             "                sh script: \"bash %s/task.sh %s %d ${n}\", returnStatus: true\n"
             "                stash name: \"goalkeeper-%d-${n}\", includes: '%s/parts/**, "
             "%s/state/**, %s/log/**', allowEmpty: true\n            } }]\n        })\n    }\n",
             phase, fleet_tasks(f, phase), str_text(&earlier), f->dir, f->dir, phase, phase, f->dir,
             f->dir, f->dir);
    str_free(&earlier);
}

void jenkins_files(struct fleet *f) {
    struct str out = {0};
    str_add(&out,
            "// " FILE_MARK ": a scripted pipeline. Each node needs goalkeeper (docs/ci.md).\n"
            "timestamps {\n");
    for (int phase = 1; phase <= FLEET_PHASES; phase++)
        if (fleet_tasks(f, phase) > 0)
            add_stage(f, phase, &out);
    str_add(&out, "    node {\n        stage('goalkeeper collect') {\n            checkout scm\n");
    add_unstash(f, FLEET_PHASES + 1, "            ", &out);
    str_addf(
        &out,
        "            try {\n                sh 'bash %s/collect.sh %s'\n            } finally "
        "{\n                junit testResults: '%s/report/junit.xml', allowEmptyResults: true\n"
        "                archiveArtifacts artifacts: '%s/results/**, %s/report/**'\n"
        "            }\n        }\n    }\n}\n",
        f->dir, f->dir, f->dir, f->dir, f->dir);
    fleet_file(f, "Jenkinsfile", str_text(&out));
    str_free(&out);
}
