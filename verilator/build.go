package verilator

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"

	"loom/internal/cache"
	"loom/internal/precompiled"
	"loom/rtl"
	"loom/rtlgen"
	"loom/templates"
)

//go:embed harness/*.hpp
var embedded embed.FS

// harnessHeaders are the files of the harness that do not depend on the design.
var harnessHeaders fs.FS = embedded

// modelBinary is the executable of a built model.
const modelBinary = "model"

// model is a built model.
type model struct {
	dir string
	hit bool // found in the cache
}

// verilateFlags are the options of Verilator. Assertions and unknown values cost
// time and find nothing that the harness does not; loops stay loops, which halves
// the text of the switches; trees of bit operations are left as they are, whose
// simplification takes time with the square of the fabric (two thirds of Verilator's
// for 144 PEs) and saves none in a run; --output-split keeps the compiler's files
// small enough to share between processors.
func verilateFlags(trace bool) []string {
	flags := []string{"--cc", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--noassert", "--unroll-stmts", "1",
		"-fno-const-bit-op-tree", "--output-split", "20000", "--output-split-cfuncs", "500", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-UNOPTFLAT"}
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

// brief is the number of cycles up to which a run is over sooner with a model that is compiled without optimisation:
// mesh6x6 takes 15 seconds of one processor in place of 25 then, and 0.36 ms per cycle in place of 0.08.
const brief = 10_000

// The levels of optimisation of what runs in every cycle.
const (
	optimised = "-O1"
	quick     = "-O0"
)

// buildModel returns the model of a design, building it when the cache has none. One for a brief run is
// not optimised, unless there is one that is.
func buildModel(ctx context.Context, o *Options) (*model, error) {
	found, err := findTools()
	if err != nil {
		return nil, err
	}
	store, err := cache.Open(o.CacheDir, cacheKind)
	if err != nil {
		return nil, err
	}
	h, err := newHarness(o)
	if err != nil {
		return nil, err
	}
	trace := o.waves()
	flags := verilateFlags(trace)
	level := optimised
	all := append(append([]string{}, flags...), cxxFlags("", trace)...)
	key := modelKey(o.RTL, h.files, found, all)
	if _, ok := lookup(store, key); !ok && o.cycles > 0 && o.cycles <= brief {
		level = quick
		key = modelKey(o.RTL, h.files, found, append(all, level))
	}
	lock, _ := builds.LoadOrStore(key, &sync.Mutex{})
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()

	if dir, ok := lookup(store, key); ok {
		return &model{dir, true}, nil
	}
	m, err := makeModel(ctx, o, found, store, key, level, h, flags)
	return m, cache.Explain(store, err)
}

// makeModel builds the model of that key into the cache, or finds it there when another
// process was building it.
func makeModel(ctx context.Context, o *Options, found *toolset, store, key, level string, h *harness, flags []string) (*model, error) {
	unlock, err := lockFile(ctx, filepath.Join(store, key+lockSuffix))
	if err != nil {
		return nil, err
	}
	defer unlock()
	if dir, ok := lookup(store, key); ok {
		return &model{dir, true}, nil // built by the process that had the lock
	}
	tmp, err := os.MkdirTemp(store, buildPrefix)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	built := announce(o, store, level)
	b := &modelBuild{ctx: ctx, o: o, tools: found, cache: store, dir: tmp, trace: o.waves(), flags: flags, level: level, harness: h}
	if err := b.run(); err != nil {
		return nil, cache.Explain(store, err) // while what was written is still there
	}
	built()
	final, err := os.MkdirTemp(store, buildPrefix)
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
	dir, err := install(store, key, final)
	if err != nil {
		return nil, err
	}
	prune(store, keepModels)
	return &model{dir, false}, nil
}

// harness is what is built around a design.
type harness struct {
	// top is the module that Verilator builds, in a file of its name; public is set where
	// publicFile names signals that the harness reads.
	top    string
	files  map[string]string
	public bool
	// object is set for a device that programs are linked with: an object file instead of an
	// executable.
	object bool
}

func newHarness(o *Options) (*harness, error) {
	if o.circuit != nil {
		return newDirectHarness(o)
	}
	if !o.device {
		files, err := harnessFiles(o.RTL)
		return &harness{top: wrapper, files: files, public: true}, err
	}
	files, err := harnessText(newDeviceView(o.RTL), map[string]string{"harness.cpp": "hostsim.cpp.tmpl", deviceWrapper + ".sv": "hostsim.sv.tmpl"})
	return &harness{top: deviceWrapper, files: files, object: true}, err
}

// harnessFiles are the C++ and Verilator files for a co-simulation in lock-step.
func harnessFiles(design *rtlgen.Output) (map[string]string, error) {
	return harnessText(newGlueView(design.Signature),
		map[string]string{"harness.cpp": "harness.cpp.tmpl", publicFile: "public.vlt.tmpl", wrapper + ".sv": "cosim.sv.tmpl"})
}

// harnessText renders templates by file name and adds the files that are the same for
// every design.
func harnessText(view glueView, generated map[string]string) (map[string]string, error) {
	files := map[string]string{checkerFile: rtl.AXIChecker}
	for name, template := range generated {
		text, err := templates.Render(template, view)
		if err != nil {
			return nil, err
		}
		files[name] = text
	}
	headers, err := fs.ReadDir(harnessHeaders, "harness")
	if err != nil {
		return nil, err
	}
	for _, h := range headers {
		text, err := fs.ReadFile(harnessHeaders, "harness/"+h.Name())
		if err != nil {
			return nil, err
		}
		files[h.Name()] = string(text)
	}
	return files, nil
}

// The harness files that Verilator reads.
const (
	publicFile  = "public.vlt"
	checkerFile = "f_axi4.sv"
)

// modelBuild is one build in its own directory.
type modelBuild struct {
	ctx   context.Context
	o     *Options
	tools *toolset
	cache string
	dir   string
	trace bool
	flags []string
	level string // of optimisation of what runs in every cycle

	harness *harness
}

func (b *modelBuild) run() error {
	obj := filepath.Join(b.dir, "obj")
	if err := os.MkdirAll(obj, 0o755); err != nil {
		return err
	}
	for name, text := range b.harness.files {
		if err := os.WriteFile(filepath.Join(obj, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	for _, name := range b.o.RTL.Sources {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(b.o.RTL.Files[name]), 0o644); err != nil {
			return err
		}
	}

	// Verilator uses one processor; the run-time library keeps the other busy.
	type objects struct {
		files []string
		err   error
	}
	library := make(chan objects, 1)
	go func() {
		files, err := b.library()
		library <- objects{files, err}
	}()
	b.o.progress("verilate", 0, 1)
	args := append(append([]string{}, b.flags...), "--top-module", b.harness.top, "--prefix", "Vmodel", "--Mdir", "obj")
	if b.harness.public {
		args = append(args, "obj/"+publicFile)
	}
	args = append(args, b.o.RTL.Sources...)
	if b.harness.files[b.harness.top+".sv"] != "" { // else the design is its own top
		args = append(args, "obj/"+checkerFile, "obj/"+b.harness.top+".sv")
	}
	err := run(b.ctx, b.dir, b.tools.verilator, args...)
	lib := <-library
	if err := errors.Join(err, lib.err); err != nil {
		return err
	}
	b.o.progress("verilate", 1, 1)
	return b.compile(obj, lib.files)
}

// unitBytes is how much generated text goes into one run of the C++ compiler at
// most, files that are larger by themselves aside. Every run reads the class of the
// whole model, which for a large fabric costs as much as compiling a megabyte; so
// the units are as large as sharing them between processors allows.
const unitBytes = 6 << 20

// unit is one run of the C++ compiler over some of the generated files.
type unit struct {
	name  string
	files []string
	size  int64
	level string
}

// smallBytes is the generated text up to which a model that is not optimised is one run of the compiler: the
// headers of the standard library take longer than what a second processor would do meanwhile.
const smallBytes = 2 << 20

// units spreads the generated files over runs of the compiler: what runs in every
// cycle is optimised, what runs once is not. The order is that of the names, the
// result the same for the same files.
func units(obj, level string) ([]unit, error) {
	sources, err := filepath.Glob(filepath.Join(obj, "*.cpp"))
	if err != nil {
		return nil, err
	}
	sort.Strings(sources)
	sizes, total := make([]int64, len(sources)), int64(0)
	for i, path := range sources {
		st, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		sizes[i] = st.Size()
		total += sizes[i]
	}
	together := level == quick && total <= smallBytes
	groups := map[bool][]unit{}
	for i, path := range sources {
		slow := strings.HasSuffix(path, "__Slow.cpp") && !together
		g := groups[slow]
		if n := len(g); n == 0 || g[n-1].size+sizes[i] > unitBytes {
			x := unit{name: fmt.Sprintf("fast%d", n), level: level}
			if slow {
				x = unit{name: fmt.Sprintf("slow%d", n), level: quick}
			}
			g = append(g, x)
		}
		u := &g[len(g)-1]
		u.files, u.size = append(u.files, filepath.Base(path)), u.size+sizes[i]
		groups[slow] = g
	}
	out := append(groups[false], groups[true]...)
	// The longest jobs first: optimised ones take about three times as long.
	weight := func(u unit) int64 {
		if u.level == optimised {
			return 3 * u.size
		}
		return u.size
	}
	sort.SliceStable(out, func(i, j int) bool { return weight(out[i]) > weight(out[j]) })
	return out, nil
}

// compile runs the C++ compiler over all units and links them with the run-time
// library.
func (b *modelBuild) compile(obj string, library []string) error {
	list, err := units(obj, b.level)
	if err != nil {
		return err
	}
	objects := make([]string, len(list))
	for i, u := range list {
		var text strings.Builder
		for _, f := range u.files {
			fmt.Fprintf(&text, "#include %q\n", f)
		}
		if err := os.WriteFile(filepath.Join(obj, u.name+".unit.cpp"), []byte(text.String()), 0o644); err != nil {
			return err
		}
		objects[i] = u.name + ".o"
	}
	if err := b.parallel(len(list), func(i int) error {
		args := append(b.compiler(list[i].level), "-c", list[i].name+".unit.cpp", "-o", objects[i])
		return run(b.ctx, obj, b.tools.cxx, args...)
	}); err != nil {
		return err
	}
	b.o.progress("link", 0, 1)
	link := append(append([]string{"-o", modelBinary}, objects...), library...)
	if b.harness.object {
		link = append(link, "-r", "-nostdlib")
	} else {
		link = append(link, libraries(b.trace)...)
	}
	if err := run(b.ctx, obj, b.tools.cxx, link...); err != nil {
		return err
	}
	b.o.progress("link", 1, 1)
	return nil
}

// compiler are the flags of a run of the C++ compiler.
func (b *modelBuild) compiler(level string) []string {
	flags := cxxFlags(b.tools.include, b.trace)
	header := precompiled.Flags(b.ctx, b.o.CacheDir, b.tools.cxx, flags, level, filepath.Join(b.tools.include, "verilated.h"))
	return slices.Concat(flags, []string{level}, header)
}

// libraries are what a program with a model is linked with.
func libraries(trace bool) []string {
	if trace {
		return []string{"-lz", "-pthread", "-latomic"}
	}
	return []string{"-pthread", "-latomic"}
}

// library returns the object files of Verilator's run-time library, which all
// models share: compiled once per compiler and set of options.
func (b *modelBuild) library() ([]string, error) {
	files := []string{"verilated", "verilated_threads"}
	if b.trace {
		files = append(files, "verilated_fst_c")
	}
	flags := cxxFlags(b.tools.include, b.trace)
	sum := sha256.Sum256([]byte(fmt.Sprintf("%s\n%s\n%q\n%q", b.tools.version, b.tools.cxx, flags, files)))
	key := libraryPrefix + hex.EncodeToString(sum[:8])
	lock, _ := builds.LoadOrStore(key, &sync.Mutex{})
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()

	dir := filepath.Join(b.cache, key)
	objects := make([]string, len(files))
	missing := false
	for i, f := range files {
		objects[i] = filepath.Join(dir, f+".o")
		if _, err := os.Stat(objects[i]); err != nil {
			missing = true
		}
	}
	if !missing {
		return objects, nil
	}
	tmp, err := os.MkdirTemp(b.cache, buildPrefix)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	for _, f := range files {
		args := append(b.compiler(optimised), "-c", filepath.Join(b.tools.include, f+".cpp"), "-o", filepath.Join(tmp, f+".o"))
		if err := run(b.ctx, tmp, b.tools.cxx, args...); err != nil {
			return nil, err
		}
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return nil, err
	}
	if err := os.Rename(tmp, dir); err != nil {
		// Another process was faster, or what lies there is incomplete.
		for _, o := range objects {
			if _, statErr := os.Stat(o); statErr != nil {
				return nil, errors.Join(err, os.RemoveAll(dir))
			}
		}
	}
	return objects, nil
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
