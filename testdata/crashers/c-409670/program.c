// level 2 index 32 order pipelined recent 0
// inputs {"args": {"a9.a.1": [-4.875, 6.125, -23, 201.25, 414.5, 15.6875, -5, 36, 352.5, 308, 689, 177.75, 185.25, 33.1875, -225.25, 15.6875], "a9.b": [-4, -24, 67, 50, 78, -29, -22, 36, -22, 17, 52, 59, -10, 0, 1, 35], "a9.c": [-38.875, 12.375, -60.9375, -695, 831, 12.25, -51.375, -249.5, -29.15625, -29.09375, -7.34375, -22.78125, 10.15625, 59.375, -204, -496], "n10": 7, "n12": 693}}
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

struct p20_S1 {
	float a[2];
	unsigned long b;
	float c;
};
struct p20_S2 {
	float a;
	int b;
	signed char c;
};
static const size_t p20_tab3[4] = {43ul, 55ul, 18446744073709551570ul, 60ul};
static const float p20_tab4[8] = {-48.3125f, 1858.0f, 1648.0f, 2531.0f, 206.25f, 20.5f, 94.25f, -3.3e7f};
static unsigned p20_help5(float x6)
{
	return p20_tab3[(12ul + p20_tab3[((291ul == (-27)) && p20_tab3[0]) & 3]) & 3] + (((373.0f == p20_tab4[(p20_tab3[((p20_tab3[3] > p20_tab3[5 & 3]) || 3) & 3] + 280ul) & 7]) && (p20_tab3[p20_tab3[2147483647 & 3] % 4] != p20_tab3[(p20_tab3[3] + p20_tab3[p20_tab3[3] & 3]) % 4])) > MAX(p20_tab3[(!5) & 3], 127));
}
signed char p20_kernel(struct p20_S1 a9[16], int32_t n10, const float a11[16], float n12)
{
	int t13 = (-1) - n10;
	float t14 = (signed char)to_intf(602.0f);
	unsigned short t15 = to_intf(t14);
	unsigned long acc = 0;
	t15 |= CLZ(t15 | a9[(n10 * 1) & 15].b);
	for (int i16 = 0; i16 < n10; i16 += 4) {
		a9[n10 & 15].c /= (((float)1) + a9[i16].c) + ((173.0f * n12) == MIN(a9[7].c, a9[acc & 15].a[7 & 1]));
	}
	uint64_t u21 = to_ulong(((float)t15) * 261.5f);
	for (unsigned int i22 = 2; i22-- > n10; ) {
		if ((n10 - u21) <= ((unsigned)t15)) {
			n12 *= ((n12 * p20_tab4[(i22 ^ 1) & 7]) / ((-380.0f) + 2032.0f)) * ((float)((t13 != a9[(n10 ^ 2) & 15].b) || (t15 == acc)));
		}
	}
	acc = (acc * 31) + ((int)to_intf(n12));
	return acc;
}
