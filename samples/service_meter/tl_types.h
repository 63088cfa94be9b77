/**************************************************************************************************\
 * FILE:         tl_types.h
 * DESCRIPTION:  base types of the 32 bit target
\**************************************************************************************************/
#ifndef TL_TYPES_H
#define TL_TYPES_H

typedef unsigned char  uint8;
typedef unsigned short uint16;
typedef unsigned int   uint32;
typedef unsigned char  boolean;

#endif
