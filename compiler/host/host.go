package host

import (
	"fmt"

	"loom/compiler/config"
	"loom/compiler/host/cgen"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/templates"
)

func render(name string, data any) ([]byte, error) {
	text, err := templates.Render(name, data)
	if err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	return []byte(text), nil
}

// Driver returns loom_accel.h and loom_accel.c. They are the same for every
// fabric: what differs is in config.h.
func Driver() (header, source []byte, err error) {
	data := map[string]any{"Registers": Registers, "Version": Version, "MaxPorts": MaxPorts, "MaxRegions": MaxRegions}
	if header, err = render("loom_accel.h.tmpl", data); err != nil {
		return nil, nil, err
	}
	source, err = render("loom_accel.c.tmpl", data)
	return header, source, err
}

// param is one parameter of the host function.
type param struct {
	Name, CType, Doc string
	// Scalar arguments and results have a boundary port; memories a
	// position of their base address in the image.
	Memory, Unused bool
	Port           int
	Word, Bit      int
}

// Function returns <dfg>_host.c: a C function with the kernel's parameters that
// configures the fabric, loads the initial contents of the kernel's own memories, runs
// the kernel once and returns what loom_accel returned. configHeader is the file name of the mapping's config.h.
func Function(b *mapping.Binding, l *config.Layout, fabric, configHeader string) ([]byte, error) {
	names := cgen.NewNamer("dev", "base", "status", "bits")
	var args, results []param
	for _, a := range b.Args {
		p := param{Name: names.Pick(a.Name), Port: a.Input, Doc: a.Type.String()}
		if m, ok := a.Type.(*ir.MemRefType); ok {
			p.Memory = true
			p.CType = CType(m.Elem) + " *"
			p.Unused = a.Mem < 0
			if !p.Unused {
				var ok bool
				if p.Word, p.Bit, ok = regionAddress(a, l); !ok {
					return nil, fmt.Errorf("host: argument %s has no region in the image", a.Name)
				}
			}
		} else {
			p.CType = CType(a.Type) + " "
			p.Unused = a.Input < 0
		}
		args = append(args, p)
	}
	for i, r := range b.Results {
		name := r.Name
		if name == "" {
			name = fmt.Sprintf("result%d", i)
		}
		results = append(results, param{Name: names.Pick(name), CType: CType(r.Type), Port: r.Output, Doc: r.Type.String()})
	}
	return render("host.c.tmpl", map[string]any{
		"Kernel": cgen.Comment(b.Kernel), "Function": cgen.Ident(b.Kernel) + "_accel", "Fabric": cgen.Comment(fabric), "ConfigHeader": configHeader,
		"Hash": fmt.Sprintf("UINT64_C(0x%016x)", l.Hash), "Args": args, "Results": results,
		"Start": b.Start, "Done": b.Done, "Contents": len(b.Contents) > 0,
	})
}

// CType is the C type that holds a value of type t: the next standard width for
// integers, 64 bits for index.
func CType(t ir.Type) string {
	switch t := t.(type) {
	case *ir.IntegerType:
		for _, w := range []int{8, 16, 32, 64} {
			if t.Width <= w {
				return fmt.Sprintf("int%d_t", w)
			}
		}
	case *ir.IndexType:
		return "uint64_t"
	case *ir.FloatType:
		switch t.Name {
		case "f32":
			return "float"
		case "f64":
			return "double"
		}
		return "uint16_t"
	}
	return "uint64_t"
}
