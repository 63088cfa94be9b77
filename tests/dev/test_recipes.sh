#!/bin/sh
# Follows recipes of CONTRIBUTING.md in a copy of the sources: the places that they name are there, a
# row without its code is found, and with it everything that reads the table compiles.
#   test_recipes.sh SOURCE BUILD
set -eu

source=$1
build=$2
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cd "$source"
cp -r app base coverage db engines instrument model report CONTRIBUTING.md "$copy"
mkdir "$copy/tests"
cd "$copy"

fail() {
    echo "test_recipes: $*" >&2
    exit 1
}

named() { # PATH…: the document tells of it
    for path in "$@"; do
        grep -qF "$path" CONTRIBUTING.md || fail "CONTRIBUTING.md does not name $path"
        [ -e "$path" ] || fail "$path is not there"
    done
}

gate() { # NAME: finds nothing
    "$build/tests/gates" "$copy" "$build" "$1" >out || { cat out >&2; fail "gate $1"; }
}

lacks() { # ROW: nobody reads it yet
    ! "$build/tests/gates" "$copy" "$build" rows >out || fail "a row without code is not found: $1"
    grep -q "the row $1\$" out || { cat out >&2; fail "not this row: $1"; }
}

compile() { # FILE…
    for file in "$@"; do
        cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wno-missing-field-initializers -Werror -fsyntax-only \
            -I. -isystem /usr/lib/llvm-19/include "$file" || fail "$file does not compile"
    done
}

readers() { # TABLE: the sources that include it themselves
    grep -rlF "#include \"$1\"" --include='*.c' . || fail "nobody includes $1"
}

follow() { # TABLE FILE…: everything is there
    table=$1
    shift
    # shellcheck disable=SC2046 # no name has a blank
    compile $(readers "$table") "$@"
    for name in rows comments layers rooms function_length; do
        gate "$name"
    done
}

# A criterion.
named coverage/criteria.def instrument/goals/listing.h
printf '%s\n' 'CRITERION(recipe, 0, 0, 0, "the body of a function is entered, once more")' >>coverage/criteria.def
lacks recipe
sed -e 's/criterion_function/criterion_recipe/; s/GOAL_function/GOAL_recipe/; s/^.. function:/\/* recipe:/' \
    instrument/goals/criterion_function.c >instrument/goals/criterion_recipe.c
follow coverage/criteria.def instrument/goals/criterion_recipe.c instrument/goals/listing.c

# An engine on the model, with a switch and a counter.
named engines/engines.def engines/engine.h engines/knobs.def engines/stats.def engines/k_induction.c
printf '%s\n' 'ENGINE(recipe, MODEL, 0, 1000, "gives up")' >>engines/engines.def
printf '%s\n' 'KNOB(recipe_steps, uint32_t, 3, "recipe-steps", "recipe: after so many steps")' >>engines/knobs.def
printf '%s\n' 'STAT(recipes, "times given up")' >>engines/stats.def
lacks recipes
cat >engines/recipe.c <<'C'
/* recipe: an engine that gives up after some steps. */
#include "base/mem.h"
#include "engines/engine.h"

struct recipe {
    struct engine_input input;
    uint32_t steps;
};

static void *recipe_open(const struct engine_input *input) {
    struct recipe *r = mem_zalloc(1, sizeof *r);
    r->input = *input;
    return r;
}

static enum engine_status recipe_step(void *state, uint64_t ticks) {
    struct recipe *r = state;
    (void)ticks;
    if (r->steps++ < r->input.options.knobs.recipe_steps)
        return ENGINE_MORE;
    WINDOW_ADD(r->input.window, stats.recipes, 1);
    return ENGINE_GAVE_UP;
}

static void recipe_close(void *state) {
    mem_free(state);
}

const struct engine engine_recipe = {
    .open = recipe_open,
    .step = recipe_step,
    .close = recipe_close,
};
C
follow engines/engines.def engines/recipe.c engines/knobs.c

# A report format.
named report/formats.def
printf '%s\n' 'FORMAT(recipe, "recipe.txt", "recipe\n", "one line")' >>report/formats.def
cat >report/recipe.c <<'C'
/* recipe: one line. */
#include "report/report.h"

void report_recipe(struct report_data *d, const struct report_options *options, struct str *out) {
    (void)options;
    str_addf(out, "recipe\n%zu\n", d->goals.len);
}
C
follow report/formats.def report/recipe.c

# A command with an option of its own.
named app/cli/commands.def app/cli/options.def
printf '%s\n' 'COMMAND(recipe, "", 0, 0, "says what it is told", "goalkeeper recipe --dish soup")' >>app/cli/commands.def
lacks recipe
printf '%s\n' 'OPTION(dish, TEXT, ON(recipe), "dish", 0, "NAME", "soup", "what to say")' >>app/cli/options.def
cat >app/cli/cmd_recipe.c <<'C'
#include "app/cli/command.h"

#include <stdio.h>

int cmd_recipe(const struct options *o) {
    puts(o->dish);
    return 0;
}
C
follow app/cli/options.def app/cli/cmd_recipe.c

# A function of the C library, which is an operator.
named instrument/lower/library/library.def
printf '%s\n' 'LIBRARY(recipe, FABS)' >>instrument/lower/library/library.def
follow instrument/lower/library/library.def
