package host

import (
	"fmt"
	"maps"
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
	// Fabric is its name, ConfigHeader the file name of the mapping's config.h.
	Fabric, ConfigHeader string
	// IndexWidth is the fabric's width of index.
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
}

// inner is a parameter or result of the kernel or of what is left of the function, as
// package cgen declares it.
type inner struct {
	name, decl string
	t          ir.Type
	dim        int // of a memref's extent, -1 otherwise
}

// Source returns <dfg>_host.c: a function with the parameters of the original one that
// configures the fabric, arranges its data as the kernel wants them, runs the kernel
// and what is left of the function, and returns what loom_accel returned.
func (p *Program) Source() ([]byte, error) {
	w := &writer{p: p, headers: map[string]bool{"<stddef.h>": true, "<stdint.h>": true, "<string.h>": true}}
	var body string
	var params []inner
	var results []ir.Type
	launch := make([]cgen.Param, 0, len(p.Binding.Args))
	w.callee = "loom_launch"
	if p.Host != nil {
		u := cgen.New(p.Module, cgen.Options{
			IndexWidth: p.IndexWidth, ContextDecl: "loom_run *run", Context: "run",
			External: map[string]cgen.External{p.Kernel.SymName(): {Name: "loom_launch"}},
		})
		w.callee = cgen.Ident(p.Host.SymName()) + "_host"
		if err := u.Function(p.Host, w.callee, true); err != nil {
			return nil, err
		}
		w.callee = u.Name(p.Host)
		for _, h := range u.Headers() {
			w.headers[h] = true
		}
		body = u.Text()
		kernel, err := u.Params(p.Kernel)
		if err != nil {
			return nil, err
		}
		launch = kernel
		outer, err := u.Params(p.Host)
		if err != nil {
			return nil, err
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
		n := cgen.NewNamer("run", "status", "address", "bits", "i")
		for i, a := range p.Binding.Args {
			q := cgen.Param{Arg: i, Result: -1, Dim: -1, Name: n.Pick(a.Name)}
			c := cgen.CType(a.Type, p.IndexWidth) + " "
			if m, ok := a.Type.(*ir.MemRefType); ok {
				c = cgen.CType(m.Elem, p.IndexWidth) + " *"
			}
			if strings.HasPrefix(c, " ") {
				return nil, fmt.Errorf("host: a value of type %s has no C type", a.Type)
			}
			q.Decl = c + q.Name
			launch = append(launch, q)
			params = append(params, inner{q.Name, q.Decl, a.Type, -1})
		}
		for i, r := range p.Binding.Results {
			name := n.Pick(fmt.Sprintf("result%d", i))
			launch = append(launch, cgen.Param{Arg: -1, Result: i, Dim: -1, Name: name, Decl: cgen.CType(r.Type, p.IndexWidth) + " *" + name})
			results = append(results, r.Type)
		}
		w.position = positionsOf(launch)
	}
	if err := w.launch(launch); err != nil {
		return nil, err
	}
	text := w.text()
	w.lines = nil
	if err := w.function(params, results); err != nil {
		return nil, err
	}
	var out strings.Builder
	w.preamble(&out)
	out.WriteString(text)
	if body != "" {
		out.WriteString("\n/* What is left of the function; the loop at " + cgen.Comment(p.position()) + " is a call. */\n" + body)
	}
	out.WriteString(w.text())
	return []byte(out.String()), nil
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
	// callee is what the public function calls; position maps arguments to its
	// parameters.
	callee   string
	position map[int]int
	regions  int
}

func (w *writer) line(format string, args ...any) {
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
}

func (w *writer) text() string { return strings.Join(w.lines, "\n") + "\n" }

func (w *writer) preamble(out *strings.Builder) {
	p := w.p
	name := p.Binding.Kernel
	if p.C != nil && p.C.Name != "" {
		name = p.C.Name
	}
	fmt.Fprintf(out, `/* Runs %s on fabric %s.
 *
 * Compile with loom_accel.c and with the directory of %s in the
 * include path. The fabric reads and writes the arrays itself: define
 * LOOM_BUS_ADDRESS where a pointer's value is not the address that the bus needs,
 * and keep the caches coherent with the fabric's accesses.
 */
`, cgen.Comment(name), cgen.Comment(p.Fabric), p.ConfigHeader)
	for _, h := range slices.Sorted(maps.Keys(w.headers)) {
		fmt.Fprintf(out, "#include %s\n", h)
	}
	fmt.Fprintf(out, `
#include "loom_accel.h"
#include "%s"

#ifndef LOOM_BUS_ADDRESS
#define LOOM_BUS_ADDRESS(pointer) ((uint64_t)(uintptr_t)(pointer))
#endif

/* The fabric in one call of the function: configured once, and again only when the
 * arrays are others. */
typedef struct loom_run {
    loom_accel dev;
    int configured;
    uint64_t address[%d];
} loom_run;

`, p.ConfigHeader, max(w.regions, 1))
}

// launch writes the function that runs the kernel once.
func (w *writer) launch(params []cgen.Param) error {
	b := w.p.Binding
	decls := []string{"loom_run *run"}
	for _, q := range params {
		decls = append(decls, q.Decl)
	}
	w.line("/* Runs the kernel once. */")
	w.line("static int loom_launch(%s)", strings.Join(decls, ",\n    "))
	w.line("{")
	w.line("    int status;")
	type region struct {
		name      string
		word, bit int
	}
	var regions []region
	var set, get []string
	for _, q := range params {
		if q.Result >= 0 {
			r := b.Results[q.Result]
			set = append(set, fmt.Sprintf("    loom_accel_expect(&run->dev, %du); /* %s */", r.Output, q.Name))
			get = append(get, w.fromBits(q.Name, r))
			continue
		}
		a := b.Args[q.Arg]
		_, isMem := a.Type.(*ir.MemRefType)
		switch {
		case q.Dim >= 0, isMem && a.Mem < 0, !isMem && a.Input < 0:
			w.line("    (void)%s; /* the kernel does not use it */", q.Name)
		case isMem:
			word, bit, ok := regionAddress(a, w.p.Layout)
			if !ok {
				return fmt.Errorf("host: argument %s has no region in the image", a.Name)
			}
			regions = append(regions, region{q.Name, word, bit})
		default:
			set = append(set, w.toBits(q.Name, a))
		}
	}
	w.regions = len(regions)
	for i, r := range regions {
		w.line("    if (run->address[%d] != LOOM_BUS_ADDRESS(%s)) {", i, r.name)
		w.line("        run->address[%d] = LOOM_BUS_ADDRESS(%s);", i, r.name)
		w.line("        run->configured = 0;")
		w.line("    }")
	}
	w.line("    if (!run->configured) {")
	for i, r := range regions {
		w.line("        status = loom_accel_set_mem_region(&run->dev, %du, %du, run->address[%d]);", r.word, r.bit, i)
		w.line("        if (status != LOOM_ACCEL_OK)")
		w.line("            return status;")
	}
	w.line("        status = loom_accel_load_config(&run->dev, loom_runtime_config_words, loom_runtime_config_word_count);")
	w.line("        if (status != LOOM_ACCEL_OK)")
	w.line("            return status;")
	w.line("        run->configured = 1;")
	w.line("    }")
	if len(b.Contents) > 0 {
		w.line("    status = loom_runtime_load_contents(&run->dev); /* the kernel's own arrays begin like this in every run */")
		w.line("    if (status != LOOM_ACCEL_OK)")
		w.line("        return status;")
	}
	w.lines = append(w.lines, set...)
	w.line("    loom_accel_set_arg(&run->dev, %du, 0u); /* the start token */", b.Start)
	w.line("    loom_accel_expect(&run->dev, %du); /* the done token */", b.Done)
	w.line("    status = loom_accel_launch(&run->dev);")
	w.line("    if (status != LOOM_ACCEL_OK)")
	w.line("        return status;")
	w.line("    status = loom_accel_wait(&run->dev, 0u);")
	w.line("    if (status != LOOM_ACCEL_OK)")
	w.line("        return status;")
	w.lines = append(w.lines, get...)
	w.line("    return LOOM_ACCEL_OK;")
	w.line("}")
	return nil
}

// toBits gives an argument to the fabric as a bit pattern.
func (w *writer) toBits(name string, a mapping.ArgBinding) string {
	raw := rawType(a.Type)
	if raw == "" {
		return fmt.Sprintf("    loom_accel_set_arg(&run->dev, %du, (uint64_t)%s); /* %s */", a.Input, name, name)
	}
	return fmt.Sprintf(`    { /* %s */
        %s bits;
        memcpy(&bits, &%s, sizeof bits);
        loom_accel_set_arg(&run->dev, %du, bits);
    }`, name, raw, name, a.Input)
}

// fromBits takes a result from the fabric.
func (w *writer) fromBits(name string, r mapping.ResultBinding) string {
	raw := rawType(r.Type)
	if raw == "" {
		width, _ := ir.BitWidth(r.Type, w.p.IndexWidth)
		mask := ""
		if width < 64 {
			mask = fmt.Sprintf(" & UINT64_C(0x%x)", uint64(1)<<width-1)
		}
		return fmt.Sprintf("    *%s = (%s)(loom_accel_get_result(&run->dev, %du)%s);", name, cgen.CType(r.Type, w.p.IndexWidth), r.Output, mask)
	}
	return fmt.Sprintf(`    {
        %s bits = (%s)loom_accel_get_result(&run->dev, %du);
        memcpy(%s, &bits, sizeof bits);
    }`, raw, raw, r.Output, name)
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
