/**************************************************************************************************\
 * FILE:         tl_basetypes.h
 * DESCRIPTION:  base types of the 32 bit target
\**************************************************************************************************/
#ifndef TL_BASETYPES_H
#define TL_BASETYPES_H

typedef float          float32;
typedef double         float64;
typedef signed char    sint8;
typedef signed short   sint16;
typedef signed long    sint32;
typedef unsigned char  boolean;
typedef unsigned char  uint8;
typedef unsigned short uint16;
typedef unsigned long  uint32;
typedef void           Void;

#endif
