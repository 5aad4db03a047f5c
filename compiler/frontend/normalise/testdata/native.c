/* Functions for the comparison with native code. Every function that starts with t_ is
   normalised, turned back into machine code, and run on the same data as the original. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARGS int n, int *a, int *b, float *x, float *y, double *z, unsigned char *c, long *l
#define KEEP __attribute__((noinline))

typedef float v4 __attribute__((vector_size(16)));
typedef int i4 __attribute__((vector_size(16)));
typedef unsigned char u8v __attribute__((vector_size(8)));
typedef short s8v __attribute__((vector_size(16)));
struct pair { int lo; float hi; };
struct big { int k; double d[3]; char tag; };
struct two { float re, im; };

static KEEP struct two cmul(struct two p, struct two q) {
	struct two r = {p.re * q.re - p.im * q.im, p.re * q.im + p.im * q.re};
	return r;
}
static KEEP struct pair make(int k, float f) { struct pair p = {k, f}; return p; }
static KEEP int usebig(struct big g, int i) { g.k += i; g.d[1] = g.k; return (int)(g.d[i % 3 < 0 ? 0 : i % 3] + g.tag); }
struct mix { double d; long k; };
static KEEP struct mix mixed(int k, float f) { struct mix m = {f * k, k}; if (k & 1) m.k *= 3; return m; }
static KEEP int collatz(int k) { int s = 0; for (; k > 1 && s < 50; s++) k = k & 1 ? 3 * k + 1 : k / 2; return s; }
static KEEP void addto(int *p, int k) { if (k < 0) { *p -= k; return; } *p += k; }

int t_helpers(ARGS) {
	int s = 0;
	for (int i = 0; i < n; i++) { s += collatz(a[i] & 255); addto(&b[i], s); addto(b, collatz(i) - 4); }
	return s;
}
int t_complex(ARGS) {
	struct two acc = {1, 0};
	for (int i = 0; i < n; i++) { struct two w = {x[i], y[i]}; acc = cmul(acc, w); x[i] = acc.re; y[i] = acc.im; }
	return 0;
}
int t_structs(ARGS) {
	int s = 0;
	for (int i = 0; i < n; i++) { struct pair p = make(a[i], x[i]); b[i] = p.lo + (int)p.hi; struct big g = {i, {1, 2, 3}, (char)a[i]}; s += usebig(g, i) + g.k + (int)g.d[1]; struct mix m = mixed(a[i], x[i]); l[i] ^= m.k; z[i] += m.d; }
	return s;
}
int t_vectors(ARGS) {
	v4 s = {0, 0, 0, 0};
	i4 m = {0, 1, 2, 3};
	for (int i = 0; i + 4 <= n; i += 4) {
		v4 p, q; memcpy(&p, x + i, 16); memcpy(&q, y + i, 16);
		s += p * q;
		i4 big = p > q, rb = (big & (i4)p) | (~big & (i4)q); v4 r = (v4)rb;
		memcpy(x + i, &r, 16);
		i4 k; memcpy(&k, a + i, 16);
		k = (k + m) * (i4){3, 5, 7, 9}; k ^= k >> 3; m = __builtin_shufflevector(k, m, 3, 6, 0, 5);
		memcpy(b + i, &k, 16);
		b[i] += k[n & 3];
	}
	x[0] = s[0] + s[1] + s[2] + s[3];
	return m[0] + m[3];
}
int t_bytes(ARGS) {
	for (int i = 0; i + 8 <= n; i += 8) {
		u8v p; memcpy(&p, c + i, 8);
		s8v w = __builtin_convertvector(p, s8v) * 3;
		p = __builtin_convertvector(w >> 1, u8v);
		uint64_t bits; memcpy(&bits, &p, 8);
		l[i / 8] ^= bits;
		memcpy(c + i, &p, 8);
	}
	return 0;
}
int t_masks(ARGS) {
	for (int i = 0; i + 4 <= n; i += 4) {
		i4 k; memcpy(&k, a + i, 16);
		i4 g = k > 7;
		i4 h = (g & k) | (~g & -k);
		if (__builtin_reduce_or(g)) b[i] = __builtin_reduce_max(h);
		b[i + 1] += __builtin_reduce_add(g & h);
	}
	return 0;
}
int t_wide(ARGS) {
	for (int i = 0; i < n; i++) {
		unsigned __int128 p = (unsigned __int128)(unsigned long)l[i] * (unsigned long)(l[0] ^ i * 0x9e3779b97f4a7c15ul);
		__int128 q = (__int128)l[i] * a[i];
		p += (unsigned __int128)q << (a[i] & 127);
		p ^= (unsigned __int128)l[i] << ((i * 16) & 127) ^ (unsigned __int128)p >> ((i * 8) & 127);
		p -= (unsigned __int128)(q >> (b[i] & 127)) ^ p >> 17;
		if (q < (__int128)p) l[i] = (long)(p >> 64); else l[i] = (long)(q >> 61) + (long)p;
		if (p > ((unsigned __int128)3 << 100)) l[i]++;
		if (p == (unsigned __int128)q * 5) l[i]--;
		b[i] += (long)(p >> 101) + (q <= 5) + (q >= -7);
	}
	return 0;
}
int t_overflow(ARGS) {
	int s = 0;
	for (int i = 0; i < n; i++) {
		int k; unsigned u; long m; unsigned long v; short h;
		s += __builtin_add_overflow(a[i], b[i] << 8, &k); b[i] ^= k;
		s += 2 * __builtin_sub_overflow(a[i] << 16, b[i], &k); b[i] ^= k;
		s += 4 * __builtin_mul_overflow(a[i] << 4, b[i], &k); b[i] ^= k;
		s += 8 * __builtin_add_overflow((unsigned)a[i], (unsigned)b[i], &u); b[i] ^= u;
		s += 16 * __builtin_sub_overflow((unsigned)a[i], (unsigned)b[i], &u); b[i] ^= u;
		s += 32 * __builtin_mul_overflow((unsigned)a[i], (unsigned)b[i], &u); b[i] ^= u;
		s += 64 * __builtin_mul_overflow(l[i], (long)a[i] << 20, &m);
		s += 128 * __builtin_mul_overflow((unsigned long)l[i], (unsigned long)a[i], &v); l[i] = m ^ v;
		s += 256 * __builtin_add_overflow((short)a[i], (short)b[i], &h); b[i] += h;
		a[i] = s;
	}
	return s;
}
int t_memory(ARGS) {
	int tmp[64]; float f[20]; struct big g[3], h[3];
	memset(tmp, 0, sizeof tmp);
	memset(f, 0, sizeof f);
	memset(g, 0, sizeof g);
	memcpy(tmp, a, n * sizeof(int));
	memmove(tmp + 1, tmp, n * sizeof(int));
	memcpy(f, x, 5 * sizeof(float));
	g[1].k = n; g[1].d[2] = z[0]; g[2].tag = 7;
	memcpy(h, g, sizeof h);
	h[0] = h[2];
	memset(c, n, n);
	memmove(c, c + 3, n);
	memcpy(&l[1], &z[1], 3 * sizeof(long));
	int s = 0;
	for (int i = 0; i < 64; i++) s = s * 31 + tmp[i];
	for (int i = 0; i < 20; i++) y[i] += f[i];
	for (int i = 0; i < 3; i++) s += h[i].k + h[i].tag + (int)h[i].d[2];
	memcpy(g[1].d, g[2].d, sizeof g[1].d); memcpy(&g[n & 1].d[1], &z[n], 2 * sizeof(double));
	for (int i = 0; i < 3; i++) s += (int)g[i].d[i];
	memset(b, 0xff, n * sizeof(int));
	memset(b + n, 0x11, 4 * sizeof(int));
	return s;
}
int t_moving(ARGS) {
	/* The end of what moves is a pointer that moves itself. */
	int s = 0;
	for (int *last = a; last != a + n; last++) {
		int v = *last;
		memmove(last + 1 - (last - a), a, (last - a) * sizeof(int));
		a[0] = v;
		int *p = v & 1 ? a : b;
		memmove(p + 1, p, n * sizeof(int));
		s = s * 7 + p[n];
	}
	return s;
}
static int table[8]; static const short steps[4] = {1, -2, 3, -4};
int t_globals(ARGS) {
	memcpy(table, a, sizeof table);
	memmove(table + 2, table, 5 * sizeof(int));
	for (int i = 0; i < n; i++) b[i] += table[i & 7] * steps[i & 3];
	return table[7];
}
int t_pun(ARGS) {
	for (int i = 0; i < n; i++) {
		unsigned u; memcpy(&u, &x[i], 4); u ^= 0x80000000u; memcpy(&y[i], &u, 4);
		double d = z[i]; long k; memcpy(&k, &d, sizeof k); l[i] += k >> 52;
		union { float f; unsigned u; unsigned char c[4]; } w; w.f = x[i]; c[i] = w.c[i & 3] ^ (w.u >> 24);
	}
	return 0;
}
int t_math(ARGS) {
	for (int i = 0; i < n; i++) {
		double d = fabs(z[i]) + 0.25, e = d / (d + 1);
		z[i] = sqrt(d) + exp(e) + exp2(e) + expm1(e) + log(d) + log2(d) + log10(d) + log1p(d) + pow(d, e) + sin(d) + cos(d) +
			tan(e) + asin(e) + acos(e) + atan(d) + atan2(d, e) + sinh(e) + cosh(e) + tanh(d) + asinh(d) + acosh(d + 1) +
			atanh(e) + cbrt(d) + erf(e) + hypot(d, e) + fdim(d, 1) + fmod(d, 0.75) + fma(d, e, 1) + copysign(d, -e);
		float f = fabsf(x[i]) + 0.25f, g = f / (f + 1);
		x[i] = sqrtf(f) + expf(g) + logf(f) + powf(f, g) + sinf(f) + cosf(f) + tanf(g) + atan2f(f, g) + tanhf(f) + cbrtf(f) + erff(g) +
			hypotf(f, g) + fdimf(f, 1) + fmodf(f, 0.75f) + fminf(f, g) + fmaxf(f, g) + floorf(f) + ceilf(f) + truncf(f) + roundf(f) +
			rintf(f) + nearbyintf(f) + asinf(g) + acosf(g) + sinhf(g) + coshf(g) + log1pf(f) + expm1f(g) + exp2f(g) + log2f(f);
	}
	return 0;
}
int t_ints(ARGS) {
	int s = 0;
	for (int i = 0; i < n; i++) {
		s += abs(a[i]) + (int)labs(l[i] >> 40) + __builtin_popcount(a[i]) + __builtin_popcountl(l[i]) + __builtin_bswap32(b[i]);
		s += (a[i] ? __builtin_clz(a[i]) + __builtin_ctz(a[i]) : 0) + __builtin_parity(b[i]) + (isnan(x[i]) != 0) + (isinf(y[i]) != 0) + (signbit(x[i]) != 0);
		s += __builtin_expect(a[i] > b[i], 1) + __builtin_ffs(a[i]) + __builtin_clrsb(a[i]);
		b[i] = s;
	}
	return s;
}
int t_rounding(ARGS) {
	for (int i = 0; i < n; i++) l[i] = lround(z[i]) + lrint(z[i] * 3) + lroundf(x[i]) + llrintf(y[i]) + (long)round(z[i] * 2);
	return 0;
}

int t_classes(ARGS) {
	int s = 0;
	float sub; unsigned bits = 0x00001234u; memcpy(&sub, &bits, 4);
	for (int i = 0; i < n; i++) {
		float f = i % 5 == 0 ? x[i] / 0.0f : i % 5 == 1 ? sub * (float)i : i % 5 == 2 ? x[i] * 0.0f : x[i];
		double d = i % 7 == 0 ? z[i] / 0.0 : i % 7 == 1 ? 0.0 / (double)(i - i) : z[i];
		s = s * 3 + (isnan(f) != 0) + 2 * (isinf(f) != 0) + 4 * (isfinite(f) != 0) + 8 * (isnormal(f) != 0) + 16 * (signbit(f) != 0);
		s = s * 3 + (isnan(d) != 0) + 2 * (isinf(d) != 0) + 4 * (isfinite(d) != 0) + 8 * (isnormal(d) != 0) + 16 * (signbit(d) != 0);
		b[i] = s + __builtin_isfpclass(f, 0x0c0) + 2 * __builtin_isfpclass(d, 0x224) + 4 * __builtin_isfpclass(f, 0x18) + 8 * __builtin_isfpclass(d, 0x2);
	}
	return s;
}
#include <ctype.h>
int t_characters(ARGS) {
	int s = 0;
	for (int i = 0; i < n; i++) {
		s = s * 3 + (isalpha(c[i]) != 0) + 2 * (isdigit(c[i]) != 0) + 4 * (isspace(c[i]) != 0) + 8 * (ispunct(c[i]) != 0) + 16 * (isupper(c[i]) != 0);
		s += (isxdigit(c[i]) != 0) + 2 * (isalnum(c[i]) != 0) + 4 * (isprint(c[i]) != 0) + 8 * (iscntrl(c[i]) != 0) + 16 * (isgraph(c[i]) != 0) + 32 * (isblank(c[i] & 63) != 0);
		b[i] = s + toupper(c[i] & 127) + tolower(c[i] & 127);
	}
	return s;
}
int t_strings(ARGS) {
	char p[64], q[64] = {0};
	int k = n & 15;
	for (int i = 0; i < 64; i++) p[i] = i < k ? 'a' + (c[i] & 3) : 0;
	strcpy(q, p);
	q[n & 7] ^= 1;
	strcat(q, "xy");
	b[1] = strcmp(p, q) > 0; b[2] = strncmp(p, q, 3) < 0; b[3] = memcmp(p, q, 16) > 0; b[4] = memcmp(x, y, 40) < 0;
	strncpy(p, q, 20);
	return strlen(q) + strlen(p) * 16;
}
int t_parts(ARGS) {
	for (int i = 0; i < n; i++) {
		int e; double w; float v;
		double m = frexp(z[i], &e); b[i] += e; z[i] = ldexp(m, a[i] & 63) + modf(z[i] * 3, &w) + w + remainder(z[i], 1.5) + nextafter(z[i], 2);
		x[i] = modff(x[i], &v) + 2 * v + scalbnf(y[i], 3) + logbf(x[i] + 99) + remainderf(y[i], 0.75f);
		y[i] = powf(x[i] * x[i], 3) + __builtin_powif(y[i], a[i] & 7) + tgammaf(fabsf(y[i]) + 1) * 0.5f + lgammaf(fabsf(x[i]) + 3) + erfcf(y[i]);
	}
	return 0;
}

int t_heap(ARGS) {
	int *t = malloc(16 * sizeof(int)), *u = calloc(8, sizeof(int));
	memset(t, 0, 16 * sizeof(int));
	for (int i = 0; i < n; i++) { t[a[i] & 15]++; u[i & 7] += t[i & 15]; }
	int m = 0;
	for (int i = 0; i < 16; i++) m = m * 7 + t[i] + u[i / 2];
	free(t);
	return m;
}
