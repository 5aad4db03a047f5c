package cycle

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/mapping"
	"loom/sim/vector"
)

// ends are small fabrics whose runs do not end as done, with the report a user
// sees.
var ends = []endCase{
	{
		name: "unrouted token",
		build: func(b *fab) {
			b.sw(ir.I32, 1, [][]int{{}}, b.arg("a", ir.I32, 1))
			b.unused(out(b.f.Comps[0], 0))
			b.done(b.start())
		},
		status: vector.Error, code: 262, cycles: 1,
		detail: []string{"cycle 0: switch 'sw0' raises code 262, RT_SWITCH_UNROUTED_INPUT"},
	},
	{
		name: "step zero",
		build: func(b *fab) {
			idx := ir.Type(ir.Index)
			fu := unitOf("dataflow.stream", types(idx, idx, idx), types(idx, ir.I1), -1, "step_op", &ir.StringAttr{Value: "+="})
			s := b.pe("counter", fu, []uint64{1}, b.arg("from", idx, 0), b.arg("step", idx, 0), b.arg("to", idx, 5))
			b.result("i", idx, out(s, 0))
			b.unused(out(s, 1))
			b.done(b.start())
		},
		status: vector.Error, code: 259, cycles: 1,
		detail: []string{"cycle 0: PE 'counter' dataflow.stream raises code 259, RT_DATAFLOW_STREAM_ZERO_STEP"},
	},
	{
		name: "step one of a product, no iteration due",
		build: func(b *fab) {
			idx := ir.Type(ir.Index)
			fu := unitOf("dataflow.stream", types(idx, idx, idx), types(idx, ir.I1), -1, "step_op", &ir.StringAttr{Value: "*="})
			s := b.pe("counter", fu, []uint64{1}, b.arg("from", idx, 9), b.arg("step", idx, 1), b.arg("to", idx, 5))
			b.result("i", idx, out(s, 0))
			b.unused(out(s, 1))
			b.done(b.start())
		},
		status: vector.Error, code: 259, cycles: 1,
		detail: []string{"cycle 0: PE 'counter' dataflow.stream raises code 259, RT_DATAFLOW_STREAM_ZERO_STEP"},
	},
	{
		name: "condition not one-hot",
		build: func(b *fab) {
			idx := ir.Type(ir.Index)
			fu := unitOf("dataflow.stream", types(idx, idx, idx), types(idx, ir.I1), -1, "step_op", &ir.StringAttr{Value: "+="})
			b.pe("counter", fu, []uint64{3})
			b.done(b.start())
		},
		status: vector.Error, code: 10, cycles: 1,
		detail: []string{"cycle 0: PE 'counter' dataflow.stream raises code 10, CFG_PE_STREAM_CONT_COND_ONEHOT"},
	},
	{
		name: "load outside of the array",
		build: func(b *fab) {
			m := b.mem("x", ir.I32, []uint64{7, 8}, b.arg("i", ir.Index, 2))
			b.result("v", ir.I32, out(m, 0))
			b.unused(out(m, 1))
			b.done(b.start())
		},
		// The request is accepted in cycle 0 and on the bus in cycle 1, the response
		// comes in cycle 5.
		status: vector.Error, code: 513, cycles: 6,
		detail: []string{"cycle 5: extmemory 'mem_x' raises code 513, RT_EXTMEMORY_BUS"},
	},
	{
		name: "load from a memory without a region",
		build: func(b *fab) {
			m := b.mem("x", ir.I32, []uint64{7, 8}, b.arg("i", ir.Index, 0))
			b.set(m).Regions[0].Valid = false
			b.unused(out(m, 0))
			b.unused(out(m, 1))
			b.done(b.start())
		},
		status: vector.Error, code: 265, cycles: 1,
		detail: []string{"cycle 0: extmemory 'mem_x' raises code 265, RT_EXTMEMORY_NO_MATCH"},
	},
	{
		name: "store without data",
		build: func(b *fab) {
			m := b.mem("x", ir.I32, []uint64{7, 8}, later, b.arg("i", ir.Index, 0))
			b.done(out(m, 2))
			s := b.start()
			b.unused(s)
		},
		// The address is queued from cycle 1 on.
		status: vector.Error, code: 261, cycles: arch.DefaultDeadlockTimeout + 1,
		detail: []string{
			"cycle 65535: extmemory 'mem_x' raises code 261, RT_MEMORY_STORE_DEADLOCK",
			"blocked chain:",
			"  output 'done' waits for a token from extmemory 'mem_x' on 'c1'",
			"  extmemory 'mem_x' waits for a token from nothing at its input 2",
			"tokens:",
			"  extmemory 'mem_x' is not empty: 0 loads and 0 stores in work, 1 store addresses and 0 store data queued",
		},
	},
	{
		name: "operand that never comes",
		build: func(b *fab) {
			p := b.op("arith.addi", types(ir.I32, ir.I32), types(ir.I32), nil, b.arg("a", ir.I32, 5))
			b.result("r", ir.I32, out(p, 0))
			b.done(b.start())
		},
		// The done token moves in cycle 0, nothing in cycle 1.
		status: vector.Deadlock, cycles: 2,
		detail: []string{
			"result 'r' at output 'r' was not delivered",
			"blocked chain:",
			"  output 'r' waits for a token from PE 'pe0' arith.addi on 'c1'",
			"  PE 'pe0' arith.addi waits for a token from nothing at its input 1, while token 0x5 waits on 'c0'",
			"tokens:",
			"  token 0x5 on 'c0', from input 'a' to PE 'pe0' arith.addi",
		},
	},
	{
		name: "ring that waits for itself",
		build: func(b *fab) {
			none := ir.Type(ir.None)
			j := unitOf("handshake.join", types(none, none), types(none), 0)
			p := b.pe("left", j, []uint64{3}, b.start())
			q := b.pe("right", j, []uint64{3}, out(p, 0))
			s := b.sw(none, 3, [][]int{{0, 1, 2}}, out(q, 0))
			f, g := b.fifo(none, 2, out(s, 0)), b.fifo(none, 2, out(s, 1))
			b.link(out(f, 0), end{Comp: p, Port: 1})
			b.link(out(g, 0), end{Comp: q, Port: 1})
			b.done(out(s, 2))
		},
		status: vector.Deadlock, cycles: 2,
		detail: []string{
			"the done token at output 'done' was not delivered",
			"blocked cycle:",
			"  switch 'sw2' waits for a token from PE 'right' handshake.join on 'c2'",
			"  PE 'right' handshake.join waits for a token from PE 'left' handshake.join on 'c1'",
			"  PE 'left' handshake.join waits for a token from FIFO 'fifo3' on 'c5', while token 0x0 waits on 'c0'",
			"  FIFO 'fifo3' waits for a token from switch 'sw2' on 'c3'",
			"tokens:",
			"  token 0x0 on 'c0', from input 'start' to PE 'left' handshake.join",
		},
	},
	{
		name: "token left over",
		build: func(b *fab) {
			i32 := ir.Type(ir.I32)
			f := b.fifo(i32, 2, b.arg("a", i32, 9))
			b.op("arith.addi", types(i32, i32), types(i32), nil, out(f, 0))
			b.done(b.start())
		},
		status: vector.Deadlock, cycles: 2,
		detail: []string{
			"all results were delivered, but the hardware is not empty",
			"blocked chain:",
			"  FIFO 'fifo0' offers token 0x9 on 'c1', which PE 'pe1' arith.addi does not take",
			"  PE 'pe1' arith.addi waits for a token from nothing at its input 1, while token 0x9 waits on 'c1'",
			"tokens:",
			"  token 0x9 on 'c1', from FIFO 'fifo0' to PE 'pe1' arith.addi",
			"  FIFO 'fifo0' is not empty: it holds 1 of 2",
		},
	},
	{
		name: "unexpected token",
		build: func(b *fab) {
			b.boundary("extra", ir.I32, b.arg("a", ir.I32, 9))
			b.done(b.start())
		},
		status: vector.Deadlock, cycles: 1,
		detail: []string{
			"cycle 0: output 'extra' delivered an unexpected token",
			"all results were delivered, but the hardware is not empty",
		},
	},
	{
		name: "endless loop",
		build: func(b *fab) {
			idx := ir.Type(ir.Index)
			fu := unitOf("dataflow.stream", types(idx, idx, idx), types(idx, ir.I1), -1, "step_op", &ir.StringAttr{Value: "+="})
			s := b.pe("counter", fu, []uint64{16}, b.arg("from", idx, 0), b.arg("step", idx, 2), b.arg("to", idx, 5))
			b.unused(out(s, 0))
			b.unused(out(s, 1))
			b.done(b.start())
		},
		opts:   Options{MaxCycles: 100},
		status: vector.Budget, cycles: 100,
		detail: []string{"the budget of 100 cycles is used up"},
	},
}

func TestEnds(t *testing.T) {
	for _, c := range slices.Concat(ends, taggedEnds) {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			b := newFab(t)
			c.build(b)
			o := b.run(c.opts)
			type end struct {
				Status vector.Status
				Code   int
				Cycles int64
				Detail []string
			}
			cycles := c.cycles
			if c.status == vector.Error {
				cycles++ // loom_error_collect shows it in the second cycle after
			}
			if d := cmp.Diff(end{c.status, c.code, cycles, c.detail}, end{o.Status, o.ErrorCode, o.Cycles, o.Detail}); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			// Random stalls may delay an end, never change it.
			if c.status == vector.Budget {
				return
			}
			b = newFab(t)
			c.build(b)
			s := b.run(Options{StallPercent: 60, StallSeed: 4})
			if s.Status != c.status || s.ErrorCode != c.code {
				t.Errorf("with stalls: %s, code %d\n%s", s.Status, s.ErrorCode, strings.Join(s.Detail, "\n"))
			}
		})
	}
}

// Faults of the inputs of New are diagnostics, never panics.
func TestNewRefuses(t *testing.T) {
	none := ir.Type(ir.None)
	cases := []struct {
		name  string
		build func(b *fab)
		opts  Options
		want  string
	}{
		{"loop of wires", func(b *fab) {
			s := b.sw(none, 2, [][]int{{0}, {1}}, b.start(), later)
			b.link(out(s, 1), end{Comp: s, Port: 1})
			b.done(out(s, 0))
		}, Options{}, "loop of wires"},
		{"combinational loop", func(b *fab) {
			p := b.op("arith.addi", types(ir.I32, ir.I32), types(ir.I32), nil, b.arg("a", ir.I32, 0))
			s := b.sw(ir.I32, 2, [][]int{{0, 1}}, out(p, 0))
			b.link(out(s, 0), end{Comp: p, Port: 1})
			b.result("r", ir.I32, out(s, 1))
			b.done(b.start())
		}, Options{}, "valid runs in a combinational loop through switch 'sw1' → PE 'pe0' arith.addi"},
		{"backward loop", func(b *fab) {
			p := b.op("arith.addi", types(ir.I32, ir.I32), types(ir.I32), nil, b.arg("a", ir.I32, 0))
			f := b.fifo(ir.I32, 1, out(p, 0))
			b.link(out(f, 0), end{Comp: p, Port: 1})
			b.done(b.start())
		}, Options{}, "ready runs in a combinational loop through"},
		{"result at no output", func(b *fab) {
			b.bd.Results = append(b.bd.Results, b.bd.Results...)
			b.start()
		}, Options{}, "the done token of kernel 'k' is bound to boundary output -1"},
		{"input of the wrong kind", func(b *fab) {
			m := b.mem("x", ir.I32, []uint64{1})
			b.unused(out(m, 0))
			b.done(b.start())
			b.in.Args[0].Mem = nil
		}, Options{}, "argument 'x' of kernel 'k' has type memref<?xi32>, which the input does not match"},
		{"elements of another width", func(b *fab) {
			m := b.mem("x", ir.I32, []uint64{1})
			m.Mem.ElemWidth = 64
			b.done(b.start())
		}, Options{}, "elements of 4 bytes, external memory 'mem_x' accesses 8 at a time"},
		{"arguments missing", func(b *fab) {
			b.arg("a", ir.I32, 1)
			b.done(b.start())
			b.in.Args = nil
		}, Options{}, "has 1 arguments, the inputs have 0"},
		{"all stalled", func(b *fab) { b.done(b.start()) }, Options{StallPercent: 100}, "outside 0 to 99"},
		{"no latency", func(b *fab) { b.done(b.start()) }, Options{Latency: latency.Profile{Min: 5, Max: 2}}, "from 5 to 2 cycles"},
		{"opcode too high", func(b *fab) {
			p := b.op("arith.addi", types(ir.I32, ir.I32), types(ir.I32), nil)
			b.set(p).PE.Opcode = 3
			b.done(b.start())
		}, Options{}, "PE 'pe0': opcode 3, it has 1 function units"},
		{"one port for two operands", func(b *fab) {
			p := b.op("arith.addi", types(ir.I32, ir.I32), types(ir.I32), nil, b.arg("a", ir.I32, 1))
			b.set(p).PE.In[1].Sel = 0
			b.done(b.start())
		}, Options{}, ""},
		{"a port read and discarded", func(b *fab) {
			p := b.op("arith.addi", types(ir.I32, ir.I32), types(ir.I32), nil, b.arg("a", ir.I32, 1))
			b.set(p).PE.In[1] = config.Selector{Sel: 0, Discard: true}
			b.done(b.start())
		}, Options{}, "one selector discards the tokens of input 0, another one reads them"},
		{"two results to one port", func(b *fab) {
			p := b.op("handshake.cond_br", types(ir.I1, none), types(none, none), nil, b.arg("c", ir.I1, 1), b.start())
			b.set(p).PE.Out[1].Sel = 0
			b.done(out(p, 0))
		}, Options{}, "two results of 'handshake.cond_br' are sent to output port 0"},
		{"setting of another switch", func(b *fab) {
			s := b.sw(none, 1, [][]int{{0}}, b.start())
			b.set(s).Switch = &config.SwitchSetting{}
			b.done(out(s, 0))
		}, Options{}, "does not have its 1 outputs and 1 inputs"},
		{"operation without hardware", func(b *fab) {
			b.op("math.sqrt", types(ir.F32, ir.F32), types(ir.F32), nil)
			b.done(b.start())
		}, Options{}, "math.sqrt"},
	}
	for _, c := range cases {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			b := newFab(t)
			c.build(b)
			_, err := New(b.f, b.im, b.bd, b.in, c.opts)
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// Selectors, discards and switched-off parts of a PE.
func TestPESelectors(t *testing.T) {
	i32 := ir.Type(ir.I32)
	b := newFab(t)
	x, y, st := b.arg("x", i32, 50), b.arg("y", i32, 8), b.start()
	p := b.op("arith.subi", types(i32, i32), types(i32), nil, x, y)
	s := b.set(p).PE
	s.In[0].Sel, s.In[1].Sel = 1, 0 // y - x
	b.result("r", i32, out(p, 0))
	// A PE that is switched off holds its tokens; one that discards drops them.
	drop := b.op("arith.subi", types(i32, i32), types(i32), nil, b.arg("z", i32, 1))
	b.set(drop).PE.In[0].Discard = true
	b.done(st)
	o := b.run(Options{})
	if o.Status != vector.Done || o.Results[0].Bits != 0xffffffd6 {
		t.Errorf("%s %+v %v", o.Status, o.Results, o.Detail)
	}
	b.set(drop).PE.Enable = false
	if o := b.run(Options{}); o.Status != vector.Deadlock {
		t.Errorf("a disabled PE took a token: %s", o.Status)
	}
}

// On-chip memories: a store, then the load that its done token releases.
func TestOnChipMemory(t *testing.T) {
	i32, idx, none := ir.Type(ir.I32), ir.Type(ir.Index), ir.Type(ir.None)
	b := newFab(t)
	addr := b.sw(idx, 2, [][]int{{0, 1}}, b.arg("i", idx, 3))
	c := b.comp(arch.Memory, "scratch", types(idx, idx, i32), types(i32, none, none))
	c.Mem = &arch.MemorySpec{LdCount: 1, StCount: 1, LSQDepth: 2, NumRegion: 1, ElemWidth: 32, Elements: 8,
		LdAddr: 0, StAddr: 1, StData: 2, LdData: 0, LdDone: 1, StDone: 2}
	b.set(c).Regions = []config.Region{{Valid: true, Offset: 8}}
	b.connect(c, []end{later, out(addr, 0), b.arg("v", i32, 77)})
	ld := b.op("handshake.load", types(idx, i32, none), types(i32, idx), nil, out(addr, 1), out(c, 0), out(c, 2))
	b.link(out(ld, 1), end{Comp: c, Port: 0})
	b.result("r", i32, out(ld, 0))
	b.unused(b.start())
	b.done(out(c, 1))
	o := b.run(Options{})
	// Address and data are queued in 0, written in 1, done in 2, which releases the
	// load; its data leaves in 4.
	if o.Status != vector.Done || o.Cycles != 5 || o.Results[0].Bits != 77 {
		t.Errorf("%s after %d: %+v\n%s", o.Status, o.Cycles, o.Results, strings.Join(o.Detail, "\n"))
	}
}

// The first random numbers, computed apart: the harness in C++ draws the same.
func TestRoll(t *testing.T) {
	for _, c := range []struct{ seed, stream, n, want uint64 }{
		{0, 0, 0, 0xe220a8397b1dcdaf}, // the first number of splitmix64 with seed 0
		{0, 0, 1, 0x6e789e6aa1b965f4},
	} {
		if got := Roll(c.seed, c.stream, c.n); got != c.want {
			t.Errorf("Roll(%d, %d, %d) = %#x, want %#x", c.seed, c.stream, c.n, got, c.want)
		}
	}
}

// A constant table lies behind the arguments, where its memory reads it and nobody can
// write it: a store that leaves an argument far enough to meet it ends the run.
func TestTables(t *testing.T) {
	build := func(store uint64) (*fab, *arch.Component) {
		b := newFab(t)
		x := b.mem("x", ir.I32, []uint64{7, 8}, later, b.arg("at", ir.Index, store), b.arg("v", ir.I32, 5))
		table := b.mem("table", ir.I32, nil, b.arg("i", ir.Index, 2))
		b.bd.Args, b.in.Args = b.bd.Args[:4], b.in.Args[:4] // the table is no argument
		b.bd.Tables = []mapping.Table{{Name: "t", Elem: ir.Int(8), ElemBytes: 4, Data: []uint64{1, 2, 0xfe}, Mem: table.ID}}
		b.result("r", ir.I32, out(table, 0))
		b.unused(out(table, 1))
		b.done(out(x, 2))
		b.unused(out(x, 0))
		b.unused(out(x, 1))
		b.unused(b.start())
		return b, table
	}
	const behind = (0x11040 - 0x10000) / 4 // from the first element of x to that of the table
	b, _ := build(1)
	if o := b.run(Options{}); o.Status != vector.Done || o.Results[0].Bits != 0xfe || len(o.Memories) != 1 || o.Memories[0].Data[1] != 5 {
		t.Errorf("%s %+v %+v", o.Status, o.Results, o.Memories)
	}
	b, _ = build(behind)
	if o := b.run(Options{}); o.Status != vector.Error || o.ErrorCode != 513 {
		t.Errorf("a store to the table: %s, code %d", o.Status, o.ErrorCode)
	}
	b, _ = build(1)
	b.bd.Args[2].ROM = true
	if o := b.run(Options{}); o.Status != vector.Error || o.ErrorCode != 513 {
		t.Errorf("a store to a ROM: %s, code %d", o.Status, o.ErrorCode)
	}
	for _, c := range []struct {
		change func(x *mapping.Table, m *arch.MemorySpec)
		want   string
	}{
		{func(x *mapping.Table, _ *arch.MemorySpec) { x.Mem = 99 }, "table 't' is bound to component 99, which is no external memory"},
		{func(x *mapping.Table, _ *arch.MemorySpec) { x.Mem = -1 }, "table 't' is bound to component -1"},
		{func(x *mapping.Table, _ *arch.MemorySpec) { x.Region = 1 }, "table 't' is bound to region 1 of 'mem_table', which has 1"},
		{func(x *mapping.Table, _ *arch.MemorySpec) { x.ElemBytes = 2 }, "table 't' has elements of 2 bytes, external memory 'mem_table' accesses 4"},
		{func(x *mapping.Table, _ *arch.MemorySpec) { x.Elem = ir.I64 }, "table 't': elements of type i64 do not fit 4 bytes"},
	} {
		b, m := build(1)
		c.change(&b.bd.Tables[0], m.Mem)
		if _, err := New(b.f, b.im, b.bd, b.in, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}
