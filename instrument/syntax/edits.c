/* edits: see edits.h.
 *
 * Invariant: the first `sorted` edits are in the order of the output, by position; at one position
 * closings (inner first), then openings (outer first), then the replacement that starts there. */
#include "instrument/syntax/edits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void edits_add(struct edits *edits, enum edit_kind kind, size_t begin, size_t end,
                      const char *text) {
    assert(begin <= end);
    assert(edits->list.len < UINT32_MAX);
    struct edit edit = {begin, end, kind, (uint32_t)edits->list.len,
                        arena_strdup(&edits->arena, text)};
    vec_push(&edits->list, edit);
}

void edits_open(struct edits *edits, size_t begin, size_t end, const char *text) {
    edits_add(edits, EDIT_OPEN, begin, end, text);
}

void edits_close(struct edits *edits, size_t begin, size_t end, const char *text) {
    edits_add(edits, EDIT_CLOSE, begin, end, text);
}

void edits_wrap(struct edits *edits, size_t begin, size_t end, const char *open,
                const char *close) {
    edits_open(edits, begin, end, open);
    edits_close(edits, begin, end, close);
}

void edits_replace(struct edits *edits, size_t begin, size_t end, const char *text) {
    edits_add(edits, EDIT_REPLACE, begin, end, text);
}

static size_t edit_position(const struct edit *e) {
    return e->kind == EDIT_CLOSE ? e->end : e->begin;
}

/* closings, then openings, then replacements */
static int edit_rank(const struct edit *e) {
    return e->kind == EDIT_CLOSE ? 0 : e->kind == EDIT_OPEN ? 1 : 2;
}

static int by_number(size_t a, size_t b) {
    return (a > b) - (a < b);
}

static int edit_compare(const void *left, const void *right) {
    const struct edit *a = left, *b = right;
    int at = by_number(edit_position(a), edit_position(b));
    if (at)
        return at;
    int rank = edit_rank(a) - edit_rank(b);
    if (rank)
        return rank;
    /* inner closes first: larger begin; outer opens first and replaces first: larger end */
    int nesting = a->kind == EDIT_CLOSE ? by_number(b->begin, a->begin) : by_number(b->end, a->end);
    if (nesting)
        return nesting;
    int order = by_number(a->order, b->order);
    return a->kind == EDIT_OPEN ? order : -order;
}

/* Puts the first edit that is not sorted to its place. */
static void insert_next(struct edits *edits) {
    struct edit edit = edits->list.data[edits->sorted], *data = edits->list.data;
    size_t low = 0, high = edits->sorted;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (edit_compare(&data[middle], &edit) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    memmove(data + low + 1, data + low, (edits->sorted - low) * sizeof *data);
    data[low] = edit;
    edits->sorted++;
}

/* Hoisting asks for a range after every few edits: sorting all again would be quadratic. */
static void edits_sort(struct edits *edits) {
    enum { FEW = 16 };
    assert(edits->sorted <= edits->list.len);
    if (edits->list.len - edits->sorted > FEW)
        qsort(edits->list.data, edits->list.len, sizeof edits->list.data[0], edit_compare);
    else
        while (edits->sorted < edits->list.len)
            insert_next(edits);
    edits->sorted = edits->list.len;
}

/* Does the replacement `r` swallow the insertion `e`? Equal ranges and empty ranges at its borders
 * do not lie inside. */
static bool swallows(const struct edit *r, const struct edit *e) {
    if (r->kind != EDIT_REPLACE || e->begin < r->begin || e->end > r->end)
        return false;
    if (e->begin == e->end)
        return e->begin > r->begin && e->end < r->end;
    return e->begin > r->begin || e->end < r->end;
}

/* Openings stand before the replacement that starts at their place: look ahead for it. */
static bool swallowed_ahead(const struct edits *edits, size_t i) {
    const struct edit *e = &edits->list.data[i];
    for (size_t k = i + 1; k < edits->list.len; k++) {
        if (edit_position(&edits->list.data[k]) != edit_position(e))
            return false;
        if (edits->list.data[k].kind == EDIT_REPLACE)
            return swallows(&edits->list.data[k], e);
    }
    return false;
}

/* A quote is "\001begin,end\002" inside a text: no C text holds these characters. */
enum { QUOTE_OPEN = '\001', QUOTE_CLOSE = '\002' };

const char *edits_quote(struct edits *edits, size_t begin, size_t end) {
    assert(begin <= end);
    return arena_printf(&edits->arena, "%c%zu,%zu%c", QUOTE_OPEN, begin, end, QUOTE_CLOSE);
}

struct application {
    const struct edits *edits;
    const char *text;
    bool replacements_only;
    struct str *result;
};

static void apply_range(const struct application *a, size_t begin, size_t end);

static void add_text(const struct application *a, const char *text) {
    const char *quote;
    while ((quote = strchr(text, QUOTE_OPEN)) != NULL) {
        str_addn(a->result, text, (size_t)(quote - text));
        char *comma, *close;
        size_t begin = strtoul(quote + 1, &comma, 10), end = strtoul(comma + 1, &close, 10);
        assert(*comma == ',' && *close == QUOTE_CLOSE);
        struct application quoted = *a;
        quoted.replacements_only = true;
        apply_range(&quoted, begin, end);
        text = close + 1;
    }
    str_add(a->result, text);
}

/* The first edit at or after `offset`, by position. */
static size_t first_at(const struct edits *edits, size_t offset) {
    size_t low = 0, high = edits->list.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (edit_position(&edits->list.data[middle]) < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void apply_range(const struct application *a, size_t begin, size_t end) {
    const struct edits *edits = a->edits;
    size_t done = begin;            /* the text before it has been copied or replaced */
    const struct edit *last = NULL; /* replacement done */
    for (size_t i = first_at(edits, begin); i < edits->list.len; i++) {
        const struct edit *e = &edits->list.data[i];
        size_t at = edit_position(e);
        if (at > end)
            break;
        if (e->begin < begin || e->end > end || at < done)
            continue;
        if ((last && swallows(last, e)) || (e->kind == EDIT_OPEN && swallowed_ahead(edits, i)))
            continue;
        if (a->replacements_only && e->kind != EDIT_REPLACE)
            continue;
        str_addn(a->result, a->text + done, at - done);
        add_text(a, e->text);
        done = e->kind == EDIT_REPLACE ? e->end : at;
        last = e->kind == EDIT_REPLACE ? e : last;
    }
    str_addn(a->result, a->text + done, end - done);
}

void edits_apply_range(struct edits *edits, const char *text, size_t begin, size_t end,
                       struct str *result) {
    assert(begin <= end);
    edits_sort(edits);
    struct application application = {edits, text, false, result};
    apply_range(&application, begin, end);
}

void edits_apply(struct edits *edits, const char *text, size_t len, struct str *result) {
    edits_apply_range(edits, text, 0, len, result);
}

void edits_free(struct edits *edits) {
    vec_free(&edits->list);
    arena_free(&edits->arena);
}
