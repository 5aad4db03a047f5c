/* What C's library does, for hardware: every function here is written with operations
   that function units have (sums, products, quotients, comparisons, bits, square root,
   floor, exp, log2, sin, cos). A kernel that calls log or strlen gets the body below in
   place of the call. library.mlir is made of this file; see library.go.

   Each function exists for double and, with f behind its name, for float, where it
   computes with floats alone: a fabric may have no wider ones. */

typedef unsigned long u64;
typedef unsigned int u32;
typedef unsigned char u8;


/* double */
#define T double
#define I long
#define U u64
#define NAME(n) lib_##n
#define B(n) __builtin_##n
#define FRACTION 52
#define BIAS 1023
#define PRECISION 53
#include "math.inc"
#undef T
#undef I
#undef U
#undef NAME
#undef B
#undef FRACTION
#undef BIAS
#undef PRECISION
#undef SIGN
#undef LN2
#undef LOG10_2
#undef HALF_PI
#undef PI
#undef ERF_LIMIT

/* float */
#define T float
#define I int
#define U u32
#define NAME(n) lib_##n##f
#define B(n) __builtin_##n##f
#define FRACTION 23
#define BIAS 127
#define PRECISION 24
#include "math.inc"

/* Strings and characters, in the C locale. */

u64 lib_strlen(const char *s) {
	u64 n = 0;
	while (s[n]) n++;
	return n;
}
u64 lib_strnlen(const char *s, u64 most) {
	u64 n = 0;
	while (n < most && s[n]) n++;
	return n;
}
int lib_strcmp(const char *a, const char *b) {
	u64 i = 0;
	while (a[i] && a[i] == b[i]) i++;
	return (u8)a[i] - (u8)b[i];
}
int lib_strncmp(const char *a, const char *b, u64 n) {
	for (u64 i = 0; i < n; i++) {
		if (a[i] != b[i]) return (u8)a[i] - (u8)b[i];
		if (!a[i]) return 0;
	}
	return 0;
}
int lib_memcmp(const u8 *a, const u8 *b, u64 n) {
	for (u64 i = 0; i < n; i++)
		if (a[i] != b[i]) return a[i] - b[i];
	return 0;
}
char *lib_strcpy(char *to, const char *from) {
	u64 i = 0;
	do to[i] = from[i];
	while (from[i++]);
	return to;
}
char *lib_strncpy(char *to, const char *from, u64 n) {
	u64 i = 0;
	for (; i < n && from[i]; i++) to[i] = from[i];
	for (; i < n; i++) to[i] = 0;
	return to;
}
char *lib_strcat(char *to, const char *from) {
	u64 n = 0, i = 0;
	while (to[n]) n++;
	do to[n + i] = from[i];
	while (from[i++]);
	return to;
}

static int upper(int c) { return (u32)c - 'A' < 26; }
static int lower(int c) { return (u32)c - 'a' < 26; }
static int digit(int c) { return (u32)c - '0' < 10; }
int lib_isupper(int c) { return upper(c); }
int lib_islower(int c) { return lower(c); }
int lib_isdigit(int c) { return digit(c); }
int lib_isalpha(int c) { return upper(c) | lower(c); }
int lib_isalnum(int c) { return upper(c) | lower(c) | digit(c); }
int lib_isxdigit(int c) { return digit(c) | ((u32)(c | 32) - 'a' < 6); }
int lib_isspace(int c) { return (c == ' ') | ((u32)c - '\t' < 5); }
int lib_isblank(int c) { return (c == ' ') | (c == '\t'); }
int lib_isprint(int c) { return (u32)c - 32 < 95; }
int lib_isgraph(int c) { return (u32)c - 33 < 94; }
int lib_iscntrl(int c) { return ((u32)c < 32) | (c == 127); }
int lib_ispunct(int c) { return ((u32)c - 33 < 94) & !(upper(c) | lower(c) | digit(c)); }
int lib_toupper(int c) { return lower(c) ? c - 32 : c; }
int lib_tolower(int c) { return upper(c) ? c + 32 : c; }
