/**************************************************************************************************\
 * FILE:         tl_types.h
 * DESCRIPTION:  base types of the 16/32 bit target, plain char is signed
\**************************************************************************************************/
#ifndef TL_TYPES_H
#define TL_TYPES_H

typedef char           sint8;
typedef short          sint16;
typedef long           sint32;
typedef unsigned char  uint8;
typedef unsigned short uint16;
typedef unsigned long  uint32;
typedef unsigned char  boolean;

#endif
