// level 1 index 32 order pipelined recent 0
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

signed char p0_kernel(signed char a1[16], const int a2[8], int n3, const unsigned *a4)
{
	unsigned t5 = a4[n3 & 7];
	int t6 = a1[t5 & 15] ^ a1[t5 & 15];
	unsigned long acc = 0;
	unsigned char u7 = (acc & (-2147483647 - 1)) * (t6 << 15);
	unsigned u8 = (a4[u7 & 7] - t6) ^ acc;
	{
		int fuel1 = 3;
		while (fuel1--) {
			for (int i9 = 0; i9 < 2; i9++) {
				for (int i10 = 0; i10 < i9; ++i10) {
					atomic_thread_fence(memory_order_acquire);
					u7 = 1;
				}
				if (1u << (t5 & 31)) {
					__atomic_thread_fence(__ATOMIC_ACQ_REL);
					for (int i12 = 0; i12 < i9; ++i12) {
						a1[i9 * 1] = (t5 > t6) * (3u ^ u7);
						u7 = ~((a2[i9] & a2[i12]) * (acc >> 24));
						u7 = ((acc + 14) + (t5 % 11u)) - u7;
						t6 = n3;
					}
					int u13 = a4[t5 % 8];
				}
			}
			if (((~n3) * (acc ^ t6)))
				break;
		}
	}
	return acc;
}
