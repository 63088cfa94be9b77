/**************************************************************************************************\
 *
 * FILE:
 *   pid_fixed.c
 *
 * RELATED FILES:
 *   tl_types.h
 *
 * DESCRIPTION:
 *   idle speed governor: PID controller in 16 bit fixed point with two parameter sets
 *
 * PROJECT:
 *   pid_fixed
 *
 * SUBSYS     CORRESPONDING SIMULINK SUBSYSTEM
 * Sa1        pid_fixed/IdleSpeed
 * Sa2        pid_fixed/IdleSpeed/Setpoint
 * Sa3        pid_fixed/IdleSpeed/PID
 *
 * SAMPLE TIME: 0.01 s
 *
\**************************************************************************************************/
#include "tl_types.h"

typedef struct PidPar_tag {
   sint16 Kp /* LSB: 2^-8 OFF:  0 MIN/MAX:  0 .. 127.99609375 */;
   sint16 Ki /* LSB: 2^-12 OFF:  0 MIN/MAX:  0 .. 7.999755859375 */;
   sint16 Kd /* LSB: 2^-6 OFF:  0 MIN/MAX:  0 .. 511.984375 */;
   sint16 OutMin /* LSB: 2^-7 OFF:  0 MIN/MAX:  -256 .. 255.9921875 */;
   sint16 OutMax /* LSB: 2^-7 OFF:  0 MIN/MAX:  -256 .. 255.9921875 */;
   uint8 DeadBand /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 255 */;
   boolean UseDPart;
} PidPar;

/* SLGlobal: inputs | Width: 16 */
uint16 Sa1_EngineSpeed /* LSB: 2^-2 OFF:  0 MIN/MAX:  0 .. 8000 */;
sint16 Sa1_CoolantTemp /* LSB: 2^-7 OFF:  0 MIN/MAX:  -40 .. 140 */;

/* SLGlobal: inputs | Width: 8 */
boolean Sa1_GearEngaged;
boolean Sa1_AirCon;

/* SLGlobal: outputs */
sint16 Sa1_TorqueReserve
   /* LSB: 2^-7
      OFF:  0
      MIN/MAX:  -256 .. 255.9921875 */;
uint8 Sa1_Duty /* LSB: 2^0 * 0.392156862745098 OFF:  0 MIN/MAX:  0 .. 100 */;
boolean Sa1_StallRisk;

/* CAL: parameter sets */
static const PidPar Sa3_ParNeutral = {320, 41, 96, -6400, 12800, 6, 1};
static const PidPar Sa3_ParDrive = {448, 57, 0, -3200, 16000, 10, 0};

/* SLStaticGlobalInit: the parameter set in use */
static const PidPar * Sa3_pPar = &(Sa3_ParNeutral);

/**************************************************************************************************\
  FUNCTION:
    sint16 C__I16SATI32_SATb(sint32 x, sint16 max, sint16 min)

  DESCRIPTION:
    saturating cast
\**************************************************************************************************/
static sint16 C__I16SATI32_SATb(sint32 x, sint16 max, sint16 min)
{
   sint16 y;

   if (x > (sint32)max) {
      y = max;
   }
   else {
      if (x < (sint32)min) {
         y = min;
      }
      else {
         y = (sint16)x;
      }
   }
   return y;
}

/**************************************************************************************************\
  FUNCTION:
    sint16 Sa2_Setpoint(void)

  DESCRIPTION:
    idle speed setpoint from coolant temperature and loads, slew rate 4 rpm a step
\**************************************************************************************************/
static sint16 Sa2_Setpoint(void)
{
   /* SLStaticLocalInit: Default storage class for static local variables with initial value */
   static sint16 X_Sa2_Setpoint = 3200 /* LSB: 2^-2 OFF:  0 MIN/MAX:  700 .. 1500 */;

   /* SLLocal: Default storage class for local variables | Width: 16 */
   sint16 Sa2_Target /* LSB: 2^-2 OFF:  0 MIN/MAX:  700 .. 1500 */;

   /* Gain and sum: 1200 rpm at 0 degrees, 8 rpm a degree; (x * 8 * 2^-7) in 2^-2 is x >> 2 */
   Sa2_Target = (sint16)(4800 - (Sa1_CoolantTemp >> 2));
   if (Sa1_AirCon || Sa1_GearEngaged) {
      Sa2_Target = (sint16)(Sa2_Target + 200);
   }

   /* Saturation: Setpoint/Limit */
   if (Sa2_Target > 6000) {
      Sa2_Target = 6000;
   }
   if (Sa2_Target < 2800) {
      Sa2_Target = 2800;
   }
   /* the range ends before this limit is met */
   if (Sa1_CoolantTemp > 19200) {
      Sa2_Target = 6000;
   }

   /* Rate limiter */
   if (Sa2_Target > (X_Sa2_Setpoint + 16)) {
      X_Sa2_Setpoint = (sint16)(X_Sa2_Setpoint + 16);
   }
   else {
      if (Sa2_Target < (X_Sa2_Setpoint - 16)) {
         X_Sa2_Setpoint = (sint16)(X_Sa2_Setpoint - 16);
      }
      else {
         X_Sa2_Setpoint = Sa2_Target;
      }
   }
   if ((X_Sa2_Setpoint < 2800) || (X_Sa2_Setpoint > 6000)) {
      X_Sa2_Setpoint = 4000;
   }
   return X_Sa2_Setpoint;
}

/**************************************************************************************************\
  FUNCTION:
    sint16 Sa3_PID(sint16 Sa3_Error)
\**************************************************************************************************/
static sint16 Sa3_PID(sint16 Sa3_Error)
{
   /* SLStaticLocalInit: Default storage class for static local variables with initial value */
   static sint32 X_Sa3_Sum = 0 /* LSB: 2^-14 OFF:  0 MIN/MAX:  -50 .. 125 */;
   static sint16 X_Sa3_ErrorOld = 0 /* LSB: 2^-2 OFF:  0 MIN/MAX:  -8192 .. 8191.75 */;

   /* SLLocal: Default storage class for local variables | Width: 32 */
   sint32 Sa3_P /* LSB: 2^-10 */;
   sint32 Sa3_D /* LSB: 2^-8 */;
   sint32 Sa3_Out /* LSB: 2^-7 */;
   sint16 Sa3_DError;

   /* Dead zone */
   if ((Sa3_Error < (sint16)Sa3_pPar->DeadBand) && (Sa3_Error > -(sint16)Sa3_pPar->DeadBand)) {
      Sa3_Error = 0;
   }

   /* P part */
   Sa3_P = (sint32)Sa3_Error * (sint32)Sa3_pPar->Kp;

   /* I part, limited to the output range: 2^-14 */
   X_Sa3_Sum = X_Sa3_Sum + ((sint32)Sa3_Error * (sint32)Sa3_pPar->Ki);
   if (X_Sa3_Sum > ((sint32)Sa3_pPar->OutMax << 7)) {
      X_Sa3_Sum = (sint32)Sa3_pPar->OutMax << 7;
   }
   if (X_Sa3_Sum < ((sint32)Sa3_pPar->OutMin * 128)) {
      X_Sa3_Sum = (sint32)Sa3_pPar->OutMin * 128;
   }
   if ((X_Sa3_Sum > 2048000) || (X_Sa3_Sum < -819200)) {
      X_Sa3_Sum = 0;
   }

   /* D part */
   Sa3_D = 0;
   if (Sa3_pPar->UseDPart) {
      if (Sa3_pPar->Kd == 0) {
         Sa3_DError = 0;
      }
      else {
         Sa3_DError = C__I16SATI32_SATb((sint32)Sa3_Error - (sint32)X_Sa3_ErrorOld, 2000, -2000);
      }
      Sa3_D = ((sint32)Sa3_DError * (sint32)Sa3_pPar->Kd) >> 4;
   }
   X_Sa3_ErrorOld = Sa3_Error;

   Sa3_Out = (Sa3_P >> 6) + (X_Sa3_Sum >> 7) + Sa3_D;
   return C__I16SATI32_SATb(Sa3_Out, Sa3_pPar->OutMax, Sa3_pPar->OutMin);
}

/**************************************************************************************************\
  FUNCTION:
    void pid_fixed(void)
\**************************************************************************************************/
void pid_fixed(void)
{
   /* SLStaticLocalInit: Default storage class for static local variables with initial value */
   static uint8 X_Sa1_GearDelay = 0;
   static uint16 X_Sa1_StallTimer = 0;

   /* SLLocal: Default storage class for local variables | Width: 16 */
   sint16 Sa1_Setpoint /* LSB: 2^-2 */;
   sint16 Sa1_Error /* LSB: 2^-2 OFF:  0 MIN/MAX:  -8192 .. 8191.75 */;
   uint16 Aux_U16;

   /* Turn-on delay: 20 steps */
   if (Sa1_GearEngaged) {
      if (X_Sa1_GearDelay < 20) {
         X_Sa1_GearDelay++;
      }
   }
   else {
      if (X_Sa1_GearDelay > 0) {
         X_Sa1_GearDelay--;
      }
   }

   /* parameter set with hysteresis */
   if (X_Sa1_GearDelay >= 20) {
      Sa3_pPar = &(Sa3_ParDrive);
   }
   else {
      if (X_Sa1_GearDelay == 0) {
         Sa3_pPar = &(Sa3_ParNeutral);
      }
   }

   Sa1_Setpoint = Sa2_Setpoint();
   Sa1_Error = C__I16SATI32_SATb((sint32)Sa1_Setpoint - (sint32)Sa1_EngineSpeed, 32767, -32768);
   Sa1_TorqueReserve = Sa3_PID(Sa1_Error);

   /* scaled division: -50 .. 125 to 0 .. 255, (x + 6400) * 255 / 22400 */
   Aux_U16 = (uint16)(Sa1_TorqueReserve + 6400);
   Sa1_Duty = (uint8)((((uint32)Aux_U16) * 23873) >> 21);
   if (Aux_U16 > 22400) {
      Sa1_Duty = 255;
   }

   /* Stall detection */
   if ((Sa1_EngineSpeed < 2000) && (Sa1_TorqueReserve >= Sa3_pPar->OutMax)) {
      X_Sa1_StallTimer++;
      if (X_Sa1_StallTimer > 500) {
         X_Sa1_StallTimer = 500;
      }
   }
   else {
      X_Sa1_StallTimer = 0;
   }
   Sa1_StallRisk = (X_Sa1_StallTimer >= 500) || ((X_Sa1_StallTimer > 500) && Sa1_GearEngaged);
}
