package cycle

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/latency"
	"loom/sim/memmap"
)

// masterUnit feeds an AXI master from two request channels, or one, with no limit but the
// master's own. A token of a request channel is address and tag, of the store
// channel also data; see field.
type masterUnit struct {
	node
	axi    *axiMaster
	ld, st wire
	dw     int
}

// field splits a token: an offset of 12 bits from the first base, the tag above it,
// and for stores the element at the high end.
func (u *masterUnit) field(token uint64) (addr uint64, tag uint16, data uint64) {
	tw := u.axi.comp.Mem.TagWidth
	return memmap.FirstBase + token&0xfff, uint16(token >> 12 & mask(tw)), token >> (64 - u.dw)
}

func (u *masterUnit) forward(e *engine) { u.axi.respond(e) }

func (u *masterUnit) backward(e *engine) {
	if u.ld.net >= 0 {
		e.accept(u.ld, u.axi.ldReady(e))
	}
	if u.st.net >= 0 {
		e.accept(u.st, u.axi.stReady(e))
	}
}

func (u *masterUnit) clock(e *engine) wake {
	u.axi.clock(e)
	if u.ld.net >= 0 && e.moved(u.ld.net) {
		addr, tag, _ := u.field(e.val(u.ld))
		u.axi.load(addr, tag, false)
	}
	if u.st.net >= 0 && e.moved(u.st.net) {
		addr, tag, data := u.field(e.val(u.st))
		u.axi.store(addr, tag, data, false)
	}
	return dirty | tick
}

func (u *masterUnit) idle() bool                         { return !u.axi.busy() }
func (u *masterUnit) needs(_ *engine, buf []wire) []wire { return buf }

// masterBench compares the AXI master with random IDs, narrow elements on wide
// buses and responses in any order across IDs. Every other byte of the bus holds
// noise.
func masterBench(m *maker, r *rand.Rand) {
	dw, tw := 8<<r.IntN(4), r.IntN(4)
	busWidth := dw << r.IntN(5)
	for busWidth > 128 {
		busWidth >>= 1
	}
	env := m.b.env
	env.stallPercent, env.stallSeed = uint64(r.IntN(3)*30), r.Uint64()
	env.latency = latency.Profile{Min: 1 + int64(r.IntN(3)), Seed: r.Uint64()}
	env.latency.Max = env.latency.Min + int64(r.IntN(40))
	reg := memmap.Region{Base: memmap.FirstBase, ElemBits: dw, ElemBytes: dw / 8, Elements: 3 << 10 / (dw / 8)}
	env.bus = bus{regions: []memmap.Region{reg}, data: [][]byte{make([]byte, reg.Size())}}
	for i := range env.bus.data[0] {
		env.bus.data[0][i] = byte(r.Uint32())
	}
	spec := &arch.MemorySpec{ElemWidth: dw, TagWidth: tw, BusWidth: busWidth, Outstanding: []int{0, 2, 3, 7, 64, 100, 128}[r.IntN(7)],
		Burst: []int{0, 0, 2, 4, 16, 32}[r.IntN(6)]}
	axi := newAXIMaster(&arch.Component{Mem: spec}, env, r.IntN(3))
	u := &masterUnit{axi: axi, dw: dw}
	u.regFwd, u.regBwd = true, true
	// Some benches keep to a few elements, so that loads and stores collide, some to elements that
	// mostly follow each other.
	tokens := func(int) uint64 { return randomBits(r, 64) }
	switch mode := r.IntN(4); {
	case mode == 0:
		tokens = func(int) uint64 { return randomBits(r, 64) &^ 0xff0 }
	case mode > 1 || spec.Burst > 1:
		var next [2]uint64 // of loads and stores
		side := 0
		tokens = func(n int) uint64 {
			if n == 0 {
				side++
			}
			at := &next[side%2]
			*at += uint64(dw / 8)
			if r.IntN(20) == 0 {
				*at = randomBits(r, 12)
			}
			v := randomBits(r, 64)
			if r.IntN(10) > 0 {
				v &^= 0xf000 // tag 0
			}
			return v&^0xfff | *at&0xfff
		}
	}
	u.ld = m.in("ld", 64)
	m.feed(tokens)
	u.st = m.in("st", 64)
	m.feed(tokens)
	u.in = []wire{u.ld, u.st}
	m.b.add(u)

	words := (busWidth + 63) / 64
	wide := func(name string) string {
		var names []string
		for k := range words {
			names = append(names, fmt.Sprint(name, k))
		}
		return concat(names, "")
	}
	request := func(k, more string) string {
		text := fmt.Sprintf(".K_req_valid(K_valid), .K_req_ready(K_ready), .K_req_addr(64'd%d + 64'(K_data[11:0])), .K_req_tag(K_data[12 +: %d])",
			memmap.FirstBase, max(tw, 1))
		return strings.ReplaceAll(text, "K_", k+"_") + more
	}
	m.g.sv = fmt.Sprintf("  loom_axi_master #(.DW(%d), .TW(%d), .BUS_DW(%d), .OUTSTANDING(%d), .BURST(%d)) dut (.clk(clk), .rst(rst), .clear(rst), .idle(idle),\n"+
		"    %s,\n    %s,\n"+
		"    .ld_rsp_valid(ld_rsp_valid), .ld_rsp_data(ld_rsp_data), .ld_rsp_tag(ld_rsp_tag), .ld_rsp_err(ld_rsp_err),\n"+
		"    .st_rsp_valid(st_rsp_valid), .st_rsp_tag(st_rsp_tag), .st_rsp_err(st_rsp_err),\n"+
		"    .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_arid(arid), .m_axi_araddr(araddr), .m_axi_arlen(arlen),\n"+
		"    .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awid(awid), .m_axi_awaddr(awaddr), .m_axi_awlen(awlen),\n"+
		"    .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wdata(%s), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast),\n"+
		"    .m_axi_rvalid(rvalid), .m_axi_rid(rid), .m_axi_rdata(%s), .m_axi_rresp({rbad, 1'b0}), .m_axi_rlast(rlast),\n"+
		"    .m_axi_bvalid(bvalid), .m_axi_bid(bid), .m_axi_bresp({bbad, 1'b0}));\n",
		dw, tw, busWidth, spec.InFlight(), spec.Bursts(), request("ld", ""), request("st", fmt.Sprintf(", .st_req_data(st_data[63 -: %d])", dw)),
		wide("wdata"), wide("rdata"))
	m.g.hasIdle = true

	g := m.g
	put := func(s *signal, v uint64) { s.at = append(s.at, v) }
	idw, lane := max(tw, 1), min(busWidth, 64)
	arReady, awReady, wReady := g.addStim("arready", 1), g.addStim("awready", 1), g.addStim("wready", 1)
	rValid, rID, rBad, rLast := g.addStim("rvalid", 1), g.addStim("rid", idw), g.addStim("rbad", 1), g.addStim("rlast", 1)
	bValid, bID, bBad := g.addStim("bvalid", 1), g.addStim("bid", idw), g.addStim("bbad", 1)
	obs := func(name string, width, guard int) *signal { return g.addObs(name, width, guard) }
	ldValid := obs("ld_rsp_valid", 1, -1)
	ldTag, ldErr := obs("ld_rsp_tag", idw, 0), obs("ld_rsp_err", 1, 0)
	ldGood := obs("ld_rsp_data", dw, 0)
	stValid := obs("st_rsp_valid", 1, -1)
	stTag, stErr := obs("st_rsp_tag", idw, 4), obs("st_rsp_err", 1, 4)
	arValid := obs("arvalid", 1, -1)
	arID, arAddr, arLen := obs("arid", idw, 7), obs("araddr", 64, 7), obs("arlen", 8, 7)
	awValid := obs("awvalid", 1, -1)
	awID, awAddr, awLen := obs("awid", idw, 11), obs("awaddr", 64, 11), obs("awlen", 8, 11)
	wValid := obs("wvalid", 1, -1)
	wStrb, wLast := obs("wstrb", busWidth/8, 15), obs("wlast", 1, 15)
	var rData, wData []*signal
	for k := range words {
		rData = append(rData, g.addStim(fmt.Sprint("rdata", k), lane))
		wData = append(wData, obs(fmt.Sprint("wdata", k), lane, 15))
	}
	g.extra = func(g *bench) {
		e := &g.e.engine
		put(arReady, bit(axi.arReady(e)))
		put(awReady, bit(axi.awReady(e)))
		put(wReady, bit(axi.wReady(e)))
		noise := func(width int) uint64 { return randomBits(g.rng, width) }
		respond := func(x *response, valid, id, bad *signal) {
			tag, err := uint64(x.tag), bit(x.bad)
			if !x.valid {
				tag, err = noise(idw), noise(1)
			}
			put(valid, bit(x.valid))
			put(id, tag)
			put(bad, err)
		}
		put(rLast, bit(axi.loaded.last))
		respond(&axi.loaded, rValid, rID, rBad)
		respond(&axi.stored, bValid, bID, bBad)
		see := func(x *response, valid, id, bad *signal) {
			put(valid, bit(x.valid))
			put(id, uint64(x.tag))
			put(bad, bit(x.bad))
		}
		see(&axi.loaded, ldValid, ldTag, ldErr)
		see(&axi.answered, stValid, stTag, stErr)
		data := noise(dw)
		if axi.loaded.valid && !axi.loaded.bad {
			data = axi.loaded.data
		}
		put(ldGood, data)
		at := int(axi.loaded.addr) % axi.busBytes * 8
		for k, s := range rData {
			v := noise(lane)
			if axi.loaded.valid && at/64 == k {
				v = v&^(mask(dw)<<(at%64)) | data<<(at%64)
			}
			put(s, v)
		}
		ar, arIs := axi.offered(true)
		aw, awIs := axi.offered(false)
		w, last, wIs := axi.offeredData()
		put(arValid, bit(arIs))
		put(arID, uint64(ar.id))
		put(arAddr, ar.addr)
		put(arLen, uint64(max(ar.n-1, 0)))
		put(awValid, bit(awIs))
		put(awID, uint64(aw.id))
		put(awAddr, aw.addr)
		put(awLen, uint64(max(aw.n-1, 0)))
		put(wValid, bit(wIs))
		put(wStrb, w.strobe[0])
		put(wLast, bit(last))
		for _, s := range wData {
			v := uint64(0)
			for at := 0; at < lane; at += dw {
				v |= w.data << at
			}
			put(s, v)
		}
	}
}
