/* make_runtime: the object files of the runtime, when Goalkeeper is built (CMakeLists.txt). Where
 * they cannot be made (no headers for 32 bit), each run makes its own, so that is no failure. */
#include "instrument/native/build.h"

#include <stdio.h>

int main(int argc, char **argv) {
    struct err err = {0};
    if (argc != 2) {
        fprintf(stderr, "usage: make_runtime DIR\n");
        return 2;
    }
    if (!native_make_runtime(argv[1], &err))
        err_print(&err);
    return 0;
}
