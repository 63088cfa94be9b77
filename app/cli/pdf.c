#include "app/cli/pdf.h"

#include "base/child.h"
#include "base/file.h"
#include "base/tool.h"

#include <stdlib.h>
#include <unistd.h>

enum { PRINT_SECONDS = 300 };

static const char *const browsers[] = {"chromium", "chromium-browser", "google-chrome"};

/* Its profile is thrown away with the folder it is in. */
static bool print(const char *browser, const char *dir, const char *profile, struct arena *arena,
                  struct err *err) {
    char *real = realpath(dir, NULL);
    const char *argv[] = {browser,
                          "--headless",
                          "--disable-gpu",
                          "--disable-dev-shm-usage",
                          "--no-first-run",
                          "--disable-extensions",
                          "--disable-background-networking",
                          "--no-pdf-header-footer",
                          geteuid() == 0 ? "--no-sandbox" : "--disable-sync",
                          arena_printf(arena, "--user-data-dir=%s", profile),
                          arena_printf(arena, "--print-to-pdf=%s/report.pdf", real ? real : dir),
                          arena_printf(arena, "file://%s/report.html", real ? real : dir),
                          NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = PRINT_SECONDS};
    struct child_result result = {0};
    bool ran = child_run(&spec, &result, err);
    bool good = ran && result.end == CHILD_EXITED && result.code == 0 &&
                file_exists(path_join(arena, dir, "report.pdf"));
    if (ran && !good) {
        err_set(err, ERR_USAGE, "%s did not print %s/report.html", browser, dir);
        err_remedy(err, "open it in a browser and print it to a file");
    }
    child_result_free(&result);
    free(real);
    return good;
}

bool pdf_print(const char *dir, struct err *err) {
    struct arena arena = {0};
    struct str profile = {0};
    const char *browser = tool_find(&arena, "", browsers, sizeof browsers / sizeof *browsers);
    bool good = browser != NULL;
    if (!good) {
        err_set(err, ERR_USAGE, "there is no Chromium to make a PDF with");
        err_remedy(err,
                   "install one (Debian: apt install chromium), or print %s/report.html in "
                   "another browser",
                   dir);
    }
    good = good && file_temp_dir(&profile, err) &&
           print(browser, dir, str_text(&profile), &arena, err);
    if (profile.len)
        file_remove_tree(str_text(&profile));
    str_free(&profile);
    arena_free(&arena);
    return good;
}
