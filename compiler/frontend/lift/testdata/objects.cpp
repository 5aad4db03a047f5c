// Local objects with arrays, of which subscripts are known at run time alone, and with numbers beside these.
#include <stdint.h>
#include <string.h>

template <typename T, int N> struct Window {
  T v[N] = {};
  int at = 0;
  T push(T x) { T old = v[at]; v[at] = x; at = at + 1 == N ? 0 : at + 1; return old; }
};
struct Fir { int pos; int z[8]; short gain; };
struct Queue { uint8_t buf[64]; unsigned head, tail, dropped; };
struct Stats { int count[16]; int least, most; int64_t sum; };
struct Twice { int a[4]; int between; int b[4]; int behind; };
struct Rows { float rows[4][4]; float scale; };
struct Inner { int n; short s[6]; };
struct Outer { Inner in[3]; Inner last; int n; };
typedef int word __attribute__((may_alias, aligned(1)));
typedef int64_t wide __attribute__((may_alias, aligned(4)));
union Bits { int i; uint8_t b[4]; };
struct Message { int length; int data[1]; };
struct Mixed { Bits bits; int k; };

extern "C" {
// run: window(*20, *20, 20)
void window(const int *x, int *y, int n) { Window<int, 4> w; int sum = 0; for (int i = 0; i < n; i++) { sum += x[i] - w.push(x[i]); y[i] = sum / 4; } }
// run: bytes(*20, *20, 20)
void bytes(const uint8_t *x, uint8_t *y, int n) { Window<uint8_t, 5> w; for (int i = 0; i < n; i++) y[i] = w.push(x[i]) + w.at; }
// run: fir(*20, *20, 20)
void fir(const int *x, int *y, int n) { Fir f{}; f.gain = 3; for (int i = 0; i < n; i++) { f.z[f.pos] = x[i]; int s = 0; for (int t = 0; t < 8; t++) s += (t + 1) * f.z[(f.pos - t) & 7]; f.pos = (f.pos + 1) & 7; y[i] = s * f.gain; } }
// run: behind(*20, *20, 20)
void behind(const int *x, int *y, int n) { Fir f{}; for (int i = 0; i < n; i++) { f.z[i & 7] = x[i]; y[i] = f.z[((i + 5) & 7) ^ 1] + f.pos; if (i > 0) f.pos += f.z[(i & 7) ? (i & 7) - 1 : 7]; } }
// run: queue(*20, *20, 20)
int queue(const uint8_t *in, uint8_t *out, int n) {
  Queue q; q.head = q.tail = q.dropped = 0; int o = 0;
  for (int i = 0; i < n; i++) {
    unsigned next = (q.head + 1) & 63; if (next == q.tail) q.dropped++; else { q.buf[q.head] = in[i]; q.head = next; }
    if (i & 1 && q.tail != q.head) { out[o++] = q.buf[q.tail]; q.tail = (q.tail + 1) & 63; }
  }
  return o + 100 * (int)q.dropped;
}
// run: stats(*20, 20, *16)
int64_t stats(const int *x, int n, int *out) {
  Stats s; s.least = 1 << 30; s.most = -s.least; s.sum = 0;
  for (int i = 0; i < 16; i++) s.count[i] = 0;
  for (int i = 0; i < n; i++) { int v = x[i]; s.count[v & 15]++; if (v < s.least) s.least = v; if (v > s.most) s.most = v; s.sum += v; }
  for (int i = 0; i < 16; i++) out[i] = s.count[i];
  return s.most - s.least + s.sum * 1000;
}
// run: twice(*20, *20, 20)
void twice(const int *x, int *y, int n) {
  Twice t{}, u; u = t;
  for (int i = 0; i < n; i++) { t.a[i & 3] = x[i]; t.b[3 - (i & 3)] += x[i]; t.between += t.a[(i >> 1) & 3]; t.behind ^= t.b[i & 3]; y[i] = t.between + t.behind; if (i == 7) u = t; }
  y[0] = u.between; y[1] = u.behind; y[2] = u.a[n & 3]; y[3] = u.b[n & 3];
}
// run: rows(*16, 3)
float rows(const float *x, int k) { Rows r; r.scale = 2; for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) r.rows[i][j] = x[4 * j + i]; float s = 0; for (int j = 0; j < 4; j++) { s += r.rows[k][j] * r.scale; r.scale += 1; } return s; }
// run: rowwise(*16, 3)
float rowwise(const float *x, int k) { Rows r; r.scale = 2; float (*p)[4] = r.rows; for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) p[i][j] = x[4 * j + i]; float s = 0; for (int j = 0; j < k; j++) { s += p[j][k - j] * r.scale; r.scale += p[k][j]; } return s; }
// run: outer(*20, 20)
int outer(const short *x, int n) { Outer o{}; for (int i = 0; i < n; i++) { Inner &in = o.in[i % 3]; in.s[in.n % 6] = x[i]; in.n++; o.last.s[i % 6] = in.s[0]; o.last.n += in.n; o.n ^= o.last.s[(i + 1) % 6]; } return o.n * 1000 + o.last.n + o.in[n % 3].n; }
// A pointer to the array leaves it nowhere, and one to the object goes through all of it.
// run: decays(*20, 20)
int decays(const int *x, int n) { Fir f; f.pos = 1; f.gain = 2; int *p = f.z; for (int i = 0; i < 8; i++) p[i] = x[i]; int s = 0; for (int i = 0; i < n; i++) { f.pos = f.pos * 3 & 7; s += p[f.pos] * f.gain; f.gain ^= 1; } return s; }
// run: through(*20, 20)
int through(const int *x, int n) { Fir f; memset(&f, 0, sizeof f); for (int i = 0; i < 8; i++) f.z[i] = x[i]; f.pos = n; const int *p = (const int *)&f; int s = 0; for (int i = 0; i < 9; i++) s = s * 7 + p[i]; return s; }
// run: copied(*20, *9, 20)
int copied(const int *x, int *y, int n) { Fir f{}; for (int i = 0; i < n; i++) { f.z[(i * 5) & 7] += x[i]; f.pos += i; } int w[9]; memcpy(w, &f, sizeof w); for (int i = 0; i < 9; i++) y[i] = w[i]; return f.pos; }
// run: straddles(*20, 20)
int64_t straddles(const int *x, int n) { Twice t{}; for (int i = 0; i < n; i++) { t.a[i & 3] += x[i]; t.between++; } return *(const wide *)&t.a[3] + t.between; }
// Arrays whose subscripts have bounds that are known otherwise.
// run: filled(*20, 20)
int filled(const int *x, int n) { Fir f; f.pos = n; f.gain = 3; int *p = f.z; for (int i = 0; i < 8; i++) p[i] = x[i]; return f.z[7] * 100 + f.z[0] + f.pos * f.gain; }
// run: strided(*20, 20)
int strided(const int *x, int n) { Fir f; f.pos = n; f.gain = 3; f.z[3] = f.z[6] = n; int *p = f.z; for (int i = 0; i < 8; i += 3) p[i] += x[i]; return f.z[3] * 100 + f.z[6] + f.pos * f.gain; }
// run: masked(*20, 20)
int masked(const int *x, int n) { Fir f; f.pos = n; f.gain = 3; f.z[3] = f.z[1] = n; int *p = f.z; for (int i = 0; i < n; i++) { p[i & 3] = x[i]; f.pos ^= p[x[i] & 1]; } return f.z[3] * 100 + f.z[1] + f.pos * f.gain; }
// run: remains(*20, 20)
int remains(const int *x, int n) { Fir f; f.pos = n; f.gain = 3; f.z[4] = f.z[1] = n; int *p = f.z; for (int i = 0; i < n; i++) { p[(unsigned)i % 5] = x[i]; f.pos ^= p[(unsigned)x[i] % 2]; } return f.z[4] * 100 + f.z[1] + f.pos * f.gain; }
// run: bits(*20, 20)
int bits(const int *x, int n) { Mixed m; m.k = 0; int s = 0; for (int i = 0; i < n; i++) { m.bits.i = x[i]; m.k += m.bits.b[i & 3]; s ^= m.bits.i; } return s + m.k; }
// run: passed(*20, 20)
int passed(const int *x, int n) { Window<int, 8> w, v; for (int i = 0; i < n; i++) { Window<int, 8> *p = x[i] & 1 ? &w : &v; p->push(x[i]); } return w.at * 100 + v.at + w.v[2] + v.v[1]; }
// Objects of the caller, and those that stay from run to run.
// run: state(*1, *20, *20, 20)
void state(Fir *f, const int *x, int *y, int n) { for (int i = 0; i < n; i++) { f->z[f->pos & 7] = x[i]; int s = f->gain; for (int t = 0; t < 8; t++) s += (t + 1) * f->z[(f->pos - t) & 7]; f->pos = (f->pos + 1) & 7; y[i] = s; } }
// run: put(*1, *20, 20)
int put(Queue *q, const uint8_t *in, int n) { int full = 0; for (int i = 0; i < n; i++) { unsigned next = (q->head + 1) & 63; if (next == (q->tail & 63)) { q->dropped++; full++; } else { q->buf[q->head & 63] = in[i]; q->head = next; } } return full; }
// run: kept(*20, 20)
int kept(const uint8_t *in, int n) { static Queue q; for (int i = 0; i < n; i++) { q.buf[q.head & 63] = in[i]; q.head += 3; q.dropped += q.buf[q.tail & 63]; q.tail ^= q.head; } return q.dropped * 100 + q.head; }
// run: rowsof(*1, *16, 2)
float rowsof(Rows *r, const float *x, int k) { for (int i = 0; i < 4; i++) { r->rows[k][i] += x[i] * r->scale; r->scale += r->rows[i][k]; } return r->scale; }
// run: nest(*1, *20, 20)
int nest(Outer *o, const short *x, int n) { int s = 0; for (int i = 0; i < n; i++) { Inner &in = o->in[i % 3]; in.s[i % 6] += x[i]; in.n ^= i; o->last.s[(i + 1) % 6] = in.s[0]; o->last.n += in.n; s += o->last.s[2]; } o->n = s; return s; }
// run: second(*3, 20)
int second(Twice *t, int n) { int s = 0; for (int i = 0; i < n; i++) { t[1].a[i & 3] += i; t[1].between ^= t[1].b[i & 3]; s += t[1].a[3 - (i & 3)]; } return s; }
// run: any(*3, 2)
int any(Twice *t, int n) { int s = 0; for (int i = 0; i < n; i++) { for (int k = 0; k < 4; k++) s += t[i].a[k] - t[i].b[k]; t[i].between = s; } return s; }
// run: straight(*1, 20)
int straight(Twice *t, int n) { for (int i = 0; i < n; i++) { t->a[i & 3] += t->b[1]; t->behind += t->a[2]; t->b[0] ^= i; } return t->behind; }
// run: whole(*1, 20)
int64_t whole(Twice *t, int n) { for (int i = 0; i < n; i++) { t->a[i & 3] += i; t->between++; } return *(const wide *)&t->a[3]; }
// run: bytewise(*1, 20)
int bytewise(Queue *q, int n) { int s = 0; for (int i = 0; i < n; i++) { s += *(const word *)&q->buf[i & 7]; q->dropped += s; } return s; }
// run: together(*1, 20)
int64_t together(Queue *q, int n) { int64_t s = 0; for (int i = 0; i < n; i++) { q->buf[i & 7] += i; s += *(const wide *)&q->head; } return s; }
// run: message(*3, 5)
int message(Message *m, int n) { int s = 0; for (int i = 0; i < n; i++) { m->data[i] += i; s += m->data[i]; } m->length = n; return s; }
// run: mixture(*1, 20)
int mixture(Mixed *m, int n) { int s = 0; for (int i = 0; i < n; i++) { m->bits.b[i & 3] += i; s += m->bits.i ^ m->k++; } return s; }
}
