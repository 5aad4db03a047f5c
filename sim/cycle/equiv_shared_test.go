package cycle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/latency"
	"loom/sim/memmap"
)

// sharedBench compares memories that share an AXI4 master, of any element, tags, bursts and number of places, on a bus of any width:
// loom_axi_port each, and loom_axi_bus, whose memory responds in any order across IDs. The bytes of the bus that are not read hold noise.
func sharedBench(m *maker, r *rand.Rand) {
	const area = 3 << 10
	env := m.b.env
	env.stallPercent, env.stallSeed = uint64(r.IntN(3)*30), r.Uint64()
	env.latency = latency.Profile{Min: 1 + int64(r.IntN(3)), Seed: r.Uint64()}
	env.latency.Max = env.latency.Min + int64(r.IntN(40))
	reg := memmap.Region{Base: memmap.FirstBase, ElemBits: 8, ElemBytes: 1, Elements: area}
	env.bus = bus{regions: []memmap.Region{reg}, data: [][]byte{make([]byte, area)}}
	for i := range env.bus.data[0] {
		env.bus.data[0][i] = byte(r.Uint32())
	}

	master := &arch.Master{Name: "ddr", Shared: true}
	bursts := r.IntN(4) > 0 // of some memory
	for k := range 1 + r.IntN(4) {
		spec := &arch.MemorySpec{ElemWidth: 8 << r.IntN(4), TagWidth: r.IntN(3), Outstanding: []int{2, 3, 7, 16, 64, 100}[r.IntN(6)], LdCount: 1, StCount: 1, Master: master.Name}
		if bursts {
			spec.Burst = []int{1, 2, 4, 8, 16, 32}[r.IntN(6)]
		}
		switch r.IntN(6) {
		case 0:
			spec.LdCount = 0
		case 1:
			spec.StCount = 0
		}
		master.Memories = append(master.Memories, &arch.Component{Name: fmt.Sprint("m", k), Kind: arch.ExtMemory, Mem: spec})
		master.Width = max(master.Width, spec.ElemWidth)
	}
	for range r.IntN(3) {
		master.Width = min(2*master.Width, 128)
	}
	s := newSharedBus(master, env, r.IntN(3))

	g := m.g
	var sv strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&sv, "  "+format+"\n", args...) }
	line("wire [%d:0] r_data; wire r_err, r_last, b_err;", master.Width-1)
	var idles []string
	type port struct {
		a      *axiMaster
		dw, tw int
		name   string
	}
	var ports []*port
	for k, a := range s.members {
		spec := a.comp.Mem
		p := &port{a: a, dw: spec.ElemWidth, tw: spec.TagWidth, name: a.comp.Name}
		ports = append(ports, p)
		u := &masterUnit{axi: a, dw: p.dw, ld: wire{net: -1}, st: wire{net: -1}}
		u.regFwd, u.regBwd = true, true
		n := p.name
		// Most ask for elements that follow each other, for words of the bus are filled by these.
		scattered := r.IntN(4) == 0
		next := [2]uint64{randomBits(r, 11), randomBits(r, 11)}
		stream := func(at *uint64) func(int) uint64 {
			return func(int) uint64 {
				*at += uint64(p.dw / 8)
				if scattered || r.IntN(30) == 0 {
					*at = randomBits(r, 12)
				}
				v := randomBits(r, 64)
				if r.IntN(10) > 0 {
					v &^= 0xf000 // tag 0
				}
				return v&^0xfff | *at&0xfff
			}
		}
		request := func(kind, more string) string {
			return fmt.Sprintf(".%s_req_valid(%s%s_valid), .%s_req_ready(%s%s_ready), .%s_req_addr(64'd%d + 64'(%s%s_data[11:0])), .%s_req_tag(%s%s_data[12 +: %d])%s",
				kind, n, kind, kind, n, kind, kind, memmap.FirstBase, n, kind, kind, n, kind, max(p.tw, 1), more)
		}
		none := func(kind, more string) string {
			return fmt.Sprintf(".%s_req_valid(1'b0), .%s_req_ready(), .%s_req_addr(64'd0), .%s_req_tag('0)%s", kind, kind, kind, kind, more)
		}
		ld, st := none("ld", ""), none("st", ", .st_req_data('0)")
		if spec.LdCount > 0 {
			u.ld = m.in(n+"ld", 64)
			m.feed(stream(&next[0]))
			u.in = append(u.in, u.ld)
			ld = request("ld", "")
		}
		if spec.StCount > 0 {
			u.st = m.in(n+"st", 64)
			m.feed(stream(&next[1]))
			u.in = append(u.in, u.st)
			st = request("st", fmt.Sprintf(", .st_req_data(%sst_data[63 -: %d])", n, p.dw))
		}
		m.b.add(u)
		line("wire %sar_v, %sar_r, %sar_w, %sr_v, %saw_v, %saw_r, %saw_w, %sw_v, %sw_r, %sw_l, %sb_v, %sidle;", n, n, n, n, n, n, n, n, n, n, n, n)
		line("wire [63:0] %sar_a, %saw_a; wire [7:0] %sar_n, %saw_n; wire [%d:0] %sw_d; wire [%d:0] %sw_s;", n, n, n, n, master.Width-1, n, master.Width/8-1, n)
		wide := 0
		if master.Wide(a.comp) {
			wide = 1
		}
		line("loom_axi_port #(.DW(%d), .TW(%d), .BUS_DW(%d), .OUTSTANDING(%d), .BURST(%d), .WIDE(%d)) p%d (.clk(clk), .rst(rst), .clear(rst), .idle(%sidle),",
			p.dw, p.tw, master.Width, spec.InFlight(), spec.Bursts(), wide, k, n)
		line("  %s, %s,", ld, st)
		line("  .ld_rsp_valid(%sld_rsp_valid), .ld_rsp_data(%sld_rsp_data), .ld_rsp_tag(%sld_rsp_tag), .ld_rsp_err(%sld_rsp_err),", n, n, n, n)
		line("  .st_rsp_valid(%sst_rsp_valid), .st_rsp_tag(%sst_rsp_tag), .st_rsp_err(%sst_rsp_err),", n, n, n)
		line("  .ar_valid(%sar_v), .ar_ready(%sar_r), .ar_addr(%sar_a), .ar_len(%sar_n), .ar_wide(%sar_w), .r_valid(%sr_v), .r_data(r_data), .r_err(r_err), .r_last(r_last),", n, n, n, n, n, n)
		line("  .aw_valid(%saw_v), .aw_ready(%saw_r), .aw_addr(%saw_a), .aw_len(%saw_n), .aw_wide(%saw_w),", n, n, n, n, n)
		line("  .w_valid(%sw_v), .w_ready(%sw_r), .w_data(%sw_d), .w_strb(%sw_s), .w_last(%sw_l), .b_valid(%sb_v), .b_err(b_err));", n, n, n, n, n, n)
		idles = append(idles, n+"idle")
	}
	// The signals of the members, the last one first as in a concatenation; the ends of those without loads or without stores are tied.
	side := func(list []*axiMaster, suffix string) string {
		var names []string
		for _, a := range slices.Backward(list) {
			names = append(names, a.comp.Name+suffix)
		}
		return "{" + strings.Join(names, ", ") + "}"
	}
	sizes := func(list []*axiMaster) string {
		var parts []string
		for _, a := range slices.Backward(list) {
			parts = append(parts, fmt.Sprintf("3'd%d", map[int]int{1: 0, 2: 1, 4: 2, 8: 3}[a.bytes]))
		}
		if parts == nil {
			return "3'd0"
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	for _, p := range ports {
		if p.a.comp.Mem.LdCount == 0 {
			line("assign {%sar_r, %sr_v} = 2'b00;", p.name, p.name)
		}
		if p.a.comp.Mem.StCount == 0 {
			line("assign {%saw_r, %sw_r, %sb_v} = 3'b000;", p.name, p.name, p.name)
		}
	}
	const idw = 2
	words := (master.Width + 63) / 64
	lane := min(master.Width, 64)
	wide := func(name string) string {
		var names []string
		for k := range words {
			names = append(names, fmt.Sprint(name, k))
		}
		return concat(names, "")
	}
	line("loom_axi_bus #(.LD(%d), .ST(%d), .LD_SIZE(%s), .ST_SIZE(%s), .IDW(%d), .BUS_DW(%d), .BURST(%d)) dut (.clk(clk), .rst(rst),",
		len(s.readers), len(s.writers), sizes(s.readers), sizes(s.writers), idw, master.Width, master.Burst())
	if len(s.readers) > 0 {
		line("  .ar_valid(%s), .ar_ready(%s), .ar_addr(%s), .ar_len(%s), .ar_wide(%s), .r_valid(%s),", side(s.readers, "ar_v"), side(s.readers, "ar_r"),
			side(s.readers, "ar_a"), side(s.readers, "ar_n"), side(s.readers, "ar_w"), side(s.readers, "r_v"))
	} else {
		line("  .ar_valid(1'b0), .ar_ready(), .ar_addr(64'd0), .ar_len(8'd0), .ar_wide(1'b0), .r_valid(),")
	}
	if len(s.writers) > 0 {
		line("  .aw_valid(%s), .aw_ready(%s), .aw_addr(%s), .aw_len(%s), .aw_wide(%s),", side(s.writers, "aw_v"), side(s.writers, "aw_r"), side(s.writers, "aw_a"),
			side(s.writers, "aw_n"), side(s.writers, "aw_w"))
		line("  .w_valid(%s), .w_ready(%s), .w_data(%s), .w_strb(%s), .w_last(%s), .b_valid(%s),", side(s.writers, "w_v"), side(s.writers, "w_r"), side(s.writers, "w_d"),
			side(s.writers, "w_s"), side(s.writers, "w_l"), side(s.writers, "b_v"))
	} else {
		line("  .aw_valid(1'b0), .aw_ready(), .aw_addr(64'd0), .aw_len(8'd0), .aw_wide(1'b0),")
		line("  .w_valid(1'b0), .w_ready(), .w_data('0), .w_strb('0), .w_last(1'b0), .b_valid(),")
	}
	line("  .r_data(r_data), .r_err(r_err), .r_last(r_last), .b_err(b_err),")
	line("  .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_arid(arid), .m_axi_araddr(araddr), .m_axi_arlen(arlen), .m_axi_arsize(arsize),")
	line("  .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awid(awid), .m_axi_awaddr(awaddr), .m_axi_awlen(awlen), .m_axi_awsize(awsize),")
	line("  .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wdata(%s), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast),", wide("wdata"))
	line("  .m_axi_rvalid(rvalid), .m_axi_rid(rid), .m_axi_rdata(%s), .m_axi_rresp({rbad, 1'b0}), .m_axi_rlast(rlast),", wide("rdata"))
	line("  .m_axi_bvalid(bvalid), .m_axi_bid(bid), .m_axi_bresp({bbad, 1'b0}));")
	line("assign idle = %s;", strings.Join(idles, " & "))
	g.sv = sv.String()
	g.hasIdle = true

	put := func(s *signal, v uint64) { s.at = append(s.at, v) }
	arReady, awReady, wReady := g.addStim("arready", 1), g.addStim("awready", 1), g.addStim("wready", 1)
	rValid, rID, rBad, rLast := g.addStim("rvalid", 1), g.addStim("rid", idw), g.addStim("rbad", 1), g.addStim("rlast", 1)
	bValid, bID, bBad := g.addStim("bvalid", 1), g.addStim("bid", idw), g.addStim("bbad", 1)
	obs := func(name string, width, guard int) *signal { return g.addObs(name, width, guard) }
	var rData, wData []*signal
	for k := range words {
		rData = append(rData, g.addStim(fmt.Sprint("rdata", k), lane))
	}
	type seen struct{ ldValid, ldTag, ldErr, ldData, good, stValid, stTag, stErr *signal }
	var views []seen
	for _, p := range ports {
		var v seen
		at := len(g.obs)
		v.ldValid = obs(p.name+"ld_rsp_valid", 1, -1)
		v.ldTag, v.ldErr, v.ldData = obs(p.name+"ld_rsp_tag", max(p.tw, 1), at), obs(p.name+"ld_rsp_err", 1, at), obs(p.name+"ld_rsp_data", p.dw, at)
		v.good = &signal{}
		v.ldData.when = v.good
		at = len(g.obs)
		v.stValid = obs(p.name+"st_rsp_valid", 1, -1)
		v.stTag, v.stErr = obs(p.name+"st_rsp_tag", max(p.tw, 1), at), obs(p.name+"st_rsp_err", 1, at)
		views = append(views, v)
	}
	at := len(g.obs)
	arValid := obs("arvalid", 1, -1)
	arID, arAddr, arLen, arSize := obs("arid", idw, at), obs("araddr", 64, at), obs("arlen", 8, at), obs("arsize", 3, at)
	at = len(g.obs)
	awValid := obs("awvalid", 1, -1)
	awID, awAddr, awLen, awSize := obs("awid", idw, at), obs("awaddr", 64, at), obs("awlen", 8, at), obs("awsize", 3, at)
	at = len(g.obs)
	wValid := obs("wvalid", 1, -1)
	wStrb, wLast := obs("wstrb", master.Width/8, at), obs("wlast", 1, at)
	for k := range words {
		wData = append(wData, obs(fmt.Sprint("wdata", k), lane, at))
	}
	g.extra = func(g *bench) {
		e := &g.e.engine
		s.begin(e)
		put(arReady, bit(s.arReady(e)))
		put(awReady, bit(s.awReady(e)))
		put(wReady, bit(s.wReady(e)))
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
		respond(&s.r, rValid, rID, rBad)
		put(rLast, bit(s.r.last))
		respond(&s.b, bValid, bID, bBad)
		word := make([]uint64, words)
		for k := range word {
			word[k] = noise(lane)
		}
		if s.r.valid && !s.r.bad {
			first := int(s.r.addr % uint64(s.width))
			for i, b := range s.rWord {
				at := first + i
				word[at/8] = word[at/8]&^(0xff<<(at%8*8)) | uint64(b)<<(at%8*8)
			}
		}
		for k, x := range rData {
			put(x, word[k])
		}
		for k, p := range ports {
			v, a := views[k], p.a
			put(v.ldValid, bit(a.loaded.valid))
			put(v.ldTag, uint64(a.loaded.tag))
			put(v.ldErr, bit(a.loaded.bad))
			put(v.ldData, a.loaded.data)
			put(v.good, bit(a.loaded.valid && !a.loaded.bad))
			put(v.stValid, bit(a.answered.valid))
			put(v.stTag, uint64(a.answered.tag))
			put(v.stErr, bit(a.answered.bad))
		}
		channel := func(x shape, is bool, valid, id, addr, length, size *signal) {
			put(valid, bit(is))
			put(id, uint64(x.id))
			put(addr, x.addr)
			put(length, uint64(max(x.beats-1, 0)))
			put(size, uint64(map[int]int{0: 0, 1: 0, 2: 1, 4: 2, 8: 3, 16: 4}[x.size]))
		}
		channel(s.ar, s.arFull, arValid, arID, arAddr, arLen, arSize)
		aw, awIs, w, wIs := s.aw, s.awFull, s.w, s.wFull
		if s.bursts {
			if awIs = s.awGrant >= 0 && s.room(); awIs {
				aw = s.writeAsks[s.awGrant]
			}
			i := s.turn()
			if wIs = i >= 0 && i < len(s.wValid) && s.wValid[i]; wIs {
				w = s.wAsks[i]
			}
		}
		channel(aw, awIs, awValid, awID, awAddr, awLen, awSize)
		put(wValid, bit(wIs))
		put(wStrb, w.strobe[0])
		put(wLast, bit(w.last))
		for k, x := range wData {
			v := uint64(0)
			if wIs {
				v = w.word[k]
			}
			put(x, v)
		}
	}
}
