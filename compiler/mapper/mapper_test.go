package mapper_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"loom/compiler/arch"
	"loom/compiler/diag"
	_ "loom/compiler/dialect/all" // commutativity
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mapping"
	"loom/internal/fabtest"
	"loom/internal/testkit"
)

func mesh(n int) fabtest.Options {
	return fabtest.Options{Rows: n, Cols: n, Memories: 2, Ins: 5, Outs: 6}
}

// TestRandomGraphs maps graphs of growing size onto meshes that they fill more
// and more; Map itself runs the independent checkers.
func TestRandomGraphs(t *testing.T) {
	for _, c := range []struct{ ops, mesh int }{{10, 4}, {20, 5}, {34, 6}, {64, 8}, {100, 10}, {144, 12}} {
		for seed := range 2 {
			t.Run(fmt.Sprintf("%d on %d #%d", c.ops, c.mesh, seed), func(t *testing.T) {
				f := fabtest.Mesh(mesh(c.mesh))
				res, err := mapper.Map(fabtest.Random(c.ops, uint64(seed)), f, mapper.Options{Effort: quick})
				if err != nil {
					t.Fatal(err)
				}
				u := res.Mapping.Utilization
				t.Logf("%d of %d PEs, %d registers, %d of %d links", u.PEs.Used, u.PEs.Total, u.RegisterHops, u.Links.Used, u.Links.Total)
			})
		}
	}
}

// TestDeterminism maps one graph several times: same seed, same bytes, whatever
// the number of workers; another seed, another mapping.
func TestDeterminism(t *testing.T) {
	run := func(seed uint64, jobs int) []byte {
		// Everything is built anew: no accidental sharing, new map orders.
		effort := quick
		effort.Candidates = 3
		res, err := mapper.Map(fabtest.Random(50, 7), fabtest.Mesh(mesh(8)), mapper.Options{Seed: seed, Jobs: jobs, Effort: effort, Budget: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		words := fmt.Sprint(res.Image.Encode())
		return append(res.Mapping.JSON(), words...)
	}
	want := run(1, 1)
	for _, jobs := range []int{1, 2, 5} {
		if !bytes.Equal(want, run(1, jobs)) {
			t.Errorf("%d workers give another mapping", jobs)
		}
	}
	if bytes.Equal(want, run(2, 1)) {
		t.Error("another seed gives the same mapping")
	}
}

// group finds the group that executes an operation of that name.
func group(m *mapping.Mapping, name string) *mapping.Group {
	for _, o := range m.Ops {
		if o.Name == name && o.Role == mapping.RoleUnit {
			return &m.Groups[o.Group]
		}
	}
	return nil
}

func TestMultiplyAdd(t *testing.T) {
	opts := mesh(4)
	opts.Extra = []*arch.FunctionUnit{fabtest.MulAdd(64)}
	res, err := mapper.Map(fabtest.Features(), fabtest.Mesh(opts), mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(err)
	}
	if g := group(res.Mapping, "arith.addi"); g == nil || g.Unit != "muladd" || len(g.Ops) != 2 || len(g.Inputs) != 3 {
		t.Errorf("the addition is in %+v", g)
	}
	intra := 0
	for _, e := range res.Mapping.Edges {
		if e.Kind == mapping.IntraFU {
			intra++
		}
	}
	if intra != 1 {
		t.Errorf("%d edges stay inside a unit", intra)
	}
	// The product of the pair is read twice: no cover.
	d := fabtest.NewDFG("twice", ir.I32, ir.I32)
	p := d.Val("arith.muli", ir.I32, d.Arg(0), d.Arg(1))
	s := d.Val("arith.addi", ir.I32, p, d.Arg(0))
	res, err = mapper.Map(d.Return(p, s, d.Arg(-1)), fabtest.Mesh(opts), mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(err)
	}
	if g := group(res.Mapping, "arith.addi"); len(g.Ops) != 1 {
		t.Errorf("a product with two readers was hidden in a unit")
	}
	// A fabric whose only unit for anything is the pair cannot take single
	// operations, and the error reports both.
	only := opts
	only.Units = []fabtest.UnitOp{}
	if _, err = mapper.Map(fabtest.Features(), fabtest.Mesh(only), mapper.Options{Effort: quick}); err == nil {
		t.Error("mapped without units")
	}
}

func TestFeatures(t *testing.T) {
	res, err := mapper.Map(fabtest.Features(), fabtest.Mesh(mesh(5)), mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(err)
	}
	b := res.Binding
	if b.Args[2].Input != -1 || b.Args[2].Mem != -1 {
		t.Errorf("the unused argument is bound: %+v", b.Args[2])
	}
	if b.Args[0].Name != "x" || b.Args[0].Input < 0 || b.Args[4].Mem < 0 || b.Args[4].Input != -1 {
		t.Errorf("binding %+v", b.Args)
	}
	if len(b.Results) != 5 || b.Results[0].Output == b.Results[2].Output {
		t.Errorf("results %+v", b.Results)
	}
	if g := group(res.Mapping, "handshake.constant"); uint64(g.Fields[0].Value) != 0xfffffffb {
		t.Errorf("the constant -5 of 32 bits is %#x on a 64-bit unit: zeros stand above", g.Fields[0].Value)
	}
	if g := group(res.Mapping, "handshake.join"); g.Fields[0].Value != 7 {
		t.Errorf("the mask of a join of three is %#x", g.Fields[0].Value)
	}
	if o := res.Mapping.Ops[1]; o.Role != mapping.RoleWire || o.Comp != "" {
		t.Errorf("the truncation is %+v", o)
	}
}

func TestSmallest(t *testing.T) {
	d := fabtest.NewDFG("wire")
	f := fabtest.Mesh(fabtest.Options{Rows: 1, Cols: 1, Ins: 1, Outs: 1})
	res, err := mapper.Map(d.Return(d.Arg(-1)), f, mapper.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Mapping.PEs) != 0 || len(res.Mapping.Edges) != 1 {
		t.Errorf("%+v", res.Mapping)
	}
}

// loads makes a kernel with n loads on one memory.
func loads(n int) *ir.Operation {
	d := fabtest.NewDFG("loads", ir.MemRef([]int64{ir.Dynamic}, ir.I32))
	var ops []*ir.Operation
	in := []*ir.Value{d.Arg(0)}
	types := make([]ir.Type, 2*n)
	for i := range n {
		ops = append(ops, d.Op("handshake.load", []ir.Type{ir.I32, ir.Index}, d.Const(d.Arg(-1), int64(i), ir.Index), nil, d.Arg(-1)))
		in = append(in, ops[i].Result(1))
		types[i], types[n+i] = ir.I32, ir.None
	}
	m := d.Op("handshake.extmemory", types, in...)
	out := []*ir.Value{}
	for i, op := range ops {
		op.SetOperand(1, m.Result(i))
		out = append(out, op.Result(0))
	}
	return d.Return(append(out, d.Arg(-1))...)
}

// unary makes a kernel of one operation.
func unary(name string, t, r ir.Type) *ir.Operation {
	d := fabtest.NewDFG("unary", t, t)
	var v *ir.Value
	if strings.HasPrefix(name, "arith.ext") {
		v = d.Val(name, r, d.Arg(0))
	} else {
		v = d.Val(name, r, d.Arg(0), d.Arg(1))
	}
	return d.Return(v, d.Arg(-1))
}

// TestReports checks the errors for kernels that cannot be mapped.
func TestReports(t *testing.T) {
	full := mesh(4)
	for _, c := range []struct {
		name string
		fn   *ir.Operation
		f    fabtest.Options
		want []string
	}{
		{"too small", fabtest.Scale(), mesh(3), []string{"too small: the kernel needs 13 PEs, the fabric has 9 (4 short)", "scale.mlir:2:3", "help: add at least 4 PEs"}},
		{"no unit", unary("arith.divsi", ir.I32, ir.I32), full,
			[]string{"unary.mlir:2:3: error: no function unit of fabric 'mesh4x4' executes 'arith.divsi' (needed once)", "needs 1 PE with 'arith.divsi' (i32, i32) -> (i32)"}},
		{"wrong width", unary("arith.cmpi", ir.I16, ir.I1), full, []string{"with these types: (i16, i16) -> (i1)", "the fabric offers 'arith.cmpi' (i32, i32) -> (i1)",
			"help: the fabric needs 1 PE with 'arith.cmpi' (i16, i16) -> (i1); or compute in i32 in the kernel: arith.extsi or arith.extui on the operands"}},
		{"several at once", func() *ir.Operation {
			d := fabtest.NewDFG("two", ir.I32)
			x := d.Val("arith.divsi", ir.I32, d.Arg(0), d.Arg(0))
			y := d.Val("arith.remsi", ir.I32, x, d.Arg(0))
			z := d.Val("arith.divsi", ir.I32, y, d.Arg(0))
			return d.Return(z, d.Arg(-1))
		}(), full, []string{"'arith.divsi' (needed 2 times)", "two.mlir:4:3: note", "'arith.remsi' (needed once)"}},
		{"memory ports", loads(3), full, []string{"the memories of fabric 'mesh4x4' cannot serve memref argument 'a0', not even several together: it needs extmemory of i32 with 3 loads and 0 stores, they have 2 load ports",
			"extmemory 'mem_0' and 1 like it: it has 1 load port", "or more memories of these kinds"}},
		{"memory ports, one memory", loads(2), fabtest.Options{Rows: 4, Cols: 4, Ins: 4, Outs: 4, Memories: 1}, []string{"no memory of fabric 'mesh4x4' can serve memref argument 'a0': it needs extmemory of i32 with 2 loads and 0 stores",
			"extmemory 'mem_0': it has 1 load port", "untagged memories have at most one load and one store port"}},
		{"no memory", loads(1), fabtest.Options{Rows: 4, Cols: 4, Ins: 4, Outs: 4}, []string{"the fabric has no memory at all"}},
		{"too few memories", fabtest.Scale(), fabtest.Options{Rows: 4, Cols: 4, Ins: 4, Outs: 4, Memories: 1}, []string{"needs 2 memories of 32-bit elements, the fabric has 1 (1 short)", "scale.mlir:15:3: note: memref argument 'a1' needs 0 loads, 1 store, 1 region"}},
		{"too few outputs", fabtest.Features(), fabtest.Options{Rows: 5, Cols: 5, Ins: 5, Outs: 3, Memories: 1}, []string{"needs 6 boundary outputs, the fabric has 3 (3 short)"}},
		{"too wide for the boundary", func() *ir.Operation {
			d := fabtest.NewDFG("wide", ir.Int(128))
			return d.Return(d.Arg(0), d.Arg(-1))
		}(), full, []string{"has no boundary input of 128 bits", "has no boundary output of 128 bits"}},
		{"few suitable", func() *ir.Operation {
			d := fabtest.NewDFG("pairs", ir.I32)
			x := d.Arg(0)
			for range 5 {
				x = d.Val("arith.muli", ir.I32, x, d.Arg(0))
			}
			return d.Return(x, d.Arg(-1))
		}(), fabtest.Options{Rows: 2, Cols: 2, Ins: 2, Outs: 2}, []string{"needs 5 PEs, the fabric has 4 (1 short)", "5 × 'arith.muli' (i32, i32) -> (i32)"}},
		{"no graph", ir.NewOp("func.func", diag.Pos{Line: 1}, nil, nil), full, []string{"needs a handshake.func"}},
		{"congested", tangle(40), fabtest.Options{Rows: 7, Cols: 7, Ins: 5, Outs: 5, Tracks: 1, Depth: 1},
			[]string{"cannot be routed", "wanted by", "40 of 49 PEs are in use"}},
		{"unreachable", tangle(8), fabtest.Options{Rows: 4, Cols: 4, Ins: 5, Outs: 5, Depth: 3}, []string{"no path through fabric 'mesh4x4' with", "one port"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fabtest.Mesh(c.f)
			switch c.name {
			case "unreachable":
				disconnect(f, func(c *arch.Component) bool { return true })
			case "congested":
				// One switch is left to cross the middle.
				disconnect(f, func(c *arch.Component) bool { return c.X == 3 && c.Y > 0 })
			}
			effort := quick
			effort.Attempts = 2
			_, err := mapper.Map(c.fn, f, mapper.Options{Effort: effort})
			if err == nil {
				t.Fatal("mapped")
			}
			text := diag.Render(diag.FromError(err), nil)
			for _, w := range c.want {
				if !strings.Contains(text, w) {
					t.Errorf("the message lacks %q:\n%s", w, text)
				}
			}
			if strings.Contains(text, "internal") {
				t.Errorf("internal error:\n%s", text)
			}
		})
	}
}

// tangle makes a graph without any locality.
func tangle(n int) *ir.Operation {
	d := fabtest.NewDFG("tangle", ir.I32, ir.I32)
	v := []*ir.Value{d.Arg(0), d.Arg(1)}
	for i := range n {
		v = append(v, d.Val("arith.addi", ir.I32, v[(i*7+3)%len(v)], v[(i*i+5)%len(v)]))
	}
	return d.Return(v[len(v)-1], d.Arg(-1))
}

// disconnect leaves the chosen switches nothing but U-turns.
func disconnect(f *arch.Fabric, which func(*arch.Component) bool) {
	for _, c := range f.Comps {
		if c.Kind != arch.SpatialSwitch || !which(c) {
			continue
		}
		for o, row := range c.Switch.Connect {
			for i := range row {
				row[i] = i == o
			}
		}
	}
}

// TestTarget: kernels that share what is computed of a fabric are mapped as each alone, whatever was mapped before.
func TestTarget(t *testing.T) {
	for _, name := range []string{"temporal4x4", "mesh6x6"} {
		f := testkit.Fabric(t, name)
		on := mapper.NewTarget(f)
		for _, k := range []string{"dot", "matvec", "vecadd", "dot"} {
			fn := kernel(t, k, "pipelined", f)
			alone, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
			if err != nil {
				t.Fatal(err)
			}
			shared, err := on.Map(fn, mapper.Options{Effort: quick})
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(alone.Mapping.JSON(), shared.Mapping.JSON()) {
				t.Errorf("%s on %s differs from its mapping alone", k, name)
			}
		}
	}
}

func TestBudget(t *testing.T) {
	_, err := mapper.Map(fabtest.Random(64, 0), fabtest.Mesh(mesh(8)), mapper.Options{Budget: time.Nanosecond})
	if err == nil || !strings.Contains(err.Error(), "time budget of 1ns") {
		t.Errorf("error: %v", err)
	}
}

func BenchmarkMap(b *testing.B) {
	for _, k := range []struct{ kernel, mesh string }{
		{"vecadd", "mesh6x6"}, {"dot", "mesh6x6"}, {"condcopy", "mesh6x6"}, {"gcd", "mesh4x4"}, {"scan", "mesh6x6"},
		{"matvec", "mesh8x8"}, {"matvec", "mesh12x12"},
	} {
		b.Run(k.kernel+"/"+k.mesh, func(b *testing.B) {
			f := testkit.Fabric(b, k.mesh)
			fn := kernel(b, k.kernel, "pipelined", f)
			for b.Loop() {
				if _, err := mapper.Map(fn, f, mapper.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// interval is what the innermost loops of a mapping take together, in cycles per iteration.
func interval(m *mapping.Mapping) float64 {
	sum := 0.0
	for _, l := range m.Timing.Loops {
		if l.Innermost {
			sum += l.II.Float()
		}
	}
	return sum
}

// TestImprovements: a loop that its ports and units do not limit gets more placements, the fastest of which is taken, whatever the
// number of workers; without time for them it is the fastest of the candidates.
func TestImprovements(t *testing.T) {
	few := quick
	few.Candidates = 2
	more := few
	more.Improvements = 8
	faster := 0
	for _, c := range []struct{ kernel, fabric string }{{"crc", "mesh8x8"}, {"scan", "mesh6x6"}, {"stencil", "mesh8x8"}, {"vecadd", "mesh6x6"}, {"oddeven", "mesh8x8"}} {
		f := testkit.Fabric(t, c.fabric)
		fn := kernel(t, c.kernel, "pipelined", f)
		run := func(effort mapper.Effort, jobs int, after int) (*mapping.Mapping, int) {
			stop, attempts := make(chan struct{}), 0
			res, err := mapper.Map(fn, f, mapper.Options{Effort: effort, Jobs: jobs, Stop: stop, Progress: func(line string) {
				if strings.HasPrefix(line, "attempt") {
					if attempts++; attempts == after {
						close(stop)
					}
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			return res.Mapping, attempts
		}
		first, made := run(few, 1, -1)
		best, all := run(more, 1, -1)
		if a, b := interval(first), interval(best); b > a {
			t.Errorf("%s: %g cycles per iteration with more placements, %g with fewer", c.kernel, b, a)
		} else if b < a {
			faster++
		}
		if loops := interval(first); loops > float64(len(first.Timing.Loops)) != (all > made) {
			t.Errorf("%s: %g cycles per iteration, %d placements for %d", c.kernel, loops, all, made)
		}
		if other, _ := run(more, 3, -1); !bytes.Equal(other.JSON(), best.JSON()) {
			t.Errorf("%s: another mapping with three workers", c.kernel)
		}
		if all == made {
			continue
		}
		if stopped, _ := run(more, 1, made+1); !bytes.Equal(stopped.JSON(), first.JSON()) {
			t.Errorf("%s: stopped while looking for faster placements, it is not the fastest of the candidates", c.kernel)
		}
	}
	if faster == 0 {
		t.Error("more placements make no kernel faster")
	}
}

// TestRepair: placements that have a track too few are refined until they can be routed. Graphs that fill a mesh of one track
// between switches are placed once each, with few moves.
func TestRepair(t *testing.T) {
	m := mesh(8)
	m.Tracks = 1
	effort := mapper.Effort{Attempts: 1, Candidates: 1, Moves: 20, Cooling: 85, Iterations: 60}
	mapped := 0
	for seed := range uint64(30) {
		if _, err := mapper.Map(fabtest.Random(64, seed), fabtest.Mesh(m), mapper.Options{Effort: effort}); err == nil {
			mapped++
		}
	}
	t.Logf("%d of 30 graphs", mapped)
	if mapped < 30 {
		t.Errorf("%d of 30 graphs mapped by their first placement", mapped)
	}
}

// TestRoutesForRecurrences: placements are routed again with what the first routes made critical. Without that, the loops of these
// mappings take 1.012 times the cycles per iteration.
func TestRoutesForRecurrences(t *testing.T) {
	f := testkit.Fabric(t, "mixed10x10")
	sum := 0.0
	for _, name := range []string{"crc", "scan", "histogram", "oddeven", "matvec", "stencil"} {
		fn := kernel(t, name, "serial", f)
		for seed := range uint64(3) {
			res, err := mapper.Map(fn, f, mapper.Options{Seed: seed, Effort: quick, Jobs: 2})
			if err != nil {
				t.Fatal(err)
			}
			sum += interval(res.Mapping)
		}
	}
	t.Logf("%g cycles per iteration", sum)
	if sum > 663 {
		t.Errorf("%g cycles per iteration together", sum)
	}
}

// TestSlowSides: of a loop whose iterations differ, the slow side counts as well as the fast one: rated by the fast side alone,
// these mappings may take 79.2 cycles per iteration together.
func TestSlowSides(t *testing.T) {
	f := testkit.Fabric(t, "mesh8x8")
	sum, loops := 0.0, 0
	for _, order := range []string{"serial", "pipelined"} {
		fn := kernel(t, "condcopy", order, f)
		for seed := range uint64(4) {
			res, err := mapper.Map(fn, f, mapper.Options{Seed: seed, Jobs: 2})
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range res.Mapping.Timing.Loops {
				if l.Most.Tokens > 0 && l.Most != l.II {
					sum += l.Most.Float()
					loops++
				}
			}
		}
	}
	t.Logf("%d loops, at most %g cycles per iteration", loops, sum)
	if loops == 0 || sum > 78 {
		t.Errorf("%d loops, at most %g cycles per iteration", loops, sum)
	}
}
