/* fixture_write: the fixture of a module, from what the interface has found out.
 *
 * Called once, when the harness is written: inputs have their ids and the stubs are known. */
#ifndef INSTRUMENT_WEAVE_FIXTURE_WRITE_H
#define INSTRUMENT_WEAVE_FIXTURE_WRITE_H

#include "instrument/weave/fixture.h"
#include "instrument/inputs/interface_parts.h"

/* `fixture` is zeroed. Fails only when the flags of a source cannot be read. */
bool fixture_write(struct interface *in, struct fixture *fixture, struct err *err);

#endif
