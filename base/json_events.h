/* json_events: a JSON document as a stream of events, piece by piece, without keeping it.
 *
 *     struct json_events j;
 *     json_events_init(&j, on_event, context);
 *     while (there is more)
 *         ok = ok && json_events_feed(&j, data, size);
 *     ok = ok && json_events_end(&j);          // exactly one complete document has been seen
 *     json_events_free(&j);
 *
 * Strict as RFC 8259. Beyond it, what would be lost later is refused: NUL characters, numbers that
 * no double holds, and, unless `any_bytes` is set, what is not UTF-8. Nesting is limited to
 * JSON_DEPTH. After a false nothing more is reported; `error` says why and `token` where.
 *
 * A whole file as a tree: base/json.h, which is made of these events.
 */
#ifndef BASE_JSON_EVENTS_H
#define BASE_JSON_EVENTS_H

#include "base/str.h"

#include <stdint.h>

enum { JSON_DEPTH = 64 };

enum json_event {
    JSON_OBJECT, /* begins */
    JSON_OBJECT_END,
    JSON_ARRAY,
    JSON_ARRAY_END,
    JSON_KEY,    /* text: unescaped */
    JSON_STRING, /* text: unescaped */
    JSON_SCALAR, /* text: a number, true, false, null */
};

struct json_place {
    int line, col; /* from 1; columns count characters, as editors do, not bytes */
};

struct json_events {
    void (*on)(void *context, enum json_event event, const char *text);
    void *context;
    bool any_bytes;          /* texts need not be UTF-8 */
    struct json_place token; /* where the token of the event begins; of an error its place */
    const char *error;       /* NULL, or what is wrong */
    /* inside */
    struct json_place here, part; /* the next character; begin of the escape or UTF-8 sequence */
    uint8_t state;                /* of the tokenizer and of the grammar: see json_events.c */
    uint8_t expects;
    uint8_t n_hex;
    uint8_t more, low, high_byte; /* bytes that a UTF-8 sequence lacks, range of the next one */
    uint16_t code;                /* of a \u escape so far */
    uint16_t high;                /* first half of a surrogate pair, 0: none */
    uint32_t depth;               /* open objects and arrays */
    uint64_t objects;             /* bit d: level d is an object */
    struct str text;              /* of the token that is being read */
};

void json_events_init(struct json_events *j,
                      void (*on)(void *context, enum json_event event, const char *text),
                      void *context);
void json_events_free(struct json_events *j);
bool json_events_feed(struct json_events *j, const char *data, size_t size);
bool json_events_end(struct json_events *j);

#endif
