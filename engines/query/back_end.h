/* back_end: what a solver must be able to do to stand behind query.h. */
#ifndef ENGINES_QUERY_BACK_END_H
#define ENGINES_QUERY_BACK_END_H

#include "engines/query/query.h"
#include "base/map.h"

struct query_class {
    void *(*open)(struct query *q);
    void (*close)(void *solver);
    uint32_t (*frame)(void *solver);
    void (*bind)(void *solver, uint32_t frame, term_t var, uint32_t from, term_t value);
    /* A literal equivalent to the term: called once a term and frame. */
    qlit (*literal)(void *solver, uint32_t frame, term_t t);
    qlit (*activation)(void *solver);
    void (*hold)(void *solver, uint32_t frame, term_t t, qlit when);
    void (*clause)(void *solver, const qlit *lits, size_t n);
    enum solver_result (*solve)(void *solver, const qlit *assumed, size_t n, uint64_t ticks,
                                struct qlits *core);
    bool (*holds)(void *solver, qlit lit);
    term_t (*value)(void *solver, uint32_t frame, term_t t);
    uint64_t (*ticks)(const void *solver);
};
extern const struct query_class query_icp, query_z3;

struct query {
    const struct query_class *back_end;
    void *solver;
    struct terms *terms;
    struct query_options options;
    struct map literals; /* frame and term to literal */
    uint32_t frames;
    struct qlits core;
    enum solver_result last;
    uint64_t questions;
};

#endif
