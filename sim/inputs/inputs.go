// Package inputs makes random inputs that suit a kernel which was written in C.
//
// The type of a pointer has no number of elements, and a value that is used as a
// subscript must lie inside of its array: the inputs of vector.Random would mostly miss
// it. So an analysis of the graph finds the role of each parameter (roles.go): a
// subscript, and of which dimension (subscripts.go), a bound of a loop, a divisor, or
// just data. Values are chosen to suit, and the graph is run once in the token
// simulator, on memories that grow with the accesses, each element made from the seed,
// the parameter and its position alone. The elements that were accessed give the extents. A kernel that does not end, or leaves its arrays, gets a few more attempts
// with tamer values.
//
// The graph is what every level has, so all levels make the same inputs of the same seed
// and size.
package inputs

import (
	"fmt"
	"slices"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/sim/token"
	"loom/sim/vector"
)

// Options choose the inputs.
type Options struct {
	Seed uint64
	// Size is the least extent of the leading dimension of arrays, and about what
	// limits loops.
	Size int64
	// IndexWidth is the width of index values in bits; 0 is 64.
	IndexWidth int
	// MaxSteps bounds the firings of the run that finds out the extents; 0 is
	// token.DefaultMaxSteps.
	MaxSteps int64
	// SearchSteps is a lower bound for kernels that end sooner on some inputs than on
	// others, and may not end at all; 0 is MaxSteps.
	SearchSteps int64
}

// Result are inputs and what was noticed when they were made.
type Result struct {
	Inputs *vector.Inputs
	// Warnings report what no attempt could avoid: a division by zero, a shift beyond
	// the width, a conversion out of range. C leaves these undefined: levels may differ.
	Warnings *diag.List
}

// FromC reports whether a graph's kernel was written in C, as far as this package is
// concerned.
func FromC(fn *ir.Operation) bool { _, ok := cabi.Of(fn); return ok }

// Random makes inputs for a handshake.func with the attribute cabi.Attribute. The error,
// a *diag.Diagnostic, reports the operation that cannot be satisfied.
func Random(fn *ir.Operation, opts Options) (*Result, error) {
	c, ok := cabi.Of(fn)
	if !ok {
		return nil, diag.New(fn.Pos, "the graph does not describe its parameters in C (%s)", cabi.Attribute)
	}
	if opts.IndexWidth == 0 {
		opts.IndexWidth = 64
	}
	if opts.MaxSteps <= 0 {
		opts.MaxSteps = token.DefaultMaxSteps
	}
	if opts.SearchSteps <= 0 {
		opts.SearchSteps = opts.MaxSteps
	}
	if opts.Size < 0 || opts.Size > vector.MaxElements {
		return nil, diag.New(diag.Pos{}, "a size of %d is not between 0 and %d", opts.Size, vector.MaxElements)
	}
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		return nil, err
	}
	for _, p := range sig.Params {
		t := p.Type
		if m, mem := t.(*ir.MemRefType); mem {
			t = m.Elem
		}
		if w, ok := ir.BitWidth(t, opts.IndexWidth); !ok || w < 1 || w > 64 || !ir.IsInt(t) && !ir.IsFloat(t) {
			return nil, diag.New(sig.Pos, "parameter %q has type %s, which has no input form", p.Name, p.Type)
		}
	}
	program, err := token.Compile(fn, opts.IndexWidth)
	if err != nil {
		return nil, err
	}
	m := &maker{fn: fn, c: c, sig: sig, opts: opts, program: program, roles: analyse(fn, opts.IndexWidth)}
	return m.make()
}

// maker makes the inputs of one kernel.
type maker struct {
	fn      *ir.Operation
	c       *cabi.Function
	sig     *vector.Signature
	opts    Options
	program *token.Program
	roles   *analysis
}

// quickSteps bounds the firings of an attempt that may be endless; a kernel that
// needs more gets SearchSteps when no attempt has come to its end.
const quickSteps = 10_000_000

// firstSteps is the same for the first attempt, whose values may be the largest there
// are.
const firstSteps = 4_000_000

// make goes through the attempts. Where the first ones do not end in time, the simplest
// shows whether the kernel takes that long on all inputs; it then gets the time.
func (m *maker) make() (*Result, error) {
	var best, failed *trial
	made := make([]bool, len(attempts))
	try := func(i int, steps int64) error {
		made[i] = true
		t, err := m.try(i, attempts[i], steps)
		switch {
		case err != nil:
			return err
		case t.failure == nil && (best == nil || len(t.doubts.All) < len(best.doubts.All)):
			best = t
		case t.failure != nil && (failed == nil || failed.budget || !t.budget):
			failed = t
		}
		return nil
	}
	if fixed(m.fn) {
		// The time does not depend on the inputs.
		if err := try(0, m.opts.MaxSteps); err != nil {
			return nil, err
		}
		if failed != nil && failed.budget {
			return nil, diag.New(m.sig.Pos, "the kernel does not end within %d operations on any inputs", m.opts.MaxSteps).
				WithHelp("give --max-cycles, or make its loops shorter")
		}
	}
	last := len(attempts) - 1
	for i := range attempts {
		if best != nil && len(best.doubts.All) == 0 {
			break
		}
		steps := int64(quickSteps)
		if i == 0 {
			steps = firstSteps
		}
		if made[i] {
			continue
		}
		steps = min(steps, m.opts.SearchSteps)
		if err := try(i, steps); err != nil {
			return nil, err
		}
		if i != 1 || best != nil || !failed.budget || m.opts.SearchSteps <= quickSteps {
			continue
		}
		if err := try(last, steps); err != nil {
			return nil, err
		}
		if best != nil {
			best = nil // one with larger values is to be preferred
			made[last] = false
		} else if err := try(i, m.opts.SearchSteps); err != nil {
			return nil, err
		}
	}
	if best == nil {
		return nil, failed.failure
	}
	return &Result{Inputs: best.inputs(), Warnings: best.doubts}, nil
}

// bound is what limits loops: the size, or a smaller static extent, which is likely what
// a scalar counts up to.
func (m *maker) bound() int64 {
	b := m.opts.Size
	for _, p := range m.sig.Params {
		if t, ok := p.Type.(*ir.MemRefType); ok {
			for _, d := range t.Shape {
				if d != ir.Dynamic && d >= 8 {
					b = min(b, d)
				}
			}
		}
	}
	return b
}

// generators makes one generator for every parameter.
func (m *maker) generators(number int, a attempt) []*generator {
	size := m.bound() / a.shrink
	if m.opts.Size > 0 && number < len(attempts)-1 {
		size = max(size, 1)
	}
	args := m.fn.Regions[0].Entry().Args
	var loads []*ir.Operation
	for _, op := range m.fn.Regions[0].Entry().Ops {
		if op.Name == opname.HandshakeLoad {
			loads = append(loads, op)
		}
	}
	out := make([]*generator, len(m.sig.Params))
	for i, p := range m.sig.Params {
		g := &generator{seed: mix(m.opts.Seed ^ mix(uint64(i)<<8|uint64(number))), size: size, typ: p.Type, attempt: a}
		g.use, g.elements = m.roles.of(args[i])
		if t, ok := p.Type.(*ir.MemRefType); ok {
			g.typ, g.cleared = t.Elem, a.cleared && written(args[i])
		}
		g.width, _ = ir.BitWidth(g.typ, m.opts.IndexWidth)
		if _, memory := p.Type.(*ir.MemRefType); memory && g.width == 8 && ir.IsInt(g.typ) {
			g.compared = m.roles.comparisonsOf(args[i], loads, g.typ)
			if g.use.role&ended != 0 { // the end of a text has a place of its own
				g.compared.constants = slices.DeleteFunc(g.compared.constants, func(c uint64) bool { return c == g.use.end })
			}
		}
		out[i] = g
	}
	m.alike(out)
	for _, p := range m.c.Params {
		k := kindOf(p.Type)
		for _, q := range p.Pieces {
			if q.Index >= 0 && q.Index < len(out) {
				g := out[q.Index]
				// Of a struct only the whole has a type.
				whole := q.Field == ""
				g.unsigned = p.Class == cabi.Scalar && p.Unsigned || whole && k == unsignedKind
				g.truth = whole && k == truthKind
				g.text = whole && k == textKind && g.width == 8 && g.use.role == g.use.role&(ended|counted)
			}
		}
	}
	return out
}

// alike makes texts that are compared begin alike for every other seed: a pattern occurs in
// the text, two texts are equal to the end of the shorter.
func (m *maker) alike(all []*generator) {
	var first *generator
	for _, g := range all {
		switch {
		case !g.compared.elements:
		case first == nil:
			first = g
		case m.opts.Seed%2 == 0:
			g.seed = first.seed
		}
	}
}

// text names an element for messages.
func (m *maker) text(param int, addr uint64) string {
	name := m.sig.Params[param].Name
	w := m.opts.IndexWidth
	return fmt.Sprintf("%s[%d]", name, num.SignExtend(addr, ir.Index, w))
}

// written reports whether the kernel stores to a memory parameter.
func written(memory *ir.Value) bool {
	for _, u := range memory.Uses() {
		if n, ok := u.Op.IntAttr("stCount"); ok && n > 0 {
			return true
		}
	}
	return false
}
