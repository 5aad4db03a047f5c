package randprog

// Constructs is a set of constructs that a program may contain beyond the usual
// ones (scf.for over index and i32, scf.if, a counted-down scf.while, loads and
// stores of the parameters). The empty set changes nothing: programs that must
// map onto hardware of a certain kind stay as they are.
type Constructs uint32

// The constructs, each a set of one.
const (
	// Switches: scf.index_switch with up to three cases.
	Switches Constructs = 1 << iota
	// ExecuteRegions: scf.execute_region of one block.
	ExecuteRegions
	// Parallels: scf.parallel of one or two dimensions, with and without
	// reductions.
	Parallels
	// Foralls: scf.forall of one or two dimensions with static and computed
	// bounds.
	Foralls
	// WhileShapes: scf.while as do-while whose after-region only forwards, and
	// without operands around a counter in memory.
	WhileShapes
	// CountedWhiles: scf.while that adds to, subtracts from, multiplies, divides
	// or shifts its induction variable, with every condition that ends.
	CountedWhiles
	// LoopTypes: scf.for over integers from i4 to i64.
	LoopTypes
	// UnsignedLoops: scf.for that compares its bounds without sign. Not with
	// NoUndefined: the MLIR that checks what is defined does not know them.
	UnsignedLoops
	// Sweeps: loops over memories by affine subscripts (i, i+1, 2*i, n-1-i,
	// i*4+j), some provably inside, some masked.
	Sweeps
	// Calls: func.call of private functions with memories among the arguments
	// and several results.
	Calls
	// Views: memref.subview, cast, collapse_shape, expand_shape,
	// reinterpret_cast, transpose, dim and copy, parameters with a strided
	// layout, and memories that loops and branches pass on.
	Views
	// Shapes: memories of two and three dimensions, of rank 0 and with dynamic
	// leading dimensions; memref.atomic_rmw among the accesses.
	Shapes
	// Buffers: memref.alloc and alloca anywhere, filled before anything reads
	// them.
	Buffers
	// Globals: memref.global tables with contents, constant and not.
	Globals
	// Floats: values and memories of f32 and f64.
	Floats
	// Affine: affine.for, if, load, store, apply, min and max.
	Affine
	// Fences: llvm.fence of every ordering.
	Fences

	// Everything is all of them.
	Everything = Fences<<1 - 1
)

// Has reports whether the set contains all of want.
func (c Constructs) Has(want Constructs) bool { return c&want == want }

// construct emits one of the enabled constructs that fit here; false where none
// does.
func (g *generator) construct(s *scope) bool {
	type choice struct {
		of     Constructs
		weight int
		region bool // it opens a region
		emit   func(*scope)
	}
	var open []choice
	sum := 0
	for _, c := range []choice{
		{Switches, 3, true, g.indexSwitch},
		{ExecuteRegions, 2, true, g.executeRegion},
		{Parallels, 3, true, g.parallel},
		{Foralls, 2, true, g.forall},
		{WhileShapes, 3, true, g.shapedWhile},
		{CountedWhiles, 4, true, g.countedWhile},
		{LoopTypes, 3, true, g.forLoop},
		{UnsignedLoops, 2, true, g.forLoop},
		{Sweeps, 6, true, g.sweep},
		{Calls, 3, true, g.call},
		{Views, 6, false, g.view},
		{Buffers, 2, false, g.buffer},
		{Globals, 2, false, g.global},
		{Affine, 5, true, g.affine},
		{Fences, 3, false, g.fence},
	} {
		if g.opts.Use.Has(c.of) && (!c.region || s.depth < g.opts.MaxDepth && s.trips < 50) {
			open = append(open, c)
			sum += c.weight
		}
	}
	if sum == 0 {
		return false
	}
	p := g.r.IntN(sum)
	for _, c := range open {
		if p -= c.weight; p < 0 {
			c.emit(s)
			break
		}
	}
	return true
}
