/* A tokenizer that can stop after any byte, and a grammar of six expectations over a stack of bits.
 *
 * Invariant: expects says what the next token may be; level `depth` is the innermost open one, and
 * bit depth of `objects` says whether it is an object. */
#include "base/json_events.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum state { BETWEEN, IN_STRING, IN_ESCAPE, IN_HEX, IN_SCALAR, BROKEN };
enum expects {
    VALUE,
    VALUE_OR_END, /* of an array that has just begun */
    KEY_OR_END,   /* of an object that has just begun */
    KEY,
    COLON,
    COMMA_OR_END,
    NOTHING_MORE,
};

void json_events_init(struct json_events *j,
                      void (*on)(void *context, enum json_event event, const char *text),
                      void *context) {
    assert(on);
    *j = (struct json_events){.on = on, .context = context, .state = BETWEEN, .expects = VALUE};
}

void json_events_free(struct json_events *j) {
    str_free(&j->text);
}

static bool broken(struct json_events *j) {
    j->state = BROKEN;
    return false;
}

static bool in_object(const struct json_events *j) {
    return j->depth > 0 && (j->objects >> (j->depth - 1) & 1);
}

static bool value_fits(const struct json_events *j) {
    return j->expects == VALUE || j->expects == VALUE_OR_END;
}

static void value_done(struct json_events *j) {
    j->expects = j->depth == 0 ? NOTHING_MORE : COMMA_OR_END;
}

static bool begin(struct json_events *j, bool object) {
    if (!value_fits(j) || j->depth == JSON_DEPTH)
        return broken(j);
    uint64_t bit = UINT64_C(1) << j->depth++;
    j->objects = object ? j->objects | bit : j->objects & ~bit;
    j->expects = object ? KEY_OR_END : VALUE_OR_END;
    j->on(j->context, object ? JSON_OBJECT : JSON_ARRAY, "");
    return true;
}

static bool end(struct json_events *j, bool object) {
    bool empty = j->expects == (object ? KEY_OR_END : VALUE_OR_END);
    if (j->depth == 0 || in_object(j) != object || (!empty && j->expects != COMMA_OR_END))
        return broken(j);
    j->depth--;
    value_done(j);
    j->on(j->context, object ? JSON_OBJECT_END : JSON_ARRAY_END, "");
    return true;
}

static bool comma(struct json_events *j) {
    if (j->expects != COMMA_OR_END)
        return broken(j);
    j->expects = in_object(j) ? KEY : VALUE;
    return true;
}

static bool colon(struct json_events *j) {
    if (j->expects != COLON)
        return broken(j);
    j->expects = VALUE;
    return true;
}

static bool string_done(struct json_events *j) {
    bool key = j->expects == KEY || j->expects == KEY_OR_END;
    if (j->high || (!key && !value_fits(j)))
        return broken(j);
    j->state = BETWEEN;
    j->on(j->context, key ? JSON_KEY : JSON_STRING, str_text(&j->text));
    if (key)
        j->expects = COLON;
    else
        value_done(j);
    return true;
}

/* A number as in the RFC: -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)? */
static bool is_number(const char *p) {
    p += *p == '-';
    if (!isdigit((unsigned char)*p))
        return false;
    p += *p == '0' ? 1 : strspn(p, "0123456789");
    if (*p == '.') {
        size_t n = strspn(p + 1, "0123456789");
        if (n == 0)
            return false;
        p += 1 + n;
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        p += *p == '+' || *p == '-';
        size_t n = strspn(p, "0123456789");
        if (n == 0)
            return false;
        p += n;
    }
    return *p == '\0';
}

static bool scalar_done(struct json_events *j) {
    const char *text = str_text(&j->text);
    bool good = str_same(text, "true") || str_same(text, "false") || str_same(text, "null") ||
                is_number(text);
    if (!good || !value_fits(j))
        return broken(j);
    j->state = BETWEEN;
    j->on(j->context, JSON_SCALAR, text);
    value_done(j);
    return true;
}

static void add_utf8(struct str *text, uint32_t code) {
    assert(code > 0 && code <= 0x10ffff);
    if (code < 0x80) {
        str_addc(text, (char)code);
        return;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    str_addc(text, (char)(lead[more] | code >> (6 * more)));
    while (more-- > 0)
        str_addc(text, (char)(0x80 | (code >> (6 * more) & 0x3f)));
}

static bool code_done(struct json_events *j) {
    uint32_t code = j->code;
    bool low = code >= 0xdc00 && code < 0xe000;
    j->state = IN_STRING;
    if (code == 0 || low != (j->high != 0))
        return broken(j);
    if (code >= 0xd800 && code < 0xdc00) {
        j->high = (uint16_t)code;
        return true;
    }
    add_utf8(&j->text, low ? 0x10000 + ((j->high & 0x3ffu) << 10 | (code & 0x3ffu)) : code);
    j->high = 0;
    return true;
}

static bool in_hex(struct json_events *j, char c) {
    if (!isxdigit((unsigned char)c))
        return broken(j);
    int digit = isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
    j->code = (uint16_t)(j->code << 4 | digit);
    return ++j->n_hex < 4 || code_done(j);
}

static bool in_escape(struct json_events *j, char c) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *at = c ? strchr(from, c) : NULL;
    j->state = IN_STRING;
    if (c == 'u') {
        j->state = IN_HEX;
        j->code = j->n_hex = 0;
        return true;
    }
    if (!at || j->high)
        return broken(j);
    str_addc(&j->text, to[at - from]);
    return true;
}

static bool in_string(struct json_events *j, char c) {
    if (c == '"')
        return string_done(j);
    if (c == '\\') {
        j->state = IN_ESCAPE;
        return true;
    }
    if ((unsigned char)c < 0x20 || j->high)
        return broken(j);
    str_addc(&j->text, c);
    return true;
}

static bool between(struct json_events *j, char c) {
    switch (c) {
    case ' ':
    case '\t':
    case '\n':
    case '\r':
        return true;
    case '{':
    case '[':
        return begin(j, c == '{');
    case '}':
    case ']':
        return end(j, c == '}');
    case ',':
        return comma(j);
    case ':':
        return colon(j);
    case '"':
        j->state = IN_STRING;
        str_clear(&j->text);
        return true;
    default:
        if (!isalnum((unsigned char)c) && c != '-')
            return broken(j);
        j->state = IN_SCALAR;
        str_clear(&j->text);
        str_addc(&j->text, c);
        return true;
    }
}

static bool in_scalar(struct json_events *j, char c) {
    if (isalnum((unsigned char)c) || (c && strchr("+-.", c))) {
        str_addc(&j->text, c);
        return j->text.len < 400 || broken(j);
    }
    return scalar_done(j) && between(j, c);
}

bool json_events_feed(struct json_events *j, const char *data, size_t size) {
    bool ok = j->state != BROKEN;
    for (size_t i = 0; ok && i < size; i++) {
        char c = data[i];
        switch ((enum state)j->state) {
        case BETWEEN:
            ok = between(j, c);
            break;
        case IN_STRING:
            ok = in_string(j, c);
            break;
        case IN_ESCAPE:
            ok = in_escape(j, c);
            break;
        case IN_HEX:
            ok = in_hex(j, c);
            break;
        case IN_SCALAR:
            ok = in_scalar(j, c);
            break;
        case BROKEN:
            ok = false;
        }
        assert(j->depth <= JSON_DEPTH && ok == (j->state != BROKEN));
    }
    return ok;
}

bool json_events_end(struct json_events *j) {
    if (j->state == IN_SCALAR && !scalar_done(j))
        return false;
    return j->state == BETWEEN && j->expects == NOTHING_MORE;
}
