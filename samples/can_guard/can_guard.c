/**************************************************************************************************\
 *
 * FILE:
 *   can_guard.c
 *
 * DESCRIPTION:
 *   end-to-end protection of a received steering angle message: checksum, alive counter,
 *   time-out, qualification of the signal
 *
 * PROJECT:
 *   can_guard
 *
 * SUBSYS     CORRESPONDING SIMULINK SUBSYSTEM
 * Sa1        can_guard/Guard
 * Sa2        can_guard/Guard/Checksum
 * Sa3        can_guard/Guard/Qualifier
 *
 * SAMPLE TIME: 0.01 s
 *
\**************************************************************************************************/

typedef unsigned char  UInt8;
typedef signed short   Int16;
typedef unsigned short UInt16;
typedef unsigned long  UInt32;
typedef unsigned char  Bool;
typedef void           Void;

#define MSG_ID (0x0C5)
#define ANGLE_INVALID (0x7FFF)

/* chart state as bit fields, as the state machine generator packs it */
struct tag_ChartState {
   unsigned int Active : 1;
   unsigned int Qualifier : 2; /* 0 init, 1 valid, 2 suspect, 3 error */
   unsigned int LastAlive : 4;
   unsigned int ErrorCtr : 5;
   unsigned int First : 1;
};

/* SLGlobal: received message */
UInt8 Sa1_Data[8];
Bool Sa1_Received;
Bool Sa1_Ignition;

/* SLGlobal: outputs */
Int16 Sa1_Angle /* LSB: 2^-4 OFF:  0 MIN/MAX:  -780 .. 780 */;
UInt8 Sa1_Quality;
UInt8 Sa1_ErrorFlags;

/* SLStaticGlobalInit: Default storage class for static global variables with initial value */
static struct tag_ChartState X_Sa3_Chart;
static UInt8 X_Sa1_Timeout = 0;
static Int16 X_Sa1_AngleOld = 0 /* LSB: 2^-4 OFF:  0 MIN/MAX:  -780 .. 780 */;
static UInt16 X_Sa3_GoodCtr = 0;

/* CAL: position dependent seed of the checksum */
static const UInt8 Sa2_Seed[4] = {0x1D, 0x3A, 0x74, 0xE8};

/**************************************************************************************************\
  FUNCTION:
    Void RESTART_can_guard(Void)
\**************************************************************************************************/
Void RESTART_can_guard(Void)
{
   X_Sa3_Chart.Active = 0;
   X_Sa3_Chart.Qualifier = 0;
   X_Sa3_Chart.LastAlive = 0;
   X_Sa3_Chart.ErrorCtr = 0;
   X_Sa3_Chart.First = 1;
   X_Sa1_Timeout = 0;
   X_Sa1_AngleOld = 0;
   X_Sa3_GoodCtr = 0;
   Sa1_Angle = 0;
   Sa1_Quality = 0;
   Sa1_ErrorFlags = 0;
}

/**************************************************************************************************\
  FUNCTION:
    UInt8 Sa2_Checksum(const UInt8 * pData)

  DESCRIPTION:
    exclusive or over the payload, rotated, with a seed from the alive counter
\**************************************************************************************************/
static UInt8 Sa2_Checksum(const UInt8 * pData)
{
   UInt8 Aux_i;
   UInt8 Sa2_Sum = Sa2_Seed[pData[6] & 0x03];

   for (Aux_i = 0; Aux_i < 7; Aux_i++) {
      Sa2_Sum = (UInt8)(Sa2_Sum ^ pData[Aux_i]);
      Sa2_Sum = (UInt8)((UInt8)(Sa2_Sum << 1) | (UInt8)(Sa2_Sum >> 7));
   }
   return Sa2_Sum;
}

/**************************************************************************************************\
  FUNCTION:
    UInt8 Sa2_Check(Void)

  DESCRIPTION:
    flags: 1 checksum, 2 alive counter, 4 angle out of range, 8 jump, 16 sensor status
\**************************************************************************************************/
static UInt8 Sa2_Check(Void)
{
   UInt8 Sa2_Flags = 0;
   UInt8 Sa2_Alive = (UInt8)(Sa1_Data[6] & 0x0F);
   UInt8 Sa2_Expected = (UInt8)((X_Sa3_Chart.LastAlive + 1) & 0x0F);
   UInt16 Sa2_Raw = (UInt16)(((UInt16)Sa1_Data[1] << 8) | Sa1_Data[0]);
   Int16 Sa2_Delta;

   if (Sa1_Data[7] != Sa2_Checksum(&(Sa1_Data[0]))) {
      Sa2_Flags |= 0x01;
   }
   if ((Sa2_Alive != Sa2_Expected) && !(X_Sa3_Chart.First)) {
      Sa2_Flags |= 0x02;
   }
   if (Sa2_Alive > 15) {
      Sa2_Flags |= 0x02;
   }
   X_Sa3_Chart.LastAlive = Sa2_Alive;

   /* angle in 1/16 degree, offset binary */
   Sa2_Raw = (UInt16)(Sa2_Raw & 0x7FFF);
   if ((Sa2_Raw > 28864) || (Sa2_Raw < 3904) || (Sa2_Raw == ANGLE_INVALID)) {
      Sa2_Flags |= 0x04;
   }
   else {
      Sa2_Delta = (Int16)((Int16)(Sa2_Raw - 16384) - X_Sa1_AngleOld);
      if (((Sa2_Delta > 320) || (Sa2_Delta < -320)) && !(X_Sa3_Chart.First)) {
         Sa2_Flags |= 0x08;
      }
      else {
         X_Sa1_AngleOld = (Int16)(Sa2_Raw - 16384);
      }
      if ((X_Sa1_AngleOld > 12480) || (X_Sa1_AngleOld < -12480)) {
         X_Sa1_AngleOld = 0;
      }
   }
   if (((Sa1_Data[5] & 0xC0) == 0xC0) || ((Sa1_Data[5] & 0x3F) == 0x2A)) {
      Sa2_Flags |= 0x10;
   }
   X_Sa3_Chart.First = 0;
   return Sa2_Flags;
}

/**************************************************************************************************\
  FUNCTION:
    Void Sa3_Qualifier(UInt8 Sa3_Flags)

  DESCRIPTION:
    Stateflow chart: init, valid, suspect, error
\**************************************************************************************************/
static Void Sa3_Qualifier(UInt8 Sa3_Flags)
{
   if (Sa3_Flags != 0) {
      X_Sa3_GoodCtr = 0;
      if (X_Sa3_Chart.ErrorCtr < 20) {
         X_Sa3_Chart.ErrorCtr = X_Sa3_Chart.ErrorCtr + 2;
      }
   }
   else {
      if (X_Sa3_GoodCtr < 1000) {
         X_Sa3_GoodCtr++;
      }
      if (X_Sa3_Chart.ErrorCtr > 0) {
         X_Sa3_Chart.ErrorCtr = X_Sa3_Chart.ErrorCtr - 1;
      }
   }

   switch (X_Sa3_Chart.Qualifier) {
   case 0:
      if (X_Sa3_GoodCtr >= 10) {
         X_Sa3_Chart.Qualifier = 1;
      }
      break;
   case 1:
      if (X_Sa3_Chart.ErrorCtr >= 6) {
         X_Sa3_Chart.Qualifier = 2;
      }
      break;
   case 2:
      if (X_Sa3_Chart.ErrorCtr >= 20) {
         X_Sa3_Chart.Qualifier = 3;
      }
      else {
         if ((X_Sa3_Chart.ErrorCtr == 0) && (X_Sa3_GoodCtr >= 6)) {
            X_Sa3_Chart.Qualifier = 1;
         }
      }
      break;
   case 3:
      /* recovery only after 10 s without an error */
      if ((X_Sa3_GoodCtr >= 1000) && (X_Sa3_Chart.ErrorCtr == 0)) {
         X_Sa3_Chart.Qualifier = 0;
      }
      break;
   default:
      X_Sa3_Chart.Qualifier = 3;
      break;
   }

   if (X_Sa3_Chart.ErrorCtr > 21) {
      X_Sa3_Chart.Qualifier = 3;
   }
}

/**************************************************************************************************\
  FUNCTION:
    Void can_guard(Void)
\**************************************************************************************************/
Void can_guard(Void)
{
   UInt8 Sa1_Flags = 0;

   if (!(Sa1_Ignition)) {
      RESTART_can_guard();
   }
   else {
      X_Sa3_Chart.Active = 1;
      if (Sa1_Received) {
         X_Sa1_Timeout = 0;
         Sa1_Flags = Sa2_Check();
         Sa3_Qualifier(Sa1_Flags);
      }
      else {
         if (X_Sa1_Timeout < 50) {
            X_Sa1_Timeout = (UInt8)(X_Sa1_Timeout + 1);
         }
         if (X_Sa1_Timeout >= 5) {
            Sa1_Flags = 0x20;
            Sa3_Qualifier(Sa1_Flags);
         }
      }
   }
   Sa1_ErrorFlags = Sa1_Flags;

   /* a time-out excludes all other errors */
   if ((Sa1_Flags & 0x20) && (Sa1_Flags & 0x1F)) {
      Sa1_ErrorFlags = 0xFF;
   }

   if ((X_Sa3_Chart.Qualifier == 1) || ((X_Sa3_Chart.Qualifier == 2) && (Sa1_Flags == 0))) {
      Sa1_Angle = X_Sa1_AngleOld;
      Sa1_Quality = (UInt8)((X_Sa3_Chart.Qualifier == 1) ? 2 : 1);
   }
   else {
      Sa1_Quality = 0;
      if (X_Sa3_Chart.Active && (X_Sa3_Chart.Qualifier == 3)) {
         Sa1_Angle = 0;
      }
   }
   /* quality needs an active chart */
   if ((Sa1_Quality > 0) && !(X_Sa3_Chart.Active)) {
      Sa1_Quality = 0;
   }
}
