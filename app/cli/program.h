/* program: everything that the command line does. app/cli/launch.c calls it, from the library that
 * holds the whole program or, when a library of the system is missing, from its own small copy. */
#ifndef APP_CLI_PROGRAM_H
#define APP_CLI_PROGRAM_H

/* Gives the exit code. The one name that the library shows to the outside. */
__attribute__((visibility("default"))) int goalkeeper_main(int argc, char **argv);

#endif
