// Package verilated builds the benches of tests that drive a module from C++ under Verilator. Verilator's own makefile
// compiles a dozen files, each of which reads the same headers, and the run-time library once more for every bench; here
// a model is two runs of the compiler, and the library is compiled once in a process.
package verilated

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"loom/internal/precompiled"
	"loom/internal/tools"
)

// Bench is a model and the program around it.
type Bench struct {
	// Dir holds the sources. Top is the module that is built; the class of its model is V and that name.
	Dir, Top string
	// Main is the C++ file with main, in Dir.
	Main string
	// Args are Verilator's options and files.
	Args []string
	// Level is the optimisation of what runs in every cycle and of Main, with further options of the compiler.
	Level []string
}

// objects are the directory of Verilator's output, below that of the sources.
const objects = "obj_dir"

// Build makes the program and returns its path.
func (b *Bench) Build(ctx context.Context) (string, error) {
	args := append([]string{"--cc", "--top-module", b.Top, "--prefix", "V" + b.Top, "--Mdir", objects}, b.Args...)
	if err := run(ctx, b.Dir, tools.Verilator, args...); err != nil {
		return "", err
	}
	cxx, err := tools.Find(tools.CXX)
	if err != nil {
		return "", err
	}
	flags, header, err := flags()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(b.Dir, objects)
	if err := runtime(ctx, cxx, flags, dir); err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.cpp"))
	if err != nil {
		return "", err
	}
	// What runs once is not worth being optimised.
	var fast, slow strings.Builder
	for _, f := range files {
		to := &fast
		if strings.HasSuffix(f, "__Slow.cpp") {
			to = &slow
		}
		fmt.Fprintf(to, "#include %q\n", filepath.Base(f))
	}
	fmt.Fprintf(&fast, "#include \"../%s\"\n", b.Main)
	units := []struct {
		name, text string
		level      []string
	}{{"fast", fast.String(), b.Level}, {"slow", slow.String(), []string{"-O0"}}}
	errs := make(chan error, len(units))
	for _, u := range units {
		if err := os.WriteFile(filepath.Join(dir, u.name+".cc"), []byte(u.text), 0o644); err != nil {
			return "", err
		}
		go func() {
			args := append(flags[:len(flags):len(flags)], u.level...)
			if len(u.level) == 1 {
				args = append(args, precompiled.Flags(ctx, "", cxx, flags, u.level[0], header)...)
			}
			errs <- run(ctx, dir, cxx, append(args, "-c", u.name+".cc", "-o", u.name+".o")...)
		}()
	}
	for range units {
		if failed := <-errs; failed != nil {
			err = failed
		}
	}
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, b.Top)
	return program, run(ctx, dir, cxx, "-o", program, "fast.o", "slow.o", "verilated.o", "verilated_threads.o", "-pthread", "-latomic")
}

// root is where Verilator keeps its headers, once it has been asked.
var root = sync.OnceValues(func() (string, error) {
	out, err := exec.Command(tools.Verilator, "--getenv", "VERILATOR_ROOT").Output()
	if err != nil {
		return "", fmt.Errorf("verilator --getenv VERILATOR_ROOT: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "include"), nil
})

// flags are those of the compiler, and the header of Verilator's run-time library.
func flags() (flags []string, header string, err error) {
	include, err := root()
	if err != nil {
		return nil, "", err
	}
	return []string{"-std=gnu++17", "-w", "-I.", "-I" + include, "-I" + include + "/vltstd",
		"-DVERILATOR=1", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0", "-DVM_TRACE_FST=0", "-DVM_TRACE_VCD=0"}, filepath.Join(include, "verilated.h"), nil
}

// library are the object files of the run-time library by name, once they are compiled.
var library struct {
	sync.Mutex
	files map[string][]byte
}

// runtime puts the object files of the run-time library in dir.
func runtime(ctx context.Context, cxx string, flags []string, dir string) error {
	include, err := root()
	if err != nil {
		return err
	}
	library.Lock()
	defer library.Unlock()
	if library.files == nil {
		files := map[string][]byte{}
		for _, name := range []string{"verilated", "verilated_threads"} {
			object := filepath.Join(dir, name+".o")
			if err := run(ctx, dir, cxx, append(flags[:len(flags):len(flags)], "-O1", "-c", filepath.Join(include, name+".cpp"), "-o", object)...); err != nil {
				return err
			}
			if files[name+".o"], err = os.ReadFile(object); err != nil {
				return err
			}
		}
		library.files = files
	}
	for name, text := range library.files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// run executes a program in dir; what it says is part of the error.
func run(ctx context.Context, dir, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = dir, tools.Environment()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(program), err, out)
	}
	return nil
}
