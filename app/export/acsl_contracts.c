/* The program is read as tokens as far as that takes: comments, literals, braces. A brace outside
 * of all others opens a function, an initialiser or a type; whatever else does, no contract is
 * written, for a function that is overlooked would be one that nothing is shown of. */
#include "app/export/acsl_contracts.h"

#include "base/arena.h"
#include "base/vec.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

struct word {
    const char *text;
    size_t len;
};

struct function {
    const char *name;
    bool plain; /* no parameters, no result */
};
VEC_STRUCT(functions, struct function);

struct reading {
    struct arena arena;
    struct str head; /* what stands in no braces since the last declaration, without comments */
    struct functions functions;
};

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool word_is(struct word w, const char *text) {
    return w.len == strlen(text) && memcmp(w.text, text, w.len) == 0;
}

/* ---- functions ---- */

/* Behind a comment or literal that begins here; else `at`. */
static const char *skip(const char *at, const char *end) {
    assert(at < end);
    if (*at == '/' && at[1] == '*') {
        const char *close = strstr(at + 2, "*/");
        return close && close < end ? close + 2 : end;
    }
    if ((*at == '/' && at[1] == '/') || *at == '#') {
        while (at < end && *at != '\n')
            at++;
        return at;
    }
    if (*at != '"' && *at != '\'')
        return at;
    char quote = *at++;
    while (at < end && *at != quote)
        at += *at == '\\' ? 2 : 1;
    return at < end ? at + 1 : end;
}

static struct word last_word(const char *text, size_t len) {
    while (len > 0 && !is_word(text[len - 1]))
        len--;
    size_t begin = len;
    while (begin > 0 && is_word(text[begin - 1]))
        begin--;
    return (struct word){text + begin, len - begin};
}

/* "struct tag" or "enum" */
static bool ends_in_type(const char *head, size_t len) {
    for (unsigned i = 0; i < 2; i++) {
        struct word w = last_word(head, len);
        if (word_is(w, "struct") || word_is(w, "union") || word_is(w, "enum"))
            return true;
        len = (size_t)(w.text - head);
    }
    return false;
}

/* "static void name(void)", which ends in the parenthesis. */
static bool read_function(struct reading *r, const char *head, size_t len) {
    size_t at = len;
    int depth = 0;
    assert(len > 0 && head[len - 1] == ')');
    do {
        if (at == 0)
            return false;
        at--;
        depth += head[at] == ')' ? 1 : head[at] == '(' ? -1 : 0;
    } while (depth > 0);
    struct word arguments = last_word(head + at, len - at), name = last_word(head, at);
    if (name.len == 0 || str_starts(name.text, "__")) /* an attribute */
        return false;
    size_t before = (size_t)(name.text - head);
    bool is_void = before > 0 && isspace((unsigned char)head[before - 1]) &&
                   word_is(last_word(head, before), "void");
    struct function f = {.name = arena_strndup(&r->arena, name.text, name.len),
                         .plain = is_void && (arguments.len == 0 || word_is(arguments, "void"))};
    vec_push(&r->functions, f);
    return true;
}

/* A brace that is in no other. */
static bool read_brace(struct reading *r) {
    const char *head = str_text(&r->head);
    size_t len = r->head.len;
    while (len > 0 && isspace((unsigned char)head[len - 1]))
        len--;
    if (len > 0 && head[len - 1] == ')')
        return read_function(r, head, len);
    return len > 0 && (head[len - 1] == '=' || ends_in_type(head, len));
}

static bool read_functions(struct reading *r, const char *at, const char *end) {
    unsigned depth = 0;
    for (const char *next; at < end; at = next) {
        next = skip(at, end);
        if (next != at) {
            if (depth == 0)
                str_addc(&r->head, ' ');
            continue;
        }
        next = at + 1;
        if (*at == '{' && depth++ == 0 && !read_brace(r))
            return false;
        if (depth == 0)
            str_addc(&r->head, *at);
        if (*at == '}' && depth-- == 0)
            return false;
        if (depth == 0 && (*at == '}' || *at == ';'))
            str_clear(&r->head);
    }
    return depth == 0;
}

/* ---- what holds between functions ---- */

bool acsl_without_casts(const char *condition, size_t len, struct str *out) {
    static const char pointer[] = "(void *)", object[] = "((char *)&", begin[] = " + 0)";
    const char *end = condition + len;
    size_t old = out->len;
    assert(len > 0);
    for (const char *at = condition; at < end;) {
        if (str_starts(at, pointer)) {
            at += strlen(pointer);
        } else if (str_starts(at, object)) {
            const char *close = strstr(at, begin);
            const char *name = at + strlen(object) - 1;
            if (!close || close >= end || memchr(name, ')', (size_t)(close - name))) {
                if (out->len > old) { /* a place within an object */
                    out->len = old;
                    out->data[old] = '\0';
                }
                return false;
            }
            str_addn(out, name, (size_t)(close - name));
            at = close + strlen(begin);
        } else {
            str_addc(out, *at++);
        }
    }
    return out->len - old < len;
}

/* "gk_assume(CONDITION of gk_value); LVALUE = gk_value;", CONDITION perhaps in gk_kept(N, ). */
static void add_promises(const char *at, const char *end, struct str *out) {
    static const char assume[] = "gk_assume(", kept[] = "gk_kept(", value[] = "gk_value";
    while ((at = strstr(at, assume)) && at < end) {
        const char *begin = at + strlen(assume), *close = strstr(begin, ");\n");
        if (!close)
            return;
        at = close + 3;
        if (str_starts(begin, kept)) {
            begin = strchr(begin, ' ') + 1;
            close--;
        }
        const char *cell = at + strspn(at, " "), *is = strstr(cell, " = gk_value;\n");
        if (!is || memchr(cell, '\n', (size_t)(is - cell)))
            continue;
        str_add(out, " &&\n  @   (");
        while (begin < close)
            if (str_starts(begin, value)) {
                str_addn(out, cell, (size_t)(is - cell));
                begin += strlen(value);
            } else {
                str_addc(out, *begin++);
            }
        str_addc(out, ')');
    }
}

/* What the obligations say of pointers: which objects they may be at. */
static void add_places(const char *obligations, struct str *out) {
    static const char claim[] = "    /*@ assert (void *)";
    for (const char *at = obligations; (at = strstr(at, claim));) {
        at += strlen(claim) - strlen("(void *)");
        const char *end = strstr(at, "; */");
        assert(end && end > at);
        struct str plain = {0};
        if (acsl_without_casts(at, (size_t)(end - at), &plain))
            str_addf(out, " &&\n  @   (%s)", str_text(&plain));
        str_free(&plain);
    }
}

/* "long long gk_p3 = CELL;" of what a step does not change. */
static void add_unchanged(const char *obligations, struct str *out) {
    static const char keeps[] = "long long gk_p"; /* perhaps unsigned */
    for (const char *at = obligations; (at = strstr(at, keeps));) {
        const char *cell = strstr(at, " = ") + 3, *end = strchr(cell, ';');
        assert(end && end > cell);
        str_addf(out, "\n  @ ensures %.*s == \\old(%.*s);", (int)(end - cell), cell,
                 (int)(end - cell), cell);
        at = end;
    }
}

/* ---- contracts ---- */

static bool is_called(const char *name, const char *at, const char *end) {
    for (size_t len = strlen(name); (at = strstr(at, name)) && at < end; at += len)
        if (at[len] == '(' && !is_word(at[-1]))
            return true;
    return false;
}

static void write_contracts(const struct functions *all, const char *init, const char *init_end,
                            const char *unchanged, struct acsl_contracts *out) {
    for (size_t i = 0; i < all->len; i++) {
        const struct function *f = &all->data[i];
        bool starts = is_called(f->name, init, init_end);
        const char *holds = starts ? "gk_invariant" : "gk_during";
        str_addf(f->plain ? &out->plain : &out->other, ",%s", f->name);
        if (!f->plain)
            str_addf(&out->text,
                     "#ifdef GK_INLINED\n/*@ requires inlined: \\false; */\n__typeof__(%s) "
                     "%s;\n#else\n",
                     f->name, f->name);
        str_addf(&out->text, "/*@ requires %s;\n  @ ensures %s;%s\n  @*/\n__typeof__(%s) %s;\n",
                 holds, holds, starts ? "" : unchanged, f->name, f->name);
        if (!f->plain)
            str_add(&out->text, "#endif\n");
    }
}

/* Those of the harness are a part of main(), or not of this program. */
static void drop_harness(struct functions *all) {
    static const char *const harness[] = {"gk_init", "gk_step", "gk_cell_read", "gk_cell_write"};
    size_t kept = 0;
    for (size_t i = 0; i < all->len; i++) {
        bool is_harness = false;
        for (size_t j = 0; j < sizeof harness / sizeof *harness; j++)
            is_harness |= strcmp(all->data[i].name, harness[j]) == 0;
        if (!is_harness)
            all->data[kept++] = all->data[i];
    }
    all->len = kept;
}

bool acsl_contracts_make(const char *program, const char *end, const char *obligations,
                         struct acsl_contracts *out) {
    struct reading r = {0};
    assert(program < end && out->text.len == 0);
    const char *init = strstr(program, "\nvoid gk_init(void) {\n"),
               *step = strstr(program, "\nvoid gk_step(void) {\n");
    bool ok = init && step && init < step && step < end && !strstr(obligations, "gk_check_goals") &&
              read_functions(&r, program, end);
    if (ok) {
        struct str unchanged = {0};
        drop_harness(&r.functions);
        add_unchanged(obligations, &unchanged);
        str_add(&out->text, "#ifdef GK_CONTRACTS\n/*@ predicate gk_during = gk_invariant");
        add_places(obligations, &out->text);
        add_promises(step, end, &out->text);
        str_add(&out->text, ";\n  @*/\n");
        write_contracts(&r.functions, init, step, str_text(&unchanged), out);
        str_add(&out->text, "#endif\n");
        str_free(&unchanged);
    }
    vec_free(&r.functions);
    str_free(&r.head);
    arena_free(&r.arena);
    return ok;
}

void acsl_contracts_free(struct acsl_contracts *contracts) {
    str_free(&contracts->text);
    str_free(&contracts->plain);
    str_free(&contracts->other);
}
