#include "choices.h"

void choices_random(struct choices *c, uint64_t seed) {
    *c = (struct choices){.replay = false};
    rng_init(&c->rng, seed);
}

void choices_replay(struct choices *c, const struct answers *list) {
    *c = (struct choices){.replay = true};
    vec_append(&c->list, list->data, list->len);
}

void choices_free(struct choices *c) {
    vec_free(&c->list);
}

uint64_t choose(struct choices *c, uint64_t n) {
    assert(n > 0);
    if (c->replay)
        return c->next < c->list.len ? c->list.data[c->next++] % n : 0;
    uint64_t answer = rng_below(&c->rng, n);
    vec_push(&c->list, answer);
    return answer;
}

static void without(const struct answers *list, size_t from, size_t n, struct answers *out) {
    vec_clear(out);
    vec_append(out, list->data, from);
    vec_append(out, list->data + from + n, list->len - from - n);
}

static bool take_if_fails(struct answers *list, struct answers *candidate, fails_with *still_fails,
                          void *context) {
    if (!still_fails(context, candidate))
        return false;
    struct answers swap = *list;
    *list = *candidate;
    *candidate = swap;
    return true;
}

static void cut_chunks(struct answers *list, fails_with *still_fails, void *context,
                       unsigned *tries) {
    struct answers candidate = {0};
    for (size_t chunk = list->len / 2; chunk > 0 && *tries; chunk /= 2)
        for (size_t at = 0; at + chunk <= list->len && *tries; --*tries) {
            without(list, at, chunk, &candidate);
            if (!take_if_fails(list, &candidate, still_fails, context))
                at += chunk;
        }
    vec_free(&candidate);
}

static void lower_answers(struct answers *list, fails_with *still_fails, void *context,
                          unsigned *tries) {
    struct answers candidate = {0};
    for (size_t at = 0; at < list->len && *tries; at++) {
        for (uint64_t to = 0; to < list->data[at] && *tries; to = to ? to * 2 : 1) {
            vec_clear(&candidate);
            vec_append(&candidate, list->data, list->len);
            candidate.data[at] = to;
            --*tries;
            if (take_if_fails(list, &candidate, still_fails, context))
                break;
        }
    }
    vec_free(&candidate);
}

void choices_shrink(struct answers *list, fails_with *still_fails, void *context, unsigned tries) {
    for (size_t before = SIZE_MAX; list->len < before && tries;) {
        before = list->len;
        cut_chunks(list, still_fails, context, &tries);
        lower_answers(list, still_fails, context, &tries);
    }
}
