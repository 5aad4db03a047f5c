package verilator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// MissingToolError says that a program is not installed and which Debian package
// brings it. Commands end with exit status 3 for it.
type MissingToolError struct{ Tool, Package string }

func (e *MissingToolError) Error() string {
	return fmt.Sprintf("%s is not installed; on Debian: apt-get install %s", e.Tool, e.Package)
}

// ToolError says that a program ran and failed; Output is what it said. Commands
// end with exit status 3 for it.
type ToolError struct {
	Tool   string
	Err    error
	Output string
}

func (e *ToolError) Error() string {
	msg := fmt.Sprintf("%s failed: %v", e.Tool, e.Err)
	if out := strings.TrimSpace(e.Output); out != "" {
		const limit = 4000
		if len(out) > limit {
			out = out[:limit] + "\n[…]"
		}
		msg += "\n" + out
	}
	return msg
}

// Unwrap gives the error of the process.
func (e *ToolError) Unwrap() error { return e.Err }

// toolset is where the external programs are.
type toolset struct {
	verilator, cxx string
	version        string // of Verilator
	include        string // of its run-time library
}

var findTools = sync.OnceValues(func() (*toolset, error) { return lookTools(exec.LookPath) })

func lookTools(look func(string) (string, error)) (*toolset, error) {
	t := &toolset{}
	var err error
	if t.verilator, err = look("verilator"); err != nil {
		return nil, &MissingToolError{"verilator", "verilator"}
	}
	if t.cxx, err = lookCompiler(look, os.Getenv("CXX")); err != nil {
		return nil, err
	}
	out, err := exec.Command(t.verilator, "--version").CombinedOutput()
	if err != nil {
		return nil, &ToolError{"verilator --version", err, string(out)}
	}
	t.version = strings.TrimSpace(string(out))
	out, err = exec.Command(t.verilator, "--getenv", "VERILATOR_ROOT").CombinedOutput()
	if err != nil {
		return nil, &ToolError{"verilator --getenv VERILATOR_ROOT", err, string(out)}
	}
	t.include = strings.TrimSpace(string(out)) + "/include"
	return t, nil
}

// compilers are the C++ compilers in order of preference: Clang takes two thirds
// of the time that GCC takes for generated models.
var compilers = []string{"clang++", "clang++-19", "g++"}

func lookCompiler(look func(string) (string, error), wish string) (string, error) {
	if wish != "" {
		path, err := look(wish)
		if err != nil {
			return "", &MissingToolError{wish, "g++ (or set CXX to another compiler)"}
		}
		return path, nil
	}
	for _, c := range compilers {
		if path, err := look(c); err == nil {
			return path, nil
		}
	}
	return "", &MissingToolError{"g++", "g++"}
}

// run executes a program quietly and keeps what it said for the error.
func run(ctx context.Context, dir, tool string, args ...string) error {
	cmd := exec.CommandContext(ctx, tool, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return &MissingToolError{tool, tool}
	}
	return &ToolError{tool, err, string(out)}
}
