/**************************************************************************************************\
 *
 * FILE:
 *   service_meter.c
 *
 * RELATED FILES:
 *   tl_types.h
 *
 * DESCRIPTION:
 *   service meter: counts the time that an engine has run, and asks for service after 3,600 hours
 *
 * PROJECT:
 *   service_meter
 *
 * SUBSYS     CORRESPONDING SIMULINK SUBSYSTEM
 * Sa1        service_meter/Meter
 * Sa2        service_meter/Meter/Hours
 *
 * SAMPLE TIME: 0.01 s
 *
\**************************************************************************************************/
#include "tl_types.h"

/* 3,600 hours in steps of 10 ms */
#define SERVICE_STEPS ((uint32)1296000000U)
/* the last 10 hours before */
#define WARNING_STEPS ((uint32)1292400000U)

/* SLGlobal: inputs */
uint16 Sa1_EngineSpeed /* LSB: 1 rpm, MIN/MAX:  0 .. 8000 */;
boolean Sa1_Reset;

/* SLGlobal: outputs */
boolean Sa1_Warning;
boolean Sa1_Service;
uint8 Sa1_Diag;

/* SLStaticLocal: Unit Delay: service_meter/Meter/Hours/Steps */
static uint32 X_Sa2_Steps = 0;

/**************************************************************************************************\
  FUNCTION:
    void Sa2_Hours(void)

  DESCRIPTION:
    One more in each step in which the engine runs, until service is due; back to 0 by the workshop.
\**************************************************************************************************/
static void Sa2_Hours(void)
{
   if (Sa1_Reset && (Sa1_EngineSpeed == 0)) {
      X_Sa2_Steps = 0;
   }
   else {
      if ((Sa1_EngineSpeed > 400) && (X_Sa2_Steps < SERVICE_STEPS)) {
         X_Sa2_Steps = X_Sa2_Steps + 1U;
      }
   }

   /* what cannot be: the counter stops there */
   if (X_Sa2_Steps > SERVICE_STEPS) {
      Sa1_Diag = 1;
   }
}

/**************************************************************************************************\
  FUNCTION:
    void RESTART_service_meter(void)
\**************************************************************************************************/
void RESTART_service_meter(void)
{
   Sa1_Warning = 0;
   Sa1_Service = 0;
   Sa1_Diag = 0;
   X_Sa2_Steps = 0;
}

/**************************************************************************************************\
  FUNCTION:
    void service_meter(void)
\**************************************************************************************************/
void service_meter(void)
{
   Sa2_Hours();
   Sa1_Warning = (boolean)((X_Sa2_Steps >= WARNING_STEPS) && (X_Sa2_Steps < SERVICE_STEPS));
   if (X_Sa2_Steps == SERVICE_STEPS) {
      Sa1_Service = 1;
   }
   else {
      Sa1_Service = 0;
   }
}
