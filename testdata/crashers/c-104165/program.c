// level 1 index 32 order serial recent 0
// inputs {"args": {"a18": [-11, -1, -2703, -16679, 3, 0, 18, 0, -36, -1, -4, 0, 16384, -15689, -1, 32767, 6796, 22824, -24321, -26464, 7702, 14583, 1, 0, 32767, 0, -32768, 17378, 6, 0, -29399, 8860, 0, 0, -1, -1, 28, 0, -32768, 0, 0, 16787, -6408, -2904, 60, 0, 405, 31526, -4, -1, -13716, -13699, 1, 0, 0, -16088, 0, -32768, 965, 4796, 4545, 2742, 75, 0, 1, 0, 1, 0, 0, -15828, 17, 0, 11, 0, 67, 0, -1, -1, -1, -1, -26, 0, -32768, 17075, 48, 0, 60, 0, 0, -32768, 69, 0, -21377, 15596, 64, 0, -32768, -15689, 26, 0, -9, -1, 32270, -19130, -13, -1, -1, -1, 22372, 0, -16384, -15667], "a19": [-1, -11, -8, -10, 56, 33, 1742018135, 62]}}
#include <math.h>
#include <stdbool.h>
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
	unsigned b[4];
	short c;
	float d;
};
unsigned p15_kernel(const struct p15_S1 a18[8], int *a19)
{
	unsigned t21 = a18[2].b[5 & 3] ? a18[0].a : a19[1];
	short t22 = a18[t21 % 8].c;
	unsigned acc = 0;
	acc = t22;
	return acc;
}
