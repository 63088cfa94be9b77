#include "instrument/weave/known_names.h"

#include "base/texts.h"
#include "instrument/inputs/foreign.h"

#include <assert.h>
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Beside what foreign_is_library() lists. Some have forms for float and long double as well. */
static const char *const names[] = {
    "abort",       "aligned_alloc",
    "alloca",      "bcmp",
    "bcopy",       "bzero",
    "carg",        "conj",
    "cimag",       "creal",
    "drem",        "exit",
    "_exit",       "_Exit",
    "exp10",       "fegetround",
    "ffs",         "ffsl",
    "ffsll",       "finite",
    "fprintf",     "fputc",
    "fputs",       "fscanf",
    "fwrite",      "gamma",
    "gammaln",     "getcontext",
    "imaxabs",     "index",
    "isalnum",     "isalpha",
    "isascii",     "isblank",
    "iscntrl",     "isdigit",
    "isgraph",     "islower",
    "isprint",     "ispunct",
    "isspace",     "isupper",
    "isxdigit",    "j0",
    "j1",          "jn",
    "malloc",      "memccpy",
    "mempcpy",     "nan",
    "nexttoward",  "posix_memalign",
    "pow10",       "printf",
    "putc",        "putchar",
    "puts",        "quick_exit",
    "rindex",      "roundeven",
    "scalb",       "scanf",
    "significand", "sincos",
    "snprintf",    "sprintf",
    "sscanf",      "stpcpy",
    "stpncpy",     "strcasecmp",
    "strcat",      "strchr",
    "strcpy",      "strcspn",
    "strdup",      "strlcat",
    "strlcpy",     "strncasecmp",
    "strncat",     "strncpy",
    "strndup",     "strnlen",
    "strpbrk",     "strrchr",
    "strspn",      "strstr",
    "strtod",      "strtok",
    "strtol",      "strtoul",
    "toascii",     "tolower",
    "toupper",     "va_copy",
    "vfork",       "vprintf",
    "vsnprintf",   "vsprintf",
    "y0",          "y1",
    "yn",          "__assert_fail",
    "__assert",
};

static bool is_listed(const char *name, size_t len) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
            return true;
    return false;
}

bool name_is_known(const char *name) {
    assert(name);
    size_t len = strlen(name);
    bool has_suffix = len > 1 && (name[len - 1] == 'f' || name[len - 1] == 'l');
    return foreign_is_library(name) || is_listed(name, len) ||
           (has_suffix && is_listed(name, len - 1));
}

bool name_in_c_library(const char *name) {
    static const char *const libraries[] = {"libc.so.6", "libm.so.6"};
    bool found = false;
    assert(name);
    for (int i = 0; i < 2 && !found; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY);
        found = library && dlsym(library, name);
        if (library)
            dlclose(library);
    }
    return found;
}
