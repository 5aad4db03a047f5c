// level 0 index 64 order serial recent 0
// inputs {"args": {"a3": [11, -17, 77, -27, 1, 173320015, -23, 56]}}
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

static const uint16_t p18_tab1[4] = {8, 67, 32767, 65523};
static const uint8_t p18_tab2[128] = {200, 24, 106, 200, 12, 71, 243, 31, 73, 226, 253, 48, 220, 120, 99, 245, 126, 236, 244, 109, 44, 54, 59, 1, 242, 3, 242, 138, 52, 218, 234, 22, 96, 6, 97, 255, 127, 8, 116, 1, 70, 81, 52, 82, 238, 78, 13, 23, 228, 206, 24, 4, 255, 80, 127, 18, 228, 102, 45, 67, 45, 252, 55, 255, 226, 56, 108, 39, 250, 134, 235, 136, 255, 126, 66, 77, 120, 238, 59, 14, 238, 62, 112, 104, 41, 12, 87, 242, 208, 197, 50, 223, 52, 231, 42, 29, 198, 24, 36, 53, 14, 238, 26, 17, 244, 196, 132, 130, 211, 210, 237, 237, 127, 123, 2, 99, 131, 84, 198, 204, 89, 68, 127, 55, 94, 215, 67, 128};
signed char p18_kernel(uint32_t a3[8], signed char n4)
{
	unsigned short t5 = a3[0];
	unsigned short t6 = 0;
	unsigned char t7 = 1;
	unsigned char t8 = t5;
	unsigned acc = 0;
	for (int i9 = 0; i9 < 8; i9++) {
		t5 = -t6;
		t6 = (t8 == 0 || t8 == -1 ? 1 : 1 % t8);
	}
	for (int i11 = 5; i11 < 7; ++i11) {
		unsigned *q12 = a3 + 0;
		for (int i13 = 0; i13 < (q12[t5 & 3] & 3); i13++) {
			{
				int i14;
				for (i14 = 0; i14 < 0; i14++) {
				}
				q12[i13] = i14;
			}
		}
		t5 = 0;
	}
	return 0;
}
