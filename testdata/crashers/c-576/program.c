// level 1 index 64 order pipelined
// inputs {"args": {"a1": {"shape": [4, 4], "data": [-3, -28, 16, 37, 68, -128, 75, 74, 35, -8, -128, -50, -17, 75, -62, -1]}, "n2": 2}}
#include <math.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ABS(a) ((a) < 0 ? -(a) : (a))
#define SQUARE(a) ((a) * (a))
#define CLAMP(x, lo, hi) MIN(MAX(x, lo), hi)
#define ROTL(x, k) ((uint32_t)(x) << ((k) & 31) | (uint32_t)(x) >> (-(k) & 31))
#define POPCOUNT(x) __builtin_popcount((unsigned)(x))
#define POPCOUNTL(x) __builtin_popcountl((unsigned long)(x))
#define CLZ(x) __builtin_clz((unsigned)(x) | 1u)
#define CTZ(x) __builtin_ctz((unsigned)(x) | 0x80000000u)
#define BSWAP(x) __builtin_bswap32((uint32_t)(x))

static inline int to_int(double x) { return x > -2147483649.0 && x < 2147483648.0 ? (int)x : 1; }
static inline int to_intf(float x) { return x >= -2147483648.0f && x < 2147483648.0f ? (int)x : 1; }
static inline unsigned to_unsigned(double x) { return x > -1.0 && x < 4294967296.0 ? (unsigned)x : 2u; }
static inline long to_long(double x) { return x >= -9e18 && x <= 9e18 ? (long)x : 3; }
static inline unsigned long to_ulong(double x) { return x > -1.0 && x <= 18e18 ? (unsigned long)x : 4; }

long p1_kernel(signed char a1[4][4], long n2)
{
	unsigned long t3 = 0;
	unsigned short t4 = 0;
	unsigned long t5 = 0;
	signed char t6 = 0;
	unsigned short loc7[16] = {0};
	signed char loc8[4] = {108, 105, -60, -123};
	int acc = 0;
	memmove(loc7 + 1, loc7, (8) * sizeof *loc7);
	for (int i18 = n2; i18 < 15; ++i18) {
		for (unsigned short i19 = 0; i19 < (i18 & 7); ++i19) {
			loc7[4] = (i19 + 3) + (acc - a1[(i18 - i18) & 3][i18 & 3]);
		}
	}
	return acc;
}
