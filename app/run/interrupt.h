/* interrupt: Ctrl-C, SIGTERM and the end of the terminal stop a run in good order: nothing new is
 * started, what is known is stored, the summary is printed. Another signal, later, ends the process
 * at once; the database takes that, too. Signals that are ignored (nohup) stay ignored. Output that
 * cannot be written raises no signal either. */
#ifndef APP_RUN_INTERRUPT_H
#define APP_RUN_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void); /* from now on */
bool interrupted(void);
int interrupt_exit_code(void); /* as a shell says it: 130 for Ctrl-C, 143 for SIGTERM; 0: none */

#endif
