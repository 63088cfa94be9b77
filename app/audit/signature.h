/* signature: who has signed a database, by `ssh-keygen -Y`.
 *
 *     ssh-keygen -Y sign -f ~/.ssh/id_ed25519 -n goalkeeper goalkeeper.db      # goalkeeper.db.sig
 *     goalkeeper audit goalkeeper.db --signature goalkeeper.db.sig --signers allowed_signers
 *
 * The signature is of the bytes of the file: whoever writes into it afterwards (another run,
 * justify, overlay) takes it away. `signers` is ssh's list: a name, a key a line. */
#ifndef APP_AUDIT_SIGNATURE_H
#define APP_AUDIT_SIGNATURE_H

#include "base/err.h"
#include "base/str.h"

/* False with ERR_EVIDENCE when nobody of the list has signed this content; else `who` is appended.
 */
bool signature_check(const char *file, const char *signature, const char *signers, struct str *who,
                     struct err *err);

#endif
