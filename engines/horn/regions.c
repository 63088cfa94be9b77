/* regions: variables and choices that flow into each other are one class, which is spoilt by any
 * use but a comparison with a constant. Of the others the values next to each constant, and between
 * them, are candidates for a region; those with the same answers are one. */
#include "engines/horn/regions.h"

#include "base/mem.h"
#include "engines/horn/core.h"
#include "model/term/number.h"
#include "model/term/simplify.h"

#include <assert.h>
#include <stdlib.h>

enum { MOST_REGIONS = 100, MOST_CONSTANTS = 100 };

/* A comparison with a constant. */
struct atom {
    enum op op;
    term_t of, constant;
    bool constant_first;
};

/* The regions of a class. */
struct region_values {
    VEC(struct atom) atoms;   /* each comparison once, whatever is compared */
    struct horn_terms sample; /* by region: a value of it */
    VEC(bool) said;           /* by region and atom */
    sort_t width;
};

struct making {
    struct regions *r;
    struct terms *ts;
    term_t end; /* of the terms that there were */
    bool *mark, *spoilt;
    term_t *class;     /* by term: a term of the same class, itself where that is its name */
    struct atom *atom; /* by term; of = 0: none */
    struct region_values **values; /* by name of a class */
    struct horn_terms now;         /* by term: what it becomes */
};

static bool is_value(const struct terms *ts, term_t t) {
    sort_t sort = term_sort(ts, t);
    return sort_is_int(sort) || sort_is_number(sort);
}

/* ---- comparisons ---- */

static term_t atom_term(struct terms *ts, const struct atom *a, term_t of) {
    return a->constant_first ? term_op2(ts, a->op, a->constant, of)
                             : term_op2(ts, a->op, of, a->constant);
}

/* Of numbers: one variable, or choice, with factor 1 or -1. */
static bool read_sum(struct terms *ts, term_t t, struct atom *a) {
    sort_t sort = term_sort(ts, term_arg(ts, t, 0));
    struct sum sum;
    mpq_t factor;
    sum_init(&sum);
    mpq_init(factor);
    sum_add_difference(ts, &sum, term_arg(ts, t, 0), term_arg(ts, t, 1));
    sum_tidy(&sum);
    bool ok = sum.parts.len == 1;
    if (ok) {
        mpq_set(factor, sum.parts.data[0].factor);
        ok = mpq_cmp_si(factor, 1, 1) == 0 || mpq_cmp_si(factor, -1, 1) == 0 || sort == SORT_REAL;
    }
    if (ok) {
        bool least = mpq_sgn(factor) < 0 && term_is(ts, t, OP_NLE);
        mpq_div(factor, sum.constant, factor);
        mpq_neg(factor, factor);
        *a = (struct atom){term_get(ts, t)->op, sum.parts.data[0].atom,
                           term_number_q(ts, sort, factor), least};
    }
    mpq_clear(factor);
    sum_free(&sum);
    return ok;
}

static bool compares_values(const struct terms *ts, term_t t) {
    enum op op = (enum op)term_get(ts, t)->op;
    return (op_is_comparison(op) || op == OP_NLE) && is_value(ts, term_arg(ts, t, 0));
}

static bool read_atom(struct terms *ts, term_t t, struct atom *a) {
    term_t left = term_arg(ts, t, 0), right = term_arg(ts, t, 1);
    assert(compares_values(ts, t));
    if (sort_is_number(term_sort(ts, left)))
        return read_sum(ts, t, a);
    bool first = term_is_const(ts, left);
    if (!first && !term_is_const(ts, right))
        return false;
    *a = (struct atom){term_get(ts, t)->op, first ? right : left, first ? left : right, first};
    return true;
}

/* ---- classes ---- */

static term_t class_of(struct making *m, term_t t) {
    while (m->class[t] != t)
        t = m->class[t] = m->class[m->class[t]];
    return t;
}

/* A value flows from one into the other. */
static void flow(struct making *m, term_t a, term_t b) {
    assert(term_sort(m->ts, a) == term_sort(m->ts, b));
    if (!term_is_const(m->ts, a) && !term_is_const(m->ts, b))
        m->class[class_of(m, a)] = class_of(m, b);
}

static void visit(struct making *m, term_t t) {
    struct term n = *term_get(m->ts, t);
    bool value = is_value(m->ts, t);
    if (n.arity == 2 && compares_values(m->ts, t) && read_atom(m->ts, t, &m->atom[t])) {
        m->mark[m->atom[t].of] = true;
        return;
    }
    m->atom[t] = (struct atom){0};
    for (int a = 0; a < n.arity; a++) {
        m->mark[n.arg[a]] = true;
        if (value && n.op == OP_ITE && a > 0)
            flow(m, t, n.arg[a]);
        else if (is_value(m->ts, n.arg[a]))
            m->spoilt[n.arg[a]] = true;
    }
    if (value && n.arity > 0 && n.op != OP_ITE && n.op != OP_B2I)
        m->spoilt[t] = true;
}

static void visit_all(struct making *m) {
    const struct system *sys = m->r->whole;
    const struct target *target = &sys->targets.data[0];
    term_t roots[] = {sys->init_ok, sys->step_ok, target->hit, target->init_hit};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        m->mark[roots[i]] = true;
    for (size_t i = 0; i < sys->cells.len; i++) {
        const struct cell *c = &sys->cells.data[i];
        m->mark[c->var] = m->mark[c->init] = m->mark[c->next] = true;
        flow(m, c->var, c->init);
        flow(m, c->var, c->next);
    }
    m->mark[0] = false;
    for (term_t t = m->end - 1; t > 0; t--)
        if (m->mark[t])
            visit(m, t);
    for (term_t t = 1; t < m->end; t++)
        if (m->mark[t] && m->spoilt[t])
            m->spoilt[class_of(m, t)] = true;
}

/* ---- values ---- */

static void values_free(struct region_values *v) {
    vec_free(&v->atoms);
    vec_free(&v->sample);
    vec_free(&v->said);
    mem_free(v);
}

static void add_atom(struct region_values *v, const struct atom *a) {
    for (size_t i = 0; i < v->atoms.len; i++) {
        const struct atom *old = &v->atoms.data[i];
        if (old->op == a->op && old->constant == a->constant &&
            old->constant_first == a->constant_first)
            return;
    }
    vec_push(&v->atoms, *a);
}

/* The region of a constant; the number of regions: it is in none that is known. */
static size_t region_of(struct terms *ts, const struct region_values *v, term_t value) {
    assert(term_is_const(ts, value));
    size_t n = v->atoms.len;
    for (size_t i = 0; i < v->sample.len; i++) {
        bool same = true;
        for (size_t a = 0; a < n && same; a++) {
            term_t said = atom_term(ts, &v->atoms.data[a], value);
            same = term_is_true(ts, said) == v->said.data[i * n + a];
        }
        if (same)
            return i;
    }
    return v->sample.len;
}

static void try_value(struct terms *ts, struct region_values *v, term_t value) {
    if (v->sample.len > MOST_REGIONS || region_of(ts, v, value) < v->sample.len)
        return;
    vec_push(&v->sample, value);
    for (size_t a = 0; a < v->atoms.len; a++)
        vec_push(&v->said, term_is_true(ts, atom_term(ts, &v->atoms.data[a], value)));
}

static void try_words(struct terms *ts, struct region_values *v, sort_t sort) {
    int64_t least_signed = (int64_t)(UINT64_C(1) << (sort - 1));
    for (int64_t d = -1; d <= 1; d++)
        for (size_t a = 0; a < v->atoms.len; a++)
            try_value(ts, v,
                      term_op2(ts, OP_ADD, v->atoms.data[a].constant, term_int(ts, sort, d)));
    try_value(ts, v, term_int(ts, sort, 0));
    try_value(ts, v, term_int(ts, sort, -1));
    try_value(ts, v, term_int(ts, sort, least_signed));
    try_value(ts, v, term_int(ts, sort, least_signed - 1));
}

static int by_value(const void *a, const void *b) {
    return mpq_cmp(*(const mpq_t *)a, *(const mpq_t *)b);
}

/* One step down from each constant, itself, one up, and between two of them. */
static void try_numbers(struct terms *ts, struct region_values *v, sort_t sort) {
    size_t n = v->atoms.len;
    mpq_t *at = mem_zalloc(n + 1, sizeof *at), one, middle;
    mpq_init(one);
    mpq_init(middle);
    for (size_t i = 0; i < n; i++) {
        mpq_init(at[i]);
        term_number_value(ts, v->atoms.data[i].constant, at[i]);
    }
    qsort(at, n, sizeof *at, by_value);
    try_value(ts, v, term_number(ts, sort, "0"));
    for (size_t i = 0; i < n; i++)
        for (int d = -1; d <= 1; d++) {
            mpq_set_si(one, d, 1);
            mpq_add(middle, at[i], one);
            try_value(ts, v, term_number_q(ts, sort, middle));
        }
    mpq_set_si(one, 1, 2);
    for (size_t i = 0; i + 1 < n && sort == SORT_REAL; i++) {
        mpq_add(middle, at[i], at[i + 1]);
        mpq_mul(middle, middle, one);
        try_value(ts, v, term_number_q(ts, sort, middle));
    }
    for (size_t i = 0; i < n; i++)
        mpq_clear(at[i]);
    mpq_clear(middle);
    mpq_clear(one);
    mem_free(at);
}

static sort_t width_for(size_t regions) {
    sort_t width = 1;
    while ((size_t)1 << width < regions)
        width++;
    return width;
}

/* False: there are too many for it to be worth while. */
static bool find_values(struct terms *ts, struct region_values *v, sort_t sort) {
    if (v->atoms.len > MOST_CONSTANTS)
        return false;
    if (sort_is_int(sort))
        try_words(ts, v, sort);
    else
        try_numbers(ts, v, sort);
    assert(v->sample.len > 0);
    v->width = width_for(v->sample.len);
    return v->sample.len <= MOST_REGIONS && (!sort_is_int(sort) || v->width < sort);
}

static struct region_values *values_of(struct making *m, term_t t) {
    return is_value(m->ts, t) ? m->values[class_of(m, t)] : NULL;
}

static void find_all_values(struct making *m) {
    struct regions *r = m->r;
    for (size_t i = 0; i < r->whole->cells.len; i++) {
        term_t var = r->whole->cells.data[i].var, class = class_of(m, var);
        if (!is_value(m->ts, var) || m->spoilt[class] || m->values[class])
            continue;
        m->values[class] = mem_zalloc(1, sizeof **m->values);
        vec_push(&r->all, m->values[class]);
    }
    for (term_t t = 1; t < m->end; t++)
        if (m->mark[t] && m->atom[t].of && values_of(m, m->atom[t].of))
            add_atom(values_of(m, m->atom[t].of), &m->atom[t]);
    for (term_t t = 1; t < m->end; t++)
        if (m->values[t] && !find_values(m->ts, m->values[t], term_sort(m->ts, t)))
            m->values[t] = NULL;
}

/* ---- terms ---- */

static term_t region_term(struct making *m, const struct region_values *v, term_t constant) {
    size_t region = region_of(m->ts, v, constant);
    assert(region < v->sample.len && "candidates cover all values");
    return term_int(m->ts, v->width, (int64_t)region);
}

/* What flows into a class. */
static term_t flowing(struct making *m, const struct region_values *v, term_t t) {
    return v && term_is_const(m->ts, t) ? region_term(m, v, t) : m->now.data[t];
}

/* The word is between these regions; what is beyond the last one stands for it. */
static term_t between(struct terms *ts, const struct region_values *v, term_t word, size_t first,
                      size_t last) {
    term_t least = term_int(ts, v->width, (int64_t)first);
    term_t most = term_int(ts, v->width, (int64_t)last);
    assert(first <= last && last < v->sample.len);
    if (last + 1 == v->sample.len)
        return term_op2(ts, OP_ULE, least, word);
    if (first == last)
        return term_eq(ts, word, least);
    return term_and(ts, term_op2(ts, OP_ULE, least, word), term_op2(ts, OP_ULE, word, most));
}

static term_t atom_of_word(struct making *m, const struct region_values *v, const struct atom *a) {
    term_t word = m->now.data[a->of], any = term_bool(m->ts, false);
    size_t n = v->atoms.len, at = 0;
    while (v->atoms.data[at].op != a->op || v->atoms.data[at].constant != a->constant ||
           v->atoms.data[at].constant_first != a->constant_first)
        at++;
    assert(at < n && word);
    for (size_t i = 0; i < v->sample.len; i++) {
        size_t first = i;
        while (i < v->sample.len && v->said.data[i * n + at])
            i++;
        if (i > first)
            any = term_or(m->ts, any, between(m->ts, v, word, first, i - 1));
    }
    return any;
}

static term_t make_word(struct making *m, struct region_values *v, term_t var) {
    struct terms *ts = m->ts;
    uint64_t index = term_bits(ts, var);
    term_t word = term_var(ts, ts->vars.data[index].name, v->width, false);
    vec_resize_zero(&m->r->values, ts->vars.len);
    vec_resize_zero(&m->r->small, ts->vars.len);
    m->r->values.data[term_bits(ts, word)] = v;
    m->r->small.data[index] = word;
    return word;
}

static term_t rewritten(struct making *m, term_t t) {
    struct term n = *term_get(m->ts, t);
    struct region_values *v = values_of(m, t);
    term_t args[3] = {0};
    if (m->atom[t].of) {
        const struct region_values *of = values_of(m, m->atom[t].of);
        return of ? atom_of_word(m, of, &m->atom[t])
                  : atom_term(m->ts, &m->atom[t], m->now.data[m->atom[t].of]);
    }
    if (n.arity == 0)
        return v && n.op == OP_VAR ? make_word(m, v, t) : t;
    for (int a = 0; a < n.arity; a++)
        args[a] = a > 0 && n.op == OP_ITE ? flowing(m, v, n.arg[a]) : m->now.data[n.arg[a]];
    if (v && n.op == OP_B2I)
        return term_ite(m->ts, args[0], region_term(m, v, term_int(m->ts, n.sort, 1)),
                        region_term(m, v, term_int(m->ts, n.sort, 0)));
    return v ? term_ite(m->ts, args[0], args[1], args[2]) : term_rebuild(m->ts, t, args);
}

static void rewrite_all(struct making *m) {
    vec_resize_zero(&m->now, m->end);
    for (term_t t = 1; t < m->end; t++)
        if (m->mark[t])
            m->now.data[t] = rewritten(m, t);
}

/* ---- the system ---- */

/* The number of its region, by the comparisons. */
static term_t region_number(struct terms *ts, const struct region_values *v, term_t var) {
    size_t n = v->atoms.len;
    term_t number = term_int(ts, v->width, (int64_t)v->sample.len - 1);
    assert(v->said.len == n * v->sample.len);
    for (size_t i = v->sample.len - 1; i > 0; i--) {
        term_t here = term_bool(ts, true);
        for (size_t a = 0; a < n; a++) {
            term_t said = atom_term(ts, &v->atoms.data[a], var);
            here = term_and(ts, here, v->said.data[(i - 1) * n + a] ? said : term_not(ts, said));
        }
        number = term_ite(ts, here, term_int(ts, v->width, (int64_t)i - 1), number);
    }
    return number;
}

static void put_cells(struct making *m) {
    struct regions *r = m->r;
    for (size_t i = 0; i < r->whole->cells.len; i++) {
        struct cell c = r->whole->cells.data[i];
        const struct region_values *v = values_of(m, c.var);
        term_t word = m->now.data[c.var];
        if (v) {
            vec_resize_zero(&r->is, m->ts->vars.len);
            r->is.data[term_bits(m->ts, word)] = region_number(m->ts, v, c.var);
        }
        c.init = flowing(m, v, c.init);
        c.next = flowing(m, v, c.next);
        c.var = word;
        vec_push(&r->sys.cells, c);
    }
}

static void put_system(struct making *m) {
    struct regions *r = m->r;
    system_init(&r->sys, m->ts);
    r->sys.name = r->whole->name;
    r->sys.init_ok = m->now.data[r->whole->init_ok];
    r->sys.step_ok = m->now.data[r->whole->step_ok];
    put_cells(m);
    for (size_t i = 0; i < r->whole->inputs.len; i++) {
        struct sys_input input = r->whole->inputs.data[i];
        if (m->mark[input.var])
            input.var = m->now.data[input.var];
        vec_push(&r->sys.inputs, input);
    }
    vec_append(&r->sys.targets, r->whole->targets.data, 1);
    struct target *target = &r->sys.targets.data[0];
    target->hit = m->now.data[target->hit];
    target->init_hit = target->init_hit ? m->now.data[target->init_hit] : 0;
    core_cut(&r->sys);
    check_system(&r->sys);
}

/* ---- all ---- */

static bool is_any(const struct making *m) {
    for (term_t t = 1; t < m->end; t++)
        if (m->values[t])
            return true;
    return false;
}

bool regions_make(struct regions *r, const struct system *whole) {
    struct making m = {.r = r, .ts = whole->terms, .end = (term_t)whole->terms->nodes.len};
    assert(whole->targets.len == 1);
    *r = (struct regions){.whole = whole};
    m.mark = mem_zalloc(m.end, sizeof *m.mark);
    m.spoilt = mem_zalloc(m.end, sizeof *m.spoilt);
    m.class = mem_zalloc(m.end, sizeof *m.class);
    m.atom = mem_zalloc(m.end, sizeof *m.atom);
    m.values = mem_zalloc(m.end, sizeof *m.values);
    for (term_t t = 1; t < m.end; t++)
        m.class[t] = t;
    visit_all(&m);
    find_all_values(&m);
    bool any = is_any(&m);
    if (any) {
        rewrite_all(&m);
        put_system(&m);
    } else {
        regions_free(r);
    }
    vec_free(&m.now);
    mem_free(m.values);
    mem_free(m.atom);
    mem_free(m.class);
    mem_free(m.spoilt);
    mem_free(m.mark);
    return any;
}

void regions_free(struct regions *r) {
    for (size_t i = 0; i < r->all.len; i++)
        values_free(r->all.data[i]);
    vec_free(&r->all);
    vec_free(&r->values);
    vec_free(&r->small);
    vec_free(&r->is);
    system_free(&r->sys);
}

/* ---- answers ---- */

term_t regions_lift(const struct regions *r, term_t condition) {
    term_substitute(r->sys.terms, r->is.data, r->is.len, &condition, 1);
    return condition;
}

/* A value of the region that the word says; of an input that is in no term of the small system,
 * any value. */
static term_t lifted_input(const struct regions *r, term_t var, const struct horn_terms *run,
                           size_t step) {
    struct terms *ts = r->sys.terms;
    uint64_t index = term_bits(ts, var);
    term_t small = index < r->small.len && r->small.data[index] ? r->small.data[index] : var;
    for (size_t i = 0; i < r->sys.inputs.len; i++) {
        if (r->sys.inputs.data[i].var != small)
            continue;
        term_t value = run->data[step * r->sys.inputs.len + i];
        if (small == var || !value)
            return value;
        const struct region_values *v = r->values.data[term_bits(ts, small)];
        size_t region = term_bits(ts, value);
        return v->sample.data[region < v->sample.len ? region : v->sample.len - 1];
    }
    return core_any(ts, term_sort(ts, var));
}

void regions_lift_run(const struct regions *r, struct horn_terms *inputs, uint32_t states) {
    struct horn_terms run = {0};
    assert(inputs->len == (states + 1) * r->sys.inputs.len);
    vec_append(&run, inputs->data, inputs->len);
    vec_clear(inputs);
    for (uint32_t step = 0; step <= states; step++)
        for (size_t i = 0; i < r->whole->inputs.len; i++) {
            const struct sys_input *input = &r->whole->inputs.data[i];
            bool here = input->at_init == (step == 0);
            vec_push(inputs, here ? lifted_input(r, input->var, &run, step) : 0);
        }
    vec_free(&run);
}
