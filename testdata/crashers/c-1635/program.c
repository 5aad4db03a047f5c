// level 1 index 64 order serial recent 0
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

static const ptrdiff_t p10_tab1[16] = {20L, 17L, 33L, -9223372036854775807L - 1, -21L, 105L, -22L, -12L, 45L, 45L, 75L, 56L, 65L, 139L, 38L, 123L};
long p10_glob2[8] = {135L, 18L, 78L, 95L, 16L, 1L, -45L, 61L};
int p10_glob3[8] = {8, 49, -16, -26, 23, 58, 2, 67};
void p10_kernel(long a5[8])
{
	int acc = 0;
	acc = 0 ^ p10_tab1[0];
	for (int i13 = 0; i13 <= 1; i13++) {
		for (int i14 = 0; i14 < i13; i14++) {
			for (int i15 = 0; i15 < 3; i15++) {
				if (acc != 0) {
					acc = 0;
				} else {
					p10_glob3[0] = 0;
				}
			}
		}
	}
}
