package cycle

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/sim/memmap"
)

// memPorts makes the channels of a memory; addresses collide and now and then
// leave the memory.
func (m *maker) memPorts(r *rand.Rand, ld, st bool, aw, dw int, index func() uint64) (n node, p ports, absent string) {
	p = ports{wire{net: -1}, wire{net: -1}, wire{net: -1}, -1, -1, -1}
	in := func(name string, w int) wire {
		x := m.in(name, w)
		n.in = append(n.in, x)
		return x
	}
	o := func(name string, w int) int32 {
		x := m.out(name, w)
		n.out = append(n.out, x)
		return x
	}
	if ld {
		p.ldAddr = in("ldaddr", aw)
		m.feed(func(int) uint64 { return index() })
		p.ldData, p.ldDone = o("lddata", dw), o("lddone", 0)
	} else {
		absent += ", .ldaddr_valid(1'b0), .ldaddr_data('0), .ldaddr_ready(), .lddata_valid(), .lddata_ready(1'b0), .lddata_data(), .lddone_valid(), .lddone_ready(1'b0)"
	}
	if st {
		p.stAddr = in("staddr", aw)
		m.feed(func(int) uint64 { return index() })
		p.stData = in("stdata", dw)
		p.stDone = o("stdone", 0)
	} else {
		absent += ", .staddr_valid(1'b0), .staddr_data('0), .staddr_ready(), .stdata_valid(1'b0), .stdata_data('0), .stdata_ready(), .stdone_valid(), .stdone_ready(1'b0)"
	}
	return n, p, absent
}

// groups picks which port groups exist.
func groups(r *rand.Rand) (ld, st bool) {
	k := r.IntN(6)
	return k != 0, k != 1
}

// regions are two table entries: usually the first is valid, in other variants
// both (an error), none, or only the second.
func (m *maker) regions(offset uint64) []config.Region {
	v := m.variant % 5
	return []config.Region{{Valid: v < 3, Offset: offset}, {Valid: v == 2 || v == 4, Offset: offset}}
}

func memoryBench(m *maker, r *rand.Rand) {
	ld, st := groups(r)
	dw := 8 << r.IntN(4)
	depth := []int{1, 2, 3, 4, 7, 8}[r.IntN(6)]
	aw := []int{4, 32, 64}[r.IntN(3)]
	n, p, absent := m.memPorts(r, ld, st, aw, dw, func() uint64 {
		if r.IntN(25) == 0 {
			return randomBits(r, aw)
		}
		return uint64(r.IntN(depth)) & mask(aw)
	})
	// OFFSET bits as loom_pkg::offset_width counts them.
	size := depth * dw / 8
	ow := 1
	for 1<<ow < size {
		ow++
	}
	regions := m.regions(0)
	bits := ""
	for i := range regions {
		if r.IntN(3) == 0 {
			regions[i].Offset = uint64(r.IntN(size)) & mask(ow)
		}
		bits = fmt.Sprintf("%d'd%d, 1'b%d", ow, regions[i].Offset, bit(regions[i].Valid)) + sep(bits) + bits
	}
	depthQ, timeout := 1+r.IntN(4), 1+r.IntN(30)
	mem := newMemory(n, p, &arch.MemorySpec{ElemWidth: dw, Elements: int64(depth), LSQDepth: depthQ}, regions)
	mem.st.timeout = timeout
	m.b.add(mem)
	m.module("loom_memory", fmt.Sprintf(".AW(%d), .DW(%d), .DEPTH(%d), .LD(%d), .ST(%d), .LSQ_DEPTH(%d), .NUM_REGION(2), .DEADLOCK_TIMEOUT(%d)",
		aw, dw, depth, bit(ld), bit(st), depthQ, timeout), true, true,
		fmt.Sprintf(".cfg_region({%s}), .host_en(1'b0), .host_we(1'b0), .host_addr('0), .host_wdata('0), .host_rdata()", bits))
	m.g.sv = strings.Replace(m.g.sv, ");\n", absent+");\n", 1)
}

func sep(s string) string {
	if s == "" {
		return ""
	}
	return ", "
}

func extMemoryBench(m *maker, r *rand.Rand) {
	ld, st := groups(r)
	dw := 8 << r.IntN(4)
	aw := []int{8, 33, 64}[r.IntN(3)]
	elems := 1 + r.IntN(6)
	n, p, absent := m.memPorts(r, ld, st, aw, dw, func() uint64 {
		if r.IntN(25) == 0 {
			return randomBits(r, aw)
		}
		return uint64(r.IntN(elems)) & mask(aw)
	})
	env := m.b.env
	env.stallPercent, env.stallSeed = uint64(r.IntN(3)*30), r.Uint64()
	env.latency = Latency{Min: 1 + int64(r.IntN(3)), Seed: r.Uint64()}
	env.latency.Max = env.latency.Min + int64(r.IntN(20))
	reg := memmap.Region{Base: memmap.FirstBase, ElemBits: dw, ElemBytes: dw / 8, Elements: elems}
	env.bus = bus{regions: []memmap.Region{reg}, data: [][]byte{make([]byte, reg.Size())}}
	regions := m.regions(reg.Base)
	bits := ""
	for _, x := range regions {
		bits = fmt.Sprintf("64'd%d, 1'b%d", x.Offset, bit(x.Valid)) + sep(bits) + bits
	}
	depthQ, timeout := 1+r.IntN(4), 1+r.IntN(30)
	spec := &arch.MemorySpec{ElemWidth: dw, LSQDepth: depthQ}
	axi := m.b.master(&arch.Component{Mem: spec})
	axi.index = r.Uint64N(3)
	mem := newExtMemory(n, p, spec, regions, axi)
	mem.st.timeout = timeout
	m.b.add(mem)
	m.module("loom_extmemory", fmt.Sprintf(".AW(%d), .DW(%d), .LD(%d), .ST(%d), .LSQ_DEPTH(%d), .NUM_REGION(2), .DEADLOCK_TIMEOUT(%d)",
		aw, dw, bit(ld), bit(st), depthQ, timeout), true, true,
		fmt.Sprintf(".cfg_region({%s})", bits), memBus)
	m.g.sv = strings.Replace(m.g.sv, ");\n", absent+");\n", 1)

	g := m.g
	ldReady, stReady := g.addStim("ld_req_ready", 1), g.addStim("st_req_ready", 1)
	ldRsp, ldData, ldErr := g.addStim("ld_rsp_valid", 1), g.addStim("ld_rsp_data", dw), g.addStim("ld_rsp_err", 1)
	stRsp, stErr := g.addStim("st_rsp_valid", 1), g.addStim("st_rsp_err", 1)
	ldReq := g.addObs("ld_req_valid", 1, -1)
	ldAddr := g.addObs("ld_req_addr", 64, 0)
	stReq := g.addObs("st_req_valid", 1, -1)
	stAddr, stData := g.addObs("st_req_addr", 64, 2), g.addObs("st_req_data", dw, 2)
	put := func(s *signal, v uint64) { s.at = append(s.at, v) }
	g.extra = func(g *bench) {
		e := &g.e.engine
		put(ldReady, bit(axi.ldReady(e)))
		put(stReady, bit(axi.stReady(e)))
		answer := func(x *response, valid, bad *signal) {
			put(valid, bit(x.valid))
			if x.valid {
				put(bad, bit(x.bad))
			} else {
				put(bad, g.rng.Uint64()&1)
			}
		}
		answer(&axi.loaded, ldRsp, ldErr)
		answer(&axi.stored, stRsp, stErr)
		if data := axi.loaded.data; axi.loaded.valid && !axi.loaded.bad {
			put(ldData, data)
		} else {
			put(ldData, randomBits(g.rng, dw)) // means nothing
		}
		req := ld && mem.mapped && e.valid(p.ldAddr) && mem.loads.free() && mem.loaded.free()
		put(ldReq, bit(req))
		addr := uint64(0)
		if req {
			addr = mem.address(e.val(p.ldAddr))
		}
		put(ldAddr, addr)
		sreq := mem.mapped && mem.st.both() && mem.stored.free()
		put(stReq, bit(sreq))
		addr, data := uint64(0), uint64(0)
		if sreq {
			addr, data = mem.address(mem.st.addr.peek()), mem.st.data.peek()
		}
		put(stAddr, addr)
		put(stData, data)
	}
}

const memBus = ".ld_req_valid(ld_req_valid), .ld_req_ready(ld_req_ready), .ld_req_addr(ld_req_addr), " +
	".ld_rsp_valid(ld_rsp_valid), .ld_rsp_data(ld_rsp_data), .ld_rsp_err(ld_rsp_err), " +
	".st_req_valid(st_req_valid), .st_req_ready(st_req_ready), .st_req_addr(st_req_addr), .st_req_data(st_req_data), " +
	".st_rsp_valid(st_rsp_valid), .st_rsp_err(st_rsp_err)"
