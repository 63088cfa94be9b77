/* A tokenizer that can stop after any byte, and a grammar of six expectations over a stack of bits.
 *
 * Invariants: expects says what the next token may be, and a token that does not fit is refused at
 * its first character; level `depth` is the innermost open one, and bit depth - 1 of `objects` says
 * whether it is an object; `here` is the place of the next character, counted as they come. */
#include "base/json_events.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
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
    j->here = j->token = (struct json_place){1, 1};
}

void json_events_free(struct json_events *j) {
    str_free(&j->text);
}

static bool fail(struct json_events *j, struct json_place at, const char *what) {
    j->state = BROKEN;
    j->token = at;
    j->error = what;
    return false;
}

static bool in_object(const struct json_events *j) {
    return j->depth > 0 && (j->objects >> (j->depth - 1) & 1);
}

static bool value_fits(const struct json_events *j) {
    return j->expects == VALUE || j->expects == VALUE_OR_END;
}

static bool key_fits(const struct json_events *j) {
    return j->expects == KEY || j->expects == KEY_OR_END;
}

/* What is here is not what is expected here. */
static bool unexpected(struct json_events *j) {
    static const char *const wanted[] = {"expected a value",
                                         "expected a value",
                                         "expected a key in double quotes",
                                         "expected a key in double quotes",
                                         "expected ':'",
                                         "expected ',' or ']'",
                                         "unexpected text after the end"};
    bool members = in_object(j) && j->expects == COMMA_OR_END;
    return fail(j, j->here, members ? "expected ',' or '}'" : wanted[j->expects]);
}

static void value_done(struct json_events *j) {
    j->expects = j->depth == 0 ? NOTHING_MORE : COMMA_OR_END;
}

static bool begin(struct json_events *j, bool object) {
    if (!value_fits(j))
        return unexpected(j);
    if (j->depth == JSON_DEPTH)
        return fail(j, j->here, "too deeply nested");
    uint64_t bit = UINT64_C(1) << j->depth++;
    j->objects = object ? j->objects | bit : j->objects & ~bit;
    j->expects = object ? KEY_OR_END : VALUE_OR_END;
    j->on(j->context, object ? JSON_OBJECT : JSON_ARRAY, "");
    return true;
}

static bool end(struct json_events *j, bool object) {
    bool empty = j->expects == (object ? KEY_OR_END : VALUE_OR_END);
    if (j->depth == 0 || in_object(j) != object || (!empty && j->expects != COMMA_OR_END))
        return unexpected(j);
    j->depth--;
    value_done(j);
    j->on(j->context, object ? JSON_OBJECT_END : JSON_ARRAY_END, "");
    return true;
}

static bool comma(struct json_events *j) {
    if (j->expects != COMMA_OR_END)
        return unexpected(j);
    j->expects = in_object(j) ? KEY : VALUE;
    return true;
}

static bool colon(struct json_events *j) {
    if (j->expects != COLON)
        return unexpected(j);
    j->expects = VALUE;
    return true;
}

static bool string_done(struct json_events *j) {
    bool key = key_fits(j);
    if (j->high)
        return fail(j, j->part, "half of a surrogate pair");
    assert(key || value_fits(j));
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
    const char *text = str_text(&j->text), *digits = text + (*text == '-');
    bool number = *text == '-' || isdigit((unsigned char)*text);
    assert(value_fits(j));
    if (number && *digits == '0' && isdigit((unsigned char)digits[1]))
        return fail(j, j->token, "a number must not start with 0");
    if (number && !is_number(text))
        return fail(j, j->token, "this is not a number");
    if (number && !isfinite(strtod(text, NULL)))
        return fail(j, j->token, "the number is too large");
    if (!number && !str_same(text, "true") && !str_same(text, "false") && !str_same(text, "null"))
        return fail(j, j->token, "expected a value");
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
    if (code == 0)
        return fail(j, j->part, "a text must not contain the character NUL");
    if (low != (j->high != 0))
        return fail(j, j->part, "half of a surrogate pair");
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
        return fail(j, j->part, "\\u needs four hexadecimal digits");
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
    if (j->high)
        return fail(j, j->part, "half of a surrogate pair");
    if (!at)
        return fail(j, j->part, "unknown escape sequence");
    str_addc(&j->text, to[at - from]);
    return true;
}

/* The first byte of a UTF-8 sequence (RFC 3629: shortest form, no surrogates). */
static bool sequence(struct json_events *j, unsigned char c) {
    if (c < 0xc2 || c > 0xf4)
        return fail(j, j->here, "invalid UTF-8");
    j->part = j->here;
    j->more = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    j->low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
    j->high_byte = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
    str_addc(&j->text, (char)c);
    return true;
}

static bool in_sequence(struct json_events *j, unsigned char c) {
    if (c < j->low || c > j->high_byte)
        return fail(j, j->part, "invalid UTF-8");
    j->more--;
    j->low = 0x80;
    j->high_byte = 0xbf;
    str_addc(&j->text, (char)c);
    return true;
}

static bool in_string(struct json_events *j, char c) {
    if (j->more > 0)
        return in_sequence(j, (unsigned char)c);
    if (c == '"')
        return string_done(j);
    if (c == '\\') {
        j->state = IN_ESCAPE;
        if (!j->high)
            j->part = j->here;
        return true;
    }
    if (c == '\n')
        return fail(j, j->token, "the text does not end on its line");
    if ((unsigned char)c < 0x20)
        return fail(j, j->here, "control character in a text");
    if (j->high)
        return fail(j, j->part, "half of a surrogate pair");
    if ((unsigned char)c >= 0x80 && !j->any_bytes)
        return sequence(j, (unsigned char)c);
    str_addc(&j->text, c);
    return true;
}

static bool between(struct json_events *j, char c) {
    j->token = j->here;
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
        if (!key_fits(j) && !value_fits(j))
            return unexpected(j);
        j->state = IN_STRING;
        str_clear(&j->text);
        return true;
    default:
        if (!value_fits(j) || (!isalnum((unsigned char)c) && c != '-'))
            return unexpected(j);
        j->state = IN_SCALAR;
        str_clear(&j->text);
        str_addc(&j->text, c);
        return true;
    }
}

static bool in_scalar(struct json_events *j, char c) {
    if (isalnum((unsigned char)c) || (c && strchr("+-.", c))) {
        str_addc(&j->text, c);
        return j->text.len < 400 || fail(j, j->token, "this is not a number");
    }
    return scalar_done(j) && between(j, c);
}

static bool take(struct json_events *j, char c) {
    if (c == '\0')
        return fail(j, j->here, "the file contains a NUL byte");
    switch ((enum state)j->state) {
    case BETWEEN:
        return between(j, c);
    case IN_STRING:
        return in_string(j, c);
    case IN_ESCAPE:
        return in_escape(j, c);
    case IN_HEX:
        return in_hex(j, c);
    case IN_SCALAR:
        return in_scalar(j, c);
    case BROKEN:
        return false;
    }
    return false;
}

bool json_events_feed(struct json_events *j, const char *data, size_t size) {
    bool ok = j->state != BROKEN;
    for (size_t i = 0; ok && i < size; i++) {
        ok = take(j, data[i]);
        if (data[i] == '\n')
            j->here = (struct json_place){j->here.line + 1, 1};
        else if (((unsigned char)data[i] & 0xc0) != 0x80)
            j->here.col++;
        assert(j->depth <= JSON_DEPTH && ok == (j->state != BROKEN) && ok == !j->error);
    }
    return ok;
}

bool json_events_end(struct json_events *j) {
    if (j->state == BROKEN || (j->state == IN_SCALAR && !scalar_done(j)))
        return false;
    if (j->state != BETWEEN)
        return fail(j, j->token, "the text does not end");
    if (value_fits(j))
        return fail(j, j->here, "the file ends here");
    return j->expects == NOTHING_MORE || unexpected(j);
}
