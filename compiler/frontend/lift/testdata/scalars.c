// Kernels on numbers: every operation of integers and floats.
#include <stdint.h>
#include <stdbool.h>
#include <math.h>
#include <stdlib.h>

// run: arith(17, 5)
// run: arith(-1000000, 7)
int arith(int a, int b) { return (a + b) * (a - b) / b + a % b - (a << 3) + (a >> 2) + (a & b) - (a | b) + (a ^ b) + ~a; }
// run: arithu(17, 5)
// run: arithu(-17, 5)
unsigned arithu(unsigned a, unsigned b) { return (a + b) * (a - b) / b + a % b - (a << 3) + (a >> 2) + (a > b) + 2 * (a <= b); }
// run: wide(-123456789012345, 987)
int64_t wide(int64_t a, int32_t b) { return a * b + a / b - (a >> 7) + ((uint64_t)a >> 9) + (a < b ? a : b); }
// run: narrow(-7, 200, -300, 40000)
int narrow(int8_t a, uint8_t b, int16_t c, uint16_t d) { int8_t x = a * b; uint8_t y = c + d; int16_t z = x - y; uint16_t w = (uint16_t)(z * d); return x + 3 * y + 5 * z + 7 * w; }
// run: compares(3, -3, 1.5, 2.5)
// run: compares(-3, -3, 2.5, 2.5)
unsigned compares(int a, int b, float x, float y) {
  unsigned r = 0;
  r = r * 2 + (a < b); r = r * 2 + (a <= b); r = r * 2 + (a > b); r = r * 2 + (a >= b); r = r * 2 + (a == b); r = r * 2 + (a != b);
  r = r * 2 + ((unsigned)a < (unsigned)b); r = r * 2 + ((unsigned)a >= (unsigned)b);
  r = r * 2 + (x < y); r = r * 2 + (x <= y); r = r * 2 + (x > y); r = r * 2 + (x >= y); r = r * 2 + (x == y); r = r * 2 + (x != y); r = r * 2 + !(x < y);
  return r;
}
// run: floats(1.25, -3.5)
float floats(float a, float b) { return (a + b) * (a - b) / b - -a + fabsf(b) + sqrtf(fabsf(a)) + floorf(a) + ceilf(b) + truncf(b) + fminf(a, b) * fmaxf(a, b) + copysignf(a, b); }
// run: doubles(10.75, -2.5)
double doubles(double a, double b) { return fma(a, b, 1.5) + rint(a) + nearbyint(b) + round(a) + floor(b) + ceil(a) + trunc(b) + fabs(b) + sqrt(a) + fmin(a, b) + fmax(a, b) - copysign(a, b); }
// run: casts(1000.75, -77, 250)
double casts(float f, int i, unsigned char u) { return (double)f + (int)f + (unsigned)f + (short)i + (float)i + (double)u + (float)(unsigned)i + (long)f + (unsigned long)f; }
// run: bits(123456789, 1311768467463790320)
int bits(uint32_t a, uint64_t b) {
  return __builtin_popcount(a) + 3 * __builtin_clz(a) + 5 * __builtin_ctz(a) + 7 * __builtin_popcountll(b) + 11 * __builtin_clzll(b) + 13 * __builtin_ctzll(b);
}
// run: high_product(1311768467463790320, -81985529216486895)
uint64_t high_product(uint64_t a, int64_t b) { return (uint64_t)(((unsigned __int128)a * (uint64_t)b) >> 64) ^ (uint64_t)(((__int128)b * (int64_t)a) >> 64); }
// run: swaps(4660, 305419896, 1311768467463790320)
uint64_t swaps(uint16_t a, uint32_t b, uint64_t c) { return __builtin_bswap16(a) + __builtin_bswap32(b) * 3ull + __builtin_bswap64(c) + __builtin_bitreverse32(b) + __builtin_bitreverse8((uint8_t)b); }
// run: rotates(305419896, 9, 1311768467463790320, 77)
// run: rotates(305419896, 0, 1311768467463790320, 64)
uint64_t rotates(uint32_t a, unsigned n, uint64_t b, unsigned m) { return ((a << (n & 31)) | (a >> (-n & 31))) + ((b >> (m & 63)) | (b << (-m & 63))) + __builtin_rotateleft32(a, 5) + __builtin_rotateright64(b, 13); }
// run: saturate(2000000000, 2000000000)
// run: saturate(-2000000000, -2000000000)
// run: saturate(-5, 7)
int saturate(int a, int b) { return __builtin_elementwise_add_sat(a, b) ^ __builtin_elementwise_sub_sat(a, b) ^ (int)__builtin_elementwise_add_sat((unsigned)a, (unsigned)b) ^ (int)__builtin_elementwise_sub_sat((unsigned)a, (unsigned)b); }
// run: saturate8(100, 100)
// run: saturate8(-100, 100)
int saturate8(signed char a, signed char b) { return __builtin_elementwise_add_sat(a, b) + 1000 * __builtin_elementwise_sub_sat(a, b); }
// run: minmax(-5, 7)
int minmax(int a, int b) { unsigned u = a, v = b; return (a < b ? a : b) + 3 * (a > b ? a : b) + (int)(u < v ? u : v) + (int)(u > v ? u : v) + abs(a) + abs(b); }
// run: logic(3, 0)
// run: logic(0, 9)
int logic(int a, int b) { bool p = a > 1 && b < 5, q = a || b; _Bool r = !p ^ q; return p + 2 * q + 4 * r + 8 * (a ? b : 7); }
// run: truth(1, 0)
_Bool truth(_Bool a, _Bool b) { return a && !b; }
// run: classify(3)
// run: classify(100)
// run: classify(-1)
// run: classify(7)
int classify(int a) { switch (a) { case 0: case 3: return 10; case 7: a += 5; case 8: return a; case 100: return -1; case -1: return 77; default: return a * 2; } }
// run: classify64(4294967296)
// run: classify64(1)
int classify64(long a) { switch (a) { case 1: return 3; case 4294967296: return 4; case -9000000000: return 9; case 12: return 11; } return 5; }
// run: classify8(200)
// run: classify8(3)
int classify8(unsigned char a) { switch (a) { case 1: return 3; case 200: return 4; case 3: return 6; case 77: return 9; case 250: return 12; } return 5; }
// run: collatz(27)
int collatz(unsigned n) { int steps = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; steps++; } return steps; }
// run: nested(6)
int nested(int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = i; j < n; j += 2) { if (j == 3) continue; if (i * j > 20) break; s += i * 10 + j; } return s; }
// run: jumps(20)
int jumps(int n) { int s = 0, i = 0; again: if (i >= n) goto out; s += i; i += 3; if (s % 7 == 0) goto again; s ^= i; goto again; out: return s; }
// run: puns(1078530011, 2.75)
unsigned puns(unsigned a, float f) { union { unsigned u; float f; } x, y; x.u = a; y.f = f; x.f = x.f * y.f; return x.u ^ y.u; }
// run: halves(81985529216486895)
unsigned halves(uint64_t a) { union { uint64_t w; struct { uint16_t a, b, c, d; } h; uint8_t b[8]; } x; x.w = a; x.h.b += x.b[1]; x.b[7] ^= x.h.a; return x.h.a + x.h.b * 3 + x.b[7] * 5 + (unsigned)(x.w >> 40); }
// run: fixed(7)
int fixed(int n) { int t[4]; t[0] = n; t[1] = n * n; t[2] = t[0] + t[1]; t[3] = t[2] - t[1]; return t[3] * t[2] + t[1]; }
// run: power(1.5, 5)
double power(double x, int n) { return __builtin_powi(x, n); }
// run: shifts(-1234567, 5)
long shifts(int a, int n) { return ((long)a << n) + (a >> n) + ((unsigned)a >> n) + ((unsigned long)a >> n) + ((short)a << 2); }
// run: swapped(3, 9)
int swapped(int a, int b) { int *p = &a, *q = &b; int t = *p; *p = *q; *q = t; return a * 100 + b; }
// Of a result that is not defined nothing is left.
// run: implied(*10, 10)
int implied(short *a, int n) { if (n > 3) a[0] = 1; else a[1] = 2; }
// run: uninitialised(*10, 10)
unsigned uninitialised(int *a, int n) { unsigned r; for (int i = 0; i < n; i++) a[i]++; return r; }
