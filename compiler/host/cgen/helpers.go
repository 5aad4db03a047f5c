package cgen

import "strings"

// helper is a C function that generated code calls where an operation is more than an
// expression. What C leaves undefined has the value that package num documents.
type helper struct {
	needs []string // other helpers, and headers as "<x.h>"
	text  string
}

var helpers = map[string]helper{
	"loom_fence": {text: `#if defined(__GNUC__)
#define loom_fence() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#include <stdatomic.h>
#define loom_fence() atomic_thread_fence(memory_order_seq_cst)
#endif`},
	"loom_sext": {text: `static int64_t loom_sext(uint64_t v, unsigned width)
{
    uint64_t sign = UINT64_C(1) << (width - 1u);
    return (int64_t)((v ^ sign) - sign);
}`},
	"loom_divu": {text: `static uint64_t loom_divu(uint64_t a, uint64_t b)
{
    return b == 0u ? UINT64_MAX : a / b;
}`},
	"loom_remu": {text: `static uint64_t loom_remu(uint64_t a, uint64_t b)
{
    return b == 0u ? a : a % b;
}`},
	"loom_divs": {text: `static int64_t loom_divs(int64_t a, int64_t b)
{
    return b == 0 ? -1 : b == -1 ? (int64_t)(0u - (uint64_t)a) : a / b;
}`},
	"loom_rems": {text: `static int64_t loom_rems(int64_t a, int64_t b)
{
    return b == 0 ? a : b == -1 ? 0 : a % b;
}`},
	"loom_ceildivu": {text: `static uint64_t loom_ceildivu(uint64_t a, uint64_t b)
{
    return b == 0u ? UINT64_MAX : a / b + (a % b != 0u);
}`},
	"loom_ceildivs": {needs: []string{"loom_divs", "loom_rems"}, text: `static int64_t loom_ceildivs(int64_t a, int64_t b)
{
    return loom_divs(a, b) + (b != 0 && loom_rems(a, b) != 0 && (a < 0) == (b < 0));
}`},
	"loom_floordivs": {needs: []string{"loom_divs", "loom_rems"}, text: `static int64_t loom_floordivs(int64_t a, int64_t b)
{
    return loom_divs(a, b) - (b != 0 && loom_rems(a, b) != 0 && (a < 0) != (b < 0));
}`},
	"loom_pows": {text: `static uint64_t loom_pows(int64_t base, int64_t exponent)
{
    uint64_t r = 1u, a = (uint64_t)base;
    if (exponent < 0)
        return base == 1 || (base == -1 && exponent % 2 == 0) ? 1u : base == -1 ? (uint64_t)-1 : 0u;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 != 0)
            r *= a;
        a *= a;
    }
    return r;
}`},
	"loom_ctpop": {text: `static unsigned loom_ctpop(uint64_t v)
{
    unsigned n = 0;
    for (; v != 0u; v &= v - 1u)
        n++;
    return n;
}`},
	"loom_ctlz": {text: `static unsigned loom_ctlz(uint64_t v, unsigned width)
{
    unsigned n = width;
    for (; v != 0u; v >>= 1)
        n--;
    return n;
}`},
	"loom_cttz": {text: `static unsigned loom_cttz(uint64_t v, unsigned width)
{
    unsigned n = 0;
    for (; n < width && (v & 1u) == 0u; v >>= 1)
        n++;
    return n;
}`},
	"loom_bitreverse": {text: `static uint64_t loom_bitreverse(uint64_t v, unsigned width)
{
    uint64_t r = 0;
    for (; width > 0u; width--, v >>= 1)
        r = r << 1 | (v & 1u);
    return r;
}`},
	"loom_mulhu": {text: `static uint64_t loom_mulhu(uint64_t a, uint64_t b)
{
    uint64_t al = a & UINT32_MAX, ah = a >> 32, bl = b & UINT32_MAX, bh = b >> 32;
    uint64_t mid = ah * bl + (al * bl >> 32);
    uint64_t low = al * bh + (mid & UINT32_MAX);
    return ah * bh + (mid >> 32) + (low >> 32);
}`},
	"loom_mulhs": {needs: []string{"loom_mulhu"}, text: `static uint64_t loom_mulhs(uint64_t a, uint64_t b)
{
    return loom_mulhu(a, b) - (a >> 63 != 0u ? b : 0u) - (b >> 63 != 0u ? a : 0u);
}`},
	"loom_mulext": {needs: []string{"loom_mulhu", "loom_mulhs"}, text: `static uint64_t loom_mulext(uint64_t a, uint64_t b, unsigned width, int is_signed)
{
    uint64_t high = is_signed ? loom_mulhs(a, b) : loom_mulhu(a, b);
    return width == 64u ? high : high << (64u - width) | a * b >> width;
}`},
	"loom_f32_bits": {needs: []string{"<string.h>"}, text: `static uint32_t loom_f32_bits(float x)
{
    uint32_t v;
    memcpy(&v, &x, sizeof v);
    return v;
}`},
	"loom_f64_bits": {needs: []string{"<string.h>"}, text: `static uint64_t loom_f64_bits(double x)
{
    uint64_t v;
    memcpy(&v, &x, sizeof v);
    return v;
}`},
	"loom_bits_f32": {needs: []string{"<string.h>"}, text: `static float loom_bits_f32(uint32_t v)
{
    float x;
    memcpy(&x, &v, sizeof x);
    return x;
}`},
	"loom_bits_f64": {needs: []string{"<string.h>"}, text: `static double loom_bits_f64(uint64_t v)
{
    double x;
    memcpy(&x, &v, sizeof x);
    return x;
}`},
	"loom_fminimum": {needs: []string{"loom_f64_bits"}, text: `static double loom_fminimum(double a, double b)
{
    if (a != a || b != b)
        return a != a ? a : b;
    return a < b || (a == b && loom_f64_bits(a) >> 63 != 0u) ? a : b;
}`},
	"loom_fmaximum": {needs: []string{"loom_f64_bits"}, text: `static double loom_fmaximum(double a, double b)
{
    if (a != a || b != b)
        return a != a ? a : b;
    return a > b || (a == b && loom_f64_bits(a) >> 63 == 0u) ? a : b;
}`},
	"loom_fminnum": {needs: []string{"loom_fminimum"}, text: `static double loom_fminnum(double a, double b)
{
    return a != a ? b : b != b ? a : loom_fminimum(a, b);
}`},
	"loom_fmaxnum": {needs: []string{"loom_fmaximum"}, text: `static double loom_fmaxnum(double a, double b)
{
    return a != a ? b : b != b ? a : loom_fmaximum(a, b);
}`},
	"loom_fptosi": {needs: []string{"<math.h>"}, text: `static uint64_t loom_fptosi(double x, unsigned width)
{
    double high = ldexp(1.0, (int)width - 1);
    if (x != x)
        return 0u;
    if (x <= -high)
        return UINT64_C(1) << (width - 1u);
    if (x >= high)
        return (UINT64_C(1) << (width - 1u)) - 1u;
    return (uint64_t)(int64_t)x;
}`},
	"loom_fptoui": {needs: []string{"<math.h>"}, text: `static uint64_t loom_fptoui(double x, unsigned width)
{
    if (!(x >= 1.0))
        return 0u;
    if (x >= ldexp(1.0, (int)width))
        return UINT64_MAX;
    return (uint64_t)x;
}`},
}

// need marks a helper or a header as used.
func (u *Unit) need(name string) {
	if strings.HasPrefix(name, "<") {
		u.headers[name] = true
		return
	}
	if u.wanted[name] {
		return
	}
	h, ok := helpers[name]
	if !ok {
		panic("cgen: no helper " + name)
	}
	for _, n := range h.needs {
		u.need(n)
	}
	u.wanted[name] = true
	u.helpers = append(u.helpers, h.text)
}
