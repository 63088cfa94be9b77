#include "app/cli/dump.h"

#include "base/file.h"

#include <stdio.h>

static const char mark[] = "system 1 ";

bool dump_model(const struct system *sys, const char *path, struct err *err) {
    struct str text = {0};
    bool ok = true;
    system_write(sys, &text);
    assert(str_starts(str_text(&text), mark));
    if (str_same(path, "-"))
        ok = fwrite(text.data, 1, text.len, stdout) == text.len && fflush(stdout) == 0;
    else
        ok = file_write_ours(path, text.data, text.len, mark, err);
    str_free(&text);
    return ok || err_set(err, ERR_USAGE, "cannot write the model");
}
