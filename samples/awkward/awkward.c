/**************************************************************************************************\
 *
 * FILE:
 *   awkward.c
 *
 * DESCRIPTION:
 *   constructs that a model checker of cyclic C cannot take, or can take only in part,
 *   each in a function of its own beside plain code
 *
\**************************************************************************************************/
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

typedef unsigned char  boolean;
typedef unsigned char  uint8;
typedef signed short   sint16;
typedef unsigned short uint16;
typedef signed long    sint32;
typedef unsigned long  uint32;
typedef float          float32;

/* SLGlobal: inputs */
uint8 Sa1_Select /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 20 */;
sint16 Sa1_Value /* LSB: 2^0 OFF:  0 MIN/MAX:  -1000 .. 1000 */;
float32 Sa1_Angle /* LSB: 2^0 OFF:  0 MIN/MAX:  -3.2 .. 3.2 */;

/* SLGlobal: outputs */
sint32 Sa1_Result;
float32 Sa1_Sine;
uint8 Sa1_Error;

/* a register of the peripheral, read anew each time */
volatile uint16 Hw_Counter /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 4095 */;

/* no body anywhere */
extern sint32 Ecu_ReadAdc(uint8 channel, sint16 * pValue);

/* set by another program part that is not here */
extern sint32 (*Ecu_Callback)(sint32 x);

/* one view as number, one as bytes */
union tag_View {
   float32 f;
   uint32 u;
   uint8 b[4];
};

static jmp_buf Env;
static union tag_View X_View;
static uint8 X_Mode = 0;

/* recursion with a depth that depends on data */
static sint32 Recursive(sint32 n)
{
   if (n <= 0) {
      return 0;
   }
   return n + Recursive(n - 3);
}

/* inline assembly */
static uint32 Assembly(uint32 x)
{
   uint32 y = x;

   __asm__ volatile("" : "+r"(y) : : "memory");
   if (y != x) {
      Sa1_Error = 1;
   }
   return y;
}

/* non-local jump */
static sint32 Jump(sint32 x)
{
   volatile sint32 kept = x;

   if (setjmp(Env) != 0) {
      return -1;
   }
   if (kept > 500) {
      longjmp(Env, 1);
   }
   return kept;
}

/* variable number of arguments */
static sint32 Sum(int n, ...)
{
   va_list args;
   sint32 sum = 0;

   va_start(args, n);
   while (n-- > 0) {
      sum += va_arg(args, int);
   }
   va_end(args);
   return sum;
}

/* a loop whose bound is known only at run time, and is large */
static uint32 Collatz(uint32 x)
{
   uint32 steps = 0;

   while (x > 1) {
      x = (x & 1) ? ((3 * x) + 1) : (x >> 1);
      steps++;
   }
   return steps;
}

/* array whose length is data */
static sint32 Variable(uint8 n)
{
   sint16 buffer[n + 1];
   uint8 i;

   for (i = 0; i <= n; i++) {
      buffer[i] = (sint16)(i * Sa1_Value);
   }
   return buffer[n];
}

/* memory from the heap */
static sint32 Heap(sint32 x)
{
   sint32 y = 0;
   sint32 * p = (sint32 *)malloc(sizeof(sint32));

   if (p == NULL) {
      Sa1_Error = 2;
   }
   else {
      *p = x;
      y = *p + 1;
      free(p);
   }
   return y;
}

/* function pointer with known targets */
static sint32 Twice(sint32 x)
{
   return 2 * x;
}

static sint32 Negative(sint32 x)
{
   return -x;
}

static sint32 (*const Table[2])(sint32) = {Twice, Negative};

void RESTART_awkward(void)
{
   X_Mode = 0;
   X_View.u = 0;
   Sa1_Result = 0;
   Sa1_Sine = 0.F;
   Sa1_Error = 0;
}

void awkward(void)
{
   sint16 adc;
   sint32 unset;
   uint16 first;

   switch (Sa1_Select) {
   case 0:
      Sa1_Result = Recursive(Sa1_Value);
      break;
   case 1:
      Sa1_Result = (sint32)Assembly((uint32)Sa1_Value);
      break;
   case 2:
      Sa1_Result = Jump(Sa1_Value);
      break;
   case 3:
      Sa1_Result = Sum(3, (int)Sa1_Value, 2, 3);
      break;
   case 4:
      Sa1_Result = (sint32)Collatz((uint32)(Sa1_Value & 0x3FF));
      break;
   case 5:
      Sa1_Result = Variable((uint8)(Sa1_Value & 0x0F));
      break;
   case 6:
      Sa1_Result = Heap(Sa1_Value);
      break;
   case 7:
      Sa1_Result = Table[Sa1_Value & 1](Sa1_Value);
      break;
   case 8:
      if (Ecu_Callback != NULL) {
         Sa1_Result = Ecu_Callback(Sa1_Value);
      }
      break;
   case 9:
      if ((Ecu_ReadAdc(3, &adc) >= 0) && (adc > 512)) {
         Sa1_Result = adc;
      }
      break;
   case 10:
      /* two reads of a register may differ */
      first = Hw_Counter;
      if (Hw_Counter < first) {
         Sa1_Result = 1;
      }
      break;
   case 11:
      X_View.f = Sa1_Angle;
      if ((X_View.b[3] & 0x80) && (X_View.u != 0x80000000UL)) {
         Sa1_Result = -1;
      }
      break;
   case 12:
      /* the value that is not set must not decide anything */
      if (Sa1_Value > 0) {
         unset = Sa1_Value;
      }
      if ((Sa1_Value > -10) && (unset > 5)) {
         Sa1_Result = 5;
      }
      break;
   case 13:
      /* the run ends here for zero */
      Sa1_Result = 1000 / Sa1_Value;
      if (Sa1_Value == 0) {
         Sa1_Error = 3;
      }
      break;
   default:
      X_Mode = (uint8)((X_Mode < 3) ? (X_Mode + 1) : 0);
      break;
   }

   /* sine is not correctly rounded by every library */
   Sa1_Sine = (float32)sin((double)Sa1_Angle);
   if (Sa1_Sine > 1.5F) {
      Sa1_Error = 4;
   }
   if (Sa1_Sine > 9.9e-01F) {
      Sa1_Result = 0;
   }

   /* plain code beside all this is analysed as ever */
   if (X_Mode > 3) {
      Sa1_Error = 5;
   }
}
