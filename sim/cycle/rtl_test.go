package cycle

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/internal/soak"
)

const rtlDir = "../../rtl"

// variants is how many benches a primitive gets; those with many parameters get
// more than the usual 4, fu one for every operation.
var variants = map[string]int{"fu": len(arithUnits), "switch": 8, "memory": 12, "extmemory": 12, "axi_master": 8}

// benches makes variants of the named primitives (all when names is empty).
func benches(t *testing.T, seed uint64, cycles int, names ...string) []*bench {
	t.Helper()
	var out []*bench
	for pi, p := range primitives {
		wanted := len(names) == 0
		for _, n := range names {
			wanted = wanted || n == p.name
		}
		if !wanted {
			continue
		}
		n := variants[p.name]
		if n == 0 {
			n = 4
		}
		for v := range n {
			s := seed*1_000_003 + uint64(pi)*1009 + uint64(v)
			m := newMaker(fmt.Sprintf("%s_%d", p.name, v), s)
			m.variant = v
			p.make(m, rand.New(rand.NewPCG(s, 7)))
			g, err := m.run(cycles)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, g)
		}
	}
	return out
}

// The Go model and the RTL of every primitive agree on every output in every
// cycle. make soak replays more seeds.
func TestModelsEqualRTL(t *testing.T) {
	needIcarus(t)
	seeds := soak.Scale(1, 5)
	seen := map[uint64]bool{}
	for seed := range seeds {
		bs := benches(t, uint64(seed)+1, 1200)
		for _, g := range bs {
			for _, s := range g.obs {
				if s.name == "err_code" {
					for _, v := range s.at {
						seen[v] = true
					}
				}
			}
		}
		for _, m := range replay(t, rtlDir, bs) {
			t.Errorf("seed %d: %s", seed, m)
		}
	}
	for _, c := range codesOf {
		if !seen[uint64(c)] {
			t.Errorf("the traffic never raised code %d, %s", c, arch.HardwareSymbol(c))
		}
	}
}

// A model with a fault differs from the RTL, too.
func TestMutatedModelDiffers(t *testing.T) {
	needIcarus(t)
	m := newMaker("carry", 3)
	in := []wire{m.in("d", 1), m.in("a", 8), m.in("b", 8)}
	in[1], in[2] = in[2], in[1]
	m.b.add(&carry{node: node{in: in, out: []int32{m.out("o", 8)}}})
	m.module("loom_carry", ".W(8)", true, false)
	g, err := m.run(300)
	if err != nil {
		t.Fatal(err)
	}
	if len(replay(t, rtlDir, []*bench{g})) == 0 {
		t.Error("the comparison did not notice that the model swaps its inputs")
	}
}

// mutations are faults of the RTL that the comparison must notice.
var mutations = []struct {
	name, file, old, new string
	primitives           []string
}{
	{"carry swaps its inputs", "loom_carry.sv", "assign o_data  = started ? b_data : a_data;", "assign o_data  = started ? a_data : b_data;", []string{"carry"}},
	{"carry forgets the value it owes", "loom_carry.sv", "owed <= pass_b & ~(b_valid & o_ready);", "owed <= pass_b & ~b_valid;", []string{"carry"}},
	{"invariant repeats the wrong value", "loom_invariant.sv", "if (~started) value <= a_data;", "value <= a_data;", []string{"invariant"}},
	{"gate lets the first condition through", "loom_gate.sv", ".need     ({inside_loop, cond_data}),", ".need     ({1'b1, cond_data}),", []string{"gate"}},
	{"fork forgets who has taken", "loom_offer.sv", "else taken <= taken | (out_valid & out_ready);", "else taken <= '0;", []string{"fork"}},
	{"switch forgets who has taken", "loom_switch.sv", "taken[o] <= waiting & (taken[o] | out_ready[o]);", "taken[o] <= 1'b0;", []string{"switch"}},
	{"a full fifo accepts", "loom_fifo.sv", "assign in_ready  = ~full | out_ready;", "assign in_ready  = 1'b1;", []string{"stage"}},
	{"stream compares unsigned", "loom_stream.sv", "$signed(idx) < $signed(bound)", "idx < bound", []string{"stream_add"}},
	{"stream ignores steps of one", "loom_stream.sv", "(ONE_STUCK & (step_data == W'(1)))", "1'b0", []string{"stream_mul"}},
	{"stream wastes a cycle between loops", "loom_stream.sv", "(~active | (done & ~cont))", "~active", []string{"stream_sub"}},
	{"remainder has the divisor's sign", "loom_divrem.sv", "(REM != 0) ? sign_a :", "(REM != 0) ? sign_b :", []string{"remsi"}},
	{"a pipeline waits for its last stage", "loom_pipe.sv", "assign move[k] = out_ready | ~(&full[LATENCY-1:k]);", "assign move[k] = out_ready | ~full[LATENCY-1];", []string{"fu"}},
	{"a memory loses a store", "loom_memory.sv", "st_pop & ~st_fault & ~rst;", "st_pop & ~st_fault & ~ld_accept & ~rst;", []string{"memory"}},
	{"stores deadlock a cycle early", "loom_store_queue.sv", "localparam int ALMOST = TIMEOUT - 1;", "localparam int ALMOST = TIMEOUT > 1 ? TIMEOUT - 2 : 0;", []string{"memory", "extmemory"}},
	{"a bus error goes unseen", "loom_extmemory.sv", "assign st_bus_error = st_rsp_valid & st_rsp_err & region;", "assign st_bus_error = 1'b0;", []string{"extmemory"}},
	{"a load takes another lane", "loom_axi_master.sv", "assign rsp_lane = g_place[OUTSTANDING-1].chosen;", "assign rsp_lane = g_place[0].lane;", []string{"axi_master"}},
	{"strobes name all lanes", "loom_axi_master.sv", "{(DW / 8) {w_lane == l[LW-1:0]}}", "'1", []string{"axi_master"}},
	{"a store waits for its address only", "loom_axi_master.sv", "assign st_req_ready = st_open & aw_ready & w_ready;", "assign st_req_ready = st_open & aw_ready;", []string{"axi_master"}},
	{"one read too many", "loom_axi_master.sv", "~closed & (reads != OUTSTANDING[CW-1:0])", "~closed & (reads != OUTSTANDING[CW-1:0] + CW'(1))", []string{"axi_master"}},
}

// codesOf are the errors that the traffic of all primitives together must raise,
// so that none of them is compared only in its absence.
var codesOf = []int{CodeSwitchMix, CodeStreamOneHot, CodePredicate, CodeMemOverlap, CodeExtOverlap, CodeStreamZeroStep,
	CodeStoreDeadlock, CodeSwitchUnrouted, CodeMemNoMatch, CodeExtNoMatch, CodeMemOOB, CodeExtBus}

// A fault in the RTL of a primitive makes the comparison fail.
func TestMutatedRTLDiffers(t *testing.T) {
	needIcarus(t)
	for _, mu := range mutations {
		t.Run(strings.ReplaceAll(mu.name, " ", "_"), func(t *testing.T) {
			dir := t.TempDir()
			files, err := filepath.Glob(rtlDir + "/*.sv")
			if err != nil {
				t.Fatal(err)
			}
			done := false
			for _, f := range files {
				text, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				s := string(text)
				if filepath.Base(f) == mu.file {
					done = strings.Contains(s, mu.old)
					s = strings.Replace(s, mu.old, mu.new, 1)
				}
				if err := os.WriteFile(filepath.Join(dir, filepath.Base(f)), []byte(s), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if !done {
				t.Fatalf("%s does not contain the text to change; update the mutation", mu.file)
			}
			if m := replay(t, dir, benches(t, 1, 1200, mu.primitives...)); len(m) == 0 {
				t.Error("the comparison did not notice")
			}
		})
	}
}
