/* Q8.8 fixed-point numbers. */
#ifndef FIXED_H
#define FIXED_H

typedef int q8;

#define Q8(x) ((q8)((x) * 256))
#define Q8_MUL(a, b) (((a) * (b)) >> 8)

#endif
