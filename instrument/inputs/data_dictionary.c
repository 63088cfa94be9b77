/* The export of a TargetLink data dictionary (dsdd('Export'), XML): Min and Max of variables as raw
 * values.
 *
 *   <ddObj Name="Sa1_Temp" Kind="Variable">
 *     <ddProperty Name="Min">-40</ddProperty> <ddProperty Name="Max">80</ddProperty>
 *     <ddProperty Name="Scaling">./LocalScaling</ddProperty>
 *     <ddObj Name="LocalScaling" Kind="ScalingObject"> … LSB, Offset, ConversionType … </ddObj>
 *   </ddObj>
 *
 * Min and Max are physical, physical = LSB * raw + Offset. A scaling is one of the object itself
 * ("./Name"), one of the pool by the end of its path ("Group/Name"), or none (VOID_SCALING). A
 * variable within one (its components) is a member of it. */
#include "instrument/inputs/range_table.h"

#include "base/file.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { NOBODY = -1 };

/* What is read of an object; NULL: not there, or empty. */
struct dd_object {
    const char *name, *kind;
    int parent; /* NOBODY: it is the first */
    int line;
    const char *min, *max, *scaling, *conversion, *lsb, *offset, *template;
};

struct dictionary {
    struct range_table *table;
    const char *file, *at, *end;
    int line, open; /* the object that is being read */
    const char *property;
    struct str value; /* of the property */
    VEC(struct dd_object) objects;
};

/* ---- XML, as far as it is needed: elements, attributes, text ---- */

static void step_to(struct dictionary *d, const char *to) {
    assert(d->at <= to && to <= d->end);
    for (; d->at < to; d->at++)
        d->line += *d->at == '\n';
}

static bool skip_past(struct dictionary *d, const char *stop) {
    const char *found = memmem(d->at, (size_t)(d->end - d->at), stop, strlen(stop));
    step_to(d, found ? found + strlen(stop) : d->end);
    return found != NULL;
}

static const char *text_of(struct dictionary *d, const char *begin, const char *end) {
    static const struct {
        const char *entity;
        char c;
    } entities[] = {
        {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    struct str text = {0};
    while (begin < end && isspace((unsigned char)*begin))
        begin++;
    while (begin < end && isspace((unsigned char)end[-1]))
        end--;
    for (const char *p = begin; p < end; p++) {
        char c = *p;
        for (size_t i = 0; *p == '&' && i < sizeof entities / sizeof *entities; i++)
            if (str_starts(p, entities[i].entity)) {
                c = entities[i].c;
                p += strlen(entities[i].entity) - 1;
                break;
            }
        str_addc(&text, c);
    }
    const char *copy = text.len ? arena_strdup(&d->table->arena, str_text(&text)) : NULL;
    str_free(&text);
    return copy;
}

/* The value of an attribute of the tag from `begin` to `end`; NULL: it has none. */
static const char *attribute(struct dictionary *d, const char *begin, const char *end,
                             const char *name) {
    size_t len = strlen(name);
    for (const char *p = begin; (p = memmem(p, (size_t)(end - p), name, len)); p += len) {
        const char *q = p + len, *close;
        if (!isspace((unsigned char)p[-1]))
            continue;
        q += strspn(q, " \t\r\n");
        if (*q != '=')
            continue;
        q++;
        q += strspn(q, " \t\r\n");
        if ((*q != '"' && *q != '\'') || !(close = memchr(q + 1, *q, (size_t)(end - q - 1))))
            return NULL;
        return text_of(d, q + 1, close);
    }
    return NULL;
}

static bool is_tag(const char *tag, const char *name) {
    size_t len = strlen(name);
    return strncmp(tag, name, len) == 0 && strchr(" \t\r\n/>", tag[len]);
}

/* ---- objects ---- */

static void open_object(struct dictionary *d, const char *tag, const char *end) {
    const char *name = attribute(d, tag, end, "Name"), *kind = attribute(d, tag, end, "Kind");
    vec_push(&d->objects, (struct dd_object){.name = name ? name : "",
                                             .kind = kind ? kind : "",
                                             .parent = d->open,
                                             .line = d->line});
    if (end[-1] != '/')
        d->open = (int)d->objects.len - 1;
}

static void close_property(struct dictionary *d) {
    if (!d->property || d->open == NOBODY)
        return;
    struct dd_object *o = &d->objects.data[d->open];
    const struct {
        const char *name, **value;
    } known[] = {{"Min", &o->min},
                 {"Max", &o->max},
                 {"Scaling", &o->scaling},
                 {"LSB", &o->lsb},
                 {"Offset", &o->offset},
                 {"ConversionType", &o->conversion},
                 {"NameTemplate", &o->template}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_same(known[i].name, d->property))
            *known[i].value = text_of(d, str_text(&d->value), str_text(&d->value) + d->value.len);
    d->property = NULL;
}

static bool bad(const struct dictionary *d, const char *what, struct err *err) {
    err_set(err, ERR_USAGE, "%s", what);
    return err_at(err, d->file, d->line, 1);
}

/* A tag, without its '<'; `end` is its '>'. */
static bool read_tag(struct dictionary *d, const char *tag, const char *end, struct err *err) {
    if (is_tag(tag, "ddObj")) {
        open_object(d, tag, end);
    } else if (is_tag(tag, "/ddObj")) {
        if (d->open == NOBODY)
            return bad(d, "an object ends here that has not begun", err);
        d->open = d->objects.data[d->open].parent;
    } else if (is_tag(tag, "ddProperty") && end[-1] != '/') {
        d->property = attribute(d, tag, end, "Name");
        str_clear(&d->value);
    } else if (is_tag(tag, "/ddProperty")) {
        close_property(d);
    }
    return true;
}

static bool read_objects(struct dictionary *d, struct err *err) {
    static const char cdata[] = "<![CDATA[";
    while (d->at < d->end) {
        const char *tag = memchr(d->at, '<', (size_t)(d->end - d->at));
        const char *to = tag ? tag : d->end;
        if (d->property)
            str_addn(&d->value, d->at, (size_t)(to - d->at));
        step_to(d, to);
        if (!tag)
            break;
        const char *end = tag;
        bool closed;
        if (str_starts(tag, "<!--")) {
            closed = skip_past(d, "-->");
        } else if (str_starts(tag, cdata)) {
            step_to(d, tag + strlen(cdata));
            closed = skip_past(d, "]]>");
            if (d->property && closed)
                str_addn(&d->value, tag + strlen(cdata), (size_t)(d->at - 3 - tag) - strlen(cdata));
        } else {
            for (char quote = '\0'; end < d->end && (quote || *end != '>'); end++)
                quote = quote                         ? (*end == quote ? '\0' : quote)
                        : *end == '"' || *end == '\'' ? *end
                                                      : '\0';
            closed = end < d->end;
            if (closed && !read_tag(d, tag + 1, end, err))
                return false;
            step_to(d, closed ? end + 1 : d->end);
        }
        if (!closed)
            return bad(d, "the file ends within a tag", err);
    }
    return d->open == NOBODY || bad(d, "the file ends within an object: it is not whole", err);
}

/* ---- ranges ---- */

static bool is_number(const char *text) {
    mpq_t value;
    mpq_init(value);
    bool good = !text || range_number(text, value);
    mpq_clear(value);
    return good;
}

static bool is_scaling(const struct dd_object *o) {
    return str_starts(o->kind, "Scaling") && !str_starts(o->kind, "ScalingGroup");
}

/* Does the path of this object end with these names? */
static bool ends_with(const struct dictionary *d, int object, const char *names) {
    const char *end = names + strlen(names);
    while (end > names && object != NOBODY) {
        const struct dd_object *o = &d->objects.data[object];
        const char *begin = memrchr(names, '/', (size_t)(end - names));
        begin = begin ? begin + 1 : names;
        if (strlen(o->name) != (size_t)(end - begin) || strncmp(o->name, begin, strlen(o->name)))
            return false;
        end = begin > names ? begin - 1 : names;
        object = o->parent;
    }
    return end == names;
}

/* NULL: there is none of this name. */
static const struct dd_object *scaling_of(const struct dictionary *d, int object) {
    const char *names = d->objects.data[object].scaling;
    bool own = str_starts(names, "./");
    names += own ? 2 : *names == '/';
    for (int i = 0; i < (int)d->objects.len; i++) {
        const struct dd_object *o = &d->objects.data[i];
        if (is_scaling(o) &&
            (own ? o->parent == object && str_same(o->name, names) : ends_with(d, i, names)))
            return o;
    }
    return NULL;
}

/* What the variable is called in C: "Bus.Speed"; NULL: only the generator knows. */
static const char *path_of(struct dictionary *d, int object) {
    const char *path = NULL;
    for (; object != NOBODY; object = d->objects.data[object].parent) {
        const struct dd_object *o = &d->objects.data[object];
        if (!str_same(o->kind, "Variable"))
            continue;
        if (!*o->name || (o->template && !str_same(o->template, "$D")))
            return NULL;
        path = path ? arena_printf(&d->table->arena, "%s.%s", o->name, path) : o->name;
    }
    return path;
}

static void note(struct dictionary *d, const struct dd_object *o, const char *why) {
    vec_push(&d->table->notes,
             arena_printf(&d->table->arena, "%s:%d: the limits of '%s' are left out: %s",
                          path_base(d->file), o->line, o->name, why));
}

static bool add_variable(struct dictionary *d, int object, struct err *err) {
    static const struct dd_object none = {.kind = "", .name = ""};
    const struct dd_object *o = &d->objects.data[object], *scaling = &none;
    struct range_entry entry = {
        .name = path_of(d, object),
        .min = o->min,
        .max = o->max,
        .from = arena_printf(&d->table->arena, "%s:%d", path_base(d->file), o->line)};
    if (!o->min && !o->max)
        return true;
    if (o->scaling && !str_same(o->scaling, "VOID_SCALING") && !str_same(o->scaling, "default"))
        scaling = scaling_of(d, object);
    const char *why = NULL;
    if (!entry.name)
        why = "its name is made by a template";
    else if (!is_number(o->min) || !is_number(o->max))
        why = "they are no numbers";
    else if (!scaling)
        why = "its scaling is not in the file";
    else if (scaling->conversion && !str_same(scaling->conversion, "LINEAR") &&
             !str_same(scaling->conversion, "IDENTICAL"))
        why = "its scaling is not linear";
    else if (!is_number(scaling->lsb) || !is_number(scaling->offset))
        why = "its scaling has no numbers";
    if (why) {
        note(d, o, why);
        return true;
    }
    bool scaled = scaling->lsb || scaling->offset;
    entry.lsb = scaling->lsb ? scaling->lsb : scaled ? "1" : NULL;
    entry.offset = scaled ? scaling->offset : NULL;
    return range_table_add(d->table, &entry, err);
}

bool range_table_dictionary(struct range_table *table, const char *file, const char *text,
                            size_t len, struct err *err) {
    struct dictionary d = {
        .table = table, .file = file, .at = text, .end = text + len, .line = 1, .open = NOBODY};
    bool any = false;
    assert(text[len] == '\0');
    bool good = read_objects(&d, err);
    for (int i = 0; good && i < (int)d.objects.len; i++) {
        if (!str_same(d.objects.data[i].kind, "Variable"))
            continue;
        any = true;
        good = add_variable(&d, i, err);
    }
    if (good && !any) {
        d.line = 0;
        good = bad(&d, "there is no ddObj of kind Variable in this file", err);
        err_remedy(err, "let the data dictionary manager export /Pool/Variables and /Pool/Scalings "
                        "as XML");
    }
    str_free(&d.value);
    vec_free(&d.objects);
    return good;
}
