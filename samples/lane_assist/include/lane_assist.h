/**************************************************************************************************\
 * FILE:         lane_assist.h
 * DESCRIPTION:  interface of the lane assistant
\**************************************************************************************************/
#ifndef LANE_ASSIST_H
#define LANE_ASSIST_H

#include "tl_basetypes.h"

/* SLGlobal: inputs | Width: 32 */
extern float32 Sa1_Torque;
extern float32 Sa1_Speed;
extern float32 Sa1_LaneOffset;
extern boolean Sa1_Switch;
extern boolean Sa1_Indicator;

/* SLGlobal: outputs */
extern float32 Sa1_AssistTorque;
extern uint8 Sa1_Mode;
extern uint8 Sa1_WarnLevel;
extern boolean Sa1_FatigueHint;
extern boolean Sa1_SensorFault;

extern Void RESTART_lane_assist(Void);
extern Void lane_assist(Void);

#endif
