// Package tools knows the external programs LOOM calls: what each is for, how it
// tells its version and which Debian package brings it.
package tools

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Tool is one external program.
type Tool struct {
	Name string
	// Package is the Debian package that installs it.
	Package string
	// Use says which part of LOOM needs it.
	Use string
	// VersionArgs make it print its version.
	VersionArgs []string
	// Required tools are needed for the main job; the rest for tests or extras.
	Required bool
}

// All are the tools in the order doctor lists them.
var All = []Tool{
	{"verilator", "verilator", "co-simulation (loom cosim, loom build --cosim)", []string{"--version"}, true},
	{"make", "make", "building co-simulation models", []string{"--version"}, true},
	{"g++", "g++", "building co-simulation models", []string{"--version"}, true},
	{"mlir-opt-19", "mlir-19-tools", "tests: checks the MLIR that LOOM prints", []string{"--version"}, false},
	{"clang-19", "clang-19", "tests: an independent meaning for kernels", []string{"--version"}, false},
	{"yosys", "yosys", "tests, make area: synthesis and formal proofs", []string{"-V"}, false},
	{"iverilog", "iverilog", "tests: second simulator for the RTL", []string{"-V"}, false},
	{"z3", "z3", "tests: formal proofs", []string{"--version"}, false},
	{"dot", "graphviz", "drawing the DFG that loom compile --dot writes", []string{"-V"}, false},
}

// MissingError says that a program is not installed and what installs it.
type MissingError struct{ Tool Tool }

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s is not installed, but needed for %s; install it with: apt-get install %s",
		e.Tool.Name, e.Tool.Use, e.Tool.Package)
}

// FailedError says that a program ran and failed, with what it printed.
type FailedError struct {
	Name   string
	Err    error
	Output string
}

func (e *FailedError) Error() string {
	return fmt.Sprintf("%s failed: %v\n%s", e.Name, e.Err, strings.TrimRight(e.Output, "\n"))
}

// Unwrap returns the process's error.
func (e *FailedError) Unwrap() error { return e.Err }

// Lookup returns the tool of that name; unknown names are a programming error.
func Lookup(name string) Tool {
	for _, t := range All {
		if t.Name == name {
			return t
		}
	}
	panic("tools: unknown tool " + name)
}

// Find returns the path of a tool or a *MissingError.
func Find(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", &MissingError{Lookup(name)}
	}
	return path, nil
}

// Version asks a tool for the first line of its version; ok is false when it is
// not installed or does not answer within ten seconds.
func Version(t Tool) (version string, ok bool) {
	path, err := exec.LookPath(t.Name)
	if err != nil {
		return "", false
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, _ := exec.CommandContext(ctx, path, t.VersionArgs...).CombinedOutput()
	for _, line := range strings.Split(string(out), "\n") {
		line = strings.TrimSpace(line)
		if strings.ContainsAny(line, "0123456789") {
			return line, true
		}
	}
	return "", len(out) > 0
}
