/* values: what an input may be given, and values as ordinals (model/term/ordinal.h) and numbers. */
#include "search.h"

#include <assert.h>
#include <string.h>

int64_t value_ordinal(enum gk_type type, unsigned bits, uint64_t value) {
    if (type == GK_FLOAT) {
        int64_t pattern = bits == 32 ? (int32_t)(uint32_t)value : (int64_t)value;
        int64_t low = bits == 32 ? INT32_MAX : INT64_MAX;
        return pattern ^ ((pattern >> 63) & low);
    }
    if (type == GK_SIGNED && bits < 64)
        return (int64_t)(value << (64 - bits)) >> (64 - bits);
    if (type != GK_SIGNED && bits == 64)
        return (int64_t)(value ^ ((uint64_t)1 << 63));
    return (int64_t)value;
}

uint64_t value_of_ordinal(enum gk_type type, unsigned bits, int64_t ordinal) {
    uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    if (type == GK_FLOAT) {
        int64_t low = bits == 32 ? INT32_MAX : INT64_MAX;
        return (uint64_t)(ordinal ^ ((ordinal >> 63) & low)) & mask;
    }
    if (type != GK_SIGNED && bits == 64)
        return (uint64_t)ordinal ^ ((uint64_t)1 << 63);
    return (uint64_t)ordinal & mask;
}

double value_number(enum gk_type type, unsigned bits, uint64_t value) {
    if (type == GK_FLOAT && bits == 32) {
        uint32_t pattern = (uint32_t)value;
        float number;
        memcpy(&number, &pattern, sizeof number);
        return (double)number;
    }
    if (type == GK_FLOAT) {
        double number;
        memcpy(&number, &value, sizeof number);
        return number;
    }
    if (type != GK_SIGNED && bits == 64)
        return (double)value;
    return (double)value_ordinal(type, bits, value);
}

static int64_t ordinal_in(const struct gk_input *in, uint64_t value) {
    return value_ordinal(in->type, in->bits, value);
}

static uint64_t clamped(const struct gk_input *in, int64_t ordinal) {
    int64_t min = ordinal_in(in, in->min), max = ordinal_in(in, in->max);
    ordinal = ordinal < min ? min : ordinal > max ? max : ordinal;
    return value_of_ordinal(in->type, in->bits, ordinal);
}

uint64_t value_into(const struct gk_input *in, uint64_t value) {
    return clamped(in, ordinal_in(in, value));
}

static uint64_t float_bits(unsigned bits, double number) {
    uint64_t value = 0;
    float single = (float)number;
    if (bits == 32)
        memcpy(&value, &single, sizeof single);
    else
        memcpy(&value, &number, sizeof number);
    return value;
}

uint64_t value_of_number(const struct gk_input *in, double number) {
    double min = value_number(in->type, in->bits, in->min);
    double max = value_number(in->type, in->bits, in->max);
    if (!(number > min))
        return in->min;
    if (!(number < max))
        return in->max;
    if (in->type == GK_FLOAT)
        return clamped(in, ordinal_in(in, float_bits(in->bits, number)));
    /* within the range of the type, so both casts are defined */
    uint64_t value = number < 0 ? (uint64_t)(int64_t)number : (uint64_t)number;
    uint64_t mask = in->bits == 64 ? UINT64_MAX : ((uint64_t)1 << in->bits) - 1;
    return clamped(in, ordinal_in(in, value & mask));
}

/* Number of values in the range, 0 when there are too many to count. */
static uint64_t range_size(const struct gk_input *in) {
    return (uint64_t)ordinal_in(in, in->max) - (uint64_t)ordinal_in(in, in->min) + 1;
}

static uint64_t draw_uniform(struct search *s, const struct gk_input *in) {
    uint64_t size = range_size(in);
    uint64_t offset = size ? random_next(s) % size : random_next(s);
    return clamped(in, (int64_t)((uint64_t)ordinal_in(in, in->min) + offset));
}

static uint64_t draw_number(struct search *s, const struct gk_input *in) {
    double min = value_number(in->type, in->bits, in->min);
    double max = value_number(in->type, in->bits, in->max);
    double u = random_unit(s);
    return value_of_number(in, min * (1 - u) + max * u);
}

/* The present value moved by a random power of two of ordinals, or of a fraction of the range. */
static uint64_t draw_near(struct search *s, const struct gk_input *in, uint64_t value) {
    int64_t step = (int64_t)1 << random_below(s, in->type == GK_FLOAT ? 24 : 8);
    if (in->type == GK_FLOAT && random_below(s, 2)) {
        double width =
            value_number(GK_FLOAT, in->bits, in->max) - value_number(GK_FLOAT, in->bits, in->min);
        double number = value_number(GK_FLOAT, in->bits, value);
        double move = width / (double)((int64_t)1 << (2 + random_below(s, 16)));
        return value_of_number(in, random_below(s, 2) ? number + move : number - move);
    }
    int64_t ordinal = ordinal_in(in, value), moved;
    if (__builtin_add_overflow(ordinal, random_below(s, 2) ? step : -step, &moved))
        moved = ordinal;
    return clamped(in, moved);
}

static uint64_t draw_listed(struct search *s, const struct gk_input *in) {
    uint32_t n = in->n_hot && random_below(s, 4) ? in->n_hot : in->n_values;
    if (n == 0)
        return draw_number(s, in);
    return s->values[in->first_value + random_below(s, n)];
}

static uint64_t draw_special(struct search *s, const struct gk_input *in) {
    switch (random_below(s, 4)) {
    case 0:
        return in->min;
    case 1:
        return in->max;
    case 2:
        return clamped(in, in->type == GK_FLOAT ? 0 : ordinal_in(in, 0));
    default:
        return value_of_number(in, value_number(in->type, in->bits, in->min) / 2 +
                                       value_number(in->type, in->bits, in->max) / 2);
    }
}

static uint64_t draw_compared(struct search *s, const struct gk_input *in) {
    uint32_t n = least(s->compared.at, COMPARED_VALUES);
    if (n == 0)
        return draw_listed(s, in);
    uint32_t age = 1 + (random_below(s, 2) ? random_below(s, n) : random_below(s, least(n, 8)));
    uint64_t value = s->compared.values[(s->compared.at - age) % COMPARED_VALUES];
    value += random_below(s, 4) ? 0 : random_below(s, 3) - (uint64_t)1;
    uint64_t mask = in->bits == 64 ? UINT64_MAX : ((uint64_t)1 << in->bits) - 1;
    return in->type == GK_FLOAT ? value_of_number(in, (double)(int64_t)value) : value & mask;
}

uint64_t value_draw(struct search *s, uint32_t id) {
    assert(id < gk_n_inputs);
    const struct gk_input *in = &s->inputs[id];
    uint64_t size = range_size(in), present = gk_channels[id].bits, value;
    if (size && size <= 8)
        return draw_uniform(s, in);
    switch (random_below(s, 12)) {
    case 0:
    case 1:
    case 2:
        value = draw_listed(s, in);
        break;
    case 3:
        value = draw_compared(s, in);
        break;
    case 4:
    case 5:
        value = draw_special(s, in);
        break;
    case 6:
        value = draw_near(s, in, present);
        break;
    case 7:
        value = s->recent[id][random_below(s, 4)];
        break;
    case 8:
        value = draw_uniform(s, in);
        break;
    default:
        value = draw_number(s, in);
        break;
    }
    s->recent[id][random_below(s, 4)] = present;
    return clamped(in, ordinal_in(in, value));
}
