package host

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/config"
	"loom/compiler/host/cgen"
	"loom/compiler/ir"
	"loom/compiler/mapping"
)

// Program is a C function, or one of which a loop became hardware, with all that its
// host code is made from.
type Program struct {
	Binding *mapping.Binding
	Layout  *config.Layout
	// Name is the stem of the files, <dfg>; Hardware what the kernel runs on, for comments
	// ("fabric mesh6x6"), ConfigHeader the file name of its config.h.
	Name, Hardware, ConfigHeader string
	// Apart are the numbers of the arrays that the hardware reaches at ports of their own, so that
	// they are no matter of the host's. A function of which a loop became hardware has none.
	Apart map[int]bool
	// IndexWidth is the hardware's width of index.
	IndexWidth int
	// C describes the C function, nil for a kernel that came from none.
	C *cabi.Function
	// Module, Host and Kernel are set where a loop is the domain: the function that
	// is left and calls Kernel, and the kernel, both in Module.
	Module, Host, Kernel *ir.Operation
	// Graph is the handshake.func, for its attribute of parameters that may overlap.
	Graph *ir.Operation
	// Distinct requests a check by address ranges that arrays which were declared
	// distinct to the compiler (--assume-no-alias) do not overlap.
	Distinct bool
	// Disjoint is a second image, for runs whose arrays do not overlap; nil for none.
	Disjoint *Disjoint
}

// inner is a parameter or result of the kernel or of what is left of the function, as
// package cgen declares it.
type inner struct {
	name, decl string
	t          ir.Type
	dim        int // of a memref's extent, -1 otherwise
}

// Source returns <dfg>_host.h and <dfg>_host.c: a function with the parameters of the
// original one that arranges its data as the kernel wants them, runs the kernel and what is
// left of the function, and returns what loom_accel returned. Where the whole function is
// the kernel and no data are rearranged there is also a pair of functions that start it
// and wait for it.
func (p *Program) Source() (header, source []byte, err error) {
	w := &writer{p: p, headers: map[string]bool{"<stddef.h>": true, "<stdint.h>": true}}
	var body string
	var params []inner
	var results []ir.Type
	launch := make([]cgen.Param, 0, len(p.Binding.Args))
	w.callee = "loom_launch"
	if p.Host != nil {
		u := cgen.New(p.Module, cgen.Options{
			IndexWidth: p.IndexWidth, ContextDecl: "loom_accel *dev", Context: "dev",
			External: map[string]cgen.External{p.Kernel.SymName(): {Name: "loom_launch"}},
			Take:     "loom_accel_scratch", Release: "loom_accel_release_from", NoMemory: "LOOM_ACCEL_NO_MEMORY",
		})
		w.callee = cgen.Ident(p.Host.SymName()) + "_host"
		if err := u.Function(p.Host, w.callee, true); err != nil {
			return nil, nil, err
		}
		w.callee = u.Name(p.Host)
		for _, h := range u.Headers() {
			w.headers[h] = true
		}
		body = u.Text()
		w.taken = u.Taken()
		kernel, err := u.Params(p.Kernel)
		if err != nil {
			return nil, nil, err
		}
		launch = kernel
		outer, err := u.Params(p.Host)
		if err != nil {
			return nil, nil, err
		}
		args := p.Host.Regions[0].Entry().Args
		for _, q := range outer {
			switch {
			case q.Result >= 0:
				results = append(results, p.resultTypes()[q.Result])
			default:
				params = append(params, inner{q.Name, q.Decl, args[q.Arg].Type, q.Dim})
			}
		}
		w.position = positionsOf(outer)
	} else {
		n := cgen.NewNamer("dev", "status", "address", "bits", "i")
		for i, a := range p.Binding.Args {
			q := cgen.Param{Arg: i, Result: -1, Dim: -1, Name: n.Pick(a.Name)}
			c := cgen.PassedType(a.Type, p.IndexWidth) + " "
			if m, ok := a.Type.(*ir.MemRefType); ok {
				c = cgen.PassedType(m.Elem, p.IndexWidth) + " *"
			}
			if strings.HasPrefix(c, " ") {
				return nil, nil, fmt.Errorf("host: a value of type %s has no C type", a.Type)
			}
			q.Decl = c + q.Name
			launch = append(launch, q)
			params = append(params, inner{q.Name, q.Decl, a.Type, -1})
		}
		for i, r := range p.Binding.Results {
			name := n.Pick(fmt.Sprintf("result%d", i))
			launch = append(launch, cgen.Param{Arg: -1, Result: i, Dim: -1, Name: name, Decl: cgen.PassedType(r.Type, p.IndexWidth) + " *" + name})
			results = append(results, r.Type)
		}
		w.position = positionsOf(launch)
	}
	w.images = []*image{{binding: p.Binding, name: "loom", names: "loom_runtime"}}
	if p.Disjoint != nil {
		w.images[0].names = p.Disjoint.Prefix
		w.images = append(w.images, &image{binding: p.Disjoint.Binding, name: "loom_disjoint", names: p.Disjoint.OwnPrefix})
	}
	if err := w.launch(launch); err != nil {
		return nil, nil, err
	}
	text := w.text()
	w.lines = nil
	if err := w.function(params, results); err != nil {
		return nil, nil, err
	}
	public := w.text()
	if regexp.MustCompile(`\bmem(cpy|set|move)\(`).MatchString(text + body + public) {
		w.headers["<string.h>"] = true // which a freestanding implementation need not have
	}
	var h, c strings.Builder
	p.header(&h, w.prototypes)
	w.preamble(&c)
	c.WriteString(text)
	if body != "" {
		c.WriteString("\n/* What is left of the function; the loop at " + cgen.Comment(p.position()) + " is a call. */\n" + body)
	}
	c.WriteString(public)
	return []byte(h.String()), []byte(c.String()), nil
}

// position is where the loop that became hardware begins, without folders.
func (p *Program) position() string {
	pos := p.Kernel.Pos
	file := pos.File[strings.LastIndexByte(pos.File, '/')+1:]
	return fmt.Sprintf("%s:%d", file, pos.Line)
}

func (p *Program) resultTypes() []ir.Type {
	return p.Host.Attr("function_type").(*ir.TypeAttr).Type.(*ir.FunctionType).Results
}

// positionsOf maps the position of an argument to that among the C parameters.
func positionsOf(list []cgen.Param) map[int]int {
	out := map[int]int{}
	k := 0
	for _, q := range list {
		if q.Arg >= 0 {
			if q.Dim < 0 {
				out[q.Arg] = k
			}
			k++
		}
	}
	return out
}

// writer collects lines of C.
type writer struct {
	p       *Program
	headers map[string]bool
	lines   []string
	// prototypes are the public functions, each with a comment in front.
	prototypes []string
	// callee is what the public function calls; position maps arguments to its
	// parameters.
	callee   string
	position map[int]int
	images   []*image
	// taken are the local arrays in scratch memory.
	taken []cgen.Taken
}

// image is a configuration image. name begins the names of this file's own for it, names those of its config.h.
type image struct {
	binding     *mapping.Binding
	name, names string
	arrays      []array
}

// array is an array of the kernel with the number of its base address register, which may be that of
// a size register, too.
type array struct {
	name  string
	base  int
	sized bool
}

func (w *writer) line(format string, args ...any) {
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
}

func (w *writer) text() string { return strings.Join(w.lines, "\n") + "\n" }

// function is the name of the original function.
func (p *Program) function() string {
	switch {
	case p.C != nil && p.C.Name != "":
		return p.C.Name
	case p.Host != nil:
		return p.Host.SymName()
	}
	return p.Binding.Kernel
}

// header writes <dfg>_host.h.
func (p *Program) header(out *strings.Builder, prototypes []string) {
	guard := "LOOM_" + strings.ToUpper(cgen.Ident(p.Name)) + "_HOST_H"
	fmt.Fprintf(out, `/* Runs %s on %s: see loom_accel.h for the handle.
 *
 * The hardware reads and writes arrays itself. A function returns LOOM_ACCEL_OK or the
 * reason of a failure; what it has written then is undefined.
 */
#ifndef %s
#define %[3]s

#include <stddef.h>
#include <stdint.h>

#include "loom_accel.h"

#ifdef __cplusplus
extern "C" {
#endif

%[4]s
#ifdef __cplusplus
}
#endif

#endif /* %[3]s */
`, cgen.Comment(p.function()), cgen.Comment(p.Hardware), guard, strings.Join(prototypes, "\n"))
}

// preamble writes the head of <dfg>_host.c.
func (w *writer) preamble(out *strings.Builder) {
	p := w.p
	fmt.Fprintf(out, `/* Runs %s on %s.
 *
 * Compile with loom_accel.c and with the directory of %s in the
 * include path.
 */
#include "%s_host.h"

`, cgen.Comment(p.function()), cgen.Comment(p.Hardware), p.ConfigHeader, p.Name)
	for _, h := range slices.Sorted(maps.Keys(w.headers)) {
		fmt.Fprintf(out, "#include %s\n", h)
	}
	fmt.Fprintf(out, "\n#include \"%s\"\n", p.ConfigHeader)
	if p.Disjoint != nil {
		fmt.Fprintf(out, "#include \"%s\"\n", p.Disjoint.ConfigHeader)
	}
	most := 0
	for _, i := range w.images {
		most = max(most, len(i.arrays))
	}
	if most > 0 {
		fmt.Fprintf(out, "\n#if LOOM_ACCEL_MAX_ARRAYS < %d\n#error \"LOOM_ACCEL_MAX_ARRAYS is too small for this kernel\"\n#endif\n", most)
	}
	out.WriteString("\n")
	for _, i := range w.images {
		i.define(out, p.Layout.Hash)
	}
}

// define writes what the driver wants to know of an image.
func (i *image) define(out *strings.Builder, hash uint64) {
	bases, contents := "NULL", "NULL"
	if len(i.arrays) > 0 {
		fmt.Fprintf(out, "/* The base address registers of the arrays. */\nstatic const uint32_t %s_bases[] = {\n", i.name)
		for _, a := range i.arrays {
			sized := ""
			if a.sized {
				sized = "LOOM_ACCEL_SIZED | "
			}
			fmt.Fprintf(out, "    %s%du, /* %s */\n", sized, a.base, a.name)
		}
		out.WriteString("};\n\n")
		bases = i.name + "_bases"
	}
	if len(i.binding.Contents) > 0 {
		contents = i.names + "_load_contents" // the kernel's own arrays begin like this in every run
	}
	fmt.Fprintf(out, `static const loom_accel_image %s_image = {
    UINT64_C(0x%016x), %[3]s_config_words, (uint32_t)(sizeof %[3]s_config_words / sizeof %[3]s_config_words[0]),
    %[4]du, %[5]s, %[6]du, %[7]du, %[8]s,
};

`, i.name, hash, i.names, len(i.arrays), bases, i.binding.Start, i.binding.Done, contents)
}

// launch writes the functions that name the arguments of a run, take its results, and do
// both around the run.
func (w *writer) launch(params []cgen.Param) error {
	context := []string{"loom_accel *dev"}
	setupDecls, resultDecls := slices.Clone(context), slices.Clone(context)
	setupArgs, resultArgs := []string{"dev"}, []string{"dev"}
	decls := slices.Clone(context)
	var results []string
	for _, q := range params {
		decls = append(decls, q.Decl)
		if q.Result >= 0 {
			results = append(results, w.fromBits(q.Name, w.p.Binding.Results[q.Result].Type, w.output(q.Result)))
			resultDecls, resultArgs = append(resultDecls, q.Decl), append(resultArgs, q.Name)
			continue
		}
		setupDecls, setupArgs = append(setupDecls, q.Decl), append(setupArgs, q.Name)
	}
	head := strings.Join(setupDecls, ",\n    ")
	for _, i := range w.images {
		setup, err := w.setup(i, params)
		if err != nil {
			return err
		}
		name, what := "loom_setup", ""
		if w.p.Disjoint != nil {
			name, what = i.name+"_image_setup", ", on "+i.name+"_image"
		}
		w.line("/* Names the arguments of a run%s. */", what)
		w.line("static void %s(%s)", name, head)
		w.line("{")
		w.line("    loom_accel_load(dev, &%s_image);", i.name)
		w.lines = append(w.lines, setup...)
		w.line("}")
		w.line("")
	}
	if w.p.Disjoint != nil {
		if err := w.choose(params, head, strings.Join(setupArgs, ", ")); err != nil {
			return err
		}
	}
	if len(results) > 0 {
		w.line("/* Takes the results of a run. */")
		w.line("static void loom_results(%s)", strings.Join(resultDecls, ",\n    "))
		w.line("{")
		w.lines = append(w.lines, results...)
		w.line("}")
		w.line("")
	}
	w.line("/* Runs the kernel once. */")
	w.line("static int loom_launch(%s)", strings.Join(decls, ",\n    "))
	w.line("{")
	w.line("    int status;")
	w.line("")
	w.line("    loom_setup(%s);", strings.Join(setupArgs, ", "))
	w.line("    status = loom_accel_run(dev);")
	if len(results) > 0 {
		w.line("    if (status == LOOM_ACCEL_OK)")
		w.line("        loom_results(%s);", strings.Join(resultArgs, ", "))
	}
	w.line("    return status;")
	w.line("}")
	return nil
}

// setup are the statements that name the arguments of a run on an image.
func (w *writer) setup(i *image, params []cgen.Param) ([]string, error) {
	b := i.binding
	var setup, expect []string
	for _, q := range params {
		if q.Result >= 0 {
			expect = append(expect, fmt.Sprintf("    loom_accel_expect(dev, %du); /* %s */", b.Results[q.Result].Output, q.Name))
			continue
		}
		a := b.Args[q.Arg]
		_, isMem := a.Type.(*ir.MemRefType)
		switch {
		case isMem && w.p.Apart[q.Arg]:
			setup = append(setup, fmt.Sprintf("    (void)%s; /* it has ports of its own */", q.Name))
		case q.Dim >= 0, isMem && a.Mem < 0, !isMem && a.Input < 0:
			setup = append(setup, fmt.Sprintf("    (void)%s; /* the kernel does not use it */", q.Name))
		case isMem:
			for _, at := range a.Places() {
				base := w.base(at)
				if base < 0 {
					return nil, fmt.Errorf("host: argument %s has no base address", a.Name)
				}
				setup = append(setup, fmt.Sprintf("    loom_accel_set_array(dev, %du, %s, %du);", len(i.arrays), q.Name, w.arrayBytes(a.Type)))
				i.arrays = append(i.arrays, array{q.Name, base, w.sized(at)})
			}
		default:
			setup = append(setup, w.toBits(q.Name, a))
		}
	}
	row := 0
	for _, t := range b.Tables {
		for _, at := range t.Places() {
			base := w.base(at)
			if base < 0 {
				return nil, fmt.Errorf("host: table %s has no base address", t.Name)
			}
			setup = append(setup, fmt.Sprintf("    loom_accel_set_table(dev, %du, %s_tables[%d].data, %du); /* %s */",
				len(i.arrays), i.names, row, len(t.Data)*t.ElemBytes, cgen.Comment(t.Name)))
			i.arrays = append(i.arrays, array{"the table " + cgen.Comment(t.Name), base, w.sized(at)})
			row++
		}
	}
	return append(setup, expect...), nil
}

// output is the expression for the boundary output of a result.
func (w *writer) output(result int) string {
	at := w.p.Binding.Results[result].Output
	if w.p.Disjoint != nil {
		if other := w.p.Disjoint.Binding.Results[result].Output; other != at {
			return fmt.Sprintf("dev->image == &loom_image ? %du : %du", at, other)
		}
	}
	return fmt.Sprintf("%du", at)
}

// base is the number of a region's base address register, -1 for none.
func (w *writer) base(at mapping.At) int {
	f := w.p.Layout.Fabric
	return f.BaseRegister(f.Comps[at.Mem], at.Region)
}

// sized reports whether it has a register for the size of its array.
func (w *writer) sized(at mapping.At) bool {
	f := w.p.Layout.Fabric
	return f.SizeRegister(f.Comps[at.Mem], at.Region) >= 0
}

// arrayBytes is the size of an array in bytes, 0 where its type does not tell.
func (w *writer) arrayBytes(t ir.Type) int64 {
	m := t.(*ir.MemRefType)
	n, ok := m.NumElements()
	if !ok {
		return 0
	}
	return n * cgen.ElemBytes(m.Elem, w.p.IndexWidth)
}

// toBits gives an argument to the fabric as a bit pattern.
func (w *writer) toBits(name string, a mapping.ArgBinding) string {
	raw := rawType(a.Type)
	if raw == "" {
		return fmt.Sprintf("    loom_accel_set_arg(dev, %du, (uint64_t)%s); /* %s */", a.Input, name, name)
	}
	return fmt.Sprintf(`    { /* %s */
        %s bits;
        memcpy(&bits, &%s, sizeof bits);
        loom_accel_set_arg(dev, %du, bits);
    }`, name, raw, name, a.Input)
}

// fromBits takes a result from the fabric.
func (w *writer) fromBits(name string, t ir.Type, output string) string {
	raw := rawType(t)
	if raw == "" {
		width, _ := ir.BitWidth(t, w.p.IndexWidth)
		mask := ""
		if width < 64 {
			mask = fmt.Sprintf(" & UINT64_C(0x%x)", uint64(1)<<width-1)
		}
		return fmt.Sprintf("    *%s = (%s)(loom_accel_get_result(dev, %s)%s);", name, cgen.PassedType(t, w.p.IndexWidth), output, mask)
	}
	return fmt.Sprintf(`    {
        %s bits = (%s)loom_accel_get_result(dev, %s);
        memcpy(%s, &bits, sizeof bits);
    }`, raw, raw, output, name)
}

// rawType is the integer type of a float's bits, "" for other types.
func rawType(t ir.Type) string {
	if f, ok := t.(*ir.FloatType); ok {
		if f.Name == "f64" {
			return "uint64_t"
		}
		return "uint32_t"
	}
	return ""
}
