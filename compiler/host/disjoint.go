package host

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/analysis/extent"
	"loom/compiler/host/cgen"
	"loom/compiler/ir"
	"loom/compiler/mapping"
)

// Disjoint is a second image of a kernel whose parameters may overlap: of the graph that they have when no two of
// them do. Each run takes it where the arrays of which one is written share no byte, as far as that is known from
// their addresses, the extents that the kernel accesses, and the sizes that the program tells the driver.
type Disjoint struct {
	Binding *mapping.Binding
	// ConfigHeader is the file name of its config.h, OwnPrefix what names there begin with, Prefix what
	// they begin with in the kernel's other one.
	ConfigHeader, OwnPrefix, Prefix string
	// Function is the kernel with its attribute of parameters that may overlap, and Extents the elements of
	// each that a run touches.
	Function *ir.Operation
	Extents  *extent.Extents
}

// choose writes the function that names the arguments of a run on one of two images.
func (w *writer) choose(params []cgen.Param, head, args string) error {
	d := w.p.Disjoint
	pairs, err := d.Extents.Pairs(d.Function)
	if err != nil {
		return err
	}
	names := map[int]string{}
	for _, q := range params {
		if q.Result < 0 && q.Dim < 0 {
			names[q.Arg] = q.Name
		}
	}
	var arrays []int
	for _, p := range pairs {
		arrays = append(arrays, p[0], p[1])
	}
	slices.Sort(arrays)
	arrays = slices.Compact(arrays)
	code, ranges := w.used(arrays)
	w.helpers(code)
	w.line("/* Whether no two arrays of which one is written share a byte, as far as that is known. */")
	w.line("static int loom_disjoint(%s)", head)
	w.line("{")
	for n, i := range code {
		w.line("    const loom_range loom_r%d = %s;", n, w.expression(i, names))
	}
	entry := d.Function.Regions[0].Entry()
	for _, k := range arrays {
		t := entry.Args[k].Type.(*ir.MemRefType)
		at := "loom_no_range"
		if n, ok := t.NumElements(); ranges[k] >= 0 {
			at = fmt.Sprintf("loom_r%d", ranges[k])
		} else if ok {
			at = fmt.Sprintf("loom_const(0, %d)", n-1)
		}
		w.line("    const loom_range loom_s%d = loom_span(dev, %s, %s, %d);", k, names[k], at, cgen.ElemBytes(t.Elem, w.p.IndexWidth))
	}
	w.line("")
	for _, q := range params {
		if q.Result < 0 && !w.reads(code, arrays, q) {
			w.line("    (void)%s;", q.Name)
		}
	}
	tests := make([]string, len(pairs))
	for n, p := range pairs {
		tests[n] = fmt.Sprintf("loom_apart(loom_s%d, loom_s%d)", p[0], p[1])
	}
	w.line("    return %s;", strings.Join(tests, " && "))
	w.line("}")
	w.line("")
	w.line("/* Names the arguments of a run, on the image for disjoint arrays where they are. */")
	w.line("static void loom_setup(%s)", head)
	w.line("{")
	w.line("    if (loom_disjoint(%s))", args)
	w.line("        loom_disjoint_image_setup(%s);", args)
	w.line("    else")
	w.line("        loom_image_setup(%s);", args)
	w.line("}")
	w.line("")
	return nil
}

// used is the code for the extents of some arrays, numbered anew, with the number of each array's range.
func (w *writer) used(arrays []int) (code extent.Code, ranges map[int]int) {
	e := w.p.Disjoint.Extents
	need := make([]bool, len(e.Code))
	for _, k := range arrays {
		if at := e.Arrays[k].Range; at >= 0 {
			need[at] = true
		}
	}
	for n := len(e.Code) - 1; n >= 0; n-- {
		for _, at := range e.Code[n].Reads() {
			need[at] = need[at] || need[n]
		}
	}
	at := make([]int, len(e.Code))
	for n, i := range e.Code {
		if need[n] {
			at[n] = len(code)
			code = append(code, i.Renumbered(at))
		}
	}
	ranges = map[int]int{}
	for _, k := range arrays {
		if ranges[k] = e.Arrays[k].Range; ranges[k] >= 0 {
			ranges[k] = at[ranges[k]]
		}
	}
	return code, ranges
}

// reads reports whether the check reads a parameter.
func (w *writer) reads(code extent.Code, arrays []int, q cgen.Param) bool {
	if q.Dim >= 0 {
		return false
	}
	if slices.Contains(arrays, q.Arg) {
		return true
	}
	return slices.ContainsFunc(code, func(i extent.Inst) bool { return i.Op == extent.Param && int(i.Lo) == q.Arg })
}

// expression is an instruction in C.
func (w *writer) expression(i extent.Inst, names map[int]string) string {
	if i.Op == extent.Param {
		v := fmt.Sprintf("(uint64_t)%s", names[int(i.Lo)])
		if i.Hi < 64 { // with sign
			sign := uint64(1) << (i.Hi - 1)
			v = fmt.Sprintf("((%s & UINT64_C(0x%x)) ^ UINT64_C(0x%x)) - UINT64_C(0x%[3]x)", v, sign<<1-1, sign)
		}
		return fmt.Sprintf("loom_param(%s)", v)
	}
	var args []string
	for _, at := range i.Reads() {
		args = append(args, fmt.Sprintf("loom_r%d", at))
	}
	switch i.Op {
	case extent.Const, extent.Inside:
		args = append(args, number(i.Lo), number(i.Hi))
	case extent.Shift, extent.Div, extent.Below, extent.Except, extent.Trips:
		args = append(args, number(i.Lo))
	case extent.Upto, extent.Downto:
		args = append(args, number(i.Lo), number(i.Hi))
	}
	return fmt.Sprintf("loom_%s(%s)", i.Op, strings.Join(args, ", "))
}

func number(n int64) string { return fmt.Sprintf("INT64_C(%d)", n) }

// body is what a helper computes, lo and hi, from intervals that are known.
type body struct {
	op            extent.Op
	params, lines string
}

var bodies = []body{
	{extent.Add, "loom_range a, loom_range b", "lo = a.lo + b.lo; hi = a.hi + b.hi;"},
	{extent.Sub, "loom_range a, loom_range b", "lo = a.lo - b.hi; hi = a.hi - b.lo;"},
	{extent.Mul, "loom_range a, loom_range b",
		"lo = loom_least(loom_least(a.lo * b.lo, a.lo * b.hi), loom_least(a.hi * b.lo, a.hi * b.hi));\n    hi = loom_most(loom_most(a.lo * b.lo, a.lo * b.hi), loom_most(a.hi * b.lo, a.hi * b.hi));"},
	{extent.Min, "loom_range a, loom_range b", "lo = loom_least(a.lo, b.lo); hi = loom_least(a.hi, b.hi);"},
	{extent.Max, "loom_range a, loom_range b", "lo = loom_most(a.lo, b.lo); hi = loom_most(a.hi, b.hi);"},
	{extent.Hull, "loom_range a, loom_range b", "lo = loom_least(a.lo, b.lo); hi = loom_most(a.hi, b.hi);"},
	{extent.Inside, "loom_range a, int64_t from, int64_t to", "lo = a.lo; hi = a.hi;\n    if (lo < from || hi > to)\n        return loom_no_range;"},
	{extent.Shift, "loom_range a, int64_t n", "lo = a.lo >= 0 ? a.lo >> n : -((-a.lo - 1) >> n) - 1; hi = a.hi >= 0 ? a.hi >> n : -((-a.hi - 1) >> n) - 1;"},
	{extent.Div, "loom_range a, int64_t n", "lo = a.lo / n; hi = a.hi / n;"},
	{extent.Below, "loom_range a, loom_range b, int64_t c", "lo = a.lo; hi = loom_most(a.lo, loom_least(a.hi, b.hi + c));"},
	{extent.Above, "loom_range a, loom_range b", "lo = loom_least(a.hi, loom_most(a.lo, b.lo)); hi = a.hi;"},
	{extent.Except, "loom_range a, int64_t c", "lo = a.lo + (a.lo < a.hi && a.lo == c); hi = a.hi - (lo < a.hi && a.hi == c);"},
	{extent.Upto, "loom_range a, loom_range b, loom_range step, int64_t c, int64_t to",
		"lo = a.lo; hi = loom_most(a.lo, b.hi + c);\n    if (hi + step.hi > to)\n        return loom_no_range;"},
	{extent.Downto, "loom_range a, loom_range b, loom_range step, int64_t c, int64_t to",
		"lo = loom_least(a.hi, b.lo + c); hi = a.hi;\n    if (lo - step.hi < -to)\n        return loom_no_range;"},
	{extent.Trips, "loom_range a, loom_range b, loom_range step, int64_t c",
		"lo = 0; hi = loom_most(0, b.hi + c - a.lo + step.lo) / step.lo;"},
}

// helpers writes the functions that the code calls.
func (w *writer) helpers(code extent.Code) {
	used := map[extent.Op]bool{}
	for _, i := range code {
		used[i.Op] = true
	}
	w.line("/* The integers from lo to hi; lo above hi where they are not known. */")
	w.line("typedef struct {\n    int64_t lo, hi;\n} loom_range;\n")
	w.line("static const loom_range loom_no_range = {1, 0};\n")
	w.line("/* Beyond %d nothing is known: products would not fit. */", int64(extent.Limit))
	w.line("static loom_range loom_const(int64_t lo, int64_t hi)\n{")
	w.line("    loom_range r;\n")
	w.line("    if (lo > hi || lo < -%s || hi > %[1]s)\n        return loom_no_range;", number(extent.Limit))
	w.line("    r.lo = lo;\n    r.hi = hi;\n    return r;\n}\n")
	if used[extent.Param] {
		w.line("static loom_range loom_param(uint64_t bits)\n{")
		w.line("    if (bits > %s && bits < -(uint64_t)%[1]s)\n        return loom_no_range;", fmt.Sprintf("UINT64_C(%d)", int64(extent.Limit)))
		w.line("    return bits > UINT64_C(%d) ? loom_const(-(int64_t)-bits, -(int64_t)-bits) : loom_const((int64_t)bits, (int64_t)bits);\n}\n", int64(extent.Limit))
	}
	text := ""
	for _, b := range bodies {
		if used[b.op] {
			text += b.lines
		}
	}
	for _, f := range []struct{ name, sign string }{{"least", "<"}, {"most", ">"}} {
		if strings.Contains(text, "loom_"+f.name) {
			w.line("static int64_t loom_%s(int64_t a, int64_t b)\n{\n    return a %s b ? a : b;\n}\n", f.name, f.sign)
		}
	}
	for _, b := range bodies {
		if !used[b.op] {
			continue
		}
		var unknown []string
		for _, p := range strings.Split(b.params, ", ") {
			if name, isRange := strings.CutPrefix(p, "loom_range "); isRange {
				unknown = append(unknown, fmt.Sprintf("%s.lo > %[1]s.hi", name))
			}
		}
		w.line("static loom_range loom_%s(%s)\n{", b.op, b.params)
		w.line("    int64_t lo, hi;\n")
		w.line("    if (%s)\n        return loom_no_range;", strings.Join(unknown, " || "))
		w.line("    %s", b.lines)
		w.line("    return loom_const(lo, hi);\n}\n")
	}
	w.line("/* The addresses of the bytes of the elements that are touched. */")
	w.line("static loom_range loom_span(const loom_accel *dev, const void *data, loom_range elements, int64_t bytes)\n{")
	w.line("    const uint64_t first = (uint64_t)(uintptr_t)data;\n    loom_range r;\n    size_t size;\n")
	w.line("    if (first >> 62 != 0u)\n        return loom_no_range;")
	w.line("    r.lo = (int64_t)first + elements.lo * bytes;\n    r.hi = (int64_t)first + (elements.hi + 1) * bytes - 1;")
	w.line("    if (elements.lo <= elements.hi)\n        return r;")
	w.line("    size = loom_accel_size_of(dev, data); /* as the program tells it */")
	w.line("    if (size == 0u || size > SIZE_MAX / 4u)\n        return loom_no_range;")
	w.line("    r.lo = (int64_t)first;\n    r.hi = (int64_t)(first + size - 1u);")
	w.line("    return r;\n}\n")
	w.line("static int loom_apart(loom_range a, loom_range b)\n{")
	w.line("    return a.lo <= a.hi && b.lo <= b.hi && (a.hi < b.lo || b.hi < a.lo);\n}\n")
}
