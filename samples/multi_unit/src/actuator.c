/**************************************************************************************************\
 *
 * FILE:
 *   actuator.c
 *
 * DESCRIPTION:
 *   thermal management: fan and pump with slew rate, minimum on-time and stall supervision
 *
\**************************************************************************************************/
#include "thermo.h"

/* SLGlobal: outputs | Width: 8 */
uint8 Act_FanDuty /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 100 */;
boolean Act_PumpOn;
uint8 Act_Error;

#ifdef WITH_TACHO
/* SLGlobal: inputs | Width: 8 */
uint8 Act_Tacho /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 200 */;
#endif

/* the name `State` is used in more than one unit */
static uint8 State;
static uint16 OnTime;

void Actuator_Init(void)
{
   State = 0;
   OnTime = 0;
   Act_FanDuty = 0;
   Act_PumpOn = 0;
   Act_Error = 0;
}

void Actuator_Step(uint8 fanRequest, boolean pumpRequest)
{
   static uint8 stall = 0;

   /* slew rate 1 up, 2 down */
   if (fanRequest > State) {
      State++;
   }
   else {
      if (fanRequest < State) {
         State = (uint8)((State >= 2) ? (State - 2) : 0);
      }
   }
   if (State > 100) {
      State = 100;
   }

   /* dead band of the motor */
   Act_FanDuty = (uint8)((State < 10) ? 0 : State);
   if ((Act_FanDuty > 0) && (Act_FanDuty < 10)) {
      Act_FanDuty = 10;
   }

   /* pump: minimum on-time 300 steps */
   if (pumpRequest) {
      Act_PumpOn = 1;
      OnTime = 300;
   }
   else {
      if (OnTime > 0) {
         OnTime--;
      }
      else {
         Act_PumpOn = 0;
      }
   }
   if ((OnTime > 0) && !(Act_PumpOn)) {
      Act_Error = 2;
   }

#ifdef WITH_TACHO
   if ((Act_FanDuty >= 20) && (Act_Tacho < (Act_FanDuty >> 2))) {
      if (stall < 250) {
         stall++;
      }
   }
   else {
      stall = 0;
   }
#endif
   if (stall >= 200) {
      Act_Error = 1;
   }
   if (stall > 250) {
      Act_Error = 3;
   }
}
