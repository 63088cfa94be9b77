/**************************************************************************************************\
 *
 * FILE:
 *   injection_map.c
 *
 * DESCRIPTION:
 *   injection time from a map: search in an axis of calibratable length, a mean over rows and columns
 *   of the map, and a driver that is asked until it is ready
 *
 * PROJECT:
 *   injection_map
 *
 * SUBSYS     CORRESPONDING SIMULINK SUBSYSTEM
 * Sa1        injection_map/Injection
 * Sa2        injection_map/Injection/Axis
 * Sa3        injection_map/Injection/Mean
 * Sa4        injection_map/Injection/Driver
 *
 * SAMPLE TIME: 0.01 s
 *
\**************************************************************************************************/

typedef unsigned char  Bool;
typedef unsigned char  UInt8;
typedef signed short   Int16;
typedef unsigned short UInt16;
typedef unsigned long  UInt32;
typedef void           Void;

#define N_LOAD (4)

/* driver states */
#define DRIVER_OK (0)
#define DRIVER_BUSY (1)
#define DRIVER_FAULT (2)

/* SLGlobal: inputs */
UInt16 Sa1_Speed /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 8000 */;
UInt16 Sa1_Load /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 1000 */;

/* status register of the driver: bit 0 is set when it is ready; read anew each time */
volatile UInt8 Sa1_DriverStatus;

/* SLGlobal: outputs */
UInt16 Sa1_Time /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 5000 */;
UInt8 Sa1_DriverState;
UInt8 Sa1_Tries;

/* CAL: points of the axis that are used, rows of the map in the mean, times that the driver is asked */
const volatile UInt16 Cal_NumSpeed = 16 /* MIN/MAX:  2 .. 2000 */;
const volatile UInt8 Cal_NumRows = 2 /* MIN/MAX:  1 .. 3 */;
const volatile UInt8 Cal_MaxTries = 3 /* MIN/MAX:  1 .. 250 */;

/* CAL: axis of the load */
static const UInt16 Map_Load[N_LOAD] = {0, 250, 500, 800};

/* SLStaticGlobalInit: Default storage class for static global variables with initial value */
static UInt8 X_Sa4_FaultCtr = 0;
static UInt16 X_Sa1_TimeLp = 0 /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 5000 */;

/**************************************************************************************************\
  FUNCTION:
    Void RESTART_injection_map(Void)
\**************************************************************************************************/
Void RESTART_injection_map(Void)
{
   X_Sa4_FaultCtr = 0;
   X_Sa1_TimeLp = 0;
   Sa1_Time = 0;
   Sa1_DriverState = DRIVER_OK;
   Sa1_Tries = 0;
}

/**************************************************************************************************\
  FUNCTION:
    UInt16 Sa2_Axis(UInt16 Sa2_Value, UInt16 Sa2_Num)

  DESCRIPTION:
    index of the point below the value; points are 4 1/min apart
\**************************************************************************************************/
static UInt16 Sa2_Axis(UInt16 Sa2_Value, UInt16 Sa2_Num)
{
   UInt16 Aux_Idx = 0;
   UInt16 Aux_Point = 4;

   while ((Aux_Idx < (UInt16)(Sa2_Num - 1)) && (Aux_Point <= Sa2_Value)) {
      Aux_Point = (UInt16)(Aux_Point + 4);
      Aux_Idx++;
   }
   if (Aux_Idx >= Sa2_Num) {
      /* beyond the axis */
      Aux_Idx = 0;
   }
   return Aux_Idx;
}

/**************************************************************************************************\
  FUNCTION:
    UInt16 Sa3_Mean(UInt16 Sa3_Idx)

  DESCRIPTION:
    sum over rows of the map, in each up to the column of the load
\**************************************************************************************************/
static UInt16 Sa3_Mean(UInt16 Sa3_Idx)
{
   UInt32 Aux_Sum = 0;
   UInt8 Aux_Row;
   UInt8 Aux_Col;

   for (Aux_Row = 0; Aux_Row < Cal_NumRows; Aux_Row++) {
      Aux_Col = 0;
      while ((Aux_Col < N_LOAD) && (Map_Load[Aux_Col] <= Sa1_Load)) {
         Aux_Sum = Aux_Sum + (UInt32)(Sa3_Idx + Aux_Row);
         Aux_Col++;
      }
      if (Aux_Col == 0) {
         /* below the axis */
         Aux_Sum = 0;
      }
   }
   if (Aux_Sum > 5000) {
      Aux_Sum = 5000;
   }
   return (UInt16)Aux_Sum;
}

/**************************************************************************************************\
  FUNCTION:
    Void Sa4_Driver(Void)

  DESCRIPTION:
    asks the driver until it is ready
\**************************************************************************************************/
static Void Sa4_Driver(Void)
{
   UInt8 Aux_Tries = 0;
   Bool Aux_Ready = 0;

   while ((Aux_Ready == 0) && (Aux_Tries < Cal_MaxTries)) {
      Aux_Ready = (Bool)(Sa1_DriverStatus & 1);
      Aux_Tries++;
   }
   if (Aux_Tries == 0) {
      /* never asked */
      Sa1_DriverState = DRIVER_FAULT;
   }
   else {
      if (Aux_Ready) {
         Sa1_DriverState = DRIVER_OK;
         X_Sa4_FaultCtr = 0;
      }
      else {
         Sa1_DriverState = DRIVER_BUSY;
         if (X_Sa4_FaultCtr < 5) {
            X_Sa4_FaultCtr++;
         }
      }
   }
   if (X_Sa4_FaultCtr > 5) {
      Sa1_DriverState = DRIVER_FAULT;
   }
   if (Aux_Tries > 250) {
      Sa1_DriverState = DRIVER_FAULT;
   }
   Sa1_Tries = Aux_Tries;
}

/**************************************************************************************************\
  FUNCTION:
    Void injection_map(Void)
\**************************************************************************************************/
Void injection_map(Void)
{
   UInt16 Sa1_Idx = Sa2_Axis(Sa1_Speed, Cal_NumSpeed);

   X_Sa1_TimeLp = (UInt16)(((UInt32)X_Sa1_TimeLp * 3 + Sa3_Mean(Sa1_Idx)) / 4);
   if (X_Sa1_TimeLp > 5000) {
      /* out of range */
      X_Sa1_TimeLp = 5000;
   }
   Sa1_Time = X_Sa1_TimeLp;
   Sa4_Driver();
   if ((Sa1_DriverState == DRIVER_BUSY) && (X_Sa4_FaultCtr >= 5)) {
      Sa1_Time = 0;
   }
}
