// level 2 index 32 order pipelined recent 0
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

struct p15_S1 {
	unsigned a;
	unsigned b;
};
struct p15_S2 {
	int a;
};
static inline unsigned p15_help3(unsigned x4)
{
	return 0;
}
unsigned p15_kernel(struct p15_S1 a6[2][8], struct p15_S2 *restrict a7, struct p15_S1 a8[4][4])
{
	int t10 = 0;
	int loc11[4] = {-2147483647 - 1, 138, 2147483647, 108};
	unsigned long acc = 0;
	for (uint8_t i12 = 0; i12 < 2; ++i12) {
		int32_t u13 = i12 + ((i12 & 5) && loc11[i12]);
		if (a8[i12][0].a) {
		} else {
			for (int i14 = 0; i14 != 1; ++i14) {
				for (char i15 = 0; i15 < (a8[0][0].b & 3); ++i15) {
					loc11[t10 & 3] = 0;
					a8[i14][u13 & 3].b += ((294u + a8[(i15 - 3) & 3][i15].a) / ((i12 & 7) - 9)) | ((a6[5 & 1][i15 * i12].a != t10) && (acc < a7[i15].a));
				}
			}
			atomic_signal_fence(memory_order_seq_cst);
		}
	}
	return acc;
}
