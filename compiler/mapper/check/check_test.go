package check_test

import (
	"encoding/json"
	"fmt"
	"loom/internal/testkit"
	"os"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	_ "loom/compiler/dialect/all" // commutativity
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mapper/check"
	"loom/compiler/mapping"
	"loom/internal/fabtest"
)

// sample is a kernel mapped onto a small mesh.
type sample struct {
	name string
	fn   *ir.Operation
	f    *arch.Fabric
	res  *mapper.Result
}

var quick = mapper.Effort{Attempts: 6, Candidates: 1, Moves: 40, Cooling: 85, Iterations: 60}

// mapped are the kernels that the mapper has mapped; tests only read them.
var mapped = sync.OnceValues(func() ([]sample, error) {
	opts := fabtest.Options{Rows: 4, Cols: 4, Memories: 2, Ins: 5, Outs: 6, Bypass: true,
		Extra: []*arch.FunctionUnit{fabtest.MulAdd(64)}}
	var out []sample
	for _, s := range []sample{{name: "scale", fn: fabtest.Scale()}, {name: "features", fn: fabtest.Features()}} {
		s.f = fabtest.Mesh(opts)
		res, err := mapper.Map(s.fn, s.f, mapper.Options{Effort: quick})
		if err != nil {
			return nil, err
		}
		s.res = res
		out = append(out, s)
	}
	return out, nil
})

func samples(t *testing.T) []sample {
	t.Helper()
	out, err := mapped()
	if err != nil {
		t.Fatal(err)
	}
	return append(slices.Clone(out), bridged(t), machines(t))
}

// free names the parts of map.json that may be anything: they describe, they do
// not decide.
var free = regexp.MustCompile(`^(tool|seed|attempt|timing|utilization)\b|^ops\.\d+\.(label|position|x|y)\b|` +
	`^(args|results)\.\d+\.name$|^(start|done)\.name$`)

// bridgeKeys are the parts of map.json that concern the accesses of memories.
var (
	bridgeKeys = regexp.MustCompile(`^(memories|regions|temporal_switches|tags)\b`)
	regionEnd  = regexp.MustCompile(`^regions\.\d+\.end_tag$`)
)

// leaves lists the paths of all leaves and all array elements of a JSON tree.
func leaves(v any, path string, visit func(path string, v any)) {
	join := func(k string) string {
		if path == "" {
			return k
		}
		return path + "." + k
	}
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			leaves(v[k], join(k), visit)
		}
	case []any:
		for i, e := range v {
			leaves(e, join(fmt.Sprint(i)), visit)
			visit(join(fmt.Sprint(i)), e)
		}
	default:
		visit(path, v)
	}
}

// replace returns the tree with the value at path replaced, or with drop set,
// the array element taken out.
func replace(v any, path []string, val any, drop bool) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[k] = e
		}
		if len(path) == 1 {
			out[path[0]] = val
		} else {
			out[path[0]] = replace(v[path[0]], path[1:], val, drop)
		}
		return out
	case []any:
		var i int
		fmt.Sscan(path[0], &i)
		out := append([]any(nil), v...)
		switch {
		case len(path) > 1:
			out[i] = replace(v[i], path[1:], val, drop)
		case drop:
			out = append(out[:i:i], out[i+1:]...)
		default:
			out[i] = val
		}
		return out
	}
	return v
}

// TestEveryFieldOfAMappingMatters changes every value in map.json, one at a
// time, and takes out every list element: the checker must object each time.
func TestEveryFieldOfAMappingMatters(t *testing.T) {
	for _, s := range samples(t) {
		var tree any
		if err := json.Unmarshal(s.res.Mapping.JSON(), &tree); err != nil {
			t.Fatal(err)
		}
		tried, at := 0, 0
		try := func(path string, val any, drop bool) {
			text, err := json.Marshal(replace(tree, strings.Split(path, "."), val, drop))
			if err != nil {
				t.Fatal(err)
			}
			tried++
			m, err := mapping.Read("m.json", text)
			if err != nil {
				return
			}
			if check.Mapping(s.fn, s.f, m) == nil {
				t.Errorf("%s: %s = %v (taken out: %v) goes unnoticed", s.name, path, val, drop)
			}
		}
		leaves(tree, "", func(path string, v any) {
			if free.MatchString(path) {
				return
			}
			// Most positions are alike: a part of them suffices, a soak run takes all.
			every := 15
			if s.name == "arrays" && !bridgeKeys.MatchString(path) {
				every = 97
			} else if s.name == "arrays" {
				every = 4
			} else if s.name == "machines" && strings.HasPrefix(path, "groups") {
				every = 2
			}
			if at++; at%every != 0 && os.Getenv("LOOM_SOAK") == "" {
				return
			}
			switch v := v.(type) {
			case float64:
				// A region may hold tags that no access has.
				if !regionEnd.MatchString(path) {
					try(path, v+1, false)
				}
				if v > 0 {
					try(path, v-1, false)
				} else {
					try(path, v+2, false)
				}
			case string:
				if strings.HasPrefix(v, "0x") {
					try(path, v+"1", false)
				} else {
					try(path, v+"x", false)
				}
			case bool:
				if !strings.HasPrefix(path, "fifos") {
					try(path, !v, false)
				}
			}
			if parts := strings.Split(path, "."); strings.Trim(parts[len(parts)-1], "0123456789") == "" && !strings.HasPrefix(path, "fifos") {
				try(path, nil, true)
			}
		})
		t.Logf("%s: %d changes", s.name, tried)
		if tried < 200 {
			t.Errorf("%s: only %d changes tried", s.name, tried)
		}
	}
}

// swap exchanges two values.
func swap[T any](a, b *T) { *a, *b = *b, *a }

// TestMutations makes changes that are consistent in themselves.
func TestMutations(t *testing.T) {
	all := samples(t)
	base, features := all[0], all[1]
	for _, c := range []struct {
		name   string
		mutate func(m *mapping.Mapping)
		want   string
	}{
		{"two groups on one PE", func(m *mapping.Mapping) {
			m.Groups[1].Comp = m.Groups[0].Comp
			m.Ops[m.Groups[1].Ops[0]].Comp = m.Groups[0].Comp
		}, "hosts both"},
		{"unit that computes something else", func(m *mapping.Mapping) {
			g := &m.Groups[m.Ops[10].Group] // the multiplication
			for i, fu := range base.f.Comps[25].PE.FUs {
				if fu.Ops[0].Op.Name == "arith.addi" {
					g.Opcode, g.Unit = i, fu.Name
					m.Ops[10].Unit = fu.Name
				}
			}
		}, "does not execute"},
		{"operands exchanged where order matters", func(m *mapping.Mapping) {
			g := &m.Groups[m.Ops[5].Group] // a carry
			swap(&g.Inputs[1].Operand, &g.Inputs[2].Operand)
		}, "does not feed operand"},
		{"memories exchanged", func(m *mapping.Mapping) {
			swap(&m.Memories[0].Arg, &m.Memories[1].Arg)
		}, "serves another argument"},
		{"one memory for both", func(m *mapping.Mapping) {
			m.Memories[1].Comp = m.Memories[0].Comp
			m.Memories[1].Accesses[0].Comp = m.Memories[0].Comp
			m.Ops[13].Comp = m.Memories[0].Comp
		}, "hosts both"},
		{"edge from another source", func(m *mapping.Mapping) {
			swap(&m.Edges[2].Src, &m.Edges[5].Src)
		}, "is fed by"},
		{"edge with another's route", func(m *mapping.Mapping) {
			m.Edges[3].Steps = m.Edges[4].Steps
		}, "does not"},
		{"edge missing", func(m *mapping.Mapping) { m.Edges = m.Edges[1:] }, "has no edge"},
		{"edge twice", func(m *mapping.Mapping) { m.Edges = append(m.Edges, m.Edges[0]) }, "two edges"},
		{"route missing in the settings", func(m *mapping.Mapping) { m.Switches[0].Routes = m.Switches[0].Routes[1:] },
			"although an edge needs it"},
		{"route too many", func(m *mapping.Mapping) {
			used := map[int]bool{}
			for _, r := range m.Switches[0].Routes {
				used[r[0]] = true
			}
			for o := 0; ; o++ {
				if !used[o] {
					m.Switches[0].Routes = append(m.Switches[0].Routes, mapping.Route{o, 0})
					return
				}
			}
		}, "for no edge"},
		{"discard missing", func(m *mapping.Mapping) {
			for i := range m.Switches {
				if len(m.Switches[i].Discard) > 0 {
					m.Switches[i].Discard = []int{}
				}
			}
		}, "does not drop them"},
		{"argument at another port", func(m *mapping.Mapping) { swap(&m.Args[2].Port, &m.Args[3].Port) }, "does not start where"},
		{"region with an offset", func(m *mapping.Mapping) { m.Regions[0].Offset = 8 }, "offset 0"},
		{"all FIFOs bypassed", func(m *mapping.Mapping) {
			for i := range m.FIFOs {
				m.FIFOs[i].Bypassed = true
			}
			for i := range m.Edges {
				m.Edges[i].Latency, m.Edges[i].Slots = 0, 0
			}
		}, "no buffer of its own"},
		{"another kernel", func(m *mapping.Mapping) { m.Kernel = "other" }, "of kernel 'other'"},
		{"empty", func(m *mapping.Mapping) { *m = mapping.Mapping{Format: 1} }, "is of kernel"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := base
			if c.name == "discard missing" {
				s = features
			}
			m, err := mapping.Read("m.json", s.res.Mapping.JSON())
			if err != nil {
				t.Fatal(err)
			}
			c.mutate(m)
			if string(m.JSON()) == string(s.res.Mapping.JSON()) {
				t.Fatal("nothing was changed")
			}
			err = check.Mapping(s.fn, s.f, m)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v does not contain %q", err, c.want)
			}
		})
	}
}

// TestEveryBitOfAnImageMatters flips every bit of the configuration. What may
// change without consequence is known: drops where nothing arrives, selections
// of selectors that are off, everything of a PE that is off, the base address,
// which is the host's, and what bridgeBitFree lists.
func TestEveryBitOfAnImageMatters(t *testing.T) {
	for _, s := range samples(t) {
		words := s.res.Image.Encode()
		l := s.res.Image.Layout
		flipped, harmless := 0, 0
		for si := range l.Slices {
			sl := &l.Slices[si]
			set := s.res.Image.Settings[sl.Comp.ID]
			for bit := range sl.Bits {
				// The routes of the largest switch are all alike.
				if s.name == "arrays" && sl.Comp.Kind == arch.SpatialSwitch && bit%13 != 0 && os.Getenv("LOOM_SOAK") == "" {
					continue
				}
				var field config.Field
				for _, fd := range sl.Fields {
					if bit >= fd.Bit && bit < fd.Bit+fd.Width && (fd.FU < 0 || set.PE.Enable && fd.FU == set.PE.Opcode) {
						field = fd
					}
				}
				at := sl.WordOffset*config.WordBits + bit
				bad := append([]uint32(nil), words...)
				bad[at/32] ^= 1 << (at % 32)
				flipped++
				img, err := config.Decode(l, bad)
				if err != nil {
					continue // noticed before the checker
				}
				if check.Image(s.fn, s.f, img, s.res.Binding) != nil {
					continue
				}
				switch {
				case sl.Comp.Kind == arch.SpatialSwitch && strings.HasPrefix(field.Name, "expects") &&
					img.Settings[sl.Comp.ID].Switch.Discard[bit-sl.Bits+len(sl.Comp.In)]:
				case sl.Comp.Kind == arch.SpatialPE && !set.PE.Enable:
				case sl.Comp.Kind == arch.SpatialPE && selectorOff(set.PE, field.Name):
				case strings.HasSuffix(field.Name, "addr_offset") && sl.Comp.Kind == arch.ExtMemory:
				case sl.Comp.Kind == arch.FIFO:
				case bridgeBitFree(s.res.Mapping, set, img.Settings[sl.Comp.ID], sl.Comp, field.Name):
				default:
					t.Errorf("%s: flipping bit %d (%s) of '%s' goes unnoticed", s.name, bit, field.Name, sl.Comp.Name)
				}
				harmless++
			}
		}
		t.Logf("%s: %d flips, %d without consequence", s.name, flipped, harmless)
		if harmless > flipped/2 {
			t.Errorf("%s: most flips are without consequence", s.name)
		}
	}
}

// selectorOff reports whether a field is the choice of a selector that chooses
// nothing.
func selectorOff(pe *config.PESetting, field string) bool {
	var k int
	if n, _ := fmt.Sscanf(field, "in[%d].", &k); n == 1 {
		return pe.In[k].Disconnect && !strings.HasSuffix(field, "disconnect")
	}
	if n, _ := fmt.Sscanf(field, "out[%d].", &k); n == 1 {
		return (pe.Out[k].Disconnect || pe.Out[k].Discard) && !strings.HasSuffix(field, "disconnect")
	}
	return false
}

// TestNoBufferBehindFork maps onto a fabric without FIFOs at the PEs: where a
// value forks at the last switch the checker must refuse the mapping.
func TestNoBufferBehindFork(t *testing.T) {
	f := fabtest.Mesh(fabtest.Options{Rows: 4, Cols: 4, Memories: 2, Ins: 5, Outs: 5, NoPEFIFO: true})
	_, err := mapper.Map(fabtest.Scale(), f, mapper.Options{Effort: quick})
	if err == nil || !strings.Contains(err.Error(), "no buffer of its own") {
		t.Errorf("error: %v", err)
	}
}

// TestNoBufferAtUnit maps onto a fabric with units at its memories and takes the tokens out of its FIFOs: the checker must
// refuse what goes to the units, but for the data that a unit has asked its memory for.
func TestNoBufferAtUnit(t *testing.T) {
	f := testkit.Fabric(t, "mesh6x6")
	fn := fabtest.Scale()
	res, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(err)
	}
	if err := check.Mapping(fn, f, res.Mapping); err != nil {
		t.Fatal(err)
	}
	slots := map[string]int{} // behind the selectors of a PE
	for _, c := range f.Comps {
		if c.FIFO != nil {
			c.FIFO.Depth = 0
		}
		if c.PE != nil {
			slots[c.Name] = c.PE.OperandFIFO
		}
	}
	for i := range res.Mapping.Edges {
		if e := &res.Mapping.Edges[i]; e.Kind == mapping.Routed {
			e.Slots = slots[e.Steps[len(e.Steps)-1].Comp]
		}
	}
	res.Mapping.LayoutHash = mapping.HashText(config.NewLayout(f).Hash)
	err = check.Mapping(fn, f, res.Mapping)
	if err == nil || strings.Count(err.Error(), "no buffer of its own between the last fork and PE 'mem_") == 0 || strings.Contains(err.Error(), "operand #1 ('handshake.load") {
		t.Errorf("error: %v", err)
	}
}

// TestForeignImage checks that images of other kernels are refused.
func TestForeignImage(t *testing.T) {
	s := samples(t)
	if check.Image(s[1].fn, s[0].f, s[0].res.Image, s[0].res.Binding) == nil {
		t.Error("the image of one kernel passes as another's")
	}
	if check.Image(s[0].fn, s[0].f, config.New(config.NewLayout(s[0].f)), s[0].res.Binding) == nil {
		t.Error("an empty image passes")
	}
}

// FuzzRead feeds damaged map.json files to everything that reads them: an error
// at worst, never a panic.
func FuzzRead(f *testing.F) {
	fn, fab := fabtest.Scale(), fabtest.Mesh(fabtest.Options{Rows: 4, Cols: 4, Memories: 2, Ins: 5, Outs: 6})
	res, err := mapper.Map(fn, fab, mapper.Options{Effort: quick})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(res.Mapping.JSON())
	f.Add([]byte(`{"format":1,"layout_hash":"` + res.Mapping.LayoutHash + `","kernel":"scale","fabric":"mesh4x4","groups":[{"ops":[-1]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := mapping.Read("m.json", text)
		if err != nil {
			return
		}
		_ = check.Mapping(fn, fab, m)
		b, errB := m.Bind(fn, fab)
		img, errI := m.Image(fab)
		if errB == nil && errI == nil {
			_ = check.Image(fn, fab, img, b)
		}
	})
}
