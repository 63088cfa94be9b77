/**************************************************************************************************\
 * FILE:         lane_assist_cal.h
 * DESCRIPTION:  calibration data of the lane assistant, defined in lane_assist_cal.c
\**************************************************************************************************/
#ifndef LANE_ASSIST_CAL_H
#define LANE_ASSIST_CAL_H

#include "tl_basetypes.h"

typedef struct Tab1D_F32_tag {
   uint16 Nx;
   const float32 * x_table;
   const float32 * z_table;
} Tab1D_F32;

/* CAL: calibratable parameter | Width: 32 */
extern const float32 Cal_TorqueLpGain;
extern const float32 Cal_TorqueRateGain;
extern const float32 Cal_HandsOffTorque;
extern const float32 Cal_QuietTorqueRate;
extern const float32 Cal_SpeedMin;
extern const float32 Cal_SpeedMax;
extern const float32 Cal_SpeedHyst;
extern const float32 Cal_SensorSpeedMax;
extern const float32 Cal_AssistMax;
extern const float32 Cal_OverrideTorque;

/* CAL: calibratable parameter | Width: 16 */
extern const uint16 Cal_Warn1Delay;
extern const uint16 Cal_Warn2Delay;
extern const uint16 Cal_Warn3Delay;
extern const uint16 Cal_FatigueSteps;

/* CAL: calibratable parameter | Width: 8 */
extern const boolean Cal_ReducedModeAvailable;

/* CAL: lookup tables */
extern const Tab1D_F32 Cal_AssistGainMap;
extern const Tab1D_F32 Cal_DampingMap;

#endif
