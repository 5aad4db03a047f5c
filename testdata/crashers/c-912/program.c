// level 2 index 32 order serial
// inputs {"args": {"s5.b": -1, "a6.a": [0, 0, 1, 1, 1, 1, 1, 0], "a6.c": [78, -37, 6, 32, -21, 1642554979, 70, -1678450636], "n7": 16, "a8": [-22, -23, -1220960825, 1703613850, 761186579, -26, -237599603, -39]}}
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

struct p12_S1 {
	unsigned a[4];
	unsigned b;
};
struct p12_S2 {
	_Bool a;
	int b;
	int c;
};
unsigned p12_kernel(struct p12_S2 s5, struct p12_S2 a6[8], int32_t n7, uint32_t a8[8])
{
	unsigned t9 = 0;
	unsigned t10 = 0;
	struct p12_S1 loc11[4] = {0};
	unsigned long acc = 0;
	for (int i12 = 0; i12 < n7; ++i12) {
		for (char i13 = i12 + 1; i13 < 13; ++i13) {
			a6[32u % 8].a = ((s5.b ^ a6[acc & 7].c) - 7) * POPCOUNTL((_Bool)a8[i13 & 7]);
		}
	}
	return acc;
}
