package build

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/arch"
)

// temporalFabric is an architecture of one template, its keys behind units.
func temporalFabric(units, keys string) string {
	return fmt.Sprintf(`name: x
topology: {kind: mesh, rows: 2, columns: 2, tracks: 1, token_tracks: 1, pe_inputs: 2, pe_outputs: 1, pe_token_inputs: 3, pe_token_outputs: 2, operand_fifo: 4, result_fifo: 2}
boundary: {inputs: 2, outputs: 2}
pes:
  t: {units: [%s]%s}
  s: {units: [{addi: i32}]}
pattern: [[t, s], [s, t]]
`, units, keys)
}

// TestTemporalPEs: a template with instructions makes temporal PEs, with the ports that it states.
func TestTemporalPEs(t *testing.T) {
	const steering = "{addi: i32}, {cmpi: i32}, {select: i32}, {cond_br: i32}, {mux: i32}, {carry: i32}, {loop: i32}, {invariant: i32}, {join: 3}, {extsi: i8 -> i32}"
	for _, c := range []struct {
		keys                    string
		instructions, constants int
		in, out                 string // widths of the ports
	}{
		{", instructions: 8", 8, 4, "32 32 1 1 1", "32 1 1"},
		{", instructions: 2, constants: 0", 2, 0, "32 32 1 1 1", "32 1 1"},
		{", instructions: 16, constants: 7, ports: {inputs: 4, outputs: 3, token_inputs: 1, token_outputs: 4}", 16, 7, "32 32 32 32 1", "32 32 32 1 1 1 1"},
	} {
		f, err := fabricOf(t, temporalFabric(steering, c.keys))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, x := range f.Comps {
			if x.Kind == arch.SpatialPE && (x.PE.OperandFIFO != 4 || x.PE.ResultFIFO != 2 || len(x.In) != 2) {
				t.Errorf("%s: spatial PE '%s' has changed: %d inputs", c.keys, x.Name, len(x.In))
			}
			if x.Kind != arch.TemporalPE {
				continue
			}
			n++
			widths := func(ports []arch.Port) string {
				var s []string
				for _, p := range ports {
					s = append(s, fmt.Sprint(p.Width))
				}
				return strings.Join(s, " ")
			}
			if x.TPE.Instructions != c.instructions || x.TPE.Constants != c.constants || widths(x.In) != c.in || widths(x.Out) != c.out {
				t.Errorf("%s: %d instructions, %d constants, inputs %s, outputs %s", c.keys, x.TPE.Instructions, x.TPE.Constants, widths(x.In), widths(x.Out))
			}
			if x.TPE.Width != 32 || len(x.TPE.Steps) != 10 || len(x.Units()) != 10 {
				t.Errorf("%s: %d bits, %d steps", c.keys, x.TPE.Width, len(x.TPE.Steps))
			}
		}
		if n != 2 {
			t.Errorf("%s: %d temporal PEs", c.keys, n)
		}
	}
}

// TestTemporalFaults lists templates that no temporal PE can be made of.
func TestTemporalFaults(t *testing.T) {
	for _, c := range []struct{ units, keys, want string }{
		{"{addi: i32}", ", constants: 4", "x.yaml:5:40: error: 'constants' are of temporal PEs"},
		{"{addi: i32}", ", instructions: 3", "'instructions' is 3"},
		{"{addi: i32}", ", instructions: 17", "instructions"},
		{"{addi: i32}", ", instructions: 8, constants: 17", "constants"},
		{"{addi: i32}", ", instructions: 8, immediates: [1]", "'immediates' is of spatial PEs"},
		{"{addi: i32}", ", instructions: 8, result_fifo: 2", "'result_fifo' is of spatial PEs"},
		{"{addi: i32}", ", instructions: 8, share: 2", "'share' is of spatial PEs"},
		{"{addi: i32}", ", instructions: 8, ports: {inputs: 5}", "inputs"},
		{"{addi: i32}", ", instructions: 8, ports: {width: 5}", "width"},
		{"{addi: i32}, {divsi: i32}", ", instructions: 8", "x.yaml:5:36: error: [CPL_TEMPORAL_PE_UNIT] function unit 'divsi_i32' cannot stand in a temporal PE of 32 bits"},
		{"{addi: i32}, {gate: i32}", ", instructions: 8", "CPL_TEMPORAL_PE_UNIT"},
		{"{addi: i32}, {join: 4}", ", instructions: 8", "CPL_TEMPORAL_PE_UNIT"},
		{"{addi: i16}", ", instructions: 8", "CPL_TEMPORAL_PE_UNIT"},
		{"{addi: {type: i32, latency: 1}}", ", instructions: 8", "CPL_TEMPORAL_PE_UNIT"},
		{"{shli: {type: i32, latency: 2}}", ", instructions: 8", "CPL_TEMPORAL_PE_UNIT"},
		{"{counter: index}", ", instructions: 8", "CPL_TEMPORAL_PE_UNIT"},
		{"{mux: {type: i32, inputs: 3}}", ", instructions: 8", "CPL_TEMPORAL_PE_UNIT"},
	} {
		_, err := fabricOf(t, temporalFabric(c.units, c.keys))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s%s: %v", c.units, c.keys, err)
		}
	}
	_, err := fabricOf(t, strings.Replace(temporalFabric("{addi: i32}", ", instructions: 8, ports: {token_inputs: 2}"), "token_tracks: 1, ", "", 1))
	if err == nil || !strings.Contains(err.Error(), "the ports of tokens need a network of tokens") {
		t.Errorf("tokens without their network: %v", err)
	}
}
