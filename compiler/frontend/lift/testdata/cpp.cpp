// Kernels in C++: references, templates, members, namespaces.
#include <cstdint>
#include <cstddef>
namespace ns {
struct V { float x, y; V operator+(V o) const { return {x + o.x, y + o.y}; } float dot(const V &o) const { return x * o.x + y * o.y; } };
template <class T, int N> struct Mat { T d[N][N]; T at(int i, int j) const { return d[i][j]; } T trace() const; };
template <class T, int N> T Mat<T, N>::trace() const { T s = 0; for (int i = 0; i < N; i++) s += d[i][i]; return s; }
enum class E : unsigned char { A, B };
using F = float;
template <class T> T clamp(T v, T lo, T hi) { return v < lo ? lo : v > hi ? hi : v; }
}
struct D : ns::V { int z; };
struct List { List *next; int v; };
template <class T, int N> T total(const T *a) { T s = 0; for (int i = 0; i < N; i++) s += a[i]; return s; }
constexpr int squares[5] = {0, 1, 4, 9, 16};
template int total<int, 8>(const int *);
// run: trace(*16)
float trace(const ns::Mat<float, 4> *m) { return m->trace(); }
// run: addv(&, &)
ns::V addv(ns::V a, ns::V b) { return a + b; }
// run: sums(*8, *8, 8)
float sums(const ns::V *a, ns::V *b, int n) { float s = 0; for (int i = 0; i < n; i++) { b[i] = a[i] + b[i]; s += a[i].dot(b[i]); } return s; }
// run: enums(1, 7)
int enums(ns::E e, unsigned char k) { return e == ns::E::B ? k : k * 2; }
// run: derived(*5, 5)
float derived(D *d, int n) { float s = 0; for (int i = 0; i < n; i++) { s += d[i].x * d[i].z; d[i].y = s; } return s; }
// run: clamped(*8, 8)
void clamped(short *p, int n) { for (short *e = p + n; p != e; ++p) *p = ns::clamp<short>(*p, -5, 5); }
// run: tabled(3)
int tabled(int n) { int s = 0; for (int i = 0; i <= n; i++) s += squares[i]; return s; }
// run: lambda(*8, 8)
int lambda(const int *a, int n) { auto f = [&](int i) { return a[i] * n; }; int s = 0; for (int i = 0; i < n; i++) s += f(i); return s; }
// run: boolean(*8, 8, 1)
bool boolean(const bool *b, int n, bool all) { bool r = all; for (int i = 0; i < n; i++) r = all ? r && b[i] : r || b[i]; return r; }
// run: ranged(*6)
int ranged(const int (*rows)[3]) { int s = 0; for (int i = 0; i < 2; i++) for (int v : rows[i]) s = s * 3 + v; return s; }
struct Ramp { int v[4]; explicit Ramp(int k) { for (int i = 0; i < 4; i++) v[i] = k * i; } };
// run: constructed(*4, 5)
int constructed(const int *a, int k) { static Ramp ramp(k); int s = 0; for (int i = 0; i < 4; i++) s = s * 3 + ramp.v[a[i] & 3]; return s; }
struct Doubled { long v; Doubled(long x) : v(x * 2) {} };
static Doubled doubles[4] = {1, 2, 3, 4};
// run: evaluated(*8, 8)
long evaluated(const long *a, int n) { long s = 0; for (int i = 0; i < n; i++) s = s * 3 + a[i] * doubles[i & 3].v; return s; }
