/* A repository that nobody has prepared: a folder, a list of what is compiled, ranges in files of
 * other tools, sources that were preprocessed on another machine. */
#include "folder.h"

#include "unity.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static void run(const char *line, int code, const char *words) {
    run_tool(line, NULL);
    expect_end(code, words);
}

static void expect_in(const char *name, const char *words) {
    struct str text = {0};
    TEST_ASSERT_TRUE_MESSAGE(file_read(path(name), &text, &err), name);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&text), words), words);
    str_free(&text);
}

static void put_module(const char *folder) {
    put(arena_printf(&arena, "%s/inc/t.h", folder), "#define LIMIT ((short)120)\n");
    put(arena_printf(&arena, "%s/src/a.c", folder),
        "#include \"t.h\"\nshort In; int Out; int b(int x);\n"
        "void a_step(void) { if (In > LIMIT) Out = b(In); }\n");
    put(arena_printf(&arena, "%s/src/b.c", folder), "int b(int x) { return x + 1; }\n");
}

static void test_a_folder(void) {
    put_module("m");
    put("m/.git/c.c", "no C\n");
    put("m/out/CMakeCache.txt", "");
    put("m/out/d.c", "no C either\n");
    run("init m", 0, "wrote m/goalkeeper.json");
    expect_in("m/goalkeeper.json", "\"sources\": [\"src/a.c\", \"src/b.c\"]");
    expect_in("m/goalkeeper.json", "\"include_dirs\": [\"inc\"]");
    run("run m --goals-only", 0, NULL);
    TEST_ASSERT_EQUAL_INT64(1,
                            number_in("m/goalkeeper.db", "SELECT count(*) FROM goal WHERE kind = "
                                                         "'branch' AND value = 1 AND text = "
                                                         "'In > LIMIT'"));
    run("report m/goalkeeper.db -o m/html --format html", 0, NULL);
    expect_in("m/html/decision/1.html", "((short)120)");
    put("empty/readme.txt", "");
    run("init empty", 2, "no C file");
    run("init", 2, "name the C files");
}

/* What defines main() runs on the host; what only speaks of it, or calls it so, does not. */
static void test_programs_for_the_host(void) {
    put("f/a.c",
        "/* int main(void) { } */ static const char t[] = \"main() {\"; int main(void);\n"
        "struct s { int main; }; int In, Out; void a_step(void) { if (In) Out = t[0]; }\n");
    put("f/b.c", "void a_step(void);\nint main(int n, char **v)\n{ a_step(); return n && v; }\n");
    run("init f -o p.json", 0, "left out: f/b.c defines main(), as programs for the host do");
    TEST_ASSERT_TRUE(says(&r.out, "step function a_step"));
    run("init f/a.c f/b.c -o p.json", 0, NULL); /* named */
    expect_in("p.json", "f/b.c");
    put("g/b.c", "int In, Out; int main(void) { if (In) Out = 1; return 0; }\n");
    run("init g -o q.json", 0, NULL);
    TEST_ASSERT_TRUE(says(&r.out, "step function main"));
}

static void test_a_list_of_what_is_compiled(void) {
    put_module("m");
    put("other.c", "no C\n");
    put("compile_commands.json", arena_printf(&arena,
                                              "[{\"directory\": \"%s\", \"file\": \"m/src/a.c\",\n"
                                              "  \"command\": \"cc -Im/inc -c m/src/a.c\"},\n"
                                              " {\"directory\": \"%s/m\", \"file\": \"src/b.c\",\n"
                                              "  \"command\": \"cc -c src/b.c\"}]\n",
                                              str_text(&dir), str_text(&dir)));
    run("init --compile-commands compile_commands.json", 0, NULL);
    expect_in("goalkeeper.json", "\"sources\": [\"m/src/a.c\", \"m/src/b.c\"]");
    run("run --goals-only", 0, NULL);
}

static const char ranged[] = "unsigned char Temp; short Tab[3]; unsigned char Odd, Gain; float F;\n"
                             "int Out;\n"
                             "void r_step(void) { if (Temp > 3 && Tab[1] > 2 && Odd && F > 1.F)"
                             " Out = Gain; }\n";

static void test_ranges_from_asap2(void) {
    put("r.c", ranged);
    put("r.a2l",
        "/begin PROJECT p \"\" /begin MODULE m \"\"\n"
        "/begin COMPU_METHOD CM_T \"\" RAT_FUNC \"%6.1\" \"degC\" COEFFS 0 2 80 0 0 1\n"
        "/end COMPU_METHOD\n"
        "/begin COMPU_METHOD CM_L \"\" LINEAR \"%6.1\" \"V\" COEFFS_LINEAR 0.25 -1\n"
        "/end COMPU_METHOD\n"
        "/begin COMPU_METHOD CM_X \"\" RAT_FUNC \"%6.1\" \"V\" COEFFS 0 0 8 0 1 0\n"
        "/end COMPU_METHOD\n"
        "/begin MEASUREMENT Temp \"a \"\"name\"\" /* \" UBYTE CM_T 0 0 -39 80 /* here */\n"
        "  ECU_ADDRESS 0x12 /begin IF_DATA XCP MEASUREMENT 1 2 /end IF_DATA /end MEASUREMENT\n"
        "/begin MEASUREMENT Tab \"\" SWORD CM_L 0 0 -1 24 MATRIX_DIM 3 1 1 /end MEASUREMENT\n"
        "/begin MEASUREMENT Odd \"\" UBYTE CM_X 0 0 0 10 /end MEASUREMENT\n"
        "/begin CHARACTERISTIC Gain \"\" VALUE 0x100 RL 0 NO_COMPU_METHOD 0 5\n"
        "  EXTENDED_LIMITS 1 4 /end CHARACTERISTIC\n"
        "/begin MEASUREMENT v_f \"\" FLOAT32_IEEE CM_L 0 0 -1 1 SYMBOL_LINK \"F\" 0\n"
        "/end MEASUREMENT /end MODULE /end PROJECT\n");
    run("init r.c --ranges r.a2l", 0, "4 of 4 ranges belong to variables");
    TEST_ASSERT_TRUE(says(&r.err, "'Odd' are left out: its COMPU_METHOD is not linear"));
    expect_in("goalkeeper.json", "{\"name\": \"Temp\", \"min\": 2, \"max\": 240,");
    expect_in("goalkeeper.json", "{\"name\": \"Tab\", \"min\": 0, \"max\": 100,");
    expect_in("goalkeeper.json", "{\"name\": \"Odd\", \"min\": 0, \"max\": 255,");
    expect_in("goalkeeper.json", "{\"name\": \"Gain\", \"min\": 1, \"max\": 4,");
    expect_in("goalkeeper.json", "{\"name\": \"F\", \"min\": 0, \"max\": 8,");
    expect_in("goalkeeper.json", "range: r.a2l:8");
    put("none.a2l", "/begin PROJECT p \"\" /end PROJECT\n");
    run("init r.c --ranges none.a2l", 2, "neither a MEASUREMENT nor a CHARACTERISTIC");
}

static void test_ranges_from_a_data_dictionary(void) {
    put("r.c", "unsigned char Temp, Raw, Odd, Lost, Made; short Tab[3]; float F;\n"
               "struct { struct { short Speed; } Wheel; } Bus; int Out;\n"
               "void r_step(void) { if (Temp > 3 && Tab[1] > 2 && Odd && F > 1.F && Raw && Lost &&"
               " Made && Bus.Wheel.Speed > 4) Out = 1; }\n");
    put("r.xml",
        "<?xml version='1.0'?>\n<!-- <ddObj Name=\"Temp\"> -->\n"
        "<ddObj Name=\"Pool\" Kind=\"Pool\" "
        "xmlns=\"http://www.dspace.de/DataDictionaryExtended\">\n"
        "<ddObj Name=\"Scalings\" Kind=\"ScalingGroup\"><ddObj Name=\"G\" Kind=\"ScalingGroup\">\n"
        "<ddObj Name=\"Quarter\" Kind=\"Scaling\"><ddProperty Name=\"LSB\">2^-2</ddProperty>\n"
        "<ddProperty Name=\"Offset\">-1</ddProperty></ddObj>\n"
        "<ddObj Name=\"Curve\" Kind=\"Scaling\"><ddProperty Name=\"ConversionType\">TAB_NOINTP"
        "</ddProperty></ddObj></ddObj></ddObj>\n"
        "<ddObj Name='Variables' Kind='VariableGroup'><ddObj Name=\"Temp\" Kind=\"Variable\">\n"
        "<ddProperty Name=\"Description\">a &gt; b <![CDATA[<ddObj>]]></ddProperty>\n"
        "<ddProperty Name=\"Scaling\">./LocalScaling</ddProperty>\n"
        "<ddProperty Name=\"Min\">-39</ddProperty><ddProperty Name=\"Max\"> 80.0 </ddProperty>\n"
        "<ddProperty Name=\"NameTemplate\">$D</ddProperty>\n"
        "<ddObj Name=\"LocalScaling\" Kind=\"ScalingObject\"><ddProperty Name=\"ConversionType\">"
        "LINEAR</ddProperty><ddProperty Name=\"LSB\">0.5</ddProperty>\n"
        "<ddProperty Name=\"Offset\">-40</ddProperty></ddObj></ddObj>\n"
        "<ddObj Name=\"Tab\" Kind=\"Variable\"><ddProperty Name=\"Width\">3</ddProperty>\n"
        "<ddProperty Name=\"Scaling\">G/Quarter</ddProperty><ddProperty "
        "Name=\"Min\">-1</ddProperty>"
        "<ddProperty Name=\"Max\">24</ddProperty></ddObj>\n"
        "<ddObj Name=\"Raw\" Kind=\"Variable\"><ddProperty "
        "Name=\"Scaling\">VOID_SCALING</ddProperty>"
        "<ddProperty Name=\"Min\"/><ddProperty Name=\"Max\">7</ddProperty></ddObj>\n"
        "<ddObj Name=\"Odd\" Kind=\"Variable\"><ddProperty Name=\"Scaling\">G/Curve</ddProperty>"
        "<ddProperty Name=\"Max\">7</ddProperty></ddObj>\n"
        "<ddObj Name=\"Lost\" Kind=\"Variable\"><ddProperty Name=\"Scaling\">H/Curve</ddProperty>"
        "<ddProperty Name=\"Max\">7</ddProperty></ddObj>\n"
        "<ddObj Name=\"Made\" Kind=\"Variable\"><ddProperty "
        "Name=\"NameTemplate\">$S_$D</ddProperty>"
        "<ddProperty Name=\"Max\">7</ddProperty></ddObj>\n"
        "<ddObj Name=\"F\" Kind=\"Variable\"><ddProperty Name=\"Min\">-1</ddProperty>"
        "<ddProperty Name=\"Max\">1</ddProperty></ddObj>\n"
        "<ddObj Name=\"Bus\" Kind=\"Variable\"><ddObj Name=\"Components\" Kind=\"DSDDEmbedded\">"
        "<ddObj Name=\"Wheel\" Kind=\"Variable\"><ddObj Name=\"Components\" "
        "Kind=\"DSDDEmbedded\">\n"
        "<ddObj Name=\"Speed\" Kind=\"Variable\"><ddProperty Name=\"Max\">99</ddProperty></ddObj>"
        "</ddObj></ddObj></ddObj></ddObj></ddObj></ddObj>\n");
    run("init r.c --ranges r.xml", 0, "5 of 5 ranges belong to variables");
    TEST_ASSERT_TRUE(says(&r.err, "'Odd' are left out: its scaling is not linear"));
    TEST_ASSERT_TRUE(says(&r.err, "'Lost' are left out: its scaling is not in the file"));
    TEST_ASSERT_TRUE(says(&r.err, "'Made' are left out: its name is made by a template"));
    expect_in("goalkeeper.json", "{\"name\": \"Temp\", \"min\": 2, \"max\": 240,");
    expect_in("goalkeeper.json", "{\"name\": \"Tab\", \"min\": 0, \"max\": 100,");
    expect_in("goalkeeper.json", "{\"name\": \"Raw\", \"min\": 0, \"max\": 7,");
    expect_in("goalkeeper.json", "{\"name\": \"Odd\", \"min\": 0, \"max\": 255,");
    expect_in("goalkeeper.json", "{\"name\": \"F\", \"min\": -1, \"max\": 1,");
    expect_in("goalkeeper.json", "{\"name\": \"Bus.Wheel.Speed\", \"min\": -32768, \"max\": 99,");
    expect_in("goalkeeper.json", "range: r.xml:8");
    static const struct {
        const char *text, *words;
    } wrong[] = {{"<a/>\n", "no ddObj of kind Variable"},
                 {"<ddObj Name='A' Kind='Variable'>\n\n",
                  "bad.xml:3:1: error: the file ends within an "
                  "object"},
                 {"<ddObj Name='A'></ddObj></ddObj>", "an object ends here that has not begun"},
                 {"<ddObj Name='A'\n", "the file ends within a tag"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put("bad.xml", wrong[i].text);
        run("init r.c --ranges bad.xml", 2, wrong[i].words);
    }
}

static void test_ranges_from_tables(void) {
    put("r.c", ranged);
    put("r.csv", "name;min;max\n# by hand\n\"Temp\";1;5\nTab[2];-3;3;0.5;0\r\nF;-1e3;;\n\n");
    run("init r.c --ranges r.csv", 0, "3 of 3 ranges");
    expect_in("goalkeeper.json", "{\"name\": \"Temp\", \"min\": 1, \"max\": 5,");
    expect_in("goalkeeper.json", "{\"name\": \"Tab[1]\", \"min\": -32768,");
    expect_in("goalkeeper.json", "{\"name\": \"Tab[2]\", \"min\": -6, \"max\": 6,");
    expect_in("goalkeeper.json", "{\"name\": \"F\", \"min\": -1000,");
    static const struct {
        const char *text, *words;
    } wrong[] = {{"Temp,1,5\nTemp,1,6\n", "bad.csv:2: 'Temp' has another range"},
                 {"Temp,1,5\nGain,a,6\n", "'a' is not a number"},
                 {"Temp\n", "this line is no range"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put("bad.csv", wrong[i].text);
        run("init r.c --ranges bad.csv", 2, wrong[i].words);
    }
    put("far.csv", "Temp,300,400\n");
    run("init r.c --ranges far.csv", 0, "no value of 'Temp' lies in its range");
}

/* Names of another machine: what all share is left out, and "path_map" finds the file here. */
static void test_sources_of_another_machine(void) {
    put("pre/heat.c", "# 40 \"C:\\\\MySandboxes\\\\Heater\\\\src\\\\heat.c\"\nshort In; int Out;\n"
                      "void heat(void) { if (In > ((short)120)) Out = 1; }\n");
    run("run pre/heat.c --goals-only --db a.db", 0, NULL);
    TEST_ASSERT_EQUAL_INT64(
        0, number_in("a.db", "SELECT count(*) FROM goal WHERE file <> 'heat.c' OR line <> 41"));
    struct str original = {0};
    for (int i = 1; i < 40; i++)
        str_addc(&original, '\n');
    str_add(&original, "short In; int Out;\nvoid heat(void) { if (In > LIMIT) Out = 1; }\n");
    put("mine/src/heat.c", str_text(&original));
    str_free(&original);
    run("run pre/heat.c --goals-only --db b.db --path-map C:/MySandboxes/Heater=mine", 0, NULL);
    TEST_ASSERT_EQUAL_INT64(0, number_in("b.db", "SELECT count(*) FROM goal WHERE file <> "
                                                 "'mine/src/heat.c'"));
    TEST_ASSERT_EQUAL_INT64(1,
                            number_in("b.db", "SELECT count(*) FROM goal WHERE kind = 'branch' AND "
                                              "value = 1 AND text = 'In > LIMIT'"));
    run("run pre/heat.c --goals-only --path-map C:/MySandboxes/Heater", 2, "is not FROM=TO");
}

/* What is read on a terminal: values in the units of the comments, names that are meant. */
static void test_a_witness_in_physical_values(void) {
    put("h.c", "short In; /* LSB: 2^-2 OFF: -40 MIN/MAX: -40 .. 100 */\nstatic unsigned char n;\n"
               "int Out;\nvoid heat_step(void) { if (In > 400 && n < 2) n++;\n"
               "  Out = n + 1000000001 - 1000000001 + 1000000001 - 1000000001 + 0000000007; }\n");
    run("run h.c --step heat_step --db h.db --engines simulate --seconds 60", 0, "goals decided: ");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "goalkeeper: simulating: "), str_text(&r.err));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, " a second; "), str_text(&r.err));
    run(arena_printf(&arena, "replay h.db %lld",
                     (long long)number_in("h.db", "SELECT min(goal_id) FROM goal_status WHERE text "
                                                  "= 'n++;'")),
        0, NULL);
    const char *line = strstr(str_text(&r.out), "1  input   In ");
    double value = 0;
    long raw = 0;
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "step  what    variable"), str_text(&r.out));
    TEST_ASSERT_NOT_NULL_MESSAGE(line, str_text(&r.out));
    TEST_ASSERT_EQUAL_INT(2, sscanf(line, "1  input   In %lf %ld", &value, &raw));
    TEST_ASSERT_TRUE(raw > 400 && value == (double)raw / 4 - 40);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "1  goal "), str_text(&r.out));
    run("query h.db --function haet_step", 2, "did you mean 'heat_step'?");
    run("query h.db --kind statement", 0, NULL);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "+ 0000000007;"), str_text(&r.out)); /* not cut */
}

/* What goes into a safety case. The browser is a script: it is asked for a file of this name. */
static void test_one_document(void) {
    put("d.c", "int In, Out; void d_step(void) { if (In) Out = 1; }\n");
    run("run d.c --step d_step --db d.db --goals-only", 0, NULL);
    run("report d.db -o one --format html --single", 0, NULL);
    expect_in("one/report.html", "Checksum of the database");
    expect_in("one/report.html", "Signatures");
    TEST_ASSERT_FALSE(file_exists(path("one/index.html")));
    put("bin/chromium", "#!/bin/sh\nfor a in \"$@\"; do case $a in --print-to-pdf=*)\n"
                        "  echo fine > \"${a#*=}\";; esac; done\n");
    TEST_ASSERT_EQUAL_INT(0, chmod(path("bin/chromium"), 0755));
    const char *with[] = {arena_printf(&arena, "PATH=%s:/usr/bin:/bin", path("bin")), NULL};
    run_tool("report d.db -o two --format pdf,json", with);
    expect_end(0, NULL);
    expect_in("two/report.pdf", "fine");
    expect_in("two/goalkeeper.json", "d_step");
    static const char *const without[] = {"PATH=/nowhere", NULL};
    run_tool("report d.db -o three --format pdf", without);
    expect_end(2, "there is no Chromium");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_folder);
    RUN_TEST(test_programs_for_the_host);
    RUN_TEST(test_a_list_of_what_is_compiled);
    RUN_TEST(test_ranges_from_asap2);
    RUN_TEST(test_ranges_from_a_data_dictionary);
    RUN_TEST(test_ranges_from_tables);
    RUN_TEST(test_sources_of_another_machine);
    RUN_TEST(test_one_document);
    RUN_TEST(test_a_witness_in_physical_values);
    return UNITY_END();
}
