/* init: a project file from the sources, and the reason of every guess.
 *
 * The file carries a checksum of itself in "generated_by": one that somebody has edited since is
 * not ours any more and is never overwritten. */
#include "app/cli/command.h"
#include "app/project/read.h"
#include "base/decimal.h"
#include "base/file.h"
#include "base/sha256.h"
#include "coverage/place.h"
#include "instrument/inputs/guess.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    MOST_FLOATS = 20, /* named in one message */
    MOST_NOTES = 20,  /* of files with ranges */
};

struct writer {
    const struct options *options;
    const struct project *project;
    const struct guess *guess;
    struct arena arena;
    char *root; /* absolute folder of the project file */
    struct str text;
};

/* Length of the UTF-8 sequence at p; 0: none, the file is in another encoding. */
static size_t utf8_length(const char *p) {
    unsigned char c = (unsigned char)*p;
    size_t n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : 0;
    for (size_t i = 1; i < n; i++)
        if (((unsigned char)p[i] & 0xC0) != 0x80)
            return 0;
    return n;
}

static void add_quoted(struct str *text, const char *value) {
    str_addc(text, '"');
    size_t n;
    for (const char *p = value; *p; p += n) {
        n = utf8_length(p);
        if (n == 0) {
            str_addf(text, "\\u%04x", (unsigned char)*p); /* Latin-1 */
            n = 1;
        } else if (*p == '"' || *p == '\\') {
            str_addf(text, "\\%c", *p);
        } else if ((unsigned char)*p < 0x20) {
            str_addf(text, "\\u%04x", (unsigned char)*p);
        } else {
            str_addn(text, p, n);
        }
    }
    str_addc(text, '"');
}

static char *absolute(struct arena *arena, const char *path) {
    char *here = getcwd(NULL, 0);
    char *joined = path_join(arena, here ? here : "", path);
    char *real = realpath(joined, NULL);
    char *copy = real ? arena_strdup(arena, real) : joined;
    free(real);
    free(here);
    return copy;
}

/* `path` as seen from the folder of the project file. */
static const char *from_root(struct writer *w, const char *path) {
    return path_from(&w->arena, w->root, absolute(&w->arena, path));
}

static void add_list(struct writer *w, const char *key, const struct texts *list, bool paths) {
    if (list->len == 0)
        return;
    str_addf(&w->text, "  \"%s\": [", key);
    for (size_t i = 0; i < list->len; i++) {
        str_add(&w->text, i ? ", " : "");
        add_quoted(&w->text, paths ? from_root(w, list->data[i]) : list->data[i]);
    }
    str_add(&w->text, "],\n");
}

/* The rules that were given; what is guessed for names without one is guessed by `run`, too. */
static void add_path_map(struct writer *w) {
    size_t n = w->options->path_map.len;
    for (size_t i = 0; i < n; i++) {
        const struct path_rule *rule = &w->project->path_map.data[i];
        str_add(&w->text, i ? ", " : "  \"path_map\": {");
        add_quoted(&w->text, rule->from);
        str_add(&w->text, ": ");
        add_quoted(&w->text, from_root(w, rule->to));
        str_add(&w->text, i + 1 == n ? "},\n" : "");
    }
}

static void add_functions(struct writer *w) {
    const struct guess *g = w->guess;
    str_add(&w->text, "  \"init\": [");
    for (size_t i = 0; i < g->init.len; i++) {
        str_add(&w->text, i ? ", " : "");
        add_quoted(&w->text, g->init.data[i].name);
    }
    str_add(&w->text, "],\n  \"step\": ");
    add_quoted(&w->text, g->step.name);
}

static void add_var(struct writer *w, const struct guess_var *v) {
    str_add(&w->text, "    {\"name\": ");
    add_quoted(&w->text, v->name);
    if (v->is_parameter)
        str_addf(&w->text, ", \"mode\": \"%s\"", v->range_mode ? "range" : "fixed");
    if (v->min)
        str_addf(&w->text, ", \"min\": %s", v->min);
    if (v->max)
        str_addf(&w->text, ", \"max\": %s", v->max);
    str_add(&w->text, ",\n     \"comment\": ");
    add_quoted(&w->text, v->why);
    str_add(&w->text, "}");
}

static void add_vars(struct writer *w, const char *key, bool parameters) {
    const char *separator = "\n";
    str_addf(&w->text, ",\n  \"%s\": [", key);
    for (size_t i = 0; i < w->guess->vars.len; i++) {
        if (w->guess->vars.data[i].is_parameter != parameters)
            continue;
        str_add(&w->text, separator);
        add_var(w, &w->guess->vars.data[i]);
        separator = ",\n";
    }
    str_add(&w->text, separator[0] == ',' ? "\n  ]" : "]");
}

static void add_target(struct writer *w) {
    str_addf(&w->text, "  \"target\": \"%s\",\n", project_target(w->project));
    if (!w->project->char_is_signed)
        str_add(&w->text, "  \"char\": \"unsigned\",\n");
}

static const char mark_start[] = "  \"$schema\": \"goalkeeper.schema.json\",\n"
                                 "  \"generated_by\": \"" FILE_MARK " " GK_VERSION ", sum ";

/* Everything but the line with the checksum. */
static void write_body(struct writer *w) {
    str_add(&w->text, "  \"name\": ");
    add_quoted(&w->text, w->guess->step.name);
    str_add(&w->text, ",\n");
    add_target(w);
    add_list(w, "sources", &w->project->sources, true);
    add_list(w, "include_dirs", &w->project->include_dirs, true);
    add_list(w, "defines", &w->project->defines, false);
    add_list(w, "cflags", &w->project->cflags, false);
    if (w->project->compile_commands) {
        str_add(&w->text, "  \"compile_commands\": ");
        add_quoted(&w->text, from_root(w, w->project->compile_commands));
        str_add(&w->text, ",\n");
    }
    add_path_map(w);
    add_functions(w);
    add_vars(w, "inputs", false);
    add_vars(w, "parameters", true);
    str_add(&w->text, w->project->exclude.len ? ",\n  \"exclude\": [" : "\n}\n");
    for (size_t i = 0; i < w->project->exclude.len; i++) {
        str_add(&w->text, i ? ", " : "");
        add_quoted(&w->text, w->project->exclude.data[i]);
    }
    str_add(&w->text, w->project->exclude.len ? "]\n}\n" : "");
}

static void whole_text(struct writer *w, struct str *text) {
    char sum[SHA256_HEX];
    write_body(w);
    sha256_hex(str_text(&w->text), w->text.len, sum);
    str_addf(text, "{\n%s%.16s\",\n%s", mark_start, sum, str_text(&w->text));
}

/* True when nothing stands there, or what this command wrote and nobody touched. */
static bool may_write(const char *path, struct err *err) {
    struct str text = {0};
    struct err ignored = {0};
    if (!file_exists(path))
        return true;
    bool ours = file_read(path, &text, &ignored);
    const char *mark = ours ? strstr(str_text(&text), ", sum ") : NULL;
    const char *body = mark ? strchr(mark, '\n') : NULL;
    char sum[SHA256_HEX] = "";
    if (body)
        sha256_hex(body + 1, text.len - (size_t)(body + 1 - text.data), sum);
    ours = body && strstr(str_text(&text), FILE_MARK) && strncmp(mark + 6, sum, 16) == 0;
    str_free(&text);
    err_clear(&ignored);
    if (ours)
        return true;
    err_set(err, ERR_USAGE, "this file exists, and somebody else wrote or edited it");
    err_at(err, path, 0, 0);
    return err_remedy(err, "write to another file with -o FILE, or to the terminal with -o -");
}

/* What `run` will ask for. */
static void say_outside(const struct options *o, const char *path) {
    struct project project;
    struct err err = {0};
    if (project_read_below(path, "", &project, &err))
        project_free(&project);
    else if (str_same(str_text(&err.remedy), PLACE_REMEDY))
        log_note(o->log, "%s: 'goalkeeper run' needs --allow-outside", str_text(&err.message));
    err_clear(&err);
}

/* Where `run` looks for it: in the folder, when that is what was named. */
static const char *output_path(const struct options *o, struct arena *arena) {
    bool folder = o->arguments.len == 1 && file_is_dir(o->arguments.data[0]);
    if (o->output)
        return o->output;
    return folder ? path_join(arena, o->arguments.data[0], "goalkeeper.json") : "goalkeeper.json";
}

static void explain_range(FILE *out, const struct guess_var *v) {
    const char *kind = !v->is_parameter ? "input"
                       : v->range_mode  ? "parameter (range)"
                                        : "parameter (fixed)";
    fprintf(out, "%s %s", kind, v->name);
    if (v->min || v->max)
        fprintf(out, ": %s .. %s", v->min ? v->min : "-inf", v->max ? v->max : "inf");
    fprintf(out, "\n    %s\n", v->why);
}

static void explain(FILE *out, const struct guess *g) {
    fprintf(out, "step function %s\n    %s\n", g->step.name, g->step.why);
    for (size_t i = 0; i < g->init.len; i++)
        fprintf(out, "init function %s\n    %s\n", g->init.data[i].name, g->init.data[i].why);
    if (g->init.len == 0)
        fprintf(out, "no init function\n    none of the functions is called like one\n");
    for (size_t i = 0; i < g->vars.len; i++)
        explain_range(out, &g->vars.data[i]);
    if (g->vars.len > 0)
        fputs("An input takes any value in its range before each step; a parameter keeps one value "
              "for the whole run:\n    its initialiser (\"mode\": \"fixed\") or any in its range "
              "(\"range\"). To change a role, move the entry\n    between \"inputs\" and "
              "\"parameters\" of the project file.\n",
              out);
    else
        fputs(
            "no inputs and no parameters: every step does the same, and what depends on a variable "
            "that keeps\n    its value will be dead; name them under \"inputs\"\n",
            out);
    for (size_t i = 0; i < g->notes.len; i++)
        fprintf(out, "note: %s\n", g->notes.data[i]);
}

/* ---- several step functions ---- */

static const char steps_function[] = "goalkeeper_steps";

/* Every order in which the functions can run, as long as each call of one is a step. */
static void steps_body(const struct texts *steps, struct str *text) {
    str_addf(text,
             "/* Which of these functions runs is chosen anew in each step, so every order is "
             "possible.\n * Where the order is fixed, call them as the scheduler does: README.md, "
             "\"Several step functions\". */\nvolatile unsigned char %s_which; /* LSB: 1 OFF: 0 "
             "MIN/MAX: 0 .. %zu */\n",
             steps_function, steps->len - 1);
    for (size_t i = 0; i < steps->len; i++)
        str_addf(text, "extern void %s(void);\n", steps->data[i]);
    str_addf(text, "void %s(void) {\n    switch (%s_which) {\n", steps_function, steps_function);
    for (size_t i = 0; i < steps->len; i++) {
        str_addf(text, i + 1 < steps->len ? "    case %zu:\n" : "    default:\n", i);
        str_addf(text, "        %s();\n        break;\n", steps->data[i]);
    }
    str_add(text, "    }\n}\n");
}

/* The file that holds it, beside the project file; it is a source that no report shows. */
static bool write_steps(const struct options *o, struct project *project, struct err *err) {
    struct arena *arena = &project->arena;
    const char *json = output_path(o, arena);
    if (str_same(json, "-"))
        return err_set(err, ERR_USAGE,
                       "--steps writes a C file beside the project file: not with "
                       "-o -");
    for (size_t i = 0; i < o->steps.len; i++)
        if (!project_is_identifier(o->steps.data[i]))
            return err_set(err, ERR_USAGE, "--steps: '%s' is not the name of a function",
                           o->steps.data[i]);
    const char *stem =
        str_ends(json, ".json") ? arena_strndup(arena, json, strlen(json) - 5) : json;
    const char *path = arena_printf(arena, "%s_steps.c", stem);
    struct str body = {0}, text = {0};
    char sum[SHA256_HEX];
    steps_body(&o->steps, &body);
    sha256_hex(str_text(&body), body.len, sum);
    str_addf(&text, "/* " FILE_MARK " " GK_VERSION ", sum %.16s */\n%s", sum, str_text(&body));
    bool good = may_write(path, err) && file_write(path, text.data, text.len, err);
    if (good) {
        log_note(o->log, "wrote %s", path);
        vec_push(&project->sources, path);
        vec_push(&project->exclude, arena_printf(arena, "files:%s", path_base(path)));
        project->step = arena_strdup(arena, steps_function);
    }
    str_free(&body);
    str_free(&text);
    return good;
}

/* ---- floats without a range ---- */

/* "-1e3:1e3" */
static bool parse_range(const char *text, struct arena *arena, const char **min, const char **max,
                        struct err *err) {
    char *end;
    double low = strtod(text, &end);
    bool good = end != text && *end == ':';
    const char *second = end + 1;
    double high = good ? strtod(second, &end) : 0;
    if (!good || end == second || *end || !isfinite(low) || !isfinite(high) || low > high)
        return err_set(err, ERR_USAGE, "--float-range: '%s' is not MIN:MAX, two numbers", text);
    *min = decimal_text(arena, low, false);
    *max = decimal_text(arena, high, false);
    return true;
}

/* A float that may be infinite or no number reaches what no signal does. */
static void ask_for_ranges(const struct options *o, const struct guess *g) {
    struct str names = {0};
    size_t n = 0;
    for (size_t i = 0; i < g->vars.len; i++)
        if (g->vars.data[i].any_float && n++ < MOST_FLOATS)
            str_addf(&names, "%s%s", names.len ? ", " : "", g->vars.data[i].name);
    if (n > MOST_FLOATS)
        str_addf(&names, " … and %zu more", n - MOST_FLOATS);
    if (n > 0)
        log_warning(
            o->log,
            "no range is known for %s: any value, infinities and NaN included; give each its "
            "range in the project file, or all of them one with --float-range MIN:MAX",
            str_text(&names));
    str_free(&names);
}

static bool give_float_range(const struct options *o, struct guess *g, struct err *err) {
    const char *min = NULL, *max = NULL;
    if (!o->float_range) {
        ask_for_ranges(o, g);
        return true;
    }
    if (!parse_range(o->float_range, &g->arena, &min, &max, err))
        return false;
    for (size_t i = 0; i < g->vars.len; i++) {
        struct guess_var *v = &g->vars.data[i];
        if (!v->any_float)
            continue;
        v->min = min;
        v->max = max;
        v->why = arena_printf(&g->arena, "%s; range: --float-range", v->what);
    }
    return true;
}

/* ---- ranges from files ---- */

static bool read_ranges(const struct options *o, struct range_table *table, struct err *err) {
    for (size_t i = 0; i < o->ranges.len; i++)
        if (!range_table_read(table, o->ranges.data[i], err))
            return false;
    return true;
}

static void tell_ranges(const struct options *o, const struct range_table *table) {
    size_t used = 0;
    for (size_t i = 0; i < table->entries.len; i++)
        used += table->entries.data[i].used;
    if (o->ranges.len > 0)
        log_note(o->log, "%zu of %zu ranges belong to variables of these sources", used,
                 table->entries.len);
    for (size_t i = 0; i < table->notes.len && i < MOST_NOTES; i++)
        log_note(o->log, "%s", table->notes.data[i]);
    if (table->notes.len > MOST_NOTES)
        log_note(o->log, "… and %zu more", table->notes.len - MOST_NOTES);
}

static bool write_project(const struct options *o, const struct project *project,
                          const struct guess *guess, struct err *err) {
    struct writer w = {.options = o, .project = project, .guess = guess};
    struct str text = {0};
    const char *path = output_path(o, &w.arena);
    bool to_stdout = str_same(path, "-");
    w.root = absolute(&w.arena, to_stdout ? "." : path_dir(&w.arena, path));
    whole_text(&w, &text);
    bool good = to_stdout || (may_write(path, err) && file_write(path, text.data, text.len, err));
    if (good && to_stdout)
        fputs(str_text(&text), stdout);
    if (good)
        explain(to_stdout ? stderr : stdout, guess);
    if (good && !to_stdout) {
        log_note(o->log, "wrote %s", path);
        say_outside(o, path);
    }
    str_free(&text);
    str_free(&w.text);
    arena_free(&w.arena);
    return good;
}

int cmd_init(const struct options *o) {
    struct err err = {0};
    struct project project;
    if (!options_sources(o, &project, &err))
        return command_fail(&err);
    struct range_table ranges = {0};
    struct guess guess = {.steps = o->steps.len ? &o->steps : NULL, .ranges = &ranges};
    bool good = read_ranges(o, &ranges, &err) && (!guess.steps || write_steps(o, &project, &err)) &&
                guess_project(&project, &guess, &err) && give_float_range(o, &guess, &err) &&
                write_project(o, &project, &guess, &err);
    if (good)
        tell_ranges(o, &ranges);
    guess_free(&guess);
    range_table_free(&ranges);
    project_free(&project);
    return good ? 0 : command_fail(&err);
}
