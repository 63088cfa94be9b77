/* Project files: what is read, what is refused and where the message points, and that the shipped
 * schema accepts exactly what the reader accepts. */
#include "app/project/read.h"

#include "scratch.h"
#include "unity.h"

#include <cjson/cJSON.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {
    scratch_open();
    put("a.c", "");
}
void tearDown(void) {
    scratch_close();
}

static bool read_bytes(const char *text, size_t size, struct project *project) {
    const char *file = path("goalkeeper.json");
    FILE *f = fopen(file, "w"); /* thousands of files: not worth an fsync each */
    TEST_ASSERT_NOT_NULL(f);
    TEST_ASSERT_EQUAL_size_t(size, fwrite(text, 1, size, f));
    fclose(f);
    return project_read(file, project, &err);
}

static bool read_project(const char *text, struct project *project) {
    return read_bytes(text, strlen(text), project);
}

static const char full[] =
    "{ \"name\": \"lane\", \"target\": \"lp64\", \"char\": \"unsigned\", \"$schema\": \"x\",\n"
    "  \"sources\": [\"a.c\"], \"include_dirs\": [\"inc\"], \"defines\": [\"SIM=0\"],\n"
    "  \"cflags\": [\"-g\"], \"compile_commands\": null, \"path_map\": {\"C:/W\": \".\"}, "
    "\"generated_by\": \"y\",\n"
    "  \"init\": [\"RESTART\"], \"step\": \"lane\",\n"
    "  \"inputs\": [{\"name\": \"Bus.Speed\", \"min\": -10.5},\n"
    "               {\"name\": \"Tab[3]\", \"max\": 18446744073709551615}],\n"
    "  \"parameters\": [{\"name\": \"Kp\", \"mode\": \"fixed\"},\n"
    "                   {\"name\": \"f::X\", \"mode\": \"range\", \"min\": 0}],\n"
    "  \"assumptions\": [\"Kp <= 1\"], \"criteria\": [\"branch\", \"mcdc\"],\n"
    "  \"mcdc\": \"unique-cause\", \"decisions\": \"literal\", \"asil\": \"B\",\n"
    "  \"exclude\": [\"functions:Get\"], \"engines\": [\"ic3\"], \"seed\": 7,\n"
    "  \"budget\": {\"goal_ticks\": 5, \"goal_seconds\": 1.5, \"total_seconds\": 2,\n"
    "              \"memory_mb\": 64, \"jobs\": 3}}\n";

static void test_every_key_is_read(void) {
    struct project p;
    TEST_ASSERT_TRUE_MESSAGE(read_project(full, &p), str_text(&err.message));
    TEST_ASSERT_EQUAL_STRING("lane", p.name);
    TEST_ASSERT_EQUAL_STRING(str_text(&dir), p.dir);
    TEST_ASSERT_FALSE(p.ilp32);
    TEST_ASSERT_FALSE(p.char_is_signed);
    TEST_ASSERT_EQUAL_STRING("a.c", p.sources.data[0]);
    TEST_ASSERT_EQUAL_STRING("inc", p.include_dirs.data[0]);
    TEST_ASSERT_EQUAL_STRING("SIM=0", p.defines.data[0]);
    TEST_ASSERT_EQUAL_STRING("-g", p.cflags.data[0]);
    TEST_ASSERT_NULL(p.compile_commands);
    TEST_ASSERT_EQUAL_UINT64(1, p.path_map.len);
    TEST_ASSERT_EQUAL_STRING("C:/W", p.path_map.data[0].from);
    TEST_ASSERT_EQUAL_STRING(".", p.path_map.data[0].to);
    TEST_ASSERT_EQUAL_STRING("RESTART", p.init.data[0]);
    TEST_ASSERT_EQUAL_STRING("lane", p.step);
    TEST_ASSERT_EQUAL_STRING("Kp <= 1", p.assumptions.data[0]);
    TEST_ASSERT_TRUE(p.criteria[GOAL_branch] && p.criteria[GOAL_mcdc]);
    TEST_ASSERT_FALSE(p.criteria[GOAL_statement]);
    TEST_ASSERT_TRUE(p.mcdc_unique_cause && p.literal_decisions);
    TEST_ASSERT_EQUAL_STRING("B", p.asil);
    TEST_ASSERT_TRUE(project_names_asil(&p));
    TEST_ASSERT_EQUAL_STRING("functions:Get", p.exclude.data[0]);
    TEST_ASSERT_EQUAL_STRING("ic3", p.engines.data[0]);
    TEST_ASSERT_EQUAL_UINT64(7, p.seed);
    TEST_ASSERT_EQUAL_UINT64(5, p.goal_ticks);
    TEST_ASSERT_EQUAL_DOUBLE(1.5, p.goal_seconds);
    TEST_ASSERT_EQUAL_DOUBLE(2, p.total_seconds);
    TEST_ASSERT_EQUAL_UINT64(64, p.memory_mb);
    TEST_ASSERT_EQUAL_UINT(3, p.jobs);
    project_free(&p);
}

static void test_variables_keep_their_digits_and_places(void) {
    struct project p;
    TEST_ASSERT_TRUE(read_project(full, &p));
    TEST_ASSERT_EQUAL_size_t(4, p.vars.len);
    TEST_ASSERT_EQUAL_STRING("-10.5", p.vars.data[0].min_text);
    TEST_ASSERT_EQUAL_STRING("18446744073709551615", p.vars.data[1].max_text);
    TEST_ASSERT_FALSE(p.vars.data[1].has_min);
    TEST_ASSERT_EQUAL_INT(6, p.vars.data[1].line);
    TEST_ASSERT_EQUAL_INT(16, p.vars.data[1].col);
    TEST_ASSERT_TRUE(p.vars.data[3].is_parameter && p.vars.data[3].range_mode);
    TEST_ASSERT_FALSE(p.vars.data[2].range_mode);
    project_free(&p);
}

static void test_defaults(void) {
    struct project p;
    TEST_ASSERT_TRUE(read_project("{\"sources\":[\"a.c\"],\"step\":\"go\"}", &p));
    TEST_ASSERT_EQUAL_STRING("go", p.name);
    TEST_ASSERT_TRUE(p.ilp32 && p.char_is_signed);
    for (int i = 0; i < GOAL_KINDS; i++)
        TEST_ASSERT_EQUAL(criteria[i].on, p.criteria[i]);
    TEST_ASSERT_EQUAL_DOUBLE(3600, p.total_seconds);
    project_free(&p);
}

#define HEAD "{\"sources\":[\"a.c\"],\"step\":\"s\",\n"

struct bad {
    const char *text;
    int line, col;
    const char *message, *remedy;
};

static const struct bad bad_files[] = {
    {"", 1, 1, "the file ends here", ""},
    {"{", 1, 2, "expected a key", ""},
    {"{\n \"name\" 1}", 2, 9, "expected ':'", ""},
    {"{\"name\":\"a\"\n  \"step\":1}", 2, 3, "expected ',' or '}'", ""},
    {"{\"name\": \"a\",}", 1, 14, "expected a key", ""},
    {"[1,2", 1, 5, "expected ',' or ']'", ""},
    {"{\"name\": \"a", 1, 10, "the text does not end", ""},
    {"{\"name\": \"a\n\"}", 1, 10, "the text does not end on its line", ""},
    {"{\"name\": \"\t\"}", 1, 11, "control character", ""},
    {"{\"name\": \"\\q\"}", 1, 11, "unknown escape", ""},
    {"{\"name\": \"\\u0000\"}", 1, 11, "NUL", ""},
    {"{\"name\": \"\\ud800\"}", 1, 11, "surrogate", ""},
    {"{\"name\": \"\\u12g4\"}", 1, 11, "four hexadecimal", ""},
    {"{\"name\": \"\xc3\x28\"}", 1, 11, "invalid UTF-8", ""},
    {"{\"name\": 01}", 1, 10, "must not start with 0", ""},
    {"{\"name\": 1.}", 1, 10, "not a number", ""},
    {"{\"name\": -}", 1, 10, "not a number", ""},
    {"{\"name\": 1e999}", 1, 10, "too large", ""},
    {"{\"name\": nul}", 1, 10, "expected a value", ""},
    {"{} x", 1, 4, "after the end", ""},
    {"[]", 1, 1, "must be an object", ""},
    {"{}", 1, 1, "'sources' is missing", ""},
    {"{\"sources\":[\"a.c\"]}", 1, 1, "'step' is missing", ""},
    {HEAD "\"souces\":[]}", 2, 1, "unknown key 'souces'", "'sources'"},
    {HEAD "\"zzzzzzzz\":[]}", 2, 1, "unknown key", "schema"},
    {HEAD "\"step\":\"t\"}", 2, 1, "given twice", ""},
    {HEAD "\"target\":\"ilp23\"}", 2, 10, "unknown value 'ilp23'", "'ilp32'"},
    {HEAD "\"target\":\"zzzzzzz\"}", 2, 10, "unknown value", "lp64|ilp32"},
    {HEAD "\"name\":7}", 2, 8, "'name' must be a text", ""},
    {HEAD "\"defines\":[1]}", 2, 12, "this entry", ""},
    {HEAD "\"defines\":\"a\"}", 2, 11, "list of texts", ""},
    {HEAD "\"init\":[\"a b\"]}", 2, 9, "not the name of a function", ""},
    {HEAD "\"criteria\":[\"brnch\"]}", 2, 13, "unknown value 'brnch'", "'branch'"},
    {HEAD "\"exclude\":[\"function:x\"]}", 2, 12, "functions:NAME", ""},
    {HEAD "\"seed\":-1}", 2, 8, "whole number", ""},
    {HEAD "\"seed\":1.5}", 2, 8, "whole number", ""},
    {HEAD "\"seed\":18446744073709551616}", 2, 8, "whole number", ""},
    {HEAD "\"budget\":{\"jobs\":5000}}", 2, 18, "0 to 4096", ""},
    {HEAD "\"budget\":{\"goal_secs\":1}}", 2, 11, "unknown key", "goal_ticks"},
    {HEAD "\"budget\":{\"goal_seconds\":-1}}", 2, 26, "not negative", ""},
    {HEAD "\"inputs\":{}}", 2, 10, "list of objects", ""},
    {HEAD "\"inputs\":[{\"min\":1}]}", 2, 11, "'name' is missing", ""},
    {HEAD "\"inputs\":[{\"name\":\"a..b\"}]}", 2, 19, "not a C path", ""},
    {HEAD "\"inputs\":[{\"name\":\"f::a#\"}]}", 2, 19, "not a C path", ""},
    {HEAD "\"inputs\":[{\"name\":\"a#2\"}]}", 2, 19, "not a C path", ""},
    {HEAD "\"inputs\":[{\"name\":\"a\",\"mode\":\"range\"}]}", 2, 23, "unknown key", "schema"},
    {HEAD "\"inputs\":[{\"name\":\"a\",\"min\":2,\"max\":1}]}", 2, 11, "greater", ""},
    {HEAD "\"inputs\":[{\"name\":\"a\",\"min\":9007199254740993,\"max\":9007199254740992}]}", 2, 11,
     "greater", ""},
    {HEAD "\"inputs\":[{\"name\":\"a\"},\n{\"name\":\"a\"}]}", 3, 1, "already described in line 2",
     ""},
    {HEAD "\"parameters\":[{\"name\":\"a\",\"min\":1}]}", 2, 15, "mode is \"fixed\"", "range"},
    {"{\"step\":\"s\",\"sources\":[]}", 1, 23, "'sources' is empty", ""},
    {"{\"step\":\"s\",\n\"sources\":[\"a.c\", \"none.c\"]}", 2, 19, "there is no file", ""},
    {"{\"caf\xc3\xa9\":\"\xc3\xa9\xc3\xa9\", \"x\":1}", 1, 2, "unknown key", ""},
};

static void test_mistakes_are_named_with_their_place(void) {
    for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++) {
        const struct bad *bad = &bad_files[i];
        struct project p;
        TEST_ASSERT_FALSE_MESSAGE(read_project(bad->text, &p), bad->text);
        TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), bad->message),
                                     str_text(&err.message));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.remedy), bad->remedy),
                                     str_text(&err.remedy));
        TEST_ASSERT_EQUAL_INT_MESSAGE(bad->line, err.line, bad->text);
        TEST_ASSERT_EQUAL_INT_MESSAGE(bad->col, err.col, bad->text);
        err_clear(&err);
    }
}

static void test_nul_bytes_deep_nesting_and_missing_files(void) {
    struct project p;
    TEST_ASSERT_FALSE(read_bytes("{\"a\0b\":1}", 9, &p));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&err.message), "NUL"));
    err_clear(&err);
    char deep[200001];
    memset(deep, '[', 200000);
    deep[200000] = '\0';
    TEST_ASSERT_FALSE(read_project(deep, &p));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&err.message), "nested"));
    err_clear(&err);
    TEST_ASSERT_FALSE(project_read("/no/such/goalkeeper.json", &p, &err));
}

static void test_columns_count_characters(void) {
    struct project p;
    TEST_ASSERT_FALSE(read_project("{\"name\":\"\xc3\xa9\xc3\xa9\",\"x\":1}", &p));
    TEST_ASSERT_EQUAL_INT(14, err.col);
}

/* Every prefix and every single-byte change of a good file gives an answer, never a crash. */
static void test_damaged_files(void) {
    struct project p;
    char copy[sizeof full];
    for (size_t n = 0; n < sizeof full - 2; n += 7) {
        TEST_ASSERT_FALSE(read_bytes(full, n, &p));
        err_clear(&err);
    }
    for (size_t n = 0; n < sizeof full - 1; n += 3) {
        memcpy(copy, full, sizeof full);
        copy[n] = "\0\"{]\xff,"[n % 6];
        if (read_bytes(copy, sizeof full - 1, &p))
            project_free(&p);
        err_clear(&err);
    }
}

/* ---- the schema ---- */

static cJSON *schema;

static bool fits(const cJSON *rule, const cJSON *value);

static const cJSON *member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static bool is_type(const char *type, const cJSON *value) {
    if (str_same(type, "integer"))
        return cJSON_IsNumber(value) && value->valuedouble == (double)(long long)value->valuedouble;
    return (str_same(type, "object") && cJSON_IsObject(value)) ||
           (str_same(type, "array") && cJSON_IsArray(value)) ||
           (str_same(type, "string") && cJSON_IsString(value)) ||
           (str_same(type, "number") && cJSON_IsNumber(value)) ||
           (str_same(type, "null") && cJSON_IsNull(value));
}

static bool fits_type(const cJSON *rule, const cJSON *value) {
    const cJSON *type = member(rule, "type");
    if (!type || cJSON_IsString(type))
        return !type || is_type(type->valuestring, value);
    for (const cJSON *t = type->child; t; t = t->next)
        if (is_type(t->valuestring, value))
            return true;
    return false;
}

static bool fits_enum(const cJSON *rule, const cJSON *value) {
    const cJSON *words = member(rule, "enum");
    for (const cJSON *w = words ? words->child : NULL; w; w = w->next)
        if (cJSON_IsString(value) && str_same(w->valuestring, value->valuestring))
            return true;
    return words == NULL;
}

static bool fits_pattern(const cJSON *rule, const cJSON *value) {
    const cJSON *pattern = member(rule, "pattern");
    regex_t regex;
    if (!pattern)
        return true;
    TEST_ASSERT_EQUAL_INT(0, regcomp(&regex, pattern->valuestring, REG_EXTENDED | REG_NOSUB));
    bool good = regexec(&regex, value->valuestring, 0, NULL, 0) == 0;
    regfree(&regex);
    return good;
}

static bool fits_limits(const cJSON *rule, const cJSON *value) {
    const cJSON *min = member(rule, "minimum"), *max = member(rule, "maximum");
    const cJSON *least = member(rule, "minLength"), *items = member(rule, "minItems");
    if (cJSON_IsNumber(value))
        return (!min || value->valuedouble >= min->valuedouble) &&
               (!max || value->valuedouble <= max->valuedouble);
    if (cJSON_IsString(value))
        return (!least || (int)strlen(value->valuestring) >= least->valueint) &&
               fits_pattern(rule, value);
    return !items || !cJSON_IsArray(value) || cJSON_GetArraySize(value) >= items->valueint;
}

static bool fits_children(const cJSON *rule, const cJSON *value) {
    const cJSON *items = member(rule, "items"), *properties = member(rule, "properties");
    for (const cJSON *c = value->child; c; c = c->next) {
        const cJSON *inner = cJSON_IsArray(value) ? items : member(properties, c->string);
        if (!inner && cJSON_IsObject(member(rule, "additionalProperties")))
            inner = member(rule, "additionalProperties");
        if (!inner || !fits(inner, c))
            return false;
    }
    const cJSON *required = member(rule, "required");
    for (const cJSON *r = required ? required->child : NULL; r; r = r->next)
        if (!member(value, r->valuestring))
            return false;
    return true;
}

static bool fits(const cJSON *rule, const cJSON *value) {
    const cJSON *ref = member(rule, "$ref");
    if (ref)
        rule = member(member(schema, "$defs"), strrchr(ref->valuestring, '/') + 1);
    TEST_ASSERT_NOT_NULL(rule);
    return fits_type(rule, value) && fits_enum(rule, value) && fits_limits(rule, value) &&
           fits_children(rule, value);
}

/* What JSON schema cannot say: relations between values. */
static bool is_relation(const char *message) {
    return strstr(message, "already described") || strstr(message, "greater than max") ||
           strstr(message, "has a range but") || strstr(message, "there is no file");
}

static int agreements[2];

static void compare(const cJSON *document) {
    char *text = cJSON_PrintUnformatted(document);
    struct project p;
    bool accepted = read_project(text, &p);
    if (accepted)
        project_free(&p);
    else if (is_relation(str_text(&err.message)))
        accepted = true;
    bool expected = fits(schema, document);
    if (accepted != expected)
        TEST_FAIL_MESSAGE(arena_printf(&arena, "schema %d reader %d (%s): %s", expected, accepted,
                                       str_text(&err.message), text));
    agreements[expected]++;
    err_clear(&err);
    free(text);
}

static const char *const pool[] = {"null",
                                   "true",
                                   "0",
                                   "-1",
                                   "1.5",
                                   "1e300",
                                   "5000",
                                   "\"\"",
                                   "\"a.c\"",
                                   "\"ilp32\"",
                                   "\"a b\"",
                                   "\"signed\"",
                                   "\"masking\"",
                                   "\"QM\"",
                                   "\"fixed\"",
                                   "\"files:*.c\"",
                                   "\"Bus.a[2].b\"",
                                   "\"f::x\"",
                                   "\"f::x#2\"",
                                   "\"f::x#02\"",
                                   "\"Tab[\"",
                                   "\"p->x\"",
                                   "\"branch\"",
                                   "\"logical\"",
                                   "[]",
                                   "{}",
                                   "[\"x\"]",
                                   "[[]]",
                                   "[{\"name\":\"q\"}]",
                                   "{\"jobs\":1}",
                                   "{\"name\":\"q\"}"};

/* Replaces, renames and removes one place after the other and asks both each time. */
static void mutate(cJSON *document, cJSON *parent) {
    for (cJSON *item = parent->child; item; item = item->next) {
        for (size_t i = 0; i < sizeof pool / sizeof *pool; i++) {
            cJSON *other = cJSON_Parse(pool[i]);
            cJSON saved = *item;
            item->type = other->type, item->child = other->child;
            item->valuestring = other->valuestring, item->valuedouble = other->valuedouble;
            compare(document);
            *item = saved;
            cJSON_Delete(other);
        }
        char *name = item->string;
        if (name) {
            item->string = (char[]){"other"};
            compare(document);
            item->string = name;
        }
        mutate(document, item);
    }
}

static void test_schema_and_reader_agree(void) {
    struct str text = {0};
    TEST_ASSERT_TRUE(file_read(GK_SOURCE_DIR "/docs/goalkeeper.schema.json", &text, &err));
    schema = cJSON_Parse(str_text(&text));
    TEST_ASSERT_NOT_NULL(schema);
    cJSON *document = cJSON_Parse(full);
    compare(document);
    TEST_ASSERT_EQUAL_INT(1, agreements[1]);
    mutate(document, document);
    TEST_ASSERT_GREATER_THAN_INT(100, agreements[0]);
    TEST_ASSERT_GREATER_THAN_INT(100, agreements[1]);
    cJSON_Delete(document);
    cJSON_Delete(schema);
    str_free(&text);
}

static void test_shipped_schema_is_current(void) {
    struct str shipped = {0}, made = {0};
    TEST_ASSERT_TRUE(file_read(GK_SOURCE_DIR "/docs/goalkeeper.schema.json", &shipped, &err));
    project_schema(&made);
    TEST_ASSERT_EQUAL_STRING(str_text(&made), str_text(&shipped));
    str_free(&shipped);
    str_free(&made);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_every_key_is_read);
    RUN_TEST(test_variables_keep_their_digits_and_places);
    RUN_TEST(test_defaults);
    RUN_TEST(test_mistakes_are_named_with_their_place);
    RUN_TEST(test_nul_bytes_deep_nesting_and_missing_files);
    RUN_TEST(test_columns_count_characters);
    RUN_TEST(test_damaged_files);
    RUN_TEST(test_schema_and_reader_agree);
    RUN_TEST(test_shipped_schema_is_current);
    return UNITY_END();
}
