#include "bench/generate_module.h"

#include "base/arena.h"
#include "base/rng.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct block_kind {
    const char *name, *state, *restart, *code;
};

#define BLOCK(name, state, restart, code) {#name, state, restart, code},
static const struct block_kind common_kinds[] = {
#include "bench/generate_module.def"
};
static const struct block_kind hard_kinds[] = {
#include "bench/generate_hard.def"
};
#undef BLOCK

enum { MAX_KINDS = 64, DEFAULT_LINES = 200, OWN_SLOTS = 24, BYTES = 9 };
_Static_assert(sizeof common_kinds / sizeof *common_kinds <= MAX_KINDS, "order of kinds");
_Static_assert(sizeof hard_kinds / sizeof *hard_kinds <= MAX_KINDS, "order of kinds");

/* What a block reads, as C, and the constants that were drawn for it. */
struct block {
    const struct block_kind *kind;
    unsigned number;
    const char *flag, *integer, *real, *gain, *fraction;
    long limit, reach; /* greatest magnitude of `integer` and `real` */
    long threshold, debounce, slots, step, end, modulus, length, period;
    bool own_flag, own_integer, own_real; /* inputs of the module, not of another block */
};
VEC_STRUCT(blocks, struct block);

struct maker {
    struct generated *g;
    struct arena arena;
    struct rng rng;
    struct blocks blocks;
    const struct block_kind *kinds;
    size_t n_kinds, order[MAX_KINDS]; /* in the order in which they come first */
    unsigned lines;
    enum generate_shape shape;
};

static long pick(struct rng *rng, const long *values, size_t n) {
    return values[rng_below(rng, n)];
}

/* ---- templates ---- */

static long value_of(const struct block *b, char letter) {
    switch (letter) {
    case 'n':
        return b->threshold;
    case 'd':
        return b->debounce;
    case 's':
        return b->slots;
    case 'k':
        return b->step;
    case 'e':
        return b->end;
    case 'm':
        return b->modulus;
    case 'w':
        return b->length;
    case 'p':
        return b->period;
    default:
        assert(letter == 'l');
        return b->limit;
    }
}

/* "$l * 8 + $k$)": numbers and letters, * and / before +, no brackets. Returns what follows. */
static const char *arithmetic(const struct block *b, const char *at, long *value) {
    long sum = 0, factor = 1;
    char op = '*';
    for (; *at; at++) {
        if (*at == '$' && at[1] == ')')
            break;
        if (*at == '+') {
            sum += factor;
            factor = 1;
        } else if (*at == '*' || *at == '/') {
            op = *at;
            continue;
        } else if (*at == '$' || (*at >= '0' && *at <= '9')) {
            char *end = (char *)at + 2;
            long operand = *at == '$' ? value_of(b, at[1]) : strtol(at, &end, 10);
            factor = op == '*' ? factor * operand : factor / operand;
            at = end - 1;
        } else {
            continue;
        }
        op = '*';
    }
    *value = sum + factor;
    assert(at[0] == '$' && at[1] == ')');
    return at + 2;
}

/* Reads "$letter" at `at`; returns what follows. */
static const char *expand_letter(const struct block *b, const char *at, struct str *out) {
    long value;
    switch (at[1]) {
    case '(':
        at = arithmetic(b, at + 2, &value);
        str_addf(out, "%ld", value);
        return at;
    case 'b':
        str_add(out, b->flag);
        break;
    case 'i':
        str_add(out, b->integer);
        break;
    case 'x':
        str_add(out, b->real);
        break;
    case 'a':
        str_add(out, b->gain);
        break;
    case 'f':
        str_add(out, b->fraction);
        break;
    case 't':
        str_addf(out, "X_Sa%u_Slot == %u", b->number, b->number % OWN_SLOTS);
        break;
    case 'r':
        str_addf(out, "%ld.F", b->reach);
        break;
    default:
        if (at[1] >= '1' && at[1] <= '9')
            str_addf(out, "Sa%u_Byte%c", b->number, at[1]);
        else
            str_addf(out, "%ld", value_of(b, at[1]));
    }
    return at + 2;
}

static void expand(const struct block *b, const char *text, struct str *out) {
    while (*text) {
        if (*text == '@') {
            str_addf(out, "%u", b->number);
            text++;
        } else if (*text == '$') {
            text = expand_letter(b, text, out);
        } else {
            str_addc(out, *text++);
        }
    }
}

/* ---- drawing ---- */

/* The first and the block before last are never read: what they leave is settled when it is. */
static const struct block *earlier(struct maker *m) {
    if (m->blocks.len == 0 || m->shape == GENERATE_BLOCKS)
        return NULL;
    if (m->shape == GENERATE_CHAIN)
        return &vec_last(&m->blocks);
    if (rng_below(&m->rng, 3) != 0)
        return NULL;
    return &m->blocks.data[rng_below(&m->rng, m->blocks.len)];
}

static bool has_output(const struct block *b, const char *suffix) {
    return b && strstr(b->kind->code, suffix);
}

static void draw_sources(struct maker *m, struct block *b) {
    static const long limits[] = {100, 250, 1000, 4000}, reaches[] = {1, 10, 120, 4096};
    const struct block *from = earlier(m);
    b->own_flag = !has_output(from, "Sa@_Flag = ");
    b->flag = b->own_flag ? arena_printf(&m->arena, "Sa%u_Enable", b->number)
                          : arena_printf(&m->arena, "Sa%u_Flag", from->number);
    from = earlier(m);
    b->own_integer = !has_output(from, "Sa@_Out = ");
    b->integer = b->own_integer ? arena_printf(&m->arena, "Sa%u_Raw", b->number)
                                : arena_printf(&m->arena, "Sa%u_Out", from->number);
    b->limit = b->own_integer ? pick(&m->rng, limits, 4) : from->limit;
    from = earlier(m);
    /* A filter's output exceeds its input a little, a controller's reach is twice its input's. */
    b->own_real = !has_output(from, "Sa@_Phys = ");
    b->real = b->own_real ? arena_printf(&m->arena, "Sa%u_In", b->number)
                          : arena_printf(&m->arena, "(Sa%u_Phys * 0.25F)", from->number);
    b->reach = b->own_real ? pick(&m->rng, reaches, 4) : from->reach;
}

static struct block draw_block(struct maker *m) {
    static const long thresholds[] = {10, 100, 250, 3000, 25450, 60000};
    static const long debounces[] = {5, 20, 100, 400}, slots[] = {5, 8, 20, 64, 200};
    static const char *const gains[] = {"0.5F", "0.1F", "0.0625F", "0.02F"};
    static const char *const fractions[] = {"0.01F", "0.1F", "0.05F", "0.02F", "0.005F", "0.04F"};
    static const long ends[] = {1, 2, 5, 10}, lengths[] = {20, 50, 120, 200};
    struct block b = {.number = (unsigned)m->blocks.len + 1};
    /* Every kind once, then at random. */
    b.kind = &m->kinds[m->blocks.len < m->n_kinds ? m->order[m->blocks.len]
                                                  : rng_below(&m->rng, m->n_kinds)];
    b.threshold = pick(&m->rng, thresholds, 6);
    b.debounce = pick(&m->rng, debounces, 4);
    b.slots = pick(&m->rng, slots, 5);
    b.step = 1 + (long)rng_below(&m->rng, 4);
    b.gain = gains[rng_below(&m->rng, 4)];
    draw_sources(m, &b);
    if (m->kinds == common_kinds)
        return b;
    b.fraction = fractions[rng_below(&m->rng, 6)];
    b.end = pick(&m->rng, ends, 4);
    b.length = pick(&m->rng, lengths, 4);
    b.modulus = 3 + (long)rng_below(&m->rng, 10);
    b.period = 3 + (long)rng_below(&m->rng, 28);
    return b;
}

static void shuffle_kinds(struct maker *m) {
    for (size_t i = 0; i < m->n_kinds; i++) {
        size_t j = rng_below(&m->rng, i + 1);
        m->order[i] = m->order[j];
        m->order[j] = i;
    }
}

static unsigned count_lines(const char *text) {
    unsigned lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* ---- the module ---- */

static bool reads(const struct block *b, const char *what) {
    return strstr(b->kind->code, what) != NULL;
}

static const char prologue[] =
    "typedef unsigned char Bool;\ntypedef unsigned char UInt8;\ntypedef unsigned short UInt16;\n"
    "typedef short Int16;\ntypedef unsigned long UInt32;\ntypedef long Int32;\n"
    "typedef float Float32;\n\n";

static const char interpolate[] =
    "static Float32 Tab_Interpolate(const Float32 *axis, const Float32 *map, Float32 x)\n{\n"
    "   UInt8 i = 0;\n"
    "   if (x <= axis[0]) {\n      return map[0];\n   }\n"
    "   if (x >= axis[5]) {\n      return map[5];\n   }\n"
    "   while (x > axis[i + 1]) {\n      i++;\n   }\n"
    "   return map[i] + (map[i + 1] - map[i]) * ((x - axis[i]) / (axis[i + 1] - axis[i]));\n}\n\n";

static void declare_sources(const struct block *b, struct str *out) {
    if (b->own_flag && reads(b, "$b"))
        str_addf(out, "Bool Sa%u_Enable;\n", b->number);
    if (b->own_integer && reads(b, "$i"))
        str_addf(out, "Int16 Sa%u_Raw;\n", b->number);
    if (b->own_real && reads(b, "$x"))
        str_addf(out, "Float32 Sa%u_In;\n", b->number);
    for (int i = 1; i <= BYTES; i++)
        if (reads(b, (char[]){'$', (char)('0' + i), '\0'}))
            str_addf(out, "UInt8 Sa%u_Byte%d;\n", b->number, i);
    if (reads(b, "$t"))
        str_addf(out, "static UInt8 X_Sa%u_Slot = 0;\n", b->number);
    if (reads(b, "Sa@_Flag = "))
        str_addf(out, "static Bool Sa%u_Flag = 0;\n", b->number);
    if (reads(b, "Sa@_Out = "))
        str_addf(out, "static Int16 Sa%u_Out = 0;\n", b->number);
    if (reads(b, "Sa@_Phys = "))
        str_addf(out, "static Float32 Sa%u_Phys = 0.F;\n", b->number);
}

/* "goal: reachable" is known only where everything that the block reads is an input. */
static bool is_free(const struct block *b) {
    return (b->own_flag || !reads(b, "$b")) && (b->own_integer || !reads(b, "$i")) &&
           (b->own_real || !reads(b, "$x"));
}

static void note_goals(struct generated *g, const struct block *b, const char *text, int line) {
    static const char mark[] = "/* goal: ";
    for (; *text; text++) {
        line += *text == '\n';
        if (strncmp(text, mark, sizeof mark - 1) != 0)
            continue;
        const char *word = text + sizeof mark - 1;
        bool dead = str_starts(word, "dead");
        struct generated_goal goal = {.line = line,
                                      .truth = dead         ? TRUTH_DEAD
                                               : is_free(b) ? TRUTH_REACHABLE
                                                            : TRUTH_UNKNOWN,
                                      .needs_state = str_starts(word, "dead state"),
                                      .block = b->kind->name};
        vec_push(&g->goals, goal);
    }
}

static void write_function(struct maker *m, const struct block *b) {
    struct str *out = &m->g->source;
    str_addf(out, "static void Sa%u_%s(void)\n{\n", b->number, b->kind->name);
    if (reads(b, "$t"))
        str_addf(out, "   X_Sa%u_Slot = (UInt8)((X_Sa%u_Slot + 1) %% %d);\n", b->number, b->number,
                 OWN_SLOTS);
    size_t start = out->len;
    int line = (int)count_lines(str_text(out)) + 1;
    expand(b, b->kind->code, out);
    note_goals(m->g, b, out->data + start, line);
    str_add(out, "}\n\n");
}

static void write_source(struct maker *m) {
    struct str *out = &m->g->source;
    str_add(out, prologue);
    for (size_t i = 0; i < m->blocks.len; i++)
        declare_sources(&m->blocks.data[i], out);
    str_addc(out, '\n');
    for (size_t i = 0; i < m->blocks.len; i++)
        expand(&m->blocks.data[i], m->blocks.data[i].kind->state, out);
    str_addc(out, '\n');
    str_add(out, interpolate);
    for (size_t i = 0; i < m->blocks.len; i++)
        write_function(m, &m->blocks.data[i]);
    str_add(out, "void RESTART_module(void)\n{\n");
    for (size_t i = 0; i < m->blocks.len; i++) {
        const struct block *b = &m->blocks.data[i];
        expand(b, b->kind->restart, out);
        if (reads(b, "$t"))
            str_addf(out, "   X_Sa%u_Slot = 0;\n", b->number);
    }
    str_add(out, "}\n\nvoid module(void)\n{\n");
    for (size_t i = 0; i < m->blocks.len; i++)
        str_addf(out, "   Sa%u_%s();\n", m->blocks.data[i].number, m->blocks.data[i].kind->name);
    str_add(out, "}\n");
}

static void write_input(struct str *out, const char *name, long min, long max) {
    str_addf(out, "%s    {\"name\": \"%s\", \"min\": %ld, \"max\": %ld}",
             str_ends(str_text(out), "[\n") ? "" : ",\n", name, min, max);
}

static void write_project(struct maker *m) {
    struct str *out = &m->g->project;
    str_add(out, "{\n  \"name\": \"module\",\n  \"target\": \"ilp32\",\n"
                 "  \"sources\": [\"module.c\"],\n  \"init\": [\"RESTART_module\"],\n"
                 "  \"step\": \"module\",\n  \"inputs\": [\n");
    for (size_t i = 0; i < m->blocks.len; i++) {
        const struct block *b = &m->blocks.data[i];
        if (b->own_flag && reads(b, "$b"))
            write_input(out, b->flag, 0, 1);
        if (b->own_integer && reads(b, "$i"))
            write_input(out, b->integer, -b->limit, b->limit);
        if (b->own_real && reads(b, "$x"))
            write_input(out, b->real, -b->reach, b->reach);
        for (int k = 1; k <= BYTES; k++)
            if (reads(b, (char[]){'$', (char)('0' + k), '\0'}))
                write_input(out, arena_printf(&m->arena, "Sa%u_Byte%d", b->number, k), 0, 255);
    }
    str_add(out, "\n  ]\n}\n");
}

static unsigned lines_of(const struct block_kind *kind) {
    return count_lines(kind->state) + count_lines(kind->restart) + count_lines(kind->code) + 8;
}

void generate_module(struct generated *g, const struct generate_options *options) {
    *g = (struct generated){0};
    struct maker m = {
        .g = g, .kinds = options->hard ? hard_kinds : common_kinds, .shape = options->shape};
    m.n_kinds = options->hard ? sizeof hard_kinds / sizeof *hard_kinds
                              : sizeof common_kinds / sizeof *common_kinds;
    unsigned wanted = options->lines ? options->lines : DEFAULT_LINES;
    m.lines = count_lines(prologue) + count_lines(interpolate) + 8;
    rng_init(&m.rng, options->seed);
    shuffle_kinds(&m);
    while (m.lines < wanted || m.blocks.len == 0) {
        struct block b = draw_block(&m);
        m.lines += lines_of(b.kind);
        vec_push(&m.blocks, b);
    }
    write_source(&m);
    write_project(&m);
    vec_free(&m.blocks);
    arena_free(&m.arena);
}

void generated_free(struct generated *g) {
    str_free(&g->source);
    str_free(&g->project);
    vec_free(&g->goals);
}

const char *truth_name(enum truth truth) {
    static const char *const names[] = {"unknown", "reachable", "dead"};
    return names[truth];
}
