// Package policy enforces the import policy written in HACKING.md: hardware and
// simulators never see the mapper or the lowering, so that they cannot share
// their faults, and data flows in one direction through the compiler.
package policy

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// rule forbids packages at or below From to import packages at or below Never.
type rule struct {
	From  string
	Never []string
	Why   string
}

var rules = []rule{
	{"loom/compiler/opname", []string{"loom/"}, "names stand below everything"},
	{"loom/compiler/diag", []string{"loom/"}, "diagnostics stand below everything"},
	{"loom/compiler/ir", []string{"loom/compiler/mlir", "loom/compiler/dialect", "loom/compiler/lower", "loom/compiler/arch", "loom/sim"}, "the IR knows no dialect and no stage"},
	{"loom/compiler/units", []string{"loom/compiler/mlir", "loom/compiler/dialect", "loom/compiler/lower", "loom/compiler/arch", "loom/compiler/mapper", "loom/sim", "loom/rtlgen"}, "the table of operations is data that all of them read"},
	{"loom/compiler/pass", []string{"loom/compiler/mlir", "loom/compiler/dialect", "loom/compiler/frontend", "loom/compiler/lower", "loom/compiler/pipeline"}, "the runner of passes knows none of them"},
	{"loom/compiler/num", []string{"loom/compiler/lower", "loom/compiler/mapper", "loom/compiler/frontend", "loom/compiler/arch", "loom/sim", "loom/rtlgen"}, "what an operation computes depends on no stage"},
	{"loom/compiler/analysis", []string{"loom/compiler/lower", "loom/compiler/frontend", "loom/compiler/mapper", "loom/compiler/arch", "loom/sim", "loom/rtlgen"}, "an analysis serves every stage that works on structured programs and knows none of them"},
	{"loom/sim", []string{"loom/compiler/analysis", "loom/compiler/lower", "loom/compiler/mapper", "loom/rtlgen", "loom/verilator"}, "simulators are references: they must not share faults with what they check"},
	{"loom/rtlgen", []string{"loom/compiler/lower", "loom/compiler/mapper", "loom/sim", "loom/verilator"}, "hardware depends on the fabric alone"},
	{"loom/templates", []string{"loom/"}, "templates lay out what their users decide"},
	{"loom/verilator", []string{"loom/compiler/lower", "loom/compiler/mapper"}, "co-simulation judges the mapping, it does not make it"},
	{"loom/compiler/interp", []string{"loom/compiler/lower", "loom/compiler/mapper", "loom/sim/token", "loom/sim/cycle"}, "the interpreter is the meaning of a program"},
	{"loom/compiler/lower", []string{"loom/compiler/mapper", "loom/compiler/arch", "loom/compiler/interp", "loom/sim/token", "loom/sim/cycle", "loom/rtlgen"}, "lowering knows neither the fabric nor the simulators"},
	{"loom/compiler/frontend", []string{"loom/compiler/lower", "loom/compiler/mapper", "loom/compiler/arch", "loom/sim/token", "loom/sim/cycle", "loom/rtlgen"}, "the front end ends at structured control flow"},
	{"loom/compiler/host", []string{"loom/compiler/lower", "loom/compiler/mapper", "loom/compiler/interp", "loom/sim/token", "loom/sim/cycle"}, "host code is written from what the stages before it have decided"},
	{"loom/compiler/recurrence", []string{"loom/compiler/lower", "loom/compiler/mapper", "loom/compiler/arch", "loom/sim", "loom/rtlgen"}, "a bound is computed from the graph alone: simulators measure what it promises"},
	{"loom/compiler/throughput", []string{"loom/compiler/lower", "loom/compiler/mapper", "loom/sim", "loom/rtlgen"}, "an interval is computed from a finished mapping and the cycle contract: the cycle simulator measures what it promises"},
	{"loom/compiler/choice", []string{"loom/compiler/lower", "loom/compiler/mapper", "loom/compiler/arch", "loom/sim", "loom/rtlgen"}, "the choice of a fabric knows figures: what maps and measures asks it"},
	{"loom/compiler/latency", []string{"loom/compiler/lower", "loom/compiler/mapper", "loom/compiler/arch", "loom/sim", "loom/rtlgen"}, "bound, mapper and simulators read one latency model, which knows none of them"},
	{"loom/compiler/arch", []string{"loom/compiler/lower", "loom/compiler/mapper", "loom/sim", "loom/rtlgen"}, "the fabric model stands below its users"},
	{"loom/compiler/circuit", []string{"loom/compiler/lower", "loom/compiler/mapper", "loom/sim", "loom/rtlgen"}, "one netlist, which simulator and generator read"},
	{"loom/compiler/config", []string{"loom/compiler/lower", "loom/compiler/mapper", "loom/sim", "loom/rtlgen"}, "one layout, used by all"},
	{"loom/cmd/loom", []string{"loom/compiler/arch/build", "loom/compiler/config", "loom/compiler/dfg", "loom/compiler/host", "loom/compiler/interp", "loom/compiler/mapper", "loom/compiler/mapping", "loom/compiler/mlir", "loom/compiler/prove", "loom/compiler/report", "loom/rtlgen", "loom/sim/cycle", "loom/sim/inputs", "loom/sim/level0", "loom/sim/trace", "loom/verilator"}, "a command is a shell around package loom: it runs no stage itself"},
	{"loom/compiler/prove", []string{"loom/compiler/lower", "loom/compiler/mapper", "loom/compiler/mapping", "loom/compiler/host", "loom/sim", "loom/rtlgen"}, "the proof starts from the words of the image and the host's description, and shares nothing with what made them"},
	{"loom/explore/search", []string{"loom/"}, "the search knows choices and figures, not what they mean"},
	{"loom/explore", []string{"loom/compiler/arch/build", "loom/compiler/config", "loom/compiler/lower", "loom/compiler/mapper", "loom/sim", "loom/rtlgen", "loom/verilator"}, "the exploration decides on results and makes none itself"},
	{"loom/compiler/mapper", []string{"loom/compiler/lower", "loom/sim", "loom/rtlgen", "loom/verilator"}, "the mapper sees a DFG and a fabric, nothing else"},
}

type pkg struct {
	ImportPath string
	Imports    []string
}

func TestImportPolicy(t *testing.T) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "loom/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	seen := 0
	for {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen++
		if slices.Contains(p.Imports, "loom") && p.ImportPath != "loom/cmd/loom" {
			t.Errorf("%s imports loom: the API stands above all packages but the command", p.ImportPath)
		}
		for _, v := range violations(p) {
			t.Error(v)
		}
	}
	if seen < 10 {
		t.Fatalf("only %d packages listed", seen)
	}
}

// violations applies every rule to one package.
func violations(p pkg) []string {
	var out []string
	for _, r := range rules {
		if !below(p.ImportPath, r.From) {
			continue
		}
		for _, imp := range p.Imports {
			for _, never := range r.Never {
				if below(imp, never) && !below(imp, r.From) {
					out = append(out, p.ImportPath+" imports "+imp+": "+r.Why)
				}
			}
		}
	}
	return out
}

// below reports whether path is root or a package under it.
func below(path, root string) bool {
	return path == root || strings.HasPrefix(path, strings.TrimSuffix(root, "/")+"/")
}

func TestPolicyCatches(t *testing.T) {
	bad := pkg{"loom/sim/cycle", []string{"loom/compiler/mapper/place"}}
	if len(violations(bad)) != 1 {
		t.Error("a simulator importing the mapper was not caught")
	}
	proof := pkg{"loom/compiler/prove", []string{"loom/compiler/mapper/check", "loom/compiler/mapping"}}
	if len(violations(proof)) != 2 {
		t.Error("the proof importing the checker or the mapping was not caught")
	}
	shared := pkg{"loom/compiler/mapper/check", []string{"loom/compiler/mapper/route"}}
	if len(checkerShares(shared)) != 1 {
		t.Error("the checker importing the router was not caught")
	}
}

// checkerShares lists mapper packages that the independent checker imports.
func checkerShares(p pkg) []string {
	var out []string
	if p.ImportPath == "loom/compiler/mapper/check" {
		for _, imp := range p.Imports {
			if below(imp, "loom/compiler/mapper") {
				out = append(out, imp)
			}
		}
	}
	return out
}

func TestCheckerIsIndependent(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "loom/compiler/mapper/check").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var p pkg
	if err := json.Unmarshal(out, &p); err != nil {
		t.Fatal(err)
	}
	if shared := checkerShares(p); len(shared) > 0 {
		t.Errorf("the mapping checker shares code with the mapper: %v", shared)
	}
}
