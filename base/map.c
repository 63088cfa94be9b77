/* Linear probing in tables of a power of two, at most three quarters full; keys are mixed first,
 * so that dense numbers spread. An intern table keeps the ids of its texts. */
#include "base/map.h"

#include "base/mem.h"

#include <assert.h>

uint64_t hash_mix(uint64_t a, uint64_t b) {
    uint64_t z = a * 0x9e3779b97f4a7c15u + b;
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u;
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u;
    return z ^ (z >> 32);
}

uint64_t hash_bytes(const void *data, size_t size) {
    const unsigned char *bytes = data;
    uint64_t hash = hash_mix(0x51ed270b35ca1e5fu, size);
    for (; size >= 8; bytes += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = hash_mix(hash, word);
    }
    uint64_t tail = 0;
    memcpy(&tail, bytes, size);
    return hash_mix(hash, tail);
}

uint64_t hash_text(const char *text) {
    return hash_bytes(text, strlen(text));
}

static struct map_slot *map_slot(const struct map *map, uint64_t key) {
    assert(map->len < map->cap && "a full table would be searched for ever");
    size_t i = hash_mix(0, key) & (map->cap - 1);
    while (map->slots[i].used && map->slots[i].key != key)
        i = (i + 1) & (map->cap - 1);
    return &map->slots[i];
}

static void map_grow(struct map *map) {
    struct map old = *map;
    map->cap = old.cap ? old.cap * 2 : 16;
    map->slots = mem_zalloc(map->cap, sizeof *map->slots);
    for (size_t i = 0; i < old.cap; i++)
        if (old.slots[i].used)
            *map_slot(map, old.slots[i].key) = old.slots[i];
    assert(map->len == old.len);
    mem_free(old.slots);
}

uint32_t *map_get(const struct map *map, uint64_t key) {
    if (map->len == 0)
        return NULL;
    struct map_slot *slot = map_slot(map, key);
    return slot->used ? &slot->value : NULL;
}

void map_put(struct map *map, uint64_t key, uint32_t value) {
    if ((map->len + 1) * 4 > map->cap * 3)
        map_grow(map);
    struct map_slot *slot = map_slot(map, key);
    map->len += !slot->used;
    *slot = (struct map_slot){key, value, true};
}

void map_clear(struct map *map) {
    if (map->cap)
        memset(map->slots, 0, map->cap * sizeof *map->slots);
    map->len = 0;
}

void map_free(struct map *map) {
    mem_free(map->slots);
    *map = (struct map){0};
}

static uint32_t *intern_slot(const struct intern *in, const char *text) {
    assert(in->texts.len < in->cap && "a full table would be searched for ever");
    size_t i = hash_text(text) & (in->cap - 1);
    while (in->slots[i] && strcmp(in->texts.data[in->slots[i] - 1], text) != 0)
        i = (i + 1) & (in->cap - 1);
    return &in->slots[i];
}

static void intern_grow(struct intern *in) {
    mem_free(in->slots);
    in->cap = in->cap ? in->cap * 2 : 64;
    in->slots = mem_zalloc(in->cap, sizeof *in->slots);
    for (size_t id = 0; id < in->texts.len; id++)
        *intern_slot(in, in->texts.data[id]) = (uint32_t)id + 1;
}

uint32_t intern_find(const struct intern *in, const char *text) {
    if (in->texts.len == 0)
        return INTERN_NONE;
    uint32_t slot = *intern_slot(in, text);
    return slot ? slot - 1 : INTERN_NONE;
}

uint32_t intern_id(struct intern *in, const char *text) {
    if ((in->texts.len + 1) * 4 > in->cap * 3)
        intern_grow(in);
    uint32_t *slot = intern_slot(in, text);
    if (*slot == 0) {
        const char *copy = arena_strdup(&in->arena, text);
        assert(in->texts.len < INTERN_NONE - 1);
        vec_push(&in->texts, copy);
        *slot = (uint32_t)in->texts.len;
    }
    return *slot - 1;
}

const char *intern_text(const struct intern *in, uint32_t id) {
    assert(id < in->texts.len);
    return in->texts.data[id];
}

void intern_free(struct intern *in) {
    arena_free(&in->arena);
    vec_free(&in->texts);
    mem_free(in->slots);
    *in = (struct intern){0};
}
