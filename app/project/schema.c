/* The JSON schema (draft 2020-12) of goalkeeper.json, printed from project/keys.def. */
#include "app/project/read.h"

#include "base/bug.h"

#include <assert.h>
#include <string.h>

static const char identifier[] = "^[A-Za-z_][A-Za-z0-9_]*$";
static const char path[] = "^[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*(#[1-9][0-9]*)?)?"
                           "((\\\\.|->)[A-Za-z_][A-Za-z0-9_]*|\\\\[[0-9]*\\\\])*$";

static void add_enum(struct str *text, const char *choices) {
    str_add(text, "\"enum\": [");
    assert(choices[0] && choices[0] != '|');
    for (const char *p = choices; *p;) {
        size_t n = strcspn(p, "|");
        str_addf(text, "%s\"%.*s\"", p == choices ? "" : ", ", (int)n, p);
        p += n + (p[n] == '|');
    }
    str_add(text, "]");
}

static void add_criteria(struct str *text) {
    str_add(text, "\"type\": \"array\", \"items\": {\"enum\": [");
    for (int i = 0; i < GOAL_KINDS; i++)
        str_addf(text, "%s\"%s\"", i ? ", " : "", criteria[i].name);
    str_add(text, "]}");
}

static void add_texts(struct str *text, const char *item, bool some) {
    str_addf(text, "\"type\": \"array\", %s\"items\": {\"type\": \"string\", %s}",
             some ? "\"minItems\": 1, " : "", item);
}

static void add_list(struct str *text, const char *of) {
    assert(str_same(of, "input") || str_same(of, "parameter"));
    str_addf(text, "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/%s\"}", of);
}

static void add_pattern(struct str *text, const char *pattern) {
    str_addf(text, "\"type\": \"string\", \"pattern\": \"%s\"", pattern);
}

static void add_type(struct str *text, const struct key_row *row) {
    switch (row->kind) {
    case KEY_TEXT:
        str_add(text, "\"type\": \"string\", \"minLength\": 1");
        return;
    case KEY_TEXT_OR_NULL:
        str_add(text, "\"type\": [\"string\", \"null\"], \"minLength\": 1");
        return;
    case KEY_TEXTS:
        add_texts(text, "\"minLength\": 1", project_key_required(row));
        return;
    case KEY_NAMES: {
        struct str item = {0};
        str_addf(&item, "\"pattern\": \"%s\"", identifier);
        add_texts(text, str_text(&item), false);
        str_free(&item);
        return;
    }
    case KEY_EXCLUDES:
        add_texts(text, "\"pattern\": \"^(functions|files):.\"", false);
        return;
    case KEY_NAME:
        add_pattern(text, identifier);
        return;
    case KEY_PATH:
        add_pattern(text, path);
        return;
    case KEY_EITHER:
    case KEY_CHOICE:
        add_enum(text, row->choices);
        return;
    case KEY_COUNT:
        str_addf(text, "\"type\": \"integer\", \"minimum\": 0, \"maximum\": %llu",
                 (unsigned long long)UINT64_MAX);
        return;
    case KEY_JOBS:
        str_add(text, "\"type\": \"integer\", \"minimum\": 0, \"maximum\": 4096");
        return;
    case KEY_SECONDS:
        str_add(text, "\"type\": \"number\", \"minimum\": 0");
        return;
    case KEY_MIN:
    case KEY_MAX:
        str_add(text, "\"type\": \"number\"");
        return;
    case KEY_CRITERIA:
        add_criteria(text);
        return;
    case KEY_INPUTS:
        add_list(text, "input");
        return;
    case KEY_PARAMETERS:
        add_list(text, "parameter");
        return;
    case KEY_BUDGET:
        str_add(text, "\"$ref\": \"#/$defs/budget\"");
        return;
    case KEY_PATH_MAP:
        str_add(text, "\"type\": \"object\", \"additionalProperties\": {\"type\": \"string\", "
                      "\"minLength\": 1}");
        return;
    case KEY_NOTE:
        str_add(text, "\"type\": \"string\"");
        return;
    case KEY_KINDS:
        break;
    }
    bug("key kind %d", (int)row->kind);
}

static void add_required(struct str *text, enum key_scope scope, const char *indent) {
    size_t n;
    const struct key_row *rows = project_keys(&n);
    const char *separator = "";
    struct str list = {0};
    for (size_t i = 0; i < n; i++) {
        if (rows[i].scope != scope || !project_key_required(&rows[i]))
            continue;
        str_addf(&list, "%s\"%s\"", separator, rows[i].name);
        separator = ", ";
    }
    if (list.len > 0)
        str_addf(text, "%s\"required\": [%s],\n", indent, str_text(&list));
    str_free(&list);
}

static void add_object(struct str *text, enum key_scope scope, const char *indent) {
    size_t n;
    const struct key_row *rows = project_keys(&n);
    const char *separator = "\n";
    str_addf(text, "%s\"type\": \"object\",\n", indent);
    str_addf(text, "%s\"additionalProperties\": false,\n", indent);
    add_required(text, scope, indent);
    str_addf(text, "%s\"properties\": {", indent);
    for (size_t i = 0; i < n; i++) {
        if (rows[i].scope != scope)
            continue;
        str_addf(text, "%s%s  \"%s\": {", separator, indent, rows[i].name);
        add_type(text, &rows[i]);
        str_addf(text, ",\n%s    \"description\": \"%s\"}", indent, rows[i].about);
        separator = ",\n";
    }
    str_addf(text, "\n%s}", indent);
}

void project_schema(struct str *text) {
    static const char *const names[] = {
        [SCOPE_BUDGET] = "budget", [SCOPE_INPUT] = "input", [SCOPE_PARAMETER] = "parameter"};
    str_add(text, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                  "  \"title\": \"Goalkeeper project file\",\n");
    add_object(text, SCOPE_PROJECT, "  ");
    str_add(text, ",\n  \"$defs\": {");
    for (int scope = SCOPE_BUDGET; scope <= SCOPE_PARAMETER; scope++) {
        str_addf(text, "%s\n    \"%s\": {\n", scope > SCOPE_BUDGET ? "," : "", names[scope]);
        add_object(text, (enum key_scope)scope, "      ");
        str_add(text, "\n    }");
    }
    str_add(text, "\n  }\n}\n");
}
