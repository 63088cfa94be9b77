#include "instrument/inputs/guess.h"

#include "base/mem.h"
#include "instrument/inputs/guess_parts.h"
#include "instrument/weave/hoist.h"

#include <assert.h>

enum { GUESSED_LENGTH = 16 }; /* of arrays that are defined elsewhere */

/* The project as it would be read back: step and init functions are known now. */
static void complete(const struct guess *guess, const struct project *from, struct project *to) {
    assert(guess->step.name);
    *to = *from;
    to->step = guess->step.name;
    to->init = (struct texts){0};
    for (size_t i = 0; i < guess->init.len; i++)
        vec_push(&to->init, guess->init.data[i].name);
}

static void keep_limitations(struct guess *guess, const struct goals *goals) {
    for (size_t i = 0; i < goals->limitations.len; i++) {
        const struct limitation *l = &goals->limitations.data[i];
        vec_push(&guess->notes,
                 arena_printf(&guess->arena, "%s:%d: %s", l->file, l->line, l->text));
    }
}

/* The file is worth writing without variables, too: the user can add what is missing. */
static void note_failure(struct guess *guess, struct err *why) {
    assert(why->code != ERR_NONE);
    vec_push(&guess->notes, arena_printf(&guess->arena, "inputs could not be listed: %s%s%s",
                                         str_text(&why->message), why->remedy.len ? "; " : "",
                                         str_text(&why->remedy)));
    err_clear(why);
}

/* Ranges from files of the user's come before comments, and before what types say. */
static void take_ranges(struct guess *guess, struct interface *in) {
    for (size_t i = 0; guess->ranges && i < in->cells.len; i++) {
        struct cell *cell = &in->cells.data[i];
        range_table_find(guess->ranges, cell->path, cell->leaf.scalar, &cell->range,
                         &cell->range_from);
    }
}

static bool guess_units(struct guess *guess, const struct project *project,
                        const struct unit *units, struct goals *goals, struct err *err) {
    struct names names = {0};
    struct interface in = {.project = project, .units = units, .n_units = project->sources.len};
    struct project completed = {0};
    in.goals = goals;
    scan_units(&in.scan, units, in.n_units, goals);
    names_choose(&names, &in);
    bool good = guess_entries(guess, &in, err);
    if (good) {
        struct err why = {0};
        complete(guess, project, &completed);
        in.project = &completed;
        in.guessed_length = GUESSED_LENGTH;
        if (interface_explore(&in, &why)) {
            take_ranges(guess, &in);
            guess_vars(guess, &in);
        } else {
            note_failure(guess, &why);
        }
        keep_limitations(guess, goals);
        vec_free(&completed.init);
    }
    interface_release(&in);
    names_free(&names);
    return good;
}

bool guess_project(const struct project *project, struct guess *guess, struct err *err) {
    size_t n = project->sources.len, opened = 0;
    assert(n > 0);
    struct unit *units = mem_zalloc(n, sizeof *units);
    struct goals goals = {0};
    bool good = true;
    for (; good && opened < n; opened += good)
        good = unit_open(&units[opened], project, project->sources.data[opened], err);
    good = good && guess_units(guess, project, units, &goals, err);
    for (size_t i = 0; i < opened; i++)
        unit_close(&units[i]);
    goals_free(&goals);
    mem_free(units);
    return good;
}

void guess_free(struct guess *guess) {
    vec_free(&guess->init);
    vec_free(&guess->vars);
    vec_free(&guess->notes);
    arena_free(&guess->arena);
    *guess = (struct guess){0};
}
