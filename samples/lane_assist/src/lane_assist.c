/**************************************************************************************************\
 *
 * FILE:
 *   lane_assist.c
 *
 * RELATED FILES:
 *   lane_assist.h
 *   lane_assist_cal.h
 *   tl_basetypes.h
 *
 * DESCRIPTION:
 *   lane keeping assistant: driver supervision and assist torque
 *
 * PROJECT:
 *   lane_assist
 *
 * SUBSYS     CORRESPONDING SIMULINK SUBSYSTEM
 * Sa1        lane_assist/LaneAssist
 * Sa2        lane_assist/LaneAssist/TorqueConditioning
 * Sa3        lane_assist/LaneAssist/DriverSupervision
 * Sa4        lane_assist/LaneAssist/AssistTorque
 *
 * SF-NODE    CORRESPONDING STATEFLOW NODE
 * Ca1        lane_assist/LaneAssist/ModeLogic
 *
 * SAMPLE TIME: 0.02 s
 *
\**************************************************************************************************/
#include "lane_assist.h"
#include "lane_assist_cal.h"

/* ModeLogic */
#define Ca1_OFF (0)
#define Ca1_STANDBY (1)
#define Ca1_ACTIVE (2)
#define Ca1_OVERRIDE (3)

/* SLGlobal: Default storage class for global variables | Width: 32 */
float32 Sa1_Torque /* LSB: 2^0 OFF:  0 MIN/MAX:  -10 .. 10 */;
float32 Sa1_Speed /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 70 */;
float32 Sa1_LaneOffset
   /* LSB: 2^0
      OFF:  0
      MIN/MAX:  -2.5 .. 2.5 */;
float32 Sa1_AssistTorque /* LSB: 2^0 OFF:  0 MIN/MAX:  -3 .. 3 */;

/* SLGlobal: Default storage class for global variables | Width: 8 */
boolean Sa1_Switch;
boolean Sa1_Indicator;
uint8 Sa1_Mode;
uint8 Sa1_WarnLevel;
boolean Sa1_FatigueHint;
boolean Sa1_SensorFault;

/* SLStaticGlobalInit: Default storage class for static global variables with initial value */
static float32 X_Sa2_LowPass = 0.F /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 10 */;
static float32 X_Sa2_TorqueOld = 0.F /* LSB: 2^0 OFF:  0 MIN/MAX:  -10 .. 10 */;
static float32 X_Sa2_Rate = 0.F;
static boolean X_Sa2_First = 1;
static uint16 X_Sa3_HandsOffTimer = 0;
static uint16 X_Sa3_FatigueTimer = 0;
static boolean X_Sa3_SpeedOk = 0;
static boolean X_Sa3_Indicator = 0;
static float32 X_Sa4_Assist = 0.F;

/**************************************************************************************************\
  FUNCTION:
    float32 Tab1D_F32_Intp(const Tab1D_F32 * map, float32 x)

  DESCRIPTION:
    linear interpolation, linear search from the left, end values outside
\**************************************************************************************************/
static float32 Tab1D_F32_Intp(const Tab1D_F32 * map, float32 x)
{
   const float32 * x_table = map->x_table;
   const float32 * z_table = map->z_table;
   float32 Aux_x0;
   float32 Aux_z0;

   if (x <= *(x_table)) {
      return z_table[0];
   }
   if (x >= x_table[map->Nx - 1]) {
      return z_table[map->Nx - 1];
   }

   /* linear search */
   x_table++;
   while (x > *(x_table++)) {
      z_table++;
   }
   x_table -= 2;
   Aux_x0 = *(x_table++);
   Aux_z0 = *(z_table++);

   return Aux_z0 + ((*(z_table)-Aux_z0) * ((x - Aux_x0) / (*(x_table)-Aux_x0)));
}

/**************************************************************************************************\
  FUNCTION:
    Void RESTART_lane_assist(Void)
\**************************************************************************************************/
Void RESTART_lane_assist(Void)
{
   X_Sa2_LowPass = 0.F;
   X_Sa2_TorqueOld = 0.F;
   X_Sa2_Rate = 0.F;
   X_Sa2_First = 1;
   X_Sa3_HandsOffTimer = 0;
   X_Sa3_FatigueTimer = 0;
   X_Sa3_SpeedOk = 0;
   X_Sa3_Indicator = 0;
   X_Sa4_Assist = 0.F;
   Sa1_Mode = Ca1_OFF;
   Sa1_WarnLevel = 0;
   Sa1_AssistTorque = 0.F;
   Sa1_FatigueHint = 0;
   Sa1_SensorFault = 0;
}

/**************************************************************************************************\
  FUNCTION:
    Void Sa3_DriverSupervision(float32 Sa3_AbsTorque, float32 Sa3_AbsRate)

  DESCRIPTION:
    hands-off timer with three warning levels, fatigue timer
\**************************************************************************************************/
static Void Sa3_DriverSupervision(float32 Sa3_AbsTorque, float32 Sa3_AbsRate)
{
   /* SLLocal: Default storage class for local variables | Width: 8 */
   boolean Sa3_HandsOff;
   boolean Sa3_Quiet;
   boolean Sa3_IndicatorEdge;

   /* Logical operator: LaneAssist/DriverSupervision/HandsOff */
   Sa3_HandsOff = (X_Sa2_LowPass < Cal_HandsOffTorque) && (Sa3_AbsTorque < Cal_HandsOffTorque);

   /* Turn-on delay: LaneAssist/DriverSupervision/HandsOffTimer */
   if (Sa3_HandsOff && (Sa1_Mode >= Ca1_ACTIVE)) {
      X_Sa3_HandsOffTimer = (uint16)(X_Sa3_HandsOffTimer + 1);
      if (X_Sa3_HandsOffTimer >= Cal_Warn3Delay) {
         X_Sa3_HandsOffTimer = Cal_Warn3Delay;
      }
   }
   else {
      X_Sa3_HandsOffTimer = 0;
   }

   /* Multiport switch: warning level */
   if (X_Sa3_HandsOffTimer > Cal_Warn3Delay) {
      /* timer overflow */
      Sa1_SensorFault = 1;
   }
   if (X_Sa3_HandsOffTimer >= Cal_Warn3Delay) {
      Sa1_WarnLevel = 3;
   }
   else {
      if (X_Sa3_HandsOffTimer >= Cal_Warn2Delay) {
         Sa1_WarnLevel = 2;
      }
      else {
         Sa1_WarnLevel = (X_Sa3_HandsOffTimer >= Cal_Warn1Delay) ? 1 : 0;
      }
   }

   /* Detect change: LaneAssist/DriverSupervision/IndicatorEdge */
   Sa3_IndicatorEdge = Sa1_Indicator && !(X_Sa3_Indicator);
   X_Sa3_Indicator = Sa1_Indicator;

   /* Logical operator: the driver gives no sign of attention */
   Sa3_Quiet = (Sa3_AbsRate <= Cal_QuietTorqueRate) && X_Sa3_SpeedOk && !(Sa3_IndicatorEdge) &&
               (Sa1_Switch || (Sa1_Mode == Ca1_ACTIVE));

   /* Fatigue timer */
   if (Sa3_Quiet) {
      if (X_Sa3_FatigueTimer < Cal_FatigueSteps) {
         X_Sa3_FatigueTimer++;
      }
   }
   else {
      X_Sa3_FatigueTimer = 0;
   }
   Sa1_FatigueHint = (X_Sa3_FatigueTimer >= Cal_FatigueSteps) && (Sa1_WarnLevel < 3);
}

/**************************************************************************************************\
  FUNCTION:
    Void Ca1_ModeLogic(float32 Ca1_AbsTorque)

  DESCRIPTION:
    Stateflow chart: off, standby, active, override
\**************************************************************************************************/
static Void Ca1_ModeLogic(float32 Ca1_AbsTorque)
{
   boolean Ca1_Release;

   Ca1_Release = X_Sa3_SpeedOk && !(Sa1_Indicator) && !(Sa1_SensorFault);

   switch (Sa1_Mode) {
   case Ca1_OFF: {
      if (Sa1_Switch) {
         Sa1_Mode = Ca1_STANDBY;
      }
      break;
   }
   case Ca1_STANDBY: {
      if (!(Sa1_Switch)) {
         Sa1_Mode = Ca1_OFF;
      }
      else {
         if (Ca1_Release) {
            Sa1_Mode = Ca1_ACTIVE;
         }
      }
      break;
   }
   case Ca1_ACTIVE: {
      if (!(Sa1_Switch) || !(Ca1_Release)) {
         Sa1_Mode = Ca1_STANDBY;
      }
      else {
         if (Ca1_AbsTorque > Cal_OverrideTorque) {
            Sa1_Mode = Ca1_OVERRIDE;
         }
      }
      break;
   }
   case Ca1_OVERRIDE: {
      if (!(Ca1_Release)) {
         Sa1_Mode = Ca1_STANDBY;
      }
      else {
         if ((Ca1_AbsTorque < Cal_OverrideTorque) && (X_Sa2_LowPass < Cal_OverrideTorque)) {
            Sa1_Mode = Ca1_ACTIVE;
         }
      }
      break;
   }
   default: {
      /* not a state of the chart */
      Sa1_Mode = Ca1_OFF;
      break;
   }
   }

   /* Reduced mode of the variant "basic" */
   if (Cal_ReducedModeAvailable && (Sa1_WarnLevel >= 2) && (Sa1_Mode == Ca1_ACTIVE)) {
      Sa1_Mode = Ca1_STANDBY;
   }
}

/**************************************************************************************************\
  FUNCTION:
    Void Sa4_AssistTorque(float32 Sa4_AbsTorque)

  DESCRIPTION:
    assist torque from lane offset, speed dependent gain, damped by the driver's torque
\**************************************************************************************************/
static Void Sa4_AssistTorque(float32 Sa4_AbsTorque)
{
   /* SLLocal: Default storage class for local variables | Width: 32 */
   float32 Sa4_Gain;
   float32 Sa4_Damping;
   float32 Sa4_Demand;
   float32 Sa4_Denominator;
   float32 Sa4_Curvature;

   Sa4_Gain = Tab1D_F32_Intp(&Cal_AssistGainMap, Sa1_Speed);
   Sa4_Damping = Tab1D_F32_Intp(&Cal_DampingMap, Sa4_AbsTorque);

   /* Saturation: LaneAssist/AssistTorque/GainLimit */
   if (Sa4_Gain > 1.1000000238418579F) {
      Sa4_Gain = 1.1000000238418579F;
   }

   /* Product: LaneAssist/AssistTorque/Curvature, protected division */
   Sa4_Denominator = Sa1_Speed + 1.F;
   if (Sa4_Denominator > 9.9999999747524271e-07F) {
      Sa4_Curvature = Sa1_LaneOffset / Sa4_Denominator;
   }
   else {
      Sa4_Curvature = 0.F;
   }

   if (Sa1_Mode == Ca1_ACTIVE) {
      Sa4_Demand = (-(Sa1_LaneOffset)*Sa4_Gain * Sa4_Damping * 2.F) - Sa4_Curvature;
   }
   else {
      Sa4_Demand = 0.F;
   }

   /* First order lag, then saturation: LaneAssist/AssistTorque/OutputLimit */
   X_Sa4_Assist = X_Sa4_Assist + (1.25e-01F * (Sa4_Demand - X_Sa4_Assist));
   if (X_Sa4_Assist > Cal_AssistMax) {
      Sa1_AssistTorque = Cal_AssistMax;
   }
   else {
      Sa1_AssistTorque = (X_Sa4_Assist < -Cal_AssistMax) ? -Cal_AssistMax : X_Sa4_Assist;
   }

   /* Range monitor on the lag */
   if ((X_Sa4_Assist > 1.0e+01F) || (X_Sa4_Assist < -1.0e+01F)) {
      Sa1_SensorFault = 1;
   }
}

/**************************************************************************************************\
  FUNCTION:
    Void lane_assist(Void)

  DESCRIPTION:
    step function, called every 20 ms
\**************************************************************************************************/
Void lane_assist(Void)
{
   /* SLLocal: Default storage class for local variables | Width: 32 */
   float32 Sa2_AbsTorque;
   float32 Sa2_Rate;
   float32 Sa2_AbsRate;
   float32 Sa2_AbsOffset;

   /* Abs: LaneAssist/TorqueConditioning/Abs */
   Sa2_AbsTorque = (Sa1_Torque < 0.F) ? -(Sa1_Torque) : Sa1_Torque;
   Sa2_AbsOffset = (Sa1_LaneOffset < 0.F) ? -(Sa1_LaneOffset) : Sa1_LaneOffset;

   /* First order low-pass */
   X_Sa2_LowPass = X_Sa2_LowPass + (Cal_TorqueLpGain * (Sa2_AbsTorque - X_Sa2_LowPass));
   if (X_Sa2_LowPass > 1.2e+01F) {
      X_Sa2_LowPass = 1.2e+01F;
   }
   if (X_Sa2_LowPass < -1.0000000474974513e-03F) {
      X_Sa2_LowPass = 0.F;
   }

   /* Derivative filter */
   if (X_Sa2_First) {
      X_Sa2_First = 0;
      Sa2_Rate = 0.F;
   }
   else {
      Sa2_Rate = (Sa1_Torque - X_Sa2_TorqueOld) * 5.0e+01F;
   }
   X_Sa2_TorqueOld = Sa1_Torque;
   X_Sa2_Rate = X_Sa2_Rate + (Cal_TorqueRateGain * (Sa2_Rate - X_Sa2_Rate));
   Sa2_AbsRate = (X_Sa2_Rate < 0.F) ? -(X_Sa2_Rate) : X_Sa2_Rate;

   /* Sensor monitoring */
   Sa1_SensorFault = (Sa1_Speed > Cal_SensorSpeedMax) || (Sa2_AbsOffset > 2.25F) ||
                     (Sa2_AbsRate > 1.2e+03F);

   /* Relay: LaneAssist/DriverSupervision/SpeedWindow */
   if (X_Sa3_SpeedOk) {
      X_Sa3_SpeedOk = (Sa1_Speed >= (Cal_SpeedMin - Cal_SpeedHyst)) &&
                      (Sa1_Speed <= (Cal_SpeedMax + Cal_SpeedHyst));
   }
   else {
      X_Sa3_SpeedOk = (Sa1_Speed >= Cal_SpeedMin) && (Sa1_Speed <= Cal_SpeedMax);
   }

   Ca1_ModeLogic(Sa2_AbsTorque);
   Sa3_DriverSupervision(Sa2_AbsTorque, Sa2_AbsRate);
   Sa4_AssistTorque(Sa2_AbsTorque);
}
