package level0

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/internal/cache"
	"loom/internal/tools"
)

// build makes the executable of one harness.
type build struct {
	ctx    context.Context
	fn     *cabi.Function
	opts   Options
	source string // absolute
	layout *layout
}

// compiler is one attempt: a program and options of its own.
type compiler struct {
	path  string
	flags []string
	// eithers is that of the harness.
	eithers bool
}

// flags keep the meaning that the front end gives to C: wrapping arithmetic, no fused
// operations, no assumptions from types. What a file holds beside the function may
// need other files; the linker leaves it out.
var flags = []string{"-w", "-fwrapv", "-ffp-contract=off", "-fno-strict-aliasing", "-ffunction-sections", "-fdata-sections"}

// sanitizers are the checks of Options.Sanitize. Division of floats by zero and shifts
// of negative values to the left mean what the machine does.
var sanitizers = []string{"-g", "-fsanitize=undefined,address,float-cast-overflow", "-fno-sanitize-recover=all", "-fno-sanitize=shift-base"}

// compilers are the attempts to compile, the preferred first: the host's compiler, which
// is another one than the front end's where there are two; then the front end's own, for
// sources that the first does not understand. A function that is only inline needs a definition
// which C promises elsewhere.
func (b *build) compilers() ([]compiler, error) {
	name, own := tools.CC, "clang-19"
	if b.fn.Cxx {
		name, own = tools.CXX, "clang++-19"
	}
	path, err := tools.Find(name)
	if err != nil {
		return nil, err
	}
	paths := []string{path}
	for _, more := range []string{own, "g++"} {
		if p, err := exec.LookPath(more); err == nil && p != path && (more == own || b.fn.Cxx && b.opts.Sanitize) {
			paths = append(paths, p)
		}
	}
	var out []compiler
	for _, p := range paths {
		out = append(out, compiler{path: p})
		if b.fn.Cxx {
			out = append(out, compiler{path: p, eithers: true})
		} else {
			out = append(out, compiler{path: p, flags: []string{"-fgnu89-inline"}})
		}
	}
	return out, nil
}

// run returns the path of the executable.
func (b *build) run() (string, error) {
	store, err := cache.Open(b.opts.CacheDir, "native")
	if err != nil {
		return "", err
	}
	path, err := b.make(store)
	if err = cache.Explain(store, err); err == nil || errors.As(err, new(*cache.Error)) {
		return path, err
	}
	return "", b.sourceError(err)
}

// make builds the program into the cache with the first compiler that can; the error is
// that of the first one.
func (b *build) make(store string) (string, error) {
	all, err := b.compilers()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(store, buildPrefix)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	var first error
	for _, c := range all {
		path, err := b.attempt(store, dir, c)
		var failed *tools.FailedError
		switch {
		case err == nil:
			return path, nil
		case !errors.As(err, &failed):
			return "", err
		case first == nil:
			first = err
		}
	}
	return "", cache.Explain(store, first)
}

// attempt compiles with one compiler: first the macros, so that the program is known by
// all it depends on, headers included.
func (b *build) attempt(store, dir string, c compiler) (string, error) {
	ext, pre := ".c", ".i"
	if b.fn.Cxx {
		ext, pre = ".cpp", ".ii"
	}
	file, expanded, program := filepath.Join(dir, "harness"+ext), filepath.Join(dir, "harness"+pre), filepath.Join(dir, "program")
	if err := os.WriteFile(file, []byte(harness(b.fn, b.layout, b.source, b.opts, c.eithers)), 0o644); err != nil {
		return "", err
	}
	args := append(append([]string{}, b.fn.Flags...), c.flags...)
	if b.fn.Cxx {
		args = append(args, "-fno-access-control")
	}
	args = append(args, flags...)
	if _, err := tools.Run(b.ctx, "", c.path, append(append([]string{}, args...), "-E", file, "-o", expanded)...); err != nil {
		return "", err
	}
	text, err := os.ReadFile(expanded)
	if err != nil {
		return "", err
	}
	if b.opts.Sanitize {
		args = append(args, sanitizers...)
	}
	// The name of the directory would make every program a new one.
	key := programKey(c.path, args, strings.ReplaceAll(string(text), dir, "."))
	if path, ok := lookup(store, key); ok {
		return path, nil
	}
	args = append(args, "-O1", expanded, "-o", program, "-Wl,--gc-sections", "-lm")
	if _, err := tools.Run(b.ctx, "", c.path, args...); err != nil {
		return "", err
	}
	return install(store, key, program)
}

// programKey digests everything a program depends on.
func programKey(compiler string, args []string, text string) string {
	h := sha256.New()
	fmt.Fprintf(h, "loom-native-1\n%s\n%q\n", compiler, args)
	if st, err := os.Stat(compiler); err == nil {
		fmt.Fprintf(h, "%d %d\n", st.Size(), st.ModTime().UnixNano())
	}
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// compilerMessage matches an error of GCC or clang.
var compilerMessage = regexp.MustCompile(`(?m)^(.+?):(\d+):(?:(\d+):)? (?:fatal )?error: (.*)$`)

// undefined matches the linker's complaint about a function without a body.
var undefined = regexp.MustCompile("undefined reference to [`']([^']+)'")

// sourceError makes diagnostics about the source from the messages of the host compiler.
func (b *build) sourceError(err error) error {
	var failed *tools.FailedError
	if !errors.As(err, &failed) {
		return err
	}
	list := &diag.List{}
	for _, m := range compilerMessage.FindAllStringSubmatch(failed.Output, -1) {
		line, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		file := m[1]
		if file == b.source {
			file = b.fn.Source
		}
		if strings.Contains(file, buildPrefix) {
			list.Add(diag.New(diag.Pos{File: b.fn.Source}, "the call of %s does not fit the source: %s", b.fn.Name, m[4]))
			continue
		}
		d := list.Add(diag.New(diag.Pos{File: file, Line: line, Col: col}, "the host compiler does not accept this: %s", m[4]))
		if help := tools.Help(m[4]); help != "" {
			d.WithHelp("%s", help)
		}
	}
	if len(list.All) > 0 {
		return list
	}
	if m := undefined.FindStringSubmatch(failed.Output); m != nil {
		return diag.New(diag.Pos{File: b.fn.Source}, "cannot be linked for the native run: %s has no definition", m[1]).
			WithHelp("put its definition into the file, or include the file that has it")
	}
	return err
}
