/**************************************************************************************************\
 *
 * FILE:
 *   door_debounce.c
 *
 * DESCRIPTION:
 *   debouncing and supervision of four door contacts, anti-play protection of the locks
 *
 * PROJECT:
 *   door_debounce
 *
 * SUBSYS     CORRESPONDING SIMULINK SUBSYSTEM
 * Sa1        door_debounce/Doors
 * Sa2        door_debounce/Doors/Debounce
 * Sa3        door_debounce/Doors/Locks
 *
 * SAMPLE TIME: 0.01 s
 *
\**************************************************************************************************/

typedef unsigned char  boolean;
typedef unsigned char  uint8;
typedef unsigned short uint16;
typedef unsigned long  uint32;

#define N_DOORS (4)
#define N_SLOTS (8)

/* door states */
#define DOOR_CLOSED (0)
#define DOOR_AJAR (1)
#define DOOR_OPEN (2)
#define DOOR_FAULT (3)

/* buses */
struct tag_DoorIn {
   boolean Latch /* MIN/MAX:  0 .. 1 */;
   boolean Ajar /* MIN/MAX:  0 .. 1 */;
   uint8 Quality /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 3 */;
};

struct tag_BusIn {
   struct tag_DoorIn Door[N_DOORS];
   boolean LockRequest /* MIN/MAX:  0 .. 1 */;
   boolean UnlockRequest /* MIN/MAX:  0 .. 1 */;
   uint8 Speed /* LSB: 2^0 OFF:  0 MIN/MAX:  0 .. 250 */;
};

struct tag_DoorOut {
   uint8 State;
   boolean Valid;
};

struct tag_BusOut {
   struct tag_DoorOut Door[N_DOORS];
   boolean AnyOpen;
   boolean Locked;
   uint8 OpenCount;
   uint8 Alive;
   boolean PlayProtection;
};

/* SLGlobal: buses */
struct tag_BusIn Sa1_In;
struct tag_BusOut Sa1_Out;

/* instance data of one debouncer */
struct tag_Debounce {
   uint8 LatchCtr;
   uint8 AjarCtr;
   uint8 FaultCtr;
   boolean Latch;
   boolean Ajar;
};

/* SLStaticGlobalInit: Default storage class for static global variables with initial value */
static struct tag_Debounce ISV_Door[N_DOORS];
static uint8 X_Sa1_Alive = 0;
static uint8 X_Sa1_Slot = 0;
static uint8 X_Sa3_PlayCtr = 0;
static uint16 X_Sa3_PlayTimer = 0;
static uint8 X_Sa3_History[N_SLOTS];
static uint8 X_Sa3_LockMode = 0;

/**************************************************************************************************\
  FUNCTION:
    void RESTART_door_debounce(void)
\**************************************************************************************************/
void RESTART_door_debounce(void)
{
   uint8 Aux_i;

   for (Aux_i = 0; Aux_i < N_DOORS; Aux_i++) {
      ISV_Door[Aux_i].LatchCtr = 0;
      ISV_Door[Aux_i].AjarCtr = 0;
      ISV_Door[Aux_i].FaultCtr = 0;
      ISV_Door[Aux_i].Latch = 1;
      ISV_Door[Aux_i].Ajar = 0;
      Sa1_Out.Door[Aux_i].State = DOOR_CLOSED;
      Sa1_Out.Door[Aux_i].Valid = 0;
   }
   for (Aux_i = 0; Aux_i < N_SLOTS; Aux_i++) {
      X_Sa3_History[Aux_i] = 0;
   }
   X_Sa1_Alive = 0;
   X_Sa1_Slot = 0;
   X_Sa3_PlayCtr = 0;
   X_Sa3_PlayTimer = 0;
   X_Sa3_LockMode = 0;
   Sa1_Out.AnyOpen = 0;
   Sa1_Out.Locked = 0;
   Sa1_Out.OpenCount = 0;
   Sa1_Out.Alive = 0;
   Sa1_Out.PlayProtection = 0;
}

/**************************************************************************************************\
  FUNCTION:
    boolean Sa2_Debounce(boolean raw, boolean old, uint8 * pCtr, uint8 limit)

  DESCRIPTION:
    a change is taken over after `limit` equal samples
\**************************************************************************************************/
static boolean Sa2_Debounce(boolean raw, boolean old, uint8 * pCtr, uint8 limit)
{
   boolean y = old;

   if (raw != old) {
      (*pCtr)++;
      if (*pCtr >= limit) {
         y = raw;
         *pCtr = 0;
      }
      if (*pCtr > 40) {
         /* counter damaged */
         *pCtr = 0;
      }
   }
   else {
      *pCtr = 0;
   }
   return y;
}

/**************************************************************************************************\
  FUNCTION:
    void Sa2_Door(struct tag_Debounce * pISV, const struct tag_DoorIn * pIn,
                  struct tag_DoorOut * pOut)
\**************************************************************************************************/
static void Sa2_Door(struct tag_Debounce * pISV, const struct tag_DoorIn * pIn,
                     struct tag_DoorOut * pOut)
{
   if (pIn->Quality == 0) {
      if (pISV->FaultCtr < 100) {
         pISV->FaultCtr++;
      }
   }
   else {
      pISV->Latch = Sa2_Debounce(pIn->Latch, pISV->Latch, &(pISV->LatchCtr), 20);
      pISV->Ajar = Sa2_Debounce(pIn->Ajar, pISV->Ajar, &(pISV->AjarCtr), 10);
      if ((pIn->Quality > 1) && (pISV->FaultCtr > 0)) {
         pISV->FaultCtr = (uint8)(pISV->FaultCtr - 1);
      }
   }
   pOut->Valid = (pISV->FaultCtr < 50) && (pIn->Quality <= 3);

   if (pISV->FaultCtr >= 100) {
      pOut->State = DOOR_FAULT;
   }
   else {
      if (pISV->Latch && !(pISV->Ajar)) {
         pOut->State = DOOR_CLOSED;
      }
      else {
         if (pISV->Latch || pISV->Ajar) {
            pOut->State = DOOR_AJAR;
         }
         else {
            pOut->State = DOOR_OPEN;
         }
      }
   }
}

/**************************************************************************************************\
  FUNCTION:
    void Sa3_Locks(void)

  DESCRIPTION:
    lock and unlock, play protection: six changes within 8 slots of 2.56 s block the motors
\**************************************************************************************************/
static void Sa3_Locks(void)
{
   uint8 Aux_i;
   uint8 Aux_Sum = 0;
   boolean Sa3_Change = 0;

   if (X_Sa3_PlayTimer > 0) {
      X_Sa3_PlayTimer--;
   }
   else {
      switch (X_Sa3_LockMode) {
      case 0:
         if (Sa1_In.LockRequest && !(Sa1_Out.AnyOpen) && !(Sa1_In.UnlockRequest)) {
            X_Sa3_LockMode = 1;
            Sa3_Change = 1;
         }
         break;
      case 1:
         if (Sa1_In.UnlockRequest && (Sa1_In.Speed < 5)) {
            X_Sa3_LockMode = 0;
            Sa3_Change = 1;
         }
         else {
            if (Sa1_In.Speed > 15) {
               X_Sa3_LockMode = 2;
            }
         }
         break;
      case 2:
         if (Sa1_In.Speed < 5) {
            X_Sa3_LockMode = 1;
         }
         break;
      default:
         X_Sa3_LockMode = 0;
         break;
      }
   }

   /* ring buffer of changes, a slot lasts until the alive counter wraps */
   if (X_Sa1_Alive == 0) {
      X_Sa1_Slot++;
      if (X_Sa1_Slot >= N_SLOTS) {
         X_Sa1_Slot = 0;
      }
      X_Sa3_History[X_Sa1_Slot] = 0;
   }
   if (Sa3_Change && (X_Sa3_History[X_Sa1_Slot] < 3)) {
      X_Sa3_History[X_Sa1_Slot]++;
   }
   for (Aux_i = 0; Aux_i < N_SLOTS; Aux_i++) {
      Aux_Sum = (uint8)(Aux_Sum + X_Sa3_History[Aux_i]);
   }
   if (Aux_Sum > 24) {
      /* more than all slots can hold */
      Aux_Sum = 24;
   }
   if (Aux_Sum >= 6) {
      X_Sa3_PlayTimer = 1000;
      for (Aux_i = 0; Aux_i < N_SLOTS; Aux_i++) {
         X_Sa3_History[Aux_i] = 0;
      }
   }
   Sa1_Out.PlayProtection = (X_Sa3_PlayTimer > 0) && (X_Sa3_PlayTimer <= 1000);
   Sa1_Out.Locked = (X_Sa3_LockMode == 1) || (X_Sa3_LockMode == 2);
}

/**************************************************************************************************\
  FUNCTION:
    void door_debounce(void)
\**************************************************************************************************/
void door_debounce(void)
{
   uint8 Aux_i;
   uint8 Sa1_Count = 0;

   for (Aux_i = 0; Aux_i < N_DOORS; Aux_i++) {
      Sa2_Door(&(ISV_Door[Aux_i]), &(Sa1_In.Door[Aux_i]), &(Sa1_Out.Door[Aux_i]));
      if ((Sa1_Out.Door[Aux_i].State == DOOR_OPEN) || (Sa1_Out.Door[Aux_i].State == DOOR_AJAR)) {
         Sa1_Count++;
      }
   }
   Sa1_Out.OpenCount = Sa1_Count;
   Sa1_Out.AnyOpen = Sa1_Count > 0;

   /* alive counter, wraps */
   X_Sa1_Alive++;
   Sa3_Locks();

   if ((Sa1_Out.OpenCount > N_DOORS) || (X_Sa1_Slot >= N_SLOTS)) {
      Sa1_Out.Alive = 255;
   }
   else {
      Sa1_Out.Alive = (uint8)(X_Sa1_Alive & 0x0F);
      if (Sa1_Out.Alive > 15) {
         Sa1_Out.Alive = 15;
      }
   }
}
