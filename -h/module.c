typedef unsigned char Bool;
typedef unsigned char UInt8;
typedef unsigned short UInt16;
typedef short Int16;
typedef unsigned long UInt32;
typedef long Int32;
typedef float Float32;

Bool Sa1_Enable;
static Bool Sa1_Flag = 0;
Bool Sa2_Enable;
static Bool Sa2_Flag = 0;
Bool Sa3_Enable;
Int16 Sa3_Raw;
static Bool Sa3_Flag = 0;
Int16 Sa4_Raw;
static Int16 Sa4_Out = 0;

static UInt32 X_Sa1_Cnt = 0;
static UInt8 X_Sa1_Slot = 0;
static UInt8 Sa1_Diag = 0;
static Int16 X_Sa2_Deb = 0;
static Bool X_Sa2_On = 0;
static Bool X_Sa2_Seen = 0;
static UInt8 X_Sa2_Slot = 0;
static UInt8 Sa2_Diag = 0;
static UInt8 X_Sa3_Mode = 0;
static UInt16 X_Sa3_Time = 0;
static Bool X_Sa3_Armed = 0;
static UInt8 Sa3_Diag = 0;
static Int32 X_Sa4_Acc = 0;
static UInt8 X_Sa4_Slot = 0;
static UInt8 Sa4_Diag = 0;

static Float32 Tab_Interpolate(const Float32 *axis, const Float32 *map, Float32 x)
{
   UInt8 i = 0;
   if (x <= axis[0]) {
      return map[0];
   }
   if (x >= axis[5]) {
      return map[5];
   }
   while (x > axis[i + 1]) {
      i++;
   }
   return map[i] + (map[i + 1] - map[i]) * ((x - axis[i]) / (axis[i + 1] - axis[i]));
}

static void Sa1_counter(void)
{
   /* Sa1: time that a condition holds, saturating at 25450 */
   if (Sa1_Enable) {
      if (X_Sa1_Cnt < 25450) {
         X_Sa1_Cnt++;
      }
   } else {
      X_Sa1_Cnt = 0;
   }
   X_Sa1_Slot = (UInt8)(X_Sa1_Slot + 1);
   if (X_Sa1_Slot >= 20) {
      X_Sa1_Slot = 0;
   }
   Sa1_Flag = X_Sa1_Cnt >= 25450;
   if (Sa1_Flag) {
      Sa1_Diag = 1; /* goal: reachable */
   }
   if (X_Sa1_Slot == 3 && X_Sa1_Cnt > 25452) {
      Sa1_Diag = 2; /* goal: dead state */
   }
   if (X_Sa1_Slot > 20) {
      Sa1_Diag = 3; /* goal: dead step */
   }
}

static void Sa2_debounce(void)
{
   /* Sa2: debouncing with hysteresis */
   if (Sa2_Enable) {
      X_Sa2_Deb = (Int16)(X_Sa2_Deb + 4);
      if (X_Sa2_Deb > 400) {
         X_Sa2_Deb = 400;
      }
   } else if (X_Sa2_Deb > 0) {
      X_Sa2_Deb--;
   }
   if (X_Sa2_Deb >= 400) {
      X_Sa2_On = 1;
      X_Sa2_Seen = 1;
   }
   else if (X_Sa2_Deb == 0) {
      X_Sa2_On = 0;
   }
   X_Sa2_Slot = (UInt8)((X_Sa2_Slot + 1) & 31);
   Sa2_Flag = X_Sa2_On;
   if (X_Sa2_Slot == 5 && X_Sa2_On && !X_Sa2_Seen) {
      Sa2_Diag = 1; /* goal: dead state */
   }
   if (X_Sa2_Slot == 6 && X_Sa2_Deb < 0) {
      Sa2_Diag = 2; /* goal: dead state */
   }
   if (X_Sa2_On && X_Sa2_Deb == 0) {
      Sa2_Diag = 3; /* goal: dead step */
   }
   if (X_Sa2_Seen && !X_Sa2_On) {
      Sa2_Diag = 4; /* goal: reachable */
   }
}

static void Sa3_mode(void)
{
   /* Sa3: mode machine */
   if (X_Sa3_Time < 1000) {
      X_Sa3_Time++;
   }
   switch (X_Sa3_Mode) {
   case 0:
      X_Sa3_Armed = 0;
      if (Sa3_Enable) {
         X_Sa3_Mode = 1;
         X_Sa3_Time = 0;
      }
      break;
   case 1:
      if (X_Sa3_Time > 2) {
         X_Sa3_Mode = 2;
         X_Sa3_Armed = 1;
         X_Sa3_Time = 0;
      }
      else if (Sa3_Raw < 0) {
         X_Sa3_Mode = 0;
      }
      break;
   case 2:
      if (Sa3_Raw > 125) {
         X_Sa3_Mode = 3;
         X_Sa3_Time = 0;
      }
      if (X_Sa3_Time > 50 && !X_Sa3_Armed) {
         Sa3_Diag = 1; /* goal: dead state */
      }
      break;
   case 3:
      if (X_Sa3_Time > 20 && !(Sa3_Enable)) {
         X_Sa3_Mode = 0;
         Sa3_Diag = 2; /* goal: reachable */
      }
      if (X_Sa3_Time == 30 && !X_Sa3_Armed) {
         Sa3_Diag = 3; /* goal: dead state */
      }
      break;
   default:
      X_Sa3_Mode = 0; /* goal: dead state */
      break;
   }
   Sa3_Flag = X_Sa3_Mode == 3;
   if (Sa3_Flag && X_Sa3_Time > 1000) {
      Sa3_Diag = 4; /* goal: dead state */
   }
   if (Sa3_Flag && X_Sa3_Mode < 2) {
      Sa3_Diag = 5; /* goal: dead step */
   }
}

static void Sa4_saturation(void)
{
   /* Sa4: integrator in fixed point, saturated */
   if (X_Sa4_Slot == 7 && X_Sa4_Acc > 804) {
      Sa4_Diag = 1; /* goal: dead state */
   }
   if (X_Sa4_Slot == 9 && X_Sa4_Acc < -800) {
      Sa4_Diag = 2; /* goal: dead state */
   }
   X_Sa4_Slot = (UInt8)((X_Sa4_Slot + 1) & 15);
   X_Sa4_Acc = X_Sa4_Acc + (Int32)Sa4_Raw;
   if (X_Sa4_Acc > 800) {
      X_Sa4_Acc = 800;
      Sa4_Diag = 3; /* goal: reachable */
   }
   else if (X_Sa4_Acc < -800) {
      X_Sa4_Acc = -800;
   }
   Sa4_Out = (Int16)(X_Sa4_Acc >> 3);
   if (Sa4_Out > 100) {
      Sa4_Diag = 4; /* goal: dead step */
   }
}

void RESTART_module(void)
{
   X_Sa1_Cnt = 0;
   X_Sa1_Slot = 0;
   X_Sa2_Deb = 0;
   X_Sa2_On = 0;
   X_Sa2_Seen = 0;
   X_Sa2_Slot = 0;
   X_Sa3_Mode = 0;
   X_Sa3_Time = 0;
   X_Sa3_Armed = 0;
   X_Sa4_Acc = 0;
   X_Sa4_Slot = 0;
}

void module(void)
{
   Sa1_counter();
   Sa2_debounce();
   Sa3_mode();
   Sa4_saturation();
}
