/* listed: the goals and the woven text of C sources, without the harness. */
#ifndef TESTS_LISTED_H
#define TESTS_LISTED_H

#include "base/file.h"
#include "base/mem.h"
#include "instrument/goals/implications.h"
#include "instrument/goals/listing.h"

#include "unity.h"

#include <stdlib.h>

enum { LISTED_MOST_UNITS = 4 };

struct listed {
    struct goals goals;
    struct str text[LISTED_MOST_UNITS]; /* woven, one per unit */
    size_t units;
};

/* Lists the sources of the project; fails the test on an error. */
static void listed_open(struct listed *listed, const struct project *project) {
    struct unit units[LISTED_MOST_UNITS] = {0};
    struct tree trees[LISTED_MOST_UNITS] = {0};
    struct edits edits[LISTED_MOST_UNITS] = {0};
    struct callgraph graph = {0};
    struct err err = {0};
    listed->units = project->sources.len;
    TEST_ASSERT_LESS_OR_EQUAL(LISTED_MOST_UNITS, listed->units);
    for (size_t i = 0; i < listed->units; i++) {
        bool good = unit_open(&units[i], project, project->sources.data[i], &err);
        TEST_ASSERT_TRUE_MESSAGE(good, str_text(&err.message));
        tree_build(&trees[i], &units[i], (uint32_t)i);
    }
    callgraph_build(&graph, trees, listed->units, &listed->goals);
    goals_list(project, trees, &graph, edits, &listed->goals);
    implications_finish(&listed->goals, &graph, project);
    for (size_t i = 0; i < listed->units; i++) {
        edits_apply(&edits[i], units[i].text, units[i].len, &listed->text[i]);
        tree_free(&trees[i]);
        edits_free(&edits[i]);
        unit_close(&units[i]);
    }
    callgraph_free(&graph);
}

static void listed_close(struct listed *listed) {
    goals_free(&listed->goals);
    for (size_t i = 0; i < listed->units; i++)
        str_free(&listed->text[i]);
    *listed = (struct listed){0};
}

#endif
