// level 0 index 64 order serial recent 0
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

struct p10_S2 {
	signed char a;
	int b;
	signed char c;
};
int p10_kernel(int *a3, struct p10_S2 *a4, const struct p10_S2 *a5, struct p10_S2 s7, char n8)
{
	int t9 = 0;
	char t10 = s7.b;
	int32_t t11 = 0;
	char t12 = 0;
	unsigned long acc = 0;
	if (n8 == 0) {
		if (1) {
			{
				int32_t i13;
				for (i13 = 0; i13 < 1; i13++) {
					t11 = a4[0].a;
				}
				t12 = i13;
			}
		}
		for (const int *p14 = a3, *const p14e = a3 + (0); p14 < p14e; ++p14) {
			for (int *p15 = a3, *p16 = a3 + 0; p15 < p16; p15++, p16--) {
				a4[*p16 & 7].c = 0;
				a4[0].a = 0;
			}
		}
		t12 = a4[t10 & 7].c;
		atomic_thread_fence(memory_order_seq_cst);
	}
	acc = t11;
	acc = (acc * 31) + t12;
	return acc;
}
