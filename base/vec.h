/* vec: typed growable arrays.
 *
 *     VEC(int) numbers = {0};
 *     vec_push(&numbers, 42);
 *     for (size_t i = 0; i < numbers.len; i++)
 *         use(numbers.data[i]);
 *     vec_free(&numbers);
 *
 * A zeroed vector is empty and valid. Pointers into `data` die with the next push: across calls
 * keep indices. `struct` tags let a vector type be named: `VEC_STRUCT(lits, struct lit);`
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <assert.h>
#include <stddef.h>
#include <string.h>

#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *data;                                                                                \
        size_t len, cap;                                                                           \
    }

#define VEC_STRUCT(name, type)                                                                     \
    struct name {                                                                                  \
        type *data;                                                                                \
        size_t len, cap;                                                                           \
    }

#define vec_reserve(v, n)                                                                          \
    ((n) > (v)->cap ? ((v)->data = vec_grow((v)->data, &(v)->cap, (n), sizeof *(v)->data)) : 0)
#define vec_push(v, ...)                                                                           \
    ((void)vec_reserve((v), (v)->len + 1), (void)((v)->data[(v)->len++] = (__VA_ARGS__)))
#define vec_pop(v) (assert((v)->len > 0), (v)->data[--(v)->len])
#define vec_last(v) ((v)->data[assert((v)->len > 0), (v)->len - 1])
#define vec_clear(v) ((void)((v)->len = 0))
#define vec_truncate(v, n) (assert((n) <= (v)->len), (void)((v)->len = (n)))
#define vec_free(v) (vec_release((v)->data), (v)->data = NULL, (v)->len = 0, (void)((v)->cap = 0))
#define vec_resize_zero(v, n)                                                                      \
    do {                                                                                           \
        size_t vec_old_ = (v)->len, vec_new_ = (n);                                                \
        (void)vec_reserve((v), vec_new_);                                                          \
        if (vec_new_ > vec_old_)                                                                   \
            memset((v)->data + vec_old_, 0, (vec_new_ - vec_old_) * sizeof *(v)->data);            \
        (v)->len = vec_new_;                                                                       \
    } while (0)
#define vec_append(v, src, n)                                                                      \
    do {                                                                                           \
        size_t vec_n_ = (n);                                                                       \
        (void)vec_reserve((v), (v)->len + vec_n_);                                                 \
        if (vec_n_)                                                                                \
            memcpy((v)->data + (v)->len, (src), vec_n_ * sizeof *(v)->data);                       \
        (v)->len += vec_n_;                                                                        \
    } while (0)

void *vec_grow(void *data, size_t *cap, size_t wanted, size_t item_size);
void vec_release(void *data);

#endif
