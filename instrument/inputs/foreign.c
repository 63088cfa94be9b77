#include "instrument/inputs/foreign.h"

#include "instrument/syntax/float_modes.h"

#include <string.h>

/* Consumers know these exactly, as an enclosure, or report them themselves. */
static const char *const library[] = {
    "abs",       "acos",      "acosh",  "asin",     "asinh",     "atan",       "atan2",
    "atanh",     "calloc",    "cbrt",   "ceil",     "copysign",  "cos",        "cosh",
    "erf",       "erfc",      "exp",    "exp2",     "expm1",     "fabs",       "fdim",
    "floor",     "fma",       "fmax",   "fmin",     "fmod",      "fpclassify", "free",
    "frexp",     "hypot",     "ilogb",  "isfinite", "isinf",     "isnan",      "labs",
    "ldexp",     "lgamma",    "llabs",  "llrint",   "llround",   "log",        "log10",
    "log1p",     "log2",      "logb",   "longjmp",  "lrint",     "lround",     "malloc",
    "memchr",    "memcmp",    "memcpy", "memmove",  "memset",    "modf",       "nan",
    "nearbyint", "nextafter", "pow",    "realloc",  "remainder", "remquo",     "rint",
    "round",     "scalbln",   "scalbn", "setjmp",   "signbit",   "sin",        "sinh",
    "sqrt",      "strcmp",    "strlen", "strncmp",  "tan",       "tanh",       "tgamma",
    "trunc",
};

static bool is_one_of(const char *name, size_t len, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strlen(list[i]) == len && memcmp(list[i], name, len) == 0)
            return true;
    return false;
}

bool foreign_is_builtin(const char *name) {
    return str_starts(name, "__builtin_") || str_starts(name, "__sync_") ||
           str_starts(name, "__atomic_");
}

bool foreign_is_library(const char *name) {
    size_t n = sizeof library / sizeof *library, len = strlen(name);
    if (foreign_is_builtin(name) || str_starts(name, "__fpclassify") || str_starts(name, "__is") ||
        str_starts(name, "__signbit") || float_mode_on_host(name))
        return true;
    while (name[0] == '_') { /* _setjmp, __finite */
        name++;
        len--;
    }
    return is_one_of(name, len, library, n) ||
           (len > 1 && name[len - 1] == 'f' && is_one_of(name, len - 1, library, n));
}

bool foreign_ends_run(const char *name) {
    static const char *const names[] = {"abort",         "exit",     "_Exit", "quick_exit",
                                        "__assert_fail", "__assert", "_exit"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_same(name, names[i]))
            return true;
    return false;
}

bool foreign_needs_stub(const struct routine *f) {
    return !f->has_body && (f->called || f->object != NOTHING) && !foreign_is_library(f->name) &&
           !str_starts(f->name, "gk_");
}
