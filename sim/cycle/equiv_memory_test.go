package cycle

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// memoryShape is a random memory of either kind, tagged or not.
type memoryShape struct {
	x      *testbench
	r      *rand.Rand
	aw, dw int
	tw     int
	depth  int  // elements that accesses mean; on chip the capacity
	wild   bool // tags out of range, indices far away
	spec   *arch.MemorySpec
	// edge draws what a memory with bounds has beside: the sizes of its arrays, by region, and
	// indices around them. Its numbers are its own, so that memories without bounds see the traffic
	// that they saw.
	edge  *rand.Rand
	sizes []uint64
	// shares are the regions as a read cache has them.
	shares string
}

// absent connects the ports of a group that does not exist.
func absent(tagged, ld, st bool) string {
	var parts []string
	in := func(name string) {
		parts = append(parts, fmt.Sprintf(".%s_valid(1'b0), .%s_data('0), .%s_ready()", name, name, name))
	}
	out := func(name string, data bool) {
		parts = append(parts, fmt.Sprintf(".%s_valid(), .%s_ready(1'b0)", name, name))
		if data {
			parts = append(parts, fmt.Sprintf(".%s_data()", name))
		}
	}
	if !ld {
		in("ldaddr")
		out("lddata", true)
		out("lddone", tagged)
	}
	if !st {
		in("staddr")
		in("stdata")
		out("stdone", tagged)
	}
	return strings.Join(parts, ", ")
}

// newMemoryShape draws ports, counts and table; offset draws an addr_offset.
func newMemoryShape(r *rand.Rand, v int, kind arch.Kind, tagged, cached bool, offsetBits func(m *memoryShape) (int, func() uint64)) *memoryShape {
	m := &memoryShape{r: r, aw: []int{4, 12, 64}[r.IntN(3)], dw: 8 << r.IntN(4), depth: []int{1, 2, 3, 7, 8, 16}[r.IntN(6)], wild: v%2 == 0}
	spec := &arch.MemorySpec{LSQDepth: []int{1, 2, 3, 4, 5, 16}[r.IntN(6)], NumRegion: 1 + r.IntN(8), ElemWidth: m.dw, Elements: int64(m.depth),
		LdAddr: -1, StAddr: -1, StData: -1, LdData: -1, LdDone: -1, StDone: -1}
	m.spec = spec
	m.edge = rand.New(rand.NewPCG(uint64(v), 515))
	spec.Bounds = kind == arch.ExtMemory && v%3 != 0
	for spec.LdCount+spec.StCount == 0 || cached && spec.LdCount == 0 {
		spec.LdCount, spec.StCount = r.IntN(2), r.IntN(2)
		if tagged {
			spec.LdCount, spec.StCount = r.IntN(9), r.IntN(9)
		}
	}
	if cached {
		m.reuse(v)
	}
	most := max(spec.LdCount, spec.StCount)
	if tagged {
		for m.tw = 1; 1<<m.tw < most; m.tw++ {
		}
		m.tw += r.IntN(3)
		spec.TagWidth = m.tw
	}
	c := &arch.Component{Kind: kind, Name: "m", Mem: spec}
	if spec.LdCount > 0 {
		spec.LdAddr, spec.LdData, spec.LdDone = 0, 0, 1
		c.In = append(c.In, port("ldaddr", m.aw, m.tw))
		c.Out = append(c.Out, port("lddata", m.dw, m.tw), port("lddone", 0, m.tw))
	}
	if spec.StCount > 0 {
		spec.StAddr, spec.StData, spec.StDone = len(c.In), len(c.In)+1, len(c.Out)
		c.In = append(c.In, port("staddr", m.aw, m.tw), port("stdata", m.dw, m.tw))
		c.Out = append(c.Out, port("stdone", 0, m.tw))
	}
	m.x = &testbench{c: c, clocked: true, errs: true, timeout: 1 + r.IntN(30), token: m.token}
	m.table(v, tagged, most, offsetBits)
	if a := absent(tagged, spec.LdCount > 0, spec.StCount > 0); a != "" {
		m.x.fixed += ", " + a
	}
	// Addresses without data and data without addresses, longer than any timeout.
	m.x.quiet = func(cycle, p int) bool {
		k := cycle / 60 % 8
		return k == 5 && p == spec.StData || k == 7 && p == spec.StAddr
	}
	return m
}

// reuse gives a memory a read cache of some lines, and accesses that find elements there, replace them
// and drop them.
func (m *memoryShape) reuse(v int) {
	m.spec.Cache = []int{8, 16, 64, 256}[v%4]
	m.aw = max(m.aw, 12)
	m.spec.NumRegion = max(m.spec.NumRegion, 2)
	m.depth = []int{3, 12, 40, 300}[m.edge.IntN(4)]
}

// table draws the address table: in most variants it serves every tag that a
// half-open range can, in others there are holes, empty ranges or overlaps.
func (m *memoryShape) table(v int, tagged bool, most int, offsetBits func(m *memoryShape) (int, func() uint64)) {
	r, n := m.r, m.spec.NumRegion
	width, offset := offsetBits(m)
	var f, shares fields
	from, wrong, first := uint64(0), -1, 0
	if m.spec.Bounds && v%4 != 2 {
		first = m.edge.IntN(n)
	}
	if v%4 == 2 {
		wrong = r.IntN(n)
	}
	for k := range n {
		e := config.Region{Valid: true, StartTag: from, EndTag: from + 1 + r.Uint64N(3)}
		if m.wild && r.IntN(2) == 0 {
			e.Offset = offset()
		}
		if tagged {
			top := mask(m.tw)
			if k == n-1 {
				e.EndTag = max(e.EndTag, uint64(most))
			}
			e.StartTag, e.EndTag = min(e.StartTag, top), min(e.EndTag, top)
			e.Valid = e.StartTag < e.EndTag && (!m.wild || r.IntN(8) > 0)
			from = e.EndTag
			switch {
			case k == wrong && v%8 == 2:
				e.Valid, e.StartTag, e.EndTag = true, 0, top
			case k == wrong:
				e.Valid, e.StartTag = true, r.Uint64()&top
				e.EndTag = r.Uint64N(e.StartTag + 1)
			}
		} else {
			e.StartTag, e.EndTag = 0, 0
			e.Valid = v%4 != 3 && (k == first || v%4 == 2 && r.IntN(2) == 0)
		}
		if m.spec.Cache > 0 {
			e.Cached = m.edge.IntN(3) > 0
			if m.edge.IntN(4) > 0 { // regions of the same elements, and of others in the same places
				e.Offset = uint64(m.dw/8) * []uint64{0, 1, 64, 1 << 20}[m.edge.IntN(4)]
			}
		}
		m.x.set.Regions = append(m.x.set.Regions, e)
		f.add(1, bit(e.Valid))
		f.add(m.tw, e.StartTag)
		f.add(m.tw, e.EndTag)
		f.add(width, e.Offset)
		if m.spec.Bounds {
			m.sizes = append(m.sizes, m.size())
			f.add(64, m.sizes[k])
		}
		shares.add(1, bit(e.Valid))
		shares.add(m.tw, e.StartTag)
		shares.add(m.tw, e.EndTag)
		shares.add(1, bit(e.Cached))
	}
	m.x.fixed, m.shares = fmt.Sprintf(".cfg_region(%s)", &f), shares.String()
}

// size draws the bytes of an array: mostly all elements that accesses mean or one or two less, also
// with a part of one behind them; none, more than indices name, and no limit.
func (m *memoryShape) size() uint64 {
	bytes := uint64(m.dw / 8)
	switch m.edge.IntN(6) {
	case 0:
		return Unlimited - m.edge.Uint64N(2)*(Unlimited>>1) // or 1 << 63
	case 1:
		return m.edge.Uint64N(bytes)
	case 2:
		return []uint64{1 << 40, 1<<63 - 1, bytes << min(m.aw, 59), bytes<<min(m.aw, 59) - 1}[m.edge.IntN(4)]
	case 3:
		return uint64(m.depth)*bytes - 1
	case 4:
		return uint64(max(m.depth-2, 0)) * bytes
	}
	return uint64(m.depth) * bytes
}

// token draws addresses that collide, now and then one that leaves the memory or a
// port that does not exist.
func (m *memoryShape) token(p int) Token {
	r, count := m.r, m.spec.StCount
	if p == m.spec.LdAddr {
		count = m.spec.LdCount
	}
	t := Token{Tag: uint16(r.IntN(count))}
	if m.tw > 0 && m.wild && r.IntN(15) == 0 {
		t.Tag = uint16(r.Uint64() & mask(m.tw))
	}
	switch {
	case p == m.spec.StData:
		t.Data = randomBits(r, m.dw)
	case m.wild && r.IntN(20) == 0:
		t.Data = randomBits(r, m.aw)
	default:
		t.Data = uint64(r.IntN(m.depth)) & mask(m.aw)
		if m.spec.Bounds && m.edge.IntN(12) == 0 { // the first element behind an array, or one before it
			t.Data = []uint64{m.sizes[m.edge.IntN(len(m.sizes))] / uint64(m.dw/8), ^uint64(0)}[m.edge.IntN(2)] & mask(m.aw)
		}
	}
	return t
}

// params are the parameters that all memories share; without tags the counts are
// LD and ST.
func (m *memoryShape) params() string {
	ld, tags := "LD", ""
	if m.tw > 0 {
		ld, tags = "LD_COUNT", fmt.Sprintf(", .TW(%d)", m.tw)
	}
	return fmt.Sprintf(".AW(%d), .DW(%d)%s, .%s(%d), .%s(%d), .LSQ_DEPTH(%d), .NUM_REGION(%d), .DEADLOCK_TIMEOUT(%d)", m.aw, m.dw, tags,
		ld, m.spec.LdCount, strings.Replace(ld, "LD", "ST", 1), m.spec.StCount, m.spec.LSQDepth, m.spec.NumRegion, m.x.timeout)
}

func memoryTestbench(tagged bool) func(r *rand.Rand, v int) *testbench {
	return func(r *rand.Rand, v int) *testbench {
		m := newMemoryShape(r, v, arch.Memory, tagged, false, func(m *memoryShape) (int, func() uint64) {
			size := m.depth * m.dw / 8
			w := 1 // as loom_pkg::offset_width
			for 1<<w < size {
				w++
			}
			return w, func() uint64 { return r.Uint64N(uint64(size)) }
		})
		x := m.x
		x.module = "loom_memory"
		if tagged {
			x.module = "loom_memory_tagged"
		}
		ew := 1
		for 1<<ew < m.depth {
			ew++
		}
		hosted := v%3 == 1
		x.params = fmt.Sprintf("%s, .DEPTH(%d), .HOST(%d)", m.params(), m.depth, bit(hosted))
		x.fixed += ", .host_en(host_en & ~rst), .host_we(host_we), .host_addr(host_addr), .host_wdata(host_wdata), .host_rdata(host_rdata)"
		var en, we, addr, wdata, rdata, read *signal
		x.around = func(g *bench, in *BenchIn) {
			if en == nil {
				en, we, addr, wdata = g.addStim("host_en", 1), g.addStim("host_we", 1), g.addStim("host_addr", ew), g.addStim("host_wdata", m.dw)
				rdata, read = g.addObs("host_rdata", m.dw, -1), &signal{}
				rdata.when = read
			}
			in.Host = HostAccess{hosted && r.IntN(6) == 0, r.IntN(2) == 0, uint64(r.IntN(m.depth)), r.Uint64() & mask(m.dw)}
			en.put(bit(in.Host.Enable))
			we.put(bit(in.Host.Write))
			addr.put(in.Host.Addr)
			wdata.put(in.Host.Data)
		}
		x.after = func(_ *bench, _ *BenchIn, out *BenchOut) {
			read.put(bit(out.HostRead))
			rdata.put(out.HostData)
		}
		return x
	}
}

// busSide is the bus of a testbench: its responses come in any order across tags.
type busSide struct {
	loads, stores []BusRequest
}

// respond picks the request of the next response: the oldest of some tag.
func respond(r *rand.Rand, list *[]BusRequest) BusResponse {
	if len(*list) == 0 || r.IntN(3) == 0 {
		return BusResponse{Tag: uint16(r.Uint64()), Data: r.Uint64(), Err: r.IntN(2) == 0}
	}
	pick := r.IntN(len(*list))
	for k, q := range *list {
		if q.Tag == (*list)[pick].Tag {
			pick = k
			break
		}
	}
	q := (*list)[pick]
	*list = append((*list)[:pick:pick], (*list)[pick+1:]...)
	return BusResponse{Valid: true, Tag: q.Tag, Data: r.Uint64(), Err: r.IntN(12) == 0}
}

func extMemoryTestbench(tagged, cached bool) func(r *rand.Rand, v int) *testbench {
	return func(r *rand.Rand, v int) *testbench {
		m := newMemoryShape(r, v, arch.ExtMemory, tagged, cached, func(*memoryShape) (int, func() uint64) { return 64, r.Uint64 })
		x := m.x
		// Few places, which are all taken; the default; and as many as are in block RAM.
		m.spec.Outstanding = []int{0, 2, 3, 5, 7, 64, 65, 100}[r.IntN(8)]
		x.module, x.params = "loom_extmemory", fmt.Sprintf("%s, .OUTSTANDING(%d), .BOUNDS(%d)", m.params(), m.spec.InFlight(), bit(m.spec.Bounds))
		tags := func(string) string { return "" }
		if tagged {
			x.module = "loom_extmemory_tagged"
			tags = func(name string) string { return fmt.Sprintf(", .%s_tag(%s_tag)", name, name) }
		}
		ports := fmt.Sprintf(", %s%s%s%s%s", busPorts, tags("ld_req"), tags("st_req"), tags("ld_rsp"), tags("st_rsp"))
		if cached {
			ports = strings.NewReplacer("(ld_req_", "(req_", "(ld_rsp_", "(rsp_").Replace(ports)
			x.beside = m.behind()
		}
		x.fixed += ports
		var bus busSide
		var s struct{ ldReady, stReady, ldValid, ldData, ldErr, ldTag, stValid, stErr, stTag *signal }
		var o struct{ ldReq, ldAddr, ldTag, stReq, stAddr, stData, stTag *signal }
		slow := r.IntN(3)
		x.around = func(g *bench, in *BenchIn) {
			if s.ldReady == nil {
				s.ldReady, s.stReady = g.addStim("ld_req_ready", 1), g.addStim("st_req_ready", 1)
				s.ldValid, s.ldData, s.ldErr = g.addStim("ld_rsp_valid", 1), g.addStim("ld_rsp_data", m.dw), g.addStim("ld_rsp_err", 1)
				s.stValid, s.stErr = g.addStim("st_rsp_valid", 1), g.addStim("st_rsp_err", 1)
				seen := func(name string, w int, when *signal) *signal {
					x := g.addObs(name, w, -1)
					x.when = when
					return x
				}
				o.ldReq = seen("ld_req_valid", 1, nil)
				o.ldAddr = seen("ld_req_addr", 64, o.ldReq)
				o.stReq = seen("st_req_valid", 1, nil)
				o.stAddr, o.stData = seen("st_req_addr", 64, o.stReq), seen("st_req_data", m.dw, o.stReq)
				s.ldTag, s.stTag, o.ldTag, o.stTag = &signal{}, &signal{}, &signal{}, &signal{}
				if tagged {
					s.ldTag, s.stTag = g.addStim("ld_rsp_tag", m.tw), g.addStim("st_rsp_tag", m.tw)
					o.ldTag, o.stTag = seen("ld_req_tag", m.tw, o.ldReq), seen("st_req_tag", m.tw, o.stReq)
				}
			}
			in.Size = m.sizes
			in.LdReqReady, in.StReqReady = r.IntN(4) >= slow, r.IntN(4) >= slow
			in.LdRsp, in.StRsp = respond(r, &bus.loads), respond(r, &bus.stores)
			in.LdRsp.Data &= mask(m.dw)
			s.ldReady.put(bit(in.LdReqReady))
			s.stReady.put(bit(in.StReqReady))
			s.ldValid.put(bit(in.LdRsp.Valid))
			s.ldData.put(in.LdRsp.Data)
			s.ldErr.put(bit(in.LdRsp.Err))
			s.ldTag.put(uint64(in.LdRsp.Tag) & mask(m.tw))
			s.stValid.put(bit(in.StRsp.Valid))
			s.stErr.put(bit(in.StRsp.Err))
			s.stTag.put(uint64(in.StRsp.Tag) & mask(m.tw))
		}
		x.after = func(_ *bench, in *BenchIn, out *BenchOut) {
			o.ldReq.put(bit(out.LdReq.Valid))
			o.ldAddr.put(out.LdReq.Addr)
			o.ldTag.put(uint64(out.LdReq.Tag))
			o.stReq.put(bit(out.StReq.Valid))
			o.stAddr.put(out.StReq.Addr)
			o.stData.put(out.StReq.Data)
			o.stTag.put(uint64(out.StReq.Tag))
			if out.LdReq.Valid && in.LdReqReady {
				bus.loads = append(bus.loads, out.LdReq)
			}
			if out.StReq.Valid && in.StReqReady {
				bus.stores = append(bus.stores, out.StReq)
			}
		}
		return x
	}
}

// behind is the read cache behind a memory, as templates/memory.sv.tmpl has it.
func (m *memoryShape) behind() string {
	wires := fmt.Sprintf("  logic req_valid, req_ready, rsp_valid, rsp_err;\n  logic [63:0] req_addr;\n  logic [%d:0] rsp_data;\n  logic [%d:0] req_tag, rsp_tag;\n",
		m.dw-1, max(m.tw, 1)-1)
	tag := "st_req_tag"
	if m.tw > 0 {
		wires += "  assign ld_req_tag = '0;\n"
	} else {
		wires, tag = wires+"  assign req_tag = '0;\n", "1'b0"
	}
	return wires + fmt.Sprintf("  loom_read_cache #(.DW(%d), .TW(%d), .NUM_REGION(%d), .ELEMENTS(%d), .OUTSTANDING(%d)) behind (.clk(clk), .rst(rst), .quiet(idle), .cfg_region(%s), "+
		".req_valid(req_valid), .req_ready(req_ready), .req_addr(req_addr), .req_tag(req_tag), .rsp_valid(rsp_valid), .rsp_data(rsp_data), .rsp_tag(rsp_tag), .rsp_err(rsp_err), "+
		".bus_valid(ld_req_valid), .bus_ready(ld_req_ready), .bus_addr(ld_req_addr), .bus_rsp_valid(ld_rsp_valid), .bus_rsp_data(ld_rsp_data), .bus_rsp_err(ld_rsp_err), "+
		".st_taken(st_req_valid & st_req_ready), .st_addr(st_req_addr), .st_tag(%s));\n",
		m.dw, m.tw, m.spec.NumRegion, m.spec.Cache, m.spec.InFlight(), m.shares, tag)
}

const busPorts = ".ld_req_valid(ld_req_valid), .ld_req_ready(ld_req_ready), .ld_req_addr(ld_req_addr), " +
	".ld_rsp_valid(ld_rsp_valid), .ld_rsp_data(ld_rsp_data), .ld_rsp_err(ld_rsp_err), " +
	".st_req_valid(st_req_valid), .st_req_ready(st_req_ready), .st_req_addr(st_req_addr), .st_req_data(st_req_data), " +
	".st_rsp_valid(st_rsp_valid), .st_rsp_err(st_rsp_err)"
