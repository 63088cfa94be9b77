/* sha256: content hashes (FIPS 180-4) for inputs, evidence and caches.
 *
 *     char hex[SHA256_HEX];
 *     sha256_hex(text, len, hex);
 */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_SIZE = 32, SHA256_HEX = 65 };

struct sha256 {
    uint32_t h[8];
    uint64_t size;
    uint8_t block[64];
};

void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *data, size_t size);
void sha256_end(struct sha256 *s, uint8_t digest[SHA256_SIZE]);
void sha256_hex(const void *data, size_t size, char hex[SHA256_HEX]); /* all at once, as text */

#endif
