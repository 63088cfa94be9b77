#include "app/audit/signature.h"

#include "base/child.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SPACE "goalkeeper" /* what the signature is for, so that one for something else is none */

/* The first line of what ssh-keygen says; false when it says no. */
static bool ask(const char *const *argv, const struct str *input, struct str *said,
                struct err *err) {
    struct child_result result;
    struct child_spec spec = {.argv = argv,
                              .input = input ? input->data : NULL,
                              .input_size = input ? input->len : 0,
                              .wall_seconds = 60,
                              .output_bytes = 1 << 16};
    if (!child_run(&spec, &result, err))
        return false;
    bool good = result.end == CHILD_EXITED && result.code == 0;
    const struct str *text = good ? &result.out : &result.err;
    str_clear(said);
    str_addn(said, str_text(text), strcspn(str_text(text), "\n"));
    child_result_free(&result);
    return good;
}

static bool refuse(const char *file, const struct str *why, struct err *err) {
    if (err->code != ERR_NONE)
        return false;
    err_set(err, ERR_EVIDENCE, "%s is not what somebody of the list has signed%s%s", file,
            why->len ? ": " : "", str_text(why));
    return err_remedy(err, "was it written to since? 'ssh-keygen -Y sign -n " SPACE
                           " -f KEY FILE' signs it anew");
}

/* An empty log is what readers of the database make. */
static bool holds_something(const char *file) {
    struct stat info;
    return lstat(file, &info) == 0 && (!S_ISREG(info.st_mode) || info.st_size > 0);
}

/* What a reader takes beside the file must not be there: SQLite looks where a link leads. */
static bool stands_alone(const char *file, struct err *err) {
    static const char *const others[] = {"-wal", "-journal"};
    struct arena arena = {0};
    char *real = realpath(file, NULL);
    const char *found = NULL, *places[] = {file, real ? real : file};
    for (size_t i = 0; i < 2 * (sizeof others / sizeof *others) && !found; i++) {
        const char *name = arena_printf(&arena, "%s%s", places[i / 2], others[i % 2]);
        found = holds_something(name) ? name : NULL;
    }
    free(real);
    if (found)
        err_set(err, ERR_EVIDENCE, "%s belongs to the database and is not signed", found);
    arena_free(&arena);
    return !found;
}

bool signature_check(const char *file, const char *signature, const char *signers, struct str *who,
                     struct err *err) {
    const char *find[] = {"ssh-keygen", "-Y", "find-principals", "-s",
                          signature,    "-f", signers,           NULL};
    struct str content = {0}, said = {0};
    bool good =
        stands_alone(file, err) && file_read(file, &content, err) && ask(find, NULL, &said, err);
    const char *name = good ? str_text(&said) : "";
    struct str principal = {0};
    str_addn(&principal, name, strcspn(name, ", "));
    const char *verify[] = {"ssh-keygen",         "-Y", "verify", "-f", signers,   "-I",
                            str_text(&principal), "-n", SPACE,    "-s", signature, NULL};
    good = good && principal.len > 0 && ask(verify, &content, &said, err);
    if (good)
        str_add(who, str_text(&principal));
    else
        refuse(file, &said, err);
    str_free(&principal);
    str_free(&said);
    str_free(&content);
    return good;
}
