/**************************************************************************************************\
 *
 * FILE:
 *   sensor.c
 *
 * DESCRIPTION:
 *   thermal management: two temperature sensors with diagnosis
 *
\**************************************************************************************************/
#include "thermo.h"

#define N_POINTS (6)

/* SLGlobal: inputs | Width: 16 */
uint16 Adc_Coolant /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 1023 */;
uint16 Adc_Ambient /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 1023 */;

/* SLGlobal: outputs | Width: 16 */
sint16 Sen_CoolantTemp /* LSB: 2^-1 OFF:  0 MIN/MAX:  -40 .. 150 */;
sint16 Sen_AmbientTemp /* LSB: 2^-1 OFF:  0 MIN/MAX:  -40 .. 150 */;
uint8 Sen_Status;

/* the name `State` is used in more than one unit */
static sint32 State[2] /* LSB: 2^-9 OFF:  0 MIN/MAX:  -40 .. 150 */;
static uint8 FaultCtr[2];

static const uint16 Adc_x[N_POINTS] = {50, 150, 300, 550, 800, 980};
static const sint16 Temp_z[N_POINTS] = {300, 220, 140, 60, 0, -80};

/* falling characteristic, ends clamped */
static sint16 Lookup(uint16 adc)
{
   const uint16 * x = Adc_x;
   const sint16 * z = Temp_z;

   if (adc <= Adc_x[0]) {
      return Temp_z[0];
   }
   if (adc >= Adc_x[N_POINTS - 1]) {
      return Temp_z[N_POINTS - 1];
   }
   while (adc > *(++x)) {
      z++;
   }
   return (sint16)(z[0] + (((sint32)(z[1] - z[0]) * (sint32)(adc - x[-1])) / (sint32)(x[0] - x[-1])));
}

static sint16 Channel(uint8 index, uint16 adc)
{
   sint16 temp;

   if ((adc < 20) || (adc > 1000)) {
      if (FaultCtr[index] < 100) {
         FaultCtr[index]++;
      }
   }
   else {
      FaultCtr[index] = 0;
      temp = Lookup(adc);
      State[index] = State[index] + (((((sint32)temp) * 256) - State[index]) / 16);
   }
   if (State[index] > (310 * 256)) {
      State[index] = 310 * 256;
   }
   if (State[index] < (-90 * 256)) {
      State[index] = -90 * 256;
   }
   return (sint16)(State[index] / 256);
}

void Sensor_Init(void)
{
   State[0] = 20 * 2 * 256;
   State[1] = 20 * 2 * 256;
   FaultCtr[0] = 0;
   FaultCtr[1] = 0;
   Sen_CoolantTemp = 40;
   Sen_AmbientTemp = 40;
   Sen_Status = SENSOR_OK;
}

void Sensor_Step(void)
{
   Sen_CoolantTemp = Channel(0, Adc_Coolant);
   Sen_AmbientTemp = Channel(1, Adc_Ambient);

   if ((FaultCtr[0] >= 100) || (FaultCtr[1] >= 100)) {
      Sen_Status = (uint8)(((FaultCtr[0] >= 100) && (Adc_Coolant < 20)) ? SENSOR_SHORT : SENSOR_OPEN);
   }
   else {
      Sen_Status = SENSOR_OK;
   }
}
