#include "instrument/listing.h"
void criterion_overflow(struct lister *l, const struct site *site) {
    (void)l;
    (void)site;
}
