package timing

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/units"
	"loom/rtl"
)

// spec is a unit to be measured.
type spec struct {
	Key
	params map[string]int
	// ties are inputs that are constant.
	ties map[string]string
	// unit is a module that stands around the module, for loom_op_…; text is its source.
	unit, text string
	ports      []rtl.Port
}

func short(module string) string { return strings.TrimPrefix(module, "loom_op_") }

// widths are those of the units that are in most circuits; few those of the others.
var (
	widths = []int{1, 8, 16, 32, 64}
	few    = []int{8, 32, 64}
)

// specs are all units of direct circuits.
func specs() []spec {
	var out []spec
	add := func(s spec) { out = append(out, s) }
	control := func(module, number string, ns ...int) {
		for _, n := range ns {
			s := spec{Key: Key{Module: module, N: n}, params: map[string]int{number: n}}
			if module == "loom_join" {
				s.ties = map[string]string{"cfg_mask": fmt.Sprintf("{%d{1'b1}}", n)}
			} else {
				s.params["W"] = 1
			}
			add(s)
		}
	}
	sized := func(module, variant string, widths []int, ties map[string]string, params map[string]int, n int) {
		for _, w := range widths {
			p := map[string]int{"W": w}
			for k, v := range params {
				p[k] = v
			}
			add(spec{Key: Key{module, variant, w, n}, params: p, ties: ties})
		}
	}
	control("loom_fork", "N", 2, 3, 4, 8, 16)
	control("loom_join", "N", 2, 3, 4, 8)
	sized("loom_cond_br", "", widths, nil, nil, 0)
	for selector := 1; selector <= 3; selector++ {
		sized("loom_mux", "", widths, nil, map[string]int{"N": 1 << selector, "SEL_W": selector}, 1<<selector)
	}
	sized("loom_carry", "", widths, nil, nil, 0)
	sized("loom_invariant", "", widths, nil, nil, 0)
	sized("loom_gate", "", few, nil, nil, 0)
	sized("loom_interlock", "", few, nil, nil, 0)
	for number, op := range units.StepOps {
		name := op.Operator
		less := map[string]string{"cfg_cont_cond": "5'b00001"}
		step := map[string]string{"cfg_cont_cond": "5'b00001", "step_valid": "1'b1", "step_data": "1"}
		both := map[string]string{"cfg_cont_cond": "5'b00001", "step_valid": "1'b1", "step_data": "1", "bound_valid": "1'b1", "bound_data": "'h55"}
		if name == "*=" {
			step["step_data"], both["step_data"] = "2", "2"
		}
		// "/=" is an array of subtractors; nothing of speed is made with it.
		if same[name] != "" || name == "/=" {
			continue
		}
		params := map[string]int{"STEP_OP": number}
		sized("loom_stream", name, few, less, params, 0)
		sized("loom_stream", name+" step", few, step, params, 0)
		sized("loom_stream", name+" step, bound", few, both, params, 0)
		if name == "+=" {
			ahead := map[string]int{"STEP_OP": number, "LOOKAHEAD": 1}
			sized("loom_stream", name+" ahead", few, less, ahead, 0)
			sized("loom_stream", name+" step ahead", few, step, ahead, 0)
			sized("loom_stream", name+" step, bound ahead", few, both, ahead, 0)
		}
	}
	sized("loom_divrem", "", few, nil, map[string]int{"SIGNED": 1}, 0)
	for _, w := range []int{1, 32} {
		add(spec{Key: Key{"loom_load", "", w, 0}, params: map[string]int{"AW": w, "DW": w}})
		add(spec{Key: Key{"loom_store", "", w, 0}, params: map[string]int{"AW": w, "DW": w}})
	}
	sized("loom_mul", "", []int{8, 16, 32, 64}, nil, nil, 0)
	buffer := func(module, number string, slots ...int) {
		for _, n := range slots {
			for _, w := range []int{1, 32} {
				s := spec{Key: Key{module, "", w, n}, params: map[string]int{"W": w}}
				if number != "" {
					s.params[number] = n
				}
				add(s)
			}
		}
	}
	buffer("loom_fifo", "DEPTH", 1, 2, 4, 16, 64)
	buffer("loom_pipe", "LATENCY", 1, 2, 4)
	buffer("loom_fifo_transparent", "DEPTH", 1, 2, 4)
	buffer("loom_loop_register", "", 0)
	for _, t := range []*ir.FloatType{ir.Float("f16"), ir.F32, ir.F64} {
		exp, frac, _ := units.FloatFormat(t)
		format := map[string]int{"EXP": exp, "FRAC": frac}
		add(spec{Key: Key{"loom_float_divsqrt", "", 1 + exp + frac, 0}, params: format, ties: map[string]string{"root": "1'b0"}})
		add(spec{Key: Key{"loom_float_rem", "", 1 + exp + frac, 0}, params: format})
		add(spec{Key: Key{"loom_float_function", "", 1 + exp + frac, 0}, params: format, ties: map[string]string{"op": "2'b00"}})
	}
	measured := map[string]bool{}
	all := slices.Clone(units.All())
	for _, u := range units.All() {
		if u.Piped != nil {
			all = append(all, *u.Piped)
		}
	}
	for _, u := range all {
		if u.Types.Float() && (measured[u.Module] || u.Class != units.Datapath) {
			continue // one of the operations of a module
		}
		measured[u.Module] = true
		if u.Types.Float() && !slices.Contains(wires, u.Module) {
			for _, t := range []*ir.FloatType{ir.Float("f16"), ir.F32, ir.F64} {
				out = append(out, float(u, t)...)
			}
			continue
		}
		if u.Class == units.Datapath && u.Module != "" && same[u.Module] == "" && !slices.Contains(wires, u.Module) {
			at := widths
			if len(u.In) == 1 {
				at = few
			}
			for _, w := range at {
				out = append(out, operation(u, w)...)
			}
		}
	}
	return out
}

// float are the rows of a floating-point operation at a type. Conversions go to or from 32 bits.
func float(u units.Unit, t *ir.FloatType) []spec {
	w, _ := ir.BitWidth(t, 64)
	from, to := ir.Type(t), ir.Type(t)
	switch u.Types {
	case units.FromInteger:
		from = ir.I32
	case units.ToInteger:
		to = ir.I32
	case units.FloatWidening:
		if t == ir.Float("f16") {
			return nil
		}
		from = map[ir.Type]ir.Type{ir.F32: ir.Float("f16"), ir.F64: ir.F32}[t]
	}
	if u.Out[0].Type == units.I1 {
		to = ir.I1
	}
	blk := (&ir.Region{}).AddBlock()
	var args []*ir.Value
	for range u.In {
		args = append(args, blk.AddArg(from, "", diag.Pos{}))
	}
	op := ir.NewOp(u.Op, diag.Pos{}, args, []ir.Type{to})
	params := ""
	for _, p := range u.Params {
		params += fmt.Sprintf(".%s(%s), ", p.Name, p.Text(op, 64))
	}
	latency := 0
	if u.Inside {
		latency, _ = u.Timing(op, 64)
		params += fmt.Sprintf(".LATENCY(%d), ", latency)
	}
	bits := func(t ir.Type) string { n, _ := ir.BitWidth(t, 64); return fmt.Sprintf("%d:0", n-1) }
	wide, _ := ir.BitWidth(to, 64)
	var out []spec
	for channels := len(u.In); channels >= max(1, len(u.In)-1); channels-- {
		if u.Inside && channels < len(u.In) {
			break // what is behind the first register counts
		}
		ports := []rtl.Port{{Name: "clk"}, {Name: "rst"}, {Name: "out_valid", Output: true}, {Name: "out_ready"}, {Name: "out_data", Output: true, Range: bits(to)}}
		var wiring, valids, readies []string
		for i, p := range u.In {
			value := "'h40490fdb" // a number
			if i < channels {
				name := fmt.Sprintf("in%d_", i)
				value = name + "data"
				valids, readies = append([]string{name + "valid"}, valids...), append([]string{name + "ready"}, readies...)
				ports = append(ports, rtl.Port{Name: name + "valid"}, rtl.Port{Name: name + "ready", Output: true}, rtl.Port{Name: value, Range: bits(from)})
			}
			wiring = append(wiring, fmt.Sprintf(".%s(%s)", p.Stem, value))
		}
		if u.Field.Name != "" {
			wiring = append(wiring, fmt.Sprintf(".%s(4'd4)", u.Field.Port))
		}
		for _, c := range u.Controls {
			wiring = append(wiring, fmt.Sprintf(".%s(%s)", c.Port, c.Text()))
		}
		inside, key := 0, Key{u.Module, "", w, channels}
		if u.Inside {
			wiring, inside, key.N = append(wiring, ".clk(clk), .move(move)"), 1, 0
		}
		var head []string
		for _, p := range ports {
			head = append(head, declare(p))
		}
		name := fmt.Sprintf("unit_%s_%d_%d", u.Module, w, channels)
		text := fmt.Sprintf(`module %s (
    %s
);
  logic [%s] y;
  logic [%d:0] move;
  %s #(%s) u_op (%s, .y(y));
  loom_fu #(.N_IN(%d), .N_OUT(1), .W_OUT_TOTAL(%d), .LATENCY(%d), .INSIDE(%d)) u_fu (
      .clk(clk), .rst(rst), .in_valid({%s}), .in_ready({%s}), .comb_data(y), .move(move),
      .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .idle());
endmodule
`, name, strings.Join(head, ",\n    "), bits(to), max(latency, 1)-1, u.Module, strings.TrimSuffix(params, ", "), strings.Join(wiring, ", "),
			channels, wide, latency, inside, strings.Join(valids, ", "), strings.Join(readies, ", "))
		out = append(out, spec{Key: key, unit: name, text: text, ports: ports})
	}
	return out
}

// operation are the rows of a datapath operation: its module inside a loom_fu.
func operation(u units.Unit, w int) []spec {
	type variant struct {
		name      string
		predicate int
	}
	variants := []variant{{"", 2}}
	if u.Module == "loom_op_cmpi" {
		variants = append(variants, variant{"eq", 0})
	}
	var out []spec
	for _, v := range variants {
		for channels := len(u.In); channels >= max(1, len(u.In)-1); channels-- {
			if channels < len(u.In) && !slices.Contains(few, w) {
				continue
			}
			name := fmt.Sprintf("unit_%s%s_%d_%d", short(u.Module), v.name, w, channels)
			text, ports := around(name, u, w, channels, v.predicate)
			out = append(out, spec{Key: Key{u.Module, v.name, w, channels}, unit: name, text: text, ports: ports})
		}
	}
	return out
}

// around is a module that computes an operation with a loom_fu; operands from the
// channels-th on are a number.
func around(name string, u units.Unit, w, channels, predicate int) (string, []rtl.Port) {
	width := w // of the result
	if u.Module == "loom_op_cmpi" {
		width = 1
	}
	bits := func(n int) string { return fmt.Sprintf("%d:0", n-1) }
	ports := []rtl.Port{{Name: "clk"}, {Name: "rst"}, {Name: "out_valid", Output: true}, {Name: "out_ready"}, {Name: "out_data", Output: true, Range: bits(width)}}
	var wiring, valids, readies []string
	for i, p := range u.In {
		w := w
		if p.Type == units.I1 {
			w = 1
		}
		// A small number, as most are.
		value := fmt.Sprintf("%d'd%d", w, min(11, 1<<min(w, 4)-1))
		if i < channels {
			name := fmt.Sprintf("in%d_", i)
			value = name + "data"
			valids, readies = append([]string{name + "valid"}, valids...), append([]string{name + "ready"}, readies...)
			ports = append(ports, rtl.Port{Name: name + "valid"}, rtl.Port{Name: name + "ready", Output: true}, rtl.Port{Name: value, Range: bits(w)})
		}
		wiring = append(wiring, fmt.Sprintf(".%s(%s)", p.Stem, value))
	}
	if u.Field.Name != "" {
		wiring = append(wiring, fmt.Sprintf(".%s(4'd%d)", u.Field.Port, predicate))
	}
	if u.Error.Valid != "" {
		wiring = append(wiring, fmt.Sprintf(".%s()", u.Error.Valid))
	}
	var head []string
	for _, p := range ports {
		head = append(head, declare(p))
	}
	return fmt.Sprintf(`module %s (
    %s
);
  logic [%s] y;
  %s #(.W(%d)) u_op (%s, .y(y));
  loom_fu #(.N_IN(%d), .N_OUT(1), .W_OUT_TOTAL(%d), .LATENCY(0)) u_fu (
      .clk(clk), .rst(rst), .in_valid({%s}), .in_ready({%s}), .comb_data(y),
      .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .idle());
endmodule
`, name, strings.Join(head, ",\n    "), bits(width), u.Module, w, strings.Join(wiring, ", "),
		channels, width, strings.Join(valids, ", "), strings.Join(readies, ", ")), ports
}

// declare spells a port of a module.
func declare(p rtl.Port) string {
	dir, r := "input", ""
	if p.Output {
		dir = "output"
	}
	if p.Range != "" {
		r = "[" + p.Range + "] "
	}
	return fmt.Sprintf("%s logic %s%s", dir, r, p.Name)
}
