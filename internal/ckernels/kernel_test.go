package ckernels

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/frontend"
	"loom/compiler/ir"
	"loom/internal/testkit"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
	"loom/sim/inputs"
	"loom/sim/level0"
	"loom/sim/vector"
)

// indexWidth is that of the shipped fabrics.
const indexWidth = 32

// kernel is a file of testdata/kernels/c or testdata/kernels/direct.
type kernel struct {
	name string // of the file, without extension; with "direct/" before it for those of that directory
	path string // as the compiler gets it
	text string
	// does and special are from the comment at the head of the file.
	does, special string
	// sizes are the sizes of the random inputs; the files path.*.json come on top.
	sizes []int64

	once sync.Once
	res  *frontend.Result
	err  error
}

// loaded are the kernels of this run: all tests share what the front end made of them.
var loaded struct {
	sync.Mutex
	kernels []*kernel
}

// load reads all kernels, by name.
func load(t testing.TB) []*kernel {
	t.Helper()
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.kernels == nil {
		loaded.kernels = read(t)
	}
	return loaded.kernels
}

// read reads the kernels.
func read(t testing.TB) []*kernel {
	t.Helper()
	var out []*kernel
	for _, pattern := range []string{"c/*.c", "c/*.cpp", "direct/*.c"} {
		// A relative path: what is compiled must not depend on the machine.
		files, err := filepath.Glob("../../testdata/kernels/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSuffix(filepath.Base(f), filepath.Ext(f))
			if dir := path.Dir(pattern); dir != "c" {
				name = dir + "/" + name
			}
			k := &kernel{name: name, path: f, text: string(text)}
			if err := k.head(); err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			out = append(out, k)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	if len(out) < 64 {
		t.Fatalf("%d kernels", len(out))
	}
	return out
}

// head reads the comment at the start of the file: what the kernel computes, up to
// "Special:" and "Sizes:".
func (k *kernel) head() error {
	var words []string
	for line := range strings.Lines(k.text) {
		line = strings.TrimSpace(line)
		body, starts := strings.CutPrefix(line, "//")
		if !starts {
			body, starts = strings.CutPrefix(line, "/*")
		}
		if !starts {
			body, starts = strings.CutPrefix(line, "*")
		}
		if !starts {
			break
		}
		words = append(words, strings.Fields(strings.TrimSuffix(body, "*/"))...)
		if strings.HasSuffix(line, "*/") {
			break
		}
	}
	does, rest, ok1 := strings.Cut(strings.Join(words, " "), " Special: ")
	special, sizes, ok2 := strings.Cut(rest, " Sizes: ")
	if !ok1 || !ok2 {
		return errors.New("the comment at the head lacks Special: or Sizes:")
	}
	k.does, k.special = does, special
	for _, s := range strings.Fields(sizes) {
		if s == "none" {
			continue
		}
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return err
		}
		k.sizes = append(k.sizes, n)
	}
	return nil
}

// lines is the number of lines of code: neither empty nor comment.
func (k *kernel) lines() int {
	n, comment := 0, false
	for line := range strings.Lines(k.text) {
		line = strings.TrimSpace(line)
		comment = comment || strings.HasPrefix(line, "/*")
		if line != "" && !comment && !strings.HasPrefix(line, "//") {
			n++
		}
		comment = comment && !strings.HasSuffix(line, "*/")
	}
	return n
}

// compile runs the front end once, with its usual options.
func (k *kernel) compile() (*frontend.Result, error) {
	k.once.Do(func() {
		k.res, k.err = frontend.Run(context.Background(), k.path, k.text, frontend.Options{Verify: true})
	})
	return k.res, k.err
}

// mustCompile is compile for tests.
func (k *kernel) mustCompile(t testing.TB) *frontend.Result {
	t.Helper()
	res, err := k.compile()
	if err != nil {
		t.Fatal(render(err))
	}
	return res
}

// render spells an error as a user sees it.
func render(err error) string { return diag.Render(diag.FromError(err), frontend.Text) }

// stage is the text of an artifact.
func stage(t testing.TB, res *frontend.Result, ext string) string {
	t.Helper()
	for _, s := range res.Stages {
		if s.Ext == ext {
			return string(s.Text)
		}
	}
	t.Fatalf("there is no artifact %s", ext)
	return ""
}

// run is one set of inputs with its name.
type run struct {
	name string
	in   *vector.Inputs
}

// seeds are those of the random inputs.
const seeds = 3

// inputs are all sets of inputs of a kernel, given its graph.
func (k *kernel) inputs(t testing.TB, graph *ir.Operation) []run {
	t.Helper()
	var out []run
	for _, size := range k.sizes {
		for seed := range uint64(seeds) {
			res, err := inputs.Random(graph, inputs.Options{Seed: seed + 1, Size: size, IndexWidth: indexWidth})
			if err != nil {
				t.Fatal(render(err))
			}
			if len(res.Warnings.All) > 0 {
				t.Errorf("--random %d --size %d: %s", seed+1, size, render(res.Warnings))
			}
			out = append(out, run{"--random " + strconv.FormatUint(seed+1, 10) + " --size " + strconv.FormatInt(size, 10), res.Inputs})
			if size == 0 {
				break // there is little to choose
			}
		}
	}
	sig, err := vector.SignatureOf(graph)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(strings.TrimSuffix(k.path, filepath.Ext(k.path)) + ".*json")
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(files)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		in, err := vector.ParseInputs(f, text, sig, indexWidth)
		if err != nil {
			t.Fatal(render(err))
		}
		out = append(out, run{"--inputs " + filepath.Base(f), in})
	}
	if len(out) == 0 {
		t.Fatal("the kernel has no inputs")
	}
	return out
}

// original builds the C function.
func (k *kernel) original(t testing.TB, fn *ir.Operation) *level0.Program {
	t.Helper()
	c, ok := cabi.Of(fn)
	if !ok {
		t.Fatalf("the function lacks a legible %s", cabi.Attribute)
	}
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		t.Fatal(err)
	}
	p, err := level0.Build(context.Background(), c, sig, level0.Options{IndexWidth: indexWidth, Sanitize: soaking()})
	if err != nil {
		t.Fatal(render(err))
	}
	return p
}

// soaking reports whether the long campaigns run.
func soaking() bool { return os.Getenv("LOOM_SOAK") != "" }

// needTools skips a test without the tools of the front end, or fails it where they
// are required.
func needTools(t testing.TB, names ...string) {
	t.Helper()
	toolstest.Need(t, append([]string{tools.Clang, tools.MLIRTranslate, tools.MLIROpt}, names...)...)
}

// function is the structured function of a result.
func function(t testing.TB, module *ir.Operation) *ir.Operation {
	t.Helper()
	fn := testkit.Function(module)
	if fn == nil {
		t.Fatal("the module holds no func.func")
	}
	return fn
}
