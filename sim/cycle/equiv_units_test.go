package cycle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// chanConn connects the channel ports of a module to the bench's signals of the
// same name; width 0 channels have no data port.
func (m *maker) chans() string {
	var parts []string
	add := func(name string, width int) {
		parts = append(parts, fmt.Sprintf(".%s_valid(%s_valid), .%s_ready(%s_ready)", name, name, name, name))
		if width > 0 {
			parts = append(parts, fmt.Sprintf(".%s_data(%s_data)", name, name))
		}
	}
	for _, p := range m.g.ins {
		add(p.name, p.width)
	}
	for _, p := range m.g.outs {
		add(p.name, p.width)
	}
	return strings.Join(parts, ", ")
}

// module makes the instance: clocked modules have clk, rst and idle.
func (m *maker) module(name, params string, clocked, errs bool, more ...string) {
	parts := append([]string{}, more...)
	if clocked {
		parts = append(parts, ".clk(clk), .rst(rst), .idle(idle)")
	}
	if errs {
		parts = append(parts, ".err_valid(err_valid), .err_code(err_code)")
	}
	m.g.hasIdle, m.g.hasErr = clocked, errs
	if c := m.chans(); c != "" {
		parts = append(parts, c)
	}
	if params != "" {
		params = "#(" + params + ") "
	}
	m.g.sv = fmt.Sprintf("  %s %sdut (%s);\n", name, params, strings.Join(parts, ", "))
}

// concat spells a concatenation of one signal of several channels, the first
// channel in the low bits.
func concat(names []string, suffix string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[len(names)-1-i] = n + suffix
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// primitive is a family of benches: make builds the variant that a generator
// picks. Components with ports of their own are driven on a Bench by a testbench.
type primitive struct {
	name      string
	make      func(m *maker, r *rand.Rand)
	testbench func(r *rand.Rand, variant int) *testbench
}

var primitives = []primitive{
	{name: "fifo", testbench: fifoTestbench},
	{name: "switch", testbench: switchTestbench},
	{name: "temporal_sw", testbench: temporalTestbench},
	{name: "add_tag", testbench: addTagTestbench},
	{name: "del_tag", testbench: delTagTestbench},
	{name: "map_tag", testbench: mapTagTestbench},
	{name: "load_lane", testbench: loadLaneTestbench},
	{name: "store_lane", testbench: storeLaneTestbench},
	{name: "memory", testbench: memoryTestbench(false)},
	{name: "memory_tagged", testbench: memoryTestbench(true)},
	{name: "extmemory", testbench: extMemoryTestbench(false, false)},
	{name: "extmemory_tagged", testbench: extMemoryTestbench(true, false)},
	{name: "stage", make: func(m *maker, r *rand.Rand) {
		w := 1 + r.IntN(64)
		i := m.in("in", w)
		m.b.add(newFIFO(node{in: []wire{i}, out: []int32{m.out("out", w)}}, 1))
		m.module("loom_stage", fmt.Sprintf(".W(%d)", w), true, false)
	}},
	{name: "fork", make: func(m *maker, r *rand.Rand) {
		w, n := 1+r.IntN(20), 1+r.IntN(4)
		f := &fork{node: node{in: []wire{m.in("in", w)}}}
		var names []string
		for k := range n {
			names = append(names, fmt.Sprint("out", k))
			f.out = append(f.out, m.out(names[k], w))
		}
		m.b.add(f)
		m.g.hasIdle = true
		m.g.sv = fmt.Sprintf("  loom_fork #(.W(%d), .N(%d)) dut (.clk(clk), .rst(rst), .idle(idle), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data), .out_valid(%s), .out_ready(%s), .out_data(%s));\n",
			w, n, concat(names, "_valid"), concat(names, "_ready"), concat(names, "_data"))
	}},
	{name: "join", make: func(m *maker, r *rand.Rand) {
		n := 1 + r.IntN(5)
		sel := r.Uint64() & mask(n)
		j := &join{}
		var names []string
		for k := range n {
			names = append(names, fmt.Sprint("in", k))
			if w := m.in(names[k], 0); sel>>k&1 != 0 {
				j.in = append(j.in, w)
			} else {
				m.b.blocked[w.net] = true
			}
		}
		j.out = []int32{m.out("out", 0)}
		m.b.add(j)
		m.g.sv = fmt.Sprintf("  loom_join #(.N(%d)) dut (.cfg_mask(%d'd%d), .in_valid(%s), .in_ready(%s), .out_valid(out_valid), .out_ready(out_ready));\n",
			n, n, sel, concat(names, "_valid"), concat(names, "_ready"))
	}},
	{name: "mux", make: func(m *maker, r *rand.Rand) {
		w, n, sw := 1+r.IntN(33), 1+r.IntN(5), 1+r.IntN(4)
		x := &mux{node{in: []wire{m.in("sel", sw)}}}
		m.feed(func(int) uint64 { return uint64(r.IntN(n+2)) & mask(sw) })
		var names []string
		for k := range n {
			names = append(names, fmt.Sprint("in", k))
			x.in = append(x.in, m.in(names[k], w))
		}
		x.out = []int32{m.out("out", w)}
		m.b.add(x)
		m.g.sv = fmt.Sprintf("  loom_mux #(.W(%d), .N(%d), .SEL_W(%d)) dut (.sel_valid(sel_valid), .sel_ready(sel_ready), .sel_data(sel_data), .in_valid(%s), .in_ready(%s), .in_data(%s), .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data));\n",
			w, n, sw, concat(names, "_valid"), concat(names, "_ready"), concat(names, "_data"))
	}},
	{name: "merge", make: func(m *maker, r *rand.Rand) {
		w, n := 1+r.IntN(33), 1+r.IntN(5)
		x := &merge{}
		var names []string
		for k := range n {
			names = append(names, fmt.Sprint("in", k))
			x.in = append(x.in, m.in(names[k], w))
		}
		x.out = []int32{m.out("out", w)}
		m.b.add(x)
		m.g.hasIdle = true
		m.g.sv = fmt.Sprintf("  logic [%d:0] from;\n  loom_merge #(.W(%d), .N(%d)) dut (.clk(clk), .rst(rst), .idle(idle), .in_valid(%s), .in_ready(%s), .in_data(%s), .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .out_from(from));\n",
			n-1, w, n, concat(names, "_valid"), concat(names, "_ready"), concat(names, "_data"))
	}},
	{name: "control_merge", make: func(m *maker, r *rand.Rand) {
		w, n, iw := 1+r.IntN(33), 1+r.IntN(5), 3+r.IntN(62)
		x := &merge{}
		var names []string
		for k := range n {
			names = append(names, fmt.Sprint("in", k))
			x.in = append(x.in, m.in(names[k], w))
		}
		x.out = []int32{m.out("out", w), m.out("index", iw)}
		m.b.add(x)
		m.g.hasIdle = true
		m.g.sv = fmt.Sprintf("  loom_control_merge #(.W(%d), .N(%d), .INDEX_W(%d)) dut (.clk(clk), .rst(rst), .idle(idle), .in_valid(%s), .in_ready(%s), .in_data(%s), .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .index_valid(index_valid), .index_ready(index_ready), .index_data(index_data));\n",
			w, n, iw, concat(names, "_valid"), concat(names, "_ready"), concat(names, "_data"))
	}},
	{name: "share", make: shareBench},
	{name: "fifo_primed", make: func(m *maker, r *rand.Rand) {
		w, depth := 1+r.IntN(20), 1+r.IntN(6)
		n := 1 + r.IntN(depth)
		var words []uint64
		init := ""
		for range n {
			v := randomBits(r, w)
			words = append(words, v)
			init = fmt.Sprintf(", %d'd%d", w, v) + init
		}
		in := []wire{m.in("in", w)}
		m.b.add(newPrimedFIFO(node{in: in, out: []int32{m.out("out", w)}}, depth, words))
		m.module("loom_fifo_primed", fmt.Sprintf(".W(%d), .DEPTH(%d), .N(%d), .INIT({%s})", w, depth, n, init[2:]), true, false)
	}},
	{name: "cond_br", make: func(m *maker, r *rand.Rand) {
		w := 1 + r.IntN(64)
		in := []wire{m.in("cond", 1), m.in("data", w)}
		m.b.add(&condBr{node{in: in, out: []int32{m.out("true", w), m.out("false", w)}}})
		m.module("loom_cond_br", fmt.Sprintf(".W(%d)", w), false, false)
	}},
	{name: "constant", make: func(m *maker, r *rand.Rand) {
		w := 1 + r.IntN(64)
		v := randomBits(r, w)
		in := m.in("ctrl", 0)
		m.b.add(&constant{node{in: []wire{in}, out: []int32{m.out("out", w)}}, v})
		m.module("loom_constant", fmt.Sprintf(".W(%d)", w), false, false, fmt.Sprintf(".cfg_value(%d'h%x)", w, v))
	}},
	{name: "load", make: func(m *maker, r *rand.Rand) {
		aw, dw := 1+r.IntN(64), 1+r.IntN(64)
		in := []wire{m.in("addr", aw), m.in("ctrl", 0)}
		data := m.in("memdata", dw)
		m.b.add(&loadAddr{node{in: in, out: []int32{m.out("memaddr", aw)}}})
		m.watch("data", dw, data) // the data path is a wire
		m.module("loom_load", fmt.Sprintf(".AW(%d), .DW(%d)", aw, dw), false, false)
	}},
	{name: "store", make: func(m *maker, r *rand.Rand) {
		aw, dw := 1+r.IntN(64), 1+r.IntN(64)
		in := []wire{m.in("addr", aw), m.in("data", dw), m.in("ctrl", 0)}
		m.b.add(&store{node: node{in: in, out: []int32{m.out("memdata", dw), m.out("memaddr", aw)}}})
		m.module("loom_store", fmt.Sprintf(".AW(%d), .DW(%d)", aw, dw), true, false)
	}},
	{name: "carry", make: func(m *maker, r *rand.Rand) {
		w := 1 + r.IntN(64)
		in := []wire{m.in("d", 1), m.in("a", w), m.in("b", w)}
		m.b.add(&carry{node: node{in: in, out: []int32{m.out("o", w)}}})
		m.module("loom_carry", fmt.Sprintf(".W(%d)", w), true, false)
	}},
	{name: "invariant", make: func(m *maker, r *rand.Rand) {
		w := 1 + r.IntN(64)
		in := []wire{m.in("d", 1), m.in("a", w)}
		m.b.add(&invariant{node: node{in: in, out: []int32{m.out("o", w)}}})
		m.module("loom_invariant", fmt.Sprintf(".W(%d)", w), true, false)
	}},
	{name: "gate", make: func(m *maker, r *rand.Rand) {
		w := 1 + r.IntN(64)
		in := []wire{m.in("value", w), m.in("cond", 1)}
		m.b.add(&gate{node: node{in: in, out: []int32{m.out("out_value", w), m.out("out_cond", 1)}}})
		m.module("loom_gate", fmt.Sprintf(".W(%d)", w), true, false)
	}},
	{name: "stream_add", make: streamBench(0)},
	{name: "stream_sub", make: streamBench(1)},
	{name: "stream_mul", make: streamBench(2)},
	{name: "stream_div", make: streamBench(3)},
	{name: "stream_shl", make: streamBench(4)},
	{name: "stream_shr", make: streamBench(5)},
	{name: "divsi", make: divBench("arith.divsi", 1, 0)},
	{name: "divui", make: divBench("arith.divui", 0, 0)},
	{name: "remsi", make: divBench("arith.remsi", 1, 1)},
	{name: "remui", make: divBench("arith.remui", 0, 1)},
	{name: "remf", make: remBench},
	{name: "fu", make: fuBench},
	{name: "axi_master", make: masterBench},
	{name: "counter", make: func(m *maker, r *rand.Rand) { stepBench(m.variant%len(units.StepOps), true)(m, r) }},
	{name: "loop", make: func(m *maker, r *rand.Rand) {
		w := 1 + r.IntN(64)
		in := []wire{m.in("d", 1), m.in("a", w), m.in("b", w)}
		m.b.add(&loopHead{node: node{in: in, out: []int32{m.out("body", w), m.out("out", w)}}})
		m.module("loom_loop", fmt.Sprintf(".W(%d)", w), true, false)
	}},
	{name: "accumulate", make: accumulateBench},
	{name: "accumulate_extreme", make: extremeBench},
	{name: "accumulate_piped", make: pipedBench},
	{name: "accumulate_parts", make: partsBench},
	{name: "float", make: floatBench},
	{name: "extmemory_cached", testbench: extMemoryTestbench(false, true)},
	{name: "extmemory_tagged_cached", testbench: extMemoryTestbench(true, true)},
	{name: "axi_shared", make: sharedBench},
	{name: "interlock", make: interlockBench},
}

// interlockBench is a loom_interlock of a few subscripts, so that loads meet stores, of the sizes that circuits have and
// of small ones, which are full soon.
func interlockBench(m *maker, r *rand.Rand) {
	w, depth, bits := 1+r.IntN(64), 2<<r.IntN(4), 1+r.IntN(12)
	switch m.variant {
	case 0:
		depth, bits = units.InterlockDepth, units.InterlockBits
	case 1:
		w, depth = 3+r.IntN(10), 2
	}
	few := 2 + r.IntN(2*depth)
	subscript := func() uint64 {
		v := uint64(r.IntN(few))
		if r.IntN(4) == 0 {
			v ^= 1 << min(bits, 63) // the same but for what is not compared
		}
		return v & mask(w)
	}
	in := []wire{m.in("a", w)}
	m.feed(func(int) uint64 {
		if r.IntN(8) == 0 {
			return randomBits(r, w)
		}
		return subscript()
	})
	in = append(in, m.in("s", w))
	m.feed(func(int) uint64 {
		if r.IntN(4) == 0 {
			return subscript() | 1<<(w-1)
		}
		return subscript() &^ (1 << (w - 1))
	})
	in = append(in, m.in("d", 0))
	m.b.add(newInterlock(node{in: in, out: []int32{m.out("o", w)}}, w, depth, bits))
	m.module("loom_interlock", fmt.Sprintf(".W(%d), .DEPTH(%d), .BITS(%d)", w, depth, bits), true, false)
}

// accumulating are the operations of accumulators.
var accumulating = func() (rows []units.Unit) {
	for _, u := range units.All() {
		if arch.Accumulates(u.Op, 0) && !u.Inside {
			rows = append(rows, u)
		}
	}
	return rows
}()

// accumulateBench is a loom_accumulate with its operation around it, whose operands are the other way
// round in half of the variants where that is a unit, too.
func accumulateBench(m *maker, r *rand.Rand) {
	w := 1 + r.IntN(64)
	row := accumulating[m.variant%len(accumulating)]
	right := m.variant >= len(accumulating) && arch.Accumulates(row.Op, 1)
	in := []wire{m.in("d", 1), m.in("a", w), m.in("x", w)}
	m.feed(func(int) uint64 { return randomBits(r, w) })
	m.b.add(&accumulate{node: node{in: in, out: []int32{m.out("n", w), m.out("out", w)}},
		form: resolve(arithOp(row.Op, []int{w, w}, []int{w})), right: right})
	m.g.hasIdle = true
	a, b := "acc", "x_data"
	if right {
		a, b = b, a
	}
	m.g.sv = fmt.Sprintf("  logic [%d:0] acc;\n  %s #(.W(%d)) operation (.a(%s), .b(%s), .y(n_data));\n"+
		"  loom_accumulate #(.W(%d)) dut (.clk(clk), .rst(rst), .idle(idle), .d_valid(d_valid), .d_ready(d_ready), .d_data(d_data), .a_valid(a_valid), .a_ready(a_ready), .a_data(a_data), "+
		".x_valid(x_valid), .x_ready(x_ready), .acc(acc), .n_value(n_data), .n_valid(n_valid), .n_ready(n_ready), .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data));\n",
		w-1, row.Module, w, a, b, w)
}

// extremeBench is a loom_accumulate_extreme with an operation around it, of those that it chooses by and others.
func extremeBench(m *maker, r *rand.Rand) {
	w := 1 + r.IntN(64)
	row := accumulating[m.variant%len(accumulating)]
	chooses := slices.Contains(units.Extremes, row.Op)
	in := []wire{m.in("d", 1), m.in("a", w), m.in("x", w)}
	m.feed(func(int) uint64 { return randomBits(r, w) })
	m.b.add(&accumulate{node: node{in: in, out: []int32{m.out("n", w), m.out("out", w)}},
		form: resolve(arithOp(row.Op, []int{w, w}, []int{w})), before: chooses})
	m.g.hasIdle = true
	next, how, picks := "next", "1'b0", "x_data[0]" // which means nothing
	if chooses {
		next, how, picks = "acc", "1'b1", "next == x_data"
	}
	m.g.sv = fmt.Sprintf("  logic [%d:0] acc, next;\n  %s #(.W(%d)) operation (.a(acc), .b(x_data), .y(next));\n  assign n_data = %s;\n"+
		"  loom_accumulate_extreme #(.W(%d)) dut (.clk(clk), .rst(rst), .idle(idle), .chooses(%s), .picks(%s), "+
		".d_valid(d_valid), .d_ready(d_ready), .d_data(d_data), .a_valid(a_valid), .a_ready(a_ready), .a_data(a_data), "+
		".x_valid(x_valid), .x_ready(x_ready), .x_data(x_data), .acc(acc), .n_value(n_data), .n_valid(n_valid), .n_ready(n_ready), .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data));\n",
		w-1, row.Module, w, next, w, how, picks)
}

// floats are the types of floating-point units.
var floats = []*ir.FloatType{ir.Float("f16"), ir.Float("bf16"), ir.F32, ir.F64}

// floatUnit is an instance of the module of a row with its registers inside, from the signals a, b, c and
// move to a signal y, and the operation that it computes.
func floatUnit(u units.Unit, t *ir.FloatType, latency int, operands []string, y string) (instance string, op *ir.Operation) {
	types, text := make([]ir.Type, len(u.In)), ""
	blk := (&ir.Region{}).AddBlock()
	var args []*ir.Value
	for k, p := range u.In {
		types[k] = t
		args = append(args, blk.AddArg(t, "", diag.Pos{}))
		text += fmt.Sprintf(", .%s(%s)", p.Stem, operands[k])
	}
	op = ir.NewOp(u.Op, diag.Pos{}, args, []ir.Type{t})
	params := ""
	for _, p := range u.Params {
		params += fmt.Sprintf(".%s(%s), ", p.Name, p.Text(op, 64))
	}
	for _, c := range u.Controls {
		text += fmt.Sprintf(", .%s(%s)", c.Port, c.Text())
	}
	return fmt.Sprintf("  %s #(%s.LATENCY(%d)) operation (.clk(clk), .move(move)%s, .y(%s));\n", u.Module, params, latency, text, y), op
}

// inside are the rows of units with their registers inside, on one format.
var inside = func() (rows []units.Unit) {
	for _, u := range units.All() {
		if u.Piped != nil {
			u = *u.Piped
		}
		if u.Inside && u.Types == units.Float {
			rows = append(rows, u)
		}
	}
	return rows
}()

// floatBench is a loom_fu around a unit with its registers inside.
func floatBench(m *maker, r *rand.Rand) {
	u, t := inside[m.variant%len(inside)], floats[r.IntN(len(floats))]
	w, _ := ir.BitWidth(t, 64)
	most := u.Depth.Most
	if u.Registers != nil {
		_, frac, _ := units.FloatFormat(t)
		most = u.Registers(frac)
	}
	latency := r.IntN(most + 1)
	d := &datapath{full: make([]bool, latency), regs: make([]uint64, latency)}
	var names []string
	for _, p := range u.In {
		d.in, names = append(d.in, m.in(p.Stem, w)), append(names, p.Stem+"_data")
		m.feed(func(int) uint64 { return randomBits(r, w) })
	}
	instance, o := floatUnit(u, t, latency, names, "made")
	n := int32(len(d.in))
	d.out, d.yield, d.slots, d.interval, d.regFwd = []int32{m.out("y", w)}, []int32{n}, make([]uint64, n+1), 1, latency > 0
	step := op{form: resolve(o), dst: n}
	for k := range d.in {
		step.args[k] = int32(k)
	}
	d.prog = []op{step}
	m.b.add(d)
	m.g.hasIdle = true
	var in []string
	for _, p := range u.In {
		in = append(in, p.Stem)
	}
	m.g.sv = fmt.Sprintf("  logic [%d:0] made;\n  logic [%d:0] move;\n%s"+
		"  loom_fu #(.N_IN(%d), .N_OUT(1), .W_OUT_TOTAL(%d), .LATENCY(%d), .INTERVAL(1), .INSIDE(1)) dut (.clk(clk), .rst(rst), .idle(idle), "+
		".in_valid(%s), .in_ready(%s), .comb_data(made), .move(move), .out_valid(y_valid), .out_ready(y_ready), .out_data(y_data));\n",
		w-1, max(latency, 1)-1, instance, len(in), w, latency, concat(in, "_valid"), concat(in, "_ready"))
}

// pipedBench is a loom_accumulate_piped with its operation around it.
func pipedBench(m *maker, r *rand.Rand) {
	var rows []units.Unit
	for _, u := range inside {
		if arch.Accumulates(u.Op, 0) {
			rows = append(rows, u)
		}
	}
	u, t := rows[m.variant%len(rows)], floats[r.IntN(len(floats))]
	right := m.variant >= len(rows) && arch.Accumulates(u.Op, 1)
	w, _ := ir.BitWidth(t, 64)
	latency := 1 + r.IntN(u.Depth.Most)
	in := []wire{m.in("d", 1), m.in("a", w), m.in("x", w)}
	m.feed(func(int) uint64 { return randomBits(r, w) })
	operands := []string{"acc", "x_data"}
	if right {
		operands = []string{"x_data", "acc"}
	}
	instance, op := floatUnit(u, t, latency, operands, "n_data")
	m.b.add(&accumulatePiped{latency: latency, accumulate: accumulate{node: node{in: in, out: []int32{m.out("n", w), m.out("out", w)}}, form: resolve(op), right: right}})
	m.g.hasIdle = true
	m.g.sv = fmt.Sprintf("  logic [%d:0] acc;\n  logic [%d:0] move;\n%s"+
		"  loom_accumulate_piped #(.W(%d), .LATENCY(%d)) dut (.clk(clk), .rst(rst), .idle(idle), .d_valid(d_valid), .d_ready(d_ready), .d_data(d_data), .a_valid(a_valid), .a_ready(a_ready), .a_data(a_data), "+
		".x_valid(x_valid), .x_ready(x_ready), .acc(acc), .n_value(n_data), .move(move), .n_valid(n_valid), .n_ready(n_ready), .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data));\n",
		w-1, latency-1, instance, w, latency)
}

// partsBench is a loom_float_accumulate. Loops have few iterations more than parts, so that all numbers of parts with an
// element occur.
func partsBench(m *maker, r *rand.Rand) {
	kind := m.variant % len(units.AccumulateOps)
	row, t := units.ByMnemonic(units.AccumulateOps[kind]), floats[r.IntN(len(floats))]
	w, _ := ir.BitWidth(t, 64)
	parts := 2 + r.IntN(row.Depth.Most-1)
	blk := (&ir.Region{}).AddBlock()
	arg := func(t ir.Type) *ir.Value { return blk.AddArg(t, "", diag.Pos{}) }
	op := ir.NewOp("dataflow.accumulate", diag.Pos{}, []*ir.Value{arg(ir.I1), arg(t), arg(t)}, []ir.Type{t})
	op.SetAttr("operation", ir.StrAttr(row.Mnemonic))
	op.SetAttr("parts", ir.IntAttr(int64(parts), ir.I64))
	word := func(int) uint64 { return randomBits(r, w) }
	in := []wire{m.in("d", 1)}
	m.feed(func(int) uint64 { return uint64(min(r.IntN(2+parts), 1)) })
	for _, name := range []string{"a", "x"} {
		in = append(in, m.in(name, w))
		m.feed(word)
	}
	a, err := newAccumulateParts(node{in: in, out: []int32{m.out("out", w)}}, op)
	if err != nil {
		panic(err)
	}
	m.b.add(a)
	exp, frac, _ := units.FloatFormat(t)
	m.module("loom_float_accumulate", fmt.Sprintf(".EXP(%d), .FRAC(%d), .LATENCY(%d), .OP(%d)", exp, frac, parts, kind), true, false)
}

func streamBench(step int) func(m *maker, r *rand.Rand) { return stepBench(step, false) }

// stepBench is a loom_stream with a step operator, as a counter or not.
func stepBench(step int, counter bool) func(m *maker, r *rand.Rand) {
	return func(m *maker, r *rand.Rand) {
		w := []int{4, 8, 13, 32, 64}[r.IntN(5)]
		cond := uint64(1) << r.IntN(5)
		if m.variant == 3 { // none, or several
			cond = []uint64{0, 3, 0b10110, 31}[r.IntN(4)]
		}
		s := &stream{stepOp: step, cond: cond, width: uint(w), mask: mask(w), counter: counter}
		// Operands come in threes that end within a few pairs, now and then with a
		// step that cannot progress.
		var triples [][3]uint64
		triple := func(n int) [3]uint64 {
			for len(triples) <= n {
				t := [3]uint64{randomBits(r, w), uint64(r.IntN(5)) & s.mask, 0}
				if r.IntN(4) == 0 {
					t[1] = randomBits(r, w)
				}
				probe := stream{stepOp: step, cond: cond, width: s.width, mask: s.mask, idx: t[0], step: t[1]}
				for range r.IntN(6) {
					probe.idx = probe.next()
				}
				t[2] = probe.idx // within reach, so that != can end, too
				if r.IntN(3) == 0 {
					t[2] = randomBits(r, w)
				}
				probe = stream{stepOp: step, cond: cond, width: s.width, mask: s.mask, idx: t[0], step: t[1], bound: t[2], halt: s.stuck(t[1])}
				for k := 0; k < 12 && probe.cont(); k++ {
					probe.idx = probe.next()
				}
				if !probe.cont() {
					triples = append(triples, t)
				}
			}
			return triples[n]
		}
		s.in = append(s.in, m.in("start", w))
		m.feed(func(n int) uint64 { return triple(n)[0] })
		s.in = append(s.in, m.in("step", w))
		m.feed(func(n int) uint64 { return triple(n)[1] })
		s.in = append(s.in, m.in("bound", w))
		m.feed(func(n int) uint64 { return triple(n)[2] })
		s.out = []int32{m.out("idx", w), m.out("cont", 1)}
		s.regFwd = true
		m.b.add(s)
		if cond == 0 || cond&(cond-1) != 0 {
			m.b.add(&misconfigured{code: CodeStreamOneHot})
		}
		params := fmt.Sprintf(".W(%d), .STEP_OP(%d)", w, step)
		if counter {
			params += ", .COUNTER(1)"
		}
		m.module("loom_stream", params, true, true, fmt.Sprintf(".cfg_cont_cond(5'd%d)", cond))
	}
}

// arithOp makes an operation on integers of the given widths.
func arithOp(name string, in, out []int) *ir.Operation {
	var args []*ir.Value
	blk := (&ir.Region{}).AddBlock()
	for _, w := range in {
		args = append(args, blk.AddArg(ir.Int(w), "", diag.Pos{}))
	}
	var res []ir.Type
	for _, w := range out {
		res = append(res, ir.Int(w))
	}
	return ir.NewOp(name, diag.Pos{}, args, res)
}

func resolve(op *ir.Operation) num.Form {
	f, err := num.Resolve(op, 64)
	if err != nil {
		panic(err)
	}
	return f
}

func divBench(name string, signed, rem int) func(m *maker, r *rand.Rand) {
	return func(m *maker, r *rand.Rand) {
		w := []int{1, 2, 4, 7, 8}[r.IntN(5)]
		in := []wire{m.in("a", w), m.in("b", w)}
		m.b.add(&iterative{node: node{in: in, out: []int32{m.out("y", w)}, regFwd: true},
			form: resolve(arithOp(name, []int{w, w}, []int{w})), steps: w})
		m.module("loom_divrem", fmt.Sprintf(".W(%d), .SIGNED(%d), .REM(%d)", w, signed, rem), true, false)
	}
}

// remBench is a remainder of floats, whose time depends on the operands, half of them of similar size.
func remBench(m *maker, r *rand.Rand) {
	t := []*ir.FloatType{ir.Float("f16"), ir.Float("bf16")}[m.variant%2]
	exp, frac, _ := units.FloatFormat(t)
	blk := (&ir.Region{}).AddBlock()
	op := ir.NewOp(opname.ArithRemF, diag.Pos{}, []*ir.Value{blk.AddArg(t, "", diag.Pos{}), blk.AddArg(t, "", diag.Pos{})}, []ir.Type{t})
	row, _ := units.Lookup(op.Name)
	in := []wire{m.in("a", 16)}
	near := m.g.rng.Uint64() & 0x7fff
	m.feed(func(n int) uint64 {
		if n%2 == 0 {
			return randomBits(m.g.rng, 16)
		}
		return near ^ m.g.rng.Uint64()>>(46+r.IntN(8))&0xffff
	})
	in = append(in, m.in("b", 16))
	m.feed(func(n int) uint64 {
		if n%2 == 0 {
			return randomBits(m.g.rng, 16)
		}
		return near
	})
	m.b.add(&iterative{node: node{in: in, out: []int32{m.out("y", 16)}, regFwd: true}, form: resolve(op), times: row.Times(op, 64)})
	m.module("loom_float_rem", fmt.Sprintf(".EXP(%d), .FRAC(%d)", exp, frac), true, false)
}

// shareBench is a loom_share with a multiplier or divider behind it.
func shareBench(m *maker, r *rand.Rand) {
	w, n := 1+r.IntN(8), 1+r.IntN(4)
	x := &sharedUnit{alone: m.variant%2 == 0, latency: 1}
	x.regFwd, x.regBwd = true, true
	module, in := "loom_mul", 2*w
	if x.alone {
		module, in, x.latency = "loom_divide", 2*w+1, w+1
	} else if w = 1 + r.IntN(40); w > 18 {
		x.latency = 2
		if w > 34 {
			x.latency = 3
		}
		in = 2 * w
	} else {
		in = 2 * w
	}
	var valid, data, results, outValid, outReady, outData []string
	credits, bypass := uint64(0), uint64(0)
	for k := range n {
		a, b, y := fmt.Sprint("a", k), fmt.Sprint("b", k), fmt.Sprint("y", k)
		op := []string{"arith.divsi", "arith.divui", "arith.remsi", "arith.remui"}[r.IntN(4)]
		request := fmt.Sprintf("%s_data, %s_data", b, a)
		result := "quo"
		if x.alone {
			request = fmt.Sprintf("1'b%d, ", map[bool]int{true: 1}[strings.HasSuffix(op, "si")]) + request
			if strings.Contains(op, "rem") {
				result = "rem"
			}
		} else {
			op = "arith.muli"
		}
		if r.IntN(4) == 0 { // a client that never asks
			c := sharedClient{credits: 1 + r.IntN(5)}
			credits |= uint64(c.credits) << (8 * k)
			x.clients = append(x.clients, c)
			valid, data = append([]string{"1'b0"}, valid...), append([]string{fmt.Sprintf("%d'd0", in)}, data...)
			results, outReady = append([]string{"quo"}, results...), append([]string{"1'b0"}, outReady...)
			m.g.sv += fmt.Sprintf("  logic none%d;\n  logic [%d:0] nothing%d;\n", k, w-1, k)
			outValid, outData = append([]string{fmt.Sprint("none", k)}, outValid...), append([]string{fmt.Sprint("nothing", k)}, outData...)
			continue
		}
		c := sharedClient{form: resolve(arithOp(op, []int{w, w}, []int{w})), credits: 1 + r.IntN(5), bypass: r.IntN(2) == 0}
		c.results = newQueue(c.credits)
		credits |= uint64(c.credits) << (8 * k)
		if c.bypass {
			bypass |= 1 << k
		}
		c.in, c.out = []wire{m.in(a, w), m.in(b, w)}, m.out(y, w)
		x.clients = append(x.clients, c)
		x.in, x.out = append(x.in, c.in...), append(x.out, c.out)
		valid = append([]string{fmt.Sprintf("%s_valid & %s_valid", a, b)}, valid...)
		data = append([]string{request}, data...)
		results = append([]string{result}, results...)
		outValid, outReady, outData = append([]string{y + "_valid"}, outValid...), append([]string{y + "_ready"}, outReady...), append([]string{y + "_data"}, outData...)
		m.g.sv += fmt.Sprintf("  assign %s_ready = ready[%d];\n  assign %s_ready = ready[%d];\n", a, k, b, k)
	}
	register := fmt.Sprintf("loom_pipe #(.W(%d), .LATENCY(0))", in)
	if r.IntN(2) == 0 {
		x.latency++
		if register = fmt.Sprintf("loom_hold #(.W(%d))", in); !x.alone {
			register = fmt.Sprintf("loom_pipe #(.W(%d), .LATENCY(1))", in)
		}
	}
	m.b.add(x)
	m.g.hasIdle = true
	tokens := x.latency
	if x.alone {
		tokens = 1
	}
	list := func(l []string) string { return "{" + strings.Join(l, ", ") + "}" }
	m.g.sv = fmt.Sprintf("  logic [%d:0] ready;\n  logic req_valid, req_ready, rsp_valid, rsp_ready, joined, unit_idle;\n  logic [%d:0] req;\n  logic [%d:0] quo, rem;\n", n-1, in-1, w-1) + m.g.sv +
		fmt.Sprintf("  loom_share #(.N(%d), .IN_W(%d), .OUT_W(%d), .TOKENS(%d), .CREDITS(%d'd%d), .BYPASS(%d'd%d)) dut (.clk(clk), .rst(rst), .idle(idle), .in_valid(%s), .in_ready(ready), .in_data(%s), "+
			".req_valid(req_valid), .req_ready(req_ready), .req_data(req), .rsp_valid(rsp_valid), .rsp_ready(rsp_ready), .rsp_data(%s), .out_valid(%s), .out_ready(%s), .out_data(%s));\n",
			n, in, w, tokens, 8*n, credits, n, bypass, list(valid), list(data), list(results), list(outValid), list(outReady), list(outData)) +
		fmt.Sprintf("  logic turn_valid, turn_ready, turn_idle;\n  logic [%d:0] turn;\n  %s register (.clk(clk), .rst(rst), .idle(turn_idle), .in_valid(req_valid), .in_ready(req_ready), .in_data(req), "+
			".out_valid(turn_valid), .out_ready(turn_ready), .out_data(turn));\n", in-1, register) +
		fmt.Sprintf("  %s #(.W(%d)) unit (.clk(clk), .rst(rst), .idle(unit_idle), .a_valid(turn_valid), .a_ready(turn_ready), .a_data(turn[%d:0]), .b_valid(turn_valid), .b_ready(joined), .b_data(turn[%d:%d]), .y_valid(rsp_valid), .y_ready(rsp_ready)",
			module, w, w-1, 2*w-1, w)
	if x.alone {
		m.g.sv += fmt.Sprintf(", .is_signed(turn[%d]), .quo_data(quo), .rem_data(rem));\n", 2*w)
	} else {
		m.g.sv += ", .y_data(quo));\n"
	}
}

// arithUnit is a datapath operation with its module.
type arithUnit struct {
	op    string
	shape string // b: two operands of W, s: select, c: cmpi, x: widening, n: narrowing, e: any width
}

var arithUnits = func() []arithUnit {
	us := []arithUnit{{"select", "s"}, {"cmpi", "c"}, {"cmpi", "c"}, {"cmpi", "c"}, {"cmpi", "c"},
		{"extsi", "x"}, {"extui", "x"}, {"trunci", "n"}, {"index_cast", "e"}, {"index_castui", "e"}}
	for _, u := range units.All() {
		if u.Binary() {
			us = append(us, arithUnit{u.Mnemonic, "b"})
		}
	}
	return us
}()

// fuBench is a datapath unit of two operations on shared inputs: two results, so
// that they are taken at different times.
func fuBench(m *maker, r *rand.Rand) {
	latency, interval := r.IntN(4), 1+r.IntN(3)
	d := &datapath{interval: interval, full: make([]bool, latency)}
	var sv strings.Builder
	nIn, nOut := 0, 0
	var names, results, errs []string
	var steps []op
	total := 0
	for k := range 1 + r.IntN(2) {
		u := arithUnits[m.variant%len(arithUnits)]
		if k > 0 {
			u = arithUnits[r.IntN(len(arithUnits))]
		}
		w := 1 + r.IntN(64)
		var iw []int
		ow := w
		params := fmt.Sprintf(".W(%d)", w)
		switch u.shape {
		case "b":
			iw = []int{w, w}
		case "c":
			iw, ow = []int{w, w}, 1
		case "s":
			iw = []int{1, w, w}
		default:
			from, to := 1+r.IntN(64), 1+r.IntN(64)
			if u.shape != "e" {
				from, to = 1+r.IntN(32), 33+r.IntN(32)
			}
			if u.shape == "n" {
				from, to = to, from
			}
			iw, ow, params = []int{from}, to, fmt.Sprintf(".W_IN(%d), .W_OUT(%d)", from, to)
		}
		st := op{}
		var ports []string
		stems := []string{"a", "b"}
		if u.shape == "s" {
			stems = []string{"cond", "a", "b"}
		}
		for k, x := range iw {
			name := fmt.Sprint("in", nIn)
			d.in = append(d.in, m.in(name, x))
			if strings.HasPrefix(u.op, "sh") && k == 1 {
				m.feed(func(int) uint64 { return uint64(r.IntN(2*w)) & mask(x) })
			}
			names = append(names, name)
			st.args[k] = int32(nIn)
			ports = append(ports, fmt.Sprintf(".%s(%s_data)", stems[k], name))
			nIn++
		}
		if u.shape == "c" {
			p := r.IntN(13)
			f := num.CompareInt(int64(p), w)
			if f == nil {
				f = func(_, _ uint64) uint64 { return 0 }
				m.b.add(&misconfigured{code: CodePredicate})
			}
			st.form = num.Form{Binary: f}
			fmt.Fprintf(&sv, "  wire op_err%d;\n", nOut)
			ports = append(ports, fmt.Sprintf(".cfg_predicate(4'd%d), .err(op_err%d)", p, nOut))
			errs = append(errs, fmt.Sprint("op_err", nOut))
		} else {
			st.form = resolve(arithOp("arith."+u.op, iw, []int{ow}))
		}
		y := fmt.Sprint("y", nOut)
		fmt.Fprintf(&sv, "  wire [%d:0] %s;\n  loom_op_%s #(%s) op%d (%s, .y(%s));\n", ow-1, y, u.op, params, nOut, strings.Join(ports, ", "), y)
		res := fmt.Sprint("out", nOut)
		d.out = append(d.out, m.out(res, ow))
		results = append(results, res)
		total += ow
		steps = append(steps, st)
		nOut++
	}
	for k := range steps {
		steps[k].dst = int32(nIn + k)
		d.yield = append(d.yield, steps[k].dst)
	}
	d.prog = steps
	d.slots = make([]uint64, nIn+nOut)
	d.regs = make([]uint64, latency*nOut)
	d.regFwd = latency > 0
	m.b.add(d)
	m.g.hasIdle = true
	if len(errs) > 0 {
		m.g.hasErr = true
		fmt.Fprintf(&sv, "  assign err_valid = ~rst & (%s);\n  assign err_code = 16'd11;\n", strings.Join(errs, " | "))
	}
	comb := make([]string, nOut)
	for k := range nOut {
		comb[nOut-1-k] = fmt.Sprint("y", k)
	}
	m.g.sv = sv.String() + fmt.Sprintf("  loom_fu #(.N_IN(%d), .N_OUT(%d), .W_OUT_TOTAL(%d), .LATENCY(%d), .INTERVAL(%d)) dut (.clk(clk), .rst(rst), .in_valid(%s), .in_ready(%s), .comb_data({%s}), .out_valid(%s), .out_ready(%s), .out_data(%s), .idle(idle));\n",
		nIn, nOut, total, latency, interval, concat(names, "_valid"), concat(names, "_ready"), strings.Join(comb, ", "),
		concat(results, "_valid"), concat(results, "_ready"), concat(results, "_data"))
}
