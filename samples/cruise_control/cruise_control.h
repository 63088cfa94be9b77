/**************************************************************************************************\
 * FILE:         cruise_control.h
 * DESCRIPTION:  interface and base types of the cruise control
\**************************************************************************************************/
#ifndef CRUISE_CONTROL_H
#define CRUISE_CONTROL_H

typedef unsigned char  Bool;
typedef unsigned char  UInt8;
typedef signed short   Int16;
typedef unsigned short UInt16;
typedef signed long    Int32;
typedef unsigned long  UInt32;
typedef void           Void;

extern UInt16 Sa1_VehicleSpeed;
extern Bool Sa1_BtnSet;
extern Bool Sa1_BtnResume;
extern Bool Sa1_BtnCancel;
extern Bool Sa1_BtnPlus;
extern Bool Sa1_BtnMinus;
extern Bool Sa1_MainSwitch;
extern Bool Sa1_Brake;
extern UInt8 Sa1_AccelPedal;

extern UInt8 Sa1_State;
extern UInt16 Sa1_SetSpeed;
extern Int16 Sa1_TorqueRequest;
extern Bool Sa1_Lamp;

extern Void RESTART_cruise_control(Void);
extern Void cruise_control(Void);

#endif
