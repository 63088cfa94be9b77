/**************************************************************************************************\
 * FILE:         battery_soc.h
 * DESCRIPTION:  interface of the state of charge estimation
\**************************************************************************************************/
#ifndef BATTERY_SOC_H
#define BATTERY_SOC_H

typedef double         Float64;
typedef unsigned char  Bool;
typedef unsigned char  UInt8;
typedef unsigned short UInt16;
typedef unsigned long  UInt32;
typedef void           Void;

#define OCV_POINTS (8)

extern Float64 Sa1_Current;
extern Float64 Sa1_Voltage;
extern Float64 Sa1_Temperature;
extern Bool Sa1_ContactorClosed;

extern Float64 Sa1_Soc;
extern Float64 Sa1_PowerLimit;
extern UInt8 Sa1_FaultLevel;
extern Bool Sa1_Balancing;

extern const volatile Float64 Cal_Capacity;
extern const volatile Float64 Cal_Efficiency;
extern const volatile Float64 Cal_InnerResistance;

extern Void RESTART_battery_soc(Void);
extern Void battery_soc(Void);

#endif
