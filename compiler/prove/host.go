package prove

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// host is what the host does with the fabric's boundary and memories, as its runtime
// description states it, in the numbers of fabric and kernel.
type host struct {
	// inputs maps a boundary input to the argument that arrives there, outputs a boundary
	// output to the result that is taken there.
	inputs, outputs map[int]int
	// arguments and tables map regions of external memories to the argument, or to the
	// contents of the constant table, whose address the host sets there.
	arguments map[place]int
	tables    map[place]contents
	// contents are what the host writes to memories on chip before a run.
	contents []contents
}

// place is a region of a memory's address table.
type place struct{ comp, region int }

// contents are elements that the host puts somewhere; comp and first are where on chip.
type contents struct {
	name     string
	comp     int
	first    int64
	elemBits int
	data     []uint64
}

// bits is a bit pattern, in hexadecimal digits.
type bits uint64

func (b *bits) UnmarshalText(text []byte) error {
	digits, ok := strings.CutPrefix(string(text), "0x")
	v, err := strconv.ParseUint(digits, 16, 64)
	if !ok || err != nil {
		return fmt.Errorf("'%s' is no bit pattern", text)
	}
	*b = bits(v)
	return nil
}

// description is the part of <dfg>.<adg>.runtime.json that says where things are
// (docs/registers.md).
type description struct {
	Kernel, Fabric string
	Hash           string `json:"layout_hash"`
	Words          int    `json:"config_words"`
	IndexWidth     int    `json:"index_width"`
	Start, Done    port
	Scalars        []port
	Memories       []struct {
		Name, Type, Component string
		Region                int
	}
	Tables []struct {
		Name        string
		ElementBits int `json:"element_bits"`
		Component   string
		Region      int
		Data        []bits
	}
	Results      []port
	HostMemories []struct {
		Component   string
		ElementBits int `json:"element_bits"`
		Elements    int64
	} `json:"host_memories"`
	Contents []struct {
		Name   string
		Memory int
		First  int64 `json:"first_element"`
		Data   []bits
	}
}

type port struct {
	Name, Type string
	Index      int
	Port       string
}

// readHost reads a runtime description for a kernel on a fabric.
func readHost(text []byte, k *kernel, f *arch.Fabric, l *config.Layout) (*host, error) {
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, diag.New(diag.Pos{}, "the runtime description cannot be read: %v", err)
	}
	r := &hostReader{f: f, d: &d,
		host: &host{inputs: map[int]int{}, outputs: map[int]int{}, arguments: map[place]int{}, tables: map[place]contents{}}}
	if d.Kernel != k.fn.SymName() || d.Fabric != f.Name {
		r.fail("the runtime description is of kernel '%s' on '%s', not of '%s' on '%s'", d.Kernel, d.Fabric, k.fn.SymName(), f.Name)
	}
	if hash := fmt.Sprintf("%016x", l.Hash); d.Hash != hash || d.Words != l.WordCount || d.IndexWidth != f.IndexWidth {
		r.fail("the runtime description is for layout %s of %d words and %d bits of index, the fabric has %s, %d and %d",
			d.Hash, d.Words, d.IndexWidth, hash, l.WordCount, f.IndexWidth)
	}
	r.args(k)
	r.results(k)
	r.memories()
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	return r.host, nil
}

// hostReader resolves the names of a description.
type hostReader struct {
	*host
	f    *arch.Fabric
	d    *description
	errs diag.List
}

func (r *hostReader) fail(format string, args ...any) {
	r.errs.Errorf(diag.Pos{}, format, args...)
}

// args takes the arguments in the kernel's order: entries of arrays in external memory,
// or one of the scalars and unused arrays.
func (r *hostReader) args(k *kernel) {
	args := k.fn.Regions[0].Entry().Args
	mems, scalars := r.d.Memories, r.d.Scalars
	for i, a := range args[:len(args)-1] {
		name := argName(k.fn, i)
		if _, mem := a.Type.(*ir.MemRefType); mem && len(mems) > 0 && mems[0].Name == name {
			for len(mems) > 0 && mems[0].Name == name {
				if mems[0].Type != a.Type.String() {
					r.fail("the runtime description gives argument '%s' the type %s, the kernel %s", name, mems[0].Type, a.Type)
				}
				if at, ok := r.region(mems[0].Component, mems[0].Region); ok {
					r.arguments[at] = i
				}
				mems = mems[1:]
			}
			continue
		}
		if len(scalars) == 0 || scalars[0].Name != name || scalars[0].Type != a.Type.String() {
			r.fail("the runtime description does not have argument %d of the kernel, '%s' of type %s, in its place", i, name, a.Type)
			return
		}
		if scalars[0].Index >= 0 {
			if _, mem := a.Type.(*ir.MemRefType); mem {
				r.fail("the runtime description has array '%s' at a boundary input", name)
			}
			r.input(scalars[0], i)
		}
		scalars = scalars[1:]
	}
	if len(mems) > 0 || len(scalars) > 0 {
		r.fail("the runtime description has more arguments than the kernel")
	}
	r.input(r.d.Start, len(args)-1)
}

func (r *hostReader) input(p port, arg int) {
	if p.Index < 0 || p.Index >= len(r.f.Inputs) || r.f.Inputs[p.Index].Name != p.Port {
		r.fail("the runtime description has argument %d at boundary input %d, '%s', which fabric '%s' does not have", arg, p.Index, p.Port, r.f.Name)
		return
	}
	if other, taken := r.inputs[p.Index]; taken {
		r.fail("the runtime description has arguments %d and %d at boundary input '%s'", other, arg, p.Port)
	}
	r.inputs[p.Index] = arg
}

func (r *hostReader) results(k *kernel) {
	all := append(slices.Clone(r.d.Results), r.d.Done)
	if len(all) != len(k.results) {
		r.fail("the runtime description has %d results, the kernel has %d", len(all)-1, len(k.results)-1)
		return
	}
	ret := k.fn.Regions[0].Entry().Terminator()
	for i, p := range all {
		if p.Type != ret.Operand(i).Type.String() {
			r.fail("the runtime description gives result %d the type %s, the kernel %s", i, p.Type, ret.Operand(i).Type)
		}
		if p.Index < 0 || p.Index >= len(r.f.Outputs) || r.f.Outputs[p.Index].Name != p.Port {
			r.fail("the runtime description has result %d at boundary output %d, '%s', which fabric '%s' does not have", i, p.Index, p.Port, r.f.Name)
			continue
		}
		if other, taken := r.outputs[p.Index]; taken {
			r.fail("the runtime description has results %d and %d at boundary output '%s'", other, i, p.Port)
		}
		r.outputs[p.Index] = i
	}
}

// memories takes the constant tables, and the contents of memories on chip.
func (r *hostReader) memories() {
	for _, t := range r.d.Tables {
		if at, ok := r.region(t.Component, t.Region); ok {
			r.tables[at] = contents{name: t.Name, comp: at.comp, elemBits: t.ElementBits, data: words(t.Data)}
		}
	}
	for _, c := range r.d.Contents {
		if c.Memory < 0 || c.Memory >= len(r.d.HostMemories) {
			r.fail("the runtime description writes '%s' to memory %d, it has %d", c.Name, c.Memory, len(r.d.HostMemories))
			continue
		}
		m := r.d.HostMemories[c.Memory]
		x := r.component(m.Component)
		if x == nil || x.Mem == nil || !x.OnChip() || x.Mem.Private || x.Mem.ElemWidth != m.ElementBits || x.Mem.Elements != m.Elements {
			r.fail("the runtime description writes '%s' to '%s', which is no memory of %d elements of %d bits that the host reaches",
				c.Name, m.Component, m.Elements, m.ElementBits)
			continue
		}
		n := int64(len(c.Data))
		if c.First < 0 || n > x.Mem.Elements || c.First > x.Mem.Elements-n {
			r.fail("the runtime description writes %d elements of '%s' from element %d on to '%s', which has %d", n, c.Name, c.First, x.Name, x.Mem.Elements)
			continue
		}
		r.contents = append(r.contents, contents{name: c.Name, comp: x.ID, first: c.First, elemBits: x.Mem.ElemWidth, data: words(c.Data)})
	}
}

func words(in []bits) []uint64 {
	out := make([]uint64, len(in))
	for i, b := range in {
		out[i] = uint64(b)
	}
	return out
}

func (r *hostReader) component(name string) *arch.Component {
	for _, c := range r.f.Comps {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// region is an entry of the address table of an external memory, which nothing else has.
func (r *hostReader) region(name string, region int) (place, bool) {
	c := r.component(name)
	if c == nil || c.Mem == nil || !c.External() || region < 0 || region >= c.Mem.NumRegion {
		r.fail("the runtime description uses region %d of external memory '%s', which fabric '%s' does not have", region, name, r.f.Name)
		return place{}, false
	}
	at := place{c.ID, region}
	_, a := r.arguments[at]
	_, t := r.tables[at]
	if a || t {
		r.fail("the runtime description sets the address of region %d of '%s' twice", region, name)
		return place{}, false
	}
	return at, true
}
