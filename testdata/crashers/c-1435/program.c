// level 2 index 64 order pipelined recent 1
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

int p10_glob1[16] = {13, -41, -1, 31, -34, 2147483647, -52, 43, 112, 128, 58, 3, 50, -2147483647 - 1, 108, 75};
short p10_kernel(int *a2, int n4, const short *restrict a5)
{
	signed char t8 = a5[n4 & 7];
	int acc = 0;
	atomic_thread_fence(memory_order_seq_cst);
	if (a5[n4 & 7]) {
		if (a2[0]) {
			acc = 1;
		}
		atomic_thread_fence(memory_order_release);
	} else {
		for (int i10 = 0; i10 < 1; i10++) {
			if (p10_glob1[0]) {
				atomic_thread_fence(memory_order_acquire);
			}
			if (t8)
				i10++;
		}
	}
	return acc;
}
