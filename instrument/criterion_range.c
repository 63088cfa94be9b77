#include "instrument/listing.h"
void criterion_range(struct lister *l, const struct site *site) {
    (void)l;
    (void)site;
}
