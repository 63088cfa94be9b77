/* Dynamic programming over the tokens of both lines: cost_at(i, j) is how much of the file's rest
 * has to be macros so that it becomes the rest of the preprocessed line. */
#include "instrument/syntax/spelling.h"

#include "base/mem.h"
#include "instrument/syntax/lex.h"

#include <assert.h>
#include <string.h>

enum {
    MOST_WORK = 4000000, /* steps to lay two lines side by side */
    LONGEST = 4000,      /* a line with more in it would be too much work: it is not even read */
    NO_COST = 1 << 28,
};

VEC_STRUCT(lexemes, struct lexeme);

/* One line of a text, in tokens. */
struct token_line {
    const char *text;
    struct lexemes tokens;
};

/* What the tokens of a preprocessed line come from. */
struct origin {
    uint32_t from, to;   /* tokens of the file: [from, to) */
    uint32_t begin, end; /* tokens of the preprocessed line that these stand for: [begin, end) */
};

/* Two lines side by side. cost[i * (m + 1) + j]: the fewest tokens of macros that explain the
 * tokens from `i` of the file and from `j` of the preprocessed line. */
struct spelled {
    struct token_line file, line;
    VEC(int) cost;
    VEC(struct origin) origins; /* one per token of `line` */
};

static void read_tokens(struct token_line *line, const char *text, size_t begin, size_t end,
                        bool in_comment) {
    line->text = text;
    if (in_comment) {
        const char *close = memmem(text + begin, end - begin, "*/", 2);
        begin = close ? (size_t)(close + 2 - text) : end;
    }
    for (struct lexeme l = lex_at(text, end, begin); l.kind != LEX_END;
         l = lex_at(text, end, l.end))
        if (l.kind != LEX_COMMENT)
            vec_push(&line->tokens, l);
}

static size_t length(struct lexeme l) {
    return l.end - l.begin;
}

static bool same_token(const struct spelled *s, size_t i, size_t j) {
    struct lexeme a = s->file.tokens.data[i], b = s->line.tokens.data[j];
    return length(a) == length(b) &&
           memcmp(s->file.text + a.begin, s->line.text + b.begin, length(a)) == 0;
}

static char punct(const struct token_line *line, size_t i) {
    struct lexeme l = line->tokens.data[i];
    return l.kind == LEX_PUNCT ? line->text[l.begin] : '\0';
}

/* +1, -1: the token opens, closes a bracket. */
static int opens(const struct token_line *line, size_t i) {
    char c = punct(line, i);
    return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

/* Behind the arguments of the word `i`; 0: it has none, or they go on in another line. */
static size_t behind_arguments(const struct token_line *line, size_t i) {
    int depth = 0;
    if (i + 1 >= line->tokens.len || punct(line, i + 1) != '(')
        return 0;
    for (size_t k = i + 1; k < line->tokens.len; k++) {
        depth += opens(line, k);
        if (depth == 0)
            return k + 1;
    }
    return 0;
}

static int *cost_at(struct spelled *s, size_t i, size_t j) {
    return &s->cost.data[i * (s->line.tokens.len + 1) + j];
}

/* The least cost when the file goes on at `next` behind tokens of the line from `j` whose brackets
 * match; `end` is where it goes on in the line. */
static int stand_for(struct spelled *s, size_t next, size_t j, size_t *end) {
    int best = NO_COST, depth = 0;
    for (size_t k = j; k <= s->line.tokens.len; k++) {
        int cost = depth == 0 ? *cost_at(s, next, k) : NO_COST;
        if (cost < best) {
            best = cost;
            *end = k;
        }
        if (k == s->line.tokens.len || (depth += opens(&s->line, k)) < 0)
            break;
    }
    return best;
}

struct choice {
    int cost;
    struct origin origin;
};

static void offer_macro(struct spelled *s, size_t i, size_t j, size_t next, struct choice *best) {
    size_t end = j;
    int cost = next ? stand_for(s, next, j, &end) + (int)(next - i) : NO_COST;
    if (cost < best->cost)
        *best = (struct choice){cost, {(uint32_t)i, (uint32_t)next, (uint32_t)j, (uint32_t)end}};
}

static struct choice choose(struct spelled *s, size_t i, size_t j) {
    struct choice best = {.cost = NO_COST};
    if (j < s->line.tokens.len && same_token(s, i, j)) {
        best.cost = *cost_at(s, i + 1, j + 1);
        best.origin = (struct origin){(uint32_t)i, (uint32_t)i + 1, (uint32_t)j, (uint32_t)j + 1};
    }
    if (s->file.tokens.data[i].kind == LEX_WORD) {
        offer_macro(s, i, j, i + 1, &best);
        offer_macro(s, i, j, behind_arguments(&s->file, i), &best);
    }
    return best;
}

static void fill(struct spelled *s) {
    size_t n = s->file.tokens.len, m = s->line.tokens.len;
    vec_resize_zero(&s->cost, (n + 1) * (m + 1));
    for (size_t j = 0; j < m; j++)
        *cost_at(s, n, j) = NO_COST;
    for (size_t i = n; i-- > 0;)
        for (size_t j = m + 1; j-- > 0;)
            *cost_at(s, i, j) = choose(s, i, j).cost;
}

/* Without an answer there are no origins. */
static void align(struct spelled *s) {
    size_t n = s->file.tokens.len, m = s->line.tokens.len;
    if (n == 0 || m == 0 || n * m > MOST_WORK / m)
        return;
    fill(s);
    if (*cost_at(s, 0, 0) >= NO_COST)
        return;
    vec_resize_zero(&s->origins, m);
    for (size_t i = 0, j = 0; i < n;) {
        struct choice c = choose(s, i, j);
        for (; j < c.origin.end; j++)
            s->origins.data[j] = c.origin;
        assert(c.origin.to > i);
        i = c.origin.to;
    }
}

static void spelled_free(struct spelled *s) {
    vec_free(&s->file.tokens);
    vec_free(&s->line.tokens);
    vec_free(&s->cost);
    vec_free(&s->origins);
}

/* ---- a part of a line ---- */

static size_t end_of_line(const struct unit *unit, const struct source_line *line) {
    const char *end = memchr(unit->text + line->offset, '\n', unit->len - line->offset);
    return end ? (size_t)(end - unit->text) : unit->len;
}

/* Does the part [first, last] of the line hold all that the macro at its edge stands for, but for
 * brackets around it? */
static bool holds(const struct spelled *s, size_t first, size_t last, size_t at) {
    const struct origin *o = &s->origins.data[at];
    size_t before = first > o->begin ? first - o->begin : 0;
    size_t behind = o->end > last + 1 ? o->end - last - 1 : 0;
    for (size_t i = 0; i < before; i++)
        if (punct(&s->line, o->begin + i) != '(')
            return false;
    for (size_t i = 0; i < behind; i++)
        if (punct(&s->line, o->end - 1 - i) != ')')
            return false;
    return before == behind;
}

static void add_tokens(const struct token_line *line, size_t from, size_t to, struct str *text) {
    for (size_t i = from; i < to; i++) {
        struct lexeme l = line->tokens.data[i];
        if (i > from && l.begin > line->tokens.data[i - 1].end)
            str_addc(text, ' ');
        unit_add_clean(text, line->text + l.begin, length(l));
    }
}

/* The tokens of `s` within `span`, as the file has them. */
static bool add_part(const struct spelled *s, struct span span, struct str *text) {
    size_t first = 0, last = s->line.tokens.len;
    while (first < last && s->line.tokens.data[first].begin < span.begin)
        first++;
    while (last > first && s->line.tokens.data[last - 1].end > span.end)
        last--;
    if (first == last)
        return true;
    if (s->origins.len == 0 || !holds(s, first, last - 1, first) ||
        !holds(s, first, last - 1, last - 1))
        return false;
    str_add(text, text->len ? " " : "");
    add_tokens(&s->file, s->origins.data[first].from, s->origins.data[last - 1].to, text);
    return true;
}

static bool add_line(const struct unit *unit, const struct source_line *line, struct span span,
                     struct str *text) {
    struct originals_line original = originals_line(&unit->originals, line);
    struct spelled s = {0};
    size_t end = end_of_line(unit, line);
    if (!original.file || end - line->offset > LONGEST || original.end - original.begin > LONGEST)
        return false;
    read_tokens(&s.line, unit->text, line->offset, end, line->in_comment);
    read_tokens(&s.file, original.file, original.begin, original.end, line->in_comment);
    align(&s);
    bool good = add_part(&s, span, text);
    spelled_free(&s);
    return good;
}

char *spelling_line(const struct unit *unit, struct span span, struct arena *arena) {
    struct str text = {0};
    bool good = true;
    for (size_t at = unit_skip_blank(unit, span.begin); good && at < span.end;) {
        const struct source_line *line = source_map_line(&unit->map, at);
        size_t end = end_of_line(unit, line);
        struct span part = {at, end < span.end ? end : span.end};
        good = add_line(unit, line, part, &text);
        at = unit_skip_blank(unit, end);
    }
    char *copy =
        good ? arena_strndup(arena, str_text(&text), text.len) : unit_line(unit, span, arena);
    str_free(&text);
    return copy;
}
