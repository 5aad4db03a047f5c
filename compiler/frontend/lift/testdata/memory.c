// Kernels on arrays: pointers of every shape.
#include <stdint.h>
#include <stddef.h>
#include <string.h>

struct pt { int x; float y; };
struct rgb { uint8_t r, g, b; };
struct nest { struct pt a; struct { short u, v; } b; double w; };
struct arr { int n; short v[4]; };
struct same { float m[3]; float k; };
struct odd { char c; int i; char d; double z; };
typedef struct { int64_t first; int last; } pair;
typedef struct { float x, y; } vec2;
typedef struct { double a, b, c; } vec3;
typedef struct { signed char a; short b; int c; unsigned char d[4]; } mix;
union word { int i; float f; uint8_t b[4]; };

// run: vecadd(*20, *20, *20, 20)
void vecadd(const int *restrict a, const int *restrict b, int *restrict c, int n) { for (int i = 0; i < n; i++) c[i] = a[i] + b[i]; }
// run: dot(*16, *16, 16)
// run: dot(*16, *16, 0)
float dot(const float *a, const float *b, int n) { float s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
// run: fir(*40, *5, *32, 32, 5)
void fir(const int *x, const int *h, int *y, int n, int taps) { for (int i = 0; i < n; i++) { int acc = 0; for (int j = 0; j < taps; j++) acc += x[i + j] * h[j]; y[i] = acc; } }
// run: backwards(*20, 20)
int backwards(short *a, int n) { int s = 0; for (int i = n - 1; i >= 0; i--) { s = s * 3 + a[i]; a[i] = s; } return s; }
// run: steps(*40, 39)
long steps(long *a, unsigned n) { long s = 0; for (unsigned i = 1; i < n; i += 3) s += a[i] - a[i - 1] + a[i + 1]; return s; }
// run: walk(*20, *20, 20)
void walk(const int *p, int *q, int n) { while (n--) *q++ = *p++ * 2; }
// run: until(*20, 20)
int until(const char *p, int n) { const char *end = p + n, *s = p; while (p != end && *p != 5) ++p; return (int)(p - s); }
// run: differ(*20, 3, 17)
long differ(int *a, int i, int j) { int *p = a + i, *q = a + j; long d = q - p; a[0] = p < q; a[1] = p == q; a[2] = (char *)q - (char *)p; return d * 10 + (p <= a + 3); }
// run: reverse(*9, 9)
void reverse(int *a, int n) { int *p = a, *q = a + n - 1; while (p < q) { int t = *p; *p++ = *q; *q-- = t; } }
// run: by2(*64, *16, 16)
void by2(const float *a, float *b, int n) { for (int i = 0; i < n; i++, a += 4) b[i] = a[0] + a[1] * a[2] - a[3]; }
// run: matmul(*16, *16, *16)
void matmul(int a[4][4], int b[4][4], int c[4][4]) { for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) { int s = 0; for (int k = 0; k < 4; k++) s += a[i][k] * b[k][j]; c[i][j] = s; } }
// run: rows(*30, 6)
void rows(int (*m)[5], int n) { for (int i = 0; i < n; i++, m++) for (int j = 0; j < 5; j++) (*m)[j] += i * j; }
// run: stencil(*64, *64, 8)
void stencil(float in[][8], float out[][8], int n) { for (int i = 1; i < n - 1; i++) for (int j = 1; j < 7; j++) out[i][j] = in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1] - 4 * in[i][j]; }
// run: stencil64(*64, *64, 8)
void stencil64(float in[][8], float out[][8], size_t n) { for (size_t i = 1; i + 1 < n; i++) for (size_t j = 1; j < 7; j++) out[i][j] = in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1] - 4 * in[i][j]; }
// run: cube(*24, 3)
int cube(int a[][4][2], int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) for (int k = 0; k < 2; k++) { s += a[i][j][k] * (i + j - k); a[i][3 - j][k] = s; } return s; }
// run: flatview(*16)
int flatview(int a[4][4]) { int *p = &a[0][0], s = 0; for (int k = 0; k < 16; k++) s = s * 3 + p[k]; return s; }
// run: rowptr(*16, 2)
int rowptr(int a[4][4], int i) { int *row = a[i]; int s = 0; for (int k = 0; k < 4; k++) { s += row[k]; row[k] = s; } return s; }
// run: corners(*64, *64)
void corners(int in[8][8], int out[8][8]) { for (int r = 1; r < 7; r++) for (int c = 1; c < 7; c++) out[r][c] = in[r - 1][c - 1] + 2 * in[r - 1][c + 1] - in[r + 1][c - 1] * 3 + in[r + 1][c + 1] + out[r - 1][c] - in[r][c]; }
// run: fixedcell(*32, 8)
int fixedcell(int a[][4], int n) { int s = 0; for (int i = 1; i < n; i++) s += a[i][3] - a[i - 1][3] * a[0][2] + a[i - 1][1]; return s; }
typedef struct { int first, last; } limits;
int halves(const int *x, limits l) { int s = x[l.first]; for (int i = l.first; i < l.last; i++) s += x[i]; return s; }
void pair_of_floats(vec2 a, float *x, int n) { for (int i = 0; i < n; i++) x[i] = a.x * x[i] + a.y; }
struct tagged { unsigned a; unsigned b[4]; short c; float d; };
// run: smaller_units(*56, *8, 8)
int smaller_units(const struct tagged *s, const int *a, int n) { int r = 0; for (int i = 0; i < n; i++) { const unsigned *p = a[i] & 1 ? &s[i].b[2] : (const unsigned *)a + i; r = r * 3 + s[*p % 4].c + (int)*p; } return r; }
// run: vla(3, 4, *12)
int vla(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s = s * 3 + a[i][j]; return s; }
// run: points(*10, 10)
int points(struct pt *p, int n) { int s = 0; for (int i = 0; i < n; i++) { s += p[i].x; p[i].y *= 2; p[i].x = s; } return s; }
// run: pointer_to_points(*10, 10)
float pointer_to_points(const struct pt *p, int n) { float s = 0; for (const struct pt *e = p + n; p < e; p++) s += p->y * p->x; return s; }
// run: gray(*9, *9, 9)
void gray(const struct rgb *in, uint8_t *out, int n) { for (int i = 0; i < n; i++) out[i] = (in[i].r * 77 + in[i].g * 150 + in[i].b * 29) >> 8; }
// run: nested(*5, 5)
double nested(struct nest *p, int n) { double s = 0; for (int i = 0; i < n; i++) { s += p[i].a.x * p[i].b.u + p[i].w; p[i].a.y = s; p[i].b.v = i; } return s; }
// run: inner(*5, 5, 2)
int inner(struct arr *p, int n, int k) { int s = 0; for (int i = 0; i < n; i++) { s += p[i].v[k] * p[i].n; p[i].v[(k + i) & 3] = s; } return s; }
// run: constants(*5, 5)
int constants(struct arr *p, int n) { int s = 0; for (int i = 0; i < n; i++) { s += p[i].v[1] * p[i].n - p[i].v[3]; p[i].v[2] = s; } return s; }
// run: samesize(*5, 5, 1)
float samesize(struct same *p, int n, int k) { float s = 0; for (int i = 0; i < n; i++) { s += p[i].m[k] * p[i].k; p[i].m[0] = s; } return s; }
// run: copies(*6, *6, 6)
void copies(struct pt *p, const struct pt *q, int n) { for (int i = 0; i < n; i++) { p[i] = q[n - 1 - i]; p[i].x++; } }
// run: oddcopy(*4, *4, 4)
double oddcopy(struct odd *p, struct odd *q, int n) { double s = 0; for (int i = 0; i < n; i++) { q[i].c = p[i].d; q[i].i = p[i].i; q[i].z = p[i].z; q[i].d = 1; s += p[i].z; } return s; }
// run: sortpts(*12, 12)
void sortpts(struct pt *p, int n) { for (int i = 1; i < n; i++) { struct pt t = p[i]; int j = i; while (j > 0 && p[j - 1].x > t.x) { p[j] = p[j - 1]; j--; } p[j] = t; } }
// run: out(*10, 10, *1, *1)
void out(const int *a, int n, int *lo, int *hi) { *lo = a[0]; *hi = a[0]; for (int i = 1; i < n; i++) { if (a[i] < *lo) *lo = a[i]; if (a[i] > *hi) *hi = a[i]; } }
// run: byval(&, 3)
float byval(struct pt p, int k) { return p.x * k + p.y; }
// run: byval16(&, 3)
int64_t byval16(pair p, int k) { return p.first * k + p.last; }
// run: byvalf(&, &)
float byvalf(vec2 a, vec2 b) { return a.x * b.x + a.y * b.y; }
// run: byval24(&, 2)
double byval24(vec3 a, double k) { double s = 0; a.b += 1; for (int i = 0; i < 3; i++) s += k * a.a + a.b * a.c; return s; }
// run: byvalmix(&, 2)
int byvalmix(mix m, int k) { return m.a + m.b * k + m.c + m.d[1] * 3 - m.d[3]; }
// run: dynmix(&, 2)
int dynmix(mix m, int k) { int s = 0; for (int i = 0; i < 4; i++) s = s * 5 + m.d[i] * k; return s + m.c; }
// run: ret8(3, 2.5)
struct pt ret8(int a, float b) { struct pt p = {a * 2, b * 3}; return p; }
// run: ret16(3, 4)
pair ret16(int a, int b) { pair p; p.first = (int64_t)a << 33; p.last = a - b; return p; }
// run: retf(1.5, 2.5)
vec2 retf(float a, float b) { vec2 v = {a + b, a - b}; return v; }
// run: ret24(*8, 8)
vec3 ret24(const double *a, int n) { vec3 v = {0, 0, 1}; for (int i = 0; i < n; i++) { v.a += a[i]; v.b -= a[i] * i; v.c *= 1.5; } return v; }
// run: retmix(5)
mix retmix(int a) { mix m = {a, a * 2, a * 3, {1, 2, a, 4}}; return m; }
// run: punned(*8, 8)
unsigned punned(const float *f, int n) { unsigned s = 0; for (int i = 0; i < n; i++) { unsigned u; memcpy(&u, &f[i], 4); s = s * 31 + u; } return s; }
// run: bytes(*8, *32)
void bytes(const uint32_t *a, uint8_t *b) { for (int i = 0; i < 8; i++) { b[4 * i] = a[i]; b[4 * i + 1] = a[i] >> 8; b[4 * i + 2] = a[i] >> 16; b[4 * i + 3] = a[i] >> 24; } }
// run: ofbytes(*32, 8)
uint32_t ofbytes(const uint8_t *p, int n) { uint32_t s = 0; for (int i = 0; i < n; i++) { uint32_t w = p[4 * i] | p[4 * i + 1] << 8 | p[4 * i + 2] << 16 | (uint32_t)p[4 * i + 3] << 24; s = s * 33 ^ w; } return s; }
// run: asbytes(*8, 32)
unsigned asbytes(const int *a, int n) { const uint8_t *p = (const uint8_t *)a; unsigned h = 0; for (int i = 0; i < n; i++) h = h * 31 + p[i]; return h + a[1]; }
// run: words(*32, 4)
uint64_t words(const unsigned char *p, int n) { uint64_t h = 1; for (int i = 0; i < n; i++) { uint64_t w; memcpy(&w, p + 8 * i, 8); h = h * 1099511628211u + w; } return h + p[3]; }
// run: unaligned(*40, 5)
unsigned unaligned(const unsigned char *p, int n) { unsigned h = 0; for (int i = 0; i < n; i++) { unsigned w; memcpy(&w, p + 3 * i, 4); h = h * 17 + w; } return h; }
// run: unions(*6, 6)
float unions(union word *w, int n) { float s = 0; for (int i = 0; i < n; i++) { w[i].i += 1 << 20; s += w[i].f; w[i].b[3] ^= 128; } return s; }
// run: voids(*64, 8)
int voids(void *p, int n) { int *a = p, s = 0; for (int i = 0; i < n; i++) { s += a[i]; a[i] = s; } return s; }
// run: bools(*8, 8)
int bools(_Bool *p, int n) { int s = 0; for (int i = 0; i < n; i++) { s += p[i]; p[i] = s & 1; } return s; }
// run: choose(*8, *8, 8, 1)
// run: choose(*8, *8, 8, 0)
int choose(int *a, int *b, int n, int which) { int *p = which ? a : b; int s = 0; for (int i = 0; i < n; i++) { s += p[i]; p[i] = i; } return s; }
// run: pingpong(*8, *8, 8, 3)
void pingpong(float *a, float *b, int n, int rounds) { for (int r = 0; r < rounds; r++) { for (int i = 1; i < n - 1; i++) b[i] = (a[i - 1] + a[i] + a[i + 1]) * 0.5f; float *t = a; a = b; b = t; } }
// run: three(*4, *4, *4, 9)
int three(const int *a, const int *b, const int *c, int n) { int s = 0; for (int i = 0; i < n; i++) { const int *p = i % 3 == 0 ? a : i % 3 == 1 ? b : c; s = s * 3 + p[i & 3]; } return s; }
// run: maybe(*4, 0)
// run: maybe(*4, 2)
int maybe(const int *a, int k) { const int *p = 0; if (k > 1) p = a + k; return p ? *p : -1; }
// run: samerow(*16, 1)
int samerow(int a[4][4], int up) { int *p = up ? a[1] : a[2]; int s = 0; for (int j = 0; j < 4; j++) s = s * 5 + p[j]; return s; }
// run: locals(*16, 16)
int locals(const int *a, int n) { int t[16]; for (int i = 0; i < n; i++) t[i] = a[n - 1 - i]; int s = 0; for (int i = 0; i < n; i++) s = s * 3 + t[i] * i; return s; }
// run: hist(*32, *8, 32)
void hist(const unsigned char *a, int *h, int n) { int t[8] = {0}; for (int i = 0; i < n; i++) t[a[i] & 7]++; for (int i = 0; i < 8; i++) h[i] = t[i]; }
// run: local2d(*16)
int local2d(int a[4][4]) { int t[4][4]; for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) t[j][i] = a[i][j]; int s = 0; for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) s = s * 3 + t[i][j]; return s; }
// run: localpts(*6, 6)
float localpts(const struct pt *p, int n) { struct pt q[6]; for (int i = 0; i < n; i++) { q[i].x = p[n - 1 - i].x; q[i].y = p[i].y; } float s = 0; for (int i = 0; i < n; i++) s += q[i].x * q[i].y; return s; }
static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static const struct { short k; float v; } records[3] = {{1, 0.5f}, {2, 0.25f}, {-3, 4.0f}};
static const float weights[2][3] = {{1, 2, 3}, {4.5f, -1, 0.125f}};
// run: tables(*8, 8)
float tables(const int *a, int n) { float s = 0; for (int i = 0; i < n; i++) s += a[i] * table[i & 7] + records[i % 3].v * records[i % 3].k + weights[i & 1][i % 3]; return s; }
// run: text(*8, 8)
void text(char *out, int n) { for (int i = 0; i < n; i++) out[i] = "loom dfg"[i & 7]; }
int counter = 5;
unsigned short state[4] = {1, 2, 3, 4};
static int hidden;
struct pt origin;
extern const int twice[2];
const int twice[2] = {2, 4};
// run: globals(*8, 8)
int globals(const int *a, int n) { for (int i = 0; i < n; i++) { counter += a[i] * twice[i & 1]; state[i & 3] += counter; hidden ^= a[i]; origin.x += i; } return counter + hidden; }
// run: statics(7)
int statics(int a) { static int calls = 3; static int log[4] = {1, 2}; calls += a; log[calls & 3] = a; return calls + log[0] + log[1] * 2 + log[2] * 3 + log[3] * 4; }
// run: indirect(*16, *8, 8)
int indirect(const int *a, const uint8_t *idx, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[idx[i] & 15]; return s; }
// run: copying(*16, *16, 16)
void copying(int *restrict d, const int *restrict s, int n) { memcpy(d, s, n * sizeof *d); memset(d, 0, 8); }
// run: copystruct(*2)
void copystruct(struct nest *p) { p[1] = p[0]; }
// run: filter(*12, *12, 12)
int filter(const int *a, int *b, int n) { int *q = b; for (int i = 0; i < n; i++) if (a[i] > 0) *q++ = a[i]; return q - b; }
// run: ends(*12, 12)
int ends(int *a, int n) { int *end = a + n; int s = 0; for (int *p = a; p != end; p += 2) s += p[0] - p[1]; return s; }
// run: mixedwidth(*10, 9)
int mixedwidth(const short *a, unsigned char n) { int s = 0; for (unsigned char i = 0; i < n; i++) s += a[i + 1] - a[i]; return s; }
// run: strides(*120, 3, 8)
int strides(const unsigned char *p, int k, int n) { int s = 0; const unsigned char *q = p + (k & ~1); for (int i = 0; i < n; i++, q += 12) s += q[0] * 3 - q[1]; return s; }
// run: half(*16, 7)
int half(const int *a, int n) { const int *p = a + (n & ~3), *q = n > 4 ? a + 2 : a + 6; return p[1] - q[0] + p - q; }
// run: negatives(*24, -1)
int negatives(const short (*a)[3], int n) { const short *p = a[4] + n * 3; return p[2] * 5 + p[-1] + a[5 + n][1]; }
// run: backandforth(*24, 24)
int backandforth(int *a, int n) { int *p = a, s = 0; for (int i = 0; i < n; i++) { s = s * 3 + *p; p = i % 3 == 2 ? p - 1 : p + 1; } return s; }
// run: listscan(*16, 16)
int listscan(const int *next, int n) { int at = 0, s = 0; for (int i = 0; i < n; i++) { s += at; at = (at + next[at] + 20) & 15; } return s; }
// run: mid(*20, 7, 20)
int mid(const int *a, int key, int n) { const int *lo = a, *hi = a + n; while (lo < hi) { const int *m = lo + (hi - lo) / 2; if (*m < key) lo = m + 1; else hi = m; } return lo - a; }
// run: tagged(*10, *10, 10)
int tagged(struct pt *p, struct pt *q, int n) { struct pt *best = p; for (int i = 0; i < n; i++) { if (p[i].x > best->x) best = &p[i]; if (q[i].x > best->x) best = &q[i]; } best->y = 99; return best->x; }
// run: threeway(*6, 6)
int threeway(int *a, int n) { int t[6], *src = a, *dst = t; for (int r = 0; r < 3; r++) { for (int i = 0; i < n; i++) dst[i] = src[n - 1 - i] + r; int *s = src; src = dst; dst = s; } return src[0] + src[n - 1]; }
// run: widths(*8, 8)
long widths(const long *a, unsigned short n) { long s = 0; for (short i = n - 1; i >= 0; i--) s += a[i] << (i & 7); return s; }
// run: reverse(*9, 0)
// run: wideindex(*256, *6, 6)
int wideindex(const int *a, const uint8_t *idx, int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 3 + a[idx[i]]; return s; }
struct duo { int x, y; };
// run: fieldchoice(*4, 0)
// run: fieldchoice(*4, 1)
int fieldchoice(struct duo *p, int up) { int *f = up ? &p[1].x : &p[1].y; int v = *f; *f = 3; return v; }
// run: before(*8, 8)
float before(struct pt *p, long n) { float s = 0; for (long i = 1; i < n; i++) { s += p[i - 1].y; p[i].x += p[i - 1].x; } return s; }
struct block { uint8_t left[16]; uint32_t off; uint16_t h[6]; };
// run: fill_part(*64, 5)
void fill_part(struct block *s, unsigned n) { memset(s->left + n, 7, 16 - n); s->off -= n; }
// run: copy_part(*64, *16, 11)
void copy_part(struct block *s, const uint8_t *from, unsigned n) { memcpy(s[1].left, from, n); s->off += n; }
// run: move_part(*64, 4)
void move_part(struct block *s, unsigned n) { memmove(s->h + 1, s->h, n * sizeof *s->h); s->off = n; }
// A field of the record before the one that a pointer is at.
// run: previous(*12, 12)
float previous(struct pt *a, int n) { float s = 0; for (struct pt *p = a + 1; p < a + n; p++) { s += p[-1].y * p->x; p[-1].x = p->x + 1; } return s; }
// run: behindEnd(*12, *12, 12)
void behindEnd(struct rgb *a, const struct pt *b, long n) { while (n--) { a[n].g = a[n].b + 1; if (n) a[n - 1].b = b[n - 1].x; } }
// A distance in bytes that is chosen: the two are not in the same field.
// run: fieldOfTwo(*4, 1)
// run: fieldOfTwo(*4, 0)
int fieldOfTwo(struct arr *a, int c) { int at = c ? 24 : 4; return *(short *)((char *)a + at) + a[0].v[1]; }
// run: twoFields(*4, 1)
// run: twoFields(*4, 0)
int twoFields(struct arr *a, int c) { int at = c ? 4 : 24; return *(short *)((char *)a + at) + a[0].v[1]; }
// run: odd_fill(*8, 13)
void odd_fill(int *a, unsigned n) { memset(a, 0x5a, n); a[7] ^= a[3]; }
// run: odd_copy(*8, *32, 7, 18)
void odd_copy(unsigned *a, const uint8_t *from, unsigned at, unsigned n) { memcpy((uint8_t *)a + at, from, n); }
