/* json_events: a JSON document as a stream of events, piece by piece, without keeping it.
 *
 *     struct json_events j;
 *     json_events_init(&j, on_event, context);
 *     while (there is more)
 *         ok = ok && json_events_feed(&j, data, size);
 *     ok = ok && json_events_end(&j);          // exactly one complete document has been seen
 *     json_events_free(&j);
 *
 * Strict as RFC 8259 where structure is concerned; the text of numbers is passed on unread. Nesting
 * is limited to JSON_DEPTH. After a false nothing more is reported.
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

struct json_events {
    void (*on)(void *context, enum json_event event, const char *text);
    void *context;
    uint8_t state; /* of the tokenizer and of the grammar: see json_events.c */
    uint8_t expects;
    uint8_t n_hex;
    uint16_t code;    /* of a \u escape so far */
    uint16_t high;    /* first half of a surrogate pair, 0: none */
    uint32_t depth;   /* open objects and arrays */
    uint64_t objects; /* bit d: level d is an object */
    struct str text;  /* of the token that is being read */
};

void json_events_init(struct json_events *j,
                      void (*on)(void *context, enum json_event event, const char *text),
                      void *context);
void json_events_free(struct json_events *j);
bool json_events_feed(struct json_events *j, const char *data, size_t size);
bool json_events_end(struct json_events *j);

#endif
