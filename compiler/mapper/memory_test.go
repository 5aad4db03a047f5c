package mapper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/mapping"
	"loom/compiler/mlir"
	"loom/internal/fabtest"
	"loom/internal/soak"
)

// table is a kernel with a local memory that starts with contents.
func table(t *testing.T) *ir.Operation {
	t.Helper()
	const graph = `
handshake.func @f(%i: index, %start: none, ...) -> (i32, none) attributes {argNames = ["i", "start"], resNames = ["out0", "done"]} {
  %v, %a = load [%i] %d, %start : index, i32
  %d, %done = memory[ld = 1, st = 0] (%a) {id = 0 : i32, loom.init = dense<[1, 2, 3, 4]> : tensor<4xi32>, lsq = false} : memref<4xi32>, (index) -> (i32, none)
  return %v, %done : i32, none
}
`
	m, err := mlir.ParseAndVerify("g.mlir", graph)
	if err != nil {
		t.Fatal(err)
	}
	return m.Regions[0].Entry().Ops[0]
}

// TestInitialContents: what a memory holds at the start is the host's to load, so
// it goes to memories with a port for the host.
func TestInitialContents(t *testing.T) {
	opts := fabtest.Options{Rows: 3, Cols: 3, Ins: 4, Outs: 4, Bridges: []fabtest.Memory{
		{OnChip: true, Elements: 64, Loads: 1, Stores: 1}, {OnChip: true, Elements: 4, Loads: 2, Public: true}}}
	res, err := mapper.Map(table(t), fabtest.Mesh(opts), mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(res.Binding.Contents); res.Mapping.Memories[0].Comp != "mem_1" || !strings.Contains(got, "[1 2 3 4]") {
		t.Errorf("memory %+v, contents %s", res.Mapping.Memories[0], got)
	}
	opts.Bridges = opts.Bridges[:1]
	_, err = mapper.Map(table(t), fabtest.Mesh(opts), mapper.Options{Effort: quick})
	if err == nil {
		t.Fatal("mapped onto a private memory")
	}
	text := diag.Render(diag.FromError(err), nil)
	for _, w := range []string{
		"g.mlir:4:15: error: no memory of fabric 'mesh3x3' can serve the local memory made here",
		"it needs memory of 4 elements of i32 with 1 load and 0 stores",
		"memory 'mem_0': it is private", "help: the fabric needs an extmemory of i32 with 1 load, or a non-private memory"} {
		if !strings.Contains(text, w) {
			t.Errorf("the message lacks %q:\n%s", w, text)
		}
	}
}

// TestTablesOutside: a constant table goes to external memory where no memory on the chip
// takes it, also to one with wider elements; one that is written, or is narrower and has
// no contents, does not.
func TestTablesOutside(t *testing.T) {
	chip := fabtest.Memory{OnChip: true, Elements: 4, Loads: 1, Stores: 1, Public: true}
	outside := fabtest.Memory{Loads: 1, Stores: 1}
	fabric := func(bridges ...fabtest.Memory) *arch.Fabric {
		return fabtest.Mesh(fabtest.Options{Rows: 3, Cols: 3, Ins: 4, Outs: 4, Bridges: bridges})
	}
	narrow := func(fn *ir.Operation) *ir.Operation { // elements of eight bits in memories of 32
		op := fn.Regions[0].Entry().Ops[1]
		i8 := ir.Int(8)
		op.SetAttr("memRefType", &ir.TypeAttr{Type: ir.MemRef([]int64{4}, i8)})
		op.SetAttr("loom.init", &ir.DenseElementsAttr{Values: []ir.Attr{ir.IntAttr(-1, i8)}, Splat: true, Type: ir.Shaped("tensor", []int64{4}, i8)})
		op.Result(0).Type, fn.Regions[0].Entry().Ops[0].Result(0).Type = i8, i8
		return fn
	}
	for _, c := range []struct {
		name  string
		fn    *ir.Operation
		f     *arch.Fabric
		table bool
		data  string
	}{
		{"on chip first", table(t), fabric(outside, chip), false, "[1 2 3 4]"},
		{"outside", table(t), fabric(outside), true, "[1 2 3 4]"},
		{"too small a chip", table(t), fabric(fabtest.Memory{OnChip: true, Elements: 3, Loads: 1, Public: true}, outside), true, "[1 2 3 4]"},
		{"narrow, on chip", narrow(table(t)), fabric(outside, chip), false, "[255 255 255 255]"},
		{"narrow, outside", narrow(table(t)), fabric(outside), true, "[255 255 255 255]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := mapper.Map(c.fn, c.f, mapper.Options{Effort: quick})
			if err != nil {
				t.Fatal(err)
			}
			b := res.Binding
			if m := res.Mapping.Memories[0]; m.Table != c.table || len(b.Tables)+len(b.Contents) != 1 || (len(b.Tables) == 1) != c.table {
				t.Fatalf("memory %+v, tables %v, contents %v", m, b.Tables, b.Contents)
			}
			data := ""
			for _, x := range b.Tables {
				if data = fmt.Sprint(x.Data); x.ElemBytes != 4 {
					t.Errorf("elements of %d bytes", x.ElemBytes)
				}
			}
			for _, x := range b.Contents {
				data = fmt.Sprint(x.Data)
			}
			if data != c.data {
				t.Errorf("data %s, want %s", data, c.data)
			}
		})
	}
	bare := narrow(table(t))
	bare.Regions[0].Entry().Ops[1].SetAttr("loom.init", nil)
	for name, fn := range map[string]*ir.Operation{"without contents": bare} {
		if _, err := mapper.Map(fn, fabric(outside, chip), mapper.Options{Effort: quick}); err == nil {
			t.Errorf("%s: mapped", name)
		}
	}
}

// TestDivision: an argument takes as many memories as its accesses need, and no more, and so
// does a table; another local array takes one.
func TestDivision(t *testing.T) {
	port := fabtest.Memory{Loads: 1, Stores: 1}
	chip := fabtest.Memory{OnChip: true, Elements: 8, Loads: 1, Stores: 1}
	for _, c := range []struct {
		name    string
		arrays  []fabtest.Array
		bridges []fabtest.Memory
		want    string // loads+stores per entry of the mapping, "" where it does not fit
	}{
		{"three loads on three ports", []fabtest.Array{{Loads: 3}}, []fabtest.Memory{port, port, port}, "1+0 1+0 1+0"},
		{"and an array that is written", []fabtest.Array{{Loads: 2}, {Stores: 1}}, []fabtest.Memory{port, port, port}, "1+0 1+0 0+1"},
		{"five loads on lanes for three and two", []fabtest.Array{{Loads: 5}}, []fabtest.Memory{{Loads: 3}, {Loads: 2}}, "3+0 2+0"},
		{"no division where one has room", []fabtest.Array{{Loads: 3}}, []fabtest.Memory{port, port, {Loads: 3}}, "3+0"},
		{"room for both only when one is divided", []fabtest.Array{{Loads: 2}, {Loads: 2, Stores: 1}}, []fabtest.Memory{{Loads: 3, Stores: 1, Regions: 2}, port}, "1+0 1+0 2+1"},
		{"too few ports", []fabtest.Array{{Loads: 3}}, []fabtest.Memory{port, port}, ""},
		{"loads and a store", []fabtest.Array{{Loads: 2, Stores: 1}}, []fabtest.Memory{port, port, port}, "1+1 1+0"},
		{"stores alone", []fabtest.Array{{Stores: 3}}, []fabtest.Memory{port, port, port}, "0+1 0+1 0+1"},
		{"as many stores as loads", []fabtest.Array{{Loads: 3, Stores: 3}}, []fabtest.Memory{port, port, port}, "1+1 1+1 1+1"},
		{"a memory that is only read and one that is only written", []fabtest.Array{{Loads: 1, Stores: 1}}, []fabtest.Memory{{Loads: 1}, {Stores: 1}}, "1+0 0+1"},
		{"what is only read is divided first", []fabtest.Array{{Loads: 2, Stores: 2}, {Loads: 2}}, []fabtest.Memory{port, port, {Loads: 2, Stores: 2}}, "2+2 1+0 1+0"},
		{"too few store ports", []fabtest.Array{{Stores: 3}}, []fabtest.Memory{port, port, {Loads: 3}}, ""},
		{"a local array", []fabtest.Array{{Loads: 2, Stores: 1, Local: true, Elements: 4}}, []fabtest.Memory{chip, chip}, ""},
		{"a local array that is only read", []fabtest.Array{{Loads: 2, Local: true, Elements: 4}}, []fabtest.Memory{chip, chip}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fabtest.Mesh(fabtest.Options{Rows: 6, Cols: 6, Ins: 6, Outs: 8, Bridges: c.bridges})
			res, err := mapper.Map(fabtest.Accesses(c.arrays...), f, mapper.Options{Effort: quick})
			if err != nil {
				if c.want != "" || diag.FromError(err).All[0].Severity == diag.Internal {
					t.Fatal(err)
				}
				return
			}
			var parts []string
			for _, m := range res.Mapping.Memories {
				n := map[mapping.AccessKind]int{}
				for _, a := range m.Accesses {
					n[a.Kind]++
				}
				parts = append(parts, fmt.Sprintf("%d+%d", n[mapping.Load], n[mapping.Store]))
			}
			if got := strings.Join(parts, " "); got != c.want {
				t.Errorf("accesses per memory %s, want %s", got, c.want)
			}
		})
	}
}

// TestBridges maps kernels with many arrays and accesses onto memories that they
// share; Map itself runs the independent checkers.
func TestBridges(t *testing.T) {
	bridge := fabtest.Memory{Loads: 4, Stores: 3, Regions: 3}
	f := fabtest.Mesh(fabtest.Options{Rows: 6, Cols: 6, Ins: 5, Outs: 6, Bridges: []fabtest.Memory{bridge, bridge}})
	for _, c := range []struct {
		name   string
		arrays []fabtest.Array
		used   int
		lanes  int
	}{
		{"three accesses to one array", []fabtest.Array{{Loads: 2, Stores: 1}}, 1, 3},
		{"five arrays on two memories", []fabtest.Array{{Loads: 2, Stores: 1}, {Loads: 1}, {Stores: 1}, {Loads: 2}, {Loads: 1, Stores: 2}}, 2, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := mapper.Map(fabtest.Accesses(c.arrays...), f, mapper.Options{Effort: quick})
			if err != nil {
				t.Fatal(err)
			}
			u := res.Mapping.Utilization
			if u.Memories != (mapping.Use{Used: c.used, Total: 2}) || u.Lanes != (mapping.Use{Used: c.lanes, Total: 14}) {
				t.Errorf("memories in use: %+v, lanes: %+v", u.Memories, u.Lanes)
			}
		})
	}
}

// TestSideBySide: local arrays share an on-chip memory, each behind the other.
func TestSideBySide(t *testing.T) {
	f := fabtest.Mesh(fabtest.Options{Rows: 5, Cols: 5, Ins: 3, Outs: 3, Bridges: []fabtest.Memory{
		{OnChip: true, Elements: 60, Loads: 3, Stores: 3, Regions: 3}}})
	local := func(elements int64) fabtest.Array {
		return fabtest.Array{Local: true, Elements: elements, Loads: 1, Stores: 1}
	}
	res, err := mapper.Map(fabtest.Accesses(local(10), local(20), local(30)), f, mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range res.Mapping.Memories {
		r := res.Mapping.Regions[m.Region]
		got = append(got, fmt.Sprintf("element %d region %d tags %d to %d offset %d", m.First, m.Region, r.StartTag, r.EndTag, r.Offset))
	}
	want := []string{"element 0 region 0 tags 0 to 1 offset 0", "element 10 region 1 tags 1 to 2 offset 40",
		"element 30 region 2 tags 2 to 3 offset 120"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestSharedSwitch: a load and a store with one tag have routes in one slot where
// they pass one switch.
func TestSharedSwitch(t *testing.T) {
	f := fabtest.Mesh(fabtest.Options{Rows: 4, Cols: 4, Ins: 3, Outs: 3, Bridges: []fabtest.Memory{{Loads: 2, Stores: 2, OneMerge: true}}})
	res, err := mapper.Map(fabtest.Accesses(fabtest.Array{Loads: 2, Stores: 1}), f, mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range res.Mapping.TemporalSwitches {
		if strings.Contains(s.Comp, "_addr_") && (len(s.Slots) != 2 || len(s.Slots[0].Routes) != 2 || len(s.Slots[1].Routes) != 1) {
			t.Errorf("%+v", s)
		}
	}
}

// TestLoopsApart: arrays that one loop reads are on different memories, so that no
// loop waits for a port.
func TestLoopsApart(t *testing.T) {
	const text = `func.func @sums(%a: memref<?xi32>, %b: memref<?xi32>, %c: memref<?xi32>, %d: memref<?xi32>, %n: index) -> (i32, i32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %s = arith.constant 0 : i32
  %p = scf.for %i = %zero to %n step %one iter_args(%acc = %s) -> (i32) {
    %x = memref.load %a[%i] : memref<?xi32>
    %y = memref.load %c[%i] : memref<?xi32>
    %xy = arith.subi %x, %y : i32
    %sum = arith.addi %acc, %xy : i32
    scf.yield %sum : i32
  }
  %q = scf.for %i = %zero to %n step %one iter_args(%acc = %s) -> (i32) {
    %x = memref.load %b[%i] : memref<?xi32>
    %y = memref.load %d[%i] : memref<?xi32>
    %xy = arith.subi %x, %y : i32
    %sum = arith.addi %acc, %xy : i32
    scf.yield %sum : i32
  }
  return %p, %q : i32, i32
}`
	f := bridged(t, "mesh8x8", "extmemories: [{count: 2, element: i32, loads: 3, stores: 0, regions: 3}]\n")
	mod, err := mlir.ParseAndVerify("sums.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	low, err := lower.Lower(mod, lower.Options{IndexWidth: f.IndexWidth, MaxJoinFanin: &f.MaxJoinFanin, StreamOps: f.StreamOps,
		MemoryOrder: "pipelined"})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(5) {
		res, err := mapper.Map(low.Func, f, mapper.Options{Effort: quick, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range res.Mapping.Timing.Loops {
			if l.Memory != 1 {
				t.Errorf("seed %d: %d accesses of a loop share a port", seed, l.Memory)
			}
		}
	}
}

// TestLanesAreForThoseWhoNeedThem: an array that an untagged memory can hold stays
// at one, wherever placement would like to have it.
func TestLanesAreForThoseWhoNeedThem(t *testing.T) {
	f := bridged(t, "mesh8x8", "extmemories: [{count: 3, element: i32}, {count: 5, element: i32, loads: 2, stores: 2}]\n")
	fn := kernel(t, "vecadd", "pipelined", f)
	for seed := range uint64(5) {
		res, err := mapper.Map(fn, f, mapper.Options{Effort: quick, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if u := res.Mapping.Utilization; u.Lanes.Used != 0 {
			t.Errorf("seed %d: %d lanes in use", seed, u.Lanes.Used)
		}
	}
}

// TestDeterminismOfBridges: the same mapping whatever the number of workers, with
// several allocations to choose from.
func TestDeterminismOfBridges(t *testing.T) {
	bridge := fabtest.Memory{Loads: 4, Stores: 3, Regions: 3}
	run := func(seed uint64, jobs int) string {
		f := fabtest.Mesh(fabtest.Options{Rows: 6, Cols: 6, Ins: 5, Outs: 6, Bridges: []fabtest.Memory{bridge, bridge}})
		effort := quick
		effort.Candidates = 4
		res, err := mapper.Map(fabtest.Accesses(fabtest.Array{Loads: 2, Stores: 1}, fabtest.Array{Loads: 1}, fabtest.Array{Stores: 1}), f,
			mapper.Options{Effort: effort, Seed: seed, Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		return string(res.Mapping.JSON())
	}
	want := run(3, 1)
	for _, jobs := range []int{1, 2, 4} {
		if d := cmp.Diff(want, run(3, jobs)); d != "" {
			t.Errorf("%d workers: %s", jobs, d)
		}
	}
}

// TestRandomBridges maps random graphs with random arrays onto random memories,
// tagged and not, and the independent checkers judge. More of them under make
// soak.
func TestRandomBridges(t *testing.T) {
	n := soak.Scale(12, 300)
	shared, lanes := 0, 0
	for seed := range uint64(n) {
		memories, arrays := fabtest.RandomMemories(seed)
		f := fabtest.Mesh(fabtest.Options{Rows: 9, Cols: 9, Tracks: 3, Ins: 12, Outs: 4, Bridges: memories})
		res, err := mapper.Map(fabtest.Random(12, seed, arrays...), f, mapper.Options{Effort: quick, Seed: seed})
		if err != nil {
			t.Errorf("seed %d: %+v on %+v: %s", seed, arrays, memories, diag.Render(diag.FromError(err), nil))
			continue
		}
		shared += len(res.Mapping.Memories) - res.Mapping.Utilization.Memories.Used
		lanes += len(res.Mapping.Tags)
	}
	t.Logf("%d arrays share a memory, %d lanes in use", shared, lanes)
	if shared < n/3 || lanes < 3*n {
		t.Errorf("%d arrays share a memory, %d lanes in use: not what this test is for", shared, lanes)
	}
}
