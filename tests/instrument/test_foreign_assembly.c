/* Texts with assembly of other machines, and what is left of them. */
#include "instrument/syntax/foreign_assembly.h"

#include "unity.h"

#include <string.h>

void setUp(void) {
}
void tearDown(void) {
}

#define GONE "ud2 # not for this machine"

static void test_what_is_left(void) {
    static const struct {
        const char *text, *left;
    } rows[] = {
        {"f() { asm(\"mov r0, r1\"); }", "f() { asm(\"" GONE "\"); }"},
        {"f() { __asm volatile (\"nop\"); }", "f() { __asm volatile (\"nop\"); }"},
        {"f() { __asm__(\"mfcr %0\" : [t] \"=&d\"(t[(1)]), \"+w\"(u) : \"0\"(a, b) : \"d15\", "
         "\"memory\"); }",
         "f() { __asm__(\"" GONE
         "\" : [t] \"=g\"(t[(1)]), \"+g\"(u) : \"X\"(a, b) : \"memory\"); }"},
        {"f() { asm(\"a\"\n \"b\" :: \"r\"(x)\n : \"r0\",\n \"cc\"); g(); }",
         "f() { asm(\"" GONE "\"\n :: \"X\"(x)\n : \n); g(); }"},
        {"f() { asm goto(\"b %l0\" : : : \"r0\" : end); end:; }",
         "f() { asm goto(\"" GONE "\" : : :  : end); end:; }"},
        {"f() { if (x) asm(\"b\"); else asm(\"c\"); }",
         "f() { if (x) asm(\"" GONE "\"); else asm(\"" GONE "\"); }"},
        {"f() { register int r __asm__(\"r0\") = 3; }", "f() { register int r  = 3; }"},
        {"int v __asm__(\"v_7\");", "int v __asm__(\"v_7\");"},
        {"int f(int) __asm__(\"g\"); f() { asm(\"b\"); }",
         "int f(int) __asm__(\"g\"); f() { asm(\"" GONE "\"); }"},
        {"f() { int g(int) __asm__(\"h\"); while (g(1)) asm(\"b\"); }",
         "f() { int g(int) __asm__(\"h\"); while (g(1)) asm(\"" GONE "\"); }"},
        {"f() { extern int v[2] __asm__(\"w\"), (*p)(int) asm(\"q\"); for (; h(); ) asm(\"b\"); }",
         "f() { extern int v[2] __asm__(\"w\"), (*p)(int) asm(\"q\"); for (; h(); ) asm(\"" GONE
         "\"); }"},
        {"f() { register int r asm(\"r0\"), s __asm__(\"r1\"); int t asm(\"t\"); }",
         "f() { register int r , s ; int t asm(\"t\"); }"},
        {"f() { __extension__ asm(\"b\"); }", "f() { __extension__ asm(\"" GONE "\"); }"},
        {"asm(\".export f\"); f() { }", "asm(\"# not for this machine\"); f() { }"},
        {"f() {\n#pragma asm\n mov r0, #1 ; don't\n nop\n # pragma endasm\n g(); }",
         "f() {\n#pragma asm\n__asm__(\"" GONE "\");\n\n# pragma endasm\n g(); }"},
        {"f() {\n#pragma asm\n g(); }", "f() {\n#pragma asm\n g(); }"},
        {"f() { asm(\"b", "f() { asm(\"b"},
        {"/* asm(\"b\") */ char t[] = \"asm(\";", "/* asm(\"b\") */ char t[] = \"asm(\";"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str left = {0};
        assembly_replace(rows[i].text, strlen(rows[i].text), &left);
        TEST_ASSERT_EQUAL_STRING(rows[i].left, str_text(&left));
        str_free(&left);
    }
}

static enum assembly_found found(const char *text) {
    return assembly_find(text, strlen(text));
}

static void test_who_has_to_be_asked(void) {
    TEST_ASSERT_EQUAL(ASSEMBLY_NONE, found("/* asm(); */ int assembly; char t[] = \"asm\";"));
    TEST_ASSERT_EQUAL(ASSEMBLY_SOME, found("f() { asm(\"nop\"); }"));
    TEST_ASSERT_EQUAL(ASSEMBLY_FOREIGN, found("f() {\n# pragma asm\n nop\n#pragma endasm\n }"));
    TEST_ASSERT_EQUAL(ASSEMBLY_NONE, found("#pragma asmcall\nint x;"));
}

static void test_instructions_that_change_nothing(void) {
    TEST_ASSERT_TRUE(assembly_is_quiet(""));
    TEST_ASSERT_TRUE(assembly_is_quiet(" CPSID   i\\n\\t"));
    TEST_ASSERT_FALSE(assembly_is_quiet("nop; mov"));
    TEST_ASSERT_FALSE(assembly_is_quiet("nope"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_what_is_left);
    RUN_TEST(test_who_has_to_be_asked);
    RUN_TEST(test_instructions_that_change_nothing);
    return UNITY_END();
}
