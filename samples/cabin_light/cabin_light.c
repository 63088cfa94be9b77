/**************************************************************************************************\
 *
 * FILE:
 *   cabin_light.c
 *
 * RELATED FILES:
 *   tl_types.h
 *
 * DESCRIPTION:
 *   cabin light: fades in, is dimmed in quarters, goes off after a time; all in 32 bit floats
 *
 * PROJECT:
 *   cabin_light
 *
 * SUBSYS     CORRESPONDING SIMULINK SUBSYSTEM
 * Sa1        cabin_light/Light
 * Sa2        cabin_light/Light/Fade
 * Sa3        cabin_light/Light/Dial
 * Sa4        cabin_light/Light/Linger
 *
 * SAMPLE TIME: 0.02 s
 *
\**************************************************************************************************/
#include "tl_types.h"

/* SLGlobal: inputs | Width: 8 */
boolean Sa1_DoorOpen;
boolean Sa1_Brighter;
boolean Sa1_Darker;

/* SLGlobal: outputs */
float32 Sa1_Power /* MIN/MAX:  0 .. 10 */;
boolean Sa1_IsFull;
uint8 Sa1_Diag;

/* SLStaticLocal: Unit Delay: cabin_light/Light/Fade/State */
static float32 X_Sa2_Fade = 0.F;
/* SLStaticLocal: Unit Delay: cabin_light/Light/Fade/Last */
static float32 X_Sa2_Last = 0.F;
/* SLStaticLocal: Unit Delay: cabin_light/Light/Dial/State */
static float32 X_Sa3_Dial = 5.F;
/* SLStaticLocal: Unit Delay: cabin_light/Light/Linger/Time */
static float32 X_Sa4_Time = 0.F;

/**************************************************************************************************\
  FUNCTION:
    void Sa2_Fade(boolean on)

  DESCRIPTION:
    From dark to full within a second, in steps of 0.02; back to dark at once.
\**************************************************************************************************/
static void Sa2_Fade(boolean on)
{
   X_Sa2_Last = X_Sa2_Fade;
   if (on) {
      if (X_Sa2_Fade < 1.F) {
         X_Sa2_Fade = X_Sa2_Fade + 0.02F;
      }
   }
   else {
      X_Sa2_Fade = 0.F;
   }

   /* # combined # Relational: cabin_light/Light/Fade/IsFull: never true */
   Sa1_IsFull = (boolean)(X_Sa2_Fade == 1.F);

   /* between the first value and the second */
   if ((X_Sa2_Fade > 0.022F) && (X_Sa2_Fade < 0.038F)) {
      Sa1_Diag = 1;
   }

   /* the value before, a bit above one half */
   if ((X_Sa2_Last > 0.5F) && (X_Sa2_Last < 0.51F)) {
      Sa1_Diag = 2;
   }
}

/**************************************************************************************************\
  FUNCTION:
    void Sa3_Dial(void)

  DESCRIPTION:
    The driver's dial, a quarter a step.
\**************************************************************************************************/
static void Sa3_Dial(void)
{
   if (Sa1_Brighter) {
      if (X_Sa3_Dial < 10.F) {
         X_Sa3_Dial = X_Sa3_Dial + 0.25F;
      }
   }
   else {
      if (Sa1_Darker && (X_Sa3_Dial > 0.F)) {
         X_Sa3_Dial = X_Sa3_Dial - 0.25F;
      }
   }

   /* Saturation: cabin_light/Light/Dial/Limit */
   if (X_Sa3_Dial > 10.F) {
      X_Sa3_Dial = 10.F;
   }

   /* the detent, half a step away from every value */
   if (X_Sa3_Dial == 7.125F) {
      Sa1_Diag = 3;
   }
}

/**************************************************************************************************\
  FUNCTION:
    boolean Sa4_Linger(void)

  DESCRIPTION:
    For 2 s after the door is closed. The time is compared for more and for equal; it is never equal.
\**************************************************************************************************/
static boolean Sa4_Linger(void)
{
   boolean on;

   if (Sa1_DoorOpen) {
      X_Sa4_Time = 0.F;
   }
   else {
      if (X_Sa4_Time < 2.F) {
         X_Sa4_Time += 0.02F;
      }
   }
   on = (boolean)(X_Sa4_Time < 2.F);
   if (X_Sa4_Time == 2.F) {
      Sa1_Diag = 4;
   }
   if (!on && (X_Sa4_Time > 2.01F)) {
      Sa1_Diag = 5;
   }
   return on;
}

/**************************************************************************************************\
  FUNCTION:
    void RESTART_cabin_light(void)
\**************************************************************************************************/
void RESTART_cabin_light(void)
{
   Sa1_Power = 0.F;
   Sa1_IsFull = 0;
   Sa1_Diag = 0;
   X_Sa2_Fade = 0.F;
   X_Sa2_Last = 0.F;
   X_Sa3_Dial = 5.F;
   X_Sa4_Time = 0.F;
}

/**************************************************************************************************\
  FUNCTION:
    void cabin_light(void)
\**************************************************************************************************/
void cabin_light(void)
{
   boolean on;

   on = Sa4_Linger();
   Sa2_Fade(on);
   Sa3_Dial();
   Sa1_Power = X_Sa2_Fade * X_Sa3_Dial;
   if (Sa1_Power > 10.25F) {
      Sa1_Power = 10.25F;
   }
}
