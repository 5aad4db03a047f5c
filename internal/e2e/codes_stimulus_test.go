package e2e

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/sim/cycle"
)

// The codes fabric (testdata/fabric/codes.mlir): base addresses of its external
// memories, and how many elements lie behind each.
const (
	dramBase, dramElems = 0x10000, 60
	farBase, farElems   = 0x20008, 36
)

// port is one access of the fabric: its boundary inputs (data only of stores), the
// outputs of values (loads) and done tokens, where its tag is configured, and the
// elements it uses.
type port struct {
	mem, addr, data, value, done string
	tags                         []string
	first, elems                 int
}

var codesPorts = []port{
	{"ram", "ram_ld0", "", "ram_ld0v", "ram_ld0d", []string{"ram_load"}, 0, 8},
	{"ram", "ram_ld1", "", "ram_ld1v", "ram_ld1d", []string{"ram_ld1_tag"}, 0, 8},
	{"ram", "ram_st0", "ram_st0v", "", "ram_st0d", []string{"ram_store"}, 8, 8},
	{"ram", "ram_st1", "ram_st1v", "", "ram_st1d", []string{"ram_st1_tag", "ram_st1v_tag"}, 16, 8},
	{"dram", "dram_ld0", "", "dram_ld0v", "dram_ld0d", []string{"dram_load"}, 0, 20},
	{"dram", "dram_ld1", "", "dram_ld1v", "dram_ld1d", []string{"dram_ld1_tag"}, 0, 20},
	{"dram", "dram_st0", "dram_st0v", "", "dram_st0d", []string{"dram_store"}, 20, 20},
	{"dram", "dram_st1", "dram_st1v", "", "dram_st1d", []string{"dram_st1_tag", "dram_st1v_tag"}, 40, 20},
	{"pad", "pad_ld", "", "pad_ldv", "pad_ldd", nil, 0, 6},
	{"pad", "pad_st", "pad_stv", "", "pad_std", nil, 6, 6},
	{"far", "far_ld", "", "far_ldv", "far_ldd", nil, 0, 12},
	{"far", "far_st", "far_stv", "", "far_std", nil, 12, 24},
}

// newCodes is a stimulus on the codes fabric in which nothing is wrong.
func newCodes(t testing.TB, f *arch.Fabric, seed uint64) *stimulus {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 5))
	s := &stimulus{fabric: f, img: config.New(config.NewLayout(f)), feed: map[string][]uint64{}, fill: map[string][]uint64{},
		seed: seed, linger: 10, readBack: true}
	dram, far := make([]byte, 2*dramElems), make([]byte, 4*farElems)
	for i := range dram {
		dram[i] = byte(r.Uint32() | 1)
	}
	for i := range far {
		far[i] = byte(r.Uint32() | 1)
	}
	s.testbench = cycle.TestbenchOptions{Bus: []cycle.TestbenchMemory{{Base: dramBase, Data: dram}, {Base: farBase, Data: far}}}
	for range 24 {
		s.fill["ram"] = append(s.fill["ram"], uint64(r.Uint32()|1))
	}
	for range 12 {
		s.fill["pad"] = append(s.fill["pad"], uint64(r.Uint32()&0xffff|1))
	}
	for _, p := range codesPorts {
		for range 12 {
			s.feed[p.addr] = append(s.feed[p.addr], uint64(p.first+r.IntN(p.elems)))
			if p.data != "" {
				s.feed[p.data] = append(s.feed[p.data], uint64(r.Uint32()))
			}
		}
		for _, name := range p.tags {
			s.set(t, name).Tag = uint64(strings.Count(p.addr, "1"))
		}
	}
	for k := range 12 {
		for i, name := range []string{"t0", "t1", "t2", "s0", "s1"} {
			s.feed[name] = append(s.feed[name], uint64(i<<8+k))
		}
	}
	for range 6 {
		start := uint64(r.IntN(20))
		s.feed["p0"], s.feed["p1"] = append(s.feed["p0"], start), append(s.feed["p1"], 1+r.Uint64N(3))
		s.feed["p2"] = append(s.feed["p2"], start+r.Uint64N(10))
	}

	for k, name := range []string{"tag0", "tag1", "tag2"} {
		s.set(t, name).Tag = uint64(k)
	}
	s.set(t, "exchange").Slots = []config.Slot{
		{Valid: true, Tag: 0, Routes: [][2]int{{0, 0}}}, {Valid: true, Tag: 1, Routes: [][2]int{{1, 1}}},
		{Valid: true, Tag: 2, Routes: [][2]int{{0, 2}, {1, 2}}}, {}}
	s.set(t, "map").Entries = []config.TagEntry{{Valid: true, Src: 0, Dst: 5}, {Valid: true, Src: 2, Dst: 6}, {}}
	s.set(t, "steer").Switch.Route = []int{0, 1}
	pe := s.set(t, "pe").PE
	pe.Enable, pe.Fields = true, []uint64{1}
	for k := range pe.In {
		pe.In[k] = config.Selector{Sel: k}
	}
	for k := range pe.Out {
		pe.Out[k] = config.Selector{Sel: k}
	}
	for _, mem := range []string{"ram", "dram"} {
		for _, sw := range []string{"ldaddr", "staddr", "stdata", "lddata", "lddone", "stdone"} {
			for k := range uint64(2) {
				s.slot(t, mem+"_"+sw, int(k), k)
			}
		}
		s.set(t, mem).Regions[0] = config.Region{Valid: true, EndTag: 2}
	}
	s.set(t, "dram").Regions[0].Offset = dramBase
	s.set(t, "pad").Regions[0].Valid = true
	s.set(t, "far").Regions[0] = config.Region{Valid: true, Offset: farBase}
	return s
}

// slot gives side k of a switch of a bridge a tag.
func (s *stimulus) slot(t testing.TB, sw string, k int, tag uint64) {
	route := [2]int{0, k}
	if len(named(t, s.fabric, sw).In) == 1 {
		route = [2]int{k, 0}
	}
	s.set(t, sw).Slots[k] = config.Slot{Valid: true, Tag: tag, Routes: [][2]int{route}}
}

// retag gives the access whose addresses enter at addr another tag, on the whole path
// to its memory and back.
func (s *stimulus) retag(t testing.TB, addr string, tag uint64) {
	for _, p := range codesPorts {
		if p.addr != addr {
			continue
		}
		for _, name := range p.tags {
			s.set(t, name).Tag = tag
		}
		switches := []string{"ldaddr", "lddata", "lddone"}
		if p.data != "" {
			switches = []string{"staddr", "stdata", "stdone"}
		}
		for _, sw := range switches {
			s.slot(t, p.mem+"_"+sw, strings.Count(addr, "1"), tag)
		}
	}
}

// expected is what a stimulus must deliver and leave behind.
type expected struct {
	out   map[string][]uint64
	cells map[string][]uint64
	bus   [][]byte
}

// expect follows the error page: an access that is not possible has no effect, loads 0
// and is done. Everything but the addressing is what the fabric is set to by newCodes.
func (s *stimulus) expect(t testing.TB) *expected {
	e := &expected{out: map[string][]uint64{}, cells: map[string][]uint64{}}
	for name, cells := range s.fill {
		e.cells[name] = slices.Clone(cells)
	}
	for _, m := range s.testbench.Bus {
		e.bus = append(e.bus, slices.Clone(m.Data))
	}
	for i := range codesPorts {
		p := &codesPorts[i]
		n := len(s.feed[p.addr])
		if p.data != "" {
			n = min(n, len(s.feed[p.data]))
		}
		for k := range n {
			cell := s.element(t, p, s.feed[p.addr][k], e)
			if p.data == "" {
				v := uint64(0)
				if cell != nil {
					v = cell(nil)
				}
				e.out[p.value] = append(e.out[p.value], v)
			} else if v := s.feed[p.data][k]; cell != nil {
				cell(&v)
			}
			e.out[p.done] = append(e.out[p.done], 0)
		}
	}
	for k := range min(len(s.feed["p0"]), len(s.feed["p2"])) {
		i, step, bound := s.feed["p0"][k], s.feed["p1"][k], s.feed["p2"][k]
		for ; i < bound && step > 0; i += step {
			e.out["pe0"], e.out["pe1"] = append(e.out["pe0"], i), append(e.out["pe1"], 1)
		}
		e.out["pe0"], e.out["pe1"] = append(e.out["pe0"], i), append(e.out["pe1"], 0)
	}
	e.out["steered0"], e.out["steered1"] = s.feed["s0"], s.feed["s1"]
	return e
}

// element is the memory an access reaches, nil for none: called with a value it stores
// it, else it loads.
func (s *stimulus) element(t testing.TB, p *port, index uint64, e *expected) func(*uint64) uint64 {
	c := named(t, s.fabric, p.mem)
	count := uint64(c.Mem.LdCount)
	if p.data != "" {
		count = uint64(c.Mem.StCount)
	}
	tag := uint64(0)
	if p.tags != nil {
		tag = s.set(t, p.tags[0]).Tag
	}
	at := slices.IndexFunc(s.set(t, p.mem).Regions, func(r config.Region) bool {
		return r.Valid && (p.tags == nil || r.StartTag <= tag && tag < r.EndTag)
	})
	if tag >= count || at < 0 {
		return nil
	}
	offset, size := s.set(t, p.mem).Regions[at].Offset, uint64(c.Mem.ElemBytes())
	if limit := s.testbench.Sizes[c.ID]; limit != nil && limit[at]>>63 == 0 && (index+1)*size > limit[at] {
		return nil
	}
	if c.Kind == arch.Memory {
		cells, k := e.cells[p.mem], index+offset/size
		if k >= uint64(len(cells)) {
			return nil
		}
		return func(v *uint64) uint64 {
			if v != nil {
				cells[k] = *v & (1<<c.Mem.ElemWidth - 1)
			}
			return cells[k]
		}
	}
	for i, m := range s.testbench.Bus {
		if a := offset + index*size - m.Base; a+size <= uint64(len(m.Data)) && a < uint64(len(m.Data)) {
			b := e.bus[i][a : a+size]
			return func(v *uint64) (x uint64) {
				for k := range b {
					if v != nil {
						b[k] = byte(*v >> (8 * k))
					}
					x |= uint64(b[k]) << (8 * k)
				}
				return x
			}
		}
	}
	return nil
}
