package cycle

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/latency"
	"loom/sim/memmap"
)

// masterUnit feeds an AXI master from two request channels, with no limit but the
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
	e.accept(u.ld, u.axi.ldReady(e))
	e.accept(u.st, u.axi.stReady(e))
}

func (u *masterUnit) clock(e *engine) wake {
	u.axi.clock(e)
	if e.moved(u.ld.net) {
		addr, tag, _ := u.field(e.val(u.ld))
		u.axi.load(addr, tag)
	}
	if e.moved(u.st.net) {
		u.axi.store(u.field(e.val(u.st)))
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
	spec := &arch.MemorySpec{ElemWidth: dw, TagWidth: tw, BusWidth: busWidth, Outstanding: []int{0, 2, 3, 7, 64, 100, 128}[r.IntN(7)]}
	axi := m.b.master(&arch.Component{Mem: spec})
	axi.index = r.Uint64N(3)
	u := &masterUnit{axi: axi, dw: dw}
	u.regFwd, u.regBwd = true, true
	// Every other bench keeps to a few elements, so that loads and stores collide.
	tokens := func(int) uint64 { return randomBits(r, 64) }
	if r.IntN(2) == 0 {
		tokens = func(int) uint64 { return randomBits(r, 64) &^ 0xff0 }
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
	m.g.sv = fmt.Sprintf("  loom_axi_master #(.DW(%d), .TW(%d), .BUS_DW(%d), .OUTSTANDING(%d)) dut (.clk(clk), .rst(rst), .clear(rst), .idle(idle),\n"+
		"    %s,\n    %s,\n"+
		"    .ld_rsp_valid(ld_rsp_valid), .ld_rsp_data(ld_rsp_data), .ld_rsp_tag(ld_rsp_tag), .ld_rsp_err(ld_rsp_err),\n"+
		"    .st_rsp_valid(st_rsp_valid), .st_rsp_tag(st_rsp_tag), .st_rsp_err(st_rsp_err),\n"+
		"    .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_arid(arid), .m_axi_araddr(araddr),\n"+
		"    .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awid(awid), .m_axi_awaddr(awaddr),\n"+
		"    .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wdata(%s), .m_axi_wstrb(wstrb),\n"+
		"    .m_axi_rvalid(rvalid), .m_axi_rid(rid), .m_axi_rdata(%s), .m_axi_rresp({rbad, 1'b0}), .m_axi_rlast(1'b1),\n"+
		"    .m_axi_bvalid(bvalid), .m_axi_bid(bid), .m_axi_bresp({bbad, 1'b0}));\n",
		dw, tw, busWidth, spec.InFlight(), request("ld", ""), request("st", fmt.Sprintf(", .st_req_data(st_data[63 -: %d])", dw)),
		wide("wdata"), wide("rdata"))
	m.g.hasIdle = true

	g := m.g
	put := func(s *signal, v uint64) { s.at = append(s.at, v) }
	idw, lane := max(tw, 1), min(busWidth, 64)
	arReady, awReady, wReady := g.addStim("arready", 1), g.addStim("awready", 1), g.addStim("wready", 1)
	rValid, rID, rBad := g.addStim("rvalid", 1), g.addStim("rid", idw), g.addStim("rbad", 1)
	bValid, bID, bBad := g.addStim("bvalid", 1), g.addStim("bid", idw), g.addStim("bbad", 1)
	obs := func(name string, width, guard int) *signal { return g.addObs(name, width, guard) }
	ldValid := obs("ld_rsp_valid", 1, -1)
	ldTag, ldErr := obs("ld_rsp_tag", idw, 0), obs("ld_rsp_err", 1, 0)
	ldGood := obs("ld_rsp_data", dw, 0)
	stValid := obs("st_rsp_valid", 1, -1)
	stTag, stErr := obs("st_rsp_tag", idw, 4), obs("st_rsp_err", 1, 4)
	arValid := obs("arvalid", 1, -1)
	arID, arAddr := obs("arid", idw, 7), obs("araddr", 64, 7)
	awValid := obs("awvalid", 1, -1)
	awID, awAddr := obs("awid", idw, 10), obs("awaddr", 64, 10)
	wValid := obs("wvalid", 1, -1)
	wStrb := obs("wstrb", busWidth/8, 13)
	var rData, wData []*signal
	for k := range words {
		rData = append(rData, g.addStim(fmt.Sprint("rdata", k), lane))
		wData = append(wData, obs(fmt.Sprint("wdata", k), lane, 13))
	}
	g.extra = func(g *bench) {
		e := &g.e.engine
		put(arReady, bit(axi.arReady(e)))
		put(awReady, bit(axi.awReady(e)))
		put(wReady, bit(axi.wReady(e)))
		noise := func(width int) uint64 { return randomBits(g.rng, width) }
		respond := func(x *response, valid, id, bad, outValid, outID, outBad *signal) {
			tag, err := uint64(x.tag), bit(x.bad)
			if !x.valid {
				tag, err = noise(idw), noise(1)
			}
			put(valid, bit(x.valid))
			put(id, tag)
			put(bad, err)
			put(outValid, bit(x.valid))
			put(outID, tag)
			put(outBad, err)
		}
		respond(&axi.loaded, rValid, rID, rBad, ldValid, ldTag, ldErr)
		respond(&axi.stored, bValid, bID, bBad, stValid, stTag, stErr)
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
		put(arValid, bit(axi.arFull))
		put(arID, uint64(axi.ar.id))
		put(arAddr, axi.ar.addr)
		put(awValid, bit(axi.awFull && !axi.hold))
		put(awID, uint64(axi.aw.id))
		put(awAddr, axi.aw.addr)
		put(wValid, bit(axi.wFull && !axi.hold))
		put(wStrb, axi.strobe(axi.aw.addr)[0])
		for _, s := range wData {
			v := uint64(0)
			for at := 0; at < lane; at += dw {
				v |= axi.aw.data << at
			}
			put(s, v)
		}
	}
}
