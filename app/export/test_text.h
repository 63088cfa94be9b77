/* test_text: one run as one C file, plain or for Unity.
 *
 * A module of one unit gives a file that includes the source and is compiled as it is. With several
 * units the file is compiled once a unit with -DGK_UNIT=1, 2 …, and once without; all objects
 * together are the program. Nothing in the file depends on time, place or machine. */
#ifndef APP_EXPORT_TEST_TEXT_H
#define APP_EXPORT_TEST_TEXT_H

#include "app/export/runs.h"

enum test_form { TEST_PLAIN, TEST_UNITY };

bool test_text(struct runs *runs, const struct run *run, enum test_form form, struct str *out,
               struct err *err);

/* The command that builds the file by hand, for a module of one unit. */
void test_command(const struct runs *runs, const char *file, struct str *out);

/* Text for a comment: on one line, without the marks of comments. */
void comment_text(const char *text, struct str *out);
/* Text as one word of the shell. */
void shell_word(const char *text, struct str *out);

/* Flags for what the C means (docs/semantics.md), beside those of the unit. */
const char *meaning_flags(const struct runs *runs);

/* test_body.c: the calls from initialisation to the goal. Says what of the runtime they need. */
struct test_needs {
    bool steps, digest, last_step, outputs;
};
bool test_body(struct runs *runs, const struct run *run, struct test_needs *needs, struct str *out,
               struct err *err);
/* A value as a C constant of its type. */
void value_constant(const struct module_var *v, uint64_t bits, struct str *out);

/* test_runtime.c: definitions that the fixture and the body use. */
void test_runtime(const struct runs *runs, const struct run *run, enum test_form form,
                  const struct test_needs *needs, struct str *out);
/* `word` stands in the text of some unit. */
bool units_mention(const struct runs *runs, const char *word);
bool unit_mentions(const struct fixture_unit *unit, const char *word);
/* Declarations of all that the text of one unit uses of the runtime. */
void test_declarations(const struct runs *runs, const struct fixture_unit *unit, struct str *out);

#endif
