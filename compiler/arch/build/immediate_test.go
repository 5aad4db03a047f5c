package build

import (
	"strings"
	"testing"

	"loom/compiler/arch"
)

// TestImmediate builds units and asks which of them are one operation with immediates.
func TestImmediate(t *testing.T) {
	mlir := func(ports, attrs, body, yield string) string {
		return "mlir: |\n      fabric.function_unit @g(" + ports + ") -> i32 [" + attrs + "] {\n        " +
			strings.ReplaceAll(body, ";", "\n        ") + "\n        fabric.yield " + yield + " : i32\n      }"
	}
	datapath, machine := "latency = 0, interval = 1", "latency = -1, interval = -1"
	for _, c := range []struct {
		name, unit string
		want       bool
	}{
		{"sum", "- addi: {type: i32, immediate: [b]}", true},
		{"both operands", "- cmpi: {type: i32, immediate: [a, b]}", true},
		{"branch", "- cond_br: {type: i32, immediate: [data]}", true},
		{"carry", "- carry: {type: i32, immediate: [a]}", true},
		{"stream", "- stream: {type: index, immediate: [start, step, bound]}", true},
		{"mux", "- mux: {type: i32, inputs: 3, immediate: [in2]}", true},
		{"no immediate", "- addi: i32", false},
		{"constant", "- constant: i32", false},
		{"constant for two operands", mlir("%c: none", datapath,
			"%k = handshake.constant %c {value = 0 : i32} : i32;%s = arith.addi %k, %k : i32", "%s"), false},
		{"one control for two", mlir("%c: none", datapath,
			"%k = handshake.constant %c {value = 0 : i32} : i32;%l = handshake.constant %c {value = 0 : i32} : i32;%s = arith.addi %k, %l : i32", "%s"), false},
		{"two operations", mlir("%c: none, %a: i32", "latency = 1, interval = 1",
			"%k = handshake.constant %c {value = 0 : i32} : i32;%p = arith.muli %a, %k : i32;%s = arith.addi %p, %k : i32", "%s"), false},
		{"carry of a constant that comes round", mlir("%d: i1, %a: i32, %c: none", machine,
			"%k = handshake.constant %c {value = 0 : i32} : i32;%s = dataflow.carry %d, %a, %k : i1, i32, i32 -> i32", "%s"), false},
		{"constant that leaves", mlir("%c: none, %a: i32", datapath,
			"%k = handshake.constant %c {value = 0 : i32} : i32;%s = arith.addi %a, %k : i32", "%k"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			group := "\n    " + c.unit
			m, err := Build("f.yaml", []byte(`name: f
topology: {kind: mesh, rows: 1, columns: 1, tracks: 1}
boundary: {inputs: 2, outputs: 1}
function_units:
  g:`+group+`
pes: {one: {units: [g]}}
pattern: [[one]]
`))
			if err != nil {
				t.Fatal(err)
			}
			f, err := arch.FromModule(m, "f")
			if strings.HasPrefix(c.unit, "mlir") {
				// No unit of one operation: a combination without hardware.
				if err == nil || !strings.Contains(err.Error(), "'handshake.constant' together with other operations") {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, comp := range f.Comps {
				if comp.PE == nil {
					continue
				}
				if _, got := comp.PE.FUs[0].Immediate(); got != c.want {
					t.Errorf("immediate: %v, want %v", got, c.want)
				}
			}
		})
	}
}
