package tech_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapper/place"
	"loom/compiler/mapper/tech"
	"loom/internal/fabtest"
)

// fabric is large enough for any kernel here, memories aside.
func fabric(m ...fabtest.Memory) *arch.Fabric {
	load := fabtest.UnitOp{Name: "handshake.load", Ins: []ir.Type{ir.Index, ir.I64, ir.None}, Outs: []ir.Type{ir.I64, ir.Index}}
	return fabtest.Mesh(fabtest.Options{Rows: 9, Cols: 9, Ins: 10, Outs: 4, Bridges: m,
		Extra: []*arch.FunctionUnit{fabtest.Unit("load64", load, 64)}})
}

type memories = []fabtest.Memory
type arrays = []fabtest.Array

// TestAllocation: exactly enough of everything, and one too few of each.
func TestAllocation(t *testing.T) {
	local := func(elements int64) fabtest.Array { return fabtest.Array{Local: true, Elements: elements, Loads: 1} }
	chip := func(elements int64) fabtest.Memory {
		return fabtest.Memory{OnChip: true, Elements: elements, Loads: 3, Stores: 1, Regions: 3}
	}
	lanes := fabtest.Memory{OnChip: true, Elements: 64, Loads: 3, Stores: 3, Regions: 2}
	written := fabtest.Array{Local: true, Elements: 8, Loads: 2, Stores: 1}
	for _, c := range []struct {
		name string
		m    memories
		a    arrays
		want []string // of the message; none: it fits
	}{
		{"an array with several accesses", memories{{Loads: 3, Stores: 2}}, arrays{{Loads: 3, Stores: 2}}, nil},
		{"one load too many", memories{{Loads: 3, Stores: 2}}, arrays{{Loads: 4, Stores: 2}},
			[]string{"accesses.mlir:9:3: error: no memory of fabric 'mesh9x9' can serve memref argument 'a0': it needs extmemory of i32 with 4 loads and 2 stores", "it has 3 load lanes"}},
		{"a load and a store too many", memories{{Loads: 3, Stores: 2}}, arrays{{Loads: 4, Stores: 3}},
			[]string{"it has 3 load lanes and 2 store lanes"}},
		{"more than two have together", memories{{Loads: 2, Stores: 1}, {Loads: 1, Stores: 1}, {Loads: 9, Elem: ir.I64}}, arrays{{Loads: 4, Stores: 2}},
			[]string{"the memories of fabric 'mesh9x9' cannot serve memref argument 'a0', not even several together: it needs extmemory of i32 with 4 loads and 2 stores, they have 3 load ports and 2 store ports in all",
				"help: the fabric needs an extmemory of i32 with 4 loads and 2 stores, or more memories of these kinds: several may serve one argument"}},
		{"more than the tags of two name", memories{{Loads: 4, TagWidth: 2}, {Loads: 4, TagWidth: 2}}, arrays{{Loads: 7}}, []string{"they have 6 load ports and 0 store ports in all"}},
		{"not beside another", memories{{Loads: 2}, {Loads: 2}}, arrays{{Loads: 3}, {Loads: 3}},
			[]string{"no memory of fabric 'mesh9x9' can serve memref argument 'a0', and no division among several leaves room for the kernel's other memories", "can serve memref argument 'a1', and no division"}},
		{"a local array that two could serve", memories{chip(64), chip(64)}, arrays{{Local: true, Elements: 8, Loads: 4, Stores: 1}},
			[]string{"it has 3 load lanes", "note: several of them have enough together, but an array on the chip that the kernel writes stays at one memory"}},
		{"lanes missing", memories{{Loads: 3, LoadLanes: 2}}, arrays{{Loads: 3}}, []string{"it has 2 load lanes"}},
		{"slots missing", memories{{Loads: 3, Slots: 2}}, arrays{{Loads: 3}}, []string{"it has 2 load lanes"}},
		{"more lanes than ports", memories{{Loads: 2, LoadLanes: 4, Regions: 3}}, arrays{{Loads: 1}, {Loads: 1}}, nil},
		{"ports are what counts", memories{{Loads: 2, LoadLanes: 4, Regions: 3}}, arrays{{Loads: 1}, {Loads: 1}, {Loads: 1}},
			[]string{"3 load lanes needed, 2 there (1 short)"}},
		{"all lanes", memories{{Loads: 4, Stores: 3, Regions: 2}}, arrays{{Loads: 2, Stores: 1}, {Loads: 2, Stores: 1}}, nil},
		{"one load lane too few", memories{{Loads: 3, Stores: 2, Regions: 2}}, arrays{{Loads: 2, Stores: 1}, {Loads: 2, Stores: 1}},
			[]string{"cannot hold 2 arrays of 32-bit elements together: 4 load lanes needed, 3 there (1 short)", "memref argument 'a1' needs 2 loads, 1 store, 1 region",
				"extmemory 'mem_0' has 3 load lanes, 2 store lanes, 2 regions, 3 tags in ranges", "it would do if every memory had more: 1 load lane and 1 store lane\n"}},
		{"one store lane too few", memories{{Loads: 4, Stores: 1, Regions: 2}}, arrays{{Loads: 2, Stores: 1}, {Loads: 2, Stores: 1}},
			[]string{"2 store lanes needed, 1 there (1 short)"}},
		{"a store lane for every tag of the loads", memories{{Loads: 4, Stores: 2, Regions: 2}}, arrays{{Loads: 2, Stores: 1}, {Loads: 2, Stores: 1}},
			[]string{"there is enough in total", "if every memory had more: 1 store lane\n"}},
		{"one region too few", memories{{Loads: 4, Stores: 2, Regions: 1}}, arrays{{Loads: 2, Stores: 1}, {Loads: 2, Stores: 1}},
			[]string{"2 regions needed, 1 there (1 short)"}},
		{"all at once", memories{{Loads: 2, Stores: 1}}, arrays{{Loads: 2, Stores: 1}, {Loads: 1, Stores: 1}, {Loads: 1}},
			[]string{"4 load lanes needed, 2 there (2 short), 2 store lanes needed, 1 there (1 short), 3 regions needed, 1 there (2 short)",
				"if every memory had more: 2 load lanes and 2 store lanes and 2 regions\n"}},
		{"all tags", memories{{Loads: 4, TagWidth: 3, Regions: 2}}, arrays{{Loads: 2}, {Loads: 2}}, nil},
		{"one tag too few", memories{{Loads: 4, TagWidth: 2, Regions: 2}}, arrays{{Loads: 2}, {Loads: 2}},
			[]string{"4 tags needed, 3 there (1 short)"}},
		{"no range for so many", memories{{Loads: 4, TagWidth: 2, Regions: 2}}, arrays{{Loads: 4}},
			[]string{"a range of its 2-bit tags covers 3 ports"}},
		{"the order of the ranges", memories{{Loads: 4, Stores: 1, Regions: 2}}, arrays{{Loads: 3}, {Loads: 1, Stores: 1}}, nil},
		{"no order of the ranges", memories{{Loads: 2, Stores: 2, Regions: 2}}, arrays{{Loads: 2}, {Stores: 2}},
			[]string{"4 tags needed, 2 there (2 short)", "if every memory had more: 2 load lanes, or 2 store lanes\n"}},
		{"the loads of an array that is only read divided", memories{{Loads: 3, Regions: 2}, {Loads: 3, Regions: 2}}, arrays{{Loads: 2}, {Loads: 2}, {Loads: 2}}, nil},
		{"those of one that is written", memories{{Loads: 3, Stores: 3, Regions: 2}, {Loads: 3, Stores: 3, Regions: 2}}, arrays{{Loads: 2, Stores: 1}, {Loads: 2, Stores: 1}, {Loads: 2, Stores: 1}}, nil},
		{"loads here and stores there", memories{{Loads: 1}, {Stores: 1}}, arrays{{Loads: 1, Stores: 1}}, nil},
		{"no distribution", memories{lanes, lanes}, arrays{written, written, written},
			[]string{"there is enough in total", "mem_0' and 1 like it each have 3 load lanes", "if every memory had more: 1 load lane"}},
		{"bytes", memories{chip(100)}, arrays{local(60), local(40)}, nil},
		{"one element too many", memories{chip(100)}, arrays{local(60), local(41)},
			[]string{"404 bytes needed, 400 there (4 short)", "needs 1 load, 0 stores, 1 region, 240 bytes"}},
		{"an array that is too large", memories{chip(100)}, arrays{local(101)},
			[]string{"memory of 101 elements of i32 with 1 load and 0 stores", "help: the fabric needs a memory of 101 elements", "it holds 100 elements"}},
		{"packed on chip", memories{chip(10), chip(10)}, arrays{local(4), local(3), local(3), local(5), local(5)}, nil},
		{"widths side by side", memories{{Loads: 2, Regions: 2}, {Loads: 2, Regions: 2, Elem: ir.I64}}, arrays{{Loads: 1}, {Loads: 2, Elem: ir.I64}, {Loads: 1}}, nil},
		{"of one width", memories{{Loads: 2, Regions: 2}, {Loads: 2, Regions: 2, Elem: ir.I64}}, arrays{{Loads: 2, Elem: ir.I64}, {Loads: 1, Elem: ir.I64}}, []string{"of 64-bit elements together: 3 load lanes needed, 2 there"}},
		{"untagged memories hold one array", memories{{Loads: 1, Stores: 1, Regions: 4}}, arrays{{Loads: 1}, {Stores: 1}},
			[]string{"needs 2 memories of 32-bit elements, the fabric has 1 (1 short)"}},
		{"both troubles", memories{{Loads: 1}}, arrays{{Loads: 1}, {Loads: 1}, {Stores: 1}},
			[]string{"can serve memref argument 'a2'", "it has 0 store ports", "needs 2 memories"}},
		{"arrays and units", memories{{Loads: 1}}, arrays{{Loads: 1, Elem: ir.I16}, {Loads: 2}},
			[]string{"extmemory of i16", "memref argument 'a1'"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tm, err := tech.Map(fabtest.Accesses(c.a...), fabric(c.m...))
			if c.want == nil {
				if err != nil {
					t.Fatal(diag.Render(diag.FromError(err), nil))
				}
				legal(t, tm, tm.Allocate(place.NewRNG(1)))
				return
			}
			if err == nil {
				t.Fatal("it fits")
			}
			text := diag.Render(diag.FromError(err), nil)
			for _, w := range c.want {
				if !strings.Contains(text, w) {
					t.Errorf("the message lacks %q:\n%s", w, text)
				}
			}
		})
	}
}

// TestUnevenLanes: a lane that accesses cannot use, for whatever reason, is left
// alone.
func TestUnevenLanes(t *testing.T) {
	for name, damage := range map[string]func(f *arch.Fabric, lane *arch.Component){
		"no address":         func(_ *arch.Fabric, l *arch.Component) { l.In[arch.LoadAddr].Chan = nil },
		"narrow address":     func(_ *arch.Fabric, l *arch.Component) { l.In[arch.LoadAddr].Width = 32 },
		"wide address":       func(_ *arch.Fabric, l *arch.Component) { l.In[arch.LoadAddr].Width = 65 },
		"narrow data":        func(_ *arch.Fabric, l *arch.Component) { l.Out[arch.LoadData].Width = 31 },
		"no data":            func(_ *arch.Fabric, l *arch.Component) { l.Out[arch.LoadData].Chan = nil },
		"narrow on the path": func(_ *arch.Fabric, l *arch.Component) { l.Out[arch.LoadReq].Chan.Width = 16 },
		"done, unread, at a PE": func(f *arch.Fabric, l *arch.Component) {
			for _, c := range f.Comps {
				if c.Kind == arch.SpatialPE {
					l.Out[arch.LoadDone].Chan.Dst = arch.Endpoint{Comp: c, Port: 0}
				}
			}
		},
	} {
		for _, c := range []struct {
			loads []int
			fits  bool
		}{{[]int{1, 1}, true}, {[]int{2}, true}, {[]int{1, 2}, false}, {[]int{3}, false}} {
			f := fabric(fabtest.Memory{Loads: 3, Regions: 3})
			for _, x := range f.Comps {
				if x.Name == "mem_0_ld1" {
					damage(f, x)
				}
			}
			var a arrays
			for _, n := range c.loads {
				a = append(a, fabtest.Array{Loads: n, Unread: 1})
			}
			if _, err := tech.Map(fabtest.Accesses(a...), f); (err == nil) != c.fits {
				t.Errorf("%s: loads %v on two usable lanes of three: %v", name, c.loads, err)
			}
		}
	}
}

// legal checks an allocation against the rules of the address table.
func legal(t *testing.T, tm *tech.Tech, mem []int) {
	t.Helper()
	placed := map[int]bool{}
	for m, arrays := range tm.Contents(mem) {
		if len(arrays) == 0 {
			continue
		}
		spec := tm.Memories[m].Mem.Mem
		slots := tm.Layout(m, arrays)
		if len(slots) > spec.NumRegion {
			t.Errorf("memory %d: %d regions of %d", m, len(slots), spec.NumRegion)
		}
		for i, s := range slots {
			a := tm.Arrays[s.Array]
			placed[s.Array] = true
			if spec.TagWidth == 0 {
				if len(slots) > 1 || s.Start != 0 || s.End != 0 {
					t.Errorf("untagged memory %d holds %+v", m, slots)
				}
				continue
			}
			if s.End-s.Start != a.Span() || s.End >= 1<<spec.TagWidth || len(a.Loads) > 0 && s.Start+len(a.Loads) > spec.LdCount ||
				len(a.Stores) > 0 && s.Start+len(a.Stores) > spec.StCount {
				t.Errorf("memory %d: array %d with tags %d to %d", m, s.Array, s.Start, s.End)
			}
			if s.First < 0 || spec.Elements > 0 && s.First+a.Elements > spec.Elements {
				t.Errorf("memory %d: array %d at element %d", m, s.Array, s.First)
			}
			for _, o := range slots[:i] {
				b := tm.Arrays[o.Array]
				side := spec.Elements == 0 || s.First >= o.First+b.Elements || o.First >= s.First+a.Elements
				if s.Start < o.End && o.Start < s.End || s.Region == o.Region || !side {
					t.Errorf("memory %d: %+v and %+v overlap", m, s, o)
				}
			}
		}
	}
	if len(placed) != len(tm.Arrays) {
		t.Errorf("%d of %d arrays are placed", len(placed), len(tm.Arrays))
	}
}

// fitsDivided tries all allocations and all orders of the ranges, with every access outside of the
// chip at any memory.
func fitsDivided(m memories, a arrays) bool {
	on := make([][]fabtest.Array, len(m))
	var assign func(i, k int, left fabtest.Array) bool
	assign = func(i, k int, left fabtest.Array) bool {
		switch {
		case left.Loads+left.Stores == 0 && i+1 == len(a):
			for k := range m {
				if !orderable(m[k], on[k], 0) {
					return false
				}
			}
			return true
		case left.Loads+left.Stores == 0:
			return assign(i+1, 0, a[i+1])
		case k == len(m):
			return false
		}
		for loads := range left.Loads + 1 {
			for stores := range left.Stores + 1 {
				part, rest := left, left
				part.Loads, part.Stores = loads, stores
				rest.Loads, rest.Stores = left.Loads-loads, left.Stores-stores
				switch {
				case left.Local && loads+stores > 0 && part != left:
					continue
				case loads+stores == 0:
					if assign(i, k+1, rest) {
						return true
					}
					continue
				}
				on[k] = append(on[k], part)
				if assign(i, k+1, rest) {
					return true
				}
				on[k] = on[k][:len(on[k])-1]
			}
		}
		return false
	}
	return assign(0, 0, a[0])
}

// orderable reports whether the arrays fit a memory from a tag on.
func orderable(m fabtest.Memory, a []fabtest.Array, tag int) bool {
	if len(a) > max(m.Regions, 1) {
		return false
	}
	sum := int64(0)
	for _, x := range a {
		sum += x.Elements
	}
	if sum > m.Elements && m.OnChip {
		return false
	}
	var try func(left []fabtest.Array, tag int) bool
	try = func(left []fabtest.Array, tag int) bool {
		if len(left) == 0 {
			return true
		}
		for i, x := range left {
			end := tag + max(x.Loads, x.Stores)
			if x.Loads > 0 && tag+x.Loads > m.Loads || x.Stores > 0 && tag+x.Stores > m.Stores || end >= 1<<m.TagWidth {
				continue
			}
			rest := append(append([]fabtest.Array(nil), left[:i]...), left[i+1:]...)
			if try(rest, end) {
				return true
			}
		}
		return false
	}
	return try(a, tag)
}

// TestAllocationFindsWhatThereIs compares with trying everything. Halving does not find every
// division that there is; of these instances it finds all.
func TestAllocationFindsWhatThereIs(t *testing.T) {
	fit, not := 0, 0
	for seed := range uint64(150) {
		r := place.NewRNG(seed)
		chip := r.Intn(2) == 0
		var m memories
		for range 1 + r.Intn(3) {
			x := fabtest.Memory{Loads: r.Intn(4), Stores: r.Intn(3), Regions: 1 + r.Intn(3), TagWidth: 2 + r.Intn(2), Tagged: true, OnChip: chip}
			if x.Loads+x.Stores == 0 {
				x.Loads = 2
			}
			if chip {
				x.Elements = int64(4 + r.Intn(8))
			}
			m = append(m, x)
		}
		var a arrays
		for range 1 + r.Intn(5) {
			x := fabtest.Array{Loads: r.Intn(3), Stores: r.Intn(2), Local: chip}
			if x.Loads+x.Stores == 0 {
				x.Loads = 1
			}
			if chip {
				x.Elements = int64(1 + r.Intn(5))
			}
			a = append(a, x)
		}
		want := fitsDivided(m, a)
		tm, err := tech.Map(fabtest.Accesses(a...), fabric(m...))
		if (err == nil) != want {
			t.Errorf("seed %d: %+v on %+v: fits %v, found %v", seed, a, m, want, err)
			continue
		}
		if !want {
			not++
			if l := diag.FromError(err); len(l.All) == 0 || !l.All[0].Pos.IsValid() {
				t.Errorf("seed %d: %v", seed, err)
			}
			continue
		}
		fit++
		for s := range uint64(3) {
			legal(t, tm, tm.Allocate(place.NewRNG(s)))
		}
	}
	if fit < 30 || not < 30 {
		t.Errorf("%d instances fit, %d do not", fit, not)
	}
}

// TestTightPacking: eighteen arrays of many sizes that fill six memories almost to
// the last element.
func TestTightPacking(t *testing.T) {
	for seed := uint64(4); seed < 6; seed++ {
		r := place.NewRNG(seed)
		var m memories
		var a arrays
		for range 6 {
			m = append(m, fabtest.Memory{OnChip: true, Elements: 1000, Loads: 6, Stores: 1, Regions: 6})
		}
		sum := int64(0)
		for range 18 {
			x := fabtest.Array{Local: true, Elements: int64(200 + r.Intn(267)), Loads: 1}
			sum += x.Elements
			a = append(a, x)
		}
		tm, err := tech.Map(fabtest.Accesses(a...), fabric(m...))
		if err != nil {
			t.Errorf("%d of 6000 elements do not fit: %v", sum, err)
			continue
		}
		legal(t, tm, tm.Allocate(place.NewRNG(0)))
	}
}

// TestSpreading: arrays whose accesses compete go to different memories, and
// different random numbers give different allocations.
func TestSpreading(t *testing.T) {
	m := memories{{Loads: 4, Stores: 4, Regions: 4}, {Loads: 4, Stores: 4, Regions: 4}}
	one := fabtest.Array{Loads: 1}
	tm, err := tech.Map(fabtest.Accesses(one, one, one, one), fabric(m...))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for s := range uint64(20) {
		mem := tm.Allocate(place.NewRNG(s))
		if n := len(tm.Contents(mem)[0]); n != 2 {
			t.Errorf("%d of 4 arrays on the first memory", n)
		}
		seen[tm.Describe(mem)] = true
		if d := cmp.Diff(mem, tm.Allocate(place.NewRNG(s))); d != "" {
			t.Error("the same seed gives another allocation")
		}
	}
	if len(seen) < 4 {
		t.Errorf("only %d allocations", len(seen))
	}
	// One loop makes the accesses of arrays 0 and 2, another one those of 1 and 3.
	loop := make([]int, len(tm.Nodes))
	for id, nd := range tm.Nodes {
		loop[id] = -1
		if nd.Kind == tech.Access {
			loop[id] = nd.Array % 2
		}
	}
	tm.Share(loop)
	for s := range uint64(20) {
		if mem := tm.Allocate(place.NewRNG(s)); mem[0] == mem[2] || mem[1] == mem[3] {
			t.Errorf("competing arrays share a memory: %v", mem)
		}
	}
	// Untagged memories are preferred: a lane costs a cycle.
	tm, err = tech.Map(fabtest.Accesses(fabtest.Array{Loads: 1, Stores: 1}), fabric(m[0], fabtest.Memory{Loads: 1, Stores: 1}, m[1]))
	if err != nil {
		t.Fatal(err)
	}
	if mem := tm.Allocate(place.NewRNG(0)); mem[0] != 1 {
		t.Errorf("on memory %d", mem[0])
	}
}
