/* Shares and words: comments, asserts, conditionals, banned functions, leftovers. */
#include "gate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void gate_comments(const struct tree *tree, struct findings *f);
void gate_asserts(const struct tree *tree, struct findings *f);
void gate_conditionals(const struct tree *tree, struct findings *f);
void gate_banned(const struct tree *tree, struct findings *f);
void gate_words(const struct tree *tree, struct findings *f);
void gate_leftovers(const struct tree *tree, struct findings *f);

static bool is_blank_line(const char *p) {
    return p[strspn(p, " \t")] == '\n' || p[strspn(p, " \t")] == '\0';
}

static const char *next_line(const char *p) {
    const char *end = p + strcspn(p, "\n");
    return *end ? end + 1 : end;
}

/* Lines with something on them, and lines on which a comment takes part. */
static void count_lines(const struct source *s, int *filled, int *commented, int *code) {
    const char *c = s->code;
    for (const char *t = s->text; *t; t = next_line(t), c = next_line(c)) {
        size_t len = strcspn(t, "\n");
        if (is_blank_line(t))
            continue;
        ++*filled;
        *code += !is_blank_line(c);
        bool only = is_blank_line(c), mixed = false;
        for (size_t i = 0; i + 1 < len; i++)
            mixed |= t[i] == '/' && (t[i + 1] == '*' || t[i + 1] == '/') && c[i] == ' ';
        *commented += only || mixed;
    }
}

enum { SHORT_FILE = 100 };

static int lines_of(const char *text) {
    int n = 0;
    for (; *text; text = next_line(text))
        n++;
    return n;
}

void gate_comments(const struct tree *tree, struct findings *f) {
    int filled = 0, commented = 0, code = 0;
    for (size_t i = 0; i < tree->files.len; i++) {
        const struct source *s = &tree->files.data[i];
        bool opens = str_starts(s->text, "/*");
        if (s->production && is_kind(s, ".c") && !opens && lines_of(s->text) > SHORT_FILE)
            finding(f, s->path, 1, "", "a file of more than %d lines does not open with its method",
                    SHORT_FILE);
        if (!s->production || !is_kind(s, ".h"))
            continue;
        if (!opens)
            finding(f, s->path, 1, "", "the header does not open with its purpose");
        count_lines(s, &filled, &commented, &code);
    }
    if (filled > 0 && commented * 100 / filled < 30)
        finding(f, "(headers)", 0, "", "%d %% of the lines of headers have a comment, least 30",
                commented * 100 / filled);
}

static int count_word(const char *text, const char *word) {
    int n = 0;
    for (const char *p = text; (p = find_word(p, word)); p += strlen(word))
        n++;
    return n;
}

/* Rooms that state fewer: asserts.def. */
static const struct floor {
    const char *room;
    int least;
} floors[] = {
#define FLOOR(room, least) {room, least},
#include "asserts.def"
#undef FLOOR
};

enum { LEAST_ASSERTS = 20, SMALL_ROOM = 200, TOO_FAR = 10 };

static int floor_of(const char *room, size_t len) {
    for (size_t i = 0; i < sizeof floors / sizeof *floors; i++)
        if (strlen(floors[i].room) == len && strncmp(floors[i].room, room, len) == 0)
            return floors[i].least;
    return LEAST_ASSERTS;
}

static size_t room_length(const struct source *s) {
    const char *slash = strrchr(s->path, '/');
    return slash ? (size_t)(slash - s->path) : 0;
}

static bool is_c(const struct source *s) {
    return s->production && (is_kind(s, ".c") || is_kind(s, ".inc"));
}

/* What the files from `first` on that stand in its room say. */
static void check_room_asserts(const struct tree *tree, size_t first, struct findings *f) {
    const struct source *room = &tree->files.data[first];
    size_t len = room_length(room);
    int code = 0, asserts = 0, ignored = 0, least = floor_of(room->path, len);
    for (size_t i = first; i < tree->files.len; i++) {
        const struct source *s = &tree->files.data[i];
        if (!is_c(s) || room_length(s) != len || strncmp(s->path, room->path, len) != 0)
            continue;
        asserts += count_word(s->bare, "assert") + count_word(s->bare, "_Static_assert");
        count_lines(s, &ignored, &ignored, &code);
    }
    const char *name = arena_strndup((struct arena *)&tree->arena, room->path, len);
    if (code >= SMALL_ROOM && asserts * 1000 / code < least)
        finding(f, name, 0, "", "%d asserts in %d lines of code: %d per 1000, least %d", asserts,
                code, asserts * 1000 / code, least);
    else if (least < LEAST_ASSERTS && asserts * 1000 / (code + 1) > least + TOO_FAR)
        finding(f, name, 0, "", "%d asserts per 1000 lines: raise its row of asserts.def",
                asserts * 1000 / (code + 1));
}

void gate_asserts(const struct tree *tree, struct findings *f) {
    for (size_t i = 0; i < tree->files.len; i++) {
        const struct source *s = &tree->files.data[i];
        bool first = is_c(s);
        for (size_t k = 0; first && k < i; k++)
            first = !is_c(&tree->files.data[k]) ||
                    room_length(&tree->files.data[k]) != room_length(s) ||
                    strncmp(tree->files.data[k].path, s->path, room_length(s)) != 0;
        if (first)
            check_room_asserts(tree, i, f);
    }
}

void gate_conditionals(const struct tree *tree, struct findings *f) {
    int lines = 0, conditionals = 0;
    struct str where = {0};
    for (size_t i = 0; i < tree->files.len; i++) {
        const struct source *s = &tree->files.data[i];
        if (!s->production)
            continue;
        lines += s->lines;
        bool guard = is_kind(s, ".h");
        for (const char *p = s->code; *p; p = next_line(p)) {
            if (!str_starts(p, "#if") && !str_starts(p, "#elif"))
                continue;
            if (!guard)
                str_addf(&where, " %s:%d", s->path, line_of(s->code, p));
            conditionals += !guard;
            guard = false;
        }
    }
    if (conditionals * 1000 > lines * 3)
        finding(f, "(all)", 0, "", "%d #if in %d lines, at most 3 per 1000:%s", conditionals, lines,
                str_text(&where));
    str_free(&where);
}

static const struct ban {
    const char *name, *instead;
} bans[] = {
    {"strcpy", "str_add"},       {"strcat", "str_add"},        {"sprintf", "str_addf"},
    {"vsprintf", "str_vaddf"},   {"gets", "file_read"},        {"system", "child_run"},
    {"popen", "child_run"},      {"atoi", "parse_count"},      {"atol", "parse_count"},
    {"atof", "parse_real"},      {"strtok", "strsep"},         {"tmpnam", "file_temp_dir"},
    {"mktemp", "file_temp_dir"}, {"rand", "rng_next"},         {"srand", "rng_init"},
    {"alloca", "an arena"},      {"setjmp", "return values"},  {"longjmp", "return values"},
    {"malloc", "mem_alloc"},     {"calloc", "mem_zalloc"},     {"realloc", "mem_realloc"},
    {"strdup", "mem_strdup"},    {"strndup", "arena_strndup"},
};

/* The program that the analysed code is built into, and the one place that asks the system. */
static bool may_allocate(const struct source *s, const char *name) {
    bool memory = strstr(name, "alloc") || strstr(name, "dup");
    return memory && (str_same(s->path, "base/mem.c") || strstr(s->path, "/runtime/"));
}

static void check_scanf(const struct source *s, struct findings *f) {
    for (const char *p = s->code; (p = strstr(p, "scanf(")); p++) {
        const char *t = s->text + (p - s->code), *end = strchr(t, ';');
        for (const char *q = t; end && (q = strchr(q, '%')) && q < end; q++)
            if (q[1] == 's' || q[1] == '[')
                finding(f, s->path, line_of(s->text, q), "scanf", "scanf without a width");
    }
}

void gate_banned(const struct tree *tree, struct findings *f) {
    for (size_t i = 0; i < tree->files.len; i++) {
        const struct source *s = &tree->files.data[i];
        if (!s->production)
            continue;
        check_scanf(s, f);
        for (size_t k = 0; k < sizeof bans / sizeof *bans; k++)
            for (const char *p = s->code; (p = find_word(p, bans[k].name)); p++)
                if (p[strlen(bans[k].name)] == '(' && !may_allocate(s, bans[k].name))
                    finding(f, s->path, line_of(s->code, p), bans[k].name, "%s is banned; use %s",
                            bans[k].name, bans[k].instead);
    }
}

/* Words of how this was made. What is written here must be understood by somebody who has nothing
 * but this repository. '#' stands for a digit. */
static const char *const foreign_words[] = {
    "issue #",   "issue ##",   "AI agent",       "subagent",  "coding agent", "this session",
    "a session", "sub-helper", "HELPERS",        "the brief", "DESIGN.md",    "FORMATS.md",
    "STYLE.md",  "ENGINES.md", "DESIGN section", "FORMATS:",  "DESIGN:",      "ENGINES:",
    "STYLE:",    "papers/",    "../shared",      "/work/",
};

static bool matches(const char *text, const char *pattern) {
    for (; *pattern; text++, pattern++)
        if (*pattern == '#' ? !isdigit((unsigned char)*text) : *text != *pattern)
            return false;
    return true;
}

static void check_words(const char *path, const char *text, struct findings *f) {
    size_t n = sizeof foreign_words / sizeof *foreign_words;
    for (const char *p = text; *p; p++)
        for (size_t k = 0; k < n; k++)
            if ((p == text || !isalnum((unsigned char)p[-1])) && matches(p, foreign_words[k]))
                finding(f, path, line_of(text, p), foreign_words[k], "'%s': say it without",
                        foreign_words[k]);
}

void gate_words(const struct tree *tree, struct findings *f) {
    for (size_t i = 0; i < tree->files.len; i++)
        if (!str_starts(tree->files.data[i].path, "tests/gates/"))
            check_words(tree->files.data[i].path, tree->files.data[i].text, f);
    for (size_t i = 0; i < tree->texts.len; i++)
        check_words(tree->texts.data[i].path, tree->texts.data[i].text, f);
}

static bool looks_like_code(const char *comment) {
    size_t len = strcspn(comment, "\n");
    while (len > 0 && isspace((unsigned char)comment[len - 1]))
        len--;
    return len > 2 && (comment[len - 1] == ';' || comment[len - 1] == '{');
}

void gate_leftovers(const struct tree *tree, struct findings *f) {
    static const char *const words[] = {"TODO", "FIXME", "XXX", "HACK"};
    for (size_t i = 0; i < tree->files.len; i++) {
        const struct source *s = &tree->files.data[i];
        if (str_starts(s->path, "tests/gates/"))
            continue;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            for (const char *p = s->text; (p = find_word(p, words[k])); p++)
                finding(f, s->path, line_of(s->text, p), words[k], "%s left behind", words[k]);
        for (const char *p = s->text; *p; p = next_line(p)) {
            const char *c = p + strspn(p, " \t");
            bool comment = str_starts(c, "//") && s->code[c - s->text] == ' ';
            if (str_starts(c, "#if 0") || (comment && looks_like_code(c)))
                finding(f, s->path, line_of(s->text, p), "code", "code that was switched off");
        }
    }
}
