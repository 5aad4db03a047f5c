package check_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/mapper"
	"loom/compiler/mapper/check"
	"loom/compiler/mapping"
	"loom/internal/maptest"
)

// temporalFabric has a temporal PE for most of the kernel below.
const temporalFabric = `name: temporal
width: 32
topology: {kind: mesh, rows: 1, columns: 3, tracks: 2}
boundary: {inputs: 3, outputs: 4}
function_units: {}
pes:
  t: {units: [{addi: i32}, {subi: i32}, {cmpi: i32}, {select: i32}, {cond_br: i32}, {mux: i32}, {loop: i32}, {carry: i32}, {invariant: i32}, {join: 3}, {trunci: i32 -> i8}, {extsi: i8 -> i32}], instructions: 16, constants: 2, ports: {inputs: 4, outputs: 4}}
  c: {units: [{counter: index}, {stream: index}, {gate: i32}, {index_cast: index -> i32}], immediates: [0, 1, 2]}
pattern: [[t, c, c]]
`

// temporalKernel has operations that read each other, a loop head, held and paced constants, values that leave and come, and a wire.
const temporalKernel = `handshake.func @temporal(%n: index, %a: i32, %start: none) -> (i32, i32, none) {
  %held = dataflow.hold %start : none
  %zero = constant %held {value = 0 : index} : index
  %one = constant %held {value = 1 : index} : index
  %five = constant %held {value = 5 : i32} : i32
  %i, %d = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %g, %never = cond_br %d, %i : index
  %xs = arith.index_cast %g : index to i32
  %w = dataflow.invariant %d, %a : i1, i32 -> i32
  %wi, %left = cond_br %d, %w : i32
  %v = dataflow.carry %d, %a, %next : i1, i32, i32 -> i32
  %body, %out = cond_br %d, %v : i32
  %less = arith.cmpi slt, %body, %xs : i32
  %sum = arith.addi %body, %wi : i32
  %difference = arith.subi %sum, %five : i32
  %low = arith.trunci %difference : i32 to i8
  %back = arith.extsi %low : i8 to i32
  %next = arith.select %less, %sum, %back : i32
  return %out, %left, %start : i32, i32, none
}
`

var mappedTemporal = sync.OnceValues(func() (sample, error) {
	mod, err := build.Build("temporal.yaml", []byte(temporalFabric))
	if err != nil {
		return sample{}, err
	}
	f, err := arch.FromModule(mod, "")
	if err != nil {
		return sample{}, err
	}
	fn := maptest.Kernel(temporalKernel)
	res, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
	return sample{"temporal", fn, f, res}, err
})

// temporal is a kernel most of whose operations are instructions of a temporal PE; tests only read it.
func temporal(t testing.TB) sample {
	t.Helper()
	s, err := mappedTemporal()
	if err != nil {
		t.Fatal(diag.Render(diag.FromError(err), nil))
	}
	return s
}

// TestTemporalSample: the sample has what the tests below are about.
func TestTemporalSample(t *testing.T) {
	m := temporal(t).res.Mapping
	if len(m.TemporalPEs) != 1 || len(m.TemporalPEs[0].Instructions) < 8 || len(m.TemporalPEs[0].Outputs) < 2 || len(m.TemporalPEs[0].Constants) == 0 {
		t.Fatalf("the temporal PE: %+v", m.TemporalPEs)
	}
	inside, several := 0, false
	for _, e := range m.Edges {
		if e.Kind == mapping.TemporalReg {
			inside++
		}
	}
	for _, g := range m.Groups {
		several = several || g.Instruction != nil && len(g.Ops) > 1
	}
	if inside < 6 || !several {
		t.Errorf("%d edges within the PE, a unit of several operations: %v", inside, several)
	}
}

// TestTemporalMutations changes a mapping onto a temporal PE, in ways that hang together.
func TestTemporalMutations(t *testing.T) {
	s := temporal(t)
	// on finds the group of the first operation of a name.
	on := func(m *mapping.Mapping, name string) *mapping.Group {
		for _, o := range m.Ops {
			if o.Name == name && o.Group >= 0 && m.Groups[o.Group].Instruction != nil {
				return &m.Groups[o.Group]
			}
		}
		t.Fatalf("no instruction executes %s", name)
		return nil
	}
	// setting is that of the instruction of a group.
	setting := func(m *mapping.Mapping, g *mapping.Group) *mapping.Instruction {
		p := &m.TemporalPEs[0]
		return &p.Instructions[slices.IndexFunc(p.Instructions, func(x mapping.Instruction) bool { return x.Number == *g.Instruction })]
	}
	inner := func(m *mapping.Mapping) *mapping.Edge {
		return &m.Edges[slices.IndexFunc(m.Edges, func(e mapping.Edge) bool { return e.Kind == mapping.TemporalReg })]
	}
	for _, c := range []struct {
		name   string
		mutate func(m *mapping.Mapping)
		want   string
	}{
		{"two groups on one instruction", func(m *mapping.Mapping) { on(m, "arith.addi").Instruction = on(m, "arith.subi").Instruction }, "hosts both"},
		{"no instruction", func(m *mapping.Mapping) { on(m, "arith.addi").Instruction = nil }, "is no instruction of temporal PE"},
		{"an instruction beyond the last", func(m *mapping.Mapping) { *on(m, "arith.addi").Instruction = 16 }, "is no instruction of temporal PE"},
		{"an instruction of a spatial PE", func(m *mapping.Mapping) {
			n := 0
			m.Groups[slices.IndexFunc(m.Groups, func(g mapping.Group) bool { return g.Instruction == nil })].Instruction = &n
		}, "which is a spatial PE"},
		{"another source, from within", func(m *mapping.Mapping) {
			g := on(m, "arith.subi")
			x := *on(m, "arith.select").Instruction
			g.Inputs[0].Source = &x
			setting(m, g).Operands[1].Source = x
		}, "which is not result 0 of 'arith.addi'"},
		{"the second result in place of the first", func(m *mapping.Mapping) {
			g := on(m, "arith.addi")
			for i := range g.Inputs {
				if *g.Inputs[i].Source < 16 {
					x := *g.Inputs[i].Source + 16
					g.Inputs[i].Source = &x
					setting(m, g).Operands[1+g.Inputs[i].Unit].Source = x
					return
				}
			}
			t.Fatal("no operand from within")
		}, "which is not"},
		{"another source, from an input", func(m *mapping.Mapping) {
			for i := range m.Groups {
				for k := range m.Groups[i].Inputs {
					if in := &m.Groups[i].Inputs[k]; in.Source != nil && in.Port >= 0 {
						x := *in.Source ^ 1
						in.Source = &x
						return
					}
				}
			}
		}, "it arrives at input"},
		{"a source in place of a held operand", func(m *mapping.Mapping) {
			x := 3
			on(m, "arith.subi").Inputs[1].Source = &x
		}, "comes from no instruction"},
		{"held in place of a source", func(m *mapping.Mapping) { on(m, "arith.subi").Inputs[0].Source = nil }, "is held or not"},
		{"another constant", func(m *mapping.Mapping) { m.TemporalPEs[0].Constants[setting(m, on(m, "arith.subi")).Constant] = 6 }, "has not the constant 0x5"},
		{"another number of a constant", func(m *mapping.Mapping) { setting(m, on(m, "arith.subi")).Constant = 7 }, "has not the constant"},
		{"another opcode in the setting", func(m *mapping.Mapping) { setting(m, on(m, "arith.addi")).Opcode++ }, "is not what group"},
		{"another predicate in the setting", func(m *mapping.Mapping) {
			setting(m, on(m, "arith.cmpi")).Fields = []mapping.Field{{Name: "predicate", Value: 4}}
		}, "is not what group"},
		{"another predicate", func(m *mapping.Mapping) { on(m, "arith.cmpi").Fields[0].Value = 4 }, "field 'predicate'"},
		{"an operand held in the setting", func(m *mapping.Mapping) { setting(m, on(m, "arith.addi")).Operands[1] = mapping.Operand{Held: true} }, "is not what group"},
		{"no setting of an instruction", func(m *mapping.Mapping) {
			p := &m.TemporalPEs[0]
			p.Instructions = p.Instructions[1:]
		}, "has no setting"},
		{"an instruction too many", func(m *mapping.Mapping) {
			p := &m.TemporalPEs[0]
			p.Instructions = append(p.Instructions, mapping.Instruction{Number: 15, Operands: [3]mapping.Operand{{Held: true}}})
		}, "in use"},
		{"no setting of the PE", func(m *mapping.Mapping) { m.TemporalPEs = nil }, "has no setting"},
		{"two settings of the PE", func(m *mapping.Mapping) { m.TemporalPEs = append(m.TemporalPEs, m.TemporalPEs[0]) }, "or its second"},
		{"another source of an output", func(m *mapping.Mapping) { m.TemporalPEs[0].Outputs[0][1] ^= 1 }, "of temporal PE"},
		{"an output too few", func(m *mapping.Mapping) { m.TemporalPEs[0].Outputs = m.TemporalPEs[0].Outputs[1:] }, "outputs set"},
		{"an edge within that is routed", func(m *mapping.Mapping) { inner(m).Kind = mapping.Routed }, "is of kind"},
		{"an edge within with steps", func(m *mapping.Mapping) { inner(m).Steps = []mapping.Step{{Comp: "pe_0_0"}} }, "stays in its temporal PE"},
		{"an edge within with two slots", func(m *mapping.Mapping) { inner(m).Slots = 2 }, "stays in its temporal PE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := mapping.Read("m.json", s.res.Mapping.JSON())
			if err != nil {
				t.Fatal(err)
			}
			c.mutate(m)
			refused(t, s.fn, s.f, m, c.want)
		})
	}
}

// TestTemporalImage changes every field of the setting of a temporal PE: the checker of images notices all that is legal.
func TestTemporalImage(t *testing.T) {
	s := temporal(t)
	id := slices.IndexFunc(s.f.Comps, func(c *arch.Component) bool { return c.Kind == arch.TemporalPE })
	if err := check.Image(s.fn, s.f, s.res.Image, s.res.Binding); err != nil {
		t.Fatal(err)
	}
	n, same := 0, map[string]bool{}
	try := func(what string, mutate func(p *config.TPESetting)) {
		img, err := config.Decode(s.res.Image.Layout, s.res.Image.Encode())
		if err != nil {
			t.Fatal(err)
		}
		mutate(img.Settings[id].TPE)
		if img.Check() != nil {
			return // no image has that
		}
		n++
		if check.Image(s.fn, s.f, img, s.res.Binding) == nil {
			same[what] = true
		}
	}
	p := s.res.Image.Settings[id].TPE
	for i := range p.Instructions {
		if !p.Instructions[i].Valid {
			continue
		}
		at := func(field string) string { return fmt.Sprintf("instruction %d %s", i, field) }
		try(at("valid"), func(p *config.TPESetting) { p.Instructions[i] = config.Instruction{} })
		for op := range s.f.Comps[id].TPE.FUs {
			if op != p.Instructions[i].Opcode {
				try(at("opcode"), func(p *config.TPESetting) { p.Instructions[i].Opcode = op })
			}
		}
		for v := range uint64(10) {
			if v != p.Instructions[i].Predicate {
				try(at("predicate"), func(p *config.TPESetting) { p.Instructions[i].Predicate = v })
			}
		}
		try(at("constant"), func(p *config.TPESetting) { p.Instructions[i].Constant ^= 1 })
		for k := range p.Instructions[i].Operands {
			for source := range s.f.Comps[id].TPE.Sources(s.f.Comps[id]) {
				if o := p.Instructions[i].Operands[k]; !o.Held && source != o.Source {
					try(at("source"), func(p *config.TPESetting) { p.Instructions[i].Operands[k].Source = source })
				}
			}
			try(at("held"), func(p *config.TPESetting) {
				o := &p.Instructions[i].Operands[k]
				*o = config.Operand{Held: !o.Held, Immediate: o.Immediate}
			})
			try(at("immediate"), func(p *config.TPESetting) {
				p.Instructions[i].Operands[k].Immediate = !p.Instructions[i].Operands[k].Immediate
			})
		}
	}
	for o := range p.Outputs {
		for source := -1; source < s.f.Comps[id].TPE.Sources(s.f.Comps[id]); source++ {
			if source != p.Outputs[o] {
				try("output", func(p *config.TPESetting) { p.Outputs[o] = source })
			}
		}
	}
	for k := range p.Constants {
		try("constant", func(p *config.TPESetting) { p.Constants[k]++ })
	}
	// A constant that nothing names may be anything.
	delete(same, "constant")
	if n < 300 || len(same) > 0 {
		t.Errorf("of %d changes these are not noticed: %v", n, same)
	}
}

// TestTemporalLate: a carry with the condition of a gate is no instruction, as it takes its next value too late for what else reads that.
func TestTemporalLate(t *testing.T) {
	s := temporal(t)
	fn := maptest.Kernel(strings.Replace(strings.Replace(temporalKernel, "%g, %never = cond_br %d, %i : index", "%g, %more = dataflow.gate %i, %d : index, i1 -> index, i1", 1),
		"%v = dataflow.carry %d, %a, %next", "%v = dataflow.carry %more, %a, %next", 1))
	err := check.Mapping(fn, s.f, s.res.Mapping)
	if err == nil {
		t.Fatal("accepted")
	}
	_, err = mapper.Map(fn, s.f, mapper.Options{Effort: quick})
	if text := diag.Render(diag.FromError(err), nil); !strings.Contains(text, "11:8: error: only temporal PEs of fabric 'temporal' execute 'dataflow.carry' (needed once), and its condition comes from a gate") {
		t.Errorf("the mapper: %s", text)
	}
}
