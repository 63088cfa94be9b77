/**************************************************************************************************\
 *
 * FILE:
 *   thermo.c
 *
 * RELATED FILES:
 *   sensor.c
 *   actuator.c
 *
 * DESCRIPTION:
 *   thermal management: demand, after-run, warning
 *
\**************************************************************************************************/
#include "thermo.h"

/* SLGlobal: inputs | Width: 8 */
boolean Thm_Ignition;
uint8 Thm_EngineLoad /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 100 */;

/* SLGlobal: outputs | Width: 8 */
boolean Thm_Warning;

/* the name `State` is used in more than one unit */
static uint8 State;
static uint16 AfterRun;
static boolean Hot;

void Thermo_Init(void)
{
   Sensor_Init();
   Actuator_Init();
   State = 0;
   AfterRun = 0;
   Hot = 0;
   Thm_Warning = 0;
}

static uint8 Demand(void)
{
   sint16 demand;

   demand = (sint16)((Sen_CoolantTemp - 180) * 2);
   if (Thm_EngineLoad > 80) {
      demand = (sint16)(demand + 20);
   }
   if ((Sen_AmbientTemp > 60) && (State == 1)) {
      demand = (sint16)(demand + 10);
   }
   if (demand > 100) {
      demand = 100;
   }
   if (demand < 0) {
      demand = 0;
   }
   return (uint8)demand;
}

void Thermo_Step(void)
{
   uint8 fan;
   boolean pump;

   Sensor_Step();

   /* Relay: 105 and 98 degrees in LSB 2^-1 */
   Hot = (Sen_CoolantTemp > 210) || (Hot && (Sen_CoolantTemp > 196));

   switch (State) {
   case 0: /* off */
      if (Thm_Ignition) {
         State = 1;
      }
      break;
   case 1: /* run */
      if (!Thm_Ignition) {
         State = (uint8)(Hot ? 2 : 0);
         AfterRun = 600;
      }
      break;
   case 2: /* after-run */
      if (AfterRun > 0) {
         AfterRun--;
      }
      if (Thm_Ignition) {
         State = 1;
      }
      else {
         if ((AfterRun == 0) || !Hot) {
            State = 0;
         }
      }
      break;
   default:
      State = 0;
      break;
   }

   fan = Demand();
   pump = (State == 1) || ((State == 2) && Hot);
   if (State == 0) {
      fan = 0;
   }
   if (Sen_Status != SENSOR_OK) {
      fan = 100;
   }
   Actuator_Step(fan, pump);

   Thm_Warning = Hot && (Sen_CoolantTemp > 240) && (Act_FanDuty >= 90);
   if ((Sen_CoolantTemp > 320) || (fan > 100) || ((State == 2) && !Hot)) {
      Thm_Warning = 1;
   }
}
