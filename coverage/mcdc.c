/* Masking MC/DC from the structure of a decision, as in criterion_mcdc.c: a condition is credited
 * iff it was evaluated, and every && and || that has it in its left operand has the value of that
 * operand. */
#include "base/bug.h"
#include "coverage/goal.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

/* An operand on the stack of the parser: its value, and its conditions [first, end). */
struct operand {
    int8_t value; /* -1: not evaluated */
    int first, end;
};

struct reader {
    const char *at;
    int8_t *value; /* what is not evaluated becomes -1 */
    bool *credited;
    int next; /* conditions are numbered from the left */
};

static struct operand read_or(struct reader *r);

static struct operand read_operand(struct reader *r) {
    if (*r->at == '!') {
        r->at++;
        struct operand operand = read_operand(r);
        operand.value = (int8_t)(operand.value < 0 ? -1 : !operand.value);
        return operand;
    }
    if (*r->at == '(') {
        r->at++;
        struct operand operand = read_or(r);
        if (*r->at != ')')
            bug("structure of a decision: ')' expected at '%s'", r->at);
        r->at++;
        return operand;
    }
    if (!isdigit((unsigned char)*r->at))
        bug("structure of a decision: condition expected at '%s'", r->at);
    char *end;
    int condition = (int)strtol(r->at, &end, 10);
    r->at = end;
    assert(condition == r->next);
    r->next++;
    r->credited[condition] = r->value[condition] >= 0;
    return (struct operand){r->value[condition], condition, condition + 1};
}

/* What a short-circuit operator makes of its operands; what the first one decides alone is not
 * evaluated, and masked operands lose their credit. */
static struct operand join(struct reader *r, struct operand a, struct operand b, bool is_and) {
    struct operand whole = {-1, a.first, b.end};
    if (a.value >= 0)
        whole.value = (a.value != 0) == is_and ? b.value : a.value;
    for (int i = b.first; i < b.end && (a.value < 0 || (a.value != 0) != is_and); i++) {
        r->value[i] = -1;
        r->credited[i] = false;
    }
    if (whole.value != a.value)
        for (int i = a.first; i < a.end; i++)
            r->credited[i] = false;
    return whole;
}

static struct operand read_chain(struct reader *r, bool is_and) {
    struct operand left = is_and ? read_operand(r) : read_chain(r, true);
    const char sign = is_and ? '&' : '|';
    while (r->at[0] == sign && r->at[1] == sign) {
        r->at += 2;
        struct operand right = is_and ? read_operand(r) : read_chain(r, true);
        left = join(r, left, right, is_and);
    }
    return left;
}

static struct operand read_or(struct reader *r) {
    return read_chain(r, false);
}

bool mcdc_credit(const struct decision *d, int8_t *value, bool *credited) {
    struct reader reader = {d->structure, value, credited, 0};
    struct operand whole = read_or(&reader);
    if (*reader.at != '\0' || reader.next != d->n_conditions)
        bug("structure of a decision: '%s' has not %d conditions", d->structure, d->n_conditions);
    return whole.value > 0;
}
