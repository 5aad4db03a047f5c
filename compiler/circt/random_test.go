package circt_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"loom/compiler/circt"
	"loom/compiler/circuit"
	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/mlir"
	"loom/internal/branchgraph"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
	"loom/sim/cycle"
	"loom/sim/token"
	"loom/sim/vector"
)

// branches are structured modules with branches in place of loops and conditions.
func branches(t *testing.T, modules []*ir.Operation) []*ir.Operation {
	t.Helper()
	const separator = "\n// -----\n"
	var texts []string
	for _, m := range modules {
		texts = append(texts, mlir.Print(m, mlir.Options{}))
	}
	cmd := exec.Command(toolstest.Path(t, tools.MLIROpt), "--convert-scf-to-cf", "--split-input-file", "-")
	cmd.Stdin = strings.NewReader(strings.Join(texts, separator))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err, errs.String())
	}
	var out []*ir.Operation
	for _, one := range strings.Split(string(text), separator) {
		m, err := mlir.ParseAndVerify("cf", one)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
	}
	if len(out) != len(modules) {
		t.Fatalf("%d modules for %d", len(out), len(modules))
	}
	return out
}

// TestRandomBranches: random programs in the style of a lowering of branches, with buffers in
// different places, compute what the interpreter does, with every kind of channel and in
// every order, and have no race.
func TestRandomBranches(t *testing.T) {
	const batch = 50
	n := uint64(soak.Scale(300, 5000))
	outcomes := map[string]int{}
	for first := uint64(0); first < n; first += batch {
		var modules []*ir.Operation
		for seed := first; seed < first+batch; seed++ {
			modules = append(modules, randprog.Generate(seed, randprog.Options{MaxOps: 20 + int(seed%4)*20, SmallTypes: seed%3 == 0}))
		}
		for i, m := range branches(t, modules) {
			seed := first + uint64(i)
			in := randprog.Inputs(modules[i], seed)
			want, err := interp.Run(randprog.Function(modules[i]), in, interp.Options{IndexWidth: 64, MaxSteps: 20_000})
			if err != nil {
				t.Fatal(err)
			}
			if want.Status != vector.Done {
				continue
			}
			if err := branchProgram(randprog.Function(m), in, want, seed, outcomes); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
	t.Log(outcomes)
	if 10*outcomes["circuits"] < 9*int(n) { // the others never end
		t.Errorf("%d circuits of %d programs", outcomes["circuits"], n)
	}
}

func branchProgram(fn *ir.Operation, in *vector.Inputs, want *vector.Outcome, seed uint64, outcomes map[string]int) error {
	buffers := []string{"", "cycles", "all"}[seed%3]
	module, graph, err := branchgraph.Lower(fn, branchgraph.Options{Seed: seed, Buffers: buffers})
	if err != nil {
		return err
	}
	// As text, so that what is written is read.
	text := mlir.Print(module, mlir.Options{Generic: seed%2 == 0})
	if module, err = mlir.ParseAndVerify("g", text); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	graph = last(module)
	if err := circt.Flatten(graph); err != nil {
		return err
	}
	var errs diag.List
	if circt.Verify(graph, &errs); errs.HasErrors() {
		return errs.Err()
	}
	for _, d := range errs.All { // it ends with one result, as the interpreter says
		if !strings.Contains(d.Message, "has no buffer") {
			return fmt.Errorf("%s\n%s", d.Message, text)
		}
	}
	unbuffered := circt.Unbuffered(graph) != nil
	if unbuffered && buffers != "" {
		return fmt.Errorf("a cycle without a buffer\n%s", text)
	}
	simple := last(module.Clone(map[*ir.Value]*ir.Value{}))
	if err := circt.Simplify(simple, 64); err != nil {
		return err
	}
	for _, g := range []*ir.Operation{graph, simple} {
		p, err := token.Compile(g, 64)
		if err != nil {
			return err
		}
		if race, err := p.FindRace(in, token.Options{}); err != nil || race != nil {
			return fmt.Errorf("race: %v %v\n%s", race, err, text)
		}
		for _, o := range []token.Options{{}, {Capacity: 1}, {Seed: seed + 1, MemDelay: 7}, {OwnBuffers: true}, {OwnBuffers: true, Seed: seed + 1, MemDelay: 3}} {
			if o.OwnBuffers && (g == simple || unbuffered) {
				continue
			}
			got, _, err := p.Run(in, o)
			if err != nil {
				return err
			}
			if d := vector.Diff(want, got); len(d) > 0 {
				return fmt.Errorf("%+v, simplified %v: %s\n%s\n%s", o, g == simple, strings.Join(d, "\n"), strings.Join(got.Detail, "\n"), mlir.Print(g, mlir.Options{}))
			}
			outcomes[fmt.Sprintf("%s buffers, own %v", buffers, o.OwnBuffers)]++
		}
	}
	outcomes["circuits"]++
	return directCircuit(simple, in, want, seed)
}

// directCircuit compares a run of a graph as a circuit.
func directCircuit(fn *ir.Operation, in *vector.Inputs, want *vector.Outcome, seed uint64) error {
	c, err := circuit.Build(fn, circuit.Options{IndexWidth: 64})
	if err != nil {
		return fmt.Errorf("%w\n%s", err, mlir.Print(fn, mlir.Options{}))
	}
	l, err := latency.Parse([]string{"fixed:1", "fixed:9", "random:1,40,7"}[seed%3])
	if err != nil {
		return err
	}
	s, err := cycle.NewDirect(c, in, cycle.Options{Latency: l, StallPercent: []int{0, 30}[seed/3%2], StallSeed: seed})
	if err != nil {
		return err
	}
	got, err := s.Run()
	if err != nil {
		return err
	}
	if d := vector.Diff(want, got); len(d) > 0 {
		return fmt.Errorf("as a circuit: %s\n%s\n%s\n%s", strings.Join(d, "\n"), strings.Join(got.Detail, "\n"), c, mlir.Print(fn, mlir.Options{}))
	}
	return nil
}

// TestRandomMutations: a fault in such a graph is found: inputs of a merge exchanged, an access
// that does not wait for the ones before it, a token of a loop that is not taken.
func TestRandomMutations(t *testing.T) {
	mutations := map[string]func(op *ir.Operation, start *ir.Value) bool{
		"merge": func(op *ir.Operation, _ *ir.Value) bool {
			if op.Name != "handshake.control_merge" || op.Operand(0) == op.Operand(1) {
				return false
			}
			a, b := op.Operand(0), op.Operand(1)
			op.SetOperand(0, b)
			op.SetOperand(1, a)
			return true
		},
		"order": func(op *ir.Operation, start *ir.Value) bool {
			if op.Name != "handshake.load" && op.Name != "handshake.store" {
				return false
			}
			op.SetOperand(2, start)
			return true
		},
		"token": func(op *ir.Operation, start *ir.Value) bool {
			if op.Name != "handshake.cond_br" || op.Operand(1).Type != ir.Type(ir.None) {
				return false
			}
			op.SetOperand(1, start)
			return true
		},
	}
	var modules []*ir.Operation
	for seed := range uint64(40) {
		modules = append(modules, randprog.Generate(seed, randprog.Options{MaxOps: 60}))
	}
	found := map[string]int{}
	for i, m := range branches(t, modules) {
		in := randprog.Inputs(modules[i], 1)
		want, err := interp.Run(randprog.Function(modules[i]), in, interp.Options{IndexWidth: 64, MaxSteps: 20_000})
		if err != nil || want.Status != vector.Done {
			continue
		}
		for name, mutate := range mutations {
			_, graph, err := branchgraph.Lower(randprog.Function(m), branchgraph.Options{Seed: uint64(i)})
			if err != nil {
				t.Fatal(err)
			}
			start := graph.Regions[0].Entry().Args
			changed := false
			for _, op := range graph.Regions[0].Entry().Ops {
				changed = changed || mutate(op, start[len(start)-1])
			}
			if !changed {
				continue
			}
			p, err := token.Compile(graph, 64)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range []token.Options{{MaxSteps: 100_000}, {Seed: 1, MemDelay: 7, MaxSteps: 100_000}} {
				got, _, err := p.Run(in, o)
				if err != nil {
					t.Fatal(err)
				}
				if len(vector.Diff(want, got)) > 0 {
					found[name]++
					break
				}
			}
		}
	}
	t.Log(found)
	for name := range mutations {
		if found[name] == 0 {
			t.Errorf("no program shows the mutation %q", name)
		}
	}
}
