package normalise

import (
	"fmt"
	"sort"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/frontend/clang"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// check looks for everything in the kernel and the functions it calls that cannot
// become hardware, and reports all of it at once.
func (m *module) check(kernel *function, notes, errs *diag.List) {
	c := &checker{m: m, errs: errs, notes: notes, via: map[*function]call{}, library: map[diag.Pos]*diag.Diagnostic{}, volatile: map[any]bool{}}
	c.chains(kernel)
	c.recursion(kernel)
	for _, f := range m.reachable(kernel) {
		c.function(f)
	}
}

// call is one call of a function.
type call struct {
	from *function
	op   *ir.Operation
}

type checker struct {
	m     *module
	errs  *diag.List
	notes *diag.List
	// via is by which call each function is first reached from the kernel.
	via map[*function]call
	// library is what was reported for calls of library functions, by position.
	library map[diag.Pos]*diag.Diagnostic
	// volatile are the variables that were reported as such.
	volatile map[any]bool
}

// chains finds the shortest chain of calls to each function.
func (c *checker) chains(kernel *function) {
	seen := map[*function]bool{kernel: true}
	for work := []*function{kernel}; len(work) > 0; work = work[1:] {
		f := work[0]
		f.op.Walk(func(o *ir.Operation) bool {
			if g := c.m.byName[callee(o)]; g != nil && !seen[g] {
				seen[g] = true
				c.via[g] = call{f, o}
				work = append(work, g)
			}
			return true
		})
	}
}

// report adds a problem of an operation, with the calls that lead to it as notes. What
// happens inside of a library is reported where the program calls it, once.
func (c *checker) report(f *function, op *ir.Operation, help, format string, args ...any) {
	type step struct {
		pos  diag.Pos
		what string
	}
	steps := []step{{position(op), ""}}
	for _, p := range inlinedAt(op) {
		steps = append(steps, step{p, "called from here"})
	}
	for n := 0; n < 20; n++ {
		v, ok := c.via[f]
		if !ok {
			break
		}
		steps = append(steps, step{position(v.op), fmt.Sprintf("%s is called by %s here", f.shown, v.from.shown)})
		for _, p := range inlinedAt(v.op) {
			steps = append(steps, step{p, "called from here"})
		}
		f = v.from
	}
	inside := 0
	for inside < len(steps)-1 && inLibrary(steps[inside].pos) {
		inside++
	}
	d := diag.New(steps[inside].pos, format, args...)
	if help != "" {
		d.WithHelp("%s", help)
	}
	for _, s := range steps[inside+1:] {
		d.WithNote(s.pos, "%s", s.what)
	}
	if inside > 0 {
		// One problem for each call of the library: that it prints is more useful than the
		// operations inside.
		if old := c.library[d.Pos]; old != nil {
			if strings.Contains(d.Message, "input or output") {
				*old = *d
			}
			return
		}
		c.library[d.Pos] = d
	}
	c.errs.Add(d)
}

// inLibrary reports whether a position is in a header of the system.
func inLibrary(p diag.Pos) bool { return clang.IsSystem(p.File) }

// recursion reports every cycle of calls once.
func (c *checker) recursion(kernel *function) {
	const active, done = 1, 2
	state := map[*function]int{}
	var path []*function
	var visit func(f *function)
	visit = func(f *function) {
		state[f] = active
		path = append(path, f)
		f.op.Walk(func(o *ir.Operation) bool {
			g := c.m.byName[callee(o)]
			switch {
			case g == nil:
			case state[g] == active:
				at := len(path) - 1
				for path[at] != g {
					at--
				}
				c.cycle(path[at:], o)
			case state[g] == 0:
				visit(g)
			}
			return true
		})
		path = path[:len(path)-1]
		state[f] = done
	}
	visit(kernel)
}

func (c *checker) cycle(path []*function, back *ir.Operation) {
	const help = "hardware has no call stack: write it as a loop, with an array as the stack where one is needed"
	f := path[len(path)-1]
	if len(path) == 1 {
		c.report(f, back, help, "%s calls itself", f.shown)
		return
	}
	names := make([]string, 0, len(path)+1)
	for _, g := range path {
		names = append(names, g.shown)
	}
	names = append(names, path[0].shown)
	c.report(f, back, help, "recursion: %s", strings.Join(names, " calls "))
}

// function looks at every operation of one function.
func (c *checker) function(f *function) {
	if variadic(f.op) {
		c.report(f, f.op, "give it a fixed list of parameters", "%s takes a variable number of arguments", f.shown)
	}
	f.op.Walk(func(o *ir.Operation) bool {
		if o == f.op {
			return true
		}
		if strings.HasPrefix(o.Name, "llvm.intr.dbg.") {
			return true
		}
		if onHeap(o) || freesLocal(o) {
			return true // becomes a local variable
		}
		if why, help := c.problem(o); why != "" {
			c.report(f, o, help, "%s", why)
			return true
		}
		if t, help := badType(o); t != "" {
			c.report(f, o, help, "%s is not supported", t)
		}
		if o.Attr("volatile_") != nil {
			c.isVolatile(o)
			o.SetAttr("volatile_", nil)
		}
		return true
	})
}

// isVolatile warns of a load or store of volatile memory, once for each variable. Local
// memory is not shared, so it needs no warning.
func (c *checker) isVolatile(o *ir.Operation) {
	v := o.Operand(o.NumOperands() - 1) // the address
	for v.Def != nil && v.Def.Name == opname.LLVMGetElementPtr {
		v = v.Def.Operand(0)
	}
	var variable any = v
	if name := symbol(v); name != "" {
		variable = name
	}
	if c.volatile[variable] || v.Def != nil && v.Def.Name == opname.LLVMAlloca {
		return
	}
	c.volatile[variable] = true
	d := c.notes.Warnf(position(o), "volatile is taken as ordinary memory")
	d.WithHelp("the accelerator's accesses are not seen by others while it runs")
}

func variadic(f *ir.Operation) bool {
	a := f.Attr("function_type")
	return a != nil && strings.Contains(a.String(), "...)>")
}

// inlinedAt are the positions of the calls through which the compiler inlined an
// operation, innermost first.
func inlinedAt(op *ir.Operation) []diag.Pos {
	loc := op.Loc
	var out []diag.Pos
	for len(out) < 20 {
		_, rest, ok := strings.Cut(loc, "callsite(")
		if !ok {
			return out
		}
		at := outerSite(rest)
		if at == "" {
			return out
		}
		if p, ok := sourcePos("loc(" + at + ")"); ok {
			out = append(out, p)
		}
		loc = at
	}
	return out
}

// outerSite is what follows " at " at the top level of a call site.
func outerSite(text string) string {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '(', '[':
			depth++
		case ')', ']':
			depth--
			if depth < 0 {
				return ""
			}
		case ' ':
			if depth == 0 && strings.HasPrefix(text[i:], " at ") {
				return text[i+4:]
			}
		}
	}
	return ""
}

// problem is the reason why an operation cannot be accelerated, and the help.
func (c *checker) problem(o *ir.Operation) (why, help string) {
	switch o.Name {
	case opname.LLVMCall:
		return c.callProblem(o)
	case opname.LLVMInvoke, opname.LLVMLandingPad, opname.LLVMResume:
		return "exceptions cannot be accelerated", "return an error code instead, or compile with -fno-exceptions"
	case opname.LLVMInlineAsm:
		return "inline assembly cannot be accelerated", "write the statement in C"
	case opname.LLVMAtomicRMW, opname.LLVMCmpXchg:
		return "atomic operations cannot be accelerated", "the accelerator is the only one that accesses the arrays while it runs: use ordinary variables"
	case opname.LLVMLoad, opname.LLVMStore:
		if n, ok := o.IntAttr("ordering"); ok && n != 0 {
			return "atomic operations cannot be accelerated", "the accelerator is the only one that accesses the arrays while it runs: use ordinary variables"
		}
	case opname.LLVMIntrVastart, opname.LLVMIntrVaend, opname.LLVMIntrVacopy, opname.LLVMVaArg:
		return "variable arguments cannot be accelerated", "give the function a fixed list of parameters"
	case opname.LLVMIntrStacksave, opname.LLVMIntrStackrestore:
		return "", "" // the alloca between them is reported
	case opname.LLVMAlloca:
		if _, ok := constValue(o.Operand(0)); !ok {
			return "an array whose size is known only at run time cannot be accelerated", "give it a constant size, or pass it as a parameter"
		}
	case opname.LLVMIndirectBr, opname.LLVMBlockAddress, opname.LLVMBlocktag:
		return "computed goto cannot be accelerated", "use a switch"
	case opname.LLVMCallIntrinsic:
		return fmt.Sprintf("the intrinsic %s cannot be accelerated", o.StrAttr("intrin")), "write it in plain C"
	case opname.LLVMMlirAddressOf:
		if s, ok := o.Attr("global_name").(*ir.SymbolRefAttr); ok {
			if g := c.m.global(s.Root); g != nil && g.Attr("thread_local_") != nil {
				return fmt.Sprintf("thread-local variable %s cannot be accelerated", s.Root), "make it an ordinary variable"
			}
		}
	case opname.LLVMAddrSpaceCast:
		return "address spaces are not supported", "use ordinary pointers"
	}
	if !wideOps[o.Name] {
		for _, v := range append(append([]*ir.Value(nil), o.Operands()...), o.Results()...) {
			if isWide(v.Type) {
				return fmt.Sprintf("%s of __int128 (%s) is not supported", strings.TrimPrefix(o.Name, "llvm."), v.Type), "use integers of at most 64 bits; sums, products, shifts and comparisons may have 128"
			}
		}
	}
	if strings.HasPrefix(o.Name, "llvm.intr.coro.") {
		return "coroutines cannot be accelerated", "write it as a loop"
	}
	if strings.HasPrefix(o.Name, "llvm.intr.eh.") || strings.HasPrefix(o.Name, "llvm.eh.") {
		return "setjmp, longjmp and exceptions cannot be accelerated", "return an error code instead"
	}
	return "", ""
}

func (m *module) global(name string) *ir.Operation {
	for _, o := range m.op.Regions[0].Blocks[0].Ops {
		if o.Name == opname.LLVMMlirGlobal && o.SymName() == name {
			return o
		}
	}
	return nil
}

// callProblem is the reason why a call cannot be accelerated.
func (c *checker) callProblem(o *ir.Operation) (why, help string) {
	name := callee(o)
	if ctypeTables[name] != nil {
		return "", ""
	}
	if name == "" {
		return "a call through a function pointer cannot be accelerated", "call the function by its name; a virtual function on the object itself, not through a pointer or reference"
	}
	if c.m.byName[name] != nil || endings[name] != "" {
		return "", ""
	}
	if _, ok := libraryCall(o); ok {
		return "", ""
	}
	if what, _, _, _ := memoryOp(o); what != "" {
		return "", ""
	}
	if strings.HasPrefix(name, clang.Assembly) {
		return "inline assembly cannot be accelerated", "write the statement in C"
	}
	if name == clang.ComputedGoto {
		return "computed goto cannot be accelerated", "use a switch"
	}
	if intr, ok := strings.CutPrefix(name, clang.Intrinsic); ok {
		return fmt.Sprintf("the intrinsic llvm.%s cannot be accelerated", intr), "write it in plain C"
	}
	shown := plainName(name)
	if e := c.m.declared[name]; e != nil {
		_, shown, _ = sourceNames(name, e)
	}
	if r, ok := whyExternal(name); ok {
		if s := operators[name]; s != "" {
			shown = s
		} else if shown == name && strings.HasPrefix(name, "_Z") {
			shown = "this"
			if r == doesIO {
				shown = "the stream"
			}
		}
		return fmt.Sprintf(r.why, shown), r.help
	}
	why = fmt.Sprintf("%s is called, but not defined in this file", shown)
	help = "put its definition into the file (#include it) so that it can be inlined"
	if near := nearest(name, c.m.names()); near != "" {
		help += fmt.Sprintf("; %s is defined here", near)
	}
	return why, help
}

// reason is why functions of the standard library cannot be accelerated. The message
// holds one %s for the name.
type reason struct{ why, help string }

var (
	doesIO    = reason{"%s does input or output, which cannot be accelerated", "move it out of the kernel: return the values, or store them in an array"}
	allocates = reason{"%s allocates memory at run time, which cannot be accelerated", "use an array of constant size, or pass the memory as a parameter"}
	frees     = reason{"%s frees memory, which cannot be accelerated", "use an array of constant size, or pass the memory as a parameter"}
	hidden    = reason{"%s keeps a hidden state, which cannot be accelerated", "write the generator in C and pass its state as a parameter"}
	stops     = reason{"%s ends the program, which cannot be accelerated", "return an error code instead"}
	jumps     = reason{"%s jumps out of functions, which cannot be accelerated", "return an error code instead"}
	system    = reason{"%s asks the operating system, which cannot be accelerated", "call it outside of the kernel and pass the result"}
	threads   = reason{"%s synchronises threads, which cannot be accelerated", "the accelerator is the only one that accesses the arrays while it runs: leave it out"}
	throws    = reason{"%s throws an exception, which cannot be accelerated", "return an error code instead"}
	text      = reason{"%s of the C library is not available in hardware", "write the loop over the characters in the kernel"}
	tables    = reason{"%s looks characters up in the locale of the running program, which cannot be accelerated", "compare with characters instead: c >= '0' && c <= '9'"}
	number    = reason{"%s of the C library is not available in hardware", "write it in C, for example as a series or with a table"}
	callsBack = reason{"%s calls a function through a pointer, which cannot be accelerated", "write the sorting or searching loop in the kernel"}
)

// external are functions that users call in kernels, by reason.
var external = byReason(map[*reason]string{
	&doesIO: `printf puts putchar putc fputc fputs fprintf vprintf vfprintf scanf fscanf getchar getc fgetc fgets gets
		fopen fclose fread fwrite fflush fseek ftell rewind feof ferror perror read write open close getline ungetc
		__printf_chk __fprintf_chk __isoc99_scanf __isoc99_fscanf __isoc23_scanf __isoc23_fscanf putw getw remove rename`,
	&allocates: `malloc calloc realloc reallocarray aligned_alloc posix_memalign memalign valloc strdup strndup alloca
		_Znwm _Znam _Znwj _Znaj _ZnwmSt11align_val_t _ZnamSt11align_val_t _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t`,
	&frees:  `free cfree _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZdlPvSt11align_val_t _ZdaPvSt11align_val_t _ZdlPvmSt11align_val_t`,
	&hidden: `rand srand random srandom drand48 srand48 lrand48 mrand48 erand48 nrand48 jrand48 rand_r strtok`,
	&stops:  `exit _exit _Exit quick_exit atexit raise kill`,
	&jumps:  `setjmp _setjmp longjmp _longjmp sigsetjmp __sigsetjmp siglongjmp`,
	&system: `time clock clock_gettime gettimeofday getenv system sleep usleep nanosleep getpid signal
		__errno_location __error errno localtime gmtime strftime`,
	&throws:    `__cxa_throw __cxa_allocate_exception __cxa_rethrow __cxa_begin_catch __cxa_end_catch`,
	&text:      `strncat strchr strrchr strstr strpbrk strspn strcspn memchr stpcpy strcasecmp strncasecmp atoi atol atoll atof strtol strtoul strtoll strtoull strtod strtof sprintf snprintf vsnprintf sscanf __isoc99_sscanf __isoc23_sscanf __isoc23_strtol __sprintf_chk __snprintf_chk __isoc23_strtoul`,
	&tables:    `setlocale iswalpha iswdigit iswspace towupper towlower mblen mbtowc`,
	&number:    `ilogb j0 j1 jn y0 y1 yn remquo remquof ilogbf sincos sincosf scalb nexttoward lgamma_r div ldiv`,
	&callsBack: `qsort bsearch qsort_r`,
	&threads:   `__cxa_guard_acquire __cxa_guard_release __cxa_guard_abort`,
})

func byReason(m map[*reason]string) map[string]reason {
	out := map[string]reason{}
	for r, names := range m {
		for _, n := range strings.Fields(names) {
			out[n] = *r
		}
	}
	return out
}

// externalPrefixes are families of functions by the start of the linker's name.
var externalPrefixes = []struct {
	prefix string
	reason
}{
	{"pthread_", threads}, {"__atomic_", threads}, {"__sync_", threads}, {"mtx_", threads}, {"sem_", threads},
	{"omp_", threads}, {"__kmpc_", threads},
	{"_ZNSo", doesIO}, {"_ZStls", doesIO}, {"_ZSt4endl", doesIO}, {"_ZNSi", doesIO}, {"_ZStrs", doesIO}, {"_ZSt16__ostream_insert", doesIO},
	{"_ZSt17__throw", throws}, {"_ZSt20__throw", throws}, {"_ZSt24__throw", throws}, {"_ZSt19__throw", throws}, {"_ZSt28__throw", throws},
}

// operators are the names of allocation functions in C++.
var operators = map[string]string{
	"_Znwm": "new", "_Znam": "new[]", "_ZdlPv": "delete", "_ZdaPv": "delete[]", "_ZdlPvm": "delete", "_ZdaPvm": "delete[]",
	"_setjmp": "setjmp", "__sigsetjmp": "setjmp", "__errno_location": "errno",
}

// whyExternal is the reason why an external function cannot be accelerated, where that is known.
func whyExternal(name string) (reason, bool) {
	if r, ok := external[name]; ok {
		return r, true
	}
	for _, p := range externalPrefixes {
		if strings.HasPrefix(name, p.prefix) {
			return p.reason, true
		}
	}
	return reason{}, false
}

// names are the functions defined in the module, as the source names them, sorted.
func (m *module) names() []string {
	var out []string
	for _, f := range m.funcs {
		out = append(out, f.name)
	}
	sort.Strings(out)
	return out
}

// badType names a type of an operation that the accelerator does not compute with.
func badType(o *ir.Operation) (name, help string) {
	for _, v := range append(append([]*ir.Value(nil), o.Results()...), o.Operands()...) {
		t, err := llvm.Parse(v.Type)
		if err != nil {
			if strings.Contains(v.Type.String(), "[") {
				return "a vector of scalable length (" + v.Type.String() + ")", "use loops over arrays"
			}
			continue
		}
		if name, help := unsupportedType(t); name != "" {
			return name, help
		}
	}
	return "", ""
}

func unsupportedType(t *llvm.Type) (name, help string) {
	switch t.Kind {
	case llvm.Float:
		switch t.Name {
		case "f80", "f128":
			return "long double", "use double"
		case "bf16":
			return "half precision (" + t.Name + ")", "use _Float16 or float"
		}
	case llvm.Int:
		if t.Width > 64 && t.Width != 128 {
			return fmt.Sprintf("an integer of %d bits", t.Width), "integers have up to 64 bits"
		}
	case llvm.Array, llvm.Vector:
		return unsupportedType(t.Elem)
	case llvm.StructType:
		for _, f := range t.Fields {
			if name, help := unsupportedType(f); name != "" {
				return name, help
			}
		}
	case llvm.Other:
		if strings.HasPrefix(t.Name, "x86_") || strings.HasPrefix(t.Name, "target") || strings.HasPrefix(t.Name, "ppc_fp128") {
			return "the type " + t.Name, "use plain C types"
		}
	}
	return "", ""
}
