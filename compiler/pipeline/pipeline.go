// Package pipeline describes the compilation from LLVM IR to RTL as data: the stages in
// order, with the files they read and write, and the passes of those that work on IR.
package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/frontend"
	"loom/compiler/lower"
	"loom/compiler/pass"
	"loom/compiler/simplify"
	"loom/internal/edit"
)

// Stage is a part of the compilation with inputs and outputs of its own.
type Stage struct {
	Name string `json:"stage"`
	Does string `json:"does"`
	// In and Out are the extensions of the files it reads and writes.
	In  []string `json:"in"`
	Out []string `json:"out"`
	// Table holds its passes, nil for a stage that is no sequence of passes over IR.
	Table *pass.Table `json:"table,omitempty"`
}

// stages are the stages; Stages adds the passes by stage name.
var stages = []Stage{
	{Name: "import", Does: "MLIR's tools read LLVM IR; every operation gets a source location",
		In: []string{".ll"}, Out: []string{".llvm.mlir"}},
	{Name: "normalise", Does: "one function without calls, vectors and structs, or errors for all that prevents it",
		In: []string{".llvm.mlir"}},
	{Name: "lift", Does: "pointers become memrefs with subscripts, the llvm dialect arith, math and cf",
		Out: []string{".cf.mlir"}},
	{Name: "structure", Does: "branches become loops and conditions, counting loops become scf.for",
		In: []string{".cf.mlir"}},
	{Name: "narrow", Does: "64-bit integers that only count or address become index",
		Out: []string{".scf.mlir"}},
	{Name: "domain", Does: "the function or one of its loops is chosen for hardware, the code around a loop stays on the host",
		In: []string{".scf.mlir"}, Out: []string{".scf.mlir"}},
	{Name: "lower", Does: "structured control flow becomes a dataflow graph",
		In: []string{".scf.mlir"}, Out: []string{".dfg.mlir"}},
	{Name: "simplify", Does: "for a direct circuit, and with --simplify on for a fabric: values are held, what guards and orders for nothing goes", In: []string{".dfg.mlir"}},
	{Name: "architecture", Does: "the description of a fabric becomes a flat model of its components",
		In: []string{".yaml"}, Out: []string{".fabric.mlir"}},
	{Name: "map", Does: "operations are matched to function units, placed and routed; an independent checker proves the result",
		In: []string{".dfg.mlir", ".fabric.mlir"}, Out: []string{".map.json", ".map.txt", ".viz.html"}},
	{Name: "configure", Does: "the mapping becomes the bits that configure the fabric, and what the host needs to start it",
		In: []string{".map.json", ".fabric.mlir"}, Out: []string{".config.json", ".config.bin", ".config.h", ".runtime.json", "_host.h", "_host.c"}},
	{Name: "rtl", Does: "the fabric becomes SystemVerilog over the library of modules",
		In: []string{".fabric.mlir"}, Out: []string{"rtl/*.sv", "rtl/filelist.f"}},
}

// Stages lists the stages with their passes.
func Stages() []Stage {
	out := slices.Clone(stages)
	for _, t := range append(frontend.Tables(""), lower.Table(), simplify.Table()) {
		i := slices.IndexFunc(out, func(s Stage) bool { return s.Name == t.Name })
		out[i].Table = &t
	}
	return out
}

// UnknownDump returns a message with the passes of similar names if name is neither a pass
// of any table nor "all", else "".
func UnknownDump(name string) string {
	var near []string
	for _, t := range append(frontend.Tables(""), lower.Table(), simplify.Table()) {
		if t.Dumps(name) != "" {
			return ""
		}
		for _, n := range t.Names() {
			if edit.Distance(name, n) <= 2 || len(name) > 2 && strings.Contains(n, name) {
				near = append(near, n)
			}
		}
	}
	if len(near) == 0 {
		return "loom passes lists them"
	}
	return fmt.Sprintf("did you mean %s? loom passes lists them all", strings.Join(near, " or "))
}

// DumpsNothing says why the pass of that name does not run for an input file, "" where it does.
// A file that the front end does not read holds a structured kernel; simplified says whether its
// graph is.
func DumpsNothing(name, file string, simplified bool) string {
	has := func(tables ...pass.Table) bool {
		return slices.ContainsFunc(tables, func(t pass.Table) bool { return t.Dumps(name) != "" })
	}
	switch {
	case name == "" || has(lower.Table()) || frontend.Reads(file) && has(frontend.Tables(file)...):
		return ""
	case has(simplify.Table()):
		if simplified {
			return ""
		}
		return "the pass is one of the simplification, which --direct and --simplify on ask for"
	}
	return "the input is past that pass"
}
