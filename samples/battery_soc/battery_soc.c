/**************************************************************************************************\
 *
 * FILE:
 *   battery_soc.c
 *
 * RELATED FILES:
 *   battery_soc.h
 *
 * DESCRIPTION:
 *   state of charge by current integration, corrected by the open circuit voltage at rest
 *
 * PROJECT:
 *   battery_soc
 *
 * SUBSYS     CORRESPONDING SIMULINK SUBSYSTEM
 * Sa1        battery_soc/Soc
 * Sa2        battery_soc/Soc/Ocv
 * Sa3        battery_soc/Soc/PowerLimit
 *
 * SAMPLE TIME: 0.1 s
 *
\**************************************************************************************************/
#include "battery_soc.h"

/* SLGlobal: inputs | Width: 64 */
Float64 Sa1_Current /* LSB: 2^0 OFF:  0 MIN/MAX:  -400 .. 400 */;
Float64 Sa1_Voltage /* LSB: 2^0 OFF:  0 MIN/MAX:  200 .. 450 */;
Float64 Sa1_Temperature /* LSB: 2^0 OFF:  0 MIN/MAX:  -40 .. 80 */;
Bool Sa1_ContactorClosed;

/* SLGlobal: outputs */
Float64 Sa1_Soc /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 1 */;
Float64 Sa1_PowerLimit
   /* LSB: 2^0
      OFF:  0
      MIN/MAX:  0 .. 90000 */;
UInt8 Sa1_FaultLevel;
Bool Sa1_Balancing;

/* CAL: adjustable parameters */
const volatile Float64 Cal_Capacity = 60. /* MIN/MAX:  40 .. 120 */;
const volatile Float64 Cal_Efficiency = 9.8999999999999999e-01 /* MIN/MAX:  0.9 .. 1 */;
const volatile Float64 Cal_InnerResistance = 1.0000000000000001e-01 /* MIN/MAX:  0.02 .. 0.5 */;

/* CAL: open circuit voltage over state of charge */
static const Float64 Ocv_Voltage[OCV_POINTS] = {300.,  322.5, 338.,  345.,
                                                351.5, 362.,  384.5, 403.};
static const Float64 Ocv_Soc[OCV_POINTS] = {0.,   5.0e-02, 1.5e-01, 3.0e-01,
                                            5.0e-01, 7.0e-01, 9.0e-01, 1.};

/* SLStaticGlobalInit: Default storage class for static global variables with initial value */
static Float64 X_Sa1_Integrator = 5.0e-01 /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 1 */;
static Float64 X_Sa1_CurrentLp = 0. /* LSB: 2^0 OFF:  0 MIN/MAX:  -400 .. 400 */;
static UInt16 X_Sa1_RestTimer = 0;
static UInt8 X_Sa1_FaultCtr = 0;
static Bool X_Sa3_Derating = 0;

/**************************************************************************************************\
  FUNCTION:
    Void RESTART_battery_soc(Void)
\**************************************************************************************************/
Void RESTART_battery_soc(Void)
{
   X_Sa1_Integrator = 5.0e-01;
   X_Sa1_CurrentLp = 0.;
   X_Sa1_RestTimer = 0;
   X_Sa1_FaultCtr = 0;
   X_Sa3_Derating = 0;
   Sa1_Soc = 5.0e-01;
   Sa1_PowerLimit = 0.;
   Sa1_FaultLevel = 0;
   Sa1_Balancing = 0;
}

/**************************************************************************************************\
  FUNCTION:
    Float64 Sa2_OcvToSoc(Float64 Sa2_Ocv)

  DESCRIPTION:
    interpolation with search from the right
\**************************************************************************************************/
static Float64 Sa2_OcvToSoc(Float64 Sa2_Ocv)
{
   UInt8 Aux_Idx;
   Float64 Aux_Slope;
   Float64 Aux_Width;

   if (Sa2_Ocv <= Ocv_Voltage[0]) {
      return Ocv_Soc[0];
   }
   if (Sa2_Ocv >= Ocv_Voltage[OCV_POINTS - 1]) {
      return Ocv_Soc[OCV_POINTS - 1];
   }
   Aux_Idx = OCV_POINTS - 2;
   while ((Aux_Idx > 0) && (Sa2_Ocv < Ocv_Voltage[Aux_Idx])) {
      Aux_Idx--;
   }
   Aux_Width = Ocv_Voltage[Aux_Idx + 1] - Ocv_Voltage[Aux_Idx];
   if (Aux_Width <= 0.) {
      /* table not increasing */
      return Ocv_Soc[Aux_Idx];
   }
   Aux_Slope = (Ocv_Soc[Aux_Idx + 1] - Ocv_Soc[Aux_Idx]) / Aux_Width;
   return Ocv_Soc[Aux_Idx] + (Aux_Slope * (Sa2_Ocv - Ocv_Voltage[Aux_Idx]));
}

/**************************************************************************************************\
  FUNCTION:
    Void Sa3_PowerLimit(Void)

  DESCRIPTION:
    power limit from state of charge and temperature, derating with hysteresis
\**************************************************************************************************/
static Void Sa3_PowerLimit(Void)
{
   Float64 Sa3_Limit;

   if (X_Sa3_Derating) {
      X_Sa3_Derating = (Sa1_Temperature > 45.) || (Sa1_Temperature < -15.);
   }
   else {
      X_Sa3_Derating = (Sa1_Temperature > 55.) || (Sa1_Temperature < -25.);
   }

   Sa3_Limit = 90000.;
   if (Sa1_Soc < 2.0e-01) {
      Sa3_Limit = Sa3_Limit * Sa1_Soc * 5.;
   }
   if (X_Sa3_Derating) {
      Sa3_Limit = Sa3_Limit * 5.0e-01;
   }
   else {
      if ((Sa1_Temperature > 60.) || (Sa1_Temperature < -30.)) {
         Sa3_Limit = 0.;
      }
   }
   if (Sa3_Limit > 90000.) {
      Sa3_Limit = 90000.;
   }
   if (Sa3_Limit < 0.) {
      Sa3_Limit = 0.;
   }
   Sa1_PowerLimit = Sa3_Limit;
}

/**************************************************************************************************\
  FUNCTION:
    Void battery_soc(Void)
\**************************************************************************************************/
Void battery_soc(Void)
{
   /* SLLocal: Default storage class for local variables | Width: 64 */
   Float64 Sa1_Effective;
   Float64 Sa1_Ocv /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 650 */;
   Float64 Sa1_AbsCurrent;
   Float64 Sa1_OcvSoc;
   Float64 Sa1_Capacity = Cal_Capacity;

   /* local copy of adjustable parameter, limited */
   if (Sa1_Capacity < 1.) {
      Sa1_Capacity = 1.;
   }

   /* charging loses a part of the charge */
   Sa1_Effective = (Sa1_Current < 0.) ? (-(Sa1_Current)*Cal_Efficiency) : -(Sa1_Current);
   X_Sa1_CurrentLp = X_Sa1_CurrentLp + (6.25e-02 * (Sa1_Current - X_Sa1_CurrentLp));

   /* Integrator with limits, 0.1 s in h */
   if (Sa1_ContactorClosed) {
      X_Sa1_Integrator = X_Sa1_Integrator + ((Sa1_Effective * 2.7777777777777779e-05) / Sa1_Capacity);
   }
   if (X_Sa1_Integrator > 1.) {
      X_Sa1_Integrator = 1.;
   }
   else {
      if (X_Sa1_Integrator < 0.) {
         X_Sa1_Integrator = 0.;
      }
   }

   /* Rest detection: 60 s without current */
   Sa1_AbsCurrent = (X_Sa1_CurrentLp < 0.) ? -(X_Sa1_CurrentLp) : X_Sa1_CurrentLp;
   if ((Sa1_AbsCurrent < 5.0e-01) && ((Sa1_Current > -1.) && (Sa1_Current < 1.))) {
      if (X_Sa1_RestTimer < 600) {
         X_Sa1_RestTimer++;
      }
   }
   else {
      X_Sa1_RestTimer = 0;
   }

   /* Correction by the open circuit voltage */
   Sa1_Ocv = Sa1_Voltage + (Sa1_Current * Cal_InnerResistance);
   Sa1_OcvSoc = Sa2_OcvToSoc(Sa1_Ocv);
   if ((X_Sa1_RestTimer >= 600) && Sa1_ContactorClosed) {
      X_Sa1_Integrator = X_Sa1_Integrator + (9.7656250000000000e-04 * (Sa1_OcvSoc - X_Sa1_Integrator));
   }
   Sa1_Soc = X_Sa1_Integrator;

   /* Monitoring */
   if ((Sa1_Ocv > 660.) || (Sa1_Ocv < -10.)) {
      Sa1_FaultLevel = 3;
   }
   else {
      if ((Sa1_Voltage < 250.) || (Sa1_AbsCurrent > 350.)) {
         if (X_Sa1_FaultCtr < 200) {
            X_Sa1_FaultCtr = (UInt8)(X_Sa1_FaultCtr + 3);
         }
      }
      else {
         if (X_Sa1_FaultCtr > 0) {
            X_Sa1_FaultCtr--;
         }
      }
      if (X_Sa1_FaultCtr > 210) {
         Sa1_FaultLevel = 3;
      }
      else {
         Sa1_FaultLevel = (X_Sa1_FaultCtr >= 200) ? 2 : ((X_Sa1_FaultCtr >= 50) ? 1 : 0);
      }
   }
   if ((Sa1_Soc > 1.0001) || (Sa1_Soc < -1.0e-04)) {
      Sa1_FaultLevel = 3;
   }
   if (Sa1_AbsCurrent > 401.) {
      Sa1_FaultLevel = 3;
   }

   Sa3_PowerLimit();
   Sa1_Balancing = (Sa1_Soc > 9.5e-01) && (X_Sa1_RestTimer >= 300) && (Sa1_FaultLevel == 0) &&
                   !(X_Sa3_Derating);
}
