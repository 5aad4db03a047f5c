package rtl

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// traffic is how a bench treats a memory.
type traffic struct {
	name string
	// percent of the cycles in which a source offers, a consumer takes, the host accesses
	offer, take, host int
	oneTag            bool // all requests with tag 0
	faults            bool // stray tags, indices beyond the end, tables with holes and errors
	lopsided          bool // long times in which only addresses or only data come
}

var traffics = []traffic{
	{name: "random", offer: 70, take: 60, faults: true},
	{name: "stalled", offer: 90, take: 25, host: 20, faults: true},
	{name: "lopsided", offer: 60, take: 70, lopsided: true},
	{name: "full speed, one tag", offer: 100, take: 100, oneTag: true},
	{name: "full speed, all tags", offer: 100, take: 100},
}

func bits(w int, v uint64) string { return fmt.Sprintf("%0*b", w, v) }

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// randomTagMemory draws parameters and a table.
func randomTagMemory(r *rand.Rand, tr traffic) *tagMemory {
	for {
		m := &tagMemory{aw: []int{4, 10, 32}[r.IntN(3)], dw: 8 << r.IntN(4), tw: 1 + r.IntN(4),
			depth: []int{1, 2, 3, 7, 8, 16}[r.IntN(6)], loads: r.IntN(9), stores: r.IntN(9),
			lsq: []int{1, 2, 3, 4, 5, 16}[r.IntN(6)], timeout: 1 + r.IntN(30), host: tr.host > 0}
		most := max(m.loads, m.stores)
		if most == 0 || most > 1<<m.tw {
			continue
		}
		if !tr.faults && (m.loads == 0 || m.stores == 0 || most == 1<<m.tw) {
			continue
		}
		size := m.depth * m.dw / 8
		ow := 1
		for 1<<ow < size {
			ow++
		}
		n := 1 + r.IntN(8)
		if !tr.faults {
			n = 1 + r.IntN(min(most, 3))
		}
		from, wrong := 0, r.IntN(5*n) // which entry is wrong, and how
		for i := range n {
			e := region{valid: true, start: from, end: from + 1 + r.IntN(2), offsetBits: ow, toTag: m.tw}
			if i == n-1 {
				e.end = max(e.end, most)
			}
			if tr.faults {
				e.valid = r.IntN(12) != 0
			}
			e.start, e.end = min(e.start, 1<<m.tw-1), min(e.end, 1<<m.tw-1)
			e.valid = e.valid && e.start < e.end
			if tr.faults && wrong/5 == i {
				switch wrong % 5 {
				case 0:
					e.start, e.end, e.valid = 0, 1<<m.tw-1, true
				case 1:
					e.start = r.IntN(1 << m.tw)
					e.end, e.valid = r.IntN(e.start+1), true
				}
			}
			if r.IntN(2) == 0 && tr.faults {
				e.baseBits = uint64(r.IntN(size))
				e.base = int(e.baseBits) / (m.dw / 8)
			}
			from = e.end
			m.regions = append(m.regions, e)
		}
		m.reset()
		if !tr.faults && (m.overlap || m.nothing) {
			continue
		}
		return m
	}
}

// replayTagMemory drives the model for n cycles and writes what the RTL must do:
// stimulus and expected outputs, with x where the value means nothing.
func replayTagMemory(m *tagMemory, r *rand.Rand, tr traffic, n int, seen map[int]int) (stim, want string, moved [2]int) {
	var s, w strings.Builder
	var in cycleIn
	word := func(width int) uint64 { return r.Uint64() >> (64 - width) }
	tag := func(count int) int {
		switch {
		case tr.oneTag:
			return 0
		case tr.faults && r.IntN(12) == 0:
			return r.IntN(1 << m.tw)
		}
		return r.IntN(max(count, 1))
	}
	index := func() uint64 {
		if tr.faults && r.IntN(15) == 0 {
			return word(m.aw)
		}
		return uint64(r.IntN(m.depth)) & (1<<m.aw - 1)
	}
	percent := func(p int) bool { return r.IntN(100) < p }
	for k := range n {
		only := ""
		if tr.lopsided {
			only = []string{"", "addr", "", "data"}[k/40%4]
		}
		if (!in.ldAddr.valid || in.ldTaken) && m.loads > 0 {
			in.ldAddr = drive{percent(tr.offer), tag(m.loads), index()}
		}
		if (!in.stAddr.valid || in.saTaken) && m.stores > 0 {
			in.stAddr = drive{percent(tr.offer) && only != "data", tag(m.stores), index()}
		}
		if (!in.stData.valid || in.sdTaken) && m.stores > 0 {
			in.stData = drive{percent(tr.offer) && only != "addr", tag(m.stores), word(m.dw)}
			if tr.offer == 100 {
				in.stData.tag = in.stAddr.tag // at full speed nothing waits for its other half
			}
		}
		in.dataReady, in.doneReady, in.stDoneReady = percent(tr.take), percent(tr.take), percent(tr.take)
		in.hostEn, in.hostWe, in.hostAddr, in.hostWord = percent(tr.host), percent(50), r.IntN(m.depth), word(m.dw)
		out := m.step(&in)
		if in.ldTaken {
			moved[0]++
		}
		if in.saTaken {
			moved[1]++
		}
		seen[out.err]++
		ew := 1
		for 1<<ew < m.depth {
			ew++
		}
		for _, d := range []struct {
			drive
			w int
		}{{in.ldAddr, m.aw}, {in.stAddr, m.aw}, {in.stData, m.dw}} {
			s.WriteString(bit(d.valid) + bits(m.tw, uint64(d.tag)) + bits(d.w, d.value))
		}
		s.WriteString(bit(in.dataReady) + bit(in.doneReady) + bit(in.stDoneReady) + bit(in.hostEn) + bit(in.hostWe) + bits(ew, uint64(in.hostAddr)) + bits(m.dw, in.hostWord) + "\n")
		answer := func(d drive, width int) {
			text := strings.Repeat("x", m.tw+width)
			if d.valid {
				text = bits(m.tw, uint64(d.tag))
				if width > 0 {
					text += bits(width, d.value)
				}
			}
			w.WriteString(bit(d.valid) + text)
		}
		answer(out.data, m.dw)
		answer(out.done, 0)
		answer(out.stDone, 0)
		for _, c := range []struct{ valid, ready bool }{{in.ldAddr.valid, out.ldReady}, {in.stAddr.valid, out.saReady}, {in.stData.valid, out.sdReady}} {
			if c.valid {
				w.WriteString(bit(c.ready))
			} else {
				w.WriteString("x")
			}
		}
		if out.hostRead {
			w.WriteString(bits(m.dw, out.hostData))
		} else {
			w.WriteString(strings.Repeat("x", m.dw))
		}
		code := strings.Repeat("x", 16)
		if out.err != 0 {
			code = bits(16, uint64(out.err))
		}
		w.WriteString(bit(out.err != 0) + code + bit(out.idle) + "\n")
	}
	return s.String(), w.String(), moved
}

// tagMemoryBench writes the bench of one memory: it applies the stimulus and
// compares every bit that means something in every cycle.
func tagMemoryBench(k int, m *tagMemory, cycles int) string {
	table := ""
	for _, e := range m.regions {
		table = fmt.Sprintf("%d'd%d, %d'd%d, %d'd%d, 1'b%s", e.offsetBits, e.baseBits, m.tw, e.end, m.tw, e.start, bit(e.valid)) + map[bool]string{true: ", "}[table != ""] + table
	}
	return fmt.Sprintf(`module bench%[1]d (input clk, input rst, input [31:0] at);
  localparam AW = %[2]d, DW = %[3]d, TW = %[4]d, DEPTH = %[5]d;
  localparam EW = loom_pkg::index_width(DEPTH);
  localparam S = 3 * (1 + TW) + 2 * AW + 2 * DW + 5 + EW, Q = 3 * (1 + TW) + 2 * DW + 3 + 18;
  reg [S-1:0] stim [0:%[6]d];
  reg [Q-1:0] want [0:%[6]d];
  wire [S-1:0] s = stim[at];
  wire [Q-1:0] found;
  wire [Q-1:0] expected = want[at];
  wire lv, sv, dv, r0, r1, r2, he, hw;
  wire [TW+AW-1:0] la, sa;
  wire [TW+DW-1:0] sd;
  wire [EW-1:0] ha;
  wire [DW-1:0] hd;
  assign {lv, la, sv, sa, dv, sd, r0, r1, r2, he, hw, ha, hd} = s;
  wire ldv, lnv, snv, lr, sr, dr, ev, id;
  wire [TW+DW-1:0] ld;
  wire [TW-1:0] ln, sn;
  wire [DW-1:0] hr;
  wire [15:0] ec;
  assign found = {ldv, ld, lnv, ln, snv, sn, lr, sr, dr, hr, ev, ec, id};
  loom_memory_tagged #(.AW(AW), .DW(DW), .TW(TW), .DEPTH(DEPTH), .LD_COUNT(%[7]d), .ST_COUNT(%[8]d), .LSQ_DEPTH(%[9]d), .NUM_REGION(%[10]d), .DEADLOCK_TIMEOUT(%[11]d), .HOST(%[12]s)) u (
    .clk(clk), .rst(rst), .cfg_region({%[13]s}),
    .ldaddr_valid(lv), .ldaddr_ready(lr), .ldaddr_data(la), .lddata_valid(ldv), .lddata_ready(r0), .lddata_data(ld),
    .lddone_valid(lnv), .lddone_ready(r1), .lddone_data(ln), .staddr_valid(sv), .staddr_ready(sr), .staddr_data(sa),
    .stdata_valid(dv), .stdata_ready(dr), .stdata_data(sd), .stdone_valid(snv), .stdone_ready(r2), .stdone_data(sn),
    .host_en(he & ~rst), .host_we(hw), .host_addr(ha), .host_wdata(hd), .host_rdata(hr), .err_valid(ev), .err_code(ec), .idle(id));
  reg wrong = 0;
  initial begin
    $readmemb("stim%[1]d.txt", stim);
    $readmemb("want%[1]d.txt", want);
  end
  always @(posedge clk) if (!rst && !wrong) begin
    // An x of the expectation matches anything.
    if ((found ==? expected) !== 1'b1) begin
      wrong <= 1;
      $display("MISMATCH memory %[1]d cycle %%0d\n  found    %%b\n  expected %%b", at, found, expected);
    end
  end
endmodule
`, k, m.aw, m.dw, m.tw, m.depth, cycles-1, m.loads, m.stores, m.lsq, len(m.regions), m.timeout, bit(m.host), table)
}

// simulateTagMemories runs n random memories in dir and returns the output of
// the simulation and the codes that the traffic raised.
func simulateTagMemories(t *testing.T, dir string, seed uint64, n, cycles int) (string, map[int]int) {
	t.Helper()
	seen := map[int]int{}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var benches, instances strings.Builder
	for k := range n {
		tr := traffics[k%len(traffics)]
		r := rand.New(rand.NewPCG(seed, uint64(k)))
		m := randomTagMemory(r, tr)
		stim, want, moved := replayTagMemory(m, r, tr, cycles, seen)
		write(fmt.Sprintf("stim%d.txt", k), stim)
		write(fmt.Sprintf("want%d.txt", k), want)
		benches.WriteString(tagMemoryBench(k, m, cycles))
		fmt.Fprintf(&instances, "  bench%d b%d (clk, rst, at);\n", k, k)
		if tr.offer == 100 && (moved[0] != cycles || moved[1] != cycles) {
			t.Errorf("memory %d, %s: %d loads and %d stores accepted in %d cycles", k, tr.name, moved[0], moved[1], cycles)
		}
	}
	write("bench.sv", benches.String()+fmt.Sprintf(`module bench;
  reg clk = 0, rst = 1;
  reg [31:0] at = 0;
%s
  initial begin
    #1 clk = 1; #1 clk = 0; #1 rst = 0;
    for (at = 0; at < %d; at = at + 1) begin #1 clk = 1; #1 clk = 0; #1; end
    $display("DONE");
    $finish;
  end
endmodule
`, instances.String(), cycles-1))
	files, err := Closure("loom_memory_tagged")
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-g2012", "-o", "bench.vvp", "-s", "bench"}, files...)
	if out, err := run(t, dir, 3*time.Minute, "iverilog", append(args, "bench.sv")...); err != nil {
		t.Fatalf("iverilog: %v\n%s", err, tail(out))
	}
	out, err := run(t, dir, 20*time.Minute, "vvp", "bench.vvp")
	if err != nil || !strings.Contains(out, "DONE") {
		t.Fatalf("vvp: %v\n%s", err, tail(out))
	}
	return out, seen
}

// TestTaggedMemory compares loom_memory_tagged with the model in every cycle:
// random parameters and tables, random stalls, full speed from one tag and from
// all (one load and one store accepted in every cycle), every error code.
func TestTaggedMemory(t *testing.T) {
	needTool(t, "iverilog", "vvp")
	t.Parallel()
	n, cycles, seeds := 20, 300, 1
	if soak() {
		n, cycles, seeds = 40, 300, 10
	}
	raised := map[int]int{}
	for seed := range seeds {
		dir := t.TempDir()
		sources(t, dir, "", "", "")
		out, seen := simulateTagMemories(t, dir, uint64(seed)+1, n, cycles)
		if strings.Contains(out, "MISMATCH") {
			t.Errorf("seed %d:\n%s", seed+1, tail(out))
		}
		for code, n := range seen {
			raised[code] += n
		}
	}
	for _, code := range []int{12, 13, 260, 261, 264, 512} {
		if raised[code] == 0 {
			t.Errorf("the traffic never raises %d", code)
		}
	}
}

// TestTaggedMemoryFaults: the comparison notices faults planted in the RTL.
func TestTaggedMemoryFaults(t *testing.T) {
	needTool(t, "iverilog", "vvp")
	for _, f := range []struct{ name, file, old, new string }{
		{"tags always in turn from 0", "loom_store_queue_tagged.sv", "else if (pop) last <= pair_tag;", ""},
		{"a full queue refuses while it pops", "loom_store_queue_tagged.sv", "addr_ready = ~addr_full[k] | (pop & (pair_tag == SW'(k)))", "addr_ready = ~addr_full[k]"},
		{"done tokens carry the tag of the data", "loom_memory_tagged.sv", "lddone_data  = tags[done_rd]", "lddone_data  = tags[data_rd]"},
		{"closed tag ranges", "loom_region_tagged.sv", "(tag[n*TW +: TW] < cfg_region[r*RW+END +: TW])) begin", "(tag[n*TW +: TW] <= cfg_region[r*RW+END +: TW])) begin"},
		{"an empty range overlaps", "loom_region_tagged.sv", "& (cfg_region[r*RW+END +: TW] > cfg_region[r*RW+START +: TW])\n", "\n"},
		{"one deadlock counter for all tags", "loom_store_queue_tagged.sv", "if (rst | ~imbalance) my_waited", "if (rst | ~|(addr_filled ^ data_filled)) my_waited"},
		{"a stray store has no done", "loom_memory_tagged.sv", ".in_valid (st_pop | addr_stray_taken)", ".in_valid (st_pop)"},
	} {
		t.Run(f.name, func(t *testing.T) {
			if !soak() && f.name != "tags always in turn from 0" && f.name != "done tokens carry the tag of the data" {
				t.Skip("set LOOM_SOAK=1 for all faults")
			}
			t.Parallel()
			dir := t.TempDir()
			sources(t, dir, f.file, f.old, f.new)
			if out, _ := simulateTagMemories(t, dir, 1, 20, 300); !strings.Contains(out, "MISMATCH") {
				t.Error("the comparison did not notice")
			}
		})
	}
}
