package mapper_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/host"
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mapper/tech"
	"loom/compiler/mapping"
	"loom/compiler/opname"
	"loom/compiler/prove"
	"loom/internal/maptest"
	"loom/internal/testkit"
)

// machines makes a mesh of 5 x 5 PEs, the first n of which have units that are one state machine, and
// nothing else; the others execute every operation on its own. "chain" is a unit of arithmetic.
func machines(t *testing.T, n int, units string) *arch.Fabric {
	t.Helper()
	const size = 5
	var rows []string
	for y := range size {
		var row []string
		for x := range size {
			if y*size+x < n {
				row = append(row, "machine")
			} else {
				row = append(row, "plain")
			}
		}
		rows = append(rows, "  - ["+strings.Join(row, ", ")+"]")
	}
	machine := "  machine: {units: [" + units + "], immediates: [0, 1, 2]}\n"
	if n == 0 {
		machine = ""
	}
	text := fmt.Sprintf(`name: machines
width: 32
topology: {kind: mesh, rows: %d, columns: %d, tracks: 2, input_fifo: 8}
boundary: {inputs: 6, outputs: 6}
extmemories: [{element: i32}]
function_units:
  steer: [{cond_br: [i32, i1]}, {carry: [i32, i1]}, {gate: i32}, {invariant: [i32, i1]}, {join: 3}, {constant: i32}]
  compute: [{addi: i32}, {subi: i32}, {muli: i32}, {xori: i32}, {andi: i32}, {ori: i32}, {maxsi: i32}, {minsi: i32}, {maxui: i32}, {minui: i32}, {maxsi: i16}, {xori: i1}, {cmpi: i32}]
  count: [{stream: [index, i16]}, {stream: {type: index, step: "-="}}]
  chain:
    inputs: {a: i32, b: i32, c: i32, d: i32}
    body: [p = muli a b, q = xori p c, s = addi q d]
    outputs: [s]
    latency: 1
pes:
%s  plain: {units: [steer, compute, count, {load: i32}, {store: i32}], immediates: [0, 1, 2]}
pattern:
%s
`, size, size, machine, strings.Join(rows, "\n"))
	return testkit.FabricOf(t, "machines.yaml", []byte(text))
}

// counting is the head of all graphs: the indices of n iterations, each with its condition.
const counting = `handshake.func @form(%n: index, %a: i32, %x: i32, %start: none) -> (RESULTS none) {
  %zero = constant %start {value = 0 : index} : index
  %one = constant %start {value = 1 : index} : index
  %i, %d = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
`

// form makes a graph around some operations; results are values with their types.
func form(ops string, results ...string) *ir.Operation {
	var values, types []string
	for _, r := range results {
		v, typ, _ := strings.Cut(r, " ")
		values, types = append(values, v), append(types, typ)
	}
	list := func(l []string, end string) string {
		if len(l) == 0 {
			return end
		}
		return strings.Join(l, ", ") + ", " + end
	}
	text := strings.Replace(counting, "RESULTS none", list(types, "none"), 1) + ops + "\n  return " + list(values, "%start") + " : " + list(types, "none") + "\n}\n"
	return maptest.Kernel(text)
}

// fusedUnits are the units of several operations that a mapping uses.
func fusedUnits(m *mapping.Mapping) (out []string) {
	for _, g := range m.Groups {
		if len(g.Ops) > 1 {
			out = append(out, g.Unit)
		}
	}
	slices.Sort(out)
	return out
}

// mapForm maps a graph, proves the image and runs it against the token machine.
func mapForm(t *testing.T, fn *ir.Operation, f *arch.Fabric) *mapper.Result {
	t.Helper()
	res, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(diag.Render(diag.FromError(err), nil))
	}
	runtime, err := host.Runtime(res.Binding, res.Image.Layout, f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := prove.Image(fn, res.Image.Layout, res.Image.Encode(), runtime); err != nil {
		t.Error(diag.Render(diag.FromError(err), nil))
	}
	for _, n := range []int64{0, 1, 7} {
		simulate(t, fn, f, res, n)
	}
	return res
}

const (
	// indices are those of the iterations, as words.
	indices = `  %it, %last = cond_br %d, %i : index
  %xs = arith.index_cast %it : index to i32
`
	sumOf = `  %v = dataflow.carry %d, %a, %next : i1, i32, i32 -> i32
  %body, %out = cond_br %d, %v : i32
`
)

// TestFusedForms: every form of a state machine that a graph can write is one unit, what is only
// like it is not, and what comes of either runs as the graph says.
func TestFusedForms(t *testing.T) {
	const (
		counter    = "{counter: index}"
		loop       = "{loop: [i32, i1]}"
		accumulate = "{accumulate: {ops: [addi, subi, andi, ori, xori, maxsi, minsi, maxui, minui], type: i32}}"
		present    = "{accumulate: {ops: [addi, maxsi, minui], type: i32, yields: present}}"
	)
	type sample struct {
		name, units string
		fn          *ir.Operation
		want        []string
	}
	both := accumulate + ", " + loop
	samples := []sample{
		{"counter: branch of the index", counter, form(indices+sumOf+"  %next = arith.addi %body, %xs : i32", "%out i32"), []string{"counter_index"}},
		{"counter: gate of the index", counter, form(`  %g, %more = dataflow.gate %i, %d : index, i1 -> index, i1
  %xs = arith.index_cast %g : index to i32
`+sumOf+"  %next = arith.addi %body, %xs : i32", "%out i32"), []string{"counter_index"}},
		{"counter: several readers of index and condition", counter, form(indices+sumOf+`  %sq = arith.muli %xs, %xs : i32
  %next = arith.addi %body, %sq : i32`, "%out i32"), []string{"counter_index"}},
		{"counter: nothing reads the index", counter, form(`  %it, %last = cond_br %d, %i : index
`+sumOf+"  %next = arith.muli %body, %body : i32", "%out i32"), []string{"counter_index"}},
		{"no counter: the last index is read", counter, form(indices+sumOf+"  %next = arith.addi %body, %xs : i32", "%out i32", "%last index"), nil},
		{"no counter: the condition of the gate is read", counter, form(`  %g, %more = dataflow.gate %i, %d : index, i1 -> index, i1
  %xs = arith.index_cast %g : index to i32
  %k = dataflow.invariant %more, %x : i1, i32 -> i32
  %y = arith.addi %k, %xs : i32
`+sumOf+"  %next = arith.addi %body, %y : i32", "%out i32"), nil},
		{"no counter: the index is read before its branch", counter, form(indices+sumOf+`  %next = arith.addi %body, %xs : i32
  %j = arith.addi %i, %i : index
  %jt, %jf = cond_br %d, %j : index`, "%out i32", "%jf index"), nil},
		{"no counter: the branch has another condition", counter, form(`  %t = constant %start {value = true} : i1
  %ts = dataflow.carry %d, %t, %tt : i1, i1, i1 -> i1
  %tt, %tf = cond_br %d, %ts : i1
  %e = arith.xori %d, %ts : i1
  %last, %it = cond_br %e, %i : index
  %xs = arith.index_cast %it : index to i32
`+sumOf+"  %next = arith.addi %body, %xs : i32", "%out i32"), nil},
		{"no counter: the branch has the condition of another stream", counter, form(`  %two = constant %start {value = 2 : index} : index
  %i2, %d2 = dataflow.stream %zero, %two, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %i3, %d3 = dataflow.stream %zero, %two, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %it, %l2 = cond_br %d2, %i3 : index
  %jt, %l3 = cond_br %d3, %i2 : index
  %b = arith.addi %it, %jt : index
  %xs = arith.index_cast %b : index to i32
  %v = dataflow.carry %d2, %a, %next : i1, i32, i32 -> i32
  %body, %out = cond_br %d2, %v : i32
  %next = arith.addi %body, %xs : i32`, "%out i32"), nil},
		{"no counter: it counts down", counter, form(`  %i2, %d2 = dataflow.stream %n, %one, %zero {step_op = "-=", cont_cond = ">"} : (index, index, index) -> (index, i1)
  %it, %l2 = cond_br %d2, %i2 : index
  %xs = arith.index_cast %it : index to i32
  %v = dataflow.carry %d2, %a, %next : i1, i32, i32 -> i32
  %body, %out = cond_br %d2, %v : i32
  %next = arith.addi %body, %xs : i32`, "%out i32"), nil},
		{"counter that counts down", `{counter: {type: index, step: "-="}}`, form(`  %i2, %d2 = dataflow.stream %n, %one, %zero {step_op = "-=", cont_cond = ">"} : (index, index, index) -> (index, i1)
  %it, %l2 = cond_br %d2, %i2 : index
  %xs = arith.index_cast %it : index to i32
  %v = dataflow.carry %d2, %a, %next : i1, i32, i32 -> i32
  %body, %out = cond_br %d2, %v : i32
  %next = arith.addi %body, %xs : i32`, "%out i32"), []string{"counter_index_sub"}},

		{"loop: carry first", loop, form(sumOf+"  %next = arith.muli %body, %x2 : i32\n  %x1 = dataflow.carry %d, %x, %x2 : i1, i32, i32 -> i32\n  %x2, %x3 = cond_br %d, %x1 : i32", "%out i32"), []string{"loop_i32"}},
		{"loop: branch first", loop, form(`  %next = arith.muli %body, %body : i32
  %body, %out = cond_br %d, %v : i32
  %v = dataflow.carry %d, %a, %next : i1, i32, i32 -> i32`, "%out i32"), []string{"loop_i32"}},
		{"loop: several readers of both sides", loop, form(sumOf+`  %sq = arith.muli %body, %body : i32
  %next = arith.addi %sq, %body : i32
  %twice = arith.addi %out, %out : i32`, "%out i32", "%twice i32"), []string{"loop_i32"}},
		{"loop: nothing reads what leaves", loop, form(sumOf + `  %sq = arith.muli %body, %body : i32
  %next = arith.addi %sq, %body : i32`), []string{"loop_i32"}},
		{"loop of bits", loop, form(`  %t = constant %start {value = true} : i1
  %v = dataflow.carry %d, %t, %next : i1, i1, i1 -> i1
  %body, %out = cond_br %d, %v : i1
  %next = arith.xori %body, %body : i1`, "%out i1"), []string{"loop_i1"}},
		{"loop of tokens", loop, form(`  %v = dataflow.carry %d, %start, %next : i1, none, none -> none
  %body, %out = cond_br %d, %v : none
  %next = join %body, %body : none, none`, "%out none"), []string{"loop_i1"}},
		{"no loop: the value is read before its branch", loop, form(sumOf+`  %next = arith.muli %body, %body : i32
  %w = arith.addi %v, %v : i32
  %wt, %wf = cond_br %d, %w : i32`, "%out i32", "%wf i32"), nil},
		{"no loop: the value goes round as it is", loop, form(`  %v = dataflow.carry %d, %a, %body : i1, i32, i32 -> i32
  %body, %out = cond_br %d, %v : i32`, "%out i32"), nil},
		{"no loop: the branch has another condition", loop, form(`  %i2, %d2 = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %v = dataflow.carry %d, %a, %next : i1, i32, i32 -> i32
  %body, %out = cond_br %d2, %v : i32
  %next = arith.muli %body, %body : i32`, "%out i32"), nil},

		{"accumulate: the next value is read, too", accumulate, form(indices+sumOf+`  %next = arith.addi %body, %xs : i32
  %m = dataflow.carry %d, %a, %most : i1, i32, i32 -> i32
  %mb, %mo = cond_br %d, %m : i32
  %sq = arith.muli %next, %mb : i32
  %most = arith.addi %sq, %mb : i32`, "%out i32", "%mo i32"), []string{"accumulate_addi_i32"}},
		{"no accumulate: the value is read beside the operation", accumulate, form(indices+sumOf+`  %next = arith.addi %body, %xs : i32
  %sq = arith.muli %body, %body : i32
  %s = dataflow.carry %d, %a, %sq2 : i1, i32, i32 -> i32
  %sb, %so = cond_br %d, %s : i32
  %sq2 = arith.muli %sb, %sq : i32`, "%out i32", "%so i32"), nil},
		{"accumulate: the value is read beside the operation, and given", present, form(indices+sumOf+`  %next = arith.addi %xs, %body : i32
  %sq = arith.muli %body, %body : i32
  %s = dataflow.carry %d, %a, %sq2 : i1, i32, i32 -> i32
  %sb, %so = cond_br %d, %s : i32
  %sq2 = arith.muli %sb, %sq : i32`, "%out i32", "%so i32"), []string{"present_accumulate_addi_i32"}},
		{"no accumulate: the next value is read, too, and not given", present, form(indices+sumOf+`  %next = arith.addi %body, %xs : i32
  %m = dataflow.carry %d, %a, %most : i1, i32, i32 -> i32
  %mb, %mo = cond_br %d, %m : i32
  %sq = arith.muli %next, %mb : i32
  %most = arith.addi %sq, %mb : i32`, "%out i32", "%mo i32"), nil},
		{"no accumulate: each takes what the other gives", "{accumulate: {ops: [maxsi, minui], type: i32, yields: present}}", form(sumOf+`  %next = arith.maxsi %body, %wb : i32
  %w = dataflow.carry %d, %x, %wn : i1, i32, i32 -> i32
  %wb, %wo = cond_br %d, %w : i32
  %wn = arith.minui %wb, %body : i32`, "%out i32", "%wo i32"), nil},
		{"accumulate: one takes what the other gives", "{accumulate: {ops: [maxsi, minui], type: i32, yields: present}}", form(indices+sumOf+`  %next = arith.maxsi %body, %xs : i32
  %w = dataflow.carry %d, %x, %wn : i1, i32, i32 -> i32
  %wb, %wo = cond_br %d, %w : i32
  %wn = arith.minui %wb, %body : i32`, "%out i32", "%wo i32"), []string{"present_accumulate_maxsi_i32", "present_accumulate_minui_i32"}},
		{"no accumulate: the value is added to itself", accumulate, form(sumOf+"  %next = arith.addi %body, %body : i32", "%out i32"), nil},
		{"no accumulate: it multiplies", accumulate, form(indices+sumOf+"  %next = arith.muli %body, %xs : i32", "%out i32"), nil},
		{"no accumulate: it subtracts from the element", accumulate, form(indices+sumOf+"  %next = arith.subi %xs, %body : i32", "%out i32"), nil},
		{"no accumulate: the unit has another operation", "{accumulate: {ops: [xori], type: i32}}", form(indices+sumOf+"  %next = arith.addi %body, %xs : i32", "%out i32"), nil},
		{"no accumulate: the largest of narrower values", accumulate, form(`  %it, %last = cond_br %d, %i : index
  %xs = arith.index_cast %it : index to i16
  %a16 = arith.trunci %a : i32 to i16
  %v = dataflow.carry %d, %a16, %next : i1, i16, i16 -> i16
  %body, %out = cond_br %d, %v : i16
  %next = arith.maxsi %body, %xs : i16`, "%out i16"), nil},
		{"accumulate: the sum of narrower values", accumulate, form(`  %it, %last = cond_br %d, %i : index
  %xs = arith.index_cast %it : index to i16
  %a16 = arith.trunci %a : i32 to i16
  %v = dataflow.carry %d, %a16, %next : i1, i16, i16 -> i16
  %body, %out = cond_br %d, %v : i16
  %next = arith.addi %body, %xs : i16`, "%out i16"), []string{"accumulate_addi_i32"}},
	}
	samples = append(samples,
		sample{"an accumulator is no loop head beside", both, form(indices+sumOf+"  %next = arith.addi %body, %xs : i32", "%out i32"), []string{"accumulate_addi_i32"}},
		sample{"a loop head is not a part of an accumulator", both, form(indices+sumOf+"  %next = arith.muli %body, %xs : i32", "%out i32"), []string{"loop_i32"}},
		sample{"a loop of words where one of bits is named first", "{loop: [i1, i32]}", form(indices+sumOf+"  %next = arith.muli %body, %xs : i32", "%out i32"), []string{"loop_i32"}},
		sample{"an accumulator with another operation of the unit", "{accumulate: {ops: [addi, xori], type: i32}}", form(indices+sumOf+"  %next = arith.xori %body, %xs : i32", "%out i32"), []string{"accumulate_xori_i32"}},
		sample{"an accumulator comes before arithmetic of as many operations", accumulate + ", chain", form(indices+sumOf+`  %p = arith.muli %xs, %xs : i32
  %q = arith.xori %p, %xs : i32
  %next = arith.addi %q, %body : i32`, "%out i32"), []string{"accumulate_addi_i32"}},
		sample{"arithmetic of several operations where there is no accumulator", "chain", form(indices+sumOf+`  %p = arith.muli %xs, %xs : i32
  %q = arith.xori %p, %xs : i32
  %next = arith.addi %q, %body : i32`, "%out i32"), []string{"chain"}},
	)
	for _, op := range []string{"addi", "subi", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui"} {
		want := []string{"accumulate_" + op + "_i32"}
		samples = append(samples, sample{"accumulate: " + op, accumulate, form(indices+sumOf+"  %next = arith."+op+" %body, %xs : i32", "%out i32"), want})
		if op != "subi" {
			samples = append(samples, sample{"accumulate: " + op + " with the value behind", accumulate, form(indices+sumOf+"  %next = arith."+op+" %xs, %body : i32", "%out i32"), want})
		}
	}
	for _, op := range []string{"addi", "maxsi", "minui"} {
		want := []string{"present_accumulate_" + op + "_i32"}
		samples = append(samples,
			sample{"accumulate: " + op + " alone", present, form(indices+sumOf+"  %next = arith."+op+" %body, %xs : i32", "%out i32"), want},
			sample{"accumulate: " + op + " alone with the value behind", present, form(indices+sumOf+"  %next = arith."+op+" %xs, %body : i32", "%out i32"), want})
	}
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			res := mapForm(t, s.fn, machines(t, 3, s.units))
			if got := fusedUnits(res.Mapping); !slices.Equal(got, s.want) {
				t.Errorf("units of several operations: %v, want %v", got, s.want)
			}
		})
	}
}

// TestFusedSide: an operation on the side of the branch that leaves is none of an accumulator. Such a
// graph does not run for more than one iteration, so it is only mapped.
func TestFusedSide(t *testing.T) {
	fn := form(indices+sumOf+"  %next = arith.addi %out, %xs : i32", "%body i32")
	res, err := mapper.Map(fn, machines(t, 3, "{accumulate: {ops: [addi], type: i32}}"), mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(diag.Render(diag.FromError(err), nil))
	}
	if got := fusedUnits(res.Mapping); got != nil {
		t.Errorf("units of several operations: %v", got)
	}
}

// renamed are operations whose values have a suffix.
func renamed(ops, suffix string) string {
	var pairs []string
	for _, v := range []string{"%v", "%body", "%out", "%next"} {
		pairs = append(pairs, v, v+suffix)
	}
	return strings.NewReplacer(pairs...).Replace(ops)
}

// TestFusedCapacity: a graph with more state machines than the fabric has units maps all the same, with
// as many as there are units, those of most operations first, and the rest as operations of their own.
func TestFusedCapacity(t *testing.T) {
	sums := func(n int) *ir.Operation {
		ops, results := indices, []string{}
		for k := range n {
			ops += renamed(sumOf+"  %next = arith.addi %body, %xs : i32\n", strconv.Itoa(k))
			results = append(results, fmt.Sprintf("%%out%d i32", k))
		}
		return form(strings.TrimSuffix(ops, "\n"), results...)
	}
	product := renamed(sumOf+"  %next = arith.muli %body, %xs : i32\n", "w")
	sum := sumOf + "  %next = arith.addi %body, %xs : i32"
	const both = "{accumulate: {ops: [addi], type: i32}}, {loop: i32}"
	for _, c := range []struct {
		name  string
		fn    *ir.Operation
		pes   int
		units string
		want  []string
	}{
		{"three sums, no unit", sums(3), 0, "", nil},
		{"three sums, one accumulator", sums(3), 1, "{accumulate: {ops: [addi], type: i32}}", []string{"accumulate_addi_i32"}},
		{"three sums, two accumulators", sums(3), 2, "{accumulate: {ops: [addi], type: i32}}", []string{"accumulate_addi_i32", "accumulate_addi_i32"}},
		{"three sums, four accumulators", sums(3), 4, "{accumulate: {ops: [addi], type: i32}}", []string{"accumulate_addi_i32", "accumulate_addi_i32", "accumulate_addi_i32"}},
		{"three sums, two loop heads", sums(3), 2, "{loop: i32}", []string{"loop_i32", "loop_i32"}},
		// One PE has one unit at a time, whatever it offers.
		{"a sum and a product, one PE for either", form(indices+product+sum, "%out i32", "%outw i32"), 1, both, []string{"accumulate_addi_i32"}},
		{"a sum and a product, two PEs for either", form(indices+product+sum, "%out i32", "%outw i32"), 2, both, []string{"accumulate_addi_i32", "loop_i32"}},
		{"two counters, one unit", form(indices+`  %two = constant %start {value = 2 : index} : index
  %i2, %d2 = dataflow.stream %zero, %two, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %jt, %jf = cond_br %d2, %i2 : index
  %js = arith.index_cast %jt : index to i32
  %w = dataflow.carry %d2, %a, %wn : i1, i32, i32 -> i32
  %wb, %wo = cond_br %d2, %w : i32
  %wn = arith.addi %wb, %js : i32
`+sum, "%out i32", "%wo i32"), 1, "{counter: index}", []string{"counter_index"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := mapForm(t, c.fn, machines(t, c.pes, c.units))
			if got := fusedUnits(res.Mapping); !slices.Equal(got, c.want) {
				t.Errorf("units of several operations: %v, want %v", got, c.want)
			}
		})
	}
}

// TestAccumulators: what the accumulators of a shipped fabric compute, by operation, operand and width.
func TestAccumulators(t *testing.T) {
	has := tech.Accumulators(testkit.Fabric(t, "float8x8"))
	b := (&ir.Region{}).AddBlock()
	for _, c := range []struct {
		op   string
		t    ir.Type
		left int
		// next and present: whether the fabric has one that gives that.
		next, present bool
	}{
		{opname.ArithAddI, ir.I32, 0, true, false},
		{opname.ArithAddI, ir.I32, 1, true, false},
		{opname.ArithAddI, ir.I8, 0, true, false}, // the low bits of a wider sum
		{opname.ArithAddI, ir.I64, 0, false, false},
		{opname.ArithSubI, ir.I32, 0, true, false},
		{opname.ArithSubI, ir.I32, 1, false, false},
		{opname.ArithMulI, ir.I32, 0, false, false},
		{opname.ArithMaxSI, ir.I32, 0, false, true},
		{opname.ArithMinUI, ir.I32, 1, false, true},
		{opname.ArithMaxUI, ir.I8, 0, false, false}, // narrower words may have anything above
		{opname.ArithAddF, ir.F32, 0, true, false},
		{opname.ArithAddF, ir.F64, 0, false, false},
		{opname.ArithMulF, ir.F32, 0, false, false},
	} {
		x := b.AddArg(c.t, "", diag.Pos{})
		op := ir.NewOp(c.op, diag.Pos{}, []*ir.Value{x, x}, []ir.Type{c.t})
		if next, present := has(op, c.left, false), has(op, c.left, true); next != c.next || present != c.present {
			t.Errorf("%s of %s from operand %d: %v, and %v of the present value", c.op, c.t, c.left, next, present)
		}
	}
}
