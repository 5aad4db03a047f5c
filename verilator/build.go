package verilator

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"

	"loom/rtlgen"
)

//go:embed harness/loom_harness.hpp
var harnessHeader string

// modelBinary is the executable of a built model.
const modelBinary = "model"

// model is a built model.
type model struct {
	dir string
	hit bool // found in the cache
}

// verilateFlags are the options of Verilator. Assertions and unknown values cost
// time and find nothing that the harness does not; loops stay loops, which halves
// the text of the switches; --output-split keeps the compiler's files small enough
// to share between processors.
func verilateFlags(trace bool) []string {
	flags := []string{"--cc", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--noassert", "--unroll-stmts", "1",
		"--output-split", "20000", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-UNOPTFLAT"}
	if trace {
		flags = append(flags, "--trace-fst")
	}
	return flags
}

// cxxFlags are the options of the C++ compiler.
func cxxFlags(include string, trace bool) []string {
	vmTrace := "0"
	if trace {
		vmTrace = "1"
	}
	return []string{"-std=gnu++17", "-fno-stack-protector", "-w", "-I.", "-I" + include, "-I" + include + "/vltstd",
		"-DVERILATOR=1", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=" + vmTrace, "-DVM_TRACE_FST=" + vmTrace, "-DVM_TRACE_VCD=0"}
}

// builds serialises builds of one model within this process.
var builds sync.Map // key -> *sync.Mutex

// buildModel returns the model of a design, building it when the cache has none.
func buildModel(ctx context.Context, o *Options) (*model, error) {
	tools, err := findTools()
	if err != nil {
		return nil, err
	}
	cache, err := CacheDir(o.CacheDir)
	if err != nil {
		return nil, err
	}
	harness, err := harnessFiles(o.RTL)
	if err != nil {
		return nil, err
	}
	trace := o.WavePath != ""
	flags := verilateFlags(trace)
	key := modelKey(o.RTL, harness, tools, append(append([]string{}, flags...), cxxFlags("", trace)...))
	lock, _ := builds.LoadOrStore(key, &sync.Mutex{})
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()

	if dir, ok := lookup(cache, key); ok {
		return &model{dir, true}, nil
	}
	tmp, err := os.MkdirTemp(cache, buildPrefix)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	b := &modelBuild{ctx: ctx, o: o, tools: tools, dir: tmp, trace: trace, flags: flags}
	if err := b.run(harness); err != nil {
		return nil, err
	}
	final, err := os.MkdirTemp(cache, buildPrefix)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(final)
	if err := os.Chmod(final, 0o755); err != nil {
		return nil, err
	}
	if err := os.Rename(filepath.Join(tmp, "obj", modelBinary), filepath.Join(final, modelBinary)); err != nil {
		return nil, err
	}
	dir, err := install(cache, key, final)
	if err != nil {
		return nil, err
	}
	prune(cache, keepModels)
	return &model{dir, false}, nil
}

// harnessFiles are the C++ and Verilator files that go with a design.
func harnessFiles(rtl *rtlgen.Output) (map[string]string, error) {
	view := newGlueView(rtl.Signature)
	main, err := rtlgen.Render("harness.cpp.tmpl", view)
	if err != nil {
		return nil, err
	}
	public, err := rtlgen.Render("public.vlt.tmpl", view)
	if err != nil {
		return nil, err
	}
	return map[string]string{"harness.cpp": main, "public.vlt": public, "loom_harness.hpp": harnessHeader}, nil
}

// modelBuild is one build in its own directory.
type modelBuild struct {
	ctx   context.Context
	o     *Options
	tools *toolset
	dir   string
	trace bool
	flags []string
}

func (b *modelBuild) run(harness map[string]string) error {
	obj := filepath.Join(b.dir, "obj")
	if err := os.MkdirAll(obj, 0o755); err != nil {
		return err
	}
	for name, text := range harness {
		if err := os.WriteFile(filepath.Join(obj, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	for _, name := range b.o.RTL.Sources {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(b.o.RTL.Files[name]), 0o644); err != nil {
			return err
		}
	}

	b.o.progress("verilate", 0, 1)
	args := append(append([]string{}, b.flags...), "--top-module", b.o.RTL.Top, "--prefix", "Vmodel", "--Mdir", "obj", "obj/public.vlt")
	if err := run(b.ctx, b.dir, b.tools.verilator, append(args, b.o.RTL.Sources...)...); err != nil {
		return err
	}
	b.o.progress("verilate", 1, 1)
	return b.compile(obj)
}

// compile runs the C++ compiler on every file, the largest first, and links.
func (b *modelBuild) compile(obj string) error {
	sources, err := filepath.Glob(filepath.Join(obj, "*.cpp"))
	if err != nil {
		return err
	}
	size := map[string]int64{}
	for _, s := range sources {
		st, err := os.Stat(s)
		if err != nil {
			return err
		}
		size[s] = st.Size()
	}
	runtimeFiles := []string{"verilated.cpp", "verilated_threads.cpp"}
	if b.trace {
		runtimeFiles = append(runtimeFiles, "verilated_fst_c.cpp")
	}
	for _, r := range runtimeFiles {
		path := filepath.Join(b.tools.include, r)
		st, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("the run-time library of %s is incomplete: %w", b.tools.version, err)
		}
		sources, size[path] = append(sources, path), st.Size()
	}
	sort.Slice(sources, func(i, j int) bool {
		if size[sources[i]] != size[sources[j]] {
			return size[sources[i]] > size[sources[j]]
		}
		return sources[i] < sources[j]
	})

	flags := cxxFlags(b.tools.include, b.trace)
	var objects []string
	for _, s := range sources {
		objects = append(objects, strings.TrimSuffix(filepath.Base(s), ".cpp")+".o")
	}
	if err := b.parallel(len(sources), func(i int) error {
		// What runs once is not worth optimising.
		level := "-O1"
		if strings.HasSuffix(objects[i], "__Slow.o") {
			level = "-O0"
		}
		return run(b.ctx, obj, b.tools.cxx, append(append([]string{}, flags...), level, "-c", sources[i], "-o", objects[i])...)
	}); err != nil {
		return err
	}
	b.o.progress("link", 0, 1)
	link := append([]string{"-o", modelBinary}, objects...)
	if b.trace {
		link = append(link, "-lz")
	}
	link = append(link, "-pthread", "-latomic")
	if err := run(b.ctx, obj, b.tools.cxx, link...); err != nil {
		return err
	}
	b.o.progress("link", 1, 1)
	return nil
}

// parallel runs jobs 0…n-1 on the allowed number of processors and stops at the
// first failure.
func (b *modelBuild) parallel(n int, job func(int) error) error {
	workers := b.o.Jobs
	if workers <= 0 {
		workers = runtime.NumCPU()
	}
	var mu sync.Mutex
	var first error
	next, done := 0, 0
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				mu.Lock()
				if first != nil || next == n {
					mu.Unlock()
					return
				}
				i := next
				next++
				mu.Unlock()
				err := job(i)
				mu.Lock()
				if err != nil && first == nil {
					first = err
				}
				done++
				b.o.progress("compile", done, n)
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	return first
}
