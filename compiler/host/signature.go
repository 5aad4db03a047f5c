package host

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/host/cgen"
	"loom/compiler/ir"
)

// public is the function that a program calls, while it is being written.
type public struct {
	*writer
	names *cgen.Namer
	// decls are the parameters, resultDecls those behind them that take results.
	decls, resultDecls []string
	// args are the expressions for the parameters of what it calls; results take
	// what comes back.
	args    []string
	results []string
	// check, before and after are the statements in front of and behind the call.
	check, before, after []string
	// scratch are the arrays taken from scratch memory, splits the statements that fill
	// them.
	scratch, splits []string
	// pieces are the sizes of what is taken from scratch memory, counts the parameters in them.
	pieces, counts []string
	// apart are the parameters that the hardware does not get from the host.
	apart                []string
	locals, resultLocals []string
	ranges               []stretch
}

// stretch is a part of memory that has to be apart from others.
type stretch struct {
	name string
	// bytes is the expression for its size, "" where it is not known.
	bytes string
	write bool
	rom   bool
	split bool // copied to scratch memory, field by field
	set   int  // what may overlap with each other has the same number, -1 for none
}

// function writes <name>_accel, and <name>_accel_start and <name>_accel_wait where they
// are possible.
func (w *writer) function(params []inner, results []ir.Type) error {
	f := &public{writer: w, names: cgen.NewNamer("dev", "cycles", "status", "k"), args: make([]string, len(params))}
	for i, t := range results {
		f.resultLocals = append(f.resultLocals, fmt.Sprintf("    %s loom_result%d = 0;", cgen.PassedType(t, w.p.IndexWidth), i))
		f.results = append(f.results, fmt.Sprintf("&loom_result%d", i))
	}
	var err error
	if w.p.C != nil {
		err = f.fromC(params, results)
	} else {
		f.fromKernel(params, results)
	}
	if err != nil {
		return err
	}
	for i, a := range f.args {
		if a == "" {
			return fmt.Errorf("host: nothing in the C function stands for parameter %s of the kernel", params[i].name)
		}
	}
	f.overlaps()
	name := cgen.Ident(w.p.function()) + "_accel"
	dev := []string{"loom_accel *dev"}
	doc := "Does what the function does."
	switch {
	case w.p.Host != nil:
		doc += " What stays on the host runs before, between and after the\n * launches of the loop at " + cgen.Comment(w.p.position()) +
			": there are no functions to start it and to wait for it. The\n * processor is free in the hook wait, which is called during each launch."
	case len(f.scratch) > 0:
		doc += " Arrays of structs are put together again after the\n * run: there are no functions to start it and to wait for it."
	}
	if len(f.apart) > 0 {
		doc += "\n * Not read, and NULL if you like, as the hardware reaches them at ports of their own: " + strings.Join(f.apart, ", ") + "."
	}
	f.scratchSize(name)
	f.define(name, doc, dev, f.decls, f.resultDecls)
	f.run()
	if w.p.Host != nil || len(f.scratch) > 0 {
		return nil
	}
	f.define(name+"_start", "Starts it; the arrays belong to the fabric until the wait is over.", dev, f.decls)
	f.start()
	f.define(name+"_wait", "Waits for it as loom_accel_wait does and takes the result.", dev, []string{"uint64_t cycles"}, f.resultDecls)
	f.wait()
	return nil
}

// scratchSize writes the size of the scratch memory that a function needs.
func (f *public) scratchSize(name string) {
	tables := f.p.Binding.Tables
	if len(f.scratch) == 0 && len(f.taken) == 0 && len(tables) == 0 {
		return
	}
	const line = 64 // each piece begins at a multiple of it
	fixed := int64(line - 1)
	var local, computed, uses []string
	for _, a := range f.taken {
		if a.Bytes == 0 {
			computed = append(computed, a.Name)
			continue
		}
		local = append(local, a.Name)
		fixed += (a.Bytes + line - 1) / line * line
	}
	if len(local) > 0 {
		uses = append(uses, "local arrays ("+cgen.Comment(strings.Join(local, ", "))+")")
	}
	if len(f.scratch) > 0 {
		uses = append(uses, "the fields of arrays of structs")
	}
	if len(tables) > 0 {
		fixed += line - 1 // they begin at the end
		uses = append(uses, "constant tables where the fabric does not reach them")
	}
	for _, t := range tables {
		fixed += (int64(len(t.Data)*t.ElemBytes) + line - 1) / line * line
	}
	doc := "Bytes of scratch memory that it needs (loom_accel_set_scratch)"
	if len(uses) > 0 {
		doc += ", for " + strings.Join(uses, " and ")
	}
	if len(computed) > 0 {
		doc += ";\n * on top come those whose sizes the program computes: " + cgen.Comment(strings.Join(computed, ", "))
	}
	size := fmt.Sprintf("%du", fixed)
	for _, p := range f.pieces {
		size += fmt.Sprintf(" + (%s + %du) / %du * %du", p, line-1, line, line)
	}
	if len(f.pieces) > 0 {
		size = "(" + size + ")"
	}
	head := strings.ToUpper(name) + "_SCRATCH"
	if len(f.counts) > 0 {
		head += "(" + strings.Join(f.counts, ", ") + ")"
	}
	f.prototypes = append(f.prototypes, fmt.Sprintf("/* %s. */\n#define %s %s\n", doc, head, size))
}

// define begins a public function.
func (f *public) define(name, doc string, decls ...[]string) {
	head := fmt.Sprintf("int %s(%s)", name, strings.Join(slices.Concat(decls...), ",\n    "))
	f.prototypes = append(f.prototypes, "/* "+doc+" */\n"+head+";\n")
	f.line("\n%s\n{", head)
}

// call is a call of one of the functions of this file.
func call(name string, args ...[]string) string {
	return name + "(" + strings.Join(append([]string{"dev"}, slices.Concat(args...)...), ", ") + ")"
}

// run writes the body of <name>_accel.
func (f *public) run() {
	f.lines = append(append(f.lines, f.resultLocals...), f.locals...)
	f.line("    int status;\n")
	f.lines = append(f.lines, f.check...)
	run := call(f.callee, f.args, f.results)
	if len(f.scratch) == 0 && len(f.taken) == 0 {
		f.line("    status = %s;", run)
		f.finish()
		return
	}
	image := "&loom_image"
	if f.p.Disjoint != nil { // the one that is there
		image = "dev->image == &loom_disjoint_image ? dev->image : &loom_image"
	}
	f.line("    status = loom_accel_load(dev, %s); /* the scratch memory is free when no run is under way */", image)
	f.line("    if (status != LOOM_ACCEL_OK)")
	f.line("        return status;")
	f.line("    loom_accel_release(dev);")
	f.lines = append(f.lines, f.before...)
	if len(f.scratch) > 0 {
		f.line("    if (%s)", strings.Join(f.scratch, " == NULL || ")+" == NULL")
		f.line("        return LOOM_ACCEL_NO_MEMORY;")
	}
	f.lines = append(f.lines, f.splits...)
	f.line("    status = %s;", run)
	f.finish()
}

// finish writes what follows the run.
func (f *public) finish() {
	if len(f.after) > 0 {
		f.line("    if (status != LOOM_ACCEL_OK)")
		f.line("        return status;")
		f.lines = append(f.lines, f.after...)
	}
	f.line("    return status;\n}")
}

// start writes the body of <name>_accel_start.
func (f *public) start() {
	f.lines = append(append(f.lines, f.locals...), f.check...)
	f.line("    %s;", call("loom_setup", f.args))
	f.line("    return loom_accel_start(dev);\n}")
}

// wait writes the body of <name>_accel_wait.
func (f *public) wait() {
	f.lines = append(f.lines, f.resultLocals...)
	f.line("    int status = loom_accel_wait(dev, cycles);\n")
	if len(f.after) > 0 {
		f.line("    if (status != LOOM_ACCEL_OK)")
		f.line("        return status;")
		if len(f.results) > 0 {
			f.line("    %s;", call("loom_results", f.results))
		}
		f.lines = append(f.lines, f.after...)
	}
	f.line("    return status;\n}")
}

// fromKernel gives the function the kernel's own parameters.
func (f *public) fromKernel(params []inner, results []ir.Type) {
	for i, q := range params {
		name := f.names.Pick(q.name)
		mt, isMem := q.t.(*ir.MemRefType)
		switch {
		case q.dim >= 0:
			f.decls = append(f.decls, "uint64_t "+name)
			f.args[i] = f.cut(name, ir.Index)
		case isMem:
			f.decls = append(f.decls, CType(mt.Elem)+" *"+name+" /* "+mt.String()+" */")
			if f.p.Apart[i] {
				f.ignore(name)
			}
			f.args[i] = pointer(cgen.PassedType(mt.Elem, f.p.IndexWidth), name)
		default:
			f.decls = append(f.decls, CType(q.t)+" "+name+" /* "+q.t.String()+" */")
			f.args[i] = f.cut(name, q.t)
		}
	}
	for i, t := range results {
		name := f.names.Pick(fmt.Sprintf("result%d", i))
		f.resultDecls = append(f.resultDecls, CType(t)+" *"+name+" /* "+t.String()+" */")
		f.after = append(f.after, fmt.Sprintf("    *%s = (%s)loom_result%d;", name, CType(t), i))
	}
}

// ignore notes a parameter that the hardware does not get from the host.
func (f *public) ignore(name string) {
	if !slices.Contains(f.apart, name) {
		f.apart = append(f.apart, name)
		f.check = append(f.check, fmt.Sprintf("    (void)%s; /* it has ports of its own */", name))
	}
}

// pointer is a pointer to the program's data as one that the kernel's functions take. It goes
// through an integer because it may lose a const: they do not write to such data.
func pointer(ctype, name string) string { return "(" + ctype + " *)(uintptr_t)" + name }

// cut is a number of the caller's as the kernel's type.
func (f *public) cut(expr string, t ir.Type) string {
	if ir.IsFloat(t) {
		return expr
	}
	w, _ := ir.BitWidth(t, f.p.IndexWidth)
	c := cgen.PassedType(t, f.p.IndexWidth)
	switch w {
	case 8, 16, 32, 64:
		return "(" + c + ")" + expr
	}
	return fmt.Sprintf("(%s)((uint64_t)%s & UINT64_C(0x%x))", c, expr, uint64(1)<<w-1)
}

// fromC gives the function the parameters of the C function.
func (f *public) fromC(params []inner, results []ir.Type) error {
	var counts []string
	sets := f.aliasSets(params)
	for i := range f.p.C.Params {
		p := &f.p.C.Params[i]
		name := p.Name
		if name == "" {
			name = fmt.Sprintf("arg%d", i)
		}
		name = f.names.Pick(name)
		var err error
		switch p.Class {
		case cabi.Scalar:
			err = f.scalar(p, name, params)
		default:
			err = f.memory(p, name, params, sets, &counts)
		}
		if err != nil {
			return err
		}
		if len(p.Pieces) == 0 {
			f.check = append(f.check, fmt.Sprintf("    (void)%s; /* the kernel does not use it */", name))
		}
	}
	f.decls = append(f.decls, counts...)
	return f.result(results)
}

// pieceOf finds the parameter of the kernel that a piece is.
func (f *public) pieceOf(q cabi.Piece, params []inner) (int, error) {
	at, ok := f.position[q.Index]
	if !ok || at >= len(params) {
		return 0, fmt.Errorf("host: the description of the C function names parameter %d of %d", q.Index, len(params))
	}
	return at, nil
}

// scalar passes a number. An index that is narrower than the number is checked.
func (f *public) scalar(p *cabi.Param, name string, params []inner) error {
	t := scalarType(p)
	f.decls = append(f.decls, t+" "+name)
	for _, q := range p.Pieces {
		at, err := f.pieceOf(q, params)
		if err != nil {
			return err
		}
		kt := params[at].t
		w, _ := ir.BitWidth(kt, f.p.IndexWidth)
		switch {
		case isBool(p):
			f.args[at] = fmt.Sprintf("(%s)(%s != 0)", cgen.PassedType(kt, f.p.IndexWidth), name)
			continue
		case kt == ir.Type(ir.Index) && int64(w) < 8*p.Size && !isFloatType(t):
			high := fmt.Sprintf("INT64_C(%d)", int64(1)<<(w-1)-1)
			cond := fmt.Sprintf("%s > (%s)%s || %s < -(%s)%s - 1", name, t, high, name, t, high)
			if p.Unsigned {
				cond = fmt.Sprintf("%s > (%s)%s", name, t, high)
			}
			f.check = append(f.check, fmt.Sprintf("    if (%s)\n        return LOOM_ACCEL_OUT_OF_RANGE; /* the fabric counts with %d bits */", cond, w))
		}
		f.args[at] = f.cut(name, kt)
	}
	return nil
}

func isFloatType(t string) bool { return t == "float" || t == "double" }

func (f *public) bytes(t ir.Type) int64 { return cgen.ElemBytes(t, f.p.IndexWidth) }

// memory passes an array, a struct or a global variable. An array of structs is split
// into one array per field and put together again afterwards.
func (f *public) memory(p *cabi.Param, name string, params []inner, sets []int, counts *[]string) error {
	decl := pointerDecl(p, name)
	f.decls = append(f.decls, decl)
	write := !isConst(p) && p.Class != cabi.Struct
	count := ""
	for _, q := range p.Pieces {
		at, err := f.pieceOf(q, params)
		if err != nil {
			return err
		}
		mt, isMem := params[at].t.(*ir.MemRefType)
		if !isMem {
			f.field(p, q, name, at, params[at].t)
			continue
		}
		c := cgen.PassedType(mt.Elem, f.p.IndexWidth)
		set := sets[at]
		for d := at + 1; d < len(params) && params[d].dim >= 0; d++ {
			// Extents beyond those of the type are not known to C.
			f.args[d] = "0"
		}
		if f.p.Apart[at] {
			f.ignore(name)
			f.args[at] = "NULL"
			continue
		}
		if p.Class != cabi.Struct && len(p.Pieces) == 1 && q.Offset == 0 && (q.Stride == 0 || q.Stride == f.bytes(mt.Elem)) {
			f.args[at] = pointer(c, name)
			e := stretch{name: name, write: write && !f.rom(at), rom: f.rom(at), set: set}
			if n, ok := mt.NumElements(); ok {
				e.bytes = fmt.Sprintf("%d", n*f.bytes(mt.Elem))
			}
			f.ranges = append(f.ranges, e)
			continue
		}
		n, known := mt.NumElements()
		if known && p.Class != cabi.Struct && p.Size > 0 && (q.Stride == f.bytes(mt.Elem) || n == 1) {
			// An array or a number in a struct stays where it is.
			f.args[at] = fmt.Sprintf("(%s *)((uintptr_t)%s + %du)", c, name, q.Offset)
			if !slices.ContainsFunc(f.ranges, func(s stretch) bool { return s.name == name }) {
				f.ranges = append(f.ranges, stretch{name: name, bytes: fmt.Sprint(p.Size), write: write && !f.rom(at), rom: f.rom(at), set: set})
			}
			continue
		}
		switch {
		case known:
			count = fmt.Sprintf("(size_t)%d", n)
		case p.Class == cabi.Global && q.Stride > 0:
			count = fmt.Sprintf("(size_t)%d", p.Size/q.Stride)
		case count == "":
			count = f.names.Pick(p.Name + "_count")
			*counts = append(*counts, "size_t "+count+" /* records of "+name+" */")
		}
		array := f.names.Pick(name + "_" + strings.ReplaceAll(q.Field, ".", "_"))
		f.locals = append(f.locals, fmt.Sprintf("    %s *%s;", c, array))
		take := fmt.Sprintf("(%s *)loom_accel_scratch(dev, %s * sizeof *%s)", c, count, array)
		if !known {
			take = fmt.Sprintf("%s > SIZE_MAX / sizeof *%s ? NULL : %s", count, array, take)
		}
		f.before = append(f.before, fmt.Sprintf("    %s = %s;", array, take))
		f.scratch = append(f.scratch, array)
		records := count
		if !strings.HasPrefix(count, "(size_t)") {
			records = "(size_t)(" + count + ")"
			if !slices.Contains(f.counts, count) {
				f.counts = append(f.counts, count)
			}
		}
		f.pieces = append(f.pieces, fmt.Sprintf("%s * %du", records, f.bytes(mt.Elem)))
		copying := func(from, to string) string {
			return fmt.Sprintf("    for (size_t k = 0; k < %s; k++)\n        memcpy(%s, %s, sizeof *%s);", count, to, from, array)
		}
		outside := func(qualified string) string {
			return fmt.Sprintf("(%schar *)%s + (k * %du + %du)", qualified, name, q.Stride, q.Offset)
		}
		f.splits = append(f.splits, copying(outside("const "), array+" + k"))
		if write && !f.rom(at) {
			f.after = append(f.after, copying(array+" + k", outside("")))
		}
		f.args[at] = array
		if q.Offset == 0 || len(p.Pieces) == 1 {
			f.ranges = append(f.ranges, stretch{name: name, bytes: fmt.Sprintf("%s * %du", count, q.Stride), write: write && !f.rom(at), rom: f.rom(at), split: true, set: set})
		}
	}
	return nil
}

// field reads a number out of a struct.
func (f *public) field(p *cabi.Param, q cabi.Piece, name string, at int, t ir.Type) {
	c := cgen.PassedType(t, f.p.IndexWidth)
	if t == ir.Type(ir.Index) {
		c = "uint64_t" // it was a 64-bit number in the source
	}
	local := f.names.Pick(name + "_" + strings.ReplaceAll(q.Field, ".", "_"))
	f.locals = append(f.locals, fmt.Sprintf("    %s %s;", c, local))
	f.check = append(f.check, fmt.Sprintf("    memcpy(&%s, (const char *)%s + %d, sizeof %s);", local, name, q.Offset, local))
	if w, _ := ir.BitWidth(t, f.p.IndexWidth); t == ir.Type(ir.Index) && w < 64 {
		f.check = append(f.check, fmt.Sprintf("    if ((int64_t)%s != (int%d_t)%s)\n        return LOOM_ACCEL_OUT_OF_RANGE; /* the fabric counts with %d bits */", local, w, local, w))
	}
	f.args[at] = f.cut(local, t)
}

// result hands out what the function returns.
func (f *public) result(results []ir.Type) error {
	r := f.p.C.Result
	if r == nil {
		return nil
	}
	name := f.names.Pick("result")
	for _, q := range r.Pieces {
		if q.Index < 0 || q.Index >= len(results) {
			return fmt.Errorf("host: the description of the C function names result %d of %d", q.Index, len(results))
		}
		if r.Class == cabi.Struct {
			f.after = append(f.after, fmt.Sprintf("    memcpy((char *)%s + %d, &loom_result%d, sizeof loom_result%d);", name, q.Offset, q.Index, q.Index))
			continue
		}
		t := scalarType(r)
		value := fmt.Sprintf("loom_result%d", q.Index)
		if w, _ := ir.BitWidth(results[q.Index], f.p.IndexWidth); results[q.Index] == ir.Type(ir.Index) && int64(w) < 8*r.Size && !r.Unsigned {
			value = fmt.Sprintf("(int%d_t)%s", w, value)
		}
		f.after = append(f.after, fmt.Sprintf("    *%s = (%s)%s;", name, t, value))
	}
	switch {
	case r.Class == cabi.Struct:
		f.resultDecls = append(f.resultDecls, "void *"+name)
	default:
		f.resultDecls = append(f.resultDecls, scalarType(r)+" *"+name)
	}
	switch {
	case len(r.Pieces) > 0:
	case r.Class == cabi.Scalar: // the original returns nothing that is defined
		f.after = append(f.after, fmt.Sprintf("    *%s = 0;", name))
	default:
		f.after = append(f.after, fmt.Sprintf("    (void)%s;", name))
	}
	return nil
}

// aliasSets numbers the sets of parameters that may overlap.
func (f *public) aliasSets(params []inner) []int {
	out := make([]int, len(params))
	for i := range out {
		out[i] = -1
	}
	fn := f.p.marked()
	if fn == nil {
		return out
	}
	first, err := cabi.Aliases(fn, fn.Regions[0].Entry().Args)
	if err != nil {
		return out
	}
	for arg, leader := range first {
		if at, ok := f.position[arg]; ok && at < len(out) && leader >= 0 {
			out[at] = leader
		}
	}
	return out
}

// rom reports whether nobody writes what a parameter points to.
func (f *public) rom(at int) bool {
	fn := f.p.marked()
	if fn == nil {
		return false
	}
	roms, err := cabi.ReadROM(fn, fn.Regions[0].Entry().Args)
	for arg, rom := range roms {
		if k, ok := f.position[arg]; err == nil && rom && ok && k == at {
			return true
		}
	}
	return false
}

// marked is the function whose attributes tell what holds of the parameters, nil for none.
func (p *Program) marked() *ir.Operation {
	fn := p.Host
	if fn == nil {
		fn = p.Graph
	}
	if fn == nil || len(fn.Regions) == 0 || fn.Regions[0].Entry() == nil {
		return nil
	}
	return fn
}

// overlaps checks arrays that were assumed to be distinct, those that nobody else may write, and those of structs, whose
// fields are copies: by their first addresses, and by their extents where these are known.
func (f *public) overlaps() {
	var copies []string // behind the check that there is room for as many
	defer func() { f.splits = append(copies, f.splits...) }()
	for i, a := range f.ranges {
		for _, b := range f.ranges[i+1:] {
			if !a.write && !b.write || a.name == b.name {
				continue
			}
			why := "they were assumed to be apart"
			switch {
			case a.split || b.split:
				why = "their fields are copied"
			case !f.p.Distinct && !a.rom && !b.rom || a.set >= 0 && a.set == b.set:
				continue
			}
			cond := fmt.Sprintf("(const void *)%s == (const void *)%s", a.name, b.name)
			behind := func(x, of stretch) string { // x begins in front of the end of the other
				return fmt.Sprintf("(uintptr_t)%s < (uintptr_t)%s + %s", x.name, of.name, of.bytes)
			}
			from := func(x, of stretch) string {
				return fmt.Sprintf("(uintptr_t)%s >= (uintptr_t)%s", x.name, of.name)
			}
			switch {
			case a.bytes != "" && b.bytes != "":
				cond = behind(a, b) + " && " + behind(b, a)
			case a.bytes != "" && a.split:
				cond = from(b, a) + " && " + behind(b, a)
			case b.bytes != "" && b.split:
				cond = from(a, b) + " && " + behind(a, b)
			}
			list := &f.check
			if a.split || b.split {
				list = &copies
			}
			*list = append(*list, fmt.Sprintf("    if (%s)\n        return LOOM_ACCEL_OVERLAP; /* %s */", cond, why))
		}
	}
}
