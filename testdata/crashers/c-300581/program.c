// level 1 index 64 order pipelined recent 1
// inputs {"args": {"a3": {"shape": [2, 8], "data": [-2, -32768, 29979, 2, 25499, -1, 65, 27577, -1, 74, 72, 1, 34, -20918, 64, 20]}}}
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

int p6_kernel(short a3[2][8])
{
	int t8 = 0;
	unsigned acc = 0;
	for (int i14 = 0; i14 < 8; i14 += 4) {
		for (int i15 = 0; i15 < i14; i15 += 4) {
			a3[0][0]--;
			t8 = 1;
		}
	}
	acc = t8;
	return acc;
}
