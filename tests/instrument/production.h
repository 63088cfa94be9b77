/* production: generated C as it comes out of a build: one preprocessed file with thousands of lines
 * of declarations, line markers of another machine, comments in Latin-1. */
#ifndef TESTS_PRODUCTION_H
#define TESTS_PRODUCTION_H

#include "base/str.h"

enum { PRODUCTION_CALIBRATIONS = 300 };

static inline void production_types(struct str *s) {
    str_add(s, "# 1 \"C:\\\\work\\\\ecu\\\\src\\\\Sa1_ctrl.c\"\n# 1 \"<built-in>\"\n"
               "# 1 \"C:\\\\Program Files\\\\cc\\\\include\\\\tl_types.h\" 1 3\n"
               "typedef unsigned char boolean;\ntypedef char sint8;\ntypedef unsigned char uint8;\n"
               "typedef short sint16;\ntypedef unsigned short uint16;\ntypedef long sint32;\n"
               "typedef unsigned long uint32;\ntypedef float float32;\ntypedef double float64;\n");
    for (int i = 0; i < 1000; i++)
        str_addf(
            s,
            "typedef struct tag_T%d { uint%d a; sint%d b; struct { float32 x[%d]; } in; } T%d;\n"
            "typedef enum { E%d_OFF, E%d_ON = %d } E%d;\n",
            i, i % 2 ? 8 : 16, i % 3 ? 16 : 8, 1 + i % 5, i, i, i, i + 7, i);
}

static inline void production_externs(struct str *s) {
    str_add(s, "# 2 \"D:/cal/cal.h\" 2\n");
    for (int i = 0; i < PRODUCTION_CALIBRATIONS; i++)
        str_addf(s,
                 "extern const float32 Cal_%d; /* \xdc"
                 "berhitzung LSB: 2^0 OFF:  0 MIN/MAX:  "
                 "-%d .. %d */\n",
                 i, i + 1, i + 1);
    for (int i = 0; i < 1500; i++)
        str_addf(s, "extern T%d Bus_%d;\nextern E%d get_%d(const T%d * p, uint8 n);\n", i % 1000, i,
                 i % 1000, i, i % 1000);
    str_add(s,
            "extern const volatile float32 Tab_x[6];\nextern const volatile float32 Tab_z[6];\n");
}

static const char production_code[] =
    "# 120 \"C:\\\\work\\\\ecu\\\\src\\\\Sa1_ctrl.c\"\n"
    "/**** Regler f\xfcr Drehmoment ****/\n"
    "struct tag_ISV { uint16 Counter; boolean First; struct { unsigned int is_c1 : 3;\n"
    "  unsigned int is_c2 : 2; unsigned int tp : 1; } sf; sint32 hist[4]; };\n"
    "sint16 Sa1_In; /* LSB: 2^-7 OFF:  0 MIN/MAX:  -200 .. 200 */\n"
    "sint8 Sa1_Small /* LSB: 2^0 OFF:  0\n   MIN/MAX:  -100 .. 100 */;\n"
    "float32 Sa1_Float; /* LSB: 2^0 OFF:  0 MIN/MAX:  -1.5 .. 9.9999997473787516e-05 */\n"
    "boolean Sa1_Out; uint32 Sa1_Wide; float32 Sa1_Val;\n"
    "static uint8 X_State = 0; static float32 X_Old;\n"
    "static struct tag_ISV ISV[2] = { { 1, 1 }, { 2, 0 } };\n"
    "static float32 look(const volatile float32 *x, const volatile float32 *z, float32 v)\n"
    "{ uint8 n = 0; while ((n < 5) && (v > *(x++))) { n++; z++; } return *z; }\n"
    "static void inst(struct tag_ISV *pISV, uint16 lim)\n"
    "{ static uint8 X_xi = 3; pISV->Counter++; if (pISV->Counter > lim) { pISV->Counter = 0;\n"
    "  pISV->sf.is_c1++; X_xi++; } pISV->hist[X_xi & 3]++; switch (pISV->sf.is_c1) { case 0: "
    "break;\n"
    "  case 1: pISV->sf.tp = !pISV->sf.tp; break; default: pISV->sf.is_c2 += 1; break; } }\n"
    "void RESTART_Sa1(void) { X_State = 1; X_Old = 0.F; Sa1_Wide = 0; }\n"
    "void Sa1_ctrl(uint16 limit, const T3 *pBus)\n"
    "{ typedef enum { RED, GREEN = 4 } lamp; static lamp X_lamp = GREEN; static float32 X_old2;\n"
    "  sint32 wide; float32 f; { static uint8 X_State; X_State += 3; Sa1_Wide += X_State; }\n"
    "  wide = ((((sint32)Sa1_In) * 41943) >> 5) + Sa1_Small + pBus->b;\n"
    "  f = look(Tab_x, Tab_z, Sa1_Float + X_Old) + Cal_7;\n"
    "  if (((wide > 10000) && (Sa1_Small < 0)) || (f > X_old2)) { X_State++; X_lamp = RED; }\n"
    "  inst(&ISV[X_State & 1], limit); inst(&ISV[0], 20);\n"
    "  Sa1_Out = (X_lamp == GREEN) && (ISV[1].Counter < 50) && ISV[0].sf.tp; X_old2 = X_Old;\n"
    "  X_Old = f * 0.5F; Sa1_Val = X_Old; Sa1_Wide ^= (uint32)wide + (uint32)ISV[1].hist[2];\n"
    "  if (Sa1_Out) { X_lamp = GREEN; } Sa1_Wide += Bus_12.a + (uint32)get_12(&Bus_12, 3); }\n";

static inline void production_text(struct str *s) {
    production_types(s);
    production_externs(s);
    str_add(s, production_code);
}

#endif
