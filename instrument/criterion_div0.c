#include "instrument/listing.h"
void criterion_div0(struct lister *l, const struct site *site) {
    (void)l;
    (void)site;
}
