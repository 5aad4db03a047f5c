package e2e

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/mapper"
	"loom/compiler/mlir"
	"loom/internal/ladder"
	"loom/internal/soak"
	"loom/rtlgen"
	"loom/sim/vector"
	"loom/verilator"
)

// fault is a deliberate mistake in one module of the library.
type fault struct {
	file, old, new string
	kind           arch.Kind
	// ops are the operations of the function units that hold the module, nil for what is no
	// function unit; a unit of several operations is known by its module alone.
	ops []string
}

// faults has one entry for each kind of module that a fabric is made of. Package
// verilator tries three of them every day on a fabric of a few PEs; this list
// takes a shipped fabric and compiled kernels, which costs a model each.
var faults = []fault{
	{"loom_carry.sv", "pass_a ? a_data : b_data", "pass_a ? b_data : a_data", arch.SpatialPE, []string{"dataflow.carry"}},
	{"loom_carry.sv", "d_ready = started & ~owed", "d_ready = started", arch.SpatialPE, []string{"dataflow.carry"}},
	{"loom_invariant.sv", "started ? d_valid & d_data : a_valid", "started ? d_valid : a_valid", arch.SpatialPE, []string{"dataflow.invariant"}},
	{"loom_gate.sv", "{inside_loop, cond_data}", "{inside_loop, 1'b1}", arch.SpatialPE, []string{"dataflow.gate"}},
	{"loom_stream.sv", "holds(cfg_cont_cond, idx, bound)", "holds(cfg_cont_cond, idx_next, bound)", arch.SpatialPE, []string{"dataflow.stream"}},
	{"mesh4x4_pe_str.sv", "(~stream_index__counts | stream_index__stream_cont_data)", "1'b1", arch.SpatialPE, []string{"dataflow.stream"}},
	{"loom_loop.sv", "body_data  = started ? b_data : a_data", "body_data  = started ? a_data : b_data", arch.SpatialPE, []string{}},
	{"loom_loop.sv", "if (fire) started <= d_data", "if (fire) started <= 1'b0", arch.SpatialPE, []string{}},
	{"loom_loop.sv", "started ? b_valid : a_valid", "a_valid", arch.SpatialPE, []string{}},
	{"loom_accumulate.sv", "if (fire) started <= d_data", "if (fire) started <= 1'b0", arch.SpatialPE, []string{}},
	{"loom_accumulate.sv", "due & d_data & x_valid", "due & d_data", arch.SpatialPE, []string{}},
	{"loom_accumulate.sv", "started ? value : a_data", "a_data", arch.SpatialPE, []string{}},
	{"loom_mux.sv", "match[k] = sel_data == SEL_W'(k)", "match[k] = sel_data != SEL_W'(k)", arch.SpatialPE, []string{"handshake.mux"}},
	{"loom_join.sv", "(&(in_valid | ~cfg_mask))", "(|(in_valid & cfg_mask))", arch.SpatialPE, []string{"handshake.join"}},
	{"loom_cond_br.sv", "true_valid  = cond_valid & data_valid & cond_data", "true_valid  = cond_valid & data_valid", arch.SpatialPE, []string{"handshake.cond_br"}},
	{"loom_store.sv", "addr_valid & data_valid & ctrl_valid", "addr_valid & ctrl_valid", arch.SpatialPE, []string{"handshake.store"}},
	{"loom_alu.sv", "sum   = chain[W:1]", "sum   = chain[W:1] ^ W'(1)", arch.SpatialPE, []string{"arith.addi", "arith.subi"}},
	{"loom_alu.sv", "below ^ denies", "~below ^ denies", arch.SpatialPE, []string{"arith.cmpi"}},
	{"loom_divide.sv", "left   <= LAST[CW-1:0]", "left   <= LAST[CW-1:0] - CW'(1)", arch.SpatialPE, []string{"arith.remui", "arith.divsi"}},
	{"loom_constant.sv", "out_data   = cfg_value", "out_data   = ~cfg_value", arch.SpatialPE, []string{"handshake.constant"}},
	{"loom_load.sv", "data_valid    = memdata_valid", "data_valid    = 1'b0", arch.SpatialPE, []string{"handshake.load"}},
	{"loom_offer.sv", "taken <= (taken | (out_valid & out_ready))", "taken <= '0", arch.SpatialPE, nil},
	{"loom_switch.sv", "assign blocked = g_out[o-1].blocked | (named & {N_IN{holds}});", "assign blocked = g_out[o-1].blocked;", arch.SpatialSwitch, nil},
	{"loom_fifo.sv", "in_valid | ~room | (filled & ~out_ready)", "in_valid | (filled & ~out_ready)", arch.FIFO, nil},
	{"loom_extmemory.sv", "assign ld_req_addr  = (64'(ldaddr_data) << SHIFT) + offset", "assign ld_req_addr  = (64'(ldaddr_data) << SHIFT) + offset + 64'd4", arch.ExtMemory, nil},
	{"loom_extmemory.sv", "assign st_req_addr  = (64'(index) << SHIFT) + offset", "assign st_req_addr  = ((64'(index) << SHIFT) + offset) ^ 64'd4", arch.ExtMemory, nil},
	{"loom_ram.sv", "mem[waddr] <= wdata", "mem[waddr] <= ~wdata", arch.Memory, nil},
	{"loom_store_queue.sv", "addr_ready = ~addr_full | pop", "addr_ready = pop", arch.ExtMemory, nil},
}

// faultKernels fit mesh4x4 and together use every module of the list.
var faultKernels = []string{`
func.func @euclid(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %r:2 = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %y, %zero : i32
    scf.condition(%more) %x, %y : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %next = arith.remui %x, %y : i32
    scf.yield %y, %next : i32, i32
  }
  return %r#0 : i32
}`, `
func.func @fill(%y: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 9 : i32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %y[%i] : memref<?xi32>
  }
  return
}`, `
func.func @two(%x: memref<4xi32>, %y: memref<4xi32>, %s: i32) -> i32 {
  %c1 = arith.constant 1 : index
  %v = memref.load %x[%c1] : memref<4xi32>
  %w = arith.addi %v, %s : i32
  memref.store %w, %y[%c1] : memref<4xi32>
  %c = arith.cmpi slt, %v, %s : i32
  %r = arith.select %c, %v, %w : i32
  return %r : i32
}`, `
func.func @count(%x: memref<4xi32>, %k: i32) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.while : () -> () {
    %v = memref.load %x[%c1] : memref<4xi32>
    %mask = arith.constant 15 : i32
    %w = arith.andi %v, %mask : i32
    %u = arith.subi %w, %one : i32
    memref.store %u, %x[%c1] : memref<4xi32>
    %c = arith.cmpi sgt, %u, %zero : i32
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}`, `
func.func @local(%a: i32, %b: i32, %x: memref<4xi32>) -> i32 {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i32
  %i = arith.andi %a, %c3 : i32
  %at = arith.index_castui %i : i32 to index
  %buf = memref.alloca() : memref<4xi32>
  memref.store %a, %buf[%at] : memref<4xi32>
  %m = arith.ori %b, %c3 : i32
  %j = arith.andi %i, %m : i32
  %same = arith.index_castui %j : i32 to index
  %v = memref.load %buf[%same] : memref<4xi32>
  memref.store %v, %x[%c1] : memref<4xi32>
  %r = arith.addi %v, %b : i32
  return %r : i32
}`, `
func.func @sum(%n: index, %a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (i32) {
    %x = arith.index_cast %i : index to i32
    %y = arith.muli %x, %x : i32
    %t = arith.addi %s, %y : i32
    scf.yield %t : i32
  }
  return %r : i32
}`, `
func.func @nine(%a: i32) -> (i32, i32) {
  %v = arith.constant 9 : i32
  %r = arith.addi %a, %v : i32
  return %r, %v : i32, i32
}`}

// faultDesigns are the hardware of the fabric and the kernels on it.
func faultDesigns(t *testing.T) (*rtlgen.Output, []*ladder.Design) {
	t.Helper()
	m := loadMesh(t, "mesh4x4")
	rtl, err := m.Hardware()
	if err != nil {
		t.Fatal(err)
	}
	var designs []*ladder.Design
	for _, src := range faultKernels {
		module, err := mlir.ParseAndVerify("kernel.mlir", src)
		if err != nil {
			t.Fatal(err)
		}
		d, err := ladder.NewDesign(module, m, "serial", mapper.Options{})
		if err != nil {
			t.Fatal(err)
		}
		designs = append(designs, d)
	}
	return rtl, designs
}

// TestFaultsAreThere: every fault changes the hardware in one place, and some kernel uses a unit that
// holds the module, so that the list does not fall behind the library between long runs.
func TestFaultsAreThere(t *testing.T) {
	good, designs := faultDesigns(t)
	for _, f := range faults {
		if n := strings.Count(good.Files[f.file], f.old); n != 1 {
			t.Errorf("%s holds %q %d times", f.file, f.old, n)
		}
		used := f.ops == nil
		for _, d := range designs {
			for i, set := range d.Result.Image.Settings {
				if pe := set.PE; pe != nil && pe.Enable {
					used = used || f.holds(d.Mesh.Fabric.Comps[i].PE.FUs[pe.Opcode])
				}
			}
		}
		if !used {
			t.Errorf("no kernel uses a unit that holds %s", f.file)
		}
	}
}

// TestFaults breaks the modules of a shipped fabric one at a time: co-simulation of
// some kernel must fail, and name the cycle and a component that holds the broken
// module.
func TestFaults(t *testing.T) {
	if soak.Factor() == 0 {
		t.Skip("set LOOM_SOAK=1: every fault is a fabric of its own to build")
	}
	if !haveVerilator(t) {
		t.Skip("co-simulation needs verilator and a C++ compiler")
	}
	good, designs := faultDesigns(t)
	cache := t.TempDir()
	for _, f := range faults {
		t.Run(strings.TrimSuffix(f.file, ".sv")+" "+f.new, func(t *testing.T) {
			bad := *good
			bad.Files = maps.Clone(good.Files)
			bad.Files[f.file] = strings.Replace(good.Files[f.file], f.old, f.new, 1)
			for n := range uint64(3 * len(designs)) {
				d := designs[n%uint64(len(designs))]
				found, err := faulty(d, &bad, cache, n)
				if errors.Is(err, ladder.ErrInputs) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if found == nil {
					continue
				}
				t.Logf("@%s: %s", d.Func.SymName(), found)
				if why := f.misplaced(d, found); why != "" {
					t.Errorf("%s\n%s", why, strings.Join(found.Lines(), "\n"))
				}
				return
			}
			t.Error("no kernel shows the fault")
		})
	}
}

// faulty co-simulates a design on broken RTL and returns the first difference, nil
// for none.
func faulty(d *ladder.Design, rtl *rtlgen.Output, cache string, n uint64) (*verilator.Mismatch, error) {
	sig, err := vector.SignatureOf(d.Func)
	if err != nil {
		return nil, err
	}
	in, err := vector.Random(sig, n, 9, d.Mesh.Fabric.IndexWidth)
	if err != nil {
		return nil, err
	}
	if _, err := d.Meaning(in); err != nil {
		return nil, err
	}
	env := ladder.EnvironmentFor(n / uint64(len(faultKernels)))
	rep, err := verilator.Run(context.Background(), verilator.Options{
		RTL: rtl, Fabric: d.Mesh.Fabric, Image: d.Result.Image, Binding: d.Result.Binding, Inputs: in,
		Latency: env.Latency, Stall: env.Stall, StallSeed: env.StallSeed, MaxCycles: 100_000, LockStep: true, CacheDir: cache,
	})
	if err != nil {
		return nil, err
	}
	if rep.Mismatch == nil && rep.Outcome.Status != vector.Done {
		return nil, fmt.Errorf("%s without a cycle: %v", rep.Outcome.Status, rep.Outcome.Detail)
	}
	return rep.Mismatch, nil
}

// misplaced explains why the fault cannot be at the reported origin, "" when it can.
func (f *fault) misplaced(d *ladder.Design, found *verilator.Mismatch) string {
	c := found.Origin
	if c == nil || c.Kind != f.kind {
		return fmt.Sprintf("the origin of the fault in %s is reported as %s", f.file, found.OriginName)
	}
	if f.ops == nil {
		return ""
	}
	set := d.Result.Image.Settings[c.ID].PE
	if set == nil || !set.Enable {
		return fmt.Sprintf("the component %s is not in use", found.OriginName)
	}
	fu := c.PE.FUs[set.Opcode]
	if f.holds(fu) {
		return ""
	}
	return fmt.Sprintf("%s is set to '%s', which does not hold %s", found.OriginName, fu.Name, f.file)
}

// holds reports whether a function unit holds the module: a state machine of several operations holds
// its own, and an accumulator that of what it computes.
func (f *fault) holds(fu *arch.FunctionUnit) bool {
	ops := fu.Ops
	if x := fu.Fused(); x != nil {
		if f.file == x.Unit().Module+".sv" {
			return true
		}
		if ops = nil; x.Compute >= 0 {
			ops = fu.Ops[x.Compute : x.Compute+1]
		}
	}
	return slices.ContainsFunc(ops, func(o *arch.FUOp) bool { return slices.Contains(f.ops, o.Op.Name) })
}
