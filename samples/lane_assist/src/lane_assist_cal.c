/**************************************************************************************************\
 * FILE:         lane_assist_cal.c
 * DESCRIPTION:  calibration data of the lane assistant, variant "comfort"
\**************************************************************************************************/
#include "lane_assist_cal.h"

const float32 Cal_TorqueLpGain = 9.9999994039535522e-02F;
const float32 Cal_TorqueRateGain = 2.5e-01F;
const float32 Cal_HandsOffTorque = 3.0000001192092896e-01F /* MIN/MAX:  0 .. 10 */;
const float32 Cal_QuietTorqueRate = 2.0000000298023224e-01F;
const float32 Cal_SpeedMin = 1.6666666030883789e+01F /* 60 km/h */;
const float32 Cal_SpeedMax = 5.5e+01F;
const float32 Cal_SpeedHyst = 2.F;
const float32 Cal_SensorSpeedMax = 7.5e+01F;
const float32 Cal_AssistMax = 3.F;
const float32 Cal_OverrideTorque = 4.F;

const uint16 Cal_Warn1Delay = 25 /* 0.5 s */;
const uint16 Cal_Warn2Delay = 100 /* 2 s */;
const uint16 Cal_Warn3Delay = 250 /* 5 s */;
const uint16 Cal_FatigueSteps = 25450 /* 509 s */;

const boolean Cal_ReducedModeAvailable = 0;

static const float32 AssistGain_x[6] = {0.F, 1.2e+01F, 1.7e+01F, 2.5e+01F, 4.0e+01F, 6.0e+01F};
static const float32 AssistGain_z[6] = {0.F, 2.5e-01F, 8.0e-01F, 1.F, 9.0e-01F, 6.0e-01F};
const Tab1D_F32 Cal_AssistGainMap = {6, &(AssistGain_x[0]), &(AssistGain_z[0])};

static const float32 Damping_x[4] = {0.F, 1.F, 4.F, 1.0e+01F};
static const float32 Damping_z[4] = {1.F, 7.5e-01F, 2.5e-01F, 0.F};
const Tab1D_F32 Cal_DampingMap = {4, &(Damping_x[0]), &(Damping_z[0])};
