#include "instrument/listing.h"
void criterion_bounds(struct lister *l, const struct site *site) {
    (void)l;
    (void)site;
}
