/**************************************************************************************************\
 * FILE:         thermo.h
 * DESCRIPTION:  shared types and interfaces of the thermal management
\**************************************************************************************************/
#ifndef THERMO_H
#define THERMO_H

typedef unsigned char  boolean;
typedef unsigned char  uint8;
typedef signed short   sint16;
typedef unsigned short uint16;
typedef signed long    sint32;
typedef unsigned long  uint32;

/* sensor.c */
#define SENSOR_OK (0u)
#define SENSOR_SHORT (1u)
#define SENSOR_OPEN (2u)

extern uint16 Adc_Coolant;
extern uint16 Adc_Ambient;
extern sint16 Sen_CoolantTemp;
extern sint16 Sen_AmbientTemp;
extern uint8 Sen_Status;

extern void Sensor_Init(void);
extern void Sensor_Step(void);

/* actuator.c */
extern uint8 Act_FanDuty;
extern boolean Act_PumpOn;
extern uint8 Act_Error;

extern void Actuator_Init(void);
extern void Actuator_Step(uint8 fanRequest, boolean pumpRequest);

/* thermo.c */
extern boolean Thm_Ignition;
extern uint8 Thm_EngineLoad;
extern boolean Thm_Warning;

extern void Thermo_Init(void);
extern void Thermo_Step(void);

#endif
