/**************************************************************************************************\
 *
 * FILE:
 *   cruise_control.c
 *
 * RELATED FILES:
 *   cruise_control.h
 *
 * DESCRIPTION:
 *   cruise control: operating logic, set speed, PI controller with anti-windup
 *
 * PROJECT:
 *   cruise_control
 *
 * SUBSYS     CORRESPONDING SIMULINK SUBSYSTEM
 * Sa1        cruise_control/CruiseControl
 * Sa2        cruise_control/CruiseControl/SetSpeed
 * Sa3        cruise_control/CruiseControl/PI
 *
 * SF-NODE    CORRESPONDING STATEFLOW NODE
 * Ca2        cruise_control/CruiseControl/OperatingLogic
 *
 * SAMPLE TIME: 0.01 s
 *
\**************************************************************************************************/
#include "cruise_control.h"

/* states of the operating logic */
#define Ca2_OFF (0)
#define Ca2_STANDBY (1)
#define Ca2_CONTROL (2)
#define Ca2_RESUME (3)
#define Ca2_OVERRIDE (4)

/* 40 km/h, 35 km/h, 200 km/h in LSB 2^-7 */
#define SPEED_ON (5120)
#define SPEED_OFF (4480)
#define SPEED_MAX (25600)

/* SLGlobal: Default storage class for global variables | Width: 16 */
UInt16 Sa1_VehicleSpeed /* LSB: 2^-7 OFF:  0 MIN/MAX:  0 .. 250 */;
UInt16 Sa1_SetSpeed /* LSB: 2^-7 OFF:  0 MIN/MAX:  0 .. 200 */;
Int16 Sa1_TorqueRequest /* LSB: 2^-5 OFF:  0 MIN/MAX:  -256 .. 512 */;

/* SLGlobal: Default storage class for global variables | Width: 8 */
Bool Sa1_BtnSet;
Bool Sa1_BtnResume;
Bool Sa1_BtnCancel;
Bool Sa1_BtnPlus;
Bool Sa1_BtnMinus;
Bool Sa1_MainSwitch;
Bool Sa1_Brake;
UInt8 Sa1_AccelPedal /* LSB: 2^-1 OFF:  0 MIN/MAX:  0 .. 100 */;
UInt8 Sa1_State;
Bool Sa1_Lamp;

/* SLStaticGlobalInit: Default storage class for static global variables with initial value */
static Int32 X_Sa3_Integrator = 0 /* LSB: 2^-12 OFF:  0 MIN/MAX:  -128 .. 384 */;
static UInt16 X_Sa2_Ramp = 0 /* LSB: 2^-7 OFF:  0 MIN/MAX:  0 .. 250 */;
static UInt16 X_Sa2_Memory = 0 /* LSB: 2^-7 OFF:  0 MIN/MAX:  0 .. 200 */;
static Bool X_Sa1_SpeedOk = 0;
static Bool X_Sa1_Plus = 0;
static Bool X_Sa1_Minus = 0;
static UInt8 X_Sa2_Hold = 0;
static UInt16 X_Ca2_OverrideTimer = 0;

/**************************************************************************************************\
  FUNCTION:
    Void RESTART_cruise_control(Void)
\**************************************************************************************************/
Void RESTART_cruise_control(Void)
{
   X_Sa3_Integrator = 0;
   X_Sa2_Ramp = 0;
   X_Sa2_Memory = 0;
   X_Sa1_SpeedOk = 0;
   X_Sa1_Plus = 0;
   X_Sa1_Minus = 0;
   X_Sa2_Hold = 0;
   X_Ca2_OverrideTimer = 0;
   Sa1_State = Ca2_OFF;
   Sa1_SetSpeed = 0;
   Sa1_TorqueRequest = 0;
   Sa1_Lamp = 0;
}

/**************************************************************************************************\
  FUNCTION:
    Void Ca2_OperatingLogic(Void)

  DESCRIPTION:
    Stateflow chart of the operating logic
\**************************************************************************************************/
static Void Ca2_OperatingLogic(Void)
{
   Bool Ca2_Abort;
   Bool Ca2_Override;

   Ca2_Abort = Sa1_Brake || Sa1_BtnCancel || !(X_Sa1_SpeedOk);
   Ca2_Override = (Sa1_AccelPedal > 20) && !(Sa1_Brake);

   if (!(Sa1_MainSwitch)) {
      Sa1_State = Ca2_OFF;
      X_Sa2_Memory = 0;
   }
   else {
      switch (Sa1_State) {
      case Ca2_OFF: {
         Sa1_State = Ca2_STANDBY;
         break;
      }
      case Ca2_STANDBY: {
         if (Sa1_BtnSet && !(Ca2_Abort) && (Sa1_VehicleSpeed <= SPEED_MAX)) {
            X_Sa2_Memory = Sa1_VehicleSpeed;
            Sa1_State = Ca2_CONTROL;
         }
         else {
            if (Sa1_BtnResume && (X_Sa2_Memory != 0) && !(Ca2_Abort)) {
               Sa1_State = Ca2_RESUME;
            }
         }
         break;
      }
      case Ca2_CONTROL: {
         if (Ca2_Abort) {
            Sa1_State = Ca2_STANDBY;
         }
         else {
            if (Ca2_Override) {
               X_Ca2_OverrideTimer = 0;
               Sa1_State = Ca2_OVERRIDE;
            }
         }
         break;
      }
      case Ca2_RESUME: {
         if (Ca2_Abort) {
            Sa1_State = Ca2_STANDBY;
         }
         else {
            if (X_Sa2_Ramp == X_Sa2_Memory) {
               Sa1_State = Ca2_CONTROL;
            }
         }
         break;
      }
      case Ca2_OVERRIDE: {
         X_Ca2_OverrideTimer++;
         if (Ca2_Abort || (X_Ca2_OverrideTimer >= 3000)) {
            Sa1_State = Ca2_STANDBY;
         }
         else {
            if (!(Ca2_Override)) {
               Sa1_State = Ca2_CONTROL;
            }
         }
         break;
      }
      default: {
         Sa1_State = Ca2_OFF;
         break;
      }
      }
   }
}

/**************************************************************************************************\
  FUNCTION:
    Void Sa2_SetSpeed(Void)

  DESCRIPTION:
    stored speed, plus and minus buttons, ramp of the set speed
\**************************************************************************************************/
static Void Sa2_SetSpeed(Void)
{
   /* SLLocal: Default storage class for local variables | Width: 16 */
   Int16 Sa2_Delta /* LSB: 2^-7 OFF:  0 MIN/MAX:  -256 .. 255.9921875 */;

   if (Sa1_State == Ca2_CONTROL) {
      /* one km/h a press, five when held for 0.5 s */
      if (Sa1_BtnPlus && Sa1_BtnMinus) {
         X_Sa2_Hold = 0;
      }
      else {
         if (Sa1_BtnPlus || Sa1_BtnMinus) {
            X_Sa2_Hold = (UInt8)(X_Sa2_Hold + 1);
            if (X_Sa2_Hold >= 50) {
               X_Sa2_Hold = 1;
               X_Sa2_Memory =
                  (UInt16)(Sa1_BtnPlus ? (X_Sa2_Memory + 640) : (X_Sa2_Memory - 640));
            }
         }
         else {
            X_Sa2_Hold = 0;
         }
         if ((Sa1_BtnPlus && !(X_Sa1_Plus)) && (X_Sa2_Hold == 1)) {
            X_Sa2_Memory = (UInt16)(X_Sa2_Memory + 128);
         }
         if ((Sa1_BtnMinus && !(X_Sa1_Minus)) && (X_Sa2_Hold == 1)) {
            X_Sa2_Memory = (UInt16)(X_Sa2_Memory - 128);
         }
      }
      /* Saturation: SetSpeed/Limit */
      if (X_Sa2_Memory > SPEED_MAX) {
         X_Sa2_Memory = SPEED_MAX;
      }
      if (X_Sa2_Memory < SPEED_ON) {
         X_Sa2_Memory = SPEED_ON;
      }
   }
   X_Sa1_Plus = Sa1_BtnPlus;
   X_Sa1_Minus = Sa1_BtnMinus;

   /* Rate limiter: SetSpeed/Ramp, 0.125 km/h a step */
   if ((Sa1_State == Ca2_CONTROL) || (Sa1_State == Ca2_RESUME)) {
      Sa2_Delta = (Int16)(X_Sa2_Memory - X_Sa2_Ramp);
      if (Sa2_Delta > 16) {
         Sa2_Delta = 16;
      }
      else {
         if (Sa2_Delta < -16) {
            Sa2_Delta = -16;
         }
      }
      X_Sa2_Ramp = (UInt16)(X_Sa2_Ramp + Sa2_Delta);
   }
   else {
      X_Sa2_Ramp = Sa1_VehicleSpeed;
   }

   /* plausibility of the ramp */
   if (X_Sa2_Ramp > 32000) {
      X_Sa2_Ramp = 32000;
   }
   Sa1_SetSpeed = (Sa1_State >= Ca2_CONTROL) ? X_Sa2_Memory : 0;
   if ((Sa1_SetSpeed > 0) && (Sa1_SetSpeed < SPEED_OFF)) {
      Sa1_SetSpeed = SPEED_OFF;
   }
}

/**************************************************************************************************\
  FUNCTION:
    Void Sa3_PI(Void)

  DESCRIPTION:
    PI controller, the integrator is frozen while the output is limited
\**************************************************************************************************/
static Void Sa3_PI(Void)
{
   /* SLLocal: Default storage class for local variables | Width: 32 */
   Int32 Sa3_Error /* LSB: 2^-7 OFF:  0 MIN/MAX:  -256 .. 256 */;
   Int32 Sa3_Sum /* LSB: 2^-12 OFF:  0 MIN/MAX:  -32768 .. 32768 */;
   Bool Sa3_Limited;

   if ((Sa1_State == Ca2_CONTROL) || (Sa1_State == Ca2_RESUME)) {
      Sa3_Error = (Int32)X_Sa2_Ramp - (Int32)Sa1_VehicleSpeed;
      Sa3_Sum = X_Sa3_Integrator + (Sa3_Error * 256);
      Sa3_Limited = 0;
      if (Sa3_Sum > 2097152) {
         Sa3_Sum = 2097152;
         Sa3_Limited = 1;
      }
      else {
         if (Sa3_Sum < -1048576) {
            Sa3_Sum = -1048576;
            Sa3_Limited = 1;
         }
      }
      /* anti-windup */
      if (!(Sa3_Limited) || ((Sa3_Sum > 0) && (Sa3_Error < 0)) ||
          ((Sa3_Sum < 0) && (Sa3_Error > 0))) {
         X_Sa3_Integrator = X_Sa3_Integrator + (Sa3_Error * 2);
      }
      /* Saturation: PI/Integrator */
      if (X_Sa3_Integrator > 1572864) {
         X_Sa3_Integrator = 1572864;
      }
      if (X_Sa3_Integrator < -524288) {
         X_Sa3_Integrator = -524288;
      }
      Sa1_TorqueRequest = (Int16)(Sa3_Sum >> 7);
   }
   else {
      X_Sa3_Integrator = 0;
      Sa1_TorqueRequest = 0;
   }

   /* monitor of the actuator range */
   if ((Sa1_TorqueRequest > 16384) || (Sa1_TorqueRequest < -8192)) {
      Sa1_State = Ca2_OFF;
   }
}

/**************************************************************************************************\
  FUNCTION:
    Void cruise_control(Void)
\**************************************************************************************************/
Void cruise_control(Void)
{
   /* Relay: CruiseControl/SpeedOk */
   if (X_Sa1_SpeedOk) {
      if (Sa1_VehicleSpeed < SPEED_OFF) {
         X_Sa1_SpeedOk = 0;
      }
   }
   else {
      if (Sa1_VehicleSpeed >= SPEED_ON) {
         X_Sa1_SpeedOk = 1;
      }
   }

   Ca2_OperatingLogic();
   Sa2_SetSpeed();
   Sa3_PI();

   /* Logical operator: lamp */
   Sa1_Lamp = (Sa1_State == Ca2_CONTROL) || (Sa1_State == Ca2_RESUME) ||
              ((Sa1_State == Ca2_OVERRIDE) && X_Sa1_SpeedOk);
}
