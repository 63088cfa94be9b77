/* Each test of a limit is a condition in C over the copied operand, written so that it does not
 * overflow itself: with limits as constants, a fraction cut off first. */
#include "instrument/goals/robust.h"

#include <assert.h>

static bool is_signed_kind(enum CXTypeKind kind) {
    switch (kind) {
    case CXType_Char_S:
    case CXType_SChar:
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong:
        return true;
    default:
        return false;
    }
}

static CXType plain_type(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    if (canonical.kind == CXType_Enum)
        canonical = clang_getCanonicalType(
            clang_getEnumDeclIntegerType(clang_getTypeDeclaration(canonical)));
    return canonical;
}

bool number_of_type(CXType type, struct number *number) {
    CXType plain = plain_type(type);
    if (plain.kind == CXType_Bool || !pool_of_type(plain, &number->pool))
        return false;
    number->is_float = number->pool >= POOL_FLOAT;
    number->is_signed = number->is_float || is_signed_kind(plain.kind);
    number->bits = 8 * (unsigned)clang_Type_getSizeOf(plain);
    return number->bits >= 8;
}

struct number number_of_node(const struct lister *l, node_id id, bool *is_number) {
    struct number number = {0};
    *is_number = number_of_type(clang_getCursorType(tree_at(l->tree, id)->cursor), &number);
    return number;
}

struct number number_of_target(const struct lister *l, node_id id, bool *is_number) {
    struct number number = number_of_node(l, id, is_number);
    const struct node *node = tree_at(l->tree, tree_strip(l->tree, id));
    if (node->kind == N_MEMBER) {
        int width = clang_getFieldDeclBitWidth(clang_getCursorReferenced(node->cursor));
        if (width > 0)
            number.bits = (unsigned)width;
    }
    return number;
}

const char *number_max(struct lister *l, struct number number) {
    assert(!number.is_float && number.bits >= 1 && number.bits <= 64);
    unsigned long long max = ~0ULL >> (64 - number.bits + number.is_signed);
    return lister_format(l, "%llu%s", max, max > 0x7fffffffffffffffULL ? "ULL" : "LL");
}

const char *number_min(struct lister *l, struct number number) {
    assert(!number.is_float);
    if (!number.is_signed)
        return "0LL";
    return lister_format(l, "(-%s - 1)", number_max(l, number));
}

/* Floats: the fraction is cut off first, so -0.9 becomes 0. */
static const char *float_outside(struct lister *l, const char *v, struct number to) {
    if (to.is_float)
        return lister_format(l, "(%s >= 0x1.ffffffp127 || %s <= -0x1.ffffffp127) && %s - %s == 0",
                             v, v, v, v);
    unsigned value_bits = to.bits - to.is_signed;
    const char *above = lister_format(l, "0x1p%u", value_bits);
    const char *below = !to.is_signed  ? lister_format(l, "%s > -1.0", v)
                        : to.bits > 32 ? lister_format(l, "%s >= -0x1p%u", v, value_bits)
                                       : lister_format(l, "%s > -0x1p%u - 1.0", v, value_bits);
    return lister_format(l, "!(%s && %s < %s)", below, v, above);
}

/* Not exact as a float? What is rounded up to 2^63 or 2^64 cannot be converted back. */
static const char *rounded(struct lister *l, const char *v, struct number from, struct number to) {
    if (from.bits - from.is_signed <= (to.bits == 32 ? 24 : 53))
        return NULL;
    const char *type = to.bits == 32 ? "float" : "double", *suffix = to.bits == 32 ? "F" : "";
    const char *back = from.is_signed ? "long long" : "unsigned long long";
    return lister_format(l, "(%s)%s >= 0x1p%d%s || (%s)(%s)%s != (%s)%s", type, v,
                         from.is_signed ? 63 : 64, suffix, back, type, v, back, v);
}

const char *number_outside(struct lister *l, const char *v, struct number from, struct number to) {
    if (from.bits > 64 || to.bits > 64)
        return NULL;
    if (to.is_float && !from.is_float)
        return rounded(l, v, from, to);
    if (to.is_float && to.bits >= from.bits)
        return NULL;
    if (from.is_float)
        return float_outside(l, v, to);
    bool above = from.bits - from.is_signed > to.bits - to.is_signed;
    bool below = from.is_signed && (!to.is_signed || from.bits > to.bits);
    const char *max = number_max(l, to), *min = number_min(l, to);
    if (above && below)
        return lister_format(l, "%s > %s || %s < %s", v, max, v, min);
    if (above)
        return lister_format(l, "%s > %s", v, max);
    return below ? lister_format(l, "%s < %s", v, min) : NULL;
}

bool is_repeatable(const struct lister *l, node_id id) {
    return !(tree_at(l->tree, id)->flags & (HAS_EFFECT | HAS_VOLATILE));
}

const char *robust_again(struct lister *l, node_id id) {
    struct span span = tree_at(l->tree, id)->span;
    return lister_format(l, "(%s)", edits_quote(l->edits, span.begin, span.end));
}

static uint32_t add_goal(struct lister *l, enum goal_kind kind, const struct site *site,
                         const char *text) {
    node_id id = site->node;
    struct goal_request request = {.kind = kind,
                                   .value = -1,
                                   .base = hash_mix(l->path, lister_text_hash(l, id, true)),
                                   .span = tree_at(l->tree, id)->span,
                                   .text = text,
                                   .decision = -1,
                                   .condition = -1};
    if (text)
        request.base = hash_mix(request.base, hash_text(text));
    uint32_t goal = lister_goal(l, &request, NO_PROBE);
    lister_implies(l, goal, NO_GOAL, site->point);
    return goal;
}

const char *robust_hit(struct lister *l, enum goal_kind kind, const struct site *site,
                       const char *text) {
    return lister_format(l, "gk_hit(%u)", lister_probe_of(l, add_goal(l, kind, site, text)));
}

void robust_give_up(struct lister *l, enum goal_kind kind, const struct site *site,
                    const char *reason) {
    uint32_t goal = add_goal(l, kind, site, NULL);
    if (!l->goals->list.data[goal].reason)
        l->goals->list.data[goal].reason = reason;
}

void robust_check_value(struct lister *l, node_id id, const char *v, const char *check,
                        const char *hit) {
    struct span span = tree_at(l->tree, id)->span;
    edits_wrap(l->edits, span.begin, span.end, lister_format(l, "(%s = (", v),
               lister_format(l, "), (%s) ? %s : (void)0, %s)", check, hit, v));
}

void robust_check_before(struct lister *l, node_id id, const char *check, const char *hit) {
    struct span span = tree_at(l->tree, id)->span;
    edits_wrap(l->edits, span.begin, span.end,
               lister_format(l, "((%s) ? %s : (void)0, ", check, hit), ")");
}
