#include "instrument/listing.h"
void criterion_vector(struct lister *l, const struct site *site) {
    (void)l;
    (void)site;
}
