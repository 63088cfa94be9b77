/* Variables for flags and sources, then a rule for each test; what make or a shell would read
 * otherwise is quoted, and a name over two lines, which no Makefile can hold, is refused. */
#include "app/export/makefile.h"

#include "base/tool.h"

#include <assert.h>
#include <string.h>

/* Text in a recipe or on the right of an assignment. */
static void make_text(const char *text, struct str *out) {
    for (const char *p = text; *p; p++)
        if (*p == '$')
            str_add(out, "$$");
        else if (*p == '#')
            str_add(out, "\\#");
        else
            str_addc(out, *p);
}

static bool one_line(const char *text, const char *what, struct err *err) {
    if (!strchr(text, '\n'))
        return true;
    err_set(err, ERR_USAGE, "no Makefile can hold the %s '%s'", what, text);
    return err_remedy(err, "rename it, so that it is on one line");
}

static bool add_flags(const struct fixture_unit *unit, const char *name, struct str *out,
                      struct err *err) {
    struct str words = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < unit->flags.len; i++) {
        ok = one_line(unit->flags.data[i], "flag", err);
        str_addc(&words, ' ');
        shell_word(unit->flags.data[i], &words);
    }
    str_addf(out, "%s =", name);
    make_text(str_text(&words), out);
    str_addc(out, '\n');
    str_free(&words);
    return ok;
}

static void add_tests(const struct runs *runs, bool suite, struct str *out) {
    str_add(out, suite ? "SUITE =" : "TESTS =");
    for (size_t i = 0; i < runs->list.len; i++) {
        const struct run *run = &runs->list.data[i];
        if (!run->problem && (!suite || run->in_suite))
            str_addf(out, " witness_%lld", (long long)run->witness);
    }
    str_addc(out, '\n');
}

/* Where it is here, and where Debian has it; the tests may be built on another machine. */
static void add_unity(struct str *out) {
    struct arena arena = {0};
    struct str words = {0};
    const char *own = tool_unity(&arena);
    str_add(out,
            "# The folder of unity.h and unity.c: UNITY_DIR, if it holds them, or where they are "
            "found.\nUNITY := $(shell for dir in \"$(UNITY_DIR)\" \"$(UNITY_DIR)/src\"");
    if (own) {
        str_addc(&words, ' ');
        shell_word(own, &words);
    }
    make_text(str_text(&words), out);
    str_add(out, " /usr/share/cmock/vendor/unity/src; \\\n"
                 "\tdo [ ! -e \"$$dir/unity.c\" ] || { echo \"$$dir\"; break; }; done)\n");
    str_free(&words);
    arena_free(&arena);
}

static bool add_settings(const struct runs *runs, enum test_form form, struct str *out,
                         struct err *err) {
    const char *dir = runs->fixture.dir;
    size_t len = strlen(dir);
    bool ok = one_line(dir, "directory", err);
    str_add(out, "# The directory of the project: sources and flags are relative to it.\n"
                 "export PROJECT := ");
    make_text(dir, out);
    str_addf(out, "%s\n", len && dir[len - 1] == '\\' ? "$(empty)" : "");
    str_add(out, "CC = cc\nCFLAGS = -Wall -Wextra\nLDFLAGS =\nLDLIBS = -lm\n");
    if (form == TEST_UNITY)
        add_unity(out);
    str_add(out,
            "COVERAGE_CC = clang-19\nLLVM_PROFDATA = llvm-profdata-19\n"
            "LLVM_COV = llvm-cov-19\n\n"
            "# What the C means on the target. The sources stand behind -idirafter: no header of "
            "theirs is "
            "hidden,\n# and what the compiler would say about them is left to their own build.\n");
    str_addf(out, "MEANING = %s\n", meaning_flags(runs));
    for (size_t u = 0; ok && u < runs->fixture.units.len; u++) {
        struct str name = {0};
        str_addf(&name, "FLAGS_%zu", u + 1);
        ok = add_flags(&runs->fixture.units.data[u], str_text(&name), out, err);
        str_free(&name);
    }
    str_add(out, "\n# One test a witness, and those that are enough for all goals together.\n");
    add_tests(runs, false, out);
    add_tests(runs, true, out);
    return ok;
}

static const char checks[] =
    "\n.PHONY: check suite coverage clean\n.DELETE_ON_ERROR:\n\n"
    "check: $(TESTS:%=build/%)\n\t@$(call run_all,$(TESTS))\n\n"
    "suite: $(SUITE:%=build/%)\n\t@$(call run_all,$(SUITE))\n\n"
    "run_all = failed=0; for test in $(1); do \\\n"
    "\t\tif out=$$(\"./build/$$test\" 2>&1); then :; \\\n"
    "\t\telse echo \"$$test: $$out\"; failed=$$((failed + 1)); fi; done; \\\n"
    "\techo \"$(words $(1)) tests, $$failed failed\"; test $$failed = 0\n\n";

/* `file` is the object or program, `extra` flags of this use. */
static void add_compile(const struct runs *runs, const char *cc, const char *base,
                        const char *extra, struct str *out) {
    size_t n = runs->fixture.units.len;
    assert(n > 0);
    str_addf(out, "\t@echo $@; mkdir -p $(@D); here=$$(pwd) && cd -- \"$$PROJECT\"");
    for (size_t u = 1; n > 1 && u <= n; u++) {
        str_addf(out,
                 " && \\\n\t$(%s) $(CFLAGS) $(FLAGS_%zu) $(MEANING) -idirafter . -DGK_UNIT=%zu", cc,
                 u, u);
        if (*extra)
            str_addf(out, extra, u);
        str_addf(out, " -c -o \"$$here/$@.%zu.o\" \"$$here/%s\"", u, base);
    }
    str_addf(out, " && \\\n\t$(%s) $(CFLAGS) $(FLAGS_1) $(MEANING) -idirafter .", cc);
    if (*extra)
        str_addf(out, extra, n > 1 ? 0 : (size_t)1);
    str_addf(out, " $(RUNNER) $(LDFLAGS) -o \"$$here/$@\" \"$$here/%s\"", base);
    for (size_t u = 1; n > 1 && u <= n; u++)
        str_addf(out, " \"$$here/$@.%zu.o\"", u);
    str_add(out, " $(LDLIBS)\n\n");
}

/* All tests call their main file by the same name, so that what clang counts in static functions
 * adds up; and the sources stand behind -idirafter, where only system headers are expected. */
static const char coverage_flags[] =
    " -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -mllvm "
    "-system-headers-coverage -Xclang -main-file-name -Xclang unit_%zu.c";

static const char coverage_end[] =
    "# clang counts what the suite executes. HTML: build/coverage/html/index.html\n"
    "coverage: $(SUITE:%=build/coverage/%)\n"
    "\t@test -n \"$(SUITE)\" || { echo there is no test; exit 1; }\n"
    "\t@set -e; cd build/coverage && rm -f *.profraw && for test in $(SUITE); do \\\n"
    "\t\tLLVM_PROFILE_FILE=$$test.profraw \"./$$test\" > /dev/null || exit 1; done\n"
    "\t$(LLVM_PROFDATA) merge -o build/coverage/suite.profdata "
    "$(SUITE:%=build/coverage/%.profraw)\n"
    "\t$(LLVM_COV) show -format=html -show-branches=count -show-mcdc "
    "-output-dir=build/coverage/html "
    "\\\n\t\t-instr-profile=build/coverage/suite.profdata "
    "-ignore-filename-regex='(witness_[0-9]+|unity)[.]' \\\n"
    "\t\tbuild/coverage/$(firstword $(SUITE))\n"
    "\t$(LLVM_COV) export -instr-profile=build/coverage/suite.profdata \\\n"
    "\t\t-ignore-filename-regex='(witness_[0-9]+|unity)[.]' "
    "build/coverage/$(firstword $(SUITE)) \\\n\t\t> build/coverage/coverage.json\n"
    "\t$(LLVM_COV) report -show-mcdc-summary -instr-profile=build/coverage/suite.profdata \\\n"
    "\t\t-ignore-filename-regex='(witness_[0-9]+|unity)[.]' "
    "build/coverage/$(firstword $(SUITE))\n\n"
    "clean:\n\trm -rf build\n";

bool test_makefile(const struct runs *runs, enum test_form form, struct str *out, struct err *err) {
    str_add(out, "# Written by Goalkeeper: tests of ");
    comment_text(runs->file.module.name, out);
    str_add(out, " from witnesses.\n#\n"
                 "#     make check       builds and runs all tests\n"
                 "#     make suite       only as many as all goals together need\n"
                 "#     make coverage    what clang counts when the suite runs\n#\n"
                 "# Other sources, compilers, flags: make check PROJECT=/elsewhere CC=clang\n\n");
    if (!add_settings(runs, form, out, err))
        return false;
    str_add(
        out,
        form == TEST_UNITY
            ? "RUNNER = $(if $(UNITY),-I \"$(UNITY)\" \"$(UNITY)/unity.c\",$(error Unity is not "
              "found: make UNITY_DIR=FOLDER with unity.h and unity.c))\n"
            : "RUNNER =\n");
    str_add(out, checks);
    str_add(out, "build/%: %.c Makefile\n");
    add_compile(runs, "CC", "$<", "", out);
    str_add(out, "build/coverage/%: %.c Makefile\n");
    add_compile(runs, "COVERAGE_CC", "$<", coverage_flags, out);
    str_add(out, coverage_end);
    return true;
}
