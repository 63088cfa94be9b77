/* libclang visits in preorder, without going down itself: the open cursors are kept here.
 *
 * In a text, each token between two separators may be one level: operators, names, parentheses. A
 * separator inside parentheses or braces ends what is inside. An `else` goes down too, until a
 * statement follows that has none. That is far above the depth of any real text. */
#include "instrument/syntax/depth.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* libclang needs up to 6 KB a level. */
enum { STACK_MB = 512, MOST_TOKENS = 10000, MOST_BRACKETS = 300 };

/* ---- the text ---- */

struct level {
    size_t tokens, elses;
    bool ended; /* a statement, just before */
};

struct scan {
    struct level levels[MOST_BRACKETS];
    size_t depth;
    size_t total; /* of all levels */
};

static struct level *present(struct scan *s) {
    return &s->levels[s->depth];
}

static void end_operands(struct scan *s) {
    s->total -= present(s)->tokens;
    present(s)->tokens = 0;
}

static void end_elses(struct scan *s) {
    s->total -= present(s)->elses;
    present(s)->elses = 0;
}

static void open_bracket(struct scan *s) {
    s->total++;
    present(s)->tokens++;
    present(s)->ended = false;
    if (s->depth + 1 < MOST_BRACKETS) /* clang allows 256 */
        s->levels[++s->depth] = (struct level){0};
}

static void close_bracket(struct scan *s, bool brace) {
    end_operands(s);
    end_elses(s);
    if (s->depth > 0)
        s->depth--;
    if (brace)
        end_operands(s);
    present(s)->ended = brace;
}

static void take_token(struct scan *s, bool is_else) {
    if (present(s)->ended && !is_else)
        end_elses(s);
    present(s)->ended = false;
    s->total++;
    *(is_else ? &present(s)->elses : &present(s)->tokens) += 1;
}

/* Behind a comment, a line marker, a string, or a character; NULL: none of them begins here. */
static const char *skip_text(const char *text, const char *at) {
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if ((at[0] == '/' && at[1] == '/') || (at[0] == '#' && (at == text || at[-1] == '\n')))
        return at + strcspn(at, "\n");
    if (at[0] != '"' && at[0] != '\'')
        return NULL;
    char quote = *at++;
    for (; *at && *at != quote && *at != '\n'; at++)
        at += at[0] == '\\' && at[1];
    return at + (*at == quote);
}

static const char *take_word(struct scan *s, const char *at) {
    const char *end = at;
    while (isalnum((unsigned char)*end) || *end == '_')
        end++;
    take_token(s, end - at == 4 && strncmp(at, "else", 4) == 0);
    return end;
}

static void take_sign(struct scan *s, char c) {
    if (c == '(' || c == '[' || c == '{')
        open_bracket(s);
    else if (c == ')' || c == ']' || c == '}')
        close_bracket(s, c == '}');
    else if (c == ',' || c == ';')
        end_operands(s);
    else
        take_token(s, false);
    if (c == ';')
        present(s)->ended = true;
}

bool depth_check_text(const struct unit *unit, struct err *err) {
    struct scan s = {0};
    const char *at = unit->text;
    while (*at && s.total <= MOST_TOKENS) {
        const char *behind = skip_text(unit->text, at);
        if (behind)
            at = behind;
        else if (isspace((unsigned char)*at))
            at++;
        else if (isalnum((unsigned char)*at) || *at == '_')
            at = take_word(&s, at);
        else
            take_sign(&s, *at++);
    }
    if (s.total <= MOST_TOKENS)
        return true;
    struct place place = unit_place(unit, (size_t)(at - unit->text) - 1);
    err_set(err, ERR_SOURCE, "a statement has more than %d tokens", MOST_TOKENS);
    err_at(err, place.file, place.line, place.col);
    return err_remedy(err, "split it: keep parts of it in local variables or functions");
}

/* ---- the syntax ---- */

struct descent {
    VEC(CXCursor) open; /* the one visited last and all around it */
    bool too_deep;      /* the last of them is */
};

static enum CXChildVisitResult descend(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct descent *d = data;
    while (d->open.len > 0 && !clang_equalCursors(d->open.data[d->open.len - 1], parent))
        d->open.len--;
    vec_push(&d->open, cursor);
    d->too_deep = d->open.len > DEPTH_MOST;
    return d->too_deep ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static bool refuse(const struct unit *unit, CXCursor cursor, struct err *err) {
    struct place place = unit_place_of(unit, cursor);
    bool statement = clang_isStatement(clang_getCursorKind(cursor));
    err_set(err, ERR_SOURCE, "%s nested more than %d levels deep",
            statement ? "statements are" : "an expression is", DEPTH_MOST);
    err_at(err, place.file, place.line, place.col);
    return err_remedy(err, statement ? "move the inner part into a function, or use a switch"
                                     : "split it: keep parts of it in local variables");
}

bool depth_check(const struct unit *unit, struct err *err) {
    struct descent d = {0};
    clang_visitChildren(clang_getTranslationUnitCursor(unit->tu), descend, &d);
    bool good = !d.too_deep || refuse(unit, d.open.data[d.open.len - 1], err);
    vec_free(&d.open);
    return good;
}

/* ---- the stack ---- */

struct call {
    void (*function)(void *);
    void *context;
};

static void *carry_out(void *data) {
    struct call *call = data;
    call->function(call->context);
    return NULL;
}

void depth_call(void (*function)(void *context), void *context) {
    struct call call = {function, context};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    bool started = pthread_attr_setstacksize(&attributes, (size_t)STACK_MB << 20) == 0 &&
                   pthread_create(&thread, &attributes, carry_out, &call) == 0;
    pthread_attr_destroy(&attributes);
    if (started)
        pthread_join(thread, NULL);
    else
        function(context);
}
